"""Tables as people have them: what is read in two ways is asked about, and names that look alike are told."""

import io
import re
import warnings

import numpy as np
import pandas as pd
import pytest

from course_lib.gp import Fixed, SquaredExponential
from course_lib.gp.fit_warnings import LargeFitWarning
from course_lib.judgments import FloatingItemsWarning, MultiSampleGP, PreferenceGP, RaterGP
from course_studies import Design, PairStudy, RatingStudy, from_long, from_pairs, from_wide
from course_studies.cautions import BeyondMarksWarning, warn_of_beyond
from course_studies.pairs import OneSideWarning

# --- names


TWINS = {
    "case": ("Anna", "anna"),
    "accent": ("M\u00fcller", "Mu\u0308ller"),
    "zero-width space": ("Anna", "An\u200bna"),
    "space": ("Anna ", "Anna"),
    "number and text": (1, "1"),
    "leading zeros": ("1", "001"),
    "full width": ("P1", "P\uff11"),
}
FOUR = ["a", "b", "c", "d"]


def pairs_of(names, **also):
    frame = pd.DataFrame({"L": names, "R": [*names[1:], names[0]], "said": [-1, 1, 1, -1], **also})
    return frame.astype({"L": object, "R": object})


def long_of_four(**columns):
    return pd.DataFrame({"clip": FOUR * 2, "who": ["A"] * 4 + ["B"] * 4, "mark": np.arange(8.0), **columns})


PLACES = {
    "raters": lambda a, b: from_long(long_of_four(who=[a] * 4 + [b] * 4), "clip", "who", "mark"),
    "items": lambda a, b: from_long(long_of_four(clip=[a, b, "y", "z"] * 2), "clip", "who", "mark"),
    "systems": lambda a, b: from_long(
        long_of_four(clip=[a, b, "y", "z"] * 2, part="u"), ["clip", "part"], "who", "mark"
    ),
    "items of pairs": lambda a, b: from_pairs(pairs_of(["x", a, "y", b]), "L", "R", "said"),
    "people": lambda a, b: from_pairs(pairs_of(FOUR, who=[a, b, a, b]), "L", "R", "said", person="who"),
    "groups": lambda a, b: RatingStudy(design=Design(group="ear")).fit(
        from_long(long_of_four(ear=pd.Series([a] * 4 + [b] * 4, dtype=object)), "clip", "who", "mark", also=["ear"])
    ),
    "the index of a wide table": lambda a, b: from_wide(pd.DataFrame({"A": [1.0, 2], "B": [2.0, 4]}, index=[a, b])),
    "the columns of a wide table": lambda a, b: from_wide(pd.DataFrame([[1.0, 2], [2, 4]], columns=[a, b])),
}


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("name", TWINS)
def test_names_that_look_alike_are_told_wherever_names_stand(place, name):
    """One person is not two because of an accent, a capital or a zero, and both names can be seen in the error."""
    with pytest.raises(ValueError, match="two names, or one") as told:
        PLACES[place](*TWINS[name])
    assert all(ascii(one) in str(told.value) for one in TWINS[name])


def test_the_cure_of_names_that_look_alike_cures():
    frame = long_of_four(who=["Ann"] * 4 + ["Ben"] * 4)
    frame.loc[1, "who"], frame.loc[6, "who"] = "ann", "ben\u200b"
    with pytest.raises(ValueError, match="and 1 more such pair") as told:
        from_long(frame, "clip", "who", "mark")
    cure = re.compile(r"If one: (.*?\))\. ")
    exec(cure.search(str(told.value))[1], {"frame": frame})
    assert list(from_long(frame, "clip", "who", "mark").raters) == ["Ann", "Ben"]
    frame = pairs_of(["a", "b", "c", "d"]).replace({"R": {"b": "B"}})
    with pytest.raises(ValueError, match="holds 'b' and 'B'") as told:
        from_pairs(frame, "L", "R", "said")
    exec(cure.search(str(told.value))[1], {"frame": frame})
    assert list(from_pairs(frame, "L", "R", "said").items) == FOUR
    PLACES["raters"]("1.1", "1.10")  # versions, for example
    PLACES["raters"]("P1", "P01")


