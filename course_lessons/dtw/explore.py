"""Explorers of Act I: the table of dynamic time warping, two recordings, one's own word, a query in running speech.

Lecture: 01, sections 1–4 and 6–10.
"""

import re
from functools import cache
from itertools import pairwise

import numpy as np

from course_lessons.dtw import own, plots
from course_lessons.dtw.greedy import greedy_path
from course_lessons.dtw.own import HOP_SECONDS, running_speech
from course_lessons.dtw.search import find_query
from course_lib import audio, datasets, validation
from course_lib import sequences as seq
from course_lib.sequences.warping import accumulate, trace_back
from course_widgets.controls import choice, slider, switch
from course_widgets.frame import Explorer, PredictionFeedback, increment_by
from course_widgets.microphone import Recording, RecordingExplorer
from course_widgets.replies import likeness
from course_widgets.whispers import ROW

SHIFTED = ((0, 0, 1, 3, 1, 0, 0, 0), (0, 0, 0, 0, 1, 3, 1, 0))
LURED = ((6, 6, 6, 6, 6), (1, 0, 0, 1, 4))
GREEDY = "show the greedy walk: always the cheapest next cell"
FOLLOWED = [[(1, 1, 2)], [(1, 0, 1), (1, 1, 2)], [(0, 1, 1), (1, 1, 2)]]  # each wait is followed by a diagonal step


def explore_table(x=SHIFTED[0], y=SHIFTED[1]):
    """The table D filled cell by cell for two short sequences of numbers, with unit weights and |x − y|.

    What is asked first is about the lecture's two sequences, and fits no others.
    """
    x, y = (_line(values, name) for values, name in ((x, "x"), (y, "y")))
    predict, feedback = None, None
    if all(map(np.array_equal, (x, y), SHIFTED)):
        predict = (
            "x = 0 0 1 3 1 0 0 0 and y = 0 0 0 0 1 3 1 0. Compared in lock-step they differ by 8 in all. "
            "What does the best warping path cost?",
            ["8", "6", "2", "0"],
        )
        feedback = PredictionFeedback(
            "0",
            "the last cell of the full table. The best path waits in one curve where the other lags behind.",
            lambda filled, band: (filled, band) == (64, 7),
        )
    widest = max(len(x), len(y)) - 1
    band = slider("band half-width", 0 if len(x) == len(y) else 1, widest, widest)
    return _table_explorer(x, y, predict, feedback, {"band": band}, {"band 1": {"band": 1}})


def explore_greedy():
    """The table of two sequences for which always stepping to the cheapest next cell costs most."""
    predict = (
        "By how much does the greedy path cost more than the best path?",
        ["not at all", "a little", "by more than half"],
    )
    feedback = PredictionFeedback(
        "by more than half",
        "it costs 44 and the best path 24. Cheap next cells lead to expensive ones.",
        lambda filled, greedy: greedy,
    )
    return _table_explorer(
        *map(np.array, LURED), predict, feedback, {"greedy": switch(GREEDY)}, {"greedy walk": {"greedy": True}}
    )


def _table_explorer(x, y, predict, feedback, further, cases):
    """The table filled step by step; `further` controls, and cases of the full table."""
    cost, cells, widest = np.abs(x[:, None] - y), len(x) * len(y), max(len(x), len(y)) - 1

    def draw(figure, filled, band=widest, greedy=False):
        d = np.where(seq.allowed_cells(seq.SakoeChiba(band), *cost.shape), cost, np.inf)
        D = accumulate(d)
        table = np.where(np.arange(cells).reshape(cost.shape) < filled, D, np.nan)
        done = filled == cells
        current = None if filled == 0 or done else divmod(filled - 1, len(y))
        sources = _sources(current, D)
        if greedy:
            walk = greedy_path(cost)
            plots.draw_beside_curves(figure, table, cost, x, y, current, sources, walk)
            return _greedy_sentence(cost[tuple(walk.T)], D[-1, -1])
        path = np.array(trace_back(D, d)) if done else None
        plots.draw_beside_curves(figure, table, cost, x, y, current, sources, path)
        return _table_sentence(cost, D, current, sources, done)

    full = {"filled": cells}
    return Explorer(
        draw,
        predict=predict,
        feedback=feedback,
        cases={"whole table": full, **{name: full | one for name, one in cases.items()}},
        actions={"Next cell": increment_by("filled"), "Next row": increment_by("filled", len(y))},
        figsize=(6.2, 4.4),
        filled=slider("cells filled", 0, cells, 0),
        **further,
    )


