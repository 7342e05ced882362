"""Baselines against choix, scikit-learn and a published fit; simulated people against formulas; the papers' priors."""

import choix
import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import expit, ndtr
from scipy.stats import gamma
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression

from course_lessons.i_prefer_b.baselines import BradleyTerry, DifferenceLogit
from course_lessons.i_prefer_b.papers import griewangk, paper_a, paper_a_test, paper_settings, simulate_degrees
from course_lessons.many_people.toys import paper_c_toy
from course_lib import datasets
from course_lib.gp import Beta, Gamma
from course_lib.judgments import Comparison, PreferenceGP, all_pairs, random_pairs
from tests.course_lib.gp_oracles import slopes


@pytest.fixture(scope="module")
def springall():
    return datasets.load_springall()


def league(n=6, m=120, seed=0, ties=True):
    """(pairs, y): games of n teams whose strengths differ a little, some of them drawn."""
    rng = np.random.default_rng(seed)
    pairs = random_pairs(n, m, rng)
    gap = 0.4 * (pairs[:, 1] - pairs[:, 0]) + rng.logistic(size=m)
    y = np.sign(gap)
    return pairs, np.where(np.abs(gap) < 0.5, 0, y) if ties else y


def log_likelihood(g, y):
    """Each tie is half an answer for each side."""
    return float((0.5 * (1 + y) * -np.logaddexp(0, -g) + 0.5 * (1 - y) * -np.logaddexp(0, g)).sum())


def best(function, size):
    return minimize(lambda s: -function(s), np.zeros(size), method="BFGS", options={"gtol": 1e-7}).x


# --- Bradley–Terry --------------------------------------------------------------------------------------


def test_strengths_are_choix_s():
    pairs, y = league(ties=False)
    won = [(b, a) if answer > 0 else (a, b) for (a, b), answer in zip(pairs.tolist(), y, strict=True)]
    theirs = choix.opt_pairwise(6, won)
    ours = BradleyTerry().fit(pairs, y)
    np.testing.assert_allclose(ours.strength_, theirs - theirs.mean(), atol=1e-5)
    assert ours.predict_preference([(2, 5)])[0] == pytest.approx(choix.probabilities([5, 2], theirs)[0], abs=1e-5)


def test_strengths_have_the_greatest_likelihood_with_ties_as_halves():
    pairs, y = league()
    assert (y == 0).sum() > 10
    found = BradleyTerry().fit(pairs, y).strength_
    expected = best(lambda s: log_likelihood(s[pairs[:, 1]] - s[pairs[:, 0]], y) - 0.5 * s.mean() ** 2, 6)
    np.testing.assert_allclose(found, expected - expected.mean(), atol=1e-5)
    doubled = BradleyTerry().fit(np.vstack([pairs, pairs[:, ::-1]]), np.append(y, -y)).strength_
    np.testing.assert_allclose(doubled, found, atol=1e-6)


@pytest.mark.parametrize("alpha", [0.01, 0.3, 2.0])
def test_regularised_strengths_are_a_summit_too(alpha):
    """choix adds α to each rate of its Markov chain. Its fixed point is the summit of log p + α n Σ (s − exp s)."""
    pairs, y = league(m=25)
    found = BradleyTerry(alpha).fit(pairs, y, n_items=8).strength_

    def height(s):
        return log_likelihood(s[pairs[:, 1]] - s[pairs[:, 0]], y) + alpha * 8 * (s - np.exp(s)).sum()

    expected = best(height, 8)
    np.testing.assert_allclose(found, expected - expected.mean(), atol=1e-5)
    assert found[6] == pytest.approx(found[7], abs=1e-9)  # nobody met them
    assert np.ptp(BradleyTerry(10 * alpha).fit(pairs, y, n_items=8).strength_) < np.ptp(found)


