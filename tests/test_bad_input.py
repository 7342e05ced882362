"""Everything that is public × everything that a careless caller might give: a clear error, or what is documented.

How to read a failure: the callable, its argument, the bad value, and what happened instead of a clear error. If the
value is no mistake after all, say so in the entry in `bad_input_registry.py`, with the reason.
"""

import importlib
from collections import Counter

import pytest

from tests.bad_input import MODULES, ROOMS, bad_values, outcome, parameters, public_callables, quietly
from tests.bad_input_registry import ANY, ENTRIES, INNER

PUBLIC = public_callables()
VERDICTS = ("clear", "accepted", "other", "silent")
WRONG = VERDICTS[2:]


def inner(name):
    """Whether the registry says that this method takes what has been checked."""
    room, *path, end = name.split(".")
    owner = importlib.import_module((ROOMS | MODULES).get(room, "course_lessons"))
    for part in path:
        owner = getattr(owner, part)
    of = getattr(owner, "__mro__", (owner,))
    return any(end in INNER.get(kind, ()) for kind in of)


def test_everything_public_has_an_entry():
    missing = sorted(name for name in PUBLIC.keys() - ENTRIES.keys() if not inner(name))
    assert not missing, f"give each a valid call in tests/bad_input_registry.py: {missing}"
    gone = sorted(ENTRIES.keys() - PUBLIC.keys())
    assert not gone, f"take these entries out of tests/bad_input_registry.py, or export what they call: {gone}"


def cells(name):
    """(argument, name of the bad value, verdict, what happened) for each bad value of each argument."""
    good, accepts, call, may_raise, _ = ENTRIES[name]
    call, defaults = call or PUBLIC[name], parameters(PUBLIC[name])
    for argument, value in good.items():
        for bad_name, bad in bad_values(value).items():
            accepted = bad_name in accepts.get(argument, {}) or (bad is None and defaults.get(argument, 0) is None)
            accepted = accepted or ANY in accepts.get(argument, {}) or (isinstance(value, bool) and bad_name == "bool")
            yield argument, bad_name, *outcome(call, good, argument, bad_name, bad, accepted, may_raise)


@pytest.mark.parametrize("name", sorted(PUBLIC.keys() & ENTRIES.keys()))
def test_a_bad_argument_is_named(name):
    good, _, call, _, fixed = ENTRIES[name]
    assert set(good) | set(fixed) >= set(parameters(PUBLIC[name])), "an entry has a value for every argument"
    quietly(call or PUBLIC[name], good)
    found = list(cells(name))
    wrong = [f"{argument} = {bad}: {verdict}: {what}" for argument, bad, verdict, what in found if verdict in WRONG]
    assert not wrong, "\n".join([f"{len(wrong)} of {len(found)}", *wrong])


def table():
    """Lines with the numbers of cells of each room: clear errors, acceptances, other exceptions, silently wrong."""
    rooms = {}
    for name in sorted(PUBLIC.keys() & ENTRIES.keys()):
        counts = rooms.setdefault(name.split(".")[0], Counter())
        counts.update(cell[2] for cell in cells(name))
    rooms["all"] = sum(rooms.values(), Counter())
    head = f"{'room':12}" + "".join(f"{verdict:>10}" for verdict in VERDICTS)
    return [head, *(f"{room:12}" + "".join(f"{n[v]:10}" for v in VERDICTS) for room, n in rooms.items())]


if __name__ == "__main__":  # python -m tests.test_bad_input
    print("\n".join(table()))
