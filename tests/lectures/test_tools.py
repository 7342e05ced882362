"""The tools round the notebooks: what `make run` leaves of one, and what happens without a browser."""

import json

import nbformat
import pytest
from nbclient.exceptions import CellExecutionError
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from nbval.plugin import NbCellError

from tools import chromium, notebooks


def executed(*sources):
    """A notebook as a person's JupyterLab saves it: with times, widget state and the machine's Python."""
    cells = [new_code_cell(source, execution_count=k + 1) for k, source in enumerate(sources)]
    for cell in cells:
        cell.metadata.update({"execution": {"iopub.execute_input": "2026-01-01"}, "scrolled": True, "tags": ["kept"]})
    language = {"name": "python", "version": "3.12.1"}
    return new_notebook(cells=cells, metadata={"widgets": {"state": {}}, "language_info": language})


def shown(**data):
    kinds = {"text": "text/plain", "html": "text/html", "png": "image/png", "view": notebooks.WIDGET_VIEW}
    return new_output("display_data", data={kinds[key]: value for key, value in data.items()})


def test_what_changes_from_run_to_run_is_taken_out():
    clean = notebooks.clean(executed("1 + 1"))
    assert "widgets" not in clean.metadata
    assert clean.metadata.language_info.version == "3"
    assert clean.cells[0].metadata == {"tags": ["kept"]}


def test_a_widget_keeps_its_static_form_or_becomes_a_sentence():
    notebook = executed("explorer", "slider", "picture")
    view = {"model_id": "4f1c"}
    notebook.cells[0].outputs = [shown(view=view, html="<img>", text="Explorer: a sentence")]
    notebook.cells[1].outputs = [shown(view=view, text="IntSlider(value=3)")]
    notebook.cells[2].outputs = [shown(png="aGk=", text="Picture: a curve")]
    explorer, slider, picture = [cell.outputs[0].data for cell in notebooks.clean(notebook).cells]
    assert explorer == {"text/html": "<img>", "text/plain": "Explorer: a sentence"}
    assert slider == {"text/plain": notebooks.WIDGET_TEXT}
    assert picture == {"image/png": "aGk=", "text/plain": "Picture: a curve"}


def test_ids_belong_to_the_cells_and_not_to_their_places():
    short, long = notebooks.clean(executed("a", "b", "b")), notebooks.clean(executed("new", "a", "b", "b"))
    ids = [cell.id for cell in short.cells]
    assert ids == [cell.id for cell in long.cells][1:]
    assert len(set(ids)) == 3


def test_two_runs_write_the_same_bytes(tmp_path):
    path = tmp_path / "small.ipynb"
    source = "import ipywidgets\nprint('text')\nipywidgets.IntSlider()"
    nbformat.write(new_notebook(cells=[new_markdown_cell("# Title"), new_code_cell(source)]), path)
    notebooks.run(path)
    first = path.read_bytes()
    notebooks.run(path)
    assert path.read_bytes() == first
    assert notebooks.WIDGET_TEXT in first.decode()
    assert first.endswith(b"}\n")


def test_a_run_shows_nobodys_class(tmp_path, monkeypatch):
    monkeypatch.setenv("COURSE_CLASS", str(tmp_path))
    path = tmp_path / "small.ipynb"
    nbformat.write(new_notebook(cells=[new_code_cell("import os; print(os.environ['COURSE_CLASS'])")]), path)
    assert notebooks.execute(path).cells[0].outputs[0].text == "no-class\n"


@pytest.fixture
def folded(tmp_path):
    """Path of a notebook with a folded cell, as it is stored after a run."""
    path = tmp_path / "small.ipynb"
    hidden = {"jupyter": {"outputs_hidden": True}}
    cells = [new_code_cell("x = 59"), new_code_cell("print(x)\nx + 1", metadata=hidden), new_code_cell("print(x)")]
    nbformat.write(new_notebook(cells=cells), path)
    notebooks.run(path)
    return path


def test_what_a_folded_cell_shows_is_stored_beside_the_notebook(folded):
    there = nbformat.read(folded, as_version=4)
    assert [output.text for cell in there.cells for output in cell.outputs] == [*notebooks.NOT_RUN["text"], "59\n"]
    whole = notebooks.whole(folded)
    assert [output.get("text") for output in whole.cells[1].outputs] == ["59\n", None]
    first = folded.read_bytes(), notebooks.results_path(folded).read_bytes()
    notebooks.store(folded)
    assert first == (folded.read_bytes(), notebooks.results_path(folded).read_bytes())
    del there.cells[1].metadata["jupyter"]
    nbformat.write(there, folded)
    notebooks.store(folded)
    assert nbformat.read(folded, as_version=4).cells[1].outputs == whole.cells[1].outputs
    assert not notebooks.results_path(folded).exists()


def test_a_quiz_and_an_explorer_are_never_folded():
    notebook = executed("quiz")
    notebook.cells[0].metadata.jupyter = {"outputs_hidden": True}
    notebook.cells[0].outputs = [shown(text="Quiz: which?")]
    assert notebooks.clean(notebook).cells[0].metadata == {"tags": ["kept"]}


@pytest.fixture
def collected(folded, request, monkeypatch):
    """The same as nbval collects it."""
    monkeypatch.setattr(request.config.option, "nbval", True)
    (found,) = request.config.hook.pytest_collect_file(file_path=folded, parent=request.session)
    return found


def test_nbval_compares_a_run_with_what_is_stored_beside_the_notebook(collected, folded):
    results = notebooks.results_path(folded)
    results.write_text(results.read_text().replace("59", "60"))
    first, second, _ = collected.collect()
    collected.setup()
    first.runtest()
    with pytest.raises(NbCellError) as raised:
        second.runtest()
    collected.teardown()
    assert r"'60\n' == '59\n'" in raised.value.inner_traceback


@pytest.mark.parametrize(("stored", "said"), [({}, "has no outputs of cell"), ({"gone": []}, "cells not folded here")])
def test_nbval_notices_what_is_missing_beside_the_notebook_and_what_is_left_over(collected, folded, stored, said):
    path = notebooks.results_path(folded)
    path.write_text(json.dumps(stored and notebooks.stored_results(folded) | stored))
    with pytest.raises((ValueError, collected.CollectError), match=said):
        list(collected.collect())


def test_an_exception_in_a_cell_stops_and_changes_nothing(tmp_path):
    path = tmp_path / "broken.ipynb"
    nbformat.write(new_notebook(cells=[new_code_cell("1 / 0")]), path)
    before = path.read_bytes()
    with pytest.raises(CellExecutionError, match="ZeroDivisionError"):
        notebooks.run(path)
    assert path.read_bytes() == before


def test_a_browser_that_does_not_start_is_none(tmp_path):
    stub = tmp_path / "chromium"
    stub.write_text("#!/bin/sh\nexit 1\n")
    stub.chmod(0o755)
    assert not chromium.runs(str(stub))
    assert not chromium.runs(str(tmp_path / "nothing-here"))


def test_without_a_browser_one_line_says_how_to_get_one(monkeypatch, capsys):
    commands = []
    monkeypatch.setattr(chromium, "find", lambda: None)
    monkeypatch.setattr(chromium.subprocess, "run", lambda command, **options: commands.append(command))
    chromium.main()
    assert ["playwright", "install", "chromium"] in [command[-3:] for command in commands]
    err = capsys.readouterr().err
    assert "skipped" in err.splitlines()[-1]
    assert "apt install chromium" in err.splitlines()[-1]
