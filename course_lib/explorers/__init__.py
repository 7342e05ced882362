"""The frame of every explorer: a prediction, a few controls and a drawing that answers. Lecture: 00."""

from course_lib.explorers.frame import quiz
from course_lib.explorers.player import ABPlayer
from course_lib.explorers.source import show_source
