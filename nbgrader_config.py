"""For nbgrader's own tools, started in this folder.

Release, grade and mark with `make release`, `make grade` and `make mark`: they check for leaks and survive broken
submissions, and their results are not where nbgrader's formgrader looks for them.
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