def test_strengths_that_would_be_endless_are_refused():
    with pytest.raises(ValueError, match=r"alpha is 0, but the items fall into 3 groups .* Set alpha"):
        BradleyTerry().fit([(0, 1), (1, 2)], [1, 1])
    with pytest.raises(ValueError, match="2 groups"):
        BradleyTerry().fit([(0, 1), (1, 0), (0, 1)], [1, 1, -1], n_items=3)
    assert np.isfinite(BradleyTerry(0.1).fit([(0, 1), (1, 2)], [1, 1]).strength_).all()
    np.testing.assert_allclose(BradleyTerry().fit([(0, 1), (1, 2), (2, 0)], [1, 1, 1]).strength_, 0, atol=1e-9)
    np.testing.assert_allclose(BradleyTerry().fit(league()[0], np.zeros(120)).strength_, 0, atol=1e-9)
    assert BradleyTerry().fit([(0, 1)] * 4, [1, 1, 1, -1]).strength_[1] == pytest.approx(0.5 * np.log(3), abs=1e-8)


def test_a_long_chain_of_items():
    """Neighbours only, each game won twice of three: every step is log 2."""
    pairs = np.repeat(np.column_stack([np.arange(60), np.arange(1, 61)]), 3, axis=0)
    steps = np.diff(BradleyTerry().fit(pairs, np.tile([1, -1, 1], 60)).strength_)
    np.testing.assert_allclose(steps, np.log(2), atol=1e-6)


def test_order_and_names_of_items_do_not_matter():
    pairs, y = league()
    order = np.random.default_rng(1).permutation(6)
    plain, other = BradleyTerry().fit(pairs, y), BradleyTerry().fit(order[pairs][::-1, ::-1], -y[::-1])
    np.testing.assert_allclose(other.strength_[order], plain.strength_, atol=1e-6)
    assert clone(BradleyTerry(0.3)).alpha == 0.3


# --- logistic regression on differences -----------------------------------------------------------------


@pytest.mark.parametrize("C", [np.inf, 3.0, 0.01])
def test_coefficients_are_a_summit(C):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(6, 3)) * [1.0, 50.0, 1e-3] + 7.0
    pairs, y = league(seed=2)
    gap = X[pairs[:, 1]] - X[pairs[:, 0]]
    size = np.sqrt((gap**2).mean(axis=0))
    found = DifferenceLogit(C).fit(X, pairs, y)
    expected = best(lambda w: log_likelihood(gap / size @ w, y) - 0.5 * w @ w / C, 3)
    np.testing.assert_allclose(found.coefficients_ * size, expected, atol=2e-5)
    np.testing.assert_allclose(found.predict_preference(X, pairs), expit(gap / size @ expected), atol=2e-5)
    flipped = DifferenceLogit(C).fit(X, pairs[:, ::-1], -y)
    np.testing.assert_allclose(flipped.coefficients_, found.coefficients_, rtol=1e-4, atol=1e-9)
    again = DifferenceLogit(C).fit(3.0 + X, pairs, y)
    np.testing.assert_allclose(again.coefficients_, found.coefficients_, rtol=1e-4, atol=1e-9)


def test_coefficients_are_scikit_learn_s_without_ties():
    X, (pairs, y) = np.random.default_rng(0).normal(size=(6, 2)), league(ties=False)
    gap = X[pairs[:, 1]] - X[pairs[:, 0]]
    theirs = LogisticRegression(C=np.inf, fit_intercept=False, tol=1e-10).fit(gap, y)
    np.testing.assert_allclose(DifferenceLogit().fit(X, pairs, y).coefficients_, theirs.coef_[0], rtol=1e-5)


