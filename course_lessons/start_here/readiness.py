"""Is this computer ready for the course? What it can check itself, and a slider and a tone for the person to check.

Lecture: 00.
"""

import re
import sys
import warnings
from importlib import metadata
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

import numpy as np
from packaging.requirements import Requirement

from course_lessons import quiz
from course_lib import audio, datasets, sequences
from course_widgets import style
from course_widgets.controls import slider
from course_widgets.frame import Explorer

CONSTRAINTS_FILE = Path(__file__).resolve().parents[2] / "constraints.txt"
OLDEST_PYTHON = (3, 11)
EXTRAS = ("speech", "widgets", "lab")  # of pyproject.toml, that lectures need
BROUGHT_ALONG = ("pip", "setuptools", "wheel")  # by a new environment, in versions of its own; nothing here runs them
RENEW = "Close JupyterLab and run `make lab` again; with conda, `conda env update -f environment.yml`."
TONE_RATE = 16_000  # samples per second


class Finding(NamedTuple):
    """what : what was looked at; problem : "" if it is as it should be; remedy : what to do about the problem."""

    what: str
    problem: str
    remedy: str

    def __str__(self):
        if not self.problem:
            return f"✓ {self.what}"
        return f"✗ {self.what}: {self.problem}\n    {self.remedy}"


class Report(tuple):
    """Findings, and under them one `verdict`. `ready` says whether all is well."""

    @property
    def ready(self):
        """Whether no finding is a problem."""
        return not any(finding.problem for finding in self)

    @property
    def verdict(self):
        """Whether all is well, as a sentence; if not, what to do."""
        if self.ready:
            return "READY: what the computer can check is as it should be."
        problems = sum(bool(finding.problem) for finding in self)
        return f"NOT READY: {problems} of {len(self)} checks failed. Do what each ✗ says, then run this again."

    def __repr__(self):
        return "\n".join([*map(str, self), self.verdict])


def check_computer(lock=CONSTRAINTS_FILE, data=None):
    """Report on Python, package versions, data files and the compiled code, each with what to do when it fails.

    lock : path of the list of versions that the course was tested with;  data : folder of the data, if not the usual
    """
    return Report([check_python(), check_packages(lock), check_data(data), check_results()])


def check_python():
    """Finding about the version of Python."""
    wanted = ".".join(map(str, OLDEST_PYTHON))
    problem = "" if sys.version_info >= OLDEST_PYTHON else f"this is Python {sys.version.split()[0]}"
    return Finding(f"Python is {wanted} or newer", problem, "Install a newer Python, then: make lab PY=python3.12")


def check_packages(lock=CONSTRAINTS_FILE):
    """Finding about the installed packages, compared with the versions in the lock."""
    what = "the packages have the versions that the course was tested with"
    if not Path(lock).is_file():
        return Finding("the packages are those that were installed with course-lib (no constraints.txt here)", "", "")
    if _installed("course-lib") is None:
        return Finding(what, "course-lib itself is not installed", RENEW)
    pins = [(name, version) for name, version in locked_versions(lock) if name not in BROUGHT_ALONG]
    wrong = [line for name, version in pins if (line := _difference(name, version))]
    missing = [f"{name} is missing" for name in _required() if _installed(name) is None]
    return Finding(what, "; ".join(missing + wrong), RENEW)


def locked_versions(lock):
    """(name, version) for each line of a lock that holds for this computer."""
    pins = []
    for line in Path(lock).read_text(encoding="utf-8").splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        requirement = Requirement(line)
        version = re.fullmatch(r"==([^,*]+)", str(requirement.specifier))
        if version is None:
            raise ValueError(f"{lock} has the line {line!r}; each must pin one version, as in numpy==2.4.6.")
        if requirement.marker is None or requirement.marker.evaluate():
            pins.append((requirement.name, version.group(1)))
    return pins


def check_data(folder=None):
    """Finding about the data files and their checksums."""
    what = "the data files are those that the course was written with"
    try:
        files = datasets.verify_all(folder)
    except datasets.DataMissingError as error:
        return Finding(what, str(error), datasets.REMEDY)
    return Finding(what, "; ".join(f"{f.file} is {f.problem}" for f in files if not f.ok), datasets.REMEDY)


def check_results():
    """Finding about the compiled code: a distance that is known by hand, and the wait where code cannot be kept."""
    from course_lib.sequences import _compiling  # loads numba

    begin = perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # that no code is kept is said below
        found = sequences.dtw([0, 6, 5, 6], [1, 0, 6, 0, 4], sequences.SYMMETRIC1).distance
    seconds = perf_counter() - begin
    what = "the compiled code gives the right result"
    if not _compiling.is_kept():
        what += f"\n    {_compiling.COMPILED_EACH_TIME} This check took {seconds:.1f} s."
    problem = "" if np.isclose(found, 8) else f"a distance that is 8 comes out as {found}"
    return Finding(what, problem, f"Remove the folder .venv. {RENEW}")


def show_slider():
    """Explorer with a slider and a curve that follows it: to see whether widgets work here."""
    return Explorer(_draw_waves, waves=slider("number of waves", 1, 9, 3))


def ask_slider():
    """Whether the person sees the slider work, and what to do if not."""
    return quiz("start_here.slider")


def show_tone(frequency=440, seconds=1.0):
    """A soft tone (Hz) in a player: to hear whether sound works here."""
    time = np.arange(int(seconds * TONE_RATE)) / TONE_RATE
    fade = np.minimum(1, np.minimum(time, seconds - time) / 0.05)
    signal = 0.3 * fade * np.sin(2 * np.pi * frequency * time)
    return audio.play(signal, TONE_RATE, f"a tone of {frequency} Hz", f"A soft, even tone for {seconds:g} s.")


def ask_tone():
    """Whether the person hears the tone, and what to do if not."""
    return quiz("start_here.tone")


def _draw_waves(figure, waves):
    time = np.linspace(0, 1, 600)
    ax = figure.add_subplot()
    ax.plot(time, np.sin(2 * np.pi * waves * time), color=style.BLUE)
    ax.set(xlabel="time in s", ylabel="level", xlim=(0, 1), ylim=(-1.1, 1.1), yticks=(-1, 0, 1))
    return f"A curve with {waves} wave{'s' * (waves > 1)} in one second."


def _required():
    """Names of the packages that course-lib and JupyterLab need here."""
    wanted = map(Requirement, metadata.requires("course-lib") or [])
    return [r.name for r in wanted if r.marker is None or any(r.marker.evaluate({"extra": e}) for e in EXTRAS)]


def _installed(name):
    """Installed version of a package, or None."""
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def _difference(name, version):
    """What is wrong with an installed package, or ""; one that is not installed is not needed here."""
    found = _installed(name)
    return f"{name} is {found}, tested with {version}" if found not in (None, version) else ""
