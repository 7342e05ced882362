"""The checks of homework 01: for each task the cases you see, the mistakes we know, and hints. No solutions here."""

import numpy as np

from course_checks import Case, Homework, Law, Mistake, Task, array, near, not_finite, times, whole


def frames(*values):
    """A sequence of frames with one feature each."""
    return np.array(values, dtype=float)[:, None]


NAN = np.nan
LECTURE = (array(0, 6, 5, 6), array(1, 0, 6, 0, 4))
BORDER = ("as if a path could begin anywhere on the border", "Where may a path begin? What would it cost elsewhere?")
FIRST_CELL = ("as if the first pair came free", "Which pair is matched first, and who pays for it?")
LOCAL_COST = ("as if the local cost were another one", "Which local cost does the task name?")
OF_DISTANCES = (
    Law(
        "Exchange x and y: the answer stays.",
        "Which line treats the two sequences differently?",
        lambda x, y, *more: (y, x, *more),
    ),
    Law(
        "Let both sequences run backwards: the answer stays, for each path can be walked from its other end.",
        "Is something paid at one end only, or a wrong cell chosen or summed up on the way?",
        lambda x, y, *more: (x[::-1].copy(), y[::-1].copy(), *more),
    ),
    Law(
        "Add 5 to x and to y: the answer stays.",
        "Where do x and y enter otherwise than by their differences?",
        lambda x, y, *more: (x + 5, y + 5, *more),
    ),
)
TURN = np.array([[1, 1], [-1, 1]]) / np.sqrt(2)
SHAPES = ((4, 5), (5, 3), (1, 4), (6, 6), (3, 1), (2, 2), (5, 6))  # frames of x and of y


def two_sequences(rng, k, *features):
    """Two sequences of the kth shape, of numbers below and above 0.

    Every fourth time both say nearly the same, one slowly where the other is quick.
    """
    if k % 4 == 3:
        said, slow = rng.normal(0, 5, (3, *features)), (4, 1, 1)
        x, y = np.repeat(said, slow, axis=0), np.repeat(said, slow[::-1], axis=0)
        return x.round(1), (y + rng.normal(0, 0.5, y.shape)).round(1)
    return tuple(rng.normal(0, 5, (n, *features)).round(1) for n in SHAPES[k % len(SHAPES)])


# --------------------------------------------------------------------------------------------------- 1 amerced


def draw_amerced(rng, k):
    """Two sequences and a penalty, from none to one that no path pays twice."""
    return *two_sequences(rng, k), (0.5, 2.5, 0.0, 1.0, 20.0)[k % 5]


amerced = Task(
    name="amerced",
    function="amerced_dtw",
    arguments=("x", "y", "omega"),
    title="Task 1 · Amerced DTW",
    stars=1,
    minutes=20,
    points=3,
    cases=(
        Case("one frame each", (array(2), array(5), 3.0), 3.0),
        Case("one frame against three", (array(5), array(1, 7, 2), 2.0), 13.0),
        Case("three frames against one", (array(1, 7, 2), array(5), 2.0), 13.0),
        Case("the lecture's table, ω = 0", (*LECTURE, 0.0), 8.0),
        Case("by hand, ω = 3", (array(5, 1, 0, 1), array(1, 7, 6, 8, 1), 3.0), 22.0),
        Case("a long wait, ω = 1", (array(0, 5, 9), array(0, 5, 5, 5, 9), 1.0), 2.0),
        Case("slow at first, then quick", (array(0.5, 0.6, 0.4, 9.2), array(0.5, 9.2, 9.3, 9.2), 0.25), 1.3, 1e-6),
        Case("a step that costs more than it saves, ω = 3", (array(3, 2), array(4, 4, 4), 3.0), 7.0),
    ),
    draw=draw_amerced,
    tolerance=1e-6,
    mistakes=(
        Mistake(*BORDER, wrong_functions=("zero border", "first row not accumulated")),
        Mistake(*FIRST_CELL, wrong_functions=("first cell free",)),
        Mistake(
            "which is what you pay for always taking the cheapest next cell",
            "Could a dear step now save two later? Keep the best way to every cell.",
            wrong_functions=("greedy walk",),
        ),
        Mistake(
            "as if there were no diagonal step",
            "How does a path advance in both sequences at once?",
            wrong_functions=("no diagonal",),
        ),
        Mistake(*LOCAL_COST, wrong_functions=("squared", "root of squares")),
        Mistake(
            "as if the diagonal step counted its pair twice",
            "With which weight does the lecture's symmetric step count a pair, and with which does this task?",
            wrong_functions=("weights of symmetric2",),
        ),
        Mistake(
            "as if a path paid for its dearest pair only",
            "Does a path pay for all of its pairs, or for one?",
            wrong_functions=("largest local cost",),
        ),
        Mistake(
            "as if ω stood in place of the local cost",
            "What does a straight step pay for its own pair? ω comes on top of it.",
            wrong_functions=("penalty in place of the cost",),
        ),
        Mistake(
            "as if only the first of several straight steps paid ω",
            "What do two straight steps in a row cost? Each of them pays.",
            wrong_functions=("penalty once a run",),
        ),
        Mistake(
            "the right total divided by the lengths",
            "Is a mean asked for, or a total?",
            gives=lambda case: case.expected / (len(case.inputs[0]) + len(case.inputs[1])),
        ),
        Mistake(
            "as if ω were 0",
            "Where does ω enter your recursion? Two of the three ways into a cell pay it.",
            wrong_functions=("penalty forgotten",),
        ),
        Mistake(
            "as if the penalty were multiplied with the local cost",
            "What does a straight step cost when the two frames are equal? It should still cost ω.",
            wrong_functions=("penalty multiplies", "penalty as extra weight"),
        ),
        Mistake(
            "as if other steps paid the penalty",
            "Which steps let only one of the two sequences advance? Those pay, and no others.",
            wrong_functions=("every step pays", "diagonal pays too", "diagonal pays twice", "only the diagonal pays"),
        ),
        Mistake(
            "as if the first pair paid a penalty",
            "How many steps does a path of one cell make?",
            gives=lambda case: case.expected + case.inputs[2],
        ),
        Mistake(
            "as if a step cost more in one place than in another",
            "What does one step cost, wherever it is taken?",
            wrong_functions=(
                "dearer off the diagonal",
                "cells off the diagonal pay",
                "dearer off the diagonal, but for edges",
            ),
        ),
        Mistake(
            "as if steps in one direction only paid",
            "Exchange x and y: may the answer change?",
            wrong_functions=("only vertical steps pay", "only horizontal steps pay"),
        ),
        Mistake(
            "as if the edges of the table were free of penalties",
            "What do the steps along the first row and column cost?",
            wrong_functions=("edges without penalty",),
        ),
        Mistake(
            "as if the path were chosen first and its penalties added later",
            "Must a path know its penalties while it chooses?",
            wrong_functions=("difference of lengths", "penalty after the path"),
        ),
        Mistake(
            "as if the decimals were lost on the way",
            "With whole numbers you are right. Of which type is your table?",
            when=lambda case, got: got % 1 == 0 < case.expected % 1,
        ),
        Mistake(
            "as if ω were a reward",
            "Does a larger ω make straight steps dearer?",
            wrong_functions=("penalty as reward",),
        ),
        Mistake(
            "as if the last cell had never been reached",
            "Which cells were never filled? A table with a border has one row and one column more than frames.",
            when=not_finite,
        ),
    ),
    hints=(
        "Begin with the recursion of the lecture for unit weights. Three ways lead into a cell: from the diagonal, "
        "from above, from the left. Two of them pay ω.",
        "A border of infinity around the table, with one 0 in its corner, saves all special cases: no path can come "
        "in from outside, and the first cell costs |x₁ − y₁|.",
        "D(i, j) = |x_i − y_j| + the least of D(i−1, j−1), D(i−1, j) + ω and D(i, j−1) + ω.",
    ),
    laws=(
        *OF_DISTANCES,
        Law(
            "Double x, y and ω: the cost doubles.",
            "Which term is squared, multiplied, or not in the unit of x?",
            lambda x, y, omega: (2 * x, 2 * y, 2 * omega),
            times(2),
        ),
        Law(
            "x against itself costs 0.",
            "What costs something on the diagonal?",
            lambda x, y, omega: (x, x, omega),
            lambda one, other: near(other, 0),
        ),
        Law(
            "A larger ω makes no path cheaper.",
            "With which sign does ω enter?",
            lambda x, y, omega: (x, y, omega + 1),
            lambda one, other: other > one - 1e-9,
        ),
    ),
    asks={
        "one frame each": "One pair, no step: what does it cost?",
        "one frame against three": "There is one path only: add up its local costs. How many fines does it pay?",
        "by hand, ω = 3": "Which steps pay, how often, and before or after the choice of the way?",
        "a long wait, ω = 1": "The path waits twice at the same frame. What does the second wait cost?",
        "slow at first, then quick": "Which cell of your table is the first to differ from one that you fill by hand?",
    },
)

