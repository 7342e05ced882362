"""For nbgrader's own tools, started in this folder: formgrader, to mark written answers, and generate_feedback.

Release and grade with `make release` and `make grade`: they check for leaks and survive broken submissions.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from tools.homework.nbgrading import IGNORED, autograder

c = get_config()  # noqa: F821
c.CourseDirectory.source_directory = "solutions"
c.CourseDirectory.release_directory = "exercises"
c.CourseDirectory.ignore = IGNORED
c.Autograde = autograder()
c.ExecutePreprocessor.timeout = c.Execute.timeout = 60
