"""Peer review of written answers: who reads whose letters, and what the readers say.

    python -m tools.homework.peers assign --homework 03 [--reviews 2] [--letters LETTER] [--into DIR]
    python -m tools.homework.peers collect --homework 03 [--from DIR] [--into DIR]

`assign` writes INTO/peers/HOMEWORK/READER/review_1.md, … for each student: a letter of somebody else, its rubric, and
below them the places to answer. Each letter goes to so many readers: none is its author, of its author's group
(term.toml), or alike (`make likeness`). Nobody is named: a file has a code, and whose it is stands in assignment.json,
which is for you alone. `collect` knows a file that came back by its code, whatever it is called, puts it into its
place, and shows mean and spread of each row under the letter's number of `make mark`; `make feedback` shows the author
what the readers wrote. It writes no marks: they are yours. Both change nothing if they are run again.
"""

import argparse
import csv
import json
import secrets
import statistics
import sys
from functools import partial
from itertools import permutations
from pathlib import Path

import numpy as np
from scipy.optimize import linear_sum_assignment

from tools.homework import handmarks, likeness
from tools.homework.letters import chosen_rubrics, read_letters
from tools.homework.release import ROOT, homework_named, homeworks
from tools.homework.reviews import (
    ASSIGNMENT,
    PEERS,
    REVIEW_CODE,
    form,
    names,
    of_letters,
    read_assignment,
    read_review,
    received,
    without,
)
from tools.homework.tables import aligned, write_table, write_whole
from tools.homework.term import TERM_FILE, read_dates

READERS, ASSIGNMENT_DRAWS = "readers.csv", 100


# --------------------------------------------------------------------------------------------------------- dealing


def pairs(authors, reviews, rng, apart=(), read=()):
    """Who reads whom: each reads `reviews` others and is read by as many, never by themselves.

    Parameters
    ----------
    authors : names
    reviews : how many each reads, at least 1 and fewer than there are authors
    rng : numpy Generator
    apart : (reader, author) that are not to be;  read : those to avoid where others will do

    Returns
    -------
    list of (reader, author)

    Raises
    ------
    ValueError
        If there are too few authors for that.
    """
    names = sorted(authors)
    n = len(names)
    if not 1 <= reviews < n:
        raise ValueError(f"reviews is {reviews}; 1 to {n - 1} are possible for {n} letters.")
    never = np.array([[one == other or (one, other) in apart for other in names] for one in names])
    again = np.array([[(one, other) in read for other in names] for one in names])
    for _ in range(ASSIGNMENT_DRAWS):
        cost, found = np.where(never, np.inf, rng.random((n, n)) + n * again), []
        try:
            for _ in range(reviews):
                who, whom = linear_sum_assignment(cost)
                cost[who, whom] = np.inf
                found += [(names[one], names[other]) for one, other in zip(who, whom, strict=True)]
        except ValueError:  # no readers are left for some letter
            continue
        return found
    raise ValueError(
        f"reviews is {reviews}; fewer are needed, since too many of {n} authors are in a group or similar."
    )


def kept_apart(into, homework, root, letters):
    """(reader, author), both ways, of a group, above the noise in likeness/, or with the same words in a letter."""
    rules, found, same = Path(into, TERM_FILE), [], {}
    if rules.is_file():
        together = read_dates(rules, homeworks(root)).groups
        found += [group.members for (_, name), group in together.items() if name == homework]
    alike = Path(into, likeness.LIKENESS_FOLDER, f"{homework}.csv")
    if alike.is_file():
        with open(alike, newline="", encoding="utf-8") as file:
            rows = [row for row in csv.DictReader(file) if row["above the noise"] not in ("", "no")]
        found += [(row["student"], row["other"]) for row in rows]
    for one in letters:
        same.setdefault(" ".join(one.text.split()), []).append(one.student)
    return {pair for members in [*found, *same.values()] for pair in permutations(members, 2)}


def assign(into, homework, reviews=2, seed=None, root=ROOT, grade_ids=()):
    """Deals the letters, unless that was done, and writes every reader's files that are not there.

    Returns
    -------
    (readers, authors of letters that came after the dealing and take no part)

    Raises
    ------
    ValueError
        If they were dealt in another way, or cannot be dealt.
    """
    place = Path(into, PEERS, homework)
    letters = read_letters(into, homework, root, grade_ids)
    asked = {"reviews": reviews, "letters": sorted(grade_ids), "seed": seed}
    if not (place / ASSIGNMENT).exists():
        dealt = asked | {"seed": secrets.randbits(32) if seed is None else seed}
        dealt["files"] = deal(letters, reviews, dealt["seed"], kept_apart(into, homework, root, letters))
        write_whole(place / ASSIGNMENT, json.dumps(dealt, indent=1))
    dealt = read_assignment(place)
    if other := [key for key, value in asked.items() if value is not None and value != dealt[key]]:
        told = ", ".join(f"{key} {dealt[key]}" for key in other)
        raise ValueError(f"{place / ASSIGNMENT} exists, with {told}; remove {place} if nobody has started.")
    known, hidden = {(one.student, one.rubric.grade_id): one for one in letters}, names(into)
    for code, (reader, author, grade_id, number) in dealt["files"].items():
        path = place / reader / f"review_{number}.md"
        if not path.exists() and (author, grade_id) in known:
            write_whole(path, form(code, known[author, grade_id], partial(without, hidden, author)))
    taken = {(author, grade_id) for _, author, grade_id, _ in dealt["files"].values()}
    return sorted({one[0] for one in dealt["files"].values()}), sorted({one[0] for one in known.keys() - taken})


