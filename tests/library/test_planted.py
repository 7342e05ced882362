"""Faults that a person could make are caught by `make test`: see benchmarks/planted.py."""

import pytest

from benchmarks import planted


@pytest.mark.long
@pytest.mark.skipif(not (planted.ROOT / ".git").exists(), reason="a copy is made of what git lists")
def test_every_planted_fault_is_caught_but_those_of_which_it_is_known(capsys):
    status = planted.main([])
    assert status == 0, "".join(capsys.readouterr())
