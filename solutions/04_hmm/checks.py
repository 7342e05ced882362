"""The checks of homework 04: for each task the cases you see, the mistakes we know, and hints. No solutions here."""

import numpy as np

from course_lib.homework import Case, Homework, Mistake, Task, near


def numbers(*values):
    """A row of numbers, or a table if rows are given."""
    return np.array(values, dtype=float)


def symbols(*values):
    """A sequence of symbols, or a path of states."""
    return np.array(values, dtype=int)


def not_finite(case, got):
    """Whether something came out as NaN or infinity."""
    return not np.isfinite(got).all()


NAN, INF = np.nan, np.inf

# A model: startprob, transmat, emissionprob.
TWO_STATES = (numbers(0.6, 0.4), numbers([0.7, 0.3], [0.4, 0.6]), numbers([0.1, 0.4, 0.5], [0.7, 0.2, 0.1]))
STICKY = (numbers(0.4, 0.6), numbers([0.9, 0.1], [0.2, 0.8]), numbers([0.6, 0.3, 0.1], [0.1, 0.3, 0.6]))
WEATHER = (
    numbers(0.4, 0.3, 0.3),
    numbers([0.8, 0.2, 0], [0.3, 0.4, 0.3], [0, 0.3, 0.7]),
    numbers([0.9, 0.1], [0.5, 0.5], [0.2, 0.8]),
)
WORD = (
    numbers(1, 0, 0),
    numbers([0.6, 0.4, 0], [0, 0.7, 0.3], [0, 0, 1]),
    numbers([0.6, 0.3, 0.1], [0.2, 0.3, 0.5], [0.5, 0.1, 0.4]),
)
LOOP = (
    numbers(0.5, 0.3, 0.2),
    numbers([0.6, 0.4, 0], [0.2, 0.5, 0.3], [0.3, 0, 0.7]),
    numbers([0.6, 0.3, 0.1], [0.2, 0.2, 0.6], [0.1, 0.7, 0.2]),
)

ROWS = ("as if the model were read by columns", "Which index sums to 1? Row i of transmat holds the ways out of i.")
FROM_TO = ("as if transmat were transposed", "Who leads to whom? Row i of transmat is where state i leads.")
NO_START = ("as if startprob were not used", "Where does startprob enter? In the first frame, and nowhere else.")
ARRIVING = (
    "as if a state made the symbol of the frame before",
    "When you enter a state, what do you hear? The symbol of this very frame.",
)
TOO_SMALL = (
    "because a product of thousands of probabilities is too small for the computer",
    "How small is 0.3 to the 3000th? Divide by something in every frame, or add logarithms.",
)
ALL_PATHS = ("what the best path alone would give", "One path, or all of them?")
ONE_PATH = ("what summing over paths leads to", "One path, or all of them? Here the single best one counts.")
ZERO_LOG = (
    "as if what is impossible cost nothing",
    "Which probability has the logarithm 0? The logarithm of 0 is −∞.",
)
PARENT = (
    "as if the pointers were read one frame too early",
    "Who stores the parent of frame t + 1? Let the two ends of a short path check it.",
)
BACKWARDS = ("the right path, backwards", "Which end did you start from? The first frame comes first.")
FROM_ONE = ("with states counted from 1", "Python counts from 0: which number has the first state?")

# ------------------------------------------------------------------------------------------------------ 1 lost

FIRST_FRAME = (
    "as if the first frame said nothing",
    "Does the first frame count? It changes your belief like any other.",
)
SCALE_PARTS = (
    "as if some of the scale factors were lost",
    "Which of the scale factors are part of P? Each c_t is p(o_t | o_1 … o_{t−1}): multiply by hand for two frames.",
)
OTHER_SCALE = (
    "as if the scale were not the sum",
    "Which norm makes a distribution? Only the sum of the belief is a probability of the symbol.",
)
BASE = ("a logarithm to another base", "Which logarithm is natural? np.log.")
AT_MINUS_ONE = (
    "as if −1 were a symbol of its own",
    "What does Python read at index −1? The last symbol, which nobody has said.",
)
SILENT = (
    "as if a lost frame spoke against every state",
    "How likely is a state to produce nothing at all, if the line lost it? That says nothing about the state.",
)

