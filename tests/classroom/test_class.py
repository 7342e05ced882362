"""Five hundred submissions, one in ten of them hostile, graded in one run that is killed twice."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
from collections import Counter

import nbformat
import numpy as np
import pytest
from nbformat.v4 import new_code_cell

from tests.classroom.boxes import needs_box
from tests.classroom.hostile import KINDS, WRITE
from tests.homework import graded, tiny_course
from tools.homework import book, grade, release

CLASS, HOSTILE, REAL = 500, 0.1, 0.1
HOMEWORKS = ("01_dtw", "03_mixtures", "08_several_answers")
WAITS = ("link for answers", "patched grader")  # the grader cannot judge these: a person looks
NETWORK = "import socket\nsocket.create_connection(('127.0.0.1', {port}), timeout=2).sendall(b'reached')"
SHADOWS = "from numpy import *\nsum = list = len = print = check = 0"
BROKEN = {
    "cut off": lambda text: text[: len(text) // 2],
    "format 3": lambda text: text.replace('"nbformat": 4', '"nbformat": 3'),
    "no text": lambda text: "",
}


class Class:
    """A course with the tiny homework and some real ones, and what is expected of everybody: {student: …}."""

    def __init__(self, root, size, port):
        self.root, self.rng, self.expected, self.kinds = root, np.random.default_rng(18), {}, Counter()
        tiny_course.make_two(root)
        self.released = nbformat.reads(release.exercises(root)["tiny/tiny.ipynb"].decode(), as_version=4)
        for name in HOMEWORKS:
            shutil.copytree(graded.ROOT / "solutions" / name, root / "solutions" / name)
        self.canary = root.parent / "canary"
        self.canary.write_text("untouched")
        places = [str(one) for one in (root, graded.ROOT, root / "in", root.parent)]
        self.codes = {
            **KINDS,
            "network": NETWORK.format(port=port),
            "writes": "import os" + WRITE.format(places=places),
        }
        for k in range(size):
            self.hand_in(f"student-{k:03d}", self.rng.uniform())

    def hand_in(self, student, draw):
        """Something of somebody: hostile, broken, a real homework in full, or the tiny one as students do it."""
        if draw < HOSTILE:
            kind = str(self.rng.choice([*self.codes, *BROKEN]))
            self.broken(student, kind) if kind in BROKEN else self.hostile(student, kind)
        elif draw < HOSTILE + REAL:
            kind = str(self.rng.choice(HOMEWORKS))
            self.real(student, kind)
        else:
            kind = str(self.rng.choice(list(HONEST)))
            self.tiny(student, *HONEST[kind])
        self.kinds[kind] += 1

    def hostile(self, student, kind):
        code = (
            self.codes[kind].format(function="double", canary=str(self.canary)) if kind in KINDS else self.codes[kind]
        )
        self.tiny(student, code, None if kind in WAITS else 0.0, more=None if kind in WAITS else 2.0)

    def broken(self, student, kind):
        self.tiny(student, "", None, more=None)
        path = self.root / "submitted" / student / "tiny" / "tiny.ipynb"
        path.write_text(BROKEN[kind](path.read_text()))

    def tiny(self, student, code, points, more=2.0):
        submission = tiny_course.with_answer(self.released, code)
        tiny_course.cell_of(submission, "triple-answer").source = "def triple(x):\n    return 3 * x"
        submission.cells.insert(1, new_code_cell(SHADOWS))
        tiny_course.hand_in(self.root, student, submission)
        self.expected[student] = ("tiny", None if points is None else points + more)

    def real(self, student, name):
        folder = self.root / "submitted" / student / name
        folder.mkdir(parents=True)
        shutil.copy(graded.ROOT / "solutions" / name / f"{name}.ipynb", folder)
        cells = [cell.metadata.get("nbgrader", {}) for cell in graded.notebook(name).cells if cell.cell_type == "code"]
        self.expected[student] = (name, float(sum(one["points"] for one in cells if one.get("grade"))))


HONEST = {
    "right": ("def double(x):\n    return 2 * x", 4.0),
    "half": ("def double(x):\n    return 2 * x if x != 7 else 0", 3.0),
    "wrong": ("def double(x):\n    return 3 * x", 0.0),
    "untouched": ("raise NotImplementedError()", 0.0),
}


def run(root, until=None):
    """Runs the command; it is killed after so many results. How many there were."""
    places = ["--root", str(root), "--submitted", str(root / "submitted"), "--into", str(root / "in")]
    command = [sys.executable, "-u", "-m", "tools.homework.grade", *places, "--cell-seconds", "5"]
    with subprocess.Popen(command, cwd=graded.ROOT, stdout=subprocess.PIPE, text=True) as process:
        done = 0
        for line in process.stdout:
            done += " min left: " in line
            if done == until:
                os.kill(process.pid, signal.SIGKILL)
                break
        process.stdout.close()
    return done


@needs_box
@pytest.mark.long
def test_five_hundred_submissions_are_graded_whatever_they_do(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as listens:
        listens.settimeout(0.0)
        school = Class(tmp_path / "course", CLASS, listens.getsockname()[1])
        done = [run(school.root, CLASS // 5), run(school.root, CLASS // 3), run(school.root)]
        with pytest.raises(BlockingIOError):
            listens.accept()
    print(json.dumps(school.kinds, indent=1), done)
    assert sum(done) <= CLASS + 2 * (os.cpu_count() + 1)  # what was being graded when it was killed is graded again
    assert wrong(school) == {}
    assert school.canary.read_text() == "untouched"
    assert not list(tmp_path.glob("canary/*")) + [
        place for place in (school.root, graded.ROOT) if (place / "canary").exists()
    ]


def wrong(school):
    """{student: (expected, found)} of all whose points are not those that they earned."""
    into, found = school.root / "in", {}
    for name in sorted({name for name, _ in school.expected.values()}):
        for row in book.rows(into / grade.GRADEBOOK, name, into / "results" / name):
            homework, points = school.expected[row.student]
            got = row.points if row.state != book.HAS_PROBLEM else None
            if homework == name and got != points:
                found[row.student] = points, got
    return found
