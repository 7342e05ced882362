"""DiscreteHMM against every state sequence, hmmlearn, the fixtures, and what must hold for any model."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import logsumexp
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning

from course_lib import sequences as seq
from tests.course_lib.oracles import AllStateSequences, random_rows

pytestmark = pytest.mark.filterwarnings("error::RuntimeWarning")
quietly = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")

FIXTURE = seq.DiscreteHMM.from_parameters([0.6, 0.4], [[0.7, 0.3], [0.4, 0.6]], [[0.1, 0.4, 0.5], [0.7, 0.2, 0.1]])


def random_model(rng, N, M, zeros=0.0):
    return seq.DiscreteHMM.from_parameters(
        random_rows(rng, N, zeros=zeros), random_rows(rng, N, N, zeros=zeros), random_rows(rng, N, M, zeros=zeros)
    )


def log_table(model, symbols):
    """(T, N) log b_j(o_t), 0 where the observation is missing."""
    with np.errstate(divide="ignore"):
        table = np.log(model.emissionprob_.T)
    return np.array([np.zeros(model.n_states) if v < 0 else table[v] for v in symbols])


def every_path(model, symbols):
    return AllStateSequences(model.startprob_, model.transmat_, log_table(model, symbols))


def path_log_probability(model, symbols, states):
    steps = np.log(model.startprob_[states[0]]) + np.log(model.transmat_[states[:-1], states[1:]]).sum()
    return steps + np.log(model.emissionprob_[states, symbols]).sum()


def trained_from(model, sequences, rounds, **options):
    """`rounds` rounds of Baum–Welch from the parameters of the model."""
    start = {"startprob": model.startprob_, "transmat": model.transmat_, "emissionprob": model.emissionprob_}
    options = {"max_iter": rounds, "tol": 1e-300, **start, **options}
    return seq.DiscreteHMM(model.n_states, model.n_symbols, **options).fit(sequences)


def brute_round(model, sequences, pseudocounts=(0.0, 0.0)):
    """One round of Baum–Welch by enumeration: (π, A, B)."""
    N, M = model.n_states, model.n_symbols
    starts, transitions, emissions = np.zeros(N), np.zeros((N, N)), np.zeros((N, M))
    for one in sequences:
        every = every_path(model, one)
        starts += every.posteriors[0]
        transitions += every.transitions
        for gamma, symbol in zip(every.posteriors, one, strict=True):
            if symbol >= 0:
                emissions[:, symbol] += gamma
    rows = []
    for counts, old, more in (
        (starts[None], model.startprob_[None], pseudocounts[0]),
        (transitions, model.transmat_, pseudocounts[0]),
        (emissions, model.emissionprob_, pseudocounts[1]),
    ):
        counts = np.where(old > 0, counts + more, 0)
        rows.append([new / new.sum() if new.sum() > 0 else row for new, row in zip(counts, old, strict=True)])
    return np.array(rows[0][0]), np.array(rows[1]), np.array(rows[2])


def published(model, implementation="log", **options):
    theirs = pytest.importorskip("hmmlearn.hmm").CategoricalHMM(
        model.n_states, init_params="", implementation=implementation, n_features=model.n_symbols, **options
    )
    theirs.startprob_, theirs.transmat_ = model.startprob_, model.transmat_
    theirs.emissionprob_ = model.emissionprob_
    return theirs


# ----------------------------------------------------------------------------------------- scoring and decoding


@settings(max_examples=120)
@given(st.integers(1, 3), st.integers(1, 6), st.sampled_from([0.0, 0.4]), st.integers(0, 100_000))
def test_three_problems_by_enumeration_with_zeros_and_missing_observations(N, T, zeros, seed):
    rng = np.random.default_rng(seed)
    model = random_model(rng, N, 3, zeros)
    symbols = rng.integers(-1, 3, size=T)
    every = every_path(model, symbols)
    if every.log_likelihood == -np.inf:
        with pytest.warns(seq.ImpossibleSequenceWarning):
            assert model.score([symbols]) == -np.inf
        return
    assert model.score([symbols]) == pytest.approx(every.log_likelihood, rel=1e-10, abs=1e-12)
    states, log_probability = model.decode(symbols)
    assert log_probability == pytest.approx(every.best[1], rel=1e-10, abs=1e-12)
    assert every.log_joint[(every.paths == states).all(axis=1)][0] == pytest.approx(every.best[1], abs=1e-12)
    np.testing.assert_array_equal(model.predict([symbols])[0], states)
    np.testing.assert_allclose(model.predict_proba(symbols), every.posteriors, atol=1e-10)
    one_by_one = model.decode(symbols, by="posterior")
    np.testing.assert_array_equal(one_by_one.states, model.predict_proba(symbols).argmax(axis=1))
    joint = every.log_joint[(every.paths == one_by_one.states).all(axis=1)][0]
    assert one_by_one.log_probability == (joint if joint == -np.inf else pytest.approx(joint, abs=1e-12))


@quietly
@settings(max_examples=60)
@given(st.integers(1, 3), st.sampled_from([0.0, 0.4]), st.sampled_from([0.0, 0.7]), st.integers(0, 100_000))
def test_a_round_of_training_by_enumeration(N, zeros, pseudocount, seed):
    rng = np.random.default_rng(seed)
    model = random_model(rng, N, 3, zeros)
    sequences = [rng.integers(-1, 3, size=rng.integers(1, 6)) for _ in range(3)]
    if any(every_path(model, one).log_likelihood == -np.inf for one in sequences):
        with pytest.raises(ValueError, match=r"sequences\[\d\] has probability 0"):
            trained_from(model, sequences, 1)
        return
    found = trained_from(model, sequences, 1, transition_pseudocount=pseudocount, emission_pseudocount=pseudocount / 2)
    expected = brute_round(model, sequences, (pseudocount, pseudocount / 2))
    for ours, brute in zip((found.startprob_, found.transmat_, found.emissionprob_), expected, strict=True):
        np.testing.assert_allclose(ours, brute, atol=1e-10)


@pytest.mark.parametrize("N", range(1, 10))
def test_equals_hmmlearn(N):
    rng = np.random.default_rng(N)
    model = random_model(rng, N, 4)
    sequences = [rng.integers(0, 4, size=n) for n in (1, 2, 30, 200)]
    for theirs in (published(model, "log"), published(model, "scaling")):
        for one, ours in zip(sequences, model.score_samples(sequences), strict=True):
            column = one[:, None]
            assert ours == pytest.approx(theirs.score(column), rel=1e-10)
            log_probability, states = theirs.decode(column)
            found = model.decode(one)
            assert found.log_probability == pytest.approx(log_probability, rel=1e-10)
            assert path_log_probability(model, one, states) == pytest.approx(found.log_probability, rel=1e-12)
            assert path_log_probability(model, one, found.states) == pytest.approx(found.log_probability, rel=1e-12)
            np.testing.assert_allclose(model.predict_proba(one), theirs.predict_proba(column), atol=1e-9)


@quietly
@pytest.mark.parametrize("implementation", ["log", "scaling"])
@pytest.mark.parametrize("rounds", [1, 5])
@pytest.mark.parametrize("pseudocount", [0.0, 0.8])
def test_training_equals_hmmlearn_after_some_rounds(implementation, rounds, pseudocount):
    """hmmlearn's priors are α of the Dirichlet, which are our pseudo-counts + 1."""
    rng = np.random.default_rng(3)
    for N in (2, 5):
        model = random_model(rng, N, 4)
        sequences = [rng.integers(0, 4, size=n) for n in (20, 1, 45)]
        alpha = 1 + pseudocount
        priors = {"startprob_prior": alpha, "transmat_prior": alpha, "emissionprob_prior": alpha}
        theirs = published(model, implementation, n_iter=rounds, tol=-np.inf, **priors)
        theirs.fit(np.concatenate(sequences)[:, None], [len(s) for s in sequences])
        ours = trained_from(
            model, sequences, rounds, transition_pseudocount=pseudocount, emission_pseudocount=pseudocount
        )
        assert ours.n_iter_ == rounds
        np.testing.assert_allclose(ours.startprob_, theirs.startprob_, atol=1e-8)
        np.testing.assert_allclose(ours.transmat_, theirs.transmat_, atol=1e-8)
        np.testing.assert_allclose(ours.emissionprob_, theirs.emissionprob_, atol=1e-8)


