"""A researcher's door: calls of its README and lecture 14 as they stand there, default intervals, files of strangers.

Intervals are counted in worlds that obey the model. A world counts once, by the share of its contrasts that hold; the
counts are printed (`pytest -rP --xfail-tb`) and kept in the report. `least` lies where neither today's share (of those
that fail) nor 90 % comes by luck, but for one run in ten thousand: by the spread between 100 worlds drawn beforehand.
"""

import re
import warnings
from pathlib import Path

import nbformat
import numpy as np
import pandas as pd
import pytest
from statsmodels.miscmodels.ordinal_model import OrderedModel

import course_studies
from benchmarks.coverage import held
from course_lib import judgments
from course_lib.judgments import RaterGP
from course_studies import Design, PairStudy, RatingStudy, from_long, from_pairs
from tests.doors import strangers

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "course_studies/README.md").read_text(encoding="utf-8")
README = re.search(r"```python\n(.*?)\n```", PAGE, re.DOTALL)[1]
IMPORTS, RATINGS, CHOICES = README.split("\n\n")
CELLS = nbformat.read(ROOT / "lectures/14_your_data.ipynb", 4).cells
LECTURE = "\n".join(cell.source for cell in CELLS if cell.cell_type == "code")


def run(paragraph):
    """(names that a paragraph of README leaves, what its last line shows)."""
    (*lines, last), names = paragraph.splitlines(), {}
    exec("\n".join([IMPORTS, *lines]), names)
    return names, eval(last, names)


def files(rng, size=(6, 6), items=6):
    """The truths of ratings.csv and choices.csv, which README's snippet reads, written here."""
    (marks, value), (chosen, worth) = strangers.panel(rng, *size), strangers.choices(rng, items)
    marks.to_csv("ratings.csv", index=False)
    chosen.to_csv("choices.csv", index=False)
    return value, worth


def test_readmes_snippet_shows_every_table_under_the_files_names(tmp_path, monkeypatch, seed):
    monkeypatch.chdir(tmp_path)
    files(np.random.default_rng(seed))
    (consensus, contrasts, ranking, trust), shares = run(RATINGS)[1], run(CHOICES)[1]
    clips = set(strangers.names(6))
    assert set(consensus.index) == set(ranking.index) == set(shares["a"]) | set(shares["b"]) == clips
    assert contrasts[["a", "b"]].values.tolist() == [["clip 1", "clip 7"]] and len(shares) == 15
    assert set(trust.index) == {f"P{k + 1}" for k in range(6)} and (trust["answers"] == 6).all()
    np.testing.assert_allclose(shares[["p_a", "p_tie", "p_b"]].sum(axis=1), 1.0)
    assert all((frame["low"] <= frame["high"]).all() for frame in (consensus, contrasts, ranking, trust))


# --- how often those intervals hold that one gets

CALLS = {
    "README, ratings": RATINGS,
    "README, choices": CHOICES,
    "lecture, 5": "RatingStudy(BoundedGP()).fit(marks)",
    "lecture, 7": "RatingStudy(standardize=True).fit(table)",
    "own tastes": "PairStudy(people='own').fit(pairs)",
    "degrees": "PairStudy(standardize=True).fit(slider)",
    "lecture, 8": "RatingStudy().fit(mine)",
}
PANELS = ("README, ratings", "lecture, 7", "lecture, 8")
COUNTED = [
    ("README, ratings", (6, 6), 30, 0.75),
    ("README, choices", (6,), 80, 0.80),
    ("lecture, 7", (6, 6), 30, 0.75),
    ("lecture, 5", (), 15, 0.70),
    ("own tastes", (), 60, 0.79),
    ("degrees", (), 15, 0.68),
    ("lecture, 8", (6, 6), 20, 0.80),
    *((name, size, 200, 0.86) for name in PANELS for size in ((6, 6), (10, 8))),
    *((name, (25, 12), 200, 0.87) for name in PANELS),
    *(("README, choices", (items,), 200, 0.86) for items in (4, 6)),
    ("lecture, 5", (), 200, 0.83),
    ("degrees", (), 200, 0.80),
]


