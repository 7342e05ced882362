"""Three simulated raters of three real tables: which model of the raters predicts the truth best?

Source: Gil González et al. (2019), Table 1.

Lecture: 09, section 9.
"""

import numpy as np

from course_lib.gp import GPRegression, SquaredExponential
from course_lib.judgments.panels.raters import RaterGP
from course_lib.judgments.panels.regions import find_regions
from course_lib.judgments.simulated_raters import BY_REGION, HOMOGENEOUS, simulate_raters

PERFECT = 0.04  # a noise below it is that of a rater without noise, as standardised targets go


def problem(table, train, seed, by_region):
    """(X, z, Y) of the items to learn from, and of all others: inputs, true values, answers of three raters.

    train : how many items to learn from, or their share;  by_region : a noise for each of three clusters, or one
    """
    train, test = table.split(train, rng=seed, groups=np.arange(len(table)))
    parts, n = [part.standardized(like=train) for part in (train, test)], len(train)
    X, z = np.concatenate([p.X for p in parts]), np.concatenate([p.y for p in parts])
    regions = find_regions(3, X, rng=seed).labels if by_region else None
    Y = simulate_raters(z, BY_REGION if by_region else HOMOGENEOUS, seed, regions)
    return (X[:n], z[:n], Y[:n]), (X[n:], z[n:], Y[n:])


def recipes():
    """{name: function of (X, z, Y) that gives a fitted model}; only GOLD looks at z."""
    wide = SquaredExponential(1.0, 3.0)
    return {
        "GOLD": lambda X, z, Y: GPRegression(wide, noise_std=0.3).fit(X, z),
        "AV": lambda X, z, Y: GPRegression(wide, noise_std=0.5).fit(X, Y.mean(axis=1)),
        "MA": lambda X, z, Y: RaterGP(wide).fit(X, Y),
        "MANH": lambda X, z, Y: RaterGP(wide, regions="affinity", rng=0).fit(X, Y),
        "MA, nugget": lambda X, z, Y: RaterGP(wide, nugget_std=0.3).fit(X, Y),
        "MANH, nugget": lambda X, z, Y: RaterGP(wide, regions="affinity", nugget_std=0.3, rng=0).fit(X, Y),
    }


def repetition(table, seed, by_region):
    """(M, 4) for each of `recipes`: RMSE × 100 against the truth and against the mean label, perfect regions, regions.

    A region is perfect if the model finds a rater without noise in it; models without raters have no regions.
    """
    train, (X, z, Y) = problem(table, 160, seed, by_region)
    rows = []
    for fit in recipes().values():
        model = fit(*train)
        predicted = model.predict(X)  # of other items, even where a mix was seen
        least = np.nanmin(model.rater_std_, axis=1) if isinstance(model, RaterGP) else np.empty(0)
        errors = [100 * np.sqrt(np.mean((predicted - target) ** 2)) for target in (z, Y.mean(axis=1))]
        rows.append([*errors, np.sum(least < PERFECT), len(least)])
    return np.array(rows)
