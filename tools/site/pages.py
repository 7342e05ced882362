"""The pages of the site, made from what is committed; they need a plain file server and nothing from elsewhere.

write(folder, played)       all pages into a folder; played are the paths of recordings, by the name of the explorer
"""

import html
import json
import shutil
import tomllib
import zlib

import nbformat
from pygments.formatters import HtmlFormatter

from tools.notebooks import ROOT, lectures
from tools.site import bibliography, geometry, live, search
from tools.site.lessons import Lesson, Media
from tools.slides import page as slides
from tools.slides import reading

OWN = ROOT / "site"
FORMULAS = ROOT / "tools" / "slides" / "assets" / "mathjax"
TITLE = "From comparing sequences to modelling what people think of them"
# What scripts say; all else that a reader sees comes from notebooks and recordings.
WORDS = {
    "failed": "The recording did not arrive; the picture as it begins is below.",
    "light": "Light page",
    "dark": "Dark page",
    "nothing": "Nothing found.",
    "mathjax": slides.MATHJAX,
}
THEME = (
    'document.documentElement.dataset.theme = localStorage.getItem("theme") ?? '
    '(matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");'
)
PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<link rel="icon" href="data:,">
<script>{theme}</script>
<link rel="stylesheet" href="assets/code.css">
<link rel="stylesheet" href="assets/site.css">
</head>
<body>
<a class="skip" href="#main">To the text</a>
<header>
<a class="home" href="index.html">{course}</a>
<details class="menu"><summary>Lectures</summary><nav aria-label="Lectures"><ol start="0">{menu}</ol></nav></details>
<form role="search" hidden>
<input type="search" aria-label="Search the course" placeholder="Search" autocomplete="off">
</form>
<button type="button" id="theme" hidden></button>
</header>
<div class="columns">
{contents}
<main id="main">
{body}
</main>
</div>
<footer><p>Version {version}: <a href="changes.html">what changed</a> · <a href="references.html">references</a> ·
<a href="licences.html">licences and credits of texts, sounds and data</a></p></footer>
<script type="application/json" id="words">{words}</script>
<script type="module" src="assets/page.js"></script>
</body>
</html>
"""


def write(folder, played):
    """Writes the site into `folder`, which is emptied before; returns the paths of its pages."""
    if folder.exists():
        shutil.rmtree(folder)
    write_assets(folder / "assets")
    (folder / "recordings").mkdir()
    for path in played.values():
        shutil.copy(path, folder / "recordings")
    live.write(folder)
    return Site(folder, played).write()


def write_assets(folder):
    """Scripts, styles, and the parts of MathJax in one packed file."""
    shutil.copytree(OWN, folder)
    colours = "".join(f" --{name}: {colour};" for name, colour in geometry.COLOURS.items())
    style = (OWN / "site.css").read_text(encoding="utf-8")
    (folder / "site.css").write_text(f":root {{{colours} }}\n{style}", encoding="utf-8")
    light, dark = (HtmlFormatter(style=name) for name in ("default", "github-dark"))
    code = light.get_style_defs(".highlight") + "\n" + dark.get_style_defs(":root[data-theme=dark] .highlight")
    (folder / "code.css").write_text(code, encoding="utf-8")
    parts = {str(path.relative_to(FORMULAS)): path.read_text(encoding="utf-8") for path in FORMULAS.rglob("*.js")}
    write_packed(folder / "mathjax.bin", parts)
    shutil.copy(FORMULAS / "LICENSE", folder / "mathjax-licence.txt")


def write_packed(path, value):
    """Writes a value as compressed JSON."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    path.write_bytes(packer.compress(json.dumps(value, ensure_ascii=False).encode()) + packer.flush())