def _line(values, name):
    """(T,) numbers."""
    values = validation.sequence(values, name)
    if values.shape[1] != 1:
        raise ValueError(f"{name} has shape {values.shape}; a sequence of numbers (T,) is needed.")
    return values[:, 0]


def check_table(mine, cost):
    """Feedback on a table D that a student filled by hand, as one sentence.

    mine : (T_x, T_y) list of lists of numbers or None;  cost : (T_x, T_y) local distances; unit weights
    """
    cost = _costs(cost)
    mine = validation.answers(mine, "mine")
    if mine.shape != cost.shape:
        raise ValueError(
            f"mine has shape {mine.shape}; as in cost {cost.shape[0]} rows of {cost.shape[1]} are needed."
        )
    D = accumulate(cost)
    written = ~np.isnan(mine)
    wrong = np.argwhere(written & ~np.isclose(mine, D))
    if not len(wrong):
        left = int((~written).sum())
        rest = "The table is complete." if left == 0 else f"{left} are still empty."
        return f"✓ {written.sum()} of {D.size} cells are filled, all of them right. {rest}"
    for table, meaning in _tables_of_common_mistakes(cost):
        if np.allclose(mine[written], table[written]):
            return f"✗ {meaning}"
    i, j = (int(v) for v in wrong[0])
    before = _sources((i, j), D)
    ways = f"Its cheapest neighbour holds {min(D[c] for c in before):g}" if before else "A path begins here"
    return (
        f"✗ Look at D({i + 1}, {j + 1}): you wrote {mine[i, j]:g}. {ways}, and its own distance is {cost[i, j]:g}. "
        f"({len(wrong)} of {written.sum()} filled cells differ.)"
    )


def _tables_of_common_mistakes(cost):
    """(table, what it means) of what students often compute instead of D."""
    rows, columns = cost.shape
    bordered = np.zeros((rows + 1, columns + 1))
    free_start = cost.copy()
    free_start[0, 0] = 0
    for i, j in np.ndindex(cost.shape):
        bordered[i + 1, j + 1] = cost[i, j] + min(bordered[i, j], bordered[i, j + 1], bordered[i + 1, j])
    yield cost, "These are the local distances d. D also includes the cost of the path to the cell."
    yield (
        bordered[1:, 1:],
        "This is the table with a border of zeros: in it a path may begin in any first row or column.",
    )
    yield (
        accumulate(free_start),
        "This is the table in which the first pair is free. Which is matched first, and is its distance included?",
    )


def check_moves(my_moves):
    """Feedback on a step pattern whose waits are followed by a diagonal step, as one sentence.

    my_moves : list of moves, each a list of steps (Δx, Δy, m)
    """
    if my_moves is None:
        return "○ Nothing to check yet: write a list of moves."
    try:
        mine = set(seq.StepPattern("mine", my_moves).moves)
    except ValueError as error:
        raise ValueError(f"my_moves makes no step pattern: {error}") from error
    wanted = set(seq.StepPattern("wanted", FOLLOWED).moves)
    if mine == wanted:
        return "✓ Right: each wait is followed by a diagonal step, and every frame weighs 1, so M_φ = T_x + T_y."
    if mine == set(seq.SYMMETRIC_P1.moves):
        return (
            "✗ This is symmetricP1: here the diagonal comes *before* the wait. List the steps in the order of travel."
        )
    if {_without_weights(move) for move in mine} == {_without_weights(move) for move in wanted}:
        return "✗ The steps are right. The weights: each frame of x and of y that a step uses must weigh 1."
    if any(len(move) == 1 and 0 in move[0][:2] for move in mine):
        return "✗ One of your moves is a wait and nothing else; it could follow itself."
    if not any(_without_weights(move) == ((1, 1),) for move in mine):
        return "✗ A path without waits must be possible: which move is missing?"
    return "✗ Not yet. Three moves: the diagonal, and for each axis a wait with a diagonal step after it."


def _without_weights(move):
    return tuple(step[:2] for step in move)


