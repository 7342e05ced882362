"""Updates a student's folder without ever overwriting their work.

    make update                      from where the course came from (git, or the address FROM in the Makefile)
    make update FROM=course.zip      from a zip file, its address (https://…), or a folder that holds it unpacked

Every copy of the course has a list of what was delivered (`.delivered.json`). So three versions of a file can be
told apart: the delivered one, yours, and the new one. What you did not touch is renewed. What you changed stays, and
the new version is put beside it under a name of its own. An exercise in which you have changed answers, or added
cells, and nothing else, is renewed with your answers in it, and kept as it was beside that. What is missing comes
back, so a fresh copy is had by giving yours another name. Running a notebook changes its outputs; only changed cells
count as your work. Of a notebook it says which cells are new.

This needs nothing but Python, so that a broken environment can be mended by it.
"""

import argparse
import hashlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request
import zipfile
from pathlib import Path, PurePosixPath

DELIVERED = ".delivered.json"
FORMAT = 1
WAIT = 60  # seconds for an answer from the network
WRITTEN = ("source", "outputs", "execution_count")  # of a cell, by its owner
MAX_NAMED, MAX_TITLE = 5, 50  # cells of a notebook that are named, by so many letters of a line


class UpdateError(RuntimeError):
    """The folder cannot be updated; nothing was changed. The message says what to do."""


def prints(name, data):
    """Fingerprints of a file: of all its bytes, of its content without outputs, and of each cell of a notebook.

    A notebook's name ends in .ipynb; only its cells count as work, not their outputs.

    Returns
    -------
    list of two str; of a notebook three, the last has a word for each cell (version 0.1.0 delivered none)
    """
    whole, cells = hashlib.sha256(data).hexdigest(), _cells(name, data)
    if not cells:
        return [whole, whole]
    return [whole, hashlib.sha256(json.dumps(cells).encode()).hexdigest(), " ".join(map(_print, cells))]


def _cells(name, data):
    """The source of each cell of a notebook; empty for any other file, where every byte counts."""
    try:
        return [_written(cell) for cell in json.loads(data)["cells"]] if name.endswith(".ipynb") else []
    except (ValueError, KeyError, TypeError):
        return []


def _print(written):
    return hashlib.sha256(json.dumps(written).encode()).hexdigest()[:8]


def new_cells(name, delivered, data):
    """Text that names the new cells of a notebook; empty if they are not known.

    Parameters
    ----------
    name : of the notebook;  delivered : fingerprints in the old list, or None;  data : bytes of the new one
    """
    if not delivered or len(delivered) < 3:
        return ""
    known, cells = delivered[2].split(), enumerate(_cells(name, data), start=1)
    found = [f"{number} ({_told(cell[1])})" for number, cell in cells if _print(cell) not in known]
    more = f" and {len(found) - MAX_NAMED} more" if len(found) > MAX_NAMED else ""
    return f"cell{'s' * (len(found) > 1)} {', '.join(found[:MAX_NAMED])}{more}" if found else ""


def _told(source):
    """The first non-empty line of a cell, without Markdown marks and tags."""
    lines = (re.sub(r"<[^>]*>", "", line).strip("#*> ") for line in source.splitlines())
    line = next(filter(None, lines), "")
    return line if len(line) <= MAX_TITLE else f"{line[: MAX_TITLE - 1]}…"


def _written(cell):
    source = cell["source"]
    return [cell["cell_type"], source if isinstance(source, str) else "".join(source), cell.get("attachments", {})]


def merged(name, present, delivered, data):
    """The new version of an exercise with the answers and the added cells of its owner, as bytes.

    None where they have changed, or taken away, anything else: then nobody but they can tell what belongs where.

    Parameters
    ----------
    name : of the notebook;  present : bytes of the owner's, data : of the new one
    delivered : fingerprints of what the owner was given, or None
    """
    if not (name.startswith("exercises/") and delivered and len(delivered) == 3 and _cells(name, present)):
        return None
    known, book, at = delivered[2].split(), json.loads(data), 0
    mine = [(cell, _print(_written(cell)), _answer(cell)) for cell in json.loads(present)["cells"]]
    answers = {_answer(cell): cell for cell in book["cells"] if _answer(cell)}
    changed = [answer for _, print_, answer in mine if print_ not in known and answer in answers]
    if len(set(changed)) < len(changed) or len(set(known) - {print_ for _, print_, _ in mine}) > len(changed):
        return None
    for cell, print_, answer in mine:
        if print_ not in known and answer not in changed:
            book["cells"].insert(at, cell | ({"id": f"mine-{at}"} if "id" in cell else {}))
            at += 1
            continue
        if answer in changed:
            answers[answer].update({part: cell[part] for part in WRITTEN if part in cell})
        there = [k for k, one in enumerate(book["cells"], 1) if _print(_written(one)) == print_]
        at = max([at, *there[:1]])
    return (json.dumps(book, indent=1, ensure_ascii=False, sort_keys=True) + "\n").encode()


