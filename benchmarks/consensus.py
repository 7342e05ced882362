"""python -m benchmarks.consensus [WORLDS] [--repetitions N]: is RatingStudy() ever worse than the plain mean?

How far the consensus of a few raters is off, in per cent more (+) or less than the plain mean is: the geometric mean
over worlds, with its paired 95 % interval. Beside it are means of z-scores, and subject bias with inconsistency (the
recursion of ITU-T P.910 and of sureal). Errors are root mean squares of centred values. "Holds" is the share of the
contrasts of neighbouring items that 90 % intervals of RatingStudy() hold. Worlds are words of their names, or all.

Carrots and wine are the real panels that the repository has: a few raters against the mean of all others, of other
raters each time; by how much that mean is off itself is added to the intervals. The other worlds are made; their truth
is what 3000 raters would say on average (of "hardly used", what the marks were made from):

mushra : marks from 0 to 100 in whole steps, a fifth of them 0 or 100
hardly used : of six raters one uses a tenth of the scale
vqeg : 90 items, marks from 1 to 5
alike : raters who differ in their biases alone, of whom the plain mean is the best that one can do
"""

import argparse
import warnings
from functools import cache, partial

import numpy as np
import pandas as pd
from scipy.stats import t

REPETITIONS = 100
WIDTH = 1.6448536269514722  # standard deviations to either side of a 90 % interval
METHODS = ("mean of z-scores", "bias and inconsistency", "without gains", "RatingStudy()")


def bias_and_inconsistency(Y, enough=1e-8):
    """(n,) values by alternating projection: y_nr = ψ_n + Δ_r + υ_r times noise, Y without gaps.

    Source: Li, Bampis, Janowski & Katsavounidis (2020), "A simple model for subject behavior in subjective
    experiments", section 3; ITU-T P.910 (2022), annex E.
    """
    psi = Y.mean(axis=1)
    for _ in range(1000):
        bias = (Y - psi[:, None]).mean(axis=0)
        precision = 1.0 / np.maximum((Y - psi[:, None] - bias).var(axis=0), 1e-12)
        before, psi = psi, (Y - bias) @ precision / precision.sum()
        if np.linalg.norm(psi - before) < enough:
            break
    return psi


def mean_of_z_scores(Y):
    """(n,) means of each rater's z-scores, in marks: with the raters' mean spread."""
    spread = Y.std(axis=0)
    return ((Y - Y.mean(axis=0)) / np.where(spread > 0, spread, 1.0)).mean(axis=1) * spread.mean()


def people(z, R, rng, middle, bias, gain, noise, spread, scale):
    """(n, R) whole marks: gains round the middle of the scale, noises of which the logarithms have this spread."""
    g = np.exp(gain * rng.normal(size=R)) * (z[:, None] - middle + bias * rng.normal(size=R))
    std = noise * np.exp(spread * rng.normal(size=R))
    return np.round(np.clip(middle + g + std * rng.normal(size=g.shape), *scale))


def made(rng, R, z, **settings):
    """(Y, truth) of R raters."""
    return people(z, R, rng, **settings), people(z, 3000, rng, **settings).mean(axis=1)


def mushra(rng, R):
    """24 items, of which so many are near the ends that a fifth of the marks are on one."""
    settings = {"middle": 50, "bias": 6, "gain": 0.2, "noise": 12, "spread": 0.4, "scale": (0, 100)}
    return *made(rng, R, 50 + 58 * rng.uniform(-1, 1, 24), **settings), (0, 100)


def hardly_used(rng, R=6):
    """16 items; one rater uses a tenth of the scale, with a tenth of the others' noise."""
    z, gain = 50 + 18 * rng.normal(size=16), np.append(0.1, np.ones(R - 1))
    noise = 12 * gain * np.exp(0.25 * rng.normal(size=R))
    Y = 50 + gain * (z[:, None] - 50 + 8 * rng.normal(size=R)) + noise * rng.normal(size=(16, R))
    return np.round(np.clip(Y, 0, 100)), z, (0, 100)


def vqeg(rng, R):
    """90 items from 1.3 to 4.7."""
    settings = {"middle": 3, "bias": 0.3, "gain": 0.12, "noise": 0.6, "spread": 0.25, "scale": (1, 5)}
    return *made(rng, R, rng.uniform(1.3, 4.7, 90), **settings), (1, 5)