# --- wide tables


FORM = pd.DataFrame(
    {
        "Timestamp": ["2026/03/01 9:01:22 am GMT+1", "2026/03/01 9:14:02 am GMT+1", "2026/03/02 1:20:09 pm GMT+1"],
        "participant": ["P1", "P2", "P3"],
        "Your age (years)": [24, 31, 19],
        "born": [2001, 1994, 2006],
        "clip a": [1, 2, 1],
        "clip b": [4, 5, 5],
        "clip c": [3, 3, 2],
    }
)


def test_people_as_rows_are_read_as_raters():
    with pytest.raises(ValueError, match=r"'participant', which sounds like people.*rater='participant'"):
        from_wide(FORM, item="participant")
    with pytest.raises(ValueError, match=r"the index is named 'participant'.*reset_index\(\), rater='participant'"):
        from_wide(FORM.set_index("participant"))
    with pytest.raises(ValueError, match="seem to hold no ratings") as told:
        from_wide(FORM, rater="participant")
    assert "'Timestamp' (by its name), 'Your age (years)' (by its name), 'born' (1994 … 2006 beside 1 … 5)" in str(
        told.value
    )
    items = eval(re.search(r"items=(\[.*\])", str(told.value))[1])
    table = from_wide(FORM, rater="participant", items=items, scale=(1, 5))
    pd.testing.assert_frame_equal(
        table.Y, FORM.set_index("participant")[items].T, check_names=False, check_dtype=False, check_column_type=False,
        check_index_type=False,
    )  # fmt: skip
    assert (table.items.name, table.raters.name, table.scale) == ("item", "participant", (1, 5))
    loud = pd.DataFrame({"loudness": [1.0, 2, 3]}, index=["clip c", "clip b", "clip a"])
    same = from_wide(FORM, rater="participant", items=items, features=loud)
    assert same.Y.loc["clip b", "P2"] == 5 and list(same.items) == list(loud.index)


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("Age", [20, 30, 40]),
        ("Response ID", [1, 2, 3]),
        ("Duration (in seconds)", [3, 4, 5]),
        ("StartDate", [1, 2, 3]),
        ("Unnamed: 0", [0, 1, 2]),
        ("mean", [1, 2, 3]),
        ("Geschlecht", ["f", "m", "f"]),
        ("when", pd.date_range("2026-01-01", periods=3)),
        ("when", ["1.3.2026 10:02", "1.3.2026 10:04", "2.3.2026 9:00"]),
        ("ms", [90, 140, 130]),
    ],
)
def test_columns_that_hold_no_ratings_are_refused_by_name_unless_they_are_named(name, values):
    frame = pd.DataFrame({"Ann": [1, 4, 2], "Ben": [2, 5, 1], "Di": [3, 3, 3]}, index=list("abc"))
    with pytest.raises(ValueError, match=rf"no ratings: {re.escape(repr(name))} .*raters=\['Ann', 'Ben', 'Di'\]"):
        from_wide(frame.assign(**{name: values}))
    assert len(from_wide(frame.rename(columns={"Di": name}), raters=["Ann", name])) == 6
    assert len(from_wide(frame.assign(Timur=[4, 5, 5], time_2=1))) == 15


IDS = '"{""ImportId"":""QID1""}","{""ImportId"":""QID2""}","{""ImportId"":""QID3""}"'
TWICE = "who,a,a\nx,3,5\ny,4,7\n"


@pytest.mark.parametrize(
    ("table", "said", "cure"),
    [
        (f"who,a,b\nWho?,Like a?,Like b?\n{IDS}\nx,3,5\ny,4,7\n", "rows that Qualtrics puts", {"skiprows": [1, 2]}),
        ('who,a,b\nx,"3,5",5\ny,4,7\n', r"look like those of decimals: \S+ decimal=.,.\)\.$", {"decimal": ","}),
        (
            'who,a,b\nx,"1,234.5",5\ny,9,7\n',
            r"look like those of thousands: \S+ thousands=.,.\)\.$",
            {"thousands": ","},
        ),
        ('who,a,b\nx,"1,000",5\ny,9,7\n', "look like those of decimals: .*, or of thousands: ", {"thousands": ","}),
        (TWICE, "columns 'a' and 'a.1', which pandas.read_csv makes of two columns 'a'", {"names": ["who", "a", "b"]}),
    ],
)
def test_tables_as_programs_export_them_are_refused_with_the_cure(table, said, cure):
    with pytest.raises(ValueError, match=said):
        from_wide(pd.read_csv(io.StringIO(table)), rater="who")
    read = from_wide(pd.read_csv(io.StringIO(table), header=0, **cure), rater="who")
    np.testing.assert_array_equal(read.Y.to_numpy()[1], [5, 7])


