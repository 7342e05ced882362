"""Act I: sequences are compared (dynamic time warping), then described by densities and states. Lecture: 01."""

from course_lib.sequences.baum_welch import left_to_right
from course_lib.sequences.covariances import Mixture
from course_lib.sequences.density_hmm import GaussianMixtureHMM
from course_lib.sequences.discrete_hmm import DiscreteHMM
from course_lib.sequences.gaussian import Gaussian, fit_gaussian, fit_gaussians, log_density
from course_lib.sequences.hmm import ImpossibleSequenceWarning, Trellis, trellis
from course_lib.sequences.local import local_distances
from course_lib.sequences.mixture import GaussianMixture
from course_lib.sequences.recognizers import (
    BagOfFrames,
    ModelPerWord,
    TimeNormalized,
    VectorQuantizer,
)
from course_lib.sequences.recursions import (
    Decoding,
    backward,
    expected_transitions,
    forward,
    posteriors,
    scaled_forward,
    viterbi,
)
from course_lib.sequences.steps import (
    ASYMMETRIC,
    ASYMMETRIC_P0,
    ASYMMETRIC_P05,
    ASYMMETRIC_P1,
    ASYMMETRIC_P2,
    ITAKURA,
    STEP_PATTERNS,
    SYMMETRIC1,
    SYMMETRIC2,
    SYMMETRIC_P05,
    SYMMETRIC_P1,
    SYMMETRIC_P2,
    StepPattern,
    warping_paths,
)
from course_lib.sequences.sufficient_statistics import NormalInverseWishart
from course_lib.sequences.templates import TemplateRecognizer, barycenter_average, medoid, time_normalize
from course_lib.sequences.warping import Alignment, align, dtw
from course_lib.sequences.warping_tables import dtw_distance, dtw_distances
from course_lib.sequences.windows import ItakuraParallelogram, SakoeChiba, allowed_cells

__all__ = [
    "ASYMMETRIC", "ASYMMETRIC_P0", "ASYMMETRIC_P05", "ASYMMETRIC_P1", "ASYMMETRIC_P2", "ITAKURA", "STEP_PATTERNS",
    "SYMMETRIC1", "SYMMETRIC2", "SYMMETRIC_P05", "SYMMETRIC_P1", "SYMMETRIC_P2", "Alignment", "BagOfFrames",
    "Decoding", "DiscreteHMM", "Gaussian", "GaussianMixture", "GaussianMixtureHMM", "ImpossibleSequenceWarning",
    "ItakuraParallelogram", "Mixture", "ModelPerWord", "NormalInverseWishart", "SakoeChiba", "StepPattern",
    "TemplateRecognizer", "TimeNormalized", "Trellis", "VectorQuantizer", "align", "allowed_cells", "backward",
    "barycenter_average", "dtw", "dtw_distance", "dtw_distances", "expected_transitions", "fit_gaussian",
    "fit_gaussians", "forward", "left_to_right", "local_distances", "log_density", "medoid", "posteriors",
    "scaled_forward", "time_normalize", "trellis", "viterbi", "warping_paths",
]  # fmt: skip
