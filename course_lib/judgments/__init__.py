"""Act III: what people say about things, and what to ask them. Lecture: 07, 08, 09, 10, 11, 12, 13."""

from course_lib.judgments.asking.acquisition import (
    bald,
    expected_best,
    expected_improvement,
    straddle,
    thompson,
    upper_confidence_bound,
)
from course_lib.judgments.asking.listeners import Listener
from course_lib.judgments.comparisons.floating import FloatingItemsWarning
from course_lib.judgments.comparisons.likelihoods import Comparison, ProbitWithTies
from course_lib.judgments.comparisons.pairs import all_pairs, random_pairs
from course_lib.judgments.comparisons.people import person_pairs
from course_lib.judgments.comparisons.preference import PreferenceGP, Shares
from course_lib.judgments.comparisons.pseudo_inputs import pseudo_input_laplace
from course_lib.judgments.marks.beta_regression import BetaFits, fit_beta
from course_lib.judgments.marks.bounded import BoundedGP
from course_lib.judgments.panels.answers import LongTableWarning, answer_table
from course_lib.judgments.panels.bounded_raters import BoundedRaterGP
from course_lib.judgments.panels.likelihoods import HierarchicalScalePrior, RaterGain, RaterNoise
from course_lib.judgments.panels.multisample import MultiSampleGP, RepeatedGP
from course_lib.judgments.panels.ordinal_raters import OrdinalRaterGP
from course_lib.judgments.panels.raters import RaterGP, Trust
from course_lib.judgments.panels.regions import find_regions
from course_lib.judgments.simulated_raters import simulate_raters

__all__ = [
    "BetaFits", "BoundedGP", "BoundedRaterGP", "Comparison", "FloatingItemsWarning", "HierarchicalScalePrior",
    "Listener", "LongTableWarning", "MultiSampleGP", "OrdinalRaterGP", "PreferenceGP", "ProbitWithTies", "RaterGP",
    "RaterGain", "RaterNoise", "RepeatedGP", "Shares", "Trust", "all_pairs", "answer_table", "bald", "expected_best",
    "expected_improvement", "find_regions", "fit_beta", "person_pairs", "pseudo_input_laplace", "random_pairs",
    "simulate_raters", "straddle", "thompson", "upper_confidence_bound",
]  # fmt: skip
