"""The page about a class: what it says is so, and nobody is known again by it."""

import re

import numpy as np
import pytest

from course_studies import load_panel
from tests.course_studies.made_classes import listener, marks_of, write_form, write_listeners
from tools import class_groups, class_page


def text_of(panel):
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", class_page.page(panel).partition("<main>")[2]))


def test_two_tastes_become_two_groups_that_disagree_about_bass(tmp_path):
    marks = marks_of(40, missing=0.2, rng=1)
    said = text_of(load_panel(write_listeners(tmp_path, marks)))
    sizes = sorted(int(n) for n in re.findall(r"group [AB] \((\d+) people\)", said))
    liked = np.nanmean(marks[:, [1, 5, 6]], axis=1) > np.nanmean(marks[:, [2, 7]], axis=1)
    assert abs(sizes[1] - max(liked.sum(), (~liked).sum())) <= 2 and sum(sizes) == 40
    assert "In 0% of 200 simulated classes of one taste" in said and "so these people differ in what they like" in said


def one_taste_of(people, rng, gaps):
    """(P, 8) marks of people who agree, use less or more of the scale, and half of whom stop after four items."""
    shared, own = rng.permutation(np.linspace(-1.5, 1.5, 8)), rng.uniform(8, 24, (people, 1))
    marks = np.clip(50 + own * (shared + rng.normal(0, 0.4, (people, 8))), 0, 100).round()
    for row in marks[::2] if gaps else ():
        row[rng.permutation(8)[:4]] = np.nan
    return marks


@pytest.mark.parametrize("gaps", [False, True])
def test_people_of_one_taste_are_not_two_groups(tmp_path, gaps):
    found = [class_groups.chance(one_taste_of(24, np.random.default_rng(k), gaps).T, (0, 100))[1] for k in range(12)]
    assert np.sum(np.array(found) <= class_page.CHANCE) <= 2, "if one of 20 is wrong, in 98 % of such tests"
    said = text_of(load_panel(write_form(tmp_path, one_taste_of(24, np.random.default_rng(0), gaps))))
    assert "no two groups of 3 people or more can be told apart" in said and "group A" not in said


def two_halves(people, rng, missing):
    """(8, P) marks of two halves that are 60 apart on four items, and the gap of each item."""
    apart = np.array([0, 60, -60, 0, 0, 60, 0, -60])
    marks = 50 + np.outer(apart / 2, np.where(np.arange(people) < people // 2, 1, -1))
    marks = np.clip(marks + 5 * rng.normal(size=marks.shape), 0, 100).round()
    return np.where(rng.random(marks.shape) < missing, np.nan, marks), apart


def test_a_gap_of_sixty_is_found_with_half_of_the_marks():
    inside, found = [], []
    for k in range(60):
        Y, apart = two_halves(30, np.random.default_rng(k), 0.5)
        Y = Y[:, ~np.isnan(Y).all(axis=0)]
        (first, other), error = class_groups.gap(Y, class_groups.divide(Y)[0])
        gap = (first - other) * np.sign(np.dot(first - other, apart))
        inside.append(np.abs(gap - apart) <= error)
        found.append(gap)
    assert 0.85 < np.mean(inside) < 0.95, "90 % are promised"
    np.testing.assert_allclose(np.mean(found, axis=0), apart, atol=2)


def test_distances_from_what_the_class_thinks_are_as_wide_as_the_noise():
    found, rng = [], np.random.default_rng(0)
    for _ in range(40):
        Y = 50 + np.outer(np.linspace(-20, 20, 8), rng.uniform(0.6, 1.4, 30)) + 10 * rng.normal(size=(8, 30))
        Y = np.where(rng.random(Y.shape) < 0.4, np.nan, Y + 6 * rng.normal(size=30))
        found.append(np.nanmean(class_groups.one_taste(Y).squares()))
    assert np.sqrt(np.mean(found)) == pytest.approx(10, rel=0.05)


def test_profiles_are_those_of_least_squares_with_a_level_of_each_person():
    Y = one_taste_of(9, np.random.default_rng(2), gaps=True).T
    item, person = np.nonzero(~np.isnan(Y))
    columns = np.column_stack([np.eye(8)[item], np.eye(9)[person]])
    values = np.linalg.lstsq(columns, Y[item, person], rcond=None)[0][:8]
    np.testing.assert_allclose(class_groups.profile(Y), values - values.mean(), atol=1e-3)
    assert class_groups.connected(Y)
    Y[:4, 1::2], Y[4:, ::2] = np.nan, np.nan  # each half of the people has items of its own
    assert not class_groups.connected(Y)


def test_nobody_can_be_known_again(tmp_path):
    who = [("Name", ["Zaphod", "Trillian", "Marvin", "Ford"] * 3), ("E-mail", [f"p{k}@x.org" for k in range(12)])]
    marks = marks_of(12, rng=3)
    marks[:, 3] = np.nan
    marks[0, 3] = 97  # one alone marked it
    write_form(tmp_path, marks, before=who)
    said = text_of(load_panel(tmp_path, names=True))
    assert not re.search(r"Zaphod|x\.org|person \d|row \d|answers\.csv", said)
    assert "treble +8 " not in said.partition("Choices")[0]


def test_items_that_one_of_a_group_marked_are_not_in_its_table(tmp_path):
    marks = two_halves(12, np.random.default_rng(1), 0)[0].T
    marks[1:, 3] = np.nan
    said = text_of(load_panel(write_form(tmp_path, marks))).partition("Groups")[2].partition("Choices")[0]
    assert "group A (6 people)" in said and "bright" in said and "treble +8 " not in said


def test_a_choice_counts_people_and_shows_no_fewer_than_three(tmp_path):
    heads = "Which? [dark | bright]", "Again [bright | dark]", "Sure? [dark | bright]"
    write_form(tmp_path, marks_of(8), before=[(head, ["dark"] + [""] * 7) for head in heads])
    assert "No pair was compared by 3 people or more" in text_of(load_panel(tmp_path))
    write_form(tmp_path, marks_of(8), before=[(heads[0], ["dark"] * 4 + ["bright"] * 2 + ["same"] * 2)])
    assert "dark or bright 4 under 3 under 3 " in text_of(load_panel(tmp_path))


@pytest.mark.parametrize("people", [5, 6])
def test_there_is_a_page_of_six_people_or_more(people, tmp_path, capsys):
    write_listeners(tmp_path / "class", marks_of(people))
    code = class_page.main([str(tmp_path / "class"), "--into", str(tmp_path / "page.html")])
    assert (tmp_path / "page.html").exists() == (code == 0) == (people == 6)
    assert code == 0 or "5 people answered: a page of fewer than 6" in capsys.readouterr().err


def test_equal_marks_and_refused_files_are_said_without_anybodys_words(tmp_path):
    folder = write_listeners(tmp_path, np.full((6, 8), 50.0))
    (folder / "Ford Prefect.json").write_text('{"format": "course listening test", "version": "Ford is mad"}')
    (folder / "7.json").write_text(listener(7, np.full(8, 50.0), marks=[["Ford is bad", 3]]), encoding="utf-8")
    said = text_of(load_panel(folder))
    assert "2 files, rows, cells or items are not used" in said and "There is no consensus: too few marks" in said
    assert "no two groups" in said and "Ford" not in said
