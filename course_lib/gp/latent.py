"""One latent function behind answers of any kind: the model of which all others are special cases.

It is three choices, which `LatentGP._infer` makes: a prior of f at the items; a likelihood p(y_k | g_k), where each
answer sees f through one number g_k = a_kᵀ f; and a rule that puts a Gaussian site in the place of each likelihood.

Lecture: 05, sections 4 and 5; 06, sections 2 and 7; 07, section 5; 09, section 7; 10, section 4.
"""

from collections.abc import Callable, Sequence
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator

from course_lib import threads, validation
from course_lib.gp.averaging import averaged, few_draws, mixed_moments, width_error
from course_lib.gp.evidence import Evidence, Hyperparameters
from course_lib.gp.fit_warnings import warn_of_size
from course_lib.gp.inducing import InducingPrior, inducing_inputs
from course_lib.gp.inference import INFERENCE_RULES, SPARSE_RULES
from course_lib.gp.items import Items, asked_of
from course_lib.gp.kernel_algebra import Kernel
from course_lib.gp.kernel_prior import KernelPrior, among
from course_lib.gp.likelihoods import Likelihood
from course_lib.gp.observations import Block, ObservationMatrix, as_observations
from course_lib.gp.optimize import SearchSettings
from course_lib.gp.questions import AnswerQueriesMixin, PosteriorQueriesMixin
from course_lib.gp.scales import warn_of_scales
from course_lib.gp.slice_sampling import DRAWS_OF_A_MODEL, draws_of_members
from course_lib.gp.starts import at_periods, typical_kernels
from course_lib.kinds import Rng
from course_lib.settings import KW_ONLY, settings

MAX_JOINT_ITEMS = 1000, 400  # whose joint moments are kept, of a fit and of an averaged model
MAX_DRAWN_ITEMS = 5000  # whose draws are kept: 4000 draws × 5000 items × 8 bytes are 160 MB


