"""The box in which a student's notebook runs, made with bubblewrap out of Linux's namespaces.

Inside there is no network and nobody else: other processes, other students' files, the solutions and the gradebook do
not exist there. Python, its packages and the course's library can be read; one place, the desk, can be written. What
comes out is data, which the grader checks.

There are two boxes in each other. The outer one has the desk, a file system in memory that holds no more than its
size, and is where root becomes a user without rights, who can reach nothing else. The inner one, made by that user,
has the walls; no further namespaces can be made in it.

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
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path

import matplotlib
import psutil

import course_lib
from tools.homework import groups
from tools.packages import PACKAGES

PROGRAM = "bwrap"
READABLE = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/etc/alternatives", "/etc/fonts", "/etc/ld.so.cache")
LOOK_SECONDS = 0.2
SECONDS_OVERDUE = 60  # seconds beyond its limit on the clock, after which a box ends that nobody watches any more
KEPT_ENVIRONMENT = ("PATH", "LANG", "LC_ALL", "TZ", "OMP_NUM_THREADS")  # of the environment
MEGABYTE = 2**20
TEMPORARY_BYTES = 64 * MEGABYTE  # bytes that fit into /tmp, and into /dev/shm
FILE_BYTES = 4096  # that a file counts beside what it holds
MORE_DISK = 1.1  # than the watch allows, which ends a box before others find the desk full
DESK = Path("/desk")  # in the box; it begins as a copy of a folder, which runs nothing before it is there
NOBODY_UID = "65534"  # whom root becomes; nothing of the system is this user's
COPY = 'cp -R "$0/." "$1" && touch "$1/ready" && shift && exec "$@"'
OWN_PROCESSES = 5  # processes that are not the student's: bubblewrap has four, and there is what ends it late
START_SECONDS = 600
SHARED = re.compile(r"^(\w+)-(\w+) ..[^ ]s \S+ (\S+ \d+) +(?:/memfd:|/dev/zero|/SYSV)", re.MULTILINE)
LIBRARY_FOLDER = Path(course_lib.__file__).parent
INSTALL = (
    "Install bubblewrap 0.8 or newer (Debian and Ubuntu: apt install bubblewrap), and let users make namespaces. "
    "Root grades as the user nobody, who must be able to read Python, its packages and the library. "
    "Without a box, what students hand in can read the solutions and change your files; --unsafe says that this is "
    "accepted."
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
    """Raise an error unless boxes can be made here.

    Raises
    ------
    NoBox
        If bubblewrap is missing, or may not make namespaces.
    """
    if shutil.which(PROGRAM) is None:
        raise NoBox(f"there is no {PROGRAM} (bubblewrap) on this system. {INSTALL}")
    with tempfile.TemporaryDirectory(prefix="box-") as place:
        words = command([], furnish(Path(place, "desk")), Limits())
        tried = subprocess.run([*words, sys.executable, "-c", "import course_lib"], capture_output=True, text=True)
    if tried.returncode:
        raise NoBox(f"bubblewrap cannot make a box here ({tried.stderr.strip()}). {INSTALL}")


def furnish(folder):
    """Makes the folder of which a desk will be a copy, and returns it.

    It has a home with Matplotlib's list of fonts, compiled code of the library, and a place to work. Each box gets
    copies: what one student changes there, no other one runs.
    """
    (folder / "work").mkdir(parents=True)
    (folder / "home" / "matplotlib").mkdir(parents=True)
    for fonts in Path(matplotlib.get_cachedir()).glob("fontlist*.json"):
        shutil.copy2(fonts, folder / "home" / "matplotlib")
    for part in _compiled():
        shutil.copytree(LIBRARY_FOLDER / part, folder / "library" / part)
    return folder


def give(folder):
    """Lets the box's user read a folder of root's, and copy it."""
    if os.geteuid() == 0:
        subprocess.run(["chown", "-Rh", f"{NOBODY_UID}:{NOBODY_UID}", folder], check=True)


def furnished_bytes():
    """Bytes of the compiled code that `furnish` copies onto a desk: no submission is charged with them."""
    files = (path for part in _compiled() for path in (LIBRARY_FOLDER / part).rglob("*") if path.is_file())
    return sum(max(path.stat().st_size, FILE_BYTES) for path in files)


def environment():
    """Environment of what runs in the box."""
    home = DESK / "home"
    return {
        **{name: os.environ[name] for name in KEPT_ENVIRONMENT if name in os.environ},
        "HOME": str(home),
        "IPYTHONDIR": str(home / "ipython"),
        "MPLCONFIGDIR": str(home / "matplotlib"),
        "PYTHONPATH": str(LIBRARY_FOLDER.parent),
        "PYTHONDONTWRITEBYTECODE": "1",
    }


def command(readable, folder, limits):
    """The words before a command that put it into a box, where it starts in the folder `work` of the desk.

    Parameters
    ----------
    readable : Paths that can be read besides Python and the library
    folder : Path of what the desk begins with, see `furnish`; the box's user is given it
    limits : Limits; of memory and files each process has its own, the Watch sees to their sum
    """
    give(folder)
    limited = "prlimit", f"--data={limits.memory}", f"--fsize={limits.disk}", "--core=0"
    system = (path for path in READABLE if os.path.exists(path))
    places = [*map(Path, system), *_python(), *_course(), *readable]
    own = [word for part in _compiled() for word in _bind("--bind", DESK / "library" / part, LIBRARY_FOLDER / part)]
    inner = [*_walls(), *_seen(places), *_bind("--bind", DESK), *own, "--remount-ro", "/"]
    start = "--unsetenv", "JPY_PARENT_PID", "--chdir", str(DESK / "work")
    # A grader that is killed while bubblewrap starts is not seen to die; such a box ends by itself.
    late = "timeout", "--foreground", "--signal=KILL", str(limits.wall_seconds + SECONDS_OVERDUE)
    threads = "prlimit", f"--nproc={groups.tasks(limits.processes)}"  # counted in the box's own user namespace
    return [*limited, *_outer([*places, folder], folder, limits), *inner, *start, *late, *threads]


def _outer(places, folder, limits):
    """The outer box: it has these places and the desk with a copy of a folder, and whoever continues is not root."""
    desk = "--size", str(int(MORE_DISK * limits.disk) + furnished_bytes()), "--perms", "0777", "--tmpfs", str(DESK)
    system = "--bind", "/proc", "/proc", "--dev-bind", "/dev", "/dev", "--dir", "/tmp"
    copied = "sh", "-c", COPY, str(folder), str(DESK)
    # With its first process all others end: a parent that is root may not signal who is no longer root.
    words = [PROGRAM, "--unshare-pid", "--die-with-parent", "--cap-drop", "ALL"]
    if os.geteuid() != 0:
        return [*words, "--unshare-user", *_seen(places), *desk, *system, *copied]
    change = "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"
    becomes = "setpriv", f"--reuid={NOBODY_UID}", f"--regid={NOBODY_UID}", "--clear-groups"
    return [*words, *change, *_seen(places), *desk, *system, *becomes, *copied]


def _walls():
    """The inner box: bubblewrap with namespaces of its own for everything."""
    return [
        *(PROGRAM, "--unshare-all", "--unshare-user", "--disable-userns", "--die-with-parent", "--new-session"),
        *("--cap-drop", "ALL", "--proc", "/proc", "--ro-bind", "/proc/sys", "/proc/sys"),
        *("--dev", "/dev", *_small("/tmp"), *_small("/dev/shm"), "--remount-ro", "/dev", "--hostname", "box"),
    ]


def _seen(places):
    """Places that can be read; the folders above them are there for everybody, and have nothing else in them."""
    words = []
    for path in places:
        for above in reversed(path.parents[:-1]):
            words += ["--dir", str(above)]
        words += _bind("--ro-bind", path)
    return words


def _small(place):
    return ["--size", str(TEMPORARY_BYTES), "--tmpfs", place]


def _bind(how, path, place=None):
    return [how, str(path), str(place or path)]


def _python():
    """Folders of the interpreter and its packages."""
    return dict.fromkeys(Path(path) for path in (sys.base_prefix, sys.prefix) if not path.startswith("/usr"))


def _course():
    """What a notebook imports and reads of the course."""
    return [LIBRARY_FOLDER.parent / name for name in (*PACKAGES, "data")]


@functools.cache
def _compiled():
    """Folders of the library whose compiled code Numba keeps beside them, where it wants to write."""
    return tuple(
        sorted({path.parent.parent.relative_to(LIBRARY_FOLDER) for path in LIBRARY_FOLDER.rglob("__pycache__/*.nbi")})
    )


# --------------------------------------------------------------------------------------------------- seen from outside


def running(pid):
    """Whether a process is there and has not ended: one that nobody has waited for yet has ended, too."""
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


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


def unlinked(processes, desk):
    """Bytes of memory in files without a name that processes hold open; those of the desk count there."""
    sizes = {}
    for one in processes:
        place = f"/proc/{one.pid}/fd"
        opened = [name for names in _each([place], os.listdir) for name in names]
        for about in _each(opened, lambda name, place=place: os.stat(f"{place}/{name}")):
            if stat.S_ISREG(about.st_mode) and not about.st_nlink and about.st_dev != os.fstat(desk).st_dev:
                sizes[about.st_dev, about.st_ino] = about.st_blocks * 512
    return sum(sizes.values())


def _read(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


def disk_used(desk):
    """Bytes of all files of a desk, those without a name too; each counts `FILE_BYTES` more."""
    room = os.fstatvfs(desk)
    return (room.f_blocks - room.f_bfree) * room.f_frsize + (room.f_files - room.f_ffree) * FILE_BYTES


def opened(pid):
    """A descriptor of the desk, which also stays when its box has ended.

    pid : of the first process of the box

    Raises
    ------
    NoBox
        If the box ends before it has a desk.
    """
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end and running(pid):
        for one in family(pid)[1:2]:
            desk = f"/proc/{one.pid}/root{DESK}"
            if _each([f"{desk}/ready"], os.stat):
                return os.open(desk, os.O_RDONLY | os.O_DIRECTORY)
        time.sleep(0.01)
    raise NoBox("the box ended before anything ran in it")


class Watch:
    """Looks at a box from time to time and ends it once it has more than its limits; `verdict` then says why.

    Parameters
    ----------
    pid : of the first process of the box
    desk : descriptor of its desk;  boxed : whether it has one of its own
    limits : Limits
    """

    def __init__(self, pid, desk, limits, boxed=True):
        self.pid, self.desk, self.limits, self.boxed, self.verdict = pid, desk, limits, boxed, ""
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
        if len(processes) > limits.processes + OWN_PROCESSES:
            return f"it started more than {limits.processes} processes; {groups.held_by()}"
        beside = memory_beside(processes) + unlinked(processes, self.desk)
        if beside + memory_used(processes, limits.memory - beside) > limits.memory:
            return f"it used more than {limits.memory // MEGABYTE} MB of memory"
        if self.boxed and disk_used(self.desk) > limits.disk:
            return f"it wrote more than {limits.disk // MEGABYTE} MB of files"
        return ""
