"""Finds holes in the cases of a homework: changes its solutions a little, and tells which changes nobody notices.

    python -m tools.homework.mutants [HOMEWORK …]    prints, of all homeworks by default, the changed solutions that
                                                     are green in the notebook, with what they lose when graded

A mutant has one change: another comparison, sign, constant, axis or function; a term, a factor, an argument or a step
left out; a value clipped or made positive; inputs or answers in another type. What is green and loses points breaks
our promise that green earns them. What is green and loses nothing either changes no answer that is asked for, or
shows a case that is missing: look at it, and add the case in which it differs.
"""

import ast
import contextlib
import copy
import io
import sys
import warnings
from dataclasses import replace
from pathlib import Path

import nbformat
import numpy as np

from course_checks import judging
from course_checks.answering import told
from tools.homework.sheets import read_checks, read_sheets

ROOT = Path(__file__).resolve().parents[2]
CALL_SECONDS = 2.0
COMPARISONS = {
    ast.Lt: (ast.LtE, ast.Gt),
    ast.LtE: (ast.Lt, ast.GtE),
    ast.Gt: (ast.GtE, ast.Lt),
    ast.GtE: (ast.Gt, ast.LtE),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
}
COMPUTED = {
    ast.Add: (ast.Sub,),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.Div, ast.Add),
    ast.Div: (ast.Mult,),
    ast.FloorDiv: (ast.Div,),
    ast.Pow: (ast.Mult,),
}
EXCHANGED = {
    name: other
    for pair in (
        ("argmin", "argmax"), ("min", "max"), ("minimum", "maximum"), ("logpdf", "pdf"), ("cdf", "sf"),
        ("sum", "mean"), ("log", "log1p"), ("std", "var"), ("triu", "tril"), ("any", "all"),
    )
    for name, other in (pair, pair[::-1])
}  # fmt: skip
SYMMETRIC = ("maximum", "minimum", "max", "min", "logaddexp", "array_equal")
TYPES = ("float32", "int")


def mutants(source, function):
    """Changed sources of a function, each with what was changed.

    Parameters
    ----------
    source : text that defines it, and perhaps other ones
    function : its name, for changes of what goes in and what comes out

    Yields
    ------
    pairs (line and change, source)
    """
    tree = ast.parse(source)
    seen = {ast.dump(tree)}
    for place, node in enumerate(ast.walk(tree)):
        for new in _changes(node):
            changed = copy.deepcopy(tree)
            old = next(one for k, one in enumerate(ast.walk(changed)) if k == place)
            _Replace(old, new).visit(changed)
            ast.fix_missing_locations(changed)
            dump = ast.dump(changed)
            if dump not in seen:
                seen.add(dump)
                yield f"{node.lineno}: {ast.unparse(node)} → {_shown(new)}", ast.unparse(changed)
    for kind in TYPES:
        yield f"answers as {kind}", f"{source}\n{function} = __retyped__({function}, {kind!r}, False)"
        yield f"inputs as {kind}", f"{source}\n{function} = __retyped__({function}, {kind!r}, True)"


class _Replace(ast.NodeTransformer):
    """Puts another node into the place of one."""

    def __init__(self, old, new):
        self.old, self.new = old, new

    def visit(self, node):
        return self.new if node is self.old else self.generic_visit(node)


def _shown(node):
    return ast.unparse(ast.fix_missing_locations(node)).splitlines()[0]


def _changes(node):
    """What may stand in the place of a node."""
    if isinstance(node, ast.Compare) and type(node.ops[0]) in COMPARISONS:
        for kind in COMPARISONS[type(node.ops[0])]:
            yield ast.Compare(node.left, [kind(), *node.ops[1:]], node.comparators)
    elif isinstance(node, ast.BinOp):
        for kind in COMPUTED.get(type(node.op), ()):
            yield ast.BinOp(node.left, kind(), node.right)
        yield from (node.left, node.right)
        if isinstance(node.op, ast.Sub):
            yield from (_call("np.abs", node), _call("np.maximum", node, ast.Constant(0)))
    elif isinstance(node, ast.BoolOp):
        yield ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)
        yield from node.values
    elif isinstance(node, ast.UnaryOp):
        yield node.operand
    elif isinstance(node, ast.Constant) and type(node.value) in (int, float):
        value = node.value
        near = (value + 1, value - 1) if isinstance(value, int) else (value * 2, value / 2, value * 1.01, 0.0)
        yield from (ast.Constant(one) for one in near)
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield ast.Constant(not node.value)
    elif isinstance(node, ast.Call):
        yield from _calls(node)
    elif isinstance(node, ast.Attribute) and node.attr == "T":
        yield node.value
    elif isinstance(node, (ast.If, ast.IfExp)):
        for test in (True, False):
            yield type(node)(ast.Constant(test), node.body, node.orelse)
    elif isinstance(node, ast.AugAssign):
        yield ast.Pass()
        yield ast.Assign([node.target], node.value)
    elif isinstance(node, (ast.Break, ast.Continue)) or _stored(node):
        yield ast.Pass()
    elif isinstance(node, ast.Slice):
        for part in ("lower", "upper"):
            if getattr(node, part) is not None:
                yield ast.Slice(**{"lower": node.lower, "upper": node.upper, "step": node.step, part: None})


