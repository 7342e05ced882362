"""What the tests of explorers share: quick drawings, the sentence under them, hints for what a student writes."""

from contextlib import contextmanager

import pytest

from course_widgets import geometry


@contextmanager
def unrendered():
    """Pictures are drawn and their geometry is not read, which takes half of the time."""
    with pytest.MonkeyPatch.context() as quick:
        quick.setattr(geometry, "read", lambda figure, dpi=0: [])
        yield


def sentence(explorer):
    """The text alternative of its picture."""
    return explorer.sentence


def told_apart(check, *rows):
    """A test with a row for each mistake: what the student wrote, and words that speak of it."""

    @pytest.mark.parametrize("row", rows)
    def test(row):
        *mine, said = row
        assert said in check(*mine)

    return test