# ------------------------------------------------------------------------------------------------------ 2 path


def draw_path(rng, k):
    """A table whose cells were reached in a random order, each from one before it and not necessarily the best."""
    rows, columns = ((4, 5), (5, 4), (1, 4), (4, 1), (2, 5), (5, 5), (6, 4))[k % 7]
    omega = (0.2, 1.5, 0.0, 3.0)[k % 4]
    table = np.full((rows, columns), np.nan)
    table[0, 0] = rng.uniform(0, 4)
    while np.isnan(table).any():
        i, j = rng.integers(rows), rng.integers(columns)
        down, right = rng.permutation([0, 1, 1])[:2]
        if i + down < rows and j + right < columns and np.isnan(table[i + down, j + right]):
            table[i + down, j + right] = table[i, j] + omega * (down != right) + rng.uniform(0, 4)
    return table.round(1), omega


TABLE = np.array([[4, 9, 13, 19, 26], [7, 10, 14, 20, 19], [11, 14, 16, 22, 21], [14, 17, 19, 23, 22]], dtype=float)
TRAP = np.array([[3, 7, 13, 19], [6, 5, 12, 17]], dtype=float)
FLAT = np.array([[0, 1, 2, 2, 3], [1, 0, 2, 3, 4]], dtype=float)  # 2, 3 against 2, 3, 1, 2, 1: D[−1] looks cheap

TALL = np.array(
    [
        [6.1, 8.1, 18.5, 26.5, 34.3],
        [15.6, 7.9, 15.3, 22.7, 24.4],
        [18.9, 16.4, 15.8, 23.3, 24],
        [26.6, 19.2, 24.5, 23.7, 26.4],
        [33.5, 21.8, 19.8, 24.6, 30.6],
        [35, 30, 24.2, 23.8, 30.3],
    ]
)
BROAD = np.array(
    [
        [3.3, 7.8, 17.8, 27.9, 37.2, 44.1, 53.1],
        [13.7, 11.7, 13.4, 16.8, 19.1, 29.7, 38.1],
        [18.7, 17, 14.6, 14, 24.7, 21.5, 26],
        [21, 23.4, 24.2, 21.4, 22.3, 24, 22.8],
        [23.4, 25.3, 23.5, 24.6, 22.2, 23.1, 29.3],
    ]
)
EDGE = "What does Python read at index −1? At an edge of the table there is one way back only."

