"""Tables as people have them: what is read in two ways is asked about, and names that look alike are told."""

import numpy as np
import pandas as pd
import pytest

from course_lib.judgments import from_pairs

RNG = np.random.default_rng(5)


# --- choices


def of_two(names, words, tie=None):
    """Pairs of two systems in both orders, of which the second system always wins; answers are the words of sides."""
    shown = np.array([names, names[::-1]] * 6, dtype=object)
    said = np.where(shown[:, 1] == names[1], words[1], words[0])
    return pd.DataFrame({"L": shown[:, 0], "R": shown[:, 1], "said": pd.Series(said).infer_objects()})


@pytest.mark.parametrize(
    "words", [(1, 2), (0, 1), ("1", "2"), ("A", "B"), ("left", "right"), (-1, 1)], ids=lambda words: str(words)
)
def test_names_that_may_be_sides_are_asked_about(words):
    """Both readings are possible, and the sign turns between them."""
    frame = of_two(list(words), list(words))
    with pytest.raises(ValueError, match=r"column 'said' holds .* names of items.*sides='names'"):
        from_pairs(frame, "L", "R", "said")
    sides = from_pairs(frame, "L", "R", "said", sides=words)
    won = sides.pairs[np.arange(12), (sides.answer > 0).astype(int)]
    assert set(sides.items[won]) == {words[1]}
    names = from_pairs(frame, "L", "R", "said", sides="names")
    won = names.pairs[np.arange(12), (names.answer > 0).astype(int)]
    np.testing.assert_array_equal(names.items[won], frame["said"])


def test_names_that_can_be_nothing_else_are_names():
    frame = of_two(["1", "3"], ["1", "3"])
    assert len(from_pairs(frame, "L", "R", "said")) == 12
    alone = pd.DataFrame({"L": 1, "R": 2, "said": [1, 2, 2]})  # the same, whichever way it is read
    np.testing.assert_array_equal(from_pairs(alone, "L", "R", "said").answer, [-1, 1, 1])
    more = pd.DataFrame({"L": [3, 1, 2], "R": [4, 2, 1], "said": [1, 2, 1]})
    with pytest.raises(ValueError, match=r"says 1 in row 0, where 3 or 4 is needed.*sides=\("):
        from_pairs(more, "L", "R", "said")


def test_several_words_for_a_tie_and_the_error_that_asks_for_them():
    said = ["model_a", "tie", "tie (bothbad)", "model_b"]
    frame = pd.DataFrame({"L": list("pqrp"), "R": list("qrpr"), "said": said})
    words = {"sides": ("model_a", "model_b")}
    with pytest.raises(ValueError, match=r"says 'tie' in row 1, .*neither was better: tie='tie'"):
        from_pairs(frame, "L", "R", "said", **words)
    with pytest.raises(ValueError, match=r"in row 2, .*neither was better: tie=\['tie', 'tie \(bothbad\)'\]"):
        from_pairs(frame, "L", "R", "said", **words, tie="tie")
    table = from_pairs(frame, "L", "R", "said", **words, tie=["tie", "tie (bothbad)"])
    np.testing.assert_array_equal(table.answer, [-1, 0, 0, 1])
    with pytest.raises(ValueError, match="a word of its own is needed for a tie"):
        from_pairs(frame, "L", "R", "said", **words, tie=["tie", "model_b"])
