"""Act III: what people say about things: bounded answers, several raters. Lecture: 07, 08, 09."""

from course_lib.judgments.annotators import AnnotatorGP, Trust
from course_lib.judgments.bounded import BoundedGP
from course_lib.judgments.noise import RaterNoise, SharedLevel
from course_lib.judgments.observers import ObserverGP
from course_lib.judgments.panel import MultiSampleGP, RepeatedGP, answer_table
from course_lib.judgments.raters import FirstExperiment, first_experiment, simulate_raters
from course_lib.judgments.regions import Regions, find_regions
from course_lib.judgments.simulated import TRUE_NOISE, Simulated, best_fit, simulate, toy_marks
