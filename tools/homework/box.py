"""The box in which a student's notebook runs, made with bubblewrap out of Linux's namespaces.

Inside there is no network and nobody else: other processes, other students' files, the solutions and the gradebook do
not exist there. Python, its packages and the course's library can be read; one folder, made for this submission, can
be written. What comes out is data, which the grader checks.

A `Watch` looks at the box from outside. It ends it when it has had more than its `Limits`; all that was started inside
ends with it.
"""

import functools
import os
import re
import shutil
import signal
import stat
import subprocess
import sys
import threading
from dataclasses import dataclass
from pathlib import Path

import matplotlib
import psutil

import course_lib
from tools.homework import groups

PROGRAM = "bwrap"
READABLE = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/etc/alternatives", "/etc/fonts", "/etc/ld.so.cache")
LOOK_SECONDS = 0.2
LATE = 60  # seconds beyond its limit on the clock, after which a box ends that nobody watches any more
KEPT = ("PATH", "LANG", "LC_ALL", "TZ", "OMP_NUM_THREADS")  # of the environment
MEGABYTE = 2**20
PASSING = 64 * MEGABYTE  # bytes that fit into /tmp, and into /dev/shm
FEWEST = 4096  # bytes that a file counts at least
DEEPEST = 100  # folders in each other
SHARED = re.compile(r"^(\w+)-(\w+) ..[^ ]s \S+ (\S+ \d+) +(?:/memfd:|/dev/zero|/SYSV)", re.MULTILINE)
LIBRARY = Path(course_lib.__file__).parent
INSTALL = (
    "Install it (Debian and Ubuntu: apt install bubblewrap), or run make grade in a container that allows user "
    "namespaces. Without a box, what students hand in can read the solutions and change your files; "
    "--unsafe says that this is accepted."
)


class NoBox(RuntimeError):
    """Boxes cannot be made here; the message says why, and what to do."""


@dataclass(frozen=True)
class Limits:
    """What a submission may use.

    Parameters
    ----------
    cell_seconds : processor time of one cell
    wall_seconds : time on the clock of all of it; nobody loses points by that, but has to be graded again
    memory, disk, printed : bytes in main memory, in files, and of one cell's outputs
    processes : how many at the same time
    """

    cell_seconds: float = 60
    wall_seconds: float = 1800
    memory: int = 2048 * MEGABYTE
    disk: int = 500 * MEGABYTE
    printed: int = 20 * MEGABYTE
    processes: int = 64


@functools.cache
def require():
    """Nothing, if boxes can be made here.

    Raises
    ------
    NoBox
        If bubblewrap is missing, or may not make namespaces.
    """
    if shutil.which(PROGRAM) is None:
        raise NoBox(f"there is no {PROGRAM} (bubblewrap) on this system. {INSTALL}")
    tried = subprocess.run([*_walls(), "true"], capture_output=True, text=True)
    if tried.returncode:
        raise NoBox(f"bubblewrap cannot make a box here ({tried.stderr.strip()}). {INSTALL}")


def furnish(folder):
    """Makes a folder that a box may write: a home with Matplotlib's list of fonts, compiled code of the library.

    Each box gets copies: what one student changes there, no other one runs.
    """
    (folder / "home" / "matplotlib").mkdir(parents=True)
    for fonts in Path(matplotlib.get_cachedir()).glob("fontlist*.json"):
        shutil.copy2(fonts, folder / "home" / "matplotlib")
    for part in _compiled():
        shutil.copytree(LIBRARY / part, folder / "library" / part)


def environment(folder):
    """Environment of what runs in the box."""
    home = folder / "home"
    return {
        **{name: os.environ[name] for name in KEPT if name in os.environ},
        "HOME": str(home),
        "IPYTHONDIR": str(home / "ipython"),
        "MPLCONFIGDIR": str(home / "matplotlib"),
        "PYTHONPATH": str(LIBRARY.parent),
        "PYTHONDONTWRITEBYTECODE": "1",
    }


def command(readable, folder, limits, start):
    """The words before a command that put it into a box.

    Parameters
    ----------
    readable : Paths that can be read besides Python and the library
    folder : Path that can be written, see `furnish`
    start : Path in which the command starts
    limits : Limits; of memory and files each process has its own, the Watch sees to their sum
    """
    limited = "prlimit", f"--data={limits.memory}", f"--fsize={limits.disk}", "--core=0"
    places = *_python(), LIBRARY, LIBRARY.parent / "data", *readable
    seen = [word for path in places for word in _bind("--ro-bind", path)]
    own = [word for part in _compiled() for word in ("--bind", str(folder / "library" / part), str(LIBRARY / part))]
    last = "--remount-ro", "/", "--unsetenv", "JPY_PARENT_PID", "--chdir", str(start)
    # A grader that is killed while bubblewrap starts is not seen to die; such a box ends by itself.
    late = "timeout", "--foreground", "--signal=KILL", str(limits.wall_seconds + LATE)
    threads = "prlimit", f"--nproc={groups.tasks(limits.processes)}"  # counted in the box's own user namespace
    return [*limited, *_walls(), *seen, *_bind("--bind", folder), *own, *last, *late, *threads]


def _walls():
    """bubblewrap with namespaces of its own for everything, and the system's programs."""
    system = [word for path in READABLE if os.path.exists(path) for word in _bind("--ro-bind", path)]
    return [
        *(PROGRAM, "--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL", *system),
        *("--proc", "/proc", "--dev", "/dev", *_small("/tmp"), *_small("/dev/shm"), "--remount-ro", "/dev"),
        *("--hostname", "box"),
    ]