def marks_of(frame, **settings):
    return from_long(frame, item="clip", rater="listener", rating="mark", **settings)


WORLDS = {  # what the lecture's name stands for: a world, and what makes a table of it
    "table": (strangers.panel, lambda frame: marks_of(frame, features=["reverb", "kbps"])),
    "mine": (strangers.panel, marks_of),
    "pairs": (strangers.choices, lambda frame: from_pairs(frame, "first", "second", "answer", "who", tie="same")),
    "marks": (strangers.jurors, lambda frame: from_long(frame, *frame, scale=(0, 1))),
    "slider": (strangers.slider, lambda table: table),
}


def fitted(call, rng, size):
    """(the study of a call of README's or lecture 14's to a world of its kind, the truth)."""
    if call in README:
        truths = files(rng, size) if call == RATINGS else files(rng, items=size[0])
        names, shown = run(call.removesuffix(".shares()"))
        return (names["study"], truths[0]) if call == RATINGS else (shown, truths[1])
    if call not in LECTURE and call not in (CALLS["own tastes"], CALLS["degrees"]):
        pytest.fail(f"lecture 14 no longer says {call}: take what it says now.")
    name = re.search(r"fit\((\w+)\)", call)[1]
    world, to_table = WORLDS[name]
    made, truth = world(rng, *size)
    table = to_table(made)
    return eval(call, {**vars(judgments), **vars(course_studies), "people": "own", name: table}), truth


def share(study, truth):
    """Of all contrasts of a study, how many intervals hold the truth."""
    found = study.contrasts()
    return held(found["low"], found["high"], truth[found["b"]].to_numpy() - truth[found["a"]].to_numpy())


def row(name, size, worlds, least):
    marks = [pytest.mark.long] * (worlds >= 200)
    return pytest.param(CALLS[name], size, worlds, least, id=f"{name} {size} {worlds}", marks=marks)


@pytest.mark.parametrize(("call", "size", "worlds", "least"), [row(*each) for each in COUNTED])
def test_default_intervals_of_contrasts_hold(call, size, worlds, least, tmp_path, monkeypatch, seed, record_property):
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(seed)
    shares = [share(*fitted(call, rng, size)) for _ in range(worlds)]
    says = f"{np.mean(shares):.1%} ± {np.std(shares) / np.sqrt(worlds):.1%} of contrasts hold, in {worlds} worlds"
    print(says)
    record_property("coverage", says)
    assert np.mean(shares) >= least, says


# --- a test with sliders

COLUMNS = {"item": "Stück", "rater": "Hörer ", "rating": "Urteil"}
SETTINGS = {**COLUMNS, "scale": (0, 100), "missing": -1, "repeats": "mean"}


@pytest.fixture
def sliders(tmp_path, seed):
    """How pandas reads the file of a listening test with sliders, with what settings it is given."""
    strangers.file_of_sliders(tmp_path / "Hörtest.csv", np.random.default_rng(seed))
    return lambda **settings: pd.read_csv(tmp_path / "Hörtest.csv", dtype={"Stück": str}, **settings)


def test_each_message_leads_a_file_of_sliders_to_the_next_step(sliders):
    words, frame = sliders(sep=";"), sliders(sep=";", decimal=",")
    steps = [
        (words, {"rater": "Hörer"}, r"rater is 'Hörer', which is no column.*did you mean 'Hörer '"),
        (words, {}, r"column 'Urteil' holds text: '.*' in row 0.*decimal=\",\""),
        (frame, {"missing": None}, r"column 'Urteil' is -1 in row \d+, off the scale.*missing=-1"),
        (frame, {"repeats": None}, r"column 'Hörer ': 'P6' rated 'Stück' = '0012' 2 times.*repeats='mean'"),
    ]
    for given, changed, says in steps:
        with pytest.raises(ValueError, match=says):
            from_long(given, **{**SETTINGS, **changed})
    table = from_long(frame, **SETTINGS)
    assert list(table.items) == [f"{k + 1:04d}" for k in range(12)] and list(table.raters[:3]) == ["Zoë", "Bo", "Ida"]
    assert "117 ratings 'Urteil' of 12 items 'Stück' by 10 raters 'Hörer ', 3 missing" in repr(table)


