"""The tools round the notebooks: what `make run` leaves of one, and what happens without a browser."""

import nbformat
import pytest
from nbclient.exceptions import CellExecutionError
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

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
