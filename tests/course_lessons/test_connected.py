"""Connected words against all strings in all places, against one large model, and on digits put end to end."""

from itertools import combinations, pairwise, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from course_lessons.hmm.connected import ConnectedWords
from course_lessons.hmm.spliced import spliced_strings
from course_lessons.hmm.word_errors import word_error_rate
from course_lib import sequences as seq
from course_lib.audio import normalize_cepstra
from course_lib.datasets import load_spoken_digits
from tests.course_lib.oracles import AllStateSequences, random_rows

pytestmark = pytest.mark.filterwarnings("error::RuntimeWarning")


def recognizer(models, log_priors=None):
    """A fitted ModelPerWord made of these models, for the words a, b, …"""
    fitted = seq.ModelPerWord(models[0])
    fitted.models_, fitted.encoder_ = models, None
    fitted.classes_ = np.array(list("abcdef"[: len(models)]))
    fitted.log_priors_ = np.zeros(len(models)) if log_priors is None else log_priors
    return fitted


def word_model(rng, N, M, kind="left-to-right", zeros=0.0):
    A = {
        "left-to-right": seq.left_to_right(N, rng.uniform(0.1, 0.6)),
        "skips": seq.left_to_right(N, rng.uniform(0.1, 0.4), 0.4),
        "ergodic": random_rows(rng, N, N),
    }[kind]
    startprob = random_rows(rng, N) if kind == "ergodic" else np.eye(N)[0]
    return seq.DiscreteHMM.from_parameters(startprob, A, random_rows(rng, N, M, zeros=zeros))


def random_words(rng, zeros=0.0):
    kinds = rng.choice(["left-to-right", "skips", "ergodic"], size=rng.integers(1, 4))
    sizes = rng.integers(1, 4, size=len(kinds))
    return [word_model(rng, int(N), 3, kind, zeros) for N, kind in zip(sizes, kinds, strict=True)]


def within(model, symbols):
    """log p of the best path through one word that ends in its last state from left to right, in any otherwise."""
    with np.errstate(divide="ignore"):
        every = AllStateSequences(model.startprob_, model.transmat_, np.log(model.emissionprob_.T[symbols]))
    ends = every.paths[:, -1] == model.n_states - 1 if model.transmat_[-1, -1] == 1 else slice(None)
    return every.log_joint[ends].max()


def every_string(decoder, sequence):
    """{(words as numbers, bounds): log probability} of all strings in all places."""
    T, W = len(sequence), len(decoder.classes_)
    score = {
        (w, a, b): within(model, sequence[a:b])
        for w, model in enumerate(decoder.recognizer.models_)
        for a, b in combinations(range(T + 1), 2)
    }
    priors = decoder.recognizer.log_priors_
    with np.errstate(divide="ignore"):
        follow = np.tile(priors, (W, 1)) if decoder.bigram is None else np.log(decoder.bigram)
    found = {}
    for L in range(1, T + 1):
        for cuts, words in product(combinations(range(1, T), L - 1), product(range(W), repeat=L)):
            bounds = (0, *cuts, T)
            total = sum(score[w, a, b] for w, (a, b) in zip(words, pairwise(bounds), strict=True))
            total += priors[words[0]] + sum(follow[v, w] for v, w in pairwise(words)) - L * decoder.insertion_penalty
            found[words, bounds] = total
    return found


@settings(max_examples=60)
@given(
    st.integers(1, 6),
    st.sampled_from([0.0, 0.3]),
    st.sampled_from([-1.0, 0.0, 0.7, 3.0]),
    st.booleans(),
    st.integers(0, 100_000),
)
def test_the_best_of_all_strings_in_all_places(T, zeros, penalty, with_bigram, seed):
    rng = np.random.default_rng(seed)
    models, sequence = random_words(rng, zeros), rng.integers(0, 3, T)
    W = len(models)
    bigram = random_rows(rng, W, W, zeros=zeros) if with_bigram else None
    decoder = ConnectedWords(recognizer(models, np.log(random_rows(rng, W))), penalty, bigram)
    every = every_string(decoder, sequence)
    best = max(every.values())
    if best == -np.inf:
        with pytest.raises(ValueError, match="sequence has"):
            decoder.decode(sequence)
        return
    words, bounds, log_probability = decoder.decode(sequence)
    assert log_probability == pytest.approx(best, abs=1e-10)
    numbers = tuple(decoder.classes_.tolist().index(word) for word in words)
    assert every[numbers, tuple(bounds.tolist())] == pytest.approx(best, abs=1e-10)
    said = rng.integers(0, W, rng.integers(1, T + 1))
    places = {bounds: total for (words, bounds), total in every.items() if words == tuple(said)}
    if max(places.values()) == -np.inf:
        with pytest.raises(ValueError, match=r"sequence has|bigram forbids"):
            decoder.align(sequence, decoder.classes_[said])
        return
    aligned = decoder.align(sequence, decoder.classes_[said])
    assert aligned.log_probability == pytest.approx(max(places.values()), abs=1e-10)
    assert places[tuple(aligned.bounds.tolist())] == pytest.approx(max(places.values()), abs=1e-10)
    assert aligned.words.tolist() == decoder.classes_[said].tolist()


