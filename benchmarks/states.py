"""Rows of Act I: Gaussian mixtures and hidden Markov models."""

import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from benchmarks.timing import Row
from course_lib import sequences as seq

NEVER = 1e-300  # a tolerance that no round of EM falls below


def rounds_of_em(covariance_type, points, components, rounds=5, features=13):
    """A few rounds of EM from the same start, without any floor: log likelihood, means."""
    from sklearn.mixture import GaussianMixture

    rng = np.random.default_rng(0)
    centers = 3 * rng.normal(size=(components, features))
    X = rng.normal(size=(points, features)) + centers[rng.integers(components, size=points)]
    shape = (components, features, features) if covariance_type == "full" else (components, features)
    spread = np.broadcast_to(np.eye(features) if covariance_type == "full" else np.ones(features), shape)
    start = seq.Mixture(np.full(components, 1 / components), X[:components], spread)
    ours = seq.GaussianMixture(components, covariance_type, init=start, min_variance=0.0, tol=NEVER, max_iter=rounds)
    peer = GaussianMixture(
        components,
        covariance_type=covariance_type,
        weights_init=start.weights,
        means_init=start.means,
        precisions_init=spread,
        reg_covar=0.0,
        tol=0.0,
        max_iter=rounds,
    )
    return lambda: quietly(ours.fit, X).means_, lambda: quietly(peer.fit, X).means_


def hidden_markov(lengths, states=8, symbols=64):
    """(sequences, our model, hmmlearn's model, its data) with random parameters."""
    from hmmlearn.hmm import CategoricalHMM

    rng = np.random.default_rng(0)
    chain = rng.dirichlet(np.ones(states)), rng.dirichlet(np.ones(states), states)
    B, symbols_seen = rng.dirichlet(np.ones(symbols), states), rng.integers(0, symbols, sum(lengths))
    peer = CategoricalHMM(states, implementation="scaling", init_params="", n_features=symbols, tol=0.0)
    peer.startprob_, peer.transmat_, peer.emissionprob_ = *chain, B
    some = np.split(symbols_seen, np.cumsum(lengths)[:-1])
    return some, seq.DiscreteHMM.from_parameters(*chain, B), peer, (symbols_seen[:, None], lengths)


def scoring(lengths):
    """log p(O) of all sequences."""
    some, ours, peer, data = hidden_markov(lengths)
    return lambda: ours.score(some), lambda: peer.score(*data)


def decoding(lengths):
    """Viterbi paths; what is compared is how probable they are, for equally good paths may differ."""
    some, ours, peer, data = hidden_markov(lengths)
    frames = np.concatenate(some)
    first = np.cumsum([0, *lengths[:-1]])

    def log_probability(states):
        states = np.concatenate(states) if isinstance(states, list) else states
        steps = np.log(ours.transmat_[states[:-1], states[1:]])
        steps[first[1:] - 1] = 0.0
        starts = np.log(ours.startprob_[states[first]]).sum()
        return starts + steps.sum() + np.log(ours.emissionprob_[states, frames]).sum()

    return lambda: ours.predict(some), lambda: peer.predict(*data), log_probability


def posteriors(lengths):
    """p(q_t = i | O) of one sequence."""
    (sequence,), ours, peer, data = hidden_markov(lengths)
    return lambda: ours.predict_proba(sequence), lambda: peer.predict_proba(*data)


def training(lengths, rounds=10):
    """Rounds of Baum–Welch from the same start: A and B."""
    some, ours, peer, data = hidden_markov(lengths)
    ours.set_params(max_iter=rounds, tol=NEVER)
    peer.set_params(n_iter=rounds)
    start = peer.startprob_, peer.transmat_, peer.emissionprob_

    def theirs():
        peer.startprob_, peer.transmat_, peer.emissionprob_ = start
        peer.fit(*data)
        return peer.transmat_, peer.emissionprob_

    def mine():
        fitted = quietly(ours.fit, some)
        return fitted.transmat_, fitted.emissionprob_

    return mine, theirs


def quietly(fit, *data):
    """A fit that is stopped on purpose before it has converged."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return fit(*data)


def rows(small=False):
    """The rows; `small` shrinks the inputs, to try that all results agree."""
    points, K = (2000, 2) if small else (100_000, 16)
    one, many = ([200], [20] * 10) if small else ([100_000], [100] * 1000)
    table = [
        Row(f"GMM-EM × 5, N = {points}, diag", "scikit-learn", 0.45, lambda: rounds_of_em("diag", points, K)),
        Row(f"GMM-EM × 5, N = {points}, full", "scikit-learn", 0.35, lambda: rounds_of_em("full", points, K)),
    ]
    for title, work, goal in (
        ("forward", scoring, 0.65),
        ("Viterbi", decoding, 0.4),
        ("Baum–Welch × 10", training, 0.25),
    ):
        for lengths in (one, many):
            name = f"HMM {title}, {len(lengths)} × {lengths[0]}"
            table.append(Row(name, "hmmlearn", goal, lambda work=work, lengths=lengths: work(lengths)))
    table.append(Row(f"HMM posteriors, 1 × {one[0]}", "hmmlearn", 0.65, lambda: posteriors(one)))
    return table
