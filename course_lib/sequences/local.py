"""Local distances d(i, j): how different frame i of x and frame j of y are.

Lecture: 01, section 2.
"""

import numpy as np
from scipy.spatial.distance import cdist

from course_lib import validation

LOCAL_DISTANCES = ("euclidean", "squared", "manhattan", "cosine", "gaussian")


def local_distances(x, y, distance="euclidean"):
    """Table of local distances between all frames of x and all frames of y.

    Parameters
    ----------
    x, y : (T_x, D) and (T_y, D), or one-dimensional for D = 1
    distance : str or callable
        "euclidean" ‖u − v‖, "squared" ‖u − v‖², "manhattan" Σ|u − v|, "cosine" 1 − cos∠(u, v),
        "gaussian" −log N(u; v, I) = ½‖u − v‖² + (D/2) log 2π, or a function of two frames (D,), (D,) → number.

    Returns
    -------
    (T_x, T_y) array, in the unit of the local distance.

    Raises
    ------
    ValueError
        For empty, complex or non-finite sequences, different D, a frame of zeros with "cosine", an unknown name,
        or a function that does not return a finite real number.

    Source: slides 004, d(φ_x, φ_y) and "Use the density …" (as corrected: −log density). Lecture: 01, section 2.
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
        return cdist(x, y, "sqeuclidean") / 2 + x.shape[1] / 2 * np.log(2 * np.pi)
    return cdist(x, y, {"squared": "sqeuclidean", "manhattan": "cityblock"}.get(distance, distance))


def unit_frames(x, name):
    """The frames of x scaled to length 1: then ½‖u − v‖² = 1 − cos∠(u, v).

    Raises
    ------
    ValueError
        If a frame is all zeros: it has no direction.

    Lecture: 01, section 2.
    """
    norms = np.linalg.norm(x, axis=1, keepdims=True)
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
