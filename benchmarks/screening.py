"""python -m benchmarks.screening [--panels N]: whom `screen()` suggests to leave out, of made panels.

Twelve raters with biases, gains and noises of their own (spreads of logarithms 0.3 and 0.5) mark items. `hits` is the
share of the bad raters that are flagged, two in each panel: one who says 50 always, or turns the scale round, by
turns, and one who marks at random. `false` is the share of good raters flagged in panels without bad ones, with its
95 % interval, and `below 0.75` what the classical rule alone would flag of them.
"""

import argparse

import numpy as np
import pandas as pd

from course_lib.metrics import proportion
from course_studies import from_wide
from course_studies.screening import screened

WORLDS = {  # spread of the items' values, noise, items, share missing, marks on five steps?, sorted by quality?
    "slider": (20.0, 8.0, 16, 0.0, False, False),
    "slider, noisy": (15.0, 12.0, 16, 0.0, False, False),
    "slider, 30 % missing": (20.0, 8.0, 16, 0.3, False, False),
    "five steps": (20.0, 12.0, 24, 0.0, True, False),
    "five steps, 72 items, sorted": (20.0, 12.0, 72, 0.0, True, True),
}
RATERS, BAD = 12, (3, 7)


def made_panel(seed, world="slider", bad=False):
    """(RatingTable, bool (12,): who is bad) of a panel on 0 … 100, or in five steps."""
    spread, noise, n, missing, steps, ordered = WORLDS[world]
    rng = np.random.default_rng(seed)
    z = spread * rng.normal(size=n)
    z, bias = np.sort(z) if ordered else z, spread / 2 * rng.normal(size=RATERS)
    gain, noises = np.exp(0.3 * rng.normal(size=RATERS)), noise * np.exp(0.5 * rng.normal(size=RATERS))
    Y = 55 + bias + gain * z[:, None] + noises * rng.normal(size=(n, RATERS))
    if bad:
        Y[:, BAD[0]] = 50 if seed % 2 else 110 - Y[:, BAD[0]]
        Y[:, BAD[1]] = rng.uniform(0, 100, n)
    Y = np.clip(np.round(1 + Y / 25) if steps else np.round(Y), *((1, 5) if steps else (0, 100)))
    Y[rng.random(Y.shape) < missing] = np.nan
    names = [f"P{r + 1:02d}" for r in range(RATERS)]
    return from_wide(pd.DataFrame(Y, columns=names), scale=(1, 5) if steps else (0, 100)), np.isin(range(RATERS), BAD)


def flagged(seed, world, bad):
    """(R,) who is flagged, and (R,) who is below 0.75, in the order of the raters."""
    table, _ = made_panel(seed, world, bad)
    found = screened(table).reindex(table.raters)
    return ~found["keep"].to_numpy(dtype=bool), found["below"].to_numpy(dtype=bool)


def rates(seeds, world):
    """(share of bad raters flagged, share of good ones flagged where there are no bad ones)."""
    hits = np.mean([flagged(seed, world, True)[0][list(BAD)] for seed in seeds])
    return hits, np.mean([flagged(seed, world, False)[0] for seed in seeds])


def main():
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--panels", type=int, default=200)
    panels = parser.parse_args().panels
    print("| world | hits | false | below 0.75 |\n|---|---|---|---|")
    for world in WORLDS:
        hits = np.mean([flagged(seed, world, True)[0][list(BAD)] for seed in range(panels)])
        both = np.array([flagged(seed, world, False) for seed in range(panels)])
        share, low, high = proportion(both[:, 0].ravel())
        print(f"| {world} | {hits:.3f} | {share:.3f} ({low:.3f} – {high:.3f}) | {both[:, 1].mean():.2f} |", flush=True)


if __name__ == "__main__":
    main()
