"""An explorer as a recording: each state of its controls as geometry and a sentence, for a page without Python.

record(explorer) → bytes, what it cost     walks an explorer by its own controls and buttons

A slider with more than a dozen places is thinned where the page can draw what lies between by itself: where the
picture half-way between two recorded places is off by less than a pixel. Else each of its places is recorded, or, if
there are too many, every second one: then the slider has no others on the page. Sentences are never made from two.
"""

import json
import re
import time
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import product
from math import prod

import numpy as np

from course_widgets import geometry
from course_widgets.frame import prose
from tools.site.packing import deflated

FEW_POSITIONS = 13  # places of a slider, from where on it may be thinned
CLOSE = 1.0  # px, the error that nobody sees
TRIED = 12  # pairs of neighbours at which a thinner slider is tried
MAX_STATES = 8000  # states of one explorer, which take some minutes
FEWEST_POSITIONS = 5  # places of a slider that is left with every second one, again and again
SAME_MARK, NEW_MARK = 0, 1  # codes of a slot; what is above is a mark that was there before
SOUND_SOURCE = re.compile(r'src="(data:audio/[^"]+)"')

# Where answers or words are the reader's own, no recording knows them: those that stand in are played.
FEWER = "On this page there are fewer places than in the lecture of “{}”."
SIMULATED_NOTE = "Here the answers are simulated. {} you can answer yourself."
READY_NOTE = "Here a ready recording speaks. In the notebook you can speak yourself."
HELD = {
    "explore_marks": ({"who": "a simulated person", "mark": 50}, SIMULATED_NOTE.format("Below")),
    "explore_greys": ({"who": "a simulated person"}, SIMULATED_NOTE.format("In the notebook")),
    **{f"explore_my_{what}": ({}, READY_NOTE) for what in ("query", "voice", "number")},
}


class NotRecorded(Exception):
    """Says in words why an explorer cannot be recorded."""


@dataclass
class Recorded:
    """A control with the places that the recording has: their values, and where each lies on the slider."""

    name: str
    control: object
    values: list
    at: list
    coarse: bool = False  # it has no other places than these

    @classmethod
    def all_of(cls, name, control):
        """A control with all its places."""
        return cls(name, control, list(control.values), list(range(len(control.values))))

    @property
    def kind(self):
        return self.control.kind

    @property
    def last(self):
        return len(self.control.values) - 1

    def nearest(self, value):
        """Index of the recorded place nearest to a value."""
        if self.kind != "slider":
            return self.values.index(value)
        return int(np.argmin([abs(place - value) for place in self.values]))

    def only(self, chosen):
        """The same with some of its places."""
        keep = sorted(chosen)
        return replace(self, values=[self.values[k] for k in keep], at=[self.at[k] for k in keep])

    def described(self, start):
        """What the page has to know of it; `start` is the value that it begins with."""
        shown = [self.control.text(value) for value in self.values]
        said = {"name": self.name, "label": self.control.label, "kind": self.kind, "shown": shown}
        said |= {"start": self.nearest(start), "last": self.last}
        if self.kind != "slider":
            return said
        if self.coarse:
            return {**said, "at": list(range(len(shown))), "last": len(shown) - 1, "smooth": False}
        return {**said, "at": self.at, "smooth": len(self.at) <= self.last or not self.control.whole}


@dataclass
class Cost:
    """What a recording took: states, seconds of processor time, the largest error of a thinned slider in px, bytes."""

    states: int
    seconds: float
    error: float
    size: int
    thinned: dict


def record(explorer, held=None, note=""):
    """(bytes, Cost) of an explorer; `held` are settings that do not move, and `note` says so to the reader.

    Raises
    ------
    NotRecorded
        If it has too many states.
    """
    began = time.process_time()
    held = held or {}
    explorer.set(**held)
    walk = Walk(explorer, held)
    error, thinned = walk.thin()
    fewer = walk.coarsen()
    notes = [note] if note else []
    notes += [FEWER.format("” and “".join(fewer))] if fewer else []
    header, numbers = walk.play()
    data = packed({**header, **explorer.asks(), "notes": notes}, numbers)
    return data, Cost(walk.size(), time.process_time() - began, error, len(data), thinned)


def controls(explorer, held):
    """The explorer's controls but those that are held, with all their places."""
    return [Recorded.all_of(name, one) for name, one in explorer.controls.items() if name not in held]


# --- the walk


