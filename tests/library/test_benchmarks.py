"""The benchmarks compare equal results; how fast they are is not tested."""

import sys

import numpy as np
import pytest

from benchmarks import annotators, bounded, degrees, papers, processes, pseudo_inputs, sequences, states
from benchmarks.__main__ import main
from benchmarks.timing import Row, measure

ROWS = [*sequences.rows(small=True), *states.rows(small=True), *processes.rows(small=True)]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.name}, {row.peer}")
def test_results_agree_with_the_peer(row):
    pytest.importorskip({"scikit-learn": "sklearn", "course-lib": "course_lib"}.get(row.peer, row.peer))
    measured = measure(row, repeats=2)
    assert len(measured.ratios) == 2
    assert min(measured.ratios) > 0


@pytest.mark.parametrize(
    ("mine", "theirs"), [(1.0, 1.1), (([0, 1], 2.0), ([0, 2], 2.0)), (np.ones(2), np.ones((2, 1))), (np.nan, np.nan)]
)
def test_different_results_are_no_comparison(mine, theirs):
    row = Row("wrong", "numpy", 1.0, lambda: (lambda: mine, lambda: theirs))
    with pytest.raises(ValueError, match="differs"):
        measure(row, 1)


def test_a_missing_peer_is_one_line_and_the_other_rows_run(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "dtaidistance", None)
    main(["--small", "--repeats", "1"])
    printed = capsys.readouterr()
    assert "query of 60 frames" in printed.out and "DTW cost" not in printed.out
    assert "DTW cost, 60 × 13: dtaidistance is missing" in printed.err and "pip install" in printed.err


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


def test_one_repetition_of_paper_e_s_table():
    scores = bounded.repeated("squared exponential", [(0, 0)], n_restarts=0)
    assert scores.shape == (1, 3, 3)
    assert np.isfinite(scores).all()
    twice = np.concatenate([scores, scores])
    table = list(bounded.lines("squared exponential", twice, twice))
    assert f"| GP-BE | BE | -195.2 (24.6) | {scores[0, 2, 2]:.1f}" in "".join(table)
    assert bounded.won(np.array([[[0, 1, 1], [1, 2, 1], [1, 1, 0]]])).tolist() == [1, 0, 1]


def test_a_repetition_of_the_annotators_table():
    models = ("GOLD", "AV", "MANH + nugget")
    gold, average, by_region = annotators.errors("Auto", 0, True, models)
    assert gold[0] < by_region[0] < average[0]
    assert (gold < (45, 65)).all()


def test_a_realisation_of_paper_a_s_figure(monkeypatch):
    monkeypatch.setattr(degrees, "COUNTS", (40, 80))
    rates = degrees.errors(0, 30, degrees.known_kernels(30))
    assert rates.shape == (4, 2)
    assert (rates[2] < rates[1]).all() and (rates[:, 1] < rates[:, 0]).all()
    monkeypatch.setattr(degrees, "PRECISIONS", (3,))
    lines = list(degrees.table(2))
    assert lines[0].endswith("| m = 40 | m = 80 |")
    assert [line.count("|") for line in lines[1:]] == [5] * 6


def test_a_fold_of_paper_c_s_figure():
    X, worth = pseudo_inputs.items("Boston")
    assert X.shape == (506, 10)
    pairs, better = pseudo_inputs.comparisons(worth, np.arange(10))
    assert (np.sign(worth[pairs[:, 1]] - worth[pairs[:, 0]]) == better).all() and len(better) <= 45
    lines = list(pseudo_inputs.table(1, ("Boston",), (2, 8), n_comparisons=300))
    rates = np.array([line.split("|")[3:6] for line in lines[2:]], dtype=float)
    assert (rates[0] >= rates[1:] - 0.05).all() and (rates[:, 2] < 0.3).all()


def test_the_papers_tables_are_printed(monkeypatch, capsys):
    monkeypatch.setattr(annotators, "SETS", ("Auto",))
    papers.main(["annotators", "--repetitions", "1", "--jobs", "1"])
    printed = capsys.readouterr().out
    for model in annotators.MODELS:
        assert printed.count(f"| Auto | {model} |") == 2
    assert "| Auto | MANH | 36.42 (3.14) |" in printed


def test_the_same_work_on_a_dask_cluster(monkeypatch):
    pytest.importorskip("dask.distributed")
    monkeypatch.setattr(annotators, "SETS", ("Auto",))
    with papers.workers("dask", 2):
        found = list(annotators.table(2, ("GOLD", "AV")))
    assert found == list(annotators.table(2, ("GOLD", "AV")))