def test_coefficients_that_would_be_endless_are_refused():
    rng = np.random.default_rng(0)
    X, pairs = rng.normal(size=(12, 3)), all_pairs(12)
    gap = X[pairs[:, 1]] - X[pairs[:, 0]]
    for direction in ([1.0, -2.0, 0.3], [0.0, 0.0, 1.0]):
        y = np.sign(gap @ direction)
        with pytest.raises(ValueError, match=r"C is inf, but there is a direction in which no answer.* Set C"):
            DifferenceLogit().fit(X, pairs, y)
        found = DifferenceLogit(100.0).fit(X, pairs, y).coefficients_
        assert ((gap @ found > 0) == (y > 0)).mean() > 0.97
        y[np.abs(gap @ direction).argmax()] *= -1  # one surprise makes them finite
        expected = best(lambda w, y=y: log_likelihood(gap @ w, y), 3)
        np.testing.assert_allclose(DifferenceLogit().fit(X, pairs, y).coefficients_, expected, rtol=1e-3, atol=1e-4)


@pytest.mark.parametrize("dtype", [np.uint8, np.uint64])
def test_pairs_may_be_whole_numbers_of_any_kind(dtype):
    pairs, y = league()
    X = np.random.default_rng(0).normal(size=(206, 2))
    shifted = (pairs + 200).astype(dtype)
    for plain, other in (
        (BradleyTerry(0.1).fit(pairs + 200, y), BradleyTerry(0.1).fit(shifted, y)),
        (DifferenceLogit().fit(X, pairs + 200, y), DifferenceLogit().fit(X, shifted, y)),
    ):
        data = (X,) if isinstance(plain, DifferenceLogit) else ()
        np.testing.assert_array_equal(
            plain.predict_preference(*data, pairs + 200), other.predict_preference(*data, shifted)
        )


def test_an_input_that_never_differs_has_no_coefficient():
    X = np.column_stack([np.arange(6.0), np.ones(6)])
    pairs, y = league()
    assert DifferenceLogit().fit(X, pairs, y).coefficients_[1] == 0
    twins = DifferenceLogit(1.0).fit(np.ones((6, 2)), pairs, y)
    np.testing.assert_allclose(twins.predict_preference(np.ones((6, 2)), pairs), 0.5)


def test_springall_s_surface_and_strengths_are_those_of_its_readme(springall):
    pairs, y = springall.answers()
    x = springall.X
    surface = np.column_stack([x, x**2, x.prod(axis=1)])
    model = DifferenceLogit().fit(surface, pairs, y)
    expected = [-0.41194, -0.32578, 0.01565, 0.10506, 0.02376]
    np.testing.assert_allclose(model.coefficients_, expected, atol=2e-5)
    gap = (surface[pairs[:, 1]] - surface[pairs[:, 0]]) @ model.coefficients_
    assert log_likelihood(gap, y) == pytest.approx(-457.197, abs=6e-4)
    strength = BradleyTerry().fit(pairs, y).strength_
    assert log_likelihood(strength[pairs[:, 1]] - strength[pairs[:, 0]], y) == pytest.approx(-456.670, abs=6e-4)
    smooth = surface @ model.coefficients_
    assert np.corrcoef(strength, smooth)[0, 1] > 0.99


def test_a_preference_gp_ranks_springall_s_samples_alike(springall):
    counts = np.column_stack([springall.a_wins, springall.ties, springall.b_wins])
    X, pairs, y = springall.X / [4.0, 2.0], np.repeat(springall.pairs, 3, axis=0), np.tile([-1, 0, 1], 36)
    model = PreferenceGP(ties=True, optimize=False).fit(X, pairs, y, counts=counts.ravel())
    ranking = model.ranking(X, rng=0)
    strength = BradleyTerry().fit(*springall.answers()).strength_
    assert ranking.order[0] == strength.argmax() and ranking.order[-1] == strength.argmin()
    assert np.corrcoef(ranking.mean, strength)[0, 1] < -0.95


@pytest.mark.parametrize(
    ("act", "words"),
    [
        (lambda p, y: BradleyTerry().fit(p.astype(float), y), "pairs has shape .* dtype float64"),
        (lambda p, y: BradleyTerry().fit(p - 1, y), "0 or above"),
        (lambda p, y: BradleyTerry().fit(p[:, :1] + [0, 0], y), "an item cannot be compared with itself"),
        (lambda p, y: BradleyTerry().fit(np.zeros((0, 2), int), []), r"pairs has shape \(0, 2\)"),
    ],
)
def test_refusals(act, words):
    with pytest.raises(ValueError, match=words):
        act(*league())


