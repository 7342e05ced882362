"""The recipes for hosting: their files can be read, what they name exists, and what collects homework does."""

import json
import os
import re
import shlex
import shutil
import subprocess

import pytest
import yaml

from tests.lectures.reading import ROOT
from tools.site import __main__ as site
from tools.site import shelf

HOSTING = ROOT / "teaching" / "hosting"
PAGE = (HOSTING / "README.md").read_text(encoding="utf-8")
STUDENTS = ("students/Makefile", "tools/lab.mk")  # the Makefile of their repository, and what it includes
HOMEWORK = "03_mixtures"


def targets(*makefiles):
    text = "\n".join((ROOT / name).read_text(encoding="utf-8") for name in makefiles)
    return set(re.findall(r"^([a-z-]+):", text, flags=re.MULTILINE))


def instructions():
    """[(word, rest)] of the Dockerfile."""
    lines = (HOSTING / "Dockerfile").read_text(encoding="utf-8").splitlines()
    return [tuple(line.split(" ", 1)) for line in lines if line and not line.startswith("#")]


def blocks():
    """The commands that the page gives, a list of words for each."""
    lines = "\n".join(re.findall(r"^```\n(.*?)^```$", PAGE, flags=re.DOTALL | re.MULTILINE)).splitlines()
    return [shlex.split(part, comments=True) for line in lines for part in line.split(" && ")]


# --- what the files say