def deal(letters, reviews, seed, apart):
    """{code: (reader, author, grade_id, number of the reader's file)}; the codes are drawn apart from the seed."""
    rng, found = np.random.default_rng(seed), []
    for grade_id in dict.fromkeys(one.rubric.grade_id for one in letters):
        authors = [one.student for one in letters if one.rubric.grade_id == grade_id]
        read = {(reader, author) for reader, author, _ in found}
        found += [(*pair, grade_id) for pair in pairs(authors, reviews, rng, apart, read)]
    files = {}
    for reader in sorted({one[0] for one in found}):
        own = [one for one in found if one[0] == reader]
        files |= {secrets.token_hex(4): (*one, number) for number, one in enumerate(own, start=1)}
    return files


# ------------------------------------------------------------------------------------------------------ coming back


def fetch(place, files, source, rubrics):
    """Puts what came back in a folder, and was filled in, into its place; sentences about files of which two differ.

    Parameters
    ----------
    place : Path;  files : of the assignment;  source : Path;  rubrics : {grade_id: Rubric}
    """
    found = {}
    for path in sorted(one for one in source.rglob("*") if one.suffix.lower() in (".md", ".txt")):
        text = "\n".join(path.read_bytes().decode("utf-8-sig", errors="replace").splitlines()) + "\n"
        code = REVIEW_CODE.search(text)
        if code and code[1] in files and not untouched(text, rubrics[files[code[1]][2]]):
            found.setdefault(code[1], {}).setdefault(text, path)
    for code, texts in found.items():
        reader, *_, number = files[code]
        if len(texts) > 1:
            yield f"{reader}: {', '.join(map(str, texts.values()))} differ: take all but one away"
        else:
            write_whole(place / reader / f"review_{number}.md", *texts)


def untouched(text, rubric):
    """Whether nothing was filled in."""
    try:
        return not read_review(text, rubric)
    except ValueError:
        return False


def collect(into, homework, root=ROOT, source=None):
    """What the readers suggest, after what came back in a folder was put into its place.

    Returns
    -------
    (rows (letter, number, row, reviews, mean, spread, most), sentences about files that cannot be used, rows (reader,
    files, back)); the spread is the standard deviation between readers, None for one

    Raises
    ------
    ValueError
        If nothing was dealt.
    """
    place = Path(into, PEERS, homework)
    files = read_assignment(place)["files"]
    rubrics = {rubric.grade_id: rubric for rubric in chosen_rubrics(root, homework)}
    problems = list(fetch(place, files, Path(source), rubrics)) if source else []
    reviews, unusable, _ = received(into, homework, root)
    readers = [one[0] for one in files.values()]
    back = [files[code][0] for code in reviews]
    counts = [(one, readers.count(one), back.count(one)) for one in sorted(set(readers))]
    write_table(place / READERS, [("reader", "files", "back"), *counts])
    numbers = handmarks.numbers(into, homework, sorted({author for _, author, _, _ in files.values()}))
    return suggestions(of_letters(into, homework, root), rubrics, numbers), [*problems, *unusable.values()], counts


def suggestions(found, rubrics, numbers):
    """Rows for the teacher, letter by letter, also of letters about which nobody has said anything."""
    rows = []
    for (author, grade_id), reviews in found.items():
        for k, row in enumerate(rubrics[grade_id].rows):
            points = [one.points[k] for one in reviews if one and one.points[k] is not None]
            spread = round(statistics.stdev(points), 2) if len(points) > 1 else None
            mean = round(statistics.mean(points), 2) if points else None
            rows.append((grade_id, numbers[author], k + 1, len(points), mean, spread, row.points))
    return sorted(rows, key=lambda row: row[:3])


def main(arguments=None):
    """The command; returns its exit status: 1 if a review cannot be used."""
    given = options(arguments)
    try:
        if given.action == "assign":
            known = given.reviews, given.seed, given.root, given.letters
            readers, late = assign(given.into, given.homework, *known)
            print(f"{len(readers)} readers in {given.into / PEERS / given.homework}")
            print(*[f"handed in after the assignment: {one}" for one in late], sep="\n", end="\n" * bool(late))
            return 0
        rows, problems, readers = collect(given.into, given.homework, given.root, given.source)
    except ValueError as problem:
        print(problem, file=sys.stderr)
        return 2
    print(aligned([("letter", "number", "row", "reviews", "mean", "spread", "most"), *rows]))
    missing = [f"{who} ({files - back} of {files})" for who, files, back in readers if back < files]
    print(f"not returned: {', '.join(missing) or 'none'}")
    print(*problems, sep="\n", end="\n" * bool(problems), file=sys.stderr)
    return int(bool(problems))


def options(arguments):
    """What was asked for on the command line."""
    parser = argparse.ArgumentParser(prog="python -m tools.homework.peers", description=__doc__.splitlines()[0])
    parser.add_argument("action", choices=("assign", "collect"))
    parser.add_argument("--homework", required=True, help="its number, such as 03")
    parser.add_argument("--reviews", type=int, default=2, help="letters that each student reads, of each question")
    parser.add_argument("--seed", type=int, help="of the dealing; drawn and noted if there is none")
    parser.add_argument("--letters", nargs="+", default=(), help="only these, such as letter-start")
    parser.add_argument("--from", dest="source", type=Path, help="folder with files that came back, however sorted")
    parser.add_argument("--into", type=Path, default=ROOT, help="where gradebook.db, results/ and peers/ are kept")
    parser.add_argument("--root", type=Path, default=ROOT, help="folder of the course, with solutions/")
    given = parser.parse_args(arguments)
    if given.source and not given.source.is_dir():
        parser.error(f"there is no folder {given.source}")
    try:
        given.homework = homework_named(given.root, given.homework)
    except ValueError as reason:
        parser.error(str(reason))
    return given


if __name__ == "__main__":
    sys.exit(main())
