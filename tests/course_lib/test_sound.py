"""Equaliser, loudness, limiter and loops do what they promise; impulses, pyloudnorm and repetition are the oracles."""

import io
import itertools
import re

import numpy as np
import pyloudnorm
import pytest
import soundfile

from course_lib import audio, datasets

RATE = 44_100
FLAT = np.zeros(5)
SETTINGS = [FLAT, [12, -6, 3, 0, -12], [-18, 18, -18, 18, -18], [18, 18, 18, 18, 18], [0, 0, 0, 0, 0.5]]


@pytest.fixture(scope="module")
def noise():
    return np.random.default_rng(3).normal(scale=0.1, size=RATE)


@pytest.fixture(scope="module", params=["vibe_ace", "garzul"])
def music(request):
    return datasets.load_music(request.param)


@pytest.fixture(scope="module")
def equalized(music):
    return audio.EqualizedLoop(*music.signal, music.after_seconds)


# --- equaliser --------------------------------------------------------------------------------------


@pytest.mark.parametrize("gains", SETTINGS)
@pytest.mark.parametrize("rate", [22_050, 44_100, 48_000])
def test_the_response_is_that_of_an_impulse(gains, rate):
    impulse = np.zeros(rate)
    impulse[0] = 1
    measured = 20 * np.log10(np.abs(np.fft.rfft(audio.equalize(impulse, rate, gains))))
    frequencies = np.fft.rfftfreq(rate, 1 / rate)
    np.testing.assert_allclose(audio.response_db(gains, frequencies, rate), measured, atol=1e-9)


@pytest.mark.parametrize("band", range(5))
@pytest.mark.parametrize("gain", [-18, -6, 6, 18])
def test_a_band_has_its_gain_at_its_centre_half_of_it_at_its_edges_and_none_far_away(band, gain):
    """The edges are one ratio √10 apart on a scale without the bend that half the rate makes: so at a high rate."""
    gains, centre, rate = np.where(np.arange(5) == band, gain, 0), audio.BANDS[band], 10_000_000
    low, high = centre * 10**-0.25, centre * 10**0.25
    got = audio.response_db(gains, [0, low, centre, high, rate / 2], rate)
    np.testing.assert_allclose(got, [0, gain / 2, gain, gain / 2, 0], atol=2e-3)
    assert audio.response_db(gains, [centre], RATE)[0] == pytest.approx(gain)


def test_bands_undo_themselves(noise):
    gains = np.array([12, -6, 3, 1, -18])
    np.testing.assert_allclose(audio.equalize(audio.equalize(noise, RATE, gains), RATE, -gains), noise, atol=1e-12)
    np.testing.assert_allclose(audio.equalize(noise, RATE, FLAT), noise, atol=1e-12)


@pytest.mark.parametrize("n", [1, 2, 999, 1000])
@pytest.mark.parametrize("gains", SETTINGS)
def test_a_loop_is_filtered_as_if_it_had_always_gone_round(noise, n, gains):
    rounds = RATE // n
    settled = audio.equalize(np.tile(noise[:n], rounds), RATE, gains)[-n:]
    np.testing.assert_allclose(audio.equalize(noise[:n], RATE, gains, looped=True), settled, atol=1e-9)


def test_silence_and_single_samples_stay_what_they_are():
    np.testing.assert_array_equal(audio.equalize(np.zeros(10), RATE, [18, 18, 18, 18, 18]), np.zeros(10))
    np.testing.assert_array_equal(audio.limit(np.zeros(10), RATE), np.zeros(10))
    np.testing.assert_allclose(audio.limit([-2.0], RATE, 0), [-1.0])
    np.testing.assert_array_equal(audio.match_loudness(np.zeros(RATE), RATE), np.zeros(RATE))
    assert audio.loudness(np.zeros(RATE), RATE) == -np.inf


def test_two_knobs_make_five_gains():
    np.testing.assert_array_equal(audio.tone_gains(0, 0), FLAT)
    np.testing.assert_array_equal(audio.tone_gains(12, -6), [12, 6, 0, -3, -6])
    one, other = audio.tone_gains(-5, 0), audio.tone_gains(0, 7)
    np.testing.assert_allclose(audio.tone_gains(-5, 7), one + other)
    bass = audio.response_db(audio.tone_gains(12, 0), [100, 1000, 9000], RATE)
    np.testing.assert_allclose(bass, [13.1, 1.1, 0], atol=0.05)


# --- loudness ---------------------------------------------------------------------------------------


def test_loudness_of_the_standards_own_tone():
    """BS.1770: a sine of 997 Hz, amplitude 1, in one front channel has −3.01 LUFS; meters may be 0.1 LU off."""
    tone = np.sin(2 * np.pi * 997 * np.arange(5 * 48_000) / 48_000)
    assert audio.loudness(tone, 48_000) == pytest.approx(-3.01, abs=0.1)
    assert audio.loudness(0.1 * tone, 48_000) == pytest.approx(-23.01, abs=0.1)


