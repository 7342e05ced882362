"""Examples in docstrings run as they stand, and everything that can be fitted has one."""

import doctest
import importlib
import inspect

import pytest

from tools.site import reference

FINDER, OPTIONS = doctest.DocTestFinder(exclude_empty=True), doctest.NORMALIZE_WHITESPACE
EXAMPLES = {one.name: one for module in reference.modules() for one in FINDER.find(module.imported) if one.examples}


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_prints_what_it_says(name):
    said = []
    result = doctest.DocTestRunner(optionflags=OPTIONS).run(EXAMPLES[name], out=said.append)
    assert result.failed == 0, "".join(said)


def test_what_can_be_fitted_has_an_example():
    rooms = [importlib.import_module(room) for room in reference.ROOMS]
    offered = [getattr(room, name) for room in rooms for name in getattr(room, "__all__", ())]
    models = [one for one in offered if inspect.isclass(one) and hasattr(one, "fit") and not inspect.isabstract(one)]
    assert len(models) > 15
    assert not [one.__name__ for one in models if f"{one.__module__}.{one.__name__}" not in EXAMPLES]
