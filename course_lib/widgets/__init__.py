"""Explorers: a prediction, a few controls and a drawing that answers. Lecture: 00."""

from course_lib.widgets.explore import Explorer, Prediction, Quiz, quiz
from course_lib.widgets.sequences import check_table, explore_dtw, explore_query, explore_table, greedy_path
from course_lib.widgets.source import show_source
