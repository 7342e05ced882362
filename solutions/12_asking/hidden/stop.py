"""Reference of task 4, when_to_stop."""

import numpy as np

SEED = 1204


def smoothed(history, window):
    return np.lib.stride_tricks.sliding_window_view(history, window).mean(axis=1)


def answer(history, noise_std, share, window, patience):
    """All windows of windows at once."""
    if len(history) < window + patience - 1:
        return 0, 0, 0
    calm = smoothed(history, window) / noise_std < share
    runs = np.lib.stride_tricks.sliding_window_view(calm, patience).all(axis=1)
    if not runs.any():
        return 0, 0, 0
    place = int(runs.argmax()) + patience
    answers = place + window - 1
    return answers, len(history) - answers, int(np.count_nonzero(~calm[place:]))


def way(history, noise_std, share, window, patience):
    """The smoothed measure, and where it is small."""
    yield "share · noise_std", share * noise_std
    if len(history) >= window:
        yield f"smoothed, from answer {window} on,", smoothed(history, window)
        yield "small", smoothed(history, window) < share * noise_std