def test_fixtures():
    assert np.exp(FIXTURE.score([[2, 0, 1, 0, 2]])) == pytest.approx(0.00291054, abs=5e-9)
    model = seq.DiscreteHMM.from_parameters([0.4, 0.6], [[0.9, 0.1], [0.2, 0.8]], [[0.6, 0.3, 0.1], [0.1, 0.3, 0.6]])
    assert model.decode([1, 2, 0, 2, 1, 0]).states.tolist() == [1, 1, 0, 0, 0, 0]
    assert model.decode([1, 2, 0, 2, 1, 0], by="posterior").states.tolist() == [1, 1, 0, 1, 0, 0]


@pytest.mark.parametrize("missing", [-1, np.nan])
def test_a_missing_observation_is_summed_over(missing):
    model = random_model(np.random.default_rng(2), 3, 3)
    for at in range(4):
        symbols = [0, 1.0, 2, 1]
        symbols[at] = missing
        filled = [[*symbols[:at], v, *symbols[at + 1 :]] for v in range(3)]
        assert model.score([symbols]) == pytest.approx(logsumexp(model.score_samples(filled)))
    assert model.score([[missing] * 5]) == pytest.approx(0, abs=1e-12)


# --------------------------------------------------------------------------------------------- long sequences


def test_twenty_thousand_frames():
    rng = np.random.default_rng(6)
    model = random_model(rng, 5, 8)
    symbols = model.sample(20_000, rng).observations
    log_likelihood = model.score([symbols])
    log_probability = model.decode(symbols).log_probability
    gamma = model.predict_proba(symbols)
    trained = trained_from(model, [symbols], 1, tol=1e9)
    assert -np.inf < log_probability < log_likelihood < 0
    np.testing.assert_allclose(gamma.sum(axis=1), 1, rtol=1e-8)
    assert trained.trace_[0] == pytest.approx(log_likelihood, rel=1e-10)
    exact, _ = seq.forward(model.startprob_, model.transmat_, np.log(model.emissionprob_.T[symbols]))
    assert log_likelihood == pytest.approx(exact, rel=1e-10)