def _answer(cell):
    """The name under which a cell's answer is graded, or None."""
    about = cell.get("metadata", {}).get("nbgrader", {})
    return about.get("grade_id") if about.get("solution") else None


def manifest(files):
    """The list of files of a delivery {path: bytes}, as bytes."""
    listed = {name: prints(name, files[name]) for name in sorted(files)}
    return (json.dumps({"format": FORMAT, "files": listed}, indent=0, ensure_ascii=False) + "\n").encode()


def read_manifest(data):
    """{path: fingerprints} from a list made by `manifest`.

    Raises
    ------
    UpdateError
        If it is none, or if a path leads out of the folder.
    """
    try:
        found = json.loads(data)
        known, files = found["format"], {str(name): list(map(str, both)) for name, both in found["files"].items()}
    except (ValueError, KeyError, TypeError, AttributeError):
        raise UpdateError(f"The list {DELIVERED} is missing or damaged. Get a fresh copy of the course.") from None
    if known != FORMAT:
        raise UpdateError(
            f"{DELIVERED} has format {known}, but this tool reads only {FORMAT}. Get a fresh copy of the course."
        )
    for name in files:
        path = PurePosixPath(name)
        if path.is_absolute() or ".." in path.parts or "\\" in name or not path.parts:
            raise UpdateError(f"{DELIVERED} lists {name!r}, which is outside the course.")
    return files


def update(root, new):
    """Updates the folder `root` to the delivery `new`, and keeps the owner's changes.

    Parameters
    ----------
    root : Path of the student's folder
    new : {path: bytes} of the delivery, with its list

    Returns
    -------
    list of str : a line for everything that the owner should know

    Raises
    ------
    UpdateError
        If one of the two lists is missing or damaged, or the delivery is not complete.
    """
    old, wanted = read_manifest(_read(root / DELIVERED) or b""), read_manifest(new.get(DELIVERED, b""))
    if missing := sorted(set(wanted) - set(new)):
        raise UpdateError(
            f"The new version is incomplete: {missing[0]} is missing. Download it again. Nothing was changed."
        )
    actions, told = [], []
    for name in sorted(old.keys() | wanted.keys()):
        writes, line = _settle(root, name, old.get(name), wanted.get(name), new.get(name))
        actions += [(root / path, data) for path, data in writes.items()]
        if writes and name in wanted and (cells := new_cells(name, old.get(name), new[name])):
            line = f"{(line or f'{name} was updated').removesuffix('.')}. New: {cells}."
        told += [line] if line else []
    for path, data in actions:
        path.unlink() if data is None else _write(path, data)
    _write(root / DELIVERED, new[DELIVERED])
    return [*told, f"{len(actions)} files were written or removed." if actions else "Everything was up to date."]


def _settle(root, name, delivered, wanted, data):
    """What to do about one file: ({name: bytes to write, None to remove it}; a line for its owner, or None).

    `delivered` and `wanted` are the fingerprints in the old and in the new list; None: it is in one of them only.
    `data` are its new bytes.
    """
    present = _read(root / name)
    if present is None:
        back = delivered and wanted
        return ({name: data} if wanted else {}), (f"{name} was missing and has been restored." if back else None)
    mine = prints(name, present)
    if delivered and mine[1] == delivered[1]:
        same = wanted and (wanted[0] == delivered[0] or wanted[0] == mine[0])
        return ({} if same else {name: data}), None
    if wanted is None:
        return {}, f"{name} is no longer part of the course. Yours has changes and is kept."
    if mine[1] == wanted[1] or (delivered and delivered[0] == wanted[0]):
        return {}, None
    if (both := merged(name, present, delivered, data)) is not None:
        beside = _beside(root, name, mine, "before")
        kept = f"Beside it is yours from before: {PurePosixPath(beside).name}"
        return {name: both, beside: present}, f"{name} was updated, with your answers in it. {kept}"
    beside = _beside(root, name, wanted, "new")
    return {beside: data}, (
        f"{name} has your changes and is kept. The new version is beside it: {PurePosixPath(beside).name}"
    )


