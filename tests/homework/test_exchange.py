"""What a call did arrives at the grader as it was, as far as a check can use it; and nothing else arrives."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from course_checks.exchange import from_data, to_data
from course_checks.running import Outcome, Place, TimeUp

FLOATS = st.floats() | st.sampled_from([np.nan, np.inf, -np.inf, -0.0, 5e-324])
PLAIN = st.none() | st.booleans() | st.text(max_size=20) | st.integers(-(2**62), 2**62) | FLOATS | st.complex_numbers()
NESTED = st.recursive(PLAIN, lambda inner: st.lists(inner, max_size=4) | st.tuples(inner, inner), max_leaves=12)
DTYPES = st.sampled_from(["bool", "int8", "uint8", ">i4", "int64", "uint64", "float64", ">f8", "complex128"])
ARRAYS = DTYPES.flatmap(lambda dtype: arrays.arrays(dtype, arrays.array_shapes(min_dims=0, min_side=0, max_side=3)))


def arrived(outcome):
    """The outcome after its journey as text."""
    return from_data(json.loads(json.dumps(to_data(outcome))))


@given(NESTED)
def test_plain_values_arrive_as_they_were(value):
    assert repr(arrived(Outcome(value)).value) == repr(value)


@given(ARRAYS)
def test_arrays_arrive_as_they_were(value):
    found = arrived(Outcome(value)).value
    assert found.dtype == value.dtype.newbyteorder("=")
    np.testing.assert_array_equal(found, value.astype(found.dtype), strict=True)
    assert found.flags.writeable


SCALARS = np.float32(0.1), np.float64(0.1), np.longdouble(0.1), np.int8(-3), np.True_, np.str_("a")


@pytest.mark.parametrize("value", SCALARS, ids=repr)
def test_numpys_scalars_arrive_as_pythons(value):
    found = arrived(Outcome(value)).value
    assert type(found) in (float, int, bool, str)
    assert found == value


class Hostile:
    """Fails wherever it is looked at."""

    def __getattribute__(self, name):
        raise RuntimeError("no")


class Number(int):
    """A number that cannot be told."""

    def __int__(self):
        raise RuntimeError("no")


DEEP = []
for _ in range(50):
    DEEP = [DEEP]
OTHERS = {
    "Hostile": Hostile,
    "Number": lambda: Number(3),
    "object": object,
    "dict": lambda: {"a": 1},
    "builtin_function_or_method": lambda: len,
    "list_iterator": lambda: iter([1]),
    "recarray": lambda: np.rec.array([(1,)]),
    "ndarray": lambda: np.array(["a"]),
}


@pytest.mark.parametrize(("name", "make"), OTHERS.items(), ids=OTHERS)
def test_everything_else_arrives_as_the_name_of_its_type(name, make):
    found = arrived(Outcome(make())).value
    assert (type(found).__name__, vars(found)) == (name, {})


@pytest.mark.parametrize("value", [DEEP, [0] * 10**6, np.zeros(10**7)], ids=["deep", "long", "large"])
def test_what_is_far_too_large_is_cut(value):
    assert len(json.dumps(to_data(Outcome(value)))) < 1000


def test_huge_whole_numbers_stay_huge():
    assert abs(arrived(Outcome(-(10**5000))).value) >= 2**63


@pytest.mark.parametrize("kind", [NotImplementedError, TimeUp, ZeroDivisionError, SystemExit])
def test_an_error_keeps_its_name_its_words_and_its_place(kind):
    sent = Outcome(error=kind("no way"), place=Place("f", 3, "return 1"), printed="here", changed=1)
    found = arrived(sent)
    assert (type(found.error).__name__, str(found.error)) == (kind.__name__, "no way")
    assert (found.untouched, found.endless) == (sent.untouched, sent.endless)
    assert (found.place, found.printed, found.changed) == (sent.place, "here", 1)


def outcome_with(value):
    return {"value": value, "error": None, "place": None, "printed": "", "changed": None}


@pytest.mark.parametrize(
    "data",
    [
        4.0,
        {},
        outcome_with(None),
        outcome_with(["plain", [1]]),
        outcome_with(["class", "os"]),
        outcome_with(["array", ["O", [1], "AAAAAAAAAAA="]]),
        outcome_with(["array", ["<f8", [2], "AAAAAAAAAAA="]]),
        outcome_with(["array", ["<M8[s]", [1], "AAAAAAAAAAA="]]),
        outcome_with(["other", "a\0b"]),
        outcome_with(["complex", [1]]) | {"changed": "x"},
    ],
    ids=str,
)
def test_what_nobody_can_have_sent_is_refused(data):
    with pytest.raises((ValueError, TypeError, KeyError)):
        from_data(data)