def test_who_says_always_the_same_turns_the_scale_or_hardly_uses_it_is_seen_before_any_model(sliders):
    look = from_long(sliders(sep=";", decimal=","), **SETTINGS).overview()
    assert look.index[look["commonest"] == 1].tolist() == ["Zoë"]
    assert look.index[look["with_others"] < 0].tolist() == ["Bo"]
    assert look["spread"].drop("Zoë").idxmin() == "Ida"


def test_the_repaired_sliders_agree_with_two_way_least_squares(sliders):
    frame = sliders(sep=";", decimal=",").query("`Hörer ` not in ('Zoë', 'Ida') and Urteil != -1")
    mine = from_long(
        frame.assign(Urteil=frame["Urteil"].where(frame["Hörer "] != "Bo", 100 - frame["Urteil"])), **SETTINGS
    )
    found = eval(CALLS["lecture, 8"], {**vars(judgments), **vars(course_studies), "mine": mine}).contrasts()
    design = np.hstack([np.eye(12)[mine.item], np.eye(8)[mine.rater]])
    value = np.linalg.lstsq(design, mine.rating)[0]
    half = 1.645 * np.sqrt(2 / 8 * np.sum((mine.rating - design @ value) ** 2) / (len(mine) - 12 - 8 + 1))
    a, b = mine.items.get_indexer(found["a"]), mine.items.get_indexer(found["b"])
    np.testing.assert_allclose(found["difference"], value[b] - value[a], atol=2 * half)
    assert 0.8 < (found["high"] - found["low"]).mean() / (2 * half) < 1.5


def test_a_rater_who_takes_over_the_consensus_is_told(seed):
    frame, _ = strangers.panel(np.random.default_rng(seed), 12, 6)
    shy = frame["listener"] == "P6"
    frame.loc[shy, "mark"] = 60 + frame.groupby("clip")["mark"].transform("mean")[shy] / 100
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        weight = RatingStudy().fit(marks_of(frame)).trust()["weight"]
    assert weight.max() < 0.5 or any("P6" in str(warning.message) for warning in told)


# --- what is said of a file, and what is not

MARKS = [40.5, 52.0, 61.5, 70.0, 38.0, 55.5, 66.0, 72.5]
THREE = pd.DataFrame({"first": list("abc"), "second": list("bca"), "answer": [-1, 1, 1]})


def two(marks, last="d"):
    """A table of four clips, the last with this name, by two people."""
    return marks_of(pd.DataFrame({"clip": [*"abc", last] * 2, "listener": [*"AAAABBBB"], "mark": marks}))


def three(**changed):
    return from_pairs(THREE.replace(changed), "first", "second", "answer")


SILENT = {
    "-1 among decimals": (lambda: two([*MARKS[:7], -1.0]), "-1"),
    "dates for marks": (lambda: two(pd.to_datetime("2026-01-01")), "date"),
    "days as a spreadsheet counts them": (lambda: two(np.arange(46000, 46008)), "scale"),
    "a space behind a name": (lambda: two(MARKS, last="a "), "'a '"),
    "a space behind a name of a pair": (lambda: three(first={"a": "b "}), "'b '"),
    "own tastes of people without names": (lambda: PairStudy(people="own").fit(three()), "person"),
}
UNCLEAR = {
    "semicolons": (lambda sliders: from_long(sliders(), **COLUMNS), r'sep=";"'),
    "one item": (lambda _: RatingStudy(RaterGP(bias_std=3.0)).fit(two(MARKS)[[0, 4]]), "item"),
    "NumPy's name of a number": (
        lambda _: from_pairs(pd.DataFrame([[1, 2, 1], [2, 2, 1]]), 0, 1, 2),
        r"^((?!np\.).)*$",
    ),
}


