"""How fast degrees of preference teach, beside choices: error rates on pairs of new inputs, as answers are added.

Griewangk's function at 101 inputs on [−8, 8], random pairs, σ = 1; choices by the side of ½ on which a degree lies.
What the paper leaves out: degrees are kept 1e-4 from 0 and 1; ν is searched from 3 and from 30, and the higher end
counts.

Source: Jensen et al. (2011), Figure 3.

Lecture: 10, section 6.
"""

import warnings
from functools import cache

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from course_lessons.i_prefer_b.papers import paper_settings
from course_lib.gp import Fixed
from course_lib.judgments.comparisons.floating import FloatingItemsWarning
from course_lib.judgments.comparisons.preference import PreferenceGP
from course_lib.judgments.comparisons.simulators import paper_a, paper_a_test

CHOICE_COUNTS = (20, 40, 80, 160)
PRECISIONS = (3, 10, 30)


def learned(data, response="choice", starts=(3.0, 30.0), **settings):
    """The fit with the paper's priors; the search begins at each of these ν (for degrees); the highest counts."""
    settings = paper_settings("A", response=response) | settings
    answers = data.choices if response == "choice" else data.degrees
    starts = starts if response == "degree" else starts[:1]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # kernels of few choices run to their bounds,
        warnings.simplefilter("ignore", FloatingItemsWarning)  # or to lengthscales that tie nothing
        models = [PreferenceGP(**{**settings, "precision": start}) for start in starts]
        return max((one.fit(data.X, data.pairs, answers) for one in models), key=lambda fit: fit.log_posterior_)


def without_noise(data):
    """The same comparisons, answered by the function itself; equal values are left out."""
    gap = np.diff(data.f[data.pairs], axis=1)[:, 0]
    keep = np.abs(gap) > 1e-9
    return data._replace(pairs=data.pairs[keep], choices=np.sign(gap[keep]))


@cache
def known_kernels(precision):
    """What 500 comparisons teach: the kernels of choices without noise, and of degrees with ν given."""
    many = paper_a(500, precision, rng=2011)
    given = learned(many, "degree", starts=(precision,), precision_prior=Fixed())
    return learned(without_noise(many)).kernel_, given.kernel_


def error_rates(seed, precision, counts=CHOICE_COUNTS):
    """{name: (counts,) error rates}: choices without noise, choices, degrees, and degrees with ν and kernel known.

    A longer realisation begins with the answers of the shorter ones.
    """
    data, (X, pairs, truth) = paper_a(max(counts), precision, rng=seed), paper_a_test()
    kernels, rates = known_kernels(precision), {}
    for m in counts:
        first = data._replace(**{name: getattr(data, name)[:m] for name in ("pairs", "degrees", "choices")})
        fits = {
            "choices without noise": learned(without_noise(first), kernel=kernels[0], optimize=False),
            "choices": learned(first),
            "degrees": learned(first, "degree"),
            "degrees, known": learned(first, "degree", starts=(precision,), kernel=kernels[1], optimize=False),
        }
        for name, fit in fits.items():
            rates.setdefault(name, []).append(np.mean(np.sign(fit.predict_difference(X, pairs)[0]) != truth))
    return rates
