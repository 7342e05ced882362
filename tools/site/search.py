"""What the pages' search looks in: the text of each section."""

import re

from bs4 import BeautifulSoup

CODE_BLOCK = re.compile(r"<pre.*?</pre>", re.DOTALL)
OTHER_ENTRY_WEIGHT = 0.5  # how much an entry counts that is not of a lecture
SKIPPED_ELEMENTS = "svg, script, style, .result"  # drawings, and what is only for who has predicted
SPACE_TOO_MUCH = re.compile(r"(?<=[(\[]) | (?=[,.;:?!)\]])")  # round a link in brackets, before a sign
FOLDS = "details:not(.home)"  # found, but not shown among the hits: they answer what is asked beside them


def tree(part):
    """A part of a page without its listings."""
    return BeautifulSoup(CODE_BLOCK.sub("", part), "html.parser")


def entries(name, title, trees):
    """[{page, title, at, weight, text, folded}] of a page: one for each section with a name, or for all.

    trees : of its sections, from which what is skipped is taken
    """
    found, weight = [], 1 if name.isdigit() else OTHER_ENTRY_WEIGHT
    for one in trees:
        section, heading = one.find("section", id=True), one.find(["h1", "h2"])
        taken_out(one, SKIPPED_ELEMENTS)
        entry = {
            "page": title,
            "title": heading.extract().get_text() if heading else title,
            "at": f"{name}.html" + (f"#{section['id']}" if section else ""),
            "weight": weight,
            "folded": taken_out(one, FOLDS),
            "text": words(one),
        }
        found.append(entry)
    return [entry for entry in found if entry["text"] or entry["folded"]]


def taken_out(tree, selector):
    """The text of all that a selector finds, which the tree no longer has."""
    said = []
    for node in tree.select(selector):
        if not node.decomposed:  # with what it lay in
            said.append(words(node))
            node.decompose()
    return " ".join(said)


def words(tree):
    return SPACE_TOO_MUCH.sub("", " ".join(tree.get_text(" ").split()))
