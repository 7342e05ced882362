"""Rows of Act II and III: Gaussian-process regression; several answers to an item, beside repeated inputs."""

import warnings

import numpy as np
from scipy.linalg.lapack import dpotrf, dpotri

from benchmarks.timing import Row
from course_lib import gp
from course_lib.gp.exact import evidence_in_place
from course_lib.judgments import MultiSampleGP, RepeatedGP

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
        return gp.GPRegression(start, 0.5, center=False).fit(X, y).log_evidence_

    def peer():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # lengthscales of inputs that do not matter run to their bounds
            return GaussianProcessRegressor(kernel).fit(X, y).log_marginal_likelihood_value_

    return ours, peer, lambda height: np.round(height, 2)


def several_answers(points, raters=5):
    """Evidence and gradient of several answers to each item, beside the same with each input repeated."""
    X, y, kernel, noise = problem(points)
    Y = y[:, None] + noise * np.random.default_rng(1).normal(size=(points, raters))
    models = (model(kernel, noise, optimize=False).fit(X, Y) for model in (MultiSampleGP, RepeatedGP))
    theta = np.append(kernel.theta, np.log(noise))
    return tuple(lambda model=model: model.evidence_at(theta) for model in models)


def rows(small=False):
    """The rows; `small` shrinks the inputs, to try that all results agree."""
    sizes, fitted = ((40, 60), (40,)) if small else ((500, 1000, 2000), (200, 400))
    panels = ((20, 1.0),) if small else ((500, 1 / 30), (1000, 1 / 45))
    return [
        *(Row(f"GP evidence + gradient, {n} × 8", "GPy", 0.75, lambda n=n: evidence(n)) for n in sizes),
        *(Row(f"GP evidence + gradient, {n} × 8", "scipy", 1.9, lambda n=n: floor(n)) for n in sizes),
        *(Row(f"GP fit, {n} × 8", "scikit-learn", 0.3, lambda n=n: fit(n)) for n in fitted),
        *(
            Row(f"5 answers to {n} items × 8, beside repeated inputs", "course-lib", g, lambda n=n: several_answers(n))
            for n, g in panels
        ),
    ]
