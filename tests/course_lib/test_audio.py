"""Sound is loaded, played and turned into features as documented; librosa, scipy and soundfile are the oracles."""

import base64
import html.parser
import io
import re
import warnings

import librosa
import numpy as np
import pytest
import scipy.fft
import soundfile

from course_lib import audio, datasets

RATE = 8000


@pytest.fixture(scope="module")
def word():
    return datasets.load_spoken_prompts()["en", 7]


@pytest.fixture(scope="module")
def noise():
    return np.random.default_rng(7).normal(scale=0.1, size=RATE)


def no_warnings(call):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return call()


# --- load -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("suffix", "tolerance"), [("wav", 2**-16), ("flac", 2**-16), ("mp3", 0.1)])
def test_load_gives_back_what_was_written(tmp_path, word, suffix, tolerance):
    path = tmp_path / f"word.{suffix}"
    soundfile.write(path, word, RATE)
    samples, rate = audio.load(path)
    assert rate == RATE
    assert samples.dtype == np.float64
    np.testing.assert_allclose(samples, word, atol=tolerance)
    assert repr(audio.load(path)) == "Signal: 0.82 s at 8000 Hz, 6561 samples"


def test_load_explains_what_is_wrong(tmp_path):
    with pytest.raises(FileNotFoundError):
        audio.load(tmp_path / "nothing.wav")
    (tmp_path / "text.wav").write_text("no sound")
    with pytest.raises(ValueError, match=re.escape("text.wav cannot be read as sound")):
        audio.load(tmp_path / "text.wav")
    soundfile.write(tmp_path / "stereo.wav", np.zeros((100, 2)), RATE)
    with pytest.raises(ValueError, match=re.escape("stereo.wav has shape (100, 2), as sound with several")):
        audio.load(tmp_path / "stereo.wav")
    soundfile.write(tmp_path / "empty.wav", np.zeros(0), RATE)
    with pytest.raises(ValueError, match=re.escape("empty.wav is empty")):
        audio.load(tmp_path / "empty.wav")


# --- play -----------------------------------------------------------------------------------------


