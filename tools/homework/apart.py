"""Lets a function read what somebody else has written in a process of its own, with little memory and little time."""

import contextlib
import multiprocessing
import resource
from pathlib import Path

MEMORY_FILE = Path("/proc/self/statm")
MAX_BYTES, MAX_SECONDS = 1_000_000_000, 60  # of memory beyond what is there, and of processor time


class TooMuch(ValueError):
    """What was to be read took too much memory or time, or ended the process that read it."""


def apart(function, *given):
    """What a function returns, which has to be plain data.

    Raises
    ------
    TooMuch
        If it could not; also for what it raises.
    """
    ours, theirs = multiprocessing.Pipe(duplex=False)
    with ours:
        process = multiprocessing.get_context("fork").Process(target=_limited, args=(theirs, function, given))
        process.start()
        theirs.close()
        try:
            return ours.recv()
        except EOFError:
            raise TooMuch(f"{function.__name__} needs too much memory or time, or failed") from None
        finally:
            process.join()


def _limited(sent, function, given):
    resource.setrlimit(resource.RLIMIT_CPU, (MAX_SECONDS, MAX_SECONDS))
    if MEMORY_FILE.is_file():  # on Linux
        most = int(MEMORY_FILE.read_text().split()[0]) * resource.getpagesize() + MAX_BYTES
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
    with contextlib.suppress(Exception):  # whatever it is: nothing is sent
        sent.send(function(*given))
