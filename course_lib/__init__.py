"""The library of the course. A module that it does not have is asked for by what another version made."""

import importlib
import importlib.util
import sys
from functools import partial

MOVED = {
    "gp.bounded_likelihoods": "gp.likelihoods.bounded",
    "gp.counted": "gp.likelihoods.counted",
    "gp.mixed": "gp.likelihoods.mixed",
    "judgments.mixed.bounded_panel": "judgments.panels.bounded_raters",
}  # modules that kept models ask for, and where they are now


class OtherVersionError(ModuleNotFoundError):
    """A kept model or a notebook asks for a module of another version of the library."""


class _Gone:
    """Asked for modules after all others: those of this library that nobody has found have moved, or get an error."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        """Nothing, for all but this library's modules; of one that has moved, a module that passes everything on."""
        if not name.startswith(f"{__name__}."):
            return None
        if name.removeprefix(f"{__name__}.") in MOVED:
            return importlib.util.spec_from_loader(name, _Gone)
        raise OtherVersionError(
            f"this version of the library has no {name}. If a kept model asks for it (pickle, joblib), another "
            "version kept that: fit the model again, and keep it anew. If a notebook does, make update brings "
            "library and notebooks to one version.",
            name=name,
        )

    @staticmethod
    def create_module(spec):
        """As Python makes modules."""

    @staticmethod
    def exec_module(module):
        """What the module that took its place has."""
        now = MOVED[module.__name__.removeprefix(f"{__name__}.")]
        module.__getattr__ = partial(getattr, importlib.import_module(f"{__name__}.{now}"))


sys.meta_path.append(_Gone)
