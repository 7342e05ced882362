"""Reference of task 6, log_step_probability."""

import numpy as np
from scipy.stats import beta, norm

SEED = 706
LEAST = -600.0  # a logarithm that doubles can still take


def answer(mark, f, precision, steps):
    """From the rare side; None if a probability is too small for a double."""
    found = []
    for k, opinion in zip(mark, f, strict=True):
        if k / steps > norm.cdf(opinion):
            k, opinion = steps - k, -opinion
        rounded = beta(precision * norm.cdf(opinion), precision * norm.sf(opinion))
        below = rounded.cdf((k - 0.5) / steps) if k > 0 else 0.0
        upto = rounded.cdf((k + 0.5) / steps) if k < steps else 1.0
        found.append(np.log(upto - below) if upto > below else -np.inf)
    return np.array(found) if min(found) > LEAST else None


def way(mark, f, precision, steps):
    low, high = np.maximum(mark - 0.5, 0) / steps, np.minimum(mark + 0.5, steps) / steps
    a, b = precision * norm.cdf(f), precision * norm.sf(f)
    yield "α", a
    yield "β", b
    yield "the mark's ends", np.array([low, high]).T
    yield "P(answer ≤ lower end)", beta.cdf(low, a, b)
    yield "P(answer > upper end)", beta.sf(high, a, b)
