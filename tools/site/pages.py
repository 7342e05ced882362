"""The pages of the site, made from what is committed; they need a plain file server and nothing from elsewhere.

write(folder, played)       all pages into a folder; played are the paths of recordings, by the name of the explorer
"""

import html
import json
import re
import shutil

import nbformat
from pygments.formatters import HtmlFormatter

from course_widgets import frame, microphone
from tools import course_map
from tools.listening import page as listening
from tools.listening import studies
from tools.notebooks import ROOT, whole
from tools.site import bibliography, live, packing, picture, places, published, reference, search
from tools.site.glossary import Glossary
from tools.site.head import THEME, first_picture, first_sentence, head
from tools.site.lessons import CREDIT, Lesson, Media, Section
from tools.slides import page as slides
from tools.slides import reading

SITE_SOURCES = ROOT / "site"
MATHJAX_FOLDER = ROOT / "tools" / "slides" / "assets" / "mathjax"
COURSE_TITLE = "From comparing sequences to modelling what people think of them"
LISTENING_TITLE = "A listening test"
LISTENING_NOTE = (
    '<p class="said">A class can take this listening test without a server: nothing is sent. Put the files or codes '
    'that you get, with its <a href="items.csv" download>items</a>, into <code>data/class</code>; the lectures then '
    "show your class. <code>make listening</code> writes this page as one file, also with clips of your own.</p>"
)
# What scripts say; all else that a reader sees comes from notebooks and recordings.
PAGE_WORDS = {
    "failed": "The recording did not arrive; the picture as it begins is below.",
    "credit": CREDIT,
    "light": "Light page",
    "dark": "Dark page",
    "nothing": "Nothing found.",
    "check": "Check",
    "no_number": "{text!r} is no number. Write it as 0.25, −0.5 or 1/4.",
    "mathjax": slides.MATHJAX,
}
PAGE_TEMPLATE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
{head}
<link rel="icon" href="data:,">
<script>{theme}</script>
<link rel="stylesheet" href="assets/code.css">
<link rel="stylesheet" href="assets/explorer.css">
<link rel="stylesheet" href="assets/site.css">
</head>
<body>
<a class="skip" href="#main">To the text</a>
<header>
<a class="home" href="index.html">{course}</a>
{menus}
<form role="search" hidden>
<input type="search" aria-label="Search the course" placeholder="Search" autocomplete="off">
</form>
<button type="button" id="theme" hidden></button>
</header>
<div class="columns">
{contents}
<main id="main">
{body}
{onward}
</main>
</div>
<footer><p>{get}</p>
<p>Version {version}: <a href="changes.html">what changed</a> ·
<a href="licences.html">licences and credits of texts, sounds and data</a>{source}</p></footer>
<script type="application/json" id="words">{words}</script>
<script type="module" src="assets/page.js"></script>
</body>
</html>
"""


def write(folder, played):
    """Writes the site into `folder`, which is emptied before; returns the paths of its pages."""
    return begun(folder, played).write()


def begun(folder, played):
    """The Site of an emptied folder, which has all that pages ask for and no page yet."""
    if folder.exists():
        shutil.rmtree(folder)
    write_assets(folder / "assets")
    (folder / "recordings").mkdir()
    for path in played.values():
        shutil.copy(path, folder / "recordings")
    live.write(folder)
    published.write_bundle(folder)
    return Site(folder, played)


def write_assets(folder):
    """Scripts, styles, and the parts of MathJax in one packed file."""
    shutil.copytree(SITE_SOURCES, folder)
    (folder / "explorer.js").write_text(frame.SCRIPT, encoding="utf-8")
    (folder / "microphone.js").write_text(microphone.SCRIPT, encoding="utf-8")
    (folder / "explorer.css").write_text(microphone.STYLE_SHEET, encoding="utf-8")
    light, dark = (HtmlFormatter(style=name) for name in ("default", "github-dark"))
    code = light.get_style_defs(".highlight") + "\n" + dark.get_style_defs(":root[data-theme=dark] .highlight")
    (folder / "code.css").write_text(code, encoding="utf-8")
    parts = {
        str(path.relative_to(MATHJAX_FOLDER)): path.read_text(encoding="utf-8")
        for path in MATHJAX_FOLDER.rglob("*.js")
    }
    write_packed(folder / "mathjax.bin", parts)
    shutil.copy(MATHJAX_FOLDER / "LICENSE", folder / "mathjax-licence.txt")


def write_packed(path, value):
    """Writes a value as compressed JSON."""
    path.write_bytes(packing.packed(value))


class Site:
    """All pages, which know of each other."""

    def __init__(self, folder, played):
        self.folder, self.played, self.media, self.entries = folder, played, Media(folder / "media"), []
        self.written = {name: (path, document(path)) for name, path in places.written().items()}
        self.bib = (ROOT / "lectures" / "references.bib").read_text(encoding="utf-8")
        self.works = bibliography.works(self.bib)
        start = self.written["00"][1].cells
        self.front = Lesson(self.written["00"][1], ROOT, self.media).text(
            f"[![{picture.drawn()[0]}]({picture.PATH.relative_to(ROOT)})](lectures/01_dtw.ipynb)"
        )
        self.picture = first_picture([search.tree(self.front)])
        self.glossary = Glossary(next(cell.source for cell in start if reading.section_of(cell) == "Glossary"))
        self.sections = {
            (name, title.partition(" ")[0]): f"{name}.html#{Section.of(title).name}"
            for name in self.lectures()
            for title in map(reading.section_of, self.written[name][1].cells)
            if title
        }
        self.derived = reference.derived()
        self.questions = {number: question for number, _, _, question, _ in course_map.rows()}
        self.questions |= {f"homework-{number}": f"Homework: {asks}" for number, asks in self.questions.items()}
        self.titles = {name: title_of(notebook) for name, (_, notebook) in self.written.items()}
        self.menus = self.menu("Lectures", self.lectures()) + self.menu("More", self.others())

    def lectures(self):
        return [name for name in self.written if name.isdigit()]

    def others(self):
        """Pages of the second menu."""
        homework = [name for name in self.written if name.startswith("homework")]
        return [*homework, "library", "data", "teaching", "listening", "contributing", "references"]

    def menu(self, title, names):
        titles = self.titles | {"library": "The library", "listening": LISTENING_TITLE, "references": "References"}
        items = "".join(f'<li><a href="{name}.html">{html.escape(titles[name])}</a></li>' for name in names)
        inside = f'<nav aria-label="{title}"><ul>{items}</ul></nav>'
        return f'<details class="menu"><summary>{title}</summary>{inside}</details>'

    def write(self):
        for name in self.written:
            self.show(name)
        self.page("index", self.home(), COURSE_TITLE)
        self.page("references", [bibliography.page(self.bib)], "References")
        self.page("library", reference.overview(), "The library")
        for room in reference.ROOMS:
            self.page(reference.page_of(room).removesuffix(".html"), reference.page(room, self.sections), room)
        self.page("listening", self.listening(), LISTENING_TITLE)
        licence = html.escape((ROOT / "LICENSE").read_text(encoding="utf-8"))
        formulas = '<p>Formulas are set by MathJax, <a href="assets/mathjax-licence.txt">Apache License 2.0</a>.</p>'
        data = '<p>Of each data set: <a href="data.html">data</a>.</p>'
        credits = f'<h1>Licences and credits</h1><pre class="printed" tabindex="0">{licence}</pre>{formulas}{data}'
        self.page("licences", [credits + live.credit()], "Licences and credits")
        write_packed(self.folder / "search.bin", self.entries)
        return sorted(self.folder.glob("*.html"))

    def show(self, name):
        """Writes the page of a notebook or a text."""
        path, notebook = self.written[name]
        self.page(name, self.document(name, path, notebook), self.titles[name], path)

    def page(self, name, parts, title, path=None):
        """Writes one page of HTML parts, or of (parts, contents); `path` is the file that it shows."""
        contents = ""
        if isinstance(parts, tuple):
            parts, contents = parts
        trees = [search.tree(part) for part in parts]
        about = self.questions.get(name) or first_sentence(trees) or title
        preview = published.address(first_picture(trees) or self.picture)
        self.entries += search.entries(name, title, trees)
        body = "\n".join(f"<section>{part}</section>" if not part.startswith("<section") else part for part in parts)
        course = COURSE_TITLE if name == "index" else f"{title} · {COURSE_TITLE}"
        written = PAGE_TEMPLATE.format(
            head=head(course, about, preview), theme=THEME, course="The course", menus=self.menus, contents=contents,
            body=body, onward=self.onward(name), source=published.source(path),
            version=published.PROJECT["project"]["version"], get=published.links(),
            words=json.dumps(PAGE_WORDS, ensure_ascii=False).replace("</", "<\\/"),
        )  # fmt: skip
        (self.folder / f"{name}.html").write_text(written, encoding="utf-8")

    def listening(self):
        """The listening test with the shipped study, and what a teacher does with the answers."""
        study = studies.read()
        study.write_items(self.folder / "items.csv")
        clips = {clip.name: self.media.address(clip.sound, "mp3") for clip in study.clips}
        script = '<script type="module" src="assets/listening.js"></script>'
        return [listening.body(study, lambda clip: clips[clip.name]) + script, LISTENING_NOTE]

    def onward(self, name):
        """Links to the pages before and after a lecture or a homework."""
        arrows = {"prev": "← {}", "next": "{} →"}
        links = "".join(
            f'<a rel="{relation}" href="{goal}.html">{arrows[relation].format(html.escape(self.titles[goal]))}</a>'
            for relation, goal in places.onward(name, self.written)
        )
        return f'<nav class="onward" aria-label="Previous and next page">{links}</nav>' if links else ""

    def document(self, name, path, notebook):
        """(sections, contents) of the page of a notebook or a text."""
        terms = self.glossary.terms(name) if name in self.lectures()[1:] else {}
        first, *rest = Lesson(notebook, path.parent, self.media, self.works, self.played, terms).sections()
        run = published.how_to_run(path.relative_to(ROOT))
        parts = ["".join(first.blocks) + (f'<p class="said">{run}</p>' if run else "")]
        parts += [section(one, self.library(name, one)) for one in rest]
        if name == "00":
            parts = [self.glossary.anchored(part) if 'id="glossary"' in part else part for part in parts]
        items = "".join(f'<li><a href="#{one.name}">{html.escape(one.title)}</a></li>' for one in rest)
        contents = f'<nav class="contents" aria-label="On this page"><ul>{items}</ul></nav>'
        return parts, contents if len(rest) > 1 else ""

    def library(self, name, one):
        """A line that names the modules which a lecture's section derives."""
        found = self.derived.get((name, one.title.partition(" ")[0]), [])
        links = ", ".join(f'<a href="{module.address}">{module.title}</a>' for module in found)
        return f'<p class="said">In the library: {links}.</p>' if links else ""

    def home(self):
        """Two curves to draw, what the course is and how to get it, its map, and where to look things up."""
        start = self.written["00"][1]
        lesson = Lesson(start, ROOT / "lectures", self.media)
        intro = start.cells[0].source.split("\n\n")[1]
        chosen = next(cell for cell in start.cells if (reading.section_of(cell) or "").startswith("The map"))
        homework = sum(name.startswith("homework-") for name in self.written)
        clickable = course_map.picture(course_map.rows(), "{}.html".format)
        return [
            f'<h1>{COURSE_TITLE}</h1><p class="asked">{self.questions["01"]}</p>{live.front(self.front)}',
            f"{lesson.text(intro)}<p>{len(self.lectures())} lectures and {homework} homeworks. You need vectors, a "
            "little probability, and Python with NumPy. Nothing has to be installed to read and to play: begin with "
            '<a href="01.html">lecture 01</a>. To run and change everything, and to have your homework checked: '
            f"{published.links()}.</p>",
            re.sub("<img.*?>", lambda _: f'<span class="map">{clickable}</span>', lesson.text(chosen.source)),
            '<p>Words are explained in the <a href="00.html#glossary">glossary</a>, functions in '
            '<a href="library.html">the library</a>; what a class needs is '
            '<a href="teaching.html">for teachers</a>.</p>',
        ]


def document(path):
    """A notebook; of a text, one cell for each part under a `## ` heading."""
    if path.suffix == ".ipynb":
        return whole(path)
    parts = re.split(r"^(?=## )", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell(part) for part in parts])


def title_of(notebook):
    return notebook.cells[0].source.splitlines()[0].lstrip("# ")


def section(one, library=""):
    """HTML of a section; what is for home is folded under its heading."""
    inside = "\n".join(one.blocks) + library
    if not one.home:
        return f'<section id="{one.name}">{inside}</section>'
    heading, _, rest = inside.partition("</h2>")
    folded = f'<details class="home"><summary>{heading}</h2></summary>{rest}</details>'
    return f'<section id="{one.name}">{folded}</section>'
