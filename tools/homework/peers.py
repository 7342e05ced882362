"""Peer review of written answers: who reads whose letters, and what the readers suggest.

    python -m tools.homework.peers assign --homework 03_mixtures --reviews 2 --seed 1 [--letters LETTER] [--into DIR]
    python -m tools.homework.peers collect --homework 03_mixtures [--into DIR]

`assign` writes INTO/peers/HOMEWORK/REVIEWER/ for each student: letter_1.md, letter_2.md, … without names, and
reviews.csv to fill in. Each student gets so many letters of others for each question, and each letter gets so many
reviews. Who wrote what stands in INTO/peers/HOMEWORK/assignment.json, which is for you alone. Put the filled
reviews.csv back where they were; `collect` then shows mean and spread of each row under the letter's number of
`make mark`. It writes no marks: they are yours. Students who wrote nothing take no part.
"""

import argparse
import csv
import json
import random
import re
import statistics
import sys
from pathlib import Path

from tools.homework import handmarks
from tools.homework.letters import chosen_rubrics, read_letters
from tools.homework.release import ROOT
from tools.homework.tables import aligned, write_table, write_whole

ASSIGNMENT, REVIEWS = "assignment.json", "reviews.csv"
COLUMNS = ("letter", "row", "how it is marked", "most", "points", "comment")
TAG = re.compile(r"<(?=[A-Za-z/!?])")


def pairs(authors, reviews, rng):
    """Who reads whom: each reads `reviews` others and is read by as many, never by themselves.

    Parameters
    ----------
    authors : names
    reviews : how many each reads, at least 1 and fewer than there are authors
    rng : random.Random

    Returns
    -------
    list of (reviewer, author)

    Raises
    ------
    ValueError
        If there are too few authors.
    """
    if not 1 <= reviews < len(authors):
        raise ValueError(f"reviews is {reviews}; 1 to {len(authors) - 1} can be given to {len(authors)} letters.")
    circle = rng.sample(sorted(authors), len(authors))
    steps = rng.sample(range(1, len(circle)), reviews)
    return [(one, circle[(k + step) % len(circle)]) for k, one in enumerate(circle) for step in steps]


def assign(into, homework, reviews, seed, root=ROOT, grade_ids=()):
    """Writes what each reviewer gets, and the assignment.

    Returns
    -------
    number of reviewers

    Raises
    ------
    ValueError
        If there is an assignment already, too few letters, or nothing graded.
    """
    place = Path(into, "peers", homework)
    if (place / ASSIGNMENT).exists():
        raise ValueError(f"{place / ASSIGNMENT} exists; remove {place} if nobody has begun, to assign anew.")
    rubrics = chosen_rubrics(root, homework, grade_ids)
    letters = {(one.student, one.rubric.grade_id): one for one in read_letters(into, homework, root, grade_ids)}
    rng, given = random.Random(seed), []
    for rubric in rubrics:
        authors = [student for student, grade_id in letters if grade_id == rubric.grade_id]
        given += [(reviewer, letters[author, rubric.grade_id]) for reviewer, author in pairs(authors, reviews, rng)]
    reviewers = sorted({reviewer for reviewer, _ in given})
    known = {one: [letter for reviewer, letter in given if reviewer == one] for one in reviewers}
    for reviewer, theirs in known.items():
        write_bundle(place / reviewer, theirs)
    plan = {one: [[letter.student, letter.rubric.grade_id] for letter in theirs] for one, theirs in known.items()}
    write_whole(place / ASSIGNMENT, json.dumps({"seed": seed, "reviews": reviews, "reviewers": plan}, indent=1))
    return len(reviewers)


def write_bundle(folder, letters):
    """Writes the letters for one reviewer, and the table to fill in."""
    rows = [COLUMNS]
    for number, letter in enumerate(letters, start=1):
        write_whole(folder / f"letter_{number}.md", letter_page(number, letter))
        rubric = enumerate(letter.rubric.rows, start=1)
        rows += [(number, place, row.what, row.points, "", "") for place, row in rubric]
    write_table(folder / REVIEWS, rows)


def letter_page(number, letter):
    """A letter for its reviewer, as markdown in which no tag of the author's is one."""
    rubric = letter.rubric
    table = ["| row | how it is marked | points |", "|---|---|---|"]
    rows = ((place, row.what.replace("|", r"\|"), row.points) for place, row in enumerate(rubric.rows, start=1))
    table += [f"| {place} | {what} | {points:g} |" for place, what, points in rows]
    own = [f"    {line}" for cell in letter.own for line in ["", *cell.source.splitlines()]]
    parts = [f"# {rubric.title}", rubric.question, "\n".join(table)]
    parts += [
        f"Give it points as letter {number} of {REVIEWS}: none, half or all of each row, and a comment that helps."
    ]
    parts += ["---", TAG.sub("&lt;", letter.text)]
    return (
        "\n\n".join([*parts, *(["---\n\nCells of the author's own around it:", "\n".join(own)] if own else [])]) + "\n"
    )


