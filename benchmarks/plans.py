"""python -m benchmarks.plans [WORDS] [--worlds N]: what a plan promises, beside what simulated studies give.

In each world values, biases, opinions and answers are drawn anew, and a model with averaged hyper-parameters learns
all spreads from them: a `RaterGP`, a `PreferenceGP`, and of systems × utterances a sum of kernels on columns that say
which. `planned` and `found` are mean half-widths of the 90 % intervals of all
differences; a plan promises that their ratio lies within 0.9 and 1.1. Its 95 % interval is over ten batches of worlds.
`held` is the share of these intervals that hold.
"""

import argparse

import numpy as np
from scipy.stats import norm, t

from course_lib.gp import Linear, Probit, White
from course_lib.judgments import Comparison, PreferenceGP, RaterGP, all_pairs
from course_studies import balanced_pairs, balanced_panel, plan, plan_pairs

BATCHES, MEMBERS, Z = 10, 20, norm.ppf(0.95)
SPREADS = {"value_std": 1.0, "noise_std": 0.8, "bias_std": 0.5}
OPINIONS = SPREADS | {"opinion_std": 0.5}
SYSTEMS = {"items": 8, "raters": 12, "utterances": 5, "interaction_std": 0.4}
PAIRS = {"value_std": 1.5, "noise_std": 1.0}


def simulated(world, n, worlds):
    """(half-width, share that holds) of the intervals of all differences; world() draws (true values (n,), model)."""
    asked, told = all_pairs(n), []
    for _ in range(worlds):
        z, model = world()
        truth = np.diff(z[asked])[:, 0]
        low, high = model.averaged(MEMBERS, rng=0).difference_interval(model.items_, asked)
        told.append(((high - low) / 2, (low <= truth) & (truth <= high)))
    return np.mean(told, axis=(0, 2))


def panel(**design):
    """(planned, found(worlds, rng)) of a panel, whose raters give items without features repeated answers."""
    n, R, each, K = design["items"], design["raters"], design.get("per_rater"), design.get("repeats", 1)
    seen = np.ones((n, R), bool) if each is None else balanced_panel(n, R, each, rng=0)
    value, noise, bias, opinion = (design.get(f"{name}_std", 0.0) for name in ("value", "noise", "bias", "opinion"))
    model = RaterGP(White(value**2), noise_std=noise, bias_std=bias, opinion_std=opinion or None, pooling=0.5)

    def found(worlds, rng):
        rng = np.random.default_rng(rng)

        def world():
            z = value * rng.normal(size=n)
            meant = z[:, None] + bias * rng.normal(size=R) + opinion * rng.normal(size=(n, R))
            Y = meant[:, :, None] + noise * rng.normal(size=(n, R, K))
            return z, model.fit(np.eye(n), np.where(seen[:, :, None], Y, np.nan))

        return simulated(world, n, worlds)

    return lambda: plan(contrast=0.5, **design), found


