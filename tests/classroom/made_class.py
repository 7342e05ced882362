"""A made-up class: answers from the bank of a homework in as many styles as there are students, and disguised copies.

Each student picks a way to solve each task, writes it in a style of their own, and letters in words that a chain of
word pairs draws from the course's texts. So honest students share more here than people do who begin with nothing.
"""

import ast
import inspect
import json
import random
import re
from collections import defaultdict
from functools import cache
from itertools import pairwise
from types import FunctionType

import nbformat

from tests.homework import graded
from tools.homework.sheets import wrong_functions

WORDS = 150
NAMES = ("a", "b", "best", "cost", "cur", "idx", "m", "n", "out", "prev", "res", "row", "tmp", "total", "val")
REMARKS = ("# first the table", "# now the rest", "# as in the lecture", "# check this again", "# step")


@cache
def ways(homework):
    """{task: sources of its right and wrong answers that stand for themselves}."""
    found = {}
    for task, bank in graded.banks(homework).items():
        solution = graded.cell(graded.notebook(homework), f"{task}-answer")
        functions = (*bank.RIGHT.values(), *wrong_functions(bank).values())
        plain = {one for one in functions if "<" not in one.__qualname__}
        found[task] = sorted({re.sub(r"### \w+ SOLUTION", "", solution), *map(whole, plain)})
    return found


def whole(function):
    """The source of a function, and before it those of its module that it calls."""
    called = [function.__globals__.get(name) for name in function.__code__.co_names]
    helpers = [one for one in called if isinstance(one, FunctionType) and "<" not in one.__qualname__]
    here = [one for one in helpers if one is not function and one.__module__.startswith(function.__module__[:4])]
    return "\n\n".join([*map(whole, here), inspect.getsource(function)])


class Style(ast.NodeTransformer):
    """Writes the same in another way wherever chance says so."""

    def __init__(self, chance):
        self.chance = chance

    def now(self, share=0.4):
        return self.chance.random() < share

    def visit_BinOp(self, node):
        self.generic_visit(node)
        if isinstance(node.op, (ast.Add, ast.Mult)) and self.now():
            return ast.BinOp(node.right, node.op, node.left)
        if isinstance(node.op, ast.Pow) and isinstance(node.right, ast.Constant) and self.now():
            return ast.Call(ast.parse("np.power", mode="eval").body, [node.left, node.right], [])
        return node

    def visit_Compare(self, node):
        self.generic_visit(node)
        turned = {ast.Lt: ast.Gt, ast.Gt: ast.Lt, ast.LtE: ast.GtE, ast.GtE: ast.LtE}
        if len(node.ops) == 1 and type(node.ops[0]) in turned and self.now():
            return ast.Compare(node.comparators[0], [turned[type(node.ops[0])]()], [node.left])
        return node

    def visit_Call(self, node):
        self.generic_visit(node)
        method = isinstance(node.func, ast.Attribute) and node.func.attr in (
            "sum",
            "min",
            "max",
            "any",
            "argmin",
            "all",
        )
        if method and not (isinstance(node.func.value, ast.Name) and node.func.value.id == "np") and self.now():
            name = ast.Attribute(ast.Name("np", ast.Load()), node.func.attr, ast.Load())
            return ast.Call(name, [node.func.value, *node.args], node.keywords)
        return node

    def visit_AugAssign(self, node):
        self.generic_visit(node)
        if isinstance(node.target, ast.Name) and self.now():
            return ast.Assign([node.target], ast.BinOp(ast.Name(node.target.id, ast.Load()), node.op, node.value))
        return node

    def visit_Return(self, node):
        self.generic_visit(node)
        name = self.chance.choice(NAMES)
        if node.value is not None and self.now():
            return [ast.Assign([ast.Name(name, ast.Store())], node.value), ast.Return(ast.Name(name, ast.Load()))]
        return node

    def visit_Assign(self, node):
        self.generic_visit(node)
        if isinstance(node.value, ast.BinOp) and self.now():
            name = self.chance.choice(NAMES)
            left = ast.Assign([ast.Name(name, ast.Store())], node.value.left)
            return [
                left,
                ast.Assign(node.targets, ast.BinOp(ast.Name(name, ast.Load()), node.value.op, node.value.right)),
            ]
        return node