lost = Task(
    name="lost",
    function="log_likelihood",
    arguments=("startprob", "transmat", "emissionprob", "sequence"),
    title="Task 1 · Lost frames",
    stars=1,
    minutes=20,
    points=4,
    cases=(
        Case("one frame", (*TWO_STATES, symbols(2)), -1.07880966137193),
        Case("a lost frame, and no other", (*TWO_STATES, symbols(-1)), 0.0),
        Case("nothing is lost", (*TWO_STATES, symbols(2, 0, 1, 0, 2)), -5.83941802232022),
        Case("by hand", (*TWO_STATES, symbols(2, -1, 0)), -2.1565817988742),
        Case("the first frame is lost", (*TWO_STATES, symbols(-1, 2, 1)), -2.20400752963305),
        Case("the weather, two days lost", (*WEATHER, symbols(1, 1, -1, 0, -1, 1)), -3.1325886483818),
        Case("3000 frames", (*TWO_STATES, np.tile([2, 0, 1, -1, 0, 2], 500)), -2891.033627206),
    ),
    mistakes=(
        Mistake(
            "as if the first symbol were 0",
            "Which symbol came first? Read it from the sequence.",
            on={"one frame": -1.07881, "nothing is lost": -5.4967, "by hand": -2.05043},
            when=lambda case, got: case.name == "one frame",
        ),
        Mistake(*ROWS, on={"one frame": -1.07881, "nothing is lost": -5.82173, "by hand": -1.94841}),
        Mistake(*ARRIVING, on={"one frame": -1.07881, "nothing is lost": -5.58905, "by hand": -2.08425}),
        Mistake(*FIRST_FRAME, on={"one frame": 0, "nothing is lost": -4.60917, "by hand": -1.03395}),
        Mistake(*NO_START, on={"one frame": -0.51083, "nothing is lost": -5.24344, "by hand": -1.58085}),
        Mistake(*NO_START, on={"one frame": -1.20397, "nothing is lost": -5.93659, "by hand": -2.274}),
        Mistake(
            "the product of one probability for each frame alone",
            "Does hearing a symbol change your belief in the state? Carry that on to the next frame.",
            on={"one frame": -1.07881, "nothing is lost": -5.42239, "by hand": -2.11276},
        ),
        Mistake(*TOO_SMALL, on={"nothing is lost": -5.83942, "3000 frames": -INF}),
        Mistake(
            "as if the sums of unscaled α were collected",
            "What was already divided out before frame t? Divide first, then go on with what is left.",
            on={"nothing is lost": -17.27102, "by hand": -4.3142},
        ),
        Mistake(*OTHER_SCALE, on={"nothing is lost": -6.02836, "by hand": -2.32797}),
        Mistake(*OTHER_SCALE, on={"nothing is lost": -6.05708, "by hand": -2.35031}),
        Mistake(*SCALE_PARTS, on={"nothing is lost": -1.27112, "by hand": -1.07777}),
        Mistake(*SCALE_PARTS, on={"one frame": 0, "nothing is lost": -4.76061, "by hand": -1.07777}),
        Mistake(
            "the logarithm of what is left after scaling",
            "What does a belief always sum to? The news is in what you divided by.",
            on={"one frame": 0, "nothing is lost": 0, "by hand": 0},
        ),
        Mistake(
            "the probability itself",
            "A probability, or its logarithm? For 3000 frames only the logarithm can be written down.",
            when=lambda case, got: near(got, np.exp(case.expected)),
        ),
        Mistake(
            "the right number with the wrong sign",
            "Which sign has the logarithm of a probability?",
            when=lambda case, got: near(got, -case.expected),
        ),
        Mistake(*BASE, on={"nothing is lost": -8.4245, "the first frame is lost": -3.17971}),
        Mistake(*BASE, on={"nothing is lost": -2.53603, "the first frame is lost": -0.95719}),
        Mistake(
            "the mean of a frame",
            "Is a mean over the frames asked for, or the whole sequence?",
            when=lambda case, got: near(got, case.expected / len(case.inputs[3])),
        ),
        Mistake(*ALL_PATHS, on={"one frame": -1.20397, "nothing is lost": -7.36182, "by hand": -3.1213}),
        Mistake(
            "as if lost frames had been cut out",
            "Did time stand still in the lost frame? The state still made its step.",
            on={"by hand": -2.27887, "the first frame is lost": -2.1786, "nothing is lost": -5.83942},
        ),
        Mistake(*AT_MINUS_ONE, on={"by hand": -3.29998, "the first frame is lost": -3.17937}),
        Mistake(*AT_MINUS_ONE, on={"by hand": -2.15658, "the first frame is lost": -3.17937}),
        Mistake(*SILENT, on={"a lost frame, and no other": -INF, "nothing is lost": -5.83942}, when=not_finite),
        Mistake(*SILENT, on={"a lost frame, and no other": -1.09861, "by hand": -3.25519}),
        Mistake(
            "as if the recording ended in the gap",
            "Is the recording over when a frame is lost?",
            on={"by hand": -1.07881, "the first frame is lost": 0, "nothing is lost": -5.83942},
        ),
        Mistake(
            "as if a new recording began after the gap",
            "What was believed before the gap, and where has that belief gone?",
            on={"by hand": -2.15762, "the first frame is lost": -2.1786, "nothing is lost": -5.83942},
        ),
    ),
    hints=(
        "Carry a belief along: N numbers that sum to 1. In each frame three things happen: a step with transmat (not "
        "in the first frame), a product with the emissions of the symbol, and a division by the sum.",
        "The sum that you divide by is p(o_t | o_1 … o_{t−1}). The answer is the sum of the logarithms of these sums.",
        "In a lost frame the step is made as always; the product is left out (every state has the emission 1, so that "
        "the sum is 1 and its logarithm 0).",
    ),
)

# --------------------------------------------------------------------------------------------------- 2 predict

LONG = np.tile([2, 0, 1, 0, 2], 600)
STEPS = (
    "as if the wrong number of steps were made",
    "How many steps are there from frame T to frame T + 1? Exactly one.",
)
CERTAIN = (
    "as if the state were known",
    "How sure are you of the state? Keep all states, each with its probability.",
)
EVERY_FRAME = (
    "as if a frame at an end had not been heard",
    "Does every frame, the first and the last too, change your belief?",
)