class Site:
    """All pages, which know of each other."""

    def __init__(self, folder, played):
        self.folder, self.played, self.media, self.entries = folder, played, Media(folder / "media"), []
        self.notebooks = {path: nbformat.read(path, as_version=4) for path in lectures()}
        self.bib = (ROOT / "lectures" / "references.bib").read_text(encoding="utf-8")
        self.works = bibliography.works(self.bib)
        self.version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
        self.menu = "".join(
            f'<li><a href="{slides.name(path)}.html">{html.escape(title_of(notebook))}</a></li>'
            for path, notebook in self.notebooks.items()
        )

    def write(self):
        for path, notebook in self.notebooks.items():
            self.page(slides.name(path), self.lecture(path, notebook), title_of(notebook))
        self.page("index", self.home(), TITLE)
        self.page("references", [bibliography.page(self.bib)], "References")
        self.page("changes", [self.text(ROOT / "CHANGELOG.md")], "Changes")
        licence = html.escape((ROOT / "LICENSE").read_text(encoding="utf-8"))
        formulas = '<p>Formulas are set by MathJax, <a href="assets/mathjax-licence.txt">Apache License 2.0</a>.</p>'
        credits = (
            f'<h1>Licences and credits</h1><pre class="printed" tabindex="0">{licence}</pre>{formulas}{live.credit()}'
        )
        self.page("licences", [credits, self.text(ROOT / "data" / "README.md", headings=1)], "Licences and credits")
        write_packed(self.folder / "search.bin", self.entries)
        return sorted(self.folder.glob("*.html"))

    def page(self, name, parts, title, contents=""):
        if isinstance(parts, tuple):
            parts, contents = parts
        self.entries += search.entries(name, title, parts)
        body = "\n".join(f"<section>{part}</section>" if not part.startswith("<section") else part for part in parts)
        course = TITLE if name == "index" else f"{title} · {TITLE}"
        written = PAGE.format(
            title=html.escape(course), theme=THEME, course="The course", menu=self.menu, contents=contents, body=body,
            version=self.version, words=json.dumps(WORDS, ensure_ascii=False).replace("</", "<\\/"),
        )  # fmt: skip
        (self.folder / f"{name}.html").write_text(written, encoding="utf-8")

    def lecture(self, path, notebook):
        """(sections, contents) of a lecture's page."""
        first, *rest = Lesson(notebook, path.parent, self.media, self.works, self.played).sections()
        run = (
            f'<p class="said">Everything here was computed by the notebook <code>lectures/{path.name}</code>. '
            "To run and change it: <code>make lab</code> in the course’s folder.</p>"
        )
        parts = ["".join(first.blocks) + run, *map(section, rest)]
        items = "".join(f'<li><a href="#{one.name}">{html.escape(one.title)}</a></li>' for one in rest)
        return parts, f'<nav class="contents" aria-label="On this page"><ul>{items}</ul></nav>'

    def home(self):
        """What the course is, its map, and where to begin."""
        start = next(iter(self.notebooks.values()))
        lesson = Lesson(start, ROOT / "lectures", self.media)
        intro = start.cells[0].source.split("\n\n")[1]
        chosen = next(cell for cell in start.cells if (reading.section_of(cell) or "").startswith("The map"))
        return [
            f"<h1>{TITLE}</h1>{lesson.text(intro)}"
            '<p>Predict, play, explain: <a href="01.html">lecture 01</a> begins with two recordings of one word. '
            "Nothing here needs an account, a server or an installation.</p>",
            lesson.text(chosen.source),
        ]

    def text(self, path, headings=0):
        """HTML of a markdown file of the repository; its headings go down by so many levels."""
        source = path.read_text(encoding="utf-8")
        lesson = Lesson(None, path.parent, self.media)
        lines = ("#" * headings + line if line.startswith("#") else line for line in source.splitlines(True))
        return lesson.text("".join(lines))


def title_of(notebook):
    return notebook.cells[0].source.splitlines()[0].lstrip("# ")


def section(one):
    """HTML of a section; what is for home is folded under its heading."""
    inside = "\n".join(one.blocks)
    if not one.home:
        return f'<section id="{one.name}">{inside}</section>'
    heading, _, rest = inside.partition("</h2>")
    folded = f'<details class="home"><summary>{heading}</h2></summary>{rest}</details>'
    return f'<section id="{one.name}">{folded}</section>'
