"""Problems with a known answer: which stimuli are told apart three times in four, or less often?

Lecture: 13, sections 2 and 3.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
from scipy.special import expit, ndtr, ndtri

from course_lib import validation
from course_personaliser.spaces import SettingSpace

PROBABILITY = 0.75  # of a yes: half way from guessing between two to certainty
SUREST = 0.999  # no constraint asks for more
THRESHOLD = float(ndtri(PROBABILITY))  # what f = Φ⁻¹(P(yes)) must not exceed
ON_EACH_FACE = 5
W = np.array(
    [
        [0.00345447, -0.00344695, -0.00144475],
        [-0.00344695, 0.00556409, 0.00252343],
        [-0.00144475, 0.00252343, 0.00466492],
    ]
)


@dataclass(frozen=True, eq=False)
class LevelSetProblem:
    """A simulated observer, a space of stimuli, and what is known of the observer beforehand.

    space : SettingSpace of the stimuli;  probability : stimuli (q, d) → (q,) P(yes)
    known : rng → (n, d) places at which that probability is known

    The set that is sought is P(yes) ≤ ¾, for a model with p(yes | f) = Φ(f): f ≤ THRESHOLD = 0.674.
    """

    name: str
    space: SettingSpace
    probability: Callable
    known: Callable

    def inside(self, X):
        """(q,) bools: whether stimuli X (q, d) belong to the set."""
        return self.probability(self._rows(X)) <= PROBABILITY

    def to_cube(self, X):
        """Stimuli (q, d) as points of [−1, 1]^d, the cube in which models work. ValueError if one lies outside."""
        return 2.0 * self.space.to_unit(X, "X") - 1.0

    def from_cube(self, points):
        """The stimuli of points of [−1, 1]^d, (q, d) or one (d,)."""
        return self.space.from_unit(0.5 + 0.5 * np.asarray(points))

    def answer(self, x, rng=None):
        """Answers +1 (yes) or −1 to stimuli (q, d), or to one (d,)."""
        p = self.probability(self._rows(np.atleast_2d(x)))
        said = np.where(validation.generator(rng).random(len(p)) < p, 1.0, -1.0)
        return said if np.ndim(x) == 2 else said[0]

    def constraints(self, rng=None):
        """(X, y): places (n, d), and what f is there: Φ⁻¹(P(yes)), with P(yes) cut off at 0.999."""
        X = self.known(validation.generator(rng))
        return X, ndtri(np.minimum(self.probability(X), SUREST))

    def _rows(self, X):
        return validation.matrix(X, "x", (len(X), self.space.d))


def norm_ball(d=2):
    """P(yes) = Φ(2 ‖x‖) on [−1, 1]^d; known: the centre, and five places on each of the 2 d faces.

    Source: Wu et al. (2025), appendix A.1.
    """
    space = SettingSpace([(-1.0, 1.0)] * validation.integer(d, "d"))
    faces = [(k, end) for k in range(d) for end in (-1.0, 1.0)]
    return LevelSetProblem(f"norm ball, {d}-D", space, _ball, partial(_centre_and_faces, space, faces))


def discrimination():
    """P(yes) = Φ(f) on [−1, 1]², where f = 0 along x₂ = −1 and grows to 40 along x₂ = 1; ten places on each are known.

    A constraint f ≈ 40 ± 8 would say nothing about a yes that it does not say at 3, and no kernel of the others'
    scale could follow: like all constraints, these end at Φ⁻¹(0.999) = 3.09. Wu et al. take f itself.

    Source: Letham et al. (2022); Wu et al. (2025), appendix A.1.
    """
    space = SettingSpace([(-1.0, 1.0)] * 2)
    return LevelSetProblem("discrimination, 2-D", space, _discrimination, partial(_two_sides, space))


def ellipsoid():
    """P(yes) = 1/(1 + exp(−xᵀWx)): how displaced cameras are noticed, as fitted to 900 answers of people.

    x : difference of the cameras' distance to that of the eyes, −30 … 50 mm; distance in front of the eyes,
    0 … 60 mm; delay, 0 … 75 ms. The set is 1.6 % of the domain. Known: the origin, and five places on each of the four
    faces where every difference is seen. The observer's link is the logistic one, that of the models Φ.

    Source: Wu et al. (2025), section 4.5 and appendix A.1.
    """
    names, units = ("eye distance", "eye relief", "delay"), ("mm", "mm", "ms")
    space = SettingSpace([(-30.0, 50.0), (0.0, 60.0), (0.0, 75.0)], names=list(names), units=list(units))
    faces = [(0, -30.0), (0, 50.0), (1, 60.0), (2, 75.0)]
    return LevelSetProblem("ellipsoid, 3-D", space, _ellipsoid, partial(_centre_and_faces, space, faces))


def _ball(X):
    return ndtr(2.0 * np.linalg.norm(X, axis=1))


def _discrimination(X):
    x, height = X.T
    return ndtr((1.0 + height) / (0.05 + 0.4 * x**2 * (0.2 * x - 1.0) ** 2))


def _ellipsoid(X):
    return expit(np.einsum("qi,ij,qj->q", X, W, X))


def _centre_and_faces(space, faces, rng):
    """The origin, and Sobol points on each face (axis, where it stands on that axis)."""
    places = [np.zeros((1, space.d))]
    for axis, end in faces:
        on_face = space.spread(ON_EACH_FACE, rng)
        on_face[:, axis] = end
        places.append(on_face)
    return np.concatenate(places)


def _two_sides(space, rng):
    """Ten places where nothing, and ten where everything is told apart."""
    X = np.concatenate([space.spread(10, rng), space.spread(10, rng)])
    X[:, 1] = np.repeat([-1.0, 1.0], 10)
    return X
