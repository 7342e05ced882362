"""Temporary folders that do not stay when their process is killed: the next one of their kind removes them."""

import contextlib
import os
import shutil
import tempfile
from pathlib import Path

PROCESSES = Path("/proc")


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


def _ours(pattern):
    """Folders for temporary files that are ours, and no links."""
    found = Path(tempfile.gettempdir()).glob(pattern)
    return [path for path in found if path.is_dir() and not path.is_symlink() and path.stat().st_uid == os.getuid()]
