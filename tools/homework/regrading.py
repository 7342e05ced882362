"""What a changed homework touches: which tasks of a submission are judged again, from what, and what it changed.

Beside each result stand the answers that the student's functions gave (`answers.json`). A hint, an expected value or a
mistake that is accepted needs no more than these; only a function that is asked something else runs again. All other
tasks keep what they have.
"""

import ast
import json
import shutil
from dataclasses import asdict, fields
from functools import lru_cache

import nbformat

from course_checks.checks import Homework
from course_checks.tasks import Task
from tools.homework.autograding import Answers, Judged
from tools.homework.book import number
from tools.homework.book import task as task_of
from tools.homework.outcomes import FUNCTION, MARKS_FILE, cell_named
from tools.homework.sheets import HIDDEN, MISTAKES, TEXT_FIELDS, checks_path, digest_of, known_of, read_sheets, rounded
from tools.homework.tables import Damaged, read_json, write_whole

ANSWERS_FILE = "answers.json"
MAX_ANSWER_CHARACTERS = 2_000_000  # characters of the answers to one task that are kept
CHANGE_WORDS = {"hidden": "hidden cases changed", "cases": "cases changed"}
CHANGE_COLUMNS = ("when", "homework", "student", "task", "before", "after", "why", "counts by hand")
HANDED_IN, JUDGED, AGAIN = "handed in again", "could not be judged before", "graded again"


# ------------------------------------------------------------------------------------------------ what depends on what


def sources(folder):
    """{grade_id: {part: digest}} of all that the result of a task depends on, except for what was handed in.

    The parts are `cases` and `words` of its checks, each with the lines that it names and with what is known of it,
    and the `hidden` cases; `accepted` has the reasons themselves. Another task is no part of it.
    """
    module, known = ast.parse(checks_path(folder).read_text(encoding="utf-8")), known_of(folder)
    bound, found = {name: line for line in module.body for name in _binds(line)}, {}
    limits = [one for call in _calls(module, Homework) for one in call.keywords]
    for call in _calls(module, Task):
        name = ast.literal_eval(next(one.value for one in call.keywords if one.arg == "name"))
        found[f"{name}-check"] = _parts(name, call, limits, bound, known.get(name, {}), folder)
    return found


def _binds(line):
    """Names that a line of a module gives to something; not those that are bound inside it, as in `[x for x in y]`."""
    if isinstance(line, ast.FunctionDef | ast.ClassDef):
        return [line.name]
    names = [one for target in getattr(line, "targets", ()) for one in ast.walk(target)]
    return [one.id for one in names if isinstance(one, ast.Name)]


def _names(node):
    """Names that a node of the checks takes from its module: no arguments, and nothing that is bound inside it."""
    inside = [*ast.walk(node.value if isinstance(node, ast.Assign) else node)]
    names = [one for one in inside if isinstance(one, ast.Name)]
    own = {one.id for one in names if isinstance(one.ctx, ast.Store)}
    own |= {one.arg for one in inside if isinstance(one, ast.arg)}
    return [one.id for one in names if one.id not in own]


def _calls(module, kind):
    """The calls of a class in a homework's checks."""
    calls = [one for one in ast.walk(module) if isinstance(one, ast.Call) and isinstance(one.func, ast.Name)]
    return [one for one in calls if one.func.id == kind.__name__]


def _parts(task, call, limits, bound, known, folder):
    words = _with_lines([one for one in call.keywords if one.arg in TEXT_FIELDS], bound)
    cases = _with_lines([*limits, *(one for one in call.keywords if one.arg not in TEXT_FIELDS)], bound)
    reasons = [one.value for line in words for one in ast.walk(line) if getattr(one, "arg", None) == "accept"]
    accepted = [one.value if isinstance(one, ast.Constant) else ast.unparse(one) for one in reasons]
    bank = [path.read_bytes().hex() for path in sorted((folder / MISTAKES).glob("*.py"))] if accepted else []
    path = folder / HIDDEN / f"{task}.py"
    checks = f"course_checks.{checks_path(folder).stem}"
    hidden = ast.parse(path.read_text(encoding="utf-8") if path.is_file() else "")
    taken = [one for one in ast.walk(hidden) if isinstance(one, ast.ImportFrom) and one.module == checks]
    lines = _with_lines([ast.Name(one.name, ast.Load()) for line in taken for one in line.names], bound)
    return {
        "cases": digest_of([*map(ast.dump, cases), rounded([known.get("expected"), known.get("drawn")])]),
        "hidden": digest_of([*map(ast.dump, (hidden, *lines))]),
        "accepted": accepted,
        "words": digest_of([*map(ast.dump, words), known.get("mistakes"), bank]),
    }


def _with_lines(nodes, bound):
    """Some nodes of the checks and the lines that bind the names in them, and so on."""
    found, left = [], list(nodes)
    while left:
        found.append(left.pop(0))
        lines = dict.fromkeys(map(bound.get, _names(found[-1])))
        left += [line for line in lines if line not in (None, *found, *left)]
    return found