def test_posteriors_lose_no_digits_in_long_sequences():
    """A window of 300 frames to either side, in 64 binary digits: the chain has forgotten what lies beyond it."""
    rng = np.random.default_rng(7)
    model = random_model(rng, 3, 4)
    A, B = model.transmat_.astype(np.longdouble), model.emissionprob_.T.astype(np.longdouble)
    symbols = rng.integers(0, 4, 400_000)
    gamma = model.predict_proba(symbols)
    assert gamma.shape == (400_000, 3) and gamma.flags.c_contiguous
    for t in (0, 399_999, *rng.integers(300, 399_000, 20)):
        first, ahead = max(0, t - 300), np.ones(3, np.longdouble)
        alpha = np.asarray(model.startprob_, np.longdouble) * B[symbols[first]]
        for symbol in symbols[first + 1 : t + 1]:
            alpha = alpha @ A * B[symbol]
        for symbol in symbols[t + 1 : t + 301][::-1]:
            ahead = A @ (B[symbol] * ahead)
        expected = alpha * ahead / (alpha * ahead).sum()
        np.testing.assert_allclose(gamma[t], expected.astype(float), rtol=0, atol=2e-15)


def test_posteriors_of_what_no_scaled_recursion_can_hold():
    """Zeros in A: a state whose share is 9⁻⁴⁰⁰ for a while, one that is never entered; probabilities of 1e-305."""
    for chain, symbols in (
        (([1, 0], [[0.999, 0.001], [0, 1]], [[0.9, 0.1], [0.1, 0.9]]), np.repeat([0, 1, 0], [400, 400, 900])),
        (([1, 0], np.eye(2), [[0.1, 0.9], [0.9, 0.1]]), np.zeros(500, int)),
        (([0.5, 0.5], [[0.5, 0.5], [0.2, 0.8]], [[0.1, 1e-305, 0.9], [0.3, 2e-305, 0.7]]), [0, 1, 1, 2, 0]),
    ):
        model = seq.DiscreteHMM.from_parameters(*chain)
        expected = seq.posteriors(model.startprob_, model.transmat_, log_table(model, symbols))
        np.testing.assert_allclose(model.predict_proba(symbols), expected, atol=1e-10)


