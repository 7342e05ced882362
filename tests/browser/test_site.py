"""The pages that play, on a plain file server: explorers by keyboard, the same sentences and places as live.

`make test-more` records two explorers and plays them; `make test-site` plays all that `make site` has recorded, and
opens all pages.
"""

import ast
import contextlib
import functools
import http.server
import io
import shutil
import threading
from dataclasses import dataclass, field

import numpy as np
import pytest
from bs4 import BeautifulSoup
from matplotlib.patches import Rectangle

import course_lessons
from course_lessons.dtw import explore
from course_lib import sequences as seq
from course_widgets import geometry, style
from course_widgets.controls import slider
from course_widgets.frame import Explorer, prose
from tests.browser.accessibility import AXE, GRAVE
from tests.browser.conftest import LONG
from tools.site import live_covariance, live_dtw, live_marks, pages, places, recording, reference, shelf, wasm, writing

QUICK = {"explore_greedy": "01", "explore_marks": "10"}  # and the lectures that they are of
OTHERS = [name for name in shelf.names() if name not in QUICK]
LECTURE = shelf.lectures()
PAGES = [
    *places.written(),
    "index",
    "listening",
    "references",
    "licences",
    "library",
    *(reference.page_of(room).removesuffix(".html") for room in reference.ROOMS),
]
CLOSE = 1.0  # px
CUT = """() => [...document.querySelectorAll("body *")].filter(one => {
    if (!one.checkVisibility() || one.closest(".skip, mjx-assistive-mml, svg, option, audio")) return false;
    for (let up = one.parentElement; up; up = up.parentElement)
        if (up !== document.body && getComputedStyle(up).overflowX !== "visible") return false;
    const { left, right } = one.getBoundingClientRect();
    const inside = getComputedStyle(one).overflowX === "visible" ? one.scrollWidth : 0;
    return left < -1 || Math.max(right, left + inside) > innerWidth + 1;
}).map(one => one.outerHTML.slice(0, 120))"""
OUTLINES = """place => [...place.querySelectorAll(".drawing path")].map(path =>
    path.getAttribute("d").match(/-?[\\d.]+/g)?.map(Number) ?? [])"""
# Of each path its points, or of copies of a shape where each begins.
STARTS = """place => [...place.querySelectorAll(".drawing > svg > g path")].map(path => {
    const pairs = (pattern) => path.getAttribute("d").match(pattern).map(pair => pair.match(/-?[\\d.]+/g).map(Number));
    const begins = pairs(/M-?[\\d.]+ -?[\\d.]+/g);
    return begins.length > 1 ? begins : pairs(/-?[\\d.]+ -?[\\d.]+/g);
})"""
LABEL = "(document.activeElement.closest('label') ?? document.activeElement).innerText.trim()"
GO = """([place, values]) => place.querySelectorAll(".control input, .control select").forEach((input, k) => {
    if (input.type === "checkbox") input.checked = Boolean(values[k]);
    else if (input.type === "range") input.value = values[k];
    else input.selectedIndex = values[k];
    input.dispatchEvent(new Event("change"));
})"""
BETWEEN = """async at => {
    const { load, between } = await import("/assets/film.js");
    const film = await load("recordings/bump.bin"), places = film.controls[0].at;
    return at.map(value => {
        const high = Math.max(1, places.findIndex(place => place >= value)), low = high - 1;
        const share = (value - places[low]) / (places[high] - places[low]);
        return between(film.states[low], film.states[high], share).map(({ points }) => [...points]);
    });
}"""

