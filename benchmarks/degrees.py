"""Jensen et al. (2011), Figure 3: how fast degrees of preference teach, beside choices.

A number is the share of pairs of unseen inputs whose better one is predicted wrongly.

The paper shows curves only. As there: Griewangk's function at 101 inputs on [−8, 8], random pairs, σ = 1, degrees with
ν = 3, 10, 30, choices by the side of ½ on which a degree lies, ν learned with the prior Gamma(1, rate 0.05), σ_f and l
free from 1. What it leaves out: degrees are kept 1e-4 from 0 and 1; ν is searched from 3 and from 30, and the higher
end counts; the test pairs are all pairs of the 100 inputs halfway, without mirrored ones, whose values are equal.
"Known": ν, and the kernel as learned from 500 comparisons. "Without noise": choices as the function itself makes them.
"""

import numpy as np
from joblib import Parallel, delayed

TITLE = "Jensen et al. (2011), Figure 3: mean error rate by the number of comparisons"
REPETITIONS = 40


def table(repetitions):
    """Lines of Markdown: mean error rates for each ν, and whether degrees are better than choices."""
    from course_lessons.i_prefer_b.teaching_speed import CHOICE_COUNTS, PRECISIONS, error_rates
    from course_lib.metrics import paired_t_test

    yield "\n| ν | learned from | " + " | ".join(f"m = {m}" for m in CHOICE_COUNTS) + " |"
    yield "|---|---|" + "---|" * len(CHOICE_COUNTS)
    for precision in PRECISIONS:
        found = Parallel()(delayed(error_rates)(seed, precision) for seed in range(repetitions))
        rates = {model: np.array([one[model] for one in found]) for model in found[0]}
        for model, each in rates.items():
            yield f"| {precision} | {model} | " + " | ".join(f"{rate:.3f}" for rate in each.mean(axis=0)) + " |"
        if repetitions > 1:
            p = [paired_t_test(*pair).p for pair in zip(rates["choices"].T, rates["degrees"].T, strict=True)]
            yield f"| {precision} | degrees against choices: p | " + " | ".join(f"{value:.1g}" for value in p) + " |"
