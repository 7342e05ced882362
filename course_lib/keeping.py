"""Fitted models that are kept in a file know the version of the library that made them.

Lecture: 08, section 1.
"""

from functools import cache
from importlib import metadata

from course_lib import validation

MARK = "_course_lib_version"


class OtherVersionWarning(UserWarning):
    """A model was kept by another version of the library than the one that reads it.

    Lecture: 08, section 1.
    """


@cache
def version():
    """The version of this library, as a text; "unknown" where it runs from a folder that was never installed.

    Lecture: 08, section 1.
    """
    try:
        return metadata.version("course-lib")
    except metadata.PackageNotFoundError:
        return "unknown"


class Kept:
    """What `pickle` and `joblib.dump` keep of an object, with the library's version; another one warns when it reads.

    Lecture: 08, section 1.
    """

    def __getstate__(self):
        return {**super().__getstate__(), MARK: version()}

    def __setstate__(self, state):
        state = dict(state)
        made, now = state.pop(MARK, "unknown"), version()
        if made != now:
            validation.warn(
                f"this {type(self).__name__} was kept by version {made} of the library and is read by {now}: fit it "
                "again if what it says differs from what you noted.",
                OtherVersionWarning,
            )
        self.__dict__.update(state)