@settings
class LatentGP(PosteriorQueriesMixin, AnswerQueriesMixin, SearchSettings, BaseEstimator):
    """f ~ GP(0, k), answers to scalar views of f, and a rule for their Gaussian sites.

    kernel : Kernel, where the search begins; None: see `typical_kernels`. Periods are also sought at peaks of the
        periodogram, see `at_periods`
    inference : "exact" (Gaussian noise only), "laplace", "ep", "variational", "fitc" (Gaussian, inducing inputs), or a
        rule (prior, y, likelihood, start) → Approximation
    inducing : None, or for "variational", "fitc" and custom rules: inducing inputs (M, D), or their number M
    learn_inducing : whether to move them as well
    space : "response" (m × m matrices), "item" (n × n) or "auto" (the smaller); the posterior is the same
    optimize, n_restarts, rng, max_iter, progress : as for `SearchSettings`

    Source: Nielsen (2015), chapter 2; special cases: Wong et al. (2023), Gil González et al. (2019), Wu et al. (2025).

    >>> from course_lib.gp import LatentGP, Probit, SquaredExponential, differences, values
    >>> choice = differences([[0.0], [2.0]], [[0, 1]], [1], Probit())  # the second is preferred
    >>> model = LatentGP(SquaredExponential(), optimize=False).fit([values([[0.0], [1.0]], [0.1, 0.9]), choice])
    >>> model.predict_latent([[2.0]])[0].round(2)
    array([0.64])
    """

    _: KW_ONLY
    inference: str | Callable = "laplace"
    inducing: np.ndarray | int | None = None
    learn_inducing: bool = False
    space: str = "auto"

    _joint = None  # of an averaged model: the moments of its items, once they are known
    _drawn = None  # draws from the posterior, once they were asked for

    def _infer(self, observations, hyper, start=None):
        """(prior, Approximation): the posterior of known hyper-parameters, by the three choices of the model."""
        prior = self._prior(observations, hyper)  # f ~ N(0, K) at the items, and the views g = A f
        likelihood = observations.likelihood_for(hyper.likelihood)  # p(y_k | g_k)
        return prior, self._rule(prior, observations.y, likelihood, start=start)  # a Gaussian site for each answer

    def _prior(self, observations, hyper):
        """The prior of the items, or of the inducing values; views may have one of their own."""
        X, views = observations.X, observations.views
        if hyper.inducing is not None:
            return InducingPrior(hyper.kernel, X, views, hyper.inducing, hyper.learn_inducing)
        return getattr(views, "prior", KernelPrior)(hyper.kernel, X, views, self.space)

    @property
    def _rule(self):
        """How sites are chosen."""
        return self.inference if callable(self.inference) else INFERENCE_RULES[self.inference]

    def fit(self, blocks: Block | Sequence[Block], kernels: Sequence[Kernel] | None = None) -> Self:
        """Learn from `values(…)`, `differences(…)`, or a list of them; or from Observations, whose rows are the items.

        With no answer, or only one, nothing is learned: kernel and likelihood stay as they are.

        blocks : as above
        kernels : None, or a list of kernels of one form, from each of which a search begins, in place of `kernel`

        Sets
        ----
        kernel_, likelihood_ : with the learned parameters;  inducing_ : (M, D) inducing inputs, or None
        log_evidence_ : log p(y) of this kernel and likelihood, or what the rule has for it
        log_posterior_ : the same plus the log density of the priors: what was climbed
        approximation_ : Approximation;  prior_ : Prior;  observations_ : Observations
        converged_ : whether both the search and the sites came to rest;  n_iter_ : rounds of L-BFGS
        at_limit_ : names of parameters that ended at a limit of the search, as "kernel lengthscale[1] (greatest)": the
            data do not bound them; there is a warning only if the evidence still rises there
        jitter_ : what was added to the diagonal of the kernel matrix; with inducing inputs, directions of their prior
            with less variance than this were dropped as rounding errors; 0 if nothing was added or dropped
        members_, shares_ : () after a fit; of an averaged model (`averaged`) its members, and their shares
        """
        self.__dict__.update(self._learned(blocks, kernels))  # all at once, after all that may fail
        return self

    def _learned(self, blocks, kernels):
        """The fitted attributes, by name."""
        kernels, observations = self._check_settings(kernels), as_observations(blocks)
        kernels = kernels or typical_kernels(observations)
        kernels[0].inputs(observations.X)  # says what is wrong with them before the search begins
        kernels = at_periods(kernels, observations) if self.optimize else kernels
        observations = kernels[0].observed(observations)
        warn_of_scales(kernels[0], observations.X)
        inducing = None if self.inducing is None else inducing_inputs(self.inducing, observations.X, self.rng)
        if inducing is not None:
            kernels[0].inputs(inducing, "inducing")  # a centre of clusters may be no valid input, such as person 2.5
        starts = [Hyperparameters(k, observations.likelihood, inducing, self.learn_inducing) for k in kernels]
        evidence = Evidence(self, observations)
        warn_of_size(evidence, starts[0])
        with _few_threads(observations, inducing):
            found = evidence.highest(starts)
            hyper = starts[0].with_theta(found.theta)
            prior, approximation = evidence.settled(hyper)
        return {
            "kernel_": hyper.kernel,
            "likelihood_": hyper.likelihood,
            "inducing_": hyper.inducing,
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
            "members_": (),
            "shares_": (),
            "_drawn": None,
            "_start": np.mean([start.theta for start in starts], axis=0),
        }

    def _check_settings(self, kernels):
        """The kernels with which searches begin, if there are any, and no setting is what it should not be."""
        if not callable(self.inference):
            validation.one_of(self.inference, tuple(INFERENCE_RULES), "inference")
        sparse = callable(self.inference) or self.inference in SPARSE_RULES
        validation.one_of(self.space, ("auto", "response", "item"), "space")
        for name in ("learn_inducing", "optimize", "progress"):
            validation.flag(getattr(self, name), name)
        validation.generator(self.rng)
        validation.integer(self.max_iter, "max_iter")
        validation.integer(self.n_restarts, "n_restarts", least=0)
        if (self.inducing is not None and not sparse) or (self.inducing is None and self.inference == "fitc"):
            raise ValueError(
                f"inference is {self.inference!r} and inducing is {self.inducing!r}; inducing inputs go with "
                f"{' and '.join(map(repr, SPARSE_RULES))}, and 'fitc' needs them."
            )
        if self.learn_inducing and self.inducing is None:
            raise ValueError("learn_inducing is True, but inducing is None: there are no inducing inputs to move.")
        if self.kernel is not None:
            validation.instance(self.kernel, Kernel, "kernel", "a Kernel such as SquaredExponential()")
        if kernels is None:
            return [] if self.kernel is None else [self.kernel]
        fits = isinstance(kernels, list) and kernels and all(isinstance(kernel, Kernel) for kernel in kernels)
        if not fits or len({_form(kernel) for kernel in kernels}) > 1:
            raise ValueError(f"kernels is {kernels!r}; a list of kernels of one form is needed, at least one.")
        return kernels

    def _hyperparameters(self):
        """The learned Hyperparameters; NotFittedError before a fit."""
        validation.fitted(self, "kernel_", "likelihood_", "approximation_")
        return Hyperparameters(self.kernel_, self.likelihood_, self.inducing_, self.learn_inducing)

    def evidence_at(self, theta: ArrayLike) -> tuple[float, NDArray]:
        """log evidence + log prior at other parameters, and its gradient; the model stays as it is.

        theta : (P,) `kernel_.theta`, then `likelihood_.theta`, then the inducing inputs if these are learned
        Returns (float, (P,) array).
        """
        hyper = self._hyperparameters().with_theta(theta)
        with _few_threads(self.observations_, self.inducing_):
            return Evidence(self, self.observations_)(hyper)

    def known_curvature(self, theta: ArrayLike) -> tuple[tuple, NDArray | None]:
        """(places in θ, block of the curvature there), where the likelihood has it in closed form; else ((), None)."""
        hyper = self._hyperparameters().with_theta(theta)

        def covariance():
            return self._infer(self.observations_, hyper)[1].posterior.covariance

        block = hyper.likelihood.evidence_curvature(self.observations_.views, covariance)
        first = hyper.kernel.n_free
        return ((), None) if block is None else (np.arange(first, first + len(block)), block)

    def averaged(self, size: int | None = None, rng: Rng = None) -> Self:
        """This model with hyper-parameters that are averaged over: its intervals are wider than if they were known.

        A fit takes the learned parameters as known, so that intervals are too narrow where answers are few; where it
        learned a variance of 0 they have no width at all. Here f has the mean and covariance of a mixture of models,
        whose parameters are drawn from what the answers say of them, and weighed (see `Drawn`, also for what is
        believed of a parameter without a prior). kernel_, approximation_ and evidence stay those of the fit; a
        Gaussian noise is the root mean square of those drawn, and a signed parameter beside it their mean. 1 / Σ
        shares_² is the effective number of members; where it is small, the variance between them is taken larger, as
        `few_draws` says.

        size : number of models, even, as they are drawn in mirrored pairs; each costs one step of the search. None
            takes 256, or 64 for more than 250 items (and raters with biases), to save memory. `averaging_error_` says
            how far half-widths may be off; with the default, those of two seeds agree within a few per cent
        rng : numpy Generator or seed

        Source: Rasmussen & Williams (2006), section 5.2.
        """
        self._hyperparameters()
        with _few_threads(self.observations_, self.inducing_):
            return averaged(self, size, rng)

    @property
    def averaging_error_(self):
        """Monte Carlo standard error of the standard deviations of f at the items, as a fraction; 0 for a fit."""
        self._hyperparameters()
        if not self.members_:
            return 0.0
        X = self.observations_.X
        parts = [member._moments(X, np.arange(len(X)), False) for member in self.members_]
        return width_error(self.shares_, *map(np.array, zip(*parts, strict=True)))

    def _mixed(self, moments, covariances):
        """Moments of this model or, if it is an average, of the mixture of its members, widened if these are few.

        moments : LatentGP → mean (q,), and standard deviation (q,) or covariance (q, q)
        """
        if not self.members_:
            return moments(self)
        with _few_threads(self.observations_, self.inducing_):
            parts = [moments(member) for member in self.members_]
            return mixed_moments(self.shares_, parts, covariances, few_draws(self.shares_))

    @property
    def items_(self):
        """Items of the fit, one for each row of X given to it; rows of equal inputs are one item."""
        self._hyperparameters()
        rows, _ = self.observations_.given
        return Items(rows, np.arange(len(rows)))

    def item_moments(self):
        """Mean (n,) and covariance (n, n) of f at the items of the fit, in the order of `observations_`."""
        self._hyperparameters()
        if self.members_:
            if self._joint is None:  # asked for again and again, such as for each rater
                self._joint = self._mixed(LatentGP.item_moments, True)
            return self._joint
        if self.inducing_ is not None:
            X = self.observations_.X
            return self._moments(X, np.arange(len(X)), True)
        posterior = self.approximation_.posterior
        return posterior.mean, posterior.covariance

    def predict_latent(self, X_new: ArrayLike, return_cov: bool = False) -> tuple[NDArray, NDArray]:
        """f at inputs X_new, and how certain it is.

        X_new : (q, D), a new item in each row, even if its inputs are those of an item of the fit; or items of the
            fit, such as `items_[[0, 3]]`, see `Items`
        return_cov : whether to return the covariance instead of standard deviations
        Returns mean (q,), and standard deviation (q,) or covariance (q, q).
        """
        asked, return_cov = asked_of(X_new, self.items_), validation.flag(return_cov, "return_cov")
        X_new, item = self.kernel_.inputs(asked.X, "X_new"), asked.numbers(self.observations_.given[1])
        if self._keeps_joint and among(self.observations_.X, item).all():
            mean, cov = self.item_moments()
            return mean[item], cov[np.ix_(item, item)] if return_cov else np.sqrt(cov.diagonal()[item])
        return self._mixed(lambda model: model._moments(X_new, item, return_cov), return_cov)

    @property
    def _keeps_joint(self):
        """Whether the joint moments of the items are at hand."""
        fit, most = self.observations_, MAX_JOINT_ITEMS[bool(self.members_)]
        return len(fit.X) <= most and self.inducing_ is None and isinstance(fit.views, ObservationMatrix)

    def _moments(self, X_new, item, return_cov):
        """predict_latent of checked inputs, whose items have these numbers, by one posterior."""
        posterior = self.approximation_.posterior
        if return_cov:
            return self.prior_.predict_covariance(posterior, X_new, item)
        mean, variance = self.prior_.predict(posterior, X_new, item)
        return mean, np.sqrt(variance)

    def draws(self, X_new: ArrayLike) -> list[tuple[Likelihood, NDArray]]:
        """[(Likelihood, (k, q) draws of f at X_new, as for predict_latent)] of each model that has a share.

        Draws are from each model's own posterior and not from its Gaussian, see `posterior_draws`. Exception: with
        inducing inputs, or thousands of items, they are from the Gaussian of the fit or average, in one pair. A fit is
        one model; the members of an average give draws in proportion to their shares.
        """
        asked, rng = asked_of(X_new, self.items_), np.random.default_rng(0)
        if self.inducing_ is not None or len(self.observations_.X) > MAX_DRAWN_ITEMS:
            return [(self.likelihood_, self.sample(asked, DRAWS_OF_A_MODEL, rng))]
        X_new, item = self.kernel_.inputs(asked.X, "X_new"), asked.numbers(self.observations_.given[1])
        with _few_threads(self.observations_, None):
            if self._drawn is None:  # kept for all questions
                self._drawn = draws_of_members(self)
            return [(one, prior.draws_at(f, X_new, item, rng).T) for one, prior, f in self._drawn]


def _form(kernel):
    """What kernels have in common whose parameters can stand for each other's."""
    return type(kernel), tuple(kernel.names), *map(_form, kernel.children)


def _few_threads(observations, inducing):
    """A context for the matrices of these items."""
    n = len(observations.X)
    return threads.as_many_as_help(n, n if inducing is None else len(inducing))
