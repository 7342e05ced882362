"""A slider for how much better one of two is. Lecture: 12, section 6."""

from pathlib import Path

from course_lib import validation
from course_widgets.extras import anywidget, traitlets


class DegreeSlider(anywidget.AnyWidget):
    """From "A much better" over "alike" to "B much better"; its words are read out by a screen reader.

    With the keyboard: arrow keys, Page Up and Page Down for larger steps, Home and End. Its place is no answer before
    the listener has touched it, or pressed the button "alike".

    What the listener does comes as a message for each step, in order with the presses of buttons. A synchronised trait
    would not do: while the kernel is at work its changes wait in the browser, and a button pressed meanwhile overtakes
    them, so that an answer could be one step old.

    value : 0 (A much better) … 1 (B much better); follows the listener, and is changed by `put`
    touched : whether it is an answer; observe it
    """

    _esm = Path(__file__).with_name("degree.js")
    _css = Path(__file__).with_name("degree.css")

    value = traitlets.Float(0.5, min=0, max=1, read_only=True)
    touched = traitlets.Bool(False, read_only=True)
    _placed = traitlets.Tuple((0, 0.5, False)).tag(sync=True)  # how often the kernel has moved it, where to, touched

    def __init__(self):
        super().__init__()
        self.on_msg(self._moved)

    def put(self, value, touched=False):
        """Move it; where to is an answer only if it counts as touched."""
        self.set_trait("value", validation.fraction(value, "value"))
        self.set_trait("touched", validation.flag(touched, "touched"))
        self._placed = (self._placed[0] + 1, self.value, self.touched)

    def _moved(self, widget, content, buffers):
        """What the listener did."""
        self.set_trait("value", content["value"])
        self.set_trait("touched", True)
