"""Data frames of ratings and choices: all names are kept, and what is wrong with them is said by name."""

import re
import subprocess
import sys
import time
import types
import warnings

import joblib
import numpy as np
import pandas as pd
import pytest
from scipy.special import ndtr
from scipy.stats import norm, studentized_range
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, KFold

import course_lib
from course_lib import gp
from course_lib.gp.scales import ScalesWarning
from course_lib.judgments import BoundedGP, MultiSampleGP, PreferenceGP, RaterGP
from course_studies import PairStudy, RatingStudy, from_long, from_pairs, from_wide, studies
from course_studies.comparing import log_evidence
from course_studies.results import KnownItems, joint_confidence, letters

RNG = np.random.default_rng(7)
CLIPS = [f"clip {k}" for k in range(10)]
ITEMS = pd.DataFrame(
    {"reverb": RNG.uniform(0.2, 2.0, 10), "kbps": RNG.choice([64.0, 128.0, 192.0, 320.0], 10)},
    index=pd.Index(CLIPS, name="clip"),
)
TRUTH = 60 - 20 * np.square(ITEMS["reverb"] - 1).to_numpy() + 0.05 * ITEMS["kbps"].to_numpy()
NOISES = {"Ann": 2.0, "Ben": 5.0, "Cy": 9.0, "Di": 4.0}
WIDE = pd.DataFrame({who: TRUTH + RNG.normal(0, std, 10) for who, std in NOISES.items()}, index=ITEMS.index).round(1)
LONG = WIDE.reset_index().melt("clip", var_name="listener", value_name="mark").join(ITEMS, on="clip")
LONG = LONG.sample(frac=1, random_state=3).reset_index(drop=True)
FEATURES = ["reverb", "kbps"]


def ratings(frame=LONG, **changed):
    return from_long(frame, **{"item": "clip", "rater": "listener", "rating": "mark", "features": FEATURES, **changed})


def choices(m=300, seed=1, noise=4.0, tie=2.0):
    rng = np.random.default_rng(seed)
    a = rng.integers(0, 10, m)
    b = (a + rng.integers(1, 10, m)) % 10
    gap = TRUTH[b] - TRUTH[a] + np.sqrt(2) * noise * rng.normal(size=m)
    said = np.select([gap > tie, gap < -tie], ["right", "left"], "same")
    names = np.array(CLIPS)
    return pd.DataFrame({"L": names[a], "R": names[b], "said": said, "who": rng.choice(list(NOISES), m), "gap": gap})


CHOSEN = choices()
PAIRS = {"first": "L", "second": "R", "answer": "said", "person": "who", "sides": ("left", "right"), "tie": "same"}


def pairs(frame=CHOSEN, **changed):
    return from_pairs(frame, **{**PAIRS, "features": ITEMS, **changed})


@pytest.fixture(scope="module")
def rated():
    return RatingStudy(RaterGP(bias_std=3.0), standardize=True).fit(ratings())


@pytest.fixture(scope="module")
def compared():
    return PairStudy(standardize=True, people="one").fit(pairs())


# --- tables of ratings


def test_a_long_table_keeps_every_rating_under_its_names():
    table = ratings(LONG.drop(index=[3, 8]))
    np.testing.assert_array_equal(table.Y.notna().sum().sum(), 38)
    for _, row in LONG.drop(index=[3, 8]).iterrows():
        assert table.Y.loc[row["clip"], row["listener"]] == row["mark"]
    assert table.items.name == "clip"
    assert table.raters.name == "listener"
    pd.testing.assert_frame_equal(table.features.loc[ITEMS.index], ITEMS, check_dtype=False)
    assert repr(table).startswith(
        "RatingTable: 38 ratings 'mark' of 10 items 'clip' by 4 raters 'listener', 2 missing"
    )


def test_features_may_stand_in_a_frame_of_their_own_in_any_order():
    shuffled = ITEMS.sample(frac=1, random_state=1)
    table = ratings(features=pd.concat([shuffled, pd.DataFrame({"reverb": 9.0, "kbps": 9.0}, index=["unheard"])]))
    assert list(table.items) == list(shuffled.index)
    np.testing.assert_array_equal(table.X, shuffled.to_numpy())
    by_column = ratings(features=shuffled.reset_index())
    pd.testing.assert_frame_equal(by_column.Y, table.Y)
    pd.testing.assert_frame_equal(table.Y.loc[CLIPS, list(NOISES)], WIDE, check_names=False)


def test_wide_and_long_are_one_table():
    wide = from_wide(WIDE, features=ITEMS)
    same = from_wide(WIDE.join(ITEMS).reset_index(), item="clip", features=FEATURES)
    for table in (wide, same):
        pd.testing.assert_frame_equal(table.Y, WIDE, check_names=False)
        np.testing.assert_array_equal(table.X, ITEMS.to_numpy())
    gaps = WIDE.copy()
    gaps.iloc[0, 1] = np.nan
    assert len(from_wide(gaps)) == 39


def test_a_look_before_any_model():
    overview = ratings().overview()
    np.testing.assert_allclose(overview["mean"], WIDE[overview.index].mean())
    np.testing.assert_allclose(overview["spread"], WIDE[overview.index].std(ddof=0))
    assert (overview["answers"] == 10).all()
    rest = WIDE.drop(columns="Ann")
    expected = np.corrcoef(WIDE["Ann"], (rest - rest.mean()).mean(axis=1))[0, 1]
    assert overview.loc["Ann", "with_others"] == pytest.approx(expected)


def test_a_table_is_a_sequence_that_keeps_its_items():
    table = ratings()
    part = table[np.arange(40) % 2 == 0]
    assert len(part) == 20
    assert list(part.items) == list(table.items)
    np.testing.assert_array_equal(part.rating, table.rating[::2])
    np.testing.assert_array_equal(table[::2].rating, part.rating)


def test_repeated_ratings_are_refused_or_joined():
    twice = pd.concat([LONG, LONG.iloc[[0]].assign(mark=0.0)], ignore_index=True)
    who, what = LONG.loc[0, ["listener", "clip"]]
    with pytest.raises(ValueError, match=rf"column 'listener': '{who}' rated 'clip' = '{what}' 2 times"):
        ratings(twice)
    assert ratings(twice, repeats="mean").Y.loc[what, who] == LONG.loc[0, "mark"] / 2
    assert ratings(twice, repeats="last").Y.loc[what, who] == 0.0


