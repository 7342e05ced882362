"""Does a comparison come out the same with other seeds? Each is computed on sets of twenty that nobody has looked at.

@compares(Pair("distance", {"criterion": "improvement"}, {"criterion": "random"}, within=("hill", "answers")))
def asking(seeds=range(160)): …
"""

import csv
import itertools
from dataclasses import dataclass, field

import numpy as np
from scipy.stats import t

from data.claims import running

FIRST, APART, SIZE = 1000, 100, 20  # sets of 20 seeds: 1000 … 1019, 1100 … 1119, …


@dataclass(frozen=True)
class Pair:
    """A difference that a lecture speaks about, first less second, paired by the seed.

    what : the column of numbers, or one for each of the two
    first, second : {column: value}, the rows that are compared
    within : columns; the comparison is made for each of their values
    """

    what: str | tuple
    first: dict = field(default_factory=dict)
    second: dict = field(default_factory=dict)
    within: tuple = ()

    def __str__(self):
        whats = self.what if isinstance(self.what, tuple) else (self.what, self.what)
        first, second = ("; ".join([what, *map(str, of.values())]) for what, of in self._sides())
        return f"{first} − {second.removeprefix(whats[0] + '; ') if whats[0] == whats[1] else second}"

    def _sides(self):
        whats = self.what if isinstance(self.what, tuple) else (self.what, self.what)
        return zip(whats, (self.first, self.second), strict=True)

    def differences(self, header, rows):
        """{values of `within`: (n,) differences, one for each seed that both have, in its order}."""
        rows = [{name: _text(value) for name, value in zip(header, row, strict=True)} for row in rows]
        first, second = (
            {
                (tuple(row[name] for name in self.within), int(row["seed"])): float(row[what])
                for row in rows
                if all(row[name] == str(value) for name, value in wanted.items())
            }
            for what, wanted in self._sides()
        )
        groups = {}
        for group, seed in first.keys() & second.keys():
            groups.setdefault(group, {})[seed] = first[group, seed] - second[group, seed]
        made = {group: np.array([of[seed] for seed in sorted(of)]) for group, of in sorted(groups.items())}
        kept = {group: values[np.isfinite(values)] for group, values in made.items()}
        return {group: values for group, values in kept.items() if len(values) > 1}


def compares(*pairs):
    """Notes beside a generator what its rows are read for."""

    def noted(generator):
        generator.pairs = pairs
        return generator

    return noted


def half(differences):
    """Of the 95 % interval of their mean."""
    n = len(differences)
    return t.ppf(0.975, n - 1) * np.std(differences, ddof=1) / np.sqrt(n)


def sets_of_seeds(sets, known=()):
    """So many ranges of seeds, none of which is known."""
    ranges = (range(start, start + SIZE) for start in itertools.count(FIRST, APART))
    return list(itertools.islice((seeds for seeds in ranges if not set(seeds) & set(known)), sets))


def shake(generator, sets):
    """Lines of a table: each comparison as it is stored, on the new sets, on all of them, and what changed.

    ✗ the stored interval excludes 0, and all new seeds together have the other sign
    ~ the stored interval excludes 0, and some set has the other sign
    """
    stored = _table(running.TARGET / f"{generator.__name__}.csv")
    known = running.own_seeds(generator)
    new = [running.run(generator, seeds)[:2] for seeds in sets_of_seeds(sets, known)]
    for pair in generator.pairs:
        sets_of = [pair.differences(*one) for one in new]
        for group, was in pair.differences(*stored).items():
            now = [one[group] for one in sets_of if group in one]
            yield f"| {generator.__name__} | {pair} | {', '.join(group)} | {row(was, now)} |"


def row(was, now):
    """What is stored, what each new set has, all of them, and the mark of a sign that changed."""
    means, every = [one.mean() for one in now], np.concatenate(now)
    turned = sum(np.sign(mean) != np.sign(was.mean()) for mean in means)
    sure = abs(was.mean()) > half(was)
    mark = "" if not sure or not turned else "✗" if every.mean() * was.mean() < 0 else f"~ {turned}"
    told = [f"{one.mean():+.3g} ± {half(one):.2g} ({len(one)})" for one in (was, every)]
    return f"{told[0]} | {' '.join(f'{mean:+.3f}' for mean in means)} | {told[1]} | {mark}"


HEAD = (
    "| results | first − second | for | stored, 95 % (seeds) | sets of 20 other seeds | all of them | sign |\n"
    "|---|---|---|---|---|---|---|"
)


def _text(value):
    """As a file has it, where whole numbers are written without a point."""
    return str(int(value) if isinstance(value, float) and value.is_integer() else value)


def _table(path):
    with open(path, encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    return header, rows
