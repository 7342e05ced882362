"""Executes notebooks in place and leaves them the way they are committed.

    python -m tools.notebooks run [NOTEBOOK …]     all of lectures/ and solutions/ if none is named

Committed notebooks keep their text and their figures, so that a page on a code host shows them. What changes from
run to run is taken out: saved widget state, execution times, random cell ids. All else is as JupyterLab writes it, so
that who only reads has nothing to save; kernels of .venv name their language without its version (tools/make_venv.sh).
"""

import argparse
import hashlib
import sys
import time
from pathlib import Path

import nbformat
from nbclient import NotebookClient

ROOT = Path(__file__).resolve().parent.parent
CELL_SECONDS, START_SECONDS = 1800, 600  # on the clock: so long hangs, or is on no machine of ours
WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"
WIDGET_TEXT = "[Interactive: run this cell to use it.]"
KERNELSPEC = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
LANGUAGE_INFO = {
    "codemirror_mode": {"name": "ipython", "version": 3},
    "file_extension": ".py",
    "mimetype": "text/x-python",
    "name": "python",
    "nbconvert_exporter": "python",
    "pygments_lexer": "ipython3",
    "version": "3",
}
PASSING_METADATA = ("execution", "ExecuteTime", "collapsed", "scrolled", "trusted", "lines_to_next_cell")


def lectures():
    """Paths of the lectures' notebooks, in their order."""
    return sorted(ROOT.glob("lectures/*.ipynb"))


def solutions():
    """Paths of the homeworks' sources, in their order."""
    return sorted(ROOT.glob("solutions/*/*.ipynb"))


def execute(path):
    """The notebook at `path`, executed from top to bottom in its own folder; an exception in a cell is raised."""
    notebook = nbformat.read(path, as_version=4)
    client = NotebookClient(
        notebook,
        timeout=CELL_SECONDS,
        startup_timeout=START_SECONDS,
        kernel_name="python3",
        record_timing=False,
        coalesce_streams=True,
        resources={"metadata": {"path": str(path.parent)}},
    )
    client.execute()
    return notebook


def clean(notebook):
    """Takes out of an executed notebook what would differ after the next run; returns it."""
    notebook.metadata = nbformat.from_dict({"kernelspec": KERNELSPEC, "language_info": LANGUAGE_INFO})
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    name_cells(notebook)
    for cell in notebook.cells:
        for key in PASSING_METADATA:
            cell.metadata.pop(key, None)
        if cell.metadata.get("jupyter", {}).get("outputs_hidden"):
            cell.metadata.collapsed = True
        for output in cell.get("outputs", []):
            clean_output(output)
    return notebook


def name_cells(notebook):
    """Gives each cell an id made from its own text, so that a change elsewhere does not rename it."""
    used = {}
    for cell in notebook.cells:
        digest = hashlib.sha1(f"{cell.cell_type}\n{cell.source}".encode()).hexdigest()[:8]
        used[digest] = used.get(digest, 0) + 1
        cell.id = digest if used[digest] == 1 else f"{digest}-{used[digest]}"


def clean_output(output):
    """Takes a widget's random model id out of an output; without a static form of its own it becomes a sentence."""
    data = output.get("data", {})
    if data.pop(WIDGET_VIEW, None) is not None and "text/html" not in data:
        data["text/plain"] = WIDGET_TEXT


def write(notebook, path):
    """Writes the notebook with sorted keys and one final newline."""
    nbformat.validate(notebook)
    path.write_text(nbformat.writes(notebook).rstrip("\n") + "\n", encoding="utf-8")


def run(path):
    """Executes the notebook at `path` and writes it back as it is committed."""
    write(clean(execute(path)), path)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("command", choices=["run"])
    parser.add_argument("notebooks", nargs="*", type=Path)
    given = parser.parse_args()
    for path in [one.resolve() for one in given.notebooks] or lectures() + solutions():
        start = time.perf_counter()
        run(path)
        print(f"{path.relative_to(ROOT)}: {time.perf_counter() - start:.0f} s", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
