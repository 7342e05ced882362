"""nbgrader's own library, set up for this course and used in-process. Lecture: 00.

Two settings limit the time of a cell, and both are needed: nbgrader's Execute has its own `timeout`, and nbconvert's
ExecutePreprocessor has another. nbgrader also starts the program `alembic`, which must be on PATH.
"""

import logging
import os
import sys
from pathlib import Path

from nbgrader.converters import Autograde, GenerateAssignment
from nbgrader.converters.base import NbGraderException
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import DeduplicateIds, SaveCells
from traitlets.config import Config

CODE_STUB = "# YOUR CODE HERE\nraise NotImplementedError()"
TEXT_STUB = "YOUR ANSWER HERE"


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


def course(root, homework, student="", cell_seconds=60):
    """nbgrader's configuration for one homework of a course whose sources are in root/solutions.

    Lecture: 00.
    """
    config = Config()
    config.CourseDirectory.update(
        root=str(Path(root).resolve()),
        source_directory="solutions",
        release_directory="exercises",
        assignment_id=homework,
        ignore=[".ipynb_checkpoints", "__pycache__", "*.pyc"],
    )
    if student:
        config.CourseDirectory.student_id = student
    config.ClearSolutions.code_stub = {"python": CODE_STUB}
    config.ClearSolutions.text_stub = TEXT_STUB
    config.Execute.timeout = config.ExecutePreprocessor.timeout = cell_seconds
    config.OverwriteCells.add_missing_cells = True
    return config


def generate(root, homework, gradebook=False):
    """Makes root/exercises/HOMEWORK from root/solutions/HOMEWORK; also notes its cells in the gradebook if asked to.

    Raises
    ------
    NbgraderFailure
        If nbgrader refuses the source.

    Lecture: 00.
    """
    config = course(root, homework)
    config.GenerateAssignment.no_database = not gradebook
    converter = GenerateAssignment(coursedir=CourseDirectory(config=config), config=config)
    converter.force = True
    if not gradebook:
        converter.preprocessors = [one for one in converter.preprocessors if one is not SaveCells]
    _start(converter)


def autograde(root, homework, student, cell_seconds):
    """Grades one student's submission into root/gradebook.db and root/autograded.

    Raises
    ------
    NbgraderFailure
        If nbgrader gives up on it.

    Lecture: 00.
    """
    config = course(root, homework, student, cell_seconds)
    converter = Autograde(coursedir=CourseDirectory(config=config), config=config)
    converter.force = True
    converter.sanitize_preprocessors = [
        DropCopies if one is DeduplicateIds else one for one in converter.sanitize_preprocessors
    ]
    _start(converter)


def _start(converter):
    """Runs a converter with this environment's programs on PATH; what it logs as an error becomes the message."""
    programs = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    os.environ["PATH"] = programs
    log = Log()
    converter.log = converter.coursedir.log = log.logger
    try:
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
