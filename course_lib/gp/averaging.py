"""Hyper-parameters that are averaged over, and not plugged in: what few answers leave open of them widens intervals.

Lecture: 09, section 7.
"""

import numpy as np

from course_lib import validation

STEP = 0.05  # in a logarithm, for the curvature
REACH = 1.5  # standard deviation of a logarithm of which the answers say nothing


class Drawn:
    """θ drawn round the maximum of the evidence by Laplace's Gaussian; `shares` then weighs them by the evidence.

    The average is over the parameters themselves, not their logarithms, with their priors, flat where there is none:
    so the density of a logarithm has the parameter as a factor. Draws come in pairs, opposite each other.

    Parameters
    ----------
    hyper : Hyperparameters at the maximum;  gradient_at : θ → gradient (P,) of log evidence and log prior
    size : how many, even;  rng : numpy Generator or seed

    Attributes
    ----------
    theta : (size, P)

    Source: Rasmussen & Williams (2006), section 5.2, for the integral; Bishop (2006), section 11.1.4, for the weights.
    Lecture: 09, section 7.
    """

    def __init__(self, hyper, gradient_at, size, rng):
        half, P = validation.whole(size, "size", least=2) // 2, len(hyper.theta)
        self.top, self.logs = hyper.theta, hyper.are_logarithms.astype(float)
        root, direction = _axes(gradient_at, self.top)
        centre = self.top + direction / root**2 @ (direction.T @ self.logs)
        noise = validation.generator(rng).normal(size=(half, P))
        apart = noise / root @ direction.T
        self.theta = np.concatenate([centre + apart, centre - apart])
        self._log_drawn = -0.5 * np.tile((noise**2).sum(axis=1), 2)

    def shares(self, heights):
        """(size,) shares of the draws in the average, from their log evidence and log prior (size,); −inf is none.

        Lecture: 09, section 7.
        """
        apart = self.theta - self.top
        wanted = heights + apart @ self.logs - 0.5 * (apart**2).sum(axis=1) / REACH**2
        weights = np.exp(wanted - self._log_drawn - np.max(wanted - self._log_drawn))
        return weights / weights.sum()


def laplace_covariance(gradient_at, theta):
    """(P, P) covariance of Laplace's Gaussian of θ, which `Drawn` draws from.

    Parameters
    ----------
    gradient_at : θ → gradient (P,) of log evidence and log prior;  theta : (P,) where they are greatest

    Source: Rasmussen & Williams (2006), section 5.2. Lecture: 09, section 7.
    """
    root, direction = _axes(gradient_at, theta)
    return direction / root**2 @ direction.T


def _axes(gradient_at, theta):
    """(P,) inverse standard deviations along the axes of Laplace's Gaussian, and these (P, P), in columns."""
    curvature, direction = np.linalg.eigh(_curvature(gradient_at, theta))
    return np.sqrt(np.maximum(curvature, 0.0) + REACH**-2.0), direction


def _curvature(gradient_at, theta):
    """(P, P) minus the second derivatives, by central differences of the gradient."""
    steps = STEP * np.eye(len(theta))
    slopes = [(gradient_at(theta - step) - gradient_at(theta + step)) / (2.0 * STEP) for step in steps]
    slopes = np.reshape(slopes, (len(theta), len(theta)))
    return 0.5 * (slopes + slopes.T)


def mixed_moments(shares, parts, covariances):
    """Mean (q,), and standard deviation (q,) or covariance (q, q), of a mixture of Gaussians.

    Parameters
    ----------
    shares : (S,);  parts : S pairs of a mean (q,) and a standard deviation (q,) or covariance (q, q)
    covariances : which of the two

    Lecture: 09, section 7.
    """
    means, spreads = map(np.array, zip(*parts, strict=True))
    mean = shares @ means
    apart = means - mean
    if covariances:
        return mean, np.tensordot(shares, spreads, 1) + apart.T * shares @ apart
    return mean, np.sqrt(shares @ (spreads**2 + apart**2))
