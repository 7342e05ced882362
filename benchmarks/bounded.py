"""Jensen et al. (2013), Table 1: three models of bounded marks, each on marks with each of the three kinds of noise.

A row is a model, a column a kind of noise, and a number the sum of −log p(y*) over the test marks: smaller is better.

The paper leaves out the numbers of marks, the inputs, the strengths of the noises, what is done to marks that round
to a bound, and where the search for the hyper-parameters begins. Here: 100 marks to learn from and 100 to test with,
inputs uniform on [0, 10], ν = 30 (beta), ν = 10 (truncated), σ = 0.5 (warped), marks clipped at 1e-6 and 1 − 1e-6; the
search begins at the true kernel and at three strengths of the noise, for the periodic kernel also at random places.
The kernel's parameters have weak priors, log-normal round the true ones with spread 1: without them, Laplace's
evidence of the truncated Gaussian often has no top on beta marks, and what comes out depends on rounding.

The paper takes one function and ten draws of the noise. Its numbers depend much more on the function than on the
noise, so a second column draws a new function each time.
"""

import warnings

import numpy as np
from joblib import Parallel, delayed

TITLE = "Jensen et al. (2013), Table 1: −log p(y*), mean (and standard deviation)"
REPETITIONS = 10
MARKS, INSIDE = 100, 1e-6
CLIPS = (1e-2, 1e-3, 1e-6, 1e-9)
NAMES = {"warped": "WA", "truncated_gaussian": "TG", "beta": "BE"}
PAPER = {  # [model, noise] and standard deviations, in the order of NAMES
    "squared exponential": (
        [[-129.8, -82.0, -165.3], [-91.0, -96.8, -81.8], [-119.8, -91.2, -195.2]],
        [[6.4, 7.3, 31.1], [19.6, 4.5, 14.5], [7.7, 6.3, 24.6]],
    ),
    "periodic": (
        [[-93.2, -80.6, -70.8], [-76.2, -91.6, -66.0], [-88.5, -84.5, -99.8]],
        [[6.9, 11.0, 10.4], [10.3, 9.4, 12.9], [3.8, 7.8, 15.5]],
    ),
}


def true_kernel(name):
    """The prior that functions are drawn from, and a weak belief in it for the fits.

    GPML's periodic kernel, σ_f² exp(−2 sin²(π (x − x')/λ)/ℓ²), is the library's, with period λ.
    """
    from course_lib.gp import LogNormal, Periodic, SquaredExponential

    kernel = SquaredExponential(2.0, 1.0) if name == "squared exponential" else Periodic(3.0, 0.8, period=5.0)
    return kernel.with_priors(
        **{parameter: LogNormal(getattr(kernel, parameter), 1.0) for parameter in kernel.parameter_names}
    )


def scores(name, function, noise, n_restarts):
    """(3, 3) sums of −log p(y*): [model, kind of noise]. `function` and `noise` are seeds."""
    from course_lessons.bounded_answers.simulators import TRUE_NOISE, best_fit, simulate
    from course_lib.gp import JitterWarning

    warnings.simplefilter("ignore", JitterWarning)  # the search looks at long lengthscales, too
    kernel = true_kernel(name)
    simulated = simulate(kernel, MARKS, rng=function)
    result = np.empty((3, 3))
    for j, kind in enumerate(NAMES):
        y, y_test = simulated.marks(TRUE_NOISE[kind], rng=[function, noise, j], inside=INSIDE)
        for i, model in enumerate(NAMES):
            fit = best_fit(model, kernel, simulated.X, y, inside=INSIDE, n_restarts=n_restarts, rng=0)
            result[i, j] = -fit.log_predictive_density(simulated.X_test, y_test).sum()
    return result


def repeated(name, seeds, n_restarts):
    """(repetitions, 3, 3) scores, one for each pair of seeds (function, noise)."""
    return np.stack(Parallel()(delayed(scores)(name, *pair, n_restarts) for pair in seeds))


def won(results):
    """(3,) how often the model of the true noise is the best of the three, for each kind of noise."""
    return (results.argmin(axis=1) == np.arange(3)).sum(axis=0)


def lines(name, one, many):
    """Lines of Markdown for one kernel: the paper's numbers, ours for one function, ours for many functions."""
    means, stds = PAPER[name]
    yield f"\n**{name}**\n"
    yield "| model | noise | the paper says | we get, one function | we get, a new function each time |"
    yield "|---|---|---|---|---|"
    for i, model in enumerate(NAMES.values()):
        for j, noise in enumerate(NAMES.values()):
            ours = " | ".join(f"{r[:, i, j].mean():.1f} ({r[:, i, j].std(ddof=1):.1f})" for r in (one, many))
            yield f"| GP-{model} | {noise} | {means[i][j]} ({stds[i][j]}) | {ours} |"
    counts = " | ".join(", ".join(map(str, won(r))) for r in (one, many))
    yield f"| the model of the true noise wins | WA, TG, BE | every mean | {counts} of {len(one)} |"


def clipped(seed):
    """(4, 2) for beta marks of one function: how many test marks lie on each of CLIPS, and beta's lead over warped."""
    from course_lessons.bounded_answers.contests import contest
    from course_lessons.bounded_answers.simulators import TRUE_NOISE, simulate

    kernel = true_kernel("squared exponential")
    function, found = simulate(kernel, MARKS, rng=seed), []
    for inside in CLIPS:
        y_test = function.marks(TRUE_NOISE["beta"], [seed, 0, 2], inside)[1]
        warped, _, beta = contest(function, kernel, "beta", [seed, 0, 2], inside)
        found.append((np.sum((y_test <= inside) | (y_test >= 1 - inside)), warped - beta))
    return np.array(found)


def clips(functions):
    """Lines of Markdown: what the place to which marks are clipped does to the comparison (lecture 07, section 6)."""
    found = np.stack(Parallel()(delayed(clipped)(seed) for seed in range(functions)))
    yield f"\n**beta marks of {functions} functions, clipped**\n"
    yield "| clip | marks on it: median | beta ahead of warped: least, median, most |"
    yield "|---|---|---|"
    for inside, (on, lead) in zip(CLIPS, found.transpose(1, 2, 0), strict=True):
        yield f"| {inside:g} | {np.median(on):.0f} | {lead.min():.0f}, {np.median(lead):.0f}, {lead.max():.0f} |"


def table(repetitions):
    """Lines of Markdown: both halves of the table, and the comparison with clipped marks."""
    for name, n_restarts in (("squared exponential", 0), ("periodic", 2)):
        one = repeated(name, [(0, r) for r in range(repetitions)], n_restarts)
        many = repeated(name, [(r, 0) for r in range(repetitions)], n_restarts)
        yield from lines(name, one, many)
    yield from clips(2 * repetitions)