@pytest.mark.parametrize("target", [-40, -26, -14])
def test_loudness_after_matching_is_the_target(noise, music, target):
    fading = noise * np.geomspace(1, 1e-4, RATE)  # some of it counts as silence at one level and not at another
    for signal in (noise, fading, 0.03 * fading, music.signal.samples):
        matched = audio.match_loudness(signal, RATE, target)
        assert pyloudnorm.Meter(RATE).integrated_loudness(matched) == pytest.approx(target, abs=0.1)
        np.testing.assert_allclose(matched / matched.max(), signal / signal.max(), atol=1e-12)


# --- limiter ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("looped", [False, True])
@pytest.mark.parametrize("n", [1, 7, 441, RATE])
@pytest.mark.parametrize("factor", [1e-3, 1, 10, 1e6])
@pytest.mark.parametrize("ceiling_db", [0, -1, -20])
def test_no_sample_exceeds_the_ceiling(noise, looped, n, factor, ceiling_db):
    limited = audio.limit(factor * noise[:n], RATE, ceiling_db, looped=looped)
    assert np.abs(limited).max() <= 10 ** (ceiling_db / 20)
    assert limited.shape == (n,)


def test_what_is_below_the_ceiling_is_left_alone(noise):
    np.testing.assert_array_equal(audio.limit(noise, RATE, 0), noise)
    loud = noise.copy()
    loud[20_000] = 4.0
    limited, reach = audio.limit(loud, RATE, 0, reach_seconds=0.005), 2 * round(0.005 * RATE)
    far = np.abs(np.arange(RATE) - 20_000) > reach
    np.testing.assert_allclose(limited[far], noise[far], rtol=1e-12)
    assert limited[20_000] == pytest.approx(1.0)


def test_the_limiters_gain_falls_before_a_peak_in_a_straight_line():
    x = np.ones(2000)
    x[1000] = 2.0
    gain = audio.limit(x, 8000, 0, reach_seconds=0.01) / x  # 80 samples on either side
    np.testing.assert_allclose(np.diff(gain[841:1000]), -0.5 / 161, atol=1e-12)
    np.testing.assert_allclose(gain[1000], 0.5)
    np.testing.assert_allclose(gain, gain[::-1][np.r_[1999, 0:1999]], atol=1e-12)


def test_a_looped_limiter_sees_a_peak_behind_the_joint(noise):
    """As a loop is the same wherever one begins to listen, so is what the limiter does to it."""
    loud = 5 * noise
    turned = np.roll(loud, 1234)
    limited = audio.limit(loud, RATE, -1, looped=True)
    np.testing.assert_allclose(np.roll(limited, 1234), audio.limit(turned, RATE, -1, looped=True), atol=1e-12)


# --- loops ------------------------------------------------------------------------------------------


def test_the_joint_is_no_larger_a_step_than_the_signal_makes(music):
    samples, rate = music.signal
    loop = audio.join(samples, rate, music.after_seconds)
    m = round(music.after_seconds * rate)
    assert len(loop) == len(samples) - m
    assert loop[0] - loop[-1] == pytest.approx(samples[len(loop)] - samples[len(loop) - 1])
    steps = np.abs(np.diff(np.tile(loop, 2)))
    assert steps.max() <= np.abs(np.diff(samples)).max()
    np.testing.assert_array_equal(loop[m:], samples[m:-m])


def test_a_ramp_would_click_and_its_loop_does_not():
    ramp = np.linspace(-0.5, 0.5, RATE)
    loop = audio.join(ramp, RATE, 0.05)
    assert np.abs(np.diff(np.tile(loop, 2))).max() < 1e-3


def test_the_mix_is_nowhere_louder_than_the_louder_of_the_two(noise):
    loop = audio.join(noise, RATE, 0.1)
    m = round(0.1 * RATE)
    assert (np.abs(loop[:m]) <= np.maximum(np.abs(noise[:m]), np.abs(noise[-m:])) + 1e-15).all()


def test_joining_leaves_the_callers_samples_alone(noise):
    before = noise.copy()
    audio.join(noise, RATE, 0.1)
    np.testing.assert_array_equal(noise, before)


@pytest.mark.long
def test_every_setting_is_as_loud_and_has_room_for_its_peaks(equalized):
    """All corners of ±12 dB: equally loud, quiet, and so far below the ceiling that the limiter has nothing to do."""
    for gains in itertools.product((-12.0, 12.0), repeat=5):
        samples, rate = equalized.signal(gains)
        assert audio.loudness(samples, rate) == pytest.approx(audio.TARGET_LUFS, abs=0.1)
        assert np.abs(samples).max() < 10 ** (audio.CEILING_DB / 20) * 0.8


