"""One package a lecture, named as its notebook: its worlds, its `plots`, and in `explore` what one plays and fills in.

Lecture: 00.
"""

import importlib
import pkgutil


def offered(kind):
    """{name: function} of what all lessons offer of a kind, "explore" or "check"."""
    modules = [importlib.import_module(f"{__name__}.{one.name}.explore") for one in pkgutil.iter_modules(__path__)]
    return {name: getattr(module, name) for module in modules for name in dir(module) if name.startswith(f"{kind}_")}
