"""Every lecture keeps the contract that makes it teachable: the same parts, checked figures, nothing hidden."""

import re

import pytest

from course_lessons import texts
from course_lib.audio.playing import IN_WORDS
from tests.lectures.reading import LECTURES, ROOT, folded, lecture, table_rows
from tests.lectures.symbols import formulas, symbols, uncovered
from tools.notebooks import clean, files, is_card, is_folded, results_path, whole
from tools.packages import PACKAGES

TAUGHT = [path for path in LECTURES if not path.name.startswith("00_")]
MIND_VERBS = {"understand", "know", "learn", "appreciate", "see", "grasp", "realise", "realize", "be", "become"}
SLIDE_TYPES = {"slide", "subslide", "fragment", "skip", "notes", "-"}
PARTS = ["Objectives", "Prerequisites", "Warm-up", "Quiz", "Summary", "References", "Homework"]
FETCHING = re.compile(r"^\s*[!%]|\burllib\b|\brequests\b|\bhttpx\b|https?://|\bpip install\b|\bwget\b|\bcurl\b", re.M)
CITATION = re.compile(r"\[([A-Z][A-Za-z]+\d{4}[a-z]?)\]")
EXPLORER = re.compile(r"\bexplore_\w+\(")
LONGEST_CELL, LONGEST_HELPER = 25, 10
ELSEWHERE = (  # said directly above the import that fails, where Python's message shows it as well
    "# No module named 'course_lib'? Type `make lab` in the course's folder; "
    "elsewhere: %pip install 'FOLDER[speech,widgets]'"
)
OPENING = 1  # the cell under the title
MOST_QUESTION_WORDS, LONGEST_OPENING = 60, 5
LARGEST = 1_500_000

MOST_WORDS, MOST_LINES, LONGEST_PARAGRAPH, MOST_NUMBERS = 2400, 180, 90, 5
TEACHER = "<details><summary>For the teacher</summary>"

every_lecture = pytest.mark.parametrize("path", LECTURES, ids=lambda path: path.stem)
taught_lecture = pytest.mark.parametrize("path", TAUGHT, ids=lambda path: path.stem)


def items(markdown):
    """Top-level items of the bulleted or numbered lists in a markdown text, with the lines that continue them."""
    visible = re.sub(r"<details>.*?</details>", "", markdown, flags=re.DOTALL)
    return re.findall(r"^(?:[-*]|\d+\.)\s+(.*(?:\n[ \t]+\S.*)*)", visible, flags=re.MULTILINE)


def bibliography():
    """The keys in lectures/references.bib."""
    return set(re.findall(r"^@\w+\{([^,]+),", (ROOT / "lectures/references.bib").read_text(), flags=re.M))


def notation():
    """(known, indices): the symbols of lecture 00's notation table, and those of its rows that are indices."""
    known, indices = set(), set()
    for first, *others in table_rows(lecture(LECTURES[0]).section("Notation").markdown):
        found = set().union(*map(symbols, formulas(first)))
        known |= found
        if others and others[0].startswith("index"):
            indices |= found
    return known, indices


def test_lectures_are_numbered_without_gaps():
    assert [path.name[:2] for path in LECTURES] == [f"{n:02d}" for n in range(len(LECTURES))]
    assert LECTURES


def test_the_map_names_what_the_prerequisites_name():
    rows = table_rows(lecture(LECTURES[0]).section("The map of the course").markdown)
    needs = {one[0][1:3]: set(re.findall(r"\b\d\d\b", one[-1])) for one in rows if re.match(r"\[\d\d\]", one[0])}
    asked = {path.name[:2]: lecture(path).section("Prerequisites").markdown for path in TAUGHT}
    named = {number: set(re.findall(r"\]\((\d\d)_\w+\.ipynb\)", text)) - {"00"} for number, text in asked.items()}
    assert {**needs, "14": named["14"]} == named  # 14 can be used before all others: its row says so


