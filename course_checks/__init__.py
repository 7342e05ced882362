"""Homework: self-checks that name the mistake, and what runs of the grader where students' code runs.

Apart from the rest of the library: no model imports this package, and it imports no model. A homework is written as
data (`Task`, `Case`, `Mistake`). Release and grading are the teachers' and stand elsewhere. Lecture: 00.
"""

from course_checks.checks import Homework
from course_checks.tasks import Case, Law, Mistake, Task, array, near, not_finite, slope_of, times, whole
