"""The files of a peer review: what a reader gets of a letter, without names, and what comes back in it."""

import re
import unicodedata
from dataclasses import dataclass
from pathlib import Path

from tools.homework.attempts import read_table
from tools.homework.collect import COLLECTED_FOLDER, COLLECTED_TABLE
from tools.homework.letters import chosen_rubrics
from tools.homework.tables import read_json

PEERS, ASSIGNMENT = "peers", "assignment.json"
TAG = re.compile(r"<(?=[A-Za-z/!?])")
REVIEW_CODE = re.compile(r"^# Peer review ([0-9a-f]{8})\b", re.MULTILINE)
BELOW = "## Your review"
ANSWER_LINE = re.compile(r"^(?:Row (\d+):.*|Comment:)", re.MULTILINE)
POINTS_LINE = re.compile(r"\s*Points \(.*?\):[ \t]*(\S*)(.*)", re.DOTALL)
ANSWER_FORM = """{below}

Write behind each colon below, leave the other words as they are, and hand this file in. The author reads it, and does
not learn who you are. Points are all, half or none of a row; say what is missing where it is not all.
"""


@dataclass(frozen=True)
class Review:
    """What a reader said of a letter: points of each row, None where nothing is written, and words."""

    points: tuple
    words: str

    def __bool__(self):
        return bool(self.words) or any(one is not None for one in self.points)


def form(code, letter, hide):
    """A letter with its rubric and the places to answer, as markdown in which no tag of the author's is one.

    `hide` takes names out of a text.
    """
    own = [f"    {line}" for cell in letter.own for line in ["", *hide(cell.source).splitlines()]]
    parts = [f"# Peer review {code}", f"## {letter.rubric.title}", letter.rubric.question, "---", "## The answer"]
    parts += [TAG.sub("&lt;", hide(letter.text))]
    parts += ["Cells of the author's own around it:", "\n".join(own)] if own else []
    rows = enumerate(letter.rubric.rows, start=1)
    parts += [
        "---",
        ANSWER_FORM.format(below=BELOW),
        *(f"Row {k}: {r.what}\nPoints (0 to {r.points:g}):" for k, r in rows),
    ]
    return "\n\n".join([*parts, "Comment:"]) + "\n"


def names(into):
    """({student: their names, word by word}, what names anybody: folders, whole names, addresses), as texts."""
    words, whole = {}, set()
    for row in read_table(Path(into, COLLECTED_FOLDER, COLLECTED_TABLE)):
        words.setdefault(row.student, set()).update(one for one in re.findall(r"[^\W\d_]+", row.name) if len(one) > 1)
        whole |= {row.student, row.name.strip(), row.mail, row.mail.partition("@")[0]}
    return words, whole


def without(hidden, student, text):
    """A text in which a student is not named, nor anybody whole; a short number is not a name."""
    words, whole = hidden
    telling = {one for one in {student, *whole} if len(one) > (4 if one.isdigit() else 2)}
    text = unicodedata.normalize("NFC", text)
    for found, flags in ((telling, re.IGNORECASE), (words.get(student, ()), 0)):
        if found:
            ordered = sorted((unicodedata.normalize("NFC", one) for one in found), key=len, reverse=True)
            text = re.sub(rf"(?<!\w)(?:{'|'.join(map(re.escape, ordered))})(?!\w)", "[…]", text, flags=flags)
    return text


def read_review(text, rubric):
    """The Review in a file that came back.

    Raises
    ------
    ValueError
        If a row is missing, or its points are not 0 to the most.
    """
    _, marked, below = text.rpartition(BELOW)
    _, *parts = ANSWER_LINE.split(below)
    found = list(zip(parts[::2], parts[1::2], strict=True))
    rows, wanted = (
        [(k, POINTS_LINE.match(said)) for k, said in found if k],
        [str(k + 1) for k in range(len(rubric.rows))],
    )
    if not marked or [number for number, _ in rows] != wanted or None in [match for _, match in rows]:
        raise ValueError(f"the rows 1 to {len(wanted)} and their points are needed, as handed out")
    points = [_points(match[1], row.points, number) for row, (number, match) in zip(rubric.rows, rows, strict=True)]
    words = [(f"Row {number}: ", match[2].strip()) for number, match in rows]
    words += [("", said.strip()) for number, said in found if not number]
    return Review(tuple(points), "\n\n".join(head + said for head, said in words if said))


def _points(text, most, number):
    if not text:
        return None
    try:
        got = float(text.replace(",", "."))
    except ValueError:
        got = float("nan")
    if not 0 <= got <= most:
        raise ValueError(f"row {number}: {text} is not in 0 to {most:g}")
    return got


def read_assignment(place):
    """What assignment.json holds.

    Raises
    ------
    ValueError
        If nothing was dealt, or by an earlier version, which gave out tables.
    """
    if not (place / ASSIGNMENT).is_file():
        raise ValueError(f"{place / ASSIGNMENT} does not exist; assign the letters first.")
    found = read_json(place / ASSIGNMENT, dict, f"A copy of it is needed; without one remove {place} to deal anew.")
    if "files" not in found:
        raise ValueError(f"{place / ASSIGNMENT} is from an earlier version; remove {place} to assign again.")
    return found


def received(into, homework, root):
    """What came back, if files were dealt; a file that nobody has filled in says nothing.

    Returns
    -------
    ({code: Review}, {code: why it cannot be used}, the files of the assignment)
    """
    place, found, problems = Path(into, PEERS, homework), {}, {}
    try:
        files = read_assignment(place)["files"]
    except ValueError:  # nothing was dealt, or tables
        files = {}
    rubrics = {rubric.grade_id: rubric for rubric in chosen_rubrics(root, homework)} if files else {}
    hidden = names(into) if files else None
    for code, (reader, _, grade_id, number) in files.items():
        try:
            text = (place / reader / f"review_{number}.md").read_text(encoding="utf-8")
            review = read_review(text, rubrics[grade_id])
        except FileNotFoundError:
            continue
        except (ValueError, KeyError) as problem:
            problems[code] = f"{reader}, review_{number}.md: {problem}"
        else:
            found |= {code: Review(review.points, without(hidden, reader, review.words))} if review else {}
    return found, problems, files


def of_letters(into, homework, root):
    """{(author, grade_id): a Review, or None if there is none yet, of each reader}, in the order of the codes."""
    reviews, _, files = received(into, homework, root)
    found = {}
    for code, (_, author, grade_id, _) in sorted(files.items()):
        found.setdefault((author, grade_id), []).append(reviews.get(code))
    return found
