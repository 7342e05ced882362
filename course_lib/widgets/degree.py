"""A slider for how much better one of two is.

Lecture: 12, section 6.
"""

from pathlib import Path

import anywidget
import traitlets

from course_lib import validation


class DegreeSlider(anywidget.AnyWidget):
    """From "A much better" over "alike" to "B much better"; its words are read out by a screen reader.

    With the keyboard: arrow keys, Page Up and Page Down for larger steps, Home and End.

    What the listener does comes as a message for each step, in order with the presses of buttons. A synchronised trait
    would not do: while the kernel is at work its changes wait in the browser, and a button pressed meanwhile overtakes
    them, so that an answer could be one step old.

    Attributes
    ----------
    value : 0 (A much better) … 1 (B much better); follows the listener, and is changed by `put`

    Lecture: 12, section 6.
    """

    _esm = Path(__file__).with_name("degree.js")
    _css = Path(__file__).with_name("degree.css")

    value = traitlets.Float(0.5, min=0, max=1, read_only=True)
    _placed = traitlets.Tuple((0, 0.5)).tag(sync=True)  # how often the kernel has moved it, and where to

    def __init__(self):
        super().__init__()
        self.on_msg(self._moved)

    def put(self, value):
        """Move it.

        Raises
        ------
        ValueError
            If the value is not in 0 … 1.

        Lecture: 12, section 6.
        """
        self.set_trait("value", validation.share(value, "value"))
        self._placed = (self._placed[0] + 1, self.value)

    def _moved(self, widget, content, buffers):
        """What the listener did."""
        self.set_trait("value", content["value"])
