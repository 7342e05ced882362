"""Two ways to do the same work, timed in turn in one process, so that a slow moment of the machine hits both."""

import importlib.metadata
import statistics
import time
import tracemalloc
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

HEADER = ["workload", "peer", "ours (ms)", "peer (ms)", "ratio: median [min, max]", "goal", "our peak (MB)", ""]


@dataclass(frozen=True)
class Row:
    """One line of the table.

    prepare() → (ours, peer): two functions without arguments on the same inputs. What they return, a number, an array
    or a tuple of them, must agree. It may raise ImportError for a missing peer. `goal` is the largest ratio ours/peer
    that we are content with, `megabytes` the largest peak of our own memory, or None. A row may return a third
    function, which makes of a result what is compared: it is not timed.
    """

    name: str
    peer: str
    goal: float
    prepare: Callable
    megabytes: float | None = None
    header = HEADER

    def cells(self, repeats):
        """Measure, and give the columns of the table as text."""
        return measure(self, repeats).cells()


@dataclass(frozen=True)
class Measured:
    """What came out for a row: ratios of the pairs, medians in seconds, peak of our memory in MB."""

    row: Row
    ratios: list
    ours: float
    peer: float
    peak: float

    @property
    def met(self):
        fast = statistics.median(self.ratios) <= self.row.goal
        return fast and (self.row.megabytes is None or self.peak <= self.row.megabytes)

    def cells(self):
        """The columns of the table, as text."""
        low, middle, high = min(self.ratios), statistics.median(self.ratios), max(self.ratios)
        memory = f"{self.peak:.1f}" + ("" if self.row.megabytes is None else f" (≤ {self.row.megabytes:g})")
        peer = f"{self.row.peer} {importlib.metadata.version(self.row.peer)}"
        times = f"{1e3 * self.ours:.2f}", f"{1e3 * self.peer:.2f}"
        ratio = f"{middle:.2g} [{low:.2g}, {high:.2g}]"
        return [self.row.name, peer, *times, ratio, f"≤ {self.row.goal:.2g}", memory, "✓" if self.met else "✗"]


def measure(row, repeats=9):
    """Run both in turn: first once each, to compile and to compare the results, then `repeats` timed pairs.

    Raises
    ------
    ValueError
        If the results differ: then there is nothing to compare.
    ImportError
        If the peer is not installed.
    """
    ours, peer, *compared = row.prepare()
    results = ours(), peer()
    check_agreement(row, *(map(*compared, results) if compared else results))
    calls = enough_calls(ours), enough_calls(peer)
    pairs = [(seconds(ours, calls[0]), seconds(peer, calls[1])) for _ in range(repeats)]
    tracemalloc.start()
    ours()
    peak = tracemalloc.get_traced_memory()[1] / 1e6
    tracemalloc.stop()
    mine, theirs = np.transpose(pairs)
    return Measured(row, [a / b for a, b in pairs], float(np.median(mine)), float(np.median(theirs)), peak)


def check_agreement(row, mine, theirs):
    """ValueError if the results differ by more than rounding."""
    mine, theirs = ([*result] if isinstance(result, tuple) else [result] for result in (mine, theirs))
    for a, b in zip(mine, theirs, strict=True):
        if np.shape(a) != np.shape(b) or not np.allclose(a, b, rtol=1e-9):
            raise ValueError(f"{row.name}: our result {a} differs from that of {row.peer}, {b}.")


def enough_calls(work, least_seconds=0.03):
    """How many calls take long enough to be timed."""
    return 1 + int(least_seconds / max(seconds(work, 1), 1e-6))


def seconds(work, calls):
    """Processor time of a call: other programs disturb it less than the clock, and threads would count in full."""
    begin = time.process_time()
    for _ in range(calls):
        work()
    return (time.process_time() - begin) / calls
