"""What students get: a folder of their own, as a zip file and as the branch `for-students`.

    git push ADDRESS for-students:main      publishes the branch, for git, nbgitpuller and Binder

The branch holds what the zip file holds and nothing else, so publishing it never publishes a solution. The lectures
lose the speaker's notes, and the results of their folded cells stay here; README, Makefile and .gitignore come from
students/. `.delivered.json` lists what was delivered: `make update` needs it to know what a student has changed since.
"""

import os
import subprocess
import tempfile
import zipfile
from pathlib import Path

import nbformat

from tools import notebooks, update
from tools.packages import PACKAGES

TOP_FILES = (
    "LICENSE",
    "CITATION.cff",
    "pyproject.toml",
    "constraints.txt",
    "environment.yml",
    "tools/lab.mk",
    "tools/make_venv.sh",
    "tools/check.py",
    "tools/update.py",
)
TOP_FOLDERS = ("lectures", "exercises", *PACKAGES, "data", "apps")
STUDENTS_FOLDER = "students"
IGNORED_NAMES = ("__pycache__", ".ipynb_checkpoints", "sessions", "recordings", "class", notebooks.RESULTS_FOLDER)
ZIP = Path("dist/course_for_students.zip")
BRANCH = "for-students"
OLDEST_DATE = (1980, 1, 1, 0, 0, 0)


class BundleError(RuntimeError):
    """The bundle cannot be made; the message says why."""


def contents(folder):
    """Bytes of every file under a folder by its relative path, without what programs leave there."""
    files = sorted(path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    return {
        path.as_posix(): (folder / path).read_bytes() for path in files if not set(IGNORED_NAMES) & set(path.parts)
    }


def bundle(root):
    """What students get of the course in `root`, as {path: bytes}, the same bytes always.

    Raises
    ------
    BundleError
        If a file or folder that students need does not exist.
    """
    missing = [name for name in (*TOP_FILES, *TOP_FOLDERS, STUDENTS_FOLDER) if not Path(root, name).exists()]
    if missing:
        raise BundleError(f"Students need {', '.join(missing)}, which {root} does not have.")
    files = {name: Path(root, name).read_bytes() for name in TOP_FILES}
    for folder in TOP_FOLDERS:
        files |= {f"{folder}/{name}": data for name, data in contents(Path(root, folder)).items()}
    lectures = {name for name in files if name.startswith("lectures/") and name.endswith(".ipynb")}
    files |= {name: for_students(files[name]) for name in lectures} | contents(Path(root, STUDENTS_FOLDER))
    return files | {update.DELIVERED: update.manifest(files)}


def for_students(data):
    """A lecture without what is only for its speaker, and without what a teacher's run has put into it, as bytes."""
    book = nbformat.reads(data.decode(), as_version=4)
    book.cells = [cell for cell in book.cells if cell.metadata.get("slideshow", {}).get("slide_type") != "notes"]
    for cell in filter(notebooks.is_folded, book.cells):
        cell.outputs = [nbformat.from_dict(notebooks.NOT_RUN)]
    return (nbformat.writes(book).rstrip("\n") + "\n").encode()


def pack(files, target):
    """Writes {path: bytes} to a zip file, in a folder called course."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in sorted(files):
            entry = zipfile.ZipInfo(f"course/{name}", OLDEST_DATE)
            entry.external_attr = (0o755 if name.endswith(".sh") else 0o644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, files[name])


def commit(files, root):
    """Puts {path: bytes} on the branch of the students in the repository `root`, and leaves all else in it alone.

    Returns
    -------
    str : a sentence about what was done
    """
    if not (root / ".git").exists():
        return f"This folder is no git repository, so there is no branch {BRANCH}; the zip file is there."
    with tempfile.TemporaryDirectory() as place:
        for name, data in files.items():
            path = Path(place, "course", name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
            path.chmod(0o755 if name.endswith(".sh") else 0o644)

        def git(*words):
            index = {"GIT_INDEX_FILE": str(Path(place, "index")), "GIT_WORK_TREE": str(Path(place, "course"))}
            done = subprocess.run(
                ["git", f"--git-dir={_git_folder(root)}", "-c", "core.autocrlf=false", *words],
                cwd=Path(place, "course"), env=os.environ | index, capture_output=True, text=True, check=False,
            )  # fmt: skip
            if done.returncode and words[0] != "rev-parse":
                raise BundleError(f"git {words[0]} failed: {done.stderr.strip()}")
            return done.stdout.strip()

        git("add", "--all", "--force", ".")
        tree, before = git("write-tree"), git("rev-parse", "--verify", "--quiet", f"refs/heads/{BRANCH}")
        if before and git("rev-parse", f"{before}^{{tree}}") == tree:
            return f"The branch {BRANCH} is up to date."
        parents = ["-p", before] if before else []
        made = git("commit-tree", tree, *parents, "-m", "Bring the course up to date")
        git("update-ref", f"refs/heads/{BRANCH}", made)
    return f"The branch {BRANCH} has a new version. Publish it: git push ADDRESS {BRANCH}:main"


def _git_folder(root):
    found = subprocess.run(
        ["git", "-C", str(root), "rev-parse", "--absolute-git-dir"], capture_output=True, text=True, check=True
    )
    return found.stdout.strip()
