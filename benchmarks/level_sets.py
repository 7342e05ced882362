"""Level sets: how well the set P(yes) ≤ ¾ is found after 30 answers, by what is known beforehand and where one asks.

Ten Sobol points first, then 20 by the criterion; inference by Laplace's method, and in three rows by variational
inference with the inducing inputs of the source. F1 of 2¹⁵ Sobol points: means over seeds with 95 % intervals
(Student's t). p is Wilcoxon's, of the pairs of F1 with soft constraints and the same way of asking. Seconds are
processor time: of a trial, and for AEPsych of one fit and one query by GlobalMI together.

AEPsych (Owen et al., 2021) has the source's own model of soft constraints. It needs NumPy 1, so it runs in a Python of
its own, whose path the environment variable AEPSYCH_PYTHON says: `python -m venv DIRECTORY`, then
`DIRECTORY/bin/pip install aepsych`; without it these rows are left out. It gets the 30 Sobol points and their answers.
In "AEPsych, whole bound" the bound is that of eq. 1 of the source: see `level_sets_aepsych`.
"""

import json
import os
import subprocess
import tempfile
from pathlib import Path

import numpy as np
from joblib import Parallel, delayed

TITLE = "Level sets: F1 after 30 answers, by what is known beforehand, and by criterion"
REPETITIONS = 20
TRIALS = 30
CRITERIA = ("sobol", "global_mutual_information", "expected_absolute_volume_change")
OURS = (*((criterion, "laplace") for criterion in CRITERIA), ("sobol", "variational"))
PEERS = ("AEPsych", "AEPsych, whole bound")
KNOWLEDGE = ("mixed", "pseudo", "none")
PEER = Path(__file__).with_name("level_sets_aepsych.py")


def problems():
    """The three problems of the table."""
    from course_lessons.mixed_feedback.problems import ellipsoid, norm_ball

    return norm_ball(2), norm_ball(4), ellipsoid()


def found(problem, knowledge, criterion, inference, seed):
    """(F1 after 10, 20 and 30 answers, precision and recall at the end, seconds of a trial)."""
    from course_lessons.mixed_feedback.experiments import level_set_curve

    curve = level_set_curve(problem, knowledge, criterion, TRIALS, inference=inference, rng=seed)
    return *curve.f1, curve.precision[-1], curve.recall[-1], curve.seconds[-1]


def found_by_aepsych(problem, knowledge, way, seed):
    """As found, at the end only, by AEPsych after Sobol points."""
    from course_lessons.mixed_feedback.experiments import LevelSetSearch
    from course_lessons.mixed_feedback.level_sets import set_scores
    from course_lessons.mixed_feedback.problems import THRESHOLD

    search = LevelSetSearch(problem, "none", "sobol", TRIALS, "laplace", seed)
    for _ in range(TRIALS):
        search.ask()
    X, y, constrained = search.X_, search.y_, knowledge == "mixed"
    if knowledge == "pseudo":
        X, y = with_pseudo_answers(X, y, search.places_, search.known_)
    told = {
        "X": X.tolist(),
        "y": np.maximum(y, 0.0).tolist(),
        "points": search.points_.tolist(),
        "asks": True,
        "places": search.places_.tolist() if constrained else [],
        "known": search.known_.tolist(),
        "total": way == PEERS[1],
    }
    answer = asked_of_aepsych(told)
    scores = set_scores(np.array(answer["mean"]) <= THRESHOLD, search.inside_)
    return np.nan, np.nan, scores.f1, scores.precision, scores.recall, answer["fit"] + answer["query"]


def with_pseudo_answers(X, y, places, known):
    """Stimuli and answers with the pseudo-answers as rows of their own."""
    from course_lessons.mixed_feedback.constraints import pseudo_answers

    block = pseudo_answers(places, known)
    more = np.repeat(block.X[block.views.plus], block.counts, axis=0)
    return np.vstack([X, more]), np.concatenate([y, np.repeat(block.y, block.counts)])


def asked_of_aepsych(told):
    """What level_sets_aepsych answers. ValueError if it fails."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    with tempfile.TemporaryDirectory() as place:  # AEPsych leaves its logs where it runs
        command = [os.environ["AEPSYCH_PYTHON"], str(PEER)]
        done = subprocess.run(command, input=json.dumps(told), capture_output=True, text=True, cwd=place, env=kept)
    if done.returncode:
        raise ValueError(f"AEPsych failed: {done.stderr.strip().splitlines()[-1]}")
    return json.loads(done.stdout.splitlines()[-1])


def ways():
    """(how a row is called, the function of a problem, knowledge and seed that fills it, kinds of knowledge)."""
    for criterion, inference in OURS:
        yield f"{criterion}, {inference}", lambda p, k, s, c=criterion, i=inference: found(p, k, c, i, s), KNOWLEDGE
    if "AEPSYCH_PYTHON" in os.environ:
        for way in PEERS:
            known = KNOWLEDGE if way == PEERS[0] else KNOWLEDGE[:1]  # the bound differs where there are constraints
            yield f"sobol, {way}", lambda p, k, s, w=way: found_by_aepsych(p, k, w, s), known


def table(repetitions):
    """Lines of Markdown: a row for each problem, way of asking and kind of knowledge."""
    yield "| problem | asks by | known as | F1 at 10, 20 | F1 at 30 [95 %] | p | precision, recall | s |"
    yield "|" + "---|" * 8
    for problem in problems():
        for name, work, kinds in ways():
            mixed = None
            for knowledge in kinds:
                runs = np.array(Parallel()(delayed(work)(problem, knowledge, seed) for seed in range(repetitions)))
                mixed = runs[:, 2] if mixed is None else mixed
                yield f"| {problem.name} | {name} | {knowledge} | {' | '.join(cells(runs, mixed))} |"


def cells(runs, mixed):
    """The numbers of a row, as text."""
    from scipy.stats import t, wilcoxon

    n = len(runs)
    ten, twenty, f1, _, recall, _ = runs.mean(axis=0)
    precision = np.nanmean(runs[:, 3]) if np.isfinite(runs[:, 3]).any() else np.nan  # NaN where nothing was predicted
    half = t.ppf(0.975, n - 1) * runs[:, 2].std(ddof=1) / np.sqrt(n) if n > 1 else np.nan
    compared = n > 5 and (runs[:, 2] != mixed).any()
    return (
        f"{ten:.2f}, {twenty:.2f}" if np.isfinite(ten) else "–",
        f"{f1:.2f} [{f1 - half:.2f}, {f1 + half:.2f}]",
        f"{wilcoxon(mixed, runs[:, 2]).pvalue:.2g}" if compared else "–",
        f"{precision:.2f}, {recall:.2f}",
        f"{np.median(runs[:, 5]):.3f}",
    )
