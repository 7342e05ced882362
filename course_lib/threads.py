"""Threads of the routines for matrices: on small ones, several wait for each other longer than they work.

Lecture: 00.
"""

from functools import cache

from threadpoolctl import ThreadpoolController, threadpool_limits

ONE_THREAD = threadpool_limits.wrap(limits=1)  # a decorator


def at_most(threads):
    """A context in which BLAS and OpenMP use so many threads; None: as many as they like.

    It reaches the libraries that were loaded when it was first called: NumPy's and SciPy's.
    """
    return _libraries().limit(limits=threads)


@cache
def _libraries():
    """Found once: to look for them takes 3 ms, as long as a small fit."""
    return ThreadpoolController()
