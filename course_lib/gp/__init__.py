"""Act II: one latent function, scalar views of it, Gaussian sites: the Gaussian-process engine. Lecture: 05."""

from course_lib.gp.coregionalization import Coregionalization
from course_lib.gp.inducing import InducingPrior, inducing_inputs
from course_lib.gp.inference.ep import expectation_propagation
from course_lib.gp.inference.exact import exact_inference
from course_lib.gp.inference.laplace import laplace_approximation
from course_lib.gp.inference.sparse import fitc
from course_lib.gp.inference.variational import variational_inference
from course_lib.gp.kernel_algebra import Constant, Kernel, OnColumns, Product, Sum
from course_lib.gp.kernel_prior import KernelPrior, Prior
from course_lib.gp.kernels import (
    Linear,
    Mahalanobis,
    Matern32,
    Periodic,
    SquaredExponential,
    White,
)
from course_lib.gp.latent import LatentGP
from course_lib.gp.likelihoods import (
    Beta,
    CensoredGaussian,
    Gaussian,
    Likelihood,
    Logit,
    Ordinal,
    Probit,
    Rounded,
    StudentT,
    TruncatedGaussian,
    WarpedGaussian,
    squeeze,
)
from course_lib.gp.model import LatentModel
from course_lib.gp.observations import Block, ObservationMatrix, Observations, differences, stack, values
from course_lib.gp.priors import Fixed, Flat, Gamma, HalfStudentT, LogNormal, Normal, SmoothBox
from course_lib.gp.questions import Ranking
from course_lib.gp.regression import GPRegression
from course_lib.gp.sites import JitterWarning

__all__ = [
    "Beta", "Block", "CensoredGaussian", "Constant", "Coregionalization", "Fixed", "Flat", "GPRegression", "Gamma",
    "Gaussian", "HalfStudentT", "InducingPrior", "JitterWarning", "Kernel", "KernelPrior", "LatentGP", "LatentModel",
    "Likelihood", "Linear", "LogNormal", "Logit", "Mahalanobis", "Matern32", "Normal", "ObservationMatrix",
    "Observations", "OnColumns", "Ordinal", "Periodic", "Prior", "Probit", "Product", "Ranking", "Rounded",
    "SmoothBox", "SquaredExponential", "StudentT", "Sum", "TruncatedGaussian", "WarpedGaussian", "White",
    "differences", "exact_inference", "expectation_propagation", "fitc", "inducing_inputs", "laplace_approximation",
    "squeeze", "stack", "values", "variational_inference",
]  # fmt: skip
