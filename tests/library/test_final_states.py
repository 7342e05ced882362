"""Hidden Markov models that must end in certain states, against every state sequence that ends there."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.exceptions import ConvergenceWarning

from course_lib import sequences as seq
from tests.library.oracles import AllStateSequences, random_rows

pytestmark = pytest.mark.filterwarnings("error::RuntimeWarning")


class Ending(AllStateSequences):
    """Only the state sequences that end in one of some states."""

    def __init__(self, startprob, transmat, log_emission, final_states):
        super().__init__(startprob, transmat, log_emission)
        self.log_joint[~np.isin(self.paths[:, -1], final_states)] = -np.inf


def discrete(rng, N, zeros, final_states):
    rows = random_rows(rng, N, zeros=zeros), random_rows(rng, N, N, zeros=zeros), random_rows(rng, N, 3, zeros=zeros)
    return seq.DiscreteHMM.from_parameters(*rows, final_states=final_states)


def densities(rng, N, final_states):
    parameters = np.ones((N, 1)), 2 * rng.normal(size=(N, 1, 2)), rng.uniform(0.5, 2, size=(N, 1, 2))
    chain = random_rows(rng, N), random_rows(rng, N, N, zeros=0.3)
    return seq.GaussianMixtureHMM.from_parameters(*chain, *parameters, final_states=final_states)


def log_emission(model, sequence):
    if isinstance(model, seq.GaussianMixtureHMM):
        return model.log_emission(sequence)
    with np.errstate(divide="ignore"):
        return np.log(np.vstack([model.emissionprob_.T, np.ones(model.n_states)]))[sequence]


def every_path(model, sequence, final_states):
    return Ending(model.startprob_, model.transmat_, log_emission(model, sequence), final_states)


def check_against(every, model, sequence):
    if every.log_likelihood == -np.inf:
        with pytest.warns(seq.ImpossibleSequenceWarning):
            assert model.score([sequence]) == -np.inf
        for refuse in (lambda: model.decode(sequence), lambda: model.predict_proba(sequence)):
            with pytest.raises(ValueError, match="has probability 0"):
                refuse()
        return
    assert model.score([sequence]) == pytest.approx(every.log_likelihood, rel=1e-10, abs=1e-12)
    found = model.decode(sequence)
    assert found.log_probability == pytest.approx(every.best[1], rel=1e-10, abs=1e-12)
    assert every.log_joint[(every.paths == found.states).all(axis=1)][0] == pytest.approx(every.best[1], abs=1e-12)
    np.testing.assert_array_equal(model.predict([sequence])[0], found.states)
    np.testing.assert_allclose(model.predict_proba(sequence), every.posteriors, atol=1e-10)
    one_by_one = model.decode(sequence, by="posterior")
    joint = every.log_joint[(every.paths == one_by_one.states).all(axis=1)][0]
    assert one_by_one.log_probability == (joint if joint == -np.inf else pytest.approx(joint, abs=1e-12))


@settings(max_examples=80)
@given(st.integers(1, 4), st.integers(1, 5), st.sampled_from([0.0, 0.4]), st.integers(0, 100_000))
def test_symbols_by_enumeration(N, T, zeros, seed):
    rng = np.random.default_rng(seed)
    final_states = rng.choice(N, rng.integers(1, N + 1), replace=False)
    model, symbols = discrete(rng, N, zeros, final_states), rng.integers(-1, 3, size=T)
    check_against(every_path(model, symbols, final_states), model, symbols)


@settings(max_examples=30)
@given(st.integers(1, 4), st.integers(1, 5), st.integers(0, 100_000))
def test_densities_by_enumeration(N, T, seed):
    rng = np.random.default_rng(seed)
    final_states = rng.choice(N, rng.integers(1, N + 1), replace=False).tolist()
    model, X = densities(rng, N, final_states), 2 * rng.normal(size=(T, 2))
    if T > 2:
        X[T // 2] = np.nan
    check_against(every_path(model, X, final_states), model, X)


@pytest.mark.parametrize("final_states", [2, [0, 2], np.array([1])])
def test_a_round_of_training_by_enumeration(final_states):
    rng = np.random.default_rng(1)
    model = discrete(rng, 3, 0.0, final_states)
    sequences = [rng.integers(-1, 3, size=n) for n in (5, 1, 4, 2)]
    starts, transitions, emissions = np.zeros(3), np.zeros((3, 3)), np.zeros((3, 3))
    for one in sequences:
        every = every_path(model, one, final_states)
        starts += every.posteriors[0]
        transitions += every.transitions
        for gamma, symbol in zip(every.posteriors, one, strict=True):
            emissions[:, symbol] += gamma if symbol >= 0 else 0
    start = {"startprob": model.startprob_, "transmat": model.transmat_, "emissionprob": model.emissionprob_}
    found = seq.DiscreteHMM(3, 3, **start, final_states=final_states, max_iter=1)
    with pytest.warns(ConvergenceWarning):
        found.fit(sequences)
    np.testing.assert_allclose(found.startprob_, starts / starts.sum(), atol=1e-10)
    np.testing.assert_allclose(found.transmat_, transitions / transitions.sum(axis=1, keepdims=True), atol=1e-10)
    np.testing.assert_allclose(found.emissionprob_, emissions / emissions.sum(axis=1, keepdims=True), atol=1e-10)
    assert found.trace_[0] == pytest.approx(model.score(sequences), rel=1e-12)
    assert found.trace_[1] == pytest.approx(found.score(sequences), rel=1e-12)


def test_a_round_of_training_densities_by_enumeration():
    rng = np.random.default_rng(2)
    sequences = [rng.normal(size=(n, 1)) + np.arange(n)[:, None] for n in (6, 4, 5)]
    model = seq.GaussianMixtureHMM(2, final_states=1, max_iter=1, tol=1e-300)
    before = seq.GaussianMixtureHMM(2, max_iter=1, tol=1e99).fit(sequences)
    chain = before.startprob_, before.transmat_
    with pytest.warns(ConvergenceWarning):
        model.set_params(startprob=chain[0], transmat=chain[1]).fit(sequences)
    frames, start = seq.density_hmm.read_frames(sequences), seq.GaussianMixtureHMM(2, final_states=1)
    start._start(frames, np.random.default_rng(0))
    start.startprob_, start.transmat_ = chain
    each = [every_path(start, one, [1]).posteriors for one in sequences]
    assert all(gamma[-1, 0] == 0 for gamma in each)
    gamma, X = np.concatenate(each), np.concatenate(sequences)
    np.testing.assert_allclose(model.means_[:, 0], gamma.T @ X / gamma.sum(axis=0)[:, None], rtol=1e-9)


def test_a_state_that_first_seems_hopeless_is_not_lost():
    """To end in state 0, one must have been there through 400 frames that speak against it."""
    model = seq.DiscreteHMM.from_parameters([1, 0], [[0.999, 0.001], [0, 1]], [[0.9, 0.1], [0.1, 0.9]], final_states=0)
    symbols = np.repeat([0, 1], [50, 400])
    expected = 449 * np.log(0.999) + 50 * np.log(0.9) + 400 * np.log(0.1)
    assert model.score([symbols]) == pytest.approx(expected, rel=1e-12)
    np.testing.assert_array_equal(model.predict_proba(symbols), np.eye(2)[np.zeros(450, int)])
    assert model.decode(symbols).log_probability == pytest.approx(expected, rel=1e-12)


def test_samples_are_those_that_happen_to_end_there():
    model = discrete(np.random.default_rng(4), 3, 0.3, [1])
    every = every_path(model, np.full(4, -1), [1])  # four days that tell nothing: the paths alone
    rng = np.random.default_rng(5)
    drawn = Counter(tuple(model.sample(4, rng).states.tolist()) for _ in range(600))
    assert sum(drawn[tuple(path.tolist())] for path in every.paths) == 600
    for path, p in zip(every.paths, np.exp(every.log_joint - every.log_likelihood), strict=True):
        assert drawn[tuple(path.tolist())] / 600 == pytest.approx(p, abs=5 * np.sqrt(p / 600))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: discrete(np.random.default_rng(0), 3, 0.0, 3), r"final_states\[0\] is 3; the states are 0 … 2"),
        (lambda: discrete(np.random.default_rng(0), 3, 0.0, []), "final_states"),
        (lambda: densities(np.random.default_rng(0), 3, [-1]), r"final_states\[0\] is -1"),
        (lambda: seq.GaussianMixtureHMM(2, final_states=2).fit([np.ones((4, 1))]), "final_states"),
        (
            lambda: seq.GaussianMixtureHMM(5, final_states=4).fit(
                [np.random.default_rng(0).normal(size=(9, 1))] * 2 + [np.ones((3, 1))]
            ),
            r"sequences\[2\] has probability 0 .* no path of 3 frames ends in final_states=4",
        ),
        (
            lambda: seq.DiscreteHMM.from_parameters([1, 0], [[0, 1], [1, 0]], np.eye(2), 1).decode([0, 1, 0]),
            "no path of 3 frames ends in final_states=1",
        ),
        (
            lambda: seq.DiscreteHMM.from_parameters([1, 0], [[0, 1], [1, 0]], np.eye(2), 1).sample(3),
            "length is 3: no path of so many frames ends in final_states=1",
        ),
    ],
)
def test_errors_name_the_argument(call, message):
    with pytest.raises(ValueError, match=message):
        call()