def test_a_setting_sounds_as_the_response_says(equalized):
    """Up to one factor, by which the loudness is matched, the spectra differ by the response of the equaliser."""
    gains = np.array([6.0, -3.0, 0.0, 4.0, -12.0])
    spectra = [np.abs(np.fft.rfft(equalized.signal(g).samples)) for g in (FLAT, gains)]
    frequencies = np.fft.rfftfreq(len(equalized.loop), 1 / RATE)
    heard = (frequencies > 50) & (frequencies < 12_000) & (spectra[0] > 1e-3)
    change = 20 * np.log10(spectra[1][heard] / spectra[0][heard])
    expected = audio.response_db(gains, frequencies[heard], RATE)
    assert np.ptp(change - expected) < 1e-6


def test_every_setting_goes_round_without_a_click(equalized):
    for gains in SETTINGS:
        samples, _ = equalized.signal(gains)
        assert abs(samples[0] - samples[-1]) <= np.abs(np.diff(samples)).max()


def test_a_setting_is_made_once(music, monkeypatch):
    made = []
    monkeypatch.setattr(audio.loops, "limit", lambda *given, **more: made.append(0) or audio.limit(*given, **more))
    loop = audio.EqualizedLoop(*music.signal, music.after_seconds, keep=2)
    first, again = loop.wav(FLAT), loop.wav([0, 0, 0, 0, 0])
    assert first is again
    assert loop.signal(FLAT).samples is loop.signal(list(FLAT)).samples
    assert len(made) == 1
    with pytest.raises(ValueError, match="read-only"):
        loop.signal(FLAT).samples[0] = 1
    for gain in (1, 2, 0):  # only two are kept: the flat one is made again
        loop.wav([gain, 0, 0, 0, 0])
    assert len(made) == 4


def test_the_limiter_works_where_the_target_asks_for_more_than_there_is_room(music):
    loop = audio.EqualizedLoop(*music.signal, music.after_seconds, target_lufs=-4)
    samples, rate = loop.signal(FLAT)
    assert np.abs(samples).max() <= 10 ** (audio.CEILING_DB / 20)
    assert audio.loudness(samples, rate) < -4


def test_a_wav_file_holds_the_sound(equalized):
    samples, rate = soundfile.read(io.BytesIO(equalized.wav(FLAT)))
    assert rate == RATE
    np.testing.assert_allclose(samples, equalized.signal(FLAT).samples, atol=2**-15)
    assert soundfile.info(io.BytesIO(equalized.wav(FLAT))).subtype == "PCM_16"


# --- what is wrong is said --------------------------------------------------------------------------

STEREO = np.zeros((RATE, 2))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: audio.equalize(STEREO, RATE, FLAT), "signal has shape (44100, 2), as sound with several channels"),
        (lambda: audio.equalize([0.5], RATE, np.zeros(4)), "gains_db has shape (4,); (5,) is needed"),
        (lambda: audio.equalize([0.5], RATE, [0, 0, -18.5, 0, 0]), "gains_db[2] is -18.5 dB; from −18 to 18"),
        (lambda: audio.equalize([0.5], 8000, FLAT), "rate is 8000 Hz; the band at 9000 Hz needs it above 18000 Hz"),
        (lambda: audio.tone_gains(0, 12.5), "treble_db is 12.5; from −12 to 12 dB is needed"),
        (lambda: audio.response_db(FLAT, [100, 30_000], RATE), "frequencies[1] is 30000 Hz"),
        (lambda: audio.loudness([0.5], RATE), "signal has 1 samples (0.000 s at 44100 Hz); at least 0.4 s"),
        (lambda: audio.loudness(np.ones(RATE), 4000), "rate is 4000 Hz; at least 8000 Hz"),
        (lambda: audio.match_loudness(np.full(RATE, 1e-9), RATE), "signal is below -70 LUFS (its peak is 1e-09)"),
        (lambda: audio.match_loudness(np.ones(RATE), RATE, 3), "target_lufs is 3"),
        (lambda: audio.limit([0.5], RATE, 1), "ceiling_db is 1; from −100 to 0 dB is needed"),
        (lambda: audio.join(np.zeros(100), 1000, 0.06), "fade_seconds is 0.06, which is 60 samples at 1000 Hz"),
        (lambda: audio.EqualizedLoop(np.zeros(100), RATE, 0.001), "signal has 56 samples"),
        (lambda: audio.wav([1.5], RATE), "signal reaches 1.5, but samples must lie in −1 … 1"),
        (lambda: audio.wav([0.5], 200_000), "rate is 200000; at most 192000"),
    ],
)
def test_a_mistake_is_named(call, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        call()