class Tags(html.parser.HTMLParser):
    """Tags with their attributes, and the text."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.text = {}, ""
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags[tag] = dict(attributes)

    def handle_data(self, data):
        self.text += data


def embedded(player):
    kind, data = Tags(player._repr_html_()).tags["audio"]["src"].split(";base64,")
    assert kind == "data:audio/mpeg"
    return base64.b64decode(data)


def test_player_is_labelled_and_captioned(word):
    tags = Tags(audio.play(word, RATE, 'the word "seven" <& more>', "“seven” <twice>")._repr_html_())
    assert "controls" in tags.tags["audio"]
    assert tags.tags["audio"]["aria-label"] == 'the word "seven" <& more>'
    assert tags.text == 'the word "seven" <& more> (0.82 s)What is heard, in words“seven” <twice>'
    assert {"figcaption", "details", "summary"} <= tags.tags.keys()
    assert repr(audio.play(word, RATE, "seven", "“seven”")) == "Sound: seven (0.82 s at 8000 Hz)"


def test_player_holds_the_sound(word):
    samples, rate = soundfile.read(io.BytesIO(embedded(audio.play(word, RATE, "seven", "“seven”"))))
    assert rate == RATE
    assert len(samples) == len(word)
    error = samples - word
    assert 10 * np.log10((word @ word) / (error @ error)) > 20


@pytest.mark.parametrize("factor", [0.05, 0.5])
def test_player_keeps_the_volume(word, factor):
    samples, _ = soundfile.read(io.BytesIO(embedded(audio.play(factor * word, RATE, "seven", "“seven”"))))
    assert np.std(samples) == pytest.approx(factor * np.std(word), rel=0.05)


def test_a_minute_of_speech_is_small_and_the_bytes_are_repeatable():
    speech = datasets.load_running_speech()
    first, second = (
        audio.play(speech.signal, speech.rate, "speech", speech.transcript)._repr_html_() for _ in range(2)
    )
    assert len(first) < 350_000
    assert first == second


@pytest.mark.parametrize("rate", audio.MP3_RATES)
def test_every_rate_on_the_list_can_be_played(rate):
    samples, found = soundfile.read(
        io.BytesIO(audio.play(0.3 * np.sin(2764.6 * np.arange(rate // 2) / rate), rate, "tone", "a tone").mp3)
    )
    assert found == rate
    assert len(samples) == rate // 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((np.zeros((800, 2)), RATE, "x", "y"), "signal has shape (800, 2), as sound with several channels"),
        ((np.zeros((2, 800)), RATE, "x", "y"), "Take the mean over axis 0 first."),
        ((np.zeros((800, 13)), RATE, "x", "y"), "signal has shape (800, 13); one channel"),
        (([0.0, 2.5], RATE, "x", "y"), "signal reaches 2.5, but samples must lie in −1 … 1; divide by 2.5."),
        (([0.0, 0.5], 10000, "x", "y"), "rate is 10000; choose one of 8000"),
    ],
)
def test_play_explains_what_is_wrong(arguments, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        audio.play(*arguments)


# --- trim -----------------------------------------------------------------------------------------


def test_trim_keeps_the_sound_and_the_margin():
    """A loud half second from sample 3200 on: 40 frames of 80 samples before it are silence."""
    signal = np.zeros(9600)
    signal[3200:7200] = 0.5 * np.sign(np.sin(np.arange(4000) + 0.5))
    np.testing.assert_array_equal(audio.trim(signal, RATE, margin_seconds=0.02), signal[3200 - 160 : 7200 + 160])
    np.testing.assert_array_equal(audio.trim(signal, RATE, margin_seconds=5), signal)


def test_trim_takes_away_what_is_quieter_than_the_threshold():
    signal = np.r_[np.full(800, 0.01), np.full(800, 1.0), np.full(800, 0.1)]
    assert len(audio.trim(signal, RATE, threshold_db=41, margin_seconds=1e-9)) == 2400
    assert len(audio.trim(signal, RATE, threshold_db=39, margin_seconds=1e-9)) == 1600
    assert len(audio.trim(signal, RATE, threshold_db=19, margin_seconds=1e-9)) == 800


def test_trim_is_a_stretch_of_the_signal_and_leaves_what_is_loud(word, noise):
    trimmed = audio.trim(word, RATE)
    assert 0.4 * len(word) < len(trimmed) < len(word)
    assert word.tobytes().find(trimmed.tobytes()) >= 0
    np.testing.assert_array_equal(audio.trim(noise, RATE), noise)
    np.testing.assert_array_equal(audio.trim(np.zeros(100), RATE), np.zeros(100))
    np.testing.assert_array_equal(audio.trim([0.5], RATE), [0.5])


# --- mfcc -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("settings", "framing"),
    [
        ({}, {"n_mfcc": 13, "n_fft": 256, "win_length": 200, "hop_length": 80, "n_mels": 26}),
        (
            {"n_mfcc": 20, "window_seconds": 0.032, "hop_seconds": 0.016, "n_bands": 30},
            {"n_mfcc": 20, "n_fft": 256, "win_length": 256, "hop_length": 128, "n_mels": 30},
        ),
        (
            {"window_seconds": 0.0251, "hop_seconds": 0.025, "n_bands": 100},  # an odd window
            {"n_mfcc": 13, "n_fft": 256, "win_length": 201, "hop_length": 200, "n_mels": 100},
        ),
    ],
)
def test_mfcc_is_that_of_librosa(word, settings, framing):
    expected = librosa.feature.mfcc(y=word, sr=RATE, dtype=np.float64, **framing).T  # its bands are float32 otherwise
    np.testing.assert_allclose(audio.mfcc(word, RATE, **settings), expected, atol=1e-9)


def test_a_whisper_has_the_coefficients_that_it_was_made_of(word):
    framing = {"n_mfcc": 13, "n_fft": 256, "hop_length": 200, "n_mels": 128}
    features = librosa.feature.mfcc(y=word, sr=RATE, **framing).T
    whispered = audio.whisper(features, RATE)
    assert len(whispered) == 200 * len(features) and np.abs(whispered).max() == pytest.approx(0.5)
    again = librosa.feature.mfcc(y=whispered, sr=RATE, **framing).T[: len(features)]
    likeness = [np.corrcoef(a, b)[0, 1] for a, b in zip(features.T, again.T, strict=True)]
    assert min(likeness[:4]) > 0.9 and min(likeness) > 0.5


def test_mfcc_is_the_cosine_transform_of_the_bands_in_decibels(word):
    """Coefficient 0 is the mean level times √26, as the docstring says; the spectrum is librosa's."""
    power = np.abs(librosa.stft(word, n_fft=256, win_length=200, hop_length=80)) ** 2
    bands = power.T @ librosa.filters.mel(sr=RATE, n_fft=256, n_mels=26).T
    levels = 10 * np.log10(np.maximum(bands, 1e-10))
    levels = np.maximum(levels, levels.max() - 80)
    got = audio.mfcc(word, RATE)
    np.testing.assert_allclose(got, scipy.fft.dct(levels, norm="ortho", axis=1)[:, :13], atol=1e-3)
    np.testing.assert_allclose(got[:, 0], levels.mean(axis=1) * np.sqrt(26), atol=1e-3)


