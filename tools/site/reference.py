"""The library's reference: what its modules offer, from their docstrings, and the sections that derive it.

A module's docstring names its sections in a line `Lecture: NN, sections J–K.`; both ways are linked.
"""

import ast
import html
import importlib
import inspect
import re
from dataclasses import dataclass
from functools import cache
from operator import attrgetter

from tools.notebooks import ROOT

ROOMS = {
    "course_lib.sequences": "Sequences: warping, densities, states",
    "course_lib.gp": "Gaussian processes",
    "course_lib.judgments": "What people say, and what to ask them",
    "course_lib.audio": "Sound",
    "course_lib.datasets": "Data sets",
    "course_lib.metrics": "How good a prediction is",
    "course_studies": "Studies: a table in, a report out",
    "course_personaliser": "The personaliser",
}
LECTURE_LINE = re.compile(r"Lecture: (.*?)\.?$", flags=re.MULTILINE)
SECTION_LIST = re.compile(r"(\d\d)(?:, sections? ([\d, –and]+))?(?:;|, and those|$)")
NEXT = "\n\n"  # between paragraphs
QUOTED = re.compile(r"`([\w.]+)`")
Definition = ast.FunctionDef | ast.ClassDef


def page_of(room):
    """The file of a room's page."""
    return f"library-{room.rpartition('.')[2]}.html"


def places(docstring):
    """What a module's docstring names: [(lecture, section or "")]."""
    found = []
    for number, said in (place for line in LECTURE_LINE.findall(docstring) for place in SECTION_LIST.findall(line)):
        runs = [list(map(int, run.split("–"))) for run in re.findall(r"\d+(?:–\d+)?", said)]
        found += [(number, str(k)) for run in runs for k in range(run[0], run[-1] + 1)] or [(number, "")]
    return found


@dataclass
class Module:
    """A module of the library: its dotted name, and its syntax."""

    name: str
    tree: ast.Module

    @property
    def room(self):
        return next(room for room in ROOMS if f"{self.name}.".startswith(f"{room}."))

    @property
    def address(self):
        return f"{page_of(self.room)}#{self.name}"

    @property
    def title(self):
        """The name in HTML, which a narrow page may break after its dots."""
        return self.name.replace(".", ".<wbr>")

    @property
    def imported(self):
        return importlib.import_module(self.name)

    @property
    def said(self):
        """The docstring, but the line that names sections."""
        return LECTURE_LINE.sub("", ast.get_docstring(self.tree) or "").strip()

    @property
    def places(self):
        return places(ast.get_docstring(self.tree) or "")

    def definitions(self):
        return [node for node in self.tree.body if isinstance(node, Definition) and not node.name.startswith("_")]


@cache
def modules():
    """All modules of the rooms that offer something, in the order of rooms and names."""
    found = []
    for room in ROOMS:
        place = ROOT / room.replace(".", "/")
        for path in sorted([place.with_suffix(".py"), *place.rglob("*.py")]):
            name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
            if path.exists() and not path.name.startswith("_"):
                found.append(Module(name, ast.parse(path.read_text(encoding="utf-8"))))
    return [module for module in found if module.definitions()]


@cache
def addresses():
    """Where each public class and function stands, by its name; a name that two modules give is left out."""
    found = {}
    for module in modules():
        for node in module.definitions():
            goal = f"{module.address}.{node.name}"
            found[node.name] = None if node.name in found else goal
    return {name: goal for name, goal in found.items() if goal}


def derived():
    """{(lecture, section): [modules that it derives]}."""
    found = {}
    for module in modules():
        for place in module.places:
            found.setdefault(place, []).append(module)
    return found


# --- pages


def overview():
    """[HTML] of the page that names all rooms and what is in them."""
    rooms = "".join(
        f'<h2><a href="{page_of(room)}">{room}</a></h2><p>{title}.</p><ul>{listed(room)}</ul>'
        for room, title in ROOMS.items()
    )
    return [f"<h1>The library</h1><p>What lectures derive is what runs. All of it, by rooms.</p>{rooms}"]


def listed(room):
    """Items of a list: the modules of a room, each with what it is and what it offers."""
    return "".join(
        f'<li><a href="{module.address}">{module.title}</a>: {prose(module.said.partition(NEXT)[0])}</li>'
        for module in modules()
        if module.room == room
    )


def page(room, sections):
    """([HTML of each module], contents) of one room; `sections` are addresses by (lecture, section)."""
    own = [module for module in modules() if module.room == room]
    head = f"<h1>{room}</h1><p>{ROOMS[room]}. <a href='library.html'>All rooms</a>.</p>"
    items = "".join(f'<li><a href="#{module.name}">{module.title}</a></li>' for module in own)
    contents = f'<nav class="contents" aria-label="On this page"><ul>{items}</ul></nav>'
    return [head, *(one(module, sections) for module in own)], contents


def one(module, sections):
    """HTML of a module."""
    goals = [(number, section, sections.get((number, section))) for number, section in module.places]
    links = [f'<a href="{goal}">{number}.{section}</a>' for number, section, goal in goals if goal]
    where = f'<p class="said">Derived in section {", ".join(links)}.</p>' if links else ""
    offered = "".join(entry(module, node) for node in module.definitions())
    inside = f"<h2>{module.title}</h2>{paragraphs(module.said)}{where}<dl>{offered}</dl>"
    return f'<section id="{module.name}">{inside}</section>'


def entry(module, node, owner=""):
    """What one class or function is: how it is called, its docstring, and its methods."""
    name = f"{owner}{node.name}"
    inside = [part for part in node.body if isinstance(part, ast.FunctionDef) and not part.name.startswith("_")]
    methods = "".join(entry(module, part, f"{name}.") for part in inside) if isinstance(node, ast.ClassDef) else ""
    told = paragraphs(inspect.getdoc(attrgetter(name)(module.imported)) or "")
    call = f"<code>{html.escape(called(module, name))}</code>"
    return f'<dt id="{module.name}.{name}">{call}</dt><dd>{told}{f"<dl>{methods}</dl>" if methods else ""}</dd>'


def called(module, name):
    """How a function, a class or a property is written where it is used."""
    owner, _, last = name.rpartition(".")
    holder = attrgetter(owner)(module.imported) if owner else module.imported
    thing = inspect.getattr_static(holder, last)
    is_warning = inspect.isclass(thing) and issubclass(thing, BaseException)
    if is_warning or not (isinstance(thing, (staticmethod, classmethod)) or callable(thing)):
        return name
    given = inspect.signature(getattr(holder, last))
    plain = [one.replace(annotation=one.empty) for one in given.parameters.values() if one.name != "self"]
    return f"{name}{given.replace(parameters=plain, return_annotation=given.empty)}"


def paragraphs(docstring):
    """A docstring as a sentence, and as it is written below that."""
    begin, _, rest = docstring.partition(NEXT)
    return f"<p>{prose(begin)}</p>" + (f'<pre class="doc" tabindex="0">{prose(rest)}</pre>' if rest.strip() else "")


def prose(text):
    """A text of a docstring as HTML; what it quotes is linked where it is the library's."""

    def quoted(found):
        goal = addresses().get(found.group(1))
        name = f"<code>{found.group(1)}</code>"
        return f'<a href="{goal}">{name}</a>' if goal else name

    return QUOTED.sub(quoted, html.escape(text, quote=False))