path = Task(
    name="path",
    function="amerced_path",
    arguments=("accumulated", "omega"),
    title="Task 2 · The way back",
    stars=1,
    minutes=20,
    points=4,
    cases=(
        Case("a table of one cell", (array(3)[:, None], 1.0), whole((0, 0))),
        Case("the table of Task 1, ω = 3", (TABLE, 3.0), whole((0, 0), (0, 1), (1, 2), (2, 3), (3, 4))),
        Case("a trap at the edge, ω = 2", (TRAP, 2.0), whole((0, 0), (0, 1), (0, 2), (1, 3))),
        Case("along the first row, ω = 0", (FLAT, 0.0), whole((0, 0), (0, 1), (0, 2), (0, 3), (1, 4))),
        Case("along the first column, ω = 0", (FLAT.T.copy(), 0.0), whole((0, 0), (1, 0), (2, 0), (3, 0), (4, 1))),
        Case("a trap at the other edge, ω = 2", (TRAP.T.copy(), 2.0), whole((0, 0), (1, 0), (2, 0), (3, 1))),
        Case(
            "a cheap last column, ω = 1",
            (array([0, 10, 20], [3, 0, 10], [4, 51, 0], [14, 4, 51], [24, 14, 4]), 1.0),
            whole((0, 0), (1, 0), (2, 0), (3, 1), (4, 2)),
        ),
        Case(
            "all three moves, ω = 1.4",
            (TALL, 1.4),
            whole((0, 0), (1, 1), (2, 1), (3, 1), (4, 2), (4, 3), (5, 4)),
            1e-6,
        ),
        Case(
            "all three moves, more columns, ω = 1.8",
            (BROAD, 1.8),
            whole((0, 0), (0, 1), (1, 2), (1, 3), (1, 4), (2, 5), (3, 5), (4, 6)),
            1e-6,
        ),
    ),
    draw=draw_path,
    mistakes=(
        Mistake(
            "a path that ends as soon as it meets an edge",
            "What remains to match when one sequence is used up? Only (0, 0) is the beginning.",
            when=lambda case, got: (
                0 < len(got) < len(case.expected) and near(got, case.expected[-len(got) :]) and (got[0] == 0).any()
            ),
        ),
        Mistake(
            "a path that leaves out its beginning",
            "Which pair does every path begin with?",
            when=lambda case, got: near(got.reshape(-1, 2) if got.size == 0 else got, case.expected[1:]),
        ),
        Mistake(
            "a path that leaves out its end",
            "Which pair does every path end with?",
            when=lambda case, got: near(got.reshape(-1, 2) if got.size == 0 else got, case.expected[:-1]),
        ),
        Mistake(
            "the right path, backwards",
            "Which end did you start from? The pairs are wanted from the first to the last.",
            when=lambda case, got: near(got, case.expected[::-1]),
        ),
        Mistake(
            "the right path with its columns exchanged",
            "Which index belongs to x? Rows of the table are frames of x, and x comes first in a pair.",
            when=lambda case, got: near(got, case.expected[:, ::-1]),
        ),
        Mistake(
            "the right path in two rows",
            "One row for each pair is wanted: shape (L, 2). What does .T do?",
            when=lambda case, got: near(got, case.expected.T),
        ),
        Mistake(
            "as if ω were 0 on the way back",
            "Which of the three ways into a cell had to pay ω? Compare what each of them cost.",
            wrong_functions=("penalty forgotten",),
        ),
        Mistake(
            "a walk from the first cell that always takes the smallest next one",
            "Does the smallest next cell lie on the way to the end? Every cell knows its past, none its future.",
            wrong_functions=("forwards", "forwards, with penalties"),
        ),
        Mistake(
            "a path without a single diagonal step",
            "How many cells can a path come from? Look at all three.",
            when=lambda case, got: len(got) > 1 and (np.abs(np.diff(got, axis=0)).sum(axis=-1) == 1).all(),
        ),
        Mistake(
            "the right path, counted from 1",
            "Python counts from 0. Is there a border in your table that the answer should not know of?",
            when=lambda case, got: near(got, case.expected + 1),
        ),
        Mistake("with indices below 0", EDGE, when=lambda case, got: (got < 0).any()),
        Mistake("as if it had walked over the edge", EDGE, raises=IndexError),
    ),
    hints=(
        "Start in the last cell, step back until you are at (0, 0), and turn the list round at the end.",
        "Which way back? The one the table was filled by: the least of D(i−1, j−1), D(i−1, j) + ω, D(i, j−1) + ω. In "
        "the first row only the left one exists, in the first column only the one above.",
        "A loop that runs while i > 0 or j > 0 and collects (i, j). List the ways that exist as (price, i, j): min of "
        "such a list is the cheapest way and says where it comes from.",
    ),
    laws=(
        Law(
            "Exchange rows and columns of the table: so do the two numbers of each pair.",
            "Which line treats rows and columns differently?",
            lambda table, omega: (table.T.copy(), omega),
            lambda one, other: near(other, one[:, ::-1]),
        ),
        Law(
            "Each step of a path goes one row on, or one column, or both.",
            "Print your pairs: where do they jump, stand still or turn back?",
            holds=lambda one, other: one.ndim == 2 and np.isin(np.diff(one, axis=0), (0, 1)).all(),
        ),
        Law(
            "A path begins with (0, 0).",
            "When does your loop stop?",
            holds=lambda one, other: one.ndim == 2 and not one[:1].any(),
        ),
        Law(
            "Add 5 to the whole table: the path stays.",
            "What do you compare besides the prices of the three ways, as they are?",
            lambda table, omega: (table + 5, omega),
        ),
        Law(
            "Double the table and ω: the path stays.",
            "What do you compare with what?",
            lambda table, omega: (2 * table, 2 * omega),
        ),
        Law(
            "Add i + j to each D(i, j), and take 1 off ω: the path stays, for all ways into a cell become dearer "
            "by i + j − 2.",
            "Which of the three ways pay ω, and how often?",
            lambda table, omega: (
                (table + np.add.outer(*map(np.arange, table.shape)), omega - 1) if omega >= 1 else None
            ),
        ),
    ),
    asks={
        "the table of Task 1, ω = 3": "From each cell of your path: what did its three ways cost, "
        "with ω where it belongs?",
        "a trap at the edge, ω = 2": "At the edge of the table there is one way back only. Which way does yours go?",
        "along the first row, ω = 0": "In the first row there is one way back only. Does your loop go on there?",
        "along the first column, ω = 0": "In the first column there is one way back only. Does your loop go on there?",
        "all three moves, ω = 1.4": "Print, for each cell on your way, the prices of the three ways into it.",
    },
)

# ------------------------------------------------------------------------------------------------ 3 bottleneck


bottleneck = Task(
    name="bottleneck",
    function="bottleneck_dtw",
    arguments=("x", "y"),
    title="Task 3 · The shortest leash",
    stars=2,
    minutes=20,
    points=4,
    cases=(
        Case("one frame each", (array(2), array(5)), 3.0),
        Case("one frame against three", (array(3), array(4, 8, 1)), 5.0),
        Case("the lecture's sequences", LECTURE, 5.0),
        Case("by hand", (array(6, 3, 8, 9), array(7, 0, 8, 1, 9)), 5.0),
        Case("the same places in another order", (array(0, 4, 9), array(9, 4, 0, 3)), 9.0),
        Case("slow at first, then quick", (array(0.5, 0.7, 0.4, 9.2), array(0.5, 9.2, 9.3, 9.2)), 0.2, 1e-6),
    ),
    draw=two_sequences,
    tolerance=1e-6,
    mistakes=(
        Mistake(
            "the total cost of the best path",
            "Is the total asked for, or the worst moment?",
            wrong_functions=("adds",),
        ),
        Mistake(
            "a total cost divided by the lengths",
            "Is a mean asked for, or the worst moment?",
            wrong_functions=("mean",),
        ),
        Mistake(
            "the largest cost on the path with the least total",
            "Would another path avoid its worst pair, even if its total is larger?",
            wrong_functions=("largest cost of the cheapest path",),
        ),
        Mistake(
            "the smallest cost in sight",
            "A leash must be long enough all the way: is it needed at its best or at its worst moment?",
            wrong_functions=("smallest cost",),
        ),
        Mistake(
            "as if the worst way into each cell were taken",
            "There is a largest and a least in this task: who chooses among the three ways, and what does it want?",
            wrong_functions=("largest predecessor", "largest of the table"),
        ),
        Mistake(*BORDER, wrong_functions=("zero border", "first row not accumulated")),
        Mistake(
            "which is what always taking the nearest next pair leads to",
            "Could a worse pair now avoid a much worse one later?",
            wrong_functions=("greedy walk",),
        ),
        Mistake(
            "as if there were no diagonal step",
            "How does a path advance in both sequences at once?",
            wrong_functions=("no diagonal",),
        ),
        Mistake(*LOCAL_COST, wrong_functions=("squared",)),
        Mistake(
            "the Hausdorff distance, which matches each frame with its nearest, whenever that comes",
            "May the pairs be taken in any order? Time runs forward in both sequences.",
            wrong_functions=("without order", "without order, with both ends"),
        ),
        Mistake(
            "as if both sequences walked in lock step",
            "What may stand still? One sequence can wait while the other goes on.",
            wrong_functions=("lock step",),
        ),
    ),
    hints=(
        "Write B(i, j) for the shortest leash with which one can get to the pair (i, j). What does the leash have to "
        "reach at (i, j) itself, and what before?",
        "The recursion is that of DTW with one sign changed: where DTW adds, this takes the larger of two numbers. "
        "The choice among the three ways stays a minimum.",
        "B(i, j) = max(|x_i − y_j|, min(B(i−1, j−1), B(i−1, j), B(i, j−1))), and B(1, 1) = |x₁ − y₁|.",
    ),
    laws=(
        Law(
            "Double x and y: the leash doubles.",
            "What is squared, or not in the unit of x?",
            lambda x, y: (2 * x, 2 * y),
            times(2),
        ),
        Law(
            "Say each frame of x twice: the leash stays, since y can wait.",
            "What becomes of your leash, and of the pairs that can be reached, when y stands still for a step?",
            lambda x, y: (np.repeat(x, 2), y),
        ),
        Law(
            "x against itself needs a leash of 0.",
            "Which distance is on that path, and not 0?",
            lambda x, y: (x, x),
            lambda one, other: near(other, 0),
        ),
        *OF_DISTANCES,
    ),
    asks={
        "one frame each": "One pair: how long is the leash?",
        "one frame against three": "There is one path only: which of its three distances is the leash?",
        "the lecture's sequences": "Who takes the largest, and who the least? A path has its largest distance, "
        "and among the "
        "paths one wants the least.",
        "by hand": "Which path gets along with a leash of 5? Fill the table cell by cell: what each "
        "cell needs, what the best way to it needed.",
        "the same places in another order": "Walk through your table: which cell is left for one "
        "that came earlier in time?",
    },
)

