"""The library's own code in a lecture: what is read is what runs.

Lecture: 00.
"""

import ast
import inspect
import textwrap

from IPython.display import Code


def show_source(function, docstring=False):
    """The source of a function of the library, highlighted; the docstring is left out unless asked for.

    Lecture: 00.
    """
    text = textwrap.dedent(inspect.getsource(getattr(function, "py_func", function)))
    if not docstring:
        lines, (first, *_) = text.splitlines(), ast.parse(text).body[0].body
        if isinstance(first, ast.Expr) and isinstance(getattr(first.value, "value", None), str):
            text = "\n".join(lines[: first.lineno - 1] + lines[first.end_lineno :])
    return Code(text.strip(), language="python")
