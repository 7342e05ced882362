"""python -m benchmarks.defaults [ROWS] [--worlds N] [--seed S] [--jobs J]: what default calls say of common tables.

Each row is a kind of table that people bring, drawn anew for each world. `RatingStudy()` or `PairStudy()` is fitted as
it comes. "Holds" is the share of its 90 % intervals of contrasts of neighbours that hold the truth, with its 95 %
interval over worlds. "Error" is the error of the default over that of the best simple rival, in per cent more (+) or
less: the geometric mean over worlds, with its paired 95 % interval; the best rival is the one with the least mean
error in that row. ROWS are words of the rows' names, or all.

Ratings: the truth is what 3000 raters of the kind would say on average; errors are root mean squares of centred
values.
Rivals are the plain mean and best linear unbiased prediction with crossed random items and raters, by REML.
Choices: the truth is the common function; errors are those of centred worths of unit length. The rival is maximum
likelihood of Thurstone's model, and its intervals with clustered errors are in "rival holds".

Source: Patterson & Thompson (1971) for REML; Liang & Zeger (1986) for clustered errors.
"""

import argparse
import time
import warnings
from functools import partial

import numpy as np
import pandas as pd
from joblib import Parallel, delayed
from scipy.optimize import minimize
from scipy.special import log_ndtr
from scipy.stats import norm

from benchmarks.consensus import interval, made, mushra

REACH = 1.6448536269514722  # standard deviations to either side of a 90 % interval
WORLDS, SLOW_WORLDS = 600, 100  # of rows whose fits take less and more than two seconds
RIDGE = 1e-3  # precision of a prior of worths: without it unanimous answers have no maximum


# --- ratings


def marks(rng, n, R, low, high):
    """(Y, truth, scale): n items between low and high on a scale from 1 to 5, R raters with biases and noises."""
    z, people = rng.uniform(low, high, n), {"middle": 3, "bias": 0.3, "gain": 0.12, "noise": 0.6, "spread": 0.25}
    return *made(rng, R, z, scale=(1, 5), **people), (1, 5)


def some(rng, n, R, each, noise=1.0):
    """As marks, of numbers: each of R raters marks so many of n items, chosen at random; all have one noise."""
    z = rng.normal(size=n)
    Y = z[:, None] + 0.7 * rng.normal(size=R) + noise * rng.normal(size=(n, R))
    seen = np.argsort(rng.uniform(size=(n, R)), axis=0) < each
    return np.where(seen, Y, np.nan), z, None


def acr_crowd(rng, n, R, each):
    """As some, of whole marks from 1 to 5."""
    Y, truth, scale = marks(rng, n, R, 1.3, 4.7)
    return np.where(np.argsort(rng.uniform(size=(n, R)), axis=0) < each, Y, np.nan), truth, scale


def systems(rng, S=5, U=4, R=10):
    """As marks, of S systems' utterances, U of each system, by R workers who hear all; truth is that of the items."""
    quality = rng.uniform(3.0, 4.6, S)
    z = np.repeat(quality, U) + 0.25 * rng.normal(size=S * U)
    people = {"middle": 3, "bias": 0.3, "gain": 0.12, "noise": 0.6, "spread": 0.25}
    return *made(rng, R, z, scale=(1, 5), **people), (1, 5)


def crossed_reml(Y):
    """(n,) predictions of random items, crossed with random raters, both variances by REML."""
    item, rater = np.nonzero(~np.isnan(Y))
    y, (n, R) = Y[item, rater], Y.shape
    A, B = np.eye(n)[item], np.eye(R)[rater]
    W, one = np.hstack([A, B]), np.ones(len(y))

    def fitted(logs):  # of variance ratios, by Woodbury's identity
        D = np.exp(np.repeat(logs, [n, R]))
        inner = np.linalg.cholesky(np.diag(1.0 / D) + W.T @ W)
        half = np.linalg.solve(inner, W.T @ np.column_stack([one, y]))
        (xx, xy), (_, yy) = np.array([[one @ one, one @ y], [0.0, y @ y]]) - (half.T @ half) * [[1, 1], [0, 1]]
        mean = xy / xx
        squares = yy - mean * xy
        logdet = 2.0 * np.log(inner.diagonal()).sum() + np.log(D).sum()
        height = 0.5 * (logdet + np.log(xx) + (len(y) - 1) * np.log(squares))
        return height, mean, D, inner

    best = minimize(lambda logs: fitted(np.clip(logs, -12, 8))[0], [0.0, -1.0], method="Nelder-Mead")
    _, mean, _, inner = fitted(np.clip(best.x, -12, 8))
    effects = np.linalg.solve(inner.T, np.linalg.solve(inner, W.T @ (y - mean)))
    return mean + effects[:n]