predict = Task(
    name="predict",
    function="predict_next",
    arguments=("startprob", "transmat", "emissionprob", "sequence"),
    title="Task 2 · What comes next?",
    stars=2,
    minutes=25,
    points=5,
    cases=(
        Case("after one frame", (*TWO_STATES, symbols(2)), numbers(5.12, 5.66, 6.22) / 17),
        Case("by hand", (*TWO_STATES, symbols(2, 0)), numbers(0.4202734375, 0.2932421875, 0.286484375)),
        Case(
            "after five frames",
            (*TWO_STATES, symbols(2, 0, 1, 0, 2)),
            numbers(0.315208937459579, 0.328263687514985, 0.356527375025436),
        ),
        Case("the weather after U, U, H, U", (*WEATHER, symbols(1, 1, 0, 1)), numbers(0.410397714327, 0.589602285673)),
        Case("after 3000 frames", (*TWO_STATES, LONG), numbers(0.315202223353, 0.328265925549, 0.356531851098)),
    ),
    mistakes=(
        Mistake(*STEPS, on={"after one frame": [0.17059, 0.37647, 0.45294], "by hand": [0.56758, 0.24414, 0.18828]}),
        Mistake(*STEPS, on={"after one frame": [0.34035, 0.31988, 0.33976], "by hand": [0.37608, 0.30797, 0.31595]}),
        Mistake(*ROWS, on={"after one frame": [0.36176, 0.34588, 0.36882], "by hand": [0.43195, 0.26166, 0.24249]}),
        Mistake(*ROWS, on={"after one frame": [0.36176, 0.34588, 0.36882], "by hand": [0.42793, 0.26648, 0.24973]}),
        Mistake(
            "probabilities of everything heard so far together with the next symbol",
            "What do the probabilities of all symbols that may come next sum to?",
            on={"after one frame": [0.1024, 0.1132, 0.1244], "by hand": [0.043036, 0.030028, 0.029336]},
        ),
        Mistake(
            *TOO_SMALL,
            on={"by hand": [0.42027, 0.29324, 0.28648], "after 3000 frames": [NAN, NAN, NAN]},
            when=not_finite,
        ),
        Mistake(*NO_START, on={"after one frame": [0.31, 0.33, 0.36], "by hand": [0.42226, 0.29258, 0.28516]}),
        Mistake(*EVERY_FRAME, on={"after one frame": [0.352, 0.316, 0.332], "by hand": [0.43034, 0.28989, 0.27977]}),
        Mistake(*EVERY_FRAME, on={"after one frame": [0.34, 0.32, 0.34], "by hand": [0.30118, 0.33294, 0.36588]}),
        Mistake(*ARRIVING, on={"after one frame": [0.30118, 0.33294, 0.36588], "by hand": [0.2965, 0.3345, 0.369]}),
        Mistake(*CERTAIN, on={"after one frame": [0.28, 0.34, 0.38], "by hand": [0.46, 0.28, 0.26]}),
        Mistake(
            "as if nothing had been heard",
            "What has been heard should change the answer: where does the sequence enter?",
            on={"after one frame": [0.352, 0.316, 0.332], "by hand": [0.3556, 0.3148, 0.3296]},
        ),
        Mistake(
            "as if the states of all frames counted alike",
            "Which state matters for the next frame, the one of now or that of long ago?",
            on={"after one frame": [0.30118, 0.33294, 0.36588], "by hand": [0.36072, 0.31309, 0.32618]},
        ),
        Mistake(
            "as if each symbol had one state to come from",
            "One state, or all of them? A symbol may come from any state.",
            on={"after one frame": [0.28178, 0.31921, 0.39901], "by hand": [0.47104, 0.23509, 0.29386]},
        ),
        Mistake(
            "logarithms",
            "Probabilities, or their logarithms?",
            when=lambda case, got: near(got, np.log(case.expected)),
        ),
        Mistake(
            "one number for each state",
            "States, or symbols? The next symbol is asked for.",
            when=lambda case, got: got.shape == case.inputs[0].shape,
        ),
    ),
    hints=(
        "Two questions, one after the other: how probable is each state now, given all that was heard? And what does "
        "a model with this belief say next?",
        "The belief of frame T is α_T divided by its sum. Scale in every frame, so that 3000 frames do no harm.",
        "From the belief, one step with transmat gives the states of frame T + 1; the emissions of these states, "
        "weighted with their probabilities and added, give the symbols.",
    ),
)

# ----------------------------------------------------------------------------------------------------- 3 align


def path(states):
    """A path of states, written as text."""
    return symbols(*map(int, states))


FUTURE = (
    "as if each state were chosen without its future",
    "Did the state know the future when it was chosen? Keep pointers, and follow them from the end.",
)
BLOCKS = np.concatenate([np.tile([1, 0, 0], 150), np.tile([2, 1, 2], 100), np.tile([2, 0], 225)])

align = Task(
    name="align",
    function="align",
    arguments=("startprob", "transmat", "emissionprob", "sequence", "last"),
    title="Task 3 · The end is known",
    stars=2,
    minutes=25,
    points=5,
    cases=(
        Case("one frame", (*STICKY, symbols(2), 0), path("0")),
        Case("as many frames as states", (*WORD, symbols(2, 0, 1), 2), path("012")),
        Case("by hand", (*WORD, symbols(2, 1, 0, 1, 0), 2), path("00012")),
        Case("seven frames", (*WORD, symbols(2, 0, 2, 0, 1, 1, 0), 2), path("0011112")),
        Case("to end in 0", (*STICKY, symbols(1, 2, 0, 2, 1, 0), 0), path("110000")),
        Case("to end in 1", (*STICKY, symbols(1, 2, 0, 2, 1, 0), 1), path("111111")),
        Case("1200 frames", (*WORD, BLOCKS, 2), np.repeat([0, 1, 2], [450, 299, 451])),
    ),
    mistakes=(
        Mistake(
            "the best path to any end",
            "Where must the path end? In the state last, however good another end may be.",
            on={"one frame": path("1"), "by hand": path("00000"), "to end in 1": path("110000")},
        ),
        Mistake(
            "the best path to any end, with its last frame renamed",
            "Did the frames before know where the path has to end? Begin there, and follow the pointers back.",
            on={"seven frames": path("0000002"), "to end in 0": path("110000"), "to end in 1": path("110001")},
        ),
        Mistake(
            "the most probable state of each frame",
            "Can every step in your path happen? A path is judged as a whole.",
            on={"by hand": path("00112"), "seven frames": path("0011122"), "to end in 0": path("110100")},
        ),
        Mistake(*FUTURE, on={"seven frames": path("0012112"), "to end in 0": path("110110")}),
        Mistake(
            *FUTURE,
            on={"by hand": path("00002"), "seven frames": path("0012222"), "to end in 1": path("110001")},
        ),
        Mistake(*FROM_TO, on={"by hand": path("00002"), "to end in 0": path("000000")}),
        Mistake(*PARENT, on={"by hand": path("00122"), "to end in 0": path("011000")}),
        Mistake(*BACKWARDS, when=lambda case, got: near(got, case.expected[::-1])),
        Mistake(
            *ONE_PATH, on={"by hand": path("00012"), "seven frames": path("0012222"), "to end in 0": path("110000")}
        ),
        Mistake(
            *TOO_SMALL,
            on={"by hand": path("00012"), "seven frames": path("0011112"), "to end in 0": path("110000")},
            when=lambda case, got: len(case.expected) > 1000,
        ),
        Mistake(
            "as if the symbols alone chose the states",
            "Where do the transitions enter? They connect the frames.",
            on={"by hand": path("10002"), "to end in 0": path("010100")},
        ),
        Mistake(
            "the recording cut into equal parts",
            "Which frames fit which state? Look at what was heard.",
            on={"by hand": path("00112"), "seven frames": path("0001122"), "to end in 1": path("000111")},
        ),
        Mistake(
            *NO_START, on={"by hand": path("22222"), "to end in 0": path("110000"), "to end in 1": path("111111")}
        ),
        Mistake(*ZERO_LOG, on={"by hand": path("10202"), "to end in 0": path("110000")}),
        Mistake(
            "as if the path had to begin in last",
            "Which end of the path is forced? The state last is where the final frame lies.",
            on={"by hand": path("22222"), "to end in 0": path("000000")},
        ),
        Mistake(*FROM_ONE, when=lambda case, got: near(got, case.expected + 1)),
        Mistake(
            "not a state for each frame",
            "One state for each frame is wanted: how long is the sequence?",
            when=lambda case, got: got.shape != case.expected.shape,
        ),
    ),
    hints=(
        "Fill the table of Viterbi as always, in logarithms: the best way into each state at each frame, and which "
        "state it came from. The forced end changes nothing in it.",
        "Normally one starts the way back at the best entry of the last frame. Here you are told where to start.",
        "path[T − 1] = last, then path[t] = the pointer stored at frame t + 1 for the state path[t + 1], until t = 0.",
    ),
)

