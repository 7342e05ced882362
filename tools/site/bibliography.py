"""The works that lectures cite, as a page: what references.bib says of each, in its order."""

import html
import re

ENTRY = re.compile(r"^@\w+\{([^,]+),(.*?)^\}", re.MULTILINE | re.DOTALL)
FIELD = re.compile(r"^\s*(\w+)\s*=\s*\{(.*?)\},?\s*$(?=\s*(?:\w+\s*=|\Z))", re.MULTILINE | re.DOTALL)
PLACE_FIELDS = ("journal", "booktitle", "publisher", "school", "institution", "howpublished")


def works(text):
    """key → fields of each entry of a BibTeX file."""
    return {
        key: {name.lower(): plain(value) for name, value in FIELD.findall(body)} for key, body in ENTRY.findall(text)
    }


def plain(value):
    """A value without BibTeX's braces and accents."""
    value = re.sub(r"\\[\"'`^~cvH=.]\{?(\w)\}?", r"\1", value)
    return " ".join(value.replace("{", "").replace("}", "").replace("--", "–").replace("~", " ").split())


def page(text):
    """HTML of all works, each with its key as its address."""
    rows = "\n".join(f'<dt id="{key}">[{key}]</dt><dd>{line(found)}</dd>' for key, found in works(text).items())
    return f"<h1>References</h1>\n<dl>{rows}</dl>"


def line(work):
    """One work in a line."""
    authors = " and ".join(re.split(r"\s+and\s+", work.get("author", work.get("editor", ""))))
    parts = [
        authors,
        work.get("title", ""),
        *(work[place] for place in PLACE_FIELDS if place in work),
        work.get("year", ""),
    ]
    said = html.escape(" ".join(f"{part.rstrip('.')}." for part in parts if part))
    address = f"https://doi.org/{work['doi']}" if "doi" in work else work.get("url")
    return f'{said} <a href="{html.escape(address)}">{html.escape(address)}</a>' if address else said
