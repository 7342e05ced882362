"""What a listener's page says when the kernel no longer answers.

Lecture: 12, section 6.
"""

from pathlib import Path

from course_widgets.extras import anywidget, traitlets


class Connection(anywidget.AnyWidget):
    """Says in the page that the connection was lost, and how to continue; it is seen only then.

    The page learns it from the kernel's status, or because nothing answers after the network was away.

    kept : a sentence: which answers are safe
    """

    _esm = Path(__file__).with_name("connection.js")
    _css = Path(__file__).with_name("connection.css")

    kept = traitlets.Unicode("").tag(sync=True)

    def __init__(self):
        super().__init__()
        self.on_msg(lambda widget, content, buffers: self.send("here"))
