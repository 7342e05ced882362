"""The pages that play, as files: what is folded, packed or left out, links, and when a recording is out of date."""

import base64
import json
import re
import zlib
from itertools import pairwise

import pytest
from bs4 import BeautifulSoup
from PIL import Image

from course_lessons import offered, texts
from course_lessons.dtw.explore import explore_dtw
from course_widgets import figure, geometry
from course_widgets.controls import slider
from course_widgets.frame import Explorer, prose
from tests.lectures.reading import LECTURES, ROOT
from tools import course_map
from tools.site import live, pages, picture, published, recording, shelf, wasm

MOST_FIRST = 1_000_000  # bytes of a page's first view: its text, styles, scripts and formulas


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """Folder of the site without any recording."""
    folder = tmp_path_factory.mktemp("site") / "site"
    pages.write(folder, {})
    return folder


@pytest.fixture(scope="module")
def trees(site):
    """The pages by their names."""
    return {page.name: BeautifulSoup(page.read_text(), "html.parser") for page in site.glob("*.html")}


def test_there_is_a_page_for_each_lecture_and_all_links_lead_somewhere(site, trees):
    assert {f"{path.name[:2]}.html" for path in LECTURES} < set(trees)
    ids = {name: {node["id"] for node in tree.find_all(id=True)} for name, tree in trees.items()}
    for name, tree in trees.items():
        for node in tree.find_all(["a", "img", "audio", "link", "script"]):
            address = node.get("href") or node.get("src") or ""
            if not address or re.match(r"https?:|data:|mailto:", address):
                assert node.name == "a" or not address.startswith("http")
                continue
            file, _, part = address.partition("#")
            assert (site / (file or name)).exists(), f"{name}: {address}"
            assert not part or part in ids[file or name], f"{name}: {address}"


def test_the_boxes_of_the_map_lead_to_their_lectures_and_say_which(trees):
    boxes = [(box["href"], box["aria-label"]) for box in trees["index.html"].select(".map a")]
    assert boxes == [(f"{number}.html", f"Lecture {number} {title}") for number, _, title, *_ in course_map.rows()]


def test_where_no_kernels_were_built_the_first_page_shows_the_first_picture_of_the_readme(trees, monkeypatch):
    monkeypatch.setattr(wasm, "current", lambda: None)
    assert live.front("picture") == "picture"
    assert trees["index.html"].find("img", alt=picture.drawn()[0])


def test_what_answers_a_prediction_is_folded_and_notes_are_left_out(trees):
    folds = 0
    for tree in (tree for name, tree in trees.items() if name[:2].isdigit()):
        assert "For the teacher" not in tree.get_text()
        found = tree.select("details.result")
        assert not any(fold.has_attr("open") for fold in found)
        folds += len(found)
        for summary in tree.find_all("summary", string=re.compile("Explain|Solution|Proof")):
            assert not summary.parent.has_attr("open")
    assert folds > 100


def test_what_is_for_home_stands_in_a_fold_under_its_heading(trees):
    for fold in trees["01.html"].select("details.home"):
        assert "At home" in fold.summary.get_text() and fold.summary.h2
    assert len(trees["01.html"].select("details.home")) == 5


def test_every_page_leads_to_the_course_and_to_nothing_that_is_not_set(trees, monkeypatch):
    assert all(tree.footer.find("a", href="course_for_students.zip") for tree in trees.values())
    lecture = LECTURES[1].relative_to(ROOT)
    monkeypatch.setattr(published, "PUBLISHED", dict.fromkeys(published.ENVIRONMENT, ""))
    assert "make lab" in published.how_to_run(lecture) and published.address("a.png") == "a.png"
    assert "http" not in published.links() + published.how_to_run(lecture) + published.source(LECTURES[1])
    known = {"repository": "someone/teachers", "students": "someone/course", "address": "https://here/course/"}
    monkeypatch.setattr(published, "PUBLISHED", known)
    assert f"gh/someone/course/main?urlpath=lab/tree/{lecture}" in published.how_to_run(lecture)
    assert f"github.com/someone/teachers/edit/main/{lecture}" in published.source(LECTURES[1])
    assert all(part in published.links() for part in ("gh/someone/course/", '"https://github.com/someone/teachers"'))
    assert published.address("a.png") == "https://here/course/a.png"


def test_lectures_lead_on_to_each_other_and_to_their_homework_and_back(trees):
    names = [f"{path.name[:2]}.html" for path in LECTURES]
    for before, after in pairwise(names):
        assert trees[before].find("a", rel="next", href=after) and trees[after].find("a", rel="prev", href=before)
    homework = [name for name in trees if name.startswith("homework-")]
    assert len(homework) == 13
    for name in homework:
        lecture = name.removeprefix("homework-")
        assert trees[lecture].find("a", rel="next", href=name) and trees[name].find("a", rel="prev", href=lecture)