def _stored(node):
    """Whether it puts a value into a part of an array."""
    return isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Subscript)


def _calls(node):
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    if name in EXCHANGED:
        other = EXCHANGED[name]
        func = ast.Attribute(node.func.value, other, ast.Load()) if isinstance(node.func, ast.Attribute) else None
        yield ast.Call(func or ast.Name(other, ast.Load()), node.args, node.keywords)
    for k in range(len(node.args)):
        yield node.args[k]
        if len(node.args) > 1:
            yield ast.Call(node.func, node.args[:k] + node.args[k + 1 :], node.keywords)
            for other in range(k if name not in SYMMETRIC else 0):
                turned = list(node.args)
                turned[k], turned[other] = turned[other], turned[k]
                yield ast.Call(node.func, turned, node.keywords)
    for k in range(len(node.keywords)):
        yield ast.Call(node.func, node.args, node.keywords[:k] + node.keywords[k + 1 :])
    if isinstance(node.func, ast.Attribute) and not isinstance(node.func.value, ast.Name):
        yield node.func.value
    if name in ("log", "solve"):
        yield _call("np.abs", node)
    if name == "range" and node.args:
        for step in (1, -1):
            last = ast.BinOp(node.args[-1], ast.Add(), ast.Constant(step))
            yield ast.Call(node.func, [*node.args[:-1], last], node.keywords)


def _call(name, *args):
    return ast.Call(ast.parse(name, mode="eval").body, list(args), [])


def retyped(function, kind, inputs):
    """A function whose inputs, or answers, are rounded to single precision, or cut to integers."""

    def to(value):
        if isinstance(value, tuple):
            return tuple(map(to, value))
        if not isinstance(value, np.ndarray) or value.dtype.kind != "f":
            return value
        return value.astype(kind)

    def called(*given):
        answer = function(*map(to, given)) if inputs else function(*given)
        return answer if inputs else to(answer)

    return called


def judged(task, sheet, source):
    """(whether it is green, points), of a source that defines a task's function; None if it defines nothing."""
    names = {"__retyped__": retyped}
    quiet = contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings(), np.errstate(all="ignore")
    with quiet[0], quiet[1], quiet[2]:
        warnings.simplefilter("ignore")
        try:
            exec("import numpy as np\n" + source, names)
        except Exception:
            return None
        function = names[task.function]
        for case in task.cases + task.drawn:
            verdicts = judging.judge(_only(task, case), function, CALL_SECONDS)
            if not verdicts[0].right:
                return False, 0.0
        answers = list(told(function, sheet.inputs, CALL_SECONDS, 60.0))
        return True, judging.points(sheet.task, sheet.judge(answers))


def _only(task, case):
    return replace(task, cases=(case,), drawn=())


def report(name):
    """Prints which mutants of a homework's solutions are green."""
    folder = ROOT / "solutions" / name
    sheets = {sheet.task.name: sheet for sheet in read_sheets(folder).values()}
    cells = nbformat.read(folder / f"{name}.ipynb", as_version=4).cells
    sources = {one.metadata.get("nbgrader", {}).get("grade_id"): one.source for one in cells}
    for task in read_checks(folder).homework.tasks:
        lines, count = [], 0
        for change, source in mutants(sources[f"{task.name}-answer"], task.function):
            count += 1
            result = judged(task, sheets[task.name], source)
            if result is not None and result[0]:
                lost = task.points - result[1]
                lines.append(f"  {'green, loses ' + format(lost, '.4g') if lost else 'green':18s} {change}")
        print(f"{name} {task.name}: {count} mutants, {len(lines)} green", *lines, sep="\n", flush=True)


if __name__ == "__main__":
    for homework in sys.argv[1:] or sorted(path.parent.name for path in ROOT.glob("solutions/*/*.ipynb")):
        report(homework)