# ------------------------------------------------------------------------------------------------------ 4 join

ONE_A, ONE_B = (
    (numbers(1), numbers([0.6]), numbers([0.3, 0.7])),
    (numbers(1), numbers([0.75]), numbers([0.9, 0.1])),
)
YES = (numbers(1, 0), numbers([0.7, 0.3], [0, 0.6]), numbers([0.5, 0.3, 0.2], [0.1, 0.6, 0.3]))
NO = (numbers(0.75, 0.25), numbers([0.5, 0.5], [0, 0.8]), numbers([0.2, 0.2, 0.6], [0.4, 0.5, 0.1]))
HURRIED = (
    numbers(0.8, 0.2, 0),
    numbers([0.5, 0.2, 0.2], [0, 0.6, 0.2], [0, 0, 0.7]),
    numbers([0.2, 0.8], [0.7, 0.3], [0.4, 0.6]),
)
SHORT = (numbers(0.6, 0.4), numbers([0.3, 0.5], [0, 0.9]), numbers([0.9, 0.1], [0.35, 0.65]))


def yes_no(
    startprob=(1, 0, 0, 0),
    transmat=((0.7, 0.3, 0, 0), (0, 0.6, 0.3, 0.1), (0, 0, 0.5, 0.5), (0, 0, 0, 0.8)),
    emissionprob=((0.5, 0.3, 0.2), (0.1, 0.6, 0.3), (0.2, 0.2, 0.6), (0.4, 0.5, 0.1)),
):
    """What joining YES and NO gives, with one of its parts changed."""
    return numbers(*startprob), numbers(*transmat), numbers(*emissionprob)


def hurried(*rows):
    """What joining HURRIED and SHORT gives, with other first rows of the transition matrix."""
    right = ((0.5, 0.2, 0.2, 0.06, 0.04), (0, 0.6, 0.2, 0.12, 0.08), (0, 0, 0.7, 0.18, 0.12))
    below = ((0, 0, 0, 0.3, 0.5), (0, 0, 0, 0, 0.9))
    emissions = (*HURRIED[2], *SHORT[2])
    return numbers(0.8, 0.2, 0, 0, 0), numbers(*rows, *right[len(rows) :], *below), numbers(*emissions)


WAY_LOST = (
    "as if one could not leave the first word for the second",
    "Where does the probability go that leaves the first word? To the states in which the second one begins.",
)
TWO_STARTS = (
    "as if a recording could begin with the second word",
    "In which word does every recording begin?",
)
BEGINNINGS = (
    "as if every second word began alike",
    "Where does a word begin? Its own startprob says it, state by state.",
)
TOO_MUCH = (
    "as if a row could sum to more than 1",
    "What does each row of the first word sum to now? Before it was less than 1: by how much?",
)
CLOSED = (
    "as if nothing could follow",
    "Is the second word the end of everything? The result is a word again, which can be left as the second one could.",
)