# Keeps what a page's worker is asked, and what it answers.
NOTED = """() => {
    globalThis.noted = [];
    globalThis.Worker = class extends Worker {
        constructor(...given) {
            super(...given);
            this.addEventListener("message", ({ data }) => noted.at(-1).push(data));
        }
        postMessage(asked) {
            noted.push([asked.settings]);
            super.postMessage(asked);
        }
    };
}"""
NUMBERS = """async texts => {
    const { number } = await import("/assets/writing.js");
    return texts.map(number).map(String);
}"""
WRITE = """(place, rows) => rows.map(row => {
    row.forEach((text, k) => place.querySelectorAll("input")[k].value = text);
    place.querySelector("button").click();
    return place.querySelector("[role=status]").innerText;
})"""


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


def some_or(argument, some, every):
    """A test of some names, and in `make test-site` of every one."""
    rest = [pytest.param(name, marks=pytest.mark.long) for name in every if name not in some]
    return pytest.mark.parametrize(argument, [*some, *rest])


@pytest.fixture(scope="module")
def site(tmp_path_factory, request):
    """Address of the site, with two explorers of lectures 01 and 10 and one of this test; or of all."""
    folder = tmp_path_factory.mktemp("site")
    all_ = any(item.get_closest_marker("long") for item in request.session.items)
    for path in shelf.played().values() if all_ else ():
        shutil.copy(path, folder)
    made = {
        name: recording.record(course_lessons.offered("explore")[name](), *recording.HELD.get(name, ()))
        for name in QUICK
        if not (folder / f"{name}.bin").exists()
    }
    made["bump"] = recording.record(bump())
    for name, (data, _) in made.items():
        (folder / f"{name}.bin").write_bytes(data)
    pages.write(folder / "site", {path.stem: path for path in folder.glob("*.bin")})
    handler = functools.partial(Quiet, directory=folder / "site")
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@dataclass
class Opened:
    """A page, what it asked for that is not of the site, and what its console said."""

    page: object
    asked: list = field(default_factory=list)
    said: list = field(default_factory=list)


@pytest.fixture
def opened(browser, site):
    """A function of (path, width) that opens a page; nothing may leave, and no console may complain."""
    found = []

    def go(path, width=1280):
        page = browser.new_context(viewport={"width": width, "height": 900}).new_page()
        page.set_default_timeout(LONG)
        one = Opened(page)
        found.append(one)
        page.on("request", lambda request: one.asked.append(request.url))
        page.on("console", lambda message: one.said.append(message.text))
        page.on("pageerror", lambda error: one.said.append(str(error)))
        page.goto(f"{site}/{path}")
        page.wait_for_selector("html.ready")
        return page

    yield go
    for one in found:
        outside = [url for url in one.asked if not url.startswith((site, "data:", "blob:"))]
        one.page.context.close()
        assert not outside and not one.said


def explorer_on(page, name):
    """The place where an explorer plays, once it does; what it lies in is unfolded."""
    page.evaluate("document.querySelectorAll('details.home').forEach(fold => fold.open = true)")
    place = page.locator(f'.explorer[data-recording="recordings/{name}.bin"]')
    if name not in QUICK and not place.count():
        pytest.skip("not recorded: run make site")
    place.scroll_into_view_if_needed()
    page.wait_for_selector(f'.explorer.plays[data-recording="recordings/{name}.bin"]')
    return place


def live(name):
    """(explorer, settings that do not move) as the recording had it."""
    held = recording.HELD.get(name, ({},))[0]
    return course_lessons.offered("explore")[name](), held


def sentence(text):
    return BeautifulSoup(prose(text), "html.parser").get_text()


def outlines(figure):
    """(n, 2) px from the upper left of each line and rectangle, by the artists' own data."""
    figure.draw_without_rendering()
    made = []
    for ax in figure.axes:
        lines = [line for line in ax.lines if line.get_linestyle() != "None" and len(line.get_xdata()) > 1]
        made += [line.get_transform().transform(line.get_xydata()) for line in lines]
        boxes = [patch for patch in ax.patches if isinstance(patch, Rectangle)]
        made += [box.get_transform().transform(box.get_path().vertices[:4]) for box in boxes]
    return [points * (1, -1) + (0, figure.bbox.height) for points in made]