def test_columns_that_are_named_may_be_called_as_pandas_calls_the_second_of_two():
    assert len(from_wide(pd.read_csv(io.StringIO(TWICE)), rater="who", items=["a", "a.1"])) == 4


# --- choices


def of_two(names, words, tie=None):
    """Pairs of two systems in both orders, of which the second system always wins; answers are the words of sides."""
    shown = np.array([names, names[::-1]] * 4, dtype=object)
    said = np.where(shown[:, 1] == names[1], words[1], words[0])
    return pd.DataFrame({"L": shown[:, 0], "R": shown[:, 1], "said": pd.Series(said).infer_objects()})


@pytest.mark.parametrize(
    "words", [(1, 2), (0, 1), ("1", "2"), ("A", "B"), ("left", "right"), (-1, 1)], ids=lambda words: str(words)
)
def test_names_that_may_be_sides_are_asked_about(words):
    """Both readings are possible, and the sign turns between them."""
    frame = of_two(list(words), list(words))
    with pytest.raises(ValueError, match=r"column 'said' holds .* names of items.*sides='names'"):
        from_pairs(frame, "L", "R", "said")
    sides = from_pairs(frame, "L", "R", "said", sides=words)
    won = sides.pairs[np.arange(8), (sides.answer > 0).astype(int)]
    assert set(sides.items[won]) == {words[1]}
    names = from_pairs(frame, "L", "R", "said", sides="names")
    won = names.pairs[np.arange(8), (names.answer > 0).astype(int)]
    np.testing.assert_array_equal(names.items[won], frame["said"])


def test_names_that_can_be_nothing_else_are_names():
    frame = of_two(["1", "3"], ["1", "3"])
    assert len(from_pairs(frame, "L", "R", "said")) == 8
    alone = pd.DataFrame({"L": 1, "R": 2, "said": [1, 2, 2]})  # the same, whichever way it is read
    np.testing.assert_array_equal(from_pairs(alone, "L", "R", "said").answer, [-1, 1, 1])
    numbered = pd.DataFrame({"L": [0, 1, 2], "R": [1, 2, 0], "said": [-1, 1, 1]})  # no item is named -1
    np.testing.assert_array_equal(from_pairs(numbered, "L", "R", "said").answer, [-1, 1, 1])
    more = pd.DataFrame({"L": [3, 1, 2], "R": [4, 2, 1], "said": [1, 2, 1]})
    with pytest.raises(ValueError, match=r"says 1 in row 0, where 3 or 4 is needed.*sides=\("):
        from_pairs(more, "L", "R", "said")


def test_several_words_for_a_tie_and_the_error_that_asks_for_them():
    said = ["model_a", "tie", "tie (bothbad)", "model_b"]
    frame = pd.DataFrame({"L": list("pqrp"), "R": list("qrpr"), "said": said})
    words = {"sides": ("model_a", "model_b")}
    with pytest.raises(ValueError, match=r"says 'tie' in row 1, .*neither was better: tie='tie'"):
        from_pairs(frame, "L", "R", "said", **words)
    with pytest.raises(ValueError, match=r"in row 2, .*neither was better: tie=\['tie', 'tie \(bothbad\)'\]"):
        from_pairs(frame, "L", "R", "said", **words, tie="tie")
    table = from_pairs(frame, "L", "R", "said", **words, tie=["tie", "tie (bothbad)"])
    np.testing.assert_array_equal(table.answer, [-1, 0, 0, 1])
    with pytest.raises(ValueError, match="a word of its own is needed for a tie"):
        from_pairs(frame, "L", "R", "said", **words, tie=["tie", "model_b"])


