"""The box: what the code that somebody handed in can reach, and what it costs the rest of the submission."""

import json
import os
import socket
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

import nbformat
import pytest

from tests.classroom.boxes import needs_box
from tests.classroom.hostile import ENDS, FLOODS, KINDS, READ, REFUSED, WRITE
from tests.homework import graded, tiny_course
from tools.homework import book, box, grade, groups, release
from tools.homework.autograding import RunAndAsk
from tools.homework.needs import needed

pytestmark = needs_box
SAMPLE = ("kill all", "setsid")  # a flood: tests/doors/test_teacher.py


@pytest.fixture
def canary(tmp_path):
    """A file outside of everything that a submission may write."""
    path = tmp_path / "canary"
    path.write_text("untouched")
    return path


def points(root, kinds, canary):
    """{kind: (state, points of the task with this code, points of the honest task)}."""
    tiny_course.make_two(root)
    released = nbformat.reads(release.exercises(root)["tiny/tiny.ipynb"].decode(), as_version=4)
    for kind in kinds:
        code = KINDS[kind].format(function="double", canary=str(canary))
        submission = tiny_course.with_answer(released, code)
        tiny_course.cell_of(submission, "triple-answer").source = "def triple(x):\n    return 3 * x"
        tiny_course.hand_in(root, kind, submission)
    places = ["--root", str(root), "--submitted", str(root / "submitted"), "--into", str(root / "in")]
    grade.main([*places, "--cell-seconds", "4"])
    rows = book.rows(root / "in" / "gradebook.db", "tiny", root / "in" / "results" / "tiny")
    return {row.student: (row.state, row.marks["double"], row.marks["triple"]) for row in rows}


def assert_only_its_own_task(found):
    tampered = {kind for kind, one in found.items() if one == (book.HAS_PROBLEM, None, 2.0)}
    assert tampered <= {"link for answers", "answers without end", "patched grader"}
    assert {one for kind, one in found.items() if kind not in tampered} <= {(book.IS_GRADED, 0.0, 2.0)}


def test_what_a_cell_does_costs_its_own_task(tmp_path, canary):
    found = points(tmp_path / "course", SAMPLE, canary)
    assert set(found) == set(SAMPLE)
    assert_only_its_own_task(found)
    assert canary.read_text() == "untouched"


@pytest.mark.long
def test_nothing_that_a_cell_can_do_costs_another_task(tmp_path, canary):
    found = points(tmp_path / "course", KINDS, canary)
    assert set(found) == set(KINDS)
    assert_only_its_own_task(found)
    assert canary.read_text() == "untouched"


USUAL = box.Limits()
FULL = {"double-check": 4.0, "triple-check": 2.0}


def beside(root, *codes):
    """(points of two honest tasks, the notebook as graded): cells with these codes stand between them."""
    tiny_course.make_two(root)
    submission = nbformat.read(root / "solutions" / "tiny" / "tiny.ipynb", as_version=4)
    honest = tiny_course.cell_of(submission, "triple-answer")
    honest.source += "\nimport time\ntime.sleep(0.4)"
    place = submission.cells.index(honest)
    submission.cells[place:place] = map(nbformat.v4.new_code_cell, codes)
    folder, limits = str(root / "solutions" / "tiny"), replace(USUAL, printed=2 * box.MEGABYTE)
    step = RunAndAsk(source=folder, limits=limits, timeout=2)
    submission, found = step.preprocess(submission, {"metadata": {"path": folder}})
    return {name: judged.points for name, judged in found["judged"].items()}, submission, found["judged"]


def test_no_output_costs_a_point_and_all_is_cut(tmp_path):
    found, submission, _ = beside(tmp_path, *FLOODS.values())
    assert found == FULL
    sizes = {name: len(json.dumps(cell)) for name, cell in zip(FLOODS, submission.cells[4:], strict=False)}
    assert max(sizes.values()) < 2.5 * box.MEGABYTE, sizes
    assert nbformat.writes(submission).count("is left out.") >= len(FLOODS)


def test_leaving_a_cell_leaves_the_kernel(tmp_path):
    codes = [ENDS[name] for name in ("exit()", "exit", "quit()", "sys.exit")]
    found, submission, _ = beside(tmp_path, *codes)
    assert found == FULL
    assert "left out" not in nbformat.writes(submission)


@pytest.mark.parametrize(
    "name", [name if name in ("a timer", "a hook") else pytest.param(name, marks=pytest.mark.long) for name in ENDS]
)
def test_no_way_to_end_costs_another_task(tmp_path, name):
    """At once, or when the box runs another cell, which has done nothing."""
    assert beside(tmp_path, ENDS[name])[0] == FULL