@some_or("name", QUICK, OTHERS)
def test_an_explorer_plays_by_the_keyboard_alone(name, opened):
    page = opened(f"{LECTURE[name]}.html")
    place, (explorer, held) = explorer_on(page, name), live(name)
    walk = recorded(explorer, held)
    assert not place.locator(".controls").is_visible()
    place.locator(".answers button").first.focus()
    page.keyboard.press("Space")
    for _ in explorer.predict[1]:
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert "You predicted" in place.locator(".prediction").inner_text()
    values = {**explorer.start, **held}
    for control in walk.sliders:
        assert page.evaluate(LABEL).startswith(control.control.label)
        page.keyboard.press("Space" if control.kind == "switch" else "End")
        values[control.name] = not values[control.name] if control.kind == "switch" else control.values[-1]
        assert place.locator(".sentence").inner_text() == sentence(explorer.drawn(values)[0])
        page.keyboard.press("Tab")
    for label in explorer.about["actions"] + explorer.about["cases"]:
        assert page.evaluate(LABEL) == label
        page.keyboard.press("Tab")
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Enter")  # the last one: Start again
    assert place.locator(".sentence").inner_text() == sentence(explorer.drawn({**explorer.start, **held})[0])


def recorded(explorer, held):
    """The walk of an explorer by the places that its recording has."""
    walk = recording.Walk(explorer, held)
    walk.thin()
    walk.coarsen()
    return walk


@some_or("name", QUICK, OTHERS)
def test_recorded_states_say_and_show_what_the_live_function_does(name, opened):
    rng = np.random.default_rng()
    page = opened(f"{LECTURE[name]}.html")
    place, (explorer, held) = explorer_on(page, name), live(name)
    walk = recorded(explorer, held)
    compared = 0
    for _ in range(20):
        state = [int(rng.integers(len(one.values))) for one in walk.sliders]
        at = [one.at[k] if one.kind == "slider" else k for one, k in zip(walk.sliders, state, strict=True)]
        page.evaluate(GO, [place.element_handle(), at])
        page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        values = {**explorer.start, **walk.settings(state)}
        said, true = explorer.drawn(values, painted)
        true += explorer.drawn(values, outlines)[1] if name in QUICK else []
        assert place.locator(".sentence").inner_text() == sentence(said)
        shown = [np.reshape(one, (-1, 2)) for one in place.evaluate(OUTLINES)]
        for points in true:
            far = [
                np.abs(one[: len(points)] - points).max()
                for one in shown
                if len(points) <= len(one) <= len(points) + 1
            ]
            assert min(far, default=np.inf) <= CLOSE
            compared += 1
    assert compared >= 20


def painted(figure):
    """(n, 2) px from the upper left of each outline that is painted; those of two explorers are held to `outlines`."""
    return [
        mark.points / 2 for mark in geometry.read(figure) if dict(mark.look)["kind"] == "path" and len(mark.points)
    ]


@pytest.mark.parametrize("button", [0, 1])
def test_a_button_leads_where_it_leads_in_the_notebook(button, opened):
    page = opened("01.html")
    place, (explorer, _) = explorer_on(page, "explore_greedy"), live("explore_greedy")
    place.locator(".answers button").first.click()
    place.locator(".commit").click()
    for _ in range(3):
        place.locator(".buttons button").nth(button).click()
        explorer.press(list(explorer.actions)[button])
        assert place.locator(".sentence").inner_text() == sentence(explorer.sentence)


def test_a_prediction_is_told_what_it_was_worth_once_the_picture_has_shown_it(opened):
    page = opened("01.html")
    place = explorer_on(page, "explore_greedy")
    place.locator(".answers button").first.click()
    place.locator(".commit").click()
    assert "44" not in place.locator(".prediction").inner_text()
    place.locator(".control input[type=checkbox]").check()
    assert "It is by more than half" in place.locator(".prediction").inner_text()


