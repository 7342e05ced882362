"""Fitted models that are kept in a file know the version of the library that made them. Lecture: 08, section 1."""

from sklearn.exceptions import NotFittedError

from course_lib import validation

VERSION = "0.2.0"  # of this code: what is installed may be older than a folder that was brought up to date
MARK, KEPT_BY = "_course_lib_version", "_course_lib_kept_by"


class OtherVersionWarning(UserWarning):
    """A model was kept by another version of the library than the one that reads it."""


class OtherStateError(NotFittedError):
    """A model that another version of the library kept lacks what this one needs."""


def version():
    """The version of this library, as a text."""
    return VERSION


class VersionedPickleMixin:
    """What `pickle` and `joblib.dump` keep of an object, with the library's version; another one warns when it reads.

    What such an object lacks later on is an OtherStateError: it has to be fitted again.
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
            state[KEPT_BY] = made
        self.__dict__.update(state)

    def __getattr__(self, name):
        try:
            return super().__getattribute__(name)  # a property that fails is asked again, for its own words
        except AttributeError as missing:
            if KEPT_BY not in self.__dict__ or name.startswith("__"):
                raise
            raise OtherStateError(
                f"this {type(self).__name__} was kept by version {self.__dict__[KEPT_BY]} of the library and lacks "
                f"{name!r}, which {version()} needs: fit it again, and keep it anew."
            ) from missing
