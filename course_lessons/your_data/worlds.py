"""Three simulated studies with known truth, and how often their intervals cover it.

A slider panel with two bad listeners; an ACR test of systems and utterances; an A/B test with ties, sides and groups.

Lecture: 14, sections 2 and 7.
"""

from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy.stats import norm

from course_lib import validation
from course_lib.datasets import load_claim
from course_studies.design import Design
from course_studies.pair_study import PairStudy
from course_studies.pairs import from_pairs
from course_studies.rating_study import RatingStudy
from course_studies.ratings import from_long
from course_studies.screening import screened

TIE_WIDTH = 0.4  # differences below it, in units of the noise of one judgement, are called the same


class World(NamedTuple):
    """frame : long table, as one gets it;  truth : {what may be asked: Series by name, or a number}."""

    frame: object
    truth: dict


def slider_panel(rng=None, bad="reversed"):
    """Marks from 0 to 100 for 16 clips by 12 people: columns clip, listener, mark. One marks at random, one badly.

    bad : "reversed", the scale turned round, or "constant", nearly always the same mark
    """
    rng, n, R = validation.generator(rng), 16, 12
    value, noise = 55 + 12 * rng.normal(size=n), 6 * np.exp(0.4 * rng.normal(size=R))
    Y = value[:, None] + 6 * rng.normal(size=R) + noise * rng.normal(size=(n, R))
    reversed_ = validation.one_of(bad, ("reversed", "constant"), "bad") == "reversed"
    Y[:, 0] = 100 - Y[:, 0] if reversed_ else 50 + rng.integers(-1, 2, n)
    Y[:, 1] = rng.uniform(0, 100, n)
    Y = np.clip(Y.round(), 0, 100)[:, rng.permutation(R)]
    names = pd.Index([f"clip {k + 1:02d}" for k in range(n)], name="clip")
    wide = pd.DataFrame(Y, names, [f"P{r + 1:02d}" for r in range(R)])
    return World(
        _shuffled(wide.reset_index().melt("clip", var_name="listener", value_name="mark"), rng),
        {"clip": pd.Series(value, names)},
    )


