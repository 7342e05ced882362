"""Likeness: copies stand on top, honest pairs within the noise, what was given is nobody's; pages show text alone."""

import csv
import os
import random
import subprocess
import sys
from html.parser import HTMLParser

import pytest

from tests.classroom import made_class
from tools.homework import fingerprints, likeness, likeness_pages
from tools.homework.release import ROOT

HOMEWORK = "01_dtw"
HOSTILE = "print('</pre><script>window.hacked = 1</script>')  # <img src=x onerror=alert(1)> \ud800"


@pytest.fixture(scope="module")
def released():
    return fingerprints.Released(ROOT, HOMEWORK)


@pytest.fixture
def seed():
    found = random.SystemRandom().randrange(10**6)
    print(f"made_class.classroom({HOMEWORK!r}, {found})")
    return found


def judged(texts, released):
    """(pairs of names in the order of the list, those above the noise)."""
    empty = dict.fromkeys(released.parts, "")
    pairs = likeness.compare({who: empty | one for who, one in texts.items()}, released)
    limits = likeness.noises(pairs)
    pairs.sort(key=lambda one: -one.excess(limits))
    return [one.students for one in pairs], {one.students for one in pairs if likeness.above(one, limits)}


@pytest.mark.parametrize("number", range(3))
def test_copies_stand_on_top_and_no_other_pair_is_above_the_noise(released, seed, number):
    texts, copied = made_class.classroom(HOMEWORK, seed)
    order, above = judged(texts, released)
    assert set(order[: len(copied)]) == copied
    assert above == copied


def test_who_copied_one_letter_or_only_code_stands_on_top_too(released, seed):
    texts, copied = made_class.classroom(HOMEWORK, seed, copies=3)
    chance = random.Random(seed + 1)
    for _, copier in copied:
        texts[copier] |= {part: made_class.letter(chance) for part in texts[copier] if part.startswith("letter")}
    texts["S10"]["letter-mean"] = texts["S11"]["letter-mean"]
    assert set(judged(texts, released)[0][:4]) == copied | {("S10", "S11")}


def test_a_class_without_copies_has_no_more_false_alarms_than_it_is_told(released, seed):
    alarms = [judged(made_class.classroom(HOMEWORK, seed + k, 20, 0)[0], released)[1] for k in range(3)]
    assert sum(map(len, alarms)) <= 2, "of three classes 3 · 0.05 are expected"


def test_names_remarks_and_white_space_are_no_difference():
    one = 'def f(x):\n    """What."""\n    best = x.min()  # here\n    return best + 1.5'
    other = "def g( values ):\n\n  m = values.min()\n  # there\n  return m+1.5"
    assert [run for run, _ in fingerprints.runs(one, "code")] == [run for run, _ in fingerprints.runs(other, "code")]
    assert fingerprints.runs(one, "code") != fingerprints.runs(one.replace("1.5", "2.5"), "code")
    assert fingerprints.runs("Six, x  twice", "letters") == [(("six", "x", "twice"), [(0, 3), (5, 6), (8, 13)])]


@pytest.mark.parametrize(
    "text", ["x = 'open", 'y = """open', "((((", "", "# only", "λ = 1 ☃ ?", '\\"' * 50_000], ids=range(7)
)
def test_what_is_no_python_has_runs_all_the_same(text):
    assert all(text[begin:end] for _, spans in fingerprints.runs(text, "code") for begin, end in spans)


def test_what_is_not_compared_is_not_marked():
    text = "y = 2  # mine\nz  =  3"
    spans = [span for _, spans in fingerprints.runs(text, "code") for span in spans]
    assert likeness_pages.marked(text, spans) == "<mark>y = 2</mark>  # mine\n<mark>z  =  3</mark>"


# --- the command


def run(place, *more):
    return likeness.main(["--submitted", str(place / "submitted"), "--into", str(place), "--homework", "1", *more])