def test_a_long_table_given_as_a_wide_one_is_refused_with_the_call_that_reads_it():
    marks = LONG[["clip", "listener", "mark"]]
    with pytest.raises(ValueError, match="seems to be a long table") as refused:
        from_wide(marks)
    call = re.search(r"from_long\(.*?\)", str(refused.value))[0]
    assert call == "from_long(frame, item='clip', rater='listener', rating='mark')"
    assert len(eval(call, {"from_long": from_long, "frame": marks})) == 40
    numbered = pd.DataFrame(
        {"item": np.repeat(range(60), 5), "rater": np.tile(range(5), 60), "y": RNG.normal(size=300)}
    )
    with pytest.raises(ValueError, match=r"from_long\(frame, item='item', rater='rater', rating='y'\)"):
        from_wide(numbered.sample(frac=0.9, random_state=0))


def test_a_wide_table_of_few_steps_is_no_long_one():
    for seed in range(20):
        steps = pd.DataFrame(np.random.default_rng(seed).integers(1, 6, (25, 6)))
        assert len(from_wide(steps)) == 150


MISUSE = {
    "text": ({}, {"mark": "good"}, r"column 'mark' holds text: 'good' in row 4"),
    "number as text": ({}, {"mark": "3.5"}, r"column 'mark' holds text.*pd.to_numeric"),
    "infinite": ({}, {"mark": np.inf}, r"column 'mark' is infinite in row 4"),
    "no name": ({}, {"listener": None}, r"column 'listener' is empty in row 4"),
    "item of two kinds": ({}, {"reverb": 5.0}, r"column 'reverb' has 2 values for one item, 'clip' = "),
    "gap in a feature": ({}, {"reverb": np.nan}, r"column 'reverb' is empty in row 4"),
    "text feature": ({}, {"reverb": "hall"}, r"column 'reverb' describes items by text, such as 'hall'"),
    "unknown item": ({"features": ITEMS}, {"clip": "clip 77"}, r"column 'clip' names 'clip 77', which is no row"),
    "999": ({}, {"mark": 999.0}, r"column 'mark' holds 999 1 times.*missing=999"),
}  # fmt: skip


@pytest.mark.parametrize("name", MISUSE)
def test_what_is_wrong_is_said_of_the_column(name):
    settings, cell, message = MISUSE[name]
    frame = LONG.copy()
    for column, value in cell.items():
        frame[column] = frame[column].astype(object)
        frame.loc[4, column] = value
    with pytest.raises(ValueError, match=message):
        ratings(frame, **settings)


def test_minus_one_among_whole_marks_is_asked_about():
    whole = LONG.assign(mark=(LONG["mark"] / 10).round().clip(lower=0))
    whole.loc[[2, 5], "mark"] = -1
    with pytest.raises(ValueError, match=r"column 'mark' holds -1 2 times.*missing=-1"):
        ratings(whole)
    assert len(ratings(whole, missing=-1)) == 38
    assert len(ratings(whole, scale=(-1, 10))) == 40
    words = LONG.assign(mark=LONG["mark"].astype(object))
    words.loc[2, "mark"] = "n/a"
    assert len(ratings(words, missing="n/a")) == 39


# --- studies of ratings


def test_a_study_is_the_model_under_the_tables_names(rated):
    table = ratings()
    X = (table.X - table.X.mean(axis=0)) / table.X.std(axis=0)
    spread = table.Y.mean(axis=1).var(ddof=0)
    model = RaterGP(gp.SquaredExponential(spread, [1.0, 1.0]), bias_std=3.0).fit(X, table.Y.to_numpy())
    model = model.averaged(rng=0)
    found = rated.consensus()
    assert found.index.name == "clip"
    np.testing.assert_allclose(found["consensus"], model.consensus_, rtol=1e-4)
    np.testing.assert_allclose(found[["low", "high"]].T, model.consensus_interval(), rtol=1e-4)
    np.testing.assert_allclose(found["plain_mean"], WIDE.loc[found.index].mean(axis=1))
    trust = rated.trust()
    assert trust.index.name == "listener"
    by_name = dict(zip(table.raters, model.rater_std_[0], strict=True))
    np.testing.assert_allclose(trust["noise"], [by_name[name] for name in trust.index], rtol=1e-3)
    assert trust["noise"].is_monotonic_increasing
    np.testing.assert_allclose(
        rated.deviations().loc["Ann"], WIDE.loc[found.index, "Ann"] - found["consensus"], rtol=1e-10
    )


def test_contrasts_agree_with_the_model_and_their_sign_is_that_of_b(rated):
    frame = rated.contrasts([("clip 3", "clip 7")], confidence=0.8)
    X = rated.units_(ITEMS.to_numpy())
    mean, std = rated.model_.predict_difference(X, [(3, 7)])
    assert frame.loc[0, ["a", "b"]].tolist() == ["clip 3", "clip 7"]
    assert frame.loc[0, "difference"] == pytest.approx(mean[0])
    assert frame.loc[0, "high"] - frame.loc[0, "low"] == pytest.approx(2 * 1.2815516 * std[0])
    assert frame.loc[0, "p_better"] == pytest.approx(ndtr(mean[0] / std[0]))
    assert len(rated.contrasts()) == 45
    swapped = rated.contrasts([("clip 7", "clip 3")], confidence=0.8)
    assert swapped.loc[0, "difference"] == pytest.approx(-mean[0])


def test_items_of_equal_features_keep_what_is_their_own():
    twins = ITEMS.copy()
    twins.iloc[1] = twins.iloc[0]
    marks = WIDE.copy()
    marks.iloc[1] = marks.iloc[0] + 15.0
    study = RatingStudy(MultiSampleGP(nugget_std=3.0), standardize=True).fit(from_wide(marks, features=twins))
    frame = study.contrasts([("clip 0", "clip 1")])
    apart = np.subtract(*study.consensus()["consensus"].loc[["clip 1", "clip 0"]])
    assert frame.loc[0, "difference"] == pytest.approx(apart)
    assert frame.loc[0, "difference"] > 5


def test_items_are_given_in_their_columns_own_units_and_any_order(rated):
    known = rated.predict(ITEMS[["kbps", "reverb"]].iloc[:3])
    expected = rated.consensus().loc[known.index]
    np.testing.assert_allclose(known["value"], expected["consensus"])
    np.testing.assert_allclose(known[["low", "high"]], expected[["low", "high"]])
    assert (known["answer_high"] - known["answer_low"] > known["high"] - known["low"]).all()
    with pytest.raises(ValueError, match="'reverb', which is no column of frame"):
        rated.predict(ITEMS[["kbps"]])
    with pytest.raises(ValueError, match=r"pairs\[0\] names 'clip 77', which is no (clip|item) of the fit"):
        rated.contrasts([("clip 1", "clip 77")])


