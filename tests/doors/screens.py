"""What stands on the screen of a lecture before a cell is run, read from its file by JupyterLab's own rules.

    python -m tests.doors.screens      writes screens.json anew, for a person to look at the difference

tests/browser/test_lectures.py holds the rules to what JupyterLab shows.
"""

import io
import json
import re
import tokenize
from dataclasses import dataclass
from pathlib import Path

import nbformat
from bs4 import BeautifulSoup
from nbconvert.filters import markdown2html

from tests.lectures.reading import LECTURES
from tools.homework.bundle import for_students
from tools.notebooks import is_folded

RECORD = Path(__file__).with_name("screens.json")
ASKS = re.compile(r"\*\*Predict[.:]\*\*")
FORMULA = re.compile(r"\$\$.+?\$\$|\$[^$]+?\$", re.DOTALL)
NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


def cells(path):
    """The cells that students get, before they run them."""
    return nbformat.reads(for_students(path.read_bytes()).decode(), as_version=4).cells


def visible(cell):
    """The text of a cell as a page shows it, without formulas and without what is folded.

    Beside the dots of a folded output JupyterLab shows its first line: the whole of it, before the cell is run.
    """
    if cell.cell_type == "markdown":
        return in_sight(markdown2html(cell.source))
    hidden = cell.metadata.get("jupyter", {}).get("source_hidden", False)
    if hidden and is_folded(cell):
        return ""  # then the lab hides the dots, too
    return "\n".join(["" if hidden else cell.source, *map(printed, cell.outputs)])


def printed(output):
    data = output.get("data", {})
    if "text/html" in data or "text/markdown" in data:
        return in_sight(data.get("text/html") or markdown2html(data["text/markdown"]))
    return output.get("text") or data.get("text/plain", "")


def in_sight(html):
    return FORMULA.sub("", unfolded(html))


def unfolded(html):
    """What can be read of HTML as long as nothing is opened."""
    tree = BeautifulSoup(html, "html.parser")
    for one in tree.select("details:not([open]) > :not(summary), style, script"):
        one.extract()
    for fold in tree.select("details:not([open])"):
        for one in fold.find_all(string=True, recursive=False):
            one.extract()
    return tree.get_text(" ").replace("¶", "")


def after_predictions(found):
    """What can be read between each **Predict.** and the next heading, as a list of texts."""
    texts, asking = [], False
    for cell in found:
        markdown = cell.cell_type == "markdown"
        asking = asking and not (markdown and re.match(r"#{1,6} ", cell.source))
        if asking:
            texts[-1] += "\n" + visible(cell)
        if markdown and ASKS.search(cell.source):
            texts.append("")
            asking = True
    return texts


@dataclass
class Window:
    """What stands between a **Predict.** and the next heading: the questions, what is folded, and what is in sight."""

    asked: str = ""
    folded: str = ""
    told: str = ""
    coded: str = ""
    shown: str = ""

    def add(self, cell, outputs):
        """A cell as it is on the screen; `outputs` are those that it has when it was run."""
        if cell.cell_type == "markdown":
            self.told += "\n" + visible(cell)
            return
        comments, code = parted("" if cell.metadata.get("jupyter", {}).get("source_hidden") else cell.source)
        self.coded += "\n" + code
        self.told += "\n" + comments
        self.folded += "\n".join(["", *map(printed, outputs if is_folded(cell) else [])])
        self.shown += "\n".join(["", *map(printed, [] if is_folded(cell) else cell.outputs)])

    def gives_away(self):
        """Numbers and rows of what is folded that can be read beside the question, although it does not hold them.

        Of a text (prose, comments) these are numbers of two digits and more, of an output that is not folded, of
        three: there, two are often the same by accident. A number that stands in the code is a setting.
        """
        allowed = numbers(self.asked) | numbers(self.coded)
        told, shown = (numbers(self.told), {one for one in numbers(self.shown) if digits(one) > 2})
        seen = packed(self.told + self.shown)
        rows = {
            line.strip() for line in self.folded.split("\n") if len(NUMBER.findall(line)) > 1 and packed(line) in seen
        }
        return (numbers(self.folded) & (told | shown)) - allowed | rows


def windows(seen, run):
    """The Windows of a lecture; `seen` are its cells as they lie on the screen, `run` the same with all results."""
    found, asking = [], False
    results = {cell.id: cell.get("outputs", []) for cell in run}
    for cell in seen:
        markdown = cell.cell_type == "markdown"
        asking = asking and not (markdown and re.match(r"#{1,6} ", cell.source))
        if markdown and ASKS.search(cell.source):
            found += [] if asking else [Window()]
            found[-1].asked += "\n" + cell.source
            asking = True
        elif asking:
            found[-1].add(cell, results[cell.id])
    return found


def parted(code):
    """(comments, the rest) of code."""
    parts = {True: [], False: []}
    for token in tokenize.generate_tokens(io.StringIO(code).readline):
        parts[token.type == tokenize.COMMENT].append(token.string)
    return "\n".join(parts[True]), " ".join(parts[False])


def numbers(text):
    """Those of a text that have two digits or more."""
    return {one for one in NUMBER.findall(text) if digits(one) > 1}


def digits(number):
    """How many significant ones it has."""
    return len(re.sub(r"\D", "", number).lstrip("0"))


def packed(text):
    return re.sub(r"[\W_]+", "", text)


def screen(path):
    """What is recorded of a lecture: what can be read after each prediction, in short."""
    return [counted(text) for text in after_predictions(cells(path))]


def counted(text):
    """A text in short: its words, and its numbers of two digits or more."""
    long = dict.fromkeys(number for number in NUMBER.findall(text) if len(re.sub(r"\D", "", number)) > 1)
    return f"{len(text.split())} words; {' '.join(long)}"


def main():
    screens = {path.stem: screen(path) for path in LECTURES}
    RECORD.write_text(json.dumps(screens, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
