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

from course_lessons.i_prefer_b.papers import paper_a, paper_a_test, paper_settings
from course_lib.gp import Fixed
from course_lib.judgments.comparisons.floating import FloatingItemsWarning
from course_lib.judgments.comparisons.preference import PreferenceGP
from course_lib.metrics import paired_t_test
from course_widgets.tables import table

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


def stored_rates(claim, precision, model):
    """(100 realisations, sizes) of error rates, from the stored claim."""
    rows = claim.of(precision=precision, model=model)
    return np.column_stack([rows[f"after_{count}"] for count in CHOICE_COUNTS])


def worth_of_40_degrees(choices, degrees):
    """How many choices err as much as 40 degrees, between the sizes on a line in logarithms; rates as stored."""
    return np.exp(np.interp(-degrees.mean(axis=0)[1], -choices.mean(axis=0), np.log(CHOICE_COUNTS)))


def table_of_rates(claim):
    """The paper's figure 3 as a table: what its text says, and the error rates of the stored claim."""
    rows = []
    for precision in PRECISIONS:
        than = "and like choices without noise" if precision < 30 else "even than those without noise"
        for model, said in {
            "choices without noise": "baseline",
            "choices": "baseline",
            "degrees, known": f"better than choices, {than}",
            "degrees": "only slightly worse than known",
        }.items():
            rates = stored_rates(claim, precision, model).mean(axis=0)
            rows.append([f"ν = {precision}: {model}", said, ", ".join(f"{rate:.3f}" for rate in rates)])
    return table(["what (error rates after 20, 40, 80, 160 answers)", "the paper says", "we get"], rows)


def table_of_differences(claim):
    """Differences of error rates on the same realisations, with their standard errors, for each precision and size."""
    rows = []
    for precision in PRECISIONS:
        for pair in (("degrees", "choices"), ("degrees, known", "choices without noise")):
            both = (stored_rates(claim, precision, model).T for model in pair)
            rows.append([precision, " − ".join(pair), *(paired_t_test(*rates) for rates in zip(*both, strict=True))])
    return table(["ν", "difference", *(f"{count} answers" for count in CHOICE_COUNTS)], rows)
