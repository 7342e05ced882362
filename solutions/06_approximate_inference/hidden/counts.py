"""Reference of task 6, poisson_derivatives."""

import math

import numpy as np

SEED = 606


def answer(y, g):
    shape = np.broadcast_shapes(y.shape, g.shape)
    found = np.zeros((4, *shape))
    for index in np.ndindex(*shape):
        count, latent = int(np.broadcast_to(y, shape)[index]), float(np.broadcast_to(g, shape)[index])
        log_p = count * latent - math.exp(latent) - math.fsum(math.log(k) for k in range(2, count + 1))
        found[(slice(None), *index)] = log_p, count - math.exp(latent), -math.exp(latent), -math.exp(latent)
    return tuple(found)


def way(y, g):
    yield "rates exp(g)", np.exp(g)
    yield "log y!", np.array([math.lgamma(count + 1) for count in y.ravel()]).reshape(y.shape)
