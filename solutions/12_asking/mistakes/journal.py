"""Task 6, read_session(lines)."""

import json

import numpy as np


def event_of(line):
    """The dict of a line, or None if it is none."""
    try:
        event = json.loads(line)
    except ValueError:
        return None
    return event if isinstance(event, dict) else None


def take_back(n, questions, answers):
    del questions[n:], answers[n - 1 :]


def hear(event, questions, answers):
    """An answer counts if its question is open."""
    if len(questions) > len(answers) and event["to"] == len(questions):
        answers.append(event["answer"])


def still_open(questions, answers):
    return questions[len(answers) :]


def reader(
    parsed=event_of,
    undo=take_back,
    heard=hear,
    opened=still_open,
    value=float,
    at_damage=lambda k, last, damaged: (damaged or (0 if last else k), not last),
    turned=slice(None),
    also=lambda event, questions, answers: None,
    dims=lambda header: len(header["space"]["bounds"]),
    used=lambda lines: lines,
):
    """An answer with one step changed. `at_damage` says what is told, and whether reading ends."""

    def answer(lines):
        questions, answers, damaged, lines = [], [], 0, used(lines)
        d = dims(json.loads(lines[0]))
        for k, line in enumerate(lines[1:], start=2):
            event = parsed(line)
            if event is None:
                damaged, over = at_damage(k, k == len(lines), damaged)
                if over:
                    break
            elif "question" in event:
                questions.append([event["a"], event["b"]][turned])
            elif "answer" in event:
                heard(event, questions, answers)
            elif "taken_back" in event:
                undo(event["taken_back"], questions, answers)
            else:
                also(event, questions, answers)
        pairs = np.array(questions[: len(answers)], dtype=float).reshape(len(answers), 2, d)
        open_ = np.array(opened(questions, answers), dtype=float).reshape(-1, 2, d)
        return pairs, np.array([value(y) for y in answers]), open_, damaged

    return answer


right_answer = reader()


def strict(lines):
    """Stops at a bad line, wherever it is."""
    for line in lines:
        json.loads(line)
    return right_answer(lines)


def nothing_if_bad(lines):
    if any(event_of(line) is None for line in lines):
        d = len(json.loads(lines[0])["space"]["bounds"])
        return np.zeros((0, 2, d)), np.zeros(0), np.zeros((0, 2, d)), 0
    return right_answer(lines)


def anything(line):
    """Whatever json can read; None would be a damaged line."""
    try:
        event = json.loads(line)
    except ValueError:
        return None
    return {} if event is None else event


def unasked(line):
    """Whatever json can read, and a word for what it cannot."""
    try:
        return json.loads(line)
    except ValueError:
        return "damaged"


def null_crashes(lines):
    for line in lines:
        event = unasked(line)
        if event != "damaged":
            "question" in event  # noqa: B015  a TypeError, if it is None
    return right_answer(lines)


def null_has_no_get(lines):
    for line in lines:
        event = unasked(line)
        if event != "damaged":
            event.get("question")
    return right_answer(lines)


def counted(shift=0, at_end=False):
    def at_damage(k, last, damaged):
        return damaged or (0 if last and not at_end else k + shift), not last

    return at_damage


def of_the_pair(which):
    def answer(lines):
        pairs, answers, open_, damaged = right_answer(lines)
        return which(pairs, answers, open_, damaged)

    return answer


def never_after_return(lines):
    """The question whose answer was taken back is closed for ever."""
    closed = []

    def undo(n, questions, answers):
        take_back(n, questions, answers)
        closed.append(n)

    def opened(questions, answers):
        return [] if len(questions) in closed else still_open(questions, answers)

    return reader(undo=undo, opened=opened)(lines)


def last_one_back(n, questions, answers):
    """One answer, and what was asked after it."""
    answers.pop()
    del questions[len(answers) + 1 :]


def that_one_alone(lines):
    """Only that answer is void; the later ones stay."""
    asked, said = {}, {}
    for event in filter(None, map(event_of, lines[1:])):
        if "question" in event:
            asked[event["question"]] = (event["a"], event["b"])
        elif "answer" in event:
            said.setdefault(event["to"], event["answer"])
        elif "taken_back" in event:
            said.pop(event["taken_back"])
    _, _, open_, damaged = right_answer(lines)
    done = [n for n in sorted(said) if n in asked]
    pairs = np.array([asked[n] for n in done], dtype=float).reshape(len(done), *open_.shape[1:])
    return pairs, np.array([said[n] for n in done]), open_, damaged


def too_far(n, questions, answers):
    n = max(n - 1, 1)
    take_back(n, questions, answers)


def with_question(n, questions, answers):
    del questions[n - 1 :], answers[n - 1 :]


def newest_stays(n, questions, answers):
    """The answers go; the question that was asked last stays the open one."""
    newest = questions[-1]
    del questions[n - 1 :], answers[n - 1 :]
    questions.append(newest)


def replaced(event, questions, answers):
    if event["to"] <= len(answers):
        answers[event["to"] - 1] = event["answer"]
    else:
        hear(event, questions, answers)


def any_answer(event, questions, answers):
    """Whatever question it is meant for, it answers the open one."""
    if len(questions) > len(answers):
        answers.append(event["answer"])


def latest_replaced(event, questions, answers):
    """If no question is open, the last answer is given anew."""
    if len(questions) > len(answers):
        hear(event, questions, answers)
    else:
        answers[-1] = event["answer"]


def tests_too(event, questions, answers):
    if "test_answer" in event:
        answers.append(event["test_answer"])
        questions.append(questions[-1])


