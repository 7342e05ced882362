"""A lecture's notebook as slides: what of it is shown, in which order, and what appears only on a key.

for slide in slides(notebook): slide.blocks, slide.notes, slide.heading
"""

import base64
import html
import mimetypes
import re
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path

from bs4 import BeautifulSoup, NavigableString
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from course_lessons import asked
from course_widgets.frame import prose
from tools.slides import sizes
from tools.slides.splitting import Block, Holder

MINUTES = re.compile(r"\s*\((\d+) min\)\s*$")
NOT_IN_CLASS = re.compile(r"⌂|\bAt home\b")
NOTEBOOK = re.compile(r"^(?:\./)?(\d\d)_\w+\.ipynb(#.*)?$")
SENTENCE_ENDS = re.compile(r"[.!?…][)”\"’*]*\s*$")
UNTRIED = "○ Nothing to check yet"  # what a check says in a committed lecture, before anybody has written anything
QUIZ = "Quiz: "  # and the question, is what a quiz is as plain text
HEADING_TAGS = ("h1", "h2", "h3", "h4")


@dataclass
class Slide:
    """What the notebook has on one slide, however long; `begins` a section, or continues below the slide before."""

    heading: str = ""
    begins: bool = True
    blocks: list = field(default_factory=list)
    notes: list = field(default_factory=list)
    minutes: str = ""


def slide_type(cell):
    return cell.metadata.get("slideshow", {}).get("slide_type", "-")


def section_of(cell):
    """The text of the `## ` heading in a cell, or None."""
    found = re.search(r"^## (.+)$", cell.source, flags=re.MULTILINE) if cell.cell_type == "markdown" else None
    return found.group(1).strip() if found else None


def in_class(cells):
    """The cells that are shown, each with the `## ` heading that it stands under."""
    heading = ""
    for cell in cells:
        heading = section_of(cell) or heading
        aside = NOT_IN_CLASS.search(heading) or cell.source.lstrip("#> *").startswith("⌂")
        if not aside and slide_type(cell) != "skip":
            yield cell, heading


def slides(notebook, folder=None):
    """The notebook's slides in order; pictures that are files are looked for in `folder`."""
    found, steps = [], count(1)
    for number, (cell, heading) in enumerate(in_class(notebook.cells)):
        kind, minutes = slide_type(cell), MINUTES.search(heading)
        if kind == "notes":
            (found or [Slide()])[-1].notes.append(notes(cell.source, folder))
            continue
        new_section = section_of(cell) is not None
        if not found or new_section or kind in ("slide", "subslide"):
            begins = not found or new_section or kind == "slide"
            found.append(Slide(MINUTES.sub("", heading), begins, minutes=minutes.group(1) if minutes else ""))
        found[-1].blocks += [replace(block, cell=number) for block in blocks_of(cell, steps, folder)]
    return found


def before_class(found):
    """Slides without what a key shows: results to be predicted, explanations, proofs, answers; and without notes."""
    return [
        replace(s, notes=[], minutes="", blocks=[unanswered(one) for one in s.blocks if not one.step]) for s in found
    ]


def unanswered(block):
    """A block without what appears later within it."""
    if 'class="fragment"' not in block.html:
        return block
    tree = BeautifulSoup(block.html, "html.parser")
    for later in tree.select(".fragment"):
        later.decompose()
    return replace(block, html=str(tree))


def blocks_of(cell, steps, folder=None):
    """The blocks of one cell."""
    made = markdown_blocks(cell.source, steps, folder) if cell.cell_type == "markdown" else code_blocks(cell, steps)
    if slide_type(cell) == "fragment":
        step = next(steps)
        made = [replace(block, step=block.step or step) for block in made]
    return made


# --- markdown


def beside(address):
    """Where a link between lectures leads from slides: to slides."""
    other = NOTEBOOK.match(address)
    return f"{other.group(1)}.html" if other else None


def parsed(markdown, folder=None, leads=beside):
    """A markdown text as a tree of HTML whose links and pictures work beside the page; `leads` as for `mended`."""
    renderer = IPythonRenderer(escape=False, exclude_anchor_links=True)
    tree = BeautifulSoup(MarkdownWithMath(renderer=renderer).render(markdown), "html.parser")
    for image in tree.find_all("img"):
        image["src"] = inside(image["src"], folder)
    return mended(tree, leads)


def inside(source, folder):
    """A picture's address that needs no file beside the page."""
    if folder is None or re.match(r"data:|https?:", source):
        return source
    kind = mimetypes.guess_type(source)[0]
    return f"data:{kind};base64,{base64.b64encode((Path(folder) / source).read_bytes()).decode()}"


def mended(tree, leads=beside):
    """Links to files lead where the function `leads` says; those that it sends nowhere (None) are only text."""
    for link in tree.find_all("a", href=re.compile(r"^(?!https?:|#|mailto:)")):
        goal = leads(link["href"])
        if goal:
            link["href"] = goal
        else:
            link.unwrap()
    for style in tree.find_all("style"):
        style.decompose()
    for table in tree.find_all("table"):
        del table["border"]
    for heading in tree.find_all("h2"):
        if heading.string:
            heading.string = MINUTES.sub("", heading.string)
        else:
            last = heading.contents[-1]
            last.replace_with(MINUTES.sub("", str(last))) if isinstance(last, NavigableString) else None
    return tree


