"""What is known of f before anybody answers, as a block of observations beside the answers. Lecture: 13, section 2."""

import numpy as np
from scipy.special import ndtri

from course_lib import validation
from course_lib.gp import Fixed, Gaussian, Probit, values

UNDECIDED_STRENGTH = ndtri(0.75)  # up to this |f|, yes and no are nearer to even than to certain
PSEUDO_ANSWERS = 5  # of each kind, where both are as likely


def soft_constraints(X, y, softness=0.2, floor=0.1):
    """f(x_i) ≈ y_i: a block of values with fixed noises σ_i = softness |y_i| + floor.

    It stands beside the answers: `LatentGP(…).fit([values(X1, y1, Probit()), soft_constraints(Xc, yc)])`. With
    inducing inputs, each row of X belongs among these: a value that they do not determine cannot be held.

    X : (n, D) where f is known, or (n,) if D = 1
    y : (n,) what f is there, such as Φ⁻¹ of the known probability of a yes
    softness : how far f may be off, as a share of |y|; 0 or more
    floor : how far it may be off where y is 0, > 0

    Source: Wu et al. (2025), sections 4.3 and 4.4; its σ = 0.2 y + 0.1 is no noise for y ≤ −0.5.
    """
    X, y = _located(X, y)
    softness, floor = validation.not_negative(softness, "softness"), validation.positive(floor, "floor")
    noise = Gaussian(softness * abs(y) + floor, groups=np.arange(len(y)))
    return values(X, y, noise.with_priors(noise_std=Fixed()))


def pseudo_answers(X, y, each=PSEUDO_ANSWERS):
    """The same knowledge as answers that nobody gave: the baseline that soft constraints are compared with.

    Where f is near 0 (the likelier answer has less than ¾), `each` of both kinds; elsewhere one of the likelier kind.

    Source: Wu et al. (2025), section 4.4.
    """
    X, y = _located(X, y)
    undecided = abs(y) < UNDECIDED_STRENGTH
    yes = np.where(undecided, validation.integer(each, "each"), y > 0)
    no = np.where(undecided, each, y < 0)
    return values(X, np.tile([1.0, -1.0], (len(X), 1)), Probit(), counts=np.column_stack([yes, no]).astype(int))


def _located(X, y):
    """X (n, D) and a finite y (n,) for each row."""
    X, y = validation.sequence(X, "X"), validation.real_array(y, "y")
    if y.shape != (len(X),):
        raise ValueError(f"X has {len(X)} rows and y has shape {y.shape}; one number for each row is needed.")
    return X, y
