"""What the pages' search looks in: the words of each section, and how often they stand there."""

import re
from collections import Counter

from bs4 import BeautifulSoup

WORD = re.compile(r"[^\W\d_][^\W_]+")
CODE_BLOCK = re.compile(r"<pre.*?</pre>", re.DOTALL)
OTHER_ENTRY_WEIGHT = 0.5  # how much an entry counts that is not of a lecture
SKIPPED_ELEMENTS = "svg, script, style, .result"  # drawings, and what is only for who has predicted


def entries(name, title, parts):
    """[{page, title, at, weight, words: {word: how often}}] of a page: one for each section with a name, or for all.

    parts : the HTML of its sections
    """
    found, weight = [], 1 if name.isdigit() else OTHER_ENTRY_WEIGHT
    for part in parts:
        tree = BeautifulSoup(CODE_BLOCK.sub("", part), "html.parser")
        section, heading = tree.find("section", id=True), tree.find(["h1", "h2"])
        for silent in tree.select(SKIPPED_ELEMENTS):
            silent.decompose()
        at = f"{name}.html" + (f"#{section['id']}" if section else "")
        words = Counter(WORD.findall(tree.get_text(" ").lower()))
        if words:
            found.append(
                {
                    "page": title,
                    "title": heading.get_text() if heading else title,
                    "at": at,
                    "weight": weight,
                    "words": words,
                }
            )
    return found
