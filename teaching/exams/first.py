"""The numbers of the exam on sequences and the engine: what is given, and everything that follows from it.

For each question a function whose defaults are sheet A and which returns all numbers that `first.md` prints, and one
that draws other numbers. Change a default, run `make exams`, and question, solution and table of mistakes follow.
"""

from functools import cache
from itertools import pairwise

import numpy as np
from scipy.stats import norm

from course_lib import sequences as seq
from teaching.exams.common import apart, pick, wanted

SPIKE = 0.005  # least σ that a component may have

# ------------------------------------------------------------------------------------------------------- 1 warping


def warping(x=(0, 7, 6, 2), y=(4, 1, 6, 5)):
    """Two short curves: table, best path, a dearer path with a smaller mean, and what wrong tables give."""
    d = np.abs(np.subtract.outer(x, y))
    D = accumulated(d)
    paths = [[(i, j) for i, j in path] for path in all_paths(*d.shape)]
    totals = np.array([sum(d[cell] for cell in path) for path in paths])
    lengths = np.array([len(path) for path in paths])
    best = int(totals.argmin())
    wanted((totals == totals.min()).sum() == 1, "one best path")
    cheaper = np.flatnonzero(totals / lengths < totals[best] / lengths[best] - 0.02)
    wanted(cheaper.size, "a path with a larger sum and a smaller mean")
    tempting = int(cheaper[np.argmin(totals[cheaper] / lengths[cheaper])])
    wrong = {
        "border": int(accumulated(d, border=0)[-1, -1]),
        "greedy": int(greedy(d)),
        "no_diagonal": int(accumulated(d, diagonal=False)[-1, -1]),
        "lock_step": int(np.trace(d)),
    }
    wanted(len({int(D[-1, -1]), *wrong.values()}) == 5, "mistakes that can be told from each other")
    wanted(2 <= D[-1, -1] <= 12, "a distance between 2 and 12")
    return {
        "x": list(x),
        "y": list(y),
        "d": d.astype(int).tolist(),
        "D": D.astype(int).tolist(),
        "distance": int(totals[best]),
        "path": _cells(paths[best]),
        "cells": int(lengths[best]),
        "mean": totals[best] / lengths[best],
        "other_path": _cells(paths[tempting]),
        "other_total": int(totals[tempting]),
        "other_cells": int(lengths[tempting]),
        "other_mean": totals[tempting] / lengths[tempting],
        **wrong,
    }


def accumulated(d, border=np.inf, diagonal=True):
    """The table of accumulated distances, with a border round it; diagonal=False leaves a move out."""
    D = np.full((d.shape[0] + 1, d.shape[1] + 1), border, dtype=float)
    D[0, 0] = 0
    for i in range(d.shape[0]):
        for j in range(d.shape[1]):
            before = [D[i, j + 1], D[i + 1, j], *([D[i, j]] if diagonal or i + j == 0 else [])]
            D[i + 1, j + 1] = min(before) + d[i, j]
    return D[1:, 1:]


def all_paths(rows, columns):
    """Every warping path from the first cell to (rows − 1, columns − 1), as lists of cells."""
    if (rows, columns) == (1, 1):
        return [[(0, 0)]]
    before = [(rows - 1, columns - 1), (rows - 1, columns), (rows, columns - 1)]
    return [[*path, (rows - 1, columns - 1)] for cell in before if min(cell) > 0 for path in all_paths(*cell)]


def greedy(d):
    """Sum along the path that always takes the cheapest next cell, the diagonal one of equals."""
    i = j = 0
    total = d[0, 0]
    while (i + 1, j + 1) != d.shape:
        after = [(i + 1, j + 1), (i + 1, j), (i, j + 1)]
        i, j = min((c for c in after if c[0] < d.shape[0] and c[1] < d.shape[1]), key=lambda cell: d[cell])
        total += d[i, j]
    return total


def _cells(path):
    return ", ".join(f"({i + 1}, {j + 1})" for i, j in path)


