"""Pages that print: Markdown as HTML that needs no network, and PDF files of it where there is a Chromium.

Formulas are written with letters, ² and <sub>: nothing has to be fetched to show them.
"""

import re

import mistune

from tools import chromium

EXAM_STYLE = """
@page { size: A4; margin: 18mm 20mm; }
body { font: 11pt/1.4 Georgia, "DejaVu Serif", serif; max-width: 17cm; margin: 1em auto; color: #000; }
h1 { font-size: 17pt; } h2 { font-size: 13pt; margin-top: 2em; break-after: avoid; } h3 { break-after: avoid; }
table { border-collapse: collapse; margin: .7em 0; break-inside: avoid; font-size: 10pt; }
th, td { border: 1px solid #888; padding: .15em .6em; text-align: left; vertical-align: top; }
pre { border: 1px solid #888; padding: .5em; font: 9.5pt/1.35 "DejaVu Sans Mono", monospace; break-inside: avoid; }
code { font: 9.5pt "DejaVu Sans Mono", monospace; } header { color: #444; } p, li { orphans: 3; widows: 3; }
"""
EXAM_PAGE = """<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>{title}</title><style>{style}</style></head>
<body><header>{label} · name: ______________________________</header>
{body}</body>
</html>
"""


def page(text, label):
    """HTML page of a Markdown text; the label stands above it, with a place for a name."""
    title = re.search(r"^# (.*)$", text, flags=re.M).group(1)
    body = mistune.create_markdown(escape=False, plugins=["table"])(text)
    return EXAM_PAGE.format(title=title, style=EXAM_STYLE, label=label, body=body)


def pdfs(pages):
    """Prints HTML files to PDF beside them; returns the paths.

    Raises
    ------
    SystemExit
        If there is no Chromium.
    """
    written = [path.with_suffix(".pdf") for path in pages]
    with chromium.printer() as browser:
        tab = browser.new_page()
        for path, target in zip(pages, written, strict=True):
            tab.set_content(path.read_text(encoding="utf-8"))
            tab.pdf(path=target, format="A4", prefer_css_page_size=True)
    return written