@pytest.mark.parametrize("kind", ["ratings", "pairs", "pairs of one's own"])
def test_an_item_is_known_by_its_name_and_not_by_its_features(kind):
    """A nugget is what an item has of its own: a name asks for it; a row of features, the same or not, never does."""
    read = ratings if kind == "ratings" else pairs
    nugget = gp.SquaredExponential(4.0, 1.0) + gp.White(4.0)
    people = {"pairs": {"people": "one"}, "pairs of one's own": {"people": "own"}}.get(kind, {})
    if kind == "ratings":
        study = RatingStudy(RaterGP(nugget, noise_std=4.0, bias_std=2.0, optimize=False), standardize=True).fit(read())
    else:
        study = PairStudy(PreferenceGP(nugget, ties=True, optimize=False), standardize=True, **people).fit(read())
    mine = {"person": "Ann"} if kind == "pairs of one's own" else {}
    known, again = study.predict(**mine), ITEMS / 3.0 * 3.0 * (1 + 2e-16)
    asked = [study.predict(frame, **mine) for frame in (ITEMS, again, ITEMS.rename(index="other {}".format))]
    for found in asked:
        np.testing.assert_allclose(found, asked[0])
        assert ((found["high"] - found["low"]) > (known["high"] - known["low"]).loc[CLIPS].to_numpy() + 2).all()
    expected = study.forecasts(read()).select_dtypes("number")
    np.testing.assert_allclose(study.forecasts(read(features=again)).select_dtypes("number"), expected)
    with pytest.raises(ValueError, match=r"table has kbps = 1 for 'clip 3', which had .* in the fit"):
        study.forecasts(read(features=ITEMS.assign(kbps=np.where(ITEMS.index == "clip 3", 1.0, ITEMS["kbps"]))))


def test_standardising_inside_makes_the_small_column_count():
    """Reverb in seconds beside kbps: with one lengthscale it is ignored, and that is said."""
    rng = np.random.default_rng(3)
    items = pd.DataFrame({"reverb": rng.uniform(0.2, 2.0, 60), "kbps": rng.uniform(64.0, 320.0, 60)})
    truth = 50 + 12 * np.sin(4 * items["reverb"].to_numpy()) + 0.05 * items["kbps"].to_numpy()
    marks = pd.DataFrame(truth[:, None] + rng.normal(0, 4, (60, 3)), index=items.index).iloc[:40]
    table = from_wide(marks.add_prefix("rater "), features=items.iloc[:40])
    with pytest.warns(ScalesWarning, match="one lengthscale stands for 'reverb' .* and 'kbps'") as said:
        plain = RatingStudy(plug_in=True).fit(table)
    assert sum(warning.category is ScalesWarning for warning in said) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error", ScalesWarning)
        inside = RatingStudy(standardize=True, plug_in=True).fit(table)
        own = RatingStudy(MultiSampleGP(gp.SquaredExponential(100.0, [0.5, 90.0])), plug_in=True).fit(table)
    new, then = items.iloc[40:], truth[40:]
    error = {s: np.sqrt(np.mean((s.predict(new)["value"] - then) ** 2)) for s in (plain, inside, own)}
    assert error[inside] < 0.7 * error[plain]
    reverb = "SquaredExponential lengthscale of reverb"
    assert inside.learned().loc[reverb, "unit"] == "reverb"
    assert inside.learned().loc[reverb, "value"] == pytest.approx(own.learned().loc[reverb, "value"], rel=0.05)


def test_scales_warn_of_columns_of_a_part_and_not_of_kernels_that_cannot_care():
    X = np.column_stack([np.linspace(0, 1, 20), np.linspace(0, 500, 20)[::-1] ** 1.1])
    y = X[:, 0]
    se = gp.SquaredExponential(1.0, 1.0)
    with pytest.warns(ScalesWarning, match="column 0"):
        gp.GPRegression(se + gp.White(0.1), noise_std=0.1, optimize=False).fit(X, y)
    with warnings.catch_warnings():
        warnings.simplefilter("error", ScalesWarning)
        for kernel in (se.on(0) + se.on(1), gp.Linear(1.0), gp.SquaredExponential(1.0, [1.0, 300.0])):
            gp.GPRegression(kernel, noise_std=0.1, optimize=False).fit(X, y)


def test_the_column_that_says_who_is_no_scale():
    Y = np.random.default_rng(0).normal(size=(6, 40))
    with warnings.catch_warnings():
        warnings.simplefilter("error", ScalesWarning)
        RaterGP(gp.SquaredExponential(), bias_std=1.0, optimize=False).fit(np.eye(6), Y)


def test_bounded_marks_are_reported_on_their_scale():
    table = ratings(scale=(0, 100))
    study = RatingStudy(BoundedGP(inside=1e-3), standardize=True).fit(table)
    found, model = study.consensus(), study.model_
    X = study.units_(study.X_)
    np.testing.assert_allclose(found["consensus"], model.predict(X), rtol=1e-6)
    drawn = model.expected_mark(model.sample(X, 20000, rng=1))
    np.testing.assert_allclose(found[["low", "high"]].T, np.quantile(drawn, [0.05, 0.95], axis=0), atol=0.4)
    frame = study.contrasts([("clip 3", "clip 7")])
    items = study.items_.get_indexer(["clip 3", "clip 7"])
    apart = drawn[:, items[1]] - drawn[:, items[0]]
    assert frame.loc[0, "difference"] == pytest.approx(apart.mean(), abs=0.4)
    assert frame.loc[0, "p_better"] == pytest.approx((apart > 0).mean(), abs=0.02)
    with pytest.raises(ValueError, match="model has the scale from 0 to 10, the table from 0 to 100"):
        RatingStudy(BoundedGP(high=10.0)).fit(table)


def test_trust_needs_a_model_that_tells_raters_apart():
    study = RatingStudy(MultiSampleGP(), standardize=True).fit(ratings())
    with pytest.raises(ValueError, match=r"RatingStudy\(RaterGP\(\)\) does"):
        study.trust()
    by_region = RatingStudy(RaterGP(regions=2, rng=0), standardize=True).fit(ratings()).trust()
    assert set(by_region["region"]) == {0, 1}
    assert by_region["answers"].sum() == 40