def test_the_glossary_is_in_the_order_of_the_alphabet_and_names_nothing_twice():
    terms = [first for first, *_ in table_rows(lecture(LECTURES[0]).section("Glossary").markdown)][1:]
    words = [re.findall(r"[^\W_]+", term.lower().replace("α", "alpha")) for term in terms]
    assert words == sorted(words)
    assert len(set(map(tuple, words))) == len(words)


@every_lecture
def test_one_title_with_the_number_first(path):
    title = f"# Lecture {path.name[:2]} · "
    assert lecture(path).cells[0].source.startswith(title)
    assert [level for level, _ in lecture(path).headings].count(1) == 1


@every_lecture
def test_opens_with_a_question_and_a_picture_to_play_with(path):
    title, opening = lecture(path).cells[: OPENING + 1]
    words = [line for line in title.source.splitlines() if not line.startswith(("# ", "**75 minutes**"))]
    assert len(" ".join(words).split()) <= MOST_QUESTION_WORDS
    assert "?" in title.source
    assert is_explorer(opening)
    assert len(opening.source.splitlines()) <= LONGEST_OPENING
    assert opening.metadata.slideshow.slide_type == "-"
    assert not opening.metadata.get("jupyter", {}).get("outputs_hidden")


@taught_lecture
def test_parts_stand_in_order(path):
    titles = [section.title for section in lecture(path).sections]
    assert [title for title in titles if title in PARTS] == PARTS
    numbers = [section.number for section in lecture(path).numbered]
    assert numbers == list(range(1, len(numbers) + 1))
    assert len(numbers) >= 3
    first, last = titles.index("Warm-up"), titles.index("Quiz")
    assert all(first < titles.index(section.title) < last for section in lecture(path).in_class)
    assert all(titles.index(section.title) > titles.index("Summary") for section in lecture(path).at_home)


@taught_lecture
def test_objectives_can_be_tested(path):
    objectives = items(lecture(path).section("Objectives").markdown)
    assert 3 <= len(objectives) <= 5
    verbs = {re.match(r"\W*(\w+)", objective).group(1).lower() for objective in objectives}
    assert not verbs & MIND_VERBS, f"nobody can test whether a student can {verbs & MIND_VERBS}"


@taught_lecture
def test_prerequisites_are_named(path):
    assert len(lecture(path).section("Prerequisites").markdown.split()) > 5


@taught_lecture
def test_minutes_add_up(path):
    total = int(re.search(r"\*\*(\d+) minutes\*\*", lecture(path).cells[0].source).group(1))
    minutes = {section.title: section.minutes for section in lecture(path).sections}
    assert sum(filter(None, minutes.values())) == total, minutes
    assert all("At home" in section.title for section in lecture(path).at_home), "a section in class has its minutes"


@taught_lecture
def test_warm_up_asks_three_questions(path):
    warm_up = lecture(path).section("Warm-up")
    asked = [item for item in items(warm_up.markdown) if "?" in item]
    assert len(asked) + len(re.findall(r"\bquiz\(", warm_up.code)) == 3


@every_lecture
def test_predict_and_play_before_each_explorer_and_explain_after_it(path):
    for section in lecture(path).sections:
        places = [k for k, cell in enumerate(section.cells) if is_explorer(cell)]
        edges = [0, *places, len(section.cells)]
        for k, place in enumerate(places):
            before = markdown(section.cells[edges[k] : place])
            after = markdown(section.cells[place : edges[k + 2]])
            name = f"{section.heading}: {section.cells[place].source.strip()}"
            assert "**Predict.**" in before, name
            assert "**Play.**" in before, name
            assert folded(after, "Explain"), name


def is_explorer(cell):
    return cell.cell_type == "code" and EXPLORER.search(cell.source) is not None


def markdown(cells):
    return "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")


@every_lecture
def test_every_sound_is_told_in_words(path):
    shown = [
        output.get("data", {}).get("text/html", "") for cell in lecture(path).code_cells for output in cell.outputs
    ]
    for html in filter(lambda html: "<audio" in html, shown):
        told = re.findall(rf"<audio [^>]*aria-label=[^>]*></audio><details><summary>{IN_WORDS}</summary>\W*\w", html)
        assert len(told) == html.count("<audio")