# --- simulated people -----------------------------------------------------------------------------------


def test_griewangk_s_function():
    x = np.linspace(-8, 8, 33)
    np.testing.assert_allclose(griewangk(x), 1 + np.array([v**2 / 4000 - np.cos(v) for v in x]))
    assert griewangk(0.0) == 0 and griewangk(x).min() == 0
    assert np.argmin(griewangk(x)) == 16


def test_degrees_have_the_beta_distribution_s_mean_and_variance():
    f, pairs = np.array([0.0, 0.7]), np.tile([(0, 1)], (60_000, 1))
    y = simulate_degrees(f, pairs, 8.0, 0.5, rng=0)
    share = ndtr(0.7 / (np.sqrt(2) * 0.5))
    assert y.mean() == pytest.approx(share, abs=4.5 * y.std() / np.sqrt(60_000))
    assert y.var() == pytest.approx(share * (1 - share) / 9, rel=0.03)
    far = simulate_degrees([0.0, 50.0], pairs[:100], 8.0, rng=0)
    assert ((far > 0.999) & (far <= 1 - 1e-4)).all()
    Beta().check(simulate_degrees([0.0, 1e3], pairs[:10], 0.1, rng=1))
    for arguments in ((0.0, 1.0), (8.0, 0.0)):
        with pytest.raises(ValueError, match="a finite number above 0"):
            simulate_degrees(f, pairs, *arguments)


@pytest.mark.parametrize("precision", [3.0, 30.0])
def test_paper_a_s_experiment(precision):
    data = paper_a(4000, precision, rng=0)
    assert data.X.shape == (101, 1) and data.pairs.shape == (4000, 2)
    np.testing.assert_allclose(data.X[[0, 50, 100], 0], [-8, 0, 8], atol=1e-12)
    np.testing.assert_allclose(data.f, griewangk(data.X[:, 0]))
    np.testing.assert_array_equal(data.choices, np.where(data.degrees > 0.5, 1, -1))
    share = ndtr((data.f[data.pairs[:, 1]] - data.f[data.pairs[:, 0]]) / np.sqrt(2))
    z = (data.degrees - share) / np.sqrt(share * (1 - share) / (1 + precision))
    assert abs(z.mean()) < 4.5 / np.sqrt(4000) and z.var() == pytest.approx(1, abs=0.1)
    again = paper_a(4000, precision, rng=0)
    np.testing.assert_array_equal(again.degrees, data.degrees)


def test_paper_a_s_questions_lie_halfway_and_have_an_answer():
    X, pairs, truth = paper_a_test()
    trained = paper_a(2, 3.0, rng=0).X
    np.testing.assert_allclose(X, 0.5 * (trained[:-1] + trained[1:]), atol=1e-12)
    assert set(truth) == {-1.0, 1.0}
    np.testing.assert_array_equal(truth, np.sign(griewangk(X[pairs[:, 1], 0]) - griewangk(X[pairs[:, 0], 0])))
    left_out = {tuple(pair) for pair in all_pairs(100).tolist()} - {tuple(pair) for pair in pairs.tolist()}
    assert left_out == {(i, 99 - i) for i in range(50)}  # mirrored inputs are equal


def test_paper_c_s_toy_is_a_smooth_function_without_noise():
    toys = [paper_c_toy(rng=seed) for seed in range(400)]
    toy = toys[0]
    assert toy.X.shape == (31, 1) and toy.X[-1, 0] == 4.0
    np.testing.assert_array_equal(toy.pairs, all_pairs(31))
    assert len(toy.pairs) == 465
    np.testing.assert_array_equal(toy.choices, np.sign(toy.f[toy.pairs[:, 1]] - toy.f[toy.pairs[:, 0]]))
    np.testing.assert_array_equal(toy.degrees, (1 + toy.choices) / 2)
    f = np.array([one.f for one in toys])
    expected = np.exp(-0.5 * (toy.X - toy.X.T) ** 2 / 0.25)
    np.testing.assert_allclose(f.T @ f / 400, expected, atol=0.3)
    assert paper_c_toy(5, rng=0).pairs.shape == (10, 2)


