"""Reference of task 5, vote."""

import numpy as np

SEED = 105
TIE = 1e-6


def standing(row, labels, k):
    """The k nearest templates, and (votes, total distance) of each of their labels; None if two are as far."""
    order = sorted(range(len(row)), key=lambda template: row[template])
    if k < len(row) and row[order[k]] - row[order[k - 1]] < TIE:
        return None  # ambiguous
    found = {}
    for template in order[:k]:
        count, total = found.get(int(labels[template]), (0, 0.0))
        found[int(labels[template])] = (count + 1, total + row[template])
    return order[:k], found


def answer(distances, labels, k, min_votes):
    """None if a recording's votes and total distances leave the winner open."""
    winners = []
    for row in distances:
        votes = standing(row, labels, k)
        ranked = sorted((-count, total, label) for label, (count, total) in votes[1].items()) if votes else []
        open_tie = len(ranked) > 1 and ranked[0][0] == ranked[1][0] and ranked[1][1] - ranked[0][1] < TIE
        if votes is None or open_tie:
            return None  # ambiguous
        winners.append(ranked[0][2] if -ranked[0][0] >= min_votes else -1)
    return np.array(winners)


def way(distances, labels, k, min_votes):
    """Who votes for what in the first recording."""
    voters, found = standing(distances[0], labels, k)
    yield "the first recording's nearest templates are", np.array(voters)
    yield "their labels are", labels[voters]
    for label, (count, total) in found.items():
        yield f"label {label} has votes and total distance", np.array([count, total])
