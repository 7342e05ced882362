"""The set-up check of lecture 00 says READY only when all is well, and else what is wrong and what to do."""

import os
import shutil
import subprocess
import sys

import pytest
from matplotlib import get_cachedir

from course_lessons.start_here import readiness
from course_lib import datasets
from course_lib.sequences import _compiling
from tests.lectures.reading import ROOT


def test_this_environment_is_ready():
    report = readiness.check_computer()
    assert report.ready, str(report)
    assert str(report).splitlines()[-1].startswith("READY")


def test_a_package_of_another_version_is_named_with_both_versions(tmp_path):
    lock = tmp_path / "constraints.txt"
    lock.write_text("numpy==1.0.1\nno-such-package==3.0\nmatplotlib==0.1 ; sys_platform == 'plan9'\n")
    finding = readiness.check_packages(lock)
    assert "tested with 1.0.1" in finding.problem
    assert "make lab" in finding.remedy
    assert "matplotlib" not in finding.problem
    assert "no-such-package" not in finding.problem


def test_a_required_package_that_is_missing_is_named(monkeypatch):
    installed = readiness._installed
    monkeypatch.setattr(readiness, "_installed", lambda name: None if name == "scipy" else installed(name))
    assert "scipy is missing" in readiness.check_packages().problem


def test_what_a_new_environment_brings_along_is_not_compared(tmp_path):
    """A fresh .venv of Python 3.11 has a setuptools of its own, and so has conda's."""
    lock = tmp_path / "constraints.txt"
    lock.write_text("setuptools==0.1\npip==0.1\n")
    assert not readiness.check_packages(lock).problem
    assert readiness._installed("pip")


def test_without_a_lock_nothing_is_compared(tmp_path):
    assert not readiness.check_packages(tmp_path / "constraints.txt").problem


def test_a_line_that_pins_nothing_is_an_error(tmp_path):
    lock = tmp_path / "constraints.txt"
    lock.write_text("numpy>=2\n")
    with pytest.raises(ValueError, match=r"numpy>=2.*pin one version"):
        readiness.locked_versions(lock)


def test_a_damaged_and_a_missing_data_file_are_named(tmp_path):
    folder = tmp_path / "data"
    shutil.copytree(datasets.data_folder(), folder)
    first, second = [folder / check.file for check in datasets.verify_all(folder)][:2]
    first.write_bytes(first.read_bytes() + b"x")
    second.unlink()
    report = readiness.check_computer(data=folder)
    assert not report.ready
    assert f"{first.relative_to(folder).as_posix()} is damaged" in str(report)
    assert f"{second.relative_to(folder).as_posix()} is missing" in str(report)
    assert "NOT READY: 1 of 4" in str(report)
    assert "missing" in readiness.check_data(tmp_path).problem


def test_a_wrong_result_is_noticed(monkeypatch):
    class Wrong:
        distance = 5.0

    monkeypatch.setattr(readiness.sequences, "dtw", lambda *arguments: Wrong)
    assert "5.0" in readiness.check_results().problem


def test_the_slider_moves_the_curve_and_its_sentence():
    explorer = readiness.show_slider()
    before = explorer.state["marks"]
    explorer.set(waves=5)
    assert explorer.state["marks"] != before
    assert "5 waves" in explorer.sentence


def test_the_tone_is_soft_and_begins_and_ends_in_silence(monkeypatch):
    heard = {}
    monkeypatch.setattr(readiness.audio, "play", lambda signal, rate, *words: heard.update(signal=signal, rate=rate))
    readiness.show_tone(frequency=500, seconds=0.5)
    assert len(heard["signal"]) == heard["rate"] // 2
    assert abs(heard["signal"]).max() <= 0.3
    assert abs(heard["signal"][[0, -1]]).max() < 0.01


# A file stands where each cache folder would be, which stops root too.
READ_ONLY = """
import warnings
from course_lessons.start_here import readiness
from course_lib import sequences
with warnings.catch_warnings(record=True) as said:
    warnings.simplefilter("always")
    print(readiness.check_results())
    from course_lib.sequences import _hmm_kernels
print(len(said))
"""


def test_a_read_only_installation_and_an_unwritable_home_cost_time_alone(tmp_path):
    copy = tmp_path / "course_lib"
    copy.mkdir()
    for part in (ROOT / "course_lib").iterdir():
        (copy / part.name).symlink_to(part)
    (copy / "sequences").unlink()
    shutil.copytree(ROOT / "course_lib/sequences", copy / "sequences", ignore=shutil.ignore_patterns("__pycache__"))
    (copy / "sequences/__pycache__").touch()
    nowhere = dict.fromkeys(("HOME", "XDG_CACHE_HOME", "LOCALAPPDATA"), os.devnull)
    environment = {"MPLCONFIGDIR": get_cachedir(), **os.environ, **nowhere, "PYTHONPATH": str(tmp_path)}
    environment.pop("NUMBA_CACHE_DIR", None)
    run = subprocess.run(
        [sys.executable, "-c", READ_ONLY], env=environment, cwd=tmp_path, capture_output=True, text=True
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout.startswith("✓ the compiled code gives the right result")
    assert "NUMBA_CACHE_DIR" in run.stdout and "This check took" in run.stdout
    assert run.stdout.splitlines()[-1] == "0"  # the report says it: no warning repeats it


def test_code_that_cannot_be_kept_is_compiled_and_that_is_said_once(monkeypatch):
    monkeypatch.setattr(_compiling.numba.core.caching.CacheImpl, "_locator_classes", [])
    _compiling._warn_of_no_cache.cache_clear()
    with pytest.warns(UserWarning, match="NUMBA_CACHE_DIR") as said:
        first, second = (_compiling.njit(cache=True)(lambda x, k=k: x + k) for k in (1, 2))
    assert len(said) == 1 and not _compiling.is_kept()
    assert (first(1), second(1)) == (2, 3)
    _compiling._warn_of_no_cache.cache_clear()