class Walk:
    """All states of an explorer, in an order in which neighbours are alike."""

    def __init__(self, explorer, held):
        self.explorer, self.held = explorer, held
        self.sliders = controls(explorer, held)
        self.start = explorer.values()
        self.wanted = [self.start, *({**self.start, **case} for case in explorer.cases.values())]

    def size(self):
        return prod(len(slider.values) for slider in self.sliders)

    def settings(self, state):
        """The values of a state, which is an index for each control."""
        found = {s.name: s.values[k] for s, k in zip(self.sliders, state, strict=True)}
        return {**self.held, **found}

    def draw(self, values):
        return self.explorer.drawn({**self.start, **values})

    def thin(self):
        """Thins what can be thinned; returns the largest error seen of what was, and how many places are left."""
        largest, rng, left = 0.0, np.random.default_rng(0), {}
        for k, slider in enumerate(self.sliders):
            if slider.kind != "slider" or len(slider.values) <= FEW_POSITIONS:
                continue
            self.sliders[k] = slider = self.with_wanted(slider)
            for count in (FEW_POSITIONS, 2 * FEW_POSITIONS - 1, 4 * FEW_POSITIONS - 3):
                few = slider.only(self.spread(slider, count))
                if len(few.values) > 0.7 * len(slider.values):
                    break
                error = max(self.halfway(k, slider, few, rng) for _ in range(TRIED))
                if error < CLOSE:
                    self.sliders[k], largest, left[slider.name] = few, max(largest, error), len(few.values)
                    break
        return largest, left

    def coarsen(self):
        """Leaves out every second place of the longest slider while states are too many; returns what was cut."""
        while self.size() > MAX_STATES:
            whole = [k for k, s in enumerate(self.sliders) if s.coarse or (s.kind == "slider" and len(s.at) > s.last)]
            long = [k for k in whole if len(self.sliders[k].at) > FEWEST_POSITIONS]
            free = [k for k in long if self.sliders[k].name not in self.stepped()]
            k = max(free or long, key=lambda k: len(self.sliders[k].at), default=None)
            if k is None:
                raise NotRecorded(f"It has {self.size()} states; at most {MAX_STATES} are recorded.")
            few = self.spread(self.sliders[k], (len(self.sliders[k].at) + 1) // 2)
            self.sliders[k] = replace(self.sliders[k].only(few), coarse=True)
        return [slider.control.label for slider in self.sliders if slider.coarse]

    def stepped(self):
        """Names of the sliders that a button moves on; of these, places are left out last."""
        with self.undrawn():
            moved = set()
            for label in self.explorer.actions:
                self.explorer.set(**self.start)
                self.explorer.press(label)
                moved |= {name for name, value in self.explorer.values().items() if value != self.start[name]}
        return moved

    @contextmanager
    def undrawn(self):
        """Nothing is drawn meanwhile, and afterwards the controls are where they were to begin with."""
        explorer = self.explorer
        draw, explorer.drawn = explorer.drawn, lambda *_: ("", [])
        try:
            yield
        finally:
            explorer.drawn = draw
            explorer.set(**{key: value for key, value in self.start.items() if key not in self.held})

    def with_wanted(self, slider):
        """A slider with the values that it begins with and that buttons set, which may lie between its places."""
        places = dict(zip(slider.at, slider.values, strict=True))
        for settings in self.wanted:
            at = slider.control.place(settings[slider.name])
            if min(abs(at - k) for k in places) > 1e-6:
                places[at] = settings[slider.name]
        at = sorted(places)
        return replace(slider, values=[places[k] for k in at], at=at)

    def spread(self, slider, count):
        """Indices of about `count` places: evenly, and those that are wanted."""
        even = {round(k) for k in np.linspace(0, len(slider.values) - 1, count)}
        return even | {slider.nearest(settings[slider.name]) for settings in self.wanted}

    def halfway(self, k, full, few, rng):
        """How far the middle of two drawings is from the drawing in the middle, in px, at one random place."""
        at = full.at.index
        gaps = [(at(a), at(b)) for a, b in zip(few.at, few.at[1:], strict=False) if at(b) - at(a) > 1]
        if not gaps:
            return 0.0
        low, high = gaps[rng.integers(len(gaps))]
        middle = (low + high) // 2
        state = {s.name: s.values[rng.integers(len(s.values))] for s in self.sliders}
        one, true, two = (self.draw({**state, full.name: full.values[j]})[1] for j in (low, middle, high))
        share = (full.at[middle] - full.at[low]) / (full.at[high] - full.at[low])
        return apart(one, two, true, share)

    def play(self):
        """(header, numbers): every state drawn."""
        film, sentences, players, sounds = Film(), Once(), Once(), Once()
        said, heard, right = [], [], []
        for state in product(*(range(len(slider.values)) for slider in self.sliders)):
            values = {**self.start, **self.settings(state)}
            sentence, marks = self.draw(values)
            film.add(marks)
            said.append(sentences.number(prose(sentence)))
            heard.append(players.number(self.sound(values, sounds)))
            feedback = self.explorer.feedback
            right.append(int(bool(feedback and feedback.shown(**values))))
        header = {
            **self.explorer.described(),
            "controls": [slider.described(self.start[slider.name]) for slider in self.sliders],
            "sets": [self.places(case) for case in [*self.explorer.cases.values(), {}]],
            "sentences": sentences.found,
            "players": players.found,
            "sounds": sounds.found,
            "looks": [dict(look) for look in film.looks.found],
            "texts": film.texts.found,
        }
        moves = [self.moved_by(label) for label in self.explorer.actions]
        return header, [*film.numbers, *(x for column in (said, heard, right, *moves) for x in differences(column))]

    def places(self, case):
        """Where a case puts each control."""
        values = {**self.start, **case}
        return [slider.nearest(values[slider.name]) for slider in self.sliders]

    def sound(self, values, sounds):
        """The players of a state, as HTML whose sounds are numbers of a list."""
        made = self.explorer.listen(**values) if self.explorer.listen else ""
        return SOUND_SOURCE.sub(lambda found: f'data-sound="{sounds.number(found.group(1))}"', made)

    def moved_by(self, label):
        """The number of the state that an action leads to, from every state; nothing is drawn."""
        to = []
        with self.undrawn():
            for state in product(*(range(len(slider.values)) for slider in self.sliders)):
                self.explorer.set(**self.settings(state))
                self.explorer.press(label)
                now = self.explorer.values()
                to.append(self.number([slider.nearest(now[slider.name]) for slider in self.sliders]))
        return to

    def number(self, state):
        """A state's place in the order of the walk."""
        number = 0
        for slider, k in zip(self.sliders, state, strict=True):
            number = number * len(slider.values) + k
        return number


def apart(one, two, true, share):
    """Largest distance in px, per axis, of the true marks from those between two drawings; inf if they do not fit."""
    if not [m.look for m in one] == [m.look for m in two] == [m.look for m in true]:
        return np.inf
    largest = 0.0
    for a, b, t in zip(one, two, true, strict=True):
        if not len(a.points) == len(b.points) == len(t.points) or a.text == b.text != t.text:
            return np.inf
        if a.text != b.text:
            continue  # letters are those of the nearer place
        low, high = visible(dict(t.look))
        seen = lambda points: np.clip(points, low, high)  # noqa: B023, E731
        between = seen(a.points + share * (b.points.astype(float) - a.points))
        largest = max(largest, float(np.abs(between - seen(t.points)).max(initial=0)) / 2)
    return largest


def visible(look):
    """Lower and upper corner, in half pixels, of where a mark is seen."""
    if "clip" not in look:
        return -geometry.FAR_HALF_PIXELS, geometry.FAR_HALF_PIXELS
    left, top, wide, high = (2 * float(x) for x in look["clip"].split())
    return np.array([left, top]), np.array([left + wide, top + high])


# --- coding


class Once:
    """Numbers for things, each kept once."""

    def __init__(self):
        self.found, self._numbers = [], {}

    def number(self, thing):
        if thing not in self._numbers:
            self._numbers[thing] = len(self.found)
            self.found.append(thing)
        return self._numbers[thing]


class Film:
    """The marks of all states as numbers: each slot of a state says what changed since the state before.

    A state is the count of its slots, then for each slot SAME_MARK, or the number of an earlier mark (from 2 on), or
    NEW_MARK and the mark itself: look, text, number of points, and the points minus those that the slot had before.
    Smooth movements thus become small, repeated numbers.
    """

    def __init__(self):
        self.looks, self.texts, self.numbers = Once(), Once(), []
        self._known, self._before = {}, []

    def add(self, marks):
        now = []
        self.numbers.append(len(marks))
        for slot, mark in enumerate(marks):
            look, text = self.looks.number(mark.look), self.texts.number(mark.text)
            key, last = (look, text, mark.points.tobytes()), None
            if slot < len(self._before):
                last = self._before[slot]
            if last and last[0] == key:
                self.numbers.append(SAME_MARK)
            elif key in self._known:
                self.numbers.append(self._known[key] + 2)
            else:
                self._known[key] = len(self._known)
                base = last[1] if last and last[0][0] == look and len(last[1]) == len(mark.points) else 0
                rest = mark.points.astype(int) - base
                self.numbers += [NEW_MARK, look, text, len(mark.points), *np.diff(rest, axis=0, prepend=0).T.ravel()]
            now.append((key, mark.points.astype(int)))
        self._before = now


def differences(column):
    return np.diff(column, prepend=0).tolist()


def packed(header, numbers):
    """The file: how long the header is, the header as JSON, and the numbers in as few bytes as each needs."""
    text = json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode()
    values = np.asarray(numbers, dtype=np.int64)
    return deflated(len(text).to_bytes(4, "little") + text + written((values << 1) ^ (values >> 63)))


def written(values):
    """Bytes of integers from 0 on, seven bits in each byte; the eighth says that more follow."""
    out = bytearray()
    for value in values.tolist():
        while value > 127:
            out.append(value & 127 | 128)
            value >>= 7
        out.append(value)
    return bytes(out)
