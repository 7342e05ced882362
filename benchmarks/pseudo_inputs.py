"""Nielsen et al. (2012), Figure 1 (c, d): how many pseudo-inputs are enough, on Boston and on a second set.

A number is the share of pairs of unseen items that are told wrongly, over folds of items.

The paper shows curves, for Boston (all 506 houses, 10 inputs, every pair told by the price) and for 600 wines, which
are not at hand: 600 mixes of Concrete take their place. As there: folds of items, a squared exponential with σ_f = 1,
ℓ with the half Student's t of 4 degrees and scale 6, σ free; pseudo-inputs by k-means, or moved from there by the
evidence. What differs: 5 of the 20 folds unless more repetitions are asked for, and 3000 of the pairs among training
items rather than a quarter of them (about 28,000); items of the same price are not compared; inputs standardised.
"""

import warnings

import numpy as np
from joblib import Parallel, delayed

TITLE = "Nielsen et al. (2012), Figure 1: error rate by the number of pseudo-inputs"
REPETITIONS = 5  # folds, of 20
COMPARISONS = 3000
NUMBERS = (1, 2, 5, 10, 20, 40)
SETS = ("Boston", "Concrete")
LEFT_OUT = ("at the river", "nitric oxides", "access to highways")  # as the paper does


def items(name):
    """(X (n, D) in the units of the table, worth (n,))."""
    from course_lib import datasets

    if name == "Boston":
        table = datasets.load_boston()
        keep = [k for k, column in enumerate(table.inputs) if not column.startswith(LEFT_OUT)]
        X, worth = table.X[:, keep], table.y
    else:
        table = datasets.load_concrete()
        chosen = np.random.default_rng(0).choice(len(table), 600, replace=False)
        X, worth = table.X[chosen], table.y[chosen]
    return X, worth


def comparisons(worth, among):
    """All pairs of these items that differ in worth, and which is better: (m, 2), (m,) ±1."""
    first, second = np.triu_indices(len(among), k=1)
    pairs = np.column_stack([among[first], among[second]])
    gap = np.diff(worth[pairs], axis=1)[:, 0]
    return pairs[gap != 0], np.sign(gap[gap != 0])


def fit(X, pairs, y, **settings):
    """A fit with the paper's kernel and priors."""
    from course_lib.gp import Fixed, HalfStudentT, LogNormal, SquaredExponential
    from course_lib.judgments import PreferenceGP

    kernel = SquaredExponential(1.0, np.sqrt(X.shape[1])).with_priors(variance=Fixed(), lengthscale=HalfStudentT(6.0))
    flat = LogNormal(1.0, 10.0)  # the paper's prior of σ is uniform
    return PreferenceGP(kernel, noise_std=1.0, noise_prior=flat, rng=0, max_iter=100, **settings).fit(X, pairs, y)


def errors(name, fold, numbers=NUMBERS, n_comparisons=COMPARISONS):
    """(2, numbers) error rates with pseudo-inputs by k-means and moved, and that of the full model."""
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.model_selection import KFold

    warnings.simplefilter("ignore", ConvergenceWarning)  # places are still moving after 100 rounds
    X, worth = items(name)
    train, test = list(KFold(20, shuffle=True, random_state=0).split(X))[fold]
    X = (X - X[train].mean(axis=0)) / X[train].std(axis=0)
    pairs, y = comparisons(worth, train)
    chosen = np.random.default_rng(fold).choice(len(y), n_comparisons, replace=False)
    unseen, truth = comparisons(worth, test)

    def wrong(**settings):
        mean, _ = fit(X, pairs[chosen], y[chosen], **settings).predict_difference(X, unseen)
        return np.mean(np.sign(mean) != truth)

    return np.array([[wrong(inducing=M, learn_inducing=move) for M in numbers] for move in (False, True)]), wrong()


def table(repetitions, sets=SETS, numbers=NUMBERS, n_comparisons=COMPARISONS):
    """Lines of Markdown: mean error rates, pseudo-inputs fixed and moved, beside the full model."""
    yield "\n| set | pseudo-inputs | " + " | ".join(f"M = {M}" for M in numbers) + " | full model |"
    yield "|---|---|" + "---|" * (len(numbers) + 1)
    for name in sets:
        found = Parallel()(delayed(errors)(name, fold, numbers, n_comparisons) for fold in range(repetitions))
        sparse, full = (np.mean([fold[k] for fold in found], axis=0) for k in (0, 1))
        for label, rates in zip(("k-means", "moved by the evidence"), sparse, strict=True):
            yield f"| {name} | {label} | " + " | ".join(f"{rate:.3f}" for rate in rates) + f" | {full:.3f} |"
