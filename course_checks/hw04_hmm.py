"""The checks of homework 04: for each task the cases you see, the mistakes we know, and hints. No solutions here."""

import numpy as np

from course_checks import Case, Homework, Law, Mistake, Task, array, falls_by_logs_of_2, near, not_finite, whole
from course_checks.running import TimeUp

# A model: startprob, transmat, emissionprob.
TWO_STATES = (array(0.6, 0.4), array([0.7, 0.3], [0.4, 0.6]), array([0.1, 0.4, 0.5], [0.7, 0.2, 0.1]))
STICKY = (array(0.4, 0.6), array([0.9, 0.1], [0.2, 0.8]), array([0.6, 0.3, 0.1], [0.1, 0.3, 0.6]))
WEATHER = (
    array(0.4, 0.3, 0.3),
    array([0.8, 0.2, 0], [0.3, 0.4, 0.3], [0, 0.3, 0.7]),
    array([0.9, 0.1], [0.5, 0.5], [0.2, 0.8]),
)
WORD = (
    array(1, 0, 0),
    array([0.6, 0.4, 0], [0, 0.7, 0.3], [0, 0, 1]),
    array([0.6, 0.3, 0.1], [0.2, 0.3, 0.5], [0.5, 0.1, 0.4]),
)
LOOP = (
    array(0.5, 0.3, 0.2),
    array([0.6, 0.4, 0], [0.2, 0.5, 0.3], [0.3, 0, 0.7]),
    array([0.6, 0.3, 0.1], [0.2, 0.2, 0.6], [0.1, 0.7, 0.2]),
)
# Nothing leads into state 2, but it alone often says 2; the other two do so five times in a hundred thousand.
SHUT = (
    array(0.6, 0.4, 0),
    array([0.6, 0.4, 0], [0.3, 0.7, 0], [0, 0.2, 0.8]),
    array([0.7, 0.29995, 0.00005], [0.2, 0.79998, 0.00002], [0.1, 0.1, 0.8]),
)
DETOUR = (
    array(0.8, 0.1, 0.1),
    array([0.2, 0.4, 0.4], [0.3, 0.6, 0.1], [0.7, 0.2, 0.1]),
    array([0, 0.1, 0.9], [0.1, 0.6, 0.3], [0.6, 0.2, 0.2]),
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
ADDED = (
    "as if what is impossible had a small probability",
    "What was added before the logarithm? However small it is, what can happen may be rarer. log 0 = −∞ is right as "
    "it is; np.errstate silences the warning.",
)
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
BASE = ("a logarithm to another base", "Which logarithm is natural? np.log.")
SILENT = (
    "as if a lost frame spoke against every state",
    "How likely is a state to produce nothing at all, if the line lost it? That says nothing about the state.",
)


def random_model(rng, n, m):
    """A model of n states and m symbols; of those with three states or more, every third forbids a transition."""
    startprob, transmat, emissionprob = (
        rng.dirichlet(np.ones(n)),
        rng.dirichlet(np.ones(n), n),
        rng.dirichlet(np.ones(m), n),
    )
    if n > 2 and rng.random() < 1 / 3:
        transmat[0, 2] = 0
        transmat[0] /= transmat[0].sum()
    return startprob, transmat, emissionprob


def random_word(rng, n, m, leaves=True):
    """A model in which no state leads back; it is left from any state, or it stays in the last for ever."""
    transmat = np.triu(rng.dirichlet(np.ones(n + 1), n)[:, :n])
    if not leaves:
        transmat /= transmat.sum(axis=1, keepdims=True)
    return rng.dirichlet(np.ones(n)), transmat, rng.dirichlet(np.ones(m), n)


def with_a_symbol(model, share):
    """The model with one more symbol, which each state says with this share of its probability."""
    startprob, transmat, emissionprob = model
    new = np.full((len(startprob), 1), share)
    return startprob, transmat, np.hstack([(1 - share) * emissionprob, new])


def split_state(startprob, transmat, emissionprob, *others):
    """State 0 in two halves: each is entered half as often, leads where it led, and says what it said."""
    halves = np.r_[0, np.arange(len(startprob))]
    entered = np.where(halves == 0, 0.5, 1.0)
    return startprob[halves] * entered, transmat[np.ix_(halves, halves)] * entered, emissionprob[halves], *others


def renumbered(startprob, transmat, emissionprob, *others):
    """The states in the opposite order; None for one state."""
    turned = startprob[::-1], transmat[::-1, ::-1], emissionprob[::-1], *others
    return (
        tuple(np.array(one) if isinstance(one, np.ndarray) else one for one in turned) if len(startprob) > 1 else None
    )


SPLIT = "How much enters the two halves together, and how much entered the one state?"
OTHER_NAMES = (
    "Which step comes out otherwise then: one that names a state, the first or the last or the next one, or one that "
    "takes the first of equal entries?"
)


def lost_frames_heard(startprob, transmat, emissionprob, sequence):
    """A new symbol, half of what each state says, in the lost frames."""
    model = with_a_symbol((startprob, transmat, emissionprob), 0.5)
    return (*model, np.where(sequence < 0, emissionprob.shape[1], sequence)) if (sequence < 0).any() else None


def draw_lost(rng, k):
    """A model, and a sequence in which frames are lost; every second is too long for a product of probabilities."""
    n, frames = 2 + k % 3, 1 + k // 2 % 7 if k % 2 else int(rng.integers(2000, 3000))
    model, symbols = random_model(rng, n, 4), rng.integers(0, 4, frames)
    return *model, np.where(rng.random(frames) < (0.3 if k % 4 < 2 else 0.6), -1, symbols)


lost = Task(
    name="lost",
    function="log_likelihood",
    arguments=("startprob", "transmat", "emissionprob", "sequence"),
    title="Task 1 · Lost frames",
    stars=1,
    minutes=20,
    points=4,
    cases=(
        Case("one frame", (*TWO_STATES, whole(2))),
        Case("a lost frame, and no other", (*TWO_STATES, whole(-1)), 0.0),
        Case("nothing is lost", (*TWO_STATES, whole(2, 0, 1, 0, 2))),
        Case("by hand", (*TWO_STATES, whole(2, -1, 0))),
        Case("the first frame is lost", (*TWO_STATES, whole(-1, 2, 1))),
        Case("the weather, two days lost", (*WEATHER, whole(1, 1, -1, 0, -1, 1))),
        Case("3000 frames", (*TWO_STATES, np.tile([2, 0, 1, -1, 0, 2], 500))),
    ),
    draw=draw_lost,
    mistakes=(
        Mistake(
            "as if the first symbol were 0",
            "Which symbol came first? Read it from the sequence.",
            wrong_functions=("first symbol is 0",),
            when=lambda case, got: case.name == "one frame",
        ),
        Mistake(*ROWS, wrong_functions=("transposed",)),
        Mistake(*ARRIVING, wrong_functions=("symbol of the frame before",)),
        Mistake(*FIRST_FRAME, wrong_functions=("no first emission",)),
        Mistake(*NO_START, wrong_functions=("no start", "uniform start")),
        Mistake(
            "the product of one probability for each frame alone",
            "Does hearing a symbol change your belief in the state? Carry that on to the next frame.",
            wrong_functions=("product of marginals",),
        ),
        Mistake(*TOO_SMALL, wrong_functions=("unscaled",)),
        Mistake(
            "as if the sums of unscaled α were collected",
            "What was already divided out before frame t? Divide first, then go on with what is left.",
            wrong_functions=("scales after the recursion",),
        ),
        Mistake(
            "as if the scale were not the sum",
            "Which norm makes a distribution? Only the sum of the belief is a probability of the symbol.",
            wrong_functions=("norm", "largest"),
        ),
        Mistake(
            "as if some of the scale factors were lost",
            "Which of the scale factors are part of P? Each c_t is p(o_t | o_1 … o_{t−1}): multiply by hand for two "
            "frames.",
            wrong_functions=("only the last scale", "first scale forgotten"),
        ),
        Mistake(
            "the logarithm of what is left after scaling",
            "What does a belief always sum to? The news is in what you divided by.",
            wrong_functions=("scale factors forgotten",),
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
        Mistake(*BASE, wrong_functions=("log2", "log10")),
        Mistake(
            "the mean of a frame",
            "Is a mean over the frames asked for, or the whole sequence?",
            when=lambda case, got: near(got, case.expected / len(case.inputs[3])),
        ),
        Mistake("what the best path alone would give", "One path, or all of them?", wrong_functions=("best path",)),
        Mistake(
            "as if lost frames had been cut out",
            "Did time stand still in the lost frame? The state still made its step.",
            wrong_functions=("skipped",),
        ),
        Mistake(
            "as if −1 were a symbol of its own",
            "What does Python read at index −1? The last symbol, which nobody has said.",
            wrong_functions=("last symbol", "last symbol in the first frame"),
        ),
        Mistake(
            *SILENT,
            wrong_functions=("impossible",),
            when=lambda case, got: np.isneginf(got) and len(case.inputs[3]) < 100 and (case.inputs[3] < 0).any(),
        ),
        Mistake(*SILENT, wrong_functions=("uniform",)),
        Mistake(
            "as if the recording ended in the gap",
            "Is the recording over when a frame is lost?",
            wrong_functions=("stops at the gap",),
        ),
        Mistake(
            "as if a new recording began after the gap",
            "What was believed before the gap, and where has that belief gone?",
            wrong_functions=("begins anew",),
        ),
    ),
    laws=(
        Law(
            "Say a new symbol in each lost frame, which every state says with probability ½, and halve all other "
            "emissions: log p falls by log 2 for each frame.",
            "What happens to a belief in a frame that all states are equally likely to produce? Compare it, frame by "
            "frame, with what your function does where the line lost one.",
            lost_frames_heard,
            falls_by_logs_of_2,
        ),
        Law("Split a state into two halves that say the same: log p stays.", SPLIT, split_state),
        Law("Number the states the other way round: log p stays.", OTHER_NAMES, renumbered),
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


def draw_predict(rng, k):
    """A model and a sequence; of the first ten every second is too long for a product of probabilities."""
    frames = int(rng.integers(2000, 3000)) if k % 2 == 0 and k < 10 else 1 + k // 2 % 6
    return *random_model(rng, 2 + k % 3, 4), rng.integers(0, 4, frames)


predict = Task(
    name="predict",
    function="predict_next",
    arguments=("startprob", "transmat", "emissionprob", "sequence"),
    title="Task 2 · What comes next?",
    stars=2,
    minutes=25,
    points=5,
    cases=(
        Case("after one frame", (*TWO_STATES, whole(2)), array(5.12, 5.66, 6.22) / 17),
        Case("by hand", (*TWO_STATES, whole(2, 0))),
        Case("after five frames", (*TWO_STATES, whole(2, 0, 1, 0, 2))),
        Case("the weather after U, U, H, U", (*WEATHER, whole(1, 1, 0, 1))),
        Case("after 3000 frames", (*TWO_STATES, LONG)),
    ),
    draw=draw_predict,
    tolerance=1e-8,
    mistakes=(
        Mistake(
            "as if the wrong number of steps were made",
            "How many steps are there from frame T to frame T + 1? Exactly one.",
            wrong_functions=("no step", "two steps"),
        ),
        Mistake(*ROWS, wrong_functions=("transposed", "transposed in the last step")),
        Mistake(
            "probabilities of everything heard so far together with the next symbol",
            "What do the probabilities of all symbols that may come next sum to?",
            wrong_functions=("joint",),
        ),
        Mistake(
            *TOO_SMALL,
            wrong_functions=("divided at the end",),
            when=lambda case, got: len(case.inputs[3]) > 1000 and not_finite(case, got),
        ),
        Mistake(*NO_START, wrong_functions=("uniform start",)),
        Mistake(
            "as if a frame at an end had not been heard",
            "Does every frame, the first and the last too, change your belief?",
            wrong_functions=("no first emission", "before the last"),
        ),
        Mistake(*ARRIVING, wrong_functions=("symbol of the frame before",)),
        Mistake(
            "as if the state were known",
            "How sure are you of the state? Keep all states, each with its probability.",
            wrong_functions=("most probable state", "end of the best path"),
        ),
        Mistake(
            "as if nothing had been heard",
            "What has been heard should change the answer: where does the sequence enter?",
            wrong_functions=("deaf",),
        ),
        Mistake(
            "as if the states of all frames counted alike",
            "Which state matters for the next frame, the one of now or that of long ago?",
            wrong_functions=("averaged over time",),
        ),
        Mistake(
            "as if each symbol had one state to come from",
            "One state, or all of them? A symbol may come from any state.",
            wrong_functions=("largest",),
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
    laws=(
        Law(
            "Some symbol comes next: the M numbers sum to 1.",
            "Which sums on your way are 1: that of the belief, of each row of transmat, of each row of emissionprob?",
            holds=lambda one, other: near(one.sum(), 1.0),
        ),
        Law(
            "The first state is surely 0, from which one goes to 0 or 1 with ½ each. These say symbol 0 with ¾ and ½: "
            "after one frame its probability is ⅝.",
            "startprob is the belief in the first frame. Is there no step with transmat before it, and exactly one "
            "after it?",
            example=(array(1, 0), array([0.5, 0.5], [0.25, 0.75]), array([0.75, 0.25], [0.5, 0.5]), whole(0)),
            holds=lambda one, other: near(other, array(0.625, 0.375)),
        ),
        Law("Split a state into two halves that say the same: the prediction stays.", SPLIT, split_state),
        Law("Number the states the other way round: the prediction stays.", OTHER_NAMES, renumbered),
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
    return whole(*map(int, states))


BLOCKS = np.concatenate([np.tile([1, 0, 0], 150), np.tile([2, 1, 2], 100), np.tile([2, 0], 225)])


def draw_align(rng, k):
    """A model, a sequence that leads to last; of the first twelve every second is long, with symbols that differ."""
    n, frames = 2 + k % 3, 2 + k // 2 % 6
    long = k % 2 == 0 and k < 12
    symbols = rng.permutation(300) if long else rng.integers(0, 4, frames)
    m = 300 if long else 4
    if k % 4 in (1, 2):
        return *random_word(rng, n, m, leaves=k % 8 < 5), symbols, (n - 1 - k // 8) % n
    return *random_model(rng, n, m), symbols, int(rng.integers(n - 1))


def leaving_to_a_state(startprob, transmat, emissionprob, sequence, last):
    """What is missing in rows leads to one more state, which says one more symbol, and stays; None if nothing is."""
    missing = 1 - transmat.sum(axis=1, keepdims=True)
    if (missing < 1e-9).all():
        return None
    n, m = emissionprob.shape
    return (
        np.append(startprob, 0),
        np.block([[transmat, missing], [np.eye(n + 1)[n]]]),
        np.block([[emissionprob, np.zeros((n, 1))], [np.eye(m + 1)[m]]]),
        sequence,
        last,
    )


def ends_renumbered(startprob, transmat, emissionprob, sequence, last):
    return renumbered(startprob, transmat, emissionprob, sequence, len(startprob) - 1 - last)


def nothing_left(case, got):
    """Whether the path of a long sequence stays in state 0 from its middle to the last frame but one."""
    late = slice(len(case.expected) // 2, -1)
    return len(case.expected) > 200 and got.shape == case.expected.shape and (got[late] == 0).all()


align = Task(
    name="align",
    function="align",
    arguments=("startprob", "transmat", "emissionprob", "sequence", "last"),
    title="Task 3 · The end is known",
    stars=2,
    minutes=25,
    points=5,
    cases=(
        Case("one frame", (*STICKY, whole(2), 0), path("0")),
        Case("as many frames as states", (*WORD, whole(2, 0, 1), 2), path("012")),
        Case("by hand", (*WORD, whole(2, 1, 0, 1, 0), 2), path("00012")),
        Case("seven frames", (*WORD, whole(2, 0, 2, 0, 1, 1, 0), 2), path("0011112")),
        Case("to end in 0", (*STICKY, whole(1, 2, 0, 2, 1, 0), 0), path("110000")),
        Case("to end in 1", (*STICKY, whole(1, 2, 0, 2, 1, 0), 1), path("111111")),
        Case("no way into state 2", (*SHUT, whole(1, 0, 2, 2, 2, 2, 1), 1)),
        Case("1200 frames", (*WORD, BLOCKS, 2), np.repeat([0, 1, 2], [450, 299, 451])),
        Case(
            "what the first symbol says",
            (array(0.5, 0.5), array([0.6, 0.4], [0.5, 0.5]), array([0.1, 0.9], [0.8, 0.2]), whole(1, 0), 1),
            path("01"),
        ),
    ),
    draw=draw_align,
    mistakes=(
        Mistake(
            "the best path to any end",
            "Where must the path end? In the state last, however good another end may be.",
            wrong_functions=("free end",),
        ),
        Mistake(
            "the best path to any end, with its last frame renamed",
            "Did the frames before know where the path has to end? Begin there, and follow the pointers back.",
            wrong_functions=("free end, last frame renamed",),
        ),
        Mistake(
            "the most probable state of each frame",
            "Can every step in your path happen? A path is judged as a whole.",
            wrong_functions=("posterior",),
        ),
        Mistake(
            "as if each state were chosen without its future",
            "Did the state know the future when it was chosen? Keep pointers, and follow them from the end.",
            wrong_functions=("no pointers", "greedy"),
        ),
        Mistake(*FROM_TO, wrong_functions=("transposed",)),
        Mistake(*PARENT, wrong_functions=("pointer of the frame before",)),
        Mistake(*BACKWARDS, when=lambda case, got: near(got, case.expected[::-1])),
        Mistake(*ONE_PATH, wrong_functions=("sums",)),
        Mistake(*TOO_SMALL, when=nothing_left),
        Mistake(*ADDED, wrong_functions=("1e-3 added to A", "1e-3 added", "1e-12 added")),
        Mistake(
            "the best path to the last of all states",
            "Which state does last name? Any state may be given as the end, not only state N − 1.",
            wrong_functions=("ends in N − 1",),
        ),
        Mistake(
            "as if the symbols alone chose the states",
            "Where do the transitions enter? They connect the frames.",
            wrong_functions=("symbols alone",),
        ),
        Mistake(
            "the recording cut into equal parts",
            "Which frames fit which state? Look at what was heard.",
            wrong_functions=("equal parts",),
        ),
        Mistake(*NO_START, wrong_functions=("no start",)),
        Mistake(*ZERO_LOG, wrong_functions=("log 0 is 0",)),
        Mistake(
            "as if the path had to begin in last",
            "Which end of the path is forced? The state last is where the final frame lies.",
            wrong_functions=("starts in last",),
        ),
        Mistake(*FROM_ONE, when=lambda case, got: near(got, case.expected + 1)),
        Mistake(
            "not a state for each frame",
            "One state for each frame is wanted: how long is the sequence?",
            when=lambda case, got: got.shape != case.expected.shape,
        ),
    ),
    laws=(
        Law(
            "From 0 one must go to 1, and from 1 to 2; the path of three frames that begins in 0 and ends in 2 is "
            "0, 1, 2.",
            "The pointer of a state names the state before it. Over which index do you take the maximum, and over "
            "which its argument?",
            example=(array(1, 0, 0), array([0, 1, 0], [0, 0, 1], [0, 0, 1]), np.full((3, 1), 1.0), whole(0, 0, 0), 2),
            holds=lambda one, other: near(other, path("012")),
        ),
        Law(
            "Let what is missing in the rows of transmat lead to one more state, which says none of these symbols: "
            "the path stays.",
            "What depends on the number of states, on what a row sums to, or on steps that cannot happen? The numbers "
            "of a row are used as they are.",
            leaving_to_a_state,
        ),
        Law(
            "Number the states the other way round: the path is the same, in the new numbers.",
            OTHER_NAMES,
            ends_renumbered,
            lambda one, other: np.ptp(one + other) == 0,
        ),
        Law(
            "Halve all of transmat: each path loses as much, and the best stays.",
            "What is added to a probability on your way, or compared with it, that is not halved, too?",
            lambda pi, A, B, o, last: (pi, A / 2, B, o, last),
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

ONE_A, ONE_B = ((array(1), array([0.6]), array([0.3, 0.7])), (array(1), array([0.75]), array([0.9, 0.1])))
YES = (array(1, 0), array([0.7, 0.3], [0, 0.6]), array([0.5, 0.3, 0.2], [0.1, 0.6, 0.3]))
NO = (array(0.75, 0.25), array([0.5, 0.5], [0, 0.8]), array([0.2, 0.2, 0.6], [0.4, 0.5, 0.1]))
HURRIED = (
    array(0.8, 0.2, 0),
    array([0.5, 0.2, 0.2], [0, 0.6, 0.2], [0, 0, 0.7]),
    array([0.2, 0.8], [0.7, 0.3], [0.4, 0.6]),
)
SHORT = (array(0.6, 0.4), array([0.3, 0.5], [0, 0.9]), array([0.9, 0.1], [0.35, 0.65]))


def yes_no(
    startprob=(1, 0, 0, 0),
    transmat=((0.7, 0.3, 0, 0), (0, 0.6, 0.3, 0.1), (0, 0, 0.5, 0.5), (0, 0, 0, 0.8)),
    emissionprob=((0.5, 0.3, 0.2), (0.1, 0.6, 0.3), (0.2, 0.2, 0.6), (0.4, 0.5, 0.1)),
):
    """What joining YES and NO gives, with one of its parts changed."""
    return array(*startprob), array(*transmat), array(*emissionprob)


def hurried(*rows):
    """What joining HURRIED and SHORT gives, with other first rows of the transition matrix."""
    right = ((0.5, 0.2, 0.2, 0.06, 0.04), (0, 0.6, 0.2, 0.12, 0.08), (0, 0, 0.7, 0.18, 0.12))
    below = ((0, 0, 0, 0.3, 0.5), (0, 0, 0, 0, 0.9))
    emissions = (*HURRIED[2], *SHORT[2])
    return array(0.8, 0.2, 0, 0, 0), array(*rows, *right[len(rows) :], *below), array(*emissions)


def draw_join(rng, k):
    """Two words; some can be left from any state, some from the last alone, in some a state leads back."""
    words = []
    for n, kind in (((2, 3, 1, 3)[k % 4], (2, 1, 2, 1, 0)[k % 5]), (1 + k // 2 % 3, (k + 1) % 3)):
        startprob, emissionprob = rng.multinomial(20, np.ones(n) / n) / 20, rng.multinomial(20, [0.4, 0.6], n) / 20
        transmat = rng.multinomial(20, np.ones(n + 1) / (n + 1), n)[:, :n] / 20
        if kind < 2:
            transmat = np.triu(transmat)
        if kind == 0:
            rows = np.arange(n - 1)
            transmat[rows, rows + 1] += 1 - transmat[rows].sum(axis=1)
        words.append((startprob, transmat, emissionprob))
    return tuple(words)


def both_renumbered(first, second):
    """The states of both words in the opposite order."""
    if len(first[0]) == len(second[0]) == 1:
        return None
    return renumbered(*first) or first, renumbered(*second) or second


def the_same_numbers(one, other):
    """Whether an answer and another have the same entries, in some order."""
    return all(near(np.sort(a, axis=None), np.sort(b, axis=None)) for a, b in zip(one, other, strict=True))


join = Task(
    name="join",
    function="join_words",
    arguments=("first", "second"),
    title="Task 4 · Two words in a row",
    stars=2,
    minutes=30,
    points=5,
    cases=(
        Case("one state each", (ONE_A, ONE_B)),
        Case("by hand", (YES, NO), yes_no()),
        Case("a word that may be cut short", (HURRIED, SHORT), hurried()),
    ),
    draw=draw_join,
    mistakes=(
        Mistake(
            "as if one could not leave the first word for the second",
            "Where does the probability go that leaves the first word? To the states in which the second one begins.",
            wrong_functions=("exit lost", "exit lost, rows to one"),
        ),
        Mistake(
            "as if the second word led to the first",
            "Who leads to whom? Rows are where one comes from, columns where one goes.",
            wrong_functions=("lower triangle",),
        ),
        Mistake(
            "as if a recording could begin with the second word",
            "In which word does every recording begin?",
            wrong_functions=("both starts", "both starts, halved"),
        ),
        Mistake(
            "with a start for the first word alone",
            "One entry for each state is needed: how many states has the joined model?",
            when=lambda case, got: got[0].shape == case.inputs[0][0].shape,
        ),
        Mistake(
            "as if one left the first word as easily as the second",
            "Which word is left when the second begins? Its own rows say how much is missing to 1.",
            wrong_functions=("exits of the second",),
        ),
        Mistake(
            "as if only the last state could be left",
            "From which states can the first word be left? Look at what is missing in each of its rows.",
            wrong_functions=("only from the last state",),
        ),
        Mistake(
            "as if every second word began alike",
            "Where does a word begin? Its own startprob says it, state by state.",
            wrong_functions=("into the first state", "into any state"),
        ),
        Mistake(
            "as if a row could sum to more than 1",
            "What does each row of the first word sum to now? Before it was less than 1: by how much?",
            wrong_functions=("surely", "leaving is not staying"),
        ),
        Mistake(
            "as if nothing could follow",
            "Is the second word the end of everything? The result is a word again, which can be left as the second "
            "one could.",
            wrong_functions=("rows to one", "stays at the end"),
        ),
        Mistake(
            "with a way back from the second word to the first",
            "Where does one go who leaves the second word? Out: it is left as it was, and nothing leads back.",
            wrong_functions=("ring",),
        ),
        Mistake(
            "with the emissions in another order than the states",
            "Which state does row 0 belong to? The states of the first word come first everywhere.",
            wrong_functions=("emissions of the second first",),
        ),
        Mistake(
            "as if each word had symbols of its own",
            "Do both words use the same symbols? Then the number of columns stays what it was.",
            when=lambda case, got: got[2].shape == (len(case.expected[2]), 2 * case.expected[2].shape[1]),
        ),
        Mistake(
            "the two words the other way round", "Which word is said first?", wrong_functions=("second before first",)
        ),
    ),
    laws=(
        Law(
            "Who leaves the first word begins the second: halve the transitions of the first, and each row of the "
            "joined transmat sums to what it did.",
            "What happens, in each state of the first word, to the probability that its row does not say?",
            lambda first, second: ((first[0], first[1] / 2, first[2]), second),
            lambda one, other: near(other[1].sum(axis=1), one[1].sum(axis=1)),
        ),
        Law(
            "Number the states of both words the other way round: the same numbers come out, in another order.",
            OTHER_NAMES,
            both_renumbered,
            the_same_numbers,
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

PAIRS = (whole(2, 0), whole(1))
OF_FIVE = (whole(2, 0, 1, 0, 2), whole(1), whole(1, 2, 2))
OF_LOOP = (whole(2, 1, 1, 0, 2, 2, 1), whole(1, 0, 1), whole(2, 2))
VERY_LONG = (np.tile([2, 0, 1, 1, 0, 2], 400), whole(1, 2))
HAND, HALF, LENGTHS, ZEROS, FRAMES = (
    "by hand",
    "by hand, half a count more",
    "three lengths",
    "forbidden transitions",
    "2400 frames",
)


def draw_transitions(rng, k):
    """A model and sequences; every fourth time one comes twice, and of the first ten every second has a long one."""
    frames = ((5, 1, 3), (2,), (1, 4, 3, 2))[k // 2 % 3]
    if k % 2 == 0 and k < 10:
        frames = int(rng.integers(1200, 1800)), 1, 30
    sequences = [rng.integers(0, 3, t) for t in frames]
    if k % 4 == 3:
        sequences.append(sequences[-1].copy())
    weights = rng.choice([0.25, 0.5, 1, 1.5, 3, 7], len(sequences))
    if k % 5 == 1 and len(weights) > 1:
        weights[1] = 0
    pseudo_count, (startprob, transmat, emissionprob) = (0.0, 0.5, 1.75)[k % 7 % 3], random_model(rng, 2 + k % 3, 3)
    if k % 4 == 1 and pseudo_count:  # a transition may be allowed and yet never happen: nobody is heard after it
        emissionprob[0] = 0.0, 0.0, 1.0
    return startprob, transmat, emissionprob, sequences, weights, pseudo_count


def one_in_two(startprob, transmat, emissionprob, sequences, weights, pseudo_count):
    """Each sequence given twice, with half of its weight."""
    return startprob, transmat, emissionprob, sequences * 2, np.tile(weights / 2, 2), pseudo_count


def all_threefold(startprob, transmat, emissionprob, sequences, weights, pseudo_count):
    return startprob, transmat, emissionprob, sequences, 3 * weights, 3 * pseudo_count


transitions = Task(
    name="transitions",
    function="reestimate_transitions",
    arguments=("startprob", "transmat", "emissionprob", "sequences", "weights", "pseudo_count"),
    title="Task 5 · Counting what nobody saw",
    stars=2,
    minutes=40,
    points=6,
    cases=(
        Case(HAND, (*TWO_STATES, list(PAIRS), array(3, 2), 0.0), array([0.25, 0.75], [2 / 23, 21 / 23])),
        Case(HALF, (*TWO_STATES, list(PAIRS), array(3, 2), 0.5)),
        Case(LENGTHS, (*TWO_STATES, list(OF_FIVE), array(2.5, 4, 1.75), 0.0)),
        Case(ZEROS, (*LOOP, list(OF_LOOP), array(3, 0, 1), 0.5)),
        Case(FRAMES, (*LOOP, list(VERY_LONG), array(0.25, 5), 1.0)),
    ),
    draw=draw_transitions,
    tolerance=1e-8,
    mistakes=(
        Mistake(
            "rows that sum to less than 1",
            "Is there a transition out of the last frame? Divide by what you have counted, row by row.",
            wrong_functions=("last frame in the divisor",),
        ),
        Mistake(
            "as if the sequences were one",
            "Was there a step from the end of one sequence to the beginning of the next?",
            wrong_functions=("joined",),
        ),
        Mistake(
            "as if every sequence counted once",
            "What does a sequence of weight 2 add to the table? As much as two of its kind: multiply its expected "
            "transitions. (A factor inside α cancels.)",
            wrong_functions=("weights ignored", "weight in the recursion", "weights, yes or no"),
        ),
        Mistake(
            "as if weights were squared",
            "How often is a weight multiplied in? Once, with the finished table of its sequence.",
            wrong_functions=("weight in α and in β",),
        ),
        Mistake(
            "as if the pseudo-count depended on the weights",
            "How much does the pseudo-count weigh? As much as one more transition, whatever the weights: take them as "
            "they are, and add it once.",
            wrong_functions=("weights that sum to 1", "weighted pseudo-count", "weights of mean 1", "weights up to 1"),
        ),
        Mistake(
            "as if weights were rounded down",
            "What does half a sequence count? Half of its expected transitions: multiply the table instead of "
            "repeating the sequence.",
            wrong_functions=("repeated",),
        ),
        Mistake(
            "as if a weight had gone to another sequence",
            "Whose weight is it? weights[s] belongs to sequences[s], and sequences of one frame have a weight, too.",
            wrong_functions=("weights moved up",),
        ),
        Mistake(
            "the mean of one matrix for each sequence",
            "Should a sequence of three frames count as much as one of a thousand? Pool the counts, then divide.",
            wrong_functions=("mean of matrices", "weighted mean of matrices"),
        ),
        Mistake(
            "as if the pseudo-count allowed what is forbidden",
            "May a transition begin to exist that the model calls impossible? Look for the zeros of transmat.",
            wrong_functions=("pseudo-count everywhere",),
        ),
        Mistake(
            "as if the pseudo-count entered elsewhere",
            "How often is the pseudo-count added to a transition? Once, to the pooled counts, before rows are "
            "divided.",
            wrong_functions=(
                "no pseudo-count",
                "pseudo-count for each sequence",
                "pseudo-count after the division",
                "pseudo-count times A",
            ),
        ),
        Mistake(
            "with one count too many for each sequence and transition",
            "What is exp(0)? T frames have T − 1 transitions: a slice that was never filled still counts.",
            wrong_functions=("one slice too many",),
        ),
        Mistake(
            "with all rows equal",
            "What shape should expected transitions have? One entry for each pair of states: sum over time only.",
            wrong_functions=("sums twice",),
        ),
        Mistake(
            "as if some steps counted more than others",
            "What must the probabilities of all transitions out of frame t sum to? Somebody makes exactly one step.",
            wrong_functions=("weighted by the probability", "own scales"),
        ),
        Mistake(
            "as if one sequence alone had been counted",
            "Does the order of the sequences matter? Collect from all of them before you divide.",
            wrong_functions=("last sequence only", "first sequence only"),
        ),
        Mistake(*ROWS, wrong_functions=("columns", "whole table")),
        Mistake(*ROWS, when=lambda case, got: near(got, case.expected.T)),
        Mistake(*FROM_TO, wrong_functions=("transposed model",)),
        Mistake("counts", "Counts, or probabilities? Each row is divided by its sum.", wrong_functions=("counts",)),
        Mistake(
            "as if something were missing in the expected transitions",
            "What do you know about the step from frame t to frame t + 1? The past by α, the step by a, the symbol by "
            "b, and the future by β.",
            wrong_functions=("independent", "no future"),
        ),
        Mistake(
            "as if the symbol of the next frame came from elsewhere",
            "Which state makes the symbol of frame t + 1? The one that the transition arrives in.",
            wrong_functions=("symbol of the leaving frame", "no emission"),
        ),
        Mistake(
            "counts along the best path",
            "One path, or all of them? Here every path counts, with its probability.",
            wrong_functions=("best path",),
        ),
        Mistake(
            *TOO_SMALL,
            correct_cases=(LENGTHS,),
            when=lambda case, got: max(map(len, case.inputs[3])) > 1000 and not_finite(case, got),
        ),
    ),
    laws=(
        Law(
            "Give every sequence twice, with half of its weight each time: the matrix stays.",
            "What does each copy add to the pooled counts, and what else do the copies change on your way?",
            one_in_two,
        ),
        Law(
            "Three times the weights and three times the pseudo-count: the matrix stays.",
            "By how much does each of your pooled counts grow? Threefold, or something else came in.",
            all_threefold,
        ),
        Law(
            "Number the states the other way round: the matrix is the same, in the new numbers.",
            OTHER_NAMES,
            renumbered,
            lambda one, other: near(other[::-1, ::-1], one),
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
SHORT_LINES = (
    "one frame, k = 2",
    "by hand",
    "the best of 64",
    BEST_OF_SIX,
    LEFT_RIGHT,
    "a poor beginning",
    "no way into state 2",
)


def paths(*states):
    """Paths of states, written as texts."""
    return np.array([path(one) for one in states])


def too_many(case, got):
    """Whether the right log probabilities come first, and others after them."""
    values, right = got[1], case.expected[1]
    return values.ndim == 1 and len(values) > len(right) and near(values[: len(right)], right)


def underflown(values):
    """Whether some are what is left of probabilities that were too small: −∞, NaN, 0, or log 5e-324."""
    return not np.isfinite(values).all() or bool(((values == 0) | (np.abs(values + 744.44) < 0.01)).any())


def draw_kbest(rng, k):
    """A model, a sequence and a number of paths; most of the first twelve are too long to list all paths.

    A symbol that comes twice can make two paths equally probable: in long sequences all symbols differ.
    """
    n = 2 + k % 3
    if k < 12 and k % 8 != 1:
        frames = 240 if k % 3 == 0 else 30 + k
        return *random_model(rng, n, frames), rng.permutation(frames), 1 + k % 4
    model = random_word(rng, n, 6, leaves=False) if k % 2 else random_model(rng, n, 6)
    model[2][0, :2] *= k % 4 > 1  # half of them: state 0 never says 0 or 1
    model[2][0] /= model[2][0].sum()
    return *model, rng.integers(0, 6, 1 + k // 2 % 5), (40, 2, 12, 30)[k // 3 % 4]


kbest = Task(
    name="kbest",
    function="k_best_paths",
    arguments=("startprob", "transmat", "emissionprob", "sequence", "k"),
    title="Task 6 · The runners-up",
    stars=3,
    minutes=45,
    points=7,
    cases=(
        Case("one frame, k = 2", (*STICKY, whole(2), 2), (paths("1", "0"), np.log(array(0.36, 0.04)))),
        Case("by hand", (*TWO_STATES, whole(2, 0, 2), 3)),
        Case("the best of 64", (*STICKY, whole(1, 2, 0, 2, 1, 0), 1)),
        Case(BEST_OF_SIX, (*STICKY, whole(1, 2, 0, 2, 1, 0), 4)),
        Case(LEFT_RIGHT, (*WORD, whole(2, 1, 0, 1), 12)),
        Case("a poor beginning", (*DETOUR, whole(1, 2, 2, 0, 1, 0), 1)),
        Case("no way into state 2", (*SHUT, whole(1, 0, 2, 2, 2, 2, 1), 2)),
        Case(LONG_LINE, (*STICKY, np.repeat([2, 0], 750), 3)),
    ),
    draw=draw_kbest,
    tolerance=1e-8,
    mistakes=(
        Mistake(
            "the best path into each last state",
            "Can two of the best paths end in the same state? One memory for each state is too little.",
            wrong_functions=("best of each last state",),
        ),
        Mistake(
            "as if too few beginnings were kept",
            "May a beginning that looks poor now still win? Each state keeps its own k best; which of them will be "
            "needed is known at the end only.",
            wrong_functions=("beam", "beam of 3k"),
        ),
        Mistake(
            "as if only the best path into a state could be continued",
            "Where can the second best path into a state come from? From the second best of a state before, too.",
            wrong_functions=("best of each state before",),
        ),
        Mistake(*FROM_TO, wrong_functions=("transposed",)),
        Mistake(
            "the right scores with paths that are not theirs",
            "Which of the k ways into a state does your pointer mean? It names two things, the state before and the "
            "rank there.",
            wrong_functions=("rank lost", "rank kept"),
        ),
        Mistake(*NO_START, wrong_functions=("no start", "uniform start")),
        Mistake(*FIRST_FRAME, wrong_functions=("no first emission",)),
        Mistake(*ZERO_LOG, wrong_functions=("log 0 is 0",)),
        Mistake(*ADDED, wrong_functions=("1e-3 added", "1e-12 added")),
        Mistake(
            "with more paths than can happen",
            "How many paths are possible at all? If fewer than k are, return those alone, without rows that fill up.",
            when=too_many,
        ),
        Mistake(
            "with fewer paths than were asked for",
            "How many paths were asked for? k of them, unless fewer are possible at all.",
            when=lambda case, got: got[1].size < case.expected[1].size,
        ),
        Mistake(*TOO_SMALL, correct_cases=SHORT_LINES, when=lambda case, got: underflown(got[1])),
        Mistake(
            "as if there were room and time for all paths",
            "How many paths are there? 2 to the 1500th through 1500 frames. Viterbi finds the best without a list of "
            "all.",
            raises=(ValueError, MemoryError, OverflowError, RecursionError, TimeUp),
            when=lambda case, error: case.name == LONG_LINE,
        ),
        Mistake(
            "as if the posteriors of the frames were multiplied",
            "Can every step in your path happen? The transitions decide as much as the frames.",
            wrong_functions=("by posteriors",),
        ),
        Mistake(
            "posteriors of the right paths",
            "Divided by what? The log probability of path and symbols together is asked for, not that of the path "
            "once the symbols are known.",
            wrong_functions=("posterior probabilities", "given the symbols", "posteriors along the path"),
        ),
        Mistake(*PARENT, wrong_functions=("pointer of the frame before",)),
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
        Mistake(*ONE_PATH, wrong_functions=("sums",)),
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
        Mistake(
            *BACKWARDS,
            when=lambda case, got: near(got[0], case.expected[0][:, ::-1]) and not near(got[0], case.expected[0]),
        ),
        Mistake(
            "a column for each path",
            "One row for each path is wanted: shape (K, T). What does .T do?",
            when=lambda case, got: near(got[0], case.expected[0].T),
        ),
        Mistake(*FROM_ONE, when=lambda case, got: near(got[0], case.expected[0] + 1)),
    ),
    laws=(
        Law(
            "Ask for one path more: those that you had come first, as they were.",
            "What differs on the way to these paths if k is larger by 1?",
            lambda pi, A, B, o, k: (pi, A, B, o, k + 1),
            lambda one, other: near(tuple(part[: len(one[1])] for part in other), one),
        ),
        Law(
            "No two paths of the list are the same.",
            "In how many ways does your list come to the same path?",
            holds=lambda one, other: len(np.unique(one[0], axis=0)) == len(one[0]),
        ),
        Law(
            "Number the states the other way round: the log probabilities stay.",
            OTHER_NAMES,
            renumbered,
            lambda one, other: near(other[1], one[1]),
        ),
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

homework = Homework(lost, predict, align, join, transitions, kbest, beside=__file__)
check, case, hint = homework.check, homework.case, homework.hint
overview, waits_for = homework.overview, homework.waits_for
