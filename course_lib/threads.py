"""Threads of the routines for matrices: on small ones, several wait for each other longer than they work.

Lecture: 00.
"""

from functools import cache

from threadpoolctl import ThreadpoolController, threadpool_limits

MUCH = 1e9  # multiplications, from where on several threads are worth while: of 1000 items
ONE_THREAD = threadpool_limits.wrap(limits=1)  # a decorator


def at_most(threads):
    """A context in which BLAS and OpenMP use so many threads; None: as many as they like.

    It reaches the libraries that were loaded when it was first called: NumPy's and SciPy's.
    """
    return _libraries().limit(limits=threads)


def as_many_as_help(n, M=None):
    """The same for factorisations of n × n matrices, or of n × M ones: one thread on small ones."""
    return at_most(1 if n * (n if M is None else M) ** 2 < MUCH else None)


@cache
def _libraries():
    """Found once: to look for them takes 3 ms, as long as a small fit."""
    return ThreadpoolController()