def bump():
    """An explorer whose picture changes smoothly with its only slider, and which has 151 places."""

    def draw(figure, width):
        x = np.linspace(-4, 4, 60)
        ax = figure.add_subplot()
        ax.plot(x, np.exp(-0.5 * (x / width) ** 2) / width, color=style.BLUE)
        ax.set(xlim=(-4, 4), ylim=(0, 1.1))
        return f"A bump of width {width:.2f}."

    return Explorer(draw, width=slider("width", 1.0, 2.5, 1.0, 0.01))


def test_between_the_places_of_a_thinned_slider_the_picture_is_right_to_a_pixel(opened):
    explorer = bump()
    walk = recording.Walk(explorer, {})
    error, left = walk.thin()
    assert 0 < error < recording.CLOSE and 5 < left["width"] < 60
    widths = np.random.default_rng().uniform(1.0, 2.5, size=20).round(2)
    shown = opened("index.html").evaluate(BETWEEN, [float((width - 1.0) / 0.01) for width in widths])
    for width, marks in zip(widths, shown, strict=True):
        true = explorer.drawn({"width": float(width)}, outlines)[1][0]
        near = [np.abs(np.reshape(mark, (-1, 2)) / 2 - true).max() for mark in marks if len(mark) == 2 * len(true)]
        assert min(near) <= CLOSE


def test_the_listening_test_plays_its_clips_on_the_site(opened):
    page = opened("listening.html")
    page.get_by_role("button", name="begin").click()
    page.get_by_role("button", name="Play").click()
    page.wait_for_selector(".scale input:enabled")


def test_a_question_answers_only_who_chose(opened):
    page = opened("01.html")
    question = page.locator(".quiz").first
    assert question.locator("[role=status]").inner_text() == ""
    replies = []
    for button in question.locator(".answers button").all():
        button.click()
        replies.append(question.locator("[role=status]").inner_text())
    assert [reply[0] for reply in replies].count("✓") == 1 and len(set(replies)) == len(replies)
    assert not any(reply[2:] in page.content().split('<main id="main">')[0] for reply in replies)


def printed(source, notebook, numbers):
    """What a cell prints last, with these numbers written into it."""
    brought = [ast.unparse(node) for node in writing.imports(notebook).values()]
    code = writing.UNWRITTEN.sub(rf"\1 = {', '.join(map(str, numbers))}", source)
    with contextlib.redirect_stdout(io.StringIO()) as said:
        exec("\n".join([*brought, code]), {})
    return sentence(said.getvalue().splitlines()[-1])


@pytest.mark.parametrize("name", ["02", "06"])
def test_written_numbers_are_told_what_the_check_of_the_lecture_says(name, opened):
    rng, page, notebook = np.random.default_rng(), opened(f"{name}.html"), pages.document(places.written()[name])
    sources = [cell.source for cell in notebook.cells if writing.place(cell.source, notebook)]
    assert page.locator(".writing").count() == len(sources) > 1
    for place, source in zip(page.locator(".writing").all(), sources, strict=True):
        told, variables = writing.called(source, notebook)
        order = [variables.index(code) for code in place.locator("label code").all_inner_texts()]
        mine = [["None"] * len(order)]
        for _, numbers, near in told.rules:
            shift = np.where(np.isfinite(near), near * rng.uniform(-1.5, 1.5), rng.normal())
            mine.append([f"{value:.4f}" for value in (numbers + shift)[order]])
        signs = str.maketrans("-.", "−" + rng.choice([".", ","]))
        written = [[text.removeprefix("None").translate(signs) for text in row] for row in mine]
        assert place.evaluate(WRITE, written) == [printed(source, notebook, row) for row in mine], mine
        place.locator("input").first.fill("1/0")
        page.keyboard.press("Enter")
        assert place.locator("[role=status]").inner_text() == pages.PAGE_WORDS["no_number"].format(text="1/0")