def test_a_table_of_winners_has_no_order_to_learn():
    rng = np.random.default_rng(0)
    better, worse = np.sort([rng.permutation(5)[:2] for _ in range(40)], axis=1).T
    frame = pd.DataFrame({"x": better, "y": worse}).map("item {}".format).assign(said=-1)
    with pytest.warns(OneSideWarning, match="all 40 answers 'said' are for the first"):
        table = from_pairs(frame, "x", "y", "said")
    assert ", all for the first, to pairs" in repr(table)
    with pytest.raises(ValueError, match="order is True, and all answers are for the first"):
        PairStudy(design=Design(order=True)).fit(table)
    with warnings.catch_warnings():
        warnings.simplefilter("error", OneSideWarning)
        from_pairs(frame.rename(columns={"x": "Winner"}), "Winner", "y", "said")
        from_pairs(frame.iloc[:3], "x", "y", "said")


def test_pairs_of_systems_over_utterances_are_told_what_can_be_done():
    """The calls that the error names run, and each counts what differs between its people, or utterances."""
    rng = np.random.default_rng(4)
    frame = pd.DataFrame(
        {"system_a": [*"ppqqrr"] * 20, "system_b": [*"qrprpq"] * 20, "utterance": np.arange(120) // 12}
    )
    frame["who"], frame["said"] = np.arange(120) % 8, rng.choice([-1, 1], 120)
    with pytest.raises(ValueError, match=r"first is .*person= the utterances"):
        from_pairs(frame, ["system_a", "utterance"], ["system_b", "utterance"], "said")
    with pytest.raises(ValueError, match=r"over is .*no parts.*person= the utterances"):
        PairStudy(design=Design(over="utterance")).fit(from_pairs(frame, "system_a", "system_b", "said"))
    for person in ("who", "utterance"):
        table = from_pairs(frame, "system_a", "system_b", "said", person=person)
        assert len(PairStudy(people="own", plug_in=True).fit(table).contrasts()) == 3


# --- what nobody compared


def two_labs(of_pairs, features=None):
    """Answers of two labs that share no item and no person, "u v w" and "x y"."""
    rng, rows = np.random.default_rng(1), []
    for items, people in (("uvw", "ABCD"), ("xy", "EFGH")):
        for who in people:
            rows += [(a, b, who, rng.choice([-1, 1])) for a in items for b in items if a < b]
    frame = pd.DataFrame(rows, columns=["L", "R", "who", "said"]).assign(ear=lambda f: f["who"].isin([*"ABEF"]))
    if of_pairs:
        return from_pairs(frame, "L", "R", "said", person="who", features=features, also=["ear"])
    long = frame.melt(["who", "ear"], ["L", "R"], value_name="clip").drop_duplicates(["who", "clip"])
    long["mark"] = rng.normal(size=len(long))
    return from_long(long, "clip", "who", "mark", features=features, also=["ear"])


STUDIES = {
    "pairs": (PairStudy(plug_in=True), True),
    "pairs of people with tastes": (PairStudy(plug_in=True, people="own"), True),
    "pairs with a design": (PairStudy(plug_in=True, design=Design(group="ear", order=True)), True),
    "ratings": (RatingStudy(plug_in=True), False),
    "ratings by one model": (RatingStudy(MultiSampleGP(), plug_in=True), False),
    "ratings with a design": (RatingStudy(plug_in=True, design=Design(group="ear")), False),
}


@pytest.mark.parametrize("study", STUDIES)
def test_items_that_nobody_compared_are_named_whatever_the_study(study):
    study, of_pairs = STUDIES[study]
    with pytest.warns(FloatingItemsWarning) as told:
        study.fit(two_labs(of_pairs))
    (message,) = [str(one.message) for one in told if one.category is FloatingItemsWarning]
    assert re.match(r"(item|clip) 'x', 'y': never (compared|rated by)", message)


@pytest.mark.filterwarnings("error::course_lib.judgments.FloatingItemsWarning")
def test_features_may_tie_what_nobody_compared_and_raters_of_one_item_compare_nothing():
    loud = pd.DataFrame({"loudness": [0.0, 1, 2, 0, 1]}, index=list("uvwxy"))
    smooth = SquaredExponential(1.0, 1.0).with_priors(variance=Fixed(), lengthscale=Fixed())
    PairStudy(PreferenceGP(smooth), plug_in=True).fit(two_labs(True, loud))
    RatingStudy(MultiSampleGP(smooth), plug_in=True).fit(two_labs(False, loud))
    between = pd.DataFrame({"clip": list("aabb"), "who": list("ABCD"), "mark": [1.0, 2, 4, 5]})
    RatingStudy(plug_in=True).fit(from_long(between, "clip", "who", "mark"))
    loud["loudness"] += [0, 0, 0, 90, 90]
    with pytest.warns(FloatingItemsWarning, match=r"item 'x', 'y': .* and the features hardly relate them"):
        PairStudy(PreferenceGP(smooth), plug_in=True).fit(two_labs(True, loud))


# --- marks that hardly differ


def panel(marks, **settings):
    """A wide table of marks (n, R) on a scale from 1 to 5."""
    frame = pd.DataFrame(np.array(marks, dtype=float)).add_prefix("rater ").rename(index="clip {}".format)
    return from_wide(frame, scale=(1, 5), **settings)


@pytest.mark.parametrize("study", [RatingStudy(), RatingStudy(RaterGP(bias_std=1.0)), RatingStudy(response="ordinal")])
@pytest.mark.parametrize("each", [(3, 4, 5), (5, 5, 5)])
def test_raters_who_always_say_the_same_tell_nothing(study, each):
    with pytest.raises(ValueError, match="table has 3 raters, and each gave one and the same mark"):
        study.fit(panel([each] * 4))
    systems = pd.DataFrame(
        {"s": list("SSTT") * 2, "u": list("xyxy") * 2, "r": list("AAAABBBB"), "m": [2] * 4 + [4] * 4}
    )
    with pytest.raises(ValueError, match="table has 2 raters, and each gave one and the same mark"):
        RatingStudy().fit(from_long(systems, ["s", "u"], "r", "m"))


@pytest.mark.filterwarnings("error::RuntimeWarning")
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_all_marks_but_one_are_equal():
    marks = np.full((6, 8), 5.0)
    marks[2, 1] = 4
    for study in (RatingStudy(plug_in=True), RatingStudy(response="ordinal", plug_in=True)):
        found = study.fit(panel(marks)).consensus()
        assert found["consensus"].between(1, 5).all() and found["consensus"].idxmin() == "clip 2"


def test_a_consensus_beyond_all_marks_of_its_item_is_said_with_its_name():
    with pytest.warns(BeyondMarksWarning, match=r"consensus of item 'clip 0' lies beyond .*marks from 3 to 4") as told:
        warn_of_beyond(
            pd.Series({"clip 0": 2.6, "clip 1": 4.0}, name="item").rename_axis("item"),
            pd.Series({"clip 0": 3.0, "clip 1": 4.1}),
            pd.Series({"clip 0": 4.0, "clip 1": 5.0}),
            0.2,
        )
    assert len(told) == 1
    few = np.full((6, 4), 5.0)
    few[2, 1] = 4
    with pytest.warns(BeyondMarksWarning, match="marks from 5 to 5"):
        RatingStudy(response="ordinal").fit(panel(few)).consensus()


# --- names as the table has them


NUMBERED = pd.DataFrame({"clip": [1, 2, 3] * 2, "who": [7] * 3 + [8] * 3, "mark": [1.0, 2, 4, 2, 3, 5]})
AGES = NUMBERED.assign(age=[30, 31, 30, 40, 40, 40])
CHOSEN = pd.DataFrame({"L": [1, 2, 3], "R": [2, 3, 1], "said": [1, -1, 1], "who": 7})
ERRORS = {
    "repeats": lambda: from_long(pd.concat([NUMBERED, NUMBERED]), "clip", "who", "mark"),
    "a row twice": lambda: from_wide(NUMBERED, item="clip", raters=["mark"]),
    "an index twice": lambda: from_wide(NUMBERED.set_index("clip"), raters=["mark"]),
    "a person twice": lambda: from_wide(NUMBERED, rater="who", items=["mark"]),
    "two columns": lambda: from_wide(pd.DataFrame([[1.0, 2.0]], columns=[1, 1])),
    "a group that changes": lambda: RatingStudy(design=Design(covariates=["age"])).fit(
        from_long(AGES, "clip", "who", "mark", also=["age"])
    ),
    "one person": lambda: PairStudy(people="own").fit(from_pairs(CHOSEN, "L", "R", "said", person="who")),
    "an item of two kinds": lambda: from_long(AGES, "clip", "who", "mark", features=["age"]),
    "unknown features": lambda: from_long(NUMBERED, "clip", "who", "mark", features=AGES[["age"]].iloc[:1]),
    "unknown name": lambda: from_long(NUMBERED, "clip", "who", "mark").without([7, 9]),
    "unknown column": lambda: from_long(NUMBERED, "clap", "who", "mark"),
}  # fmt: skip


@pytest.mark.parametrize("error", ERRORS)
def test_errors_speak_of_names_as_the_table_has_them(error):
    with pytest.raises(ValueError, match=r"\w") as told:
        ERRORS[error]()
    assert "np." not in str(told.value) and "?." not in str(told.value)


def test_items_of_several_columns_have_features_by_all_of_them():
    frame = pd.DataFrame(
        {"system": [*"SSTT"] * 2, "text": [*"uvuv"] * 2, "who": [*"AAAABBBB"], "mark": np.arange(8.0)}
    )
    frame["kbps"] = frame["system"].map({"S": 64.0, "T": 128.0}) + (frame["text"] == "v")
    item = ["system", "text"]
    table = from_long(frame, item, "who", "mark", features=["kbps"])
    assert table.features["kbps"].to_dict() == {"S · u": 64, "S · v": 65, "T · u": 128, "T · v": 129}
    of_items = frame[[*item, "kbps"]].drop_duplicates()
    apart = from_long(frame, item, "who", "mark", features=of_items)
    pd.testing.assert_frame_equal(apart.features, table.features)
    frame.loc[0, "kbps"] = 1.0
    with pytest.raises(ValueError, match="column 'kbps' has 2 values for one item, 'system · text' = 'S · u'"):
        from_long(frame, item, "who", "mark", features=["kbps"])


# --- what takes much memory, or long


LARGE_TABLES = {
    "each person's own": (PairStudy(people="own"), 50_000, 300, 500),
    "of a design": (PairStudy(people="own", design=Design(group="group")), 50_000, 300, 500),
}


@pytest.mark.parametrize("name", LARGE_TABLES)
def test_memory_is_named_before_it_is_tried(name, monkeypatch):
    """Also where the fit then fails: warnings are not kept until it has ended."""
    study, m, n, P = LARGE_TABLES[name]
    rng = np.random.default_rng(0)
    a, who = rng.integers(0, n, m), rng.integers(0, P, m)
    frame = pd.DataFrame({"a": a, "b": (a + rng.integers(1, n, m)) % n, "who": who, "group": who % 2})
    frame["said"] = rng.choice([-1, 1], m)
    table = from_pairs(frame, "a", "b", "said", person="who", also=["group"])

    def too_large(*_):
        raise MemoryError

    monkeypatch.setattr(PairStudy, "_units_for", too_large)
    with (
        pytest.warns(
            LargeFitWarning, match=r"50000 answers of 500 people to 300 items need at least \d\d+ GB.*\"one\""
        ),
        pytest.raises(MemoryError),
    ):
        study.fit(table)


def test_a_study_says_what_its_model_says_before_it_learns(monkeypatch):
    monkeypatch.setattr("course_lib.gp.fit_warnings.LARGE_FIT_GB", 1e-12)
    monkeypatch.setattr("course_lib.gp.evidence.climb", lambda *_, **__: 1 / 0)
    with pytest.warns(LargeFitWarning, match="GB of memory"), pytest.raises(ZeroDivisionError):
        PairStudy().fit(two_labs(True))
