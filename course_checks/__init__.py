"""Homework: self-checks that name the mistake, and what runs of the grader where students' code runs.

    from course_checks.hw01_dtw import check, hint

No model imports this package, and it imports no model. A homework is written as data (`Task`, `Case`, `Mistake`) in a
module of its name; hwNN_name.json beside it has what is computed of it. Release and grading are the teachers' and
stand in tools/. A folder `course_checks` on the path adds homeworks of its own. Lecture: 00.
"""

from pkgutil import extend_path

from course_checks.checks import Homework
from course_checks.tasks import (
    Case,
    Law,
    Mistake,
    Task,
    array,
    falls_by_logs_of_2,
    near,
    not_finite,
    slope_of,
    times,
    whole,
)

__path__ = extend_path(__path__, __name__)
