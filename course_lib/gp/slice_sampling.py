"""Draws from the posterior itself, where answers leave it no Gaussian: elliptical slice sampling.

Answers that all agree say where f is not, and hardly where it is: the posterior is a prior that has been cut off. No
Gaussian is as sure of a sign as it.

Lecture: 06, section 7; 14, section 4.
"""

import numpy as np

ALL_CHAINS, LEAST_CHAINS = 500, 4  # of all members of an average, and of one that has any
FIRST_STEPS = 6  # of both kinds, before a chain's state counts
COUNTED_STEPS = 8  # of the second kind, each of which gives a draw
DRAWS_OF_A_MODEL = ALL_CHAINS * COUNTED_STEPS
MAX_SLICED_ANSWERS = 3000  # beyond which the Gaussian is taken, to which so many answers bring the posterior
MAX_SHRINKS = 200  # of an interval of angles, which each time halves on average


def draws_of_members(latent):
    """[(likelihood, prior, (n, k) draws of f at the rows of the fit)] of the members of a fitted LatentGP.

    Each member of an average has chains by its share; a fit has all of them.
    """
    rng, seen = np.random.default_rng(0), latent.observations_
    members, shares = (latent.members_, latent.shares_) if latent.members_ else ((latent,), np.ones(1))
    chains = np.diff(np.round(ALL_CHAINS // LEAST_CHAINS * np.cumsum([0.0, *shares]))).astype(int) * LEAST_CHAINS
    found = []
    for one, k in zip(members, chains, strict=True):
        if k:
            likelihood, posterior = seen.likelihood_for(one.likelihood_), one.approximation_.posterior
            drawn = posterior_draws(one.prior_, posterior, seen.y, likelihood, k, rng)
            found.append((one.likelihood_, one.prior_, drawn))
    return found


def posterior_draws(prior, posterior, y, likelihood, chains, rng):
    """(n, COUNTED_STEPS · chains) draws of f at the items of a fit, COUNTED_STEPS from each chain.

    A chain begins at a draw from the Gaussian posterior. It then takes steps of two kinds, of which each leaves the
    true posterior as it is: at first along ellipses round 0 that are spanned by draws from the prior, which reach
    tails, and always along ellipses round the Gaussian's mean that are spanned by draws from it, which is quick where
    that Gaussian is nearly right. Draws are from the Gaussian where answers are numbers, which say where f is, and of
    more than MAX_SLICED_ANSWERS different answers.

    prior, posterior : of LatentGP's `prior_` and `approximation_`;  y : (m,) answers;  rng : numpy Generator

    Source: Murray, Adams & MacKay (2010), "Elliptical slice sampling", figure 2; Nishihara, Murray & Adams (2014),
    "Parallel MCMC with generalized elliptical slice sampling", for the second kind.
    """
    if likelihood.possible is None or not likelihood.log_concave or len(y) > MAX_SLICED_ANSWERS:
        return posterior.drawn(COUNTED_STEPS * chains, rng)
    mean, tau, nu = posterior.mean[:, None], posterior.tau, posterior.nu

    def log_weights(f):
        """(2, k) the posterior's density beside that of the prior, and beside that of the Gaussian."""
        g = (prior.views @ f).T
        told = likelihood.log_density(y, g).sum(axis=1)
        return np.array([told, told - g @ nu + 0.5 * g**2 @ tau])

    f, drawn = posterior.drawn(chains, rng), []
    weights = log_weights(f)
    for k in range(FIRST_STEPS + COUNTED_STEPS):
        if k < FIRST_STEPS:
            f, weights = ellipse_step(f, weights, 0, 0.0, prior.drawn(chains, rng), log_weights, rng)
        f, weights = ellipse_step(f, weights, 1, mean, posterior.drawn(chains, rng) - mean, log_weights, rng)
        drawn.append(f)
    return np.hstack(drawn[FIRST_STEPS:])


def ellipse_step(f, weights, kind, centre, other, log_weights, rng):
    """The next states of chains f (n, size), which leave N(centre, ·) times a weight as it is, and their weights.

    log_weights : (n, k) states → (K, k) logarithms of weights, of which this step uses number `kind`
    weights : (K, size) those of f;  other : (n, size) draws from that Gaussian, less its centre
    """
    size, apart = f.shape[1], f - centre
    least = weights[kind] - rng.exponential(size=size)
    angle = rng.uniform(0.0, 2.0 * np.pi, size)
    low, high = angle - 2.0 * np.pi, angle.copy()
    found, weights, waiting = f.copy(), weights.copy(), np.arange(size)
    for _ in range(MAX_SHRINKS):
        tried = centre + apart[:, waiting] * np.cos(angle[waiting]) + other[:, waiting] * np.sin(angle[waiting])
        heights = log_weights(tried)
        good = heights[kind] > least[waiting]
        if good.any():
            found[:, waiting[good]], weights[:, waiting[good]] = tried[:, good], heights[:, good]
            waiting = waiting[~good]
        if not len(waiting):
            break
        behind = angle[waiting] < 0.0
        low[waiting[behind]], high[waiting[~behind]] = angle[waiting[behind]], angle[waiting[~behind]]
        angle[waiting] = rng.uniform(low[waiting], high[waiting])
    return found, weights