def table(place):
    with open(place / "likeness" / f"{HOMEWORK}.csv", newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def desk(tmp_path_factory):
    """What a class of fourteen handed in: two copied, two wrote a hostile cell, three handed in what they got."""
    place = tmp_path_factory.mktemp("desk")
    texts, copied = made_class.classroom(HOMEWORK, 5, students=12, copies=2)
    for who, one in texts.items():
        made_class.hand_in(place / "submitted" / who, HOMEWORK, one, own=HOSTILE if (who in sum(copied, ())) else "")
    for who in ("T01", "T02", "T03"):
        made_class.hand_in(place / "submitted" / who, HOMEWORK, {})
    (place / "likeness" / HOMEWORK).mkdir(parents=True)
    (place / "likeness" / HOMEWORK / "A--B.html").write_text("of an earlier run")
    assert run(place) == 0
    return place, copied


def test_the_table_has_all_pairs_and_a_page_for_each_above_the_noise(desk):
    place, copied = desk
    found = table(place)
    assert len(found) == 12 * 11 / 2, "who handed in what was released is in no pair"
    assert {(row["student"], row["other"]) for row in found[:2]} == copied
    assert [row["above the noise"] for row in found].count("no") == len(found) - 2
    pages = {path.name for path in (place / "likeness" / HOMEWORK).iterdir()}
    assert pages == {f"{one}--{other}.html" for one, other in copied}


class Tags(HTMLParser):
    """Tags of a page, and the text that is marked."""

    def __init__(self, page):
        super().__init__()
        self.tags, self.marked, self.last = set(), "", ""
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.last = tag

    def handle_endtag(self, tag):
        self.last = ""

    def handle_data(self, data):
        self.marked += data if self.last == "mark" else ""


def test_a_page_marks_what_both_wrote_and_runs_nothing(desk):
    for path in (desk[0] / "likeness" / HOMEWORK).iterdir():
        page = path.read_text(encoding="utf-8")
        found = Tags(page)
        assert not found.tags & {"script", "img", "a", "link", "iframe"} and "mark" in found.tags
        assert "&lt;script&gt;" in page and "default-src 'none'" in page
        assert "window.hacked" in found.marked and "NotImplementedError" not in found.marked
        assert "text-decoration: underline" in page, "marks are told by more than a colour"


def test_again_it_gives_the_same_bytes(desk):
    place = desk[0]
    before = {path: path.read_bytes() for path in (place / "likeness").rglob("*.*")}
    command = [sys.executable, "-m", "tools.homework.likeness", "--submitted", place / "submitted", "--into", place]
    subprocess.run(command, cwd=ROOT, env={**os.environ, "PYTHONHASHSEED": "7"}, check=True, stdout=subprocess.DEVNULL)
    assert {path: path.read_bytes() for path in (place / "likeness").rglob("*.*")} == before


def test_a_small_class_gets_the_table_without_a_threshold(tmp_path, capsys):
    texts, copied = made_class.classroom(HOMEWORK, 5, students=4, copies=1)
    for who, one in texts.items():
        made_class.hand_in(tmp_path / "submitted" / who, HOMEWORK, one)
    (tmp_path / "submitted" / "cut" / HOMEWORK).mkdir(parents=True)
    assert run(tmp_path) == 0
    printed = capsys.readouterr()
    assert "Fewer than 8 students" in printed.out and "not compared: cut/01_dtw: there is no" in printed.err
    assert (table(tmp_path)[0]["student"], table(tmp_path)[0]["other"]) in copied
    assert {row["above the noise"] for row in table(tmp_path)} == {""}
    assert not list(tmp_path.glob("likeness/*/*.html"))


def test_a_class_that_handed_in_one_notebook_is_listed(tmp_path, capsys):
    (text,) = made_class.classroom(HOMEWORK, 5, students=1, copies=0)[0].values()
    for k in range(11):
        made_class.hand_in(tmp_path / "submitted" / f"S{k:02}", HOMEWORK, text)
    assert run(tmp_path) == 0
    told = capsys.readouterr().out
    assert "55 of 55 pairs are above" in told and "Pairs with the same code, sign by sign: 55." in told
    assert {row["above the noise"] for row in table(tmp_path)} == {"code and letters"}
    pages = list(tmp_path.glob("likeness/*/*.html"))
    assert len(pages) == 55 and "the same letters, sign by sign" in pages[0].read_text(encoding="utf-8")


def test_short_texts_that_are_equal_are_no_reason(released):
    texts = {f"S{k:02}": dict.fromkeys(released.places, "x = 1") for k in range(11)}
    assert not judged(texts, released)[1]


@pytest.mark.parametrize(("more", "why"), [(["--submitted", "nowhere"], "no folder"), (["--homework", "99"], "HW=99")])
def test_what_is_not_there_is_a_usage_error(tmp_path, capsys, more, why):
    (tmp_path / "submitted").mkdir()
    with pytest.raises(SystemExit):
        run(tmp_path, *more)
    assert why in capsys.readouterr().err
