"""Strings of words: spliced from recordings, and their errors counted."""

from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import norm

from course_lessons.hmm.spliced import spliced_strings
from course_lessons.hmm.word_errors import word_error_rate, word_errors
from course_lib import datasets


@pytest.fixture(scope="module")
def digits():
    return datasets.load_spoken_digits()


@pytest.mark.parametrize("length", [4, (2, 6)])
def test_spliced_strings_are_recordings_of_one_speaker_end_to_end(digits, length):
    _, test = digits.official_split()
    strings = spliced_strings(test, 40, length, rng=0)
    where = {sequence.tobytes(): i for i, sequence in enumerate(test.sequences)}
    assert len(where) == len(test)
    used = []
    for string in strings:
        assert (string.bounds[0], string.bounds[-1]) == (0, len(string.sequence))
        said = [where[piece.tobytes()] for piece in np.split(string.sequence, string.bounds[1:-1])]
        assert string.words.tolist() == test.labels[said].tolist()
        assert len(np.unique(test.speakers[said])) == 1
        used += said
    assert len(used) == len(set(used))
    lengths = {len(string.words) for string in strings}
    assert lengths == ({4} if length == 4 else {2, 3, 4, 5, 6})
    again = spliced_strings(test, 40, length, rng=0)
    assert all(np.array_equal(a.sequence, b.sequence) for a, b in zip(strings, again, strict=True))


def test_spliced_strings_use_up_the_recordings_and_then_say_so(digits):
    few = digits.select(np.flatnonzero((digits.takes < 1) & (digits.labels < 7)))  # seven by each of six speakers
    strings = spliced_strings(few, 12, (1, 3), rng=1)
    assert len(strings) == 12 == len(spliced_strings(few, None, (1, 3), rng=1))
    with pytest.raises(ValueError, match="n_strings is 13, but 42 recordings make only 12 strings of up to 3 words"):
        spliced_strings(few, 13, (1, 3), rng=1)
    with pytest.raises(ValueError, match="make only 0 strings"):
        spliced_strings(few, None, 8, rng=1)
    vowels = datasets.load_japanese_vowels().train
    assert len(spliced_strings(vowels, 90, 3, rng=0)) == 90


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        ((3, (4, 2)), "length"),
        ((3, (1, 2, 3)), "length"),
    ],
)
def test_spliced_strings_explain_what_is_wrong(digits, arguments, name):
    with pytest.raises(ValueError, match=name):
        spliced_strings(digits, *arguments, rng=0)


def cheapest(reference, hypothesis):
    """(errors, −right, substitutions, insertions, deletions): the least of all ways, by recursion from the front."""

    @cache
    def rest(i, j):
        if i == len(reference) and j == len(hypothesis):
            return 0, 0, 0, 0, 0
        ways = []
        if i < len(reference) and j < len(hypothesis):
            same = reference[i] == hypothesis[j]
            ways.append(np.add(rest(i + 1, j + 1), (not same, -int(same), not same, 0, 0)))
        if j < len(hypothesis):
            ways.append(np.add(rest(i, j + 1), (1, 0, 0, 1, 0)))
        if i < len(reference):
            ways.append(np.add(rest(i + 1, j), (1, 0, 0, 0, 1)))
        return min(tuple(map(int, way)) for way in ways)

    return rest(0, 0)


words_of_three = st.lists(st.integers(0, 2), max_size=7)


@settings(max_examples=300)
@given(words_of_three.filter(len), words_of_three)
def test_word_errors_are_those_of_the_cheapest_way(reference, hypothesis):
    errors, minus_right, *kinds = cheapest(tuple(reference), tuple(hypothesis))
    found = word_errors(reference, hypothesis)
    assert list(found) == [*kinds, len(reference)]
    assert found.total == errors
    assert len(reference) - found.substitutions - found.deletions == -minus_right
    texts = word_errors(np.array(reference).astype(str), [str(word) for word in hypothesis])
    assert texts == found


def test_the_rate_is_of_the_corpus_and_may_exceed_one():
    references, hypotheses = [["a"], ["a", "b", "c", "d"]], [["b", "c", "d"], ["a", "b", "c", "d"]]
    found = word_error_rate(references, hypotheses)
    assert found.estimate == pytest.approx(3 / 5)  # not the mean of 3 and 0
    assert found.errors == (1, 2, 0, 5)
    assert word_error_rate([["a"]], [["b", "c"]]).estimate == 2.0
    assert str(word_error_rate([["a", "b"]] * 20, [["a", "b"]] * 20)) == "0.000 [0.000, 0.096]"


def test_ends_of_the_word_error_interval_solve_its_equation():
    rng = np.random.default_rng(0)
    references = [["a"] * n for n in rng.integers(2, 9, size=30)]
    hypotheses = [["a" if right else "b" for right in rng.random(len(r)) < rng.beta(1, 0.5)] for r in references]
    found = word_error_rate(references, hypotheses, confidence=0.9)
    e = np.array(
        [sum(a != b for a, b in zip(*pair, strict=True)) for pair in zip(references, hypotheses, strict=True)]
    )
    n = np.array([len(r) for r in references])
    rate = e.sum() / n.sum()
    variance = np.var(e - rate * n, ddof=1) * len(n)
    overdispersion = variance / e.sum()
    assert overdispersion > 1
    for r in (found.low, found.high):
        assert (e.sum() - r * n.sum()) ** 2 == pytest.approx(norm.ppf(0.95) ** 2 * overdispersion * r * n.sum())
    assert found.estimate == pytest.approx(rate)
    assert found.low < found.estimate < found.high


@pytest.mark.long
@pytest.mark.parametrize(("utterances", "rate", "spread"), [(20, 0.03, 0.5), (20, 0.2, 1.0), (80, 0.1, 0.0)])
def test_word_error_interval_holds_what_it_promises(utterances, rate, spread):
    """Each utterance has a rate of its own; an interval of 95 % holds their mean in 92 % to 99 % of cases."""
    rng, inside, trials = np.random.default_rng(1), 0, 400
    for _ in range(trials):
        lengths = rng.integers(3, 8, size=utterances)
        own = rng.gamma(1 / spread, spread * rate, size=utterances) if spread else np.full(utterances, rate)
        wrong = [rng.random(n) < min(r, 1) for n, r in zip(lengths, own, strict=True)]
        references = [["a"] * n for n in lengths]
        found = word_error_rate(references, [np.where(w, "b", "a") for w in wrong])
        inside += found.low <= rate <= found.high
    assert 0.92 <= inside / trials <= 0.99


def test_word_errors_want_a_hypothesis_for_each_reference():
    with pytest.raises(ValueError, match="reference is empty"):
        word_errors([], ["one"])
    with pytest.raises(ValueError, match="2 references and 1 hypotheses"):
        word_error_rate([["one"]] * 2, [["one"]])
