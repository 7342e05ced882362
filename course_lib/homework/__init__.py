"""Homework: self-checks that name the mistake, the release of the exercises, and their grading.

Apart from the rest of the library: no model imports this package, and it imports no model. A homework is written as
data (`Task`, `Case`, `Mistake`); `release` and `grade` are commands. Lecture: 00.
"""

from course_lib.homework.checks import Homework
from course_lib.homework.tasks import Case, Mistake, Task, array, near, not_finite, whole