def test_every_page_says_what_it_is_and_shows_a_picture_before_it_is_open(site, trees):
    for name, tree in trees.items():
        told = {
            one.get("name") or one.get("property"): one["content"] for one in tree.head.find_all("meta", content=True)
        }
        assert told["description"] == told["og:description"] and told["og:title"] == tree.title.get_text()
        assert (site / "media" / told["og:image"].rpartition("/")[2]).exists()
        assert (
            name != "01.html" or told["description"] == "How can a machine hear that two recordings are the same word?"
        )


def test_a_search_shows_no_text_that_the_page_folds(site, trees):
    entries = json.loads(zlib.decompress((site / "search.bin").read_bytes(), -15))
    shown = {}
    for entry in entries:
        shown[entry["at"].partition("#")[0]] = shown.get(entry["at"].partition("#")[0], "") + entry["text"]
    for name in ("01.html", "10.html"):
        folds = trees[name].find_all("summary", string="Explain")
        told = [" ".join(fold.parent.get_text(" ").split())[:80] for fold in folds]
        assert told and not [one for one in told if one in shown[name]]


def test_sections_and_what_they_derive_in_the_library_lead_to_each_other(trees):
    for page, address, goal in (
        ("01.html", "library-sequences.html#course_lib.sequences.warping", "01.html#3-the-recursion"),
        ("05.html", "library-gp.html#course_lib.gp.regression", "05.html#3-conditioning"),
        (
            "12.html",
            "library-judgments.html#course_lib.judgments.asking.acquisition",
            "12.html#2-expected-improvement",
        ),
    ):
        there = trees[page].find(id=goal.partition("#")[2])
        back = trees[address.partition("#")[0]].find(id=address.partition("#")[2])
        assert there.find("a", href=address) and back.find("a", href=goal)
    called = trees["library-gp.html"].find(id="course_lib.gp.regression.GPRegression").get_text()
    assert called.startswith("GPRegression(kernel=None, *,"), "what a base class asks for is named too"


def test_the_first_use_of_a_term_leads_to_the_glossary_and_no_other_does(trees):
    for path in LECTURES[1:]:
        linked = [term["href"] for term in trees[f"{path.name[:2]}.html"].find_all("a", class_="term")]
        assert len(linked) == len(set(linked)) > 10, "words of the glossary"
        assert not [
            term
            for term in trees[f"{path.name[:2]}.html"].select("pre .term, h2 .term, details .term")
            if not term.find_parent("details", class_="home")
        ]
    assert "00.html#term-cavity" not in {a.get("href") for a in trees["05.html"].find_all("a")}, "it comes in 06"


def test_answers_of_questions_are_in_no_page(site, trees):
    for path in LECTURES[1:]:
        page = (site / f"{path.name[:2]}.html").read_text()
        replies = [reply for one in texts(path.stem[3:])["quiz"].values() for reply in one["answers"].values()]
        assert not [reply for reply in replies if prose(reply) in page]
        assert trees[f"{path.name[:2]}.html"].select(".quiz[data-quiz]")


def test_an_explorer_that_a_lecture_gives_something_is_the_one_that_is_recorded(trees):
    cells = [cell for path in LECTURES for cell in json.loads(path.read_text())["cells"]]
    begun = [(cell, re.match(r"(explore_\w+)\([^)]", "".join(cell["source"]))) for cell in cells]
    given = {match.group(1): cell for cell, match in begun if match}
    assert set(given) == {"explore_trellis", "explore_my_digit", "explore_my_number"}
    for name, cell in given.items():
        stored = BeautifulSoup("".join(cell["outputs"][0]["data"]["text/html"]), "html.parser")
        assert stored.img["alt"] == offered("explore")[name]().sentence


def test_numbers_are_checked_on_the_pages_and_right_ones_stand_in_none(trees):
    found = {name: tree.select(".writing") for name, tree in trees.items()}
    assert len(found["02.html"]) == 2 and len(found["06.html"]) == 3 and sum(map(len, found.values())) >= 19
    for name, place in ((name, place) for name, places in found.items() for place in places):
        told = json.loads(zlib.decompress(base64.b64decode(place["data-writing"]), -15))
        right = [rule for rule in told["rules"] if rule[0].startswith("✓")]
        assert right and not place.get_text() and place.find_previous_sibling("pre"), "the cell stands above"
        text = trees[name].get_text()
        assert not [rule for rule in right if rule[0] in text or any(repr(number) in str(place) for number in rule[1])]


def test_an_explorer_that_is_not_recorded_says_so_above_its_picture(trees):
    told = trees["05.html"].find_all("p", class_="said", string=re.compile("not recorded"))
    assert len(told) == 4 and all(one.find_next_sibling("figure").img["alt"] for one in told)


def test_no_page_of_a_lecture_asks_to_run_what_it_cannot_run(trees):
    asked = re.compile(r"\brun (this|the|the folded) cell(?!( above| again)? in the notebook)", re.IGNORECASE)
    for path in LECTURES:
        tree = trees[f"{path.name[:2]}.html"]
        quizzes = [
            json.loads(zlib.decompress(base64.b64decode(one["data-quiz"]), -15)) for one in tree.select(".quiz")
        ]
        said = " ".join([tree.main.get_text(" "), *(reply for quiz in quizzes for reply in quiz["replies"])])
        assert not asked.search(" ".join(said.split())), path.stem