def test_without_a_model_it_takes_what_holds():
    """Biases, noises near to each other, what is an item's own, opinions of who repeats; gains where they are told."""
    model, known = (RatingStudy(standardize=True, plug_in=plug).fit(ratings()).model_ for plug in (False, True))
    np.testing.assert_array_equal(model.consensus_std_, known.averaged(rng=0).consensus_std_)
    assert model.pooling == 0.5 and model.opinion_std is None and model.bias_std and model.nugget_std
    rng = np.random.default_rng(0)
    alike = 60 + 5 * rng.normal(size=(12, 1)) + 2 * rng.normal(size=5) + rng.normal(size=(12, 5))
    for factor, gain in ((1.0, False), (2.5, True)):
        uses = 60 + np.array([factor, 1, 1, 1, 1]) * (alike - 60)
        assert (RatingStudy().fit(from_wide(pd.DataFrame(uses).add_prefix("P"))).model_.gain_std is not None) is gain
    twice = pd.concat([LONG, LONG.assign(mark=LONG["mark"] + 1)])
    assert RatingStudy().fit(ratings(twice, features=None, repeats="all")).model_.opinion_std
    assert type(RatingStudy().fit(ratings(LONG[LONG["listener"] == "Ann"])).model_) is MultiSampleGP


def test_beyond_what_can_be_averaged_over_it_plugs_in_and_says_so(monkeypatch):
    monkeypatch.setattr(studies, "MOST_AVERAGED", 5)
    with pytest.warns(studies.PlugInWarning, match="there are 14 items and raters, more than 5"):
        study = RatingStudy().fit(ratings())
    known = RatingStudy(plug_in=True).fit(ratings())
    np.testing.assert_array_equal(study.contrasts()["high"], known.contrasts()["high"])


def test_marks_on_an_end_count_as_the_fit_took_them():
    marks = pd.DataFrame({"a": [0.0, 0.3, 1.0, 0.6], "b": [0.0, 0.4, 1.0, 0.5], "c": [0.1, 0.2, 0.9, 0.7]})
    table = from_wide(marks, scale=(0, 1))
    study = RatingStudy(BoundedGP(inside=0.01)).fit(table)
    squeezed = from_wide(marks.clip(0.01, 0.99), scale=(0, 1))
    pd.testing.assert_frame_equal(study.coverage(table), study.coverage(squeezed))


def test_items_by_name_alone():
    study = RatingStudy().fit(ratings(features=None))
    found = study.consensus()
    assert np.corrcoef(found["consensus"], found["plain_mean"])[0, 1] > 0.98
    with pytest.raises(ValueError, match="by name alone"):
        study.predict(ITEMS)


def test_held_out_ratings_are_foretold_with_their_raters_noise(rated):
    table = ratings()
    train = np.arange(40) % 4 != 0
    study = clone(rated).fit(table[train])
    found = study.forecasts(table[~train])
    assert len(found) == 10
    X = study.units_(ITEMS.loc[found["item"]].to_numpy())
    rater = [list(study.raters_).index(name) for name in found["rater"]]
    known = [study.model_.predict_answer(X[[k]], rater=r)[1][0] for k, r in enumerate(rater)]
    np.testing.assert_allclose(found["std"], known)
    noise = study.trust()["noise"].loc[found["rater"]].to_numpy()
    assert (found["std"] > noise).all()
    coverage = study.coverage(table[~train], levels=[0.5, 0.9])
    z = np.abs(found["rating"] - found["mean"]) / found["std"]
    np.testing.assert_allclose(coverage["share"], [(z < 0.6745).mean(), (z < 1.6449).mean()])
    assert coverage["share"].between(coverage["low"], coverage["high"]).all()


def test_of_raters_who_left_nothing_in_the_fit_it_expects_what_it_does_of_somebody(rated):
    table = ratings()
    theirs = table.raters[table.rater] == "Ben"
    study = clone(rated).fit(table[~theirs])
    found = study.forecasts(table[theirs])
    assert len(found) == 10
    X = study.units_(ITEMS.loc[found["item"]].to_numpy())
    np.testing.assert_allclose([found["mean"], found["std"]], study.model_.predict_answer(X, rater="new"))
    assert study.coverage(table[theirs], levels=[0.9])["answers"].item() == 10
    named = ratings(features=None)
    few = RatingStudy().fit(named[named.item < 5])
    with pytest.raises(ValueError, match="no rating of an item of the fit"):
        few.forecasts(named[named.item >= 5])


def test_coverage_is_as_wide_as_it_claims_where_the_model_is_right():
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"x": np.linspace(0, 10, 60)})
    Y = pd.DataFrame(np.sin(X["x"].to_numpy())[:, None] + rng.normal(0, 0.3, (60, 12))).add_prefix("rater ")
    table = from_wide(Y, features=X)
    train = rng.permutation(len(table)) < 500
    coverage = RatingStudy().fit(table[train]).coverage(table[~train])
    assert (coverage["low"] < coverage["level"]).mean() > 0.8
    assert np.abs(coverage["share"] - coverage["level"]).max() < 0.1


# --- tables of pairs, and their studies


def test_words_become_sides():
    table = pairs()
    np.testing.assert_array_equal(table.answer, CHOSEN["said"].map({"left": -1, "same": 0, "right": 1}))
    np.testing.assert_array_equal(table.items[table.pairs[:, 0]], CHOSEN["L"])
    names = CHOSEN.assign(said=np.where(CHOSEN["said"] == "left", CHOSEN["L"], CHOSEN["R"]))
    names.loc[CHOSEN["said"] == "same", "said"] = "="
    same = pairs(names, sides=None, tie="=")
    np.testing.assert_array_equal(same.answer, table.answer)
    coded = CHOSEN.assign(said=table.answer.astype(int))
    np.testing.assert_array_equal(pairs(coded, sides=None, tie=None).answer, table.answer)
    decided = CHOSEN[CHOSEN["said"] != "same"]
    nought = decided.assign(said=(decided["said"] == "right").astype(int))
    np.testing.assert_array_equal(pairs(nought, sides=(0, 1), tie=None).answer, pairs(decided).answer)
    assert table.has_ties
    assert not pairs(decided).has_ties


