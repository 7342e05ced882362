"""Figures as a browser paints them: matplotlib's own picture of the same figure is what they must look like."""

import io

import numpy as np
import pytest
from PIL import Image

from course_widgets import style
from tests.course_widgets.test_figures import lines, shades


def pixels(data):
    """Amounts of grey, averaged over 4 × 4 pixels: the edges of letters are painted by each in its own way."""
    grey = np.asarray(Image.open(io.BytesIO(data)).convert("L"), dtype=float)
    high, wide = (length - length % 4 for length in grey.shape)
    return grey[:high, :wide].reshape(high // 4, 4, wide // 4, 4).mean(axis=(1, 3))


@pytest.mark.parametrize("make", [lines, shades, lambda: shades("bilinear")])
def test_a_browser_paints_what_matplotlib_paints(make, browser):
    drawing = make()
    style.png(drawing)  # places the axes
    page = browser.new_context(device_scale_factor=2).new_page()
    page.set_content(f"<body style='margin:0'>{style.show(drawing, 'A figure.')._repr_html_()}</body>")
    image = page.locator("img")
    image.evaluate("image => image.decode()")
    difference = np.abs(pixels(image.screenshot()) - pixels(style.png(drawing)))
    page.context.close()
    assert difference.mean() < 3
    assert np.mean(difference > 64) < 0.005
