"""Door 2, a student: the zip file, unpacked in an empty folder, and the commands of its own README."""

import json
import re

import nbformat
import numpy as np
import pytest

from tests.doors.outside import ROOT, environment, run, students_zip, unpacked_bundle
from tools import update
from tools.homework import bundle

ZIP = "course_for_students.zip"
HOMEWORK = "exercises/01_dtw/01_dtw.ipynb"
SOLVED = "solutions/03_mixtures/03_mixtures.ipynb"
LECTURES = sorted(path.name for path in (ROOT / "lectures").glob("*.ipynb"))
MISTAKES = {  # a task of homework 01: what is changed in our answer
    "amerced": (" + omega", ""),
    "bottleneck": ("max(abs(x[i - 1] - y[j - 1]), reached)", "abs(x[i - 1] - y[j - 1]) + reached"),
    "gaps": ("np.where(lost, 0.0, ", "np.where(lost, 1.0, "),
}
TASKS = ("amerced", "path", "bottleneck", "gaps", "vote", "soft", "own")
UNTESTED = {"make lab", "make app", "make clean"}  # the newcomer's and the listener's doors open these; clean ends all


@pytest.fixture(scope="module")
def mine(tmp_path_factory):
    """A student's folder."""
    folder = unpacked_bundle(tmp_path_factory.mktemp("student"))
    environment(folder)
    return folder


# ---------------------------------------------------------------------------------------------- what the texts name


def texts(files):
    """{name: what a student reads in it} of the bundle."""
    readable = {name: data.decode() for name, data in files.items() if name.endswith((".md", ".ipynb", ".py"))}
    for name in [one for one in readable if one.endswith(".ipynb")]:
        readable[name] = "\n".join("".join(cell["source"]) for cell in json.loads(readable[name])["cells"])
    return readable


def is_there(name, files):
    """Whether a file, a folder, or a module that runs is in the bundle."""
    path = name.rstrip("./")
    module = path.replace(".", "/")
    return {path, f"{module}.py", f"{module}/__main__.py"} & set(files) or any(
        one.startswith(f"{path}/") for one in files
    )


NAMED = {
    "modules": r"python3? -m ([\w.]+)",
    "benchmarks": r"\b(benchmarks)\b",
    "documents": r"\b([A-Z]{4,}\.md)\b",
    "notes": r"(For the teacher)",
    "paths": r"(?<![\w/.-])((?:lectures|exercises|solutions|tests|teaching|tools|data(?!/class\b)|site)/[\w./-]+)",
}  # data/class comes with a class


@pytest.fixture(scope="module")
def files():
    """{path: bytes} of the bundle."""
    return bundle.bundle(ROOT)


@pytest.mark.parametrize("kind", NAMED)
def test_texts_name_nothing_that_the_bundle_lacks(kind, files):
    found = {(name, word) for name, text in texts(files).items() for word in re.findall(NAMED[kind], text)}
    assert not [one for one in sorted(found) if not is_there(one[1], files)]


def test_texts_name_commands_and_links_that_are_there(mine, files):
    read, targets = texts(files), run(mine, "make", "help").stdout
    for link in re.findall(r"\]\(([^)#]+)\)", read["README.md"]):
        assert (mine / link).exists(), link
    commands = set(re.findall(r"make [a-z]+(?: [A-Z]+=[\w.]+)?", read["README.md"]))
    assert commands == UNTESTED | {
        f"make {words}" for words in ("check", "check HW=03", "update", f"update FROM={ZIP}")
    }
    told = "".join(text for name, text in read.items() if not name.endswith(".py"))
    assert not [one for one in re.findall(r"`make ([a-z-]+)", told) if f"  make {one} " not in targets]
    kept = re.compile("(solutions|teaching|tests|tools/homework)/|.*/(hidden|mistakes)/")
    assert not [name for name in files if kept.match(name)]


def test_the_computer_is_ready_and_an_update_asks_where_from(mine):
    assert "READY: what the computer can check" in run(mine, "make", "check").stdout
    assert f"make update FROM={ZIP}" in run(mine, "make", "update", status=2).stderr


# ------------------------------------------------------------------------------- homework 01, half done, and an update


def cell_of(book, name):
    return next(cell for cell in book.cells if cell.metadata.get("nbgrader", {}).get("grade_id") == name)


def half_done(path, seed):
    """Answers some tasks of homework 01, drawn anew, one of them wrong; {task: the sign that it must get}."""
    rng, book = np.random.default_rng(seed), nbformat.read(path, as_version=4)
    solved = nbformat.read(ROOT / "solutions/01_dtw/01_dtw.ipynb", as_version=4)
    signs = {task: str(rng.choice(["✓", "○"])) for task in TASKS}
    signs[str(rng.choice(list(MISTAKES)))] = "✗"
    for task in [one for one, sign in signs.items() if sign != "○"]:
        source = cell_of(solved, f"{task}-answer").source
        wrong = source.replace(*MISTAKES[task]) if signs[task] == "✗" else source
        assert (wrong != source) == (signs[task] == "✗")
        cell_of(book, f"{task}-answer").source = wrong
    cell_of(book, "letter-mean").source = f"Because of {seed}."
    nbformat.write(book, path)
    return signs


