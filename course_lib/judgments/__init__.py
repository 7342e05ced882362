"""Act III: what people say about things: bounded answers. Lecture: 07."""

from course_lib.judgments.bounded import BoundedGP
