"""What the opening of lecture 00 says about a listener."""

import re

import pytest

from course_lessons.start_here.explore import COMPARISONS, FEWEST, LIKED, TREBLE, beliefs, explore_listener
from tests.course_lessons.explored import sentence


def test_the_best_setting_is_where_the_curve_is_highest_and_the_range_holds_what_the_listener_likes():
    explorer = explore_listener()
    for compared in range(FEWEST, COMPARISONS + 1):
        explorer.set(compared=compared)
        number, best, confidence, low, high, liked = (
            float(found) for found in re.findall(r"[-+]?\d+(?:\.\d)?", sentence(explorer).replace("−", "-"))
        )
        assert (number, confidence, liked) == (compared, 90, LIKED)
        assert best == pytest.approx(TREBLE[beliefs()[compared - 1][0].argmax(), 0], abs=0.2)
        assert low < LIKED < high
    assert high - low < 3