def test_a_task_needs_what_its_names_say():
    """The notebook's own import and not a later one, helpers of helpers, and nothing that is only run."""
    codes = (
        "import numpy as np\nfrom checks import *",
        "import numpy as np, os\nos.start = 1",
        "%time 1\nfactor = 2",
        "def helper(x):\n    np = 3\n    return factor * x",
        "def double(x):\n    total = helper(np.abs(x))\n    return total",
        "total = 3\nhelper(total)",
        "def double(:",
    )
    submission = nbformat.v4.new_notebook(cells=list(map(nbformat.v4.new_code_cell, codes)))
    assert needed(submission, len(codes), "double") == {0, 2, 3, 4}


def boxed(tmp_path, code, *arguments, limits=USUAL):
    """(what a Python program prints in a watched box, the watch's verdict); it begins when the box is seen."""
    folder = box.furnish(tmp_path / "desk")
    with groups.groups(limits, box.furnished_bytes()) as words:
        run = [*words, *box.command([], folder, limits), sys.executable, "-c", f"input()\n{code}"]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
        process = subprocess.Popen([*run, *map(str, arguments)], env=box.environment(), **pipes)
        watch = box.Watch(process.pid, box.opened(process.pid), limits)
        said, failed = process.communicate("\n")
        watch.stop()
        os.close(watch.desk)
    assert not failed
    return said, watch.verdict


def inside(tmp_path, code, *arguments):
    """What a Python program prints in a box."""
    return boxed(tmp_path, code, *arguments)[0]


def test_nothing_outside_is_read_or_written(tmp_path, canary):
    """Solutions, tests, the home folder, other folders for temporary files, this repository's root."""
    places = [graded.ROOT / "solutions", graded.ROOT / "tests", graded.ROOT / ".git", tmp_path / "others", canary]
    (tmp_path / "others").mkdir()
    (tmp_path / "others" / "letter.txt").write_text("mine")
    writable = [graded.ROOT, graded.ROOT / "course_lib", graded.ROOT / "data", Path("/usr"), Path("/etc"), Path("/")]
    code = READ.format(places=list(map(str, places))) + WRITE.format(places=list(map(str, writable)))
    assert inside(tmp_path, code) == "[]\n"
    assert not [place for place in writable if (place / "canary").exists()]
    assert canary.read_text() == "untouched"


TRY = """
import contextlib, ctypes, os, socket, subprocess, sys, time
import numpy as np
import course_lib
libc = ctypes.CDLL(None)

def call(result):
    if result < 0:
        raise OSError

for name, code in {attempts!r}.items():
    try:
        exec(code)
    except (OSError, subprocess.CalledProcessError):
        continue
    print(name)
print("end")
"""


def test_what_a_box_refuses(tmp_path):
    """Attempts on the system, the network, and all that is not its own; none may succeed."""
    with socket.create_server(("127.0.0.1", 0)) as listens, socket.socket(socket.AF_UNIX) as other:
        listens.settimeout(0.0)
        other.bind(f"\0{tmp_path}")
        other.listen()
        given = os.getpid(), listens.getsockname()[1], tmp_path, tmp_path
        assert inside(tmp_path, TRY.format(attempts=REFUSED), *given) == "end\n"
        with pytest.raises(BlockingIOError):
            listens.accept()


WRITABLE = "touch /desk/mine; find /proc/sys /sys -writable -type f 2>/dev/null; cat"