def shapeless(lines):
    pairs, answers, open_, damaged = right_answer(lines)
    return (*(part if len(part) else np.array([]) for part in (pairs, answers, open_)), damaged)


LOST = "Is the whole session lost"
NULL = "Is `null` an event, or `[1, 2]`?"

MISTAKES = {
    "nothing if a line is bad": nothing_if_bad,
    "null left out": reader(lambda line: {} if line == "null" else event_of(line)),
    "list left out": reader(lambda line: {} if line.startswith("[") else event_of(line)),
    "all of them left out": reader(anything),
    "damaged lines left out": reader(at_damage=lambda k, last, damaged: (0, False)),
    "read on after the damage": reader(at_damage=lambda k, last, damaged: (damaged or (0 if last else k), False)),
    "lines from 0": reader(at_damage=counted(-1)),
    "without the header": reader(at_damage=lambda k, last, damaged: (damaged or (0 if last else k - 2), not last)),
    "last line reported": reader(at_damage=counted(at_end=True)),
    "last damaged line": reader(at_damage=lambda k, last, damaged: (k, False)),
    "last line dropped": reader(used=lambda lines: lines[:-1]),
    "open question forgotten": of_the_pair(lambda p, y, o, k: (p, y, o[:0], k)),
    "open never, after a return": never_after_return,
    "last question always open": reader(opened=lambda questions, answers: questions[-1:]),
    "taken back ignored": reader(undo=lambda n, questions, answers: None),
    "one answer taken back": reader(undo=last_one_back),
    "that answer alone taken back": that_one_alone,
    "taken back too far": reader(undo=too_far),
    "question taken back too": reader(undo=with_question),
    "newest question open": reader(undo=newest_stays),
    "double clicks replace": reader(heard=replaced),
    "double clicks answer": reader(heard=any_answer),
    "clicks after the last question": reader(heard=latest_replaced),
    "a and b exchanged": reader(turned=slice(None, None, -1)),
    "degrees as choices": reader(value=lambda y: 1.0 if y > 0.5 else -1.0),
    "test answers too": reader(also=tests_too),
    "no shape for nothing": shapeless,
}

RULE_MISTAKES = {
    "every line must be right": (strict, LOST),
    "null stops it": (null_crashes, NULL),
    "null has no get": (null_has_no_get, NULL),
    "pairs only": (lambda lines: right_answer(lines)[0], "4 values are needed"),
}


def by_numbers(lines):
    """Questions and answers by their numbers."""
    asked, said, damaged = {}, {}, 0
    d = len(json.loads(lines[0])["space"]["bounds"])
    for k in range(1, len(lines)):
        try:
            event = json.loads(lines[k])
            event["x" if "x" in event else "y"] = 0
        except (ValueError, TypeError):
            damaged = k + 1 if k + 1 < len(lines) else 0
            break
        if "question" in event:
            asked[event["question"]] = (event["a"], event["b"])
        elif "answer" in event and event["to"] in asked and event["to"] not in said:
            said[event["to"]] = event["answer"]
        elif "taken_back" in event:
            asked = {n: pair for n, pair in asked.items() if n <= event["taken_back"]}
            said = {n: y for n, y in said.items() if n < event["taken_back"]}
    pairs = np.reshape([asked[n] for n in sorted(said)], (-1, 2, d))
    open_ = np.reshape([asked[n] for n in sorted(asked) if n not in said], (-1, 2, d))
    return pairs, [said[n] for n in sorted(said)], open_, damaged


def in_one_list(lines):
    """A table [a, b, answer or None] of all that counts."""
    table, damaged, d = [], 0, 0
    for number, line in enumerate(lines, start=1):
        event = event_of(line)
        if event is None:
            damaged = number if number != len(lines) else 0
            break
        d = len(event.get("space", {"bounds": [None] * d})["bounds"])
        if "question" in event:
            table += [[event["a"], event["b"], None]]
        if event.get("to") == len(table) and table and table[-1][2] is None:
            table[-1][2] = event["answer"]
        if "taken_back" in event:
            table = table[: event["taken_back"]]
            table[-1] = [*table[-1][:2], None]
    done = [row for row in table if row[2] is not None]
    rest = [row for row in table if row[2] is None]

    def settings(rows):
        return np.array([row[:2] for row in rows], dtype=float).reshape(len(rows), 2, d)

    return [settings(done), np.array([row[2] for row in done], dtype=float), settings(rest), damaged]


def backwards(lines):
    """Another algorithm: first how far the file can be trusted, then from its end what was not taken back."""
    events = [event_of(line) for line in lines]
    bad = [k for k, event in enumerate(events) if event is None]
    damaged = bad[0] + 1 if bad and bad[0] < len(lines) - 1 else 0
    events = events[: bad[0]] if bad else events
    d = np.shape(events[0]["space"]["bounds"])[0]
    asked, firsts, below_question, below_answer = {}, {}, np.inf, np.inf
    for event in reversed(events):
        if "taken_back" in event:
            n = event["taken_back"]
            below_question, below_answer = min(below_question, n + 1), min(below_answer, n)
        elif "question" in event and event["question"] < below_question:
            asked.setdefault(event["question"], (event["a"], event["b"]))
        elif "answer" in event and event["to"] < below_answer:
            firsts.setdefault(event["to"], []).append(event["answer"])
    answers = [firsts[n][-1] for n in sorted(firsts) if n in asked]
    pairs = np.array([asked[n] for n in sorted(asked)], dtype=float).reshape(-1, 2, d)
    return pairs[: len(answers)], np.array(answers), pairs[len(answers) :], damaged


RIGHT = {"two lists": right_answer, "by numbers": by_numbers, "one list": in_one_list, "backwards": backwards}
