"""What a class answered becomes a panel, or a sentence in the table's words says why not."""

from textwrap import wrap

import numpy as np
import pytest

from course_lib import datasets
from course_lib.judgments import MultiSampleGP, PreferenceGP
from course_studies import PairStudy, RatingStudy, load_panel
from course_studies.class_panel import NOT_READ
from course_studies.class_tables import TWO_NUMBERS
from tests.course_studies.made_classes import (
    ITEMS,
    code,
    listener,
    marks_of,
    with_check,
    write_form,
    write_listeners,
)


def as_sorted(Y):
    """Columns in an order of their own: people have none."""
    return Y[:, np.lexsort(np.nan_to_num(Y, nan=-1.0))]


def test_without_a_class_carrots_stand_in():
    panel, carrots = load_panel(), datasets.load_carrots()
    assert panel.source.startswith("Nobody of this class has answered yet") and "derived from the" in panel.source
    np.testing.assert_array_equal(as_sorted(panel.Y), as_sorted(carrots.Y[:, :24]))
    gap = panel.Y[panel.pairs[:, 1], panel.who] - panel.Y[panel.pairs[:, 0], panel.who]
    np.testing.assert_array_equal(np.sign(gap), panel.answers)
    assert np.ptp(np.bincount(panel.pairs.ravel())) < 20 and panel.scale == (1, 7)


FORMS = {
    "as it should be": {},
    "of a spreadsheet": {"mark": ";", "decimal": ",", "coding": "utf-8-sig"},
    "of an old spreadsheet": {"mark": ";", "coding": "cp1252", "before": [("Gefällt's?", ["ja"] * 9)]},
    "in UTF-16 with tabs": {"mark": "\t", "coding": "utf-16"},
    "in UTF-16 of either order, without the mark that says which": {"coding": "utf-16-le"},
    "in the other order": {"coding": "utf-16-be", "before": [("Äpfel?", ["ja"] * 9)]},
    "with a line for spreadsheets": {"head": "{}", "mark": ";", "first": "sep=;\r\n"},
    "with names alone": {"head": "{}"},
    "with a question round them": {"head": "Frage: {} – Punkte"},
    "with words for nothing": {"empty": "Prefer not to say"},
    "with times and addresses": {
        "before": [("Timestamp", ["1/12/2026 10:15"] * 9), ("Email Address", [f"p{k}@x.org" for k in range(9)])]
    },
}


@pytest.mark.parametrize("form", FORMS)
def test_exports_of_forms_are_read_as_they_come(form, tmp_path):
    marks = marks_of(9, missing=0.3)
    marks[4] = np.nan
    marks[0, 0] = 62.5
    panel = load_panel(write_form(tmp_path, marks, **{"before": [("Nr.", range(9))]} | FORMS[form]))
    np.testing.assert_array_equal(as_sorted(panel.Y), as_sorted(np.delete(marks, 4, axis=0).T))
    assert panel.people == [f"person {k}" for k in range(1, 9)] and panel.features == ["bass", "treble"]
    assert panel.refused == {"answers.csv, row 6": "gave no mark"} and "1 files, rows, cells or items" in panel.source


def test_people_have_names_only_if_the_teacher_asks(tmp_path):
    who = [("Your name", ["Ann", "Ben", "Ann"]), ("E-mail", ["a@x.org", "b@x.org", "c@x.org"])]
    write_form(tmp_path, marks_of(3), before=who)
    named = load_panel(tmp_path, names=True).people
    assert sorted(named) == ["Ann (answers.csv, row 2)", "Ann (answers.csv, row 4)", "Ben"]
    assert "Ann" not in str(vars(load_panel(tmp_path)))


def test_who_answered_twice_counts_once(tmp_path):
    panel = load_panel(write_form(tmp_path, marks_of(3), before=[("E-mail", ["a@x.org", "b@x.org", "A@x.org"])]))
    assert len(panel.people) == 2 and panel.refused == {"answers.csv, row 2": "answered again in row 4"}