@pytest.mark.parametrize("user", [os.geteuid(), 1234])
def test_no_setting_of_the_system_can_be_written(tmp_path, monkeypatch, user):
    """As whoever runs the tests, and as another user where that is root."""
    becomes = []
    if user != os.geteuid():
        if os.geteuid() != 0:
            pytest.skip("only root can become another user")
        becomes = ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups"]
        monkeypatch.setattr(os, "geteuid", lambda: user)
        monkeypatch.setattr(box, "_python", lambda: [])  # it may be root's
        tmp_path = Path(tempfile.mkdtemp(prefix="box-"))
        tmp_path.chmod(0o755)
    words = box.command([], box.furnish(tmp_path / "desk"), USUAL)
    run = [*becomes, *words, "sh", "-c", WRITABLE]
    process = subprocess.Popen(run, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    desk = box.opened(process.pid)
    found = process.communicate()[0]
    assert found == ""
    assert os.stat("mine", dir_fd=desk).st_uid != 0
    os.close(desk)


def test_no_other_process_is_seen(tmp_path):
    """The box's first, what ends it late, and itself."""
    code = "import os\nprint(sorted(int(one) for one in os.listdir('/proc') if one.isdigit()))"
    assert inside(tmp_path, code) == "[1, 2, 3]\n"


def test_the_library_and_its_data_are_there(tmp_path):
    code = (
        "from course_lib import datasets\nfrom course_lib.sequences import dtw\n"
        "import matplotlib.pyplot, numpy as np\n"
        "print(len(datasets.load_wine().panel().X), dtw(np.arange(3.0), np.arange(3.0)).path[-1])"
    )
    assert inside(tmp_path, code).startswith("8 ")


WAITS = "\nimport signal\nsignal.pause()"
SMALL = box.Limits(memory=150 * box.MEGABYTE, disk=20 * box.MEGABYTE, processes=4)
TOO_MUCH = {
    "memory": ("import os\nos.fork()\nkept = b'x' * 85_000_000", "150 MB of memory"),
    "memory without a process": (
        "import os\nfor k in range(10):\n    os.write(os.memfd_create(str(k)), bytes(17_000_000))",
        "150 MB of memory",
    ),
    "many small files": (
        "import os\nfor k in range(6000):\n    os.mkdir('d')\n    os.chdir('d')",
        "20 MB of files",
    ),
    "a file without a name": (
        "import os, tempfile\nkept = [tempfile.TemporaryFile(dir='.') for _ in range(2)]\n"
        "for one in kept:\n    os.write(one.fileno(), bytes(12_000_000))",
        "20 MB of files",
    ),
}


@pytest.mark.parametrize(("code", "words"), TOO_MUCH.values(), ids=TOO_MUCH)
def test_a_watch_ends_what_uses_too_much(tmp_path, code, words):
    assert words in boxed(tmp_path, code + WAITS, limits=SMALL)[1]


def test_a_watch_that_fails_ends_its_box(tmp_path, monkeypatch):
    monkeypatch.setattr(box, "disk_used", lambda desk: 1 / 0)
    assert "could not look at it (ZeroDivisionError" in boxed(tmp_path, WAITS)[1]


def test_a_box_that_nobody_ends_ends_by_itself(tmp_path, monkeypatch):
    monkeypatch.setattr(box, "SECONDS_OVERDUE", 0)
    assert boxed(tmp_path, WAITS, limits=replace(USUAL, wall_seconds=0.5)) == ("", "")


COUNTS = (
    "made = 0\ntry:\n    for _ in range(200):\n        {start}\n        made += 1\n{failed}\nprint(made, flush=True)"
)
FAILED = "except (BlockingIOError, RuntimeError):\n    pass"
STARTS = {
    "processes": (
        "import os, time\n        os.fork() or time.sleep(600)",
        WAITS,
        "more than 4 processes; the kernel holds",
    ),
    "threads": (
        "import threading, time\n        threading.Thread(target=time.sleep, args=(9,), daemon=True).start()",
        "",
        "",
    ),
}


@pytest.mark.parametrize(("start", "then", "words"), STARTS.values(), ids=STARTS)
def test_the_kernel_keeps_the_number_of_processes(tmp_path, monkeypatch, start, then, words):
    """Before any look of the watch, which waits here until the program has said how far it came."""
    monkeypatch.setattr(box, "LOOK_SECONDS", 2.0)
    said, verdict = boxed(tmp_path, COUNTS.format(start=start, failed=FAILED) + then, limits=SMALL)
    assert 0 < int(said) < groups.tasks(SMALL.processes) < 200
    assert words in verdict


FILLS = (
    "import os\nmade = 0\ntry:\n    for k in range(99):\n"
    "        os.posix_fallocate(os.open(f'{k}', os.O_RDWR | os.O_CREAT), 0, 9_000_000)\n"
    "        made += 9_000_000\nexcept OSError:\n    print(made)"
)


def test_the_kernel_keeps_the_bytes_of_files(tmp_path, monkeypatch):
    """Before any look of the watch: it gives two files of 9 MB, and no third one."""
    monkeypatch.setattr(box, "LOOK_SECONDS", 10.0)
    assert boxed(tmp_path, FILLS, limits=SMALL) == ("18000000\n", "")


def test_a_system_without_bubblewrap_is_refused(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(box, "PROGRAM", "no-such-program")
    box.require.cache_clear()
    (tmp_path / "submitted").mkdir()
    with pytest.raises(SystemExit):
        grade.main(["--submitted", str(tmp_path / "submitted"), "--into", str(tmp_path)])
    said = capsys.readouterr().err
    box.require.cache_clear()
    assert "apt install bubblewrap" in said
    assert "--unsafe" in said


def test_students_are_told_the_limits():
    """In lecture 00 and in teaching/grading.md, as they are."""
    limits = box.Limits()
    told = (
        f"{limits.cell_seconds} s of processor time, {limits.memory // 1024 // box.MEGABYTE} GB of memory, "
        f"{limits.disk // box.MEGABYTE} MB of files, {limits.processes} processes"
    )
    entrance = nbformat.read(graded.ROOT / "lectures" / "00_start_here.ipynb", as_version=4)
    manual = (graded.ROOT / "teaching" / "grading.md").read_text("utf-8")
    texts = ["\n".join(cell.source for cell in entrance.cells), manual]
    for text in (" ".join(one.split()) for one in texts):
        assert told in text
        assert f"{limits.printed // box.MEGABYTE} MB of output" in text
