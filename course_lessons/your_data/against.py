"""Studies of simulated tables beside other tools, each in its best form. Lecture: 14, section 7."""

import warnings

import numpy as np
import pandas as pd
from scipy.stats import norm
from sklearn.linear_model import LogisticRegression

from course_lessons.your_data.made import made_choices, made_ratings
from course_lib import validation
from course_studies.pair_study import PairStudy
from course_studies.pairs import from_pairs
from course_studies.rating_study import RatingStudy
from course_studies.ratings import from_long


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
