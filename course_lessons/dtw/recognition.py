"""Ways to recognise isolated words by templates, compared on the same recordings. Lecture: 01, section 7."""

import numpy as np
from scipy.spatial.distance import cdist

from course_lib import audio
from course_lib.sequences.templates import barycenter_average, medoid, time_normalize
from course_lib.sequences.warping_tables import dtw_distances

LINEAR_FRAMES = 20  # of a recording that is stretched linearly


def by_best(distances, labels):
    """(n,) label of the nearest template; distances (n, templates), labels (templates,)."""
    return labels[distances.argmin(axis=1)]


def by_mean(distances, labels):
    """(n,) label whose templates are nearest on average; arguments as for by_best."""
    words = np.unique(labels)
    return words[np.argmin([distances[:, labels == word].mean(axis=1) for word in words], axis=0)]


def nearest_lengths(distances, templates, recordings):
    """Mean number of frames of the nearest template, with and without division by M_φ = T_x + T_y, in words."""
    frames, others = (np.array([len(one) for one in part]) for part in (templates, recordings))
    undivided = distances * np.add.outer(others, frames)
    divided, plain = (frames[D.argmin(axis=1)].mean() for D in (distances, undivided))
    return f"mean length of the nearest template: {divided:.1f} frames; without dividing by M_φ: {plain:.1f}"


def stretched(recordings):
    """(n, LINEAR_FRAMES · D) recordings of (T, D), each stretched linearly to LINEAR_FRAMES frames."""
    return np.array([time_normalize(recording, LINEAR_FRAMES).ravel() for recording in recordings])


def rivals(digits, draw, per_class=10, every=4):
    """Accuracy of each way to recognise, with one draw of templates: {name: share of test recordings}.

    draw : seed of the draw of templates;  per_class : templates of each word
    every : test on one in so many of the other recordings

    Source: Sakoe and Chiba (1978), section IV, for the best of several templates; Petitjean et al. (2011) for their
    average.
    """
    drawn, rest = digits.split(per_class=per_class, rng=draw)
    rest, word = rest.select(np.arange(draw % every, len(rest), every)), drawn.labels
    raw, raw_test = drawn.sequences, rest.sequences
    normal, test = ([audio.normalize_cepstra(r) for r in part] for part in (raw, raw_test))
    total = dtw_distances(test, normal)
    D = total / np.add.outer([len(r) for r in test], [len(r) for r in normal])  # M_φ of symmetric2
    answers = {
        "linear stretching": by_best(cdist(stretched(test), stretched(normal)), word),
        f"DTW, best of {per_class} templates": by_best(D, word),
        f"DTW, mean of {per_class} templates": by_mean(D, word),
        "DTW, not divided by M_φ": by_best(total, word),
        **_one_template(test, normal, word),
        "raw features: linear stretching": by_best(cdist(stretched(raw_test), stretched(raw)), word),
        "raw features: DTW": by_best(dtw_distances(raw_test, raw, normalized=True), word),
        "raw features without c0: DTW": by_best(
            dtw_distances(_without_c0(raw_test), _without_c0(raw), normalized=True), word
        ),
    }
    return {name: float(np.mean(answer == rest.labels)) for name, answer in answers.items()}


def unheard_voices(digits, draws=8, per_class=10, every=4):
    """Accuracy for each speaker by templates of the others: {speaker: (mean, std)} over draws of templates.

    every : each draw is tested on one in so many of the speaker's recordings; draw k begins with recording k % every
    """
    found = {}
    for speaker in np.unique(digits.speakers):
        others, stranger = digits.leave_out(speaker)
        right = []
        for draw in range(draws):
            heard, test = others.split(per_class, rng=draw)[0], stranger.select(slice(draw % every, None, every))
            both = ([audio.normalize_cepstra(r) for r in part.sequences] for part in (test, heard))
            right.append(np.mean(by_best(dtw_distances(*both, normalized=True), heard.labels) == test.labels))
        found[str(speaker)] = float(np.mean(right)), float(np.std(right, ddof=1))
    return found


def _one_template(test, templates, labels):
    """Answers with one template a word: the most central one, or the average of all."""
    words = np.unique(labels)
    groups = [[t for t, label in zip(templates, labels, strict=True) if label == word] for word in words]
    single = {
        "DTW, 1 template: the most central": [group[medoid(group)] for group in groups],
        "DTW, 1 template: the average": [barycenter_average(group)[0] for group in groups],
    }
    return {name: by_best(dtw_distances(test, one, normalized=True), words) for name, one in single.items()}


def _without_c0(recordings):
    return [recording[:, 1:] for recording in recordings]