def collect(into, homework, root=ROOT):
    """What the reviewers suggest. Which letter a review is of is read from the assignment, never from the review.

    Returns
    -------
    (rows (letter, number, row, reviews, mean, spread, most), sentences about reviews that cannot be used); the spread
    is the standard deviation between reviewers, None for one

    Raises
    ------
    ValueError
        If nothing was assigned.
    """
    place = Path(into, "peers", homework)
    if not (place / ASSIGNMENT).is_file():
        raise ValueError(f"{place / ASSIGNMENT} does not exist; assign the letters first.")
    plan = json.loads((place / ASSIGNMENT).read_text(encoding="utf-8"))["reviewers"]
    rubrics = {rubric.grade_id: rubric for rubric in chosen_rubrics(root, homework)}
    found, problems = {}, []
    for reviewer, theirs in plan.items():
        try:
            points = read_reviews(place / reviewer / REVIEWS, [rubrics[grade_id].rows for _, grade_id in theirs])
        except (OSError, ValueError, KeyError, csv.Error) as problem:
            problems.append(f"{reviewer}: {problem}")
            continue
        for number, (author, grade_id) in enumerate(theirs):
            for row, got in enumerate(points[number]):
                if got is not None:
                    found.setdefault((grade_id, author, row), []).append(got)
    numbers = handmarks.numbers(into, homework, sorted({author for _, author, _ in found}))
    return suggestions(found, rubrics, numbers), problems


def read_reviews(path, rubrics):
    """The points that one reviewer gave, [[points of each row] of each letter], None where nothing is filled in.

    Parameters
    ----------
    path : Path of the table
    rubrics : rows of the rubric of each letter

    Raises
    ------
    ValueError or KeyError
        If a line is not one of the table that was given out, or its points are not 0 to the most.
    """
    points = [[None] * len(rows) for rows in rubrics]
    with open(path, newline="", encoding="utf-8-sig") as file:
        for line in csv.DictReader(file):
            letter, row = int(line["letter"]) - 1, int(line["row"]) - 1
            if not (0 <= letter < len(rubrics) and 0 <= row < len(rubrics[letter])):
                raise ValueError(f"{path.name} speaks of letter {letter + 1}, row {row + 1}, which was not given out.")
            text, most = (line["points"] or "").strip().replace(",", "."), rubrics[letter][row].points
            got = float(text) if text else None
            if got is not None and not 0 <= got <= most:
                raise ValueError(f"{path.name}, letter {letter + 1}, row {row + 1}: {text} is not in 0 to {most:g}.")
            points[letter][row] = got
    return points


def suggestions(found, rubrics, numbers):
    """Rows for the teacher, letter by letter, from {(grade_id, author, row): points of all reviewers}."""
    rows = []
    for (grade_id, author, row), points in found.items():
        spread = round(statistics.stdev(points), 2) if len(points) > 1 else None
        mean, most = round(statistics.mean(points), 2), rubrics[grade_id].rows[row].points
        rows.append((grade_id, numbers[author], row + 1, len(points), mean, spread, most))
    return sorted(rows, key=lambda row: row[:3])


def main(arguments=None):
    """The command; returns its exit status: 1 if a review cannot be used."""
    parser = argparse.ArgumentParser(prog="python -m tools.homework.peers", description=__doc__.splitlines()[0])
    parser.add_argument("action", choices=("assign", "collect"))
    parser.add_argument("--homework", required=True, help="its name, such as 03_mixtures")
    parser.add_argument("--reviews", type=int, default=2, help="letters that each student reads, of each question")
    parser.add_argument("--seed", type=int, default=1, help="of the assignment")
    parser.add_argument("--letters", nargs="+", default=(), help="only these, such as letter-start")
    parser.add_argument("--into", type=Path, default=ROOT, help="where gradebook.db, results/ and peers/ are kept")
    parser.add_argument("--root", type=Path, default=ROOT, help="folder of the course, with solutions/")
    given = parser.parse_args(arguments)
    try:
        if given.action == "assign":
            count = assign(given.into, given.homework, given.reviews, given.seed, given.root, given.letters)
            print(f"{count} reviewers in {given.into / 'peers' / given.homework}")
            return 0
        rows, problems = collect(given.into, given.homework, given.root)
    except ValueError as problem:
        parser.error(str(problem))
    print(aligned([("letter", "number", "row", "reviews", "mean", "spread", "most"), *rows]))
    for problem in problems:
        print(problem, file=sys.stderr)
    return int(bool(problems))


if __name__ == "__main__":
    sys.exit(main())