def check_nearest(my_predicted, distances, labels):
    """Feedback on labels that a student read off distances to templates, as one sentence.

    my_predicted : (n,) labels;  distances : (n, templates);  labels : (templates,) of the templates
    """
    distances, labels = _costs(distances, "distances"), validation.real_array(labels, "labels")
    if labels.shape != distances.shape[1:]:
        raise ValueError(f"labels has shape {labels.shape}; one for each of {distances.shape[1]} columns is needed.")
    if my_predicted is None:
        return "○ Nothing to check yet: write one line."
    mine, nearest = validation.real_array(my_predicted, "my_predicted"), distances.argmin(axis=1)
    looks_like = {
        "✓ Right: the label of the nearest template.": labels[nearest],
        "✗ These are the numbers of the nearest templates. Which word does each stand for?": nearest,
        "✗ These are the smallest distances. Which template has the smallest, and what is its label?": distances.min(
            axis=1
        ),
        "✗ This is the label of the template farthest away.": labels[distances.argmax(axis=1)],
    }
    if mine.shape == nearest.shape:
        wrong = np.sum(mine != labels[nearest])
        otherwise = f"✗ {wrong} of {len(nearest)} answers differ from the nearest template's label."
    elif mine.shape == labels.shape:
        otherwise = "✗ One answer for each template: look for the least in each *row*, along axis 1."
    else:
        otherwise = (
            f"✗ {mine.size} answers for {len(nearest)} recordings: one for each row of the distances is needed."
        )
    return likeness(mine, looks_like, otherwise)


def _costs(cost, name="cost"):
    """(T_x, T_y) local distances."""
    cost = validation.real_array(cost, name)
    if cost.ndim != 2:
        raise ValueError(f"{name} has shape {cost.shape}; a table with rows and columns is needed.")
    return cost


def _sources(current, accumulated):
    if current is None:
        return []
    i, j = current
    before = [(i - 1, j - 1), (i - 1, j), (i, j - 1)]
    return [c for c in before if min(c) >= 0 and np.isfinite(accumulated[c])]


def _table_sentence(cost, D, current, sources, done):
    if done:
        return f"The table is full: the best path (broad line) costs D = {D[-1, -1]:g}, the last cell."
    if current is None:
        return (
            "The table is empty; dark cells have a large d. Fill it: each cell gets the cost of the best path into it."
        )
    i, j = current
    if np.isinf(D[current]):
        return f"Cell ({i + 1}, {j + 1}) lies outside the band: no path may come here, so D = ∞."
    if not sources:
        return f"Cell ({i + 1}, {j + 1}) is where every path begins: D = d = {cost[current]:g}."
    options = ", ".join(f"{D[c]:g}" for c in sources)
    least = min(D[c] for c in sources)
    return f"D({i + 1}, {j + 1}) = min({options}) + d = {least:g} + {cost[current]:g} = {D[current]:g}."


def _greedy_sentence(paid, best):
    """What the greedy walk pays, cell by cell, beside the best path: the table shows D, the walk adds up d."""
    return (
        f"The greedy walk (broad line) adds up local distances d, {' + '.join(f'{d:g}' for d in paid)} = "
        f"{paid.sum():g}; the best path costs {best:g}. (The table shows D, the least cost of a path to each "
        "cell, not d.)"
    )


RECORDING_PAIRS = {
    "please try again, two recordings": (("please try again", 0), ("please try again", 1)),
    "extension, two recordings": (("extension", 0), ("extension", 1)),
    "goodbye, two recordings": (("goodbye", 0), ("goodbye", 1)),
    "extension and goodbye": (("extension", 0), ("goodbye", 1)),
}
WINDOW_CHOICES = {
    "none": None,
    "Sakoe–Chiba band, 20 %": seq.SakoeChiba(0.2),
    "Sakoe–Chiba band, 5 %": seq.SakoeChiba(0.05),
    "Itakura parallelogram": seq.ItakuraParallelogram(),
}
LINKED = 4  # each fourth cell of a path is drawn between the curves
DISTANCE_SENTENCE = (
    "D = {distance:.1f}; {mean}. The path has {cells} cells for {rows} and {columns} frames; "
    "{bent:.0f} % of its steps wait in one of the recordings."
)
MEAN = "normalised distance D/M_φ = {normalized:.3f}"
NO_MEAN = "M_φ depends on the path, so there is no normalised distance"
NO_PATH = "No path: {error}"


