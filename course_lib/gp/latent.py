"""One latent function behind responses of any kind: the model that all others are special cases of.

Lecture: 06, section 2.
"""

import copy
import warnings

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.exceptions import ConvergenceWarning
from threadpoolctl import threadpool_limits

from course_lib import validation
from course_lib.gp.ep import expectation_propagation
from course_lib.gp.exact import evidence_in_place, exact, gaussian_sites
from course_lib.gp.inducing import InducingPrior, fitc, inducing_inputs
from course_lib.gp.kernels import Kernel, SquaredExponential
from course_lib.gp.laplace import laplace
from course_lib.gp.observations import Mixed, Observations, stack
from course_lib.gp.optimize import RANGE, climb
from course_lib.gp.sites import Prior, symmetric_root
from course_lib.gp.variational import variational

MANY_ITEMS = 1000  # from where on several threads are worth while
RULES = {
    "exact": exact,
    "laplace": laplace,
    "ep": expectation_propagation,
    "variational": variational,
    "fitc": fitc,
}


class LatentGP(BaseEstimator):
    """f ~ GP(0, k), answers to scalar views of f, and a rule for their Gaussian sites.

    Parameters
    ----------
    kernel : Kernel; SquaredExponential() if None
    inference : "exact" (Gaussian noise only), "laplace", "ep", "variational", or "fitc" (Gaussian, inducing inputs)
    inducing : None, or for "variational" and "fitc" the number M of inducing inputs, or their places (M, D)
    learn_inducing : whether to move them as well
    optimize : whether to learn the hyper-parameters; those with a prior are learned by MAP-II, the others by ML-II
    n_restarts : further random starts of that search
    rng : numpy Generator or seed, for the restarts
    max_iter : rounds of L-BFGS for each start
    space : "auto", "response" or "item", where the posterior is computed
    progress : whether to show a bar while learning

    Attributes
    ----------
    kernel_, likelihood_ : with the learned parameters
    log_evidence_ : log p(y) of this kernel and likelihood, or what the rule has for it
    log_posterior_ : the same plus the log density of the priors: what was climbed
    approximation_ : Approximation;  prior_ : Prior;  observations_ : Observations
    converged_ : whether both the search and the sites came to rest;  n_iter_ : rounds of L-BFGS
    inducing_ : (M, D) inducing inputs, or None
    jitter_ : what was added to the diagonal of the kernel matrix

    Source: thesis 002, chapter 2; 000, 001 and 003 are special cases. Lecture: 06, section 2.
    """

    sparse_rules = ("variational", "fitc")  # those that know inducing inputs

    def __init__(
        self,
        kernel=None,
        inference="laplace",
        inducing=None,
        learn_inducing=False,
        optimize=True,
        n_restarts=0,
        rng=None,
        max_iter=200,
        space="auto",
        progress=False,
    ):
        self.kernel = kernel
        self.inference = inference
        self.inducing = inducing
        self.learn_inducing = learn_inducing
        self.optimize = optimize
        self.n_restarts = n_restarts
        self.rng = rng
        self.max_iter = max_iter
        self.space = space
        self.progress = progress

    def fit(self, blocks):
        """Learn from `values(…)`, `differences(…)`, or a list of them; or from Observations, whose rows are the items.

        Raises
        ------
        ValueError
            If a setting or a block is not what it should be.

        Lecture: 06, section 2.
        """
        self._check_settings()
        self.observations_ = observations = _observed(blocks)
        kernel = self._first_kernel(observations)
        kernel.inputs(observations.X)  # says what is wrong with them before the search begins
        places = None if self.inducing is None else inducing_inputs(self.inducing, observations.X, self.rng)
        if places is not None:
            kernel.inputs(places, "inducing")  # centres of clusters may be no inputs at all, such as half a person
        start = _Hyper(kernel, observations.likelihood, places, self.learn_inducing)
        # Small matrices: several threads would wait for each other longer than they work.
        with threadpool_limits(1 if len(observations.X) < MANY_ITEMS else None):
            return self._settle(self._learned(start))

    def _first_kernel(self, observations):
        """The kernel with which the search begins."""
        return SquaredExponential() if self.kernel is None else self.kernel

    def _learned(self, start):
        """The best hyper-parameters found from this start, or the start itself if nothing is to be learned."""
        self.converged_, self.n_iter_, self._warm = True, 0, None
        if not (self.optimize and len(start.theta)):
            return start
        found = climb(
            lambda theta: self._height(start.at(theta)),
            start.theta,
            start.limits(self.observations_.X),
            max_iter=validation.whole(self.max_iter, "max_iter"),
            n_restarts=validation.whole(self.n_restarts, "n_restarts", least=0),
            rng=self.rng,
            progress=self.progress,
        )
        self.converged_, self.n_iter_ = found.converged, found.rounds
        return start.at(found.theta)

    def _check_settings(self):
        validation.one_of(self.inference, tuple(RULES), "inference")
        validation.one_of(self.space, ("auto", "response", "item"), "space")
        unwanted = self.inducing is not None and self.inference not in self.sparse_rules
        if unwanted or (self.inducing is None and self.inference == "fitc"):
            raise ValueError(
                f"inference is {self.inference!r} and inducing is {self.inducing!r}; inducing inputs go with "
                f"{' and '.join(repr(rule) for rule in self.sparse_rules)}, and 'fitc' needs them."
            )
        if self.learn_inducing and self.inducing is None:
            raise ValueError("learn_inducing is True, but inducing is None: there are no inducing inputs to move.")
        if self.kernel is not None and not isinstance(self.kernel, Kernel):
            raise ValueError(f"kernel is {self.kernel!r}; a Kernel such as SquaredExponential() is needed.")

    def _settle(self, hyper):
        """Keep these hyper-parameters, and the posterior that they give."""
        self.kernel_, self.likelihood_, self.inducing_ = hyper.kernel, hyper.likelihood, hyper.places
        self.prior_ = self._prior(hyper)
        self.approximation_ = self._infer(self.prior_, hyper.likelihood)
        self.log_evidence_ = self.approximation_.log_evidence
        self.log_posterior_ = self.log_evidence_ + hyper.log_prior()[0]
        self.converged_ = self.converged_ and self.approximation_.converged
        self.jitter_ = self.prior_.jitter
        self._warm = None
        if not self.approximation_.converged:
            warnings.warn(
                f"inference {self.inference!r} did not come to rest: evidence and predictions may be far off; "
                "try another inference, or other starting values.",
                ConvergenceWarning,
                stacklevel=3,
            )
        return self

    def _prior(self, hyper):
        X, views = self.observations_.X, self.observations_.views
        if hyper.places is not None:
            return InducingPrior(hyper.kernel, X, views, hyper.places)
        return Prior(hyper.kernel(X), views, self.space)

    def _infer(self, prior, likelihood):
        return RULES[self.inference](prior, self.observations_.y, likelihood, start=self._warm)

    def _height(self, hyper):
        """log evidence + log prior, and the gradient in θ."""
        views = self.observations_.views
        each_answered = views.all_values and len(views.distinct[0]) == views.n_items
        in_place = self.inference == "exact" and each_answered and self.space == "auto"
        evidence = self._in_place if in_place else self._approximate
        height, gradient = evidence(hyper)
        density, slope = hyper.log_prior()
        return height + density, gradient + slope

    def _approximate(self, hyper):
        prior = self._prior(hyper)
        found = self._infer(prior, hyper.likelihood)
        one_mode = self.inference != "laplace" or hyper.likelihood.log_concave  # else θ alone must choose the mode
        self._warm = found if found.converged and one_mode else None
        if self.inference == "ep" and not found.converged:
            raise np.linalg.LinAlgError(  # then its evidence means nothing
                'EP does not come to rest; inference="variational" may'
            )
        if hyper.places is None:
            gradient = hyper.kernel.gradient(self.observations_.X, found.kernel_weights())
            return found.log_evidence, np.concatenate([gradient, found.likelihood_gradient])
        gradient, moves = prior.gradient(found, places=hyper.learn_places)
        moves = [] if moves is None else moves.ravel()
        return found.log_evidence, np.concatenate([gradient, found.likelihood_gradient, moves])

    def _in_place(self, hyper):
        """Gaussian answers to items: the answers to an item act as one, and what they scatter round it is apart."""
        y, item = self.observations_.y, self.observations_.views.plus
        tau, nu = gaussian_sites(y, hyper.likelihood)
        total, weighted = np.bincount(item, tau), np.bincount(item, nu)
        evidence, gradient, mean, variance = evidence_in_place(hyper.kernel, self.observations_.X, total, weighted)
        z = nu / tau
        apart = hyper.likelihood.log_density(y, z).sum() - 0.5 * tau @ (z - (weighted / total)[item]) ** 2
        evidence += apart - 0.5 * np.log(total / (2.0 * np.pi)).sum()
        slopes = hyper.likelihood.expected_parameter_gradient(y, mean[item], variance[item])
        return evidence, np.concatenate([gradient, slopes.sum(1)])

    def evidence_at(self, theta):
        """log evidence + log prior at other parameters, and its gradient; the model stays as it is.

        Parameters
        ----------
        theta : (P,) `kernel_.theta`, then `likelihood_.theta`, then the inducing inputs if these are learned

        Returns
        -------
        (float, (P,) array)

        Raises
        ------
        ValueError
            If θ has another length, or the model is not fitted.

        Lecture: 05, section 5.
        """
        hyper = self._fitted().at(np.asarray(theta, dtype=float))
        probe = copy.copy(self)
        probe._warm = None
        return probe._height(hyper)

    def _fitted(self):
        if not hasattr(self, "kernel_"):
            raise ValueError(f"this {type(self).__name__} is not fitted yet: call fit first.")
        return _Hyper(self.kernel_, self.likelihood_, self.inducing_, self.learn_inducing)

    def _inputs(self, X_new):
        self._fitted()
        X_new = validation.sequence(X_new, "X_new")
        D = self.observations_.X.shape[1]
        if X_new.shape[1] != D:
            raise ValueError(f"X_new has {X_new.shape[1]} columns (shape {X_new.shape}), but X of the fit had {D}.")
        return self.kernel_.inputs(X_new, "X_new")

    def predict_latent(self, X_new, return_cov=False):
        """f at new inputs, each a new item: a White kernel adds its variance even where the inputs were seen.

        Parameters
        ----------
        X_new : (q, D)
        return_cov : whether to return the covariance instead of standard deviations

        Returns
        -------
        mean (q,), and standard deviation (q,) or covariance (q, q)

        Raises
        ------
        ValueError
            If the model is not fitted, or X_new has another number of columns.

        Lecture: 05, section 4.
        """
        X_new = self._inputs(X_new)
        K_cross = self._cross(X_new)
        posterior = self.approximation_.posterior
        if return_cov:
            return K_cross.T @ posterior.alpha, posterior.predict_covariance(K_cross, self.kernel_(X_new))
        mean, variance = posterior.predict(K_cross, self.kernel_.diagonal(X_new))
        return mean, np.sqrt(variance)

    def _cross(self, X_new):
        """(n, q) covariances of the posterior's items and the new inputs."""
        return self.kernel_.cross(self.observations_.X if self.inducing_ is None else self.inducing_, X_new)

    def predict_difference(self, X_new, pairs):
        """f(x_b) − f(x_a) for pairs (a, b) of rows of X_new: mean and standard deviation, (m,) each.

        Raises
        ------
        ValueError
            If the model is not fitted, or an index is out of range.

        Source: thesis 002, eq. 2.58 with the minus sign of errata ★. Lecture: 06, section 2.
        """
        mean, cov = self.predict_latent(X_new, return_cov=True)
        a, b = validation.indices(pairs, "pairs", (None, 2), len(mean), "rows of X_new").T
        return mean[b] - mean[a], np.sqrt(np.maximum(cov[a, a] + cov[b, b] - 2.0 * cov[a, b], 0.0))

    def predict(self, X_new, return_std=False, block=0):
        """The expected answer at new inputs, from the likelihood of a block; with its standard deviation if wanted.

        Returns
        -------
        (q,), or two of them

        Raises
        ------
        ValueError
            As predict_latent, and if there is no such block.

        Lecture: 06, section 7.
        """
        mean, std = self.predict_latent(X_new)
        expected, variance = self._likelihood(block).predict(mean, std**2)
        return (expected, np.sqrt(variance)) if return_std else expected

    def log_predictive_density(self, X_new, y_new, block=0):
        """(q,) log p(y_new | all answers) at new inputs, under the likelihood of a block.

        Raises
        ------
        ValueError
            As predict, and if the likelihood refuses an answer.

        Source: thesis 002, eq. 2.38. Lecture: 07, section 5.
        """
        likelihood = self._likelihood(block)
        mean, std = self.predict_latent(X_new)
        y_new = likelihood.check(validation.real_array(y_new, "y_new"))
        if len(y_new) != len(mean):
            raise ValueError(f"y_new has {len(y_new)} answers and X_new {len(mean)} rows; they must agree.")
        return likelihood.log_predictive_density(y_new, mean, std**2)

    def _likelihood(self, block):
        self._fitted()
        parts = self.likelihood_.children if isinstance(self.likelihood_, Mixed) else (self.likelihood_,)
        if validation.whole(block, "block", least=0) >= len(parts):
            raise ValueError(f"block is {block!r}; this model has the blocks 0 … {len(parts) - 1}.")
        return parts[block]

    def sample(self, X_new, size=1, rng=None):
        """(size, q) functions drawn from the posterior, at new inputs.

        Raises
        ------
        ValueError
            As predict_latent.

        Lecture: 05, section 3.
        """
        mean, cov = self.predict_latent(X_new, return_cov=True)
        noise = np.random.default_rng(rng).normal(size=(validation.whole(size, "size"), len(mean)))
        return mean + noise @ symmetric_root(cov)


