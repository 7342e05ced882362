"""Models of speech and of human judgement: the library of a course, in which what the lectures derive is what runs.

sequences   Act I    dynamic time warping, Gaussian mixtures, hidden Markov models
gp          Act II   Gaussian processes: kernels, priors, likelihoods, inference
judgments   Act III  what people say: marks, panels of raters, comparisons, and what to ask them next
datasets             small real data sets, with their sources and licences
audio                sound: loading, features, loudness, equaliser, playing
metrics              scores of predictions, with intervals and tests
"""

import importlib

__version__ = "0.2.0"  # of this code: what is installed may be older than a folder that was brought up to date
__all__ = ["audio", "datasets", "gp", "judgments", "metrics", "sequences"]


def __getattr__(name):
    """Import a room when it is first asked for: `import course_lib` alone costs nothing."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return importlib.import_module(f"{__name__}.{name}")


def __dir__():
    return [*__all__, "__version__"]
