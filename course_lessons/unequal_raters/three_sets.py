"""Three simulated raters of three real tables: which model of the raters predicts the truth best?

Source: Gil González et al. (2019), Table 1.

Lecture: 09, section 9.
"""

import numpy as np

from course_lessons.unequal_raters.example import BY_REGION, HOMOGENEOUS
from course_lib.gp import GPRegression, SquaredExponential
from course_lib.judgments.panels.raters import RaterGP
from course_lib.judgments.panels.regions import find_regions
from course_lib.judgments.simulated_raters import simulate_raters
from course_lib.metrics import paired_t_test
from course_widgets.tables import table as shown

SETS = ("Auto", "Concrete", "Housing")
PAPER = {  # by region or not: GOLD, AV, MA, MANH; the paper's LMO, 67.5 to 84.6, is left out
    False: {
        "Auto": (35.40, 59.41, 39.07, 37.93),
        "Concrete": (40.05, 58.43, 44.63, 43.92),
        "Housing": (38.87, 56.85, 38.96, 38.92),
    },
    True: {
        "Auto": (35.40, 54.49, 36.82, 36.42),
        "Concrete": (40.05, 54.46, 43.96, 42.28),
        "Housing": (38.87, 54.62, 45.56, 39.93),
    },
}
BENCHMARK = {  # by the benchmark of annotators, with the paper's rows and repetitions: against the truth, as `recipes`
    False: {
        "Auto": (35.0, 37.8, 37.7, 38.0, 37.4, 37.7),
        "Concrete": (34.1, 40.0, 38.6, 39.2, 39.2, 39.7),
        "Housing": (34.9, 38.7, 38.5, 39.1, 38.5, 39.1),
    },
    True: {
        "Auto": (35.0, 37.5, 37.2, 36.3, 36.7, 35.6),
        "Concrete": (34.1, 39.4, 37.4, 36.1, 37.9, 35.5),
        "Housing": (34.9, 37.7, 37.1, 37.1, 37.3, 36.1),
    },
}
AGAINST_LABELS = (56, 58, 55)  # of AV, homogeneous, by the same benchmark: against the noisy labels
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


def stored_errors(stored):
    """{(set, by_region, model): (repetitions, 2)} of the stored claim: against the truth, and the mean noisy label."""
    keys = [(name, by_region, model) for name in SETS for by_region in (False, True) for model in recipes()]
    found = {key: stored.of(set=key[0], by_region=int(key[1]), model=key[2]) for key in keys}
    return {key: np.column_stack([rows["truth"], rows["labels"]]) for key, rows in found.items()}


def differences(errors):
    """The paper's Table 1 as differences of RMSE × 100, in the order of SETS; errors : of `stored_errors`."""
    clean, noisy = (", ".join(f"{errors[name, False, 'AV'][:, k].mean():.0f}" for name in SETS) for k in (0, 1))
    said, ours = (", ".join(f"{source[False][name][1]:.0f}" for name in SETS) for source in (PAPER, BENCHMARK))
    rows = [
        ["1: AV, homogeneous, against the truth", said, ours, clean],
        ["the same against the noisy labels", f"({said})", ", ".join(map(str, AGAINST_LABELS)), noisy],
    ]
    for what, first, second, by_region in (
        ("2: MA − AV, homogeneous", "MA", "AV", False),
        ("3: MANH − MA, homogeneous", "MANH", "MA", False),
        ("4: the same, both with a nugget", "MANH, nugget", "MA, nugget", False),
        ("5: MANH − MA, Λ", "MANH", "MA", True),
        ("6: the same, both with a nugget", "MANH, nugget", "MA, nugget", True),
        ("7: MANH (ours with nugget) − AV, Λ", "MANH, nugget", "AV", True),
    ):
        tried = second in ("AV", "MA")
        theirs = _gaps(PAPER, first.removesuffix(", nugget"), second, by_region) if tried else "not tried"
        tests = [paired_t_test(*(errors[name, by_region, one][:, 0] for one in (first, second))) for name in SETS]
        errors_of = ", ".join(f"{test.standard_error:.1f}" for test in tests)
        mine = f"{_signed(test.difference for test in tests)} ± {errors_of}"
        rows.append([what, theirs, _gaps(BENCHMARK, first, second, by_region), mine])
    return shown(["what (Auto, Concrete, Housing)", "the paper says", "we get", "the small version"], rows)


def _gaps(source, first, second, by_region):
    a, b = (list(recipes()).index(model) for model in (first, second))
    return _signed(source[by_region][name][a] - source[by_region][name][b] for name in SETS)


def _signed(values):
    return ", ".join(f"{round(value, 1) + 0.0:+.1f}".replace("-", "−") for value in values)


def whole_table(errors):
    """The paper's Table 1, the small version's and the benchmark's; errors : of `stored_errors`."""
    models, rows = list(recipes()), []
    for by_region, noise in ((False, "homogeneous"), (True, "Λ")):
        for name in SETS:
            got = [errors[name, by_region, model].mean(axis=0) for model in models]
            rows += [
                [noise, name, "*the paper says*", *PAPER[by_region][name], "–", "–"],
                ["", "", "small version, against the truth", *(truth for truth, _ in got)],
                ["", "", "small version, against the mean noisy label", *(labels for _, labels in got)],
                ["", "", "*as many rows as the paper, against the truth*", *BENCHMARK[by_region][name]],
            ]
    return shown(["noise", "set", "row", *models], rows, digits=1)
