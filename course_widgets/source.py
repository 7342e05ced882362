"""The library's own code in a lecture: what is read is what runs. Lecture: 00."""

import ast
import inspect
import textwrap

from course_lib import validation
from course_widgets.extras import display


def show_source(function, docstring=False):
    """The source of a function of the library, highlighted; the docstring is left out unless asked for."""
    docstring, written = validation.flag(docstring, "docstring"), getattr(function, "py_func", function)
    if not (inspect.isroutine(written) or inspect.isclass(written)) or inspect.isbuiltin(written):
        raise ValueError(f"function is {function!r}; a function or a class of the library is needed.")
    text = textwrap.dedent(inspect.getsource(written))
    if not docstring:
        lines, (first, *_) = text.splitlines(), ast.parse(text).body[0].body
        if isinstance(first, ast.Expr) and isinstance(getattr(first.value, "value", None), str):
            text = "\n".join(lines[: first.lineno - 1] + lines[first.end_lineno :])
    return display.Code(text.strip(), language="python")
