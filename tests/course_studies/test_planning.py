"""Plans against formulas, against all answers written out, and against panels that know all spreads."""

from itertools import product

import numpy as np
import pytest
from scipy.stats import norm

from benchmarks import plans
from course_lib.gp import Fixed, White
from course_lib.judgments import RaterGP
from course_studies import balanced_pairs, balanced_panel, plan, plan_pairs

Z = norm.ppf(0.95)


def dense(observed, targets, covariance, noise):
    """Half-width of the first two targets' difference: a Gaussian posterior with one row for each answer."""
    everything = np.vstack([observed, targets])
    K = covariance(everything)
    m = len(observed)
    inside = K[:m, :m] + noise**2 * np.eye(m)
    left = K[m:, m:] - K[m:, :m] @ np.linalg.solve(inside, K[:m, m:])
    return Z * np.sqrt(left[0, 0] + left[1, 1] - 2 * left[0, 1])


def test_balanced_plans_have_the_closed_form():
    found = plan(
        7, 0.5, raters=(4, 9), repeats=(1, 3), noise_std=1.2, bias_std=0.7, opinion_std=0.4, learned=False
    ).table
    for row in found.itertuples():
        expected = Z * np.sqrt(2 * (1.2**2 / (row.raters * row.repeats) + 0.4**2 / row.raters))
        assert row.half_width == pytest.approx(expected, rel=1e-3) and row.answers == 7 * row.raters * row.repeats
        assert row.power == pytest.approx(norm.cdf(0.5 * Z / expected - Z), rel=1e-2)
    spreads = {"noise_std": 1.0, "opinion_std": 0.3, "interaction_std": 0.5}
    new = plan(5, 0.5, raters=6, utterances=4, over="new", **spreads, learned=False)
    expected = Z * np.sqrt(2 * (1 / 24 + 0.3**2 / 6 + 0.5**2 / 4))
    assert new.table["half_width"][0] == pytest.approx(expected, rel=1e-3)