def _beside(root, name, wanted, word):
    """A free name with a word beside that of a file, or the one that has the wanted version already."""
    path, number = PurePosixPath(name), 1
    while True:
        beside = str(path.with_name(f"{path.stem}.{word}{'' if number == 1 else number}{path.suffix}"))
        there = _read(root / beside)
        if there is None or prints(name, there)[1] == wanted[1]:
            return beside
        number += 1


def _read(path):
    """Bytes of a file, or None if there is none."""
    try:
        return path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as reason:
        raise UpdateError(
            f"{path} cannot be read ({reason.strerror}). Give it another name. Nothing was changed."
        ) from None


def _write(path, data):
    """Write a file completely or not at all, so that the next update can finish an interrupted one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, passing = tempfile.mkstemp(dir=path.parent, prefix=".update-")
    with os.fdopen(descriptor, "wb") as file:
        file.write(data)
    os.chmod(passing, 0o755 if path.suffix == ".sh" else 0o644)
    os.replace(passing, path)


def fetch(source, root):
    """The new delivery as {path: bytes}: from git if no source is given, from an address, a zip file or a folder.

    Raises
    ------
    UpdateError
        If it cannot be had; the message says why and what to do.
    """
    if not source:
        return from_git(root)
    if "://" in source:
        return from_zip(_download(source), source)
    path = Path(source)
    if path.is_dir():
        found = [one for one in path.rglob("*") if one.is_file() and ".git" not in one.relative_to(path).parts]
        return {one.relative_to(path).as_posix(): one.read_bytes() for one in found}
    if not path.is_file():
        raise UpdateError(f"FROM={source} is not a file, folder or address. Nothing was changed.")
    return from_zip(path.read_bytes(), source)


def _download(address):
    try:
        with urllib.request.urlopen(address, timeout=WAIT) as answer:
            return answer.read()
    except (urllib.error.URLError, OSError, ValueError) as reason:
        raise UpdateError(
            f"{address} cannot be reached ({reason}). Is there a network? Nothing was changed."
        ) from None


def from_zip(data, source):
    """{path: bytes} of a zip file; a common top folder is removed from the paths."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            files = {name: archive.read(name) for name in archive.namelist() if not name.endswith("/")}
    except zipfile.BadZipFile:
        raise UpdateError(f"{source} is not a complete zip file. Download it again. Nothing was changed.") from None
    lists = [name for name in files if PurePosixPath(name).name == DELIVERED]
    if not lists:
        raise UpdateError(f"{source} has no {DELIVERED}: it is not a version of this course. Nothing was changed.")
    above = min(lists, key=len).removesuffix(DELIVERED)
    return {name.removeprefix(above): content for name, content in files.items() if name.startswith(above)}


def from_git(root):
    """{path: bytes} of the newest version of the branch that this copy was cloned from."""
    if not (root / ".git").exists():
        raise UpdateError(
            "Where is the new version? This copy is not a git clone, and no address is known. "
            "Get the new zip file, then run: make update FROM=course_for_students.zip"
        )
    fetched = _git(root, "fetch", "--quiet")
    if fetched.returncode:
        raise UpdateError(f"git could not fetch: {fetched.stderr.decode().strip()}. Nothing was changed.")
    packed = _git(root, "archive", "--format=zip", "@{upstream}")
    if packed.returncode:
        raise UpdateError(f"git does not know where this copy comes from: {packed.stderr.decode().strip()}.")
    return from_zip(packed.stdout, "What git fetched")


def tell_git(root):
    """Moves a clone's branch to the fetched one, without touching files; a branch with own commits is left alone."""
    if _git(root, "merge-base", "--is-ancestor", "HEAD", "@{upstream}").returncode == 0:
        _git(root, "reset", "--quiet", "--mixed", "@{upstream}")


def _git(root, *words):
    if shutil.which("git") is None:
        raise UpdateError(
            "This copy is a git clone, but git is not installed. Install it, or pass a file: make update FROM=…"
        )
    return subprocess.run(["git", "-C", str(root), *words], capture_output=True, check=False)


def main(arguments=None):
    """The command; returns its exit status."""
    parser = argparse.ArgumentParser(prog="make update", description=__doc__.splitlines()[0])
    parser.add_argument("source", nargs="?", default="", help="zip file, its address, or a folder; else git is asked")
    parser.add_argument("--root", type=Path, default=Path(__file__).resolve().parent.parent, help="your folder")
    given = parser.parse_args(arguments)
    try:
        told = update(given.root, fetch(given.source, given.root))
        if not given.source:
            tell_git(given.root)
    except UpdateError as reason:
        print(reason, file=sys.stderr)
        return 1
    print("\n".join(told))
    return 0


if __name__ == "__main__":
    sys.exit(main())
