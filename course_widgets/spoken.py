"""What a screen reader learns of the controls, where ipywidgets says nothing. Lecture: 00."""

from pathlib import Path

from course_lib import validation
from course_widgets import style

anywidget = validation.optional_import("anywidget", "widgets")
traitlets = validation.optional_import("traitlets", "widgets")
widgets = validation.optional_import("ipywidgets", "widgets")


class Spoken(anywidget.AnyWidget):
    """Not seen itself: it names the sliders and the answers of the box that it is put into, as long as they are shown.

    ipywidgets 8 gives a slider no name in the browser. This gives it the label beside it, and lets it say the number
    beside it (a logarithmic one would say its exponent). A group of answers gets the question before it as its name,
    and each answer says whether it is the chosen one, which otherwise only its colour does.
    In a dark theme it makes pictures less bright.
    """

    _esm = Path(__file__).with_name("spoken.js")
    _css = f".widget-image {{{style.SUBDUED}}}"

    def __init__(self):
        super().__init__(layout=widgets.Layout(display="none"))
