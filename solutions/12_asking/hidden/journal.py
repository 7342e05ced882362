"""Hidden cases of task 6, read_session."""

import json

import numpy as np

from course_checks import Case


def story(rng, d, steps, notes):
    """Events that a listener's session may leave, and what they come to: pairs, answers, the open pair."""
    first = {"version": 1, "listener": "P11", "space": {"bounds": [[0, 10]] * d, "steps": [0.5] * d}, "seed": 9}
    events, asked, said = [first], [], []

    def ask():
        pair = (rng.integers(0, 21, (2, d)) / 2).tolist()
        asked.append(pair)
        events.append({"question": len(asked), "a": pair[0], "b": pair[1], "mean_improvement": 0.2})

    def say(to):
        degree = float(rng.integers(1, 20) / 20)
        events.append({"answer": degree, "to": to})
        return degree

    ask()
    for _ in range(steps):
        kind = rng.choice(["next", "next", "next", "twice", "mind"])
        if len(asked) > len(said):
            said.append(say(len(asked)))
            if kind == "twice":
                say(len(said))
        elif kind == "mind":
            n = int(rng.integers(1, len(said) + 1))
            if rng.integers(2):
                ask()
            events.append({"taken_back": n})
            del said[n - 1 :], asked[n:]
        else:
            ask()
        if notes and rng.integers(4) == 0:
            events.append({"test_answer": 1.0})
    pairs = np.array(asked, dtype=float).reshape(-1, 2, d)
    return events, (pairs[: len(said)], np.array(said), pairs[len(said) :])


def texts(events):
    return [json.dumps({**event, "time": f"2032-01-02T03:{k % 60:02d}:00+00:00"}) for k, event in enumerate(events)]


def whole(rng, d, steps, notes=False):
    events, told = story(rng, d, steps, notes)
    return texts(events), (*told, 0)


def cut(rng, d, steps):
    """One more event, of which only a part was written."""
    events, told = story(rng, d, steps, False)
    tail = json.dumps({"taken_back": 1})
    return [*texts(events), tail[: int(rng.integers(2, len(tail)))]], (*told, 0)


def hurt(rng, d, steps, rubbish, more):
    """Whole up to some line, then rubbish, then more of a story."""
    events, told = story(rng, d, steps, False)
    later, _ = story(rng, d, more, False)
    return [*texts(events), rubbish, *texts(later)[1:]], (*told, len(events) + 1)


rng = np.random.default_rng(1206)
pairs = [
    whole(rng, 2, 14),
    whole(rng, 1, 25),
    whole(rng, 3, 20, notes=True),
    cut(rng, 2, 9),
    cut(rng, 1, 16),
    hurt(rng, 2, 11, "\x00\x00\x00\x00", 6),
    hurt(rng, 1, 8, "[0.5, 1]", 5),
    hurt(rng, 2, 7, '{"answer": 0.5, "to', 3),
    whole(rng, 2, 18),
    hurt(rng, 2, 6, "", 4),
]
CASES = [Case(f"random {k}", (lines,), told) for k, (lines, told) in enumerate(pairs)]
