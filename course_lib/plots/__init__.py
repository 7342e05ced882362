"""Pure drawing: draw_*(…, ax) functions, and the one style of the course. Lecture: 00."""

from course_lib.plots.style import figure, show
