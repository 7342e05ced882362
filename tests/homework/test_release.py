"""The release: the committed exercises are current, the same every time, and hold no secret."""

import json
import re
import subprocess
import zipfile

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from tests.homework import tiny_course
from tests.homework.graded import HOMEWORKS, ROOT, notebook
from tools import update
from tools.homework import bundle, release
from tools.homework.leaks import leftovers, secrets


@pytest.fixture(scope="module")
def made():
    """The exercises of this course, made anew."""
    return release.exercises(ROOT)


def released(root, book):
    """The notebook that students get of a tiny course with this source."""
    tiny_course.make(root, book)
    return nbformat.reads(release.exercises(root)["tiny/tiny.ipynb"].decode(), as_version=4)


@pytest.mark.parametrize("target", ["collect", "grade", "mark", "feedback", "likeness", "release"])
def test_every_command_about_a_homework_takes_its_number(target):
    shown = subprocess.run(
        ["make", "--no-print-directory", "-n", target, "HW=03"], cwd=ROOT, capture_output=True, text=True
    ).stdout
    assert shown.splitlines()[-1].split("tools.homework.")[1].rstrip().endswith(("--homework 03", "release 03"))


def test_a_homework_has_one_number_and_one_name():
    for number in ("3", "03", "03_mixtures"):
        assert release.homework_named(ROOT, number) == "03_mixtures"
    for number in ("", "0", "03_", "42", "mixtures"):
        with pytest.raises(ValueError, match=r"there is no homework .*; there are 01_dtw, "):
            release.homework_named(ROOT, number)


def test_committed_exercises_are_up_to_date(made):
    assert not release.differences(made, ROOT / "exercises"), "run make release"


def test_releasing_again_gives_the_same_bytes(made):
    assert release.exercises(ROOT) == made


@pytest.mark.parametrize("name", HOMEWORKS)
def test_no_secret_is_in_the_exercises(name, made):
    """Asked independently of leaks.py: no hidden line of some length stands anywhere in the released bytes."""
    hidden, inside = [], False
    for cell in notebook(name).cells:
        for line in cell.source.splitlines():
            if " END " in line:
                inside = False
            if inside and len(line.strip()) > 25 and "import" not in line:
                hidden.append(line.strip())
            if " BEGIN " in line:
                inside = True
    for path in (ROOT / "solutions" / name / "hidden").glob("*.py"):
        lines = path.read_text(encoding="utf-8").splitlines()
        hidden += [line.strip() for line in lines if len(line.strip()) > 25 and "import" not in line]
    text = "".join(
        str(nbformat.reads(data.decode(), as_version=4)) if path.endswith(".ipynb") else data.decode()
        for path, data in made.items()
    )
    assert len(hidden) > 20
    assert not [line for line in hidden if line in text]


def test_every_file_of_a_homework_is_released(made):
    for name in HOMEWORKS:
        assert f"{name}/{name}.ipynb" in made
    assert not [path for path in made if "hidden" in path or "mistakes" in path]


def test_stub_and_metadata_of_a_released_notebook(tmp_path):
    book = released(tmp_path, tiny_course.source())
    answer = tiny_course.cell_of(book, "double-answer")
    assert answer.source == "def double(x):\n    # YOUR CODE HERE\n    raise NotImplementedError()"
    assert tiny_course.cell_of(book, "letter").source == "YOUR ANSWER HERE"
    assert tiny_course.cell_of(book, "double-check").source.strip() == "check(double)"
    assert not leftovers(book)


def test_saved_widget_state_is_removed(tmp_path):
    book = tiny_course.source()
    book.metadata.widgets = {"application/vnd.jupyter.widget-state+json": {"state": {"a": "twice_as_much = x + x"}}}
    assert "widgets" not in released(tmp_path, book).metadata


def leak_in_text(book):
    book.cells[0].source += "\nIt begins with `twice_as_much = x + x`."


def leak_in_code(book):
    book.cells[1].source += "\ntwice_as_much = x + x"


def leak_of_a_hidden_test(book):
    book.cells[1].source += '\nCASES = [Case(f"hidden {x}", (x,), 2 * x) for x in (0, 5, 7)]'


def leak_in_metadata(book):
    book.cells[0].metadata["draft"] = "    return twice_as_much"


def leak_of_a_letter(book):
    book.cells[0].source += "\nBecause two times anything is that thing and itself again."