def test_the_listening_test_has_all_its_clips_and_the_table_of_its_items(site, trees):
    told = json.loads(trees["listening.html"].find(id="study").string)
    assert len(told["items"]) == 8 and all((site / item["source"]).exists() for item in told["items"])
    assert trees["listening.html"].main.find("a", href="items.csv")
    assert (site / "items.csv").read_text().startswith("item,bass,treble,low,high\n")
    assert trees["index.html"].header.find("a", href="listening.html")


def imported(script):
    """A script and all that come with it; workers, and the microphone, come where somebody needs them."""
    names = re.findall(r'^import .* from "\./(.+)";$', script.read_text(encoding="utf-8"), re.MULTILINE)
    return {script}.union(*(imported(script.parent / name) for name in names))


def test_a_first_view_is_small(site):
    later = (".txt", ".wasm", ".js")  # what a page asks for only where somebody does; scripts follow
    others = {path for path in (site / "assets").iterdir() if path.suffix not in later}
    shared = sum(path.stat().st_size for path in others | imported(site / "assets" / "page.js"))
    assert all(page.stat().st_size + shared < MOST_FIRST for page in site.glob("*.html"))


def test_a_recording_is_out_of_date_when_its_code_or_its_data_are_others(tmp_path, monkeypatch):
    code, data = tmp_path / "code.py", tmp_path / "data.csv"

    def kept():
        shelf.what_runs.cache_clear()
        return shelf.kept("explore_gap", tmp_path)

    code.write_text("x = 1")
    data.write_text("1")
    monkeypatch.setattr(shelf, "closure", lambda module: {code})
    known = {"key": shelf.key("explore_gap", [str(data)]), "data": [str(data)]}
    (tmp_path / "explore_gap.json").write_text(json.dumps(known))
    code.write_text('"""What it is."""\nx = 1  # one')
    assert kept() == known, "another comment is not other code"
    code.write_text("x = 2")
    assert kept() is None
    code.write_text("x = 1")
    assert kept() == known
    data.write_text("2")
    assert kept() is None


def test_a_recording_depends_on_what_its_explorer_imports_and_on_nothing_else():
    names = {str(path.relative_to(ROOT)) for path in shelf.closure(explore_dtw.__module__)}
    assert {"course_lib/sequences/warping.py", "course_widgets/style.py", "course_widgets/frame.py"} < names
    assert not any(name.startswith(("course_lib/gp", "course_lib/judgments")) for name in names)


def test_a_slider_whose_picture_jumps_keeps_all_its_places():
    def draw(figure, level):
        figure.add_subplot().plot([0, 1], [level % 2, 0])
        return f"The level is {level}."

    walk = recording.Walk(Explorer(draw, level=slider("level", 0, 40, 0)), {})
    assert walk.thin() == (0.0, {}) and walk.size() == 41


def test_where_states_are_too_many_a_slider_stops_at_fewer_places_of_its_own():
    def draw(figure, a, b):
        figure.add_subplot().plot([0, 1], [a % 7, b % 5])
        return f"{a} and {b}."

    walk = recording.Walk(Explorer(draw, a=slider("a", 0, 100, 37), b=slider("b", 0, 20, 0)), {})
    walk.thin()
    assert walk.coarsen() == [] and walk.size() == 101 * 21
    a = walk.sliders[0]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(recording, "MAX_STATES", 1000)
        assert walk.coarsen() == ["a"]
        few = walk.sliders[0].described(37)
        assert walk.size() <= 1000 and walk.sliders[0].values[few["start"]] == 37 and not few["smooth"]
        assert few["at"] == list(range(len(few["shown"]))) and set(few["shown"]) < set(map(a.control.text, a.values))
        patch.setattr(recording, "MAX_STATES", 10)
        with pytest.raises(recording.NotRecorded, match="states; at most 10"):
            walk.coarsen()


def test_formulas_in_figures_are_in_the_ink_of_the_page_and_surfaces_in_their_own():
    drawing, ax = figure()
    ax.set_title("$x^2$")
    ax.axvspan(0.2, 0.4, color="#000000")
    fills = [dict(mark.look).get("fill") for mark in geometry.read(drawing) if dict(mark.look)["kind"] == "path"]
    assert {"var(--ink)", "#000000"} <= set(fills)


def test_the_first_picture_of_the_readme_is_the_first_explorer_as_it_moves_and_says_what_it_says():
    said, path = re.search(
        r"!\[(.*?)\]\((.*?)\)", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL
    ).groups()
    assert said.endswith(picture.drawn()[0]) and (ROOT / path) == picture.PATH
    with Image.open(picture.PATH) as gif:
        assert gif.n_frames > 40 and picture.PATH.stat().st_size < 300_000
