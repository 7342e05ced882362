"""The page about a class: what it says is so, and nobody is known again by it."""

import re

import numpy as np
import pytest

from course_studies import load_panel
from tests.course_studies.made_classes import marks_of, write_form, write_listeners
from tools import class_page


def text_of(panel):
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", class_page.page(panel).partition("<main>")[2]))


def test_two_tastes_become_two_groups_that_disagree_about_bass(tmp_path):
    marks = marks_of(40, missing=0.2, rng=1)
    said = text_of(load_panel(write_listeners(tmp_path, marks)))
    sizes = sorted(int(n) for n in re.findall(r"group [AB] \((\d+) people\)", said))
    liked = np.nanmean(marks[:, [1, 5, 6]], axis=1) > np.nanmean(marks[:, [2, 7]], axis=1)
    assert abs(sizes[1] - max(liked.sum(), (~liked).sum())) <= 2 and sum(sizes) == 40
    assert "In 0% of 200 classes without groups" in said and "so these people differ in what they like" in said


def test_without_tastes_it_says_that_there_may_be_no_groups(tmp_path):
    noise = np.random.default_rng(0).integers(20, 80, (30, 8)).astype(float)
    assert "so there may be no groups at all" in text_of(load_panel(write_form(tmp_path, noise)))


def test_nobody_can_be_known_again(tmp_path):
    who = [("Name", ["Zaphod", "Trillian", "Marvin", "Ford"] * 3), ("E-mail", [f"p{k}@x.org" for k in range(12)])]
    marks = marks_of(12, rng=3)
    marks[:, 3] = np.nan
    marks[0, 3] = 97  # one alone marked it
    write_form(tmp_path, marks, before=who)
    said = text_of(load_panel(tmp_path, names=True))
    assert not re.search(r"Zaphod|x\.org|person \d|row \d|answers\.csv", said)
    assert "treble +8 " not in said.partition("Groups")[0]


@pytest.mark.parametrize(("people", "says"), [(2, "a page of fewer than 3"), (5, "There are too few people")])
def test_few_people_get_a_smaller_page_or_none(people, says, tmp_path, capsys):
    write_listeners(tmp_path / "class", marks_of(people))
    code = class_page.main([str(tmp_path / "class"), "--into", str(tmp_path / "page.html")])
    told = (tmp_path / "page.html").read_text(encoding="utf-8") if code == 0 else capsys.readouterr().err
    assert (code == 1) == (people == 2) and says in told


def test_equal_marks_and_refused_files_are_said(tmp_path):
    folder = write_listeners(tmp_path, np.full((4, 8), 50.0))
    (folder / "Ford Prefect.json").write_text("{}")
    said = text_of(load_panel(folder))
    assert "Not used: 1 (not a listener&#x27;s file)." in said and "There is no consensus: table has 4 raters" in said
    assert "Prefect" not in said
