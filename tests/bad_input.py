"""What is public, what a careless caller might give, and what a call may then do.

`test_bad_input.py` replaces each argument of a valid call, one at a time, by each of these and looks at what happens.
"""

import dataclasses
import importlib
import inspect
import linecache
import numbers
import re
import types
import warnings
from pathlib import Path

import numpy as np

import course_lessons
from course_personaliser.app import PersonalizerApp
from tools.packages import PACKAGES

ROOMS = {
    **{room: f"course_lib.{room}" for room in ("audio", "sequences", "gp", "judgments", "datasets")},
    **{room: f"course_{room}" for room in ("widgets", "studies", "personaliser")},
}  # what their __init__ exports is public
MODULES = {
    **{room: f"course_lib.{room}" for room in ("metrics", "validation", "selection", "sequences.checks")},
    **{
        f"lessons.{place}": f"course_lessons.{place}"
        for place in (
            "dtw.greedy",
            "dtw.search",
            "hmm.connected",
            "hmm.trials",
            "several_answers.agreement",
            "i_prefer_b.baselines",
            "i_prefer_b.papers",
            "many_people.kronecker",
            "many_people.toys",
            "unequal_raters.example",
        )
    },
}  # what they define without an underscore is public
SCIKIT_LEARN = re.compile(r"sklearn/utils/(validation|_param_validation)\.py$")  # its checks of X are clear as well


def is_ours(module):
    """Whether a module, by its dotted name, is one of the course's packages."""
    return module.partition(".")[0] in PACKAGES


# --- what is public ---------------------------------------------------------------------------------


def public_callables():
    """{"room.name" or "room.Class.method": the function or class}, without those that only hold what is put in.

    Rooms are named without `course_lib.`.
    """
    found = {}
    for room, place in (ROOMS | MODULES).items():
        module = importlib.import_module(place)
        for name in getattr(module, "__all__", dir(module)):
            thing = getattr(module, name)
            ours = getattr(thing, "__module__", None) or ""
            mine = ours == module.__name__ if room in MODULES else is_ours(ours)
            if name.startswith("_") or not mine:
                continue
            if inspect.isfunction(thing) or hasattr(thing, "__wrapped__"):
                found[f"{room}.{name}"] = thing
            elif inspect.isclass(thing) and not issubclass(thing, Exception):
                found |= {f"{room}.{name}{end}": part for end, part in _parts(thing)}
    played = course_lessons.offered("explore") | course_lessons.offered("check") | dict(_parts(PersonalizerApp))
    found |= {f"lessons.{name or PersonalizerApp.__name__}": thing for name, thing in played.items()}
    return {name: thing for name, thing in found.items() if inspect.signature(thing).parameters.keys() - {"self"}}


def _parts(kind):
    """("", the class) if it is for callers to make, and (".method", …) for the methods that it, or a base, defines."""
    if not _is_record(kind):
        yield "", kind
    for name in dir(kind):
        owner = next(base for base in kind.__mro__ if name in vars(base))
        inherited = any(
            _is_exported(base) and getattr(base, name, 0) is getattr(kind, name) for base in kind.__mro__[1:]
        )
        if not is_ours(owner.__module__) or inherited:
            continue
        method = inspect.getattr_static(kind, name)
        if name in ("__call__", "__getitem__") or not name.startswith("_"):
            if isinstance(method, classmethod):
                yield f".{name}", getattr(kind, name)
            elif inspect.isfunction(method):
                yield f".{name}", method


def _is_record(kind):
    """A result that keeps what it is given, such as a NamedTuple, and learns nothing: only the library makes it."""
    plain = dataclasses.is_dataclass(kind) and not hasattr(kind, "__post_init__") and not hasattr(kind, "fit")
    return issubclass(kind, tuple) or plain


def _is_exported(kind):
    return any(getattr(importlib.import_module(room), kind.__name__, None) is kind for room in ROOMS.values())


def parameters(thing):
    """{name: default} of what a caller may give, without what only collects further keywords."""
    given = inspect.signature(thing).parameters
    return {n: p.default for n, p in given.items() if n not in ("self", "cls") and p.kind is not p.VAR_KEYWORD}


# --- what a careless caller might give --------------------------------------------------------------