def touched(before, now):
    """The grade_ids for which `sources` says something else now."""
    return frozenset(name for name in {*before, *now} if before.get(name) != now.get(name))


# ------------------------------------------------------------------------------------------------------- judging again


def write_answers(folder, answers):
    """Keeps {grade_id: Answers} in a folder of results, except for those that are far too large."""
    texts = {name: json.dumps(asdict(one)) for name, one in answers.items()}
    kept = [f"{json.dumps(name)}: {text}" for name, text in texts.items() if len(text) <= MAX_ANSWER_CHARACTERS]
    write_whole(folder / ANSWERS_FILE, "{" + ",\n".join(kept) + "}\n")


def read_answers(folder):
    """{grade_id: Answers} of a folder of results; empty if none were kept, or they were cut: then all runs again."""
    path = folder / ANSWERS_FILE
    try:
        found = read_json(path, dict, "") if path.is_file() else {}
    except Damaged:
        return {}
    return {name: Answers(**one) for name, one in found.items()}


@lru_cache(maxsize=1)
def _sheets(source, key):
    """`read_sheets` of a homework, which takes seconds, once for all submissions; `key` is all that it is made of."""
    return read_sheets(source)


def kept(folder, before, touched, source, sources):
    """({grade_id: Judged} of all tasks that need not run again, their Answers).

    Parameters
    ----------
    folder : Path of the result so far;  before : contents of its marks.json
    touched : the grade_ids of which it is no longer true
    source : Path of solutions/HOMEWORK;  sources : what `sources` says of it
    """
    answers, sheets, found = read_answers(folder), _sheets(source, json.dumps(sources)), judged(before)
    for name in touched & found.keys():
        was, own, sheet = found.pop(name), answers.get(name), sheets.get(name)
        if own and sheet and not (was.problem or sheet.problem) and own.asked == sheet.asked:
            found[name] = own.judged(sheet)
    return found, {name: one for name, one in answers.items() if name in found}


def judged(marks):
    """{grade_id: Judged} of the functions in the contents of a marks.json."""
    names = {one.name for one in fields(Judged)}
    functions = [cell for cell in marks["cells"] if cell["kind"] == FUNCTION]
    return {cell["grade_id"]: Judged(**{name: cell[name] for name in names}) for cell in functions}


def renew(folder, done, before, found):
    """Makes the folder `done` of what was there, and of what is judged now, {grade_id: Judged}; its cells."""
    shutil.copytree(folder, done, dirs_exist_ok=True, ignore=shutil.ignore_patterns(MARKS_FILE))
    path = done / f"{before['homework']}.ipynb"
    book = nbformat.read(path, as_version=4)
    for name, was in judged(before).items():
        outputs = cell_named(book, name).outputs
        outputs[-len(was.outputs) :] = found[name].outputs
    nbformat.write(book, path)
    new = {name: asdict(one) for name, one in found.items()}
    return [{**cell, **new.get(cell["grade_id"], {})} for cell in before["cells"]]


# -------------------------------------------------------------------------------------------------------- what changed


def history(before, now):
    """All changes of points so far, the last ones those from one marks.json (or None) to the next.

    Dicts with when, task, before, after and why.
    """
    return [*before.get("changes", ()), *_changes(before.get("last", before), now)] if before else []


def last(before):
    """Of a marks.json, in whose place comes one of a grader that failed, what the next one is compared with."""
    return before.get("last", {name: before[name] for name in ("key", "sources", "cells") if name in before})


def _changes(before, now):
    old = {cell["grade_id"]: cell for cell in before["cells"]}
    for cell in now["cells"]:
        was = old.get(cell["grade_id"])
        if was is not None and cell["kind"] == FUNCTION and was["points"] != cell["points"]:
            about = {"task": cell["grade_id"], "before": was["points"], "after": cell["points"]}
            yield {"when": now["graded"], **about, "why": _why(was, before, now)}


def _why(was, before, now):
    if before["key"].partition(" ")[0] != now["key"].partition(" ")[0]:
        return HANDED_IN
    old, new = (one.get("sources", {}).get(was["grade_id"], {}) for one in (before, now))
    if old.get("accepted", []) != new.get("accepted", []):
        return "accepted: " + ("; ".join(new["accepted"]) or "nothing any longer")
    told = [words for part, words in CHANGE_WORDS.items() if old.get(part) != new.get(part)] if old and new else []
    return JUDGED if was["problem"] else " and ".join(told) or AGAIN


def rows(marks, counted):
    """Rows of CHANGE_COLUMNS for the history of a marks.json; `counted` are {task: points}, including hand marks."""
    judged = {task_of(cell["grade_id"]): cell["points"] for cell in marks["cells"]}
    for one in marks.get("changes", ()):
        task = task_of(one["task"])
        by_hand = counted.get(task) if counted.get(task) != judged.get(task) else None
        points = map(number, (one["before"], one["after"]))
        yield [one["when"], marks["homework"], marks["student"], task, *points, one["why"], number(by_hand)]
