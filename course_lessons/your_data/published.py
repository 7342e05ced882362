"""Studies of real tables beside the analyses that were published of them. Lecture: 14, sections 5 and 7."""

import numpy as np
import pandas as pd
from scipy.stats import norm

from course_lib.datasets import load_wine
from course_studies.rating_study import RatingStudy
from course_studies.ratings import from_long
from course_widgets.tables import table


def warmth_by_contact():
    """How bitter warm pressing makes wine, divided by what contact with the skins does, by ordered labels.

    Source: Christensen (2015), whose coefficients are 3.063 and 1.835.
    """
    wine = load_wine()
    frame = pd.DataFrame({"bottle": wine.bottles, "judge": wine.judges, "rating": 1 + np.minimum(wine.y // 20, 4)})
    names = {"item": "bottle", "rater": "judge", "rating": "rating"}
    found = RatingStudy(response="ordinal").fit(from_long(frame, **names, scale=(1, 5))).consensus()["consensus"]
    made = found.sort_index().to_numpy().reshape(2, 2, 2).mean(axis=2)  # cold or warm × without contact or with it
    (warmth,), (contact,) = np.diff(made.mean(axis=1)), np.diff(made.mean(axis=0))
    return warmth / contact


VERDICTS, WITNESSES = ("two-option", "three-option"), ("they conflict", "witnesses agree")


def third_verdict(studies, own, jurors):
    """What a third verdict changes, by {name: RatingStudy}, by own (BetaFits of the situations), and in raw means."""
    asked = [tuple(f"{verdict}, {what}" for verdict in VERDICTS) for what in WITNESSES]
    ends = ["difference", "low", "high"]
    found = {name: study.contrasts(asked)[ends].to_numpy() for name, study in studies.items()}
    raw = jurors.groupby("situation")["confidence"]
    for name, mean, error in (
        ("own ν: beta regression", own.mean, own.mean_error),
        ("raw means", raw.mean(), raw.sem()),
    ):
        (three, two), errors = np.reshape(mean, (2, 2)), np.reshape(error, (2, 2))  # alphabetical
        half = norm.ppf(0.95) * np.linalg.norm(errors, axis=0)
        found[name] = np.column_stack([three - two, three - two - half, three - two + half])
    rows = [[name, *(f"{d:+.2f} [{low:+.2f}, {high:+.2f}]" for d, low, high in of)] for name, of in found.items()]
    return table(["three options minus two", *WITNESSES], rows)


def published_interaction(own):
    """The interaction of Smithson and Verkuilen (2006), example 1, beside that of own (BetaFits)."""
    signs = np.array([-1, 1, 1, -1]) / 4  # of the situations in alphabetical order
    effect, error = signs @ own.logit_mean, np.linalg.norm(signs * own.logit_error)
    rows = [["interaction, in logits", "0.280, z = 2.69", f"{effect:.3f}, z = {effect / error:.2f}"]]
    return table(["", "the paper says", "we get"], rows)
