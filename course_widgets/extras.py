"""What the extra `widgets` installs; where it is missing, the error says what to type. Lecture: 00."""

from course_lib import validation

anywidget = validation.optional_import("anywidget", "widgets")
traitlets = validation.optional_import("traitlets", "widgets")
widgets = validation.optional_import("ipywidgets", "widgets")
display = validation.optional_import("IPython.display", "widgets")
