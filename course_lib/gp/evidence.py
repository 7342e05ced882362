"""The evidence as a function of the hyper-parameters: what learning climbs.

Lecture: 05, section 5; 06, sections 2 and 6; 08, section 3; 09, section 7.
"""

import numpy as np

from course_lib.gp.fit_warnings import warn_of_fit
from course_lib.gp.inference.approximation import prior_alone
from course_lib.gp.inference.ep import expectation_propagation
from course_lib.gp.inference.exact import evidence_in_place, exact_inference, gaussian_sites
from course_lib.gp.optimize import SEARCH_RANGE, Found, climb
from course_lib.gp.parameters import Parametrized
from course_lib.gp.priors import Fixed
from course_lib.gp.starts import period_places


class InducingInputs(Parametrized):
    """Inducing inputs (M, D), or None, as parameters: free ones if they are learned."""

    parameter_names = signed_names = ("inducing",)

    def __init__(self, inducing, learned):
        self.inducing = inducing
        self.priors = {} if learned else {"inducing": Fixed()}

    @property
    def names(self):
        """Those of the numbers that are learned, such as "inducing[0, 1]"."""
        return [f"inducing[{i}, {d}]" for _ in self._free() for i, d in np.ndindex(self.inducing.shape)]


class Hyperparameters(Parametrized):
    """All that is learned, as one vector: θ of the kernel, θ of the likelihood, the inducing inputs.

    kernel, likelihood;  inducing : (M, D) inducing inputs or None;  learn_inducing : whether they are in θ
    """

    kernel, likelihood = property(lambda self: self.children[0]), property(lambda self: self.children[1])
    inducing = property(lambda self: self.children[2].inducing)

    def __init__(self, kernel, likelihood, inducing=None, learn_inducing=False):
        self.learn_inducing = learn_inducing and inducing is not None
        self.children = kernel, likelihood, InducingInputs(inducing, self.learn_inducing)

    @property
    def names(self):
        """P names, such as "kernel lengthscale[2]"."""
        parts = zip(("kernel ", "likelihood ", ""), self.children, strict=True)
        return [f"{part}{name}" for part, child in parts for name in child.names]

    def limits(self, X, reach):
        """(P, 2): parameters within ±reach of where they are, inducing inputs within the items' width round them."""
        parameters = np.concatenate([self.kernel.theta, self.likelihood.theta])
        limits = [np.stack([parameters - reach, parameters + reach], axis=1)]
        if self.learn_inducing:
            low, high = X.min(axis=0), X.max(axis=0)
            box = np.tile(np.stack([2 * low - high, 2 * high - low], axis=1), (len(self.inducing), 1, 1))
            weights = 1.0 + np.arange(len(self.inducing) * len(X)).reshape(len(self.inducing), -1)
            still = ~self.kernel.input_gradient(self.inducing, X, weights).any(axis=0)  # a number that says who, say
            box[:, still] = self.inducing[:, still, None]
            limits.append(box.reshape(-1, 2))
        return np.concatenate(limits)


