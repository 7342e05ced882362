"""Limits of the kernel's for a box: control groups where they can be made, and else limits of each process.

A watch only looks from time to time; thousands of processes, or gigabytes, fit between two looks. Threads count as
processes here, so the kernel allows more of them than the watch.
"""

import contextlib
import functools
import os
import tempfile
from pathlib import Path

import psutil

CGROUP_ROOT = Path("/sys/fs/cgroup")
TASKS_EACH = 4  # threads and processes that the kernel lets a box have, for each process that its limits allow
MORE_MEMORY = 1.25  # than the watch allows, which says why it ends a box
LIMIT_FILES = {"pids": ("pids.max",), "memory": ("memory.max", "memory.limit_in_bytes")}
JOIN = 'for group in $0; do echo $$ > "$group/cgroup.procs" || exit 125; done; exec "$@"'
ENDS_SECONDS = 300


def tasks(processes):
    """How many threads and processes the kernel lets a box have."""
    return TASKS_EACH * processes + 2 * (os.cpu_count() or 1)


@functools.cache
def parents():
    """{"pids" or "memory": Path in which this process may make control groups}, of version 1 or 2."""
    found = {}
    for line in _own():
        _, controllers, path = line.split(":", 2)
        for kind in LIMIT_FILES:
            if kind in controllers.split(","):
                found[kind] = CGROUP_ROOT / kind / path.lstrip("/")
            elif not controllers:  # version 2: beside our own group, for one with processes in it has no others below
                found.setdefault(kind, (CGROUP_ROOT / path.lstrip("/")).parent)
    return {kind: place for kind, place in found.items() if _may_make(kind, place)}


def _own():
    try:
        return Path("/proc/self/cgroup").read_text(encoding="utf-8").splitlines()
    except OSError:
        return []


def _limit(kind, group):
    return next((group / name for name in LIMIT_FILES[kind] if (group / name).exists()), None)


def _may_make(kind, place):
    try:
        group = Path(tempfile.mkdtemp(prefix="box-", dir=place))
    except OSError:
        return False
    made = _limit(kind, group)
    usable = made is not None and os.access(made, os.W_OK) and os.access(group / "cgroup.procs", os.W_OK)
    group.rmdir()
    return usable


def held_by():
    """What keeps the number of processes in a box, in words."""
    if "pids" in parents():
        return "the kernel holds its control group"
    return "the kernel holds its user namespace"


@contextlib.contextmanager
def groups(limits, furnished=0):
    """Words before a command that put it into control groups with these box.Limits; none where none can be made.

    furnished : bytes in memory that the grader itself puts into the box
    """
    most = {"pids": tasks(limits.processes), "memory": int(MORE_MEMORY * limits.memory) + furnished}
    made = []
    try:
        for kind, place in parents().items():
            made.append(Path(tempfile.mkdtemp(prefix="box-", dir=place)))
            _limit(kind, made[-1]).write_text(str(most[kind]), encoding="utf-8")
        yield ["sh", "-c", JOIN, " ".join(map(str, made))] if made else []
    finally:
        for group in made:
            _remove(group)


def _remove(group):
    """Removes a group once all that was in it has ended."""
    left = []
    for one in (group / "cgroup.procs").read_text(encoding="utf-8").split():
        with contextlib.suppress(psutil.NoSuchProcess):
            left.append(psutil.Process(int(one)))
            left[-1].kill()
    psutil.wait_procs(left, timeout=ENDS_SECONDS)
    with contextlib.suppress(OSError):  # what is left of it is empty, and holds nothing
        group.rmdir()
