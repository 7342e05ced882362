"""What axe-core finds in a lecture that is open in JupyterLab: the lecture's own faults, and those of JupyterLab."""

from collections import Counter
from pathlib import Path

AXE = Path(__file__).with_name("axe") / "axe.min.js"
GRAVE = ("serious", "critical")
# (rule, what it is found on) → why it is none of the course's. Nothing else is left out.
JUPYTERLAB = {
    ("aria-required-children", ".jp-WindowedPanel-viewport"): "the notebook is a feed, and its cells are no articles",
    ("button-name", ".jp-collapseHeadingButton"): "the button that folds a section is an arrow without a word",
}
EDITORS = (
    ".cm-editor"  # of the lab; half of all that there is to look at, and of the course only the letters of its code
)
# Nothing is left folded: neither what a cell shows nor what an author has hidden behind a summary.
UNFOLD = """() => {
    const cells = jupyterapp.shell.currentWidget.content.widgets;
    for (const cell of cells) if (cell.outputHidden) cell.outputHidden = false;
    for (const folded of document.querySelectorAll('.jp-Notebook details')) folded.open = true;
}"""
CHECK = """async ([known, left]) => {
    const place = { include: ['.jp-Notebook'], exclude: [left] };
    const { violations } = await axe.run(place, { resultTypes: ['violations'], elementRef: true });
    return violations.flatMap(({ id, impact, help, nodes }) => nodes.map(({ element, html }) => ({
        id, impact, help, html: html.slice(0, 300),
        known: known.findIndex(([rule, place]) => rule === id && element.matches(place)),
    })));
}"""


def faults(page):
    """(own, theirs): what is serious or critical in the lecture's own content; how often each known one of the lab is.

    own : list of texts;  theirs : Counter of the keys of `JUPYTERLAB`
    """
    page.evaluate(UNFOLD)
    page.evaluate(AXE.read_text(encoding="utf-8"))
    known = list(JUPYTERLAB)
    found = [one for one in page.evaluate(CHECK, [known, EDITORS]) if one["impact"] in GRAVE]
    own = [f"{one['id']} ({one['impact']}): {one['help']}\n{one['html']}" for one in found if one["known"] < 0]
    return own, Counter(known[one["known"]] for one in found if one["known"] >= 0)