@cache
def take_features(words, number):
    """(T, 12) MFCCs without c0, mean and variance normalised, of a take of the spoken prompts; 100 frames a second."""
    return own.word_frames(take_signal(words, number), datasets.load_spoken_prompts().rate)


def take_signal(words, number):
    """(n,) samples of a take of the spoken prompts, without the silence at its ends."""
    prompts = datasets.load_spoken_prompts()
    return audio.trim(prompts.takes[words][number], prompts.rate)


HELD_FRAMES = (60, 90)  # of x, where the path of `explore_path` is held


def explore_path():
    """Two takes of the same words, the table of their local distances, and a path through it that one bends."""
    takes = [("please try again", number) for number in (0, 1)]
    signals, (x, y) = [take_signal(*take) for take in takes], [take_features(*take) for take in takes]
    d = seq.local_distances(x, y)
    best = seq.align(d, seq.SYMMETRIC1).distance

    def draw(figure, early, late):
        held = np.array(
            [[frame, round(at / HOP_SECONDS)] for frame, at in zip(HELD_FRAMES, (early, late), strict=True)]
        )
        path = straight_path([(0, 0), *held, np.subtract(d.shape, 1)])
        plots.draw_between_signals(figure, d, signals, path, held, HOP_SECONDS, 8)
        return (
            f"Along this path the matched frames differ by {d[tuple(path.T)].sum():.0f} in all; along the best of all "
            f"paths, by {best:.0f}. (Dark: frames that are alike.)"
        )

    def match(frame, low, high, at):
        return slider(f"{HOP_SECONDS * frame:.1f} s of x goes with y at (s)", low, high, at, 0.02)

    return Explorer(draw, figsize=(6.4, 4.6), early=match(60, 0.5, 0.8, 0.68), late=match(90, 0.8, 1.1, 1.04))


def straight_path(corners):
    """(L, 2) cells of a path that runs straight from corner to corner, none of them before the one before it."""
    pieces = [np.linspace(a, b, np.max(np.subtract(b, a)), endpoint=False) for a, b in pairwise(corners)]
    return np.round(np.concatenate([*pieces, corners[-1:]])).astype(int)


def explore_dtw():
    """Two recordings, a step pattern and a window: the local distances, the path and the alignment move together."""
    same, different = "please try again, two recordings", "extension and goodbye"
    return Explorer(
        lambda figure, pair, pattern, window: draw_takes(
            figure, *RECORDING_PAIRS[pair], pattern, WINDOW_CHOICES[window]
        ),
        predict=(
            "Two recordings of the same words and two of different words are aligned with the same pattern. "
            "Will limiting the waits (symmetricP2 for symmetric2) make the distances smaller or larger?",
            ["smaller for both", "larger for both", "smaller for the same words, larger for different words"],
        ),
        feedback=PredictionFeedback(
            "larger for both",
            "a minimum over fewer paths cannot be smaller. The distance of the different words grows by more.",
            lambda pair, pattern, window: pattern == "symmetricP2" and pair == different,
        ),
        cases={
            "same words": {"pair": same, "pattern": "symmetric2", "window": "none"},
            "same words, waits limited": {"pair": same, "pattern": "symmetricP2", "window": "none"},
            "different words": {"pair": different, "pattern": "symmetric2", "window": "none"},
            "different words, waits limited": {"pair": different, "pattern": "symmetricP2", "window": "none"},
        },
        figsize=(8.5, 3.6),
        pair=choice("recordings", list(RECORDING_PAIRS)),
        pattern=choice("step pattern", list(seq.STEP_PATTERNS), "symmetric2"),
        window=choice("window", list(WINDOW_CHOICES)),
    )


def draw_takes(figure, x_take, y_take, pattern, window):
    """Two takes (words, number) of the prompts aligned, as `draw_aligned` does it."""
    sides = [(words, take_features(words, number)) for words, number in (x_take, y_take)]
    return draw_aligned(figure, *sides, pattern, window, "coefficient c1")


