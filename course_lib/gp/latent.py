"""One latent function behind responses of any kind: the model that all others are special cases of.

Lecture: 06, section 2.
"""

import warnings

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.exceptions import ConvergenceWarning

from course_lib import threads, validation
from course_lib.gp.evidence import Evidence, Hyperparameters
from course_lib.gp.inducing import inducing_inputs
from course_lib.gp.inference.ep import expectation_propagation
from course_lib.gp.inference.exact import exact_inference
from course_lib.gp.inference.laplace import laplace_approximation
from course_lib.gp.inference.sparse import fitc
from course_lib.gp.inference.variational import variational_inference
from course_lib.gp.kernels import Kernel, SquaredExponential
from course_lib.gp.likelihoods import Gaussian
from course_lib.gp.observations import Mixed, Observations, stack
from course_lib.gp.optimize import RANGE, Found, climb
from course_lib.gp.sites import symmetric_root

MANY_ITEMS = 1000  # from where on several threads are worth while
RULES = {
    "exact": exact_inference,
    "laplace": laplace_approximation,
    "ep": expectation_propagation,
    "variational": variational_inference,
    "fitc": fitc,
}


class LatentGP(BaseEstimator):
    """f ~ GP(0, k), answers to scalar views of f, and a rule for their Gaussian sites.

    Parameters
    ----------
    kernel : Kernel; None takes SquaredExponential, whose search begins at the spread of the items' answers, if these
        are Gaussian values, and twice: at a quarter of the typical distance of two items, and at the whole of it
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
    at_limit_ : names of parameters that ended at a limit of the search, as "kernel lengthscale[1] (greatest)": the
        data do not bound them; there is a warning only if the evidence still rises there
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
        return self._keep(self._learn(blocks))

    def _learn(self, blocks):
        """The fitted attributes, by name: all of fit that may fail, with nothing kept until it has succeeded."""
        self._check_settings()
        observations = _observed(blocks)
        kernels = self._first_kernels(observations)
        kernels[0].inputs(observations.X)  # says what is wrong with them before the search begins
        places = None if self.inducing is None else inducing_inputs(self.inducing, observations.X, self.rng)
        if places is not None:
            kernels[0].inputs(places, "inducing")  # centres of clusters may be no inputs at all, such as half a person
        starts = [Hyperparameters(k, observations.likelihood, places, self.learn_inducing) for k in kernels]
        evidence = Evidence(observations, self._rule(), self.space)
        with threads.at_most(1 if len(observations.X) < MANY_ITEMS else None):
            found = self._search(evidence, starts)
            hyper = starts[0].at(found.theta)
            prior, approximation = self._settle(evidence, hyper)
        return {
            "kernel_": hyper.kernel,
            "likelihood_": hyper.likelihood,
            "inducing_": hyper.places,
            "observations_": observations,
            "n_features_in_": observations.X.shape[1],
            "prior_": prior,
            "approximation_": approximation,
            "log_evidence_": approximation.log_evidence,
            "log_posterior_": approximation.log_evidence + hyper.log_prior()[0],
            "converged_": found.converged and approximation.converged,
            "n_iter_": found.rounds,
            "at_limit_": found.at_limit,
            "jitter_": prior.jitter,
        }

    def _keep(self, learned, **more):
        """The fitted state becomes this, all at once."""
        self.__dict__.update(learned, **more)
        return self

    def _search(self, evidence, starts):
        """Found: the best hyper-parameters from these starts, or the first itself if nothing is to be learned."""
        start = starts[0]
        if not (self.optimize and len(start.theta)):
            return Found(start.theta, -np.inf, np.zeros(len(start.theta)), True, 0, "nothing to learn")
        return climb(
            lambda theta: evidence(start.at(theta)),
            [each.theta for each in starts],
            start.limits(evidence.observations.X, RANGE),
            start.names,
            self.max_iter,
            self.n_restarts,
            self.rng,
            self.progress,
        )

    def _settle(self, evidence, hyper):
        """(prior, Approximation) of these hyper-parameters, with a warning if the sites do not come to rest."""
        try:
            prior, found = evidence.settled(hyper)
        except np.linalg.LinAlgError as error:
            named = ", ".join(f"{name} {value:.4g}" for name, value in zip(hyper.names, hyper.theta, strict=True))
            raise ValueError(
                f"inference {self.inference!r} finds no posterior ({error}) at the logarithms {named}; choose other "
                "parameters, or another inference."
            ) from None
        if not found.converged:
            warnings.warn(
                f"inference {self.inference!r} did not come to rest: evidence and predictions may be far off; "
                "try another inference, or other starting values.",
                ConvergenceWarning,
                stacklevel=5,
            )
        return prior, found

    def _rule(self):
        """How sites are chosen."""
        return RULES[self.inference]

    def _first_kernels(self, observations):
        """The kernels, of one form, with which searches begin."""
        return _typical_kernels(observations) if self.kernel is None else [self.kernel]

    def _check_settings(self):
        validation.one_of(self.inference, tuple(RULES), "inference")
        validation.one_of(self.space, ("auto", "response", "item"), "space")
        for name in ("learn_inducing", "optimize", "progress"):
            validation.flag(getattr(self, name), name)
        validation.generator(self.rng)
        validation.whole(self.max_iter, "max_iter")
        validation.whole(self.n_restarts, "n_restarts", least=0)
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
            If θ has another length or is not finite, or the model is not fitted.

        Lecture: 05, section 5.
        """
        hyper = self._fitted().at(theta)
        return Evidence(self.observations_, self._rule(), self.space)(hyper)

    def _fitted(self):
        validation.fitted(self, "kernel_", "likelihood_", "approximation_")
        return Hyperparameters(self.kernel_, self.likelihood_, self.inducing_, self.learn_inducing)

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
        X_new, return_cov = self._inputs(X_new), validation.flag(return_cov, "return_cov")
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
        return_std = validation.flag(return_std, "return_std")
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
        y_new = self._new_answers(y_new, likelihood, len(mean), "X_new")
        return likelihood.log_predictive_density(y_new, mean, std**2)

    def _new_answers(self, y_new, likelihood, count, of):
        """(count,) answers that the likelihood can have given."""
        y_new = validation.real_array(y_new, "y_new")
        if y_new.shape != (count,):
            raise ValueError(
                f"y_new has {y_new.size} answers (shape {y_new.shape}) and {of} {count} rows; they must agree."
            )
        try:
            return likelihood.check(y_new)
        except ValueError as error:
            raise ValueError(f"y_new: {error}") from None

    def _likelihood(self, block):
        self._fitted()
        parts = self.likelihood_.children if isinstance(self.likelihood_, Mixed) else (self.likelihood_,)
        if validation.whole(block, "block", least=0) >= len(parts):
            raise ValueError(f"block is {block!r}; this model has the blocks 0 … {len(parts) - 1}.")
        return parts[block]

    def sample(self, X_new, size=1, rng=None):
        """(size, q) latent functions drawn from the posterior, at new inputs; scikit-learn's `sample_y` is (q, size).

        Raises
        ------
        ValueError
            As predict_latent.

        Lecture: 05, section 3.
        """
        mean, cov = self.predict_latent(X_new, return_cov=True)
        noise = validation.generator(rng).normal(size=(validation.whole(size, "size"), len(mean)))
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


def _typical_kernels(observations):
    """Where searches begin if no kernel is given: in the units of X and of Gaussian answers, with two lengthscales."""
    X, y, views = observations.X, observations.y, observations.views
    distance = float(np.sqrt(2.0 * X.var(axis=0).sum())) or 1.0  # root mean square over all pairs of items
    sums, answers = np.bincount(views.plus, y, len(X)), np.bincount(views.plus, minlength=len(X))
    in_units = isinstance(observations.likelihood, Gaussian) and views.all_values
    variance = np.var(sums[answers > 0] / answers[answers > 0]) or np.var(y) if in_units else 1.0
    return [SquaredExponential(float(variance or 1.0), share * distance) for share in (0.25, 1.0)]
