"""Asking: how near to what a listener likes best, by criterion, and beside BoTorch's preferential optimisation.

Listeners have a known optimum, f = −½ Σ ((x_d − optimum_d)/w)² with w = ¼ (wide) or ⅛ (narrow) of the range, degrees
with ν = 10, choices with probit noise σ = 1; all ways of asking have the same listeners, and every model learns its
kernel. BoTorch asks by EUBO, both settings free, with its own PairwiseGP, five restarts and 128 raw samples; it knows
choices only.
Regrets are in units of σ, after 10, 20 and, in four dimensions, 30 answers. A distance is a share of the space's
diagonal, at the end. p is Wilcoxon's, of the pairs of distances with "improvement" in the same kind of answers.
"""

import time
import warnings

import numpy as np
from joblib import Parallel, delayed

TITLE = "Asking: distance of the best guess from the optimum, by criterion"
REPETITIONS = 20
EVERY = 10  # answers from one regret to the next
WORLDS = ((2, "wide", 1 / 4, 20), (2, "narrow", 1 / 8, 20), (4, "wide", 1 / 4, 30))  # dimensions, hill, w, questions
WAYS = (
    ("degrees", "improvement"),
    ("degrees", "random"),
    ("degrees", "univariate"),
    ("degrees", "best"),
    ("choices", "improvement"),
    ("choices", "random"),
    ("choices", "BoTorch"),
)


def listener_of(d, width, seed):
    """A listener with an optimum of its own."""
    from course_lib.judgments import Listener

    return Listener(np.random.default_rng([seed, d]).uniform(0.1, 0.9, d), width=width, rng=seed)


def asked(d, width, questions, kind, way, seed):
    """(distances of the best guess and of the best heard at the end, seconds for a question, regrets every 10)."""
    if way == "BoTorch":
        return asked_by_botorch(d, width, questions, seed)
    from course_lessons.asking.experiments import learning_curve
    from course_personaliser import Personalizer

    response = {"degrees": "degree", "choices": "choice"}[kind]
    personalizer = Personalizer([(0.0, 1.0)] * d, response=response, criterion=way, rng=seed)
    begin = time.process_time()
    curve = learning_curve(personalizer, listener_of(d, width, seed), questions, every=EVERY)
    return curve.distance[-1], curve.heard[-1], (time.process_time() - begin) / questions, *curve.regret


def asked_by_botorch(d, width, questions, seed):
    """As asked, by PairwiseGP and AnalyticExpectedUtilityOfBestOption."""
    import torch
    from botorch.acquisition.preference import AnalyticExpectedUtilityOfBestOption
    from botorch.fit import fit_gpytorch_mll
    from botorch.models.pairwise_gp import PairwiseGP, PairwiseLaplaceMarginalLogLikelihood
    from botorch.optim import optimize_acqf

    torch.set_num_threads(1)
    torch.manual_seed(seed)
    listener, begin = listener_of(d, width, seed), time.process_time()
    X, won, regrets = torch.rand(2, d, dtype=torch.float64), [], []
    bounds = torch.tensor([[0.0] * d, [1.0] * d], dtype=torch.float64)
    spread = torch.quasirandom.SobolEngine(d, scramble=True, seed=0).draw(1024, dtype=torch.float64)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for question in range(questions):
            a, b = 2 * question, 2 * question + 1
            said = listener.judge(X[a].numpy(), X[b].numpy(), "choice")
            won.append([b, a] if said > 0 else [a, b])
            model = PairwiseGP(X, torch.tensor(won))
            fit_gpytorch_mll(PairwiseLaplaceMarginalLogLikelihood(model.likelihood, model))
            if (question + 1) % EVERY == 0:
                best = highest(model, torch.cat([spread, X]))
                regrets.append(-float(listener.worth(best)))
            utility = AnalyticExpectedUtilityOfBestOption(pref_model=model)
            pair, _ = optimize_acqf(utility, bounds, q=2, num_restarts=5, raw_samples=128)
            X = torch.cat([X, pair])
    seconds = (time.process_time() - begin) / questions
    off = (np.linalg.norm(x - listener.optimum) / np.sqrt(d) for x in (best, highest(model, X[:-2])))
    return *off, seconds, *regrets


def highest(model, points):
    """The point (d,) of a tensor (n, d) at which BoTorch's model has its largest mean."""
    return points[model.posterior(points).mean.argmax()].numpy()


def table(repetitions):
    """Lines of Markdown: a row for each world and way of asking."""
    from scipy.stats import wilcoxon

    yield "| world, answers | way | best guess: median [middle half] | p | best heard | regrets (σ) | s a question |"
    yield "|" + "---|" * 7
    for d, hill, width, questions in WORLDS:
        found = {}
        for kind, way in WAYS:
            runs = (delayed(asked)(d, width, questions, kind, way, seed) for seed in range(repetitions))
            off, heard, seconds, *regrets = np.array(Parallel()(runs)).T
            found[kind, way] = off
            against = found[kind, "improvement"]
            p = f"{wilcoxon(against, off).pvalue:.2g}" if way != "improvement" and repetitions > 5 else "–"
            low, middle, high = np.quantile(off, [0.25, 0.5, 0.75])
            fallen = " → ".join(f"{np.median(regret):.3f}" for regret in regrets)
            yield (
                f"| {d}-D, {hill}, {questions} {kind} | {way} | {middle:.3f} [{low:.3f}, {high:.3f}] | {p} "
                f"| {np.median(heard):.3f} | {fallen} | {np.median(seconds):.2f} |"
            )
