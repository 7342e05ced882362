"""Finds what a released homework must not hold: a line of a solution, a hidden test, an output, an attachment."""

import json

import nbformat

REGIONS = ("SOLUTION", "HIDDEN TESTS", "MARK SCHEME")
FEWEST_LETTERS = 8
HARMLESS = ("import ", "from ")


def find_leaks(source, folder, modules=()):
    """What of a homework's source can be found in its released folder.

    Parameters
    ----------
    source : notebook of solutions/, as nbformat reads it
    folder : Path of the released homework
    modules : texts of the modules with hidden cases

    Returns
    -------
    list of sentences, empty if the folder is clean.
    """
    hidden = [*secrets(source), *telling(line for text in modules for line in text.splitlines())]
    found = []
    for path in sorted(one for one in folder.rglob("*") if one.is_file()):
        text = path.read_text(encoding="utf-8", errors="replace")
        if path.suffix == ".ipynb":
            notebook = nbformat.reads(text, as_version=4)
            found += [f"{path.name}: {sentence}" for sentence in leftovers(notebook)]
            text = "\n".join(strings(notebook))
        elif path.suffix == ".json":
            text = "\n".join(strings(json.loads(text)))
        found += [f"{path.name} holds the secret line {line!r}" for line in hidden if line in text]
    return found


def secrets(notebook):
    """Lines that only the author may see: those between markers, or all of a solution cell without markers."""
    found = []
    for cell in notebook.cells:
        inside = _inside_markers(cell.source)
        whole = cell.metadata.get("nbgrader", {}).get("solution") and not inside
        found += cell.source.splitlines() if whole else inside
    return telling(found)


def telling(lines):
    """Lines without those of a few letters and imports, which tell nothing and occur elsewhere; each once."""
    once = dict.fromkeys(line.strip() for line in lines)
    return [line for line in once if sum(map(str.isalnum, line)) >= FEWEST_LETTERS and not line.startswith(HARMLESS)]


def leftovers(notebook):
    """What the release should have removed from a notebook: outputs, widget state, attachments, markers."""
    found = ["it has saved widget state"] if "widgets" in notebook.metadata else []
    for number, cell in enumerate(notebook.cells, start=1):
        if cell.get("outputs") or cell.get("execution_count") is not None:
            found.append(f"cell {number} has been run: it holds an output or a count")
        if cell.get("attachments"):
            found.append(f"cell {number} has an attachment; put pictures into a file")
        found += [f"cell {number} shows the marker of a {name}" for name in REGIONS if f"BEGIN {name}" in cell.source]
    return found


def strings(value):
    """All texts inside a notebook, wherever they are: sources, metadata, outputs."""
    if isinstance(value, str):
        return [value]
    inner = [*value, *value.values()] if isinstance(value, dict) else value if isinstance(value, list) else []
    return [text for one in inner for text in strings(one)]


def _inside_markers(source):
    lines, inside = [], False
    for line in source.splitlines():
        if any(f"END {name}" in line for name in REGIONS):
            inside = False
        if inside:
            lines.append(line)
        if any(f"BEGIN {name}" in line for name in REGIONS):
            inside = True
    return lines
