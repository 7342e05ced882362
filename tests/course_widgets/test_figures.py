"""Figures as a notebook stores them: sharp at two pixels in a px, small, the same each time."""

import base64
import io
import re
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image

from course_widgets import style
from course_widgets.style import figure, show
from tools.slides import sizes


def lines():
    """A figure with all that is neither a surface of many shades nor out of the ordinary."""
    drawing, (left, right) = figure(1, 2, size=(6, 2.5))
    x = np.linspace(0, 6, 200)
    left.plot(x, np.sin(x), label="sine & cosine")
    left.fill_between(x, np.sin(x) - 0.2, np.sin(x) + 0.2, alpha=0.3)
    left.set(xlabel="$x^2$", ylabel="<y>", xlim=(1, 5))
    left.legend()
    right.scatter(x, np.cos(x), s=12)
    right.bar([1, 4], [-0.5, 0.5])
    return drawing


def shades(interpolation="nearest"):
    drawing, ax = figure(size=(4, 2.5))
    drawing.colorbar(ax.imshow(np.add.outer(np.arange(5.0), np.arange(7.0)), interpolation=interpolation), ax=ax)
    return drawing


def hatched():
    drawing, ax = figure(size=(4, 2))
    ax.bar([1, 2], [1, 2], hatch="//")
    return drawing


def round_axes():
    drawing, _ = figure(size=(2, 2), subplot_kw={"projection": "polar"})
    return drawing


def source(drawing):
    return re.search(r'src="([^"]+)"', show(drawing, "A figure.")._repr_html_())[1]


@pytest.mark.parametrize("make", [lines, shades])
def test_a_figure_is_a_small_drawing_which_is_complete_in_itself_and_the_same_each_time(make):
    data = show(make(), "A figure.").data
    root = ElementTree.fromstring(data)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert data == show(make(), "A figure.").data
    assert len(data) < len(style.png(make()))
    used, defined = (set(re.findall(what, data.decode())) for what in (r"url\(#(\w+)\)", r' id="(\w+)"'))
    assert used == defined
    addresses = re.findall(r'(?:href|src)="([^"]*)"', data.decode())
    assert all(address.startswith("data:image/png") for address in addresses)


@pytest.mark.parametrize("make", [lines, shades, lambda: shades("bilinear")])
def test_a_figure_that_was_shown_is_what_it_was(make):
    drawing = make()
    saved = [io.BytesIO() for _ in range(3)]
    for place in saved:
        drawing.savefig(place)
        show(drawing, "A figure.")
    assert drawing.dpi == 100
    assert saved[1].getvalue() == saved[2].getvalue()  # the first drawing only finds the places of the axes


def test_a_heat_map_keeps_its_few_pixels_and_its_scale_is_one_picture_too():
    pictures = re.findall(rb'href="data:image/png;base64,([^"]+)"', show(shades(), "A heat map.").data)
    found = {Image.open(io.BytesIO(base64.b64decode(one))).size for one in pictures}
    assert found == {(7, 5), (1, 256)}


@pytest.mark.parametrize("make", [hatched, round_axes])
def test_what_the_drawing_would_lack_is_a_picture_with_two_pixels_in_a_px(make):
    drawing = make()
    wide, high = drawing.get_size_inches() * 100
    tag = show(drawing, "A figure.")._repr_html_()
    assert f'width="{wide:g}" src="data:image/png' in tag
    assert Image.open(io.BytesIO(show(drawing, "A figure.").data)).size == (2 * wide, 2 * high)
    assert sizes.picture_size(source(drawing), wide) == (wide, high)


def test_lines_are_inverted_in_the_dark_and_shades_are_not():
    assert 'class="lines"' in show(lines(), "Lines.")._repr_html_()
    assert 'class="lines"' not in show(shades(), "Shades.")._repr_html_()
    assert sizes.picture_size(source(lines()), 600) == (600, 250)
