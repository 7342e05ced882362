"""What a page says of itself where it is not open yet: in a list of hits, or in a message that has its link."""

import html
import re

SENTENCE_END = re.compile(r"(?<=[.?!])\s+(?=[A-Z“\"])")
SHORTEST = 30  # letters; shorter ones are labels
THEME = (
    'document.documentElement.dataset.theme = localStorage.getItem("theme") ?? '
    '(matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");'
)
TEMPLATE = """<title>{title}</title>
<meta name="description" content="{about}">
<meta property="og:type" content="website">
<meta property="og:title" content="{title}">
<meta property="og:description" content="{about}">
<meta property="og:image" content="{picture}">"""


def head(title, about, picture):
    """The title, the description and the picture of a preview as HTML."""
    return TEMPLATE.format(title=html.escape(title), about=html.escape(about), picture=html.escape(picture))


def first_sentence(trees):
    """The first sentence of a page that says something, by the trees of its parts; "" if there is none."""
    texts = (" ".join(one.get_text().split()) for tree in trees for one in tree.find_all("p"))
    sentences = (SENTENCE_END.split(text, maxsplit=1)[0] for text in texts)
    return next((one for one in sentences if len(one) >= SHORTEST and one.endswith((".", "?", "!"))), "")


def first_picture(trees):
    """The address of the first picture that no fold hides; None if there is none."""
    pictures = (image for tree in trees for image in tree.find_all("img", src=re.compile(r"\.(png|jpg|gif)$")))
    return next((one["src"] for one in pictures if not one.find_parent("details")), None)