def _observed(blocks):
    if not isinstance(blocks, Observations):
        return stack(blocks)
    if len(blocks.views) != len(blocks.y) or blocks.views.n_items != len(blocks.X):
        raise ValueError(
            f"blocks has {len(blocks.X)} items and {len(blocks.y)} answers, but its views are {len(blocks.views)} of "
            f"{blocks.views.n_items} items; they must agree."
        )
    return blocks


class _Hyper:
    """All that is learned, as one vector: θ of the kernel, θ of the likelihood, places of the inducing inputs."""

    def __init__(self, kernel, likelihood, places=None, learn_places=False):
        self.kernel, self.likelihood, self.places = kernel, likelihood, places
        self.learn_places = learn_places and places is not None
        moving = places.ravel() if self.learn_places else []
        self.theta = np.concatenate([kernel.theta, likelihood.theta, moving])

    def at(self, theta):
        theta = np.asarray(theta, dtype=float)
        if theta.shape != self.theta.shape:
            names = self.kernel.names + self.likelihood.names
            raise ValueError(f"theta has shape {theta.shape}; {self.theta.shape} is needed: {names}.")
        first = len(self.kernel.theta)
        second = first + len(self.likelihood.theta)
        places = theta[second:].reshape(self.places.shape) if self.learn_places else self.places
        kernel, likelihood = self.kernel.with_theta(theta[:first]), self.likelihood.with_theta(theta[first:second])
        return _Hyper(kernel, likelihood, places, self.learn_places)

    def limits(self, X):
        """(P, 2): parameters within ±RANGE of where they are, inducing inputs within the items' width round them."""
        parameters = np.concatenate([self.kernel.theta, self.likelihood.theta])
        limits = [np.stack([parameters - RANGE, parameters + RANGE], axis=1)]
        if self.learn_places:
            low, high = X.min(axis=0), X.max(axis=0)
            box = np.tile(np.stack([2 * low - high, 2 * high - low], axis=1), (len(self.places), 1, 1))
            weights = 1.0 + np.arange(len(self.places) * len(X)).reshape(len(self.places), -1)
            still = ~self.kernel.input_gradient(self.places, X, weights).any(axis=0)  # a number that says who, say
            box[:, still] = self.places[:, still, None]
            limits.append(box.reshape(-1, 2))
        return np.concatenate(limits)

    def log_prior(self):
        (a, slope_a), (b, slope_b) = self.kernel.log_prior(), self.likelihood.log_prior()
        flat = np.zeros(self.places.size if self.learn_places else 0)
        return a + b, np.concatenate([slope_a, slope_b, flat])
