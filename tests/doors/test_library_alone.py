"""Door 6, the library alone: README's `pip install .`, used from another folder, offline, as its pages say.

The environment is an empty one that sees the packages of this one and not this clone; a long test lets pip fetch them.
"""

import os
import re
import shlex
import subprocess
import sys
import sysconfig
import tarfile
import venv
import zipfile
from importlib import metadata
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml
from packaging.requirements import Requirement

from tools.packages import PACKAGES

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "course_studies/README.md").read_text(encoding="utf-8")
EXTRA = ("numba", "librosa", "IPython", "ipywidgets", "anywidget", "traitlets", "statsmodels")  # extras bring them
PIP = (sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "-q")
ALONE = f"""import sys
def refuse(event, args):
    if event in ("socket.connect", "socket.getaddrinfo"):
        raise OSError("offline")
sys.addaudithook(refuse)
class Core:
    def find_spec(name, path=None, target=None):
        if name in {EXTRA}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
sys.meta_path.insert(0, Core)
"""
LOAD_ALL = """from course_lib import datasets
for name in {name for name in dir(datasets) if name.startswith("load_")}:
    getattr(datasets, name)()
print(len(datasets.load_spoken_digits()), {file.ok for file in datasets.verify_all()}, datasets.data_folder())
"""
IMPORT_ALL = """import importlib, pkgutil
for package in PACKAGES:
    for module in pkgutil.walk_packages(importlib.import_module(package).__path__, package + ".", onerror=str):
        try:
            package == "course_checks" or importlib.import_module(module.name)
        except ModuleNotFoundError as error:
            print(module.name, error)
""".replace("PACKAGES", repr(PACKAGES))


def run(*command, cwd):
    alone = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    done = subprocess.run([str(part) for part in command], cwd=cwd, capture_output=True, text=True, env=alone)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """(sdist, the wheel that `build` makes from it)."""
    folder = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, ROOT, cwd=folder)
    return next(folder.glob("*.tar.gz")), next(folder.glob("*.whl"))


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """Packages of an environment without a network, where pip has installed the library."""
    folder = tmp_path_factory.mktemp("empty")
    venv.create(folder, symlinks=True)
    (site,) = folder.glob("lib/python*/site-packages")
    run(*PIP, "--no-compile", "--no-index", "--no-deps", "--no-build-isolation", "--target", site, ROOT, cwd=folder)
    (site / "theirs.pth").write_text(sysconfig.get_path("purelib"), encoding="utf-8")  # and none of its .pth files
    (site / "sitecustomize.py").write_text(ALONE, encoding="utf-8")
    return site


def follow_the_readme(python, folder, seed):
    """Its Python, word for word, on tables with its columns: eight clips that differ by far more than the noise."""
    rng = np.random.default_rng(seed)
    clips = [f"clip {k}" for k in 1 + rng.permutation(8)]
    rated = pd.DataFrame({"clip": clips, "reverb": rng.uniform(0, 2, 8), "kbps": rng.uniform(32, 320, 8)})
    rated = rated.assign(mark=range(80, 0, -10)).merge(pd.DataFrame({"listener": list("PQRST")}), how="cross")
    rated.assign(mark=rated["mark"] + rng.normal(size=40)).to_csv(folder / "ratings.csv", index=False)
    asked = np.array([[*rng.permutation(["tea", "milk", "juice"])[:2], "same"] for _ in range(40)])
    asked[:, 2] = asked[np.arange(40), rng.integers(0, 3, 40)]
    choices = pd.DataFrame(asked, columns=["first", "second", "answer"]).assign(who="I")
    choices.to_csv(folder / "choices.csv", index=False)
    (snippet,) = re.findall(r"```python\n(.*?)```", README, flags=re.S)
    said = run(python, "-c", snippet + 'print(*study.ranking().index, sep="\\n")', cwd=folder).splitlines()
    assert said == clips


def test_readmes_python_runs_offline_from_another_folder(site, tmp_path, seed):
    follow_the_readme(site.parents[2] / "bin" / "python", tmp_path, seed)


def test_all_data_are_there_and_whole(site, tmp_path):
    said = run(site.parents[2] / "bin" / "python", "-c", LOAD_ALL, cwd=tmp_path)
    assert said == f"3000 {{True}} {site / 'course_lib' / '_data'}\n"


