"""The house as a whole: one lock, floors that hold, papers that are there, what is kept."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml
from hypothesis import HealthCheck, settings
from packaging.requirements import Requirement

from tools import course_map
from tools.packages import PACKAGES

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
LOCK = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
TEXT = {".py", ".md", ".toml", ".txt", ".yml", ".cff", ".ipynb", ".sh", ".cfg", ".bib", ".svg", ".csv", ""}
LARGEST_FILE, LARGEST_DATA = 1_500_000, 5_000_000


def tool(*command, cwd=ROOT, **variables):
    """A finished run of a program of this environment."""
    return subprocess.run(
        [sys.executable, *command], cwd=cwd, capture_output=True, text=True, env={**os.environ, **variables}
    )


def kept_files():
    """Files that belong to the repository: tracked or new ones that are not ignored, with or without git."""
    if not (ROOT / ".git").exists():
        return [path for path in ROOT.rglob("*") if path.is_file() and not ignored(path.relative_to(ROOT))]
    listing = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    git = subprocess.run(listing, cwd=ROOT, capture_output=True, text=True, check=True)
    return [path for path in (ROOT / name for name in git.stdout.split("\0") if name) if path.is_file()]


def ignored(path):
    """Whether a line of .gitignore names the file or a folder that it is in: as much of git as a copy needs."""
    lines = (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()
    above = [path, *path.parents][:-1]
    return any(one.match(line.rstrip("/")) for one in above for line in lines if line and not line.startswith("#"))


# --- style and floors


def test_style():
    run = tool("-m", "ruff", "check", ".")
    assert run.returncode == 0, run.stdout


def lint_imports(folder):
    """import-linter's run over the packages in a folder, with this repository's contracts."""
    program = "from importlinter.cli import lint_imports_command; lint_imports_command()"
    options = ["--config", str(ROOT / "pyproject.toml"), "--no-cache"]
    return tool("-c", program, *options, cwd=folder, PYTHONPATH=str(folder))


def test_the_packages_are_the_same_everywhere():
    built, linted = PROJECT["tool"]["hatch"]["build"]["targets"], PROJECT["tool"]["importlinter"]["root_packages"]
    assert list(PACKAGES) == built["wheel"]["packages"] == linted
    assert {path.parent.name for path in ROOT.glob("*/__init__.py")} - {"benchmarks"} == set(PACKAGES)


def test_rooms_import_only_from_lower_floors():
    run = lint_imports(ROOT)
    assert run.returncode == 0, run.stdout + run.stderr
    tools = {path.name: path.read_text(encoding="utf-8") for path in (ROOT / "tools").rglob("*.py")}
    assert not [name for name, text in tools.items() if re.search(r"\b(from|import) tests\b|[\"']tests\.", text)]


@pytest.mark.parametrize(
    ("room", "line"),
    [
        ("course_lib/sequences", "import course_widgets"),
        ("course_lib/gp/latent.py", "from course_studies import effects"),
        ("course_widgets/frame.py", "import course_lessons"),
        ("course_personaliser", "import course_studies"),
        ("course_lessons/hmm/plots.py", "from course_lessons.dtw import plots"),
        ("course_lib/audio", "from course_lib import sequences"),
        ("course_checks", "from course_lib import sequences"),
        ("course_lib/sequences", "import course_checks"),
    ],
)
def test_an_import_from_above_is_noticed(tmp_path, room, line):
    for package in PACKAGES:
        shutil.copytree(ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__"))
    module = tmp_path / room
    module = module if module.is_file() else module / "__init__.py"
    module.write_text(f"{line}\n" + module.read_text(encoding="utf-8"), encoding="utf-8")
    run = lint_imports(tmp_path)
    assert run.returncode == 1, run.stdout + run.stderr
    assert "BROKEN" in run.stdout


# --- the lock and the environments made from it


def pins():
    """{name: [lines]} of the lock."""
    found = {}
    for line in LOCK:
        found.setdefault(Requirement(line).name, []).append(line)
    return found


def test_the_lock_holds_versions_and_no_addresses():
    assert all(re.fullmatch(r"[a-z0-9-]+==[^\s;]+( ; .+)?", line) for line in LOCK)
    assert not [line for line in LOCK if "://" in line or "@" in line]


def test_the_lock_has_every_package_that_the_project_names():
    extras = PROJECT["project"]["optional-dependencies"].values()
    named = [*PROJECT["project"]["dependencies"], *(line for extra in extras for line in extra)]
    for requirement in map(Requirement, named):
        if requirement.name == PROJECT["project"]["name"]:  # with others of its extras
            continue
        versions = [Requirement(line) for line in pins().get(requirement.name, [])]
        assert versions, f"{requirement.name} is not in constraints.txt: make lock"
        for version in versions:
            assert requirement.specifier.contains(str(version.specifier).removeprefix("==")), str(requirement)


def environment():
    return yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))


def test_environment_has_the_oldest_python_that_the_lock_is_made_for():
    conda = [line for line in environment()["dependencies"] if isinstance(line, str)]
    assert "python=3.11" in conda
    assert "--python-version 3.11" in (ROOT / "Makefile").read_text(encoding="utf-8")
    assert PROJECT["project"]["requires-python"] == ">=3.11"


def test_environment_installs_the_versions_of_the_lock(tmp_path):
    """pip's own plan for environment.yml, offline, against the packages of this environment (they are the lock's)."""
    lines = environment()["dependencies"][-1]["pip"]
    assert [line for line in lines if "==" in line] == [], "versions belong in constraints.txt alone"
    for name in (*PACKAGES, "data", "pyproject.toml", "constraints.txt", "README.md", "LICENSE"):
        (tmp_path / name).symlink_to(ROOT / name)
    (tmp_path / "requirements.txt").write_text("\n".join(lines).replace("-e .", ".") + "\n", encoding="utf-8")
    options = ["--dry-run", "--no-index", "--no-build-isolation", "-r", "requirements.txt"]
    plan = tool("-m", "pip", "install", *options, cwd=tmp_path)
    assert plan.returncode == 0, plan.stderr
    would = re.findall(r"^Would install (.*)$", plan.stdout, flags=re.MULTILINE)
    assert would in ([], [f"course-lib-{PROJECT['project']['version']}"])
    assert "-c constraints.txt" in lines


# --- tests


def test_no_test_reads_the_clock_on_the_wall():
    """A busy machine fails nobody: what is limited is processor time, and durations belong to benchmarks/."""
    clock = re.compile(r"\b(perf_counter|monotonic|time\.time|datetime\.now|timeit)" + r"\b")
    files = [path for path in (ROOT / "tests").rglob("*.py") if path != Path(__file__)]
    assert len(files) > 100
    assert not [path.name for path in files if clock.search(path.read_text(encoding="utf-8"))]


def test_what_only_ends_what_hangs_waits_for_minutes():
    """Limits on the clock, in tests and in what they call: a busy machine never comes near them."""
    limit = re.compile(r"(?:timeout|wait|_SECONDS)\b[=( ]+(\d[\d_]*)\b(?![.]| \*)")
    folders = ("tests/browser", "tests/lectures", "tests/site", "tools")
    files = [path for folder in folders for path in (ROOT / folder).rglob("*.py")]
    found = {path: [int(n) for n in limit.findall(path.read_text(encoding="utf-8"))] for path in files}
    assert sum(map(len, found.values())) > 5
    assert not {path.name: numbers for path, numbers in found.items() if min(numbers, default=60) < 60}
    given = " ".join(PROJECT["tool"]["pytest"]["ini_options"]["addopts"])
    assert all(int(n) >= 600 for n in re.findall(r"timeout=(\d+)", given))
    assert (settings.default.deadline, HealthCheck.too_slow in settings.default.suppress_health_check) == (None, True)


# --- papers


def test_readme_is_short_and_its_links_lead_somewhere():
    for name in ("README.md", "CONTRIBUTING.md"):
        text = (ROOT / name).read_text(encoding="utf-8")
        links = re.findall(r"\]\((?!https?:|#)([^)\s]+)\)", text)
        assert not [link for link in links if not (ROOT / link.split("#")[0]).exists()]
    by_hand = course_map.LECTURE_TABLE.sub("", (ROOT / "README.md").read_text(encoding="utf-8"))
    assert len(by_hand.splitlines()) < 75


def test_readme_says_how_long_the_course_takes():
    """In hours: lectures as their heads say for who studies alone, homework as its heads say."""
    words = {"two hours": 120, "two and a half hours": 150}
    heads = [path.read_text(encoding="utf-8") for path in sorted((ROOT / "lectures").glob("[0-9][0-9]_*.ipynb"))]
    alone = [re.search(r"minutes\*\* in class, about (\w[\w ]*?) alone", head) for head in heads[1:]]
    minutes = [words.get(one[1]) or int(one[1]) for one in alone]
    given = [path.read_text(encoding="utf-8") for path in (ROOT / "exercises").glob("*/*.ipynb")]
    homework = [int(re.search(r"(\d+) minutes\*\*", text)[1]) for text in given]
    said = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
    assert f"{len(heads)} lectures" in said and f"{len(given)} homeworks" in said
    assert sum(minutes) / len(minutes) == pytest.approx(120, abs=10)
    assert sum(homework) / len(homework) == pytest.approx(210, abs=10)
    of_00 = 30
    assert int(re.search(r"(\d+) hours in all", said)[1]) == round((of_00 + sum(minutes) + sum(homework)) / 60)


def test_readmes_python_prints_its_table():
    (snippet,) = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), flags=re.DOTALL)
    run = tool("-c", snippet)
    assert run.returncode == 0 and run.stderr == "", run.stderr
    assert len(run.stdout.splitlines()) == 14 and run.stdout.splitlines()[2].startswith("Bolero_L")


def test_map_of_lecture_00_has_all_lectures_and_is_what_readme_and_picture_show():
    present = [path.name for path in sorted((ROOT / "lectures").glob("[0-9][0-9]_*.ipynb"))]
    assert ["00_start_here.ipynb", *(file for _, file, *_ in course_map.rows())] == present
    assert {name: (ROOT / name).read_text(encoding="utf-8") for name in course_map.written()} == course_map.written()


@pytest.mark.parametrize("folder", [".", "students"])
def test_help_begins_with_what_one_needs_first(folder):
    command = ["make", "--no-print-directory", "-f", f"{folder}/Makefile", "help"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert [line.split()[1] for line in done.stdout.splitlines()[:3]] == ["lab", "check", "app"], done.stderr


def targets_of(*makefiles):
    text = "\n".join((ROOT / name).read_text(encoding="utf-8") for name in makefiles)
    return set(re.findall(r"^([a-z-]+):", text, flags=re.MULTILINE))


@pytest.mark.parametrize(
    ("makefiles", "papers"),
    [
        (["Makefile", "students/Makefile"], ["*.md", "teaching/**/*.md"]),  # teachers read what students run, too
        (["students/Makefile"], ["students/*.md", "lectures/*.ipynb", "exercises/*/*.ipynb"]),
    ],
    ids=["teachers", "students"],
)
def test_makefile_targets_that_the_papers_name_exist(makefiles, papers):
    """What students read names only what is in their bundle; there, README and Makefile are those of students/."""
    targets = targets_of(*makefiles, "tools/lab.mk")
    found = [path for pattern in papers for path in ROOT.glob(pattern)]
    notes = re.compile(r"<summary>(<b>)?For the teacher.*?</details>", flags=re.S)
    named = {
        name
        for path in found
        for name in re.findall(r"(?:`|^)make ([a-z-]+)\b", notes.sub("", path.read_text(encoding="utf-8")), flags=re.M)
    }
    assert named <= targets
    assert "lab" in named


def test_citation_file_has_what_the_format_requires():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert {"cff-version", "message", "title", "authors"} <= citation.keys()
    assert citation["version"] == PROJECT["project"]["version"]
    assert all({"name"} == set(author) for author in citation["authors"])


# --- what is kept


def test_files_stay_small():
    sizes = {path.relative_to(ROOT).as_posix(): path.stat().st_size for path in kept_files()}
    assert not {name: size for name, size in sizes.items() if size > LARGEST_FILE}
    assert sum(size for name, size in sizes.items() if name.startswith("data/")) < LARGEST_DATA


def test_nothing_names_a_machine_or_an_index():
    pattern = re.compile("|".join(["/" + "work/", "/ro" + "ot/", "/tm" + "p/", "pypi" + r"\.org", "file" + "://"]))
    files = [path for path in kept_files() if path.suffix in TEXT]
    found = [path.name for path in files if pattern.search(path.read_text(encoding="utf-8", errors="replace"))]
    assert not found


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="without git nothing says which files are kept")
def test_no_machine_files_are_kept():
    names = {path.relative_to(ROOT).as_posix() for path in kept_files()}
    unwanted = re.compile(r"(^|/)(\.ipynb_checkpoints|__pycache__|\.venv|\.DS_Store|gradebook\.db)(/|$)")
    assert not [name for name in names if unwanted.search(name)]
