"""Act III: what people say about things: bounded answers. Lecture: 07."""

from course_lib.judgments.bounded import BoundedGP
from course_lib.judgments.simulated import TRUE_NOISE, Simulated, best_fit, simulate, toy_marks