def attachment(book):
    book.cells[0].attachments = {"answer.png": {"image/png": "iVBORw0KGgo="}}


LEAKS = {
    "in text": (leak_in_text, "twice_as_much = x + x"),
    "in code": (leak_in_code, "twice_as_much = x + x"),
    "hidden test": (leak_of_a_hidden_test, "CASES = [Case("),
    "metadata": (leak_in_metadata, "return twice_as_much"),
    "letter": (leak_of_a_letter, "two times anything"),
    "attachment": (attachment, "attachment"),
}


@pytest.mark.parametrize(("doctor", "message"), LEAKS.values(), ids=LEAKS)
def test_a_leak_is_not_released(tmp_path, doctor, message):
    book = tiny_course.source()
    doctor(book)
    tiny_course.make(tmp_path, book)
    with pytest.raises(release.ReleaseError, match=re.escape(message)):
        release.exercises(tmp_path)


def test_a_leak_beside_the_notebook_is_not_released(tmp_path):
    tiny_course.make(tmp_path)
    with open(tmp_path / "course_checks" / "hwtiny.py", "a", encoding="utf-8") as file:
        file.write("\n# the answer: twice_as_much = x + x\n")
    with pytest.raises(release.ReleaseError, match=r"hwtiny\.py holds the secret line"):
        release.exercises(tmp_path)


def test_a_leak_among_the_known_answers_is_not_released(tmp_path):
    tiny_course.make(tmp_path)
    line = tiny_course.HIDDEN.strip().splitlines()[-1]
    known = {"double": {"mistakes": {line: {}}}}
    assert line not in json.dumps(known), "its quotation marks look different in JSON"
    (tmp_path / "course_checks" / "hwtiny.json").write_text(json.dumps(known), encoding="utf-8")
    with pytest.raises(release.ReleaseError, match=r"hwtiny\.json holds the secret line"):
        release.exercises(tmp_path)


def test_a_solution_cell_without_markers_is_a_secret_as_a_whole():
    book = tiny_course.source()
    tiny_course.cell_of(book, "double-answer").source = "def double(x):\n    return sum([x, x])"
    assert {"def double(x):", "return sum([x, x])"} <= set(secrets(book))


def test_only_what_stands_between_markers_is_a_secret_where_there_are_some():
    found = set(secrets(tiny_course.source()))
    assert {"twice_as_much = x + x", "0.0  # The points come from the grader."} <= found
    assert not {"def double(x):", "check(double)"} & found


def test_leftovers_are_named():
    book = tiny_course.source()
    book.metadata.widgets = {}
    book.cells[1].outputs = [new_output("stream", text="6")]
    found = "\n".join(leftovers(book))
    for what in ("widget state", "cell 2 has been run", "marker of a SOLUTION", "marker of a HIDDEN TESTS"):
        assert what in found


def test_check_names_what_differs_and_writes_nothing(tmp_path, capsys):
    tiny_course.make(tmp_path)
    release.write(release.exercises(tmp_path), tmp_path / "exercises")
    assert release.main(["--check", "--root", str(tmp_path)]) == 0
    path = tmp_path / "exercises" / "tiny" / "tiny.ipynb"
    path.write_text(path.read_text(encoding="utf-8").replace("Twice", "Thrice"), encoding="utf-8")
    (tmp_path / "exercises" / "tiny" / "stray.txt").write_text("?", encoding="utf-8")
    capsys.readouterr()
    assert release.main(["--check", "--root", str(tmp_path)]) == 1
    told = capsys.readouterr().out
    for sentence in ("tiny.ipynb is out of date", "stray.txt is not made from solutions/"):
        assert sentence in told
    assert "Thrice" in path.read_text(encoding="utf-8")


def test_a_source_that_nbgrader_refuses_is_an_error_with_its_words(tmp_path, capsys):
    book = tiny_course.source()
    tiny_course.cell_of(book, "double-answer").source = "### BEGIN SOLUTION\nx = 1"
    tiny_course.make(tmp_path, book)
    assert release.main(["--root", str(tmp_path)]) == 1
    assert "no end solution" in capsys.readouterr().err.lower()