def of_ratings(draw, seed):
    """{what: number} of a world."""
    from course_studies import RatingStudy, from_wide

    Y, truth, scale = draw(np.random.default_rng(seed))
    kept = ~np.isnan(Y).all(axis=1)
    Y, truth = Y[kept], truth[kept]
    study = RatingStudy().fit(from_wide(pd.DataFrame(Y).add_prefix("r"), scale=scale))
    contrasts = study.contrasts([(study.items_[k], study.items_[k + 1]) for k in range(len(Y) - 1)])
    found = {"held": np.mean((contrasts["low"] <= np.diff(truth)) & (np.diff(truth) <= contrasts["high"]))}
    return found | {
        "error": np.std(study.consensus()["consensus"].to_numpy() - truth),
        "plain mean": np.std(np.nanmean(Y, axis=1) - truth),
        "crossed REML": np.std(crossed_reml(Y) - truth),
    }


def of_systems(seed):
    """As of_ratings, of systems over these utterances."""
    from course_studies import RatingStudy, from_long

    Y, truth, scale = systems(np.random.default_rng(seed))
    item, rater = np.indices(Y.shape).reshape(2, -1)
    frame = pd.DataFrame({"system": item // 4, "utterance": item % 4, "worker": rater, "mark": Y.ravel()})
    frame = frame.astype({"system": str, "utterance": str, "worker": str})
    columns = {"item": ["system", "utterance"], "rater": "worker", "rating": "mark"}
    study = RatingStudy().fit(
        from_long(frame.assign(utterance=frame["system"] + frame["utterance"]), **columns, scale=scale)
    )
    truth, means = (each.reshape(5, 4).mean(axis=1) for each in (truth, Y.mean(axis=1)))
    contrasts, names = study.contrasts(), list("01234")
    apart = [
        truth[names.index(b)] - truth[names.index(a)] for a, b in zip(contrasts["a"], contrasts["b"], strict=True)
    ]
    return {
        "held": np.mean((contrasts["low"] <= apart) & (apart <= contrasts["high"])),
        "error": np.std(study.consensus()["consensus"].loc[names].to_numpy() - truth),
        "plain mean": np.std(means - truth),
    }


# --- choices


def choices(rng, n, P, taste, times=1):
    """(z, all pairs, who, answers): each of P people, of tastes so many times as spread as z, answers each pair."""
    z, pairs = rng.normal(size=n), np.column_stack(np.triu_indices(n, k=1))
    own = z + taste * rng.normal(size=(P, n))
    who, pairs = np.repeat(np.arange(P), len(pairs) * times), np.tile(pairs, (P * times, 1))
    gap = own[who, pairs[:, 1]] - own[who, pairs[:, 0]]
    return z, pairs, who, np.sign(gap + np.sqrt(2.0) * rng.normal(size=len(gap)))


def maximum_likelihood(n, pairs, who, y):
    """(worths (n,), their covariance with errors clustered by people) of Thurstone's model."""
    signed = y[:, None] * (np.eye(n)[pairs[:, 1]] - np.eye(n)[pairs[:, 0]]) / np.sqrt(2.0)

    def slopes(f):
        g = signed @ f
        return np.exp(norm.logpdf(g) - log_ndtr(g))

    def height(f):
        return -log_ndtr(signed @ f).sum() + 0.5 * RIDGE * f @ f, -signed.T @ slopes(f) + RIDGE * f

    f = minimize(height, np.zeros(n), jac=True).x
    slope, g = slopes(f), signed @ f
    curvature = (signed * (slope * (slope + g))[:, None]).T @ signed + RIDGE * np.eye(n)
    scores = np.array([(signed * slope[:, None])[who == p].sum(axis=0) for p in range(who.max() + 1)])
    bread = np.linalg.inv(curvature)
    return f, bread @ (scores.T @ scores) @ bread * len(scores) / (len(scores) - 1)


def direction(worth):
    """Centred worths (n,) of unit length: people's own tastes change the unit of maximum likelihood's, not these."""
    return (worth - worth.mean()) / np.linalg.norm(worth - worth.mean())


def of_choices(n, P, taste, seed):
    """{what: number} of a world; the truth of intervals is the common function."""
    from course_studies import PairStudy, from_pairs

    z, pairs, who, y = choices(np.random.default_rng(seed), n, P, taste)
    name = np.array([f"item {k}" for k in range(n)])
    chosen = name[np.where(y > 0, pairs[:, 1], pairs[:, 0])]
    people = np.array([f"person {p:02d}" for p in range(P)])[who]
    frame = pd.DataFrame({"a": name[pairs[:, 0]], "b": name[pairs[:, 1]], "chosen": chosen, "who": people})
    study = PairStudy().fit(from_pairs(frame, "a", "b", "chosen", person="who"))
    contrasts = study.contrasts([(name[k], name[k + 1]) for k in range(n - 1)])
    worth, covariance = maximum_likelihood(n, pairs, who, y)
    apart, D = np.diff(z), np.diff(np.eye(n), axis=0)
    reach = REACH * np.sqrt(np.einsum("ij,jk,ik->i", D, covariance, D))
    ours, theirs, truth = map(direction, (study.worth().loc[name, "worth"].to_numpy(), worth, z))
    scaled = apart / np.sqrt(1.0 + taste**2)  # maximum likelihood has the noise of all people as its unit
    return {
        "held": np.mean((contrasts["low"] <= apart) & (apart <= contrasts["high"])),
        "error": np.linalg.norm(ours - truth),
        "maximum likelihood": np.linalg.norm(theirs - truth),
        "rival holds": np.mean(np.abs(np.diff(worth) - scaled) <= reach),
    }


ACR = {"near the ceiling": (4.4, 5.0), "in the middle": (2.2, 3.8), "at the floor": (1.0, 1.6)}
ROWS = {
    f"marks 1-5 {where}, {n} x {R}": partial(of_ratings, partial(marks, n=n, R=R, low=low, high=high))
    for where, (low, high) in ACR.items()
    for n, R in ((6, 8), (6, 16), (12, 8))
}
ROWS["marks 1-5, 5 systems x 4 utterances x 10 workers"] = of_systems
ROWS |= {f"marks 0-100, 24 x {R}": partial(of_ratings, partial(mushra, R=R)) for R in (6, 10)}
ROWS |= {
    f"choices of {P} people, tastes {taste:g} x the common spread": partial(of_choices, 6, P, taste)
    for P in (8, 50)
    for taste in (0.0, 0.5, 1.0)
}
ROWS["numbers, 60 items x 100 raters of 3"] = partial(of_ratings, partial(some, n=60, R=100, each=3))
ROWS |= {
    f"marks 1-5, 100 clips x {R} workers of 8": partial(of_ratings, partial(acr_crowd, n=100, R=R, each=8))
    for R in (296, 304)
}


def row(found):
    """The cells of a row: share held, error over the best rival's, its name, and what the rival's intervals hold."""
    table = pd.DataFrame(found)
    rivals = [name for name in table.columns if name not in ("held", "error", "rival holds", "seconds")]
    best = min(rivals, key=lambda name: table[name].mean())
    logs = np.log(table["error"]) - np.log(table[best])
    held = "{:.1f} ± {:.1f}".format(*(100 * x for x in interval(table["held"])))
    error = "{:+.1f} ± {:.1f}".format(*(100 * x for x in interval(logs)))
    rival = f"{100 * table['rival holds'].mean():.1f}" if "rival holds" in table else ""
    return [held, error, best, rival, str(len(table)), f"{table['seconds'].median():.2f}"]


def world(name, seed):
    """What a row says of one world, and the seconds that it took."""
    warnings.simplefilter("ignore")
    begun = time.process_time()
    return {**ROWS[name](seed), "seconds": time.process_time() - begun}


def main():
    """Print the table, a row when it is there."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("rows", nargs="*")
    parser.add_argument("--worlds", type=int)
    parser.add_argument("--seed", type=int, default=48)
    parser.add_argument("--jobs", type=int, default=2)
    given = parser.parse_args()
    print("| table | coverage | error | best baseline | its coverage | worlds | s |\n|---|---|---|---|---|---|---|")
    for name in ROWS:
        if given.rows and not any(word in name for word in given.rows):
            continue
        seeds = [[given.seed, k] for k in range(given.worlds or WORLDS)]
        first = world(name, seeds[0])
        if first["seconds"] > 2 and given.worlds is None:
            seeds = seeds[:SLOW_WORLDS]
        found = [first, *Parallel(given.jobs)(delayed(world)(name, seed) for seed in seeds[1:])]
        print(f"| {name} | {' | '.join(row(found))} |", flush=True)


if __name__ == "__main__":
    from benchmarks.defaults import main  # so that workers find what they run by name

    main()
