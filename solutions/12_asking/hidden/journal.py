"""Reference of task 6, read_session."""

import json

import numpy as np

SEED = 1206


def events(lines):
    """The objects after the header up to the first bad line, and the number of that line if it is not the last."""
    found = []
    for number, line in enumerate(lines[1:], start=2):
        try:
            found.append(json.loads(line))
        except json.JSONDecodeError:
            found.append(None)
        if type(found[-1]) is not dict:
            return found[:-1], 0 if number == len(lines) else number
    return found, 0


def states(lines):
    """({question: pair}, {question: answer}) after each line from the header on."""
    asked, said = {}, {}
    yield {}, {}
    for event in events(lines)[0]:
        if "question" in event:
            asked = {**asked, event["question"]: (event["a"], event["b"])}
        elif "answer" in event and event["to"] in asked.keys() - said.keys():
            said = {**said, event["to"]: event["answer"]}
        elif "taken_back" in event:
            n = event["taken_back"]
            asked = {one: pair for one, pair in asked.items() if one <= n}
            said = {one: degree for one, degree in said.items() if one < n}
        yield asked, said


def answer(lines):
    """Questions and answers by their numbers."""
    d = len(json.loads(lines[0])["space"]["bounds"])
    *_, (asked, said) = states(lines)
    pairs = [np.reshape([asked[n] for n in numbers], (-1, 2, d)) for numbers in (said, asked.keys() - said.keys())]
    return pairs[0].astype(float), np.array(list(said.values()), dtype=float), pairs[1].astype(float), events(lines)[1]


def way(lines):
    """What is answered and what is open after each line that is read."""
    told = list(states(lines))
    yield "answered questions after each line that is read", np.array([len(said) for _, said in told])
    yield "number of the open question (0: none)", np.array([max(a.keys() - s.keys(), default=0) for a, s in told])
