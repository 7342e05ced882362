"""Task 5, vote(distances, labels, k, min_votes)."""

from collections import Counter, defaultdict

import numpy as np


def voting(nearest=None, winner=None, enough=None, reject=-1):
    """An answer made of its three decisions: who votes, who wins, whether that is enough."""
    nearest = nearest or (lambda row, k: np.argsort(row, kind="stable")[:k])
    winner = winner or (lambda votes, totals: min(votes, key=lambda one: (-votes[one], totals[one])))
    enough = enough or (lambda votes, needed: votes >= needed)

    def answer(distances, labels, k, min_votes):
        answers = []
        for row in distances:
            votes, totals = Counter(), defaultdict(float)
            for t in nearest(row, k):
                votes[int(labels[t])] += 1
                totals[int(labels[t])] += row[t]
            best = winner(votes, totals)
            answers.append(best if enough(votes[best], min_votes) else reject)
        return np.array(answers)

    return answer


right_answer = voting()


def all_templates_break_the_tie(distances, labels, k, min_votes):
    answers = []
    for row in distances:
        votes = Counter(labels[np.argsort(row, kind="stable")[:k]].tolist())
        best = min(votes, key=lambda one: (-votes[one], row[labels == one].sum()))
        answers.append(best if votes[best] >= min_votes else -1)
    return np.array(answers)


def least_and_largest_break_the_tie(distances, labels, k, min_votes):
    answers = []
    for row in distances:
        nearest = np.argsort(row, kind="stable")[:k]
        own = {one: row[nearest][labels[nearest] == one] for one in labels[nearest].tolist()}
        best = min(own, key=lambda one: (-len(own[one]), own[one].min() + own[one].max()))
        answers.append(best if len(own[best]) >= min_votes else -1)
    return np.array(answers)


def places(distances, labels, k, min_votes):
    return np.array([np.argsort(row, kind="stable")[0] for row in distances])


def nones(distances, labels, k, min_votes):
    return [None if one < 0 else one for one in right_answer(distances, labels, k, min_votes)]


def not_emptied(distances, labels, k, min_votes):
    answers, votes, totals = [], Counter(), defaultdict(float)
    for row in distances:
        for t in np.argsort(row, kind="stable")[:k]:
            votes[int(labels[t])] += 1
            totals[int(labels[t])] += row[t]
        best = min(votes, key=lambda one: (-votes[one], totals[one]))
        answers.append(best if votes[best] >= min_votes else -1)
    return np.array(answers)


def least_that_suffices(measure):
    """The label wins whose voters' distances have the least sum or mean, if they are enough."""

    def answer(distances, labels, k, min_votes):
        answers = []
        for row in distances:
            nearest = np.argsort(row, kind="stable")[:k]
            votes = Counter(labels[nearest].tolist())
            able = [one for one in votes if votes[one] >= min_votes]
            answers.append(min(able, key=lambda one: measure(row[nearest][labels[nearest] == one]), default=-1))
        return np.array(answers)

    return answer


def columns_vote(distances, labels, k, min_votes):
    nearest = np.argsort(distances, axis=0, kind="stable")[:k]
    return np.array([Counter(labels[column].tolist()).most_common(1)[0][0] for column in nearest.T])


MISTAKES = {
    "smallest label of the tied": voting(winner=lambda votes, totals: min(votes, key=lambda one: (-votes[one], one))),
    "nearest of the tied": voting(winner=lambda votes, totals: max(votes, key=votes.get)),
    "least and largest of the tied": least_and_largest_break_the_tie,
    "all templates break the tie": all_templates_break_the_tie,
    "least total wins": voting(winner=lambda votes, totals: min(totals, key=totals.get)),
    "least total of those that suffice": least_that_suffices(np.sum),
    "least mean of those that suffice": least_that_suffices(np.mean),
    "votes not emptied": not_emptied,
    "greatest total wins": voting(winner=lambda votes, totals: max(votes, key=lambda one: (votes[one], totals[one]))),
    "farthest vote": voting(nearest=lambda row, k: np.argsort(-row, kind="stable")[:k]),
    "skips the nearest": voting(nearest=lambda row, k: np.argsort(row, kind="stable")[1 : k + 1]),
    "one voter too many": voting(nearest=lambda row, k: np.argsort(row, kind="stable")[: k + 1]),
    "one vote more needed": voting(enough=lambda votes, needed: votes > needed),
    "never rejects": voting(enough=lambda votes, needed: True),
    "rejects with 0": voting(reject=0),
    "place of the template": places,
    "1-nearest": lambda distances, labels, k, min_votes: right_answer(distances, labels, 1, 1),
}

RULE_MISTAKES = {
    "rejects with None": (nones, "whole numbers is needed"),
    "columns vote": (columns_vote, "One answer for each recording"),
    "one answer": (lambda *given: right_answer(*given)[0], "is needed"),
}


def vectorised(distances, labels, k, min_votes):
    order = np.argsort(distances, axis=1, kind="stable")[:, :k]
    known = np.unique(labels)
    is_label = labels[order][:, :, None] == known
    votes = is_label.sum(axis=1)
    totals = (np.take_along_axis(distances, order, axis=1)[:, :, None] * is_label).sum(axis=1)
    tied = votes == votes.max(axis=1, keepdims=True)
    winner = np.where(tied, totals, np.inf).argmin(axis=1)
    return np.where(votes.max(axis=1) >= min_votes, known[winner], -1)


def bincounts(distances, labels, k, min_votes):
    answers = []
    for row in distances:
        nearest = np.argpartition(row, k - 1)[:k]
        votes = np.bincount(labels[nearest])
        means = np.bincount(labels[nearest], weights=row[nearest]) / np.maximum(votes, 1)
        best = min(np.flatnonzero(votes == votes.max()), key=lambda one: means[one])
        answers.append(best if votes[best] >= min_votes else -1)
    return answers


RIGHT = {
    "counting": right_answer,
    "vectorised": vectorised,
    "bincount and means, a list": bincounts,
    "tuple of ints": lambda *given: tuple(int(one) for one in right_answer(*given)),
    "int8": lambda *given: right_answer(*given).astype(np.int8),
}