def other_warping(rng):
    return {"x": tuple(map(int, rng.integers(0, 9, 4))), "y": tuple(map(int, rng.integers(0, 9, 4)))}


# ------------------------------------------------------------------------------------------------------- 2 density


def density(from_a=(1, 2), spread_b=(4, 2), from_b=(1.0, 1.0), x=(3, 5)):
    """A frame between a narrow Gaussian A (both σ = 1) and a wide one B; deviations from B are in its own spreads."""
    spread_b, deviation_b = np.array(spread_b, dtype=float), np.array(from_b) * spread_b
    far_a, far_b = float(np.sum(np.square(from_a))), float(np.sum(np.square(from_b)))
    log_det = float(2 * np.log(spread_b).sum())
    score_a, score_b = -0.5 * far_a, -0.5 * (log_det + far_b)
    bug_b = -0.5 * (log_det / 2 + far_b)
    wanted(far_b < far_a, "a frame that is nearer to B in standard deviations")
    wanted(score_a - score_b > 0.15 and bug_b - score_a > 0.15, "A to win, and B to win with the mistake")
    return {
        "x": list(x),
        "mean_a": [x[0] - from_a[0], x[1] - from_a[1]],
        "mean_b": [float(m) for m in np.subtract(x, deviation_b)],
        "spread_b": spread_b.tolist(),
        "far_a": far_a,
        "far_b": far_b,
        "log_det": log_det,
        "score_a": score_a,
        "score_b": score_b,
        "ahead": score_a - score_b,
        "factor": float(np.exp(score_a - score_b)),
        "excess": bug_b - score_b,
        "bug_b": bug_b,
        "constant": float(-np.log(2 * np.pi)),
    }


def other_density(rng):
    signs = [pick(rng, [-1, 1]) for _ in range(4)]
    return {
        "from_a": (signs[0] * pick(rng, [1, 2]), signs[1] * pick(rng, [1, 2])),
        "spread_b": pick(rng, [(4, 2), (2, 4), (4, 4), (8, 2), (2, 2)]),
        "from_b": (signs[2] * pick(rng, [0.5, 1.0, 1.5]), signs[3] * pick(rng, [0.5, 1.0])),
        "x": (int(rng.integers(2, 7)), int(rng.integers(2, 7))),
    }


# ------------------------------------------------------------------------------------------------------- 3 mixture


def mixture(x=(1, 2, 4, 7), gamma=(0.0, 0.25, 0.75, 1.0), old_mean=4, seed=4, n=40):
    """One M-step by hand, and a table of mixtures with more and more components on n made-up numbers."""
    x, gamma = np.array(x, dtype=float), np.array(gamma)
    N = gamma.sum()
    mean = gamma @ x / N
    variance = gamma @ (x - mean) ** 2 / N
    old = gamma @ (x - old_mean) ** 2 / N
    wanted(apart(variance, old, variance * N / len(x), by=0.1), "variances that tell mistakes apart")
    rows = compared(seed, n)
    by_bic = min(rows, key=lambda row: row["bic"])
    wanted(by_bic["K"] in (2, 4) and abs(rows[1]["bic"] - rows[2]["bic"]) > 1, "BIC for 2 or 4, and clearly")
    wanted(all(a["train"] < b["train"] for a, b in pairwise(rows)), "training likelihoods that rise")
    wanted(rows[-1]["train"] > rows[2]["train"] + 3, "a leap with 8 components")
    wanted(rows[-1]["held_out"] < max(row["held_out"] for row in rows) - 8, "worse held-out numbers with 8")
    wanted(rows[-1]["least"] < 0.1 < 0.4 < rows[1]["least"], "a spike with 8 components and none with 2")
    return {
        "x": [int(v) for v in x],
        "gamma": gamma.tolist(),
        "old_mean": old_mean,
        "N": float(N),
        "weight": float(N / len(x)),
        "mean": float(mean),
        "variance": float(variance),
        "with_old_mean": float(old),
        "by_all": float(variance * N / len(x)),
        "plain_mean": float(x.mean()),
        "n": n,
        "log_n": float(np.log(n)),
        "rows": rows,
        "bic_2": rows[1]["bic"],
        "bic_4": rows[2]["bic"],
        "chosen": by_bic["K"],
        "best_held_out": max(rows, key=lambda row: row["held_out"])["K"],
        "leap": rows[-1]["train"] - rows[2]["train"],
        "loss": max(row["held_out"] for row in rows) - rows[-1]["held_out"],
    }


