"""Task 4, when_to_stop(history, noise_std, share, window, patience)."""

import numpy as np


def trailing(history, window):
    """Smoothed measures by number of answers."""
    return {k: history[k - window : k].mean() for k in range(window, len(history) + 1)}


def ruled(
    smoothed=trailing,
    threshold=lambda sigma, share: share * sigma,
    small=lambda m, level: m < level,
    patience_of=lambda patience: patience,
    stop_of=lambda k, patience: k,
    wasted=lambda n, stop, first: n - stop,
    again=lambda flags, stop, history, level: sum(not flag for k, flag in flags.items() if k > stop),
    never=lambda n, flags: (0, 0, 0),
):
    """An answer with one step changed."""

    def answer(history, noise_std, share, window, patience):
        level, run, needed = threshold(noise_std, share), 0, patience_of(patience)
        flags = {k: bool(small(m, level)) for k, m in smoothed(history, window).items()}
        for k, flag in flags.items():
            run = run + 1 if flag else 0
            if run >= needed:
                stop = stop_of(k, patience)
                return stop, wasted(len(history), stop, k - run + 1), again(flags, stop, history, level)
        return never(len(history), flags)

    return answer


right_answer = ruled()


def centred(history, window):
    n = len(history)
    ahead = window // 2
    return {k: history[max(k - window + ahead, 0) : min(k + ahead, n)].mean() for k in range(1, n + 1)}


def forward(history, window):
    return {k: history[k - 1 : k - 1 + window].mean() for k in range(1, len(history) - window + 2)}


def padded(history, window):
    return {k: history[max(k - window, 0) : k].sum() / window for k in range(1, len(history) + 1)}


def fewer(history, window):
    return {k: history[max(k - window, 0) : k].mean() for k in range(1, len(history) + 1)}


def raw(history, window):
    return {k: history[k - 1] for k in range(1, len(history) + 1)}


def medians(history, window):
    return {k: np.median(history[k - window : k]) for k in range(window, len(history) + 1)}


def longer(history, window):
    return trailing(history, window + 1)


def shorter(history, window):
    return trailing(history, window - 1)


def in_total(history, noise_std, share, window, patience):
    flags = {k: m < share * noise_std for k, m in trailing(history, window).items()}
    small = [k for k, flag in flags.items() if flag]
    if len(small) < patience:
        return 0, 0, 0
    stop = small[patience - 1]
    return stop, len(history) - stop, sum(not flag for k, flag in flags.items() if k > stop)


def last_time(history, noise_std, share, window, patience):
    flags = {k: m < share * noise_std for k, m in trailing(history, window).items()}
    runs = [k for k in flags if all(flags.get(k - i, False) for i in range(patience))]
    return (
        (runs[-1], len(history) - runs[-1], sum(not f for k, f in flags.items() if k > runs[-1]))
        if runs
        else (0, 0, 0)
    )


def last_run(history, noise_std, share, window, patience):
    """Each run that is long enough overwrites the stop of the one before."""
    flags, run, told = {k: m < share * noise_std for k, m in trailing(history, window).items()}, 0, (0, 0, 0)
    for k, flag in flags.items():
        run = run + 1 if flag else 0
        if run == patience:
            told = k, len(history) - k, sum(not other for j, other in flags.items() if j > k)
    return told


def from_here_on(history, noise_std, share, window, patience):
    flags = {k: m < share * noise_std for k, m in trailing(history, window).items()}
    stops = [k for k in flags if k - patience + 1 in flags and all(flags[i] for i in flags if i > k - patience)]
    return (stops[0], len(history) - stops[0], 0) if stops else (0, 0, 0)


def counted_from_0(*given):
    stop, wasted, again = right_answer(*given)
    return (stop - 1, wasted, again) if stop else (0, 0, 0)


MISTAKES = {
    "not smoothed": ruled(raw),
    "median": ruled(medians),
    "centred window": ruled(centred),
    "forward window": ruled(forward),
    "first of the run": ruled(stop_of=lambda k, patience: k - patience + 1),
    "padded with zeros": ruled(padded),
    "fewer at the beginning": ruled(fewer),
    "window + 1": ruled(longer),
    "window − 1": ruled(shorter),
    "σ forgotten": ruled(threshold=lambda sigma, share: share),
    "σ²": ruled(threshold=lambda sigma, share: share * sigma**2),
    "σ alone": ruled(threshold=lambda sigma, share: sigma),
    "divided by σ": ruled(threshold=lambda sigma, share: share / sigma),
    "at most": ruled(small=lambda m, level: m <= level),
    "total instead of in a row": in_total,
    "no patience": ruled(patience_of=lambda patience: 1),
    "patience + 1": ruled(patience_of=lambda patience: patience + 1),
    "patience − 1": ruled(patience_of=lambda patience: patience - 1),
    "last time": last_time,
    "last run": last_run,
    "small from here on": from_here_on,
    "counted from 0": counted_from_0,
    "wasted from the first small one": ruled(wasted=lambda n, stop, first: n - first),
    "wasted, the last included": ruled(wasted=lambda n, stop, first: n - stop + 1),
    "asked for wasted": ruled(wasted=lambda n, stop, first: stop),
    "raw ones again": ruled(again=lambda flags, stop, history, level: int((history[stop:] >= level).sum())),
    "all that are not small": ruled(again=lambda flags, stop, history, level: sum(not f for f in flags.values())),
    "small ones again": ruled(again=lambda flags, stop, history, level: sum(f for k, f in flags.items() if k > stop)),
    "whether for how many": ruled(
        again=lambda flags, stop, history, level: int(any(not f for k, f in flags.items() if k > stop))
    ),
    "never: all questions": ruled(never=lambda n, flags: (n, 0, 0)),
    "never: −1": ruled(never=lambda n, flags: (-1, 0, 0)),
    "never: all not small": ruled(never=lambda n, flags: (0, 0, sum(not f for f in flags.values()))),
}

RULE_MISTAKES = {
    "stop only": (lambda *given: right_answer(*given)[0], "3 values are needed"),
}


def with_convolution(history, noise_std, share, window, patience):
    n = len(history)
    if n < window:
        return 0, 0, 0
    small = np.convolve(history, np.ones(window), "valid") < share * noise_std * window
    runs = np.convolve(small, np.ones(patience, int), "valid") if len(small) >= patience else np.zeros(0)
    ends = np.flatnonzero(runs == patience)
    if not len(ends):
        return 0, 0, 0
    place = ends[0] + patience - 1
    return int(place + window), int(n - place - window), int((~small[place + 1 :]).sum())


def with_sums(history, noise_std, share, window, patience):
    """Another algorithm: sums of all measures so far, and their differences."""
    sums, n, run, stop, again = np.concatenate([[0.0], np.cumsum(history)]), len(history), 0, 0, 0
    for k in range(window, n + 1):
        small = (sums[k] - sums[k - window]) / window < share * noise_std - 1e-12
        if stop:
            again += not small
        else:
            run = (run + 1) * small
            stop = k if run == patience else 0
    return [stop, n - stop if stop else 0, again]


def plain(history, noise_std, share, window, patience):
    small = [None] * (window - 1)
    for k in range(window, len(history) + 1):
        small.append(sum(history[k - window : k]) / window < share * noise_std)
    for k in range(patience, len(small) + 1):
        if all(small[k - patience : k]):
            return k, len(small) - k, small[k:].count(False)
    return 0, 0, 0


RIGHT = {"flags": right_answer, "convolution": with_convolution, "sums": with_sums, "plain loops": plain}
