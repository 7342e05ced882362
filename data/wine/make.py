"""Make wine.csv: 72 marks for the bitterness of wine, from the database of an R package.

Run from the root of the repository (on Debian or a relative, for apt-get; needs rdata): python -m data.wine.make
"""

import tempfile
from pathlib import Path

from data import packages

PACKAGE, VERSION = "r-cran-ordinal", "2022.11-16-1"
DATABASE = "usr/lib/R/site-library/ordinal/data"
COPYRIGHT = f"usr/share/doc/{PACKAGE}/copyright"
SHA256 = {
    f"{DATABASE}/Rdata.rdb": "4524dec4a621a2e6bf2404d92b6d2ca441477618bd08f8ff9ea7c656f3ac9401",
    COPYRIGHT: "610d564a17f8e7fc27d4c87d1bc58764722e748c01d5b5124dfaf55eeebfe8fb",
}
TARGET = packages.DATA / "wine"


def main():
    """Write wine.csv and COPYRIGHT.txt beside this script."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        packages.unpack_deb(PACKAGE, VERSION, root)
        for member, sha256 in SHA256.items():
            packages.check((root / member).read_bytes(), sha256, member)
        frame = packages.read_from_r(root / DATABASE, "wine")
        packages.write_table(TARGET / "wine.csv", frame.columns, frame.itertuples(index=False))
        packages.write_notice(TARGET, (root / COPYRIGHT).read_bytes(), "GPL-2.txt")
    packages.note_checksums()


if __name__ == "__main__":
    main()