def systems(over):
    """(planned, found(worlds, rng)) of systems × utterances, with a kernel of systems, utterances and both."""
    n, R, U = (SYSTEMS[name] for name in ("items", "raters", "utterances"))
    cell = np.arange(n * U)
    X = np.hstack([np.eye(n)[cell // U], np.eye(U)[cell % U], np.eye(n * U)])
    parts = (np.arange(n), n + np.arange(U), n + U + cell)
    spreads = (SPREADS["value_std"], 0.5, SYSTEMS["interaction_std"])
    kernels = [Linear(spread**2).on(columns) for spread, columns in zip(spreads, parts, strict=True)]
    model = RaterGP(
        kernels[0] + kernels[1] + kernels[2], noise_std=SPREADS["noise_std"], bias_std=SPREADS["bias_std"], pooling=0.5
    )
    a, b = all_pairs(n).T

    def found(worlds, rng):
        rng, told = np.random.default_rng(rng), []
        for _ in range(worlds):
            effects = [spread * rng.normal(size=len(columns)) for spread, columns in zip(spreads, parts, strict=True)]
            z = X @ np.concatenate(effects)
            Y = (
                z[:, None]
                + SPREADS["bias_std"] * rng.normal(size=R)
                + SPREADS["noise_std"] * rng.normal(size=(n * U, R))
            )
            averaged = model.fit(X, Y).averaged(MEMBERS, rng=0)
            asked = np.pad(np.eye(n), ((0, 0), (0, X.shape[1] - n))) if over == "new" else X
            mean, cov = averaged.predict_latent(asked, return_cov=True)
            truth = effects[0] if over == "new" else z.reshape(n, U).mean(axis=1)
            if over == "study":
                average = np.repeat(np.eye(n), U, axis=1) / U
                mean, cov = average @ mean, average @ cov @ average.T
            half = Z * np.sqrt(cov[a, a] + cov[b, b] - 2 * cov[a, b])
            held = np.abs(mean[b] - mean[a] - truth[b] + truth[a]) <= half
            told.append((half.mean(), held.mean()))
        return np.mean(told, axis=0)

    return lambda: plan(contrast=0.5, over=over, **SYSTEMS, **SPREADS), found


def pairs(people, each):
    """(planned, found(worlds, rng)) of choices between eight items without features."""
    asked, person = balanced_pairs(8, people * each, 0), Comparison(Probit(), PAIRS["noise_std"])
    model = PreferenceGP(White(PAIRS["value_std"] ** 2), noise_std=PAIRS["noise_std"])

    def found(worlds, rng):
        rng = np.random.default_rng(rng)

        def world():
            z = PAIRS["value_std"] * rng.normal(size=8)
            return z, model.fit(np.eye(8), asked, person.sample(np.diff(z[asked])[:, 0], rng))

        return simulated(world, 8, worlds)

    return lambda: plan_pairs(8, 0.5, people=people, pairs=each, **PAIRS), found


DESIGNS = {
    "balanced: 12 items, 10 raters": lambda: panel(items=12, raters=10, **SPREADS),
    "gaps: 12 items, 16 raters of 6 each": lambda: panel(items=12, raters=16, per_rater=6, **SPREADS),
    "repeats: 10 items, 8 raters, 3 times, opinions": lambda: panel(items=10, raters=8, repeats=3, **OPINIONS),
    "8 systems × 5 utterances, 12 raters: these": lambda: systems("study"),
    "8 systems × 5 utterances, 12 raters: new ones": lambda: systems("new"),
    "pairs: 8 items, 12 people, 20 pairs each": lambda: pairs(12, 20),
    "few pairs, no promise: 8 items, 4 people, 7 pairs each": lambda: pairs(4, 7),
}


def row(name, worlds):
    """{planned, found, ratio, low, high, held} of a design."""
    planned, found = DESIGNS[name]()
    said = planned().table["half_width"][0]
    batches = np.array([found(worlds // BATCHES, seed) for seed in range(BATCHES)])
    ratio = batches[:, 0] / said
    reach = t.ppf(0.975, BATCHES - 1) * ratio.std(ddof=1) / np.sqrt(BATCHES)
    return said, batches[:, 0].mean(), ratio.mean(), ratio.mean() - reach, ratio.mean() + reach, batches[:, 1].mean()


def main():
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("words", nargs="*", help="only designs whose names hold all these words")
    parser.add_argument("--worlds", type=int, default=200)
    given = parser.parse_args()
    print("| design | planned | found | ratio | held |\n|---|---|---|---|---|")
    for name in DESIGNS:
        if all(word in name for word in given.words):
            said, width, ratio, low, high, held = row(name, given.worlds)
            text = f"| {name} | ± {said:.3f} | ± {width:.3f} | {ratio:.3f} ({low:.3f} – {high:.3f}) | {held:.1%} |"
            print(text, flush=True)


if __name__ == "__main__":
    main()