def test_numbers_are_read_as_people_write_them(opened):
    texts = ["0.25", "1/4", "−0,5", " -3 / 4 ", ".5", "1e-3"]
    others = ["", "x", "1/2/3", "1/0", "2e200", "0x1F", "1 2", "Infinity"]
    found = opened("index.html").evaluate(NUMBERS, texts + others)
    assert found == ["0.25", "0.25", "-0.5", "-0.75", "0.5", "0.001", *["NaN"] * len(others)]


SEARCHES = {
    "Viterbi": "04", "Cholesky": "02", "regions": "09", "ties": "10", "beta": "07", "window": "01", "mixture": "03",
    "pooling": "09", "expected improvement": "12", "soft constraints": "13",
}  # fmt: skip


def test_a_search_finds_its_page_and_escape_closes_it(opened):
    page = opened("index.html", 390)
    field = page.get_by_role("searchbox")
    for asked, lecture in SEARCHES.items():
        field.fill(asked)
        page.wait_for_selector(".found a")
        page.wait_for_function("asked => document.querySelector('input[type=search]').value === asked", arg=asked)
        found = page.locator(".found a").evaluate_all("links => links.map(link => link.getAttribute('href'))")
        assert f"{lecture}.html" in [address.partition("#")[0] for address in found[:3]], f"{asked}: {found}"
        marked = page.locator(".found mark").all_inner_texts()
        assert marked and all(word.lower().startswith(tuple(asked.lower().split())) for word in marked), asked
        assert page.evaluate(CUT) == []
        field.press("Escape")
        assert page.locator(".found a").count() == 0
    field.fill("qwertz")
    page.wait_for_selector(".found:has-text('Nothing found.')")
    field.fill("Baum–Welch")
    page.wait_for_selector(".found a")
    field.press("Enter")
    page.wait_for_url("**/04.html*")


@pytest.mark.parametrize("width", [320, 390, 820, 1280])
@some_or("name", ["index", "01", "10", "library-judgments"], PAGES)
def test_nothing_is_cut_and_no_formula_is_left_unset(name, width, opened):
    page = opened(f"{name}.html", width)
    for played in [played for played, lecture in LECTURE.items() if lecture == name]:
        if page.locator(f'[data-recording="recordings/{played}.bin"]').count():
            explorer_on(page, played)
    page.evaluate("document.querySelectorAll('details:not(.menu)').forEach(fold => fold.open = true)")
    assert page.evaluate(CUT) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.locator("mjx-merror").count() == 0


@pytest.mark.parametrize("theme", ["light", "dark"])
@some_or("name", ["10"], PAGES)
def test_screen_readers_find_what_they_need(name, theme, opened):
    page = opened(f"{name}.html")
    if name == "10":
        explorer_on(page, "explore_marks")
    page.evaluate("theme => { document.documentElement.dataset.theme = theme }", theme)
    assert not grave(page)


def grave(page):
    """What hinders a screen reader in a page."""
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate("async () => (await axe.run({ resultTypes: ['violations'] })).violations")
    return [(one["id"], one["help"], one["nodes"][0]["html"][:200]) for one in found if one["impact"] in GRAVE]


@pytest.fixture
def drawing(opened):
    """(page, place) of the explorer that aligns the reader's own curves; without kernels the test is skipped."""
    if wasm.current() is None:
        pytest.skip("There are no kernels in WebAssembly of this code: make wasm")
    page = opened("01.html")
    page.evaluate(NOTED)
    place = page.locator("[data-live='live/explore_dtw.bin']")
    place.locator("> summary").press("Enter")  # a click may miss it while explorers above grow
    place.locator("select").nth(0).select_option(live_dtw.YOURS)
    return page, place


def rest(place):
    """What the worker was asked last, and what it answered, once the picture shows it."""
    place.locator(".drawing[aria-busy=false]").wait_for()
    asked, answer = place.page.evaluate("noted.at(-1)")
    place.locator(".sentence").get_by_text(answer["sentence"], exact=True).wait_for()
    return asked, answer


