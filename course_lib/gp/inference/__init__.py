"""Rules that choose a Gaussian site for each answer: exactly, or by an approximation. Lecture: 06."""

from course_lib.gp.inference.ep import expectation_propagation
from course_lib.gp.inference.exact import exact_inference
from course_lib.gp.inference.laplace import laplace_highest
from course_lib.gp.inference.sparse import fitc
from course_lib.gp.inference.variational import variational_inference

INFERENCE_RULES = {
    "exact": exact_inference,
    "laplace": laplace_highest,
    "ep": expectation_propagation,
    "variational": variational_inference,
    "fitc": fitc,
}
SPARSE_RULES = ("variational", "fitc")  # those that know inducing inputs
