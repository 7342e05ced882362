"""A slider for how much better one of two is.

Lecture: 12, section 6.
"""

from pathlib import Path

import anywidget
import traitlets


class DegreeSlider(anywidget.AnyWidget):
    """From "A much better" over "alike" to "B much better"; its words are read out by a screen reader.

    With the keyboard: arrow keys, Page Up and Page Down for larger steps, Home and End.

    Attributes
    ----------
    value : 0 (A much better) … 1 (B much better); follows the listener

    Lecture: 12, section 6.
    """

    _esm = Path(__file__).with_name("degree.js")
    _css = Path(__file__).with_name("degree.css")

    value = traitlets.Float(0.5, min=0, max=1).tag(sync=True)
