"""The notes for teachers: one page for each lecture, whose paths name sections that exist and fill their minutes."""

import re

import pytest

from tests.lectures.reading import LECTURES, ROOT, lecture, outside_fences, table_rows
from tests.lectures.test_contract import CITATION, bibliography

TAUGHT = [path for path in LECTURES if not path.name.startswith("00_")]
PARTS = ["75 minutes", "45 minutes", "Board", "Three further questions", "Common mistakes"]
SHORT, FEWEST_WORDS, MOST_WORDS = 45, 50, 180

every_page = pytest.mark.parametrize("path", TAUGHT, ids=lambda path: path.stem)


def page(path):
    """The teacher's page of a lecture."""
    return (ROOT / "teaching" / f"{path.stem}.md").read_text(encoding="utf-8")


def parts(path):
    """{heading: text below it} of the page."""
    found = re.split(r"^## (.*)$", page(path), flags=re.M)
    return dict(zip(found[1::2], found[2::2], strict=True))


def test_there_is_a_page_for_each_lecture_and_no_other():
    found = sorted(one.stem for one in (ROOT / "teaching").glob("[0-9]*.md"))
    assert found == [path.stem for path in TAUGHT]


@every_page
def test_parts_stand_in_order(path):
    number, title = path.name[:2], lecture(path).cells[0].source.splitlines()[0].split(" · ", 1)[1]
    assert page(path).splitlines()[0] == f"# Teaching lecture {number} · {title}"
    assert list(parts(path)) == PARTS


@every_page
def test_the_short_path_names_sections_and_fills_its_minutes(path):
    rows = [row for row in table_rows(parts(path)["45 minutes"]) if row[0] != "section"]
    titles = {section.title for section in lecture(path).sections}
    assert not [row[0] for row in rows if row[0] not in titles]
    assert sum(int(row[1]) for row in rows) == SHORT


@every_page
def test_three_questions_are_answered(path):
    text = parts(path)["Three further questions"]
    questions = re.split(r"^### ", text, flags=re.M)[1:]
    assert len(questions) == 3
    for one in questions:
        question, answer = one.split("\n", 1)
        assert "?" in question
        assert FEWEST_WORDS <= len(answer.split()) <= MOST_WORDS


@every_page
def test_every_work_is_in_the_bibliography(path):
    assert set(CITATION.findall("\n".join(outside_fences(page(path))))) <= bibliography()
