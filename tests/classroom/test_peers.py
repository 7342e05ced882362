"""Peer review: who reads whom, that nobody is named, and that what comes back is a suggestion and feedback."""

import json
import shutil
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from tests.classroom import tiny_results
from tests.classroom.test_feedback import RULES
from tests.classroom.tiny_results import STUDENTS, Handed
from tools.homework import attempts, feedback, handmarks, likeness, peers
from tools.homework.tables import write_table

WRITERS = ["ada", "ben", "cem", "eve"]


@pytest.fixture
def root(tmp_path):
    return tiny_results.make(tmp_path)


@pytest.fixture
def place(root):
    """Folder of an assignment with two readers of each letter."""
    assert peers.assign(root, "tiny", 2, 1, root) == (WRITERS, [])
    return root / "peers" / "tiny"


def files(place):
    """{code: (reader, author, letter, number)}"""
    return json.loads((place / "assignment.json").read_text(encoding="utf-8"))["files"]


def path_of(place, reader, author):
    (number,) = [one[3] for one in files(place).values() if one[:2] == [reader, author]]
    return place / reader / f"review_{number}.md"


def fill(place, reader, author, points=("", ""), comment="", into=None):
    """Fills in a file, there or in another folder, as an editor of another system may write it."""
    path = path_of(place, reader, author)
    text = path.read_text(encoding="utf-8")
    for got in points:
        text = text.replace("Points (0 to 1):\n", f"Points (0 to 1): {got}\r\n", 1)
    target = into or path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(f"\ufeff{text.rstrip()} {comment}\r\n", encoding="utf-8", newline="")
    return target


