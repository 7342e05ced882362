"""The library of the course. A module that it does not have is asked for by what another version made."""

import sys


class OtherVersionError(ModuleNotFoundError):
    """A kept model or a notebook asks for a module of another version of the library."""


class _Gone:
    """Asked for modules after all others: those of this library that nobody has found get an error that says why."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        """Nothing, for all but this library's modules."""
        if name.startswith(f"{__name__}."):
            raise OtherVersionError(
                f"this version of the library has no {name}. If a kept model asks for it (pickle, joblib), another "
                "version kept that: fit the model again, and keep it anew. If a notebook does, make update brings "
                "library and notebooks to one version.",
                name=name,
            )


sys.meta_path.append(_Gone)