# --- the papers' settings -------------------------------------------------------------------------------


def test_paper_a_s_kernel_and_prior():
    settings = paper_settings("A")
    x = np.linspace(-2, 2, 5)[:, None]
    np.testing.assert_allclose(settings["kernel"](x), np.exp(-((x - x.T) ** 2)))  # σ_f² exp(−d²/l²), both 1
    nu = np.array([3.0, 30.0])
    expected = gamma.logpdf(nu, 1.0, scale=1 / 0.05)
    np.testing.assert_allclose(settings["precision_prior"].log_density(nu)[0], expected)
    assert settings["noise_std"] == 1.0 and "noise_prior" not in settings
    assert isinstance(settings["precision_prior"], Gamma)
    assert paper_settings("A", response="choice")["response"] == "choice"


@pytest.mark.parametrize("response", ["degree", "choice"])
def test_models_learn_with_these_settings(response):
    data = paper_a(30, 10.0, rng=1)
    y = data.degrees if response == "degree" else data.choices
    model = PreferenceGP(**paper_settings("A", response=response)).fit(data.X, data.pairs, y)
    theta = np.concatenate([model.kernel_.theta, model.likelihood_.theta])
    numeric = slopes(lambda t: model.evidence_at(t)[0], theta + 0.1, 1e-4)
    np.testing.assert_allclose(model.evidence_at(theta + 0.1)[1], numeric, atol=1e-5 * (1 + np.abs(numeric).max()))
    assert isinstance(model.likelihood_, Comparison)
    assert model.likelihood_.noise_std == 1.0
    assert (model.log_posterior_ == model.log_evidence_) == (response == "choice")


@pytest.mark.long
def test_degrees_teach_more_than_choices():
    """Jensen et al. (2011), figure 3, in small: errors on new questions after 80 comparisons, over six people."""
    errors = {"degree": [], "choice": []}
    X, pairs, truth = paper_a_test()
    for seed in range(6):
        data = paper_a(80, 30.0, rng=seed)
        for response, y in (("degree", data.degrees), ("choice", data.choices)):
            model = PreferenceGP(**paper_settings("A", response=response)).fit(data.X, data.pairs, y)
            mean = model.predict_latent(X)[0]
            errors[response].append(((mean[pairs[:, 1]] > mean[pairs[:, 0]]) != (truth > 0)).mean())
    assert np.mean(errors["degree"]) < 0.09
    assert np.mean(errors["degree"]) < np.mean(errors["choice"]) - 0.01


def test_unknown_papers_and_responses_are_refused():
    for act, words in (
        (lambda: paper_settings("B"), "paper is 'B'; choose one of 'A'"),
        (lambda: paper_settings("A", response="difference"), "response is 'difference'"),
    ):
        with pytest.raises(ValueError, match=words):
            act()


@pytest.mark.parametrize(
    ("X", "pairs", "y"),
    [
        ([0.0, 1.0, 2.0, 2.0], [(0, 1), (1, 2), (2, 3)], [1, 1, 0]),  # a tie of equal items
        ([0.0, 1.0, 2.0, 2.0], [(0, 1), (1, 2), (2, 3)], [1, 1, 1]),
        ([[0.0, 0.0], [1, 0], [2, 0], [2, 1]], [(0, 1), (1, 2), (1, 0), (0, 2), (2, 3)], [1] * 5),  # one input alone
    ],
)
def test_coefficients_that_are_endless_in_part(X, pairs, y):
    with pytest.raises(ValueError, match="infinite"):
        DifferenceLogit().fit(X, pairs, y)