join = Task(
    name="join",
    function="join_words",
    arguments=("first", "second"),
    title="Task 4 · Two words in a row",
    stars=2,
    minutes=30,
    points=5,
    cases=(
        Case(
            "one state each",
            (ONE_A, ONE_B),
            (numbers(1, 0), numbers([0.6, 0.4], [0, 0.75]), numbers([0.3, 0.7], [0.9, 0.1])),
        ),
        Case("by hand", (YES, NO), yes_no()),
        Case("a word that may be cut short", (HURRIED, SHORT), hurried()),
    ),
    mistakes=(
        Mistake(
            *WAY_LOST,
            on={"by hand": yes_no(transmat=((0.7, 0.3, 0, 0), (0, 0.6, 0, 0), (0, 0, 0.5, 0.5), (0, 0, 0, 0.8)))},
        ),
        Mistake(
            *WAY_LOST,
            on={"by hand": yes_no(transmat=((0.7, 0.3, 0, 0), (0, 1, 0, 0), (0, 0, 0.5, 0.5), (0, 0, 0, 1)))},
        ),
        Mistake(
            "as if the second word led to the first",
            "Who leads to whom? Rows are where one comes from, columns where one goes.",
            on={"by hand": yes_no(transmat=((0.7, 0.3, 0, 0), (0, 0.6, 0, 0), (0, 0.3, 0.5, 0.5), (0, 0.1, 0, 0.8)))},
        ),
        Mistake(*TWO_STARTS, on={"by hand": yes_no(startprob=(1, 0, 0.75, 0.25))}),
        Mistake(*TWO_STARTS, on={"by hand": yes_no(startprob=(0.5, 0, 0.375, 0.125))}),
        Mistake(
            "with a start for the first word alone",
            "One entry for each state is needed: how many states has the joined model?",
            when=lambda case, got: got[0].shape == case.inputs[0][0].shape,
        ),
        Mistake(
            "as if one left the first word as easily as the second",
            "Which word is left when the second begins? Its own rows say how much is missing to 1.",
            on={
                "by hand": yes_no(
                    transmat=((0.7, 0.3, 0, 0), (0, 0.6, 0.15, 0.05), (0, 0, 0.5, 0.5), (0, 0, 0, 0.8)),
                )
            },
        ),
        Mistake(
            "as if only the last state could be left",
            "From which states can the first word be left? Look at what is missing in each of its rows.",
            on={"a word that may be cut short": hurried((0.5, 0.2, 0.2, 0, 0), (0, 0.6, 0.2, 0, 0))},
        ),
        Mistake(
            *BEGINNINGS,
            on={"by hand": yes_no(transmat=((0.7, 0.3, 0, 0), (0, 0.6, 0.4, 0), (0, 0, 0.5, 0.5), (0, 0, 0, 0.8)))},
        ),
        Mistake(
            *BEGINNINGS,
            on={"by hand": yes_no(transmat=((0.7, 0.3, 0, 0), (0, 0.6, 0.2, 0.2), (0, 0, 0.5, 0.5), (0, 0, 0, 0.8)))},
        ),
        Mistake(
            *TOO_MUCH,
            on={"by hand": yes_no(transmat=((0.7, 0.3, 0, 0), (0, 0.6, 1, 0), (0, 0, 0.5, 0.5), (0, 0, 0, 0.8)))},
        ),
        Mistake(
            *TOO_MUCH,
            on={
                "by hand": yes_no(
                    transmat=((0.7, 0.3, 0.225, 0.075), (0, 0.6, 0.3, 0.1), (0, 0, 0.5, 0.5), (0, 0, 0, 0.8)),
                )
            },
        ),
        Mistake(
            *CLOSED,
            on={
                "by hand": yes_no(transmat=((0.7, 0.3, 0, 0), (0, 0.6, 0.3, 0.1), (0, 0, 0.5, 0.5), (0.2, 0, 0, 0.8)))
            },
        ),
        Mistake(
            *CLOSED,
            on={"by hand": yes_no(transmat=((0.7, 0.3, 0, 0), (0, 0.6, 0.3, 0.1), (0, 0, 0.5, 0.5), (0, 0, 0, 1)))},
        ),
        Mistake(
            "with the emissions in another order than the states",
            "Which state does row 0 belong to? The states of the first word come first everywhere.",
            on={"by hand": yes_no(emissionprob=((0.2, 0.2, 0.6), (0.4, 0.5, 0.1), (0.5, 0.3, 0.2), (0.1, 0.6, 0.3)))},
        ),
        Mistake(
            "as if each word had symbols of its own",
            "Do both words use the same symbols? Then the number of columns stays what it was.",
            when=lambda case, got: got[2].shape == (len(case.expected[2]), 2 * case.expected[2].shape[1]),
        ),
        Mistake(
            "the two words the other way round",
            "Which word is said first?",
            on={
                "by hand": yes_no(
                    startprob=(0.75, 0.25, 0, 0),
                    transmat=((0.5, 0.5, 0, 0), (0, 0.8, 0.2, 0), (0, 0, 0.7, 0.3), (0, 0, 0, 0.6)),
                    emissionprob=((0.2, 0.2, 0.6), (0.4, 0.5, 0.1), (0.5, 0.3, 0.2), (0.1, 0.6, 0.3)),
                )
            },
        ),
    ),
    hints=(
        "Draw the joined states in a row, first word, then second. The transition matrix has four blocks: within the "
        "first word, from the first to the second, from the second to the first, within the second.",
        "Three blocks are easy: two you are given, one is impossible. For the fourth: how probable is it to leave the "
        "first word from state i, and how probable is it then to begin the second in state j?",
        "What is missing to 1 in row i of the first word is the probability to leave it from i. Both events happen: "
        "multiply. np.block puts four blocks together.",
    ),
)

# ----------------------------------------------------------------------------------------------- 5 transitions

WEIGHTLESS = (
    "as if every sequence counted once",
    "What does a sequence of weight 2 add to the table? As much as two of its kind: multiply its expected "
    "transitions. (A factor inside α cancels.)",
)
RELATIVE = (
    "as if the pseudo-count depended on the weights",
    "How much does the pseudo-count weigh? As much as one more transition, whatever the weights: take them as they "
    "are, and add it once.",
)
POOLED = (
    "the mean of one matrix for each sequence",
    "Should a sequence of three frames count as much as one of a thousand? Pool the counts, then divide.",
)
PSEUDO = (
    "as if the pseudo-count entered elsewhere",
    "How often is the pseudo-count added to a transition? Once, to the pooled counts, before rows are divided.",
)
NOT_THE_PAIR = (
    "as if something were missing in the expected transitions",
    "What do you know about the step from frame t to frame t + 1? The past by α, the step by a, the symbol by b, and "
    "the future by β.",
)
NOT_DIVIDED = (
    "as if some steps counted more than others",
    "What must the probabilities of all transitions out of frame t sum to? Somebody makes exactly one step.",
)
ORDER = (
    "as if one sequence alone had been counted",
    "Does the order of the sequences matter? Collect from all of them before you divide.",
)
EMITS = (
    "as if the symbol of the next frame came from elsewhere",
    "Which state makes the symbol of frame t + 1? The one that the transition arrives in.",
)
PAIRS = (symbols(2, 0), symbols(1))
OF_FIVE = (symbols(2, 0, 1, 0, 2), symbols(1), symbols(1, 2, 2))
OF_LOOP = (symbols(2, 1, 1, 0, 2, 2, 1), symbols(1, 0, 1), symbols(2, 2))
VERY_LONG = (np.tile([2, 0, 1, 1, 0, 2], 400), symbols(1, 2))
HAND, HALF, LENGTHS, ZEROS, FRAMES = (
    "by hand",
    "by hand, half a count more",
    "three lengths",
    "forbidden transitions",
    "2400 frames",
)

