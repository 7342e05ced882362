"""Lectures as pages for any browser, from what is committed: nothing is run, and what is folded stays folded.

python -m tools.pages [NOTEBOOK …]      all of lectures/ if none is named; written to dist/html/NN.html

A page needs no network. Speaker notes are left out, and of a quiz what its answers are worth.
"""

import argparse
import html
import json
import shutil
import sys
from pathlib import Path

import nbformat
from bs4 import BeautifulSoup
from nbconvert import HTMLExporter
from nbformat.v4 import new_markdown_cell
from pygments.formatters import HtmlFormatter

from tools.notebooks import ROOT, lectures
from tools.slides import reading
from tools.slides.page import ASSETS, MATHJAX, name

FOLDER = ROOT / "dist" / "html"
CELLS = """{% extends 'basic/index.html.j2' %}
{% block in_prompt %}{% endblock %}{% block output_prompt %}{% endblock %}{% block output_area_prompt %}{% endblock %}
{% block input %}
{%- if cell.metadata.get('jupyter', {}).get('source_hidden') -%}
<details><summary>The code:</summary>{{ super() }}</details>{% else %}{{ super() }}{% endif %}{% endblock %}
{% block output_group %}
{%- if cell.metadata.get('jupyter', {}).get('outputs_hidden') -%}
<details><summary>What came out:</summary>{{ super() }}</details>{% else %}{{ super() }}{% endif %}{% endblock %}
"""
PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<link rel="icon" href="data:,">
<style>
body {{ font: 17px/1.5 sans-serif; max-width: 54rem; margin: 2rem auto; padding: 0 1rem; }}
pre {{ overflow-x: auto; padding: .5rem; background: #f6f8fa; font-size: 14px; line-height: 1.4; }}
img, audio {{ max-width: 100%; }}
table {{ display: block; overflow-x: auto; border-collapse: collapse; }}
th, td {{ border: 1px solid #cccccc; padding: .2rem .6rem; }}
details {{ margin: .7rem 0; }}
summary {{ cursor: pointer; }}
{code}
</style>
</head>
<body><main>
{cells}
</main>
<script>window.MathJax = {mathjax};</script>
<script src="assets/mathjax/startup.js"></script>
</body>
</html>
"""


def write(path, folder):
    """Writes the page of the notebook at `path`, and beside it the program that sets formulas; returns its path."""
    path, target = Path(path), Path(folder) / f"{name(path)}.html"
    shutil.copytree(ASSETS / "mathjax", target.parent / "assets" / "mathjax", dirs_exist_ok=True)
    target.write_text(page(nbformat.read(path, as_version=4), path.parent), encoding="utf-8")
    return target


def page(notebook, folder=None):
    """The HTML of a notebook; pictures that are files are looked for in `folder`."""
    book = nbformat.from_dict({**notebook, "cells": list(readable(notebook.cells))})
    cells, _ = HTMLExporter(raw_template=CELLS, exclude_anchor_links=True).from_notebook_node(book)
    tree = reading.mended(BeautifulSoup(cells, "html.parser"))
    for image in tree.find_all("img"):
        image["src"] = reading.inside(image["src"], folder)
    return PAGE.format(
        title=html.escape(book.cells[0].source.splitlines()[0].lstrip("# ")),
        code=HtmlFormatter(style="default").get_style_defs(".highlight"),
        cells=tree,
        mathjax=json.dumps({**MATHJAX, "startup": {}}),
    )


def readable(cells):
    """The cells without what is only for the speaker; of a quiz, which a page cannot run, question and answers."""
    for cell in cells:
        asking = [one for one in cell.get("outputs", []) if reading.is_quiz(one)]
        if asking:
            yield new_markdown_cell("\n\n".join(question(one) for one in asking))
        elif reading.slide_type(cell) != "notes":
            yield cell


def question(output):
    tree = BeautifulSoup(output["data"]["text/html"], "html.parser")
    answers = "".join(f"<li>{one.decode_contents()}</li>" for one in tree.find_all("summary"))
    return f"<p><b>{tree.b.decode_contents()}</b></p><ul>{answers}</ul><p><i>The quiz runs in the notebook.</i></p>"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("notebooks", nargs="*", type=Path)
    for path in [one.resolve() for one in parser.parse_args().notebooks] or lectures():
        made = write(path, FOLDER)
        print(f"{made.relative_to(ROOT)}: {made.stat().st_size / 1e6:.1f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
