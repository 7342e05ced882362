"""The one-dimensional example of Gil González et al. (2019): three raters, whose noise differs by region or not.

Lecture: 09, sections 4 and 5.
"""

from typing import NamedTuple

import numpy as np

from course_lib import validation
from course_lib.judgments.simulated_raters import simulate_raters
from course_lib.kinds import Rng

HOMOGENEOUS = np.sqrt([0.25, 0.5, 0.75])
BY_REGION = np.sqrt([[0.0, 0.65, 1.0], [0.25, 0.0, 0.75], [0.1, 0.75, 0.0]])


class FirstExperiment(NamedTuple):
    """X (60, 1), z (60,), Y (60, 3), regions (60,) of the training items; X_test (600, 1), z_test (600,)."""

    X: np.ndarray
    z: np.ndarray
    Y: np.ndarray
    regions: np.ndarray
    X_test: np.ndarray
    z_test: np.ndarray


def first_experiment(rng: Rng, by_region: bool = True) -> FirstExperiment:
    """The paper's one-dimensional example: z = sin(2πx) sin(6πx) at 60 random x, three raters, three thirds of [0, 1].

    A row of Λ is a region, a column a rater. Its elements are variances, as the paper says; so are those of τ here,
    where the paper leaves open whether τ or τ² is meant.

    Source: Gil González et al. (2019), section 4.
    """
    rng, by_region = validation.generator(rng), validation.flag(by_region, "by_region")
    x, x_test = np.sort(rng.uniform(size=60)), np.linspace(0, 1, 600)
    regions = np.minimum((3 * x).astype(int), 2)
    z, z_test = (np.sin(2 * np.pi * t) * np.sin(6 * np.pi * t) for t in (x, x_test))
    noise, parts = (BY_REGION, regions) if by_region else (HOMOGENEOUS, None)
    return FirstExperiment(x[:, None], z, simulate_raters(z, noise, rng, parts), regions, x_test[:, None], z_test)
