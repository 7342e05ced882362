"""Act III: what people say about things: bounded answers, several raters. Lecture: 07, 08, 09, 10, 11."""

from course_lib.judgments.annotators import AnnotatorGP, Trust
from course_lib.judgments.baselines import BradleyTerry, DifferenceLogit
from course_lib.judgments.bounded import BoundedGP
from course_lib.judgments.comparison import Compared, Tied
from course_lib.judgments.noise import RaterNoise, SharedLevel
from course_lib.judgments.observers import ObserverGP
from course_lib.judgments.panel import MultiSampleGP, RepeatedGP, answer_table
from course_lib.judgments.paper_settings import paper_settings
from course_lib.judgments.people import asked
from course_lib.judgments.preference import FloatingItemsWarning, PreferenceGP, Ranking
from course_lib.judgments.pseudo_choices import pseudo_laplace
from course_lib.judgments.raters import FirstExperiment, first_experiment, simulate_raters
from course_lib.judgments.regions import find_regions
from course_lib.judgments.simulated import TRUE_NOISE, Simulated, best_fit, simulate, toy_marks
from course_lib.judgments.simulated_choices import all_pairs, griewangk, random_pairs, simulate_degrees
