"""Stored results: a run that was stopped goes on, files keep their order, comparisons meet other seeds."""

import csv

import numpy as np
import pytest

from data import packages
from data.claims import make, running, shaking

ASKED = []


@shaking.compares(shaking.Pair("off", {"way": "new"}, {"way": "old"}, ("hill",)))
def drawn(seeds=range(6)):
    yield "hill", "way", "seed", "off"
    for hill in ("low", "high"):
        for way in ("new", "old"):
            for seed in seeds:
                ASKED.append(seed)
                shift = -1.0 if way == "new" and (hill == "low" or seed < 1000) else 0.0
                yield hill, way, seed, shift + np.random.default_rng(seed).normal() / (2 if way == "new" else 3)


@pytest.fixture
def apart(tmp_path, monkeypatch):
    """A folder of its own for what is written."""
    monkeypatch.setattr(running, "JOURNALS", tmp_path / "build")
    monkeypatch.setattr(running, "TARGET", tmp_path)
    ASKED.clear()
    return tmp_path


def test_a_run_that_was_stopped_goes_on_and_writes_what_one_run_writes(apart):
    header, *rows = drawn()
    running.run(drawn, range(3))
    with open(running.journal(drawn), "a", encoding="utf-8") as file:
        file.write('[3, ["hill"], [["lo')  # killed while it wrote
    ASKED.clear()
    assert running.run(drawn, range(6))[:2] == (list(header), [list(row) for row in rows])
    assert set(ASKED) == {3, 4, 5}


@pytest.mark.parametrize("name", make.CLAIMS)
def test_what_is_stored_lies_in_the_order_of_its_generator_and_holds_what_is_compared(name):
    with open(packages.DATA / "claims" / f"{name}.csv", encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    assert running.in_order([(header, rows, 0)]) == rows
    seeds = running.own_seeds(make.CLAIMS[name])
    if seeds != (None,):
        assert {int(row[header.index("seed")]) for row in rows} == set(seeds)
    for pair in getattr(make.CLAIMS[name], "pairs", ()):
        assert pair.differences(header, rows), pair


def test_the_readme_names_each_file_once_and_is_written_by_the_tool(tmp_path):
    copy = tmp_path / "README.md"
    copy.write_text(running.README.read_text(encoding="utf-8"), encoding="utf-8")
    lines = running.TABLE.search(copy.read_text(encoding="utf-8")).group().splitlines()[2:]
    assert sorted(line.split("`")[1] for line in lines) == sorted(f"{name}.csv" for name in make.CLAIMS)
    running.note(lines[3], copy)
    assert copy.read_text(encoding="utf-8") == running.README.read_text(encoding="utf-8")
    running.note("| `new.csv` | today | abc | – | 1 |", copy)
    assert "| `new.csv` | today | abc | – | 1 |\n<!-- until here -->" in copy.read_text(encoding="utf-8")


def test_a_sign_that_other_seeds_change_is_marked(apart):
    header, rows, _ = running.run(drawn, range(6))
    packages.write_table(apart / "drawn.csv", header, rows)
    low, high = sorted(shaking.shake(drawn, 2), key=lambda line: "| high |" in line)
    assert low.endswith("|  |")
    assert not high.endswith("|  |")
    assert max(ASKED) == shaking.FIRST + shaking.APART + shaking.SIZE - 1