# ------------------------------------------------------------------------------------------------------ 4 gaps

IN_X = ("two features, one of them lost", "two features, both of them lost")


def draw_gaps(rng, k):
    """Two sequences with lost frames: a NaN in one place, in some or in all; every fifth time nothing is lost."""
    x, y = two_sequences(rng, k, 1 + k % 3)
    for z in (x, y):
        lost = rng.random(len(z)) < (0 if k % 5 == 4 else 0.2)
        holes = rng.random(z.shape) < 0.6
        holes[np.arange(len(z)), rng.integers(z.shape[1], size=len(z))] = True
        z[lost[:, None] & holes] = NAN
    return x, y


def with_a_far_first_frame(x, y):
    """The same with a new first frame in each, far from all others, and these two 3 apart; None if a frame is lost."""
    first = np.full((1, x.shape[1]), 1000.0)
    longer = np.vstack([first, x]), np.vstack([first + 3 * np.eye(1, x.shape[1]), y])
    return None if np.isnan(x).any() or np.isnan(y).any() else longer


def losing_twice(x, y):
    """The same with each lost frame written twice."""
    return tuple(np.repeat(z, 1 + np.isnan(z).any(axis=1), axis=0) for z in (x, y))


gaps = Task(
    name="gaps",
    function="dtw_with_gaps",
    arguments=("x", "y"),
    title="Task 4 · Lost frames",
    stars=2,
    minutes=25,
    points=4,
    cases=(
        Case("nothing is lost", (LECTURE[0][:, None], LECTURE[1][:, None]), 8.0),
        Case("by hand", (frames(8, NAN, 1, 7), frames(2, 2, NAN, 6, 3)), 11.0),
        Case("a lost frame in x", (frames(1, NAN, 4, 8), frames(3, 1, 7, 8, 2)), 10.0),
        Case("a lost frame in y", (frames(3, 1, 7, 8, 2), frames(NAN, 4, 8)), 8.0),
        Case("nothing but lost frames", (frames(NAN), frames(NAN)), 0.0),
        Case(
            "two features, one of them lost",
            (np.array([[3, 0], [0, NAN], [3, 4]]), np.array([[0.0, 4], [0, 8], [6, 4], [6, 4]])),
            8.0,
        ),
        Case("slow at first, then quick", (frames(0.5, 0.7, 0.4, 9.2), frames(0.5, 9.2, 9.3, 9.2)), 0.4, 1e-6),
        Case(
            "two features, one of them lost in y",
            (np.array([[0.0, 4], [0, 8], [6, 4], [6, 4]]), np.array([[3, 0], [NAN, 0], [3, 4]])),
            8.0,
        ),
        Case(
            "two features, both of them lost",
            (np.array([[3, 0], [NAN, NAN], [3, 4]]), np.array([[0.0, 4], [0, 8], [6, 4], [6, 4]])),
            8.0,
        ),
    ),
    draw=draw_gaps,
    tolerance=1e-6,
    mistakes=(
        Mistake(
            "as if only some frames with a NaN counted as lost",
            "When does a frame count as lost? One NaN is enough, in whichever feature, and more are no less.",
            correct_cases=("by hand", "a lost frame in x", "a lost frame in y", "nothing but lost frames"),
            when=not_finite,
        ),
        Mistake(
            "as if gaps counted in x only",
            "Exchange x and y: may the answer change?",
            wrong_functions=("only gaps of x, Python's min",),
            correct_cases=("a lost frame in x", "nothing but lost frames", *IN_X),
            when=not_finite,
        ),
        Mistake(
            "as if gaps counted in y only",
            "Exchange x and y: may the answer change?",
            correct_cases=("a lost frame in y", "nothing but lost frames"),
            when=not_finite,
        ),
        Mistake(
            "as if a pair were free only where both frames are lost",
            "Is it enough that one of the two frames is lost?",
            correct_cases=("nothing but lost frames",),
            when=not_finite,
        ),
        Mistake(
            "as if lost frames were walls",
            "Can a path get from one end to the other without stepping on a lost frame?",
            wrong_functions=("gaps forbidden",),
        ),
        Mistake(
            "because NaN passes through every sum and spoils every comparison",
            "What is NaN + 1, and what is min of it? NaN == NaN is False: np.isnan finds it.",
            wrong_functions=("poisoned", "== nan", "poisoned, Python's min"),
        ),
        Mistake(
            "as if the lost frames had been cut out",
            "Which frames of y may pass while x is lost? A frame that was cut out lets none pass.",
            wrong_functions=("frames dropped",),
        ),
        Mistake(
            "as if the lost frames held zeros",
            "Is a lost frame the same as a frame of zeros?",
            wrong_functions=("zeros for gaps",),
        ),
        Mistake(
            "as if the lost frames had been filled with something",
            "Which value of the lost frame do you claim to know? A lost frame says nothing at all.",
            wrong_functions=("mean for gaps", "last frame for gaps", "straight lines for gaps"),
        ),
        Mistake(
            "as if a new path began in each gap",
            "What has the path paid on its way to the gap? The cell is free, the way to it was not.",
            wrong_functions=("starts again in a gap",),
        ),
        Mistake(
            "as if a frame kept the features that are not NaN",
            "When does a frame count as lost? Read the definition again: one NaN is enough.",
            wrong_functions=("known features only",),
        ),
        Mistake(
            "the sum of one alignment for each feature",
            "How many paths are there in all? One path aligns whole frames.",
            wrong_functions=("feature by feature",),
        ),
        Mistake(*LOCAL_COST, wrong_functions=("squared", "sum over features")),
        Mistake(
            "as if the total had been scaled up for the lost frames",
            "Is anything divided by in the definition?",
            wrong_functions=("scaled up",),
        ),
        Mistake(*BORDER, wrong_functions=("zero border",)),
        Mistake(*FIRST_CELL, wrong_functions=("first cell free",)),
    ),
    hints=(
        "The recursion does not change at all: only the table of local costs does. Make that table first and look at "
        "it where NaN is.",
        "np.isnan(x).any(axis=1) says which frames of x are lost. A pair is free if its frame of x or its frame of y "
        "is lost.",
        "With lost_x of shape (T_x, 1) and lost_y of shape (1, T_y), lost_x | lost_y is the table of free pairs, and "
        "np.where(free, 0, cost) the table that your recursion gets.",
    ),
    laws=(
        Law(
            "Lose all features of a frame that has lost one: the cost stays.",
            "When is a frame lost? One NaN among its features is enough.",
            lambda x, y: tuple(np.where(np.isnan(z).any(axis=1, keepdims=True), NAN, z) for z in (x, y)),
        ),
        Law(
            "Where no frame is lost, put a new first frame before x and before y, far from all others and 3 apart: "
            "the cost grows by 3.",
            "How does the distance of a pair enter the total? As it is, neither squared nor divided.",
            with_a_far_first_frame,
            lambda one, other: near(other - one, 3),
        ),
        Law(
            "Write each lost frame twice: the cost stays, for both are free.",
            "What does a second lost frame cost, and which frames of the other sequence can pass?",
            losing_twice,
        ),
        Law(
            "Double x and y: the cost doubles.",
            "What is squared, or does not depend on x and y at all?",
            lambda x, y: (2 * x, 2 * y),
            times(2),
        ),
        Law(
            "Turn the plane of two features by 45°: the cost stays.",
            "Which distance do two frames have? The Euclidean one, of whole frames.",
            lambda x, y: (x @ TURN, y @ TURN) if x.shape[1] == 2 else None,
        ),
        Law(
            "Lose all frames of x: the cost is 0.",
            "What does a pair with a lost frame cost?",
            lambda x, y: (NAN * x, y),
            lambda one, other: near(other, 0),
        ),
        *OF_DISTANCES,
    ),
    asks={
        "nothing is lost": "Nothing is lost here: this is the DTW of the lecture, with Euclidean distances. Is yours?",
        "by hand": "Write down the table of local costs: where do its zeros stand? The recursion "
        "over it does not change.",
        "a lost frame in x": "Write down the table of local costs: where do its zeros stand?",
        "nothing but lost frames": "One pair, and it is lost: what does it cost?",
        "two features, one of them lost": "How far are (3, 4) and (6, 4) apart? And which frame is lost here?",
    },
)

