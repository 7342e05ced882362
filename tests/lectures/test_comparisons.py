"""No lecture from 06 on says that one is better than another without what it rests on."""

import pytest

from tests.lectures import comparisons
from tests.lectures.reading import lecture


def test_a_comparison_names_its_result_or_is_listed():
    assert not comparisons.unfounded().keys() - comparisons.ledger().keys(), (
        "see: python -m tests.lectures.comparisons"
    )


def test_the_list_has_only_what_is_said_and_kinds_that_are_true():
    assert not comparisons.ledger().keys() - comparisons.unfounded().keys(), (
        "see: python -m tests.lectures.comparisons"
    )
    assert set(comparisons.ledger().values()) == set(comparisons.KINDS)
    stored = [number for (number, _), kind in comparisons.ledger().items() if kind == "stored in another section"]
    assert all("load_claim(" in lecture(comparisons.LECTURES[int(number)]).code for number in stored)


@pytest.mark.parametrize(
    "text",
    [
        "On most boards the second beats the first.",
        "Choices, *marks*, and both: with **both** it is [more accurate](11_many_people.ipynb).",
        "- a list\n- its errors are smaller, and it has a lower loss",
        "<details><summary><b>Explain</b></summary>\n\nThat there is no difference was wrong: it helps.</details>",
        "| criterion | it improves |",
    ],
)
def test_a_new_comparison_is_found(text, monkeypatch):
    section = next(one for one in lecture(comparisons.LECTURES[7]).sections if one.number == 2)
    monkeypatch.setitem(section.cells[-1], "cell_type", "markdown")
    monkeypatch.setitem(section.cells[-1], "source", text)
    assert len(comparisons.unfounded().keys() - comparisons.ledger().keys()) == 1


@pytest.mark.parametrize(
    "text", ["# Is it better?", "Which is better?", "As [Wu2025] found, it is better.", "It is large."]
)
def test_a_question_a_heading_and_a_citation_are_none(text):
    found = [one for one in comparisons.sentences(text) if comparisons.COMPARES.search(one)]
    assert all(comparisons.CITES.search(one) for one in found)
