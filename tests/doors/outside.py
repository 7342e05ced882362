"""What several doors need: an environment as `make` leaves it, a person's own shell, and the students' folder."""

import atexit
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import venv
import zipfile
from functools import cache
from pathlib import Path

from tools import update
from tools.homework import bundle
from tools.packages import PACKAGES

ROOT = Path(__file__).resolve().parents[2]
KEPT = ("PATH", "LANG", "LC_ALL", "TMPDIR", "OMP_NUM_THREADS")  # of our own variables, in a person's shell
NOT_LINKED = (*PACKAGES, "_editable_impl_course_lib", "pip", "__pycache__")
LONGEST_SCRIPT = 100_000  # bytes
OVERRIDES = '{"@jupyterlab/apputils-extension:notification": {"fetchNews": "false", "checkForUpdates": false}}\n'


def environment(folder):
    """Makes folder/.venv as `make` leaves it, in a second: our packages by links, and the folder's own packages.

    It has no pip, so that a Makefile that takes it for outdated fails, and cannot write through the links. A folder
    without course_lib gets an environment without it.

    Returns
    -------
    Path of its Python
    """
    folder = Path(folder).resolve()
    place, ours = folder / ".venv", Path(sys.prefix)
    venv.create(place, symlinks=True, with_pip=False)
    site = Path(sysconfig.get_path("purelib", vars={"base": str(place), "platbase": str(place)}))
    for packages in {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}:
        _link([one for one in Path(packages).iterdir() if _is_linked(one)], site)
    if (folder / "course_lib").is_dir():
        (site / "_editable_impl_course_lib.pth").write_text(f"{folder}\n", encoding="utf-8")
        (about,) = Path(sysconfig.get_path("purelib")).glob("course_lib-*.dist-info")
        (site / about.name).mkdir()
        shutil.copy(about / "METADATA", site / about.name)
        share_compiled(folder)
    _programs(ours / "bin", place / "bin")
    shutil.copytree(ours / "etc" / "jupyter", place / "etc" / "jupyter")
    share = place / "share" / "jupyter"
    _link([one for one in (ours / "share" / "jupyter").iterdir() if one.name != "lab"], share)
    _link([one for one in (ours / "share" / "jupyter" / "lab").iterdir() if one.name != "settings"], share / "lab")
    (share / "lab" / "settings").mkdir()
    (share / "lab" / "settings" / "overrides.json").write_text(OVERRIDES, encoding="utf-8")
    (place / ".home").write_text(f"{folder}\n", encoding="utf-8")
    for stamp in (".ready", ".test"):
        (place / stamp).touch()
    return place / "bin" / "python"


def _is_linked(path):
    name = path.name.split("-")[0].split(".")[0]
    return path.suffix != ".pth" and name not in NOT_LINKED


def _link(paths, folder):
    folder.mkdir(parents=True, exist_ok=True)
    for one in paths:
        if not (folder / one.name).exists():
            (folder / one.name).symlink_to(one)


def _programs(ours, theirs):
    """Console scripts that start the new Python in the place of another."""
    for one in ours.iterdir():
        script = one.read_bytes() if one.stat().st_size < LONGEST_SCRIPT else b""
        first, _, rest = script.partition(b"\n")
        if re.match(rb"#!.*/python[\d.]*$", first) and not one.name.startswith("pip"):
            (theirs / one.name).write_bytes(f"#!{theirs}/python\n".encode() + rest)
            (theirs / one.name).chmod(0o755)


def share_compiled(folder):
    """Gives each module of the course in a folder that is ours what Python and Numba have compiled of ours.

    Both ask for the time and the size of the source, so the same bytes get the same time.
    """
    for source in (path for package in PACKAGES for path in (ROOT / package).rglob("*.py")):
        theirs = folder / source.relative_to(ROOT)
        if theirs.is_file() and theirs.read_bytes() == source.read_bytes():
            shutil.copystat(source, theirs)
            for one in source.parent.glob(f"__pycache__/{source.stem}.*"):
                (theirs.parent / "__pycache__").mkdir(exist_ok=True)
                shutil.copy2(one, theirs.parent / "__pycache__")


def run(folder, *command, status=0, env=None, **more):
    """What a command does that a person gives in a folder, in a shell of their own; `more` goes to subprocess.run.

    Returns
    -------
    CompletedProcess with stdout and stderr as text

    Raises
    ------
    AssertionError
        If it ends with another status, with all that it said; status=None takes any.
    """
    done = subprocess.run(
        [*map(str, command)],
        cwd=folder,
        env=shell() | (env or {}),
        capture_output=True,
        text=True,
        check=False,
        **more,
    )
    said = f"{' '.join(map(str, command))} ended with {done.returncode}:\n{done.stdout}\n{done.stderr}"
    assert status is None or done.returncode == status, said
    return done


def shell():
    """The variables of a person who has never seen this process: their home is empty, nothing is set for Python."""
    kept = {name: os.environ[name] for name in KEPT if name in os.environ}
    ours = str(Path(sys.executable).parent)
    kept["PATH"] = os.pathsep.join(one for one in kept["PATH"].split(os.pathsep) if one != ours)
    return kept | {"HOME": _home()}


@cache
def _home():
    """One empty home for all persons of this process, gone when it ends."""
    made = tempfile.mkdtemp(prefix="home-")
    atexit.register(shutil.rmtree, made, ignore_errors=True)
    return made


def students_zip(target, changed=None):
    """The students' zip file as `make release` makes it, at `target`, with what is `changed`, {path: bytes}."""
    files = bundle.bundle(ROOT) | (changed or {})
    del files[update.DELIVERED]
    bundle.pack(files | {update.DELIVERED: update.manifest(files)}, target)
    return target


def unpacked_bundle(folder):
    """The students' zip, unpacked in an empty folder: the Path of the course in it, without an environment."""
    target = students_zip(Path(folder, "course_for_students.zip"))
    with zipfile.ZipFile(target) as archive:
        archive.extractall(folder)
    return Path(folder, "course")


def checkout(folder, without=()):
    """A git repository in an empty folder with this course as it is now, and its one commit; a Path.

    `without` are folders that are left out, as paths from the root.
    """
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\0")
    for name in filter(None, names):
        if (ROOT / name).is_file() and not any(name.startswith(f"{one}/") for one in without):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    about = [["user.name", "A teacher"], ["user.email", "teacher@example.org"]]
    for words in (
        ["init", "-q"],
        *(["config", *one] for one in about),
        ["add", "-A"],
        ["commit", "-qm", "The course"],
    ):
        run(folder, "git", *words)
    return folder