def test_a_form_may_ask_for_choices(tmp_path):
    panel = load_panel(ITEMS.parent)
    assert "derived" not in panel.source and len(panel.people) == 2
    chosen = [(panel.items[a], panel.items[b], side) for (a, b), side in zip(panel.pairs, panel.answers, strict=True)]
    assert sorted(chosen) == [
        ("as it is", "bass +8", 0.0), ("as it is", "bass +8", 1.0), ("dark", "bright", -1.0), ("dark", "bright", 1.0)
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("[dark],", "[dim],", "no column for the item 'dark' of items.csv, among 11 columns"),
        ("[dark],", "[bright],", "the columns .* for the item 'bright'|no column for the item 'dark'"),
        (",60,75,", ",60,75,75,", "row 2, has 12 cells, and there are 11 columns: is there a ','"),
    ],
)
def test_what_is_wrong_with_a_form_is_said_in_its_words(old, new, said, tmp_path):
    text = (ITEMS.parent / "answers.csv").read_text(encoding="utf-8")
    (tmp_path / "items.csv").write_bytes(ITEMS.read_bytes())
    (tmp_path / "answers.csv").write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(ValueError, match=said):
        load_panel(tmp_path)


FORM = "How do you like it? [{}]".format


@pytest.mark.parametrize(
    ("old", "new", "column", "reason"),
    [
        (",60,", ",very nice,", FORM("as it is"), "no mark from 0 to 100: 'very nice'"),
        (",60,", ",160,", FORM("as it is"), "no mark from 0 to 100: '160'"),
        (",60,", ",1 or 2,", FORM("as it is"), "no mark from 0 to 100: '1 or 2'"),
        (",60,", ',"1,234.5",', FORM("as it is"), "no mark from 0 to 100: '1,234.5'"),
        (",60,", ',"1,000",', FORM("as it is"), f"{TWO_NUMBERS}: '1,000'"),
        (",35,bass", ",8 :),bass", FORM("bright"), "no mark from 0 to 100: '8 :)'"),
        (",60,", f",{'x' * 99},", FORM("as it is"), f"no mark from 0 to 100: '{'x' * 59}…'"),
        (
            "the same,",
            "Björk,",
            "Which do you like better? [as it is | bass +8]",
            "neither 'as it is' nor 'bass +8' nor 'the same': 'Björk'",
        ),
    ],
)
def test_a_cell_that_is_no_answer_is_refused_and_the_others_are_used(old, new, column, reason, tmp_path):
    text = (ITEMS.parent / "answers.csv").read_text(encoding="utf-8")
    (tmp_path / "items.csv").write_bytes(ITEMS.read_bytes())
    (tmp_path / "answers.csv").write_text(text.replace(old, new), encoding="utf-8")
    panel, whole = load_panel(tmp_path), load_panel(ITEMS.parent)
    (place,) = panel.refused
    assert place.startswith("answers.csv, row ") and place.endswith(f"column {column!r}")
    assert panel.refused[place] == reason
    assert len(panel.marks) + len(panel.choices) == len(whole.marks) + len(whole.choices) - 1


QUALTRICS = """Mail,{0},{1}
E-mail,How do you like it? [dark],How do you like it? [bright]
"{{""ImportId"":""_recordId""}}","{{""ImportId"":""QID1""}}","{{""ImportId"":""QID2""}}"
"""
TWO = "item,low,high\ndark,1,7\nbright,1,7\n"  # items.csv
PLAIN = "item\ndark\nbright\n"
ANN = "Email,dark,bright\nann@x.org,3,5\n"


def folder_of(folder, items, form):
    (folder / "items.csv").write_text(items)
    (folder / "a.csv").write_text(form)
    return folder


