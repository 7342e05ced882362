"""README's first picture: the first explorer of lecture 01, half-way.

python -m tools.site.picture     draws it again
"""

from course_lessons.dtw.explore import explore_table
from tools.notebooks import ROOT

PATH = ROOT / "lectures" / "figures" / "explore_table.png"
STATE = {"filled": 45, "band": 7, "greedy": False}


def drawn():
    """(what the explorer says, its picture as PNG)."""
    return explore_table().drawn(STATE)


if __name__ == "__main__":
    PATH.write_bytes(drawn()[1])
