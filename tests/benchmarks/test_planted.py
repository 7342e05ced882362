"""Faults that a person could make are caught: see benchmarks/planted.py."""

import subprocess
import sys

import pytest

from benchmarks.planted import ROOT, faults


def test_the_code_in_which_each_fault_is_planted_is_there():
    assert [fault.name for fault in faults() if not fault.fits(ROOT)] == []


@pytest.mark.long
@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="a copy holds what git lists")
def test_every_planted_fault_is_caught_but_those_of_which_it_is_known():
    run = subprocess.run([sys.executable, "-m", "benchmarks.planted"], cwd=ROOT, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr
