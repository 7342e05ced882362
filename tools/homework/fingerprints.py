"""What students wrote in a homework beyond what they were given, as runs of tokens that can be compared.

A text becomes the set of its runs of K tokens, as in Schleimer, Wilkerson and Aiken (2003), "Winnowing: local
algorithms for document fingerprinting", SIGMOD; homework is short, so all runs are kept and none is winnowed. Names
that students may choose are one token, comments and white space none. copydetect, which is on PyPI, does the same to
files, and knows neither notebooks nor a class: there each run counts as much as any other, and the threshold is fixed.
"""

import builtins
import json
import keyword
import re

import nbformat

from tools import check
from tools.homework import restoring
from tools.homework.recognising import cells, texts
from tools.homework.rubric import heading

TEXT_KINDS = ("code", "letters")
OWN_PARTS = {"own code": ("Other cells with code", "code"), "own text": ("Other cells with text", "letters")}
LENGTH = {"code": 8, "letters": 3}  # tokens in a run
MAX_CHARACTERS = 100_000  # characters of a part; what follows is not compared
WORD_PATTERN = re.compile(r"\w+")
PYTHON = re.compile(
    r"""(?P<left>\#.*|(?i:[rbfu]{0,2})(?:\"{3}[\s\S]*?(?:\"{3}|\Z)|'{3}[\s\S]*?(?:'{3}|\Z)))
    |(?i:[rbfu]{0,2})(?:"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?)
    |\d[\w.]*|(?P<name>\w+)|[-+*/%@&|^<>=!:]=|\*\*|//|->|[^\w\s]""",
    re.VERBOSE,
)
FIXED_NAMES = {*keyword.kwlist, *dir(builtins)}


def tokens(text, kind):
    """(token, begin, end) of a text; code need not be Python that runs."""
    if kind == "letters":
        return [(match[0].casefold(), *match.span()) for match in WORD_PATTERN.finditer(text)]
    found = []
    for match in PYTHON.finditer(text):
        if match["left"] is None:
            chosen = match["name"] and match[0] not in FIXED_NAMES and not (found and found[-1][0] == ".")
            found.append(("name" if chosen else match[0], *match.span()))
    return found


def runs(text, kind):
    """(run of tokens, where each begins and ends) of all runs in a text; a text that is shorter than a run is one."""
    found, length = tokens(text, kind), LENGTH[kind]
    windows = (found[k : k + length] for k in range(max(len(found) - length + 1, bool(found))))
    return [(tuple(one[0] for one in window), [one[1:] for one in window]) for window in windows]


class Released:
    """A homework as students get it: its parts {grade_id: (title, kind)}, and the runs in all notebooks they get."""

    def __init__(self, root, homework):
        self.homework, self.book = homework, nbformat.read(check.homework(root, homework), as_version=4)
        given = self.book.cells
        answers = [k for k, one in enumerate(given) if one.metadata.get("nbgrader", {}).get("solution")]
        self.places = {restoring.grade_id(given[k]): k for k in answers}
        self.parts = {name: (heading(given, k), kind_of(given[k])) for name, k in self.places.items()} | OWN_PARTS
        self.runs = {kind: set() for kind in TEXT_KINDS}
        for path in sorted([*root.glob("exercises/*/*.ipynb"), *root.glob("lectures/*.ipynb")]):
            for cell in cells(json.loads(path.read_bytes())).cells:
                self.runs[kind_of(cell)].update(run for run, _ in runs(cell.source, kind_of(cell)))

    def read(self, path):
        """{part: what a student wrote} of a notebook that was handed in."""
        book, given = cells(json.loads(path.read_bytes())), set(texts(self.book))
        named = {name: self.answer(book, name) for name in self.places}
        others = [one for one in book.cells if one not in named.values() and one.source.strip() not in given]
        written = {name: cell.source if cell else "" for name, cell in named.items()}
        for part, (_, kind) in OWN_PARTS.items():
            written[part] = "\n\n".join(one.source for one in others if kind_of(one) == kind)
        return {part: text[:MAX_CHARACTERS].encode("utf-8", "replace").decode() for part, text in written.items()}

    def answer(self, book, name):
        """The cell of an answer, by its name, or else by what it says; or None."""
        named = restoring.last(book, lambda one: restoring.grade_id(one) == name)
        return named or restoring.found(book, self.book, self.places[name])


def kind_of(cell):
    """What is written in a cell."""
    return "code" if cell.cell_type == "code" else "letters"
