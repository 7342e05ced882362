"""Hidden cases of task 4, when_to_stop."""

import numpy as np

from course_checks import Case


def by_windows(history, noise_std, share, window, patience):
    """All windows of windows at once."""
    if len(history) < window + patience - 1:
        return 0, 0, 0
    calm = np.lib.stride_tricks.sliding_window_view(history, window).mean(axis=1) / noise_std < share
    runs = np.lib.stride_tricks.sliding_window_view(calm, patience).all(axis=1)
    if not runs.any():
        return 0, 0, 0
    place = int(runs.argmax()) + patience
    answers = place + window - 1
    return answers, len(history) - answers, int(np.count_nonzero(~calm[place:]))


def problem(rng, n, noise_std, share, window, patience):
    falling = noise_std * np.exp(-np.arange(n) / rng.uniform(2, 8))
    return np.round(falling * rng.gamma(1.5, 1.0, n) + 0.05, 3), noise_std, share, window, patience


rng = np.random.default_rng(1204)
settings = (
    (20, 2.0, 0.3, 3, 2),
    (30, 0.5, 0.25, 4, 3),
    (15, 1.5, 0.5, 2, 4),
    (40, 0.7, 0.45, 2, 2),
    (12, 3.0, 0.01, 3, 2),
    (2, 5.0, 0.9, 3, 1),
)
inputs = [problem(rng, *each) for each in settings]
CASES = [Case(f"random {k}", given, by_windows(*given)) for k, given in enumerate(inputs)]
