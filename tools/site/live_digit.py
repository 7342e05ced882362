"""The reader's own digit before all recognisers of Act I, in the page: what they learned, and what is drawn of it.

Lecture: 04, section 8.
"""

import base64

import numpy as np
from scipy.linalg import solve_triangular

from course_lessons.hmm import explore, own, plots
from course_lib.audio.features import mel_edges
from course_lib.audio.whispering import BANDS
from course_lib.sequences.covariances import cholesky
from course_lib.sequences.recognizers import BagOfFrames
from course_lib.sequences.templates import TemplateRecognizer
from course_widgets import geometry, whispers
from course_widgets.microphone import RATE
from tools.site import frames, live_speech

WINDOW, N_FFT = round(own.WINDOW_SECONDS * RATE), 512


def data():
    """What the page needs to hear a digit as each recogniser does, and to say, show and play what it found."""
    fitted, ready = own.fitted(), own.ready_digits()
    python = explore.explore_my_digit(fitted)
    longer = python.controls["longer"].values
    slower = ({digit: one.at_speed(100 / (100 + value)) for digit, one in ready.items()} for value in longer)
    return {
        "worker": "digit.js",
        **live_speech.speech(python, read, {name: one.samples for name, one in python.ready.items()}),
        **live_speech.cepstra(WINDOW, N_FFT, own.HOP_SECONDS, BANDS),
        "centres": mel_edges(BANDS, RATE)[1:-1].tolist(),
        **python.asks(),
        "sets": frames.sets(python),
        "longer": longer,
        "proof": [python.feedback.shown(longer=value, word=None) for value in longer],
        "digits": [one.name for one in ready.values()],
        "recognizers": [{"name": name, **learned(one)} for name, one in fitted.items()],
        "row": list(fitted).index(own.WITH_STATES),
        "right": [own.recognised(fitted[own.WITH_STATES], played) for played in slower],
        "words": {
            "found": explore.MY_DIGIT_SENTENCE, "heard": explore.HEARD_AS, "states": plots.STATES_OF.split("\n")[1],
            "played": explore.AS_PLAYED, "said": explore.SAID, "kept": explore.KEPT,
            "expected": explore.EXPECTED, "whisper": whispers.HEARD, **live_speech.players(),
        },
    }  # fmt: skip


# --- what the recognisers learned


def learned(recognizer):
    """A fitted recogniser of words 0, 1, … with equal priors, as digit.js reads it."""
    if isinstance(recognizer, TemplateRecognizer):
        return templates(recognizer)
    models = recognizer.models_
    if recognizer.encoder_ is not None:
        codebook, emission = recognizer.encoder_.codebook_, np.log([one.emissionprob_ for one in models])
        return {"kind": "symbols", "codebook": table(codebook), "emission": table(emission), **steps(models)}
    if not hasattr(models[0], "density_"):
        expected = table([own.state_means(one) for one in models])
        return {"kind": "densities", "expected": expected, **gaussians(models, "f8"), **steps(models)}
    densities = [one.density_ for one in models]
    if isinstance(models[0], BagOfFrames):
        return {"kind": "mixture", **gaussians(densities)}
    count = {"frames": models[0].n_frames}
    if densities[0].covariance_type == "diag":
        return {"kind": "chain", **count, **gaussians(densities)}
    return {"kind": "full", **count, **whitened(densities)}


def templates(recognizer):
    """Templates, a row for each feature, in whole steps of 10⁻⁴ of a standard deviation: fewer bytes, equal ranks."""
    known, labels = np.concatenate(recognizer.templates_), recognizer.labels_.tolist()
    unit = np.abs(known).max() / np.iinfo(np.int16).max
    return {
        "kind": "templates",
        "columns": table(np.round(known.T / unit), "i2", unit),
        "bounds": np.cumsum([0, *map(len, recognizer.templates_)]).tolist(),
        "labels": labels,
        "count": len(recognizer.classes_),
        "moves": live_speech.moves(),
    }


