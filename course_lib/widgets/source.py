"""The library's own code in a lecture: what is read is what runs.

Lecture: 00.
"""

import inspect

from IPython.display import Code


def show_source(function, docstring=False):
    """The source of a function of the library, highlighted; the docstring is left out unless asked for.

    Lecture: 00.
    """
    function = getattr(function, "py_func", function)
    text = inspect.getsource(function)
    if not docstring and function.__doc__:
        before, _, after = text.partition(f'"""{_first_line(text)}')
        text = before.rstrip() + after.partition('"""')[2]
    return Code(text, language="python")


def _first_line(text):
    return text.partition('"""')[2].split("\n")[0]
