"""Figures for a report say what the tables say, and drawings draw all that they are given, or refuse clearly."""

import re
from itertools import pairwise
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest
from PIL import Image

from course_lessons.approximate_inference import plots as inference
from course_lessons.gaussians import plots as gaussians
from course_lessons.i_prefer_b import plots as preference
from course_lessons.many_people import plots as people
from course_lessons.several_answers import plots as panel
from course_lessons.unequal_raters import plots as raters
from course_lib.judgments import MultiSampleGP, RaterGP
from course_lib.sequences import Gaussian
from course_studies import PairStudy, RatingStudy, from_pairs, from_wide, report
from course_widgets import figure, style

RNG = np.random.default_rng(2)
ITEMS = pd.DataFrame(
    RNG.uniform(0, [2, 300], (12, 2)), index=[f"clip {k}" for k in range(12)], columns=["reverb", "kbps"]
)
TRUTH = 50 + 10 * np.sin(2 * ITEMS["reverb"].to_numpy()) + ITEMS["kbps"].to_numpy() / 20
WIDE = pd.DataFrame({f"rater {r}": TRUTH + RNG.normal(r, 2 + r, 12) for r in range(5)}, index=ITEMS.index)
GAP = 200


@pytest.fixture(scope="module")
def rated():
    table = from_wide(WIDE, features=ITEMS)
    return RatingStudy(RaterGP(bias_std=3.0), standardize=True).fit(table)


@pytest.fixture(scope="module")
def compared():
    a = RNG.integers(0, 12, GAP)
    b = (a + RNG.integers(1, 12, GAP)) % 12
    names = ITEMS.index.to_numpy()
    better = TRUTH[b] - TRUTH[a] + 5 * RNG.normal(size=GAP) > 0
    frame = pd.DataFrame({"a": names[a], "b": names[b], "won": np.where(better, names[b], names[a])})
    return PairStudy(standardize=True).fit(from_pairs(frame, "a", "b", "won", features=ITEMS))


# --- many of everything


def curves(count):
    return {f"line {k}": np.arange(4.0) + k for k in range(count)}


def positive(count):
    return {name: values + 1 for name, values in curves(count).items()}


MANY = {
    "people.draw_tastes": lambda n, ax: people.draw_tastes(curves(n), list("abcd"), ax),
    "people.draw_learning": lambda n, ax: people.draw_learning([1, 2, 4, 8], curves(n), ax),
    "people.draw_costs": lambda n, ax: people.draw_costs([1, 2, 4, 8], positive(n), ax, 3),
    "preference.draw_learning": lambda n, ax: preference.draw_learning([1, 2, 4, 8], curves(n), ax),
    "panel.draw_divergences": lambda n, ax: panel.draw_divergences(np.arange(4.0), curves(n), ax),
    "raters.draw_rules": lambda n, ax: raters.draw_rules(np.arange(4.0), curves(n), ax, 1.0, ""),
    "raters.draw_answers": lambda n, ax: raters.draw_answers(np.arange(3.0), np.ones((3, n)), ax),
    "gaussians.draw_points": lambda n, ax: gaussians.draw_points(
        np.ones((3, 2)), ax, {f"line {k}": Gaussian([k, 0.0], np.eye(2)) for k in range(n)}
    ),
    "inference.draw_with_outliers": lambda n, ax: inference.draw_with_outliers(
        np.arange(4.0), np.ones(4), {k: (v, v) for k, v in curves(n).items()}, np.ones(2), np.ones(2), [0], ax
    ),
}  # fmt: skip


@pytest.mark.parametrize("count", [1, 5, 12, 25])
@pytest.mark.parametrize("name", MANY)
def test_every_line_is_drawn_and_no_two_look_alike(name, count):
    _, ax = figure()
    MANY[name](count, ax)
    lines = [line for line in ax.lines if re.match(r"(line|rater) \d+$", str(line.get_label()))]
    assert len(lines) == count
    seen = {(line.get_color(), line.get_linestyle(), line.get_marker()) for line in lines}
    assert len(seen) == count
    with_lines = {(line.get_color(), line.get_linestyle()) for line in lines}
    with_marks = {(line.get_color(), line.get_marker()) for line in lines}
    assert count in (len(with_lines), len(with_marks))


@pytest.mark.parametrize("name", MANY)
def test_more_than_can_be_told_apart_are_refused(name):
    _, ax = figure()
    with pytest.raises(ValueError, match=r"there are 29 .* no more than 28 can be told apart"):
        MANY[name](29, ax)


