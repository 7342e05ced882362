"""What was handed in, and what is not as it should be: named, with what to do, and never run or followed."""

import json

import pytest

from tools.homework.submissions import Submission, problem_of, survey

NOTEBOOK = json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": []})


def folder(tmp_path, text=NOTEBOOK, name="03_mixtures.ipynb"):
    """A submission of homework 03 with one file."""
    place = tmp_path / "ada" / "03_mixtures"
    place.mkdir(parents=True)
    (place / name).write_bytes(text if isinstance(text, bytes) else text.encode())
    return place


WRONG = {
    "cut off": (NOTEBOOK[:30], "no JSON"),
    "other bytes": (b"\xff\xfe\x00", "no JSON"),
    "deep": ("[" * 100_000, "no JSON"),
    "a list": ("[1, 2]", "no notebook"),
    "format 3": ('{"nbformat": 3, "worksheets": []}', "format 3; open it in JupyterLab"),
    "no cells": ('{"nbformat": 4, "cells": 7}', "no cells"),
}


@pytest.mark.parametrize(("text", "words"), WRONG.values(), ids=WRONG)
def test_a_notebook_that_is_none_is_named(tmp_path, text, words):
    assert words in problem_of(folder(tmp_path, text))


def test_a_notebook_is_accepted(tmp_path):
    assert problem_of(folder(tmp_path)) == ""


def test_a_notebook_of_another_name_is_named(tmp_path):
    assert "there is mixtures.ipynb: if that is it, rename it" in problem_of(folder(tmp_path, name="mixtures.ipynb"))


def test_links_are_never_followed(tmp_path):
    place = folder(tmp_path)
    (tmp_path / "solutions.txt").write_text("secret")
    (place / "data.txt").symlink_to(tmp_path / "solutions.txt")
    (place / "gone.txt").symlink_to(tmp_path / "nowhere")
    (place / "more").symlink_to(tmp_path)
    one = Submission("ada", "03_mixtures", place)
    assert [path.name for path in one.files()] == ["03_mixtures.ipynb"]
    one.copy(tmp_path / "copy")
    assert [path.name for path in (tmp_path / "copy").iterdir()] == ["03_mixtures.ipynb"]
    (place / "03_mixtures.ipynb").unlink()
    (place / "03_mixtures.ipynb").symlink_to(tmp_path / "nowhere")
    assert "is a link" in problem_of(place)


def test_everything_else_is_remarked_on(tmp_path):
    folder(tmp_path)
    (tmp_path / "ada" / "03-mixtures").mkdir()
    (tmp_path / "ada" / "holiday").mkdir()
    (tmp_path / "ben.zip").touch()
    (tmp_path / ".hidden").mkdir()
    found, remarks = survey(tmp_path, ["01_dtw", "03_mixtures"])
    assert [(one.student, one.homework, one.problem) for one in found] == [("ada", "03_mixtures", "")]
    assert [one.split(";")[0] for one in remarks] == [
        "ada/03-mixtures: there is no homework of this name",
        "ada/holiday: there is no homework of this name",
        "ben.zip: is no student's folder",
    ]
    assert "rename it to 03_mixtures" in remarks[0]


def test_a_fingerprint_changes_with_the_files(tmp_path):
    one = Submission("ada", "03_mixtures", folder(tmp_path))
    before = one.fingerprint()
    assert before == one.fingerprint()
    (one.folder / "data.csv").write_text("1")
    assert one.fingerprint() != before


def test_a_time_that_is_none_and_a_name_without_end_are_named(tmp_path):
    place = folder(tmp_path)
    (place / "timestamp.txt").write_text("yesterday, I think")
    assert "timestamp.txt says 'yesterday, I think'; a time such as" in problem_of(place)
    (tmp_path / ("ä" * 60)).mkdir()
    assert "has a name of more than 100 bytes" in survey(tmp_path, ["03_mixtures"])[1][0]


def test_when_it_was_handed_in_is_read(tmp_path):
    one = Submission("ada", "03_mixtures", folder(tmp_path))
    assert one.handed_in is None
    (one.folder / "timestamp.txt").write_text("2026-11-30 14:30:00 UTC\n")
    assert one.handed_in == "2026-11-30 14:30:00 UTC"
