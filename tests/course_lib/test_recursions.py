"""The recursions against every state sequence there is."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from course_lib import sequences as seq
from course_lib.sequences import recursions
from course_lib.sequences.hmm import plain_viterbi
from tests.course_lib.oracles import AllStateSequences, random_rows

PI, A = np.array([0.6, 0.4]), np.array([[0.7, 0.3], [0.4, 0.6]])
B = np.array([[0.1, 0.4, 0.5], [0.7, 0.2, 0.1]])


def random_chain(rng, N, T, zeros):
    with np.errstate(divide="ignore"):
        log_emission = np.log(random_rows(rng, N, T, zeros=zeros).T * 3)
    return random_rows(rng, N, zeros=zeros), random_rows(rng, N, N, zeros=zeros), log_emission


@settings(max_examples=150)
@given(st.integers(1, 3), st.integers(1, 6), st.sampled_from([0.0, 0.3, 0.6]), st.integers(0, 100_000))
def test_every_recursion_is_a_sum_or_maximum_over_all_state_sequences(N, T, zeros, seed):
    chain = random_chain(np.random.default_rng(seed), N, T, zeros)
    every = AllStateSequences(*chain)
    log_likelihood, log_alpha = seq.forward(*chain)
    if every.log_likelihood == -np.inf:
        assert log_likelihood == -np.inf
        for recursion in (seq.viterbi, seq.posteriors, seq.expected_transitions):
            with pytest.raises(ValueError, match="log_emission"):
                recursion(*chain)
        with pytest.raises(ValueError, match="no state can produce frame"):
            seq.scaled_forward(chain[0], chain[1], np.exp(chain[2]))
        return
    assert log_likelihood == pytest.approx(every.log_likelihood, abs=1e-10)
    states, log_probability = seq.viterbi(*chain)
    assert log_probability == pytest.approx(every.best[1], abs=1e-10)
    row = (every.paths == states).all(axis=1)
    assert every.log_joint[row][0] == pytest.approx(every.best[1], abs=1e-10)
    np.testing.assert_allclose(seq.posteriors(*chain), every.posteriors, atol=1e-10)
    np.testing.assert_allclose(seq.expected_transitions(*chain), every.transitions, atol=1e-10)
    for t in range(T):
        prefix = AllStateSequences(chain[0], chain[1], chain[2][: t + 1])
        for j in range(N):
            ends_in_j = np.exp(prefix.log_joint[prefix.paths[:, -1] == j]).sum()
            assert np.exp(log_alpha[t, j]) == pytest.approx(ends_in_j, rel=1e-9, abs=1e-300)


def test_of_equal_ways_the_best_path_takes_the_lowest_state():
    for last in range(5):
        log_emission = np.where((np.arange(3)[:, None] < 2) | (np.arange(5) == last), 0.0, -np.inf)
        assert seq.viterbi(np.full(5, 0.2), np.full((5, 5), 0.2), log_emission).states.tolist() == [0, 0, last]


@settings(max_examples=60)
@given(st.integers(1, 9), st.integers(1, 40), st.sampled_from([0.0, 0.4]), st.integers(0, 100_000))
def test_scaled_and_logarithmic_forms_are_one(N, T, zeros, seed):
    """α̂_t = α_t / Σ α_t and Σ log c_t = log p(O); N from 1 to 9 holds every remainder of the padding."""
    chain = random_chain(np.random.default_rng(seed), N, T, zeros)
    log_likelihood, log_alpha = seq.forward(*chain)
    if log_likelihood == -np.inf:
        return
    scaled, scales = seq.scaled_forward(chain[0], chain[1], np.exp(chain[2]))
    assert scaled.shape == (T, N)
    alpha = np.exp(log_alpha - log_alpha.max(axis=1, keepdims=True))
    np.testing.assert_allclose(scaled, alpha / alpha.sum(axis=1, keepdims=True), atol=1e-12)
    assert np.log(scales).sum() == pytest.approx(log_likelihood, rel=1e-10, abs=1e-10)


@settings(max_examples=60)
@given(st.integers(1, 4), st.integers(1, 6), st.sampled_from([0.0, 0.4]), st.integers(0, 100_000))
def test_the_plain_tables_are_what_the_logarithms_are_of(N, T, zeros, seed):
    chain = random_chain(np.random.default_rng(seed), N, T, zeros)
    found = seq.trellis(chain[0], chain[1], np.exp(chain[2]))
    np.testing.assert_allclose(found.alpha, np.exp(seq.forward(*chain)[1]), rtol=1e-9, atol=1e-300)
    np.testing.assert_allclose(found.beta, np.exp(seq.backward(*chain[1:])), rtol=1e-9, atol=1e-300)
    if found.delta[-1].any():
        states = plain_viterbi(chain[0], chain[1], np.exp(chain[2]))[1]
        np.testing.assert_array_equal(states, seq.viterbi(*chain).states)
    for t in range(T):
        prefix = AllStateSequences(chain[0], chain[1], chain[2][: t + 1])
        for j in range(N):
            best = np.exp(prefix.log_joint[prefix.paths[:, -1] == j]).max()
            assert found.delta[t, j] == pytest.approx(best, rel=1e-9, abs=1e-300)


@settings(max_examples=40)
@given(st.integers(2, 6), st.integers(2, 25), st.sampled_from([0.0, 0.3]), st.integers(0, 100_000))
def test_forward_and_backward_meet_anywhere(N, T, zeros, seed):
    """Σ_i α_t(i) β_t(i) = p(O) at every t, and transitions and posteriors count the same visits."""
    chain = random_chain(np.random.default_rng(seed), N, T, zeros)
    log_likelihood, log_alpha = seq.forward(*chain)
    if log_likelihood == -np.inf:
        return
    both = log_alpha + seq.backward(*chain[1:]) - log_likelihood
    np.testing.assert_allclose(np.exp(both).sum(axis=1), 1, rtol=1e-9)
    gamma, transitions = seq.posteriors(*chain), seq.expected_transitions(*chain)
    np.testing.assert_allclose(transitions.sum(axis=1), gamma[:-1].sum(axis=0), atol=1e-9)
    np.testing.assert_allclose(transitions.sum(axis=0), gamma[1:].sum(axis=0), atol=1e-9)


@settings(max_examples=150)
@given(
    st.integers(1, 6),
    st.sampled_from([0.0, 0.3, 0.6]),
    st.sampled_from([1.0, 30.0, 1000.0]),
    st.integers(0, 100_000),
)
def test_many_sequences_at_once_equal_the_exact_recursions(N, zeros, spread, seed):
    """Also where states are lost by underflow: frames differ between states by factors of up to e^spread."""
    rng = np.random.default_rng(seed)
    bounds = np.cumsum([0, *rng.integers(1, 60, 3)])
    startprob, transmat, log_emission = random_chain(rng, N, bounds[-1], zeros / 2)
    log_emission = log_emission + spread * rng.normal(size=log_emission.shape)
    emissions = recursions.Emissions(log_emission, np.arange(len(log_emission)), bounds)
    found, gamma, transitions = recursions.expectations(startprob, transmat, emissions)
    np.testing.assert_allclose(recursions.log_likelihoods(startprob, transmat, emissions), found, rtol=1e-12)
    total = np.zeros((N, N))
    for s, one in enumerate(np.split(log_emission, bounds[1:-1])):
        assert found[s] == pytest.approx(seq.forward(startprob, transmat, one)[0], rel=1e-10, abs=1e-9)
        expected = 0.0
        if found[s] > -np.inf:
            expected = seq.posteriors(startprob, transmat, one)
            total += seq.expected_transitions(startprob, transmat, one)
        np.testing.assert_allclose(gamma[bounds[s] : bounds[s + 1]], expected, atol=1e-9)
    np.testing.assert_allclose(transitions, total, atol=1e-8)


def test_forward_fixture():
    log_likelihood, _ = seq.forward(PI, A, np.log(B.T[[2, 0, 1, 0, 2]]))
    assert np.exp(log_likelihood) == pytest.approx(0.00291054, abs=5e-9)
    assert log_likelihood == pytest.approx(AllStateSequences(PI, A, np.log(B.T[[2, 0, 1, 0, 2]])).log_likelihood)


def test_viterbi_fixture_and_the_states_that_are_best_one_by_one():
    chain = (
        [0.4, 0.6],
        [[0.9, 0.1], [0.2, 0.8]],
        np.log(np.array([[0.6, 0.3, 0.1], [0.1, 0.3, 0.6]]).T[[1, 2, 0, 2, 1, 0]]),
    )
    assert seq.viterbi(*chain).states.tolist() == [1, 1, 0, 0, 0, 0]
    assert seq.posteriors(*chain).argmax(axis=1).tolist() == [1, 1, 0, 1, 0, 0]


def test_equal_paths_go_to_the_lowest_state():
    chain = np.full(3, 1 / 3), np.full((3, 3), 1 / 3), np.zeros((5, 3))
    assert seq.viterbi(*chain).states.tolist() == [0] * 5


def test_densities_may_be_above_one_and_differ_hugely():
    """Logarithms of ±10⁵, which no probability could hold."""
    rng = np.random.default_rng(0)
    log_emission = 1e5 * rng.normal(size=(6, 3))
    chain = random_rows(rng, 3), random_rows(rng, 3, 3), log_emission
    every = AllStateSequences(*chain)
    assert seq.forward(*chain)[0] == pytest.approx(every.log_likelihood, rel=1e-12)
    np.testing.assert_array_equal(seq.viterbi(*chain).states, every.best[0])
    np.testing.assert_allclose(seq.posteriors(*chain), every.posteriors, atol=1e-9)
    np.testing.assert_allclose(seq.expected_transitions(*chain), every.transitions, atol=1e-9)


def test_the_plain_product_underflows_where_these_do_not():
    rng = np.random.default_rng(1)
    symbols = rng.integers(0, 3, size=2000)
    emission = B.T[symbols]
    assert seq.trellis(PI, A, emission).alpha[-1].sum() == 0
    log_likelihood, _ = seq.forward(PI, A, np.log(emission))
    assert np.isfinite(log_likelihood)
    assert np.log(seq.scaled_forward(PI, A, emission)[1]).sum() == pytest.approx(log_likelihood, rel=1e-12)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: seq.forward([0.5, 0.5], A, np.zeros((3, 3))), "startprob has shape"),
        (lambda: seq.forward(PI, np.eye(3), np.zeros((3, 2))), "transmat has shape"),
        (lambda: seq.forward(PI, A, np.zeros(3)), "log_emission has shape"),
        (lambda: seq.forward(PI, A, np.empty((0, 2))), "log_emission has shape"),
        (lambda: seq.forward(PI, A, [[np.nan, 0.0]]), "log_emission holds NaN"),
        (lambda: seq.forward(PI, A, [[np.inf, 0.0]]), r"\+inf"),
        (lambda: seq.forward(PI, A, "HHUH"), "log_emission"),
        (lambda: seq.forward([0.5, 0.6], A, np.zeros((3, 2))), "startprob sums to 1.1"),
        (lambda: seq.forward([-0.5, 1.5], A, np.zeros((3, 2))), r"startprob\[0\] is -0.5"),
        (lambda: seq.forward(PI, [[0.5, 0.5], [0.3, 0.6]], np.zeros((3, 2))), r"transmat\[1\] sums to 0.9"),
        (lambda: seq.forward([np.nan, 1.0], A, np.zeros((3, 2))), r"startprob\[0\] is nan"),
        (lambda: seq.backward(A, 5.0), "log_emission has shape"),
        (lambda: seq.backward(A, np.empty((3, 0))), "log_emission has shape"),
        (lambda: seq.backward(np.eye(3), np.zeros((3, 2))), "transmat has shape"),
        (lambda: seq.scaled_forward(PI, A, [[-0.1, 0.5]]), r"emission\[0, 0\] is -0.1|^emission holds"),
        (lambda: seq.scaled_forward(PI, A, [[0.1, 0.5], [0.0, 0.0]]), "frame 1"),
        (lambda: seq.viterbi(PI, A, [[-np.inf, -np.inf]]), "no state sequence"),
    ],
)
def test_errors_name_the_argument(call, message):
    with pytest.raises(ValueError, match=message):
        call()
