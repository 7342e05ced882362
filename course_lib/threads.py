"""Number of threads of matrix routines: on small matrices, several threads are slower than one.

Lecture: 00.
"""

from functools import cache

from threadpoolctl import ThreadpoolController, threadpool_limits

MIN_PARALLEL_WORK = 1e9  # multiplications from which several threads pay off: 1000 items
ONE_THREAD = threadpool_limits.wrap(limits=1)  # a decorator


def at_most(threads):
    """Context in which BLAS and OpenMP use at most this many threads; None: no limit.

    It applies to the libraries that were loaded when it was first called: those of NumPy and SciPy.
    """
    return _libraries().limit(limits=threads)


def as_many_as_help(n, M=None):
    """The same for factorisations of n × n or n × M matrices: one thread for small ones."""
    return at_most(1 if n * (n if M is None else M) ** 2 < MIN_PARALLEL_WORK else None)


@cache
def _libraries():
    """Cached, because finding the libraries takes 3 ms, as long as a small fit."""
    return ThreadpoolController()
