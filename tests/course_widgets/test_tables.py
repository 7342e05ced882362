"""Tables of a notebook."""

import numpy as np

from course_widgets.tables import table


def test_floats_have_as_many_digits_as_asked_for_and_no_minus_zero():
    lines = table(["name", "value"], [["small", np.float64(-0.0004)], ["large", -1.25], ["whole", 3]], digits=2).data
    assert lines.splitlines() == [
        "| name | value |",
        "| --- | --- |",
        "| small | 0.00 |",
        "| large | -1.25 |",
        "| whole | 3 |",
    ]
