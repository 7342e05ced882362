"""The course as pages that play, for a plain file server: dist/site.

python -m tools.site                     record what is missing of all explorers, then write all pages
python -m tools.site --record NAME …     record these alone; each of the others plays if it was recorded before
python -m tools.site --record            record none

To record all takes most of an hour, once: afterwards an explorer is recorded again if its own code or data are others.
What was recorded stays if this is ended.
"""

import argparse
import sys

from tools.notebooks import ROOT
from tools.site import pages, shelf

SITE_FOLDER = ROOT / "dist" / "site"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--record", nargs="*", metavar="NAME", help="explorers to record (default: all)")
    parser.add_argument("--jobs", type=int, default=2, help="explorers recorded at a time")
    given = parser.parse_args()
    every = shelf.names()
    wanted = every if given.record is None else given.record
    if unknown := set(wanted) - set(every):
        parser.error(f"unknown explorers: {sorted(unknown)}; there are {', '.join(every)}")
    shelf.shelf(wanted, given.jobs)
    made = pages.write(SITE_FOLDER, shelf.played())
    size = sum(path.stat().st_size for path in SITE_FOLDER.rglob("*") if path.is_file())
    print(
        f"{len(made)} pages, {size / 1e6:.1f} MB in {SITE_FOLDER.relative_to(ROOT)}; to see them: make site SERVE=8000"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
