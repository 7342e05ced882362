"""The kernel, starting values and priors with which a paper's models were learned (MAP-II). Lecture: 10, section 6."""

import numpy as np

from course_lib import validation
from course_lib.gp import Gamma, SquaredExponential


def paper_settings(paper="A", response="degree"):
    """Keyword arguments of a model as in Jensen et al. (2011), paper "A": `PreferenceGP(**paper_settings("A"))`.

    σ = 1, σ_f and ℓ free, ν ~ Gamma(1, rate 0.05); its k = σ_f² exp(−d²/l²) with l = 1, so ℓ = 1/√2.

    response : "degree" or "choice"

    Source: Jensen et al. (2011), table 1.
    """
    validation.one_of(paper, ("A",), "paper")
    return {
        "kernel": SquaredExponential(1.0, 1.0 / np.sqrt(2.0)),
        "response": validation.one_of(response, ("degree", "choice"), "response"),
        "noise_std": 1.0,
        "precision": 10.0,
        "precision_prior": Gamma(1.0, 0.05),
    }
