"""One's own word in lecture 01: what its explorers say, what is heard, and what one's own templates gain."""

import io
import re

import numpy as np
import pytest
import soundfile

from course_lessons.dtw import own
from course_lessons.dtw.explore import explore_my_query, explore_my_word, explore_query
from course_lib import datasets
from course_lib import sequences as seq
from course_lib.sequences import warping
from course_widgets.microphone import Recording
from tests.course_lessons.explored import sentence

RATE = 8000
TONE = np.sin(2 * np.pi * 200 * np.arange(RATE) / RATE)


def part_of_a_word(name="my word"):
    """A third of a second of a word that is not among the templates."""
    return Recording(datasets.load_running_speech().queries["number"][1000:3700], RATE, name)


def test_the_nearest_template_is_that_of_the_recursion_in_the_lecture():
    explorer, recording = explore_my_word(), part_of_a_word()
    explorer.hear(recording)
    x = own.word_frames(recording.samples, RATE)

    def distance(one):
        d = seq.local_distances(x, one.frames)
        return warping.accumulate(d, seq.SYMMETRIC2)[-1, -1] / sum(d.shape)

    (least, first), (more, second) = sorted((distance(one), one.name) for one in own.templates().values())[:2]
    assert f"“my word” is nearest to “{first}” ({least:.2f}), then to “{second}” ({more:.2f})" in sentence(explorer)
    explorer.set(template=("ru", 8))
    chosen = own.templates()["ru", 8]
    assert sentence(explorer).endswith(f"to “{chosen.name}”, D/M_φ = {distance(chosen):.2f}.")


def test_a_ready_recording_is_compared_with_other_voices_alone():
    name, samples = next(iter(own.ready_recordings().items()))
    ready, mine = (own.nearest(Recording(samples, RATE, said)) for said in (name, "sept"))
    assert len(ready) == 40 and not any("French" in one.name for one, _ in ready)
    assert len(mine) == 50 and (mine[0][0].name, mine[0][1]) == (name, 0)


def test_two_of_the_ten_ready_digits_are_nearest_to_a_word_for_the_same_digit():
    """The explanation under explore_my_word."""
    digit_of = {one.name: digit for (_, digit), one in own.templates().items()}
    nearest = {
        name: own.nearest(Recording(one, RATE, name))[0][0].name for name, one in own.ready_recordings().items()
    }
    found = [name for name, other in nearest.items() if digit_of[name] == digit_of[other]]
    assert found == ["sept, French voice", "six, French voice"]
    assert nearest["sept, French voice"] == "sette, Italian voice"


def test_the_players_are_of_both_and_of_the_nearest():
    explorer = explore_my_word()
    names = [one.name for one, _ in own.nearest(explorer.recording)[:3]]
    assert re.findall('aria-label="([^"]+)"', explorer.state["players"]) == ["both, along the path", *names]
    explorer.set(template=("fr", 0))
    assert explorer.state["players"].count("<audio") == 5


def at_frequency(sound, hertz):
    """Share of the power of a sound within 5 Hz of a frequency."""
    power = np.abs(np.fft.rfft(sound * np.hanning(len(sound)))) ** 2
    near = np.abs(np.fft.rfftfreq(len(sound), 1 / RATE) - hertz) < 5
    return power[near].sum() / power.sum()


@pytest.mark.parametrize("frames", [60, 101, 170])
def test_a_tone_that_is_stretched_keeps_its_pitch_and_its_loudness(frames):
    path = np.column_stack([np.arange(frames), np.linspace(0, 100, frames).astype(int)])
    sound = own.stretch_along(path, TONE, RATE, 80 * frames)
    assert len(sound) == 80 * frames
    inside = sound[400:-400]
    assert at_frequency(inside, 200) > 0.99
    assert inside.std() == pytest.approx(TONE.std(), rel=0.02)