def one_large_model(decoder, log_emission):
    """(startprob, transmat, log_emission, log c): all words in one chain, whose weights are scaled by c to rows that
    sum to at most one; a last state, which emits nothing, takes the rest."""
    models, weight = decoder.recognizer.models_, np.exp(decoder.recognizer.log_priors_ - decoder.insertion_penalty)
    begins = np.cumsum([0, *(m.n_states for m in models)])
    A = np.zeros((begins[-1] + 1, begins[-1] + 1))
    for v, model in enumerate(models):
        A[begins[v] : begins[v + 1], begins[v] : begins[v + 1]] = model.transmat_
        A[begins[v + 1] - 1, begins[:-1]] += weight
    c = 1 / max(A.sum(axis=1).max(), weight.sum())
    A, startprob = c * A, np.zeros(len(A))
    startprob[begins[:-1]] = c * weight
    for row in (startprob, *A):
        row[-1] = max(0.0, 1 - row[:-1].sum())
    table = np.column_stack([log_emission, np.full(len(log_emission), -np.inf)])
    table[-1, np.setdiff1d(np.arange(len(A)), begins[1:] - 1)] = -np.inf
    return startprob, A, table, np.log(c)


@pytest.mark.parametrize("seed", range(15))
def test_equals_viterbi_in_one_large_model(seed):
    rng = np.random.default_rng(seed)
    models = [word_model(rng, int(rng.integers(2, 6)), 4) for _ in range(rng.integers(1, 6))]
    sequence = rng.integers(0, 4, int(rng.integers(30, 120)))
    log_priors = np.log(random_rows(rng, len(models)))
    decoder = ConnectedWords(recognizer(models, log_priors), rng.uniform(0, 3))
    emissions = np.hstack([np.log(m.emissionprob_.T[sequence]) for m in models])
    startprob, transmat, log_emission, log_c = one_large_model(decoder, emissions)
    states, log_probability = seq.viterbi(startprob, transmat, log_emission)
    begins = np.cumsum([0, *(m.n_states for m in models)])
    entered = [0] + [t for t in range(1, len(states)) if states[t] in begins and states[t] != states[t - 1]]
    found = decoder.decode(sequence)
    assert found.log_probability == pytest.approx(log_probability - len(sequence) * log_c, abs=1e-8)
    assert found.bounds.tolist() == [*entered, len(sequence)]
    assert found.words.tolist() == [decoder.classes_[np.searchsorted(begins, states[t])] for t in entered]


@pytest.fixture(scope="module")
def digits():
    """(models of whole words, their training set in frames, strings to test with), of two speakers and four digits."""
    everything = load_spoken_digits()
    some = everything.select(np.isin(everything.speakers, ["jackson", "theo"]) & (everything.labels < 4))
    train, test = some.official_split()
    strings = spliced_strings(train, 60, (3, 5), rng=0)
    pieces, labels = [], []
    for string in strings:
        pieces += np.split(normalize_cepstra(string.sequence), string.bounds[1:-1])
        labels += string.words.tolist()
    model = seq.GaussianMixtureHMM(4, 1, min_variance=0.05, max_iter=8, tol=0.1)
    return seq.ModelPerWord(model).fit(pieces, labels), spliced_strings(test, 8, (2, 5), rng=1)


def test_forced_alignment_is_at_most_as_probable_and_equal_for_the_words_found(digits):
    decoder = ConnectedWords(digits[0], insertion_penalty=5)
    for string in digits[1]:
        frames = normalize_cepstra(string.sequence)
        free, forced = decoder.decode(frames), decoder.align(frames, string.words)
        again = decoder.align(frames, free.words)
        assert forced.log_probability <= free.log_probability + 1e-9
        assert again.log_probability == pytest.approx(free.log_probability, abs=1e-9)
        np.testing.assert_array_equal(again.bounds, free.bounds)


def test_spliced_digits_are_found_and_so_are_their_joints(digits):
    decoder = ConnectedWords(digits[0], insertion_penalty=10)
    frames = [normalize_cepstra(string.sequence) for string in digits[1]]
    found = decoder.predict(frames)
    rate = word_error_rate([string.words.tolist() for string in digits[1]], [words.tolist() for words in found])
    assert rate.estimate < 0.2
    off = [
        np.abs(decoder.align(x, string.words).bounds - string.bounds)
        for x, string in zip(frames, digits[1], strict=True)
    ]
    assert np.median(np.concatenate(off)) <= 1


