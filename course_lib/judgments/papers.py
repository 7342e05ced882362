"""The kernels, starting values and priors with which the papers' models were learned (MAP-II).

Lecture: 10, section 6.
"""

import numpy as np
from scipy.linalg import toeplitz

from course_lib import validation
from course_lib.gp import Fixed, Flat, Gamma, HalfStudentT, Mahalanobis, SquaredExponential, WarpedGaussian

SCALE_OF_SQUARE = {"G": 100.0, "H": 10.0}  # of the half Student's t on λ = ℓ²
FIRST_SQUARE = {"G": 30.0, "H": 5.0}
BANDS = toeplitz([1.0, 0.5, 0.2, 0.0, 0.0])  # how the bands of an equaliser are believed to be related


class OfSquare:
    """A prior of x², as one of x."""

    def __init__(self, prior):
        self.prior = prior

    def log_density(self, value):
        """log p(x²) and its slope in x, for x (…,) > 0."""
        density, slope = self.prior.log_density(value**2)
        return density, 2.0 * value * slope

    def __repr__(self):
        return f"OfSquare({self.prior!r})"


class OfExcess:
    """A prior of x − offset, as one of x: the papers' prior of ν − 2. Below the offset it falls as it does above."""

    def __init__(self, prior, offset):
        self.prior, self.offset = prior, offset

    def log_density(self, value):
        """log p(x − offset) and its slope in x, for x (…,)."""
        return self.prior.log_density(value - self.offset)

    def __repr__(self):
        return f"OfExcess({self.prior!r}, {self.offset:g})"


def paper_settings(paper, n_features=1, response="degree"):
    """Keyword arguments of a model as in a paper: `PreferenceGP(**paper_settings("A"))`, `BoundedGP` for "F".

    "A" (Jensen et al., 2011): σ = 1, σ_f and ℓ free, ν ~ Gamma(1, rate 0.05); its k = σ_f² exp(−d²/l²) with l = 1,
        so ℓ = 1/√2.
    "C" (Nielsen et al., 2012): choices; σ_f = 1 fixed, half Student's t of 4 degrees on ℓ, σ free.
    "F" (Nielsen, Jensen, Hansen & Larsen, 2013): marks on a warped scale, five bands whose settings are related; its
        k = σ_s exp(−d²/σ_ℓ) with σ_ℓ = 1, so ℓ = 1/√2 again, and all parameters free.
    "H" (Nielsen, Nielsen & Larsen, 2015): σ_f² = 4 fixed (the paper's σ_f is a variance), half Student's t of 6
        degrees on λ = ℓ², σ and ν − 2, for the study of two settings.
    "G" (Nielsen, Jensen, Nielsen & Larsen, 2013): the same with a wider prior on λ, for four settings.

    paper : "A", "C", "F", "G" or "H";  n_features : D, one lengthscale for each (G, H)
    response : "degree" or "choice" (A, G, H)

    Source: Jensen et al. (2011), table 1; Nielsen et al. (2012), section 3.2; Nielsen, Jensen, Hansen & Larsen
    (2013), eqs. 1–4; Nielsen, Nielsen & Larsen (2015), eqs. 23–28 and 30–35.
    """
    validation.one_of(paper, ("A", "C", "F", "G", "H"), "paper")
    validation.one_of(response, ("degree", "choice"), "response")
    if paper == "F":
        kernel = Mahalanobis(1.0, 1.0 / np.sqrt(2.0), correlation=BANDS)
        return {"kernel": kernel, "likelihood": WarpedGaussian(1.0)}
    if paper == "C":
        kernel = SquaredExponential(1.0, 1.0).with_priors(variance=Fixed(), lengthscale=HalfStudentT(6.0, 4.0))
        return {"kernel": kernel, "response": "choice", "noise_std": 1.0, "noise_prior": Flat()}
    if paper == "A":
        kernel = SquaredExponential(1.0, 1.0 / np.sqrt(2.0))
        return {
            "kernel": kernel,
            "response": response,
            "noise_std": 1.0,
            "precision": 10.0,
            "precision_prior": Gamma(1.0, 0.05),
        }
    lengthscale = np.full(validation.whole(n_features, "n_features"), np.sqrt(FIRST_SQUARE[paper]))
    squares = OfSquare(HalfStudentT(SCALE_OF_SQUARE[paper], 6.0))
    kernel = SquaredExponential(4.0, lengthscale).with_priors(variance=Fixed(), lengthscale=squares)
    return {
        "kernel": kernel,
        "response": response,
        "noise_std": np.e,
        "noise_prior": HalfStudentT(10.0, 6.0),
        "precision": 2.0 + np.e,
        "precision_prior": OfExcess(HalfStudentT(10.0, 6.0), 2.0),
    }