def notes(markdown, folder=None):
    """HTML of a cell for the teacher, unfolded."""
    tree = parsed(markdown, folder)
    for summary in tree.find_all("summary"):
        summary.decompose()
    for fold in tree.find_all("details"):
        fold.unwrap()
    return str(tree).strip()


def markdown_blocks(markdown, steps, folder=None):
    """Blocks of a markdown text; what it folds appears on a key."""
    return kept_together(tree_blocks(parsed(markdown, folder), steps))


def tree_blocks(tree, steps, fold=0, step=0):
    """Blocks of the children of a tree."""
    found = []
    for node in tree.children:
        if isinstance(node, NavigableString):
            found += loose_text(str(node))
        elif node.name == "details":
            found += folded(node, steps)
        else:
            found += element_blocks(node)
    return [replace(block, fold=block.fold or fold, step=block.step or step) for block in found]


def loose_text(text):
    """A formula that stands alone, as the renderer leaves it, or a text outside of any element."""
    if not text.strip():
        return []
    return (
        [formula(text)]
        if text.strip().startswith("$$")
        else [paragraph(f"<p>{html.escape(text, quote=False)}</p>", text)]
    )


def folded(node, steps):
    """A folded text: its title and its blocks, which one key shows."""
    title = node.summary.extract() if node.summary else None
    number = step = next(steps)
    inside = tree_blocks(node, steps, number, step)
    if title is None:
        return inside
    text = f'<p class="fold">{title.decode_contents()}</p>'
    return [Block(text, sizes.text_height(title.get_text()), fold=number, step=step, keep=True), *inside]


def element_blocks(node):
    """Blocks of one element."""
    if node.name in HEADING_TAGS:
        size = sizes.HEADING_FONTS[node.name]
        rows = sizes.lines(node.get_text(), size=1.08 * size)
        return [Block(str(node), rows * size * 1.2, keep=True, kind="heading")]
    if node.name in ("ul", "ol"):
        return list_blocks(node)
    if node.name == "table":
        return table_blocks(node)
    if node.name == "pre" or node.find("pre"):
        return [printed(node.get_text())]
    if node.find("img") or node.name == "img":
        return picture_blocks(node)
    text = node.get_text()
    if node.name == "p" and re.fullmatch(r"\s*\$\$.*\$\$\s*", text, flags=re.DOTALL):
        return [formula(text)]
    return [paragraph(str(node), text)]


def paragraph(markup, text):
    return Block(markup, sizes.text_height(text), keep=not SENTENCE_ENDS.search(text))


def formula(tex):
    return Block(f'<div class="formula">{html.escape(tex.strip(), quote=False)}</div>', sizes.formula_height(tex))


def list_blocks(node):
    """A list, which may be cut between its items."""
    items, width = node.find_all("li", recursive=False), sizes.LINE_ROOM - 44
    start = int(node.get("start", 1))
    for number, item in enumerate(items, start):
        if node.name == "ol":
            item["value"] = str(number)
    holder = Holder(f"<{node.name}>", f"</{node.name}>")
    return [Block(str(item), item_height(item, width) + 7, holder=holder) for item in items]


def item_height(item, width):
    """Height of an item with what stands in it: texts, formulas, and lists of its own."""
    inner = item.find_all(["ul", "ol", "p", "pre", "details"], recursive=False)
    own = "".join(
        child.get_text() if not isinstance(child, NavigableString) else str(child)
        for child in item.children
        if child not in inner
    )
    below = sum(
        sizes.text_height(child.get_text(), width - 40)
        if child.name not in ("ul", "ol")
        else sum(item_height(one, width - 40) for one in child.find_all("li", recursive=False))
        for child in inner
    )
    return (sizes.text_height(own, width) if own.strip() else 0) + below


def table_blocks(node):
    """A table, which may be cut between its rows; its head stands above each part."""
    rows = node.find_all("tr")
    head = [row for row in rows if row.find_parent("thead") or not row.find("td")]
    for cell in node.find_all(["td", "th"]):
        if sizes.is_short(cell.get_text()):
            cell["class"] = "short"
    texts = [[cell.get_text() for cell in row.find_all(["td", "th"])] for row in rows]
    widths = sizes.columns(texts)
    tall = {id(row): sizes.row_height(text, widths) for row, text in zip(rows, texts, strict=True)}
    opening = f"<table><thead>{''.join(map(str, head))}</thead><tbody>"
    holder = Holder(opening, "</tbody></table>", sum(tall[id(row)] for row in head))
    return [Block(str(row), tall[id(row)], holder=holder, kind="row") for row in rows if row not in head]


