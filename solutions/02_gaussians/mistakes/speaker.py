"""Task 6, who_speaks(utterances, means, covariances, priors)."""

import numpy as np
from scipy.special import logsumexp
from scipy.stats import multivariate_normal

LOG_2PI = np.log(2 * np.pi)


def log_densities(utterance, means, covariances):
    """(T, K) log densities of the frames under each speaker's Gaussian."""
    return terms(utterance, means, covariances)


def terms(utterance, means, covariances, volume=0.5, square=0.5, prepare=lambda S: S):
    """The same with other factors of the log determinant and of the square, or with changed covariances."""
    columns = []
    for mean, covariance in zip(means, map(prepare, covariances), strict=True):
        d = utterance - mean
        squares = (d * np.linalg.solve(covariance, d.T).T).sum(axis=1)
        columns.append(-0.5 * len(mean) * LOG_2PI - volume * np.linalg.slogdet(covariance)[1] - square * squares)
    return np.stack(columns, axis=1)


def with_prior(total, priors):
    """The right way to let the prior in."""
    return total + np.log(priors)


def scoring(frames=log_densities, gather=lambda logs: logs.sum(axis=0), weigh=with_prior, choose=np.argmax):
    """An answer made of its parts: log densities of the frames, what becomes of them, the prior, the choice."""

    def answer(utterances, means, covariances, priors):
        return np.array([choose(weigh(gather(frames(u, means, covariances)), priors)) for u in utterances])

    return answer


right_answer = scoring()


def product(logs):
    with np.errstate(divide="ignore"):
        return np.log(np.prod(np.exp(logs), axis=0))


def product_without_logs(utterances, means, covariances, priors):
    return np.array([np.argmax(priors * np.exp(log_densities(u, means, covariances)).prod(0)) for u in utterances])


def product_without_constants(utterances, means, covariances, priors):
    """The product again, but without 2π and therefore less small."""
    return np.array(
        [
            np.argmax(
                priors * np.exp(log_densities(u, means, covariances) + LOG_2PI * means.shape[1] / 2).prod(axis=0)
            )
            for u in utterances
        ]
    )


def belief_after_each_frame(utterances, means, covariances, priors):
    """The posterior of the frames so far is the prior of the next; a frame that would leave nothing is left out."""
    answers = []
    for utterance in utterances:
        belief = np.array(priors)
        for density in np.exp(log_densities(utterance, means, covariances)):
            joint = belief * density
            belief = joint / joint.sum() if joint.sum() > 0 else belief
        answers.append(belief.argmax())
    return np.array(answers)


def votes(utterances, means, covariances, priors):
    return np.array(
        [
            np.bincount((log_densities(u, means, covariances) + np.log(priors)).argmax(axis=1)).argmax()
            for u in utterances
        ]
    )


def mean_frame(utterance, means, covariances):
    return log_densities(utterance.mean(axis=0, keepdims=True), means, covariances)


def factors(**changes):
    return lambda utterance, means, covariances: terms(utterance, means, covariances, **changes)


def not_inverted(utterance, means, covariances):
    return terms(utterance, means, covariances, square=0) + np.stack(
        [
            -0.5 * np.einsum("td,de,te->t", utterance - m, S, utterance - m)
            for m, S in zip(means, covariances, strict=True)
        ],
        axis=1,
    )


