"""Task 3, mirror_log_ratio(K, noise_std, Y, r)."""

import numpy as np
from scipy.stats import multivariate_normal, norm

from .models import joint, log_density, log_evidence, posterior


def middle(others):
    return np.nanmean(others)


def ratio(
    compare=lambda m, S, off: log_density(off - m, S) - log_density(off + m, S),
    predictive=lambda V, s: V + s**2 * np.eye(len(V)),
    centre=middle,
    noises=lambda noise_std, r: np.delete(noise_std, r),
    own=lambda noise_std, r: noise_std[r],
    hears=lambda Y, r: np.delete(Y, r, axis=1),
    learn=posterior,
):
    """An answer that compares, predicts, centres, or learns from the others in another way."""

    def answer(K, noise_std, Y, r):
        others = hears(Y, r)
        c = centre(others)
        m, V = learn(K, noises(noise_std, r), others - c)
        given = ~np.isnan(Y[:, r])
        S = predictive(V[np.ix_(given, given)], own(noise_std, r))
        return float(compare(m[given], S, Y[given, r] - c))

    return answer


right_answer = ratio()


def with_jitter(V, s):
    return V + 1e-9 * np.trace(V) * np.eye(len(V))


def with_himself(K, noise_std, Y, r):
    """His own answers are among those from which z is learned."""
    return ratio(hears=lambda Y, r: Y, noises=lambda noise_std, r: noise_std)(K, noise_std, Y, r)


def centre_with_himself(K, noise_std, Y, r):
    return ratio(centre=lambda others: np.nanmean(Y))(K, noise_std, Y, r)


def centre_of_items(others):
    rows = others[~np.isnan(others).all(axis=1)]
    return np.nanmean(np.nanmean(rows, axis=1))


def not_centred_when_learning(K, noise_std, Y, r):
    """z is learned from the others' answers as they are, with a prior mean of 0, and mirrored at c."""
    others = np.delete(Y, r, axis=1)
    c = np.nanmean(others)
    m, V = posterior(K, np.delete(noise_std, r), others)
    given = ~np.isnan(Y[:, r])
    S, y = V[np.ix_(given, given)] + noise_std[r] ** 2 * np.eye(given.sum()), Y[given, r]
    return log_density(y - m[given], S) - log_density(y - 2 * c + m[given], S)


def gaps_as_centre(K, noise_std, Y, r):
    """A gap in his column counts as if he had answered the middle."""
    c = np.nanmean(np.delete(Y, r, axis=1))
    filled = Y.copy()
    filled[:, r] = np.where(np.isnan(Y[:, r]), 0.0, Y[:, r])
    return ratio(centre=lambda others: c)(K, noise_std, filled, r)


def gaps_spoil(K, noise_std, Y, r):
    others = np.delete(Y, r, axis=1)
    m, V = posterior(K, np.delete(noise_std, r), others - np.nanmean(others))
    S = V + noise_std[r] ** 2 * np.eye(len(Y))
    return float(2 * m @ np.linalg.solve(S, Y[:, r] - np.nanmean(others)))


def raters_from_one(K, noise_std, Y, r):
    return right_answer(K, noise_std, Y, r - 1)


def raw_means(K, noise_std, others):
    """The others' mean for each item, and what it does not know: no prior, no neighbours."""
    given = ~np.isnan(others)
    w = np.where(given, noise_std**-2, 0).sum(axis=1) + 1e-12
    return (np.where(given, others, 0) * noise_std**-2).sum(axis=1) / w, np.diag(1 / w)


def averages(K, noise_std, others):
    """One noise for all the others."""
    return posterior(K, np.full(len(noise_std), np.sqrt(np.mean(noise_std**2))), others)


def one_region_of_the_prior(K, noise_std, others):
    """Items are learned one by one: the diagonal of K."""
    return posterior(np.diag(np.diag(K)), noise_std, others)


def prior(K, noise_std, others):
    return posterior(K, noise_std, others)[0], K


def mirrored_covariance(m, S, off):
    """As if a mirror turned the covariance too: S becomes −S outside the diagonal."""
    return log_density(off - m, S) - log_density(off + m, 2 * np.diag(np.diag(S)) - S)


def quadratic(m, S, off):
    """Squared distances in units of S, without the ½."""
    return (off + m) @ np.linalg.solve(S, off + m) - (off - m) @ np.linalg.solve(S, off - m)


def correlation(m, S, off):
    return m @ off / np.linalg.norm(m) / np.linalg.norm(off)


SIGN = "Which of the two is counted as positive?"