def alike(rng, R=6):
    """12 items; one noise, no gains."""
    z = 50 + 15 * rng.normal(size=12)
    return np.round(z[:, None] + 5 * rng.normal(size=R) + 12 * rng.normal(size=(12, R)), 1), z, None


@cache
def real(name):
    """((n, R) marks, their scale)."""
    from course_lib import datasets

    return (datasets.load_carrots().Y, (1, 7)) if name == "carrots" else (datasets.load_wine().panel().Y, (0, 100))


def against_the_rest(rng, name, R):
    """(Y, mean of all others, scale, standard errors of its contrasts): R raters who left nothing out, drawn."""
    Y, scale = real(name)
    order = rng.permutation(np.flatnonzero(~np.isnan(Y).any(axis=0)))
    rest = Y[:, order[R:]]
    return Y[:, order[:R]], rest.mean(axis=1), scale, np.diff(rest, axis=0).std(axis=1, ddof=1) / np.sqrt(len(rest.T))


WORLDS = {
    "hardly used, 6": hardly_used,
    "alike, 6": alike,
    **{f"mushra, {R}": partial(mushra, R=R) for R in (6, 10)},
    **{f"vqeg, {R}": partial(vqeg, R=R) for R in (6, 10, 70)},
    **{f"carrots, {R}": partial(against_the_rest, name="carrots", R=R) for R in (6, 10)},
    **{f"wine, {R}": partial(against_the_rest, name="wine", R=R) for R in (4, 6)},
}


def off(found, truth):
    """Root mean square error of centred values."""
    return np.std(found - truth)


def world(make, seed):
    """({method: error over the plain mean's}, share of contrasts that intervals hold, whether gains were told)."""
    from course_studies import RatingStudy, from_wide
    from course_studies.defaults import number_model

    Y, truth, scale, *error = make(np.random.default_rng([seed, 34]))
    table = from_wide(pd.DataFrame(Y).add_prefix("r"), scale=scale or (-1000, 1000))
    study = RatingStudy().fit(table)
    told = study.model_.gain_std is not None
    plain = RatingStudy(number_model(table), plug_in=True).fit(table) if told else study
    values = [mean_of_z_scores(Y), bias_and_inconsistency(Y), plain.model_.consensus_, study.model_.consensus_]
    errors = {name: off(one, truth) / off(Y.mean(axis=1), truth) for name, one in zip(METHODS, values, strict=True)}
    pairs = [(k, k + 1) for k in range(len(Y) - 1)]
    contrasts = study.contrasts(pairs)
    half = np.hypot((contrasts["high"] - contrasts["low"]) / 2, WIDTH * error[0] if error else 0.0)
    return errors, np.mean(np.abs((contrasts["high"] + contrasts["low"]) / 2 - np.diff(truth)) <= half), told


def interval(values, confidence=0.95):
    """(mean, half of its interval)."""
    values = np.asarray(values, dtype=float)
    return values.mean(), t.ppf(0.5 + confidence / 2, len(values) - 1) * values.std(ddof=1) / np.sqrt(len(values))


def line(name, found):
    """A row of the table."""
    errors, held, gains = zip(*found, strict=True)
    logs = np.log(pd.DataFrame(errors))
    cells = ["{:+.1f} ± {:.1f}".format(*(100 * value for value in interval(logs[one]))) for one in METHODS]
    holds = "{:.1f} ± {:.1f}".format(*(100 * value for value in interval(held)))
    return f"| {name} | {' | '.join(cells)} | {holds} | {100 * np.mean(gains):.0f} |"


def main():
    """Print the table, a row when it is there."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("worlds", nargs="*")
    parser.add_argument("--repetitions", type=int, default=REPETITIONS)
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    print(f"| world, raters | {' | '.join(METHODS)} | coverage | gains detected |\n|{'---|' * (len(METHODS) + 3)}")
    for name, make in WORLDS.items():
        if not given.worlds or any(word in name for word in given.worlds):
            print(line(name, [world(make, seed) for seed in range(given.repetitions)]), flush=True)


if __name__ == "__main__":
    main()
