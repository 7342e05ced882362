"""Gaussian processes and plain baselines on random splits of one table, judged by error and by density.

Lecture: 05, section 7.
"""

import numpy as np
from scipy.stats import norm
from sklearn.dummy import DummyRegressor
from sklearn.linear_model import RidgeCV
from sklearn.model_selection import KFold, cross_val_predict
from sklearn.neighbors import KNeighborsRegressor

from course_lib.datasets import load_auto_mpg, load_concrete
from course_lib.gp.kernels import SquaredExponential
from course_lib.gp.regression import GPRegression
from course_widgets import tables

FOLDS = KFold(5, shuffle=True, random_state=0)
NEIGHBOURS = [KNeighborsRegressor(k, weights="distance") for k in (2, 4, 8)]
HALF_BAND = norm.ppf(0.95)
COLUMNS = ("rmse", "log_density", "inside")


def baseline(*candidates):
    """part → (X → mean, std): the candidate with the least error in cross-validation, and that error as its std."""

    def learn(part):
        errors = [part.y - cross_val_predict(model, part.X, part.y, cv=FOLDS) for model in candidates]
        spread, k = min((np.sqrt(np.mean(e**2)), k) for k, e in enumerate(errors))
        model = candidates[k].fit(part.X, part.y)
        return lambda X: (model.predict(X), np.full(len(X), spread))

    return learn


def process(lengthscale):
    """part → (X → mean, std) of the next answer, by a Gaussian process that begins at this ℓ, one or one an input."""

    def learn(part):
        return GPRegression(SquaredExponential(1.0, lengthscale), noise_std=0.3).fit(part.X, part.y).predict_answer

    return learn


def models_for(n_inputs):
    """{name: learner} of the three baselines and the two processes."""
    return {
        "mean": baseline(DummyRegressor()),
        "ridge": baseline(RidgeCV(np.logspace(-3, 3, 13))),
        "neighbours": baseline(*NEIGHBOURS),
        "GP, one ℓ": process(2.0),
        "GP, ARD": process(np.full(n_inputs, 2.0)),
    }


def tasks():
    """{title: (table, rows to learn from, groups)} of section 7."""
    cars, concrete = load_auto_mpg(), load_concrete()
    apart = {"concrete, whole mixes apart": (concrete, 500, concrete.X[:, :7])}
    return {"cars (mpg)": (cars, 275, None), "concrete (MPa)": (concrete, 500, None), **apart}


def scores_of(stored, title):
    """What `compare` returns for one of the tasks, from the stored rows."""
    rows = stored.of(task=title)
    models = {name: rows.of(model=name) for name in dict.fromkeys(rows["model"].tolist())}
    return {name: np.column_stack([one[column] for column in COLUMNS]) for name, one in models.items()}


def compare(table, train_rows, groups=None, splits=5):
    """{model: (splits, 3)}: RMSE in the unit of y, mean log density, share of answers inside the 90 % band.

    train_rows : rows to learn from;  groups : (n, G), rows with equal ones stay on one side;  splits : the seeds 0 …
    """
    models = models_for(table.X.shape[1])
    scores = {name: [] for name in models}
    for seed in range(splits):
        raw, raw_test = table.split(train_rows, seed, groups)
        train, test, unit = raw.standardized(raw), raw_test.standardized(raw), raw.y.std()
        for name, learn in models.items():
            mean, std = learn(train)(test.X)
            error = np.abs(mean - test.y)
            density = norm.logpdf(test.y, mean, std).mean() - np.log(unit)
            scores[name].append((unit * np.sqrt(np.mean(error**2)), density, np.mean(error < HALF_BAND * std)))
    return {name: np.array(score) for name, score in scores.items()}


def ahead_by(scores, best, column):
    """How far `best` is ahead of another model in a score (S, 3): the mean of the splits, and in how many of them.

    Errors (column 0) are to be small, densities (column 1) large.
    """
    gap = (scores - best)[:, column] * (1 if column == 0 else -1)
    return f"{gap.mean():+.2f} ({(gap > 0).sum()} of {len(gap)})"


def comparison_table(title, scores, best="GP, ARD"):
    """The scores of `compare` as a table, with how far the best is ahead."""
    head = (title, "RMSE", "ARD better by", "log density", "ARD better by", "in the 90 % band")
    rows = []
    for name, score in scores.items():
        ahead = [ahead_by(score, scores[best], column) if name != best else "" for column in (0, 1)]
        error, density, inside = score.mean(axis=0)
        rows.append((name, f"{error:.2f}", ahead[0], f"{density:.2f}", ahead[1], f"{inside:.0%}"))
    return tables.table(head, rows)
