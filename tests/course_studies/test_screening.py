"""Raters who did not listen are found, and those who did are left alone: made panels whose raters are known."""

import numpy as np
import pandas as pd
import pytest

from benchmarks.screening import made_panel, rates
from course_lib.judgments import RaterGP
from course_studies import RatingStudy, from_long, from_wide
from course_studies.cautions import AnotherScaleWarning, warn_of_another_scale
from course_studies.screening import screened


def table_of(**raters):
    return from_wide(pd.DataFrame(raters), scale=(1, 5))


STEADY = np.array([1, 2, 3, 4, 5, 4, 3, 2, 1, 5, 3, 2])


@pytest.fixture
def odd():
    """Three who agree but for little, one turned round, one who always says 3, one who said so from the fifth on."""
    rng = np.random.default_rng(0)
    near = {f"near {k}": np.clip(STEADY + rng.integers(-1, 2, 12) * (rng.random(12) < 0.4), 1, 5) for k in range(5)}
    line = np.append(STEADY[:4], np.full(8, 3))
    return table_of(**near, turned=6 - STEADY, one=np.full(12, 3), line=line)


def test_each_kind_of_bad_rater_is_named(odd):
    found = screened(odd)
    assert set(found.index[~found["keep"]]) == {"turned", "one", "line"} == set(found.index[:3])
    assert found.loc["turned", "reasons"].startswith("reversed: correlation -0.9")
    assert "nearly constant: 100% of the marks are 3" in found.loc["one", "reasons"]
    assert "straight line: 8 equal marks in a row" in found.loc["line", "reasons"]
    assert (found.loc[found["keep"], "reasons"] == "").all()


def test_what_is_counted_is_what_the_overview_counts(odd):
    found, overview = screened(odd), odd.overview()
    np.testing.assert_allclose(found["constant"], overview.loc[found.index, "commonest"])
    clean = odd.without(["turned", "one", "line"])
    np.testing.assert_allclose(
        screened(clean)["with_others"], clean.overview().loc[screened(clean).index, "with_others"]
    )


def test_chances_are_those_of_ordinary_raters():
    """Of panels as they are assumed, the chances of the correlation are uniform, but for what is estimated."""
    chances = np.concatenate([screened(made_panel(seed)[0])["with_others_chance"] for seed in range(6)])
    assert 0.04 < np.mean(chances < 0.1) < 0.2 and 0.35 < np.mean(chances < 0.5) < 0.65


def test_two_bad_of_twelve_are_flagged_and_good_ones_are_not():
    hits, false = rates(range(6), "slider")
    assert hits > 0.85 and false < 0.06


def test_the_rest_of_a_table_is_the_same_table(odd):
    rest = odd.without(["turned", "one"])
    assert list(rest.raters) == [name for name in odd.raters if name not in ("turned", "one")]
    pd.testing.assert_frame_equal(rest.Y, odd.Y.drop(columns=["turned", "one"]))
    pd.testing.assert_frame_equal(odd.without(screened(odd)).Y, rest.without(["line"]).Y)
    with pytest.raises(ValueError, match="raters names 'Ann', who is not in the table"):
        odd.without(["Ann"])


def test_few_answers_are_no_reason_and_repeats_and_gaps_are_taken():
    rng = np.random.default_rng(1)
    frame = pd.DataFrame({"i": np.repeat(np.arange(10), 8), "r": np.tile([*"ABCD"] * 2, 10)})
    frame = frame.assign(y=frame["i"] + rng.normal(size=80))
    short = pd.DataFrame({"i": [0, 1, 2], "r": "Z", "y": [9.0, 9.0, 9.0]})
    table = from_long(pd.concat([frame.drop(index=[3, 7, 11]), short]), "i", "r", "y", repeats="all")
    found = screened(table)
    assert found.loc["Z", "keep"] and np.isnan(found.loc["Z", "constant_chance"])
    assert found.loc["A", "answers"] == 20 and found.loc["D", "answers"] == 17
    assert screened(table.without([*"CDZ"]))["keep"].all()
    with pytest.raises(ValueError, match="ratings of 1 rater; two or more"):
        screened(table.without([*"BCDZ"]))