@pytest.mark.parametrize(
    ("items", "form", "marks", "refused"),
    [
        (TWO, "dark,bright\n3,5\n4\n", [(3, 5)], {"a.csv, row 3": "cut off, it has 1 cells and the first line 2"}),
        (TWO, "dark,bright,\n3,5\n4,2,\n", [(3, 5), (4, 2)], {}),
        (TWO, "dark,bright\n3,5,\n4,2,\n", [(3, 5), (4, 2)], {}),
        (TWO, '"sep=;"\r\nI agree, freely, in all;dark;bright\r\nyes;3;5\r\n', [(3, 5)], {}),
        ("Item,Low,HIGH\ndark,0,20\nbright,0,20\n", "dark,bright\n12,15\n", [(12, 15)], {}),
        (TWO, "[dark],[bright],How dark is your room?\n3,5,1\n", [(3, 5)], {}),
        (TWO, "Q01_dark,Q02_bright\n3,5\n", [(3, 5)], {}),
        (TWO, "dark,bright\nVery much (7),5 stars\n'5,7 - good\n", [(5, 7), (7, 5)], {}),
        (TWO, "dark,bright\n3,5\n4,Don’t know\n6,Keine Antwort\n", [(3, 5), (4, None), (6, None)], {}),
        (TWO, "Email,Owner,dark,bright\na@x,t@x,3,5\nb@x,t@x,4,5\nc@x,t@x,1,5\n", [(1, 5), (3, 5), (4, 5)], {}),
        (TWO, "UserLanguage,dark,bright\nEN,3,5\nEN,4,5\n", [(3, 5), (4, 5)], {}),
        (TWO, "Owner,dark,bright\nt@x,3,5\nt@x,4,5\nt@x,1,5\n", [(1, 5), (3, 5), (4, 5)], {}),
        (TWO, f"{ANN}Ann <ANN@x.org>,1,2\n", [(1, 2)], {"a.csv, row 2": "answered again in row 3"}),
        (TWO, f"{ANN}ben@x.org,4,5\nann@x.org,,\n", [(3, 5), (4, 5)], {"a.csv, row 4": "gave no mark"}),
        (
            TWO,
            "User name,dark,bright\nann,3,5\nben,4,5\nann,1,2\n",
            [(1, 2), (4, 5)],
            {"a.csv, row 2": "answered again in row 4"},
        ),
        (
            TWO,
            "Time,Mail,dark,bright\n2/12/2026 9:00,a@x,6,6\n30/11/2026 9:00,a@x,1,2\n",
            [(6, 6)],
            {"a.csv, row 3": "answered again in row 2"},
        ),
        (TWO, "Name,dark,bright\nann,3,5\nAverage,3,5\n", [(3, 5)], {"a.csv, row 3": "a summary, no person"}),
        (TWO, QUALTRICS.format("Q1", "Q2") + "a@x,3,5\nb@x,,\n", [(3, 5)], {"a.csv, row 5": "gave no mark"}),
        (TWO, QUALTRICS.format("bright", "dark") + "a@x,3,5\n", [(5, 3)], {}),
        (TWO, "dark,bright\n5.000,\"3,125\"\n", [(5, 3.125)], {}),
        ("item\nv1\nv1.1\n", "v1,v1.1\n30,50\n", [(30, 50)], {}),
    ],
)  # fmt: skip
def test_forms_as_they_are_cut_renamed_or_answered_twice(items, form, marks, refused, tmp_path):
    panel = load_panel(folder_of(tmp_path, items, form))
    assert panel.items == [line.split(",")[0] for line in items.splitlines()[1:]]
    np.testing.assert_array_equal(as_sorted(panel.Y), as_sorted(np.array(marks, dtype=float).T))
    assert panel.refused == refused


def test_names_of_items_are_answers_before_words_for_none_and_same(tmp_path):
    form = (
        "[bass],[both],[none],Which? [bass | both],Which? [both | none],Which? [bass | none]\n3,5,4,both,none,Same;\n"
    )
    panel = load_panel(folder_of(tmp_path, "item\nbass\nboth\nnone\n", form.replace("3,5,4", "30,50,40")))
    assert panel.pairs.tolist() == [[0, 1], [1, 2], [0, 2]] and panel.answers.tolist() == [1, 1, 0]


@pytest.mark.parametrize(
    ("items", "form", "said"),
    [
        (TWO, 'dark,bright,comment\n3,5,ok\n4,6,"fine\n2,2,x\n', "a.csv, row 3: a quotation mark stays open"),
        (TWO, 'dark,bright,comment\n3,5,ok\n4,6,"fine\n2,2,"x"\n', "a.csv, row 3: a quotation mark stays open"),
        (TWO, f"dark,bright\n3,{'5' * 140_000}\n", "a.csv, row 2: .*a cell has no end"),
        (TWO, "dark,bright,dark.1\n3,5,4\n", "the columns 'dark', 'dark.1' for the item 'dark'"),
        (
            TWO,
            f"dark,bright{',Which? [dark | bright]' * 2}\n3,5,dark,dark\n",
            r"a.csv has 2 columns 'Which\? \[dark \| bright\]'; leave out all but one",
        ),
        (
            TWO.replace("7", "2000"),
            'dark,bright\n"1,500",1.500\n30,40\n',
            f"2 of 4 answers .* 'dark', is {TWO_NUMBERS}",
        ),
        (PLAIN, "dark,bright\n12,15\n14,20\n", "the largest mark is 20, on a scale from 0 to 100.*low and high"),
        (PLAIN, "dark,bright\n2,5\n4,77\n6,7\n", "mark, but for 77 in a.csv, row 3, is 7, on .*low and high"),
        (TWO, "[dark],How bright is it?\n3,5\n", "no column for the item 'bright'"),
        (TWO, "Seconds [dark],dark,bright\n3,4,5\n", r"the columns 'Seconds \[dark\]', 'dark' for the item 'dark'"),
        (TWO, "dark,bright\nI am Ann,nice\n3,5\n", "2 of 4 answers .* first, a.csv, row 2, column 'dark', is no mark"),
        (
            TWO.replace("low", "f").replace("dark,1", "dark,inf"),
            "dark,bright\n3,5\n",
            "row 2, column 'f': 'inf' is no",
        ),
        (TWO, "dark,bright\n3\n", "a.csv has no row below its first line"),
        (TWO + "loud\n", "dark,bright\n3,5\n", "items.csv, row 4, is cut off"),
    ],
)
def test_a_form_that_does_not_fit_is_refused_and_shows_nobody(items, form, said, tmp_path):
    with pytest.raises(ValueError, match=said) as error:
        load_panel(folder_of(tmp_path, items, form))
    assert "Ann" not in str(error.value) and len(str(error.value)) < 400