DEGREES = {"answer": "gap", "response": "degree", "sides": None, "tie": None}
WRONG_PAIRS = {
    "0 and 1": ({"said": "01"}, {"sides": None, "tie": None}, r"column 'said' holds only \[0, 1\].*sides=\(0, 1\)"),
    "1 and 2": ({"said": "12"}, {"sides": None, "tie": None}, r"column 'said' holds only 1 and 2"),
    "unknown word": ({"said": "lefd"}, {}, r"column 'said' says 'lefd' in row 4.*did you mean 'left'"),
    "with itself": ({"R": "L"}, {}, r"columns 'L' and 'R' both say 'clip \d' in row 4"),
    "unseen item": ({"R": "clip 77"}, {}, r"column 'R' names 'clip 77', which is no row of features"),
    "no item": ({"L": None}, {}, r"column 'L' is empty in row 4"),
    "unknown column": ({}, {"person": "whom"}, r"person is 'whom', which is no column.*did you mean 'who'"),
    "a degree off its scale": ({}, DEGREES, r"column 'gap' reaches"),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG_PAIRS)
def test_what_is_wrong_with_pairs_is_said_of_the_column(name):
    cell, settings, message = WRONG_PAIRS[name]
    frame = CHOSEN.copy()
    for column, value in cell.items():
        if value in ("01", "12"):
            frame = frame[frame["said"] != "same"].assign(said=(frame["said"] == "right").astype(int) + int(value[0]))
        else:
            frame.loc[4, column] = frame.loc[4, "L"] if value == "L" else value
    with pytest.raises(ValueError, match=message):
        pairs(frame, **settings)


def test_degrees_and_differences():
    degree = CHOSEN.assign(gap=100 * ndtr(CHOSEN["gap"] / 8))
    table = pairs(degree, answer="gap", response="degree", scale=(0, 100), sides=None, tie=None)
    np.testing.assert_allclose(table.answer, (degree["gap"] / 100).clip(1e-3, 1 - 1e-3))
    study = PairStudy(standardize=True, plug_in=True).fit(table)
    assert study.model_.precision_ > 1
    assert study.score(table) > 0.8
    assert "precision ν" in study.learned().index
    whole = degree.assign(gap=degree["gap"].round())
    asked = {"answer": "gap", "response": "degree", "scale": (0, 100), "sides": None, "tie": None, "step": 1}
    table = pairs(whole, **asked)
    np.testing.assert_array_equal(table.answer, whole["gap"] / 100)  # those on an end stay there
    assert table.step == 0.01 and table[:5].step == 0.01
    study = PairStudy(standardize=True, plug_in=True).fit(table[:100])
    assert study.score(table) > 0.8 and study.model_.step == 0.01
    with pytest.raises(ValueError, match=r"column 'gap' says .* whole steps of 1 on the scale from 0 to 100"):
        pairs(degree, **asked)
    with pytest.raises(ValueError, match=r"table has steps of 0.01, and the model none; PreferenceGP\(step=0.01\)"):
        PairStudy(PreferenceGP(response="degree")).fit(table)
    with pytest.raises(ValueError, match="step is 1, with response 'difference'"):
        pairs(answer="gap", response="difference", sides=None, tie=None, step=1)
    table = pairs(answer="gap", response="difference", sides=None, tie=None)
    study = PairStudy(standardize=True, plug_in=True).fit(table)
    assert study.learned().loc["noise σ", "value"] == pytest.approx(4 * np.sqrt(2), rel=0.15)
    assert study.learned().loc["noise σ", "unit"] == "gap"
    truth = TRUTH - TRUTH.mean()
    order = study.items_.get_indexer(CLIPS)
    np.testing.assert_allclose(study.worth()["worth"].to_numpy()[order], truth, atol=2.5)


def test_shares_sum_to_one_and_agree_with_the_density_of_answers(compared):
    frame = compared.shares()
    np.testing.assert_allclose(frame[["p_a", "p_tie", "p_b"]].sum(axis=1), 1.0)
    assert frame[["for_a", "ties", "for_b"]].to_numpy().sum() == 300
    items = compared.model_.items_
    asked = compared.items_.get_indexer(frame[["a", "b"]].to_numpy().ravel()).reshape(-1, 2)
    for column, y in (("p_a", -1.0), ("p_tie", 0.0), ("p_b", 1.0)):
        each = [  # of each member, on average over its draws
            np.exp(one.log_density(np.full(len(asked), y), f[:, asked[:, 1]] - f[:, asked[:, 0]]))
            for one, f in compared.model_.latent_.draws(items)
        ]
        np.testing.assert_allclose(frame[column], np.concatenate(each).mean(axis=0), atol=1e-8)
        density = compared.model_.log_predictive_density(items, asked, np.full(len(asked), y))
        np.testing.assert_allclose(frame[column], np.exp(density), atol=0.03)  # which is of a Gaussian
    swapped = compared.shares([("clip 5", "clip 2")]).iloc[0]
    straight = compared.shares([("clip 2", "clip 5")]).iloc[0]
    assert swapped["p_a"] == pytest.approx(straight["p_b"], abs=1e-9)
    assert swapped["for_a"] == straight["for_b"]
    either = CHOSEN[(CHOSEN[["L", "R"]].isin(["clip 2", "clip 5"])).all(axis=1)]
    won = np.where(either["said"] == "left", either["L"], either["R"])[either["said"] != "same"]
    assert straight["for_a"] == (won == "clip 2").sum()
    assert straight["ties"] == (either["said"] == "same").sum()


def test_what_ties_and_noise_came_to_is_found_by_name(compared):
    assert compared.model_.threshold_ == compared.model_.likelihood_.inner.threshold
    assert compared.learned().loc["threshold δ", "value"] == compared.model_.threshold_
    assert compared.model_.noise_std_ == 1.0
    with pytest.raises(AttributeError, match="has no precision"):
        _ = compared.model_.precision_
    assert compared.model_.threshold_ == pytest.approx(2.0 / (np.sqrt(2) * 4.0), rel=0.3)


def test_worth_is_the_latent_function_above_its_mean(compared):
    found = compared.worth()
    assert found["worth"].sum() == pytest.approx(0, abs=1e-9)
    values = np.vstack([f for _, f in compared.model_.latent_.draws(compared.model_.items_)])
    values -= values.mean(axis=1, keepdims=True)
    np.testing.assert_allclose(found[["low", "high"]].T, np.quantile(values, [0.05, 0.95], axis=0), atol=1e-9)
    mean, cov = compared.model_.predict_latent(compared.model_.items_, return_cov=True)  # of a Gaussian
    drawn = np.random.default_rng(0).multivariate_normal(mean, cov, 40_000)
    drawn -= drawn.mean(axis=1, keepdims=True)
    np.testing.assert_allclose(found[["low", "high"]].T, np.quantile(drawn, [0.05, 0.95], axis=0), atol=0.12)
    assert found["answers"].sum() == 600


