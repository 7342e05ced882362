"""Explorers: a prediction, a few controls and a drawing that answers. Lecture: 00."""

from course_lib.widgets.asking import check_gain, check_tails, explore_asking, explore_improvement
from course_lib.widgets.bounded import (
    check_opinions,
    check_warped,
    explore_bounded_likelihood,
    explore_predictive,
)
from course_lib.widgets.explore import quiz
from course_lib.widgets.gaussians import check_ellipse, check_log_density, explore_covariance, explore_likelihood
from course_lib.widgets.gp import check_mean, check_told, explore_conditioning, explore_evidence, explore_prior
from course_lib.widgets.hmm import check_column, check_transitions, explore_decoding, explore_training, explore_trellis
from course_lib.widgets.inference import check_cavity, check_chance, check_site, explore_messages, explore_site
from course_lib.widgets.mixed import (
    check_confidence,
    check_scores,
    check_softness,
    explore_constraint,
    explore_level_set,
)
from course_lib.widgets.mixtures import check_responsibilities, check_update, explore_em, explore_floor
from course_lib.widgets.panel import check_divergence, check_measurement, check_widths, explore_panel
from course_lib.widgets.people import check_open, check_response, check_together, explore_places, explore_sharing
from course_lib.widgets.personal import PersonalizerApp
from course_lib.widgets.player import ABPlayer
from course_lib.widgets.preference import (
    check_choice,
    check_next_choice,
    check_tie,
    explore_gap,
    explore_greys,
    explore_marks,
)
from course_lib.widgets.raters import (
    check_combined,
    check_factor,
    check_rater_noise,
    explore_second_rater,
    explore_trust,
)
from course_lib.widgets.sequences import (
    check_moves,
    check_nearest,
    check_table,
    explore_dtw,
    explore_greedy,
    explore_query,
    explore_table,
)
from course_lib.widgets.source import show_source
from course_lib.widgets.tables import check_models, check_raters, explore_panel_size
