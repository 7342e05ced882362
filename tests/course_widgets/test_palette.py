"""The colours of the figures: they stand out from white, words most; colour-blind readers tell them apart."""

import ast
from itertools import combinations

import numpy as np
import pytest
from matplotlib.colors import to_rgb

from course_lessons.mixtures import plots as mixtures
from course_widgets import style
from tests.lectures.reading import ROOT

PALETTE = {name: value for name, value in vars(style).items() if name.isupper() and str(value).startswith("#")}
OKABE_ITO = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#595959")
# What the three kinds of cone deficiency make of linear RGB, in full. Source: Machado, Oliveira and Fernandes (2009).
SEEN = {
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "tritanopia": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
    "none": np.eye(3),
}
# Linear RGB → cones → a space in which distances are alike to the eye. Source: Ottosson (2020), Oklab.
CONES = [[0.4122214708, 0.5363325363, 0.0514459929], [0.2119034982, 0.6806995451, 0.1073969566],
         [0.0883024619, 0.2817188376, 0.6299787005]]  # fmt: skip
EVEN = [[0.2104542553, 0.7936177850, -0.0040720468], [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660]]  # fmt: skip
WRITES = ("text", "annotate", "set_title", "set_xlabel", "set_ylabel")


def linear(color):
    """(3,) red, green and blue as amounts of light, 0 … 1."""
    rgb = np.array(to_rgb(color))
    return np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)


def contrast(color):
    """Contrast with white, 1 … 21, as WCAG 2 defines it."""
    return 1.05 / (linear(color) @ [0.2126, 0.7152, 0.0722] + 0.05)


def least_difference(colors, eye):
    """Of any two of the colours, as this eye sees them."""
    places = [EVEN @ np.cbrt(CONES @ np.clip(SEEN[eye] @ linear(color), 0, 1)) for color in colors]
    return min(np.linalg.norm(a - b) for a, b in combinations(places, 2))


def colored_words():
    """(file, line, name) of each word that a drawing writes in a colour of the palette, if the call shows it."""
    for path in [*ROOT.glob("course_widgets/*.py"), *ROOT.glob("course_lessons/**/*.py")]:
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(call, ast.Call) and getattr(call.func, "attr", "") in WRITES:
                names = [name.id for word in call.keywords if word.arg == "color" for name in ast.walk(word.value)
                         if isinstance(name, ast.Name)]  # fmt: skip
                yield from ((path.name, call.lineno, name) for name in names if name in PALETTE)


def test_contrast_is_that_of_the_guidelines():
    assert contrast("black") == pytest.approx(21)
    assert contrast("#767676") == pytest.approx(4.54, abs=0.005)  # the lightest grey that words may have


def test_every_line_stands_out_from_white():
    assert len(PALETTE) == 7
    assert {name: round(contrast(color), 2) for name, color in PALETTE.items() if contrast(color) < 3} == {}
    assert set(style.COLORS) <= set(PALETTE.values())


def test_points_between_two_owners_stand_out_from_white():
    assert min(contrast(mixtures.OWNERS(place)) for place in np.linspace(0, 1, 101)) >= 3
    assert contrast(mixtures.UNASSIGNED_COLOR) >= 3


def test_every_word_stands_out_from_white():
    found = list(colored_words())
    assert len(found) >= 4
    assert [one for one in found if PALETTE[one[2]] not in style.WRITTEN] == []
    assert min(map(contrast, style.WRITTEN)) >= 4.5


@pytest.mark.parametrize("eye", SEEN)
def test_no_two_colours_are_as_alike_as_the_most_alike_of_okabe_and_ito(eye):
    most_alike = min(least_difference(OKABE_ITO, each) for each in SEEN)
    assert least_difference(PALETTE.values(), eye) > most_alike