transitions = Task(
    name="transitions",
    function="reestimate_transitions",
    arguments=("startprob", "transmat", "emissionprob", "sequences", "weights", "pseudo_count"),
    title="Task 5 · Counting what nobody saw",
    stars=2,
    minutes=40,
    points=6,
    cases=(
        Case(HAND, (*TWO_STATES, list(PAIRS), numbers(3, 2), 0.0), numbers([0.25, 0.75], [2 / 23, 21 / 23])),
        Case(
            HALF,
            (*TWO_STATES, list(PAIRS), numbers(3, 2), 0.5),
            numbers([0.32223476297968, 0.67776523702032], [0.35532994923858, 0.64467005076142]),
        ),
        Case(
            LENGTHS,
            (*TWO_STATES, list(OF_FIVE), numbers(2.5, 4, 1.75), 0.0),
            numbers([0.63139605578965, 0.36860394421035], [0.49446291601391, 0.50553708398609]),
        ),
        Case(
            ZEROS,
            (*LOOP, list(OF_LOOP), numbers(3, 0, 1), 0.5),
            numbers(
                [0.42732756042784, 0.57267243957216, 0],
                [0.15298676883297, 0.44864479671286, 0.39836843445417],
                [0.42042742944785, 0, 0.57957257055215],
            ),
        ),
        Case(
            FRAMES,
            (*LOOP, list(VERY_LONG), numbers(0.25, 5), 1.0),
            numbers(
                [0.51513407235164, 0.48486592764836, 0],
                [0.19276234274808, 0.53685298596381, 0.27038467128811],
                [0.45141589565487, 0, 0.54858410434513],
            ),
        ),
    ),
    mistakes=(
        Mistake(
            "rows that sum to less than 1",
            "Is there a transition out of the last frame? Divide by what you have counted, row by row.",
            on={HAND: [[0.13308, 0.39924], [0.01388, 0.14575]], LENGTHS: [[0.33803, 0.19734], [0.38642, 0.39508]]},
        ),
        Mistake(
            "as if the sequences were one",
            "Was there a step from the end of one sequence to the beginning of the next?",
            on={HAND: [[0.41486, 0.58514], [0.48246, 0.51754]], LENGTHS: [[0.74019, 0.25981], [0.5332, 0.4668]]},
        ),
        Mistake(
            *WEIGHTLESS,
            on={HALF: [[0.38734, 0.61266], [0.43709, 0.56291]], LENGTHS: [[0.67556, 0.32444], [0.5044, 0.4956]]},
        ),
        Mistake(
            "as if weights were squared",
            "How often is a weight multiplied in? Once, with the finished table of its sequence.",
            on={HALF: [[0.27982, 0.72018], [0.24478, 0.75522]], LENGTHS: [[0.5902, 0.4098], [0.48712, 0.51288]]},
        ),
        Mistake(
            *RELATIVE,
            on={
                HALF: [[0.41754, 0.58246], [0.4598, 0.5402]],
                ZEROS: [[0.45101, 0.54899, 0], [0.20973, 0.41236, 0.37791], [0.44557, 0, 0.55443]],
            },
        ),
        Mistake(
            *RELATIVE,
            on={
                HALF: [[0.37598, 0.62402], [0.42674, 0.57326]],
                ZEROS: [[0.43103, 0.56897, 0], [0.16174, 0.44305, 0.39521], [0.42431, 0, 0.57569]],
            },
        ),
        Mistake(
            *RELATIVE,
            on={
                HALF: [[0.38734, 0.61266], [0.43709, 0.56291]],
                LENGTHS: [[0.6314, 0.3686], [0.49446, 0.50554]],
                ZEROS: [[0.44504, 0.55496, 0], [0.19525, 0.42162, 0.38313], [0.43916, 0, 0.56084]],
            },
        ),
        Mistake(
            "as if weights were rounded down",
            "What does half a sequence count? Half of its expected transitions: multiply the table instead of "
            "repeating the sequence.",
            on={HALF: [[0.32223, 0.67777], [0.35533, 0.64467]], LENGTHS: [[0.59242, 0.40758], [0.48747, 0.51253]]},
        ),
        Mistake(
            "as if a weight had gone to another sequence",
            "Whose weight is it? weights[s] belongs to sequences[s], and sequences of one frame have a weight, too.",
            on={HALF: [[0.32223, 0.67777], [0.35533, 0.64467]], LENGTHS: [[0.7338, 0.2662], [0.52252, 0.47748]]},
        ),
        Mistake(
            *POOLED, on={HAND: [[0.25, 0.75], [0.08696, 0.91304]], LENGTHS: [[0.68085, 0.31915], [0.64011, 0.35989]]}
        ),
        Mistake(
            *POOLED, on={HAND: [[0.25, 0.75], [0.08696, 0.91304]], LENGTHS: [[0.63651, 0.36349], [0.60983, 0.39017]]}
        ),
        Mistake(
            "as if the pseudo-count allowed what is forbidden",
            "May a transition begin to exist that the model calls impossible? Look for the zeros of transmat.",
            on={
                HALF: [[0.32223, 0.67777], [0.35533, 0.64467]],
                ZEROS: [[0.39546, 0.52996, 0.07458], [0.15299, 0.44864, 0.39837], [0.39037, 0.07149, 0.53814]],
            },
        ),
        Mistake(*PSEUDO, on={HAND: [[0.25, 0.75], [0.08696, 0.91304]], HALF: [[0.25, 0.75], [0.08696, 0.91304]]}),
        Mistake(
            *PSEUDO, on={HAND: [[0.25, 0.75], [0.08696, 0.91304]], HALF: [[0.36208, 0.63792], [0.41231, 0.58769]]}
        ),
        Mistake(*PSEUDO, on={HAND: [[0.25, 0.75], [0.08696, 0.91304]], HALF: [[0.375, 0.625], [0.29348, 0.70652]]}),
        Mistake(
            *PSEUDO, on={HAND: [[0.25, 0.75], [0.08696, 0.91304]], HALF: [[0.32599, 0.67401], [0.23759, 0.76241]]}
        ),
        Mistake(
            "with one count too many for each sequence and transition",
            "What is exp(0)? T frames have T − 1 transitions: a slice that was never filled still counts.",
            on={HAND: [[0.45063, 0.54937], [0.47887, 0.52113]], LENGTHS: [[0.54147, 0.45853], [0.49854, 0.50146]]},
        ),
        Mistake(
            "with all rows equal",
            "What shape should expected transitions have? One entry for each pair of states: sum over time only.",
            on={HAND: [[0.2207, 0.7793], [0.2207, 0.7793]], LENGTHS: [[0.57163, 0.42837], [0.57163, 0.42837]]},
        ),
        Mistake(
            *NOT_DIVIDED,
            on={HAND: [[0.25, 0.75], [0.08696, 0.91304]], LENGTHS: [[0.88419, 0.11581], [0.65231, 0.34769]]},
        ),
        Mistake(
            *NOT_DIVIDED,
            on={HAND: [[0.25, 0.75], [0.08696, 0.91304]], LENGTHS: [[0.72162, 0.27838], [0.56587, 0.43413]]},
        ),
        Mistake(*ORDER, on={LENGTHS: [[0.93214, 0.06786], [0.81164, 0.18836]]}),
        Mistake(*ORDER, on={LENGTHS: [[0.42957, 0.57043], [0.46857, 0.53143]]}),
        Mistake(*ROWS, on={HAND: [[0.9292, 0.78947], [0.0708, 0.21053]]}),
        Mistake(*ROWS, on={HAND: [[0.20508, 0.61523], [0.01563, 0.16406]]}),
        Mistake(*ROWS, when=lambda case, got: near(got, case.expected.T)),
        Mistake(
            *FROM_TO, on={HAND: [[0.2, 0.8], [0.06667, 0.93333]], LENGTHS: [[0.59479, 0.40521], [0.4435, 0.5565]]}
        ),
        Mistake(
            "counts",
            "Counts, or probabilities? Each row is divided by its sum.",
            on={HALF: [[1.11523, 2.3457], [0.54688, 0.99219]], LENGTHS: [[4.80373, 2.80438], [2.91332, 2.97857]]},
        ),
        Mistake(
            *NOT_THE_PAIR,
            on={HALF: [[0.3014, 0.6986], [0.40218, 0.59782]], LENGTHS: [[0.5742, 0.4258], [0.56833, 0.43167]]},
        ),
        Mistake(
            *NOT_THE_PAIR,
            on={HAND: [[0.25, 0.75], [0.08696, 0.91304]], LENGTHS: [[0.61802, 0.38198], [0.51479, 0.48521]]},
        ),
        Mistake(*EMITS, on={HAND: [[0.92105, 0.07895], [0.76923, 0.23077]]}),
        Mistake(*EMITS, on={HAND: [[0.7, 0.3], [0.4, 0.6]]}),
        Mistake(
            "counts along the best path",
            "One path, or all of them? Here every path counts, with its probability.",
            on={HALF: [[0.125, 0.875], [0.5, 0.5]], LENGTHS: [[0.58333, 0.41667], [0.33333, 0.66667]]},
        ),
        Mistake(
            *TOO_SMALL,
            on={LENGTHS: [[0.6314, 0.3686], [0.49446, 0.50554]]},
            when=lambda case, got: got.shape == case.expected.shape and not_finite(case, got),
        ),
    ),
    hints=(
        "For one sequence: α_t(i) a_ij b_j(o_{t+1}) β_{t+1}(j), divided by its sum over i and j, is the probability "
        "of the transition i → j after frame t. Add these tables over t = 1 … T − 1.",
        "Scale α so that it sums to 1 in every frame, and β likewise by any number you like. Dividing each table by "
        "its own sum makes all scales disappear.",
        "Multiply the table of each sequence by its weight, and add them all into one. Add pseudo_count once, where "
        "transmat > 0. Divide every row by its sum.",
    ),
)