@pytest.fixture
def small_course(tmp_path):
    """A course with something in every place that students get, and with what they must not get."""
    tiny_course.make(tmp_path)
    for name in bundle.TOP_FILES:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(name, encoding="utf-8")
    for name in (
        *bundle.TOP_FOLDERS,
        "students",
        "tests",
        "lectures/__pycache__",
        "lectures/outputs",
        "tools/homework",
        "apps/sessions",
        "recordings",
        "lectures/recordings",
        "data/class",
    ):
        (tmp_path / name).mkdir(exist_ok=True)
        (tmp_path / name / "file.txt").write_text(name, encoding="utf-8")
    (tmp_path / "exercises" / "file.txt").unlink()
    for folder, text in {".": "for teachers", "students": "for students"}.items():
        (tmp_path / folder / "README.md").write_text(text, encoding="utf-8")
    note = new_markdown_cell("Somebody will say 10.", metadata={"slideshow": {"slide_type": "notes"}})
    hidden = {"jupyter": {"outputs_hidden": True}}
    run = new_code_cell("answer()", outputs=[new_output("stream", text="It is 59.")], metadata=hidden)
    lecture = new_notebook(cells=[new_markdown_cell("# Lecture"), note, run])
    nbformat.write(lecture, tmp_path / "lectures" / "01.ipynb")
    return tmp_path


def unpacked(root):
    """{path: bytes} of the zip file of a course."""
    with zipfile.ZipFile(root / bundle.ZIP) as archive:
        return {name.removeprefix("course/"): archive.read(name) for name in archive.namelist()}


def test_bundle_holds_what_students_need_and_nothing_else(small_course):
    assert release.main(["--root", str(small_course)]) == 0
    files = unpacked(small_course)
    assert {"LICENSE", "exercises/tiny/tiny.ipynb", "lectures/file.txt", "tools/update.py"} <= set(files)
    assert files["README.md"] == b"for students"
    kept_back = {"solutions", "tests", "__pycache__", "outputs", "homework", "sessions", "recordings", "class"}
    assert not [name for name in files if {*kept_back, "students"} & set(name.split("/"))]
    assert set(json.loads(files.pop(update.DELIVERED))["files"]) == set(files)


def test_lectures_lose_the_notes_of_their_speakers_and_what_was_run_in_folded_cells(small_course):
    release.main(["--root", str(small_course)])
    found = unpacked(small_course)["lectures/01.ipynb"].decode()
    assert "# Lecture" in found
    assert "Somebody will say 10" not in found and "It is 59" not in found


def test_bundle_has_the_same_bytes_every_time(small_course):
    release.main(["--root", str(small_course)])
    first = (small_course / bundle.ZIP).read_bytes()
    for path in small_course.rglob("*.txt"):
        path.touch()
    release.main(["--root", str(small_course)])
    assert (small_course / bundle.ZIP).read_bytes() == first


def test_bundle_without_a_needed_file_is_an_error(small_course, capsys):
    (small_course / "LICENSE").unlink()
    assert release.main(["--root", str(small_course)]) == 1
    assert "LICENSE" in capsys.readouterr().err


def test_the_branch_of_the_students_holds_the_bundle_and_no_solution(small_course, capsys, monkeypatch):
    """Pushing it sends what can be reached from it: that must not be the teachers' history."""
    for name in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{name}_NAME", "Teacher")
        monkeypatch.setenv(f"GIT_{name}_EMAIL", "teacher@example.org")

    def git(*words):
        return subprocess.run(["git", *words], cwd=small_course, capture_output=True, text=True, check=True).stdout

    git("init", "-q")
    git("add", "solutions", "LICENSE")
    git("commit", "-qm", "The teachers' own")
    (small_course / "half.txt").write_text("staged", encoding="utf-8")
    git("add", "half.txt")
    before = git("diff", "--cached", "--name-only"), git("rev-parse", "HEAD")
    for expected, versions in (("has a new version", 1), ("is up to date", 1)):
        assert release.main(["--root", str(small_course)]) == 0
        assert expected in capsys.readouterr().out
        assert len(git("rev-list", bundle.BRANCH).split()) == versions
    (small_course / "LICENSE").write_text("other terms", encoding="utf-8")
    release.main(["--root", str(small_course)])
    assert len(git("rev-list", bundle.BRANCH).split()) == 2
    assert git("show", f"{bundle.BRANCH}:LICENSE") == "other terms"
    assert set(git("ls-tree", "-r", "--name-only", bundle.BRANCH).split()) == set(unpacked(small_course))
    assert "solutions" not in git("rev-list", "--objects", bundle.BRANCH)
    assert (git("diff", "--cached", "--name-only"), git("rev-parse", "HEAD")) == before