def picture_blocks(node):
    """Pictures in an element, and what is written under them."""
    found = []
    for image in [node] if node.name == "img" else node.find_all("img"):
        high, least = sizes.picture_heights(sizes.picture_size(image["src"], image.get("width")))
        image.attrs = {"src": image["src"], "alt": image.get("alt", "")}
        below = image.find_parent("figure").figcaption if image.find_parent("figure") else None
        found.append(Block(str(image), high, least, keep=below is not None, kind="picture"))
        if below is not None:
            caption = f'<p class="caption">{below.decode_contents()}</p>'
            found.append(Block(caption, sizes.text_height(below.get_text(), size=sizes.TABLE_FONT), kind="caption"))
    return found


def kept_together(made):
    """A text that leads on to a formula, a list or a table stays with it; other texts need not."""
    following = [*made[1:], None]
    leads = [
        block.keep and after is not None and (block.kind == "heading" or block.fold == after.fold)
        for block, after in zip(made, following, strict=True)
    ]
    return [replace(block, keep=keep) for block, keep in zip(made, leads, strict=True)]


# --- code, and what it shows


def code_blocks(cell, steps):
    """The code, unless it is hidden or only asks a question, and its results, on a key if they are to be predicted."""
    results = [block for output in cell.get("outputs", []) for block in output_blocks(output, steps)]
    asks = any(is_quiz(output) for output in cell.get("outputs", []))
    hidden = cell.metadata.get("jupyter", {})
    if hidden.get("outputs_hidden"):
        results = appearing(results, steps)
    results = [replace(block, part="result") for block in results]
    shown = [] if hidden.get("source_hidden") or asks or not cell.source.strip() else [listing(cell.source)]
    first, more, _ = cell.source.strip().partition("\n")
    return shown + [replace(block, shows=first + " …" * bool(more) if shown else "") for block in results]


def appearing(blocks, steps):
    """Blocks that appear on a key; each picture with its caption on a key of its own."""
    found, step = [], next(steps)
    for k, block in enumerate(blocks):
        step = next(steps) if k and block.kind == "picture" else step
        found.append(replace(block, step=step))
    return found


def listing(source):
    """A block of highlighted code, each line by itself, so that the rest of a wrapped one can be indented."""
    source = source.strip("\n")
    marked = highlight(source, PythonLexer(stripnl=False), HtmlFormatter(nowrap=True)).rstrip("\n")
    lines = [
        f'<span class="line" style="--indent:{sizes.indent(line)}ch">{one}\n</span>'
        for line, one in zip(source.split("\n"), marked.split("\n"), strict=True)
    ]
    return Block(
        preformatted("".join(lines), sizes.CODE_FONT, "code highlight"), sizes.code_height(source), kind="code"
    )


def printed(text):
    """A block of what was printed."""
    text = text.strip("\n")
    markup = preformatted(html.escape(text, quote=False), sizes.print_size(text), "printed")
    return Block(markup, sizes.print_height(text), kind="printed")


def preformatted(markup, size, kind):
    return f'<pre class="{kind}" style="font-size:{size:g}px"><code>{markup}</code></pre>'


def is_quiz(output):
    return output.get("data", {}).get("text/plain", "").startswith(QUIZ)


def output_blocks(output, steps):
    """Blocks of one output of a cell, in the form that says most."""
    data = output.get("data", {})
    if "text" in output:
        return [] if output.text.startswith(UNTRIED) else [printed(output.text)]
    if is_quiz(output):
        return quiz_blocks(asked(data["text/plain"].removeprefix(QUIZ)), next(steps))
    if "text/markdown" in data:
        return markdown_blocks(data["text/markdown"], steps)
    if "text/latex" in data and "text/html" in data:
        return [listing(data["text/plain"])]
    if "text/html" in data:
        return html_blocks(mended(BeautifulSoup(data["text/html"], "html.parser")))
    return [printed(data.get("text/plain", ""))]


def quiz_blocks(texts, step):
    """A question with its answers; what each is worth appears on a key."""
    question = f"<p><b>{prose(texts['question'])}</b></p>"
    answers = [(html.escape(answer), prose(reply)) for answer, reply in texts["answers"].items()]
    holder, width = Holder('<ol class="quiz">', "</ol>"), sizes.LINE_ROOM - 44
    items = [
        Block(
            f'<li>{answer}<br><span class="fragment" data-fragment-index="{step}">{worth}</span></li>',
            sizes.text_height(answer, width) + sizes.text_height(worth, width) + 7,
            holder=holder,
        )
        for answer, worth in answers
    ]
    return [Block(question, sizes.text_height(question), keep=True), *items]


def html_blocks(tree):
    """Pictures, sounds, tables or a text, as an output has them."""
    found = []
    for node in tree.children:
        if isinstance(node, NavigableString):
            found += loose_text(str(node))
        elif node.name == "audio" or node.find("audio"):
            found += [Block(str(node), sizes.PLAYER_HEIGHT * max(1, len(node.find_all("audio"))), kind="sound")]
        elif node.name != "table" and node.find("table"):
            found += [block for table in node.find_all("table") for block in table_blocks(table)]
        elif node.name == "div":
            found += html_blocks(node)
        else:
            found += element_blocks(node)
    return found
