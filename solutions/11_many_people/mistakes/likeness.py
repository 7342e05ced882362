"""Task 6, whose_taste(tastes, prior, pairs, y, noise_std, new_pairs)."""

import numpy as np
from scipy.special import expit, log_ndtr, logsumexp, ndtr, softmax
from scipy.stats import norm


def steps(tastes, pairs):
    """(J, m) differences of each taste."""
    return tastes[:, pairs[:, 1]] - tastes[:, pairs[:, 0]]


def learning(
    log_likelihood=lambda g, y, s: log_ndtr(y * g / (np.sqrt(2) * s)).sum(axis=1),
    posterior=lambda log_prior, told: softmax(log_prior + told),
    predict=lambda w, g, s, prior: w @ ndtr(g / (np.sqrt(2) * s)),
):
    """An answer with another likelihood, another posterior, or another prediction."""

    def answer(tastes, prior, pairs, y, noise_std, new_pairs):
        told = log_likelihood(steps(tastes, pairs), y, noise_std)
        w = posterior(np.log(prior), told)
        return w, predict(w, steps(tastes, new_pairs), noise_std, prior)

    return answer


right_answer = learning()


def scaled(scale, new_scale=None):
    """Another noise of a choice, also in the prediction unless that has its own."""
    new_scale = new_scale or scale
    return learning(
        log_likelihood=lambda g, y, s: log_ndtr(y * g / scale(s)).sum(axis=1),
        predict=lambda w, g, s, prior: w @ ndtr(g / new_scale(s)),
    )


def products(tastes, prior, pairs, y, noise_std, new_pairs):
    """Probabilities multiplied: 0/0 with many answers."""
    each = ndtr(y * steps(tastes, pairs) / (np.sqrt(2) * noise_std)).prod(axis=1) * prior
    with np.errstate(invalid="ignore"):
        w = each / each.sum()
    return w, w @ ndtr(steps(tastes, new_pairs) / (np.sqrt(2) * noise_std))


def log_of_probabilities(g, y, s):
    with np.errstate(divide="ignore"):
        return np.log(ndtr(y * g / (np.sqrt(2) * s))).sum(axis=1)


def quiet_softmax(log_prior, told):
    """NaN where all are impossible, without a warning."""
    with np.errstate(invalid="ignore"):
        return softmax(log_prior + told)


def clipped(g, y, s):
    return np.log(np.clip(ndtr(y * g / (np.sqrt(2) * s)), 1e-6, 1)).sum(axis=1)


def not_shifted(log_prior, told):
    each = np.exp(log_prior + told)
    with np.errstate(invalid="ignore"):
        return each / each.sum()


def best_only(w, g, s, prior):
    return ndtr(g[w.argmax()] / (np.sqrt(2) * s))


def each_answer_alone(tastes, prior, pairs, y, noise_std, new_pairs):
    """A posterior for each answer, then their mean."""
    told = log_ndtr(y * steps(tastes, pairs) / (np.sqrt(2) * noise_std))
    rows = [softmax(np.log(prior) + column) for column in told.T] or [prior]
    w = np.mean(rows, axis=0)
    return w, w @ ndtr(steps(tastes, new_pairs) / (np.sqrt(2) * noise_std))


def prior_each_time(tastes, prior, pairs, y, noise_std, new_pairs):
    told = log_ndtr(y * steps(tastes, pairs) / (np.sqrt(2) * noise_std)).sum(axis=1)
    w = softmax(max(len(y), 1) * np.log(prior) + told)
    return w, w @ ndtr(steps(tastes, new_pairs) / (np.sqrt(2) * noise_std))


def swapped(old, new):
    def answer(tastes, prior, pairs, y, noise_std, new_pairs):
        pairs = pairs[:, ::-1] if old else pairs
        new_pairs = new_pairs[:, ::-1] if new else new_pairs
        return right_answer(tastes, prior, pairs, y, noise_std, new_pairs)

    return answer


def shares_right(g, y, s):
    """How many answers each taste would have given, not how probable they are."""
    return np.log(0.5 + (np.sign(g) == y).sum(axis=1))


def across(log_prior, told):
    return np.exp(log_prior + told)


MANY = "What is 0.6 to the power of 1800"
TAIL = "What does the computer store for Φ(−40)?"