@every_lecture
def test_no_colour_is_named_that_is_not_of_the_palette(path):
    named = re.findall(r"#(..)(..)(..)\b", " ".join(re.findall(r"[\"'](#[0-9A-Fa-f]{6})[\"']", lecture(path).code)))
    assert [one for one in named if len(set(one)) > 1] == [], "a grey, or a name such as plots.BLUE"


@taught_lecture
def test_has_an_explorer_a_folded_proof_and_the_librarys_own_code(path):
    assert EXPLORER.search(lecture(path).code)
    assert folded(lecture(path).markdown, "Proof")
    assert "show_source(" in lecture(path).code


@taught_lecture
def test_an_erratum_is_shown_by_a_cell_that_computes(path):
    cells = lecture(path).cells
    starts = [k for k, cell in enumerate(cells) if re.search(r"^#{3,} ★ \S", cell.source, flags=re.M)]
    assert starts
    for start in starts:
        following = cells[start + 1 : start + 4]
        assert any(cell.cell_type == "code" and cell.outputs for cell in following), cells[start].source


@taught_lecture
def test_compares_with_what_the_paper_says(path):
    text = lecture(path).markdown + "\n" + shown(lecture(path), "text/markdown")
    headers = [cells for cells in table_rows(text) if {"the paper says", "we get"} <= {c.lower() for c in cells}]
    assert headers


def shown(one, kind):
    """Text of one kind that the code cells display, such as a table made from computed numbers."""
    outputs = [output for cell in one.code_cells for output in cell.outputs]
    return "\n\n".join(str(output.get("data", {}).get(kind, "")) for output in outputs)


@taught_lecture
def test_quiz_and_summary_are_there(path):
    assert "quiz(" in lecture(path).section("Quiz").code
    assert len(lecture(path).section("Summary").markdown.split()) > 20


@every_lecture
def test_references_are_cited_and_exist(path):
    cited = set(CITATION.findall(lecture(path).markdown))
    assert cited <= bibliography(), f"not in references.bib: {sorted(cited - bibliography())}"


def test_every_work_of_the_bibliography_is_cited():
    """By its key in a lecture or a homework, or by name and year in a docstring: `Source: Furui (1981)`."""
    notebooks = "".join(path.read_text() for path in [*LECTURES, *(ROOT / "solutions").rglob("*.ipynb")])
    modules = [path for package in PACKAGES for path in (ROOT / package).rglob("*.py")]
    library = " ".join(" ".join(path.read_text().split()) for path in modules)
    entries = re.findall(r"^@\w+\{([^,]+),(.*?)^\}", (ROOT / "lectures/references.bib").read_text(), flags=re.M | re.S)
    assert len(entries) == len(bibliography())
    uncited = []
    for key, fields in entries:
        year = re.search(r"year\s*=\s*\{?(\d+)", fields).group(1)
        family = re.search(r"author\s*=\W*(\w+)", fields).group(1)
        named = re.search(rf"\b{family}\b[^();]{{0,60}}\({year}\b", library)
        uncited += [] if f"[{key}]" in notebooks or named else [key]
    assert not uncited


@taught_lecture
def test_what_is_cited_is_listed(path):
    listed = set(CITATION.findall(lecture(path).section("References").markdown))
    others = [section.markdown for section in lecture(path).sections if section.title != "References"]
    assert listed
    assert set(CITATION.findall("\n".join(others))) <= listed


@taught_lecture
def test_homework_is_linked(path):
    links = re.findall(r"\]\((\.\./exercises/[^)]+\.ipynb)\)", lecture(path).section("Homework").markdown)
    assert links


@every_lecture
def test_links_lead_somewhere(path):
    links = re.findall(r"\]\((?!https?:|#|data:|attachment:|mailto:)([^)\s]+)\)", lecture(path).markdown)
    missing = [link for link in links if not (path.parent / link.split("#")[0]).exists()]
    assert not missing