def draw_aligned(figure, x, y, pattern, window, shown):
    """Two (name, (T, D)) aligned: the table, the path, the curves that it joins, of what is `shown`."""
    (x_name, x), (y_name, y) = x, y
    cost = seq.local_distances(x, y)
    left, right = figure.subplots(1, 2)
    allowed = seq.allowed_cells(window, *cost.shape)
    labels = (f"frame of y, “{y_name}”", f"frame of x, “{x_name}”")
    try:
        found = seq.dtw(x, y, seq.STEP_PATTERNS[pattern], window)
    except ValueError as error:
        plots.draw_table(cost, left, None, labels, allowed)
        right.set_axis_off()
        return NO_PATH.format(error=error)
    plots.draw_table(cost, left, found.path, labels, allowed)
    plots.draw_alignment(x[:, 0], y[:, 0], found.path, right, HOP_SECONDS, LINKED)
    right.set(title=f"{shown}, joined along the path")
    return _dtw_sentence(found)


def _dtw_sentence(found):
    steps, (rows, columns) = np.diff(found.path, axis=0), found.shape
    mean = NO_MEAN
    if found.step_pattern.normalizer is not None:
        mean = MEAN.format(normalized=found.normalized_distance)
    bent = 100 * np.mean(steps.min(axis=1) == 0)
    cells = len(found.path)
    return DISTANCE_SENTENCE.format(
        distance=found.distance, mean=mean, cells=cells, rows=rows, columns=columns, bent=bent
    )


def explore_my_word():
    """One's own word and its nearest templates: the table of one of them, and both heard along the path."""
    names = {one.name: key for key, one in own.templates().items()}
    return RecordingExplorer(
        _draw_my_word,
        own.ready_recordings(),
        "seven",
        listen=_play_my_word,
        figsize=(8.5, 3.4),
        template=choice("template in the table", {NEAREST: None, **names}),
    )


NEAREST = "the nearest"
WORD_SENTENCE = (
    "“{name}” is nearest to “{first}” ({least:.2f}), then to “{second}” ({more:.2f}). Along the path "
    "in the table, to “{template}”, D/M_φ = {aligned:.2f}."
)
FRAME_OF = "frame of “{name}”"
BOTH, BOTH_HEARD = "both, along the path", "“{name}” at the left and “{template}” at the right, at the same time."
SAID = "A person says: “{word}”."


def _draw_my_word(figure, recording, template):
    found, (one, cost, aligned) = own.nearest(recording), own.align_with(recording, template)
    left, right = figure.subplots(1, 2)
    plots.draw_table(cost, left, aligned.path, [FRAME_OF.format(name=side.name) for side in (one, recording)])
    nearest = {near.name: distance for near, distance in found[:5]}
    plots.draw_distances({**nearest, one.name: aligned.normalized_distance}, one.name, right)
    (first, least), (second, more), *_ = nearest.items()
    about = {"first": first, "least": least, "second": second, "more": more, "template": one.name}
    return WORD_SENTENCE.format(name=recording.name, aligned=aligned.normalized_distance, **about)


def _play_my_word(recording, template):
    one, _, aligned = own.align_with(recording, template)
    stretched = own.stretch_along(aligned.path, one.samples, recording.rate, len(recording.samples))
    heard = BOTH_HEARD.format(name=recording.name, template=one.name)
    players = [own.play_both(recording.samples, stretched, recording.rate, BOTH, heard)]
    for other in dict.fromkeys([one, *(near for near, _ in own.nearest(recording)[:3])]):
        word = other.name.partition(",")[0]
        players.append(audio.play(other.samples, recording.rate, other.name, SAID.format(word=word)))
    return ROW.format("".join(player._repr_html_() for player in players))


FEATURE_CHOICES = {
    "12 coefficients, without c0": (None, 1),
    "13 coefficients, with c0 (loudness)": (None, 0),
    "12 coefficients, mean and variance normalised": ("mean_variance", 1),
}  # how they are normalised, and the first of them


def search_features(samples, kind):
    """(T, D) MFCCs of a sound at the rate of the running speech, 100 frames a second."""
    normalize, first = FEATURE_CHOICES[kind]
    rate = running_speech().rate
    return audio.mfcc(samples, rate, hop_seconds=HOP_SECONDS, normalize=normalize)[:, first:]


@cache
def minute_features(kind):
    """The same of the running speech itself."""
    return search_features(running_speech().signal, kind)