@quietly
def test_a_state_that_first_seems_hopeless_is_not_lost():
    """Left to right: 0…0 1…1 0…0. To stay in state 0 is best, but at the end of the 1s its share is 9⁻⁴⁰⁰.

    Probabilities scaled to sum to one lose it there; logarithms do not.
    """
    model = seq.DiscreteHMM.from_parameters([1, 0], [[0.999, 0.001], [0, 1]], [[0.9, 0.1], [0.1, 0.9]])
    symbols = np.repeat([0, 1, 0], [400, 400, 900])
    exact, _ = seq.forward(model.startprob_, model.transmat_, log_table(model, symbols))
    assert model.score([symbols]) == pytest.approx(exact, rel=1e-10)
    assert model.decode(symbols).log_probability <= exact
    trained = trained_from(model, [symbols, [0, 0, 1]], 1)
    gamma = seq.posteriors(model.startprob_, model.transmat_, log_table(model, symbols))
    gamma = np.concatenate([gamma, seq.posteriors(model.startprob_, model.transmat_, log_table(model, [0, 0, 1]))])
    counts = np.array([gamma[np.r_[symbols, 0, 0, 1] == v].sum(axis=0) for v in (0, 1)]).T
    np.testing.assert_allclose(trained.emissionprob_, counts / counts.sum(axis=1, keepdims=True), rtol=1e-6)
    assert trained.trace_[-1] > trained.trace_[0]


@quietly
def test_a_state_that_is_never_entered_does_no_harm():
    """It would explain every frame nine times better: β grows as 9⁵⁰⁰ there, which no float can hold."""
    model = seq.DiscreteHMM.from_parameters([1, 0], np.eye(2), [[0.1, 0.9], [0.9, 0.1]])
    trained = trained_from(model, [np.zeros(500, int)], 5)
    np.testing.assert_allclose(trained.emissionprob_, [[1, 0], [0.9, 0.1]])
    assert trained.trace_[-1] == pytest.approx(0, abs=1e-9)


def test_tiny_probabilities_are_not_zero():
    model = seq.DiscreteHMM.from_parameters([1.0], [[1.0]], [[0.1, 1e-305, 0.9]])
    assert model.score([[0] * 19 + [1]]) == pytest.approx(19 * np.log(0.1) + np.log(1e-305))
    model = seq.DiscreteHMM.from_parameters([1, 0], [[1, 1e-200], [0, 1]], [[1, 0], [1, 1e-200]])
    assert model.score([[0, 1]]) == pytest.approx(2 * np.log(1e-200))


# ----------------------------------------------------------------------------------------------------- training