class Rename(ast.NodeTransformer):
    """Gives what a source binds other names."""

    def __init__(self, chance, tree):
        bound = {one.id for one in ast.walk(tree) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}
        self.names = {name: f"{chance.choice(NAMES)}_{k}" for k, name in enumerate(sorted(bound))}

    def visit_Name(self, node):
        return ast.Name(self.names.get(node.id, node.id), node.ctx)


def rewritten(source, *steps):
    """A source after some NodeTransformers; each step is a function of its tree."""
    tree = ast.parse(source)
    for step in steps:
        tree = ast.fix_missing_locations(step(tree).visit(tree))
    return ast.unparse(tree)


@cache
def followers():
    """{word: words that follow it} in the texts of all homework."""
    found = defaultdict(list)
    for name in graded.HOMEWORKS:
        text = " ".join(one.source for one in graded.notebook(name).cells if one.cell_type == "markdown")
        words = re.findall(r"[a-z]+[,.]?", text)
        for word, after in pairwise(words):
            found[word].append(after)
    return found


def letter(chance):
    """Some words, one after the other."""
    words = [chance.choice(sorted(followers()))]
    while len(words) < WORDS:
        words.append(chance.choice(followers().get(words[-1]) or ["the"]))
    return " ".join(words)


def honest(homework, chance):
    """{grade_id: text} of a student who wrote everything alone."""
    steps = (lambda tree: Style(chance), lambda tree: Rename(chance, tree))
    code = {f"{task}-answer": rewritten(chance.choice(of), *steps) for task, of in ways(homework).items()}
    cells = graded.notebook(homework).cells
    names = [
        one.metadata.nbgrader.grade_id for one in cells if "nbgrader" in one.metadata and one.cell_type == "markdown"
    ]
    return code | {name: letter(chance) for name in names}


def verbatim(texts, chance):
    return dict(texts)


def renamed(texts, chance):
    """Other names, and remarks between the lines."""

    def change(source):
        lines = rewritten(source, lambda tree: Rename(chance, tree)).splitlines()
        return "\n".join(f"{line}  {chance.choice(REMARKS)}" if chance.random() < 0.4 else line for line in lines)

    return {name: change(text) if name.endswith("-answer") else text for name, text in texts.items()}


def reordered(texts, chance):
    """Statements that do not need each other exchanged, other white space; letters with every tenth word another."""

    def change(source):
        tree = ast.parse(source)
        for function in [one for one in ast.walk(tree) if isinstance(one, ast.FunctionDef)]:
            for k in range(len(function.body) - 1):
                if independent(*function.body[k : k + 2]):
                    function.body[k : k + 2] = function.body[k : k + 2][::-1]
        return re.sub(r" ([-+*/=<>]) ", r"  \1   ", ast.unparse(tree).replace("\n", "\n\n"))

    def paraphrase(text):
        return " ".join(chance.choice(sorted(followers())) if chance.random() < 0.1 else one for one in text.split())

    return {name: (change if name.endswith("-answer") else paraphrase)(text) for name, text in texts.items()}


def independent(first, second):
    """Whether two statements may change places."""
    uses = [{one.id for one in ast.walk(node) if isinstance(one, ast.Name)} for node in (first, second)]
    both = [isinstance(node, ast.Assign) for node in (first, second)]
    return all(both) and not {name for name in uses[0] & uses[1] if name != "np"}


KINDS = (verbatim, renamed, reordered)


def classroom(homework, seed, students=40, copies=6):
    """({student: {grade_id: text}}, the pairs who copied): the last ones copied from the first ones."""
    chance = random.Random(seed)
    texts = {f"S{k:02d}": honest(homework, chance) for k in range(1, students - copies + 1)}
    pairs = set()
    for k in range(copies):
        source, copier = f"S{k + 1:02d}", f"S{students - copies + k + 1:02d}"
        texts[copier] = KINDS[k % len(KINDS)](texts[source], chance)
        pairs.add((source, copier))
    return texts, pairs


def hand_in(folder, homework, texts, own=""):
    """Writes what one student handed in, in the notebook that was released."""
    book = json.loads(nbformat.writes(graded.notebook(homework, "exercises")))
    for cell in book["cells"]:
        name = cell["metadata"].get("nbgrader", {}).get("grade_id")
        cell["source"] = texts.get(name, cell["source"])
    if own:
        book["cells"].append(
            {"cell_type": "code", "metadata": {}, "source": own, "outputs": [], "execution_count": None}
        )
    place = folder / homework
    place.mkdir(parents=True)
    (place / f"{homework}.ipynb").write_text(json.dumps(book), encoding="utf-8")