def test_looks_begin_as_asked_and_differ_in_two_ways():
    first = ((style.GREY, "--", "o"), (style.BLUE, "-.", "s"))
    found = style.looks(28, first)
    assert [tuple(look.values()) for look in found[:2]] == list(first)
    for other in ("linestyle", "marker"):
        assert len({(look["color"], look[other]) for look in found}) == 28
    assert style.looks(0) == []


@pytest.mark.parametrize("count", [3, 12, 18])
def test_weights_of_many_raters(count):
    _, ax = figure()
    weights = np.full((2, count), 1 / count)
    drawn = raters.draw_weights(weights, ax)
    assert len(drawn.patches) == len(drawn.texts) == 2 * count
    assert len({(bar.get_facecolor(), bar.get_hatch()) for bar in drawn.patches}) == count


def test_weights_that_cannot_be_written_are_refused():
    _, ax = figure()
    with pytest.raises(ValueError, match="weights has 19 raters, and a bar has room for the numbers of 18"):
        raters.draw_weights(np.full((1, 19), 1 / 19), ax)


def overlaps(drawing, ax):
    """Pairs of neighbouring tick labels that cover each other."""
    drawing.canvas.draw()
    pairs = 0
    for labels in (ax.get_xticklabels(), ax.get_yticklabels()):
        boxes = [label.get_window_extent() for label in labels if label.get_text()]
        turned = any(label.get_rotation() not in (0, 90) for label in labels)
        pairs += 0 if turned else sum(a.overlaps(b) for a, b in pairwise(boxes))
    return pairs


def ranks(n):
    ranking = MultiSampleGP(noise_std=1.0, optimize=False).fit(np.eye(n), np.arange(2.0 * n).reshape(n, 2))
    return ranking.ranking(np.eye(n), rng=0, size=200)


WITH_NAMES = {
    "tastes": lambda names, ax: people.draw_tastes({"all": np.arange(len(names))}, names, ax),
    "noises": lambda names, ax: raters.draw_noises(*np.ones((3, len(names))), names, ax),
    "trust": lambda names, ax: raters.draw_trust(1 + np.eye(len(names), 2), ax, names, ["a", "b"]),
    "intervals": lambda names, ax: raters.draw_intervals(*np.ones((3, len(names))), names, ax),
    "ranks": lambda names, ax: preference.draw_ranks(ranks(len(names)), names, ax),
}  # fmt: skip


@pytest.mark.parametrize("count", [3, 25])
@pytest.mark.parametrize("name", WITH_NAMES)
def test_names_are_all_written_and_none_covers_another(name, count):
    drawing, ax = figure(size=(7, 3.5))
    names = [f"a long name {k}" for k in range(count)]
    WITH_NAMES[name](names, ax)
    written = [label.get_text() for label in (*ax.get_xticklabels(), *ax.get_yticklabels())]
    assert set(names) <= set(written)
    assert overlaps(drawing, ax) == 0


@pytest.mark.parametrize("name", ["noises", "trust", "ranks", "tastes"])
def test_names_that_do_not_fit_are_refused_with_the_size_that_holds_them(name):
    names = [f"name {k}" for k in range(90)]
    _, ax = figure(size=(4, 3))
    with pytest.raises(ValueError, match=r"names holds 90 names, which do not fit in") as refused:
        WITH_NAMES[name](names, ax)
    size, side = re.search(r"at least ([\d.]+) inches (wide|high)", str(refused.value)).groups()
    room = (float(size) + 0.1, 3) if side == "wide" else (4, float(size) + 0.1)
    _, ax = figure(size=room)
    WITH_NAMES[name](names, ax)


# --- what a report shows


def test_a_forest_has_a_row_for_each_contrast(rated):
    frame = rated.contrasts()
    plate = report.forest(frame, "mark")
    (ax,) = plate.figure.axes
    names = [label.get_text() for label in ax.get_yticklabels()]
    assert names == [f"{b} − {a}" for a, b in zip(frame["a"], frame["b"], strict=True)]
    drawn = {float(y): float(x) for line in ax.lines[1:] for x, y in line.get_xydata()}
    np.testing.assert_allclose([drawn[row] for row in range(len(frame))], frame["difference"])
    (bars,) = ax.collections
    ends = np.array([path.vertices[:, 0] for path in bars.get_paths()])
    np.testing.assert_allclose(ends, frame[["low", "high"]])
    filled = len(ax.lines[1].get_xdata())
    clear = ((frame["low"] > 0) | (frame["high"] < 0)).sum()
    assert filled == clear
    assert "66 differences between two items" in plate.alt
    assert f"{clear} intervals do not hold 0" in plate.alt
    assert overlaps(plate.figure, ax) == 0
    assert len(ax.texts) == len(frame) + 1


