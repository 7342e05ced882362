"""The benchmarks compare equal results; how fast they are is not tested."""

import numpy as np
import pytest

from benchmarks import sequences
from benchmarks.__main__ import main
from benchmarks.timing import Row, measure


@pytest.mark.parametrize("row", sequences.rows(small=True), ids=lambda row: f"{row.name}, {row.peer}")
def test_results_agree_with_the_peer(row):
    pytest.importorskip(row.peer)
    measured = measure(row, repeats=2)
    assert len(measured.ratios) == 2
    assert min(measured.ratios) > 0


def test_different_results_are_no_comparison():
    row = Row("wrong", "numpy", 1.0, lambda: (lambda: 1.0, lambda: 1.1))
    with pytest.raises(ValueError, match="differs"):
        measure(row, 1)


def test_memory_counts_for_the_verdict():
    row = Row("large", "numpy", 1e9, lambda: (lambda: np.zeros(500_000)[0], lambda: 0.0), megabytes=1)
    measured = measure(row, 3)
    assert measured.peak > 4
    assert not measured.met


def test_command_writes_the_table(tmp_path, capsys):
    main(["query", "--small", "--repeats", "2", "--markdown", str(tmp_path / "table.md")])
    lines = (tmp_path / "table.md").read_text().splitlines()
    assert lines[0].startswith("| workload |")
    assert "query of 60 frames" in lines[2]
    assert "query of 60 frames" in capsys.readouterr().out
