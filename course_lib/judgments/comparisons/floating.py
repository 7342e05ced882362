"""Items tied to the others by neither comparisons nor the kernel. Lecture: 10, section 4."""

import numpy as np
from scipy.sparse import coo_array, csr_array
from scipy.sparse.csgraph import connected_components

from course_lib import validation
from course_lib.gp.items import distinct_rows

MAX_FLOATING_SEARCH = 2000  # items beyond which looking for floating ones takes longer than learning
LOOSE_CORRELATION = 0.1  # of the prior, below which the kernel says next to nothing of one item from another


class FloatingItemsWarning(UserWarning):
    """Some items hang on the others by neither comparisons nor the kernel; looked for among up to 2000 items.

    There is none while there are fewer comparisons than it takes to tie the items together, as when an interview
    begins. A study names the items, of ratings and of designs too.
    """


def warn_of_floating(block, kernel):
    """Warn of items that neither comparisons, even indirect ones, nor the kernel connect with the others."""
    seen, ends = np.unique([block.views.minus, block.views.plus], return_inverse=True)
    X, item = distinct_rows(block.X[seen])
    links = coo_array((np.ones(len(block.views)), item[ends.reshape(2, -1)]), shape=(len(X), len(X))).tocsr()
    if not 2 <= len(X) <= MAX_FLOATING_SEARCH or len(block.views) < len(X) - 1:
        return
    if connected_components(links, directed=False)[0] == 1:
        return
    group, correlation = hanging_together(links, kernel(X))
    if group.any():
        few = group == np.bincount(group).argmin()
        named = seen[few[item]]
        tie = correlation[few][:, ~few].max()
        validation.warn(
            f"items {named[:5].tolist()}{' …' if len(named) > 5 else ''} were never compared with the others, not "
            f"even indirectly, and the kernel hardly connects them (correlation at most {tie:.2f}): "
            "the answers say little about their differences from the others.",
            FloatingItemsWarning,
        )


def hanging_together(links, K):
    """((n,) group of each item, (n, n) correlations) of items that links (n, n), sparse, or a covariance K tie."""
    known = 1e-12 * K.diagonal().max()
    K = np.abs(K - max(0.0, K.min()))  # a level that all share ties no two of them
    size = np.sqrt(K.diagonal())
    scale = np.outer(size, size)
    correlation = np.where(scale > known, K / np.maximum(scale, known), 1.0)  # what cannot vary is known
    return connected_components(links + csr_array(correlation > LOOSE_CORRELATION), directed=False)[1], correlation