# ------------------------------------------------------------------------------------------------------ 6 kbest

BEST_OF_SIX, LEFT_RIGHT, LONG_LINE = "the four best of 64", "a word, k = 12", "1500 frames, k = 3"
PRUNED = (
    "as if too few beginnings were kept",
    "May a beginning that looks poor now still win? Each state keeps its own k best; which of them will be needed is "
    "known at the end only.",
)


def turns(*frames):
    """Paths of 1500 frames that change from state 1 to state 0 at these frames."""
    return np.array([np.repeat([1, 0], [frame, 1500 - frame]) for frame in frames])


def paths(*states):
    """Paths of states, written as texts."""
    return np.array([path(one) for one in states])


def scores(*values):
    """Log probabilities."""
    return np.array(values)


FOUR = scores(-8.902496207432, -9.138062278744, -9.255845314401, -9.477860352335)

kbest = Task(
    name="kbest",
    function="k_best_paths",
    arguments=("startprob", "transmat", "emissionprob", "sequence", "k"),
    title="Task 6 · The runners-up",
    stars=3,
    minutes=45,
    points=7,
    cases=(
        Case("one frame, k = 2", (*STICKY, symbols(2), 2), (paths("1", "0"), np.log(numbers(0.36, 0.04)))),
        Case(
            "by hand",
            (*TWO_STATES, symbols(2, 0, 2), 3),
            (paths("010", "000", "011"), scores(-4.374058465025, -4.913054965757, -5.578031269351)),
        ),
        Case("the best of 64", (*STICKY, symbols(1, 2, 0, 2, 1, 0), 1), (paths("110000"), FOUR[:1])),
        Case(
            BEST_OF_SIX,
            (*STICKY, symbols(1, 2, 0, 2, 1, 0), 4),
            (paths("110000", "111100", "111110", "000000"), FOUR),
        ),
        Case(
            LEFT_RIGHT,
            (*WORD, symbols(2, 1, 0, 1), 12),
            (
                paths("0000", "0001", "0111", "0011", "0122", "0112", "0012"),
                scores(
                    *(-6.75383319671, -7.159298304818, -7.949609233832, -8.103759913659),
                    *(-8.622553707074, -9.895519382887, -10.049670062714),
                ),
            ),
        ),
        Case(
            LONG_LINE,
            (*STICKY, np.repeat([2, 0], 750), 3),
            (turns(750, 749, 751), scores(-1014.4082453472, -1016.0822217808, -1016.3177878521)),
        ),
    ),
    mistakes=(
        Mistake(
            "the best path into each last state",
            "Can two of the best paths end in the same state? One memory for each state is too little.",
            on={BEST_OF_SIX: (paths("110000", "111111"), scores(-8.9025, -9.66134))},
        ),
        Mistake(
            *PRUNED,
            on={
                BEST_OF_SIX: (
                    paths("110000", "111100", "111110", "111111"),
                    scores(-8.9025, -9.13806, -9.25585, -9.66134),
                )
            },
        ),
        Mistake(
            "as if only the best path into a state could be continued",
            "Where can the second best path into a state come from? From the second best of a state before, too.",
            on={
                BEST_OF_SIX: (
                    paths("110000", "111110", "111111", "110001"),
                    scores(-8.9025, -9.25585, -9.66134, -12.89148),
                )
            },
        ),
        Mistake(
            *FROM_TO,
            on={
                "by hand": (paths("010", "000", "011"), scores(-4.37406, -4.91305, -5.29035)),
                "the best of 64": (paths("000000"), scores(-9.47786)),
            },
        ),
        Mistake(
            *FIRST_FRAME,
            on={
                "one frame, k = 2": (paths("1", "0"), scores(-0.51083, -2.30259)),
                "the best of 64": (paths("110000"), scores(-8.39167)),
            },
        ),
        Mistake(
            *FIRST_FRAME,
            on={
                "one frame, k = 2": (paths("1", "0"), scores(-0.51083, -0.91629)),
                "the best of 64": (paths("110000"), scores(-7.69852)),
            },
        ),
        Mistake(
            *ZERO_LOG,
            on={"the best of 64": (paths("110000"), FOUR[:1])},
            when=lambda case, got: case.name == LEFT_RIGHT and len(got[0]) == 12 and np.isfinite(got[1]).all(),
        ),
        Mistake(
            "with paths that cannot happen",
            "How many paths are possible at all? Those with the log probability −∞ are not asked for.",
            when=lambda case, got: got[1].shape != case.expected[1].shape and np.isneginf(got[1]).any(),
        ),
        Mistake(
            *TOO_SMALL,
            on={"the best of 64": (paths("110000"), FOUR[:1])},
            when=lambda case, got: case.name == LONG_LINE,
        ),
        Mistake(
            "as if the posteriors of the frames were multiplied",
            "Can every step in your path happen? The transitions decide as much as the frames.",
            on={"the best of 64": (paths("110100"), scores(-2.31723))},
        ),
        Mistake(
            "the right paths with scores that were divided by their sum",
            "Divided by what? The log probability of path and symbols together is asked for.",
            on={
                "one frame, k = 2": (paths("1", "0"), scores(-0.10536, -2.30259)),
                "the best of 64": (paths("110000"), scores(0)),
            },
        ),
        Mistake(*PARENT, on={"the best of 64": (paths("011000"), FOUR[:1])}),
        Mistake(
            "the best path more than once",
            "Are your paths different from one another?",
            when=lambda case, got: (
                len(case.expected[1]) > 1
                and got[0].shape == case.expected[0].shape
                and (got[0] == got[0][0]).all()
                and near(got[1], np.full(case.expected[1].shape, case.expected[1][0]))
            ),
        ),
        Mistake(*ONE_PATH, on={"the best of 64": (paths("110000"), scores(-7.46569))}),
        Mistake(
            "probabilities",
            "Probabilities, or their logarithms?",
            when=lambda case, got: near(got[1], np.exp(case.expected[1])),
        ),
        Mistake(*BASE, when=lambda case, got: near(got[1], case.expected[1] / np.log(10))),
        Mistake(
            "the right paths, the worst first",
            "Which path is asked for first?",
            when=lambda case, got: near(got[0], case.expected[0][::-1]) and near(got[1], case.expected[1][::-1]),
        ),
        Mistake(*BACKWARDS, when=lambda case, got: near(got[0], case.expected[0][:, ::-1])),
        Mistake(
            "a column for each path",
            "One row for each path is wanted: shape (K, T). What does .T do?",
            when=lambda case, got: near(got[0], case.expected[0].T),
        ),
        Mistake(*FROM_ONE, when=lambda case, got: near(got[0], case.expected[0] + 1)),
    ),
    hints=(
        "Viterbi keeps one entry for each state: the best way into it. Keep a list of k entries for each state "
        "instead, the k best ways into it. Each entry needs its log probability and its whole path or a pointer.",
        "A pointer must name two things: the state before, and which of that state's k entries. The candidates for a "
        "state are all entries of all states before, N · k of them, each with its transition added.",
        "In Python: entries (log probability, path) in lists; at each frame, for each state, collect all candidates "
        "that are possible, sort them, keep k. At the end put the lists of all states together, sort, keep k.",
    ),
)

homework = Homework(lost, predict, align, join, transitions, kbest)
check, hint, overview, waits_for = homework.check, homework.hint, homework.overview, homework.waits_for