@pytest.mark.filterwarnings("error::UserWarning")
@pytest.mark.parametrize(("call", "says"), SILENT.values(), ids=SILENT)
def test_what_would_go_wrong_silently_is_refused_or_warned_of(call, says):
    with pytest.raises((ValueError, UserWarning), match=says):
        call()


@pytest.mark.parametrize(("call", "says"), UNCLEAR.values(), ids=UNCLEAR)
def test_what_is_wrong_is_said_so_that_it_helps(call, says, sliders):
    with pytest.raises(ValueError, match=says):
        call(sliders)


# --- systems × utterances × workers, and A/B with ties, order and groups


def test_systems_by_utterances_come_to_plain_means_by_a_name_for_each_file(seed):
    frame = strangers.acr(np.random.default_rng(seed))
    with pytest.raises(ValueError, match=r"column 'worker': '0' rated 'system' = 'S0' 4 times.*different things"):
        from_long(frame, item="system", rater="worker", rating="acr", scale=(1, 5))
    table = from_long(frame.assign(file=frame["system"] + frame["utterance"]), "file", "worker", "acr", scale=(1, 5))
    found = RatingStudy(RaterGP(bias_std=0.5, pooling=0.5)).fit(table).consensus()
    means = [values.groupby(values.index.str[:2]).mean() for values in (found["consensus"], found["plain_mean"])]
    np.testing.assert_allclose(*(mean - mean.mean() for mean in means), atol=0.25)


def test_a_b_with_ties_of_each_group_agrees_with_an_ordered_probit_and_the_order_is_seen(seed):
    frame, words = strangers.ab(np.random.default_rng(seed)), {"sides": ("A", "B"), "tie": "no difference"}
    for given, says in (({}, r"sides=\(word for the first"), ({"sides": ("A", "B")}, "tie='no difference'")):
        with pytest.raises(ValueError, match=says):
            from_pairs(frame, "A", "B", "said", person="who", **given)
    look = from_pairs(frame, "A", "B", "said", person="who", **words).overview()
    assert look["answers"].sum() == 600 and look["first"].mean() > look["second"].mean() + 0.05
    for _, answers in frame.groupby("group"):
        table = from_pairs(answers, "A", "B", "said", person="who", **words)
        apart, said = np.diff(np.eye(5)[table.pairs], axis=1)[:, 0, 1:] / np.sqrt(2), table.answer
        both = np.append(said, -said), np.vstack([apart, -apart])  # so that the cuts are those of ties alone
        worth = np.append(0, OrderedModel(*both, distr="probit").fit(method="bfgs", disp=0).params[:4])
        np.testing.assert_allclose(PairStudy().fit(table).worth()["worth"], worth - worth.mean(), atol=0.25)


def test_a_design_is_said_in_words(seed):
    rng, words = np.random.default_rng(seed), {"sides": ("A", "B"), "tie": "no difference", "also": ["group"]}
    scores = from_long(strangers.acr(rng), ["system", "utterance"], "worker", "acr", scale=(1, 5))
    systems = RatingStudy(plug_in=True).fit(scores)
    these, new = (systems.contrasts(over=over).eval("high - low").mean() for over in ("study", "new"))
    assert these < new
    design = Design(group="group", order=True)
    answers = from_pairs(strangers.ab(rng), "A", "B", "said", person="who", **words)
    study = PairStudy(design=design, people="own", plug_in=True).fit(answers)
    assert study.contrasts(of="order")["high"].item() < 0  # A has an edge
    groups = study.contrasts([("norm", "HI")], of="group", by=str(answers.items.name))
    assert len(groups) == 5 and groups["difference"].max() > 0 > groups["difference"].min()


def test_whoever_rates_a_system_on_many_utterances_is_led_to_a_design(seed):
    with pytest.raises(ValueError, match="design="):
        from_long(strangers.acr(np.random.default_rng(seed)), item="system", rater="worker", rating="acr")
