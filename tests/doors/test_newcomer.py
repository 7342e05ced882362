"""Door 1, a newcomer: a clone, `make lab`, the first explorer; and what is on screens before a cell is run."""

import json
import os
import re
import shutil
import subprocess
import sys
from html import unescape

import nbconvert
import nbformat
import nbformat.v4
import pytest
from playwright.sync_api import expect

from course_lessons import texts
from tests.browser.conftest import LONG, SELDOM, running, serving
from tests.doors import screens
from tests.doors.outside import ROOT, environment, run, shell
from tests.lectures.reading import LECTURES, lecture
from tools.notebooks import is_folded

ADDRESS = re.compile(r"http://localhost:\d+/lab\S*token=\w+")
MOST_ACTIONS = 9  # until the first explorer of lecture 01 has moved
# Numbers that can be read beside a question and are in what it asks for, by accident: they count or measure other
# things. What is called `to mend` does give an answer away, and goes with its mending.
BY_ACCIDENT = {
    "01_dtw": {"35.1"},  # where a word is found, and not how well
    "07_bounded_answers": {"1e-02", "1e-06", "1e-09"},  # how near to an end a mark may lie
    "11_many_people": {"28"},  # pairs of eight systems
}
CONNECTED = """async () => {
    const { context, sessionContext } = jupyterapp.shell.currentWidget;
    await Promise.all([context.ready, sessionContext.ready]);
    await sessionContext.session.kernel.info;
}"""
SHOWN = ".jp-Notebook:visible"
LAID_OUT = """([place, property]) =>
    [...document.querySelectorAll(place)].map(one => getComputedStyle(one).getPropertyValue(property))"""


@pytest.fixture(scope="module")
def clone(tmp_path_factory):
    """A fresh clone of what is committed, with its environment."""
    if not (ROOT / ".git").exists():
        pytest.skip("this folder is no git repository, so nobody can clone it")
    folder = tmp_path_factory.mktemp("newcomer") / "course"
    subprocess.run(["git", "clone", "-q", str(ROOT), str(folder)], check=True)
    environment(folder)
    return folder


class Newcomer:
    """A person at a page, each of whose actions is counted."""

    def __init__(self, page):
        self.page, self.actions = page, 0

    def click(self, place):
        self.actions += 1
        place.click()

    def press(self, key):
        self.actions += 1
        self.page.keyboard.press(key)


@pytest.fixture
def newcomer(clone):
    """A newcomer before the address that `make lab` has printed."""
    browser, log = running(), clone.parent / "log"
    settings = clone.parent / "settings"  # they change nothing that is seen, but tell when a kernel is there
    settings.mkdir()
    (settings / "jupyter_lab_config.json").write_text('{"LabApp": {"expose_app_in_browser": true}}')
    own = shell() | {"JUPYTER_CONFIG_DIR": str(settings), "BROWSER": "true"}  # and no second browser, on a desk
    with serving(["make", "lab"], lambda: printed(log), log, own, clone):
        context = browser.new_context(viewport={"width": 1280, "height": 1000})
        person = Newcomer(context.new_page())
        person.page.set_default_timeout(LONG)
        person.page.goto(printed(log))
        yield person
        context.close()


def printed(log):
    """The address that a terminal shows, empty before it is there."""
    found = ADDRESS.search(log.read_text())
    return found.group() if found else ""


def ready(page):
    """Until the open notebook has its kernel, for which a person waits, too: a cell run before is not run."""
    page.wait_for_function("window.jupyterapp?.shell.currentWidget?.sessionContext", polling=SELDOM)
    page.evaluate(CONNECTED)


