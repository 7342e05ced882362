"""Make sound_quality.csv: 21,924 choices between two ways to reproduce music, from an R package.

Run from the root of the repository (on Debian or a relative, for apt-get; needs rdata):
python -m data.sound_quality.make
"""

import tempfile
from pathlib import Path

import numpy as np
from rdata import conversion, parser

from data import packages

PACKAGE, VERSION = "r-cran-psychotools", "0.7-2-1"
MEMBER = "usr/lib/R/site-library/psychotools/data/SoundQuality.rda"
COPYRIGHT = f"usr/share/doc/{PACKAGE}/copyright"
SHA256 = {
    MEMBER: "5e9098176dd1155b2f54b3dad1ca572f5ff603cf7afd8f7a883ee15e8c4a7076",
    COPYRIGHT: "a2461d533230baf7fade1f4a277fac584a43c29775d202a7cbff646e82e18f27",
}
TARGET = packages.DATA / "sound_quality"
COLUMNS = {"id": "listener", "time": "occasion", "progmat": "programme", "session": "session", "repet": "repetition"}


def parse(content):
    """Header and rows of the table.

    In psychotools' class paircomp, 1 says that the first of a pair is preferred; here 1 says it of the second.
    """
    as_they_are = {"data.frame": lambda columns, _: columns, "paircomp": lambda choices, about: (choices, about)}
    constructors = {**conversion.DEFAULT_CLASS_MAP, **as_they_are}
    columns = conversion.convert(parser.parse_data(content), constructors)["SoundQuality"]
    choices, about = columns["preference"]
    modes = about["labels"]
    pairs = [f"{modes[a]}:{modes[b]}" for b in range(len(modes)) for a in range(b)]
    described = zip(*(list(columns[name]) for name in COLUMNS), strict=True)
    rows = zip(described, -np.asarray(choices), strict=True)
    return [*COLUMNS.values(), *pairs], ([int(one[0]), *one[1:], *chosen.tolist()] for one, chosen in rows)


def main():
    """Write sound_quality.csv and COPYRIGHT.txt beside this script."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        packages.unpack_deb(PACKAGE, VERSION, root)
        contents = {name: packages.check((root / name).read_bytes(), sha256, name) for name, sha256 in SHA256.items()}
    packages.write_table(TARGET / "sound_quality.csv", *parse(contents[MEMBER]))
    packages.write_notice(TARGET, contents[COPYRIGHT], "GPL-2.txt")
    packages.note_checksums()


if __name__ == "__main__":
    main()
