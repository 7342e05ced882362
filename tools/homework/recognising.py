"""Which homework a file is that somebody handed in: by what it holds, and by what it is called."""

import hashlib
import json
import re
from dataclasses import dataclass
from functools import cached_property
from types import SimpleNamespace

import nbformat

from tools.homework.release import homeworks
from tools.homework.restoring import grade_id, recognised
from tools.homework.submissions import unreadable

UNTOUCHED = "it is the exercise as it was handed out"


@dataclass(frozen=True)
class Read:
    """What a file is: of which homework, why it cannot be taken, what was repaired; nothing of this if it is of none.

    `digest` is that of its text, as it will be written.
    """

    homework: str = ""
    problem: str = ""
    repaired: str = ""
    digest: str = ""


class Course:
    """The homeworks of a course, in the folder `root`."""

    def __init__(self, root):
        self.root, self.homeworks = root, homeworks(root)

    @cached_property
    def sources(self):
        """{homework: its notebook}."""
        return {one: nbformat.read(self.root / "solutions" / one / f"{one}.ipynb", 4) for one in self.homeworks}

    def read(self, title, path):
        """What the file at `path` is, which somebody has called `title`."""
        named, (text, repaired) = self.by_name(title), decoded(path.read_bytes())
        digest, problem = digest_of(text), unreadable(title, text.encode()).partition(";")[0]
        if problem:
            return Read(named, problem, "", digest)
        book = cells(json.loads(text))
        counts = {one: recognised(book, source) for one, source in self.sources.items()}
        held = [one for one, count in counts.items() if count == max(counts.values()) > 0]
        homework = named or (held[0] if len(held) == 1 else "")
        if named and named not in held:
            problem = f"{title} has {f'the cells of {held[0]}' if held else f'none of the cells of {named}'}"
        elif held and not homework:
            problem = f"{title} has cells of {' and '.join(held)}"
        elif homework and self.untouched(homework, book):
            problem = UNTOUCHED
        if not (homework or problem):
            return Read()
        if title != f"{homework}.ipynb":
            repaired.append(f"it was called {title}")
        if not any(map(grade_id, book.cells)):
            repaired.append("nbgrader's metadata are lost: its cells are found by what they say")
        return Read(homework, problem, "; ".join(repaired), digest)

    def by_name(self, title):
        """The homework that a file's name speaks of, whatever stands around it; or an empty text."""
        plain = re.sub(r"[\W_]+", "_", title.casefold())
        found = [one for one in self.homeworks if one.casefold() in plain]
        return found[0] if len(found) == 1 else ""

    def untouched(self, homework, book):
        """Whether a notebook says what the released exercise says."""
        path = self.root / "exercises" / homework / f"{homework}.ipynb"
        return path.is_file() and texts(cells(json.loads(path.read_bytes()))) == texts(book)


def digest_of(text):
    """SHA-256 of a text."""
    return hashlib.sha256(text.encode()).hexdigest()


def decoded(data):
    """(the text of a file, what had to be repaired for it)."""
    for code in (json.detect_encoding(data), "cp1252"):
        try:
            text = data.decode(code)
        except UnicodeDecodeError:
            continue
        return text, [] if code == "utf-8" else [f"it was written as {code}"]
    return "", []


def cells(book):
    """What `restoring` looks at in a notebook, of which nothing is believed."""
    found = []
    for cell in (one for one in book["cells"] if isinstance(one, dict)):
        source, metadata = cell.get("source"), cell.get("metadata")
        lines = [one for one in (source if isinstance(source, list) else [source]) if isinstance(one, str)]
        about = {"source": "".join(lines), "metadata": metadata if isinstance(metadata, dict) else {}}
        found.append(SimpleNamespace(cell_type=cell.get("cell_type"), **about))
    return SimpleNamespace(cells=found)


def texts(book):
    """The contents of the cells."""
    return [cell.source.strip() for cell in book.cells]