@cache
def compared(seed, n):
    """Rows for 1, 2, 4 and 8 components: log likelihood of n numbers and of n held out, least spread, BIC."""
    rng = np.random.default_rng(seed)
    made = [np.where(rng.random(n) < 0.5, rng.normal(-2, 1, n), rng.normal(2, 0.7, n)) for _ in range(2)]
    train, held_out = (np.round(one, 2)[:, None] for one in made)
    rows = []
    for K in (1, 2, 4, 8):
        search = {"init": "random", "n_init": 5, "max_iter": 2000, "rng": seed}
        model = seq.GaussianMixture(K, min_variance=SPIKE**2, **search).fit(train)
        fit = round(float(model.score_samples(train).sum()), 1)
        rows.append(
            {
                "K": K,
                "train": fit,
                "held_out": round(float(model.score_samples(held_out).sum()), 1),
                "least": float(np.sqrt(model.covariances_.min())),
                "bic": -2 * fit + (3 * K - 1) * np.log(n),
            }
        )
    return rows


def other_mixture(rng):
    x = np.sort(rng.choice(10, 4, replace=False))
    return {
        "x": tuple(map(int, x)),
        "gamma": pick(
            rng, [(0.0, 0.25, 0.75, 1.0), (0.0, 0.5, 0.5, 1.0), (0.25, 0.25, 0.5, 1.0), (0.0, 0.5, 1.0, 1.0)]
        ),
        "old_mean": int(rng.integers(3, 7)),
        "seed": pick(rng, [3, 4, 5]),
    }


# --------------------------------------------------------------------------------------------------------- 4 chain


def chain(pi=(0.5, 0.5), A=((0.8, 0.2), (0.3, 0.7)), B=((0.9, 0.1), (0.4, 0.6)), observed=(0, 1, 1)):
    """Three days of a two-state chain: the forward table, tomorrow, and a program that never divides."""
    pi, A, B = np.array(pi), np.array(A), np.array(B)
    alpha = forward(pi, A, B, observed)
    totals = alpha.sum(axis=1)
    belief = alpha[-1] / totals[-1]
    tomorrow = belief @ A
    transposed = forward(pi, A.T, B, observed)[-1].sum()
    left = forward_with_emission_left(pi, A, B, observed)
    best = forward_best(pi, A, B, observed)
    wrong = {"transposed": float(transposed), "left": float(left), "best": float(best)}
    wanted(apart(totals[-1], *wrong.values(), by=0.002), "mistakes that change P")
    wanted(apart(belief[1], tomorrow[1], B[1, 1], (tomorrow @ B)[1], by=0.02), "four beliefs that differ")
    wanted(0.15 < belief[1] < 0.95, "an open question")
    return {
        "pi": pi.tolist(),
        "A": A.tolist(),
        "B": B.tolist(),
        "alpha": alpha.tolist(),
        "totals": totals.tolist(),
        "P": float(totals[-1]),
        "log_P": float(np.log(totals[-1])),
        "belief": belief.tolist(),
        "tomorrow": tomorrow.tolist(),
        "late_tomorrow": float((tomorrow @ B)[1]),
        "from_state": float((belief @ B)[1]),
        "code": float(np.log(totals).sum()),
        **wrong,
    }


def forward(pi, A, B, observed):
    """(T, N) α."""
    rows = [pi * B[:, observed[0]]]
    for o in observed[1:]:
        rows.append(rows[-1] @ A * B[:, o])
    return np.array(rows)


