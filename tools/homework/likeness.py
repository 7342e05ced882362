"""Which submissions of a homework are alike beyond what its task, its release and the rest of the class explain.

    make likeness [HW=03] [ARGS="--submitted DIR --into DIR"]

Reads submitted/STUDENT/NN_name/NN_name.ipynb and runs nothing. likeness/NN_name.csv has a row for each pair, the most
alike first; likeness/NN_name/A--B.html shows both texts of each pair above the class's own noise, in code or in
letters, or equal. Again it gives the same bytes. What a place in the list does not prove says teaching/grading.md.
"""

import argparse
import math
import sys
from collections import Counter
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from statistics import median

import numpy as np
from scipy.stats import norm, t

from tools import check
from tools.homework import likeness_pages
from tools.homework.fingerprints import TEXT_KINDS, Released, runs
from tools.homework.release import ROOT, homeworks
from tools.homework.submissions import survey
from tools.homework.tables import aligned, printable, write_table, write_whole
from tools.homework.term_people import read_groups
from tools.homework.toml_lines import TermError

LIKENESS_FOLDER = "likeness"
SMALLEST = 8  # students, below which a class says nothing about its own noise
ALARMS = 0.05  # pairs above the noise in a class in which nobody copied, on average
LEAST_NOISE = 0.2  # of a text; what is below is a sentence, or a line
MIN_RUNS_EQUAL = (
    50  # of one's own in a text that two have sign by sign: so long it is no chance, whatever the class wrote
)
QUANTILES = (0.75, 0.95)
MAX_SHOWN = 10


@dataclass(frozen=True)
class Pair:
    """Two students, and the fraction of what both have (`runs`) of each kind and each part; None if one wrote nothing.

    `equal` are the kinds in which all that they wrote is the same, sign by sign, and long.
    """

    students: tuple[str, str]
    scores: dict
    shares: dict
    runs: dict
    equal: tuple = ()

    def excess(self, limits):
        """The larger score, in units of the class's noise where it is known."""
        return max(score / (limits[kind] or 1.0) for kind, score in self.scores.items() if score is not None)


def compare(written, released):
    """The Pairs of students who both wrote something.

    A run weighs log((n + 1) / k) if k of the n who wrote something in this part have it, and nothing if it is in the
    release. A score is the weight of what two share, as a fraction of all that the one who wrote less has written. Who
    wrote hardly anything is taken to have written half of the class's median, so that one line is not a likeness.

    Parameters
    ----------
    written : {student: {part: text}};  released : Released
    """
    kinds = {kind: [part for part, (_, one) in released.parts.items() if one == kind] for kind in TEXT_KINDS}
    weights = {part: _weights(written, part, kind, released) for part, (_, kind) in released.parts.items()}
    sizes = {part: {who: math.fsum(own.values()) for who, own in of.items()} for part, of in weights.items()}
    totals = {
        kind: {who: math.fsum(sizes[part][who] for part in kinds[kind]) for who in written} for kind in TEXT_KINDS
    }
    least = {kind: median([one for one in totals[kind].values() if one] or [0.0]) / 2 for kind in TEXT_KINDS}
    found = []
    for pair in combinations(sorted(written), 2):
        both = {part: own[pair[0]].keys() & own[pair[1]].keys() for part, own in weights.items()}
        common = {part: math.fsum(weights[part][pair[0]][run] for run in both[part]) for part in both}
        shares = {part: _share(common[part], [sizes[part][who] for who in pair]) for part in both}
        scores = {
            kind: _share(math.fsum(common[part] for part in parts), [totals[kind][who] for who in pair], least[kind])
            for kind, parts in kinds.items()
        }
        equal = tuple(
            kind
            for kind, parts in kinds.items()
            if all(written[pair[0]][part].strip() == written[pair[1]][part].strip() for part in parts)
            and sum(len(weights[part][pair[0]]) for part in parts) >= MIN_RUNS_EQUAL
        )
        if any(score is not None for score in scores.values()):
            found.append(Pair(pair, scores, shares, both, equal))
    return found


def _weights(written, part, kind, released):
    """{student: {run: weight}} of one part."""
    own = {who: {run for run, _ in runs(one[part], kind)} - released.runs[kind] for who, one in written.items()}
    count, n = Counter(run for mine in own.values() for run in mine), sum(map(bool, own.values()))
    return {who: {run: math.log((n + 1) / count[run]) for run in mine} for who, mine in own.items()}


def _share(common, sizes, least=0.0):
    """Of the smaller of two sizes, or of `least`; None if one of them is 0."""
    return common / max(min(sizes), least) if min(sizes) else None


def noises(pairs):
    """{kind: the score that ALARMS / 2 pairs exceed, on average, in a class of which each pair is like any other}.

    That is a tail through the upper quartile and q₉₅ of the pairs, so up to a twentieth of them may be copies without
    moving it much: normal in a large class, in a small one Student's, for n students of n − 1 degrees of freedom,
    since there q₉₅ itself is uncertain. Never below LEAST_NOISE; None if there are too few students.
    """
    return {kind: _noise([one for one in pairs if one.scores[kind] is not None], kind) for kind in TEXT_KINDS}