def test_the_first_explorer_moves_after_few_actions(newcomer):
    page = newcomer.page
    shown = page.locator(SHOWN)
    ready(page)
    newcomer.click(shown.locator(".jp-CodeCell .cm-content").first)
    newcomer.press("Shift+Enter")
    expect(shown.locator(".explorer .sentence")).to_be_visible()
    newcomer.click(shown.locator(".jp-CodeCell .cm-content").nth(1))
    newcomer.press("Shift+Enter")
    expect(shown.locator(".jp-CodeCell").nth(1)).to_contain_text("READY: ")
    assert set(page.evaluate(LAID_OUT, [".jp-OutputArea-output pre", "word-break"])) == {"normal"}
    newcomer.click(shown.get_by_role("link", name="lecture 01").first)
    expect(shown.get_by_role("heading", name=re.compile("^Lecture 01"))).to_be_visible()
    ready(page)
    newcomer.click(shown.locator(".jp-CodeCell .cm-content").first)
    newcomer.press("Shift+Enter")
    sentence = shown.locator(".explorer .sentence")
    before = sentence.inner_text()
    newcomer.click(shown.locator(".explorer input[type=range]").first)
    expect(sentence).not_to_have_text(before)
    assert newcomer.actions <= MOST_ACTIONS
    folds = page.evaluate(LAID_OUT, [".jp-RenderedMarkdown details", "margin-bottom"])
    assert folds and "0px" not in folds, "what follows a fold sticks to it"
    formulas = page.evaluate(LAID_OUT, [".jp-RenderedMarkdown mjx-container[display=true]", "overflow-x"])
    assert set(formulas) <= {"auto"}, "a formula that is wider than the page cannot be reached"


# --- what stands on the screen; tests/browser holds to JupyterLab how this is read


def test_what_stands_on_the_screens_is_what_is_recorded():
    recorded = json.loads(screens.RECORD.read_text(encoding="utf-8"))
    for path in LECTURES:
        assert screens.screen(path) == recorded.pop(path.stem), "look at it: python -m tests.doors.screens; git diff"
    assert not recorded


def test_between_a_prediction_and_the_next_heading_stands_nothing_of_its_results():
    """No number and no row of what is folded, but for what the question says, and settings in the code."""
    found = {}
    for path in LECTURES:
        windows = screens.windows(nbformat.read(path, as_version=4).cells, lecture(path).cells)
        found[path.stem] = set().union(*(window.gives_away() for window in windows))
    assert {name: away for name, away in found.items() if away} == BY_ACCIDENT


@pytest.mark.parametrize(
    "export", [nbconvert.HTMLExporter(template_name="basic"), nbconvert.MarkdownExporter()], ids=["html", "markdown"]
)
def test_an_export_that_folds_nothing_shows_no_answer(export):
    """No reply of a quiz, and nothing that a folded cell prints or draws: a code host shows as much."""
    for path in LECTURES:
        made, _ = export.from_filename(path)
        text = unescape(re.sub("<[^>]+>", "", made)) if export.file_extension == ".html" else made
        assert "correct=" not in text
        read = screens.packed(text)
        replies = [reply for one in texts(path.stem[3:])["quiz"].values() for reply in one["answers"].values()]
        assert not [reply for reply in replies if screens.packed(reply) in read]
        outputs = [output for cell in filter(is_folded, lecture(path).cells) for output in cell.outputs]
        shown = [output.get("text") or output.data.get("text/markdown", "") for output in outputs]
        assert not [one for one in shown if screens.numbers(one) and screens.packed(one) in read]
        assert not [picture for picture in re.findall("data:image[^'\"]+", str(outputs)) if picture in made]


def cell(kind, source, output="", **hidden):
    make = {"code": nbformat.v4.new_code_cell, "markdown": nbformat.v4.new_markdown_cell}[kind]
    outputs = {"outputs": [nbformat.v4.new_output("stream", text=output)]} if output else {}
    return make(source, metadata={"jupyter": hidden}, **outputs)


