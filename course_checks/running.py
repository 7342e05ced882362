"""Runs one function of a student safely and reports the outcome. Lecture: 00."""

import contextlib
import copy
import io
import linecache
import math
import signal
import sysconfig
import threading
import time
import traceback
import warnings
from dataclasses import dataclass
from pathlib import Path

import numpy as np

PRINTED_CHARACTERS = 2000
IDLE_FRACTION, IDLE_CHECKS = 0.02, 3  # code that works less than this fraction of the time, this often in a row, waits
RING_AGAIN_SECONDS = 0.2
NOT_THE_STUDENTS = (sysconfig.get_path("stdlib"), sysconfig.get_path("purelib"), str(Path(__file__).parent), "<frozen")


class TimeUp(BaseException):
    """Raised inside code that runs too long; not an Exception, so that `except Exception` does not catch it."""


@dataclass(frozen=True)
class Place:
    """A line of the student's own code."""

    function: str
    line: int
    text: str

    def __str__(self):
        return f"line {self.line} of its cell: {self.text}" if self.text else f"line {self.line} of its cell"


@dataclass(frozen=True)
class Outcome:
    """Result of a call: the value returned or the error raised, output, warnings, and the first changed input."""

    value: object = None
    error: BaseException | None = None
    place: Place | None = None
    printed: str = ""
    warned: tuple[str, ...] = ()
    changed: int | None = None

    @property
    def untouched(self):
        """Whether the call ended in a stub that has not been filled in yet."""
        return isinstance(self.error, NotImplementedError)

    @property
    def endless(self):
        """Whether the call was stopped because it took too long."""
        return isinstance(self.error, TimeUp)


class Notepad(io.StringIO):
    """Keeps the first characters that are printed and discards the rest."""

    def write(self, text):
        """Keep as much of the text as there is room for; return its length, as if all of it were kept."""
        super().write(text[: max(0, PRINTED_CHARACTERS - self.tell())])
        return len(text)


def run(function, inputs, seconds):
    """The Outcome of function(*inputs), called with copies and stopped after some seconds.

    seconds : see `at_most`
    Nothing that the function prints, warns or raises (except Ctrl-C) leaves this call.
    """
    given, notepad, value, error = copy.deepcopy(inputs), Notepad(), None, None
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            with contextlib.redirect_stdout(notepad), contextlib.redirect_stderr(notepad), at_most(seconds):
                value = function(*given)
        except KeyboardInterrupt:
            raise
        except BaseException as stopped:
            error = stopped
    return Outcome(
        value=value,
        error=error,
        place=None if error is None else students_place(error),
        printed=notepad.getvalue().strip(),
        warned=tuple(dict.fromkeys(str(one.message) for one in caught)),
        changed=first_changed(inputs, given),
    )


def run_all(function, inputs, seconds, altogether=math.inf):
    """The Outcome of each call; None if it was not tried, because an earlier call did not end or time was up.

    A generator: each call is made when its outcome is requested.

    inputs : list of tuples;  seconds, altogether : limits of processor time for one call and for all of them
    """
    end, stopped = time.process_time() + altogether, False
    for given in inputs:
        left = min(seconds, end - time.process_time())
        stopped = stopped or left <= 0
        outcome = None if stopped else run(function, given, left)
        stopped = stopped or outcome.endless
        yield outcome


class Idleness:
    """Detects a process that hardly works, from readings of its processor time some seconds apart."""

    def __init__(self, seconds, used):
        self.seconds, self.used, self.times = seconds, used, 0

    def so_far(self, used):
        """Whether it has been idle `IDLE_CHECKS` times in a row; `used` is its processor time until now."""
        idle = used - self.used < IDLE_FRACTION * self.seconds
        self.used, self.times = used, self.times + 1 if idle else 0
        return self.times >= IDLE_CHECKS


@contextlib.contextmanager
def at_most(seconds):
    """Context that raises TimeUp in the code inside, repeatedly if it is caught, once it has used too much time.

    seconds : processor time of this process. Code that hardly works (a sleep, or waiting for input) is stopped after
        `IDLE_CHECKS` times as many seconds on the clock, so that a busy machine or a short pause stops nobody. The
        limit needs the main thread and Unix timers; elsewhere the code may run forever.
    """
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return
    waits, over = Idleness(seconds, time.process_time()), False

    def ring(number, frame):
        nonlocal over
        over = over or number == signal.SIGPROF or waits.so_far(time.process_time())
        if over:
            signal.setitimer(signal.ITIMER_REAL, RING_AGAIN_SECONDS, RING_AGAIN_SECONDS)
            raise TimeUp(f"still running after {seconds:g} s")

    timers = {signal.SIGPROF: signal.ITIMER_PROF, signal.SIGALRM: signal.ITIMER_REAL}
    before = {number: signal.signal(number, ring) for number in timers}
    for timer in timers.values():
        signal.setitimer(timer, seconds, seconds)
    try:
        yield
    finally:
        for timer in timers.values():
            signal.setitimer(timer, 0)
        for number, handler in before.items():
            signal.signal(number, handler)


def students_place(error):
    """The last line of the traceback in the student's own code, or None."""
    for frame in reversed(list(traceback.walk_tb(error.__traceback__))):
        code, line = frame[0].f_code, frame[1]
        if not code.co_filename.startswith(NOT_THE_STUDENTS):
            return Place(code.co_name, line, linecache.getline(code.co_filename, line).strip())
    return None


def message(error):
    """The message of an error, if its own code can produce it."""
    try:
        return str(error)
    except Exception as second:
        return f"(its message cannot be shown: {type(second).__name__})"


def first_changed(before, after):
    """Position of the first input that the call has changed, or None."""
    return next((k for k, (old, new) in enumerate(zip(before, after, strict=True)) if not _same(old, new)), None)


def _same(old, new):
    if isinstance(old, np.ndarray):
        return old.shape == new.shape and old.dtype == new.dtype and old.tobytes() == new.tobytes()
    if isinstance(old, (list, tuple)):
        return len(old) == len(new) and all(map(_same, old, new))
    return old is new or old == new