def edited(path, words):
    """A notebook with more words in its last text."""
    book = nbformat.read(path, as_version=4)
    [cell for cell in book.cells if cell.cell_type == "markdown"][-1].source += f"\n\n{words}"
    return nbformat.writes(book).encode()


def pretend_to_run(path):
    """Other outputs and counts, as a run leaves them."""
    book = nbformat.read(path, as_version=4)
    for k, cell in enumerate(one for one in book.cells if one.cell_type == "code"):
        cell.execution_count, cell.outputs = k + 1, [nbformat.v4.new_output("stream", text="what came out")]
    nbformat.write(book, path)


def test_half_a_homework_is_checked_and_lives_through_an_update(mine, seed, tmp_path):
    signs = half_done(mine / HOMEWORK, seed)
    told = run(mine, "make", "check", "HW=01").stdout.splitlines()
    first = [line for line in told[:-2] if not line.startswith(" ")]
    assert [line[0] for line in first[: len(TASKS)]] == list(signs.values()), told
    assert first[len(TASKS) :] == ["○ letter-weights: nothing written yet", "✓ letter-mean: written"]
    assert any("you got" in line for line in told) and any("Stuck? hint(" in line for line in told), told
    assert "Not everything is ✓ yet" in told[-2] and told[-1].endswith(HOMEWORK)
    pretend_to_run(mine / "lectures/00_start_here.ipynb")
    lecture = mine / "lectures/01_dtw.ipynb"
    lecture.write_bytes(edited(lecture, "My own words."))
    work = {path: path.read_bytes() for path in (mine / HOMEWORK, lecture)}
    names = HOMEWORK, "lectures/01_dtw.ipynb", "lectures/00_start_here.ipynb", "lectures/02_gaussians.ipynb"
    changed = {name: edited(mine / name, "New in the second version.") for name in names}
    new = students_zip(tmp_path / "new.zip", changed)
    said = run(mine, "make", "update", f"FROM={new}").stdout
    assert f"{HOMEWORK} was updated, with your answers in it." in said
    assert (mine / HOMEWORK.replace(".ipynb", ".before.ipynb")).read_bytes() == work[mine / HOMEWORK]
    assert "New in the second version." in (mine / HOMEWORK).read_text()
    assert run(mine, "make", "check", "HW=01").stdout.splitlines() == told
    assert "lectures/01_dtw.ipynb has your changes and is kept." in said and lecture.read_bytes() == work[lecture]
    assert (mine / "lectures/01_dtw.new.ipynb").read_bytes() == changed["lectures/01_dtw.ipynb"]
    for name in names[2:]:
        assert (mine / name).read_bytes() == changed[name]
    assert run(mine, "make", "update", f"FROM={new}").stdout == "Everything was up to date.\n"


def test_a_homework_begun_when_its_checks_lay_beside_it_goes_on(mine, tmp_path):
    """As a term's first delivery had it: what students import has moved since, and their answers have not."""
    name = "exercises/03_mixtures/03_mixtures.ipynb"
    first = (mine / name).read_bytes().replace(b"from course_checks.hw03_mixtures import", b"from checks import")
    listed = json.loads((mine / update.DELIVERED).read_bytes())
    listed["files"][name] = update.prints(name, first)
    (mine / update.DELIVERED).write_text(json.dumps(listed))
    book, solved = nbformat.reads(first.decode(), as_version=4), nbformat.read(ROOT / SOLVED, as_version=4)
    for task in ("tied-answer", "poisson-answer"):
        cell_of(book, task).source = cell_of(solved, task).source
    book.cells.insert(3, nbformat.v4.new_code_cell("my_note = 'tried'"))
    nbformat.write(book, mine / name)
    said = run(mine, "make", "update", f"FROM={students_zip(tmp_path / 'new.zip')}").stdout
    assert f"{name} was updated, with your answers in it." in said
    told = run(mine, "make", "check", "HW=03").stdout
    assert len(re.findall("^✓ (?!cell)", told, flags=re.MULTILINE)) == 2, told
    assert "my_note" in (mine / name).read_text()


@pytest.mark.long  # `make test-more` runs them in a browser
@pytest.mark.parametrize("name", LECTURES)
def test_each_lecture_runs_from_the_bundle(mine, name):
    run(mine, ".venv/bin/jupyter", "execute", f"lectures/{name}")