class Series:
    """What pandas' Series is to us: an array with labels of its own, here 10, 11 …"""

    def __init__(self, values):
        self.values = np.asarray(values)
        self.index = np.arange(10, 10 + len(self.values))
        self.shape, self.ndim, self.dtype = self.values.shape, 1, self.values.dtype

    def __array__(self, dtype=None, copy=None):
        return np.array(self.values, dtype=dtype)

    def __len__(self):
        return len(self.values)

    def __iter__(self):
        return iter(self.values)

    def __getitem__(self, label):
        if np.ndim(label):
            return Series(self.values[np.asarray(label)])
        if label not in self.index:
            raise KeyError(label)
        return self.values[label - 10]


class DataFrame:
    """What pandas' DataFrame is to us: an array that one goes through, and picks from, by the names of its columns."""

    def __init__(self, values):
        self.values = np.atleast_2d(np.asarray(values))
        self.columns = [f"column {k}" for k in range(self.values.shape[1])]
        self.shape, self.ndim = self.values.shape, 2

    def __array__(self, dtype=None, copy=None):
        return np.array(self.values, dtype=dtype)

    def __len__(self):
        return len(self.values)

    def __iter__(self):
        return iter(self.columns)

    def __getitem__(self, name):
        return Series(self.values[:, self.columns.index(name)])


def bad_values(good):
    """{name: what to give in place of a good value}; a generator stands as a function that makes one."""
    if isinstance(good, np.ndarray) and good.ndim and good.dtype.kind in "biuf":
        return _in_place_of_an_array(good)
    if isinstance(good, list) and good and isinstance(good[0], np.ndarray):
        return _in_place_of_a_list(good)
    return _in_place_of_one(good)


def _in_place_of_an_array(good):
    real = good.astype(float)
    first = np.zeros(good.shape, dtype=bool)
    first.flat[0] = True
    return {
        "NaN": np.where(first, np.nan, real),
        "inf": np.where(first, np.inf, real),
        "empty": good[:0],
        "[]": [],
        "0-D": np.array(1.0),
        "3-D": good.reshape(len(good), *(1,) * (3 - good.ndim), *good.shape[1:]) if good.ndim < 3 else good[0],
        **({"column": good[:, None]} if good.ndim == 1 else {}),
        "mismatched": good[:-1],
        "str": "a",
        "strs": good.astype(str),
        "None": None,
        "bool": good.astype(bool),
        "complex": good + 1j,
        "object": object(),
        "objects": np.where(first, None, good.astype(object)),
        "masked": np.ma.array(good, mask=first),
        "huge": np.where(first, 1e200, real),
        "huger": np.where(first, 1e300, real),
        "negative": -1 - np.abs(good) if good.dtype.kind != "b" else -1.0 - good,
        "generator": lambda: (x for x in good),
        "dict": dict(enumerate(good)),
        "DataFrame": DataFrame(good if good.ndim < 3 else good[0]),
        "Series": Series(good if good.ndim == 1 else good.reshape(len(good), -1)[:, 0]),
        "list": good.tolist(),
        "ragged": [[1.0], [1.0, 2.0]],
    }


def _in_place_of_a_list(good):
    changed = {name: [value, *good[1:]] for name, value in _in_place_of_an_array(good[0]).items() if name in IN_LIST}
    return {
        **changed,
        "[]": [],
        "0-D": np.array(1.0),
        "one sequence": good[0],
        "flat": good[0].ravel().tolist(),
        "stack": np.concatenate(good).reshape(-1, 1),
        "mismatched": good[:-1],
        "str": "a",
        "None": None,
        "bool": True,
        "object": object(),
        "generator": lambda: (x for x in good),
        "dict": dict(enumerate(good)),
        "DataFrame": DataFrame(good[0]),
        "Series": Series(good[0].ravel()),
        "lists": [one.tolist() for one in good],
        "ragged": [[[1.0], [1.0, 2.0]], *good[1:]],
    }


IN_LIST = ("NaN", "inf", "empty", "3-D", "strs", "complex", "objects", "masked", "huge", "huger", "negative")