def everything(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def run(root, *words):
    return peers.main([*words, "--homework", "tiny", "--root", str(root), "--into", str(root)])


# --- who reads whom


@pytest.mark.parametrize(("authors", "reviews"), [(2, 1), (3, 2), (4, 1), (10, 3), (41, 5)])
def test_everybody_reads_and_is_read_equally_often(authors, reviews):
    names = [f"student-{number}" for number in range(authors)]
    for seed in range(20):
        found = peers.pairs(names, reviews, np.random.default_rng(seed))
        assert len(set(found)) == len(found) == authors * reviews
        assert not [reader for reader, author in found if reader == author]
        for side in zip(*found, strict=True):
            assert Counter(side) == dict.fromkeys(names, reviews)


def test_who_reads_whom_is_random_and_the_seed_decides():
    names = list("abcdefgh")
    found = [sorted(peers.pairs(names, 2, np.random.default_rng(seed))) for seed in (1, 1, 2)]
    assert found[0] == found[1] != found[2]
    read = Counter(pair for seed in range(700) for pair in peers.pairs(names, 1, np.random.default_rng(seed)))
    assert len(read) == 8 * 7 and max(read.values()) < 150, "each of 56 pairs is expected 100 times"


def test_who_works_together_is_kept_apart_and_no_pair_meets_twice_where_others_will_do():
    names = [f"{group}{k}" for group in "abc" for k in range(2)]
    apart = {(one, other) for one in names for other in names if one != other and one[0] == other[0]}
    for seed in range(50):
        first = peers.pairs(names, 2, np.random.default_rng(seed), apart)
        second = peers.pairs(names, 2, np.random.default_rng(seed), apart, read=first)
        assert len({*first, *second}) == 24, "each of six reads each of the four others once"
        assert not apart & {*first, *second}
    with pytest.raises(ValueError, match="too many of 6 authors are in a group or similar"):
        peers.pairs(names, 5, np.random.default_rng(1), apart)


@pytest.mark.parametrize(("authors", "reviews"), [(4, 4), (4, 0), (1, 1), (0, 1)])
def test_more_reviews_than_others_are_refused(authors, reviews):
    with pytest.raises(ValueError, match=f"reviews is {reviews}"):
        peers.pairs(list("abcd")[:authors], reviews, np.random.default_rng(1))


def test_groups_copies_and_equal_letters_are_found_where_they_are_listed(tmp_path):
    students = {name: Handed(f"Answer of number {k}.") for k, name in enumerate("abcdefgh")}
    tiny_results.make(tmp_path, students | {"h": students["g"]})
    group = '\n[[group]]\nhomework = "tiny"\nmembers = ["a", "b"]\n'
    (tmp_path / "term.toml").write_text(RULES.replace("eve", "a") + group, encoding="utf-8")
    (tmp_path / "students.csv").write_text("student\n" + "\n".join(students), encoding="utf-8")
    alike = [("c", "d", "0.9", "0.1", "code"), ("e", "f", "0.1", "0.1", "no")]
    write_table(
        tmp_path / likeness.LIKENESS_FOLDER / "tiny.csv",
        [("student", "other", "code", "letters", "above the noise"), *alike],
    )
    peers.assign(tmp_path, "tiny", 5, None, tmp_path)
    read = {(one, other) for one, other, *_ in files(tmp_path / "peers" / "tiny").values()}
    assert len(read) == 8 * 5
    assert not read & {pair for one, other in ("ab", "cd", "gh") for pair in ((one, other), (other, one))}


# --- what they get


def test_only_who_wrote_a_letter_takes_part(place):
    assert {path.name for path in place.iterdir()} == {*WRITERS, "assignment.json"}
    assert Counter(reader for reader, *_ in files(place).values()) == dict.fromkeys(WRITERS, 2)


def test_a_file_has_the_letter_the_rubric_and_places_to_answer_and_names_nobody(place):
    for code, (reader, author, _, number) in files(place).items():
        text = (place / reader / f"review_{number}.md").read_text(encoding="utf-8")
        assert text.startswith(f"# Peer review {code}\n") and STUDENTS[author].letter.split("<")[0] in text
        assert text.count("\nPoints (0 to 1):\n") == 2 and "Row 1: says what *twice* means" in text
        assert text.endswith("Comment:\n") and not set(STUDENTS) & set(text.lower().split())
    assert {path.name for path in (place / "ada").iterdir()} == {"review_1.md", "review_2.md"}


def test_a_signed_letter_loses_the_name(tmp_path):
    signed = replace(
        STUDENTS["ada"], letter="Six. Yours, Ada Maria (ADA.M@example.org, ada), in May of 12.", own="# Maria\n"
    )
    tiny_results.make(tmp_path, STUDENTS | {"ada": signed})
    empty = dict.fromkeys(attempts.ATTEMPT_COLUMNS, "")
    people = [
        {"student": "ada", "name": "Ada Maria", "mail": "ada.m@example.org"},
        {"student": "12", "name": "May Li"},
    ]
    rows = [list((empty | one).values()) for one in people]
    write_table(tmp_path / "collected" / "collected.csv", [attempts.ATTEMPT_COLUMNS, *rows])
    peers.assign(tmp_path, "tiny", 2, 1, tmp_path)
    place = tmp_path / "peers" / "tiny"
    reader = next(one for one, author, *_ in files(place).values() if author == "ada")
    text = path_of(place, reader, "ada").read_text(encoding="utf-8")
    assert "Six. Yours, […] ([…], […]), in May of 12." in text and "# […]" in text


def test_a_tag_in_a_letter_is_none_for_the_reader(place):
    reader = next(one for one, author, *_ in files(place).values() if author == "ben")
    text = path_of(place, reader, "ben").read_text(encoding="utf-8")
    assert "<script" not in text and "<img" not in text and "x < y" in text
    assert "&lt;script>window.hacked" in text and "    plot(<b>)" in text


def test_dealing_again_changes_nothing_but_brings_back_what_is_lost(root, place, capsys):
    before = everything(place)
    fill(place, *next([one, other] for one, other, *_ in files(place).values() if one == "ada"), ("1", "1"))
    lost = place / "eve" / "review_1.md"
    lost.unlink()
    changed = everything(place)
    assert run(root, "assign") == 0
    assert everything(place) == changed | {lost: before[lost]}
    assert run(root, "assign", "--reviews", "1") == 2
    assert "exists, with reviews 2" in capsys.readouterr().err
    tiny_results.regrade(root, "dan", Handed("Late."))
    assert run(root, "assign") == 0
    assert "handed in after the assignment: dan" in capsys.readouterr().out
    assert everything(place) == changed | {lost: before[lost]}


# --- what comes back


def readers_of(place, author):
    return [reader for reader, other, *_ in files(place).values() if other == author]


def test_what_comes_back_is_known_by_its_code_and_suggests_and_no_mark_is_written(root, place, tmp_path, capsys):
    first, second = readers_of(place, "ada")
    back = tmp_path / "downloads"
    fill(place, first, "ada", ("1", "0,5"), "Row by row it is good.", back / "x" / "my review (1).txt")
    fill(place, second, "ada", ("0", ""), "", back / "y.md")
    shutil.copy(path_of(place, first, "ada"), back / "untouched.md")
    assert run(root, "collect", "--from", str(back)) == 0
    after = everything(place)
    printed = capsys.readouterr().out
    number = str(handmarks.numbers(root, "tiny", ["ada"])["ada"])
    rows = [line.split() for line in printed.splitlines()]
    assert ["letter", number, "1", "2", "0.5", "0.71", "1.0"] in rows and [
        "letter",
        number,
        "2",
        "1",
        "0.5",
        "1.0",
    ] in rows
    assert sum(row[:1] == ["letter"] and row[3] == "0" for row in rows[1:]) == 3 * 2, (
        "letters nobody has written about"
    )
    assert f"{first} (1 of 2)" in printed and f"{second} (1 of 2)" in printed and printed.count("(2 of 2)") == 2
    assert run(root, "collect", "--from", str(back)) == 0 and everything(place) == after
    standing = handmarks.read_standings(root, "tiny")["ada", "letter"]
    assert (standing.manual, standing.mark, standing.waits) == (None, None, True)


def test_the_author_reads_what_the_readers_wrote_and_not_who_they_are(root, place):
    first, second = readers_of(place, "ada")
    fill(place, first, "ada", ("1 You say it <b>well</b>.", "0"), f"An example? Yours, {first.title()}")
    feedback.write_feedback(root, "tiny", root)
    pages = {name: (root / "feedback" / "tiny" / f"{name}.html").read_text(encoding="utf-8") for name in STUDENTS}
    assert "1 of 2 have answered. These are no marks." in pages["ada"] and "<td>1 of 1</td>" in pages["ada"]
    assert "Row 1: You say it &lt;b&gt;well&lt;/b&gt;.\n\nAn example? Yours, […]</pre>" in pages["ada"]
    assert "0 of 2 have answered." in pages["ben"] and "readers of the class" not in pages["dan"]
    assert not [name for name in (first, second) if name in pages["ada"].lower().replace(f"· {name}", "").split()]


def test_what_an_earlier_version_dealt_is_told_and_stops_no_feedback(root, capsys):
    place = root / "peers" / "tiny"
    place.mkdir(parents=True)
    (place / "assignment.json").write_text('{"seed": 1, "reviews": 1, "reviewers": {"ada": [["ben", "letter"]]}}')
    assert run(root, "assign") == 2 and "from an earlier version" in capsys.readouterr().err
    assert feedback.write_feedback(root, "tiny", root)[0] == 5


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda text: text.replace("Points (0 to 1):", "Points (0 to 1): 7", 1), "row 1: 7 is not in 0 to 1"),
        (lambda text: text.replace("Points (0 to 1):", "Points (0 to 1): nan", 1), "row 1: nan is not in 0 to 1"),
        (lambda text: text.replace("Row 2:", "Row 9:", 1), "the rows 1 to 2 and their points are needed"),
        (lambda text: text.replace("Points (0 to 1):", "Marks: 1", 1), "the rows 1 to 2 and their points are needed"),
        (lambda text: text.replace("## Your review", "", 1), "the rows 1 to 2 and their points are needed"),
    ],
)
def test_a_review_that_cannot_be_used_is_told_and_costs_no_other(root, place, capsys, change, why):
    path = place / "ada" / "review_1.md"
    path.write_text(change(path.read_text(encoding="utf-8")), encoding="utf-8")
    (place / "ada" / "review_2.md").unlink()
    author = next(author for reader, author, *_ in files(place).values() if reader == "ben")
    fill(place, "ben", author, ("1", "1"))
    assert run(root, "collect") == 1
    printed = capsys.readouterr()
    assert printed.err.startswith("ada, review_1.md: ") and why in printed.err
    assert "ada (2 of 2)" in printed.out and "ben (1 of 2)" in printed.out


def test_of_two_that_differ_none_is_taken(root, place, tmp_path, capsys):
    author = next(author for reader, author, *_ in files(place).values() if reader == "ben")
    for k in "12":
        fill(place, "ben", author, ("1", "0"), f"Version {k}", tmp_path / "back" / f"{k}.md")
    before = everything(place)
    assert run(root, "collect", "--from", str(tmp_path / "back")) == 1
    assert "ben: " in (told := capsys.readouterr().err) and "differ: take all but one away" in told
    assert {path: data for path, data in everything(place).items() if path.suffix == ".md"} == {
        path: data for path, data in before.items() if path.suffix == ".md"
    }


@pytest.mark.parametrize(
    ("arguments", "why"),
    [(["assign", "--reviews", "4"], "reviews is 4"), (["collect"], "assign the letters first")],
)
def test_what_cannot_be_done_is_told(root, capsys, arguments, why):
    assert run(root, *arguments) == 2
    assert why in capsys.readouterr().err