def tastes():
    """(long table, (8, 10) tastes) of eight people who like different clips."""
    rng = np.random.default_rng(2)
    who = rng.integers(0, 8, 600)
    taste = TRUTH / 8 + rng.normal(0, 1.0, (8, 10))
    a = rng.integers(0, 10, 600)
    b = (a + rng.integers(1, 10, 600)) % 10
    said = np.where(taste[who, b] - taste[who, a] + np.sqrt(2) * rng.normal(size=600) > 0, 1, -1)
    names = np.array(CLIPS)
    return pd.DataFrame({"L": names[a], "R": names[b], "said": said, "who": [f"p{k}" for k in who]}), taste


def test_a_stranger_has_a_function_of_their_own_whichever_table_they_come_in():
    """Their name may stand in the fitted table, without an answer, or come later: nothing is known of them."""
    frame, _ = tastes()
    away = frame["who"] == "p7"
    table, known, later = (
        from_pairs(one, "L", "R", "said", person="who") for one in (frame, frame[~away], frame[away])
    )
    own = PairStudy(people="own", plug_in=True)
    by_name = clone(own).fit(table[~away.to_numpy()]).forecasts(table[away.to_numpy()])
    study = own.fit(known)
    found = study.forecasts(later)
    np.testing.assert_allclose(found[["p_a", "p_b"]], by_name[["p_a", "p_b"]], atol=0.03)  # of draws
    common = study.shares(list(zip(found["a"], found["b"], strict=True)))["p_b"]  # of somebody in the middle of all
    assert (np.abs(found["p_b"] - 0.5) < np.abs(common - 0.5) + 0.01).all()
    assert np.abs(found["p_b"] - 0.5).mean() < 0.95 * np.abs(common - 0.5).mean()


def test_people_of_their_own_widen_the_intervals_of_what_is_common():
    frame, taste = tastes()
    table = from_pairs(frame, "L", "R", "said", person="who")
    one, own = PairStudy(people="one").fit(table), PairStudy().fit(table)
    width = [(s.worth()["high"] - s.worth()["low"]).mean() for s in (one, own)]
    assert width[1] > 1.5 * width[0]
    truth = taste - taste.mean(axis=1, keepdims=True)
    order = own.items_.get_indexer(CLIPS)
    for k in (0, 5):
        found = own.worth(person=f"p{k}")["worth"].to_numpy()[order]
        assert np.corrcoef(found, truth[k])[0, 1] > 0.8
    assert own.score(table) > one.score(table)
    assert own.model_.log_evidence_ > one.model_.log_evidence_ + 20
    with pytest.raises(ValueError, match="person is 'p9', who is not in column 'who'"):
        own.worth(person="p9")
    with pytest.raises(ValueError, match='people is "one"'):
        one.worth(person="p0")
    assert own.calibration(table)["answers"].sum() == 600


def test_calibration_is_flat_where_the_model_is_right(compared):
    fresh = pairs(choices(3000, seed=9))
    found = compared.calibration(fresh, bins=6)
    assert found["answers"].sum() == (fresh.answer != 0).sum()
    np.testing.assert_allclose(found["share"], found["predicted"], atol=0.1)
    assert compared.score(fresh) > 0.75


def test_models_that_do_not_fit_the_table_are_refused():
    with pytest.raises(ValueError, match=r"column 'said' holds \d+ ties, and the model takes none"):
        PairStudy(PreferenceGP()).fit(pairs())
    with pytest.raises(ValueError, match="model has response 'degree'"):
        PairStudy(PreferenceGP(response="degree")).fit(pairs())
    with pytest.raises(ValueError, match="table is of type DataFrame; a RatingTable is needed"):
        RatingStudy().fit(LONG)
    with pytest.raises(ValueError, match="BoundedRaterGP, OrdinalRaterGP or GPRegression is needed"):
        RatingStudy(PreferenceGP()).fit(ratings())
    for study in (RatingStudy(), PairStudy()):
        with pytest.raises(NotFittedError):
            study.contrasts()


# --- contrasts, ranking and groups


def test_letters_say_exactly_who_cannot_be_told_apart():
    for seed in range(30):
        rng = np.random.default_rng(seed)
        n = rng.integers(2, 12)
        at, reach = np.sort(rng.normal(size=n)), rng.uniform(0, 1, size=(n, n))
        alike = np.abs(at[:, None] - at) < (reach + reach.T) / 2
        np.fill_diagonal(alike, True)
        found = [set(re.findall(r"[a-z]\d*", text)) for text in letters(alike)]
        for i in range(n):
            assert found[i]
            for j in range(n):
                assert bool(found[i] & found[j]) == alike[i, j]


def test_a_ranking_of_many_items_takes_no_longer_than_their_differences():
    """Of 800, of which each cannot be told from some fifty: by pairs the letters alone took half a minute."""
    at = np.sort(np.random.default_rng(0).normal(size=800))
    alike = np.abs(at[:, None] - at) < 0.1
    begun = time.process_time()
    found = [set(re.findall(r"[a-z]\d*", text)) for text in letters(alike)]
    assert time.process_time() - begun < 2
    for i in range(0, 800, 37):
        np.testing.assert_array_equal([bool(found[i] & each) for each in found], alike[i])


def test_groups_are_intervals_of_differences_that_hold_zero(rated):
    ranking = rated.ranking(confidence=0.9)
    contrasts = rated.contrasts(confidence=0.9)
    for _, row in contrasts.iterrows():
        share = set(ranking.loc[row["a"], "group"]) & set(ranking.loc[row["b"], "group"])
        assert bool(share) == (row["low"] <= 0 <= row["high"])


def test_known_items_answer_as_the_model_they_come_from():
    mean, root = np.array([0.0, 1.0, 3.0]), RNG.normal(size=(3, 3))
    known = KnownItems(mean, root @ root.T)
    asked = np.arange(3.0)[:, None]
    difference, std = known.predict_difference(asked, [(0, 2)])
    assert difference == pytest.approx(3.0)
    assert std == pytest.approx(np.linalg.norm(root[2] - root[0]))