@settings(max_examples=60)
@given(
    st.integers(1, 4),
    st.sampled_from(["ergodic", "left-to-right"]),
    st.sampled_from([0.0, 0.5, 2.0]),
    st.sampled_from([0.0, 0.1, 3.0]),
    st.sampled_from([0.0, 0.3]),
    st.integers(0, 100_000),
)
def test_the_objective_never_falls(N, topology, of_transitions, of_emissions, missing, seed):
    rng = np.random.default_rng(seed)
    sequences = [rng.integers(0, 3, size=rng.integers(1, 15)) for _ in range(rng.integers(1, 5))]
    sequences = [np.where(rng.random(len(s)) < missing, -1, s) for s in sequences]
    model = seq.DiscreteHMM(
        N,
        3,
        topology=topology,
        transition_pseudocount=of_transitions,
        emission_pseudocount=of_emissions,
        tol=1e-12,
        max_iter=30,
        rng=seed,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model.fit(sequences)
    assert np.diff(model.trace_).min() > -1e-9 * (1 + np.abs(model.trace_).max())
    for rows in (model.startprob_[None], model.transmat_, model.emissionprob_):
        np.testing.assert_allclose(rows.sum(axis=1), 1)
        assert (rows >= 0).all()
    log_prior = sum(
        weight * np.log(rows[rows > 0]).sum()
        for weight, rows in (
            (of_transitions, model.startprob_),
            (of_transitions, model.transmat_),
            (of_emissions, model.emissionprob_),
        )
        if weight
    )
    assert model.trace_[-1] == pytest.approx(model.score(sequences) + log_prior, rel=1e-9, abs=1e-9)


@quietly
def test_a_state_that_is_never_visited_keeps_its_rows():
    start = seq.DiscreteHMM.from_parameters(
        [1, 0, 0], [[0.5, 0.5, 0], [0.4, 0.6, 0], [0.1, 0.2, 0.7]], [[0.9, 0.1], [0.2, 0.8], [0.35, 0.65]]
    )
    trained = trained_from(start, [[0, 1, 1, 0, 0, 1]], 6)
    np.testing.assert_array_equal(trained.transmat_[2], [0.1, 0.2, 0.7])
    np.testing.assert_array_equal(trained.emissionprob_[2], [0.35, 0.65])


@quietly
def test_fitting_again_forgets_the_first_time():
    rng = np.random.default_rng(11)
    first, second = [rng.integers(0, 3, size=20)], [rng.integers(0, 3, size=70)]
    model = seq.DiscreteHMM(2, 3, max_iter=5).fit(first)
    again, fresh = model.set_params(max_iter=9).fit(second), seq.DiscreteHMM(2, 3, max_iter=9).fit(second)
    np.testing.assert_array_equal(again.trace_, fresh.trace_)
    assert (again.n_iter_, again.converged_) == (fresh.n_iter_, fresh.converged_)
    np.testing.assert_array_equal(again.set_params(n_states=3).fit(second).startprob_.shape, (3,))


@quietly
def test_a_fit_that_fails_leaves_the_model_as_it_was():
    known = {"startprob": [1, 0], "transmat": [[0, 1], [0, 1]], "emissionprob": [[1, 0, 0], [0, 1, 0]]}
    for model, good, impossible in (
        (seq.DiscreteHMM(2, 3, **known), [0, 1], [0, 2]),
        (seq.GaussianMixtureHMM(2, 1), [[0.0], [1], [5], [6]], [[1e200]]),
    ):
        before = dict(vars(model.fit([good])))
        for wrong in ([good, impossible], [], None):
            with pytest.raises(ValueError, match="sequences"):
                model.fit(wrong)
            assert vars(model).keys() == before.keys() and all(vars(model)[name] is before[name] for name in before)


@quietly
def test_seeds_starts_and_clones():
    rng = np.random.default_rng(12)
    sequences = [rng.integers(0, 4, size=40) for _ in range(3)]
    one, same, other = (seq.DiscreteHMM(3, 4, max_iter=4, rng=r).fit(sequences) for r in (1, 1, 2))
    np.testing.assert_array_equal(one.emissionprob_, same.emissionprob_)
    assert (one.emissionprob_ != other.emissionprob_).any()
    np.testing.assert_array_equal(clone(one).fit(sequences).trace_, one.trace_)
    rng = np.random.default_rng(5)
    single = [seq.DiscreteHMM(3, 4, max_iter=30, rng=rng).fit(sequences).trace_[-1] for _ in range(4)]
    several = seq.DiscreteHMM(3, 4, max_iter=30, n_init=4, rng=5).fit(sequences)
    assert several.trace_[-1] == max(single) > min(single)
    assert several.score(sequences) == pytest.approx(max(single), rel=1e-9)


def test_a_warning_when_the_rounds_do_not_suffice():
    rng = np.random.default_rng(13)
    sequences = [rng.integers(0, 3, size=60)]
    with pytest.warns(ConvergenceWarning, match="did not converge in 2 rounds"):
        model = seq.DiscreteHMM(2, 3, max_iter=2, tol=1e-9).fit(sequences)
    assert (model.n_iter_, model.converged_) == (2, False)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = seq.DiscreteHMM(2, 3, max_iter=5000, tol=1e-6).fit(sequences)
    gains = np.diff(model.trace_) / 60
    assert model.converged_ and gains[-1] < 1e-6 <= gains[:-1].min()


# -------------------------------------------------------------------------------------- generating, topologies


def test_samples_have_the_frequencies_of_the_model():
    rng = np.random.default_rng(14)
    model = random_model(rng, 3, 4)
    observations, states = model.sample(30_000, rng)
    assert observations.shape == states.shape == (30_000,)
    counts = np.zeros((3, 3))
    np.add.at(counts, (states[:-1], states[1:]), 1)
    np.testing.assert_allclose(counts / counts.sum(axis=1, keepdims=True), model.transmat_, atol=0.03)
    for i in range(3):
        seen = np.bincount(observations[states == i], minlength=4) / (states == i).sum()
        np.testing.assert_allclose(seen, model.emissionprob_[i], atol=0.03)
    firsts = [model.sample(1, rng).states[0] for _ in range(3000)]
    np.testing.assert_allclose(np.bincount(firsts, minlength=3) / 3000, model.startprob_, atol=0.05)
    np.testing.assert_array_equal(model.sample(9, 1).observations, model.sample(9, 1).observations)


def test_rows_that_pass_the_check_can_be_sampled():
    thirds = [0.3333334, 0.3333333, 0.3333334]
    model = seq.DiscreteHMM.from_parameters(thirds, [thirds] * 3, [thirds] * 3)
    assert len(model.sample(20, rng=0).observations) == 20


def test_mean_durations_are_those_of_the_geometric_distribution():
    model = seq.DiscreteHMM.from_parameters([0.5, 0.5], [[0.8, 0.2], [0.5, 0.5]], np.eye(2))
    p = np.diag(model.transmat_)[:, None] ** np.arange(400) * [[0.2], [0.5]]  # to stay n − 1 times, and then to leave
    np.testing.assert_allclose(p @ np.arange(1, 401), model.mean_durations_)
    np.testing.assert_allclose(model.mean_durations_, [5, 2])
    assert seq.DiscreteHMM.from_parameters([1.0], [[1.0]], [[1.0]]).mean_durations_ == np.inf


@pytest.mark.parametrize("n", [1, 2, 3, 6])
@pytest.mark.parametrize(("stay", "skip"), [(0.5, 0.0), (0.3, 0.4), (0.0, 1.0), (1.0, 0.0)])
def test_left_to_right_never_goes_back(n, stay, skip):
    A = seq.left_to_right(n, stay, skip)
    np.testing.assert_allclose(A.sum(axis=1), 1)
    assert (np.tril(A, -1) == 0).all() and (np.triu(A, 3) == 0).all() and A[-1, -1] == 1
    if n > 2:
        np.testing.assert_allclose(A[0, :3], [stay, 1 - stay - skip, skip], atol=1e-15)


@quietly
def test_left_to_right_models_learn_an_order():
    rng = np.random.default_rng(15)
    sequences = [np.repeat([0, 1, 2], rng.integers(3, 9, size=3)) for _ in range(10)]
    model = seq.DiscreteHMM(3, 3, topology="left-to-right").fit(sequences)
    assert (model.transmat_ == np.triu(np.tril(model.transmat_, 1))).all()
    np.testing.assert_array_equal(model.startprob_, [1, 0, 0])
    for path, symbols in zip(model.predict(sequences), sequences, strict=True):
        np.testing.assert_array_equal(path, symbols)
    lengths = np.array([np.bincount(s) for s in sequences])[:, :2]
    np.testing.assert_allclose(model.mean_durations_[:2], lengths.mean(axis=0), rtol=1e-3)


# -------------------------------------------------------------------------------------------- what is refused

IMPOSSIBLE = seq.DiscreteHMM.from_parameters([1, 0], [[0.5, 0.5], [0, 1]], [[1, 0, 0], [0, 1, 0]])


@pytest.mark.parametrize(
    ("symbols", "frame", "reason"),
    [
        ([2, 0], 0, "no state can emit it"),
        ([1, 0], 0, "reachable"),
        ([0, 0, 1, 0], 3, "reachable"),
        ([0, 1, 2], 2, "no state can emit it"),
        ([0, 1, -1, 0], 3, "reachable"),
    ],
)
def test_an_impossible_sequence_is_explained(symbols, frame, reason):
    with pytest.warns(seq.ImpossibleSequenceWarning, match=rf"sequences\[1\].*at frame {frame}\b.*{reason}"):
        np.testing.assert_array_equal(IMPOSSIBLE.score_samples([[0, 1], symbols]), [np.log(0.5), -np.inf])
    with pytest.warns(seq.ImpossibleSequenceWarning):
        assert IMPOSSIBLE.score([symbols]) == -np.inf
    for refuse in (
        lambda: IMPOSSIBLE.decode(symbols),
        lambda: IMPOSSIBLE.decode(symbols, by="posterior"),
        lambda: IMPOSSIBLE.predict([symbols]),
        lambda: IMPOSSIBLE.predict_proba(symbols),
    ):
        with pytest.raises(ValueError, match=f"at frame {frame}"):
            refuse()
    with pytest.raises(ValueError, match=rf"sequences\[1\].*at frame {frame}"):
        trained_from(IMPOSSIBLE, [[0, 1], symbols], 3)


def test_pseudocounts_make_the_unseen_possible():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model = seq.DiscreteHMM(2, 3, emission_pseudocount=0.5).fit([[0, 1, 0, 1, 1]])
    assert np.isfinite(model.score([[2, 2]]))


@pytest.mark.parametrize(
    ("sequences", "message"),
    [
        ([[0, 1], [0, 3]], r"sequences\[1\]\[1\] is 3.*0 … 2"),
        ([[0.5]], r"sequences\[0\]\[0\] is 0.5"),
        ([[0], []], r"sequences\[1\]"),
        ([0, 1, 2], "write \\[sequence\\]"),
        (np.array([0, 1, 2]), "write \\[sequence\\]"),
        ([[True, False]], r"sequences\[0\]"),
        ([[0, 1], [[0, 1], [1]]], r"sequences\[1\]"),
    ],
)
def test_what_is_no_list_of_symbol_sequences_is_refused(sequences, message):
    with pytest.raises(ValueError, match=message):
        FIXTURE.score(sequences)
    with pytest.raises(ValueError, match=message):
        seq.DiscreteHMM(2, 3).fit(sequences)


ONE_HOT = np.eye(3, dtype=int)[[0, 2, 1, 1, 0]]


@pytest.mark.parametrize("rows", [ONE_HOT, ONE_HOT.astype(float), ONE_HOT == 1])
@pytest.mark.parametrize(
    "call",
    [
        lambda rows: seq.DiscreteHMM(2, 3).fit(rows),
        lambda rows: seq.DiscreteHMM(2, 3).fit([rows, rows]),
        lambda rows: FIXTURE.score(rows),
        lambda rows: FIXTURE.predict([rows]),
        lambda rows: FIXTURE.decode(rows),
        lambda rows: FIXTURE.predict_proba(rows),
    ],
)
def test_one_hot_rows_are_refused_with_what_to_give(call, rows):
    """(40, 3) rows with a single 1 were read as 40 sequences of 3 symbols."""
    with pytest.raises(ValueError, match=r"one-hot.*\.argmax\(1\)"):
        call(rows)


def test_sequences_that_look_like_one_hot_rows_come_as_a_list():
    assert FIXTURE.score(list(ONE_HOT)) == pytest.approx(sum(FIXTURE.score([row]) for row in ONE_HOT))


@pytest.mark.parametrize(
    "kind", [list, tuple, np.array, lambda s: np.array(s, np.uint8), lambda s: np.array(s, float)]
)
def test_any_whole_numbers_will_do(kind):
    assert FIXTURE.score([kind([2, 0, 1]), [0]]) == FIXTURE.score([[2, 0, 1], [0]])
    np.testing.assert_array_equal(FIXTURE.decode(kind([2, 0, 1])).states, FIXTURE.decode([2, 0, 1]).states)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"startprob": [0.5, 0.4]}, "startprob sums to 0.9"),
        ({"startprob": [1.0]}, r"startprob has shape \(1,\)"),
        ({"transmat": [[1.0, 0.0], [0.5, 0.6]]}, r"transmat\[1\] sums to 1.1"),
        ({"transmat": np.eye(3)}, "transmat has shape"),
        ({"emissionprob": np.full((2, 2), 0.5)}, "emissionprob has shape"),
        ({"emissionprob": [[1.5, -0.5, 0], [1, 0, 0]]}, r"emissionprob\[0, 1\] is -0.5"),
    ],
)
def test_parameters_are_checked(options, message):
    with pytest.raises(ValueError, match=message):
        seq.DiscreteHMM(**{"n_states": 2, "n_symbols": 3, **options}).fit([[0, 1, 2, 2]])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: seq.DiscreteHMM(2, 3).decode([0]), "not fitted"),
        (lambda: seq.DiscreteHMM(2, 3).sample(4), "not fitted"),
        (lambda: FIXTURE.decode([[0, 1], [2]]), "sequence"),
        (lambda: seq.left_to_right(3, 0.8, 0.3), "stay is 0.8 and skip 0.3"),
        (lambda: seq.DiscreteHMM.from_parameters([1.0], [[1.0]], [[0.5, 0.4]]), r"emissionprob\[0\] sums to 0.9"),
        (lambda: seq.DiscreteHMM.from_parameters([1.0, 0.0], [[1.0]], [[1.0]]), "startprob has shape"),
    ],
)
def test_errors_in_use(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_rows_sum_to_one_whatever_the_precision_of_stay():
    np.testing.assert_allclose(seq.left_to_right(3, stay=np.float16(0.3)).sum(axis=1), 1.0, rtol=1e-12)


def test_with_no_tolerance_training_ends_where_nothing_grows():
    sequences = [np.random.default_rng(18).integers(0, 3, size=20)]
    with warnings.catch_warnings():
        warnings.simplefilter("error", ConvergenceWarning)
        assert seq.DiscreteHMM(2, 3, tol=0, max_iter=20_000).fit(sequences).converged_
