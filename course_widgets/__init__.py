"""The frame of every explorer: a prediction, a few controls and a drawing that answers; the style of all figures.

Lecture: 00.
"""

import importlib

PLACES = {
    "ABPlayer": "player",
    "figure": "style",
    "my_recordings": "microphone",
    "quiz": "frame",
    "show": "style",
    "show_source": "source",
}
__all__ = ["ABPlayer", "figure", "my_recordings", "quiz", "show", "show_source"]


def __getattr__(name):
    """Import what is asked for: drawings need no ipywidgets, which the frame and the player do."""
    if name not in PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{PLACES[name]}"), name)


def __dir__():
    return __all__
