"""Task 1, comparison_covariance(K, people, pairs, persons, new_pairs, new_persons)."""

import numpy as np


def crossing(
    items=lambda k, a, b, c, d: k(b, d) - k(b, c) - k(a, d) + k(a, c),
    persons_part=lambda people, p, q: people[np.ix_(p, q)],
    joined=np.multiply,
):
    """An answer with another part for the items or for the people, or joined in another way."""

    def answer(K, people, pairs, persons, new_pairs, new_persons):
        (a, b), (c, d) = pairs.T, new_pairs.T
        between = items(lambda i, j: K[np.ix_(i, j)], a, b, c, d)
        return joined(between, persons_part(people, persons, new_persons))

    return answer


right_answer = crossing()


def same_person_only(people, p, q):
    return people[np.ix_(p, q)] * np.equal.outer(p, q)


def own_variances(people, p, q):
    return np.sqrt(np.outer(np.diag(people)[p], np.diag(people)[q]))


def correlation_of_people(people, p, q):
    return people[np.ix_(p, q)] / own_variances(people, p, q)


def correlation(K, people, pairs, persons, new_pairs, new_persons):
    old, new = (pairs, persons), (new_pairs, new_persons)
    variances = [np.diag(right_answer(K, people, *one, *one)) for one in (old, new)]
    return right_answer(K, people, *old, *new) / np.sqrt(np.outer(*variances))


def new_persons_forgotten(people, p, q):
    return np.diag(people)[p][:, None] * np.ones(len(q))


def old_persons_forgotten(people, p, q):
    return np.ones(len(p))[:, None] * np.diag(people)[q]


def by_position(K, people, pairs, persons, new_pairs, new_persons):
    """The k-th question with the k-th new question, as far as both lists go."""
    m = min(len(pairs), len(new_pairs))
    (a, b), (c, d) = pairs[:m].T, new_pairs[:m].T
    return (K[b, d] - K[b, c] - K[a, d] + K[a, c]) * people[persons[:m], new_persons[:m]]


def variance_of_the_question(k, a, b, c, d):
    own = np.diag(k(a, a)) + np.diag(k(b, b)) - 2 * np.diag(k(a, b))
    return own[:, None] * np.ones(len(c))


def distance(k, a, b, c, d):
    """The variance of the difference of two differences."""
    own = [np.diag(k(i, i)) + np.diag(k(j, j)) - 2 * np.diag(k(i, j)) for i, j in ((a, b), (c, d))]
    return np.add.outer(*own) - 2 * (k(b, d) - k(b, c) - k(a, d) + k(a, c))


def within(k, a, b, c, d):
    """Covariances inside each question, multiplied."""
    return np.outer(np.diag(k(a, b)), np.diag(k(c, d)))


def shifted(K, people, pairs, persons, new_pairs, new_persons):
    return right_answer(K, people, pairs - 1, persons, new_pairs - 1, new_persons)


FIRST_ROW = "Along which axis do the new questions lie?"

MISTAKES = {
    "new pairs swapped": crossing(lambda k, a, b, c, d: k(b, c) - k(b, d) - k(a, c) + k(a, d)),
    "absolute": lambda *given: np.abs(right_answer(*given)),
    "two of four": crossing(lambda k, a, b, c, d: k(b, d) + k(a, c)),
    "two of four, minus": crossing(lambda k, a, b, c, d: k(b, d) - k(a, c)),
    "the mixed two": crossing(lambda k, a, b, c, d: -k(b, c) - k(a, d)),
    "all plus": crossing(lambda k, a, b, c, d: k(b, d) + k(b, c) + k(a, d) + k(a, c)),
    "one sign wrong": crossing(lambda k, a, b, c, d: k(b, d) - k(b, c) - k(a, d) - k(a, c)),
    "crossing term once": crossing(lambda k, a, b, c, d: k(b, d) - 2 * k(b, c) + k(a, c)),
    "other crossing term once": crossing(lambda k, a, b, c, d: k(b, d) - 2 * k(a, d) + k(a, c)),
    "half": crossing(lambda k, a, b, c, d: (k(b, d) - k(b, c) - k(a, d) + k(a, c)) / 2),
    "value of b": crossing(lambda k, a, b, c, d: k(b, d)),
    "value of a": crossing(lambda k, a, b, c, d: k(a, c)),
    "value and difference": crossing(lambda k, a, b, c, d: k(b, d) - k(b, c)),
    "difference and value": crossing(lambda k, a, b, c, d: k(b, d) - k(a, d)),
    "variance of the question": crossing(variance_of_the_question),
    "inside each question": crossing(within),
    "distance": crossing(distance),
    "people forgotten": crossing(joined=lambda items, who: items),
    "people alone": crossing(joined=lambda items, who: who),
    "same person only": crossing(persons_part=same_person_only),
    "new persons forgotten": crossing(persons_part=new_persons_forgotten),
    "old persons forgotten": crossing(persons_part=old_persons_forgotten),
    "own variances": crossing(persons_part=own_variances),
    "correlation of people": crossing(persons_part=correlation_of_people),
    "correlation": correlation,
    "added": crossing(joined=np.add),
    "by position": by_position,
    "counted from one": shifted,
}

RULE_MISTAKES = {
    "transposed": (lambda *given: right_answer(*given).T, FIRST_ROW),
}


def indicators(K, people, pairs, persons, new_pairs, new_persons):
    old, new = (np.eye(len(K))[pair[:, 1]] - np.eye(len(K))[pair[:, 0]] for pair in (pairs, new_pairs))
    return old @ K @ new.T * (np.eye(len(people))[persons] @ people @ np.eye(len(people))[new_persons].T)


def loops(K, people, pairs, persons, new_pairs, new_persons):
    return [
        [
            people[p, q] * (K[b, d] - K[b, c] - K[a, d] + K[a, c])
            for (c, d), q in zip(new_pairs, new_persons, strict=True)
        ]
        for (a, b), p in zip(pairs, persons, strict=True)
    ]


def twice(K, people, pairs, persons, new_pairs, new_persons):
    """Differences of rows, then of columns."""
    rows = K[pairs[:, 1]] - K[pairs[:, 0]]
    return (rows[:, new_pairs[:, 1]] - rows[:, new_pairs[:, 0]]) * people[persons][:, new_persons]


def kronecker(K, people, pairs, persons, new_pairs, new_persons):
    """The covariance of all functions of all people, input-major, and a long matrix of ±1."""
    P = len(people)

    def views(asked, who):
        rows = np.zeros((len(asked), len(K) * P))
        rows[np.arange(len(asked)), asked[:, 1] * P + who] = 1.0
        rows[np.arange(len(asked)), asked[:, 0] * P + who] = -1.0
        return rows

    return views(pairs, persons) @ np.kron(K, people) @ views(new_pairs, new_persons).T


def features(K, people, pairs, persons, new_pairs, new_persons):
    """Another algorithm: inner products of features, from the eigenvectors of both matrices."""

    def coordinates(matrix):
        values, vectors = np.linalg.eigh(matrix)
        return vectors * np.sqrt(np.maximum(values, 0.0))

    F, T = coordinates(K), coordinates(people)
    old, new = (F[one[:, 1]] - F[one[:, 0]] for one in (pairs, new_pairs))
    return np.einsum("ki,kj,li,lj->kl", old, T[persons], new, T[new_persons])


RIGHT = {
    "four blocks": right_answer,
    "indicators": indicators,
    "loops, lists": loops,
    "differences twice": twice,
    "Kronecker": kronecker,
    "features": features,
}
