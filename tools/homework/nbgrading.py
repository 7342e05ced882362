"""nbgrader's own library, set up for this course and used in-process.

Two settings limit the time of a cell, and both are needed: nbgrader's Execute has its own `timeout`, and nbconvert's
ExecutePreprocessor has another. nbgrader also starts the program `alembic`, which must be on PATH: it asks it for the
version of its own tables, again for each new gradebook, and is told once here.
"""

import contextlib
import logging
import os
import sys
import warnings
from functools import cache
from pathlib import Path

from nbgrader import api
from nbgrader.api import Gradebook
from nbgrader.converters import Autograde, GenerateAssignment
from nbgrader.converters.base import NbGraderException
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import DeduplicateIds, Execute, SaveAutoGrades, SaveCells
from sqlalchemy.exc import SAWarning
from traitlets.config import Config

from tools.homework.autograding import RunAndAsk, SaveMarks
from tools.homework.restoring import FindCells
from tools.homework.sheets import NEVER_RELEASED

IGNORED = [".ipynb_checkpoints", "__pycache__", "*.pyc", *NEVER_RELEASED]
CODE_STUB = "# YOUR CODE HERE\nraise NotImplementedError()"
TEXT_STUB = "YOUR ANSWER HERE"
START_SECONDS = 600  # on the clock, for a kernel to start on a busy machine

api.get_alembic_version = cache(api.get_alembic_version)


class NbgraderFailure(RuntimeError):
    """nbgrader could not process a homework; the message holds what it logged."""


class DropCopies(DeduplicateIds):
    """Turns copies of a graded cell into ordinary cells.

    nbgrader keeps the last of them and leaves empty metadata on the others, which its own check then takes for an
    old format and refuses.
    """

    def preprocess_cell(self, cell, resources, cell_index):
        cell, resources = super().preprocess_cell(cell, resources, cell_index)
        if cell.metadata.get("nbgrader") == {}:
            del cell.metadata["nbgrader"]
        return cell, resources


def settings(root, homework, student="", gradebook=None, cell_seconds=60):
    """nbgrader's configuration for one homework: root holds solutions/ and submitted/, and gets what is made."""
    config = Config()
    config.CourseDirectory.update(
        root=str(Path(root).resolve()),
        source_directory="solutions",
        release_directory="exercises",
        assignment_id=homework,
        student_id=student or "*",
        ignore=IGNORED,
    )
    if gradebook:
        config.CourseDirectory.db_url = database(gradebook)
    config.ClearSolutions.code_stub = {"python": CODE_STUB}
    config.ClearSolutions.text_stub = TEXT_STUB
    config.Execute.timeout = config.ExecutePreprocessor.timeout = cell_seconds
    config.Execute.startup_timeout = config.ExecutePreprocessor.startup_timeout = START_SECONDS
    config.OverwriteCells.add_missing_cells = True
    config.Autograde = autograder()
    return config


def autograder():
    """Configuration of nbgrader's Autograde, with steps of this course in the place of its own."""
    ours = {DeduplicateIds: DropCopies, Execute: RunAndAsk, SaveAutoGrades: SaveMarks}
    traits, names = Autograde.class_traits(), ("sanitize_preprocessors", "autograde_preprocessors")
    steps = {name: [ours.get(step, step) for step in traits[name].default()] for name in names}
    return Config(steps | {names[0]: [FindCells, *steps[names[0]]]})


def database(gradebook):
    """Address of the gradebook file for nbgrader."""
    return f"sqlite:///{Path(gradebook).resolve()}"


@contextlib.contextmanager
def opened(gradebook):
    """nbgrader's Gradebook of a file."""
    with Gradebook(database(gradebook)) as book, quiet():
        yield book


@contextlib.contextmanager
def quiet():
    """Without SQLAlchemy's warnings of how nbgrader adds a submission."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Object of type .* not in session", SAWarning)
        yield


def generate(root, homework, gradebook=None):
    """Makes root/exercises/HOMEWORK from root/solutions/HOMEWORK, and notes its cells in a gradebook if one is given.

    Raises
    ------
    NbgraderFailure
        If nbgrader refuses the source.
    """
    config = settings(root, homework, gradebook=gradebook)
    converter = GenerateAssignment(coursedir=CourseDirectory(config=config), config=config)
    converter.force = True
    converter.no_database = gradebook is None
    if gradebook is None:
        converter.preprocessors = [one for one in converter.preprocessors if one is not SaveCells]
    _start(converter)


def autograde(root, homework, student, gradebook, limits, boxed, source, judged, kept=()):
    """Grades root/submitted/STUDENT/HOMEWORK into a gradebook that knows the homework, and into root/autograded.

    Parameters
    ----------
    root : Path of a course folder, with what students got beside their notebook in root/solutions/HOMEWORK
    homework, student : their names
    gradebook : Path of the gradebook
    limits : box.Limits;  boxed : whether the notebook runs in a box
    source : Path of solutions/HOMEWORK of the course, which is another folder
    judged : Path of the file that gets {"functions": {grade_id: what it came to, see `Judged`}, "answers": {grade_id:
        see `Answers`}, "left_out": {number of a cell: why}, "seconds": of the box}
    kept : {grade_id: Judged} of tasks that are not asked again

    Raises
    ------
    NbgraderFailure
        If nbgrader gives up on it.
    """
    config = settings(root, homework, student, gradebook, limits.cell_seconds)
    config.FindCells.source = str(source)
    config.RunAndAsk.update(source=str(source), boxed=boxed, limits=limits, kept=dict(kept))
    config.SaveMarks.judged = str(judged)
    converter = Autograde(coursedir=CourseDirectory(config=config), config=config)
    converter.force = True
    _start(converter)


def _start(converter):
    """Runs a converter with this environment's programs on PATH; what it logs as an error becomes the message."""
    os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    log = Log()
    converter.log = converter.coursedir.log = log.logger
    try:
        with quiet():
            converter.start()
    except NbGraderException as failure:
        raise NbgraderFailure(log.errors() or str(failure)) from failure


class Log:
    """A logger that keeps errors for the message of an exception and prints nothing."""

    def __init__(self):
        self.records = []
        self.logger = logging.Logger("nbgrader", level=logging.ERROR)
        handler = logging.Handler()
        handler.emit = self.records.append
        self.logger.addHandler(handler)

    def errors(self):
        """What was logged, one record a line."""
        return "\n".join(record.getMessage() for record in self.records)