def touch(page, field, points):
    """Draws with a finger in a field, through points that are shares of its width and height."""
    box, browser = field.bounding_box(), page.context.new_cdp_session(page)
    for kind, (right, down) in zip(["touchStart", *["touchMove"] * (len(points) - 1)], points, strict=True):
        at = {"x": box["x"] + right * box["width"], "y": box["y"] + down * box["height"]}
        browser.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [at]})
    browser.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def test_curves_that_are_drawn_are_aligned_as_python_aligns_them(drawing):
    (page, place), rng = drawing, np.random.default_rng()
    field = place.get_by_role("slider", name="Your curve x")
    field.scroll_into_view_if_needed()
    assert rest(place)[1]["sentence"] == live_dtw.CURVE_ERRORS[0].format(name="x")
    high = page.evaluate("scrollY")
    touch(page, field, list(zip(np.linspace(0.02, 0.98, 12), rng.uniform(0.05, 0.95, 12), strict=True)))
    assert page.evaluate("scrollY") == high
    word = explore.take_features(*list(live_dtw.takes().values())[1])[:, 0]
    compare(place, lambda asked: (asked["x"]["curve"], word))
    place.locator("select").nth(1).select_option(live_dtw.YOURS)
    place.get_by_role("slider", name="Your curve y").focus()
    for keys in ("ArrowUp", "Shift+ArrowRight Shift+ArrowDown", "End Shift+ArrowUp ArrowUp"):
        for key in keys.split():
            page.keyboard.press(key)
        if keys == "ArrowUp":
            assert rest(place)[1]["sentence"] == live_dtw.CURVE_ERRORS[1].format(name="y")
    assert page.evaluate("document.activeElement.ariaValueText") == "frame 100 of 100: 0.2"
    for pattern, window in (("symmetric2", "none"), ("asymmetric", "Sakoe–Chiba band")):
        place.locator("select").nth(2).select_option(pattern)
        place.locator("select").nth(3).select_option(window)
        compare(place, lambda asked: (asked["x"]["curve"], asked["y"]["curve"]))
    assert not grave(page)
    place.get_by_role("button", name="Clear the curve y").click()
    assert rest(place)[1]["sentence"] == live_dtw.CURVE_ERRORS[0].format(name="y")


def compare(place, curves):
    """The page's distance, sentence and picture are those of Python, of the curves that its worker was asked for."""
    asked, answer = rest(place)
    curves = [np.array(curve) for curve in curves(asked)]
    python = live_dtw.explorer(curves)
    names = {
        name: place.locator("select").nth(k).evaluate("one => one.selectedOptions[0].text")
        for k, name in enumerate(("x", "y", "pattern", "window"))
    }
    said, lines = python.drawn({**python.start, **names}, outlines)
    window = live_dtw.WINDOW_TYPES[names["window"]](python.start["radius"], python.start["slope"])
    found = seq.dtw(*curves, seq.STEP_PATTERNS[names["pattern"]], window)
    assert answer["distance"] == pytest.approx(found.distance, rel=1e-9) and answer["sentence"] == said
    draws(place, lines)


def draws(place, lines):
    """The picture has these lines, as far as they are whole."""
    shown = [np.reshape(one, (-1, 2)) for one in place.evaluate(OUTLINES)]
    for points in (line for line in lines if np.isfinite(line).all()):
        assert min(np.abs(one - points).max() for one in shown if len(one) == len(points)) <= CLOSE


