"""Answers to homework 12 by somebody who had only the exercise."""

import json
import re
from functools import reduce
from itertools import accumulate, islice
from math import comb

import numpy as np
from scipy.special import betainc, erfcx, ndtr
from scipy.stats import binom, norm

# ---------------------------------------------------------------- Task 1


def _gap(mean, cov, best):
    mean, cov = np.asarray(mean, dtype=float), np.asarray(cov, dtype=float)
    variance = np.maximum(np.diag(cov) + cov[best, best] - 2 * cov[best], 0.0)
    variance[best] = 0.0
    return mean - mean[best], np.sqrt(variance)


def _expected(gap, std):
    known = std <= 0
    scale = np.where(known, 1.0, std)
    z = gap / scale
    return np.where(known, np.maximum(gap, 0.0), gap * ndtr(z) + scale * norm.pdf(z))


def nothing_where_it_is_impossible(mean, cov, best):
    gap, std = _gap(mean, cov, best)
    known = std <= 0
    chance = np.where(known, gap > 0, ndtr(gap / np.where(known, 1.0, std)))
    gain = _expected(gap, std)
    likely = chance > 1e-12
    return chance, gain, np.where(likely, gain / np.where(likely, chance, 1.0), 0.0)


def known_means_no_improvement(mean, cov, best):
    gap, std = _gap(mean, cov, best)
    open_ = std > 0
    scale = np.where(open_, std, 1.0)
    chance = np.where(open_, ndtr(gap / scale), 0.0)
    gain = np.where(open_, _expected(gap, std), 0.0)
    truncated = gap + scale * np.sqrt(2 / np.pi) / erfcx(-gap / scale / np.sqrt(2))
    return chance, gain, np.where(open_, truncated, 0.0)


def scaled_error_function(mean, cov, best):
    gaps, stds = _gap(mean, cov, best)

    def three(gap, std):
        if std == 0:
            return float(gap > 0), max(gap, 0.0), max(gap, 0.0)
        chance = norm.sf(0.0, loc=gap, scale=std)
        above = gap + std * np.sqrt(2 / np.pi) / erfcx(-gap / (std * np.sqrt(2)))
        return chance, chance * above, above

    return tuple(np.array(column, dtype=float) for column in zip(*map(three, gaps, stds), strict=True))


# ---------------------------------------------------------------- Task 2


def _batch(draws, best, k, reached, values):
    reached, chosen, gains = reached.copy(), [], []
    for _ in range(k):
        worth = np.maximum(reached[:, None], values).mean(axis=0)
        worth[[best, *chosen]] = -np.inf
        chosen.append(int(worth.argmax()))
        reached = np.maximum(reached, values[:, chosen[-1]])
        gains.append(np.maximum(reached, 0).mean())
    return np.array(chosen), np.array(gains)


def losses_count_for_the_first_one(draws, best, k):
    values = np.asarray(draws, dtype=float)
    values = values - values[:, [best]]
    return _batch(draws, best, k, np.full(len(values), -np.inf), values)


# ---------------------------------------------------------------- Task 3


def _careful(mean, cov, allowed, usable):
    mean = np.asarray(mean, dtype=float)
    if not usable.any():
        return -1, allowed
    best = int(np.where(usable, mean, -np.inf).argmax())
    return best, _expected(*_gap(mean, cov, best)) * allowed


def _allowed(loud_mean, loud_std, limit, at_the_limit):
    room, std = limit - np.asarray(loud_mean, dtype=float), np.asarray(loud_std, dtype=float)
    known = std == 0
    surely = room >= 0 if at_the_limit else room > 0
    return np.where(known, surely, ndtr(room / np.where(known, 1.0, std)))


def exactly_the_limit_is_too_loud(mean, cov, loud_mean, loud_std, limit, sure):
    allowed = _allowed(loud_mean, loud_std, limit, False)
    return _careful(mean, cov, allowed, allowed >= sure)


def more_than_sure(mean, cov, loud_mean, loud_std, limit, sure):
    allowed = _allowed(loud_mean, loud_std, limit, True)
    return _careful(mean, cov, allowed, allowed > sure)


# ---------------------------------------------------------------- Task 4


def _stop(smooth, offset, bar, patience, n, count):
    row = 0
    for i, value in enumerate(smooth):
        row = row + 1 if value < bar else 0
        if row == patience:
            return i + offset, n - i - offset, count([later >= bar for later in smooth[i + 1 :]])
    return 0, 0, 0


