"""A page for the week after: who in the class agrees, on what it splits, and how sure that is. Nobody is named.

    python -m tools.class_page [data/class]     writes dist/class.html

It has no row for a single person, and no group of fewer than three.
"""

import argparse
import html
import sys
from collections import Counter
from pathlib import Path

import numpy as np
from scipy.stats import beta
from sklearn.cluster import KMeans

from course_studies import RatingStudy, load_panel
from tools.notebooks import ROOT

LEAST_GROUP = 3  # people; fewer could be known again
SHUFFLES = 200  # classes without groups, to compare with
PAIRS_SHOWN = 8
PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
body {{ font: 1rem/1.5 system-ui, sans-serif; max-width: 50rem; margin: 2rem auto; padding: 0 1rem }}
body {{ color: #111; background: #fff }}
div {{ overflow-x: auto }}
table {{ border-collapse: collapse; margin: 1rem 0 }}
th, td {{ padding: .25rem .5rem; text-align: right; border-bottom: 1px solid #ccc }}
th:first-child, td:first-child {{ text-align: left }}
</style></head><body><main>
<h1>{title}</h1>
{body}
</main></body></html>
"""


def page(panel):
    """HTML of what a ClassPanel shows."""
    if len(panel.people) < LEAST_GROUP:
        raise ValueError(
            f"{len(panel.people)} people answered: a page of fewer than {LEAST_GROUP} would tell who said what."
        )
    asked = f"{len(panel.people)} people marked {len(panel.items)} items from {{:g}} to {{:g}}.".format(*panel.scale)
    parts = [paragraph(f"{panel.source} {asked}"), paragraph(refusals(panel.refused))]
    for title, told in {"What the class thinks": values, "On what it splits": splits, "Groups": groups}.items():
        parts += [heading(title), *told(panel)]
    parts += [heading("Choices"), *choices(panel)]
    return PAGE.format(title="Your class, a week later", body="\n".join(part for part in parts if part))


def refusals(refused):
    """How many files, rows and items were left out, and why, without their names: these may be those of people."""
    why = Counter(reason.split(":")[0].split(",")[0].split(" as ")[0] for reason in refused.values())
    return "Not used: " + "; ".join(f"{count} ({reason})" for reason, count in why.items()) + "." if refused else ""


def values(panel):
    """Each item's consensus with its interval, of a study that allows for unequal and for generous raters."""
    try:
        found = RatingStudy(standardize=True).fit(panel.marks).consensus()
    except ValueError as error:
        return [paragraph(f"There is no consensus: {error}")]
    found = found.sort_values("consensus", ascending=False)
    rows = [
        (name, f"{row.consensus:.1f}", f"{row.low:.1f} to {row.high:.1f}", int(row.answers))
        for name, row in found[found["answers"] >= LEAST_GROUP].iterrows()
    ]
    return [
        table(("item", "consensus", "90 % interval", "marks"), rows),
        paragraph("Two items whose intervals overlap may still differ: lecture 14 compares them by contrasts."),
    ]


def deviations(Y):
    """(n, R) marks, each less its person's mean; 0 where there is none, or where a person always said the same."""
    return np.nan_to_num(Y - np.nanmean(Y, axis=0))


def splits(panel):
    """For each item how many marked it above their own mean, and the interval of that share; most divided first."""
    given, off, rows = ~np.isnan(panel.Y), deviations(panel.Y), []
    for k in np.flatnonzero(given.sum(axis=1) >= LEAST_GROUP):
        row = off[k, given[k]]
        above, below = int((row > 0).sum()), int((row < 0).sum())
        ends = beta.ppf([0.05, 0.95], above + 0.5, below + 0.5)
        share, distance = "{:.0%} to {:.0%}".format(*ends), f"{np.sqrt(np.mean(row**2)):.1f}"
        rows.append((panel.items[k], above, below, share, distance))
    rows.sort(key=lambda row: -float(row[-1]))
    head = ("item", "above their own mean", "below", "share above, 90 %", "typical distance")
    text = "The class splits on an item if many are above and many below, and far from their own means."
    return [table(head, rows), paragraph(text)]


def two_groups(off):
    """((R,) group 0 or 1 of each person, share of the squared deviations that the groups' means explain)."""
    found = KMeans(2, n_init=10, random_state=0).fit(off.T)
    return found.labels_, 1 - found.inertia_ / max(np.sum((off - off.mean(axis=1, keepdims=True)) ** 2), 1e-300)


def groups(panel):
    """Two groups by what people marked, what they disagree about, and how often chance would separate them as far."""
    off = deviations(panel.Y)
    if off.shape[1] < 2 * LEAST_GROUP or not off.any():
        return [paragraph("There are too few people, or too few different marks, to look for groups.")]
    group, explained = two_groups(off)
    sizes = np.bincount(group, minlength=2)
    if sizes.min() < LEAST_GROUP:
        return [paragraph("The marks show no two groups of three people or more.")]
    rng = np.random.default_rng(0)
    by_chance = np.mean([two_groups(rng.permuted(off, axis=1))[1] >= explained for _ in range(SHUFFLES)])
    first, second = off[:, group == 0], off[:, group == 1]
    gap = second.mean(axis=1) - first.mean(axis=1)
    error = 1.645 * np.sqrt(first.var(axis=1, ddof=1) / sizes[0] + second.var(axis=1, ddof=1) / sizes[1])
    rows = [
        (panel.items[k], f"{first[k].mean():+.1f}", f"{second[k].mean():+.1f}", f"{gap[k]:+.1f} ± {error[k]:.1f}")
        for k in np.argsort(-np.abs(gap))
    ]
    head = ("item", f"group A ({sizes[0]} people)", f"group B ({sizes[1]} people)", "B − A, 90 %")
    verdict = "so there may be no groups at all" if by_chance > 0.05 else "so these people differ in what they like"
    text = (
        "Marks are less each person's own mean. The groups were made from these very marks, so with new marks they "
        f"would differ less. In {by_chance:.0%} of {SHUFFLES} classes without groups (each item's marks given to "
        f"people at random) two groups were as far apart: {verdict}."
    )
    return [table(head, rows), paragraph(text)]


def choices(panel):
    """The pairs on which answers are divided most, of those that three people or more were asked about."""
    counts = Counter()
    for (a, b), answer in zip(panel.pairs.tolist(), panel.answers, strict=True):
        a, b, answer = (a, b, answer) if a < b else (b, a, -answer)
        counts[a, b, int(answer)] += 1
    pairs = {(a, b) for a, b, _ in counts}
    told = [(panel.items[a], panel.items[b], *(counts[a, b, side] for side in (-1, 0, 1))) for a, b in sorted(pairs)]
    told = [row for row in told if sum(row[2:]) >= LEAST_GROUP]
    told.sort(key=lambda row: (-min(row[2], row[4]), -row[3]))
    if not told:
        return [paragraph("No pair was compared by three people or more.")]
    rows = [(f"{a} or {b}", left, same, right) for a, b, left, same, right in told[:PAIRS_SHOWN]]
    return [table(("pair", "the first", "the same", "the second"), rows), paragraph("The most divided come first.")]


def heading(text):
    return f"<h2>{html.escape(text)}</h2>"


def paragraph(text):
    return f"<p>{html.escape(text)}</p>" if text else ""


def table(head, rows):
    """HTML of a table whose first column names its rows."""
    lines = "".join(
        f'<tr><th scope="row">{html.escape(str(name))}</th>{"".join(f"<td>{cell}</td>" for cell in cells)}</tr>'
        for name, *cells in rows
    )
    columns = "".join(f'<th scope="col">{html.escape(name)}</th>' for name in head)
    region = f'<div role="region" tabindex="0" aria-label="{html.escape(", ".join(head))}">'
    return f"{region}<table><tr>{columns}</tr>{lines}</table></div>"


def main(arguments=None):
    """The command; returns its exit status."""
    parser = argparse.ArgumentParser(prog="python -m tools.class_page", description=__doc__.partition("\n")[0])
    parser.add_argument("folder", nargs="?", help="what the class answered (data/class)")
    parser.add_argument("--into", type=Path, default=ROOT / "dist" / "class.html", help="a file (dist/class.html)")
    given = parser.parse_args(arguments)
    try:
        panel = load_panel(given.folder)
        written = page(panel)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 1
    given.into.parent.mkdir(parents=True, exist_ok=True)
    given.into.write_text(written, encoding="utf-8")
    print(f"{given.into}. {panel.source}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
