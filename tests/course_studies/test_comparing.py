"""A study that compares its models: scores of whole marks, evidences that can be compared, and a rule that is said."""

from functools import cache

import numpy as np
import pandas as pd
import pytest
from scipy.integrate import quad
from sklearn.exceptions import ConvergenceWarning

from course_lib.gp import GPRegression, SquaredExponential
from course_lib.gp.priors import CentredStudentT
from course_lib.judgments import BoundedGP, OrdinalRaterGP, RaterGP
from course_studies import RatingStudy, from_long, from_wide, number_answers
from course_studies.comparing import log_evidence, mean_by_rater
from course_studies.defaults import EQUAL_SPREAD, number_models


def frame(n=7, R=5, seed=0):
    rng = np.random.default_rng(seed)
    marks = 3 + rng.normal(size=(n, 1)) + 0.4 * rng.normal(size=R) + 0.6 * rng.normal(size=(n, R))
    return pd.DataFrame(np.clip(np.round(marks), 1, 5)).add_prefix("r")


@cache
def table(**changed):
    return from_wide(frame(), **{"scale": (1, 5), **changed})


@cache
def finer():
    """The same from 0 to 20: too many marks to be labels."""
    return from_wide(5 * (frame() - 1), scale=(0, 20))


def fitting(response):
    return finer() if response == "bounded" else table()


@cache
def study(response):
    return RatingStudy(response=response, plug_in=True).fit(fitting(response))


def every_mark(rater, low, high):
    """A table for each mark of the scale, which this rater gave one item."""
    rows = [{"item": 2, "rater": rater, "mark": mark} for mark in range(low, high + 1)]
    return [from_long(pd.DataFrame([row]), "item", "rater", "mark", scale=(low, high)) for row in rows]


@pytest.mark.parametrize("response", ["number", "bounded", "rounded", "ordinal"])
@pytest.mark.parametrize("rater", ["r1", "somebody"])
def test_of_whole_marks_the_score_is_a_probability(response, rater):
    scale = map(int, fitting(response).scale)
    scores = [study(response).log_score(one)[0] for one in every_mark(rater, *scale)]
    assert np.sum(np.exp(scores)) == pytest.approx(1.0, abs=2e-3)


def test_the_score_of_numbers_is_their_density():
    one = RatingStudy(plug_in=True).fit(from_wide(frame() + 0.25))
    mean, std = (one.forecasts(one.table_)[name] for name in ("mean", "std"))
    density = -0.5 * np.square((one.table_.rating - mean) / std) - np.log(std) - 0.5 * np.log(2 * np.pi)
    assert one.log_score(one.table_)[0] == pytest.approx(density.mean())
    single = RatingStudy(BoundedGP(low=0.0, high=6.0), plug_in=True).fit(from_wide(frame(), scale=(0, 6)))
    assert np.isfinite(single.log_score(single.table_)).all()


def test_the_standard_error_is_that_of_the_raters_means():
    scores, rater = np.random.default_rng(0).normal(size=(4, 6)), np.repeat(np.arange(4), 6)
    mean, error = mean_by_rater(scores.ravel(), rater)
    np.testing.assert_allclose([mean, error], [scores.mean(), scores.mean(axis=1).std(ddof=1) / 2])


def test_what_is_chosen_is_what_is_fitted():
    found = RatingStudy().compare(table(), folds=3)
    assert list(found.index) == ["one noise", "unequal noises", "with gains", "rounded", "ordinal"]
    assert found["evidence"].notna().tolist() == [True, True, True, False, False]
    fitted = RatingStudy(plug_in=True).fit(table()).model_
    assert found.index[found["chosen"]].item() == "one noise" and fitted.pooling == EQUAL_SPREAD
    assert found["evidence"][found["chosen"]].item() == pytest.approx(log_evidence(fitted), abs=0.01)
    assert found["largest_weight"]["one noise"] == pytest.approx(0.2, abs=0.01)
    assert found["coverage"].between(0.6, 1.0).all() and (found["log_score_se"] > 0).all()
    own = RatingStudy(GPRegression()).compare(from_wide(frame() + 0.25), folds=2)
    assert own.index[own["chosen"]].item() == "GPRegression" and "bounded" not in own.index


