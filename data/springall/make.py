"""Make springall.csv and samples.csv: pairs of tasted samples, from the database of an R package.

Run from the root of the repository (on Debian or a relative, for apt-get; needs rdata): python -m data.springall.make
"""

import tempfile
from pathlib import Path

from data import packages

PACKAGE, VERSION = "r-cran-bradleyterry2", "1.1-2-2"
DATABASE = "usr/lib/R/site-library/BradleyTerry2/data"
COPYRIGHT = f"usr/share/doc/{PACKAGE}/copyright"
SHA256 = {
    f"{DATABASE}/Rdata.rdb": "43cd733f892ae9706a8a21d9ab9a461fb11ad76f759989d75263429d1cac0102",
    COPYRIGHT: "cb199a66973eb1710642d164893c96aa1110f1e732f26fc0d2855acd97b07c8a",
}
TARGET = packages.DATA / "springall"
PAIRS = {"row": "a", "col": "b", "loss": "a_wins", "tie": "ties", "win": "b_wins"}  # "win": col beats row
SAMPLES = {"flav": "flavour", "gel": "gel"}


def main():
    """Write springall.csv, samples.csv and COPYRIGHT.txt beside this script."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        packages.unpack_deb(PACKAGE, VERSION, root)
        for member, sha256 in SHA256.items():
            packages.check((root / member).read_bytes(), sha256, member)
        tables = packages.read_from_r(root / DATABASE, "springall")
        packages.write_notice(TARGET, (root / COPYRIGHT).read_bytes(), "GPL-2.txt")
    pairs = tables["contests"][list(PAIRS)]
    packages.write_table(TARGET / "springall.csv", PAIRS.values(), pairs.itertuples(index=False))
    samples = tables["predictors"][list(SAMPLES)]
    packages.write_table(TARGET / "samples.csv", ["sample", *SAMPLES.values()], samples.itertuples())
    packages.note_checksums()


if __name__ == "__main__":
    main()