@pytest.mark.parametrize(
    ("form", "said"),
    [
        ("dark,bright,said\n3,5,né".encode()[:-1], "a.csv ends inside a letter: is it cut off"),
        ("dark,bright\n3,5\n".encode("utf-16")[:-1], "a.csv ends inside a letter"),
        ("dark,bright\n3,5\n".encode("utf-32-le"), "a.csv is no text in UTF-8 or UTF-16. Export it as CSV"),
    ],
)
def test_a_form_that_is_cut_inside_a_letter_or_no_text_is_refused(form, said, tmp_path):
    folder_of(tmp_path, TWO, "")
    (tmp_path / "a.csv").write_bytes(form)
    with pytest.raises(ValueError, match=said):
        load_panel(tmp_path)


@pytest.mark.parametrize("head", ["1/12/2026,ann@x.org,Ann,3,5", "item,Ann,Ben"])
def test_no_person_is_in_an_error_about_the_first_line(head, tmp_path):
    with pytest.raises(ValueError, match="no column for the item 'dark'") as error:
        load_panel(folder_of(tmp_path, TWO, f"{head}\n{head}\n"))
    assert "Ann" not in str(error.value) and "ann@" not in str(error.value)


@pytest.mark.parametrize(
    ("items", "said"),
    [
        ("item,bass\na,1\nb,much\n", "items.csv, row 3, column 'bass': 'much' is no number"),
        ("item,bass\na,1\nA ,2\n", "two or more different names are needed"),
        ("item,bass,bass\na,1,2\nb,1,2\n", "two of the columns 'item', 'bass', 'bass' have the same name"),
        ("item,bass,,\na,1,,\nb,,,\n", "items.csv, row 3, column 'bass': '' is no number"),
        ("item,bass\n", "items.csv has no row below its first line"),
        ('item,bass\na,1\nb,"1,000"\n', f"items.csv, row 3, column 'bass': '1,000' is {TWO_NUMBERS}"),
        ("item,low,high\na,1,7\nb,1,5\n", "one scale, low below high"),
        (None, "has no items.csv"),
    ],
)
def test_what_is_wrong_with_the_items_is_said(items, said, tmp_path):
    (tmp_path / "answers.csv").write_text("a,b\n1,2\n")
    if items:
        (tmp_path / "items.csv").write_text(items)
    with pytest.raises(ValueError, match=said):
        load_panel(tmp_path)


def test_marks_of_another_scale_and_two_forms_are_refused(tmp_path):
    write_form(tmp_path, np.minimum(marks_of(5), 7))
    with pytest.raises(ValueError, match=r"the largest mark is 7, on a scale from 0 to 100.*low and high"):
        load_panel(tmp_path)
    (tmp_path / "more.csv").write_text("a\n1\n")
    with pytest.raises(ValueError, match=r"answers.csv, more.csv; one CSV of a form is needed"):
        load_panel(tmp_path)


