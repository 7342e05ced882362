"""Columns of widely different scale under one lengthscale: the small one might as well not be there.

Lecture: 05, section 6.
"""

import numpy as np

from course_lib import validation
from course_lib.gp.kernels import Mahalanobis, Periodic, Stationary

WIDE_SCALE_RATIO = 30.0  # ratio of the greatest spread of a column to the least, from which on it is worth a word


class ScalesWarning(UserWarning):
    """One lengthscale stands for columns whose spreads differ many times over."""


def warn_of_scales(kernel, X, names=None, remedy=""):
    """A ScalesWarning if some part of the kernel has one lengthscale for columns of X (n, D) that differ widely.

    names : (D,) names of the columns, or None: their numbers;  remedy : a sentence on what else can be done
    """
    names = [f"column {k}" for k in range(X.shape[1])] if names is None else [repr(str(name)) for name in names]
    for columns in _under_one_lengthscale(kernel, np.arange(X.shape[1])):
        spread = X[:, columns].std(axis=0)
        varying = spread > 0
        if varying.sum() < 2 or spread.max() < WIDE_SCALE_RATIO * spread[varying].min():
            continue
        least, most = columns[np.where(varying, spread, np.inf).argmin()], columns[spread.argmax()]
        validation.warn(
            f"one lengthscale stands for {names[least]} (spread {X[:, least].std():.3g}) and {names[most]} (spread "
            f"{X[:, most].std():.3g}): {names[least]} hardly counts. Give a lengthscale for each column, such as "
            f"lengthscale={[float(f'{s:.2g}') for s in np.where(varying, spread, 1.0)]}, or standardise the columns."
            f"{remedy and ' '}{remedy}",
            ScalesWarning,
        )
        return


def _under_one_lengthscale(kernel, columns):
    """The columns, as arrays, that each stationary part of the kernel with a single lengthscale looks at."""
    columns = kernel._seen_columns(columns)
    if isinstance(kernel, Stationary) and not isinstance(kernel, (Mahalanobis, Periodic)):
        return [columns] if np.ndim(kernel.lengthscale) == 0 else []
    return [found for child in kernel.children for found in _under_one_lengthscale(child, columns)]
