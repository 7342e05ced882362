"""Which page shows which file of the repository: links between files become links between pages.

Exams and marked examples have no page: pages are for everybody.
"""

import re
from functools import partial

from tools.notebooks import ROOT

PAGE_NAMES = (  # what a file's path looks like, and the name of its page
    (r"lectures/(\d\d)_\w+\.ipynb", r"\1"),
    (r"lectures/references\.bib", "references"),
    (r"exercises/(\d\d)_\w+/\1_\w+\.ipynb", r"homework-\1"),
    (r"teaching/README\.md", "teaching"),
    (r"teaching/(\d\d)_\w+\.md", r"teaching-\1"),
    (r"teaching/grading\.md", "grading"),
    (r"teaching/class_data\.md", "class-data"),
    (r"teaching/hosting/README\.md", "hosting"),
    (r"data/README\.md", "data"),
    (r"data/(\w+)/README\.md", r"data-\1"),
    (r"CHANGELOG\.md", "changes"),
    (r"CONTRIBUTING\.md", "contributing"),
    (r"LICENSE", "licences"),
)


def page(path):
    """Name of the page that shows a file, by its path from the root; None if none does."""
    found = ((re.fullmatch(pattern, path), name) for pattern, name in PAGE_NAMES)
    return next((match.expand(name) for match, name in found if match), None)


def written():
    """{name of a page: path of the notebook or text that it shows}, in the order of the patterns."""
    folders = ("lectures", "exercises/*", "teaching", "teaching/hosting", "data", "data/*", ".")
    files = sorted(path for folder in folders for path in ROOT.glob(f"{folder}/*") if path.suffix in (".ipynb", ".md"))
    found = {page(str(path.relative_to(ROOT))): path for path in files}
    return {name: path for name, path in found.items() if name}


def onward(name, names):
    """[("prev" or "next", name)] of the pages beside a lecture or a homework; a lecture leads to its homework, too."""
    found = re.fullmatch(r"(homework-)?(\d\d)", name)
    if not found:
        return []
    lecture = int(found.group(2))
    lecture_before = lecture if found.group(1) else lecture - 1
    homework = [] if found.group(1) else [("next", f"homework-{lecture:02}")]
    wanted = [("prev", f"{lecture_before:02}"), *homework, ("next", f"{lecture + 1:02}")]
    return [(relation, goal) for relation, goal in wanted if goal in names]


def leads_from(folder):
    """The function of a link's address, written in a file of this folder, to where it leads; None if to no page."""
    return partial(_leads, folder)


def _leads(folder, address):
    goal = (folder / address.partition("#")[0]).resolve()
    name = page(str(goal.relative_to(ROOT))) if goal.is_relative_to(ROOT) else None
    return f"{name}.html" if name else None