def test_a_forest_of_items(rated, compared):
    plate = report.forest(rated.consensus(), "mark")
    found = rated.consensus()["consensus"]
    assert f"The highest is {found.idxmax()}, the lowest {found.idxmin()}" in plate.alt
    assert plate.figure.axes[0].get_xlabel() == "mark"
    worth = report.forest(compared.worth())
    assert worth.figure.axes[0].get_xlabel() == "worth"
    assert "intervals do not hold 0" in worth.alt


def test_a_ranking_shows_who_cannot_be_told_apart(rated):
    ranking = rated.ranking()
    plate = report.ranking_groups(ranking)
    (ax,) = plate.figure.axes
    letters = sorted(set("".join(ranking["group"])))
    assert [text.get_text() for text in ax.texts] == letters
    for k, letter in enumerate(letters):
        members = ax.lines[2 + 2 * k].get_ydata()
        np.testing.assert_array_equal(members, np.flatnonzero([letter in group for group in ranking["group"]]))
    alone = ranking.assign(group=[chr(97 + k) for k in range(12)])
    assert "told apart from all others" in report.ranking_groups(alone).alt
    many = pd.concat([ranking.add_prefix("", axis=0)] * 3).set_axis([f"item {k}" for k in range(36)])
    plate = report.ranking_groups(many.assign(group=["a27" if k > 20 else "b" for k in range(36)]))
    assert overlaps(plate.figure, plate.figure.axes[0]) == 0
    assert [text.get_text() for text in plate.figure.axes[0].texts] == ["b", "a27"]


def test_what_is_predicted_of_comparisons_is_above_the_mean_item(compared):
    """Of the items themselves it is their worth, with the same interval."""
    found = compared.predict()
    np.testing.assert_allclose(found["value"], compared.worth()["worth"], atol=1e-8)
    np.testing.assert_allclose(found["high"], compared.worth()["high"], atol=1e-6)


WRONG = {
    "forest": (report.forest, "frame"),
    "ranking_groups": (report.ranking_groups, "ranking"),
}


@pytest.mark.parametrize("name", WRONG)
def test_another_table_is_refused_by_name(name):
    draw, argument = WRONG[name]
    with pytest.raises(ValueError, match=rf"{argument} has no column '\w+'; a table with columns .* is needed"):
        draw(WIDE)
    with pytest.raises(ValueError, match=rf"{argument} is no table with rows"):
        draw(None)


# --- files


def test_each_kind_of_file_carries_the_description(tmp_path):
    frame = pd.DataFrame({"value": [1.0, 2.0], "low": [0.5, 1.5], "high": [1.5, 2.5]}, index=["<a> & 'b'", "c"])
    plate = report.forest(frame)
    assert "alt=" in plate._repr_html_()
    png, svg, pdf = (plate.save(tmp_path / f"forest.{kind}") for kind in ("png", "svg", "pdf"))
    with Image.open(png) as picture:
        assert picture.text["Description"] == plate.alt
        assert picture.size[0] >= 1400
    root = ElementTree.parse(svg).getroot()
    assert root.attrib["role"] == "img"
    assert root.attrib["aria-label"] == plate.alt
    assert root[0].tag.endswith("title")
    assert root[0].text == plate.alt
    assert pdf.read_bytes()[:5] == b"%PDF-"
    assert b"/Subject" in pdf.read_bytes()
    with pytest.raises(ValueError, match=r"a name that ends in \.png, \.svg or \.pdf is needed"):
        plate.save(tmp_path / "forest.docx")
    with pytest.raises(ValueError, match=r"alt is ''"):
        style.save(plate.figure, tmp_path / "forest.png", "")


# --- for a journal


def test_a_figure_has_a_journals_width_and_its_fonts(rated, tmp_path):
    plates = [
        report.forest(rated.consensus(), "mark", width="column"),
        report.ranking_groups(rated.ranking(), width="column"),
    ]
    assert [plate.figure.get_size_inches()[0] for plate in plates] == [3.5] * 2
    assert report.forest(rated.consensus(), width="page").figure.get_size_inches()[0] == 7.16
    pdf = plates[0].save(tmp_path / "forest.pdf").read_bytes()
    assert b"/FontFile2" in pdf and b"/Type3" not in pdf
    with pytest.raises(ValueError, match="width"):
        report.forest(rated.consensus(), width="wide")
