"""A lecture's notebook as sections of a page: what of it is shown, and what is folded until it is asked for.

What answers a prediction stays folded, notes for the teacher are left out, and what is for home stands in a fold of
its own. Outputs are those that are stored; only what `writing.py` needs of a cell is executed.
"""

import base64
import hashlib
import html
import re
from dataclasses import dataclass, field

from bs4 import BeautifulSoup
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from course_lessons import asked
from course_widgets import frame
from course_widgets.frame import prose
from tools.notebooks import is_card
from tools.site import glossary, live, packing, places, writing
from tools.slides import reading, sizes

EXPLORER = re.compile(r"^(explore_\w+|\w+\.show_slider)\(", flags=re.MULTILINE)
CITED = re.compile(r"\[([A-Z][\w-]*\d{4}[a-z]?)\]")
NOT_RECORDED = "This explorer was not recorded, so it does not move on this page. It does in the notebook."
RUN_CELL = re.compile(r"\b[Rr]un the cell\b(?: above| again)?(?! with `check)")
CREDIT = '<a href="licences.html">Where the sounds come from, and who is to be thanked for them</a>.'
MEDIA_TYPES = {
    "data:image/png": "png",
    "data:image/gif": "gif",
    "data:image/jpeg": "jpg",
    "data:audio/mpeg": "mp3",
    "data:image/svg+xml": "svg",
}


@dataclass
class Section:
    """What stands under one `## ` heading; `home` if it is for home."""

    title: str
    blocks: list = field(default_factory=list)
    home: bool = False

    @classmethod
    def of(cls, heading):
        return cls(reading.MINUTES.sub("", heading), home=bool(reading.NOT_IN_CLASS.search(heading)))

    @property
    def name(self):
        """The section's address in the page."""
        return re.sub(r"[^a-z0-9]+", "-", self.title.lower()).strip("-")


class Media:
    """Pictures and sounds of the pages, as files with the name of their content."""

    def __init__(self, folder):
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def out_of(self, tree):
        """Writes what a tree holds in data addresses, and leaves addresses of files."""
        for node in tree.find_all(["img", "audio"], src=re.compile("^data:")):
            kind, _, data = node["src"].partition(";base64,")
            address = self.address(base64.b64decode(data), MEDIA_TYPES[kind])
            if node.name == "img":
                self._place(node, node["src"])
            else:
                node["preload"] = "none"
                del node["style"]
            node["src"] = address
        return tree

    def address(self, content, suffix):
        """The address of a file with this content, which is written."""
        name = f"{hashlib.sha256(content).hexdigest()[:16]}.{suffix}"
        (self.folder / name).write_bytes(content)
        return f"{self.folder.name}/{name}"

    def _place(self, image, source):
        """A picture is fetched when it is near, and its place is kept free until then."""
        image["loading"], image["decoding"] = "lazy", "async"
        size = sizes.picture_size(source, image.get("width"))
        if size:
            image["width"], image["height"] = (str(round(length)) for length in size)


