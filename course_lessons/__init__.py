"""One module a lecture, named as its notebook: its worlds, its drawings, and what one plays and fills in.

Where that is long it is a package: then `plots` has the drawings, and `explore` what one plays and fills in.

Lecture: 00.
"""

import importlib
import pkgutil


def offered(kind):
    """{name: function} of what all lessons offer of a kind, "explore" or "check"; lecture 00 has neither."""
    lessons = [one for one in pkgutil.iter_modules(__path__) if one.name != "start_here"]
    places = [f"{one.name}.explore" if one.ispkg else one.name for one in lessons]
    modules = [importlib.import_module(f"{__name__}.{place}") for place in places]
    return {name: getattr(module, name) for module in modules for name in dir(module) if name.startswith(f"{kind}_")}
