"""Homework 04: the numbers in its checks, the fixtures of its mistakes, the claims of its model answers."""

import numpy as np
import pytest

from tests.homework import graded
from tests.homework.bank_tests import BankTests, judged

CHECKS, bank = graded.checks("04_hmm"), graded.bank("04_hmm")
chains = bank.models
TASKS = {task.name: task for task in CHECKS.homework.tasks}
ENUMERABLE = 8


def short(name):
    """The cases of a task whose state sequences can all be written down."""
    return [case for case in TASKS[name].cases if len(case.inputs[3]) < ENUMERABLE]


def probability(*given):
    """P(O), over all state sequences."""
    return sum(chains.joint_probabilities(*given).values())


def models():
    """(case, transmat, sequences) of every case with a whole model."""
    for name in ("lost", "predict", "align", "transitions", "kbest"):
        for case in TASKS[name].cases:
            given = case.inputs[3]
            yield f"{name}: {case.name}", case.inputs[1], given if isinstance(given, list) else [given]


# ------------------------------------------------------------------------------------------ the numbers in the checks


def test_likelihoods_agree_with_all_paths():
    for case in short("lost"):
        assert np.log(probability(*case.inputs)) == pytest.approx(case.expected, abs=1e-9), case.name


def test_predictions_agree_with_all_paths():
    for case in short("predict"):
        *model, sequence = case.inputs
        longer = [probability(*model, [*sequence, k]) for k in range(model[2].shape[1])]
        np.testing.assert_allclose(case.expected, np.array(longer) / probability(*case.inputs), atol=1e-9)


def test_alignments_agree_with_all_paths_and_are_not_tied():
    for case in short("align"):
        *given, last = case.inputs
        ending = {path: p for path, p in chains.joint_probabilities(*given).items() if path[-1] == last and p > 0}
        best, *others = sorted(ending, key=ending.get, reverse=True)
        np.testing.assert_array_equal(case.expected, best)
        assert not others or ending[best] > 1.1 * ending[others[0]], case.name


def test_counts_agree_with_all_paths():
    for case in TASKS["transitions"].cases:
        if max(map(len, case.inputs[3])) < ENUMERABLE:
            np.testing.assert_allclose(case.expected, bank.transitions.by_enumeration(*case.inputs), atol=1e-9)


def test_best_paths_agree_with_all_paths_and_are_not_tied():
    for case in short("kbest"):
        paths, values = bank.kbest.by_enumeration(*case.inputs)
        np.testing.assert_array_equal(case.expected[0], paths)
        np.testing.assert_allclose(case.expected[1], values, atol=1e-9)


@pytest.mark.parametrize("case", TASKS["kbest"].cases, ids=lambda case: case.name)
def test_gaps_between_the_best_paths(case):
    """One path more than is asked for: neighbours differ by more than 5 %."""
    *given, k = case.inputs
    values = bank.kbest.right_answer(*given, k + 1)[1]
    assert (np.diff(values) < -0.05).all()


@pytest.mark.parametrize("case", TASKS["join"].cases, ids=lambda case: case.name)
def test_a_joined_word_says_one_word_and_then_the_other(case):
    """P(O, and the pair is left) is the sum over all boundaries of the two words' own probabilities."""

    def said(word, symbols):
        return chains.forward(*word, symbols)[-1] @ bank.join.leaving(word) if len(symbols) else 0.0

    first, second = case.inputs
    sequence = np.array([1, 0, 1, 1])
    boundaries = sum(said(first, sequence[:t]) * said(second, sequence[t:]) for t in range(5))
    assert said(case.expected, sequence) == pytest.approx(boundaries)


def test_joining_is_associative():
    words = [CHECKS.HURRIED, CHECKS.SHORT, CHECKS.ONE_B]
    pair = bank.join.right_answer
    one, other = pair(pair(*words[:2]), words[2]), pair(words[0], pair(*words[1:]))
    for a, b in zip(one, other, strict=True):
        np.testing.assert_allclose(a, b, atol=1e-12)


# ------------------------------------------------------------------------------------------------ what it is worth

HALF_THE_TASK = {
    ("kbest", "brute force"): (0, 0),
    ("kbest", "all paths"): (0, 0),
    ("kbest", "beam of 3k"): (0, 5.5),
    ("kbest", "products"): (4, 6),
    ("lost", "unscaled"): (2, 2.5),
    ("predict", "divided at the end"): (2.5, 3),
    ("align", "products"): (2.5, 3.5),
    ("align", "ends in N − 1"): (0, 3),
    ("transitions", "unscaled"): (3, 3.5),
}


@pytest.mark.parametrize(("task", "mistake"), HALF_THE_TASK, ids=map(": ".join, HALF_THE_TASK))
def test_points_lie_where_the_point_of_a_task_lies(task, mistake):
    """Who cannot do long sequences has done half of it, and who lists all paths has not done it."""
    least, most = HALF_THE_TASK[task, mistake]
    assert least <= judged("04_hmm", task, mistake)[2] <= most


# ------------------------------------------------------------------------------------------------------ traps


def test_no_case_hides_a_mistake():
    """No sequence begins with symbol 0, no matrix is symmetric or doubly stochastic."""
    for name, transmat, sequences in models():
        assert all(sequence[0] != 0 for sequence in sequences), name
        assert np.abs(transmat - transmat.T).max() > 0.05, name
        assert np.abs(transmat.sum(axis=0) - 1).max() > 0.05, name