@pytest.mark.parametrize("n", [200, 201, 239, 240, 255, 256, 8000])
def test_frames_are_one_every_hop(noise, n):
    features = no_warnings(lambda: audio.mfcc(noise[:n], RATE))
    assert features.shape == (1 + n // 80, 13)
    assert features.flags["C_CONTIGUOUS"]


def test_mfcc_of_silence_is_finite_and_flat():
    features = audio.mfcc(np.zeros(RATE), RATE)
    assert np.isfinite(features).all()
    np.testing.assert_allclose(features[:, 1:], 0, atol=1e-9)


def test_normalisation(word):
    raw = audio.mfcc(word, RATE)
    centred = audio.mfcc(word, RATE, normalize="mean")
    np.testing.assert_allclose(centred, raw - raw.mean(axis=0))
    standard = audio.mfcc(word, RATE, normalize="mean_variance")
    np.testing.assert_allclose(standard.mean(axis=0), 0, atol=1e-12)
    np.testing.assert_allclose(standard.std(axis=0), 1)
    np.testing.assert_array_equal(audio.normalize_cepstra(raw), standard)
    constant = no_warnings(lambda: audio.normalize_cepstra(np.full((5, 2), 0.1)))
    np.testing.assert_array_equal(constant, np.zeros((5, 2)))


def test_mean_normalisation_removes_a_filter(noise):
    """A fixed filter multiplies the spectrum: it is gone after the mean is taken away, but not before."""
    filtered = np.convolve(noise, [1, -0.9])[: len(noise)]
    raw = [audio.mfcc(x, RATE)[5:-5] for x in (noise, filtered)]
    centred = [audio.normalize_cepstra(x, "mean") for x in raw]
    assert np.abs(raw[0] - raw[1])[:, 1].mean() > 20
    assert np.abs(centred[0] - centred[1])[:, 1].mean() < 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"signal": np.zeros((300, 2))}, "signal has shape (300, 2), as sound with several channels"),
        ({"signal": np.zeros(199)}, "signal has 199 samples (0.025 s at 8000 Hz); a window needs 200 (0.025 s)"),
        ({"n_mfcc": 27}, "n_mfcc is 27, but 26 bands give only 26 coefficients"),
        ({"n_bands": 200}, "n_bands is 200, but the 129 frequencies of a window leave"),
        ({"hop_seconds": 1e-5}, "at 8000 Hz that is 200 and 0 samples"),
        ({"signal": np.full(300, -1e200)}, "too large: a sum of squares"),
    ],
)
def test_mfcc_explains_what_is_wrong(arguments, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        audio.mfcc(**({"signal": np.zeros(300), "rate": RATE} | arguments))


@pytest.mark.parametrize("work", [audio.trim, audio.mfcc])
def test_samples_are_refused_before_their_power_overflows(work, noise):
    with pytest.raises(ValueError, match="too large: a sum of squares"):
        work(1e200 * noise, RATE)
    assert np.isfinite(no_warnings(lambda: work(audio.LOUDEST * noise, RATE))[0]).all()


def test_a_time_longer_than_any_signal_is_just_long(noise):
    assert len(audio.mfcc(noise, RATE, hop_seconds=1e99)) == 1
    np.testing.assert_array_equal(audio.trim(noise, RATE, margin_seconds=1e99), noise)
    with pytest.raises(ValueError, match="a window needs"):
        audio.mfcc(noise, RATE, window_seconds=1e99)
