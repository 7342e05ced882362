"""Made what lies beside it, from the course as it was at commit 9036fc0: a record of how, not to be run anew.

    git worktree add ../old 9036fc0
    PYTHONPATH=../old OMP_NUM_THREADS=1 python tests/doors/before/make.py

It writes what that commit says of what was given: sessions of a listener who likes settings round 0.65 of each range
(`open`: a question is open, else the next one is still to be found; `half-way`: one answer was taken back;
`in-the-test`: 7 of 20 choices made; `marks`: a ball was moved); answers to homeworks ("cells": of the solution, of the
banks of right and wrong answers with what they use, a function renamed, a syntax error, a result printed); and a
lecture with two answers, a note and a cell of a student's own.
"""

import ast
import inspect
import json
import pickle
import pkgutil
import shutil
import sqlite3
import tempfile
from pathlib import Path

import asking
import nbformat
import numpy as np

from course_lib import gp, judgments, sequences
from tests.homework import tiny_course
from tools import update
from tools.homework import book, bundle, grade, handmarks, letters, release

HERE, OLD = Path(__file__).parent, Path(bundle.__file__).parents[2]
BUNDLE = bundle.bundle(OLD)


def write(name, found):
    """Writes a dict as JSON, a line for each key."""
    lines = (f"{json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in found.items())
    (HERE / name).write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def sessions():
    """What sessions ask next: of a copy, because the question is written down."""
    told = {}
    for path in sorted((HERE / "journals").glob("*.jsonl")):
        with tempfile.TemporaryDirectory() as place, asking.session(shutil.copy(path, place)) as one:
            told[path.stem] = asking.of_session(one)
    write("journals.json", told)


def homework():
    """The points that `make grade` gave ten students of exercises/ (`.notebook`: a name that nbval does not run)."""
    for path in (HERE / "homework").glob("*.json"):
        given = json.loads(path.read_text(encoding="utf-8"))
        written = {(who, path.stem): cells for who, (cells, _) in asking.students(path.stem).items()}
        with tempfile.TemporaryDirectory() as place:
            points = asking.grades(OLD, Path(place), written)
        write(path, {who: {**given[who], "points": points[who, path.stem]} for who in given})


def lecture():
    """The part of the list of what was delivered that knows the lecture."""
    (name,) = (f"lectures/{path.stem}.ipynb" for path in (HERE / "lecture").glob("*.notebook"))
    (HERE / "lecture" / "delivered.json").write_bytes(update.manifest({name: BUNDLE[name]}))


def used(source):
    """{(module, name)} of the library that code imports, or asks of a module that it has imported."""
    tree = ast.parse("\n".join(line for line in source.splitlines() if line[:1] not in "%!"))
    nodes, found, modules = list(ast.walk(tree)), set(), {}
    for node in nodes:
        if isinstance(node, ast.ImportFrom) and node.module.startswith("course_lib"):
            found |= {(node.module, one.name) for one in node.names}
            modules |= {one.asname or one.name: f"{node.module}.{one.name}" for one in node.names}
    asked = [one for one in nodes if isinstance(one, ast.Attribute) and isinstance(one.value, ast.Name)]
    named = {(modules.get(one.value.id), one.attr) for one in asked}
    return found | {
        (module, name) for module, name in named if inspect.ismodule(pkgutil.resolve_name(module or "os.name"))
    }


def imports():
    """{module: names} that the lectures, exercises and checks of the students' bundle use."""
    found = {}
    for name in [
        one for one in BUNDLE if one.startswith(("lectures", "exercises")) and one.endswith((".ipynb", ".py"))
    ]:
        cells = nbformat.reads(BUNDLE[name].decode(), 4).cells if name.endswith("b") else ()
        code = "\n".join(cell.source for cell in cells if cell.cell_type == "code") or BUNDLE[name].decode()
        for module, one in used(code):
            found.setdefault(module, set()).add(one)
    write("imports.json", {module: sorted(found[module]) for module in sorted(found)})


def gradebook():
    """The gradebook of a tiny course with marks by hand, its results, and the table that --status writes."""
    with tempfile.TemporaryDirectory() as place:
        root = Path(place)
        tiny_course.make(root)
        released = nbformat.reads(release.exercises(root)["tiny/tiny.ipynb"].decode(), as_version=4)
        written = tiny_course.with_answer(released, "def double(x):\n    return x + x")
        tiny_course.cell_of(written, "letter").source = "Because 2 + 2 = 2 · 2."
        half = tiny_course.with_answer(released, "def double(x):\n    return 2 * x if x != 7 else 0")
        for who, one in {"ada": written, "ben": half, "cem": released, "dan": "no notebook", "eve": written}.items():
            tiny_course.hand_in(root, who, one)
        words = ["--root", place, "--submitted", str(root / "submitted"), "--into", place]
        grade.main(words)
        letter = letters.read_letters(root, "tiny", root)[0]
        handmarks.write_mark(root, "tiny", letter, handmarks.HandMark((1.0, 0.5), "Well said.", letter.digest))
        with book.opened(root / "gradebook.db") as kept:
            kept.find_grade("double-check", "tiny", "tiny", "ben").manual_score = 3.5
            kept.db.commit()
        grade.main([*words, "--status"])
        with sqlite3.connect(root / "gradebook.db") as database:
            (HERE / "gradebook.sql").write_text("\n".join(database.iterdump()) + "\n", encoding="utf-8")
        results = {path.parent.name: json.loads(path.read_text()) for path in root.glob("results/tiny/*/marks.json")}
        write("gradebook.json", {"table": (root / "marks" / "tiny.csv").read_text(), "results": results})


# --- what researchers have


def answered(session, *answers):
    """The session with these answers."""
    for answer in answers:
        session.propose()
        session.answer(answer)
    return session


X, RNG = np.linspace(0.0, 1.0, 6)[:, None], np.random.default_rng(28)
TRUTH = np.sin(5.0 * X[:, 0])
PANEL = TRUTH[:, None] + RNG.normal(0.0, [0.1, 0.2, 0.4], (6, 3)) + np.array([0.0, 0.5, -0.5])
PAIRS = np.array([(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 0), (1, 4)])
SIGNS = np.sign(TRUTH[PAIRS[:, 1]] - TRUTH[PAIRS[:, 0]])
CHOICES = gp.differences(X, PAIRS, SIGNS, judgments.Comparison(gp.Probit(), 1.0))
CLOUDS = RNG.normal(0.0, 1.0, (40, 2)) + np.repeat([[0.0], [4.0]], 20, axis=0)
MODELS = {
    "DiscreteHMM": lambda: sequences.DiscreteHMM(2, 3, rng=1).fit([[0, 0, 1, 2, 2, 1], [0, 1, 1, 2, 2]]),
    "GaussianMixture": lambda: sequences.GaussianMixture(2, rng=1).fit(CLOUDS),
    "GPRegression": lambda: gp.GPRegression().fit(X, TRUTH + 0.1 * RNG.normal(size=6)),
    "LatentGP": lambda: gp.LatentGP(inference="ep").fit([gp.values(X, SIGNS[:6], gp.Probit()), CHOICES]),
    "MultiSampleGP": lambda: judgments.MultiSampleGP().fit(X, PANEL),
    "RaterGP": lambda: judgments.RaterGP(bias_std=1.0).fit(X, PANEL),
    "BoundedGP": lambda: judgments.BoundedGP().fit(X, np.clip(0.5 + 0.2 * PANEL[:, 2], 0.05, 0.95)),
    "PreferenceGP": lambda: judgments.PreferenceGP().fit(X, PAIRS, SIGNS),
    "Personalizer": lambda: answered(judgments.Personalizer([(0.0, 10.0)], rng=1), 0.2, 0.7, 0.6),
}


def models():
    """Pickles of small fitted models, and what they say."""
    told = {}
    for name, fit in MODELS.items():
        data = pickle.dumps(fit(), protocol=5)
        (HERE / "models" / f"{name}.pickle").write_bytes(data)
        told[name] = asking.of_model(name, pickle.loads(data))
    write("models.json", told)


if __name__ == "__main__":
    for make in (sessions, homework, lecture, imports, gradebook, models):
        make()