def forward_with_emission_left(pi, A, B, observed):
    """The sum, if each step emits in the state that it leaves, and the last state emits nothing more."""
    alpha = pi * B[:, observed[0]]
    for o in observed[1:]:
        alpha = (alpha * B[:, o]) @ A
    return alpha.sum()


def forward_best(pi, A, B, observed):
    """The probability of the best path alone."""
    delta = pi * B[:, observed[0]]
    for o in observed[1:]:
        delta = (delta[:, None] * A).max(axis=0) * B[:, o]
    return delta.max()


def other_chain(rng):
    stay, other, good, bad = (pick(rng, [0.6, 0.7, 0.8, 0.9]) for _ in range(4))
    first = pick(rng, [0.4, 0.5, 0.6])
    return {
        "pi": (first, round(1 - first, 1)),
        "A": ((stay, round(1 - stay, 1)), (round(1 - other, 1), other)),
        "B": ((good, round(1 - good, 1)), (round(1 - bad, 1), bad)),
        "observed": (0, 1, 1),
    }


# ------------------------------------------------------------------------------------------------------- 5 process


def process(variance=4.0, covariance=3.0, noise=2.0, first=2.5, second=4.5, seed=2, order=(2, 0, 1)):
    """One measurement at a place and what it says of another; a second one; and evidences of three lengthscales."""
    gain = covariance / (variance + noise**2)
    gain_two = covariance / (variance + noise**2 / 2)
    mean, var = gain * first, variance - gain * covariance
    var_two, limit = variance - gain_two * covariance, variance - covariance**2 / variance
    wanted(apart(var, var_two, limit, by=0.05), "variances that differ")
    wanted(apart(noise, noise**2, by=0.3), "a noise that shows a forgotten square")
    t, y = measured(seed)
    lengthscales = (0.15, 1.0, 8.0)
    rows = [evidence_row(t, y, scale, 0.3) for scale in lengthscales]
    sums = [row["sum"] for row in rows]
    ranked = np.argsort(sums)[::-1]
    wanted(ranked[0] == 1, "the middle lengthscale to win")
    wanted(
        apart(*sums, by=0.4) and sums[ranked[0]] - sums[ranked[1]] < 6, "evidences that differ, and not by too much"
    )
    wanted(rows[0]["complexity"] + 0.5 < rows[1]["complexity"] < rows[2]["complexity"] - 0.5, "complexities apart")
    wanted(rows[2]["fit"] < rows[0]["fit"] - 1 and rows[1]["fit"] > rows[2]["fit"] + 1, "a straight line not to fit")
    shown = [rows[k] for k in order]
    return {
        "variance": variance,
        "covariance": covariance,
        "noise": noise,
        "first": first,
        "second": second,
        "mean": mean,
        "var": var,
        "next_var": var + noise**2,
        "mean_two": gain_two * (first + second) / 2,
        "var_two": var_two,
        "limit": limit,
        "no_noise": covariance / variance * first,
        "noise_unsquared": covariance / (variance + noise) * first,
        "lengthscales": list(lengthscales),
        "n": len(t),
        "constant": -0.5 * len(t) * np.log(2 * np.pi),
        "shown": [dict(row, name=name) for name, row in zip("PQR", shown, strict=True)],
        "factor": float(np.exp(sums[ranked[0]] - sums[ranked[1]])),
    }


def measured(seed, n=8):
    """Eight places between 0 and 5, and noisy values of a wave there."""
    rng = np.random.default_rng(seed)
    t = np.sort(rng.uniform(0, 5, n))
    return t, np.sin(1.6 * t + rng.uniform(0, 6)) + 0.3 * rng.normal(size=n)


def evidence_row(t, y, lengthscale, noise):
    """Fit, complexity term and log evidence for a squared exponential with σ_f = 1; the terms rounded as printed."""
    K = np.exp(-0.5 * (np.subtract.outer(t, t) / lengthscale) ** 2) + noise**2 * np.eye(len(t))
    fit = round(float(-0.5 * y @ np.linalg.solve(K, y)), 2)
    complexity = round(float(-0.5 * np.linalg.slogdet(K)[1]), 2)
    constant = round(-0.5 * len(t) * np.log(2 * np.pi), 2)
    return {"lengthscale": lengthscale, "fit": fit, "complexity": complexity, "sum": fit + complexity + constant}