@pytest.mark.parametrize(
    ("beside", "away"),
    [
        (cell("markdown", "All the same, 59 of 66 hold it."), {"59"}),
        (cell("markdown", "<details><summary>Explain</summary>It is 59.</details>"), set()),
        (cell("markdown", "$$\\sigma = 59$$"), set()),
        (cell("code", "width = 59"), set()),
        (cell("code", "width = 5  # 59 hold it"), {"59"}),
        (cell("code", "width", "the width is 0.125"), {"0.125"}),
        (cell("code", "draw()", "a 8 6 2 0\nb"), {"a 8 6 2 0"}),
        (cell("code", "'59'", source_hidden=True), set()),
        (cell("markdown", "## 2 · Next: 59"), set()),
    ],
)
def test_what_gives_an_answer_away_is_seen(beside, away):
    asked = cell("markdown", "**Predict.** How many of 66?")
    folded = cell("code", "answer()", "59 of 66, 0.125\na 8 6 2 0\n", outputs_hidden=True)
    cells = [asked, folded, beside]
    assert set().union(*(window.gives_away() for window in screens.windows(cells, cells))) == away


# --- the environment that make makes


@pytest.fixture
def bare(tmp_path):
    """(the Makefiles in a folder whose .venv has a Python that only writes down what it is asked for, the log)."""
    for name in ("Makefile", "tools/lab.mk", "tools/make_venv.sh", "constraints.txt", "pyproject.toml"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    python, log = tmp_path / ".venv/bin/python", tmp_path / "log"
    python.parent.mkdir(parents=True)
    python.write_text(f'#!/bin/sh\necho "$*" >>{log}\n[ "$2" != pip ] || . {tmp_path}/pip\n')
    python.chmod(0o755)
    (tmp_path / ".venv/.home").write_text(f"{tmp_path}\n")
    (tmp_path / "pip").touch()
    (tmp_path / "apps").mkdir()
    return tmp_path, log


def installed(folder, log, *targets):
    """Extras that pip was asked for, of each of these targets in turn."""
    found = []
    for target in targets:
        log.write_text("")
        run(folder, "make", target)
        found.append(re.findall(r"-e \.\[(.*)\]", log.read_text()))
    return found


def test_the_lab_installs_nothing_for_tests_and_nothing_twice(bare):
    folder, log = bare
    assert installed(folder, log, "lab", "test-fast", "lab", "test-fast", "app") == [["lab,app"], ["test"], [], [], []]
    os.utime(folder / "constraints.txt", (2**32, 2**32))
    with open(folder / "tools/make_venv.sh", "a") as script:
        script.write(f'touch -d @{2**32 + 1} "$stamp"\n')
    assert installed(folder, log, "lab", "lab", "test-fast", "test-fast") == [["lab,app"], [], ["test"], []]


def test_what_pip_said_last_is_shown_and_nothing_guessed(bare):
    """Sixty lines of a compiler, and what to do: after it is repaired, the same command goes on."""
    folder, log = bare
    gcc = "for k in $(seq 60); do echo a line of gcc; done; echo ERROR: no wheel >&2"
    (folder / "pip").write_text(f"{gcc}\nseq 20; exit 1\n")
    done = run(folder, "make", "lab", status=None)
    assert done.returncode != 0
    assert "ERROR: no wheel" in done.stderr and "make lab PY=python3.12" in done.stderr
    assert len(done.stderr.splitlines()) < 18 and "?" not in done.stderr
    assert "a line of gcc" in (folder / ".venv/pip.log").read_text()
    (folder / "pip").write_text("")
    assert installed(folder, log, "lab") == [["lab,app"]]


def test_a_reason_for_skipped_tests_is_one_line_however_many_they_are(tmp_path):
    """Of tests with a mark each, in two files, as those of the box on a machine without it."""
    one = "import pytest\n" + "".join(
        f"@pytest.mark.skipif(True, reason='there is no bwrap')\ndef test_{k}(): pass\n" for k in range(9)
    )
    for name in ("test_one.py", "test_two.py"):
        (tmp_path / name).write_text(one)
    shutil.copy(ROOT / "tests/conftest.py", tmp_path)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    done = run(tmp_path, sys.executable, "-m", "pytest", "-q", ".")
    assert [line for line in done.stdout.splitlines() if "bwrap" in line] == ["18 skipped: there is no bwrap"]
