"""The controls of an explorer as data: which values each can take, and what stands beside it then.

Lecture: 00.
"""

from math import log10
from typing import NamedTuple

import numpy as np


class Control(NamedTuple):
    """One control of an explorer.

    kind : "slider", "choice" or "switch";  label : what it is called
    values : list of what it can be set to, in order;  shown : list of how each is written
    start : the value that it begins with, which on a slider may lie between two
    written : format of a number, such as ".2f";  whole : whether no value lies between two neighbours
    """

    kind: str
    label: str
    values: list
    shown: list
    start: object
    written: str = ""
    whole: bool = True

    def place(self, value):
        """Where a value lies among `values`, counted from 0; a slider's may lie between two of them."""
        if self.kind != "slider":
            return self.values.index(value)
        return float(np.interp(value, self.values, range(len(self.values))))

    def text(self, value):
        """How a value is written beside the control."""
        return format(value, self.written) if self.kind == "slider" else self.shown[self.values.index(value)]


def slider(label, low, high, value, step=1):
    """A labelled slider over integers, or over floats if one of the numbers is one."""
    whole = all(isinstance(v, int) for v in (low, high, value, step))
    count = round((high - low) / step) + 1
    values = [low + k * step if whole else round(low + k * step, 9) for k in range(count)]
    return _slider(label, values, (low, high), value, "d" if whole else ".2f", whole)


def log_slider(label, low, high, value):
    """A labelled slider over positive numbers on a logarithmic scale."""
    first = log10(low)
    count = round((log10(high) - first) * 100) + 1
    return _slider(label, [round(10 ** (first + k / 100), 9) for k in range(count)], (low, high), value, ".2f")


def _slider(label, values, ends, value, written, whole=False):
    if not ends[0] <= value <= ends[1]:
        raise ValueError(f"value is {value!r}; {ends[0]} … {ends[1]} is needed for the slider {label!r}.")
    return Control("slider", label, values, [format(v, written) for v in values], value, written, whole)


def choice(label, options, value=None):
    """A labelled list to choose from; options may be {what is shown: value}, or pairs of these."""
    options = options.items() if isinstance(options, dict) else options
    pairs = [one if isinstance(one, tuple) else (str(one), one) for one in options]
    values = [value for _, value in pairs]
    start = values[0] if value is None else value
    if start not in values:
        raise ValueError(f"value is {value!r}, which is none of the options {values} of {label!r}.")
    return Control("choice", label, values, [text for text, _ in pairs], start)


def switch(label):
    """A labelled box to tick."""
    return Control("switch", label, [False, True], ["", ""], False)
