"""A page for the week after: who in the class agrees, on what it splits, and how sure that is. Nobody is named.

    python -m tools.class_page [data/class]     writes dist/class.html

It says nothing of fewer than three people, and nothing that a listener's file or a form says in words.
"""

import argparse
import html
import sys
from collections import Counter
from pathlib import Path

import numpy as np
from scipy.stats import t

from course_studies import RatingStudy, load_panel
from tools import class_groups
from tools.notebooks import ROOT

LEAST_GROUP = 3  # people; fewer could be known again
LEAST_CLASS = 6  # people; teaching/class_data.md says why
CHANCE = 0.015  # below 0.05, as simulated classes are not quite like real ones
UNCONNECTED = "Too many marks are missing to compare all items with each other."
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
    if len(panel.people) < LEAST_CLASS:
        raise ValueError(
            f"{len(panel.people)} people answered: a page of fewer than {LEAST_CLASS} would reveal who said what."
        )
    asked = f"{len(panel.people)} people marked {len(panel.items)} items from {{:g}} to {{:g}}.".format(*panel.scale)
    parts = [paragraph(f"{panel.source} {asked}")]
    for title, told in {"What the class thinks": values, "Where it splits": splits, "Groups": groups}.items():
        parts += [heading(title), *told(panel)]
    parts += [heading("Choices"), *choices(panel)]
    return PAGE.format(title="Your class, a week later", body="\n".join(part for part in parts if part))


def values(panel):
    """Each item's consensus with its interval, of a study that allows for unequal and for generous raters."""
    try:
        found = RatingStudy(standardize=True).fit(panel.marks).consensus()
    except ValueError:  # its words may be about one person
        return [paragraph("There is no consensus: too few marks, or people who mark all items alike.")]
    found = found.sort_values("consensus", ascending=False)
    rows = [
        (name, f"{row.consensus:.1f}", f"{row.low:.1f} to {row.high:.1f}", int(row.answers))
        for name, row in found[found["answers"] >= LEAST_GROUP].iterrows()
    ]
    return [
        table(("item", "consensus", "90 % interval", "marks"), rows),
        paragraph("Two items whose intervals overlap may still differ: lecture 14 compares them by contrasts."),
    ]


def splits(panel):
    """How far an item's marks are from what the class thinks, with an interval of that distance; farthest first."""
    if not class_groups.connected(panel.Y):
        return [paragraph(UNCONNECTED)]
    taste, rows = class_groups.one_taste(panel.Y), []
    used = np.sqrt((~np.isnan(panel.Y)).sum() / max(taste.free.sum(), 1))  # marks also told level and use of the scale
    for name, squares in zip(panel.items, (row[~np.isnan(row)] for row in taste.squares()), strict=True):
        if len(squares) >= LEAST_GROUP:
            typical = max(np.mean(squares), 1e-9)
            error = used * np.std(squares, ddof=1) / np.sqrt(len(squares)) / typical  # of the logarithm of their mean
            low, high = np.sqrt(typical * np.exp(t.ppf([0.05, 0.95], len(squares) - 1) * error))
            rows.append(
                (name, f"{np.sqrt(typical):.1f}", f"{low:.1f} to {min(high, np.ptp(panel.scale)):.1f}", len(squares))
            )
    rows.sort(key=lambda row: -float(row[1]))
    text = "How far marks lie from the consensus, allowing for each person's level and use of the scale."
    return [table(("item", "typical distance", "90 % interval", "marks"), rows), paragraph(text)]


def groups(panel):
    """Two groups by what people marked, and what they disagree about, unless a class of one taste may have them."""
    if not class_groups.connected(panel.Y):
        return [paragraph(UNCONNECTED)]
    second, share = class_groups.chance(panel.Y, panel.scale)
    second = second if second.sum() * 2 <= len(second) else ~second
    likely = (
        f"In {share:.0%} of {class_groups.CLASSES} simulated classes of one taste, in which people differ as much in "
        "level, in use of the scale and in care, and left out the same marks, two groups were as far apart"
    )
    given = ~np.isnan(panel.Y)
    shown = np.min([(given & who).sum(axis=1) for who in (second, ~second)], axis=0) >= LEAST_GROUP
    Y = panel.Y[shown]
    if share > CHANCE or shown.sum() < 2 or not all(class_groups.connected(Y[:, who]) for who in (second, ~second)):
        return [paragraph(f"{likely}: no two groups of {LEAST_GROUP} people or more can be told apart.")]
    (first, other), error = class_groups.gap(Y, second)
    names, gap = [name for name, one in zip(panel.items, shown, strict=True) if one], other - first
    rows = []
    for k in np.argsort(-np.abs(gap)):
        signed = [f"{one[k]:+.1f}" for one in (first, other, gap, gap - error, gap + error)]
        rows.append((names[k], *signed[:3], f"{signed[3]} to {signed[4]}"))
    head = (
        "item",
        f"group A ({(~second).sum()} people)",
        f"group B ({second.sum()} people)",
        "B − A",
        "90 % interval",
    )
    text = (
        f"{likely}: so these people differ in what they like. Values are relative to the group's mean. The groups "
        "were made from these very marks, so with new marks they would differ less."
    )
    return [table(head, rows), paragraph(text)]


def choices(panel):
    """The pairs on which answers are divided most, of those that three people or more were asked about."""
    said = Counter()  # of (a, b) by a person: a person who was asked again has one answer, too
    for person, (a, b), answer in zip(panel.who.tolist(), panel.pairs.tolist(), panel.answers, strict=True):
        said[min(a, b), max(a, b), person] += answer if a < b else -answer
    counts = {}
    for (a, b, _), answer in said.items():
        counts.setdefault((a, b), Counter())[int(np.sign(answer))] += 1
    told = [(pair, [of[side] for side in (-1, 0, 1)]) for pair, of in counts.items() if of.total() >= LEAST_GROUP]
    if not told:
        return [paragraph(f"No pair was compared by {LEAST_GROUP} people or more.")]
    told.sort(key=lambda row: (-min(row[1][0], row[1][2]), -row[1][1], row[0]))
    rows = [
        (f"{panel.items[a]} or {panel.items[b]}", *(n if n >= LEAST_GROUP else f"under {LEAST_GROUP}" for n in of))
        for (a, b), of in told[:PAIRS_SHOWN]
    ]
    text = "People who chose each; the most divided come first."
    return [table(("pair", "the first", "the same", "the second"), rows), paragraph(text)]


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