@pytest.mark.filterwarnings("error")
def test_of_warnings_those_of_the_chosen_model_are_heard(monkeypatch):
    """Here the noises are equal, and one noise is chosen: that another search did not end is nobody's concern."""
    short = {"unequal noises": 1, "with gains": 1}

    def cut_short(model, *how_many):
        return {k: one.set_params(max_iter=short.get(k, 1000)) for k, one in number_models(model, *how_many).items()}

    monkeypatch.setattr(number_answers, "number_models", cut_short)
    assert RatingStudy(plug_in=True).fit(table()).model_.pooling == EQUAL_SPREAD
    short["one noise"] = 1
    with pytest.warns(ConvergenceWarning, match="still changing after 1 rounds"):
        RatingStudy(plug_in=True).fit(table())


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("seed", range(5))
def test_one_noise_is_found_before_the_search_ends(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(9, 2))
    Y = (8 * X[:, 0] + 4 * X[:, 1] ** 2 + 3 * rng.normal(size=9))[:, None] + 6 * rng.normal(size=7)
    Y = Y + 6 * np.exp(0.4 * rng.normal(size=7)) * rng.normal(size=(9, 7))
    spread = Y.mean(axis=1).std()
    kernel = SquaredExponential(spread**2, np.ones(2))
    model = RaterGP(kernel, bias_std=spread / 2, nugget_std=0.3 * spread, pooling=0.5)
    number_models(model, 9, 7)["one noise"].fit(X, Y)


def test_a_fold_is_foretold_by_the_others_alone():
    """With as many folds as raters, the score is that of fits without each."""
    found, rows = RatingStudy().compare(table(), folds=9).loc["unequal noises"], []
    for rater in range(5):
        mine = table().rater == rater
        learned = RatingStudy(RaterGP(bias_std=0.5, pooling=0.5), plug_in=True).fit(table()[~mine])
        rows.append(learned.log_score(table()[mine])[0])
    assert found["log_score"] == pytest.approx(np.mean(rows), abs=2e-3)


def test_evidences_are_compared_whatever_holds_the_noises_together():
    """Noises that are held to be equal have one level, with the density of one noise: no spread's constant is left."""
    X, Y = np.eye(7), frame().to_numpy()
    near = [log_evidence(RaterGP(bias_std=0.5, pooling=pooling).fit(X, Y)) for pooling in (0.005, 0.02, 0.05)]
    np.testing.assert_allclose(near, near[1], atol=0.02)


def test_one_who_hardly_uses_the_scale_does_not_decide():
    rng = np.random.default_rng(1)
    z, gain = 50 + 18 * rng.normal(size=12), np.append(0.1, np.ones(5))
    marks = 50 + gain * (z[:, None] - 50 + 10 * rng.normal(size=(12, 6)))
    model = RatingStudy(plug_in=True).fit(from_wide(pd.DataFrame(marks).add_prefix("r"))).model_
    assert model.gain_[0] < 0.2 and 0.7 < np.median(model.gain_) < 1.3
    assert model.rater_weight_[0, 0] < 0.4


def test_a_new_raters_gain_is_one_of_those_learned():
    marks = frame(12, 6).to_numpy()
    model = RaterGP(bias_std=0.5, gain_std=0.2, gain_degrees=2.0).fit(np.eye(12), marks)
    gain = model.gain_
    mean, variance = (
        float(part[0]) for part in model._raters.seen(model.latent_, model._asked(np.eye(12)[:1]), [6], np.ones(1))
    )
    found = model.predict_answer(np.eye(12)[:1])[0].item()
    assert found == pytest.approx(model.offset_ + gain.mean() * mean)
    assert model._view(np.eye(12)[:1])[2].item() == pytest.approx(
        np.mean(gain**2 * (variance + mean**2)) - (gain.mean() * mean) ** 2
    )


