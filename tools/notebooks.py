"""Executes notebooks in place and leaves them the way they are committed.

    python -m tools.notebooks run [NOTEBOOK …]     all of lectures/ and solutions/ if none is named
    python -m tools.notebooks store [NOTEBOOK …]   the same without executing them: their outputs stay as they are

Committed notebooks keep their text and their figures, so that a page on a code host shows them. What changes from
run to run is taken out: saved widget state, execution times, random cell ids. All else is as JupyterLab writes it, so
that who only reads has nothing to save; kernels of .venv name their language without its version (tools/make_venv.sh).

The results of folded cells answer what the text asks to be predicted. They are stored beside the notebook, by the
ids of their cells (lectures/outputs/NAME.json), so that no viewer shows them; the notebook has one sentence in their
place. `whole(path)` is the notebook with its results.
"""

import argparse
import hashlib
import json
import os
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
RESULTS_FOLDER = "outputs"
NOT_RUN = {
    "name": "stdout",
    "output_type": "stream",
    "text": ["Run this cell (Shift+Enter) to see its result."],
}
PASSING_METADATA = ("execution", "ExecuteTime", "collapsed", "scrolled", "trusted", "lines_to_next_cell")


def lectures():
    """Paths of the lectures' notebooks, in their order."""
    return sorted(ROOT.glob("lectures/*.ipynb"))


def solutions():
    """Paths of the homeworks' sources, in their order."""
    return sorted(ROOT.glob("solutions/*/*.ipynb"))


def results_path(path):
    """Where the results of the folded cells of the notebook at `path` are stored."""
    return path.parent / RESULTS_FOLDER / f"{path.stem}.json"


def stored_results(path):
    """{cell id: outputs} of the folded cells of the notebook at `path`."""
    stored = results_path(path)
    return json.loads(stored.read_text(encoding="utf-8")) if stored.exists() else {}


def whole(path):
    """The notebook at `path` with the results that are stored beside it.

    Raises
    ------
    ValueError
        If the results of a cell are not there.
    """
    book, results = json.loads(path.read_text(encoding="utf-8")), stored_results(path)
    for cell in book["cells"]:
        if cell.get("outputs") == [NOT_RUN]:
            if cell["id"] not in results:
                raise ValueError(f"{results_path(path)} has no outputs of cell {cell['id']}: make run NB={path}")
            cell["outputs"] = results[cell["id"]]
    return nbformat.reads(json.dumps(book), as_version=4)


def is_folded(cell):
    """Whether a cell shows, when it is run, what a reader is to predict or to work out."""
    return bool(cell.get("outputs")) and cell["metadata"].get("jupyter", {}).get("outputs_hidden", False)


def is_card(output):
    """Whether an output is an explorer or a quiz, which say themselves that they have to be run."""
    return output.get("data", {}).get("text/plain", "").startswith(("Explorer:", "Quiz:"))


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
    nobodys = {"COURSE_RECORDINGS": os.devnull, "COURSE_CLASS": "no-class"}  # no one's voice or answers are stored
    client.execute(env={**os.environ, **nobodys})
    return notebook


def clean(notebook):
    """Takes out of an executed notebook what would differ after the next run; returns it."""
    notebook.metadata = nbformat.from_dict({"kernelspec": KERNELSPEC, "language_info": LANGUAGE_INFO})
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    name_cells(notebook)
    for cell in notebook.cells:
        for key in PASSING_METADATA:
            cell.metadata.pop(key, None)
        hidden = cell.metadata.get("jupyter", {})
        if any(map(is_card, cell.get("outputs", []))):
            hidden.pop("outputs_hidden", None)
        if hidden.get("outputs_hidden"):
            cell.metadata.collapsed = True
        elif not hidden:
            cell.metadata.pop("jupyter", None)
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


def files(notebook, path):
    """{path: text} of a notebook as it is committed, and of the results of its folded cells if it has any."""
    nbformat.validate(notebook)
    book, results = json.loads(nbformat.writes(notebook)), {}
    for cell in filter(is_folded, book["cells"]):
        if cell["outputs"] == [NOT_RUN]:
            raise ValueError(f"cell {cell['id']} has no result to store; read the notebook with `whole`, or run it.")
        results[cell["id"]], cell["outputs"] = cell["outputs"], [NOT_RUN]
    return {path: as_text(book)} | ({results_path(path): as_text(results)} if results else {})


def as_text(content):
    """JSON with sorted keys and one final newline."""
    return json.dumps(content, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def write(notebook, path):
    """Writes the files of a notebook."""
    results_path(path).unlink(missing_ok=True)
    for one, text in files(notebook, path).items():
        one.parent.mkdir(exist_ok=True)
        one.write_text(text, encoding="utf-8")


def run(path):
    """Executes the notebook at `path` and writes it back as it is committed."""
    write(clean(execute(path)), path)


def store(path):
    """Writes the notebook at `path` back as it is committed, with the outputs that it has."""
    write(clean(whole(path)), path)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("command", choices=["run", "store"])
    parser.add_argument("notebooks", nargs="*", type=Path)
    given = parser.parse_args()
    for path in [one.resolve() for one in given.notebooks] or lectures() + solutions():
        start = time.perf_counter()
        {"run": run, "store": store}[given.command](path)
        print(f"{path.relative_to(ROOT)}: {time.perf_counter() - start:.0f} s", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