MISTAKES = {
    "no √2": scaled(lambda s: s),
    "no √2 in the prediction": scaled(lambda s: np.sqrt(2) * s, lambda s: s),
    "2σ": scaled(lambda s: 2 * s),
    "√(2σ)": scaled(lambda s: np.sqrt(2 * s)),
    "variance": scaled(lambda s: 2 * s**2),
    "no noise": scaled(lambda s: 1.0),
    "noise in the answers only": scaled(lambda s: np.sqrt(2) * s, lambda s: 1.0),
    "clipped": learning(clipped),
    "not normalised": learning(posterior=across),
    "divided by the largest": learning(posterior=lambda p, told: np.exp(p + told - (p + told).max())),
    "logs divided": learning(posterior=lambda p, told: (p + told) / (p + told).sum()),
    "logs told": learning(
        posterior=lambda p, told: p + told - logsumexp(p + told),
        predict=lambda w, g, s, prior: np.exp(w) @ ndtr(g / (np.sqrt(2) * s)),
    ),
    "prior forgotten": learning(posterior=lambda p, told: softmax(told)),
    "prior added": learning(posterior=lambda p, told: softmax(np.exp(p) + told)),
    "prior each time": prior_each_time,
    "differences averaged": learning(predict=lambda w, g, s, prior: ndtr(w @ g / (np.sqrt(2) * s))),
    "differences averaged, and their scatter": learning(
        predict=lambda w, g, s, prior: ndtr(w @ g / np.sqrt(2 * s**2 + np.maximum(w @ g**2 - (w @ g) ** 2, 0)))
    ),
    "votes": learning(predict=lambda w, g, s, prior: w @ (g > 0)),
    "best only": learning(predict=best_only),
    "prior predicts": learning(predict=lambda w, g, s, prior: prior @ ndtr(g / (np.sqrt(2) * s))),
    "everybody alike": learning(predict=lambda w, g, s, prior: ndtr(g / (np.sqrt(2) * s)).mean(axis=0)),
    "answers not used": learning(posterior=lambda p, told: np.exp(p)),
    "y forgotten": learning(lambda g, y, s: log_ndtr(g / (np.sqrt(2) * s)).sum(axis=1)),
    "only +1": learning(lambda g, y, s: (log_ndtr(g / (np.sqrt(2) * s)) * (y > 0)).sum(axis=1)),
    "y outside": learning(lambda g, y, s: (y * log_ndtr(g / (np.sqrt(2) * s))).sum(axis=1)),
    "y as 0 and 1": learning(lambda g, y, s: log_ndtr((y > 0) * g / (np.sqrt(2) * s)).sum(axis=1)),
    "old pairs swapped": swapped(True, False),
    "new pairs swapped": swapped(False, True),
    "all pairs swapped": swapped(True, True),
    "mean of the logs": learning(lambda g, y, s: log_ndtr(y * g / (np.sqrt(2) * s)).sum(axis=1) / max(len(y), 1)),
    "probabilities added": learning(
        lambda g, y, s: np.log(
            np.maximum(ndtr(y * g / (np.sqrt(2) * s)).sum(axis=1), 1e-9) if len(y) else np.ones(len(g))
        )
    ),
    "each answer alone": each_answer_alone,
    "sum of the differences": learning(
        lambda g, y, s: log_ndtr((y * g).sum(axis=1) / (np.sqrt(2) * s)) if len(y) else np.zeros(len(g))
    ),
    "hits counted": learning(shares_right),
    "logistic": learning(
        lambda g, y, s: np.log(expit(y * g / (np.sqrt(2) * s))).sum(axis=1),
        predict=lambda w, g, s, prior: w @ expit(g / (np.sqrt(2) * s)),
    ),
}

RULE_MISTAKES = {
    "products": (products, MANY),
    "exp without a shift": (learning(posterior=not_shifted), MANY),
    "log of Φ": (learning(log_of_probabilities, quiet_softmax), TAIL),
    "posterior only": (lambda *given: right_answer(*given)[0], "2 values are needed"),
}


def loops(tastes, prior, pairs, y, noise_std, new_pairs):
    logs = []
    for taste, share in zip(tastes, prior, strict=True):
        total = np.log(share)
        for (a, b), one in zip(pairs, y, strict=True):
            total += log_ndtr(one * (taste[b] - taste[a]) / noise_std / np.sqrt(2))
        logs.append(total)
    top = max(logs)
    w = [np.exp(one - top) for one in logs]
    w = [one / sum(w) for one in w]
    told = []
    for c, d in new_pairs:
        told.append(
            sum(v * ndtr((taste[d] - taste[c]) / noise_std / np.sqrt(2)) for v, taste in zip(w, tastes, strict=True))
        )
    return w, told


def one_after_another(tastes, prior, pairs, y, noise_std, new_pairs):
    """The posterior after each answer is the prior of the next one."""
    logs = np.log(prior)
    for k in range(len(y)):
        a, b = pairs[k]
        logs = logs + log_ndtr(y[k] * (tastes[:, b] - tastes[:, a]) / noise_std / np.sqrt(2))
        logs = logs - np.logaddexp.reduce(logs)
    return np.exp(logs), np.exp(logs) @ ndtr(steps(tastes, new_pairs) / noise_std / np.sqrt(2))


def with_indicators(tastes, prior, pairs, y, noise_std, new_pairs):
    n = tastes.shape[1]
    old, new = (np.eye(n)[one[:, 1]] - np.eye(n)[one[:, 0]] for one in (pairs, new_pairs))
    logs = log_ndtr(y[:, None] * (old @ tastes.T) / np.sqrt(2 * noise_std**2)).sum(axis=0) + np.log(prior)
    w = np.exp(logs - logsumexp(logs))
    return w, norm.sf(0, loc=new @ tastes.T, scale=np.sqrt(2) * noise_std) @ w


def evidences(tastes, prior, pairs, y, noise_std, new_pairs):
    """Another algorithm: P(b) as the evidence of all answers and b, divided by that of b and of a."""

    def log_evidence(asked, answers):
        return logsumexp(
            np.log(prior) + log_ndtr(answers * steps(tastes, asked) / (np.sqrt(2) * noise_std)).sum(axis=1)
        )

    told = []
    for pair in new_pairs:
        both = [log_evidence(np.vstack([pairs, pair]), np.append(y, one)) for one in (1, -1)]
        told.append(expit(both[0] - both[1]))
    return right_answer(tastes, prior, pairs, y, noise_std, new_pairs)[0], np.array(told)


def odds(tastes, prior, pairs, y, noise_std, new_pairs):
    """1/w_j is the sum of all odds against j."""
    logs = np.log(prior) + log_ndtr(y * steps(tastes, pairs) / (np.sqrt(2) * noise_std)).sum(axis=1)
    w = np.exp(-np.logaddexp.reduce(logs[None, :] - logs[:, None], axis=1))
    return w, (w[:, None] * ndtr(steps(tastes, new_pairs) / (np.sqrt(2) * noise_std))).sum(axis=0)


RIGHT = {
    "softmax": right_answer,
    "loops, lists": loops,
    "one after another": one_after_another,
    "indicators": with_indicators,
    "evidences": evidences,
    "odds": odds,
}