MISTAKES = {
    "marginals": ratio(predictive=lambda V, s: np.diag(np.diag(V)) + s**2 * np.eye(len(V))),
    "V forgotten": ratio(predictive=lambda V, s: s**2 * np.eye(len(V))),
    "prior for posterior": ratio(learn=prior),
    "his noise forgotten": ratio(predictive=with_jitter),
    "his noise in every entry": ratio(predictive=lambda V, s: V + s**2 + 1e-9 * np.eye(len(V))),
    "with himself": with_himself,
    "centre with himself": centre_with_himself,
    "density ratio": ratio(lambda m, S, off: np.exp(2 * m @ np.linalg.solve(S, off))),
    "log10": ratio(lambda m, S, off: 2 * m @ np.linalg.solve(S, off) / np.log(10)),
    "log2": ratio(lambda m, S, off: 2 * m @ np.linalg.solve(S, off) / np.log(2)),
    "probability": ratio(lambda m, S, off: 1 / (1 + np.exp(-2 * m @ np.linalg.solve(S, off)))),
    "straight only": ratio(lambda m, S, off: log_density(off - m, S)),
    "mirror at 0": ratio(centre=lambda others: 0.0),
    "mirror at the median": ratio(centre=np.nanmedian),
    "mirror at the mean of items": ratio(centre=centre_of_items),
    "mirror at the middle of the range": ratio(centre=lambda others: (np.nanmin(others) + np.nanmax(others)) / 2),
    "learned without centring": not_centred_when_learning,
    "raw means": ratio(learn=raw_means),
    "one noise for the others": ratio(learn=averages),
    "item by item": ratio(learn=one_region_of_the_prior),
    "σ for σ²": ratio(predictive=lambda V, s: V + s * np.eye(len(V))),
    "others' σ for σ²": ratio(noises=lambda noise_std, r: np.sqrt(np.delete(noise_std, r))),
    "noises not taken out": ratio(noises=lambda noise_std, r: noise_std[:-1]),
    "his noise is the first": ratio(own=lambda noise_std, r: np.delete(noise_std, r)[0]),
    "his noise is the mean": ratio(own=lambda noise_std, r: np.sqrt(np.mean(noise_std**2))),
    "a gap is 0": gaps_as_centre,
    "per answer": ratio(lambda m, S, off: 2 * m @ np.linalg.solve(S, off) / len(off)),
    "cross term once": ratio(lambda m, S, off: m @ np.linalg.solve(S, off)),
    "no half": ratio(quadratic),
    "mirrored covariance": ratio(mirrored_covariance),
    "correlation": ratio(correlation),
    "raters from one": raters_from_one,
}

RULE_MISTAKES = {
    "sign": (ratio(lambda m, S, off: -2 * m @ np.linalg.solve(S, off)), SIGN),
    "gaps spoil": (gaps_spoil, "One NaN in a vector"),
    "a pair": (lambda *given: (right_answer(*given), 0.0), "one number is needed"),
}


def matched_filter(K, noise_std, Y, r):
    """All squares cancel: 2 mᵀ S⁻¹ (y − c)."""
    return ratio(lambda m, S, off: 2 * m @ np.linalg.solve(S, off))(K, noise_std, Y, r)


def with_scipy(K, noise_std, Y, r):
    others = np.delete(Y, r, axis=1)
    c = others[~np.isnan(others)].mean()
    m, V = posterior(K, np.delete(noise_std, r), others - c)
    seen = np.flatnonzero(~np.isnan(Y[:, r]))
    S = V[seen][:, seen] + noise_std[r] ** 2 * np.eye(len(seen))
    straight, mirror = multivariate_normal(c + m[seen], S), multivariate_normal(c - m[seen], S)
    return straight.logpdf(Y[seen, r]) - mirror.logpdf(Y[seen, r])


def two_evidences(K, noise_std, Y, r):
    """Another way: two joint Gaussians of all answers, in the second with his turned round."""
    table = Y - np.nanmean(np.delete(Y, r, axis=1))
    turned = table.copy()
    turned[:, r] *= -1
    return log_evidence(K, noise_std, table) - log_evidence(K, noise_std, turned)


def one_after_the_other(K, noise_std, Y, r):
    """Each of his answers given those before, under both stories."""
    others = np.delete(Y, r, axis=1)
    c = np.nanmean(others)
    total = 0.0
    for sign in (1, -1):
        m, V = posterior(K, np.delete(noise_std, r), others - c)
        for i in np.flatnonzero(~np.isnan(Y[:, r])):
            spread, off = V[i, i] + noise_std[r] ** 2, Y[i, r] - c - sign * m[i]
            total += sign * norm.logpdf(off, 0, np.sqrt(spread))
            gain = V[:, i] / spread
            m, V = m + sign * gain * off, V - np.outer(gain, V[i])
    return total


def conditional(K, noise_std, Y, r):
    """The joint covariance of all answers, cut into his and the others'."""
    table = Y - np.nanmean(np.delete(Y, r, axis=1))
    C, _, rater, y = joint(K, noise_std, table)
    his, rest = rater == r, rater != r
    gain = np.linalg.solve(C[np.ix_(rest, rest)], C[np.ix_(rest, his)]).T
    S = C[np.ix_(his, his)] - gain @ C[np.ix_(rest, his)]
    return np.float64(2 * (gain @ y[rest]) @ np.linalg.inv(S) @ y[his])


RIGHT = {
    "two densities": right_answer,
    "matched filter": matched_filter,
    "scipy": with_scipy,
    "two evidences": two_evidences,
    "one after the other": one_after_the_other,
    "joint covariance": conditional,
}
