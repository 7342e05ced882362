"""Make carrots.csv and products.csv: 1236 marks for carrots, from the database of an R package.

Run from the root of the repository (on Debian or a relative, for apt-get; needs rdata): python -m data.carrots.make
"""

import tempfile
from pathlib import Path

from data import packages

PACKAGE, VERSION = "r-cran-lmertest", "3.1-3-2"
DATABASE = "usr/lib/R/site-library/lmerTest/data"
COPYRIGHT = f"usr/share/doc/{PACKAGE}/copyright"
SHA256 = {
    f"{DATABASE}/Rdata.rdb": "cebe9598d7463cbccf2b309de2e7e09151463c47eff06125f639d057e24395da",
    COPYRIGHT: "72c7e912acc4a118b35b82cd2f47bf501ed828851e72697d4f4d4cb6d7aea83c",
}
TARGET = packages.DATA / "carrots"
ANSWER, SENSORY = ["Consumer", "Product", "Preference"], ["Product", "sens1", "sens2"]


def main():
    """Write carrots.csv, products.csv and COPYRIGHT.txt beside this script."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        packages.unpack_deb(PACKAGE, VERSION, root)
        for member, sha256 in SHA256.items():
            packages.check((root / member).read_bytes(), sha256, member)
        frame = packages.read_from_r(root / DATABASE, "carrots")
        packages.write_notice(TARGET, (root / COPYRIGHT).read_bytes(), "GPL-2.txt")
    answers = frame[ANSWER].astype(object)
    answers = answers.where(answers.notna(), "")  # an answer that was not given is an empty cell
    packages.write_table(TARGET / "carrots.csv", map(str.lower, ANSWER), answers.itertuples(index=False))
    products = frame[SENSORY].drop_duplicates()
    packages.write_table(TARGET / "products.csv", map(str.lower, SENSORY), products.itertuples(index=False))
    packages.note_checksums()


if __name__ == "__main__":
    main()