def acr_test(rng=None):
    """Scores 1 … 5 for six utterances of 12 systems: columns system, utterance, worker, trial, score.

    Each of 40 workers rates a third of all stimuli.

    truth : of systems, the expected score over the utterances of the study, "study", and over new ones, "new"
    """
    rng, S, U, R = validation.generator(rng), 12, 6, 40
    spread = {"utterance": 0.3, "both": 0.2, "bias": 0.4, "opinion": 0.25, "noise": 0.6}
    system, utterance = rng.normal(3.1, 0.6, S), spread["utterance"] * rng.normal(size=U)
    cell = system[:, None] + utterance + spread["both"] * rng.normal(size=(S, U))
    bias, opinion = spread["bias"] * rng.normal(size=R), spread["opinion"] * rng.normal(size=(R, S))
    rows = []
    for r in range(R):
        for trial, c in enumerate(rng.permutation(S * U)[: S * U // 3]):
            s, u = divmod(int(c), U)
            score = cell[s, u] + bias[r] + opinion[r, s] + spread["noise"] * rng.normal()
            rows.append((f"S{s + 1:02d}", f"u{u + 1}", f"W{r + 1:02d}", trial + 1, np.clip(np.round(score), 1, 5)))
    names = pd.Index([f"S{s + 1:02d}" for s in range(S)], name="system")
    among = np.sqrt(sum(spread[name] ** 2 for name in ("bias", "opinion", "noise")))
    over = np.sqrt(among**2 + spread["utterance"] ** 2 + spread["both"] ** 2)
    truth = {"study": _expected_score(cell, among).mean(axis=1), "new": _expected_score(system, over)}
    frame = pd.DataFrame(rows, columns=["system", "utterance", "worker", "trial", "score"])
    return World(_shuffled(frame, rng), {name: pd.Series(value, names) for name, value in truth.items()})


def _expected_score(mean, std):
    """Expectation of a Gaussian number, rounded and clipped to 1 … 5."""
    return 1 + norm.sf(np.array([1.5, 2.5, 3.5, 4.5]), np.asarray(mean)[..., None], std).sum(axis=-1)


def ab_test(rng=None, items=8, people=10, answers=40):
    """Choices, or "same": columns left, right, answer, person, hearing. Two groups, of people with own tastes.

    truth : "item", the worth of each item, above the mean; "HI" and "norm", that of each group; "side", how much is
        for the right one. In units of the noise of one judgement.

    people : in each group;  answers : of each person
    """
    rng, n = validation.generator(rng), validation.integer(items, "items", least=2)
    P = validation.integer(people, "people")
    common, side = rng.normal(size=n), 0.3 * rng.normal()
    of_group = common + 0.5 * rng.normal(size=(2, n))
    rows = []
    for p in range(2 * P):
        taste, group = of_group[p % 2] + 0.4 * rng.normal(size=n), ("norm", "HI")[p % 2]
        for _ in range(validation.integer(answers, "answers")):
            a, b = rng.choice(n, 2, replace=False)
            apart = taste[b] - taste[a] + side + np.sqrt(2) * rng.normal()
            said = "same" if abs(apart) < np.sqrt(2) * TIE_WIDTH else "right" if apart > 0 else "left"
            rows.append((f"item {a + 1}", f"item {b + 1}", said, f"P{p + 1:02d}", group))
    names = pd.Index([f"item {k + 1}" for k in range(n)], name="item")
    of_group = of_group - of_group.mean(axis=1, keepdims=True)
    truth = {"item": of_group.mean(axis=0), "norm": of_group[0], "HI": of_group[1]}
    frame = pd.DataFrame(rows, columns=["left", "right", "answer", "person", "hearing"])
    return World(_shuffled(frame, rng), {**{name: pd.Series(v, names) for name, v in truth.items()}, "side": side})


def _shuffled(frame, rng):
    return frame.iloc[rng.permutation(len(frame))].reset_index(drop=True)


def held(kind, seed):
    """{what was asked: (differences whose 90 % interval held the truth (0 or 1), widths)} of one simulated study.

    kind : "slider", "ACR" or "A/B"
    """
    return {"slider": _slider_held, "ACR": _acr_held, "A/B": _ab_held}[kind](seed)


def kept(asked):
    """Share of 90 % intervals that held the truth in two hundred simulated studies, from the stored `designs`."""
    stored = load_claim("designs").of(asked=asked)
    return f"{stored['held'].sum() / stored['of'].sum():.0%}"


def _inside(found, truth):
    return ((found["low"] <= truth) & (truth <= found["high"])).to_numpy().astype(int), (found["high"] - found["low"])


def _of_pairs(found, truth):
    return _inside(found, truth[found["b"]].to_numpy() - truth[found["a"]].to_numpy())


def _slider_held(seed):
    frame, truth = slider_panel(seed, bad=("reversed", "constant")[seed % 2])
    table = from_long(frame, item="clip", rater="listener", rating="mark", scale=(0, 100))
    tables = {"clips, all listeners": table, "clips, after the screen": table.without(screened(table))}
    return {said: _of_pairs(RatingStudy().fit(one).contrasts(), truth["clip"]) for said, one in tables.items()}


def _acr_held(seed):
    frame, truth = acr_test(seed)
    table = from_long(frame, item=["system", "utterance"], rater="worker", rating="score", scale=(1, 5))
    study = RatingStudy().fit(table)
    asked = {"study": "systems, these utterances", "new": "systems, new utterances"}
    return {said: _of_pairs(study.contrasts(over=over), truth[over]) for over, said in asked.items()}


def _ab_held(seed):
    frame, truth = ab_test(seed)
    said = {"answer": "answer", "sides": ("left", "right"), "tie": "same"}
    table = from_pairs(frame, "left", "right", person="person", also=["hearing"], **said)
    study = PairStudy(design=Design(group="hearing", order=True), people="own").fit(table)
    groups = study.contrasts([("norm", "HI")], of="group", by="item")
    return {
        "items": _of_pairs(study.contrasts(), truth["item"]),
        "HI − norm": _inside(groups, (truth["HI"] - truth["norm"])[groups["item"]].to_numpy()),
        "side": _inside(study.contrasts(of="order"), truth["side"]),
    }
