"""Places of a lecture where a student writes numbers: a page checks them by the rules of the lecture's own check.

place(source, notebook)     HTML of the place that belongs under a cell
"""

import ast
import builtins
import html
import inspect
import re

import numpy as np

from course_widgets.frame import prose
from course_widgets.replies import Reply
from tools.site import packing

PRINTED_CHECK = re.compile(r"^print\(\s*check_\w+\(\s*my_", flags=re.MULTILINE)
UNWRITTEN = re.compile(r"^(my_[\w, ]+) = None\b[^#\n]*(?:# *(.*))?$", flags=re.MULTILINE)


def place(source, notebook):
    """The place of a cell; "" if it checks no numbers, not by rules, or needs what earlier cells have computed."""
    told, variables = called(source, notebook) if PRINTED_CHECK.search(source) else (None, ())
    if not isinstance(told, Reply):
        return ""
    asked, comment = UNWRITTEN.search(source).groups(default="")
    asked, comments = asked.split(", "), comment.split("; ")
    each = comments if len(comments) == len(asked) else [""] * len(asked)
    inside = {
        "about": "" if any(each) else html.escape(comment),
        "inputs": [
            {"label": f"<code>{name}</code> {html.escape(said)}", "of": variables.index(name)}
            for name, said in zip(asked, each, strict=True)
        ],
        "names": told.names,
        "nothing": prose(told),
        "rules": [[prose(said), shown(numbers, near), shown(near, near)] for said, numbers, near in told.rules],
    }
    return f'<div class="writing" data-writing="{packing.attribute(inside)}" hidden></div>'


def shown(values, near):
    """Numbers as JSON has them: null where any will do."""
    return [float(value) if np.isfinite(far) else None for value, far in zip(values, near, strict=True)]


def called(source, notebook):
    """(what a cell's check returns, the variable for each of its numbers); (None, []) if it needs earlier cells."""
    tree, imported = ast.parse(source), imports(notebook)
    names = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
    read, here = ({node.id for node in names if isinstance(node.ctx, kind)} for kind in (ast.Load, ast.Store))
    if read - here - set(imported) - set(vars(builtins)):
        return None, []
    body = [*(imported[name] for name in read & set(imported)), *tree.body]
    space, call = {}, next(node.value.args[0] for node in tree.body if PRINTED_CHECK.match(ast.unparse(node)))
    silent = ast.Module([node for node in body if not isinstance(node, ast.Expr)], [])
    exec(compile(silent, "a cell", "exec"), space)
    told = eval(compile(ast.Expression(call), "a cell", "eval"), space)
    keywords = {one.arg: one.value for one in call.keywords if one.arg}  # others are unpacked, and no names of a cell
    given = inspect.signature(space[call.func.id]).bind_partial(*call.args, **keywords).arguments
    return told, [ast.unparse(given[name]) for name in getattr(told, "names", ())]


def imports(notebook):
    """{name: the statement that brings it} of what the cells of a notebook import."""
    code = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "code")
    nodes = [node for node in ast.walk(ast.parse(code)) if isinstance(node, (ast.Import, ast.ImportFrom))]
    return {alias.asname or alias.name.partition(".")[0]: node for node in nodes for alias in node.names}