# --- kept, cloned, searched


STUDIES = {
    "MultiSampleGP": lambda: RatingStudy(MultiSampleGP(), standardize=True).fit(ratings()),
    "RaterGP": lambda: RatingStudy(RaterGP(regions=2, rng=0, bias_std=2.0), standardize=True).fit(ratings()),
    "BoundedGP": lambda: RatingStudy(BoundedGP(), standardize=True, plug_in=True).fit(ratings(scale=(0, 100))),
    "GPRegression": lambda: RatingStudy(gp.GPRegression(), standardize=True, plug_in=True).fit(ratings()),
    "PreferenceGP": lambda: PairStudy(PreferenceGP(ties=True), standardize=True).fit(pairs()),
    "people": lambda: PairStudy(people="own", plug_in=True).fit(pairs(features=None)[:80]),
}
every = pytest.mark.parametrize("name", STUDIES)
READ = """
import sys, joblib
for file in sys.argv[1:]:
    study = joblib.load(file)
    study.ranking().to_csv(file + ".ranking"), study.contrasts().to_csv(file + ".contrasts")
    print(study.version_, study.score(study.table_))
"""


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """{name: (study, its file, what a new process says of it)}; the process writes tables beside each file."""
    folder, studies = tmp_path_factory.mktemp("kept"), {name: make() for name, make in STUDIES.items()}
    files = [str(folder / name) for name in studies]
    for study, file in zip(studies.values(), files, strict=True):
        joblib.dump(study, file)
    run = subprocess.run([sys.executable, "-c", READ, *files], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert "Warning" not in run.stderr
    return dict(zip(studies, zip(studies.values(), files, run.stdout.splitlines(), strict=True), strict=True))


@every
def test_a_study_survives_a_file_and_a_new_process(name, kept):
    study, file, said = kept[name]
    version, score = said.split()
    assert version == study.version_ == course_lib.__version__
    assert float(score) == study.score(study.table_)
    for kind, frame in {"ranking": study.ranking(), "contrasts": study.contrasts()}.items():
        again = pd.read_csv(f"{file}.{kind}", index_col=0)
        np.testing.assert_allclose(again.select_dtypes("number"), frame.select_dtypes("number"), atol=1e-9)
        assert list(again.columns) == list(frame.columns)


@every
def test_a_study_is_cloned_unfitted_and_says_what_it_learned(name, kept):
    study = kept[name][0]
    again = clone(study)
    assert not hasattr(again, "model_")
    assert again.get_params().keys() == study.get_params().keys()
    assert again.fit(study.table_).learned().equals(study.learned())
    known = study.learned().loc["log evidence, values as known", "value"]
    assert known == study.model_.log_evidence_ != log_evidence(study.model_)  # which compare() has
    assert f"log evidence, values as known: {known:.4g} nats" in repr(study)
    assert repr(study).startswith(f"{type(study).__name__}(")
    bundle = study._repr_mimebundle_()
    assert bundle["text/plain"] == repr(study)
    assert "<table" in bundle["text/html"]
    assert type(study.model_).__name__ in bundle["text/html"]
    assert np.isfinite(study.learned()["value"]).all()


@every
def test_grid_search_takes_a_table_for_its_X(name, kept):
    study = clone(kept[name][0]).set_params(plug_in=True)
    table = kept[name][0].table_
    if name == "people":
        grid = {"people": ["one", "own"]}
    else:
        kernels = [gp.SquaredExponential(100.0, [0.01, 0.01]), gp.SquaredExponential(100.0, [1.0, 1.0])]
        grid = {"model__kernel": kernels, "model__optimize": [False]}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        search = GridSearchCV(study, grid, cv=KFold(4, shuffle=True, random_state=0), error_score="raise")
        search.fit(table)
    assert np.isfinite(search.cv_results_["mean_test_score"]).all()
    if name != "people":
        assert search.best_params_["model__kernel"] == kernels[1]
    assert hasattr(search.best_estimator_, "model_")


MARKS = 10 + 80 * ndtr((WIDE - 55).to_numpy() / 20)
MODELS = {
    "GPRegression": (gp.GPRegression(noise_std=3.0), TRUTH),
    "GPRegression, gaps": (gp.GPRegression(noise_std=3.0), np.where(np.arange(40).reshape(10, 4) % 7, WIDE, np.nan)),
    "BoundedGP": (BoundedGP(high=100.0), np.where(np.arange(40).reshape(10, 4) % 7, MARKS, np.nan)),
    "MultiSampleGP": (MultiSampleGP(), WIDE.to_numpy()),
    "RaterGP": (RaterGP(), WIDE.to_numpy()),
}
UNITS = ((ITEMS - ITEMS.mean()) / ITEMS.std()).to_numpy()


@pytest.mark.parametrize("name", MODELS)
def test_models_alone_are_scored_cloned_and_searched(name):
    model, Y = MODELS[name]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        search = GridSearchCV(clone(model), {"max_iter": [1, 200]}, cv=3, error_score="raise").fit(UNITS, Y)
    best = search.best_estimator_
    assert np.isfinite(search.cv_results_["mean_test_score"]).all()
    assert 0 < best.score(UNITS, Y) <= 1
    given = ~np.isnan(np.atleast_2d(Y.T).T)
    item, answers = np.nonzero(given)[0], np.atleast_2d(Y.T).T[given]
    rest = answers - best.predict(UNITS)[item]
    assert best.score(UNITS, Y) == pytest.approx(1 - np.sum(rest**2) / np.sum((answers - answers.mean()) ** 2))
    assert repr(clone(best)) == repr(best).split("\n")[0]
    assert "log evidence" in repr(best)
    assert "log evidence" in best._repr_mimebundle_()["text/html"]


@pytest.mark.parametrize("now", ["99.0", "0.0.1"])
def test_a_model_of_a_later_or_an_earlier_version_says_so(tmp_path, monkeypatch, now):
    joblib.dump(RatingStudy(standardize=True).fit(ratings()), tmp_path / "kept")
    monkeypatch.setattr(course_lib, "__version__", now)
    with pytest.warns(UserWarning, match=rf"version .* kept this study, and {now} reads it: fit it again"):
        joblib.load(tmp_path / "kept")


def test_an_argument_of_another_kind_of_study_is_named(rated):
    """Contrasts of pairs may be one person's, those of ratings are everybody's."""
    for ask in (rated.contrasts, rated.ranking):
        with pytest.raises(TypeError, match="RatingStudy takes no 'level' here"):
            ask(level=0.8)


# --- at once, drawn, in words


def test_intervals_at_once_are_tukeys_where_his_hold():
    """Of k equally sure, independent values: the studentized range, here of endless degrees of freedom, over √2."""
    pairs = np.stack(np.triu_indices(6, 1), axis=1)
    found = joint_confidence(np.eye(6), pairs, 0.9)
    assert norm.ppf(0.5 + found / 2) == pytest.approx(studentized_range.ppf(0.9, 6, np.inf) / np.sqrt(2), rel=0.01)
    assert joint_confidence(np.eye(6), pairs[:1], 0.9) == pytest.approx(0.9, abs=0.01)
    assert joint_confidence(np.zeros((2, 2)), pairs[:1], 0.9) == 0.9


def test_all_differences_hold_at_once_as_often_as_said():
    """200 panels drawn from what the model knows: nine of ten have no miss among 15 differences; plain ones have.

    The posterior covariance is the same in all of them, so the joint confidence is found once.
    """
    rng, model = np.random.default_rng(3), RaterGP(gp.White(1.0), noise_std=1.0, bias_std=0.5, noise_floor=0.0)
    model.set_params(optimize=False, bias_prior=gp.Fixed())
    a, b = np.triu_indices(6, 1)
    held = []
    for k in range(200):
        z = rng.normal(size=6)
        model.fit(np.eye(6), z[:, None] + 0.5 * rng.normal(size=4) + rng.normal(size=(6, 4)))
        mean, cov = model.predict_latent(np.eye(6), return_cov=True)
        if k == 0:
            joint = joint_confidence(cov, np.column_stack([a, b]), 0.9)
            known, names = KnownItems(mean, cov), pd.Index(list("abcdef"))
            assert known.contrasts(names, together=True).equals(known.contrasts(names, confidence=joint))
        off = np.abs(mean[b] - mean[a] - z[b] + z[a]) / np.sqrt(cov[a, a] + cov[b, b] - 2 * cov[a, b])
        held.append([off.max() <= norm.ppf(0.5 + c / 2) for c in (joint, 0.9)])
    together, alone = np.mean(held, axis=0)
    assert 0.84 < together < 0.96 and alone < 0.6


def test_draws_have_the_moments_of_the_study(monkeypatch):
    arviz = types.SimpleNamespace(from_dict=lambda posterior, **names: (posterior["posterior"], names))
    monkeypatch.setitem(sys.modules, "arviz", arviz)
    model = RaterGP(bias_std=3.0, bias_prior=gp.Fixed())
    study = RatingStudy(model, plug_in=True, standardize=True).fit(ratings())
    drawn, names = study.draws(20_000)
    assert drawn["value"].shape == (1, 20_000, 10) and drawn["bias"].shape == (1, 20_000, 4)
    assert names["coords"] == {"item": list(study.items_), "rater": list(study.raters_)}
    np.testing.assert_allclose(drawn["value"][0].mean(axis=0), study.consensus()["consensus"], atol=0.15)
    np.testing.assert_allclose(drawn["bias"][0].mean(axis=0), study.model_.rater_bias_, atol=0.15)
    level = (drawn["value"].mean(axis=2) + drawn["bias"].mean(axis=2)).std()  # what both share is known together
    assert level < 0.5 * drawn["value"].mean(axis=2).std()
    worth, _ = PairStudy(plug_in=True, standardize=True).fit(pairs(choices(80))).draws(50)
    assert worth["value"].shape == (1, 50, 10) and "bias" not in worth
    bounded, _ = RatingStudy(BoundedGP(optimize=False)).fit(ratings(scale=(0, 100))).draws(50)
    assert (bounded["value"] > 0).all() and (bounded["value"] < 100).all() and bounded["value"].max() > 1
    monkeypatch.setitem(sys.modules, "arviz", None)
    with pytest.raises(ModuleNotFoundError, match=r"arviz is not installed.*pip install arviz"):
        study.draws()


def test_arviz_itself_takes_the_draws():
    arviz = pytest.importorskip("arviz")
    found = RatingStudy(RaterGP(bias_std=3.0), plug_in=True).fit(ratings(features=None)).draws(30)
    assert set(found.posterior.data_vars) == {"value", "bias"} and found.posterior["value"].shape == (1, 30, 10)
    assert len(arviz.summary(found)) == 14


def test_sizes_of_all_that_differs_have_words():
    model = RaterGP(bias_std=3.0, nugget_std=2.0, gain_std=0.3)
    study = RatingStudy(model, standardize=True, plug_in=True).fit(ratings())
    found, fitted = study.learned(), study.model_
    assert (
        found.loc["rater's bias, over gain", "value"] == fitted.bias_std_
        and found.loc["rater's bias, over gain", "unit"] == "mark"
    )
    assert found.loc["clip's own, beside its features", "value"] == fitted.nugget_std_
    assert found.loc["noise σ (median rater)", "value"] == pytest.approx(np.exp(np.median(np.log(fitted.rater_std_))))
    assert found.loc["spread of log gain of raters", "value"] == pytest.approx(np.log(fitted.gain_).std())


def test_an_answer_to_a_pair_is_learned_from_once_and_counted():
    """As from every row by itself: PreferenceGP is given them all, and finds the same."""
    rng = np.random.default_rng(1)
    asked = rng.integers(0, 4, size=(150, 2))
    asked = asked[asked[:, 0] != asked[:, 1]]
    won = np.where(rng.random(len(asked)) < 0.3 + 0.1 * (asked[:, 1] - asked[:, 0]), asked[:, 1], asked[:, 0])
    frame = pd.DataFrame(np.column_stack([asked, won]), columns=["a", "b", "won"]).replace(dict(enumerate("wxyz")))
    study = PairStudy(plug_in=True).fit(from_pairs(frame, "a", "b", "won"))
    found, table = study.model_, study.table_
    assert len(found.observations_.y) == len(np.unique(np.column_stack([table.pairs, table.answer]), axis=0)) <= 24
    assert found.observations_.n_answers == len(asked)
    each = PreferenceGP(found.kernel_, optimize=False).fit(table.X, table.pairs, table.answer)
    assert each.log_evidence_ == pytest.approx(found.log_evidence_, abs=1e-9)
    for one, other in zip(each.predict_latent(table.X), found.predict_latent(table.X), strict=True):
        np.testing.assert_allclose(one, other, atol=1e-9)