@taught_lecture
def test_slides_begin_with_the_sections_and_carry_notes(path):
    kinds = [cell.metadata.get("slideshow", {}).get("slide_type", "-") for cell in lecture(path).cells]
    assert set(kinds) <= SLIDE_TYPES
    for section in lecture(path).in_class:
        types = [cell.metadata.get("slideshow", {}).get("slide_type", "-") for cell in section.cells]
        assert types[0] == "slide", section.heading
        assert "notes" in types, f"no speaker notes in {section.heading}"


@every_lecture
def test_nothing_is_installed_or_fetched(path):
    sources = [unwrapped(cell.source).replace(ELSEWHERE, "") for cell in lecture(path).code_cells]
    assert not list(filter(FETCHING.search, sources))


@every_lecture
def test_the_first_cell_says_what_to_type_where_the_library_is_missing(path):
    first = unwrapped(lecture(path).code_cells[0].source)
    assert re.split(r"(?m)^from course_", first, maxsplit=1)[0].endswith(ELSEWHERE + "\n")
    assert "%pip" not in "".join(cell.source for cell in lecture(path).code_cells[1:])


def unwrapped(source):
    """A cell's source with each comment on one line."""
    return source.replace("\n# ", " ")


@every_lecture
def test_no_code_cell_is_longer_than_a_screen(path):
    lengths = {cell.source: len(cell.source.strip().splitlines()) for cell in lecture(path).code_cells}
    assert not [source for source, n in lengths.items() if n > LONGEST_CELL]


@every_lecture
def test_helpers_belong_in_the_library(path):
    """Only a cell tagged `student-code` (the reader writes or changes it) may define more than a short helper."""
    cells = [c for c in lecture(path).code_cells if re.search(r"^\s*(def|class) ", c.source, flags=re.M)]
    long = [c.source for c in cells if len(c.source.strip().splitlines()) > LONGEST_HELPER]
    allowed = [c.source for c in cells if "student-code" in c.metadata.get("tags", [])]
    assert not set(long) - set(allowed)


@every_lecture
def test_every_picture_has_alt_text(path):
    assert not [link for link in re.findall(r"!\[([^\]]*)\]\(", lecture(path).markdown) if not link.strip()]
    tags = re.findall(r"<img\b[^>]*>", lecture(path).markdown + shown(lecture(path), "text/html"))
    assert not [tag[:80] for tag in tags if not re.search(r"""\balt=(["']).+?\1""", tag)]
    for cell in lecture(path).code_cells:
        for output in cell.outputs:
            for kind in {"image/png", "image/jpeg"} & set(output.get("data", {})):
                assert output.metadata.get(kind, {}).get("alt", "").strip(), cell.source


@taught_lecture
def test_a_quiz_calls_the_right_answer_right(path):
    for one in texts(path.stem[3:])["quiz"].values():
        assert [answer for answer, reply in one["answers"].items() if re.match("Right|Yes", reply)] == [one["correct"]]


@every_lecture
def test_committed_as_make_run_leaves_it(path):
    """Executed, with results of folded cells beside it; no error, no warning, no widget state, no passing metadata."""
    run = [cell for cell in lecture(path).code_cells if cell.source.strip()]
    assert [cell.execution_count for cell in run] == list(range(1, len(run) + 1)), "run it with: make run"
    outputs = [output for cell in run for output in cell.outputs]
    assert not [output.ename for output in outputs if output.output_type == "error"]
    assert not [output.text for output in outputs if output.get("name") == "stderr"]
    assert "widgets" not in lecture(path).notebook.metadata
    there = {one: one.read_text(encoding="utf-8") for one in (path, results_path(path)) if one.exists()}
    assert files(clean(whole(path)), path) == there, "run it with: make run"


@every_lecture
def test_fits_a_code_hosts_page(path):
    assert path.stat().st_size < LARGEST


@every_lecture
def test_every_symbol_is_in_the_notation_table(path):
    known, indices = notation()
    written = formulas(lecture(path).markdown + shown(lecture(path), "text/markdown"))
    missing = {tex: found for tex in written if (found := uncovered(tex, known, indices))}
    assert not missing, "explain these in lecture 00's notation table, or write them as it does"