def test_the_larger_the_penalty_the_fewer_words_down_to_the_one_of_bayes_rule(digits):
    """With λ as the price of a word, the number of words of the optimum cannot grow with λ."""
    for string in digits[1]:
        frames = normalize_cepstra(string.sequence)
        counts = [len(ConnectedWords(digits[0], p).decode(frames).words) for p in (-20, 0, 5, 20, 80, 1e5)]
        assert counts == sorted(counts, reverse=True)
        assert counts[-1] == 1
        last = [m.log_emission(frames) for m in digits[0].models_]
        for table in last:
            table[-1, :-1] = -np.inf
        alone = [
            seq.viterbi(m.startprob_, m.transmat_, b).log_probability
            for m, b in zip(digits[0].models_, last, strict=True)
        ]
        one = ConnectedWords(digits[0], 1e5).decode(frames)
        assert one.words[0] == digits[0].classes_[np.argmax(alone)]
        assert one.log_probability == pytest.approx(max(alone) - 1e5)


def test_a_word_alone_is_the_models_own_forced_alignment():
    rng = np.random.default_rng(3)
    model, sequence = word_model(rng, 3, 4, "ergodic"), rng.integers(0, 4, 12)
    alone = ConnectedWords(recognizer([model]), 0.5).align(sequence, ["a"])
    assert alone.log_probability == pytest.approx(model.decode(sequence).log_probability - 0.5)


def test_an_encoder_and_missing_frames_are_taken_along():
    rng = np.random.default_rng(5)
    frames = [center + rng.normal(size=(9, 2)) for center in (0.0, 4.0) for _ in range(6)]
    model = seq.DiscreteHMM(2, 6, topology="left-to-right", emission_pseudocount=0.1, max_iter=5, tol=1.0)
    words = seq.ModelPerWord(model, encoder=seq.VectorQuantizer(6)).fit(frames, ["low"] * 6 + ["high"] * 6)
    found = ConnectedWords(words, 2).decode(np.concatenate([frames[0], frames[7], frames[1]]))
    assert found.words.tolist() == ["low", "high", "low"]
    assert found.bounds.tolist() == [0, 9, 18, 27]
    symbols = words.encoder_.transform([np.concatenate([frames[0], frames[7]])])[0]
    words.encoder_ = None
    lost = np.where(np.arange(18) == 4, -1, symbols)
    assert ConnectedWords(words, 2).decode(lost).words.tolist() == ["low", "high"]


def test_what_cannot_be_is_explained():
    rng = np.random.default_rng(0)
    long, short = word_model(rng, 5, 3), word_model(rng, 3, 3)
    decoder = ConnectedWords(recognizer([long, short]))
    with pytest.raises(ValueError, match="sequence has 2 frames; the shortest way through these words takes 3"):
        decoder.decode([0, 1])
    with pytest.raises(ValueError, match="sequence has 10 frames; the shortest way through these words takes 11"):
        decoder.align([0, 1] * 5, ["a", "b", "b"])
    only_zeros = seq.DiscreteHMM.from_parameters([1, 0], [[0.5, 0.5], [0, 1]], [[1, 0], [1, 0]])
    with pytest.raises(ValueError, match="sequence has probability 0"):
        ConnectedWords(recognizer([only_zeros])).decode([0, 1, 0])
    for words, message in (
        (["a", "z"], "words holds 'z'"),
        ([], "at least one of"),
    ):
        with pytest.raises(ValueError, match=message):
            decoder.align([0] * 9, words)
    never_twice = ConnectedWords(recognizer([long, short]), 0, [[0, 1], [1, 0]])
    with pytest.raises(ValueError, match=r"words\[2\] is 'b' after 'b': the bigram forbids"):
        never_twice.align([0] * 20, ["a", "b", "b"])


def test_the_decoder_refuses_what_it_cannot_use():
    models = recognizer([word_model(np.random.default_rng(0), 2, 3)])
    bag = seq.ModelPerWord(seq.BagOfFrames(seq.GaussianMixture(1))).fit([np.arange(3.0)] * 2, [0, 1])
    for wrong in (None, "digits", models.models_[0], seq.ModelPerWord(seq.DiscreteHMM(2, 3)), bag):
        with pytest.raises(ValueError, match="fitted ModelPerWord of hidden Markov models"):
            ConnectedWords(wrong)
    for bigram in ([1.0], [[0.5, 0.5]], [[0.9]], [[-1.0]], "ab"):
        with pytest.raises(ValueError, match="bigram"):
            ConnectedWords(models, 0.0, bigram)