def test_two_hundred_listeners_of_whom_some_are_refused_by_name(tmp_path):
    marks = marks_of(200, missing=0.5)
    marks[17] = np.nan
    folder = write_listeners(tmp_path, marks)
    text = {k: (folder / f"{k}.json").read_text(encoding="utf-8") for k in range(1, 201)}
    (folder / "1.json").write_text(text[1][:150])
    (folder / "2.json").write_text(text[2].replace('"seconds":180', '"seconds":18'))
    (folder / "3 (1).json").write_text(text[3])
    (folder / "4.json").write_text(listener(4, marks[3], study="ffffffff"))
    (folder / "5.json").write_bytes(np.random.default_rng(0).bytes(500))
    (folder / "6 again.json").write_text(listener(6, marks[6]))
    (folder / "7.json").write_text(listener(7, marks[6], marks=[["loud", 5]], choices=[]))
    (folder / "8.json").write_text(listener(8, marks[7], marks=[["dark", 10**400]], choices=[]))
    (folder / "9.json").write_text('{"format": "course listening test", "version": 2}')
    (folder / "10.json").unlink()
    (folder / "codes.txt").write_text("\n".join([code(text[10]), "", code(text[11]), "rubbish!"]) + "\n")
    panel = load_panel(folder)
    assert panel.refused == {
        "1.json": "not a listener's file, or cut off",
        "2.json": "damaged or changed: its check does not fit",
        "3.json": "the same as 3 (1).json",
        "4.json": "of another study, ffffffff; the others are of 0b1a2c3d",
        "5.json": "not a listener's file, or cut off",
        "6 again.json": "the same listener, with other answers, as in 6.json",
        "6.json": "the same listener, with other answers, as in 6 again.json",
        "7.json": "names an item that items.csv does not: 'loud'",
        "8.json": "its answers do not have the form that the page gives them",
        "9.json": "of version 2; this course reads version 1",
        "codes.txt, line 3": "the same as 11.json",
        "codes.txt, line 4": "not a listener's file, or cut off",
    } | {f"{k}.json": "gave no mark" for k in np.flatnonzero(np.isnan(marks).all(axis=1)) + 1}
    used = [k for k in range(200) if f"{k + 1}.json" not in {*panel.refused} - {"3.json"}]
    np.testing.assert_array_equal(as_sorted(panel.Y), as_sorted(marks[used].T))
    assert panel.choices.has_ties == (0 in panel.answers) and len(panel.pairs) == sum(
        4 * ((~np.isnan(marks[k])).sum() > 1) for k in used
    )


@pytest.mark.parametrize("people", [1, 5, 200])
@pytest.mark.parametrize("missing", [0.0, 0.5])
def test_models_take_a_panel_as_it_is(people, missing, tmp_path):
    panel = load_panel(write_listeners(tmp_path, marks_of(people, missing, rng=people)))
    MultiSampleGP(nugget_std=5.0, scale=panel.scale).fit(panel.X, panel.Y)
    PreferenceGP(ties=panel.choices.has_ties).fit(panel.X, panel.pairs, panel.answers)
    if people == 5:
        assert len(RatingStudy(standardize=True, plug_in=True).fit(panel.marks).consensus()) == len(panel.items)
        assert len(PairStudy(standardize=True, plug_in=True).fit(panel.choices).worth()) == len(panel.items)


def test_a_spreadsheet_that_is_no_csv_is_not_taken_for_an_empty_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("COURSE_CLASS", str(tmp_path))
    (tmp_path / ".DS_Store").write_bytes(b"")
    assert load_panel().source.startswith("Nobody of this class has answered yet")
    (tmp_path / "answers.xlsx").write_bytes(b"PK")
    (tmp_path / "items.csv").write_bytes(ITEMS.read_bytes())
    with pytest.raises(ValueError, match=r"beside items.csv, answers.xlsx; one CSV of a form is needed"):
        load_panel()


def test_equal_marks_of_all_make_a_panel_whose_model_says_what_is_missing(tmp_path):
    panel = load_panel(write_form(tmp_path, np.full((3, 8), 50.0)))
    assert panel.pairs.shape == (0, 2)
    with pytest.raises(ValueError, match="nothing to learn from equal answers"):
        MultiSampleGP().fit(panel.X, panel.Y)


def test_a_chosen_folder_that_is_not_there_or_holds_nothing_that_is_read_is_refused(tmp_path, monkeypatch):
    monkeypatch.setenv("COURSE_CLASS", str(tmp_path / "typo"))
    with pytest.raises(ValueError, match=r"COURSE_CLASS is .*typo'; a folder that exists is needed"):
        load_panel()
    monkeypatch.setenv("COURSE_CLASS", str(tmp_path))
    (tmp_path / "answers.tsv").write_text("x")
    with pytest.raises(ValueError, match=r"has no items.csv"):
        load_panel()


