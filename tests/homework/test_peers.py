"""Peer review: who reads whom, that nobody is named, and that what comes back is a suggestion."""

import csv
import json
import random
from collections import Counter

import pytest

from tests.homework import tiny_results
from tests.homework.tiny_results import STUDENTS
from tools.homework import handmarks, peers

WRITERS = ["ada", "ben", "cem", "eve"]


@pytest.fixture
def root(tmp_path):
    return tiny_results.make(tmp_path)


@pytest.fixture
def place(root):
    """Folder of an assignment with two reviews each."""
    assert peers.assign(root, "tiny", 2, 1, root) == 4
    return root / "peers" / "tiny"


def plan(place):
    return json.loads((place / "assignment.json").read_text(encoding="utf-8"))["reviewers"]


@pytest.mark.parametrize(("authors", "reviews"), [(2, 1), (3, 2), (4, 1), (10, 3), (41, 5)])
def test_everybody_reads_and_is_read_equally_often(authors, reviews):
    names = [f"student-{number}" for number in range(authors)]
    for seed in range(20):
        found = peers.pairs(names, reviews, random.Random(seed))
        assert len(set(found)) == len(found) == authors * reviews
        assert not [reader for reader, author in found if reader == author]
        for side in zip(*found, strict=True):
            assert Counter(side) == dict.fromkeys(names, reviews)


def test_who_reads_whom_is_random_and_the_seed_decides():
    names = list("abcdefgh")
    found = [sorted(peers.pairs(names, 2, random.Random(seed))) for seed in (1, 1, 2)]
    assert found[0] == found[1] != found[2]
    read = Counter(pair for seed in range(700) for pair in peers.pairs(names, 1, random.Random(seed)))
    assert len(read) == 8 * 7 and max(read.values()) < 150, "each of 56 pairs is expected 100 times"


@pytest.mark.parametrize(("authors", "reviews"), [(4, 4), (4, 0), (1, 1), (0, 1)])
def test_more_reviews_than_others_are_refused(authors, reviews):
    with pytest.raises(ValueError, match=f"reviews is {reviews}"):
        peers.pairs(list("abcd")[:authors], reviews, random.Random(1))


def test_only_who_wrote_a_letter_takes_part(place):
    assert sorted(plan(place)) == WRITERS
    assert {path.name for path in place.iterdir()} == {*WRITERS, "assignment.json"}
    assert {len(theirs) for theirs in plan(place).values()} == {2}


def test_a_bundle_names_nobody(place):
    for reviewer, theirs in plan(place).items():
        files = {path.name: path.read_text(encoding="utf-8") for path in (place / reviewer).iterdir()}
        assert sorted(files) == ["letter_1.md", "letter_2.md", "reviews.csv"]
        assert not [name for name in STUDENTS for text in files.values() if name in text.lower().split()]
        for number, (author, _) in enumerate(theirs, start=1):
            assert STUDENTS[author].letter.split("<")[0] in files[f"letter_{number}.md"]
        with open(place / reviewer / "reviews.csv", newline="", encoding="utf-8") as file:
            rows = list(csv.reader(file))
        assert rows[1:] == [[str(n), str(k), rows[k][2], "1.0", "", ""] for n in (1, 2) for k in (1, 2)]


def test_a_tag_in_a_letter_is_none_for_the_reviewer(place):
    reviewer, number = next(
        (one, k) for one, theirs in plan(place).items() for k, (author, _) in enumerate(theirs, 1) if author == "ben"
    )
    text = (place / reviewer / f"letter_{number}.md").read_text(encoding="utf-8")
    assert "<script" not in text and "<img" not in text and "x < y" in text
    assert "&lt;script>window.hacked" in text and "    plot(<b>)" in text


def test_an_assignment_is_never_overwritten(root, place):
    before = (place / "assignment.json").read_bytes()
    with pytest.raises(ValueError, match="exists"):
        peers.assign(root, "tiny", 1, 2, root)
    assert (place / "assignment.json").read_bytes() == before


def fill(place, reviewer, points):
    """Fills the table of a reviewer: {author: [points of each row]}, as a spreadsheet may write it."""
    path, theirs = place / reviewer / "reviews.csv", plan(place)[reviewer]
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))
    for row in rows[1:]:
        author = theirs[int(row[0]) - 1][0]
        row[4] = points.get(author, ["", ""])[int(row[1]) - 1]
    with open(path, "w", newline="", encoding="utf-8-sig") as file:
        csv.writer(file).writerows(rows)


def test_mean_and_spread_are_suggested_and_no_mark_is_written(root, place):
    readers = [one for one, theirs in plan(place).items() if ["ada", "letter"] in theirs]
    fill(place, readers[0], {"ada": ["1", "0,5"]})
    fill(place, readers[1], {"ada": ["0", ""]})
    rows, problems = peers.collect(root, "tiny", root)
    number = handmarks.numbers(root, "tiny", ["ada"])["ada"]
    assert rows == [("letter", number, 1, 2, 0.5, 0.71, 1.0), ("letter", number, 2, 1, 0.5, None, 1.0)]
    assert problems == []
    standing = handmarks.read_standings(root, "tiny")["ada", "letter"]
    assert (standing.manual, standing.mark, standing.waits) == (None, None, True)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda text: text.replace("1.0,,", "1.0,7,", 1), "7 is not in 0 to 1"),
        (lambda text: text.replace("1.0,,", "1.0,nan,", 1), "nan is not in 0 to 1"),
        (lambda text: text.replace("\r\n2,", "\r\n9,", 1), "letter 9, row 1, which was not given out"),
        (lambda text: text.replace("points", "marks", 1), "points"),
        (lambda text: None, "No such file"),
    ],
)
def test_a_review_that_cannot_be_used_is_told_and_costs_no_other(root, place, capsys, change, why):
    path = place / "ada" / "reviews.csv"
    text = change(path.read_bytes().decode())
    path.unlink() if text is None else path.write_bytes(text.encode())
    fill(place, "ben", {author: ["1", "1"] for author in WRITERS})
    places = ["--root", str(root), "--into", str(root)]
    assert peers.main(["collect", "--homework", "tiny", *places]) == 1
    printed = capsys.readouterr()
    assert printed.err.startswith("ada: ") and why in printed.err
    assert len(printed.out.splitlines()) == 1 + 2 * 2


@pytest.mark.parametrize(
    ("arguments", "why"),
    [(["assign", "--reviews", "4"], "reviews is 4"), (["collect"], "assign the letters first")],
)
def test_what_cannot_be_done_is_a_usage_error(root, capsys, arguments, why):
    with pytest.raises(SystemExit):
        peers.main([*arguments, "--homework", "tiny", "--root", str(root), "--into", str(root)])
    assert why in capsys.readouterr().err
