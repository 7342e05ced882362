"""The library of the course. A module that it does not have is asked for by what another version made."""

import importlib
import importlib.util
import sys
from functools import partial
from importlib.machinery import PathFinder

LESSONS = {
    "dtw": "sequences",
    "gaussians": "gaussians",
    "mixtures": "mixtures",
    "hmm": "hmm",
    "gp_regression": "gp",
    "approximate_inference": "inference",
    "bounded_answers": "bounded",
    "several_answers": "panel",
    "unequal_raters": "raters",
    "i_prefer_b": "preference",
    "many_people": "people",
    "asking": "asking",
    "mixed_feedback": "mixed",
    "your_data": "tables",
}  # and how their drawings and explorers were called when these had rooms of their own
MOVED = {
    "gp.bounded_likelihoods": "gp.likelihoods.bounded",
    "gp.counted": "gp.likelihoods.counted",
    "gp.mixed": "gp.likelihoods.mixed",
    "gp.outliers": "lessons.approximate_inference.outliers",
    "gp.rivals": "lessons.gp_regression.comparison",
    "gp.small_samples": "lessons.gp_regression.small_samples",
    "gp.ten_answers": "lessons.approximate_inference.evidence_by_sampling",
    "judgments.asking.experiments": "lessons.asking.experiments",
    "judgments.asking.gains": "judgments.asking.improvement",
    "judgments.comparisons.listeners": "lessons.many_people.listeners",
    "judgments.comparisons.moving_inputs": "lessons.many_people.moving_inputs",
    "judgments.comparisons.sampling": "lessons.i_prefer_b.sampling",
    "judgments.comparisons.sharing": "lessons.many_people.sharing",
    "judgments.marks.contests": "lessons.bounded_answers.contests",
    "judgments.marks.densities": "lessons.bounded_answers.densities",
    "judgments.panels.biases": "judgments.panels.kernel",
    "judgments.mixed.bounded_panel": "judgments.panels.bounded_raters",
    "judgments.mixed.confidence": "lessons.mixed_feedback.confidence",
    "judgments.mixed.experiments": "lessons.mixed_feedback.experiments",
    "judgments.mixed.on_a_disc": "lessons.mixed_feedback.on_a_disc",
    "judgments.mixed.on_a_line": "lessons.mixed_feedback.on_a_line",
    "judgments.mixed.problems": "lessons.mixed_feedback.problems",
    "judgments.panels.simulators": "judgments.simulated_raters",
    "judgments.panels.sine_panels": "lessons.several_answers",
    "judgments.tables.made": "lessons.your_data.made",
    "sequences.cures": "lessons.gaussians.covariance_regularization",
    "sequences.rivals": "lessons.dtw.recognition",
    "sequences.weather": "lessons.hmm.weather",
    "widgets": "explorers",
    "widgets.personal": "lessons.asking.app",
    **{f"plots.{old}": f"lessons.{lesson}.plots" for lesson, old in LESSONS.items() if old not in ("tables", "panel")},
    **{f"widgets.{old}": f"lessons.{lesson}.explore" for lesson, old in LESSONS.items() if old != "panel"},
    **dict.fromkeys(("plots.panel", "widgets.panel"), "lessons.several_answers"),
}  # modules that kept models and released notebooks ask for, and where they are now
RENAMED = {
    "gp.Views": "ObservationMatrix",
    "gp.likelihoods.mixed.Mixed": "BlockLikelihood",
    "gp.observations.Views": "ObservationMatrix",
    "judgments.SharedLevel": "HierarchicalScalePrior",
    "judgments.panels.likelihoods.SharedLevel": "HierarchicalScalePrior",
}  # names that they ask for, and what these are called now


class OtherVersionError(ModuleNotFoundError):
    """A kept model or a notebook asks for a module of another version of the library."""


class _Moved:
    """Asked for modules before all others, so that a folder which an older version left empty does not answer."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        """Of a module that has moved, one that passes everything on; nothing for all others."""
        if name.removeprefix(f"{__name__}.") in MOVED and name.startswith(f"{__name__}."):
            return importlib.util.spec_from_loader(name, _Moved, is_package=True)
        return None

    @staticmethod
    def create_module(spec):
        """As Python makes modules."""

    @staticmethod
    def exec_module(module):
        """What the module that took its place has, and what the modules have that were part of it."""
        old = module.__name__.removeprefix(f"{__name__}.")
        places = [MOVED[old], *(MOVED[one] for one in MOVED if one.startswith(f"{old}."))]
        module.__getattr__ = partial(_found, [f"{__name__}.{place}" for place in places])


class _Renamed:
    """Asked for modules some names of which are others now: the old ones are found as well."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        """As Python finds the module, whose unknown names are then looked up in RENAMED."""
        if not any(f"{__name__}.{old}".rpartition(".")[0] == name for old in RENAMED):
            return None
        spec = PathFinder.find_spec(name, path)
        load = spec.loader.exec_module

        def exec_module(module):
            load(module)
            module.__getattr__ = partial(_renamed, module)

        spec.loader.exec_module = exec_module
        return spec


class _Gone:
    """Asked for modules after all others: those of this library that nobody has found get an error."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        """Nothing, for all but this library's modules."""
        if not name.startswith(f"{__name__}."):
            return None
        raise OtherVersionError(
            f"this version of the library has no {name}. If a kept model asks for it (pickle, joblib), another "
            "version kept that: fit the model again, and keep it anew. If a notebook does, make update brings "
            "library and notebooks to one version.",
            name=name,
        )


def _found(places, name):
    """The first of that name among modules, which are imported one after the other until it is there."""
    found = (getattr(importlib.import_module(place), name, None) for place in places)
    thing = next((thing for thing in found if thing is not None), None)
    if thing is None:
        raise AttributeError(f"none of {', '.join(places)} has {name!r}")
    return thing


def _renamed(module, name):
    """What the module has under the name that this one became."""
    now = RENAMED.get(f"{module.__name__}.{name}".removeprefix(f"{__name__}."))
    if now is None:
        raise AttributeError(f"module {module.__name__!r} has no attribute {name!r}")
    return getattr(module, now)


sys.meta_path[:] = [_Moved, _Renamed, *sys.meta_path, _Gone]
