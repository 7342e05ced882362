"""Local distances d(i, j): how different frame i of x and frame j of y are. Lecture: 01, section 2."""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.spatial.distance import cdist

from course_lib import validation

LOCAL_DISTANCES = ("euclidean", "squared", "cosine", "gaussian")
TOO_LARGE = "The distances are too large for a computer's numbers; scale x and y down first."


def local_distances(x: ArrayLike, y: ArrayLike, distance: str | Callable = "euclidean") -> NDArray:
    """Table of local distances between all frames of x and all frames of y.

    x, y : (T_x, D) and (T_y, D), or one-dimensional for D = 1
    distance : str or callable
        "euclidean" ‖u − v‖, "squared" ‖u − v‖², "cosine" 1 − cos∠(u, v), "gaussian" −log N(u; v, I) =
        ½‖u − v‖² + (D/2) log 2π, or a function of two frames (D,), (D,) → number.
    Returns (T_x, T_y) array, in the unit of the local distance.

    Source: TTIC 31110 slides (2020), d(φ_x, φ_y) and "Using the density of the test frame … as the distance function",
    corrected to minus its logarithm.

    >>> from course_lib.sequences import local_distances
    >>> local_distances([0, 1], [0, 2, 3])
    array([[0., 2., 3.],
           [1., 1., 2.]])
    """
    x, y = validation.sequence(x, "x"), validation.sequence(y, "y")
    validation.same_features(x, y, "x", "y")
    if callable(distance):
        return _frame_by_frame(x, y, distance)
    validation.one_of(distance, LOCAL_DISTANCES, "distance")
    if distance == "cosine":
        x, y = unit_frames(x, "x"), unit_frames(y, "y")
        return cdist(x, y, "sqeuclidean") / 2
    if distance == "gaussian":
        return finite(cdist(x, y, "sqeuclidean") / 2 + x.shape[1] / 2 * np.log(2 * np.pi))
    return finite(cdist(x, y, "sqeuclidean" if distance == "squared" else "euclidean"))


def finite(distances):
    """The distances (or differences) themselves, one or a table of them, if none has overflowed."""
    if not np.isfinite(distances).all():
        raise ValueError(TOO_LARGE)
    return distances


def unit_frames(x, name):
    """The frames of x scaled to length 1: then ½‖u − v‖² = 1 − cos∠(u, v)."""
    with np.errstate(over="ignore"):
        norms = finite(np.linalg.norm(x, axis=1, keepdims=True))
    if not norms.all():
        raise ValueError(
            f"{name}[{int(norms.argmin())}] is a frame of zeros, which has no angle to any other; "
            "use another local distance or leave such frames out."
        )
    return x / norms


def _frame_by_frame(x, y, distance):
    table = np.array([[distance(u, v) for v in y] for u in x])
    if table.shape != (len(x), len(y)) or table.dtype.kind not in "biuf" or not np.isfinite(table).all():
        raise ValueError(
            f"distance={getattr(distance, '__name__', distance)!r} must return one finite real number for two frames; "
            f"the table it gave has shape {table.shape} and dtype {table.dtype}."
        )
    return table.astype(float)
