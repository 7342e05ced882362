"""Runs generators of stored results seed by seed, so that a run that was stopped goes on, and writes their files.

A generator is a function `name(seeds=range(100))` that yields its header and then its rows. The columns before `seed`
are its outer loops, those after it its inner ones; without a parameter `seeds` it is run as a whole.
"""

import hashlib
import inspect
import json
import re
import subprocess
import time
from datetime import date
from functools import cache

import numpy as np

from course_lib.threads import at_most
from data import packages
from tools.packages import PACKAGES

TARGET = packages.DATA / "claims"
ROOT = packages.DATA.parent
JOURNALS = ROOT / "build" / "claims"
README = TARGET / "README.md"
TABLE = re.compile(r"(?<=<!-- written by make claims -->\n).*?(?=<!-- until here -->)", re.DOTALL)
HEAD = "| file | made on | with the code of commit | settings | seconds of processor time |\n|---|---|---|---|---|\n"


def own_seeds(generator):
    """The seeds of what is stored; (None,) for a generator that has none."""
    parameter = inspect.signature(generator).parameters.get("seeds")
    return (None,) if parameter is None else parameter.default


def journal(generator):
    """Where finished seeds are kept until all are; other code of the library or of the generator has another file."""
    return JOURNALS / f"{generator.__name__}-{_code(generator)[:12]}.jsonl"


@cache
def _code(generator):
    found = hashlib.sha256(inspect.getsource(generator).encode())
    for path in sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py")):
        found.update(path.read_bytes())
    return found.hexdigest()


def finished(path):
    """{seed: [header, rows, seconds]} of a journal, whose last line is cut where a run was stopped."""
    whole = path.read_bytes().rpartition(b"\n")[0] if path.exists() else b""
    return {seed: rest for seed, *rest in map(json.loads, whole.splitlines())}


def run(generator, seeds):
    """(header, rows, seconds of processor time) for these seeds; what an earlier run has finished is taken from it."""
    path = journal(generator)
    path.parent.mkdir(parents=True, exist_ok=True)
    done = finished(path)
    path.write_text("".join(json.dumps([seed, *rest]) + "\n" for seed, rest in done.items()), encoding="utf-8")
    for seed in seeds:
        if seed not in done:
            begin = time.process_time()
            with at_most(1):
                header, *rows = generator() if seed is None else generator([seed])
            rows = [[value.item() if isinstance(value, np.generic) else value for value in row] for row in rows]
            done[seed] = [list(header), rows, time.process_time() - begin]
            with open(path, "a", encoding="utf-8") as file:
                file.write(json.dumps([seed, *done[seed]]) + "\n")
    parts = [done[seed] for seed in seeds]
    return parts[0][0], in_order(parts), sum(seconds for *_, seconds in parts)


def in_order(parts):
    """The rows of all seeds as one call with all seeds yields them: by the columns before `seed`, then by the seed."""
    header, rows = parts[0][0], [row for _, rows, _ in parts for row in rows]
    outer = header.index("seed") if "seed" in header else 0
    first = {key: place for place, key in reversed(list(enumerate(tuple(row[:outer]) for row in rows)))}
    return sorted(rows, key=lambda row: first[tuple(row[:outer])])


def store(generator):
    """Writes the file of a generator when all of it is there, and its line in README.md."""
    name, seeds = generator.__name__, own_seeds(generator)
    header, rows, seconds = run(generator, seeds)
    unfinished = JOURNALS / f"{name}.csv"
    packages.write_table(unfinished, header, rows)
    unfinished.replace(TARGET / f"{name}.csv")
    settings = "–" if seeds[0] is None else f"{len(seeds)} seeds, {seeds[0]} … {seeds[-1]}"
    note(f"| `{name}.csv` | {date.today()} | {commit()} | {settings} | {seconds:.0f} |")
    print(f"{name}.csv: {len(rows)} rows, {seconds:.0f} s of processor time", flush=True)


def commit():
    """The commit whose code is run, and whether the library was changed since."""
    found = _git("rev-parse", "--short", "HEAD")
    return found + (
        " and changes" if found and _git("status", "--porcelain", *PACKAGES, "data/claims/make.py") else ""
    )


def _git(*words):
    return subprocess.run(["git", "-C", str(ROOT), *words], capture_output=True, text=True, check=False).stdout.strip()


def note(line, readme=README):
    """Writes one line of the table in README.md anew, or adds it."""
    text, name = readme.read_text(encoding="utf-8"), line.split("`")[1]
    rows = {row.split("`")[1]: row for row in TABLE.search(text).group().splitlines()[2:]} | {name: line}
    readme.write_text(
        TABLE.sub(lambda _: HEAD + "\n".join(rows.values()) + "\n", text), encoding="utf-8", newline="\n"
    )
