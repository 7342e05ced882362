"""Two items in the plane of their values: what answers of which is better leave of a belief about both.

Lecture: 10, section 2.
"""

import warnings
from functools import cache

import numpy as np
from scipy.special import log_ndtr

from course_lib import audio, datasets
from course_lib.gp import SquaredExponential
from course_lib.gp.inference.ep import EvidenceWarning
from course_lib.judgments import PreferenceGP
from course_lib.sequences import Gaussian

PRIOR = np.array([[2.0, 1.0], [1.0, 2.0]])  # of f(a) and f(b): variance 2, correlation ½
ITEMS = np.array([[0.0], [np.sqrt(2 * np.log(2))]])  # so far apart that a kernel with ℓ = 1 has this correlation
GAPS = np.linspace(-10, 10, 1001)
N_POINTS = 300
SOUNDS = {"a: the music as it is": (0, 0, 0, 0, 0), "b: more treble": (0, 0, 0, 6, 9)}  # dB of the five bands


def log_likelihood(for_b, for_a, noise, gaps=GAPS):
    """log p(answers | g) at each gap g = f(b) − f(a), for so many answers of each kind; less its greatest on GAPS."""

    def log_p(g):
        z = g / (np.sqrt(2) * noise)
        return for_b * log_ndtr(z) + for_a * log_ndtr(-z)

    return log_p(gaps) - log_p(GAPS).max()


@cache
def believed(for_b, for_a, noise):
    """The belief about (f(a), f(b)) after the answers, as a Gaussian: the prior, or PreferenceGP's by EP."""
    if not for_b + for_a:
        return Gaussian(np.zeros(2), PRIOR)
    model = PreferenceGP(SquaredExponential(2.0, 1.0), noise_std=noise, inference="ep", optimize=False)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", EvidenceWarning)  # the evidence is not shown
        model.fit(ITEMS, [(0, 1)] * (for_b + for_a), [1] * for_b + [-1] * for_a)
    return Gaussian(*model.predict_latent(ITEMS, return_cov=True))


@cache
def points():
    """(N_POINTS, 2) pairs of values drawn from the prior, and (N_POINTS,) uniform numbers that decide who is kept."""
    rng = np.random.default_rng(10)
    return rng.normal(size=(N_POINTS, 2)) @ np.linalg.cholesky(PRIOR).T, rng.uniform(size=N_POINTS)


def kept(for_b, for_a, noise):
    """(N_POINTS,) which points stay, each with the probability that it gives these answers, the best one's being 1."""
    pairs, chances = points()
    return np.log(chances) < log_likelihood(for_b, for_a, noise, np.diff(pairs)[:, 0])


@cache
def both_sides():
    """Players of the two items: two bars of music as they are (a), and with more treble (b)."""
    music = datasets.load_music("garzul")
    signal, rate = music.signal
    loop = audio.EqualizedLoop(signal[: 4 * rate], rate)
    heard = f"{music.heard} {music.title}.", "The same two bars, brighter: the cymbals hiss more."
    sides = zip(SOUNDS.items(), heard, strict=True)
    return "".join(audio.play(*loop.signal(gains), side, words)._repr_html_() for (side, gains), words in sides)
