"""The page of a lecture's slides, which needs nothing but the assets beside it: no network, no server.

write(path, folder)     folder/NN.html for the notebook at `path`, and folder/assets once for all; or, to read before
                        class, folder/NN_before.html without what a key shows
"""

import html
import json
import shutil
from itertools import groupby
from pathlib import Path

from pygments.formatters import HtmlFormatter

from course_widgets import style
from tools import notebooks
from tools.slides import reading, sizes
from tools.slides.splitting import split

ASSETS = Path(__file__).resolve().parent / "assets"
REVEAL = {
    "width": sizes.SLIDE_WIDTH,
    "height": sizes.SLIDE_HEIGHT,
    "margin": 0,
    "center": False,
    "hash": True,
    "transition": "none",
    "backgroundTransition": "none",
    "slideNumber": "c/t",
    "controls": False,
    "pdfSeparateFragments": False,
}
MATHJAX = {
    "loader": {"load": ["input/tex", "output/svg", "a11y/assistive-mml"]},
    "tex": {
        "inlineMath": [["$", "$"]],
        "displayMath": [["$$", "$$"]],
        "packages": {"[-]": ["noundefined", "autoload", "require"]},
    },
    "svg": {"fontCache": "local", "scale": 0.95},
    "options": {"skipHtmlTags": ["script", "noscript", "style", "textarea", "pre", "code"]},
    "startup": {"typeset": False},
}
SLIDES_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="assets/reveal/reveal.css">
<link rel="stylesheet" href="assets/theme.css">
<style>
:root {{ {variables} }}
{code}
</style>
</head>
<body>
<main><div class="reveal"><div class="slides">
{slides}
</div></div></main>
<script>const REVEAL = {reveal}; window.MathJax = {mathjax};</script>
<script src="assets/mathjax/startup.js"></script>
<script src="assets/reveal/reveal.js"></script>
<script src="assets/reveal/notes.js"></script>
<script src="assets/deck.js"></script>
</body>
</html>
"""


def name(path):
    """What the slides of the notebook at `path` are called: a lecture's number, or a notebook's name."""
    number = Path(path).stem.partition("_")[0]
    return number if number.isdigit() else Path(path).stem


def write(path, folder, before=False):
    """Writes the slides of the notebook at `path`, with its stored results; returns the page's path.

    The figures are in the page; program, formulas' letters and theme lie once in folder/assets.
    """
    path, folder = Path(path), Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copytree(ASSETS, folder / "assets", dirs_exist_ok=True)
    target = folder / f"{name(path)}{'_before' if before else ''}.html"
    target.write_text(page(notebooks.whole(path), path.parent, before), encoding="utf-8")
    return target


def page(notebook, folder=None, before=False):
    """The HTML of a notebook's slides; of what can be read before class alone, if asked for."""
    slides = reading.slides(notebook, folder)
    title = next((cell.source.splitlines()[0].lstrip("# ") for cell in notebook.cells if cell.source), "Slides")
    return SLIDES_PAGE.format(
        title=html.escape(title),
        variables=variables(),
        code=HtmlFormatter(style="default").get_style_defs(".highlight"),
        slides="\n".join(stacks(reading.before_class(slides) if before else slides)),
        reveal=json.dumps(REVEAL),
        mathjax=json.dumps(MATHJAX),
    )


def variables():
    """What theme.css takes from the course's colours and from the sizes that splitting reckons with."""
    named = {
        "blue": style.BLUE,
        "vermilion": style.VERMILION,
        "grey": style.GREY,
        "side": f"{sizes.SIDE_MARGIN}px",
        "top": f"{sizes.TOP_MARGIN}px",
        "bottom": f"{sizes.BOTTOM}px",
        "gap": f"{sizes.BLOCK_GAP}px",
        "continued": f"{sizes.CONTINUED}px",
        "text": f"{sizes.TEXT_FONT}px",
        "line": str(sizes.LINE_HEIGHT),
        "table": f"{sizes.TABLE_FONT}px",
        "code-line": str(sizes.CODE_LINE),
        "code-padding": f"{sizes.CODE_PADDING}px",
        **{tag: f"{size}px" for tag, size in sizes.HEADING_FONTS.items()},
    }
    return " ".join(f"--{key}: {value};" for key, value in named.items())


def stacks(slides):
    """HTML of the sections of the talk; what is too long for one slide continues below it."""
    columns = []
    for slide in filter(lambda one: one.blocks, slides):
        if slide.begins or not columns:
            columns.append([])
        columns[-1].append(slide)
    for column in columns:
        said = [note for slide in column for note in slide.notes]
        minutes = next((slide.minutes for slide in column if slide.minutes), "")
        notes = aside(said, minutes)
        pages = [
            section(blocks, slide.heading if below or k else "", notes)
            for below, slide in enumerate(column)
            for k, blocks in enumerate(split(slide.blocks, continued=below > 0))
        ]
        yield pages[0] if len(pages) == 1 else "<section>\n" + "\n".join(pages) + "\n</section>"


def aside(said, minutes):
    """What only the speaker sees, on each slide of a section."""
    planned = [f"<p><b>{minutes} min</b> for this section.</p>"] if minutes else []
    return f'<aside class="notes">{"".join(planned + said)}</aside>' if planned or said else ""


def section(blocks, continued, notes):
    """HTML of one slide; `continued` is the heading that it continues with, if it has none of its own."""
    own_heading = blocks[0].kind == "heading" and blocks[0].html.startswith(("<h1", "<h2"))
    above = html.escape(continued) + of_code(blocks[0].shows, continued)
    head = f'<h2 class="continued">{above}</h2>' if above and not own_heading else ""
    folded = ' data-folded=""' if all(block.fold for block in blocks) else ""
    return f'<section{folded}><div class="page">{head}{contents(blocks)}</div>{notes}</section>'


def of_code(line, continued):
    """What a slide that begins with a result adds to its first line: which code, on a slide before, it is of."""
    said = f"{' · ' if continued else ''}result of "
    fitting = int((sizes.LINE_ROOM - sizes.text_width(continued + said, 19)) / (sizes.MONO * sizes.CODE_FONT)) - 1
    cut = f"{line[: fitting - 1]}…" if len(line) > fitting else line
    return f"{said}<code>{html.escape(cut, quote=False)}</code>" if line and fitting > 1 else ""


def contents(blocks):
    """HTML of the blocks of one slide. What would appear on a key is there at once where nothing stands before it."""
    first = blocks[0].step
    made = []
    for (holder, step), group in groupby(
        blocks, key=lambda block: (id(block.holder) if block.holder else None, block.step)
    ):
        together = list(group)
        later = f' data-fragment-index="{step}"' if step and step != first else ""
        pieces = [held(together)] if holder else [block.html for block in together]
        made += [div(block, piece, later) for block, piece in zip(together, pieces, strict=False)]
    return "\n".join(made)


def held(blocks):
    holder = blocks[0].holder
    return holder.opening + "".join(block.html for block in blocks) + holder.closing


def div(block, piece, later):
    kind = f"block {block.kind}" + (" fragment" if later else "")
    size = f' style="height:{block.height:.0f}px;min-height:{block.smallest:.0f}px"' if block.kind == "picture" else ""
    return f'<div class="{kind}"{later}{size}>{piece}</div>'
