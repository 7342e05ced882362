"""Where recordings are kept, and when one is out of date: if the code it ran, or the data it read, is another.

shelf(wanted, jobs)     records what is missing or out of date, into dist/recordings/

Another comment or docstring is not other code: a module that reads better does not play differently.
"""

import ast
import hashlib
import json
import re
import sys
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict
from functools import cache
from pathlib import Path

import matplotlib

import course_lessons
from tools import notebooks
from tools.notebooks import ROOT
from tools.packages import PACKAGES
from tools.site import live

RECORDINGS_FOLDER = ROOT / "dist" / "recordings"
DATA = ROOT / "data"
TOOLS = ("tools/site/recording.py", "course_widgets/geometry.py")


def names():
    """All explorers of the course that are recorded."""
    return [name for name in course_lessons.offered("explore") if name not in live.ALONE]


def lectures():
    """{explorer: number of the lecture that shows it}."""
    shown = {path: re.findall(r'"(explore_\w+)\(', path.read_text(encoding="utf-8")) for path in notebooks.lectures()}
    return {name: path.name[:2] for path, found in shown.items() for name in found}


def kept(name, folder=RECORDINGS_FOLDER):
    """What is known of the recording of an explorer, if there is one, of this code and these data; else None."""
    known = folder / f"{name}.json"
    if not known.exists():
        return None
    found = json.loads(known.read_text(encoding="utf-8"))
    return found if found["key"] == key(name, found["data"]) else None


def key(name, data):
    """A fingerprint of all that an explorer's pictures depend on: modules, files of data, matplotlib."""
    print_ = hashlib.sha256(matplotlib.__version__.encode())
    for path in sorted(closure(course_lessons.offered("explore")[name].__module__) | {ROOT / tool for tool in TOOLS}):
        print_.update(what_runs(path))
    for file in data:
        print_.update((ROOT / file).read_bytes() if (ROOT / file).exists() else b"gone")
    return print_.hexdigest()


@cache
def what_runs(path):
    """A module's code as bytes, without its docstrings and comments."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and ast.get_docstring(node) is not None:
            del node.body[0]
    return ast.dump(tree).encode()


@cache
def closure(module):
    """Paths of the modules of the course that this one imports, directly or not."""
    found, left = set(), [module]
    while left:
        path = source(left.pop())
        if path is not None and path not in found:
            found.add(path)
            left += imported(path)
    return found


def source(module):
    path = ROOT.joinpath(*module.split("."))
    candidates = (path.with_suffix(".py"), path / "__init__.py")
    return next((one for one in candidates if one.exists()), None) if module.partition(".")[0] in PACKAGES else None


@cache
def imported(path):
    """Names of what a module imports: modules, and what may be one."""
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            found += [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
    return found


def played():
    """Paths of the recordings that are of this code, by the name of the explorer."""
    return {name: RECORDINGS_FOLDER / f"{name}.bin" for name in names() if "cost" in (kept(name) or {})}


def shelf(wanted, jobs=1, folder=RECORDINGS_FOLDER):
    """Records what is missing, each explorer in a fresh process; what was done before stays if this is ended.

    Returns
    -------
    dict of name → what is known of it: key, data, and its cost, or why it is not recorded
    """
    folder.mkdir(parents=True, exist_ok=True)
    missing = [name for name in wanted if kept(name, folder) is None]
    if len(missing) > 1:
        print(f"{len(missing)} explorers to record; if this is ended, the next time goes on from there", flush=True)
    with ProcessPoolExecutor(jobs, max_tasks_per_child=1) as workers:
        for name, found in zip(missing, workers.map(one, missing, [folder] * len(missing)), strict=True):
            print(f"{name}: {found.get('why') or said(found['cost'])}", flush=True)
    return {name: kept(name, folder) for name in wanted}


def said(cost):
    thin = f", thinned {cost['thinned']} with at most {cost['error']:.2f} px" if cost["thinned"] else ""
    return f"{cost['states']} states, {cost['size'] / 1000:.0f} kB, {cost['seconds']:.0f} CPU-seconds{thin}"


def one(name, folder):
    """Records one explorer and keeps it; in a process of its own, which reads its data again."""
    from tools.site import recording

    read = set()
    sys.addaudithook(lambda event, args: read.add(str(args[0])) if event == "open" else None)
    found = {}
    try:
        data, cost = recording.record(course_lessons.offered("explore")[name](), *recording.HELD.get(name, ()))
        (folder / f"{name}.bin").write_bytes(data)
        found = {"cost": asdict(cost)}
    except recording.NotRecorded as reason:
        found = {"why": str(reason)}
    files = sorted(inside(path) for path in read if inside(path))
    found = {"key": key(name, files), "data": files, **found}
    (folder / f"{name}.json").write_text(json.dumps(found, indent=1), encoding="utf-8")
    return found


def inside(path):
    """A file of the course's data, as a path from the root; else None."""
    path = Path(path)
    return str(path.relative_to(ROOT)) if path.is_absolute() and path.is_relative_to(DATA) and path.is_file() else None