def test_the_dockerfile_is_one_for_the_students_repository():
    found = instructions()
    assert found[0][0] == "FROM"
    assert {word for word, _ in found} <= {"FROM", "RUN", "USER", "WORKDIR", "COPY", "EXPOSE", "CMD"}
    order = [word for word, _ in found]
    assert order.index("USER") < order.index("COPY") < order.index("CMD")  # nothing of the course belongs to root
    command = json.loads(dict(found)["CMD"])
    made = [rest.split()[1] for word, rest in found if word == "RUN" and rest.startswith("make ")] + [command[1]]
    assert command[0] == "make"
    assert set(made) <= targets(*STUDENTS)
    port = re.search(r"^PORT \?= (\d+)$", (ROOT / "tools/lab.mk").read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert dict(found)["EXPOSE"] == port.group(1)
    assert (HOSTING / "Dockerfile.dockerignore").read_text(encoding="utf-8").splitlines()[0] == ".venv"


def test_binder_finds_no_dockerfile_in_the_students_repository():
    assert not list((ROOT / "students").rglob("*Dockerfile*"))


def test_the_dev_container_runs_targets_that_students_have():
    made = json.loads((ROOT / "students/.devcontainer/devcontainer.json").read_text(encoding="utf-8"))
    commands = [made[name].split() for name in ("onCreateCommand", "postAttachCommand")]
    assert {command[0] for command in commands} == {"make"}
    assert {command[1] for command in commands} <= targets(*STUDENTS)
    assert [str(port) for port in made["forwardPorts"]] == list(made["portsAttributes"])
    assert made["image"].split(":")[1].startswith("3.11")


def test_the_workflow_calls_what_ci_runs():
    made = yaml.safe_load((ROOT / ".github/workflows/ci.yml").read_text(encoding="utf-8"))
    assert set(made) == {"name", True, "permissions", "jobs"}  # YAML 1.1 takes `on` for true
    (job,) = made["jobs"].values()
    steps = [step.get("run", "").strip() for step in job["steps"]]
    assert steps[-1] == ".ci/run"
    assert os.access(ROOT / ".ci/run", os.X_OK)
    assert job["steps"][1]["with"]["python-version"] == "3.11"


def test_the_workflow_publishes_what_make_site_writes():
    made = yaml.safe_load((ROOT / ".github/workflows/site.yml").read_text(encoding="utf-8"))
    (job,) = made["jobs"].values()
    run, packed = (step["run"].split() for step in job["steps"] if "run" in step)
    assert (
        packed[:5] == ["tar", "-czf", "recordings.tar.gz", "-C", "dist"] and packed[5] == shelf.RECORDINGS_FOLDER.name
    )
    assert run[0] == "make" and set(run[1:]) <= targets("Makefile")
    kept, published = (ROOT / step["with"]["path"] for step in job["steps"] if "path" in step.get("with", {}))
    assert (kept, published) == (shelf.RECORDINGS_FOLDER, site.SITE_FOLDER)


# --- what the page says


def test_the_page_names_files_and_targets_that_exist():
    table = re.findall(r"^\| \[.*$", PAGE, flags=re.MULTILINE)
    files = [name for row in table for name in re.findall(r"`([^`]+)`", row.split("|")[3])]
    assert len(files) >= 5
    assert not [name for name in files if not ((ROOT / name).exists() or (HOSTING / name).exists())]
    assert not [
        link for link in re.findall(r"\]\(#([^)]+)\)", PAGE) if f"## {link.replace('-', ' ')}" not in PAGE.lower()
    ]
    named = re.findall(r"`make ([a-z-]+)", PAGE) + [c[1] for c in blocks() if c[:1] == ["make"]]
    assert {"release", "grade", "mark", "feedback", "lab", "update"} <= set(named)
    assert set(named) <= targets("Makefile", *STUDENTS)
    scripts = re.findall(r"(?:python|sh) ([\w/]+\.(?:py|sh))", PAGE)
    assert {"tools/update.py", "tools/check.py", "teaching/hosting/collect.sh"} == set(scripts)
    assert not [name for name in scripts if not (ROOT / name).exists()]


def test_the_page_says_of_each_recipe_what_was_not_run():
    rows = re.findall(r"^\| \[(.*?)\].*\| (.*) \|$", PAGE, flags=re.MULTILINE)
    assert [name for name, _ in rows] == re.findall(r"^## (.*)$", PAGE, flags=re.MULTILINE)
    assert [name for name, told in rows if "*not run*" not in told] == ["Voila"]


def test_the_page_installs_extras_that_the_project_has():
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    (extras,) = [re.search(r"\.\[(.*)\]", word).group(1) for command in blocks() for word in command if ".[" in word]
    assert not [name for name in extras.split(",") if not re.search(rf"^{name} = \[", text, flags=re.MULTILINE)]


# --- collecting, in homes like those of the hub


@pytest.fixture
def hub(tmp_path):
    """(folder of the grader, run): homes of ada (done), ben (a link) and eve (nothing), and a stand-in for sudo."""
    for name in ("ada", "ben", "eve"):
        (tmp_path / "home" / f"jupyter-{name}" / "course/exercises" / HOMEWORK).mkdir(parents=True)
    (tmp_path / "home" / "teacher").mkdir()
    homework(tmp_path, "ada").write_text("first")
    secret = tmp_path / "secret"
    secret.write_text("a solution")
    homework(tmp_path, "ben").symlink_to(secret)
    programs = tmp_path / "programs"
    programs.mkdir()
    fake = programs / "sudo"  # does what it is asked, but for ben, who may not read the secret
    fake.write_text('#!/bin/sh\n[ "$1 $2" = "-n -u" ] && [ "$3" != jupyter-ben ] || exit 1\nshift 3\nexec "$@"\n')
    fake.chmod(0o755)
    grader = tmp_path / "grader"
    grader.mkdir()

    def run():
        variables = os.environ | {
            "HOMES": str(tmp_path / "home"),
            "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
        }
        command = [shutil.which("sh"), str(HOSTING / "collect.sh"), HOMEWORK]
        return subprocess.run(command, cwd=grader, env=variables, capture_output=True, text=True, check=True).stdout

    return grader, run


def homework(folder, name):
    return folder / "home" / f"jupyter-{name}" / "course/exercises" / HOMEWORK / f"{HOMEWORK}.ipynb"


def test_collecting_reads_with_the_owners_rights_and_names_who_has_nothing(hub):
    grader, run = hub
    assert run().splitlines() == ["ben: nothing collected", "eve: nothing collected"]
    submitted = {path.relative_to(grader).as_posix() for path in grader.rglob("*") if path.is_file()}
    folder = f"submitted/ada/{HOMEWORK}"
    assert submitted == {f"{folder}/{HOMEWORK}.ipynb", f"{folder}/timestamp.txt"}
    assert not (grader / "submitted" / "ben").exists()
    stamp = (grader / folder / "timestamp.txt").read_text()
    assert re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC\n", stamp)


def test_collecting_again_takes_what_has_changed_and_keeps_the_time_of_what_has_not(hub):
    grader, run = hub
    run()
    folder = grader / "submitted" / "ada" / HOMEWORK
    (folder / "timestamp.txt").write_text("2026-01-01 00:00:00 UTC\n")
    run()
    assert (folder / "timestamp.txt").read_text() == "2026-01-01 00:00:00 UTC\n"
    homework(grader.parent, "ada").write_text("second")
    run()
    assert (folder / f"{HOMEWORK}.ipynb").read_text() == "second"
    assert not (folder / "timestamp.txt").read_text().startswith("2026-01-01")
    assert not (folder / "new").exists()


def test_what_was_collected_stays_if_the_student_deletes_it(hub):
    grader, run = hub
    run()
    homework(grader.parent, "ada").unlink()
    assert "ada: nothing collected" in run()
    assert (grader / "submitted" / "ada" / HOMEWORK / f"{HOMEWORK}.ipynb").read_text() == "first"
