"""A listening test for the room: a page that needs no server, and the table of its items.

    python -m tools.listening               the shipped study: eight settings of an equaliser
    python -m tools.listening STUDY.toml    a study of yours

Writes listening_ID.html, which you mail, put on a platform or open from a disk, and items.csv to dist/listening. Who
listens gives marks, then choices, in balanced orders, and hands in a file or a code: put these and items.csv into
data/class, which `course_studies.load_panel` reads. A listener who types a number gets that row of the design: eight
listeners in a row then have each of the eight items once at each place.

A study is a TOML file like tools/listening/equalizer.toml. An item has a name and features, which are numbers; and a
file, which is played as it is, or bass and treble, the settings of an equaliser on the shipped music. `seconds` is how
much of each clip has to be heard; `choices`, how many pairs each listener compares, may be 0; its table [words]
replaces words of the page (tools/listening/words.toml), for another language.
"""

import argparse
import sys
from pathlib import Path

from tools.listening import page, studies
from tools.notebooks import ROOT


def main(arguments=None):
    """The command; returns its exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.listening", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("study", nargs="?", type=Path, default=studies.DEFAULT, metavar="STUDY.toml")
    parser.add_argument("--into", type=Path, default=ROOT / "dist" / "listening", help="a folder (dist/listening)")
    given = parser.parse_args(arguments)
    try:
        study = studies.read(given.study)
    except (ValueError, OSError) as error:
        print(error, file=sys.stderr)
        return 1
    given.into.mkdir(parents=True, exist_ok=True)
    path = given.into / f"listening_{study.id}.html"
    path.write_text(page.alone(study), encoding="utf-8")
    study.write_items(given.into / "items.csv")
    print(f"{path} ({path.stat().st_size / 1e6:.1f} MB) and items.csv; the study is {study.id}.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
