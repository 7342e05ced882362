"""What the pages' search looks in: the words of each section, and how often they stand there."""

import re
from collections import Counter

from bs4 import BeautifulSoup

WORD = re.compile(r"[^\W\d_][^\W_]+")
CODE = re.compile(r"<pre.*?</pre>", re.DOTALL)
SILENT = "svg, script, style, .result"  # drawings, and what is only for who has predicted


def entries(name, title, parts):
    """[{page, title, at, words: {word: how often}}] of a page: one for each section with a name, or for all of it.

    parts : the HTML of its sections
    """
    found = []
    for part in parts:
        tree = BeautifulSoup(CODE.sub("", part), "html.parser")
        section, heading = tree.find("section", id=True), tree.find(["h1", "h2"])
        for silent in tree.select(SILENT):
            silent.decompose()
        at = f"{name}.html" + (f"#{section['id']}" if section else "")
        words = Counter(WORD.findall(tree.get_text(" ").lower()))
        if words:
            found.append({"page": title, "title": heading.get_text() if heading else title, "at": at, "words": words})
    return found
