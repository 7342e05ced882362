"""What lecture 14's explorer says, and the checks of what the student writes."""

import numpy as np
import pandas as pd
import pytest

from course_lessons.your_data import published
from course_lessons.your_data.explore import (
    BIAS_STD,
    N_ITEMS,
    check_models,
    check_raters,
    explore_panel_size,
    explore_tasting,
    sized_panel,
)
from course_lib.datasets import data_folder
from course_lib.judgments import fit_beta
from course_studies import RatingStudy, from_long
from tests.course_lessons.explored import told_apart


def test_the_opening_says_which_bottles_the_judges_asked_tell_apart():
    wine = pd.read_csv(data_folder() / "wine/wine.csv").query("judge <= 6")
    table = from_long(wine, item="bottle", rater="judge", rating="response", scale=(0, 100))
    found = RatingStudy().fit(table).contrasts()
    explorer = explore_tasting()
    explorer.set(judges=6)
    assert f"a half-width of {found.eval('high - low').mean() / 2:.0f} marks" in explorer.sentence
    assert f"and {len(found.query('low > 0 or high < 0'))} of 28 pairs" in explorer.sentence


def test_raters_who_are_added_leave_the_marks_of_the_others():
    np.testing.assert_array_equal(sized_panel(5, 0.7).Y, sized_panel(20, 0.7).Y[:, :5])


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
    assert f"half-width of {sized_panel(4, 0.7).reach:.2f}" in explorer.sentence
    explorer.set(raters=16)
    assert f"half-width of {sized_panel(16, 0.7).reach:.2f}" in explorer.sentence
    assert sized_panel(16, 0.7).reach == pytest.approx(0.4, abs=0.02)  # the right prediction
    assert explorer.feedback.right == "0.4" and explorer.state["shown"]
    explorer.set(missing=0.5)
    assert f"half-width of {sized_panel(16, 0.7, 0.5).reach:.2f}" in explorer.sentence


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


def test_the_interaction_of_the_jurors_is_the_published_one():
    """Smithson and Verkuilen (2006), example 1: 0.280, z = 2.69. The last row has the means of the marks."""
    jurors = pd.read_csv(data_folder() / "mock_jurors/mock_jurors.csv")
    situation = jurors["verdict"] + jurors["conflict"].map({"no": ", witnesses agree", "yes": ", they conflict"})
    own = fit_beta(jurors["confidence"], situation)
    assert "| 0.280, z = 2.69 | 0.280, z = 2.69 |" in published.published_interaction(own).data
    told = published.third_verdict({}, own, jurors.assign(situation=situation)).data
    agree = jurors["confidence"][jurors["conflict"] == "no"].groupby(jurors["verdict"]).mean()
    assert f"{agree['three-option'] - agree['two-option']:+.2f} [" in told.splitlines()[-1]


def test_warmth_and_contact_are_to_each_other_as_published():
    """Christensen (2015): 3.063 / 1.835 by a model with one noise; ours has one for each judge."""
    assert published.warmth_by_contact() == pytest.approx(3.063 / 1.835, rel=0.05)
