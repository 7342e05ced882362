"""Jensen et al. (2011), Figure 3: how fast degrees of preference teach, beside choices.

A number is the share of pairs of unseen inputs whose better one is predicted wrongly.

The paper shows curves only. As there: Griewangk's function at 101 inputs on [−8, 8], random pairs, σ = 1, degrees with
ν = 3, 10, 30, choices by the side of ½ on which a degree lies, ν learned with the prior Gamma(1, rate 0.05), σ_f and l
free from 1. What it leaves out: degrees are kept 1e-4 from 0 and 1; ν is searched from 3 and from 30, and the higher
end counts; the test pairs are all pairs of the 100 inputs halfway, without mirrored ones, whose values are equal.
"Known": ν, and the kernel as learned from 500 comparisons. "Without noise": choices as the function itself makes them.
"""

import warnings

import numpy as np
from joblib import Parallel, delayed

TITLE = "Jensen et al. (2011), Figure 3: mean error rate by the number of comparisons"
REPETITIONS = 40
COUNTS = (20, 40, 80, 160)
PRECISIONS = (3, 10, 30)
MODELS = ("choices without noise", "choices", "degrees", "degrees, ν and kernel known")


def learned(compared, response, precision=10.0, **settings):
    """A fit with the paper's priors."""
    from course_lib.judgments import PreferenceGP, paper_settings

    answers = compared.choices if response == "choice" else compared.degrees
    settings = paper_settings("A", response=response) | {"precision": precision} | settings
    return PreferenceGP(**settings).fit(compared.X, compared.pairs, answers)


def true_choices(compared):
    """The same comparisons, answered by the function itself."""
    gap = np.diff(compared.f[compared.pairs], axis=1)[:, 0]
    keep = np.abs(gap) > 1e-9
    return compared._replace(pairs=compared.pairs[keep], choices=np.sign(gap[keep]))


def known_kernels(precision):
    """The kernels that 500 comparisons teach: choices without noise, and degrees whose ν is known."""
    from course_lib.gp import Fixed
    from course_lib.judgments.comparisons.simulators import paper_a

    many = paper_a(500, precision, rng=2011)
    return (
        learned(true_choices(many), "choice").kernel_,
        learned(many, "degree", precision, precision_prior=Fixed()).kernel_,
    )


def errors(seed, precision, kernels):
    """(4 models, 4 counts) error rates of one realisation; the first comparisons are those of the shorter ones."""
    from sklearn.exceptions import ConvergenceWarning

    from course_lib.judgments import FloatingItemsWarning
    from course_lib.judgments.comparisons.simulators import paper_a, paper_a_test

    warnings.simplefilter("ignore", ConvergenceWarning)  # kernels of few choices run to their bounds,
    warnings.simplefilter("ignore", FloatingItemsWarning)  # or to lengthscales that tie nothing
    compared = paper_a(max(COUNTS), precision, rng=seed)
    X, pairs, truth = paper_a_test()
    rates = np.empty((len(MODELS), len(COUNTS)))
    for j, m in enumerate(COUNTS):
        first = compared._replace(**{name: getattr(compared, name)[:m] for name in ("pairs", "degrees", "choices")})
        known = {"optimize": False}
        fits = (
            learned(true_choices(first), "choice", kernel=kernels[0], **known),
            learned(first, "choice"),
            max((learned(first, "degree", start) for start in (3.0, 30.0)), key=lambda fit: fit.log_posterior_),
            learned(first, "degree", precision, kernel=kernels[1], **known),
        )
        for i, fit in enumerate(fits):
            mean, _ = fit.predict_difference(X, pairs)
            rates[i, j] = np.mean(np.sign(mean) != truth)
    return rates


def table(repetitions):
    """Lines of Markdown: mean error rates for each ν, and whether degrees are better than choices."""
    from course_lib.metrics import paired_t_test

    yield "\n| ν | learned from | " + " | ".join(f"m = {m}" for m in COUNTS) + " |"
    yield "|---|---|" + "---|" * len(COUNTS)
    for precision in PRECISIONS:
        kernels = known_kernels(precision)
        found = np.stack(Parallel()(delayed(errors)(seed, precision, kernels) for seed in range(repetitions)))
        for i, model in enumerate(MODELS):
            yield f"| {precision} | {model} | " + " | ".join(f"{rate:.3f}" for rate in found[:, i].mean(axis=0)) + " |"
        if repetitions > 1:
            p = [paired_t_test(found[:, 1, j], found[:, 2, j]).p for j in range(len(COUNTS))]
            yield f"| {precision} | degrees against choices: p | " + " | ".join(f"{value:.1g}" for value in p) + " |"
