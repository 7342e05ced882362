"""Door 8, a class that rates: `make listening`, what listeners hand in, lectures that show it, a page about it.

The listeners are scripts that answer in the page's own session, in a browser; two tastes for bass are planted.
"""

import base64
import sys

import numpy as np
import pytest

from tests.browser.conftest import running
from tests.doors.outside import ROOT, run
from tests.lectures.reading import LECTURES, lecture

ANSWERED = """async ({ liked, script }) => {
    const { Session, coded } = await import(`data:text/javascript;base64,${script}`);
    const study = JSON.parse(document.getElementById("study").textContent);
    return Promise.all(liked.map(async (of, number) => {
        const one = new Session(study);
        one.begin(number + 1);
        one.state.answers = one.steps.map(([a, b]) =>
            b === undefined ? of[a] : of[a] === of[b] ? "same" : of[a] > of[b] ? "a" : "b");
        return [one.file(), await coded(one.file())];
    }));
}"""
BASS = np.array([0, 8, -8, 0, 0, 8, 8, -8])  # of the shipped items, in their order


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    """The file that a teacher mails, and items.csv beside it."""
    folder = tmp_path_factory.mktemp("listening")
    run(ROOT, sys.executable, "-m", "tools.listening", "--into", folder)
    return folder


def listeners(page, rng, count):
    """[(file, code)] of listeners of whom two thirds like bass, and the others do not."""
    taste = np.where(np.arange(count) % 3 > 0, 4.0, -4.0)
    liked = np.clip(50 + np.outer(taste, BASS) + 8 * rng.normal(size=(count, 8)), 0, 100).round()
    opened = running().new_page()
    opened.goto(next(page.glob("*.html")).as_uri())
    script = base64.b64encode((ROOT / "site/listener.js").read_bytes()).decode()
    found = opened.evaluate(ANSWERED, {"liked": liked.astype(int).tolist(), "script": script})
    opened.close()
    return found


def handed_in(folder, page, answers):
    """What a platform gives the teacher: folders with a file each, and a table of codes."""
    (folder / "items.csv").write_bytes((page / "items.csv").read_bytes())
    half = len(answers) // 2
    for number, (file, _) in enumerate(answers[:half]):
        (folder / f"student {number}").mkdir()
        (folder / f"student {number}" / "answers.json").write_text(file, encoding="utf-8")
    (folder / "codes.txt").write_text("\n".join(code for _, code in answers[half:]), encoding="utf-8")
    return folder


def class_cells():
    """Of each lecture that shows the class, what this needs: imports, a helper, and the cell that shows it."""
    for path in LECTURES:
        cells = [cell.source for cell in lecture(path).cells if cell.cell_type == "code"]
        wanted = [cell for cell in cells if cell.startswith("def plausible(") or "load_panel()" in cell]
        if wanted:
            yield "\n".join([next(cell for cell in cells if "import numpy as np" in cell), *wanted])


def test_what_two_hundred_listeners_hand_in_is_shown_by_six_lectures(page, tmp_path, seed):
    answers = listeners(page, np.random.default_rng(seed), 200)
    folder = handed_in(tmp_path, page, answers)
    (folder / "half.json").write_text(answers[0][0][: len(answers[0][0]) // 2], encoding="utf-8")
    (folder / "again.json").write_text(answers[-1][0], encoding="utf-8")
    (folder / "other.json").write_bytes(b"\x89PNG")
    told = "from course_studies import load_panel; p = load_panel(); print(len(p.people), *sorted(p.refused), sep='|')"
    parts = [told, *(f"exec({cells!r}, {{}})" for cells in class_cells())]
    first, *shown = run(
        ROOT, sys.executable, "-c", "\n".join(parts), env={"COURSE_CLASS": str(folder)}
    ).stdout.splitlines()
    assert first == "200|codes.txt, line 100|half.json|other.json", "each listener is used once"
    assert sum("This class has answered a listening test" in line for line in shown) == 6


def test_the_page_of_the_week_after_finds_both_tastes_and_names_nobody(page, tmp_path, seed):
    folder = handed_in(tmp_path, page, listeners(page, np.random.default_rng(seed), 30))
    (folder / "Zaphod.txt").write_text("I was ill.")
    run(ROOT, sys.executable, "-m", "tools.class_page", folder, "--into", folder.parent / "class.html")
    shown = (folder.parent / "class.html").read_text(encoding="utf-8")
    assert "(20 people)" in shown and "(10 people)" in shown and "In 0% of 200" in shown
    assert not any(word in shown for word in ("Zaphod", "student", "codes.txt", "person 1"))