def _small(place):
    return ["--size", str(PASSING), "--tmpfs", place]


def _bind(how, path):
    return [how, str(path), str(path)]


def _python():
    """Folders of the interpreter and its packages."""
    return dict.fromkeys(Path(path) for path in (sys.base_prefix, sys.prefix) if not path.startswith("/usr"))


@functools.cache
def _compiled():
    """Folders of the library whose compiled code Numba keeps beside them, where it wants to write."""
    return tuple(sorted({path.parent.parent.relative_to(LIBRARY) for path in LIBRARY.rglob("__pycache__/*.nbi")}))


# --------------------------------------------------------------------------------------------------- seen from outside


def family(pid):
    """The process and all that it has started, as psutil knows them."""
    try:
        first = psutil.Process(pid)
        return [first, *first.children(recursive=True)]
    except psutil.NoSuchProcess:
        return []


def processor_seconds(pid):
    """Processor time of a box until now: of what runs in it, and of what has ended there."""
    return sum(sum(times[:4]) for times in _each(family(pid), lambda one: one.cpu_times()))


def memory_used(processes, enough=0):
    """Bytes in main memory, those that are shared once; in a hurry, more than once, while that is not `enough`."""
    most = sum(_each(processes, lambda one: one.memory_info().rss))
    return most if most <= enough else sum(_each(processes, lambda one: one.memory_full_info().pss))


def _each(processes, what):
    found = []
    for one in processes:
        try:
            found.append(what(one))
        except (psutil.NoSuchProcess, psutil.AccessDenied, OSError):
            continue  # it has ended since, or is bubblewrap itself
    return found


def memory_beside(processes):
    """Bytes in memory that belong to no process: files of /dev/shm, and what is shared without a file."""
    shared = {}
    for text in _each(processes, lambda one: _read(f"/proc/{one.pid}/maps")):
        for begin, end, which in SHARED.findall(text):
            shared[which] = max(shared.get(which, 0), int(end, 16) - int(begin, 16))
    rooms = _each(processes[-1:], lambda one: os.statvfs(Path("/proc", str(one.pid), "root", "dev", "shm")))
    return sum(shared.values()) + sum((room.f_blocks - room.f_bfree) * room.f_frsize for room in rooms)


def unlinked(processes, folder):
    """(bytes of memory, bytes on the disk of `folder`) in files without a name that processes hold open."""
    disk, sizes = os.stat(folder).st_dev, {}
    for one in processes:
        place = f"/proc/{one.pid}/fd"
        opened = [name for names in _each([place], os.listdir) for name in names]
        for about in _each(opened, lambda name, place=place: os.stat(f"{place}/{name}")):
            if stat.S_ISREG(about.st_mode) and not about.st_nlink:
                sizes[about.st_dev, about.st_ino] = about.st_blocks * 512
    on_disk = sum(size for (device, _), size in sizes.items() if device == disk)
    return sum(sizes.values()) - on_disk, on_disk


def _read(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


def disk_used(folder):
    """Bytes of the files in a folder, each at least `FEWEST`; no link is followed. None if it is nested too deep."""
    size, waiting = 0, [(os.fspath(folder), 0)]
    while waiting:
        place, depth = waiting.pop()
        if depth > DEEPEST:
            return None
        try:
            with os.scandir(place) as inside:
                for one in inside:
                    size += max(one.stat(follow_symlinks=False).st_blocks * 512, FEWEST)
                    if one.is_dir(follow_symlinks=False):
                        waiting.append((one.path, depth + 1))
        except OSError:
            continue  # it has gone since, or is closed even to its owner
    return size


def remove(folder):
    """Removes a folder of a box, however deep it is nested, and whatever its owner may do there."""
    for words in (["chmod", "-R", "u+rwX"], ["rm", "-rf"]):
        subprocess.run([*words, "--", folder], stderr=subprocess.DEVNULL, check=False)


class Watch:
    """Looks at a box from time to time and ends it once it has more than its limits; `verdict` then says why.

    Parameters
    ----------
    pid : of the first process of the box
    folder : Path that the box can write
    limits : Limits
    """

    def __init__(self, pid, folder, limits):
        self.pid, self.folder, self.limits, self.verdict = pid, folder, limits, ""
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)
        self._thread.start()

    def stop(self):
        """Looks no more."""
        self._over.set()
        self._thread.join()

    def end(self, verdict):
        """Ends the box and all that runs in it; the first verdict stays."""
        self.verdict = self.verdict or verdict
        for one in family(self.pid):
            try:
                one.send_signal(signal.SIGKILL)
            except psutil.NoSuchProcess:
                continue

    def _look(self):
        while not self._over.wait(LOOK_SECONDS):
            try:
                verdict = self._too_much()
            except Exception as error:  # a box that nobody watches must not go on
                verdict = f"the watch could not look at it ({type(error).__name__}: {error})"
            if verdict:
                self.end(verdict)

    def _too_much(self):
        limits, processes = self.limits, family(self.pid)
        if len(processes) > limits.processes + 3:  # bubblewrap itself has two, and there is what ends it late
            return f"it started more than {limits.processes} processes; {groups.held_by()}"
        nameless, files = unlinked(processes, self.folder)
        beside = memory_beside(processes) + nameless
        if beside + memory_used(processes, limits.memory - beside) > limits.memory:
            return f"it used more than {limits.memory // MEGABYTE} MB of memory"
        written = disk_used(self.folder)
        if written is None:
            return f"it nested more than {DEEPEST} folders"
        if written + files > limits.disk:
            return f"it wrote more than {limits.disk // MEGABYTE} MB of files"
        return ""
