"""Where the course is published, as `[tool.course]` in pyproject.toml says, and what pages link to because of it.

A workflow's environment goes before pyproject.toml. What is not set is not linked. The students' bundle lies beside
the pages, so anybody can download the course.
"""

import html
import os
import tomllib
from pathlib import Path

from tools.homework import bundle
from tools.notebooks import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
ENVIRONMENT = {"repository": "GITHUB_REPOSITORY", "students": "STUDENTS_REPOSITORY", "address": "SITE_ADDRESS"}
PUBLISHED = {key: os.environ.get(name) or PROJECT["tool"]["course"][key] for key, name in ENVIRONMENT.items()}
HOST = "https://github.com"
BINDER = "https://mybinder.org/v2/gh/{repository}/main?urlpath=lab/tree/{path}"
START = Path("lectures/00_start_here.ipynb")
CHECKS = (
    "The checks of your computer run only in the notebook <code>{path}</code>: {download}, then <code>make lab</code> "
    "in its folder."
)
RUN = {
    "lectures": "Everything here was computed by the notebook <code>{path}</code>. To run and change it: {download}, "
    "then <code>make lab</code> in its folder.",
    "exercises": "To solve it, open the notebook <code>{path}</code>: {download}, then <code>make lab</code> in its "
    "folder. It checks each answer and says what went wrong.",
}


def write_bundle(folder):
    """Packs the students' bundle, the file of a release, into the folder of the pages."""
    bundle.pack(bundle.bundle(ROOT), folder / bundle.ZIP.name)


def download(words):
    """HTML of the link to the students' bundle."""
    return f'<a href="{bundle.ZIP.name}" download>{words}</a>'


def binder(words, path):
    """HTML of a link that opens a notebook on Binder; "" where the students' repository is not known."""
    students = PUBLISHED["students"]
    return f'<a href="{BINDER.format(repository=students, path=path)}">{words}</a>' if students else ""


def repository(words, path=""):
    """HTML of a link to the repository, or to a path in it; "" where it is not known."""
    known = PUBLISHED["repository"]
    return f'<a href="{HOST}/{known}{path}">{words}</a>' if known else ""


def links():
    """HTML of the links that every page has: to the bundle, to Binder, and to the repository."""
    known = [download("Download the course (zip)"), binder("Run it on Binder", START), repository("Repository")]
    return " · ".join(filter(None, known))


def how_to_run(path):
    """HTML that says how to run a notebook, by its path from the root; "" for a text."""
    if path.parts[0] not in RUN:
        return ""
    words = CHECKS if path == START else RUN[path.parts[0]]
    said = words.format(path=path, download=download("download the course"))
    online = binder("run it on Binder", path)
    return said + (f" Or {online}, without an installation; nothing is kept there." if online else "")


def source(path):
    """HTML that names the file that a page shows, and leads to where it is edited, if that is known."""
    if path is None:
        return ""
    file = path.relative_to(ROOT)
    named = f"<code>{file}</code>"
    return f" · {repository(f'Edit {named}', f'/edit/main/{file}') or named}"


def address(name):
    """Where a file of the pages is once they are published; its name alone where that is not known."""
    known = PUBLISHED["address"]
    return html.escape(f"{known.rstrip('/')}/{name}" if known else name)