@cache
def spoken_queries():
    """{word: samples} of the words to search, without silence at their ends."""
    speech = running_speech()
    return {word: audio.trim(samples, speech.rate) for word, samples in speech.queries.items()}


def places_found(query, features, top):
    """Matches of a query, its samples, in the running speech, best first."""
    sought = search_features(query, features)
    return find_query(sought, minute_features(features), top=top, hop_seconds=HOP_SECONDS)


def explore_query():
    """A spoken word is sought in a minute of running speech; each place found can be listened to."""
    plain, loud, _ = FEATURE_CHOICES
    return Explorer(
        lambda figure, query, **settings: _draw_places(figure, _spoken(query), **settings),
        predict=(
            "The word “message” is in the speech, and so is “messages”. Which features find more right places: "
            "with the loudness coefficient c0 or without it?",
            ["with c0", "without c0", "no difference"],
        ),
        feedback=PredictionFeedback(
            "without c0",
            "3 of 4 places, against 2 with it: with c0 the distance depends mostly on the loudness.",
            lambda query, features, top: query == "message" and features == loud and top == 4,
        ),
        cases={
            "message, without loudness": {"query": "message", "features": plain, "top": 4},
            "message, with loudness": {"query": "message", "features": loud, "top": 4},
            "a hard word: pound": {"query": "pound", "features": plain, "top": 4},
        },
        listen=lambda query, **settings: _play_places(_spoken(query), **settings),
        query=choice("spoken query", list(spoken_queries()), "mailbox"),
        **_search_controls(),
    )


def explore_my_query():
    """A word that one says oneself is sought in the same minute of running speech."""
    return RecordingExplorer(_draw_places, own.ready_queries(), "mailbox", listen=_play_places, **_search_controls())


def _search_controls():
    return {
        "figsize": (8.5, 3.2),
        "features": choice("features", list(FEATURE_CHOICES)),
        "top": slider("places to show", 1, 8, 4),
    }


def _spoken(query):
    return Recording(spoken_queries()[query], running_speech().rate, query)


def _draw_places(figure, recording, features, top):
    speech, found = running_speech(), places_found(recording.samples, features, top)
    word = recording.name.partition(",")[0]
    truth = speech.occurrences(word) if re.search("[A-Za-z]", word) else []
    right = [any(_overlap(match.seconds, t) for t in truth) for match in found]
    words = [
        speech.text_between(*match.seconds) + (" ✓" if ok else "") for match, ok in zip(found, right, strict=True)
    ]
    ax = figure.add_subplot()
    plots.draw_matching_function(end_scores(recording.samples, features), HOP_SECONDS, found, words, truth, ax)
    plots.draw_behind(speech.signal, speech.rate, ax)
    heard = "; ".join(
        f"{rank}. {match.seconds[0]:.1f} s “{said.replace(' ✓', '')}”{' ✓' if ok else ''}"
        for rank, (match, said, ok) in enumerate(zip(found, words, right, strict=True), 1)
    )
    counts = f"“{word}” is said {len(truth)} times (blue, below); {sum(right)} of {len(found)} places are right"
    return f"{counts}. {heard}"


def end_scores(query, features):
    """(U,) least D/M_φ of the paths that end in each frame of the running speech, which may begin in any."""
    sought, minute = search_features(query, features), minute_features(features)
    ends = {"open_begin": True, "open_end": True, "keep_accumulated": True}
    return seq.dtw(sought, minute, seq.ASYMMETRIC, **ends).accumulated[-1] / len(sought)


def _play_places(recording, features, top):
    speech, (samples, rate, name) = running_speech(), recording
    said = SAID.format(word=name.partition(",")[0])
    players = [audio.play(samples, rate, f"query: {name}", said)]
    for rank, match in enumerate(places_found(samples, features, top), 1):
        start, end = (int(t * speech.rate) for t in match.seconds)
        words = speech.text_between(*match.seconds)
        said = f"“{words}”" if words else "a part of a word"
        players.append(audio.play(speech.signal[start:end], speech.rate, f"place {rank}", f"A woman says: {said}."))
    return ROW.format("".join(player._repr_html_() for player in players))


def _overlap(found, true):
    """Whether more than half of the true stretch is found."""
    return min(found[1], true[1]) - max(found[0], true[0]) > 0.5 * (true[1] - true[0])