def _in_place_of_one(good):
    number = isinstance(good, (int, float)) and not isinstance(good, bool)
    return {
        "NaN": float("nan"),
        "inf": float("inf"),
        "empty": "" if isinstance(good, str) else [],
        "1-D": [good, good],
        "3-D": np.ones((2, 2, 2)),
        "zero": 0,
        "half": 0.5,
        "str": "no",
        "None": None,
        "bool": not good if isinstance(good, bool) else True,
        "complex": 1 + 1j,
        "object": object(),
        "huge": 1e200,
        "huger": 1e300,
        **({"hugest": 10**400} if isinstance(good, numbers.Integral) and not isinstance(good, bool) else {}),
        "negative": -good if number and good else -1.0,
        "generator": lambda: (x for x in [good]),
        "dict": {"a": good},
        "DataFrame": DataFrame([[1.0, 2.0], [3.0, 4.0]]),
        "Series": Series([1.0, 2.0, 3.0]),
        "ragged": [[1.0], [1.0, 2.0]],
    }


def plain(name, bad, good):
    """The NumPy array that this other dress of an argument stands for, or None if it is no other dress."""
    if isinstance(good, np.ndarray):
        if name == "column":
            return good
        if name == "bool":
            return bad.astype(float)
        if name in ("DataFrame", "Series", "list", "generator"):
            return np.asarray(list(bad()) if name == "generator" else bad)
    return good if isinstance(good, list) and name in ("lists", "generator") else None


# --- what a call may do -----------------------------------------------------------------------------


def outcome(call, good, argument, name, bad, accepted=False, may_raise=()):
    """("clear" | "accepted" | "other" | "silent", what happened) for a call with one bad argument.

    call : keyword arguments → result;  good : its valid arguments;  argument : the one that becomes `bad`, called name
    accepted : whether the registry says that this is no mistake;  may_raise : other exceptions that the docs promise
    """
    value = bad() if isinstance(bad, types.FunctionType) else bad
    try:
        result = quietly(call, {**good, argument: value})
    except (ValueError, TypeError) as error:
        return _judged(error, argument)
    except may_raise as error:
        return "clear", f"{type(error).__name__}: {error}"
    except Exception as error:  # this is what is looked for
        return "other", f"{type(error).__name__}: {error}"
    if accepted:
        return "accepted", ""
    other_dress = plain(name, bad, good[argument])
    if other_dress is None:
        return "silent", f"gives {_short(result)}"
    try:
        expected = quietly(call, {**good, argument: other_dress})
    except (ValueError, TypeError) as error:
        return "silent", f"gives {_short(result)}, and for the array {type(error).__name__}"
    return (
        ("accepted", "") if same(result, expected) else ("silent", f"gives {_short(result)}, not {_short(expected)}")
    )


def quietly(call, arguments):
    """The result of a call, without its warnings; what it gives one by one is taken."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        result = call(**arguments)
        return list(result) if isinstance(result, types.GeneratorType) else result


def _judged(error, name):
    """Clear is what somebody raised on purpose, here or in scikit-learn's checks, and what names the argument."""
    frame = error.__traceback__
    while frame.tb_next:
        frame = frame.tb_next
    file = frame.tb_frame.f_code.co_filename
    ours = is_ours(frame.tb_frame.f_globals.get("__name__", "")) or SCIKIT_LEARN.search(file)
    on_purpose = linecache.getline(file, frame.tb_lineno).lstrip().startswith("raise ")
    if ours and on_purpose and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", str(error)):
        return "clear", str(error)
    return "other", f"{type(error).__name__} in {Path(file).name}:{frame.tb_lineno}: {error}"


def _short(value):
    return repr(value)[:80].replace("\n", " ")


def same(a, b):
    """Whether two results say the same: numbers up to rounding, everything else by type and parts."""
    if isinstance(a, np.ndarray) or np.isscalar(a):
        a, b = np.asarray(a), np.asarray(b)
        if a.shape != b.shape or a.dtype.kind not in "biufc" or b.dtype.kind not in "biufc":
            return a.shape == b.shape and bool((a == b).all())
        return bool(np.allclose(a, b, rtol=1e-7, atol=1e-9, equal_nan=True))
    if type(a) is not type(b):
        return False
    if isinstance(a, (list, tuple)):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)
    learnt = {name: value for name, value in vars(a).items() if name.endswith("_")} if hasattr(a, "fit") else None
    parts = learnt if learnt is not None else getattr(a, "__dict__", None)
    if parts is None or isinstance(a, types.FunctionType):
        return True
    return all(same(value, getattr(b, name)) for name, value in parts.items())
