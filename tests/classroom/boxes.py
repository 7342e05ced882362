"""Whether students' code can run in a box on this machine; tests of other things do without where it cannot."""

import pytest

from tools.homework import box


def missing():
    """Why there can be no box, in a line; or an empty text."""
    try:
        box.require()
    except box.NoBox as told:
        return f"{str(told).removesuffix(box.INSTALL)}On Debian and Ubuntu: apt install bubblewrap"
    return ""


BOXED = not missing()
UNSAFE = [] if BOXED else ["--unsafe"]
needs_box = pytest.mark.skipif(not BOXED, reason=missing())