def other_process(rng):
    variance = pick(rng, [4.0, 9.0])
    share = pick(rng, [0.5, 0.75]) if variance == 4.0 else pick(rng, [1 / 3, 2 / 3])
    return {
        "variance": variance,
        "covariance": round(variance * share, 6),
        "noise": pick(rng, [1.5, 2.0]),
        "first": pick(rng, [1.5, 2.5, 3.5]),
        "second": pick(rng, [3.0, 4.5, 5.5]),
        "order": tuple(map(int, rng.permutation(3))),
        "seed": int(rng.integers(1000)),
    }


# --------------------------------------------------------------------------------------------------------- 6 sites


def sites(variance=4.0, tau=(0.35, 0.40), nu=(0.9, -0.3), odd=-0.2):
    """A prior, two sites, one of them withdrawn, a prediction, and a site with a negative precision."""
    precision = 1 / variance + sum(tau)
    mean, var = sum(nu) / precision, 1 / precision
    rest = 1 / variance + tau[1]
    z, plugged = mean / np.sqrt(1 + var), mean
    odd_precision = precision + odd
    wanted(abs(mean) > 0.3 and abs(norm.cdf(z) - norm.cdf(plugged)) > 0.03, "a prediction that shows Φ(m)")
    wanted(0.1 < odd_precision < precision, "a belief that is left by the odd site")
    wanted(abs(nu[1] / rest - mean) > 0.3, "a withdrawal that moves the belief")
    return {
        "variance": variance,
        "tau": list(tau),
        "nu": list(nu),
        "precision": precision,
        "mean": mean,
        "var": var,
        "rest_precision": rest,
        "rest_mean": nu[1] / rest,
        "rest_var": 1 / rest,
        "z": z,
        "yes": float(norm.cdf(z)),
        "plugged": float(norm.cdf(plugged)),
        "odd": odd,
        "odd_var": 1 / odd_precision,
        "subtracted_variances": 1 / precision - 1 / tau[0],
        "sum_of_means": nu[0] / tau[0] + nu[1] / tau[1],
    }


def other_sites(rng):
    variance, tau = pick(rng, [(4.0, (0.35, 0.40)), (4.0, (0.25, 0.50)), (2.0, (0.3, 0.2)), (5.0, (0.35, 0.25))])
    return {
        "variance": variance,
        "tau": tau,
        "nu": (pick(rng, [0.8, 0.9, 1.1, 1.2]), pick(rng, [-0.5, -0.4, -0.3, -0.2])),
        "odd": pick(rng, [-0.1, -0.2, -0.3]),
    }


# ------------------------------------------------------------------------------------------------------ 7 choosing


def choosing(singers=80, frames=15, D=20, bound=-31.2, laplace=-30.8):
    """The numbers in three cases for which a model is chosen."""
    wanted(frames < D and bound < laplace, "fewer frames than numbers, and a bound below the other")
    return {
        "singers": singers,
        "frames": frames,
        "D": D,
        "entries": D * (D + 1) // 2,
        "directions": frames - 1,
        "bound": bound,
        "laplace": laplace,
    }


def other_choosing(rng):
    D = int(rng.integers(16, 26))
    bound = -round(float(rng.uniform(25, 60)), 1)
    return {
        "singers": 10 * int(rng.integers(4, 12)),
        "frames": D - int(rng.integers(3, 8)),
        "D": D,
        "bound": bound,
        "laplace": round(bound + pick(rng, [0.3, 0.4, 0.5]), 1),
    }


QUESTIONS = {
    "warping": (warping, other_warping),
    "density": (density, other_density),
    "mixture": (mixture, other_mixture),
    "chain": (chain, other_chain),
    "process": (process, other_process),
    "sites": (sites, other_sites),
    "choosing": (choosing, other_choosing),
}