# ------------------------------------------------------------------------------------------------------ 5 vote

TEMPLATES = np.array([7, 3, 3, 7, 0, 3, 7, 0])
VOTERS = ((1, 1), (2, 1), (3, 2), (4, 2), (5, 2), (4, 1), (6, 2), (6, 3), (6, 1), (7, 4))  # k and min_votes


def draw_vote(rng, k):
    """Three recordings, and three templates of each of some labels; six voters of two labels are equally many."""
    labels = rng.permutation(np.repeat([0, 2, 5, 6][: 2 + k % 3], 3))
    voters, least = VOTERS[k % len(VOTERS)]
    return rng.uniform(1, 9, (3, len(labels))).round(2), labels, min(voters, len(labels)), least


vote = Task(
    name="vote",
    function="vote",
    arguments=("distances", "labels", "k", "min_votes"),
    title="Task 5 · Who is sure enough?",
    stars=2,
    minutes=35,
    points=5,
    cases=(
        Case(
            "one voter, k = 1",
            (array(5, 2, 3, 9, 4, 8, 7, 6, 5, 4, 3, 9, 2, 8, 7, 6).reshape(2, 8), TEMPLATES, 1, 1),
            np.array([3, 0]),
        ),
        Case(
            "ties, k = 4",
            (
                array(
                    *(5, 2, 3, 1, 11, 10, 8, 7),
                    *(11, 3, 12, 10, 7, 8, 1, 5),
                    *(3, 6, 7, 1, 4, 9, 12, 2),
                    *(8, 6, 7, 10, 3, 11, 9, 5),
                    *(2, 1, 6, 3, 9, 11, 8, 7),
                ).reshape(5, 8),
                TEMPLATES,
                4,
                2,
            ),
            np.array([3, 0, 7, 0, 7]),
        ),
        Case(
            "two of three votes needed",
            (
                array(
                    *(6, 4, 3, 1, 5, 7, 8, 2),
                    *(6, 2, 8, 3, 4, 1, 5, 7),
                    *(3, 7, 8, 6, 2, 5, 1, 4),
                    *(6, 5, 4, 1, 3, 7, 8, 2),
                ).reshape(4, 8),
                TEMPLATES,
                3,
                2,
            ),
            np.array([-1, 3, 7, 0]),
        ),
        Case(
            "three of five votes needed",
            (
                array(*(4, 6, 7, 1, 3, 8, 2, 5), *(8, 5, 3, 2, 1, 4, 7, 6), *(1, 4, 6, 2, 5, 3, 8, 7)).reshape(3, 8),
                TEMPLATES,
                5,
                3,
            ),
            np.array([7, 3, -1]),
        ),
        Case(
            "two of five votes needed",
            (array(*(3, 1, 2, 4, 6, 7, 5, 8), *(6, 3, 4, 7, 1, 5, 8, 2)).reshape(2, 8), TEMPLATES, 5, 2),
            np.array([7, 3]),
        ),
        Case(
            "three votes each, k = 6",
            (array(*(1, 2, 5, 8, 11, 10, 9, 12), *(3, 1, 8, 4, 12, 10, 9, 11)).reshape(2, 8), TEMPLATES, 6, 3),
            np.array([3, 7]),
        ),
        Case(
            "nearly as near, k = 3",
            (
                array(*(1.2, 1.9, 1.5, 1.1, 1.8, 1.7, 1.3, 1.6), *(2.9, 2.2, 2.8, 2.6, 2.1, 2.7, 2.4, 2.3)).reshape(
                    2, 8
                ),
                TEMPLATES,
                3,
                1,
            ),
            np.array([7, 0]),
            1e-6,
        ),
    ),
    draw=draw_vote,
    mistakes=(
        Mistake(
            "as if ties were broken by something else",
            "What decides when two labels have as many votes? The total distance of their voters.",
            wrong_functions=("smallest label of the tied", "nearest of the tied", "least and largest of the tied"),
        ),
        Mistake(
            "as if all templates of a label broke the tie",
            "Whose distances are added when votes are tied? Only those of the k that vote.",
            wrong_functions=("all templates break the tie",),
        ),
        Mistake(
            "as if the nearest label won",
            "What comes first, votes or distances? A label with one near voter has a small total, and a small mean.",
            wrong_functions=(
                "least total wins",
                "least total of those that suffice",
                "least mean of those that suffice",
            ),
        ),
        Mistake(
            "as if the larger total distance won a tie",
            "Is a large distance a good sign?",
            wrong_functions=("greatest total wins",),
        ),
        Mistake(
            "as if the farthest templates voted",
            "Which end of the sorted distances did you take?",
            wrong_functions=("farthest vote",),
        ),
        Mistake(
            "as if the nearest template were left out",
            "Is the recording itself among the templates? Here it is not: the nearest one votes too.",
            wrong_functions=("skips the nearest",),
        ),
        Mistake(
            "as if one template too many voted",
            "How many vote? A slice [:k] holds k entries.",
            wrong_functions=("one voter too many",),
        ),
        Mistake(
            "as if one vote more were needed",
            "Is min_votes itself enough? “At least” includes it.",
            wrong_functions=("one vote more needed",),
        ),
        Mistake(
            "without a rejection",
            "When is the answer −1? Compare the winner's votes with min_votes.",
            wrong_functions=("never rejects",),
        ),
        Mistake(
            "with 0 for a rejection",
            "0 is a digit that somebody may have said. Which number stands for “I do not know”?",
            wrong_functions=("rejects with 0",),
        ),
        Mistake(
            "the nearest template's place in the list",
            "The place of a template, or its label? labels[place] is what was said.",
            wrong_functions=("place of the template",),
        ),
        Mistake(
            "the label of the nearest template alone",
            "How many of the templates vote?",
            wrong_functions=("1-nearest",),
        ),
        Mistake(
            "as if earlier recordings still voted",
            "Is the first recording right, and are later ones not? What is left over from the one before?",
            wrong_functions=("votes not emptied",),
        ),
        Mistake(
            "one answer for each template",
            "One answer for each recording is wanted. Along which axis are the distances of one recording?",
            when=lambda case, got: got.shape == case.inputs[1].shape,
        ),
    ),
    hints=(
        "Solve it for one recording, that is one row of distances, and call that for every row.",
        "np.argsort(row)[:k] are the places of the k nearest templates, labels[…] of them their votes. For each label "
        "among the votes note two numbers: how many votes, and their total distance.",
        "Of all labels the winner has the most votes and, among equals, the smallest total: the min of (−votes, "
        "total, label). If its votes are fewer than min_votes, the answer is −1.",
    ),
    laws=(
        Law(
            "Six templates vote, of the labels 4, 4, 4, 5, 5, 5 at the distances 1, 8, 8, 2, 4, 9: the label 5 wins.",
            "How many votes has each label, and how large is the total distance of its voters?",
            holds=lambda one, other: near(other, array(5)),
            example=(array([1, 8, 8, 2, 4, 9]), whole(4, 4, 4, 5, 5, 5), 6, 1),
        ),
        Law(
            "Write the templates down in the other order: the answers stay.",
            "What depends on the order of the templates, or of their labels?",
            lambda distances, labels, k, least: (distances[:, ::-1].copy(), labels[::-1].copy(), k, least),
        ),
        Law(
            "Add 10 to all labels: so the answers grow, but for −1.",
            "Which label wins because it is a small or a large number, or stands for something else?",
            lambda distances, labels, k, least: (distances, labels + 10, k, least),
            lambda one, other: near(other, np.where(one < 0, -1, one + 10)),
        ),
        Law(
            "Add a template that is farther than all others: the answers stay.",
            "Who has a say? Only the k nearest, in votes and in total distances.",
            lambda distances, labels, k, least: (
                np.hstack([distances, distances.max() + np.ones((len(distances), 1))]),
                np.append(labels, 3),
                k,
                least,
            ),
        ),
        Law(
            "If one vote is enough, nobody gets −1.",
            "What is −1 said for, beside too few votes? Equal votes are decided by distances.",
            lambda distances, labels, k, least: (distances, labels, k, 1),
            lambda one, other: (other >= 0).all(),
        ),
        Law(
            "If k + 1 votes are needed, everybody gets −1.",
            "Where are the winner's votes compared with min_votes?",
            lambda distances, labels, k, least: (distances, labels, k, k + 1),
            lambda one, other: (other == -1).all(),
        ),
        Law(
            "If k votes are needed, nobody gets an answer who had none when fewer were needed.",
            "Whose votes are counted: those of the label that wins?",
            lambda distances, labels, k, least: (distances, labels, k, k),
            lambda one, other: (other[one == -1] == -1).all(),
        ),
    ),
    asks={
        "one voter, k = 1": "One template votes, the nearest. Which one is it, and what is its label?",
        "ties, k = 4": "Write down the four nearest of the first row, with labels and distances. "
        "Which labels have as many votes? Add the distances of each one's voters.",
        "two of three votes needed": "Who are the three nearest of the first row, and how many votes has the winner?",
        "three of five votes needed": "Who are the five nearest of the first row? Count the votes of "
        "each label: the largest number wins, whoever is nearest.",
        "nearly as near, k = 3": "Count the votes of each label first. If they are equal: what are the totals?",
    },
)

