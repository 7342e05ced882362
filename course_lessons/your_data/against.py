"""Studies beside other analyses: of the jurors the published one; of simulated tables other tools, in their best form.

Lecture: 14, sections 5 and 7.
"""

import warnings

import numpy as np
import pandas as pd
from scipy.stats import norm
from sklearn.linear_model import LogisticRegression

from course_lessons.your_data.made import made_choices, made_ratings
from course_lib import validation
from course_lib.datasets import load_wine
from course_studies.pair_study import PairStudy
from course_studies.pairs import from_pairs
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


def quadratic(items):
    """(n, 5 or fewer) standardised features, squares and product, rotated to linearly independent columns."""
    first, second = ((items - items.mean()) / items.std()).to_numpy().T
    columns = np.column_stack([first, second, first**2, first * second, second**2])
    columns = columns - columns.mean(axis=0)
    _, sizes, axes = np.linalg.svd(columns, full_matrices=False)
    return columns @ axes[sizes > 1e-9 * sizes[0]].T


def ratings(seed):
    """{tool: (error of differences in marks, share that 90 % intervals hold, or NaN)} for one simulated study.

    The mixed model of statsmodels has random listeners, and items that are fixed, random, or random around a quadratic
    in the features.
    """
    smf, made = validation.optional_import("statsmodels.formula.api", "lab"), made_ratings(seed)
    ours = from_long(made.frame, item="clip", rater="listener", rating="mark", features=made.items)
    found = RatingStudy(standardize=True).fit(ours).contrasts()
    a, b = (made.items.index.get_indexer(found[side]) for side in "ab")
    truth = made.truth.to_numpy()[b] - made.truth.to_numpy()[a]

    def error(difference):
        return np.sqrt(np.mean((difference - truth) ** 2))

    inside = ((found["low"] <= truth) & (truth <= found["high"])).mean()
    told = {"ours": (error(found["difference"]), inside)}
    fixed = smf.mixedlm("mark ~ 0 + clip", made.frame, groups="listener").fit(method="powell")
    names = [f"clip[{clip}]" for clip in made.items.index]
    value, cov = fixed.fe_params[names].to_numpy(), fixed.cov_params().loc[names, names].to_numpy()
    half = norm.ppf(0.95) * np.sqrt(cov[a, a] + cov[b, b] - 2 * cov[a, b])
    told["fixed items"] = error(value[b] - value[a]), (np.abs(value[b] - value[a] - truth) <= half).mean()
    bends = pd.DataFrame(quadratic(made.items), index=made.items.index).add_prefix("q")
    frame = made.frame.join(bends, on="clip").assign(all="one")
    parts = {"clip": "0 + C(clip)", "listener": "0 + C(listener)"}
    for tool, line in {"random items": "1", "random items, features": " + ".join(bends.columns)}.items():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a variance of 0, which may be the best one, lies on the boundary
            fit = smf.mixedlm(f"mark ~ {line}", frame, groups="all", vc_formula=parts).fit(method="powell")
        value = np.array([fit.random_effects["one"][f"clip[C(clip)[{clip}]]"] for clip in made.items.index])
        value += bends.to_numpy() @ fit.fe_params.reindex(bends.columns, fill_value=0.0).to_numpy()
        told[tool] = error(value[b] - value[a]), np.nan
    return told


def choices(seed):
    """{tool: error of the probability of the next choice} for one simulated study."""
    import choix

    made = made_choices(seed)
    study = PairStudy(standardize=True).fit(from_pairs(made.frame, "left", "right", "answer", features=made.items))
    ours, place = study.shares(), made.items.index.get_indexer
    a, b, z = place(ours["a"]), place(ours["b"]), made.truth.to_numpy()
    left, right, chosen = (place(made.frame[column]) for column in ("left", "right", "answer"))
    pairs = list(zip(chosen, np.where(chosen == left, right, left), strict=True))
    worth, bends = choix.ilsr_pairwise(len(z), pairs, alpha=0.1), quadratic(made.items)
    line = LogisticRegression(fit_intercept=False).fit(bends[right] - bends[left], chosen == right)
    found = {
        "ours": ours["p_b"].to_numpy(),
        "choix": 1 / (1 + np.exp(worth[a] - worth[b])),
        "logistic regression, features": line.predict_proba(bends[b] - bends[a])[:, 1],
    }
    truth = norm.cdf((z[b] - z[a]) / np.sqrt(2))
    return {tool: np.sqrt(np.mean((p - truth) ** 2)) for tool, p in found.items()}


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
    return table(["three options less two", *WITNESSES], rows)


def published_interaction(own):
    """The interaction of Smithson and Verkuilen (2006), example 1, beside that of own (BetaFits)."""
    signs = np.array([-1, 1, 1, -1]) / 4  # of the situations in alphabetical order
    effect, error = signs @ own.logit_mean, np.linalg.norm(signs * own.logit_error)
    rows = [["interaction, in logits", "0.280, z = 2.69", f"{effect:.3f}, z = {effect / error:.2f}"]]
    return table(["", "the paper says", "we get"], rows)