def test_a_study_adds_what_its_model_learned(odd):
    study = RatingStudy(RaterGP(bias_std=0.5, gain_std=0.3), plug_in=True).fit(odd)
    found, trust = study.screen(), study.trust()
    for name, of in {"noise": "noise", "noise_low": "low", "gain": "gain", "weight": "weight"}.items():
        np.testing.assert_allclose(found[name], trust.loc[found.index, of])
    assert (found["gain_low"] < found["gain"]).all() and found["keep"].equals(screened(odd)["keep"])


# --- another scale, and the level of the marks


GAINS = {"gain_std": 0.2, "gain_degrees": 2.0}


def of_two_scales(seed, bad=2):
    """(true values, 12 items × 8 raters on a scale of 0 to 100, of whom the first two type 0 to 10)."""
    rng = np.random.default_rng(seed)
    truth = np.clip(rng.normal(55, 18, 12), 10, 95)
    Y = np.clip(truth[:, None] + rng.normal(0, 5, 8) + rng.normal(0, 8, (12, 8)), 0, 100)
    Y[:, :bad] /= 10
    return truth, from_wide(pd.DataFrame(Y.round()).add_prefix("P"), scale=(0, 100))


@pytest.mark.parametrize("gains", [True, False])
@pytest.mark.parametrize("seed", range(4))
def test_who_typed_another_scale_is_named_and_moves_no_level(seed, gains):
    truth, table = of_two_scales(seed)
    study = RatingStudy(RaterGP(bias_std=5.0, pooling=0.5, **GAINS if gains else {}), plug_in=True)
    with pytest.warns(AnotherScaleWarning, match="rater 'P0', 'P1' seem to have used another scale"):
        study.fit(table)
    screened = study.screen()
    assert {"P0", "P1"} <= set(screened.index[~screened["keep"]])
    assert screened.loc["P1", "reasons"].startswith("another scale: marks from ")
    found = study.consensus()
    assert found[["consensus", "low", "high"]].stack().between(0, 100).all()
    off = (found[["consensus", "plain_mean"]].sub(truth, axis=0)).mean().abs()
    assert off["consensus"] < off["plain_mean"] + 1.0


@pytest.mark.filterwarnings("error::course_studies.cautions.AnotherScaleWarning")
def test_who_marks_low_or_uses_little_of_the_scale_used_no_other():
    rng = np.random.default_rng(0)
    for _ in range(20):
        value = rng.normal(size=(12, 1))
        gain, bias = np.exp(0.3 * rng.normal(size=8)), 12 * rng.normal(size=8)
        Y = np.clip(55 + bias + gain * (18 * value + 8 * rng.normal(size=(12, 8))), 0, 100).round()
        warn_of_another_scale(from_wide(pd.DataFrame(Y).add_prefix("P"), scale=(0, 100)))
        warn_of_another_scale(from_wide(pd.DataFrame((Y / 25).round() + 1).add_prefix("P"), scale=(1, 5)))


MODELS = {
    "biases": RaterGP(bias_std=5.0),
    "gains": RaterGP(bias_std=5.0, pooling=0.5, **GAINS),
}


@pytest.mark.parametrize("model", MODELS)
def test_a_bias_is_what_a_rater_marks_above_the_consensus_in_marks(model):
    """Also of one who hardly uses the scale, whose bias stands inside a small gain in the model."""
    rng = np.random.default_rng(3)
    value, bias = rng.normal(0, 15, 10), np.array([-9, 6, 0, 3, -4, 4.0])
    gain = np.array([1, 1, 1, 1, 1, 0.15])
    Y = np.clip(52 + bias + gain * value[:, None] + rng.normal(0, 3, (10, 6)), 1, 99)
    table = from_wide(pd.DataFrame(Y).add_prefix("P"), scale=(0, 100))
    study = RatingStudy(MODELS[model], plug_in=True).fit(table)
    found = study.trust()["bias"]
    apart = table.Y.sub(study.consensus()["consensus"], axis=0).mean()
    np.testing.assert_allclose(found[apart.index], apart, atol=3.5)
    np.testing.assert_allclose(study.predict()["value"], study.consensus()["consensus"], rtol=1e-9)
