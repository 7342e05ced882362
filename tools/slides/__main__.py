"""Slides of the lectures, made from what is committed, to be shown without a network.

python -m tools.slides [NOTEBOOK …]              all of lectures/ if none is named; written to dist/slides/NN.html
python -m tools.slides --handouts [NOTEBOOK …]   and printed to dist/slides/NN.pdf, which needs a Chromium
python -m tools.slides --before …                NN_before: for before class, without what a key shows on a slide
"""

import argparse
import sys
from pathlib import Path

from tools.notebooks import ROOT, lectures
from tools.slides import handouts, page

SLIDES_FOLDER = ROOT / "dist" / "slides"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("notebooks", nargs="*", type=Path)
    parser.add_argument("--before", action="store_true", help="without explanations, proofs, answers, notes")
    parser.add_argument("--handouts", action="store_true", help="print them to PDF, too")
    given = parser.parse_args()
    named = [one.resolve() for one in given.notebooks] or lectures()
    pages = [page.write(path, SLIDES_FOLDER, given.before) for path in named]
    made = handouts.write(pages) if given.handouts else pages
    for path in made:
        print(f"{path.relative_to(ROOT)}: {path.stat().st_size / 1e6:.1f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