def test_marks_and_comparisons_of_the_reader_are_told_what_the_lecture_says_of_them(opened):
    page, python, rng = (
        opened("10.html"),
        course_lessons.offered("explore")["explore_marks"](),
        np.random.default_rng(),
    )
    page.evaluate(NOTED)
    place = page.locator("[data-live='live/explore_marks.bin']")
    place.locator("> summary").press("Enter")
    python.set(who="you")
    for _ in range(20):
        mark = int(rng.integers(101))
        python.set(mark=mark)
        place.locator("input").fill(str(mark))
        for name in rng.permutation(["Keep this mark", "A is brighter", "B is brighter"]):
            place.get_by_role("button", name=name).click()
            python.press(name)
            assert rest(place)[1]["sentence"] == python.sentence
    answer = rest(place)[1]
    shown = np.reshape(answer["made"]["dots"]["points"], (-1, 2))
    marks = python.drawn(python.values(), geometry.read)[1]
    (true,) = (one.points for one in marks if live_marks.is_dots(one))
    assert np.abs(shown - true).max() <= 1
    assert not grave(page)
    place.get_by_role("button", name="Start again").click()
    assert rest(place)[1]["sentence"].startswith("Mark 1 of 10")


def test_a_covariance_that_the_page_computes_is_said_and_drawn_as_python_does(opened):
    page, rng = opened("02.html"), np.random.default_rng()
    python = course_lessons.offered("explore")["explore_covariance"]()
    place = page.locator("[data-live='live/explore_covariance.bin']")
    place.scroll_into_view_if_needed()
    place.locator(".answers button").first.click()
    place.locator(".commit").click()
    for _ in range(20):
        at = [int(rng.integers(len(control.values))) for control in python.controls.values()]
        page.evaluate(GO, [place.element_handle(), at])
        values = [control.values[k] for k, control in zip(at, python.controls.values(), strict=True)]
        python.set(**dict(zip(python.controls, values, strict=True)))
        said_and_drawn(place, python)
    for label in [*python.cases, "Start again"]:
        place.get_by_role("button", name=label, exact=True).click()
        python.press(label)
        said_and_drawn(place, python)
    assert "It is more than 50 times" in place.locator(".prediction").inner_text()


def said_and_drawn(place, python):
    """The page says what Python says, and has its dots and lines where Python has them, to a pixel."""
    place.locator(".drawing[aria-busy=false]").wait_for()  # the sentence comes a frame before the picture
    place.locator(".sentence").get_by_text(python.sentence, exact=True).wait_for()
    shown = [np.array(one) for one in place.evaluate(STARTS)]
    for mark in filter(live_covariance.is_moved, python.marks):
        look, points = dict(mark.look), mark.points / 2
        if look["kind"] == "marks":
            true = points + np.array(look["shape"].split()[:2], dtype=float)
            assert min(np.abs(one - true).max() for one in shown if one.shape == true.shape) <= CLOSE
        else:  # the page may take other points of the same outline, or the other end first
            near = [one for one in shown if len(points) == 2 or len(one) > 100]
            far = [np.linalg.norm(points[:, None] - one, axis=2).min(axis=1).max() for one in near if len(one) > 1]
            assert min(far) <= (CLOSE if len(points) == 2 else 8 * CLOSE)


def test_the_first_page_aligns_two_curves_at_once_and_what_is_drawn_over_them(opened):
    if wasm.current() is None:
        pytest.skip("There are no kernels in WebAssembly of this code: make wasm")
    page, curves = opened("index.html", 390), live_dtw.front_curves()
    place = page.locator(".front .explorer")

    def aligned():
        said, lines = live_dtw.front(curves).drawn({}, outlines)
        place.locator(".drawing[aria-busy=false]").wait_for()
        place.locator(".sentence").get_by_text(said, exact=True).wait_for()
        draws(place, lines)

    aligned()
    page.get_by_role("slider", name="Draw curve y").focus()
    page.keyboard.press("Shift+ArrowUp")
    curves[1][0] += 1.0
    aligned()
    assert not grave(page) and page.evaluate(CUT) == []
    place.get_by_role("button", name="Restore y").click()
    curves = live_dtw.front_curves()
    aligned()
