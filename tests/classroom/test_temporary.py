"""Temporary folders: those of killed processes go, those in use and other people's stay."""

import os
import subprocess
import sys
import tempfile

import pytest

from tests.homework.graded import ROOT
from tools.homework import temporary

KILLED = """
import os, signal
from tools.homework.temporary import temporary
with temporary("grade") as place:
    (place / "work").mkdir()
    (place / "work" / "notebook.ipynb").write_text("{}")
    print(place, flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def test_what_a_killed_process_has_left_is_removed_by_the_next_one(place):
    environment = os.environ | {"TMPDIR": str(place), "PYTHONPATH": str(ROOT)}
    subprocess.run([sys.executable, "-c", KILLED], env=environment, check=False, stdout=subprocess.DEVNULL)
    (left,) = place.iterdir()
    others = [place / "grade-of-anna", place / "collect-1-x", place / f"grade-{os.getpid()}-x"]
    for other in others:
        other.mkdir()
    with temporary.temporary("grade") as own:
        assert not left.exists() and own.is_dir() and all(other.is_dir() for other in others)
    assert not own.exists()