# ---------------------------------------------------------------------------------- what the notebook tells


def test_the_right_words_in_the_right_order_are_more_probable():
    """Of the pairs of recordings in the notebook, all but a few."""
    source = next(cell.source for cell in graded.notebook("04_hmm").cells if "def flat_start" in cell.source)
    names = {}
    exec("import numpy as np\nfrom sklearn.cluster import KMeans\n", names)
    exec(f"from course_lib.datasets import load_spoken_digits\n{source}", names)
    test, words, rng = names["test"], names["words"], np.random.default_rng(4)
    won = 0
    for i in rng.choice(len(test), 100, replace=False):
        j = rng.choice(np.flatnonzero(test.labels != test.labels[i]))
        pair = np.concatenate([names["quantised"](test.sequences[k]) for k in (i, j)])
        one, two = words[test.labels[i]], words[test.labels[j]]
        scores = [
            chains.log_viterbi(*bank.join.right_answer(*order), pair)[0][-1, -1] for order in ((one, two), (two, one))
        ]
        won += scores[0] > scores[1]
    assert won >= 95


def test_model_answer_of_letter_1():
    model = np.array([0.4, 0.3, 0.3]), np.array([[1.0, 0, 0], [0, 1, 0], [0, 1, 0]]), np.ones((3, 1))
    sequence = np.array([0, 0])
    paths = {path: p for path, p in chains.joint_probabilities(*model, sequence).items() if p > 0}
    assert paths == pytest.approx({(0, 0): 0.4, (1, 1): 0.3, (2, 1): 0.3})
    gamma = chains.posteriors(*model, sequence)
    np.testing.assert_allclose(gamma, [[0.4, 0.3, 0.3], [0.4, 0.6, 0.0]])
    most_probable = tuple(gamma.argmax(axis=1))
    assert most_probable == (0, 1)
    assert most_probable not in paths
    assert gamma.max(axis=1).sum() == pytest.approx(1.0)
    assert gamma[:, 0].sum() == pytest.approx(0.8)


def em_step(startprob, transmat, emissionprob, sequence):
    """One step of Baum–Welch for a short sequence, all three parameters."""
    given = startprob, transmat, emissionprob, sequence
    gamma = chains.posteriors(*given)
    emitted = np.array([gamma[sequence == k].sum(axis=0) for k in range(emissionprob.shape[1])]).T
    return (
        gamma[0],
        bank.transitions.to_rows(chains.posteriors_of_pairs(*given).sum(axis=0)),
        bank.transitions.to_rows(emitted),
    )


def test_model_answer_of_letter_2():
    sequence = np.array([2, 0, 2, 1, 2])
    uniform = np.full(2, 1 / 2), np.full((2, 2), 1 / 2), np.full((2, 3), 1 / 3)
    np.testing.assert_allclose(chains.posteriors(*uniform, sequence), 1 / 2)
    np.testing.assert_allclose(chains.posteriors_of_pairs(*uniform, sequence), 1 / 4)
    assert np.log(probability(*uniform, sequence)) == pytest.approx(-5.493, abs=5e-4)
    first = em_step(*uniform, sequence)
    second = em_step(*first, sequence)
    for model in (first, second):
        for got, claimed in zip(model, (1 / 2, 1 / 2, [[0.2, 0.2, 0.6]] * 2), strict=True):
            np.testing.assert_allclose(got, claimed)
        assert np.log(probability(*model, sequence)) == pytest.approx(-4.751, abs=5e-4)
    model = uniform[0], uniform[1], np.array([[0.3, 0.3, 0.4], [0.4, 0.3, 0.3]])
    for _ in range(200):
        model = em_step(*model, sequence)
    for got, claimed in zip(model, ([1, 0], [[0, 1], [1, 0]], [[0, 0, 1], [0.5, 0.5, 0]]), strict=True):
        np.testing.assert_allclose(got, claimed, atol=1e-6)
    assert probability(*model, sequence) == pytest.approx(1 / 4)


def test_the_fixed_point_of_letter_2_has_no_slope():
    sequence = np.array([2, 0, 2, 1, 2])
    rng = np.random.default_rng(4)
    point = np.full(2, 1 / 2), np.full((2, 2), 1 / 2), np.array([[0.2, 0.2, 0.6]] * 2)
    for _ in range(5):
        along = [rng.normal(size=part.shape) for part in point]
        along = [step - step.mean(axis=-1, keepdims=True) for step in along]
        ahead, behind = (
            np.log(probability(*(part + h * step for part, step in zip(point, along, strict=True)), sequence))
            for h in (1e-5, -1e-5)
        )
        assert (ahead - behind) / 2e-5 == pytest.approx(0, abs=1e-6)


def test_left_to_right_zeros_tell_the_states_apart():
    sequence = np.array([2, 0, 2, 1, 2])
    model = np.array([1.0, 0]), np.array([[0.7, 0.3], [0, 1]]), np.full((2, 3), 1 / 3)
    emissionprob = em_step(*model, sequence)[2]
    assert np.abs(emissionprob[0] - emissionprob[1]).max() > 0.05


class TestBank(BankTests):
    name = "04_hmm"
