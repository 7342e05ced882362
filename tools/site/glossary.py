"""The glossary of lecture 00: in each lecture, the first use of a term leads to its line.

A term is linked from the lecture on in which the glossary says it comes first: before, the word is an everyday one.
"""

import html
import re

from bs4 import BeautifulSoup

TERM_ROW = re.compile(r"^\| (?!term )([^|]+) \| (.+) \| (\d\d) \|$", re.MULTILINE)
SKIPPED_ELEMENTS = {"a", "code", "pre", "h1", "h2", "h3", "h4", "summary", "details", "th"}


class Glossary:
    """rows : [(words of a term, first lecture)].

    source : the markdown of the glossary's table
    """

    def __init__(self, source):
        self.rows = [(tuple(terms.split(", ")), number) for terms, _, number in TERM_ROW.findall(source)]

    def anchored(self, page):
        """HTML of the glossary, each of its terms with an address."""
        tree = BeautifulSoup(page, "html.parser")
        lines = {line.td.get_text(): line for line in tree.find_all("tr") if line.td}
        for words, _ in self.rows:
            lines[", ".join(words)]["id"] = address(words)
        return str(tree)

    def terms(self, lecture):
        """{word: address} of what the reader of a lecture may know; `link` takes out what it has linked."""
        return {word: address(words) for words, first in self.rows if first <= lecture for word in words}


def link(tree, left):
    """Links the first use of each term that is left, in a tree of a lecture's text."""
    for text in tree.find_all(string=True):
        if left and text.strip() and not any(parent.name in SKIPPED_ELEMENTS for parent in text.parents):
            told = marked(str(text), left)
            if told is not None:
                text.replace_with(BeautifulSoup(told, "html.parser"))


def marked(text, left):
    """HTML of a text with its terms linked, which leave `left`; None if it has none."""
    any_term = "|".join(map(spelled, sorted(left, key=len, reverse=True)))
    end, made = 0, []
    for found in re.finditer(rf"\$[^$]*\$|(?<![\w-])({any_term})(?![\w-])", text):  # a formula is passed over whole
        word = next((term for term in left if re.fullmatch(spelled(term), found.group(1) or "")), None)
        if word:
            goal = left[word]
            for same in [term for term in left if left[term] == goal]:
                del left[same]
            shown = f'<a class="term" href="00.html#{goal}">{html.escape(found.group(), quote=False)}</a>'
            made += [html.escape(text[end : found.start()], quote=False), shown]
            end = found.end()
    return "".join([*made, html.escape(text[end:], quote=False)]) if made else None


def spelled(term):
    """Pattern of a term as it stands, at the beginning of a sentence, or as several."""
    first = f"[{term[0].upper()}{term[0]}]" if term[0].islower() else re.escape(term[0])
    return first + re.escape(term[1:]).replace(r"\ ", r"\s+") + ("s?" if term[-1].isalpha() else "")


def address(words):
    return "term-" + re.sub(r"[^a-z0-9]+", "-", words[0].lower()).strip("-")
