"""Reference of task 1, comparison_covariance."""

import numpy as np

SEED = 1101


def answer(K, people, pairs, persons, new_pairs, new_persons):
    """The covariance of all functions of all people at all items, and each question as a vector of ±1."""
    whole = np.kron(people, K)

    def vector(pair, person):
        step = np.zeros((len(people), len(K)))
        step[person, pair[1]] += 1.0
        step[person, pair[0]] -= 1.0
        return step.ravel()

    old = [vector(*one) for one in zip(pairs, persons, strict=True)]
    return np.array([[one @ whole @ vector(*two) for two in zip(new_pairs, new_persons, strict=True)] for one in old])


def way(K, people, pairs, persons, new_pairs, new_persons):
    """The parts of the first entry of the table."""
    (a, b), (c, d) = pairs[0], new_pairs[0]
    yield "K_bd, K_bc, K_ad, K_ac for the first old and the first new question", K[[b, b, a, a], [d, c, d, c]]
    yield "K⁽ᵘ⁾_pq for their persons", people[persons[0], new_persons[0]]
    yield "K_bd − K_bc − K_ad + K_ac", K[b, d] - K[b, c] - K[a, d] + K[a, c]
