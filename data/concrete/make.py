"""Make concrete.csv: 1030 samples of concrete, from the database of an R package.

Run from the root of the repository (on Debian or a relative, for apt-get; needs rdata):
python -m data.concrete.make
"""

import tempfile
from pathlib import Path

from data import packages

PACKAGE, VERSION = "r-cran-modeldata", "1.1.0-1"
DATABASE = "usr/lib/R/site-library/modeldata/data"
COPYRIGHT = f"usr/share/doc/{PACKAGE}/copyright"
SHA256 = {
    f"{DATABASE}/Rdata.rdb": "2ecef5e8da0f782ae4e3f65d928fe769702accffd8981cc358a3097f6736f58f",
    COPYRIGHT: "90bf6755ca3eacdbc6bb006b751926e1aca9784e931fbe080e928542a71d76b3",
}
TARGET = packages.DATA / "concrete"


def main():
    """Write concrete.csv and COPYRIGHT.txt beside this script."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        packages.unpack_deb(PACKAGE, VERSION, root)
        for member, sha256 in SHA256.items():
            packages.check((root / member).read_bytes(), sha256, member)
        frame = packages.read_from_r(root / DATABASE, "concrete")
        packages.write_table(TARGET / "concrete.csv", frame.columns, frame.astype(float).to_numpy().tolist())
        (TARGET / "COPYRIGHT.txt").write_bytes((root / COPYRIGHT).read_bytes())
    packages.note_checksums()


if __name__ == "__main__":
    main()