def _noise(pairs, kind):
    students = len({who for one in pairs for who in one.students})
    if students < SMALLEST:
        return None
    quartile, high = np.quantile([one.scores[kind] for one in pairs], QUANTILES)
    first, second = norm.ppf(QUANTILES)
    last = t.isf(ALARMS / 2 / len(pairs), students - 1)
    return max(float(high + (high - quartile) * (last - second) / (second - first)), LEAST_NOISE)


def above(pair, limits):
    """The kinds in which a pair is above the class's noise, or equal: then it is above any."""
    known = {kind: limits[kind] for kind in TEXT_KINDS if limits[kind] is not None}
    return [one for one in known if one in pair.equal or (pair.scores[one] or 0.0) > known[one]]


def rows(pairs, limits, released):
    """Rows of the table; what is not known is empty."""
    yield ["student", "other", *TEXT_KINDS, "above the noise", *released.parts]
    for one in pairs:
        told = "" if not any(limits.values()) else " and ".join(above(one, limits)) or "no"
        yield [*one.students, *map(_plain, one.scores.values()), told, *map(_plain, one.shares.values())]


def _plain(share):
    return "" if share is None else f"{share:.3f}"


def said(pairs, limits):
    """What the list says, and how much of it chance would."""
    counts = {kind: sum(kind in one.equal for one in pairs) for kind in TEXT_KINDS}
    same = "".join(f" Pairs with the same {kind}, sign by sign: {count}." for kind, count in counts.items() if count)
    if not any(limits.values()):
        few = f"Fewer than {SMALLEST} students wrote something: too few to say what is above the class's noise."
        return few + same
    found = sum(bool(above(one, limits)) for one in pairs)
    ends = ", ".join(f"{kind} {limit:.3f}" for kind, limit in limits.items() if limit)
    blind = "".join(
        f" In {kind} not even what is alike in all of it would be."
        for kind in TEXT_KINDS
        if (limits[kind] or 0.0) >= 1
    )
    told = f"{found} of {len(pairs)} pairs are above the class's noise ({ends})."
    return f"{told} Where nobody copied it would be {ALARMS:g}, on average.{blind}{same}"


def write(root, homework, submissions, into, groups):
    """Writes the table and the pages of one homework; (what it says, its rows). Who is in a group is not a pair."""
    released = Released(root, homework)
    pairs = compare({one.student: released.read(one.notebook) for one in submissions}, released)
    together = [{groups.get((who, homework), who) for who in one.students} for one in pairs]
    pairs = [one for one, owners in zip(pairs, together, strict=True) if len(owners) == 2]
    limits, folder = noises(pairs), into / LIKENESS_FOLDER / homework
    pairs.sort(key=lambda one: (-one.excess(limits), one.students))
    for left in folder.glob("*.html"):
        left.unlink()
    notebooks = {one.student: one.notebook for one in submissions}
    for one in pairs:
        if above(one, limits):
            written = [released.read(notebooks[who]) for who in one.students]
            page = likeness_pages.page(one, limits, written, released)
            write_whole(folder / f"{'--'.join(one.students)}.html", page)
    table = list(rows(pairs, limits, released))
    write_table(into / LIKENESS_FOLDER / f"{homework}.csv", table)
    return said(pairs, limits), table


def main(arguments=None):
    """The command; returns its exit status."""
    parser = argparse.ArgumentParser(prog="make likeness", description=__doc__.splitlines()[0])
    parser.add_argument("--homework", help="this one only, such as 03")
    parser.add_argument("--submitted", type=Path, default=ROOT / "submitted", help="folder with STUDENT/HOMEWORK/")
    parser.add_argument("--into", type=Path, default=ROOT, help="where likeness/ is kept")
    parser.add_argument("--root", type=Path, default=ROOT, help="folder of the course, with exercises/")
    parser.add_argument("--term", type=Path, default=ROOT / "term.toml", help="whose groups hand in together")
    given = parser.parse_args(arguments)
    if not given.submitted.is_dir():
        parser.error(f"there is no folder {given.submitted}; --submitted DIR has STUDENT/HOMEWORK/HOMEWORK.ipynb")
    try:
        only = given.homework and check.homework(given.root, given.homework).stem
        groups = read_groups(given.term, homeworks(given.root))
    except (check.NotReady, TermError) as reason:
        parser.error(str(reason))
    found, remarks = survey(given.submitted, homeworks(given.root))
    remarks += [f"{one.student}/{one.homework}: {one.problem}" for one in found if one.problem]
    found = [one for one in found if not one.problem and only in (None, one.homework)]
    for one in remarks:
        print(printable(f"not compared: {one}"), file=sys.stderr)
    for name in sorted({one.homework for one in found}):
        told, table = write(given.root, name, [one for one in found if one.homework == name], given.into, groups)
        print(f"\n{name}: {told}\n{aligned([row[:5] for row in table[: MAX_SHOWN + 1]])}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
