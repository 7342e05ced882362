"""Temporary folders that do not stay when their process is killed: the next one of their kind removes them."""

import contextlib
import os
import shutil
import tempfile
import time
from pathlib import Path

from tools.homework import box

PROCESSES = Path("/proc")
BOXES, IN_A_BOX = "box-*", {"desk", "given"}  # what autograding makes, and what is in it
MAX_BOX_SECONDS = 4 * box.Limits.wall_seconds  # for which one is in use, at most


@contextlib.contextmanager
def temporary(kind):
    """The Path of a temporary folder, named by kind and process; those of dead processes are removed before."""
    clear(kind)
    with tempfile.TemporaryDirectory(prefix=f"{kind}-{os.getpid()}-", ignore_cleanup_errors=True) as place:
        yield Path(place)


def clear(kind):
    """Removes folders of this kind whose process has ended; where no system tells of processes all stay."""
    if not PROCESSES.is_dir():
        return
    for path in _ours(f"{kind}-*-*"):
        number = path.name.removeprefix(f"{kind}-").partition("-")[0]
        if number.isdecimal() and not (PROCESSES / number).exists():
            shutil.rmtree(path, ignore_errors=True)


def clear_boxes():
    """Removes what boxes have left whose grader was killed; they name no process, so only after a long time."""
    for path in _ours(BOXES):
        if {one.name for one in path.iterdir()} == IN_A_BOX and time.time() - path.stat().st_mtime > MAX_BOX_SECONDS:
            box.remove(path)


def _ours(pattern):
    """Folders for temporary files that are ours, and no links."""
    found = Path(tempfile.gettempdir()).glob(pattern)
    return [path for path in found if path.is_dir() and not path.is_symlink() and path.stat().st_uid == os.getuid()]