def test_what_lies_beside_and_is_not_read_is_refused_by_name(tmp_path):
    write_listeners(tmp_path, marks_of(3))
    (tmp_path / "items.csv").rename(tmp_path / "Items.CSV")
    names = ["all.zip", "Ann_1/onlinetext.html", "a.docx", "no suffix", "b.json.download", "gone.json"]
    (tmp_path / "Ann_1").mkdir()
    (tmp_path / "folder.json").mkdir()
    for name in names[:-1]:
        (tmp_path / name).write_text("x")
    (tmp_path / "gone.json").symlink_to(tmp_path / "nothing")
    panel = load_panel(tmp_path)
    assert panel.refused == dict.fromkeys(names, NOT_READ) and len(panel.people) == 3


HALF, WHOLE = {"marks": [["dark", 30]], "choices": []}, {"marks": [["dark", 30], ["bright", 50]]}
WHOLE["choices"] = [["dark", "bright", "b"]]
ONE = listener(7, marks_of(1)[0], **WHOLE)
OTHER = {**WHOLE, "marks": [["dark", 31]]}


@pytest.mark.parametrize(
    ("files", "refused"),
    [
        ({"a.txt": "\n".join(wrap(code(ONE), 60)) + "\n" + code(listener(8, marks_of(1)[0]))}, {}),
        ({"a.txt": "=\r\n".join(wrap(code(ONE), 60))}, {}),
        ({"a.txt": f"Ann: {code(ONE)}"}, {}),
        ({"a.json.txt": ONE}, {}),
        ({"a.json": ONE.encode("utf-16")}, {}),
        ({"a.txt": f"{code(ONE)[:50]}\n{code(ONE)}\n"}, {"a.txt, line 1": "not a listener's file, or cut off"}),
        (
            {"a.txt": (code(ONE) + "\n") * 9000},
            {f"a.txt, line {k}": "the same as a.txt, line 1" for k in range(2, 9001)},
        ),
        ({"a.json": listener(7, marks_of(1)[0], **HALF), "b.json": ONE}, {"a.json": "a part, the whole is b.json"}),
        (
            {"a.json": listener(7, marks_of(1)[0], **OTHER), "b.json": ONE, "c.json": listener(8, marks_of(1)[0])},
            {
                "a.json": "the same listener, with other answers, as in b.json",
                "b.json": "the same listener, with other answers, as in a.json",
            },
        ),
        (
            {"a.json": ONE, "b.json": '{"format": "course listening test", "version": "Ann"}'},
            {"b.json": "of another version; this course reads version 1"},
        ),
    ],
)
def test_codes_as_mails_and_platforms_leave_them(files, refused, tmp_path):
    (tmp_path / "items.csv").write_bytes(ITEMS.read_bytes())
    for name, text in files.items():
        (tmp_path / name).write_bytes(text if isinstance(text, bytes) else text.encode())
    panel = load_panel(tmp_path)
    assert panel.refused == refused | {one: why for one, why in panel.refused.items() if one.startswith("item ")}
    used = [30, 50] if "c.json" not in files else marks_of(1)[0][[6, 7]]
    kept = panel.marks.Y.loc[["dark", "bright"]].to_numpy().T.tolist()
    assert [float(one) for one in used] in kept


def test_an_error_about_no_mark_names_no_file(tmp_path):
    (tmp_path / "items.csv").write_bytes(ITEMS.read_bytes())
    (tmp_path / "Ann.json").write_text(ONE[:-20])
    with pytest.raises(
        ValueError, match="no mark of 0 people is left; the first of 1: not a listener's file"
    ) as error:
        load_panel(tmp_path)
    assert "Ann" not in str(error.value)


def test_the_folder_may_be_named_by_the_environment(tmp_path, monkeypatch):
    monkeypatch.setenv("COURSE_CLASS", str(write_form(tmp_path / "mine", marks_of(4))))
    assert load_panel().source.startswith("This class has answered a form;\nchoices are derived")


def test_a_file_that_is_changed_and_checked_again_must_still_have_the_form(tmp_path):
    write_listeners(tmp_path, marks_of(3))
    bad = [{"marks": 3}, {"choices": [["dark", "dark", "a"]]}, {"choices": [["dark", "bright", ["a"]]]}, {"study": 1}]
    for k, one in enumerate(bad):
        (tmp_path / f"bad{k}.json").write_text(listener(50 + k, marks_of(1)[0], **one))
    (tmp_path / "bad.json").write_text(with_check({"format": "course listening test", "version": 1}))
    (tmp_path / "list.json").write_text("[1]")
    assert len(load_panel(tmp_path).people) == 3 and len(load_panel(tmp_path).refused) == 6
