"""Slow and obvious answers, to hold the library against."""

import numpy as np


def all_paths(step_pattern, x_frames, y_frames, begin=(0, 0)):
    """Every warping path from `begin` to the last cell, as [(i, j, m), …]; the first cell weighs 1."""

    def extend(path):
        i, j, _ = path[-1]
        if (i, j) == (x_frames - 1, y_frames - 1):
            yield path
        for move in step_pattern.moves:
            cells, at = [], (i, j)
            for dx, dy, weight in move:
                at = (at[0] + dx, at[1] + dy)
                cells.append((*at, weight))
            if at[0] < x_frames and at[1] < y_frames:
                yield from extend(path + cells)

    yield from extend([(*begin, 1.0)])


def path_cost(path, cost):
    return sum(m * cost[i, j] for i, j, m in path)


def cheapest_path(step_pattern, cost, begins=((0, 0),), ends=None):
    """(least total distance, its path) by enumeration; (inf, None) where there is no path."""
    ends = [cost.shape[1] - 1] if ends is None else ends
    best = (np.inf, None)
    for begin in begins:
        for end in ends:
            for path in all_paths(step_pattern, cost.shape[0], end + 1, begin):
                best = min(best, (path_cost(path, cost), path), key=lambda pair: pair[0])
    return best