# --- what is folded; and what lectures keep from 12 on ----------------------------------------------


def is_predicted(cells, k):
    """Whether code cell k answers what the text above it asks to be predicted, or to be worked out."""
    above = [cell for cell in cells[:k] if "notes" not in str(cell.metadata.get("slideshow"))]
    asked = (
        bool(above) and above[-1].cell_type == "markdown" and re.search(r"\*\*(Predict|Your turn)", above[-1].source)
    )
    return bool(asked) and not any(map(is_card, cells[k].outputs))


@taught_lecture
def test_what_is_predicted_is_folded_until_it_is_run(path):
    cells = lecture(path).cells
    answering = [
        k for k, cell in enumerate(cells) if cell.cell_type == "code" and cell.outputs and is_predicted(cells, k)
    ]
    assert answering
    assert not [cells[k].source for k in answering if not is_folded(cells[k])]


@taught_lecture
def test_speaker_notes_are_folded(path):
    notes = [cell for cell in lecture(path).cells if cell.metadata.get("slideshow", {}).get("slide_type") == "notes"]
    assert not [cell.source for cell in notes if not cell.source.startswith(TEACHER)]


def test_no_other_computers_verdict_is_read_as_ones_own():
    (check,) = [cell for cell in lecture(LECTURES[0]).code_cells if "check_computer" in cell.source]
    assert is_folded(check)


def test_what_is_looked_up_stands_behind_what_is_read():
    titles = [section.title for section in lecture(LECTURES[0]).sections]
    assert titles[-3:] == ["Notation", "Glossary", "References"]
    assert titles.index("How to study") < titles.index("Notation")


@taught_lecture
def test_the_student_writes_in_two_places_or_three(path):
    written = [c for c in lecture(path).code_cells if re.search(r"^my_\w+(, my_\w+)* = .*None", c.source, flags=re.M)]
    assert 2 <= len(written) <= 3
    assert all("student-code" in cell.metadata.get("tags", []) for cell in written)


@taught_lecture
def test_the_thread_is_short(path):
    """What is read in class, outside of folds and formulas: words, and lines of code."""
    in_class = lecture(path).cells[: lecture(path).cells.index(lecture(path).section("Summary").cells[-1]) + 1]
    words = sum(len(prose(cell.source).split()) for cell in in_class if cell.cell_type == "markdown")
    lines = sum(
        len(cell.source.strip().splitlines())
        for cell in in_class
        if cell.cell_type == "code" and not cell.metadata.get("jupyter", {}).get("source_hidden")
    )
    said = "%s has %d %s too many in class: shorten, or move some to a section at home"
    assert words <= MOST_WORDS, said % (path.stem, words - MOST_WORDS, "words")
    assert lines <= MOST_LINES, said % (path.stem, lines - MOST_LINES, "lines of code")


@every_lecture
def test_source_that_is_asked_for_is_shown(path):
    """A notebook shows a value only if it is the last expression of its cell."""
    asking = [cell for cell in lecture(path).code_cells if re.search(r"^show_source\(", cell.source, flags=re.M)]
    assert not [cell.source for cell in asking if not cell.source.strip().splitlines()[-1].startswith("show_source(")]


@every_lecture
def test_paragraphs_are_short_and_have_few_numbers(path):
    for cell in lecture(path).markdown_cells:
        for paragraph in re.split(r"\n\s*\n", prose(cell.source)):
            if paragraph.lstrip().startswith(("|", "-", "1.", "#", "*")):
                continue
            assert len(paragraph.split()) <= LONGEST_PARAGRAPH, paragraph
            numbers = re.findall(r"(?<![\w.§])\d+(?:\.\d+)?(?![\w.])", re.sub(r"\$[^$]*\$|\[[^\]]*\]", "", paragraph))
            assert len(numbers) <= MOST_NUMBERS, paragraph


def prose(markdown):
    """The text without what is folded, and without displayed formulas."""
    markdown = re.sub(r"<details>.*?</details>", "", markdown, flags=re.DOTALL)
    return re.sub(r"\$\$.*?\$\$", "", markdown, flags=re.DOTALL)
