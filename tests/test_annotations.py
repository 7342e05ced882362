"""What is public says which types it takes and returns, and a valid call returns what it says."""

import inspect
import numbers
import types
import typing
from collections.abc import Iterator

import pytest

from tests.bad_input import public_callables, quietly
from tests.bad_input_registry import ENTRIES

ROOMS = ("audio", "datasets", "gp", "judgments", "metrics", "sequences", "studies")
PUBLIC = {
    name: thing
    for name, thing in public_callables().items()
    if name.split(".")[0] in ROOMS and name in ENTRIES and not name.startswith("sequences.checks.")
}  # what users call; methods that take what has been checked have no entry
RETURNS = [name for name, thing in PUBLIC.items() if not inspect.isclass(thing) and name != "studies.from_wide"]


def test_everything_that_users_call_is_annotated():
    assert len(PUBLIC) > 250
    bare = {}
    for name, thing in PUBLIC.items():
        signature = inspect.signature(thing)
        told = {one.name: one.annotation for one in signature.parameters.values() if one.name != "self"}
        told |= {} if inspect.isclass(thing) else {"return": signature.return_annotation}
        bare[name] = [argument for argument, hint in told.items() if hint is inspect.Parameter.empty]
    assert not {name: arguments for name, arguments in bare.items() if arguments}


def fits(value, hint):
    """Whether a value is of the type that an annotation names; a generator is a list by now."""
    kind, parts = typing.get_origin(hint), typing.get_args(hint)
    if kind in (typing.Union, types.UnionType):
        return any(fits(value, part) for part in parts)
    if kind is tuple:
        return isinstance(value, tuple) and len(value) == len(parts) and all(map(fits, value, parts))
    if kind in (list, Iterator):
        return isinstance(value, list) and all(fits(one, parts[0]) for one in value)
    if hint in (float, int):
        return isinstance(value, {float: numbers.Real, int: numbers.Integral}[hint])
    return hint is typing.Self or isinstance(value, kind or hint)


@pytest.mark.parametrize("name", sorted(RETURNS))  # an entry of from_wide gives two tables
def test_a_valid_call_returns_what_its_annotation_says(name):
    good, _, call, *_ = ENTRIES[name]
    hint = typing.get_type_hints(inspect.unwrap(PUBLIC[name]))["return"]
    assert fits(quietly(call or PUBLIC[name], good), hint)
