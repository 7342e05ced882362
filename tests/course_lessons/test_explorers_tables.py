"""What lecture 14's explorer says, and the checks of what the student writes."""

import numpy as np
import pandas as pd
import pytest

from course_lessons.your_data.explore import (
    BIAS_STD,
    N_ITEMS,
    check_models,
    check_raters,
    explore_judges,
    explore_panel_size,
    sized_panel,
)
from course_lib.datasets import data_folder
from tests.course_lessons.explored import told_apart


def test_the_opening_compares_a_judge_with_the_others():
    wine = pd.read_csv(data_folder() / "wine/wine.csv").pivot(index="bottle", columns="judge", values="response")
    others = wine.drop(columns=7).mean(axis="columns")
    said = explore_judges().sentence
    assert f"from {wine[7].min()} to {wine[7].max()}, on average {(others - wine[7]).mean():.0f} below" in said
    assert f"is {wine[7].corr(others):.2f}." in said


@pytest.mark.parametrize("raters", [2, 5, 16])
def test_a_whole_panel_is_what_dense_algebra_says(raters):
    noise = 0.7
    found = sized_panel(raters, noise)
    centre = np.eye(N_ITEMS) - 1.0 / N_ITEMS
    precision = raters / noise**2  # of an item's mean; biases and the level vanish where all items are rated by all
    variance = 1.0 / (1.0 + precision)
    np.testing.assert_allclose(found.high - found.low, 2 * 1.644854 * np.sqrt(variance * np.diag(centre)), rtol=2e-4)
    assert found.reach == pytest.approx(1.644854 * np.sqrt(2 * variance), rel=2e-4)
    assert BIAS_STD > 0


def test_intervals_of_known_panels_hold_nine_times_in_ten():
    share = []
    for seed in range(60):
        one = sized_panel(6, 0.7, 0.25, seed=seed)
        share.append(np.mean((one.low <= one.truth) & (one.truth <= one.high)))
    assert np.mean(share) == pytest.approx(0.9, abs=0.03)


def test_missing_answers_cost_width():
    assert sized_panel(16, 0.7, 0.5).reach > 1.3 * sized_panel(16, 0.7).reach


def test_the_explorer_says_how_far_differences_are_known():
    explorer = explore_panel_size()
    assert f"± {sized_panel(4, 0.7).reach:.2f}" in explorer.sentence
    explorer.set(raters=16)
    assert f"± {sized_panel(16, 0.7).reach:.2f}" in explorer.sentence
    assert sized_panel(16, 0.7).reach == pytest.approx(0.4, abs=0.02)  # the right prediction
    assert explorer.feedback.right == "to ± 0.4" and explorer.state["shown"]
    explorer.set(missing=0.5)
    assert f"± {sized_panel(16, 0.7, 0.5).reach:.2f}" in explorer.sentence


def test_the_check_of_models():
    assert check_models(None).startswith("○")
    assert check_models(["RaterGP", "BoundedGP", "PreferenceGP"]).startswith("✓")
    assert "Study A" in check_models(["BoundedGP", "BoundedGP", "PreferenceGP"])
    assert "ties are answers" in check_models(["RaterGP", "BoundedGP", "RaterGP"])
    with pytest.raises(ValueError, match="'GP'; the names are RaterGP"):
        check_models(["GP", "BoundedGP", "PreferenceGP"])


test_the_check_of_raters = told_apart(
    lambda mine: check_raters(mine, noise=1.0, reach=0.35),
    (None, "○"),
    (45, "✓"),
    (44, "One too few"),
    (23, "√2 times as much"),
    (63, "1.645"),
    (10, "root"),
    (100, "is asked for"),
)
