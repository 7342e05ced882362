"""Rows of Act II and III: Gaussian-process regression; several answers to an item, beside repeated inputs; choices."""

import warnings

import numpy as np
from scipy.linalg.lapack import dpotrf, dpotri

from benchmarks.timing import Row
from course_lib import gp
from course_lib.gp.inference.exact import evidence_in_place
from course_lib.judgments import Comparison, MultiSampleGP, PreferenceGP, RepeatedGP
from course_lib.judgments.comparisons.pairs import random_pairs

FEATURES = 8


def problem(points):
    """(X, y, kernel with a lengthscale for each input, noise): a smooth function of all inputs, and noise."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(points, FEATURES))
    y = np.sin(X @ rng.normal(size=(FEATURES, 4))).sum(axis=1) + np.sin(X).sum(axis=1) + 0.3 * rng.normal(size=points)
    return X, y, gp.SquaredExponential(1.3, np.linspace(1.0, 3.0, FEATURES)), 0.4


def in_turn(*thetas):
    """A function that gives one θ after the other: a program that remembers its last θ must compute anyway."""
    state = {"next": 0}

    def take():
        state["next"] = (state["next"] + 1) % len(thetas)
        return thetas[state["next"]]

    return take


def evidence(points):
    """log evidence and its ten derivatives, beside GPy's."""
    import GPy

    X, y, kernel, noise = problem(points)
    tau = np.full(points, 1 / (noise**2 + 1e-8))  # GPy adds that much to the noise
    take = in_turn(kernel.theta, kernel.theta + 1e-9)

    def ours():
        value, gradient, *_ = evidence_in_place(kernel.with_theta(take()), X, tau, tau * y)
        return value, gradient

    theirs = GPy.models.GPRegression(X, y[:, None], GPy.kern.RBF(FEATURES, ARD=True), noise_var=noise**2)
    natural = in_turn(*(np.concatenate([np.exp(kernel.theta + e), [noise**2]]) for e in (0.0, 1e-9)))

    def peer():
        theirs[:] = natural()
        return theirs.log_likelihood(), -theirs.objective_function_gradients()[:-1] * np.exp(kernel.theta)

    return ours, peer


def floor(points):
    """The same beside LAPACK's two steps alone: factorise and invert one matrix of that size."""
    X, y, kernel, noise = problem(points)
    tau = np.full(points, noise**-2)
    K = np.asfortranarray(kernel(X) + noise**2 * np.eye(points))

    def ours():
        return evidence_in_place(kernel, X, tau, tau * y)[3].sum()

    def peer():
        return dpotri(dpotrf(K, lower=1)[0], lower=1)[0]

    # The posterior variances sum to σ² tr(I − σ² (K + σ²I)⁻¹), which the inverse gives too.
    return ours, peer, lambda r: r if np.ndim(r) == 0 else noise**2 * (points - noise**2 * np.trace(r))


def fit(points):
    """All ten hyper-parameters by L-BFGS from the same start, beside scikit-learn: the evidence reached."""
    from sklearn.gaussian_process import GaussianProcessRegressor
    from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel

    X, y, _, _ = problem(points)
    start = gp.SquaredExponential(1.0, np.full(FEATURES, 2.0))
    wide = (1e-7, 1e7)
    kernel = ConstantKernel(1.0, wide) * RBF(np.full(FEATURES, 2.0), wide) + WhiteKernel(0.25, wide)

    def ours():
        return gp.GPRegression(start, noise_std=0.5, center=False).fit(X, y).log_evidence_

    def peer():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # lengthscales of inputs that do not matter run to their bounds
            return GaussianProcessRegressor(kernel).fit(X, y).log_marginal_likelihood_value_

    return ours, peer, lambda height: np.round(height, 2)


def several_answers(points, raters=5):
    """Evidence and gradient of several answers to each item, beside the same with each input repeated."""
    X, y, kernel, noise = problem(points)
    Y = y[:, None] + noise * np.random.default_rng(1).normal(size=(points, raters))
    models = (model(kernel, noise_std=noise, optimize=False).fit(X, Y) for model in (MultiSampleGP, RepeatedGP))
    theta = np.append(kernel.theta, np.log(noise))
    return tuple(lambda model=model: model.evidence_at(theta) for model in models)


def choices(items, answers, features=4):
    """Kernel learned from choices, with BoTorch's priors, and the share of new pairs told right, beside PairwiseGP."""
    import torch
    from botorch.fit import fit_gpytorch_mll
    from botorch.models.pairwise_gp import PairwiseGP, PairwiseLaplaceMarginalLogLikelihood

    torch.set_num_threads(1)
    rng = np.random.default_rng(0)
    turns = 2.0 * rng.normal(size=(features, 3))
    X, X_new = (rng.uniform(size=(n, features)) for n in (items, 300))
    worth, worth_new = (2.0 * np.sin(inputs @ turns).sum(axis=1) for inputs in (X, X_new))
    pairs, new = random_pairs(items, answers, rng), random_pairs(300, 10_000, rng)
    y = Comparison(gp.Probit()).sample(worth[pairs[:, 1]] - worth[pairs[:, 0]], rng)
    winner_first = torch.tensor(np.where(y[:, None] > 0, pairs[:, ::-1], pairs))
    inputs = torch.tensor(X)
    start = gp.SquaredExponential(1.0, np.full(features, 0.5)).with_priors(lengthscale=gp.Gamma(2.4, 2.7))

    def right(mean):
        return np.mean((mean[new[:, 1]] > mean[new[:, 0]]) == (worth_new[new[:, 1]] > worth_new[new[:, 0]]))

    def ours():
        model = PreferenceGP(start).fit(X, pairs, y)
        return model.kernel_.lengthscale, right(model.predict_latent(X_new)[0])

    def peer():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # BoTorch speaks of inputs that are not scaled to its liking
            model = PairwiseGP(inputs, winner_first)
            fit_gpytorch_mll(PairwiseLaplaceMarginalLogLikelihood(model.likelihood, model))
        mean = model.posterior(torch.tensor(X_new)).mean.detach().numpy()[:, 0]
        return model.covar_module.base_kernel.lengthscale.detach().numpy()[0], right(mean)

    # Its prior of the variance is another one, so the lengthscales agree to two digits or so, the answers to one point
    # in a hundred.
    return ours, peer, lambda result: (np.round(np.log(result[0]), 1), np.round(result[1], 2))


def rows(small=False):
    """The rows; `small` shrinks the inputs, to try that all results agree."""
    sizes, fitted = ((40, 60), (40,)) if small else ((500, 1000, 2000), (200, 400))
    panels = ((20, 1.0),) if small else ((500, 1 / 30), (1000, 1 / 45))
    items, answers = (25, 120) if small else (100, 500)
    return [
        *(Row(f"GP evidence + gradient, {n} × 8", "GPy", 0.75, lambda n=n: evidence(n)) for n in sizes),
        *(Row(f"GP evidence + gradient, {n} × 8", "scipy", 1.9, lambda n=n: floor(n)) for n in sizes),
        *(Row(f"GP fit, {n} × 8", "scikit-learn", 0.3, lambda n=n: fit(n)) for n in fitted),
        *(
            Row(f"5 answers to {n} items × 8, beside repeated inputs", "course-lib", g, lambda n=n: several_answers(n))
            for n, g in panels
        ),
        Row(f"preference GP, {items} items × 4, {answers} choices", "botorch", 0.17, lambda: choices(items, answers)),
    ]