MISTAKES = {
    "prior in every frame": scoring(
        gather=lambda logs: logs, weigh=lambda logs, priors: (logs + np.log(priors)).sum(axis=0)
    ),
    "prior forgotten": scoring(weigh=lambda total, priors: total),
    "prior without a log": scoring(weigh=lambda total, priors: total + priors),
    "prior multiplies": scoring(weigh=lambda total, priors: total * priors),
    "prior divides": scoring(weigh=lambda total, priors: total - np.log(priors)),
    "only the prior": scoring(weigh=lambda total, priors: np.log(priors)),
    "sum of densities": scoring(gather=lambda logs: logsumexp(logs, axis=0)),
    "mean of the logs": scoring(gather=lambda logs: logs.mean(axis=0)),
    "product of densities": scoring(gather=product),
    "product, no logs": product_without_logs,
    "product without 2π": product_without_constants,
    "belief after each frame": belief_after_each_frame,
    "best frame": scoring(gather=lambda logs: logs.max(axis=0)),
    "worst frame": scoring(gather=lambda logs: logs.min(axis=0)),
    "first frame": scoring(gather=lambda logs: logs[0]),
    "last frame": scoring(gather=lambda logs: logs[-1]),
    "vote of the frames": votes,
    "mean frame": scoring(frames=mean_frame),
    "mean frame for each frame": scoring(frames=lambda u, *model: len(u) * mean_frame(u, *model)),
    "without the determinant": scoring(frames=factors(volume=0)),
    "determinant not halved": scoring(frames=factors(volume=1)),
    "determinant added": scoring(frames=factors(volume=-0.5)),
    "square not halved": scoring(frames=factors(square=1)),
    "not inverted": scoring(frames=not_inverted),
    "diagonal only": scoring(frames=factors(prepare=lambda S: np.diag(np.diag(S)))),
    "nearest mean": scoring(frames=factors(volume=0, prepare=lambda S: np.eye(len(S)))),
    "covariance squared": scoring(frames=factors(prepare=lambda S: S @ S)),
    "least likely": scoring(choose=np.argmin),
}

RULE_MISTAKES = {
    "counts from one": (lambda *given: right_answer(*given) + 1, "Python counts from 0"),
    "one answer": (lambda *given: int(right_answer(*given)[0]), "is needed"),
    "scores": (
        lambda utterances, means, covariances, priors: np.array(
            [log_densities(u, means, covariances).sum(axis=0) + np.log(priors) for u in utterances]
        ),
        "numbers with decimals",
    ),
}


def scipys(utterances, means, covariances, priors):
    answers = []
    for utterance in utterances:
        scores = [
            multivariate_normal.logpdf(utterance, mean, covariance).sum() + np.log(prior)
            for mean, covariance, prior in zip(means, covariances, priors, strict=True)
        ]
        answers.append(int(np.argmax(scores)))
    return answers


def posteriors(utterances, means, covariances, priors):
    """One frame after the other: the posterior of the frames so far, as logs, is the prior of the next."""
    answers = []
    for utterance in utterances:
        belief = np.log(priors)
        for logs in log_densities(utterance, means, covariances):
            belief = belief + logs - logsumexp(belief + logs)
        answers.append(belief.argmax())
    return np.array(answers, dtype=np.int32)


def einsum(utterances, means, covariances, priors):
    precisions, log_dets = np.linalg.inv(covariances), np.linalg.slogdet(covariances)[1]
    answers = []
    for utterance in utterances:
        d = utterance[:, None, :] - means
        costs = np.einsum("tki,kij,tkj->k", d, precisions, d) + len(utterance) * log_dets
        answers.append(np.argmin(costs / 2 - np.log(priors)))
    return tuple(answers)


def duel(utterances, means, covariances, priors):
    lowers = [np.linalg.cholesky(covariance) for covariance in covariances]
    answers = []
    for utterance in utterances:
        best, best_score = 0, -np.inf
        for k, lower in enumerate(lowers):
            whitened = np.linalg.solve(lower, (utterance - means[k]).T)
            score = np.log(priors[k]) - (whitened**2).sum() / 2 - len(utterance) * np.log(np.diag(lower)).sum()
            if score > best_score:
                best, best_score = k, score
        answers.append(best)
    return np.array(answers)


RIGHT = {
    "slogdet and solve": right_answer,
    "scipy, a list": scipys,
    "frame after frame, int32": posteriors,
    "einsum, costs, a tuple": einsum,
    "Cholesky, the best so far": duel,
}