def test_sdist_wheel_and_pip_bring_the_same_files(built, site):
    """All packages and the data, and nothing else that could be imported."""
    with zipfile.ZipFile(built[1]) as wheel:
        files = {name: wheel.read(name) for name in wheel.namelist() if ".dist-info/" not in name}
    here = {
        f"{there}/{path.relative_to(ROOT / folder).as_posix()}": path.read_bytes()
        for folder, there in (*zip(PACKAGES, PACKAGES, strict=True), ("data", "course_lib/_data"))
        for path in (ROOT / folder).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert files.keys() == here.keys()
    assert files == here == {name: (site / name).read_bytes() for name in files}


def test_the_sdist_holds_what_the_library_needs_and_no_other_folder(built):
    with tarfile.open(built[0]) as sdist:
        tops = {name.split("/")[1] for name in sdist.getnames()}
    assert tops - {"PKG-INFO", ".gitignore"} == {*PACKAGES, "data", "README.md", "LICENSE", "pyproject.toml"}


def test_the_metadata_name_the_licences_of_the_data(site):
    (about,) = metadata.distributions(name="course-lib", path=[str(site)])
    licences = about.metadata["License-Expression"]
    assert "GPL-3.0" in licences and "CC-BY-SA-4.0" in licences


def test_the_metadata_name_the_authors_and_what_it_is_about_as_the_citation_does(site):
    (about,) = metadata.distributions(name="course-lib", path=[str(site)])
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert about.metadata["Author"] == ", ".join(author["name"] for author in cited["authors"])
    assert set(about.metadata["Keywords"].split(",")) == set(cited["keywords"])
    assert "Intended Audience :: Education" in about.metadata.get_all("Classifier")


def test_no_data_without_a_stated_licence_are_passed_on(site):
    unstated = re.findall(r"^\| \[(\w+)\].*none stated", (ROOT / "data/README.md").read_text(encoding="utf-8"), re.M)
    assert not [name for name in unstated if list((site / "course_lib" / "_data" / name).rglob("*.npz"))]


def packages(about, found):
    """{name: about it} of what pip brings with a package, without extras, beside those found."""
    found = {**found, about.name: about}
    for line in map(Requirement, about.requires or ()):
        if line.name not in found and (line.marker is None or line.marker.evaluate({"extra": ""})):
            found = packages(metadata.distribution(line.name), found)
    return found


def test_ratings_alone_need_no_more_than_350_megabytes(site):
    (own,) = metadata.distributions(name="course-lib", path=[str(site)])
    sizes = {name: sum(file.size or 0 for file in about.files) for name, about in packages(own, {}).items()}
    assert sum(sizes.values()) <= 350e6, sorted(sizes, key=sizes.get)[-5:]
    assert not {"numba", "librosa", "ipywidgets"} & sizes.keys()


@pytest.mark.parametrize(
    ("call", "module", "extra"),
    [
        ("import course_lib.sequences as s; s.dtw([1.0], [2.0])", "numba", "speech"),
        ("from course_widgets import quiz", "anywidget", "widgets"),
        ("from course_lessons.your_data.against import ratings; ratings(0)", "statsmodels", "lab"),
    ],
)
def test_what_needs_an_extra_names_it(site, tmp_path, call, module, extra):
    calling = f"try:\n    exec({call!r})\nexcept ModuleNotFoundError as error:\n    print(error)"
    said = run(site.parents[2] / "bin" / "python", "-c", calling, cwd=tmp_path)
    assert said.startswith(f"{module} is not installed; it comes with the extra '{extra}'"), said
    typed = shlex.split(said.partition("Type: ")[2])
    assert typed[1:] == ["-m", "pip", "install", f"course-lib[{extra}]"]
    run(*typed, "--dry-run", "--no-index", cwd=tmp_path)  # as said, in a folder that has nothing of the course


def test_a_module_that_needs_an_extra_names_it(site, tmp_path):
    """All modules of the library, imported alone; homework, which stands apart, is for who has the course."""
    said = run(site.parents[2] / "bin" / "python", "-c", IMPORT_ALL, cwd=tmp_path).splitlines()
    assert len(said) > 20
    assert not [line for line in said if "is not installed; it comes with the extra" not in line]


@pytest.mark.long
def test_pip_brings_all_that_the_wheel_needs(built, tmp_path, seed):
    """From the index that pip is set to, into a fresh environment."""
    venv.create(tmp_path / "fresh", symlinks=True)
    python = tmp_path / "fresh" / "bin" / "python"
    run(*PIP[:3], "--python", python, *PIP[3:], built[1], cwd=tmp_path)
    follow_the_readme(python, tmp_path, seed)
    assert run(python, "-c", LOAD_ALL, cwd=tmp_path).startswith("3000 {True}")