def gaussians(models, kind="f4"):
    """Gaussians with diagonal covariances in groups (G, K): what does not depend on x, means, and 1 / σ."""
    K, D = models[0].means_.shape[-2:]
    weights = np.stack([one.weights_ for one in models]).reshape(-1, K)
    means, variances = (
        np.stack([getattr(one, name) for one in models]).reshape(-1, K, D) for name in ("means_", "covariances_")
    )
    constants = np.log(weights) - 0.5 * np.log(2 * np.pi * variances).sum(axis=-1)
    parts = {"constants": constants, "means": means, "scales": variances**-0.5}
    return {name: table(part, kind) for name, part in parts.items()}


def whitened(densities):
    """One Gaussian a word: what does not depend on x, its mean, and the rows of L⁻¹ up to the diagonal, Σ = L Lᵀ."""
    (D,) = densities[0].means_[0].shape
    inverses = [solve_triangular(cholesky(one.covariances_[0]), np.eye(D), lower=True) for one in densities]
    constants = [np.log(np.diag(one)).sum() - D / 2 * np.log(2 * np.pi) for one in inverses]
    rows = [one[np.tril_indices(D)] for one in inverses]
    parts = {"constants": constants, "means": [one.means_[0] for one in densities], "inverses": rows}
    return {name: table(part) for name, part in parts.items()}


def steps(models):
    """log π and log A of chains."""
    with np.errstate(divide="ignore"):
        start, matrix = (np.log([getattr(one, name) for one in models]) for name in ("startprob_", "transmat_"))
    return {"start": table(start, "f8"), "steps": table(matrix, "f8")}


def table(numbers, kind="f4", unit=1):
    """Numbers, each of so few bytes; whole ones are multiples of a unit."""
    packed = np.asarray(numbers, f"<{kind}")
    text = base64.b64encode(packed.tobytes()).decode()
    return {"type": kind, "text": text, "shape": packed.shape, "unit": unit}


# --- the picture


def read(figure):
    """(marks with their roles, one of each; boxes of the axes, where these marks are, and how ranks are written)."""
    marks = geometry.read(figure)
    boxes = [live_speech.box_of(figure, ax) for ax in figure.axes]
    roles = [role(mark, *boxes) for mark in marks]
    roles = [f"state {roles[:k].count('curve')}" if one == "curve" else one for k, one in enumerate(roles)]
    once = [k for k, name in enumerate(roles) if name is None or (roles.index(name) == k and name != "best")]
    first = {name: marks[roles.index(name)] for name in roles if name}
    below = figure.axes[1]
    return [frames.kept(marks[k], roles[k]) for k in once], {
        "boxes": boxes,
        "scale": frames.scale(figure, below),
        "first": {name: mark.points[:2].ravel().tolist() for name, mark in first.items()},
        "parts": live_speech.parts(below.xaxis),
        "title": font(first["said"]) / font(first["x numbers"]),
        "ranks": [placed(first[name], boxes[2], len(figure.axes[2].get_yticks())) for name in ("ranks", "best")],
        "bold": {name: value for name, value in first["best"].look if name != "kind"},
    }


def role(mark, above, below, ranks):
    """What the page draws again; else None. The boxes are those of the waveform, of the states and of the ranks."""
    look, (x, y), middle = dict(mark.look), mark.points[0], mark.points[:, 0].mean()
    beside, bottom = x > below[0] + below[2], below[1] + below[3]
    if look["kind"] == "path" and "clip" in look and not beside:
        return "sound" if y < above[1] + above[3] else "curve"
    if look["kind"] == "marks" and beside:
        return "chosen"
    if look["kind"] == "marks" and abs(y - bottom) < 1 and look["shape"].startswith("0 "):
        return "x"
    if look["kind"] == "marks" and y < below[1]:
        return "above x"
    if look["kind"] != "text":
        return None
    if ranks[0] < x and ranks[1] < y < ranks[1] + ranks[3]:
        return "best" if "font-weight" in look else "ranks"
    if y < above[1] and not beside:
        return "said"
    if mark.text.startswith("“"):
        return "word"
    if mark.text[0].isdigit() and middle >= below[0] - 1 and not beside:
        return "x numbers" if y > bottom else "states"
    return None


def font(mark):
    return float(dict(mark.look)["font-size"])


def placed(mark, box, rows):
    """{"half": half of its width, "drop": how far below the middle of its row it stands}."""
    (x, y), high = mark.points[0], box[3] / rows
    return {"half": float(mark.points[1, 0] - x) / 2, "drop": float((y - box[1]) % high - high / 2)}
