"""Shows what a student wrote in a page: as it was meant, and so that nothing of it runs or asks for anything.

Markdown becomes HTML by nbconvert, in which tags are text already; of the result only what is listed here is left.
"""

import base64
import binascii
import html
import re
import secrets

import bleach
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath

from tools.homework import formulas

TEXT_TAGS = {"p", "br", "hr", "em", "strong", "del", "code", "pre", "blockquote", "sup", "sub", "span"}
TEXT_TAGS |= {"div", "a", "img"}
LIST_TAGS = {"ul", "ol", "li", "dl", "dt", "dd"}
HEADING_TAGS = {"h1", "h2", "h3", "h4", "h5", "h6"}
TABLE_TAGS = {"table", "thead", "tbody", "tr", "th", "td"}
CLEANED = TEXT_TAGS | LIST_TAGS | HEADING_TAGS | TABLE_TAGS  # tags that bleach leaves; of formulas all are ours
ALLOWED_TAGS = CLEANED | formulas.MATHML_TAGS
PICTURES = ("image/png", "image/jpeg")
EMBEDDED = tuple(f"data:{kind};base64," for kind in PICTURES)
MAX_CHARACTERS = 100_000  # of a text that is rendered, or shown at all
LINK_STARTS = ("http://", "https://")


def markdown(source, attachments=None):
    """Markdown as HTML that is safe to show.

    Parameters
    ----------
    source : text that anybody may have written
    attachments : {name: {kind: data in base64}} of the cell

    Returns
    -------
    HTML without scripts, styles, forms and pictures from elsewhere; tags in the source are shown as text, formulas as
    MathML, if `formulas` knows what is in them.
    """
    if len(source) > MAX_CHARACTERS:
        return preformatted(f"{source[:MAX_CHARACTERS]}\n… the rest of {len(source)} characters is not shown")
    renderer = Renderer(escape=True, exclude_anchor_links=True, attachments=attachments or {})
    try:
        rendered = MarkdownWithMath(renderer=renderer).render(source)
    except RecursionError:  # of a text with thousands of levels
        return preformatted(source)
    cleaned = bleach.clean(rendered, tags=CLEANED, attributes=allowed, protocols=("http", "https", "data"))
    return renderer.with_formulas(cleaned)


def inline(source):
    """One paragraph of markdown as safe HTML, without a paragraph of its own."""
    return markdown(source).strip().removeprefix("<p>").removesuffix("</p>")


class Renderer(IPythonRenderer):
    """nbconvert's, which sets formulas, and to which an attachment that is not there is no reason to give up.

    While HTML is cleaned a mark that nobody can guess stands for each formula. Our MathML has no quotation mark, so it
    is text also where a student has put a formula into an attribute.
    """

    def __init__(self, **given):
        super().__init__(**given)
        self.mark, self.formulas = f"m{secrets.token_hex(16)}", []

    def with_formulas(self, cleaned):
        """HTML with the formulas in the place of their marks."""
        return re.sub(rf"{self.mark}x(\d+)x", lambda found: self.formulas[int(found[1])], cleaned)

    def set(self, tex, typed, block):
        """The mark of a formula; what was typed, if it is none that we know."""
        try:
            self.formulas.append(formulas.mathml(tex, block))
        except formulas.Unknown:
            return self.escape_html(typed)
        return f"{self.mark}x{len(self.formulas) - 1}x"

    def block_math(self, body):
        """A formula on a line of its own."""
        return self.set(body, f"$${body}$$", block=True)

    def inline_math(self, body):
        """A formula in a line; two prices are none: before a dollar that ends one there is no blank."""
        if body[0].isspace() != body[-1].isspace():
            return self.escape_html(f"${body}$")
        return self.set(body, f"${body}$", block=False)

    def latex_environment(self, name, body):
        """An environment, which is a formula on lines of its own."""
        typed = f"\\begin{{{name}}}{body}\\end{{{name}}}"
        return self.set(typed, typed, block=True)

    def _embed_image_or_attachment(self, src):
        kinds = self.attachments.get(src.removeprefix("attachment:"), {})
        return next((picture(kind, kinds[kind]) for kind in PICTURES if kind in kinds), src)


def allowed(tag, name, value):
    """Whether a tag may have this attribute: links to other pages, and pictures that are in the page."""
    if tag == "a":
        return name == "href" and value.startswith(LINK_STARTS)
    return tag == "img" and (name == "alt" or (name == "src" and value.startswith(EMBEDDED)))


def picture(kind, data):
    """The address of a picture that is in the page, or an empty one if the data are no base64."""
    text = "".join(data) if isinstance(data, list) else data
    try:
        raw = base64.b64decode("".join(text.split()), validate=True)
    except (binascii.Error, ValueError, AttributeError):
        return ""
    return f"data:{kind};base64,{base64.b64encode(raw).decode()}"


def preformatted(text):
    """Text as it is."""
    return f"<pre>{html.escape(text)}</pre>"


def cell(one):
    """A cell of a notebook: its text rendered, or its code as text with the text and pictures that it showed."""
    if one.cell_type == "markdown":
        return markdown(one.source, one.get("attachments"))
    return preformatted(one.source) + "".join(_output(output) for output in one.get("outputs", ()))


def _output(output):
    data = output.get("data", {})
    for kind in PICTURES:
        if address := picture(kind, data.get(kind)):
            return f'<img alt="an output" src="{address}">'
    return preformatted(_text(output.get("text", data.get("text/plain", ""))))


def _text(text):
    return "".join(text) if isinstance(text, list) else str(text)
