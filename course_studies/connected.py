"""Whether answers tie all that is compared together, or leave groups that nobody compared with each other.

Lecture: 14, section 2.
"""

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from course_lib import validation
from course_lib.judgments.comparisons.floating import MAX_FLOATING_SEARCH, FloatingItemsWarning, hanging_together
from course_studies.columns import listed


def warn_of_floating(table, layout=None, kernel=None, X=None):
    """Say, by name, what of a table hangs on the rest neither by answers, through third ones too, nor by features.

    Items of pairs hang together if somebody compared them, items of ratings if somebody rated both. Where nobody rated
    two of them, only people were ever compared, and nothing is said.

    layout : of a design, whose levels are compared;  kernel, X : of items with features, the model's and its inputs
    """
    names, level = (table.items, np.arange(len(table.items))) if layout is None else (layout.levels, layout.level)
    pairs = hasattr(table, "pairs")
    n, ends = len(names), level[table.pairs].T if pairs else (level[table.item], len(names) + table.rater)
    nodes = n if pairs else n + len(table.raters)
    links = coo_array((np.ones(len(table)), ends), shape=(nodes, nodes)).tocsr()
    if not pairs and (links[:n] > 0).sum(axis=0).max() < 2:
        return
    links = links + links.T if pairs else links[:n, n:] @ links[:n, n:].T
    seen = np.flatnonzero(links.sum(axis=1))
    links, names = links[seen][:, seen], names[seen]
    group = connected_components(links, directed=False)[1]
    tied = group.any() and table.features is not None and len(names) <= MAX_FLOATING_SEARCH
    group = hanging_together(links, kernel(X[seen]))[0] if tied else group
    if not group.any():
        return
    few = names[group == np.bincount(group).argmin()]
    many = f" (there are {group.max() + 1} such groups)" if group.max() > 1 else ""
    what = "compared with the others" if pairs else "rated by anybody who rated one of the others"
    so = "" if pairs else ", as raters differ too"
    validation.warn(
        f"{names.name or 'item'} {listed(few)}: never {what}, not even through third ones{many}"
        f"{', and features hardly tie them' if tied else ''}: the answers say little of differences to those{so}.",
        FloatingItemsWarning,
    )