@pytest.mark.parametrize("over", ["study", "new"])
def test_gaps_utterances_and_repeats_are_those_of_all_answers_written_out(over):
    """Each answer is a row (item, utterance, rater, item's own?), and all effects are sums of Kronecker's deltas."""
    n, U, R, K, sizes = 4, 3, 5, 2, {"noise": 0.9, "bias": 0.6, "opinion": 0.5, "interaction": 0.4, "value": 1.1}
    seen = balanced_panel(n * U, R, 7, rng=0)
    cells = [(k // U, k % U, r) for k, r in np.argwhere(seen) for _ in range(K)]

    def covariance(rows):
        def same(*columns):
            return np.all([rows[:, c][:, None] == rows[:, c] for c in columns], axis=0)

        person, there = np.outer(rows[:, 2] >= 0, rows[:, 2] >= 0), np.outer(rows[:, 1] >= 0, rows[:, 1] >= 0)
        wide = 100 * (0.9 + 0.6 + 0.5 + 0.4)
        found = sizes["value"] ** 2 * same(0) + there * (sizes["interaction"] ** 2 * same(0, 1) + wide**2 * same(1))
        return found + person * (sizes["bias"] ** 2 * same(2) + sizes["opinion"] ** 2 * same(0, 2))

    if over == "new":
        widths = [
            dense(np.array(cells), np.array([(a, -1, -1), (b, -2, -1)]), covariance, 0.9)
            for a, b in product(range(n), range(n))
            if a < b
        ]
    else:
        every = np.array([(a, u, -1) for a in range(n) for u in range(U)])
        rows = np.vstack([cells, every])
        C, m = covariance(rows), len(cells)
        left = C[m:, m:] - C[m:, :m] @ np.linalg.solve(C[:m, :m] + 0.81 * np.eye(m), C[:m, m:])
        mean = np.kron(np.eye(n), np.ones((1, U)) / U)
        left = mean @ left @ mean.T
        widths = [Z * np.sqrt(left[a, a] + left[b, b] - 2 * left[a, b]) for a in range(n) for b in range(a)]
    said = plan(
        n, 0.5, raters=R, repeats=K, per_rater=7, utterances=U, over=over, noise_std=0.9, bias_std=0.6,
        opinion_std=0.5, interaction_std=0.4, value_std=1.1, learned=False,
    ).table  # fmt: skip
    assert said["half_width"][0] == pytest.approx(np.mean(widths), rel=1e-6)


def test_a_plan_is_what_a_fitted_panel_says_that_knows_all_spreads():
    seen = balanced_panel(8, 6, 5, rng=0)
    Y = np.where(seen, np.random.default_rng(0).normal(size=seen.shape), np.nan)
    model = RaterGP(White(2.25), noise_std=0.8, noise_floor=0.0, bias_std=0.5, bias_prior=Fixed(), optimize=False)
    pairs = np.stack(np.triu_indices(8, 1), axis=1)
    low, high = model.fit(np.eye(8), Y).difference_interval(model.items_, pairs)
    found = plan(8, 0.5, raters=6, per_rater=5, noise_std=0.8, bias_std=0.5, value_std=1.5, learned=False).table
    assert found["half_width"][0] == pytest.approx(((high - low) / 2).mean(), rel=1e-3)


def test_what_is_learned_is_known_less_well():
    """Ten raters of 12 answers each: the noise counts 1 + 2/14 times; opinions of 11 · 9 degrees of freedom less."""
    known, learned = (
        plan(12, 0.5, raters=10, noise_std=1.0, opinion_std=0.5, learned=one).table["half_width"][0]
        for one in (False, True)
    )
    parts = np.array([[1.0, 0.25], [1 + 2 / 14, 0.25 * (1 + 2 / 99)]]).sum(axis=1)
    assert learned / known == pytest.approx(np.sqrt(parts[1] / parts[0]), rel=1e-3)
    with pytest.raises(ValueError, match="one utterance tells nothing of others"):
        plan(12, 0.5, raters=10, noise_std=1.0, over="new")


def test_power_is_how_often_a_difference_is_told():
    """Of 4,000 studies of two items that differ by 0.5, with the posterior of a panel that knows all spreads."""
    rng, R, noise, value = np.random.default_rng(0), 12, 1.0, 0.8
    estimate = 0.5 + noise * np.sqrt(2 / R) * rng.normal(size=4000)
    variance = 1 / (1 / (2 * value**2) + R / (2 * noise**2))
    told = variance * R / (2 * noise**2) * estimate > Z * np.sqrt(variance)
    found = plan(2, 0.5, raters=R, noise_std=noise, value_std=value, learned=False).table
    assert found["power"][0] == pytest.approx(told.mean(), abs=0.02)


def test_pairs_of_small_differences_have_the_information_of_a_probit_at_0():
    """Where all are alike, each choice tells φ(0)²/(Φ(0)Φ(0)) / 2σ² = 1/(πσ²) of its difference."""
    found = plan_pairs(4, 0.5, people=10, pairs=12, value_std=1e-3, noise_std=0.7, worlds=1).table
    steps = np.eye(4)[balanced_pairs(4, 120, 0)]
    laplacian = sum(np.outer(b - a, b - a) for a, b in steps) / (np.pi * 0.7**2)
    C = np.linalg.inv(laplacian + 1e6 / (1 + 2 / 3) * np.eye(4))  # the spread is learned of four values
    widths = [Z * np.sqrt(C[a, a] + C[b, b] - 2 * C[a, b]) for a in range(4) for b in range(a)]
    assert found["half_width"][0] == pytest.approx(np.mean(widths), rel=1e-4)
    one, many = plan_pairs(4, 0.5, people=(2, 40), pairs=6, value_std=1.0, person_std=1.0).table["half_width"]
    assert many < one < Z * np.sqrt(2)


def test_the_cheapest_design_is_written_down():
    found = plan(6, 0.8, raters=(4, 8, 16, 32), repeats=(1, 2), noise_std=1.0, bias_std=0.5, value_std=1.5)
    chosen = found.cheapest
    assert chosen["answers"] == found.table.loc[found.table["power"] >= 0.8, "answers"].min()
    text = found.paragraph()
    assert text == found.paragraph(int(chosen.name)) and "a true difference of 0.8" in text
    assert (
        f"{chosen['raters']:.0f} raters will rate all 6 items" in text and f"({chosen['answers']:.0f} answers)" in text
    )
    assert f"a half-width of {chosen['half_width']:.2g}" in text and f"probability {chosen['power']:.2f}" in text
    assert text in repr(found) and text in found._repr_html_()
    small = plan(6, 0.1, raters=4, noise_std=1.0)
    assert small.cheapest is None and "No design reaches" in repr(small)
    with pytest.raises(ValueError, match=r"no design of the plan tells a difference of 0\.1 from 0"):
        small.paragraph()


def test_what_is_planned_is_what_studies_find():
    """A small run of the benchmark, whose README has the six designs, of 200 worlds each."""
    assert plans.row("balanced: 12 items, 10 raters", 20)[2] == pytest.approx(1.0, abs=0.12)
