"""Studies of people whom we never met: tables as they would bring them, drawn anew, with the truth beside them."""

import numpy as np
import pandas as pd

from benchmarks.coverage import drawn
from course_lessons.your_data.made import made_degrees
from course_lib.gp import Beta, SquaredExponential
from course_studies import from_pairs
from course_studies.balanced import balanced_pairs

NUMBERS = [1, 7, *range(2, 7), *range(8, 26)]  # README asks for the contrast of clip 1 and clip 7


def names(n):
    """Index of n clips."""
    return pd.Index([f"clip {k}" for k in NUMBERS[:n]], name="clip")


def panel(rng, n, R):
    """(long frame, truth): a smooth function of two features, of spread 4; biases of 3; noises from 3, e^±½ times."""
    items = pd.DataFrame({"reverb": rng.uniform(0.2, 2.0, n), "kbps": rng.uniform(64.0, 320.0, n)}, index=names(n))
    value = 60 + drawn(SquaredExponential(16.0, 1.2), ((items - items.mean()) / items.std(ddof=0)).to_numpy(), rng)
    noise = 3 * np.exp(0.5 * rng.normal(size=R))
    marks = value[:, None] + 3 * rng.normal(size=R) + noise * rng.normal(size=(n, R))
    wide = pd.DataFrame(marks, index=items.index, columns=[f"P{r + 1}" for r in range(R)]).join(items).reset_index()
    return wide.melt(["clip", *items], var_name="listener", value_name="mark"), pd.Series(value, index=items.index)


def choices(rng, n=6, m=20, spread=0.5, tie=0.3):
    """(frame, truth): m choices of five people with one taste, in balance; the noise of one judgement is 1."""
    value, (first, second), clip = spread * rng.normal(size=n), balanced_pairs(n, m, rng).T, names(n)
    gap = value[second] - value[first] + np.sqrt(2) * rng.normal(size=m)
    said = np.select([gap > tie, gap < -tie], [clip[second], clip[first]], "same")
    frame = pd.DataFrame({"first": clip[first], "second": clip[second], "answer": said})
    return frame.assign(who=[f"P{k % 5}" for k in range(m)]), pd.Series(value, index=clip)


def slider(rng):
    """(table, truth): of two of six clips a listener says from 0 to 100 how much the second is liked more."""
    frame, items, truth = made_degrees(rng, clips=6, pairs=30)
    columns = {"first": "left", "second": "right", "answer": "answer", "features": items}
    return from_pairs(frame, **columns, response="degree", scale=(0, 100)), truth


def jurors(rng, n=6, each=17):
    """(frame, truth): one confidence from each of many jurors, each in one of n situations."""
    likelihood, f, situation = Beta(5.0), 0.8 + 0.4 * rng.normal(size=n), np.repeat(names(n), each)
    said = likelihood.sample(np.repeat(f, each), rng).round(3).clip(0.001, 0.999)
    frame = pd.DataFrame({"situation": situation, "juror": range(n * each), "confidence": said})
    return frame, pd.Series(likelihood.mean(f), index=names(n))


def file_of_sliders(path, rng, n=12):
    """Writes n pieces by ten people, as a spreadsheet in German saves it; −1 is no answer, and one mark came twice.

    Zoë always says 50, Bo turns the scale round, Ida uses a tenth of it.
    """
    pieces, people = [f"{k + 1:04d}" for k in range(n)], ["Zoë", "Bo", "Ida", *(f"P{k}" for k in range(7))]
    marks = rng.permutation(np.linspace(25, 75, n))[:, None] + 4 * rng.normal(size=10) + 5 * rng.normal(size=(n, 10))
    marks[:, 0], marks[:, 1], marks[:, 2] = 50, 100 - marks[:, 1], 45 + (marks[:, 2] - 50) / 10
    wide = pd.DataFrame(marks.clip(0.5, 99.5).round(1), index=pieces, columns=people)
    wide.loc["0003", "P1"] = wide.loc["0005", "P4"] = -1
    wide.loc["0004", "P2"] = np.nan
    long = wide.rename_axis("Stück").reset_index().melt("Stück", var_name="Hörer ", value_name="Urteil").dropna()
    pd.concat([long, long.tail(1)]).to_csv(path, sep=";", decimal=",", index=False)


def acr(rng, systems=6, utterances=4, workers=12):
    """Long frame of ACR from 1 to 5; each utterance suits some systems more than others."""
    value = np.linspace(2.2, 3.8, systems)[:, None] + 0.4 * rng.normal(size=(systems, utterances))
    given = value[..., None] + 0.3 * rng.normal(size=workers) + 0.6 * rng.normal(size=(systems, utterances, workers))
    s, u, w = (list(map(str, axis)) for axis in np.indices(given.shape).reshape(3, -1))
    frame = pd.DataFrame({"system": s, "utterance": u, "worker": w, "acr": given.ravel().round().clip(1, 5)})
    return frame.assign(system="S" + frame["system"], utterance="u" + frame["utterance"])


def ab(rng, n=5, m=600, order=0.6):
    """Frame of "A", "B" or "no difference" by two groups of ten, of opposite tastes; A has an edge."""
    clip, (a, b), who = names(n), balanced_pairs(n, m, rng).T, rng.integers(20, size=m)
    value = np.linspace(-1, 1, n)
    gap = np.where(who < 10, 1.0, -0.5) * (value[b] - value[a]) - order + np.sqrt(2) * rng.normal(size=m)
    said = np.select([gap > 0.4, gap < -0.4], ["B", "A"], "no difference")
    frame = pd.DataFrame({"A": clip[a], "B": clip[b], "said": said, "who": who})
    return frame.assign(group=np.where(who < 10, "HI", "norm"))
