"""A lecture's notebook as the tests read it: cells under numbered headings, explorers, pictures, mathematics."""

import re
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path

from tools import notebooks

ROOT = Path(__file__).resolve().parents[2]
LECTURES = sorted((ROOT / "lectures").glob("[0-9][0-9]_*.ipynb"))
MINUTES = re.compile(r"\((\d+) min\)\s*$")


@dataclass
class Section:
    """A `## ` heading and the cells up to the next one (the heading's own cell is the first of them)."""

    heading: str
    cells: list = field(default_factory=list)

    @property
    def title(self):
        return MINUTES.sub("", self.heading).strip()

    @property
    def minutes(self):
        found = MINUTES.search(self.heading)
        return int(found.group(1)) if found else None

    @property
    def number(self):
        found = re.match(r"(\d+) · \S", self.heading)
        return int(found.group(1)) if found else None

    @property
    def markdown(self):
        return "\n".join(cell.source for cell in self.cells if cell.cell_type == "markdown")

    @property
    def code(self):
        return "\n".join(cell.source for cell in self.cells if cell.cell_type == "code")


class Lecture:
    """One notebook of lectures/, with all results."""

    def __init__(self, path):
        self.path = Path(path)
        self.number = self.path.name[:2]
        self.notebook = notebooks.whole(self.path)
        self.cells = self.notebook.cells
        self.markdown_cells = [cell for cell in self.cells if cell.cell_type == "markdown"]
        self.code_cells = [cell for cell in self.cells if cell.cell_type == "code"]

    @cached_property
    def markdown(self):
        return "\n\n".join(cell.source for cell in self.markdown_cells)

    @cached_property
    def code(self):
        return "\n\n".join(cell.source for cell in self.code_cells)

    @cached_property
    def headings(self):
        """(level, text) of every heading, in order."""
        lines = [line for cell in self.markdown_cells for line in outside_fences(cell.source)]
        return [(len(m.group(1)), m.group(2).strip()) for line in lines if (m := re.match(r"(#{1,6}) (.*)", line))]

    @cached_property
    def sections(self):
        """Sections in order; what stands before the first `## ` heading is not in any of them."""
        found = []
        for cell in self.cells:
            if cell.cell_type == "markdown":
                second = [line[3:] for line in outside_fences(cell.source) if line.startswith("## ")]
                found.extend(Section(heading.strip()) for heading in second)
            if found:
                found[-1].cells.append(cell)
        return found

    def section(self, title):
        """The section with this title, or an empty one."""
        return next((one for one in self.sections if one.title == title), Section(""))

    @cached_property
    def numbered(self):
        return [section for section in self.sections if section.number is not None]

    @cached_property
    def in_class(self):
        """The numbered sections that have their minutes."""
        return [section for section in self.numbered if section.minutes is not None]

    @cached_property
    def at_home(self):
        """The numbered sections that have none."""
        return [section for section in self.numbered if section.minutes is None]


@lru_cache
def lecture(path):
    """The lecture at `path`, read once."""
    return Lecture(path)


def outside_fences(text):
    """Lines of a markdown text that are not inside ``` fences."""
    inside = False
    for line in text.splitlines():
        if line.lstrip().startswith("```"):
            inside = not inside
        elif not inside:
            yield line


def table_rows(text):
    """Rows of the markdown tables in a text, each a list of cells; the lines of dashes are left out."""
    for line in outside_fences(text):
        if line.strip().startswith("|"):
            cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip().strip("|"))]
            if not all(re.fullmatch(r":?-+:?", cell) for cell in cells):
                yield cells


def folded(text, summary):
    """Whether the text has a closed <details> block whose summary is the given word."""
    pattern = rf"<details>\s*<summary><b>{summary}</b>[^<]*</summary>.+?</details>"
    return re.search(pattern, text, flags=re.DOTALL) is not None