def test_tails_on_both_sides_are_a_density():
    prior = CentredStudentT(0.2, 2.0)
    assert quad(lambda x: np.exp(prior.log_density(x)[0]), -np.inf, np.inf)[0] == pytest.approx(1.0)
    x = np.array([-1.0, 0.1, 2.0])
    slope = (prior.log_density(x + 1e-6)[0] - prior.log_density(x - 1e-6)[0]) / 2e-6
    np.testing.assert_allclose(prior.log_density(x)[1], slope, rtol=1e-6)


def test_centred_values_are_the_models():
    one = RatingStudy().fit(table())
    found = one.consensus(centred=True)
    np.testing.assert_allclose(found[["low", "high"]].T, one.model_.consensus_interval(0.9, centred=True))
    np.testing.assert_allclose(found[["consensus", "plain_mean"]].mean(), 0, atol=1e-9)
    assert (found["high"] - found["low"] < one.consensus()["high"] - one.consensus()["low"]).all()


@pytest.mark.parametrize("response", ["bounded", "rounded", "ordinal"])
def test_whatever_the_response_answers_are_marks(response):
    given = fitting(response)
    (low, high), one = given.scale, RatingStudy(response=response).fit(given)
    found = one.consensus()
    assert (found["low"] >= low).all() and (found["high"] <= high).all()
    assert np.corrcoef(found["consensus"], found["plain_mean"])[0, 1] > 0.98
    assert np.abs(found["consensus"] - found["plain_mean"]).max() < 0.15 * (high - low)
    contrast = one.contrasts([(0, 1)]).iloc[0]
    apart = found["consensus"][1] - found["consensus"][0]
    assert contrast["difference"] == pytest.approx(apart, abs=0.025 * (high - low))
    assert one.ranking()["value"].between(low, high).all()
    np.testing.assert_allclose(one.consensus(centred=True)["consensus"].mean(), 0, atol=1e-9)
    forecasts = one.forecasts(given)
    assert forecasts["mean"].between(low, high).all() and one.score(given) > 0.5
    assert one.coverage(given, [0.9])["share"].item() > 0.8
    assert one.predict()["answer_high"].between(low, high).all()
    trust, marks = one.trust(), frame().mean()
    assert np.corrcoef(trust["bias"], marks.loc[trust.index])[0, 1] > 0.9
    assert list(trust["answers"]) == [7] * 5


def test_raters_with_cut_points_of_their_own_are_told_in_marks_too():
    one = RatingStudy(OrdinalRaterGP(levels=5, optimize=False)).fit(table())
    assert one.consensus()["consensus"].between(1, 5).all()
    cuts = one.trust()[["1|2", "2|3", "3|4", "4|5"]].to_numpy()
    np.testing.assert_array_equal(cuts, one.model_.cuts_)


def test_what_a_response_needs_is_said():
    with pytest.raises(ValueError, match="give one of them"):
        RatingStudy(RaterGP(), response="ordinal").fit(table())
    with pytest.raises(ValueError, match="response is 'labels'"):
        RatingStudy(response="labels").fit(table())
    for response in ("bounded", "ordinal"):
        with pytest.raises(ValueError, match="no scale"):
            RatingStudy(response=response).fit(from_wide(frame()))
    with pytest.raises(ValueError, match=r"response is 'bounded'.*from 1 to 5 each"):
        RatingStudy(response="bounded").fit(table())
    with pytest.raises(ValueError, match="101 labels"):
        RatingStudy(response="ordinal").fit(from_wide(frame(), scale=(0, 100)))
    with pytest.raises(ValueError, match="no whole numbers"):
        RatingStudy(response="ordinal").fit(from_wide(frame() / 2 + 1, scale=(1, 5)))
    with pytest.raises(ValueError, match="3 levels"):
        RatingStudy(OrdinalRaterGP(levels=3)).fit(table())
    with pytest.raises(ValueError, match="tails need a scale"):
        RaterGP(gain_degrees=2.0).fit(np.eye(7), frame())
    with pytest.raises(ValueError, match="one rater"):
        RatingStudy().compare(from_wide(frame()[["r0"]], raters=["r0"]))