class Lesson:
    """Reads one notebook.

    folder : where its pictures lie;  media : Media;  works : keys of the bibliography
    recorded : names of explorers that play;  terms : words of the glossary that are linked at first use
    """

    def __init__(self, notebook, folder, media, works=(), recorded=(), terms=()):
        self.notebook, self.folder, self.media = notebook, folder, media
        self.works, self.recorded, self.terms = set(works), set(recorded), dict(terms)

    def sections(self):
        """The notebook's sections in order; the first has what stands before any `## ` heading."""
        found = [Section("")]
        for cell in self.notebook.cells:
            if reading.slide_type(cell) == "notes":
                continue
            title = reading.section_of(cell)
            if title is not None:
                found.append(Section.of(title))
            found[-1].blocks.append(self.markdown(cell) if cell.cell_type == "markdown" else self.code(cell))
        return found

    # --- text

    def markdown(self, cell):
        return self.text(on_page(cell.source), self.terms)

    def text(self, markdown, terms=()):
        """HTML of a markdown text, its works linked to the bibliography, and terms to the glossary."""
        tree = self.media.out_of(scrolling(reading.parsed(markdown, self.folder, places.leads_from(self.folder))))
        glossary.link(tree, terms)
        return CITED.sub(self.cited, str(tree))

    def cited(self, found):
        key = found.group(1)
        return f'[<a href="references.html#{key}">{key}</a>]' if key in self.works else found.group(0)

    # --- code, and what came of it

    def code(self, cell):
        hidden = cell.metadata.get("jupyter", {})
        shown = [self.output(output, cell) for output in cell.get("outputs", [])]
        results = "\n".join(filter(None, shown))
        if any(map(is_card, cell.get("outputs", []))):
            return results  # an explorer or a question: its code says nothing
        source = listing(cell.source)
        if hidden.get("source_hidden") or cell.source.startswith(("import ", "from ")):
            source = fold("code", "The code", source)
        if hidden.get("outputs_hidden") and results:
            results = fold("result", "What came out", results)
        return source + results + writing.place(cell.source, self.notebook)

    def output(self, output, cell):
        """HTML of one output, in the form that says most."""
        data = output.get("data", {})
        plain = data.get("text/plain", "")
        if "text" in output:
            printed = output.text.strip("\n")
            return "" if not printed or printed.startswith(reading.UNTRIED) else printed_block(printed)
        if reading.is_quiz(output):
            return quiz(plain.removeprefix(reading.QUIZ))
        if is_card(output):
            return self.explorer(cell.source, data["text/html"])
        if "text/markdown" in data:
            return self.text(data["text/markdown"])
        if "text/latex" in data and "text/html" in data:
            return listing(plain)
        if "text/html" in data:
            tree = scrolling(reading.mended(BeautifulSoup(data["text/html"], "html.parser")))
            credit = f'<p class="said">{CREDIT}</p>' if tree.audio else ""
            return f'<div class="output">{self.media.out_of(tree)}{credit}</div>'
        return printed_block(plain)

    def explorer(self, source, stored):
        """A place where the explorer plays, which has its stored picture until then, or that picture alone."""
        tree = self.media.out_of(BeautifulSoup(stored, "html.parser").figure)
        name = EXPLORER.search(source).group(1)  # what is given is what it begins with anyway
        beside = live.place(name, listing)
        if name in live.ALONE:
            return live.alone(name, tree)
        if name not in self.recorded:
            return f'<p class="said">{NOT_RECORDED}</p>{tree}{beside}'
        return f'<div class="explorer" data-recording="recordings/{name}.bin">{tree}</div>{beside}'


def on_page(text):
    """A text of a notebook in the words of a page, which shows what came out of a cell, but runs none."""
    return RUN_CELL.sub(r"\g<0> in the notebook", text.replace("(Run the folded cell.)", "(Open what came out.)"))


def scrolling(tree):
    """Wide tables, and code, scroll within the page, by the keyboard too."""
    for code in tree.find_all("pre"):
        code["tabindex"] = "0"
    for table in tree.find_all("table"):
        about = {"class": "wide", "tabindex": "0", "role": "region", "aria-label": "table"}
        table.wrap(tree.new_tag("div", attrs=about))
    return tree


def fold(kind, title, inside):
    return f'<details class="{kind}"><summary>{html.escape(title)}</summary>\n{inside}\n</details>'


def listing(source):
    """Highlighted code, which the keyboard can scroll."""
    marked = highlight(source.strip("\n"), PythonLexer(stripnl=False), HtmlFormatter(nowrap=True)).rstrip("\n")
    return f'<pre class="code highlight" tabindex="0"><code>{marked}</code></pre>'


def printed_block(text):
    return f'<pre class="printed" tabindex="0"><samp>{html.escape(text, quote=False)}</samp></pre>'


# --- questions


def quiz(question):
    """A question whose answers are packed: they are read only by who chooses one."""
    about = frame.quiz(**asked(question)).about
    inside = {**about, "replies": [on_page(reply) for reply in about["replies"]]}
    return (
        f'<div class="quiz" data-quiz="{packing.attribute(inside)}">'
        f'<p class="asked">{prose(question)}</p><noscript>The answers need JavaScript.</noscript></div>'
    )