def test_a_sound_along_the_diagonal_is_the_sound_itself():
    samples = own.templates()["it", 7].samples
    diagonal = np.repeat(np.arange(1 + len(samples) // 80)[:, None], 2, axis=1)
    sound = own.stretch_along(diagonal, samples, RATE, len(samples))
    np.testing.assert_allclose(sound[:-160], samples[:-160], rtol=0, atol=1e-12)  # there it stands still


def test_what_is_matched_is_heard_at_the_same_time():
    """y is loud for 0.1 s from 0.2 s on. Along the path this is 0.6 s of x, with silence before and after it."""
    y = np.where((np.arange(4000) >= 1600) & (np.arange(4000) < 2400), TONE[:4000], 0)
    corners = np.array([[0, 0], [20, 20], [80, 30], [100, 49]])
    path = np.column_stack([np.arange(101), np.interp(np.arange(101), *corners.T).astype(int)])
    powers = (own.stretch_along(path, y, RATE, 8000).reshape(-1, 400) ** 2).mean(axis=1)  # of 50 ms
    assert (powers[6:14] > 0.8 * np.mean(TONE**2)).all()
    assert (powers[[0, 1, 2, 18, 19]] < 1e-6).all()


def test_each_ear_hears_one_of_two_sounds_as_loudly():
    low, high = 0.1 * TONE, 0.8 * np.sin(2 * np.pi * 900 * np.arange(RATE) / RATE)
    player = own.play_both(low, high, RATE, "both", "Two tones.")
    heard, rate = soundfile.read(io.BytesIO(player.mp3))
    assert rate == RATE and heard.shape[1] == 2 and player.seconds == 1
    left, right = heard[2000:6000].T
    assert at_frequency(left, 200) > 0.99 and at_frequency(right, 900) > 0.99
    assert left.std() == pytest.approx(right.std(), rel=0.05)


# --- what one's own voice gains


def test_my_recordings_are_compared_with_the_voices_that_say_these_words():
    said = {word: own.templates()["en", digit].samples for word, digit in (("six", 6), ("seven", 7))}
    who, takes, others = own.voices({**{word: [one, one] for word, one in said.items()}, "mailbox": [TONE, TONE]})
    assert (who, list(takes), list(others)) == ("my voice", ["six", "seven"], ["the English voice"])
    table = own.compare_voices(who, takes, others)
    assert table.index.tolist() == ["templates of my voice", "templates of the English voice"]
    assert own.voices({"sechs": [TONE, TONE], "sieben": [TONE, TONE]})[2] == {}
    who, takes, others = own.voices({"six": [said["six"], said["six"]], "seven": [said["seven"]]})
    assert (who, len(takes), len(others)) == ("george", 10, 5)


def test_the_comparison_counts_the_words_in_which_two_voices_differ():
    def constant(level):
        return np.full((4, 1), float(level))

    takes = {word: [constant(level), constant(level)] for level, word in enumerate("abcdef")}
    swapped = {word: constant(level) for level, word in zip([1, 0, 3, 2, 4, 5], "abcdef", strict=True)}
    mine, theirs = own.compare_voices("me", takes, {"you": swapped}).to_dict("records")
    assert mine == {"right": mine["right"], "only mine": 0, "only theirs": 0, "p, if equal": "1.000"}
    assert theirs["right"].startswith("0.333") and theirs["only mine"] == 4 and theirs["only theirs"] == 0
    assert theirs["p, if equal"] == f"{2 / 2**4:.3f}"


# --- one's own query


def test_my_query_is_sought_as_the_shipped_ones_are():
    mine, shipped = explore_my_query(), explore_query()
    assert sentence(mine) == sentence(shipped)
    speech = datasets.load_running_speech()
    mine.hear(Recording(speech.queries["message"], RATE, "message"))
    shipped.set(query="message")
    assert sentence(mine) == sentence(shipped)
    mine.hear(Recording(speech.queries["message"], RATE, "сообщение"))
    assert "“сообщение” is said 0 times" in sentence(mine)


def test_normalising_takes_a_microphone_away_and_not_a_voice():
    """The explanation under explore_my_query, in its numbers of right places."""
    explorer = explore_my_query()
    plain, _, normalised = explorer.controls["features"].values
    right = {}
    for name, samples in own.ready_queries().items():
        explorer.hear(Recording(samples, RATE, name))
        for features in (plain, normalised):
            explorer.set(features=features)
            right[name, features] = int(re.search(r"(\d+) of 4 places are right", sentence(explorer)).group(1))
    assert list(right.values()) == [4, 4, 2, 4, 3, 0]