# ------------------------------------------------------------------------------------------------------ 6 soft


def draw_soft(rng, k):
    """Two sequences and a temperature; every third time they have equal frames, and many paths are equally good."""
    x, y = two_sequences(rng, k)
    x, y = (x, y) if k % 3 else (x // 5, y // 5)
    return x, y, (0.003, 0.7, 30.0, 0.05, 100.0)[k % 5]


UNDERFLOW = (
    "because exp(−cost/γ) is too small for the computer",
    "How small is exp(−3000)? Take the least of the three out of the exponent before you sum.",
)

MILD = (
    "one frame each",
    "by hand, γ = 2",
    "the lecture's sequences, γ = 20",
    "slow at first, then quick, γ = 0.3",
    "slow at first, then quick, γ = 100",
)

soft = Task(
    name="soft",
    function="soft_dtw",
    arguments=("x", "y", "gamma"),
    title="Task 6 · Soft DTW",
    stars=3,
    minutes=40,
    points=6,
    cases=(
        Case("one frame each", (array(2), array(5), 0.5), 9.0),
        Case("by hand, γ = 2", (array(0, 2), array(1, 3), 2.0)),
        Case("a dear start, then three equal frames", (array(0, 5, 5, 5), array(30, 5, 5, 5), 0.01), tolerance=1e-8),
        Case("the lecture's sequences, γ = 20", (*LECTURE, 20.0)),
        Case("the lecture's sequences in thousands, γ = 0.01", (*(1000 * one for one in LECTURE), 0.01), 3e7),
        Case(
            "slow at first, then quick, γ = 0.3",
            (array(0.5, 0.7, 0.4, 1.9), array(0.5, 1.9, 1.6, 1.9), 0.3),
            tolerance=1e-6,
        ),
        Case(
            "slow at first, then quick, γ = 100",
            (array(0.5, 0.7, 0.4, 1.9), array(0.5, 1.9, 1.6, 1.9), 100.0),
            tolerance=1e-6,
        ),
    ),
    draw=draw_soft,
    tolerance=1e-6,
    mistakes=(
        Mistake(*UNDERFLOW, when=not_finite),
        Mistake(
            *UNDERFLOW, when=lambda case, got: got < case.expected / 4, correct_cases=MILD
        ),  # held at a least value
        Mistake(*UNDERFLOW, raises=(ValueError, OverflowError), when=lambda case, error: "math" in str(error)),
        Mistake(
            "the hard minimum",
            "Where does γ enter? Each cell sums over the three ways instead of choosing one.",
            wrong_functions=("hard minimum",),
        ),
        Mistake(
            "as if the sign of the soft minimum were turned",
            "Let two of the three be infinite: what must the soft minimum of (a, ∞, ∞) be?",
            wrong_functions=("sign",),
        ),
        Mistake(
            "the right number with the wrong sign",
            "For γ → 0, which sign has the answer?",
            gives=lambda case: -case.expected,
        ),
        Mistake(
            "as if it were a soft maximum",
            "Which of the three should count most? exp(−a/γ) is large for a small a.",
            wrong_functions=("soft maximum",),
        ),
        Mistake(
            "as if the γ before the logarithm were missing or dividing",
            "What unit has a logarithm, and what unit has a cost? γ must make up for it.",
            wrong_functions=("no γ in front", "divided by γ in front"),
        ),
        Mistake(
            "as if γ were missing inside the exponential or multiplied there",
            "What is divided by the temperature?",
            wrong_functions=("no γ inside", "γ times inside"),
        ),
        Mistake(
            "as if γ had no effect",
            "Where does γ enter? Once inside the exponential, once before the logarithm.",
            wrong_functions=("no γ at all",),
        ),
        Mistake(
            "as if the three ways were averaged",
            "A sum over paths, or a mean? Three equally good ways are better than one.",
            wrong_functions=("mean of three",),
        ),
        Mistake(
            "as if the logarithm had another base", "Which logarithm undoes exp?", wrong_functions=("log2", "log10")
        ),
        Mistake(
            "a mean of the three ways with soft weights",
            "Is the soft minimum ever larger than the minimum? A mean is; −γ log Σ exp(−a/γ) is not.",
            wrong_functions=("weighted mean",),
        ),
        Mistake(
            "as if the least of the three had been taken out and never put back",
            "What was taken out of the exponent has to be added to the logarithm: did you?",
            wrong_functions=("guard not added back",),
        ),
        Mistake(*LOCAL_COST, wrong_functions=("absolute cost",)),
        Mistake(*BORDER, wrong_functions=("zero border",)),
    ),
    hints=(
        "Only one thing in the recursion of DTW changes: min becomes softmin_γ(a, b, c) = −γ log(exp(−a/γ) + "
        "exp(−b/γ) + exp(−c/γ)). Write that as a function of its own and test it alone.",
        "For a small γ all three exponentials are 0. Take the least of the three, m, out of the sum: softmin = m − γ "
        "log Σ exp(−(a − m)/γ). The largest term is now 1.",
        "np.logaddexp.reduce does it for you: softmin = −γ · np.logaddexp.reduce(−values/γ). A border of infinity "
        "works as before, because exp(−∞) is 0; just never let all three be infinite.",
    ),
    laws=(
        Law(
            "Of two frames each, all equal, there are 3 paths of cost 0: −γ log 3, with γ = 0.05 it is −0.05493.",
            "What is the sum of exp(−cost/γ) over these paths, and what becomes of it?",
            holds=lambda one, other: near(other, -0.05 * np.log(3)),
            example=(array(4, 4), array(4, 4), 0.05),
        ),
        Law(
            "Double x and y and take 4 γ: the cost is 4 times as large.",
            "γ has the unit of a cost: where is it missing, where there twice?",
            lambda x, y, gamma: (2 * x, 2 * y, 4 * gamma),
            times(4),
        ),
        Law(
            "A larger γ makes the cost smaller, never larger.",
            "With which sign does the logarithm of the sum enter?",
            lambda x, y, gamma: (x, y, 2 * gamma),
            lambda one, other: other < one + 1e-9 * (1 + abs(one)),
        ),
        Law(
            "x against itself costs 0 or less.",
            "Does the path along the diagonal come free, and do all others only add to the sum?",
            lambda x, y, gamma: (x, x, gamma),
            lambda one, other: other < 1e-9,
        ),
        *OF_DISTANCES,
    ),
    asks={
        "one frame each": "One pair, one path: what does it cost? The local cost is the squared difference.",
        "by hand, γ = 2": "Write down the costs of the three paths, and use the last formula of the task.",
        "a dear start, then three equal frames": "All 13 paths that matter cost 900. What is 900 − γ log 13?",
        "the lecture's sequences, γ = 20": "Which cell of your table is the first to differ from one that you fill by "
        "hand?",
        "the lecture's sequences in thousands, γ = 0.01": "What is exp(−1000/0.01)? Only differences from the best "
        "may go into exp. And costs may be larger than any border but ∞.",
    },
)

# ------------------------------------------------------------------------------------------------------- 7 own


def draw_own(rng, k):
    """Recordings of two to five words, each said as often but for one; those of one word are a little nearer.

    The other voice has one template of each word, or two. Every eighth time there are ten words, of which each voice
    recognises some: more than 20 recordings differ, and 21! is too large for 64 bits.
    """
    many = k % 8 == 5
    kinds, takes = (10, 3) if many else (2 + k % 4, 2 + k % 2)
    words = rng.permutation(np.repeat(rng.permutation(10)[:kinds], takes))[k % 3 // 2 :]
    their_words = rng.permutation(np.repeat(np.unique(words), 1 + k % 2))
    low = (words < 3 + k % 5)[:, None]
    nearer, their_nearer = (4 * low, 4 * ~low) if many else (1 + k % 3, k % 2)
    apart = rng.uniform(4, 9, (len(words), len(words))) - nearer * np.equal.outer(words, words)
    theirs = rng.uniform(4, 9, (len(words), len(their_words))) - their_nearer * np.equal.outer(words, their_words)
    digits = 4 if many else 2
    mine = np.triu(apart, 1).round(digits)
    return mine + mine.T, theirs.round(digits), words, their_words


def square(*distances):
    """(N, N) distances from those above the diagonal, row by row."""
    n = round((1 + np.sqrt(1 + 8 * len(distances))) / 2)
    table = np.zeros((n, n))
    table[np.triu_indices(n, 1)] = distances
    return table + table.T


def in_pairs(words, their_words, theirs_right):
    """The inputs of a case in which recordings 2k and 2k + 1 are near each other, and `theirs` is right as told."""
    place = 10.0 * (np.arange(len(words)) // 2) + np.arange(len(words)) % 2
    theirs = np.where(np.equal.outer(words, their_words) == np.array(theirs_right)[:, None], 3.0, 8.0)
    return np.abs(np.subtract.outer(place, place)), theirs, words, their_words


def in_order(mine, theirs, words, their_words):
    """The same recordings and templates in the other order."""
    return mine[::-1, ::-1].copy(), theirs[::-1, ::-1].copy(), words[::-1].copy(), their_words[::-1].copy()


own = Task(
    name="own",
    function="own_voice",
    arguments=("mine", "theirs", "words", "their_words"),
    title="Task 7 · Your own words",
    stars=3,
    minutes=30,
    points=5,
    cases=(
        Case(
            "by hand",
            (
                square(3, 7, 4, 8, 5, 10, 12, 2, 9, 11),
                array((10, 11, 9), (7, 3, 2), (4, 1, 9), (11, 7, 1), (3, 6, 2)),
                whole(1, 1, 2, 2, 3),
                whole(1, 2, 3),
            ),
            (3, 1, 0.625),
        ),
        Case(
            "three recordings differ, all for you",
            (
                square(2, 8, 6, 12, 9, 7),
                array((7, 6), (9, 4), (4, 6), (2, 10)),
                whole(4, 4, 7, 7),
                whole(4, 7),
            ),
            (3, 0, 0.25),
        ),
        Case(
            "three recordings differ, none for you",
            (
                square(5, 8, 6, 3, 9, 7),
                array((9, 2), (6, 4), (1, 8), (3, 7)),
                whole(4, 4, 7, 7),
                whole(7, 4),
            ),
            (0, 3, 0.25),
        ),
        Case(
            "one recording for each",
            (
                square(12, 6, 11, 10, 4, 5),
                array((4, 2), (2, 5), (10, 9), (9, 5)),
                whole(4, 4, 7, 7),
                whole(7, 4),
            ),
            (1, 1, 1.0),
        ),
        Case(
            "no recording differs",
            (
                square(9, 7, 12, 14, 3, 4),
                array((9, 1), (8, 5), (10, 9), (3, 9)),
                whole(4, 4, 7, 7),
                whole(4, 7),
            ),
            (0, 0, 1.0),
        ),
        Case(
            "22 of 24 recordings differ",
            in_pairs(whole(*4 * (4, 4, 7, 7), *4 * (4, 7)), whole(4, 7), 14 * [False] + 10 * [True]),
        ),
    ),
    draw=draw_own,
    tolerance=1e-6,
    mistakes=(
        Mistake(
            "as if each recording were among its own templates",
            "What is the distance of a recording to itself? It is left out.",
            wrong_functions=("itself among the templates",),
        ),
        Mistake(
            "as if all recordings of its word were left out",
            "Which recordings are left out? One: the recording itself.",
            wrong_functions=("its word left out",),
        ),
        Mistake(
            "as if places after the one that is left out had moved",
            "Which place has a recording in the row from which one entry was deleted, and in `words`?",
            wrong_functions=("places moved by the deletion",),
        ),
        Mistake(
            "as if the farthest template gave its word",
            "Which end of the distances did you take?",
            wrong_functions=("farthest",),
        ),
        Mistake(
            "as if the mean distance decided",
            "Who gives its word: all templates of a word, or the nearest of all?",
            wrong_functions=("mean over the templates of a word",),
        ),
        Mistake(
            "as if the place of a template were its word",
            "argmin gives a place. Which word is said there?",
            wrong_functions=("place for word",),
        ),
        Mistake(
            "with all the recordings that each voice gets right",
            "Which recordings does *only* one of the two get right? Those are counted.",
            wrong_functions=("all that are right", "all that are right, p as it should be"),
        ),
        Mistake(
            "with each word counted once",
            "Two recordings of one word may differ: how many tosses are these? Recordings are counted, not words.",
            wrong_functions=("each word once",),
        ),
        Mistake(
            "with the two counts exchanged",
            "Which count comes first? That of your own voice.",
            gives=lambda case: (case.expected[1], case.expected[0], case.expected[2]),
        ),
        Mistake(
            "with a p in which all recordings are tosses",
            "How many tosses are there? Only a + b recordings say which voice is better.",
            wrong_functions=("all recordings are tosses",),
        ),
        Mistake(
            "with a p of one side only",
            "A split of b : a is as uneven as one of a : b. Does your sum have both ends?",
            wrong_functions=("one side", "one side, that of the larger"),
        ),
        Mistake(
            "with a p that counts the middle twice",
            "Where the split is even, do the two ends overlap? No probability is larger than 1.",
            wrong_functions=("twice one end",),
        ),
        Mistake(
            "with the probability of this split alone",
            "Which other splits are at least as uneven? All of them belong to the sum.",
            wrong_functions=("this split alone", "this split, both ways"),
        ),
        Mistake(
            "with a p that leaves the split itself out",
            "Is the split that was found at least as uneven as itself?",
            wrong_functions=("more uneven only",),
        ),
        Mistake(
            "as if j heads were as far from an even split as a − b",
            "How many more heads than tails are j heads among n tosses? Compare that with a − b.",
            wrong_functions=("half the difference",),
        ),
        Mistake(
            "with an approximation for p",
            "Ten recordings are few: which exact probabilities add up to p?",
            wrong_functions=("chi-squared", "chi-squared, corrected"),
        ),
        Mistake(
            "with a p that is right for a small n only",
            "How large is 21!, and how large can a whole number of NumPy be? Those of math.comb have no end.",
            wrong_functions=("factorials in 64 bits",),
        ),
        Mistake(
            "with 1 − p",
            "Is p small where the split is uneven?",
            wrong_functions=("one minus p",),
        ),
    ),
    hints=(
        "Two arrays of N truth values come first: which recordings do my own recognise, which the other voice's? Put "
        "∞ on the diagonal of (a copy of) mine; then argmin(axis=1) leaves each recording out of its own row.",
        "a counts where the first is True and the second False, b the other way round. With n = a + b, "
        "math.comb(n, j) of the 2**n sequences of tosses have j heads.",
        "p is the sum of comb(n, j) / 2**n over all j from 0 to n with |2j − n| ≥ |a − b|. For n = 0 this is 1.",
    ),
    about=(
        "Which recordings do only your own recognise? Each is left out of its own row and of no other.",
        "Which recordings does only the other voice recognise?",
        "The counts are right. Which splits of n = a + b tosses are at least as uneven as a : b? p adds them all up.",
    ),
    laws=(
        Law(
            "p is above 0, since it has the split that was found in it, and not above 1.",
            "Which splits does your sum leave out, or count twice?",
            holds=lambda one, other: 0 < one[2] < 1 + 1e-9,
        ),
        Law(
            "Write another number on the diagonal of mine: all stays, for no recording is its own template.",
            "Where does the distance of a recording to itself enter?",
            lambda mine, *more: (mine + 100 * np.eye(len(mine)), *more),
        ),
        Law(
            "Add 10 to all words: all stays.",
            "Where do you use a word as a place, or a place as a word?",
            lambda mine, theirs, words, their_words: (mine, theirs, words + 10, their_words + 10),
        ),
        Law(
            "Write the recordings and the templates down in the other order: all stays.",
            "What depends on the order of the recordings?",
            in_order,
        ),
        Law(
            "Double all distances to the other voice's templates: all stays, for each voice is asked alone.",
            "Where do you compare a distance of yours with one of theirs?",
            lambda mine, theirs, *more: (mine, 2 * theirs, *more),
        ),
    ),
    asks={
        "by hand": "Which of the five are right by your own, which by the other voice? Only those count in which the "
        "two differ.",
        "three recordings differ, all for you": "Three tosses, all heads: how likely is this, or all tails?",
        "three recordings differ, none for you": "0 : 3 is as uneven as 3 : 0. Does your function ask who is ahead?",
        "one recording for each": "1 : 1 is the most even split of two. Which splits are at least as uneven?",
        "no recording differs": "No tosses at all: every split of 0 is as uneven.",
        "22 of 24 recordings differ": "Which of your numbers grow too large for their type as n grows, or too small?",
    },
)

homework = Homework(amerced, path, bottleneck, gaps, vote, soft, own, beside=__file__)
check, case, hint = homework.check, homework.case, homework.hint
overview, waits_for = homework.overview, homework.waits_for
