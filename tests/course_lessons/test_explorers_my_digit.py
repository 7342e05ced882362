"""One's own digits in lecture 04: the explorers beside all stories of states, and what the lecture claims of them."""

import re

import numpy as np
import pytest

from course_lessons.hmm import own
from course_lessons.hmm.explore import LONGER, explore_my_digit, explore_my_number
from course_lessons.hmm.spliced import SplicedString, cut_out
from course_lib import audio, datasets
from course_widgets.microphone import Recording
from tests.course_lessons.explored import sentence
from tests.course_lib.oracles import AllStateSequences

RATE = 8000
SHORT = Recording(own.ready_digits()[7].samples[1000:2000], RATE, "a part of a word")  # six frames


@pytest.fixture(scope="module")
def model():
    return own.fitted()[own.WITH_STATES]


def stories(model, frames):
    normal = audio.normalize_cepstra(frames)
    return AllStateSequences(model.startprob_, model.transmat_, model.log_emission(normal))


def test_the_best_words_and_the_states_are_those_of_all_stories(model):
    explorer = explore_my_digit(own.fitted())
    explorer.hear(SHORT)
    frames = own.digit_frames(explorer.recording.samples, RATE)
    names = [one.name for one in own.ready_digits().values()]
    likelihoods = np.array([stories(one, frames).log_likelihood for one in model.models_])
    second, best = likelihoods.argsort()[-2:]
    lead = likelihoods[best] - likelihoods[second]
    assert f"The GMM-HMM prefers {names[best]} to {names[second]} by {lead:.1f} nats." in sentence(explorer)
    for word in (best, 3):
        explorer.set(word=int(word))
        stays = stories(model.models_[word], frames).posteriors.sum(axis=0)
        assert f"“{names[word]}” last {', '.join(f'{stay:.1f}' for stay in stays)} frames" in sentence(explorer)


def test_what_the_states_expect_is_their_mean_on_the_scale_of_the_recording(model):
    frames, word = own.digit_frames(SHORT.samples, RATE), model.models_[4]
    gamma, expected = own.state_posterior(word, frames)
    np.testing.assert_allclose(gamma, stories(word, frames).posteriors, atol=1e-9)
    for t, d in ((0, 0), (3, 5), (5, 12)):
        normal = sum(gamma[t, n] * word.weights_[n, m] * word.means_[n, m, d] for n in range(5) for m in range(4))
        assert expected[t, d] == pytest.approx(normal * frames[:, d].std() + frames[:, d].mean())


def test_each_recogniser_ranks_the_words_as_it_predicts():
    recognizers, one = own.fitted(), own.ready_digits()[3]
    found = own.hear(recognizers, one)
    normal = audio.normalize_cepstra(own.digit_frames(one.samples, RATE))
    for name, ranks, word in zip(recognizers, found.ranks, found.words, strict=True):
        assert recognizers[name].predict([normal])[0] == word == ranks.argmin()
        assert sorted(ranks) == list(range(1, 11))


def test_played_slower_the_woman_is_understood_by_what_learned_from_men():
    """The explanation under explore_my_digit, in its numbers of ten words."""
    explorer, right = explore_my_digit(own.fitted()), []
    for longer in LONGER:
        explorer.set(longer=longer)
        right.append(int(re.search(r"the GMM-HMM recognises (\d+)", sentence(explorer))[1]))
    assert right == [5, 7, 9, 7]
    ready = own.ready_digits()
    slow = {digit: one.at_speed(1 / 1.2) for digit, one in ready.items()}
    counts = [[own.recognised(one, spoken) for spoken in (ready, slow)] for one in own.fitted().values()]
    assert counts == [[5, 8], [6, 8], [3, 9], [4, 7], [4, 6], [5, 9]]


def test_a_larger_penalty_than_for_men_halves_the_errors_in_the_numbers_of_a_stranger():
    """The explanation under explore_my_number."""
    explorer, errors, lengths = explore_my_number(own.fitted_to_strings()), {}, {}
    for penalty in (15, 40, 100):
        explorer.set(longer=20, penalty=penalty)
        errors[penalty], lengths[penalty] = [], []
        for recording in explorer.ready.values():
            explorer.hear(recording)
            found = re.search(
                r"a word: ([\d ]+)\. Errors: (\d) replaced, (\d) inserted, (\d) lost", sentence(explorer)
            )
            lengths[penalty].append(len(found[1].split()))
            errors[penalty].append(sum(map(int, found.groups()[1:])))
    assert min(lengths[15]) > 6 and sum(lengths[100]) < 18
    assert sum(errors[40]) * 2 == sum(errors[15]) == 16 and errors[40][0] == 0


def test_errors_are_counted_where_the_name_says_what_was_said():
    explorer = explore_my_number(own.fitted_to_strings())
    samples = own.ready_digits()[4].samples
    explorer.hear(Recording(samples, RATE, "my number"))
    assert "Errors" not in sentence(explorer)
    explorer.hear(Recording(samples, RATE, "47 1"))
    found = re.search(r"a word: ([\d ]+)\.", sentence(explorer))[1].split()
    assert "Errors" in sentence(explorer) and f" {3 - len(found)} lost" in sentence(explorer)


def test_strings_are_normalised_before_they_are_cut():
    frames = np.random.default_rng(0).normal(3, 2, size=(9, 2))
    pieces, words = cut_out([SplicedString(frames, np.array([5, 2]), np.array([0, 4, 9]))] * 2)
    assert words.tolist() == [5, 2, 5, 2] and list(map(len, pieces)) == [4, 5, 4, 5]
    np.testing.assert_allclose(np.concatenate(pieces[:2]), (frames - frames.mean(axis=0)) / frames.std(axis=0))


def change(sequences):
    """Mean over c1 … c12 of the variance of the steps from frame to frame, in variances of the coefficient."""
    shares = [np.diff(s, axis=0).var(axis=0) / s.var(axis=0) for s in sequences if len(s) >= 12]
    return np.median(shares, axis=0)[1:].mean()


def test_the_window_of_the_spoken_digits_is_one_of_40_to_50_ms(model, monkeypatch):
    """The table in data/spoken_digits/README.md."""
    digits, prompts = datasets.load_spoken_digits(), datasets.load_spoken_prompts()
    of_voices = [change(digits.select(digits.speakers == name).sequences) for name in np.unique(digits.speakers)]
    assert f"{change(digits.sequences):.2f} ({min(of_voices):.2f} to {max(of_voices):.2f})" == "0.69 (0.60 to 0.87)"
    spoken, found, right = [audio.trim(one, RATE) for one in prompts.signals.values()], {}, []
    for window in (0.025, 0.04, own.WINDOW_SECONDS, 0.064, 0.1):
        monkeypatch.setattr(own, "WINDOW_SECONDS", window)
        found[window] = round(float(change([own.digit_frames(one, RATE) for one in spoken])), 2)
        right.append(own.recognised(model, own.ready_digits()))
    assert found == {0.025: 0.86, 0.04: 0.73, 0.05: 0.65, 0.064: 0.55, 0.1: 0.36}
    assert right == [4, 5, 5, 5, 5]
