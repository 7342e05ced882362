"""Studies of the listening test: their designs, what is wrong with a file in its words, and what is written."""

import json
import re
from collections import Counter
from itertools import pairwise

import pytest

from course_lib import audio
from tools.listening import __main__ as command
from tools.listening import designs, page, studies

SOUNDS = """title = "Rooms"
question = "How far away is it?"
choice = "Which is further away?"
choices = 2
[scale]
least = 1
most = 7
step = 1
left = "near"
right = "far"
[words]
language = "de"
next = "Weiter"
[[items]]
name = "hall"
file = "hall.wav"
metres = 8
[[items]]
name = "kitchen"
file = "kitchen.wav"
metres = 2.5
[[items]]
name = "outside"
file = "outside.wav"
metres = 20
"""


@pytest.fixture
def rooms(tmp_path):
    """The file of a study with three sounds of its own."""
    for k, name in enumerate(("hall", "kitchen", "outside")):
        (tmp_path / f"{name}.wav").write_bytes(audio.wav([0.1 * k, -0.1, 0.1], 8000))
    path = tmp_path / "rooms.toml"
    path.write_text(SOUNDS, encoding="utf-8")
    return path


@pytest.mark.parametrize("n", range(2, 10))
def test_orders_have_each_item_at_each_place_and_after_each_other_one(n):
    rows = designs.orders(n)
    assert all(set(Counter(column).values()) == {len(rows) // n} for column in rows.T.tolist())
    follow = Counter((a, b) for row in rows.tolist() for a, b in pairwise(row))
    assert len(follow) == n * (n - 1) and len(set(follow.values())) == 1


@pytest.mark.parametrize(("n", "each"), [(2, 1), (5, 4), (6, 15), (8, 8)])
def test_choices_have_each_pair_on_both_sides_and_none_twice_in_a_row(n, each):
    rows = designs.choices(n, each)
    found = Counter(map(tuple, rows.reshape(-1, 2).tolist()))
    assert len(found) == n * (n - 1) and len(set(found.values())) == 1
    assert all(len({frozenset(pair) for pair in row}) == each for row in rows.tolist())


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("title =", "titel =", "rooms.toml lacks title"),
        ("[words]", "[words]\nnext_one = 'x'", "[words] of rooms.toml has next_one; it may have"),
        ("choices = 2", "choices = 4", "choices is 4; 0 to 3, the pairs of 3 items"),
        ('choice = "Which is further away?"', "", "lacks choice, the question"),
        ("metres = 2.5", 'metres = "2,5"', "item 2 has the feature metres = '2,5'; each needs"),
        ("metres = 2.5", "low = 8", "item 2 has the feature low = 8; each needs"),
        ("metres = 2.5", "feet = 8", "item 'kitchen' has the features feet, 'hall' has metres"),
        ('name = "kitchen"', 'name = "hall"', "items 'hall', 'hall', 'outside'; two or more different names"),
        ('name = "kitchen"', 'name = "Hall "', "'Hall ', 'outside'; two or more different names"),
        ('name = "kitchen"', 'name = ""', "items 'hall', '', 'outside'; two or more different names"),
        ("metres = 2.5", "metres = nan", "item 2 has the feature metres = nan; each needs"),
        ('file = "kitchen.wav"', "file = 3", "item 2 is {'name': 'kitchen', 'file': 3"),
        ("choices = 2", "choices = true", "rooms.toml: choices is True; a number is needed"),
        ('title = "Rooms"', "title = 5", "rooms.toml: title is 5; a text is needed"),
        ("least = 1", "least = '1'", "[scale] of rooms.toml: least is '1'; a number is needed"),
        ("step = 1", "step = 4", "a step above 0 that leads from least to most"),
        ('next = "Weiter"', "next = 1", "[words] of rooms.toml: next is 1; a text is needed"),
        ('file = "kitchen.wav"', 'file = "cellar.wav"', "cellar.wav of item 'kitchen' does not exist"),
        ('file = "kitchen.wav"', 'file = "rooms.toml"', "rooms.toml of item 'kitchen' is no sound"),
        ('file = "kitchen.wav"', "", "item 'kitchen' needs a file, or bass and treble alone"),
        ("most = 7", "most = 1", "[scale] needs least below most"),
        ("most = 7", "most 7", "rooms.toml is no TOML"),
    ],
)
def test_what_is_wrong_with_a_study_is_said_in_its_words(rooms, capsys, old, new, said):
    rooms.write_text(SOUNDS.replace(old, new), encoding="utf-8")
    assert command.main([str(rooms)]) == 1
    assert said in capsys.readouterr().err


def test_a_study_of_ones_own_becomes_one_file_and_a_table_of_its_items(rooms, tmp_path):
    assert command.main([str(rooms), "--into", str(tmp_path / "out")]) == 0
    study = studies.read(rooms)
    html = (tmp_path / "out" / f"listening_{study.id}.html").read_text(encoding="utf-8")
    assert '<html lang="de">' in html and not re.search("^import", html, flags=re.MULTILINE)
    told = json.loads(re.search(r'id="study">(.*)</script>', html)[1])
    assert told["words"]["next"] == "Weiter" and told["words"]["back"] == "Back"
    assert [item["source"] for item in told["items"]] == [page.inside(clip) for clip in study.clips]
    assert study.credit == "" and studies.read().credit in page.alone(studies.read())
    assert study.clips[0].sound == (tmp_path / "hall.wav").read_bytes(), "a file is played as it is"
    items = (tmp_path / "out" / "items.csv").read_text(encoding="utf-8")
    assert items.splitlines() == ["item,metres,low,high", "hall,8,1,7", "kitchen,2.5,1,7", "outside,20,1,7"]


def test_the_name_of_a_study_follows_what_an_answer_means(rooms):
    before = studies.read(rooms).id
    for old, new in (
        ("far away is it", "near is it"), ("metres = 20", "metres = 30"), ('"outside"', '"yard"'),
        ("most = 7", "most = 9"), ("is further", "is nearer"), ("choices = 2", "choices = 3"),
        ("choices = 2", "same = false"), ('"outside.wav"', '"hall.wav"'),
    ):  # fmt: skip
        rooms.write_text(SOUNDS.replace(old, new), encoding="utf-8")
        assert studies.read(rooms).id != before
    rooms.write_text(SOUNDS.replace('"Rooms"', '"Three rooms"'), encoding="utf-8")
    assert studies.read(rooms).id == before and re.fullmatch("[0-9a-f]{8}", before)
