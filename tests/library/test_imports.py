"""Importing a room brings no package that is only needed for a part of what it can do."""

import subprocess
import sys

import pytest

HEAVY = {
    "sklearn.cluster", "sklearn.neighbors", "sklearn.linear_model", "sklearn.mixture", "sklearn.metrics",
    "numba", "librosa", "soundfile", "choix", "matplotlib", "IPython", "ipywidgets",
}  # fmt: skip


@pytest.mark.parametrize("room", ["sequences", "gp", "judgments"])
def test_a_room_is_entered_lightly(room):
    program = f"import sys, course_lib.{room}; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()
    assert f"course_lib.{room}" in loaded
    assert HEAVY & set(loaded) == set()
