"""What a study takes by default of the tables that people bring: whole marks, and people who differ."""

import numpy as np
import pandas as pd
import pytest

from course_lib import gp
from course_lib.judgments import RaterGP
from course_lib.judgments.panels.answers import grid_step
from course_lib.judgments.panels.likelihoods import HierarchicalScalePrior, PooledLikelihood, RaterNoise
from course_studies import PairStudy, RatingStudy, from_pairs, from_wide
from course_studies.cautions import EndsWarning, WeightWarning
from course_studies.pair_study import PeopleWarning

MARKS = np.array([[4, 4, 5, 5, 4, 5, 5, 5], [4, 4, 4, 4, 5, 3, 4, 4], [5, 5, 5, 5, 4, 5, 3, 5],
                  [3, 3, 3, 3, 4, 5, 4, 3], [5, 5, 5, 5, 5, 4, 5, 4], [4, 4, 4, 4, 3, 4, 5, 5]])  # fmt: skip
MARKS[:, :4] = MARKS[:, :1]  # four of eight raters happen to agree


def wide(marks, **more):
    return from_wide(pd.DataFrame(marks).add_prefix("r"), **more)


def test_raters_who_happen_to_agree_on_whole_marks_do_not_decide():
    study = RatingStudy().fit(wide(MARKS, scale=(1, 5)))
    assert (study.model_.rater_std_ >= 1 / np.sqrt(12) - 1e-12).all()
    consensus = study.consensus()
    assert (consensus["high"] - consensus["low"] > 0.3).all()
    assert study.trust().loc[["r0", "r1", "r2", "r3"], "weight"].sum() < 0.9


def test_it_is_said_who_decides_together():
    rng = np.random.default_rng(0)
    marks = rng.normal(size=(12, 1)) + np.append(np.zeros(3), rng.normal(size=4)) * rng.normal(size=(12, 7))
    with pytest.warns(WeightWarning, match="raters 'r0', 'r1', 'r2', who gave the same marks, have"):
        RatingStudy(plug_in=True).fit(wide(marks))


@pytest.mark.parametrize(
    ("marks", "step"),
    [
        ([1, 2, 3, 5], 1), ([1, 3, 6], 1), ([0.1, 0.2, 0.7], 0.1), ([10, 20, 50], 10), ([9.5, 9, 11], 0.5),
        (np.random.default_rng(0).normal(size=9), 0),
    ],
)  # fmt: skip
def test_the_step_of_a_scale(marks, step):
    assert grid_step(np.repeat(marks, 3).astype(float)) == pytest.approx(step)
    assert grid_step(np.asarray(marks, dtype=float)) == 0  # each once: these may be measured


def test_marks_of_which_most_are_on_an_end():
    marks = np.where(np.random.default_rng(0).uniform(size=(6, 8)) < 0.6, 5, 4)
    with pytest.warns(EndsWarning, match=r"of the marks are 5, an end of the scale.*response='ordinal'"):
        RatingStudy(plug_in=True).fit(wide(marks, scale=(1, 5)))


def test_a_level_that_parameters_share_is_believed_once():
    noise = RaterNoise(np.ones(12), np.arange(12)).with_priors(noise_std=HierarchicalScalePrior(1, 0.5))
    assert noise.level_shares == pytest.approx(np.full(12, 1 / 12))
    by_region = noise.with_priors(noise_std=HierarchicalScalePrior(4, 0.5))  # a level of each of four raters
    assert by_region.level_shares.sum() == pytest.approx(4)
    pooled = PooledLikelihood([gp.Beta(5.0), gp.Beta(6.0)], [3, 3], spread=0.5)
    assert pooled.level_shares.sum() == pytest.approx(1)
    assert PooledLikelihood([gp.Beta(5.0), gp.Beta(6.0)], [3, 3]).level_shares.sum() == 2
    assert gp.SquaredExponential(1.0, [1.0, 2.0]).level_shares.tolist() == [1, 1, 1]


@pytest.mark.parametrize(("R", "each"), [(6, 12), (60, 3)])
def test_an_averaged_noise_is_that_of_the_answers(R, each):
    """Of sixty raters with three answers each, a Jacobian for each noise made of 1.0 more than 1.5."""
    found = []
    for seed in range(3):
        rng = np.random.default_rng(seed)
        Y = rng.normal(size=(36, 1)) + 0.7 * rng.normal(size=R) + rng.normal(size=(36, R))
        Y = np.where(np.argsort(rng.uniform(size=Y.shape), axis=0) < each, Y, np.nan)
        Y = Y[~np.isnan(Y).all(axis=1)]
        model = RaterGP(gp.White(1.0), pooling=0.02, bias_std=0.5).fit(np.eye(len(Y)), Y).averaged(64, rng=0)
        found.append(np.sqrt(np.mean(model.rater_std_**2)))
    assert np.mean(found) == pytest.approx(1.0, abs=0.1)


def choices(people, each, features=None, seed=0):
    rng = np.random.default_rng(seed)
    z, names = rng.normal(size=5), np.array(list("abcde"))
    rows = []
    for p in range(people):
        own = z + rng.normal(size=5)
        for _ in range(each):
            i, j = rng.choice(5, 2, replace=False)
            rows.append((names[i], names[j], names[i if own[i] - own[j] + rng.normal() > 0 else j], f"p{p}"))
    frame = pd.DataFrame(rows, columns=["x", "y", "better", "who"])
    return from_pairs(frame, "x", "y", "better", person="who", features=features)


def test_people_differ_by_default():
    table = choices(8, 10)
    study, one = PairStudy().fit(table), PairStudy(people="one").fit(table)
    assert study.whose_ == "own" and "person × item" in study.learned().index
    width = [(found["high"] - found["low"]).mean() for found in (study.contrasts(), one.contrasts())]
    assert width[0] > 1.2 * width[1]
    assert (study.worth(person="p0")["worth"] != study.worth()["worth"]).all()
    assert PairStudy(plug_in=True).fit(choices(30, 1)).whose_ == "one"  # one answer each tells no tastes


def test_too_many_people_for_functions_of_their_own():
    features = pd.DataFrame({"loud": np.arange(5.0)}, index=list("abcde"))
    with pytest.warns(PeopleWarning, match="250 people .*and intervals do not count that people differ"):
        study = PairStudy(plug_in=True).fit(choices(250, 4, features))
    assert study.whose_ == "one"