class Evidence:
    """log evidence + log prior of hyper-parameters, given the answers; `evidence(hyper)` gives it with its gradient.

    Where the likelihood is log-concave the sites have one place of rest, and the search for it begins at that of the
    hyper-parameters before. Elsewhere it always begins anew: the evidence is a function of θ, not of the way there.

    model : LatentGP, whose settings count;  observations : Observations
    """

    def __init__(self, model, observations):
        self.model, self.observations, self.rule = model, observations, model._rule
        self._nearby, self._last, self._best = None, None, (-np.inf, None)
        views = observations.views
        each_answered = views.all_values and len(views.distinct[0]) == views.n_items
        self.is_in_place = self.rule is exact_inference and each_answered and model.space == "auto"
        self._height = self.in_place if self.is_in_place else self.approximated

    def __call__(self, hyper):
        height, gradient = self._height(hyper)
        density, slope = hyper.log_prior()
        if height + density > self._best[0]:
            self._best = height + density, self._last
        return height + density, gradient + slope

    def highest(self, starts):
        """Found: the best Hyperparameters by a search from these, or the first itself if nothing is to be learned."""
        model, start = self.model, starts[0]
        if not (model.optimize and len(start.theta)) or self.observations.n_answers < 2:
            return Found(start.theta, -np.inf, np.zeros(len(start.theta)), True, 0, "nothing to learn")
        return climb(
            lambda theta: self(start.with_theta(theta)),
            [each.theta for each in starts],
            start.limits(self.observations.X, SEARCH_RANGE),
            start.names,
            model.max_iter,
            model.n_restarts,
            model.rng,
            model.progress,
            held=period_places(start.kernel),
        )

    def settled(self, hyper):
        """(prior, Approximation) of these hyper-parameters: those seen when they were the best so far, or new ones.

        Raises ValueError where there is no posterior; warns where the sites do not come to rest, or rounding is felt.
        """
        if not len(self.observations.y):
            prior = self.model._prior(self.observations, hyper)
            return prior, prior_alone(prior, hyper.likelihood)
        seen = self._best[1]
        try:
            known = seen is not None and np.array_equal(seen[0].theta, hyper.theta)
            prior, found = seen[1:] if known else self.infer(hyper)
        except np.linalg.LinAlgError as error:
            named = ", ".join(f"{name} {value:.4g}" for name, value in zip(hyper.names, hyper.theta, strict=True))
            raise ValueError(
                f"inference {self.model.inference!r} finds no posterior ({error}) at the logarithms {named}; choose "
                "other parameters, or another inference."
            ) from None
        warn_of_fit(self.model, self.observations, hyper, prior, found)
        return prior, found

    def infer(self, hyper):
        """(prior, Approximation) of these hyper-parameters; LinAlgError where there is no posterior."""
        prior, found = self._warm_started(hyper) or self.model._infer(self.observations, hyper)
        self._nearby = found if found.converged and hyper.likelihood.log_concave else None
        self._last = hyper, prior, found
        return prior, found

    def _warm_started(self, hyper):
        """The same, reached from the last hyper-parameters' sites; None if they do not come to rest from there."""
        if self._nearby is None:
            return None
        try:
            prior, found = self.model._infer(self.observations, hyper, self._nearby)
        except np.linalg.LinAlgError:
            return None
        return (prior, found) if found.converged else None

    def approximated(self, hyper):
        """log evidence of the approximation, and its gradient.

        Raises LinAlgError where there is no posterior, or EP does not come to rest.
        """
        prior, found = self.infer(hyper)
        if self.rule is expectation_propagation and not found.converged:
            raise np.linalg.LinAlgError(  # then its evidence means nothing
                'EP does not come to rest; inference="variational" may'
            )
        gradient, moves = prior.gradient(found, hyper.learn_inducing)
        return found.log_evidence, np.concatenate([gradient, found.likelihood_gradient, moves])

    def in_place(self, hyper):
        """The same for Gaussian answers to items: those to an item act as one, what they scatter round it is apart."""
        y, item = self.observations.y, self.observations.views.plus
        likelihood = self.observations.likelihood_for(hyper.likelihood)
        tau, nu = gaussian_sites(y, likelihood)
        total, weighted = np.bincount(item, tau), np.bincount(item, nu)
        evidence, gradient, mean, variance = evidence_in_place(hyper.kernel, self.observations.X, total, weighted)
        z = nu / tau
        apart = likelihood.log_density(y, z).sum() - 0.5 * tau @ (z - (weighted / total)[item]) ** 2
        evidence += apart - 0.5 * np.log(total / (2.0 * np.pi)).sum()
        slopes = likelihood.total_parameter_gradient(y, mean[item], variance[item])
        return evidence, np.concatenate([gradient, slopes])
