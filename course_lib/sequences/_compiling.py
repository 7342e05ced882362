"""Numba's compiler, for the recursions. Importing this module loads numba, so import it where it is used."""

from functools import cache as once

from course_lib import validation

numba = validation.optional_import("numba", "speech")

NO_CACHE = "no locator available"  # what Numba says where no folder can hold its cache
COMPILED_EACH_TIME = (
    "the compiled code cannot be kept, because neither the folder of course_lib nor Numba's own cache folder can be "
    "written: each new Python process compiles it again, which takes some seconds at the first call of DTW and of "
    "hidden Markov models. Set the environment variable NUMBA_CACHE_DIR to a folder that can be written."
)


def njit(cache, **options):
    """As `numba.njit`; where no folder can hold the cache it compiles without one, and says once what that costs."""

    def decorate(function):
        try:
            return numba.njit(cache=cache, **options)(function)
        except RuntimeError as error:
            if NO_CACHE not in str(error):
                raise
        _warn_of_no_cache()
        return numba.njit(**options)(function)

    return decorate


@once
def _warn_of_no_cache():
    validation.warn(COMPILED_EACH_TIME, UserWarning)


def is_kept():
    """Whether what is compiled here is kept for the next Python process."""
    return not _warn_of_no_cache.cache_info().currsize