def _smooth(history, window):
    return [np.mean(history[i : i + window]) for i in range(len(history) - window + 1)]


def again_counts_relapses(history, noise_std, share, window, patience):
    def runs(large):
        return sum(now and not before for before, now in zip([False, *large], large, strict=False))

    return _stop(_smooth(history, window), window, share * noise_std, patience, len(history), runs)


def average_of_what_there_is(history, noise_std, share, window, patience):
    smooth = [np.mean(history[max(0, k - window) : k]) for k in range(1, len(history) + 1)]
    return _stop(smooth, 1, share * noise_std, patience, len(history), sum)


def regular_expression(history, noise_std, share, window, patience):
    history = np.asarray(history, dtype=float)
    if len(history) < window:
        return 0, 0, 0
    views = np.lib.stride_tricks.sliding_window_view(history, window)
    word = "".join(" x"[int(view.mean() < share * noise_std)] for view in views)
    found = re.search("x" * patience, word)
    if found is None:
        return 0, 0, 0
    return found.end() + window - 1, len(word) - found.end(), word.count(" ", found.end())


# ---------------------------------------------------------------- Task 5


def _wins_needed(n, alpha):
    wins = np.arange(n // 2 + 1, n + 1)
    enough = wins[2 * binom.sf(wins - 1, n, 0.5) <= alpha]
    return int(enough[0]) if len(enough) else 0


def power_never_falls(share, alpha, power, most):
    def reached(n):
        k = _wins_needed(n, alpha)
        return binom.sf(k - 1, n, share) if k else 0.0

    if reached(most) < power:
        return 0, 0, 0.0
    low, high = 0, most
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if reached(middle) >= power else (middle, high)
    return high, _wins_needed(high, alpha), float(reached(high))


def significant_on_either_side(share, alpha, power, most):
    for n in range(1, most + 1):
        k = _wins_needed(n, alpha)
        if k:
            reached = binom.sf(k - 1, n, share) + binom.cdf(n - k, n, share)
            if reached >= power:
                return n, k, float(reached)
    return 0, 0, 0.0


def whole_numbers_and_incomplete_beta(share, alpha, power, most):
    numerator, denominator = float(alpha).as_integer_ratio()

    def plans():
        k, tail = 1, 1  # tail: the number of sequences of n = 1 answers with at least k = 1 wins
        for n in range(1, most + 1):
            if n > 1:
                tail = 2 * tail + comb(n - 1, k - 1)
            while k <= n and (2 * k <= n or tail * 2 * denominator > numerator << n):
                tail -= comb(n, k)
                k += 1
            if k <= n:
                yield n, k, float(betainc(k, n - k + 1, share))

    return next((plan for plan in plans() if plan[2] >= power), (0, 0, 0.0))


# ---------------------------------------------------------------- Task 6


def _object(line):
    try:
        event = json.loads(line)
    except ValueError:
        return None
    return event if isinstance(event, dict) else None


def _arrays(d, pairs, answers, open_pair, damaged):
    return (
        np.array(pairs, dtype=float).reshape(-1, 2, d),
        np.array(answers, dtype=float),
        np.array(open_pair, dtype=float).reshape(-1, 2, d),
        damaged,
    )


def an_answer_of_zero_is_none(lines):
    d = len(json.loads(lines[0])["space"]["bounds"])
    asked, answers = [], []
    for number, line in enumerate(lines[1:], start=2):
        event = _object(line)
        if event is None:
            damaged = number if number < len(lines) else 0
            break
        if event.get("question"):
            asked.append((event["a"], event["b"]))
        elif event.get("answer"):
            if event["to"] == len(asked) == len(answers) + 1:
                answers.append(event["answer"])
        elif event.get("taken_back"):
            del asked[event["taken_back"] :], answers[event["taken_back"] - 1 :]
    else:
        damaged = 0
    return _arrays(d, asked[: len(answers)], answers, asked[len(answers) :], damaged)


def empty_lines_do_no_harm(lines):
    d = len(json.loads(lines[0])["space"]["bounds"])
    asked, answers, damaged = [], [], 0
    for number, line in enumerate(lines[1:], start=2):
        if not line.strip():
            continue
        event = _object(line)
        if event is None:
            damaged = number if number < len(lines) else 0
            break
        if "question" in event:
            asked.append((event["a"], event["b"]))
        elif "answer" in event:
            if event["to"] == len(asked) == len(answers) + 1:
                answers.append(event["answer"])
        elif "taken_back" in event:
            del asked[event["taken_back"] :], answers[event["taken_back"] - 1 :]
    return _arrays(d, asked[: len(answers)], answers, asked[len(answers) :], damaged)


def newest_question_stays_open(lines):
    d = len(json.loads(lines[0])["space"]["bounds"])
    asked, answers, newest, damaged = {}, {}, None, 0
    for number, line in enumerate(lines[1:], start=2):
        event = _object(line)
        if event is None:
            damaged = number if number < len(lines) else 0
            break
        if "question" in event:
            newest = event["question"]
            asked[newest] = (event["a"], event["b"])
        elif "answer" in event:
            if event["to"] == newest and newest not in answers:
                answers[newest] = event["answer"]
        elif "taken_back" in event:
            answers = {q: answer for q, answer in answers.items() if q < event["taken_back"]}
    open_pair = [] if newest is None or newest in answers else [asked[newest]]
    return _arrays(d, [asked[q] for q in answers], list(answers.values()), open_pair, damaged)


def states_without_change(lines):
    def event(line):
        read = _object(line)
        return (read,) if read is not None else ()

    def after(state, event):
        done, waiting = state
        match event:
            case {"question": _, "a": a, "b": b}:
                return done, (a, b)
            case {"answer": answer, "to": number} if waiting is not None and number == len(done) + 1:
                return (*done, (waiting, answer)), None
            case {"taken_back": number}:
                return done[: number - 1], (*done, (waiting, None))[number - 1][0]
            case _:
                return state

    read = [event(line) for line in lines]
    whole = next((i for i, found in enumerate(read) if not found), len(lines))
    events = (found for (found,) in islice(read, 1, whole))
    *_, (done, waiting) = accumulate(events, after, initial=((), None))
    shape = (-1, 2, reduce(lambda count, _: count + 1, read[0][0]["space"]["bounds"], 0))
    return (
        np.array([pair for pair, _ in done], dtype=float).reshape(shape),
        np.array([answer for _, answer in done], dtype=float),
        np.array([waiting] if waiting is not None else [], dtype=float).reshape(shape),
        whole + 1 if whole < len(lines) - 1 else 0,
    )


WRONG = [
    (
        "three_numbers",
        "where P is (nearly) 0 the improvement if there is one is set to 0",
        nothing_where_it_is_impossible,
    ),
    (
        "three_numbers",
        "variance 0 gives three zeros, also where the known improvement is above 0",
        known_means_no_improvement,
    ),
    (
        "choose_batch",
        "for the first choice draws that are worse are counted as losses, not as 0",
        losses_count_for_the_first_one,
    ),
    (
        "careful_improvement",
        "a known loudness of exactly the limit is not allowed",
        exactly_the_limit_is_too_loud,
    ),
    ("careful_improvement", "the best setting must have more than `sure`, not at least", more_than_sure),
    (
        "when_to_stop",
        "counts how often the measure *becomes* large again, not each answer at which it is",
        again_counts_relapses,
    ),
    (
        "when_to_stop",
        "smooths the first answers over what there is, so it may stop too early",
        average_of_what_there_is,
    ),
    ("rounds_needed", "halves the interval, as if the power grew with each round", power_never_falls),
    (
        "rounds_needed",
        "significant for the baseline counts as recognised, too (hardly seen for a large share)",
        significant_on_either_side,
    ),
    ("read_session", "tests the value of the answer, so the answer 0 is overlooked", an_answer_of_zero_is_none),
    ("read_session", "skips empty lines everywhere, though one before the last is damage", empty_lines_do_no_harm),
    (
        "read_session",
        "after taking back, the newest question is open, not the one whose answer was taken back",
        newest_question_stays_open,
    ),
]

RIGHT = [
    (
        "three_numbers",
        "the truncated mean first, by the scaled complementary error function; one by one",
        scaled_error_function,
    ),
    ("when_to_stop", "writes a word of small and large, and searches it by pattern", regular_expression),
    (
        "rounds_needed",
        "exact whole numbers by Pascal's rule, the power by the incomplete beta function",
        whole_numbers_and_incomplete_beta,
    ),
    ("read_session", "states that are never changed, accumulated with pattern matching", states_without_change),
]
