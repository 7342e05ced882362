"""The course as pages that play, for a plain file server: dist/site.

python -m tools.site                     record what is missing of lectures 01 and 10, then write all pages
python -m tools.site --record NAME …     record these explorers too (--record all: every one, about an hour)
python -m tools.site --pages             write the pages alone, with what is recorded
"""

import argparse
import sys

from tools.notebooks import ROOT
from tools.site import pages, shelf

FOLDER = ROOT / "dist" / "site"
USUAL = (
    "explore_table", "explore_dtw", "explore_query", "explore_greedy", "explore_marks", "explore_gap", "explore_greys",
)  # fmt: skip


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--record", nargs="+", default=[], metavar="NAME", help="explorers to record too, or: all")
    parser.add_argument("--pages", action="store_true", help="record nothing")
    parser.add_argument("--jobs", type=int, default=2, help="explorers recorded at a time")
    given = parser.parse_args()
    every = shelf.names()
    unknown = set(given.record) - {"all", *every}
    if unknown:
        parser.error(f"unknown explorers: {sorted(unknown)}; there are {', '.join(every)}")
    wanted = [] if given.pages else every if "all" in given.record else [*USUAL, *given.record]
    shelf.shelf(wanted, given.jobs)
    made = pages.write(FOLDER, shelf.played())
    size = sum(path.stat().st_size for path in FOLDER.rglob("*") if path.is_file())
    print(f"{len(made)} pages, {size / 1e6:.1f} MB in {FOLDER.relative_to(ROOT)}; to see them: make site SERVE=8000")
    return 0


if __name__ == "__main__":
    sys.exit(main())
