"""What is asked of things that people have, through public calls alone: when they were made, and now in the tests."""

import json
from pathlib import Path

import nbformat
import numpy as np

from course_lib.judgments import Personalizer, RatingPersonalizer
from tests.homework.boxes import UNSAFE
from tools.homework import grade
from tools.homework.outcomes import MARKS, RESULTS

HERE = Path(__file__).parent


def session(path):
    """The session of a file, resumed as the app does."""
    return (RatingPersonalizer if "marks" in Path(path).name else Personalizer).resume(path)


def of_session(session):
    """{what: numbers} of a session that was resumed: the next question, and all that a result or a test shows."""
    test = getattr(session, "test_", None)
    told = {"question": session.propose(), "best": session.best_, "gain": session.mean_improvement_}
    told["answers"] = session.answers_ if hasattr(session, "answers_") else session.marks_
    if test is not None:
        told["test"] = [test.n_answers, test.n_for_found, test.is_over]
        told["open choice"] = [] if test.is_over else test.propose()
    return {name: np.ravel(value).astype(float).tolist() for name, value in told.items()}


def of_model(name, model):
    """{what: numbers} of a fitted model of this name."""
    return {what: np.ravel(value).tolist() for what, value in QUESTIONS[name](model).items()}


POINTS = np.linspace(0.1, 0.9, 4)[:, None]
PAIRS = np.array([(0, 1), (3, 2)])


def _latent(model):
    mean, cov = model.predict_latent(POINTS, return_cov=True)
    return {"mean": mean, "cov": cov, "evidence": model.log_evidence_}


QUESTIONS = {
    "DiscreteHMM": lambda m: {"score": m.score([[0, 1, 2, 2]]), "posteriors": m.predict_proba([0, 1, 2, 2])},
    "GaussianMixture": lambda m: {"log density": m.score_samples(np.tile(POINTS, 2)), "weights": m.weights_},
    "GPRegression": lambda m: {**_latent(m), "predicted": m.predict(POINTS, return_std=True)},
    "LatentGP": _latent,
    "MultiSampleGP": lambda m: {**_latent(m), "consensus": m.consensus_},
    "RaterGP": lambda m: {**_latent(m), "noises": m.rater_std_, "consensus": m.consensus_},
    "BoundedGP": lambda m: {**_latent(m), "next": m.answer_interval(POINTS)},
    "PreferenceGP": lambda m: {**_latent(m), "chosen": m.predict_preference(POINTS, PAIRS)},
    "Personalizer": of_session,
}


def students(name):
    """{student: (what they wrote, {grade_id: source}; the points that it earned, {grade_id: points})}."""
    found = json.loads((HERE / "homework" / f"{name}.json").read_text(encoding="utf-8"))
    right = found["right"]["cells"]
    return {
        who: (one["cells"] | {cell: right[cell] for cell in one["as_right"]}, one["points"])
        for who, one in found.items()
    }


def grades(root, place, written):
    """{(student, homework): {grade_id: points}} as `make grade` gives them.

    Parameters
    ----------
    root : Path of the course;  place : Path of an empty folder;  written : {(student, homework): {grade_id: source}}
    """
    for (student, name), cells in written.items():
        path = place / "submitted" / student / name / f"{name}.ipynb"
        path.parent.mkdir(parents=True)
        nbformat.write(with_answers(name, cells), path)
    folders = ["--root", str(root), "--submitted", str(place / "submitted"), "--into", str(place / "into")]
    grade.main([*folders, "--jobs", "1", *UNSAFE])
    done = {key: place / "into" / RESULTS / key[1] / key[0] / MARKS for key in written}
    cells = {key: json.loads(path.read_text(encoding="utf-8"))["cells"] for key, path in done.items()}
    return {key: {cell["grade_id"]: cell["points"] for cell in cells[key]} for key in cells}


def with_answers(name, cells):
    """The released notebook of a homework, with what a student wrote into its cells, {grade_id: source}."""
    book = nbformat.read(HERE / "homework" / f"{name}.notebook", as_version=4)
    for cell in book.cells:
        cell.source = cells.get(cell.metadata.get("nbgrader", {}).get("grade_id"), cell.source)
    return book
