"""One latent function behind responses of any kind: the model that all others are special cases of.

Lecture: 05, sections 4 and 5; 06, sections 2 and 7; 07, section 5; 09, section 7; 10, section 4.
"""

import copy
from collections.abc import Callable

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.exceptions import ConvergenceWarning

from course_lib import threads, validation
from course_lib.gp.averaging import DRAWS, FEWER_DRAWS, MANY_ITEMS, Drawn, few_draws, mixed_moments, width_error
from course_lib.gp.evidence import Evidence, Hyperparameters
from course_lib.gp.inducing import inducing_inputs
from course_lib.gp.inference.approximation import Approximation
from course_lib.gp.inference.ep import EvidenceWarning, evidence_correction, expectation_propagation
from course_lib.gp.inference.exact import exact_inference
from course_lib.gp.inference.laplace import laplace_highest
from course_lib.gp.inference.sparse import fitc
from course_lib.gp.inference.variational import variational_inference
from course_lib.gp.items import Items, asked_of
from course_lib.gp.kernel_algebra import Kernel
from course_lib.gp.kernel_prior import among
from course_lib.gp.kernels import SquaredExponential
from course_lib.gp.likelihoods import Gaussian
from course_lib.gp.likelihoods.mixed import BlockLikelihood
from course_lib.gp.observations import Block, ObservationMatrix, Observations, stack
from course_lib.gp.optimize import RANGE, Found, climb
from course_lib.gp.periodogram import period_places, period_starts
from course_lib.gp.questions import PosteriorQueriesMixin
from course_lib.gp.scales import warn_of_scales
from course_lib.gp.sites import ItemPosterior
from course_lib.gp.slice_sampling import CHAINS, STEPS, TOGETHER, posterior_draws
from course_lib.settings import KW_ONLY, settings

MOST_JOINT = 1000, 400  # items of which the joint moments are kept, of a fit and of an averaged model
MAX_DRAWN_ITEMS = 5000  # of whom draws are kept: 4000 of each take 160 MB
ROUNDED = 1e-7  # of the mean standard deviation: what rounding may move means by, without a warning
LOST_DIGITS = 0.01  # nats by which rounding may move the evidence, without a warning
CONTRADICTED = 30.0  # times their noise that answers lie beside the model (root mean square)
EVIDENCE_OFF = 0.1  # nats by which EP's evidence is off, by its own estimate, from where on that is said
LARGE = 4.0  # GB: a fit that needs more says so before it begins
MATRICES = 10  # of all items by all items that a fit has at once, about
RULES = {
    "exact": exact_inference,
    "laplace": laplace_highest,
    "ep": expectation_propagation,
    "variational": variational_inference,
    "fitc": fitc,
}
SPARSE = ("variational", "fitc")  # those that know inducing inputs


class LargeFitWarning(UserWarning):
    """A fit needs more than `LARGE` GB of memory; said before it begins."""


@settings
class SearchSettings:
    """Kernel and search, settings of all models with a latent GP; see `LatentGP`."""

    kernel: Kernel | None = None
    _: KW_ONLY
    optimize: bool = True
    n_restarts: int = 0
    rng: np.random.Generator | int | None = None
    max_iter: int = 200
    progress: bool = False


@settings
class LatentGP(PosteriorQueriesMixin, SearchSettings, BaseEstimator):
    """f ~ GP(0, k), answers to scalar views of f, and a rule for their Gaussian sites.

    With no answer, or only one, nothing is learned: kernel and likelihood stay as they are.

    Parameters
    ----------
    kernel : Kernel; None takes SquaredExponential, whose search begins at the spread of the items' answers, if these
        are Gaussian values, and twice: at a quarter of the typical distance of two items, and at the whole of it. The
        period of a kernel is sought from where it is and, if answers are to items, from peaks of their periodogram
    inference : "exact" (Gaussian noise only), "laplace", "ep", "variational", "fitc" (Gaussian, inducing inputs), or a
        rule (prior, y, likelihood, start) → Approximation
    inducing : None, or for "variational", "fitc" and rules of one's own: inducing inputs (M, D), or their number M
    learn_inducing : whether to move them as well
    optimize : whether to learn the hyper-parameters; those with a prior are learned by MAP-II, the others by ML-II
    n_restarts : further random starts of that search
    rng : numpy Generator or seed, for the restarts;  max_iter : rounds of L-BFGS for each start
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
    jitter_ : what was added to the diagonal of the kernel matrix; with inducing inputs, the variance from where on
        what they tell is left out, as rounding: 0 where they tell nothing so faint
    members_, shares_ : () after a fit; of an averaged model (`averaged`) those that it is the average of, and their
        shares

    Source: Nielsen (2015), chapter 2; special cases: Wong et al. (2023), Gil González et al. (2019), Wu et al. (2025).
    """

    _: KW_ONLY
    inference: str | Callable = "laplace"
    inducing: np.ndarray | int | None = None
    learn_inducing: bool = False
    space: str = "auto"

    _joint = None  # of an averaged model: the moments of its items, once they are known
    _drawn = None  # of any: draws from the posterior, once they were asked for

    def fit(self, blocks, kernels=None):
        """Learn from `values(…)`, `differences(…)`, or a list of them; or from Observations, whose rows are the items.

        blocks : as above
        kernels : None, or a list of kernels of one form, from each of which a search begins, in place of `kernel`
        """
        self.__dict__.update(self._learned(blocks, kernels))  # all at once, after all that may fail
        return self

    def _learned(self, blocks, kernels):
        """The fitted attributes, by name."""
        kernels = self._check_settings(kernels)
        observations = _observed(blocks)
        kernels = kernels or typical_kernels(observations)
        kernels[0].inputs(observations.X)  # says what is wrong with them before the search begins
        kernels = _at_periods(kernels, observations) if self.optimize else kernels
        observations = kernels[0].observed(observations)
        warn_of_scales(kernels[0], observations.X)
        inducing = None if self.inducing is None else inducing_inputs(self.inducing, observations.X, self.rng)
        if inducing is not None:
            kernels[0].inputs(inducing, "inducing")  # centres of clusters may be no inputs, such as half a person
        starts = [Hyperparameters(k, observations.likelihood, inducing, self.learn_inducing) for k in kernels]
        evidence = Evidence(observations, self._rule(), self.space)
        _warn_of_size(evidence, starts[0])
        with _few_threads(observations, inducing):
            found = self._search(evidence, starts)
            hyper = starts[0].with_theta(found.theta)
            prior, approximation = self._settle(evidence, hyper)
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

    def _search(self, evidence, starts):
        """Found: the best hyper-parameters from these starts, or the first itself if nothing is to be learned."""
        start = starts[0]
        if not (self.optimize and len(start.theta)) or evidence.observations.n_answers < 2:
            return Found(start.theta, -np.inf, np.zeros(len(start.theta)), True, 0, "nothing to learn")
        return climb(
            lambda theta: evidence(start.with_theta(theta)),
            [each.theta for each in starts],
            start.limits(evidence.observations.X, RANGE),
            start.names,
            self.max_iter,
            self.n_restarts,
            self.rng,
            self.progress,
            held=period_places(start.kernel),
        )

    def _settle(self, evidence, hyper):
        """(prior, Approximation) of these hyper-parameters, with a warning if the sites do not come to rest."""
        if not len(evidence.observations.y):
            prior = evidence.prior(hyper)
            return prior, _prior_alone(prior, hyper.likelihood)
        try:
            prior, found = evidence.posterior_at(hyper)
        except np.linalg.LinAlgError as error:
            named = ", ".join(f"{name} {value:.4g}" for name, value in zip(hyper.names, hyper.theta, strict=True))
            raise ValueError(
                f"inference {self.inference!r} finds no posterior ({error}) at the logarithms {named}; choose other "
                "parameters, or another inference."
            ) from None
        if not found.converged:
            validation.warn(
                f"inference {self.inference!r} did not come to rest: evidence and predictions may be far off; "
                "try another inference, or other starting values.",
                ConvergenceWarning,
            )
        if hyper.inducing is not None:
            prior._warn_of_loss(found)
        _warn_of_lost_digits(prior, found, 0.0 if hyper.inducing is not None else prior.jitter)
        _warn_of_rounding(prior, found)
        if self._rule() is expectation_propagation and found.converged and hyper.inducing is None:
            seen = evidence.observations
            _warn_of_evidence(seen.y, prior, seen.likelihood_for(hyper.likelihood), found)
        return prior, found

    def _rule(self):
        """How sites are chosen."""
        return self.inference if callable(self.inference) else RULES[self.inference]

    def _check_settings(self, kernels):
        """The kernels with which searches begin, if there are any, and no setting is what it should not be."""
        if not callable(self.inference):
            validation.one_of(self.inference, tuple(RULES), "inference")
        sparse = callable(self.inference) or self.inference in SPARSE
        validation.one_of(self.space, ("auto", "response", "item"), "space")
        for name in ("learn_inducing", "optimize", "progress"):
            validation.flag(getattr(self, name), name)
        validation.generator(self.rng)
        validation.whole(self.max_iter, "max_iter")
        validation.whole(self.n_restarts, "n_restarts", least=0)
        if (self.inducing is not None and not sparse) or (self.inducing is None and self.inference == "fitc"):
            raise ValueError(
                f"inference is {self.inference!r} and inducing is {self.inducing!r}; inducing inputs go with "
                f"{' and '.join(map(repr, SPARSE))}, and 'fitc' needs them."
            )
        if self.learn_inducing and self.inducing is None:
            raise ValueError("learn_inducing is True, but inducing is None: there are no inducing inputs to move.")
        if self.kernel is not None:
            validation.instance(self.kernel, Kernel, "kernel", "a Kernel such as SquaredExponential()")
        if kernels is None:
            return [] if self.kernel is None else [self.kernel]
        fits = isinstance(kernels, list) and kernels and all(isinstance(kernel, Kernel) for kernel in kernels)
        if not fits or len({tuple(kernel.names) for kernel in kernels}) > 1:
            raise ValueError(f"kernels is {kernels!r}; a list of kernels of one form is needed, at least one.")
        return kernels

    def evidence_at(self, theta):
        """log evidence + log prior at other parameters, and its gradient; the model stays as it is.

        theta : (P,) `kernel_.theta`, then `likelihood_.theta`, then the inducing inputs if these are learned
        Returns (float, (P,) array).
        """
        hyper = self._fitted().with_theta(theta)
        with _few_threads(self.observations_, self.inducing_):
            return Evidence(self.observations_, self._rule(), self.space)(hyper)

    def known_curvature(self, theta):
        """(places in θ, block) of the curvature of evidence and priors that the likelihood knows; ((), None): none."""
        hyper = self._fitted().with_theta(theta)

        def covariance():
            _, found = Evidence(self.observations_, self._rule(), self.space).infer(hyper)
            return found.posterior.covariance

        block = hyper.likelihood.evidence_curvature(self.observations_.views, covariance)
        first = hyper.kernel.n_free
        return ((), None) if block is None else (np.arange(first, first + len(block)), block)

    def averaged(self, size=None, rng=None):
        """This model with hyper-parameters that are averaged over: its intervals are wider than if they were known.

        A fit takes the learned parameters as known, so that intervals are too narrow where answers are few; where it
        learned a variance of 0 they have no width at all. Here f has the mean and covariance of a mixture of models,
        whose parameters are drawn from what the answers say of them, and weighed (see `Drawn`). A parameter without a
        prior is believed to be anything up to about ten times that with which the search began; a lengthscale, down to
        about a tenth: begin in the unit of the data. kernel_, approximation_ and evidence stay those of the fit; a
        Gaussian noise is the root mean square of those drawn, and a signed parameter beside it their mean. 1 / Σ
        shares_² says how many members count; where they are few, the variance between them is taken larger, as
        `few_draws` says.

        size : how many models, even; each costs as much as one step of the search. None takes 256, and 64 of more than
            250 items (and raters with biases), of which each has much to keep. `averaging_error_` says how far
            half-widths may be off by their number; with the default, those of two seeds are within a few per cent
        rng : numpy Generator or seed

        Source: Rasmussen & Williams (2006), section 5.2.
        """
        hyper, evidence = self._fitted(), Evidence(self.observations_, self._rule(), self.space)
        with _few_threads(self.observations_, self.inducing_):
            size = (DRAWS if len(self.observations_.X) <= MANY_ITEMS else FEWER_DRAWS) if size is None else size
            height_at = lambda theta: evidence(hyper.with_theta(theta))  # noqa: E731
            drawn = Drawn(hyper, self._start, height_at, size, rng, self.known_curvature)
            found = [self._at(hyper.with_theta(theta), evidence) for theta in drawn.theta]
        shares = drawn.shares(np.array([height for _, height in found]))
        changed = copy.copy(self)
        changed.members_ = tuple(found[k][0] for k in np.flatnonzero(shares))
        changed.shares_, changed._joint, changed._drawn = shares[shares > 0], None, None
        if hyper.likelihood.is_gaussian:
            drawn = np.array([member.likelihood_.theta for member in changed.members_])
            changed.likelihood_ = hyper.likelihood.with_theta(
                _root_mean_square(changed.shares_, drawn, hyper.likelihood.are_logarithms)
            )
        return changed

    def _at(self, hyper, evidence):
        """(this model with other hyper-parameters, their log evidence and log prior), or (None, −inf)."""
        changed = copy.copy(self)
        changed.kernel_, changed.likelihood_, changed.inducing_ = hyper.kernel, hyper.likelihood, hyper.inducing
        try:
            found = evidence.infer(hyper)
        except np.linalg.LinAlgError:
            return None, -np.inf
        changed.prior_, changed.approximation_ = found
        return changed, changed.approximation_.log_evidence + hyper.log_prior()[0]

    def item_moments(self):
        """Mean (n,) and covariance (n, n) of f at the items of the fit, in the order of `observations_`."""
        self._fitted()
        if self.members_:
            if self._joint is None:  # asked for again and again, such as for each rater
                with _few_threads(self.observations_, self.inducing_):
                    self._joint = self._mixed([member.item_moments() for member in self.members_], True)
            return self._joint
        if self.inducing_ is not None:
            X = self.observations_.X
            return self._moments(X, np.arange(len(X)), True)
        posterior = self.approximation_.posterior
        return posterior.mean, posterior.covariance

    @property
    def averaging_error_(self):
        """Share by which stds of f at the items may be off as `averaged` draws, one standard error; 0 of a fit."""
        self._fitted()
        if not self.members_:
            return 0.0
        X, shares = self.observations_.X, self.shares_
        parts = [member._moments(X, np.arange(len(X)), False) for member in self.members_]
        return width_error(shares, *map(np.array, zip(*parts, strict=True)))

    def _mixed(self, parts, covariances):
        """The members' moments as one, as wide as draws of this number want it."""
        return mixed_moments(self.shares_, parts, covariances, few_draws(self.shares_))

    def draws(self, X_new):
        """[(Likelihood, (k, q) draws of f at X_new, as for predict_latent)] of each model that has a share.

        Draws are from each model's own posterior and not from its Gaussian, see `posterior_draws`; but from that where
        there are inducing inputs, or thousands of items. A fit is one model; of an averaged one each gives draws by
        its share.
        """
        asked, rng = asked_of(X_new, self.items_), np.random.default_rng(0)
        if self.inducing_ is not None or len(self.observations_.X) > MAX_DRAWN_ITEMS:
            return [(self.likelihood_, self.sample(asked, STEPS * CHAINS, rng))]
        X_new, item = self.kernel_.inputs(asked.X, "X_new"), asked.numbers(self.observations_.given[1])
        with _few_threads(self.observations_, None):
            return [(one, prior.draws_at(f, X_new, item, rng).T) for one, prior, f in self._drawn_members()]

    def _drawn_members(self):
        """[(likelihood, prior, (n, k) draws of f at the rows of `observations_`)], kept for all questions."""
        if self._drawn is None:
            rng, seen = np.random.default_rng(0), self.observations_
            members, shares = (self.members_, self.shares_) if self.members_ else ((self,), np.ones(1))
            chains = TOGETHER * np.diff(np.round(CHAINS // TOGETHER * np.cumsum([0.0, *shares]))).astype(int)
            found = []
            for one, k in zip(members, chains, strict=True):
                if k:
                    likelihood, posterior = seen.likelihood_for(one.likelihood_), one.approximation_.posterior
                    drawn = posterior_draws(one.prior_, posterior, seen.y, likelihood, k, rng)
                    found.append((one.likelihood_, one.prior_, drawn))
            self._drawn = found
        return self._drawn

    def _fitted(self):
        validation.fitted(self, "kernel_", "likelihood_", "approximation_")
        return Hyperparameters(self.kernel_, self.likelihood_, self.inducing_, self.learn_inducing)

    @property
    def items_(self):
        """Items of the fit, one for each row of X; rows of equal inputs are one and the same."""
        self._fitted()
        rows, _ = self.observations_.given
        return Items(rows, np.arange(len(rows)))

    def predict_latent(self, X_new, return_cov=False):
        """f at inputs X_new, and how certain it is.

        X_new : (q, D), a new item in each row; or items of the fit, such as `items_[[0, 3]]`, see `Items`
        return_cov : whether to return the covariance instead of standard deviations
        Returns mean (q,), and standard deviation (q,) or covariance (q, q).
        """
        asked, return_cov = asked_of(X_new, self.items_), validation.flag(return_cov, "return_cov")
        X_new, item = self.kernel_.inputs(asked.X, "X_new"), asked.numbers(self.observations_.given[1])
        if self._keeps_joint and among(self.observations_.X, item).all():
            mean, cov = self.item_moments()
            return mean[item], cov[np.ix_(item, item)] if return_cov else np.sqrt(cov.diagonal()[item])
        if not self.members_:
            return self._moments(X_new, item, return_cov)
        with _few_threads(self.observations_, self.inducing_):
            return self._mixed([member._moments(X_new, item, return_cov) for member in self.members_], return_cov)

    @property
    def _keeps_joint(self):
        """Whether the joint moments of the items are at hand."""
        fit, most = self.observations_, MOST_JOINT[bool(self.members_)]
        return len(fit.X) <= most and self.inducing_ is None and isinstance(fit.views, ObservationMatrix)

    def _moments(self, X_new, item, return_cov):
        """predict_latent of checked inputs, whose items have these numbers, by one posterior."""
        posterior = self.approximation_.posterior
        if return_cov:
            return self.prior_.predict_covariance(posterior, X_new, item)
        mean, variance = self.prior_.predict(posterior, X_new, item)
        return mean, np.sqrt(variance)

    def predict(self, X_new, pairs=None, return_std=False, block=0):
        """The expected answer; with `return_std` also the standard deviation of that expectation.

        X_new : as for predict_latent
        pairs : None for a block of values; for one of differences (m, 2) pairs (a, b) of rows of X_new
        block : whose answers, counted as in `fit`
        Returns (q,) or (m,); with return_std two of them.
        """
        return_std = validation.flag(return_std, "return_std")
        likelihood, mean, variance = self._view(X_new, pairs, block)
        expected, spread = likelihood.predict_mean(mean, variance)
        return (expected, np.sqrt(spread)) if return_std else expected

    def predict_answer(self, X_new, pairs=None, block=0):
        """(mean, standard deviation) of the next answer, with the noise of giving it. Arguments as predict.

        Source: Nielsen (2015), eq. 2.62.
        """
        likelihood, mean, variance = self._view(X_new, pairs, block)
        expected, spread = likelihood.predict(mean, variance)
        return expected, np.sqrt(spread)

    def answer_interval(self, X_new, pairs=None, confidence=0.9, block=0):
        """(low, high): the next answer lies below, between and above with (1 − confidence)/2, confidence and the rest.

        Arguments as predict. It never leaves the scale.
        """
        tail = 0.5 - 0.5 * validation.between(confidence, "confidence", 0, 1)
        likelihood, mean, variance = self._view(X_new, pairs, block)
        return likelihood.quantile(tail, mean, variance), likelihood.quantile(1.0 - tail, mean, variance)

    def predict_preference(self, X_new, pairs, block=0):
        """(m,) probability that the next answer to a pair (a, b) is for b, among those for one of the two.

        Source: Nielsen (2015), eqs. 2.52 and 2.68, whose limit for ν → ∞ has no 2σ².
        """
        likelihood, mean, variance = self._view(X_new, pairs, block)
        return likelihood.probability_above(mean, variance)

    def log_predictive_density(self, X_new, y_new, pairs=None, block=0):
        """(q,) or (m,) log p(y_new | all answers). Arguments as predict. Source: Nielsen (2015), eq. 2.38."""
        likelihood, mean, variance = self._view(X_new, pairs, block)
        y_new = validation.real_array(y_new, "y_new")
        if y_new.shape != mean.shape:
            raise ValueError(
                f"y_new has {y_new.size} answers (shape {y_new.shape}) and {'X_new' if pairs is None else 'pairs'} "
                f"{len(mean)} rows; they must agree."
            )
        try:
            y_new = likelihood.check(y_new)
        except ValueError as error:
            raise ValueError(f"y_new: {error}") from None
        return likelihood.log_predictive_density(y_new, mean, variance)

    def _view(self, X_new, pairs, block):
        """(likelihood of the block, mean, variance of what its answers are to): of f, or of differences."""
        likelihood, kind = self._block(block)
        if kind == "values" and pairs is not None:
            raise ValueError(
                f"block {block} holds answers to items, and pairs came: leave pairs out. predict_difference and "
                "probability_better compare items."
            )
        if kind == "differences" and pairs is None:
            raise ValueError(f"block {block} holds answers to pairs: give pairs (m, 2) of rows (a, b) of X_new.")
        if pairs is None:
            mean, std = self.predict_latent(X_new)
        else:
            mean, std = self.predict_difference(X_new, pairs)
        return likelihood, mean, std**2

    def _block(self, block):
        """(likelihood, kind) of a block."""
        likelihood = self._fitted().likelihood
        parts = likelihood.children if isinstance(likelihood, BlockLikelihood) else (likelihood,)
        if validation.whole(block, "block", least=0) >= len(parts):
            raise ValueError(f"block is {block!r}; this model has the blocks 0 … {len(parts) - 1}.")
        return parts[block], self.observations_.kinds[block]


def _root_mean_square(shares, theta, are_logarithms):
    """(P,) averages of θ (S, P): of what is a logarithm, that of the root mean square; of the rest the mean."""
    squares = np.exp(2.0 * np.where(are_logarithms, theta, 0.0))
    return np.where(are_logarithms, 0.5 * np.log(shares @ squares), shares @ theta)


def _observed(blocks):
    if isinstance(blocks, Block) or not isinstance(blocks, Observations):
        return stack(blocks)
    if len(blocks.views) != len(blocks.y) or blocks.views.n_items != len(blocks.X):
        raise ValueError(
            f"blocks has {len(blocks.X)} items and {len(blocks.y)} answers, but its views are {len(blocks.views)} of "
            f"{blocks.views.n_items} items; they must agree."
        )
    return blocks


def typical_kernels(observations):
    """Where searches begin if no kernel is given: in the units of X and of Gaussian answers, with two lengthscales."""
    X, y, views = observations.X, observations.y, observations.views
    distance = float(np.sqrt(2.0 * X.var(axis=0).sum())) or 1.0  # root mean square over all pairs of items
    in_units = isinstance(observations.likelihood, Gaussian) and views.all_values and len(y) > 0
    variance = np.var(_item_means(observations)[1]) or np.var(y) if in_units else 1.0
    return [SquaredExponential(float(variance or 1.0), share * distance) for share in (0.25, 1.0)]


def _at_periods(kernels, observations):
    """The kernels, and those that begin at periods which the answers to items suggest."""
    if not observations.views.all_values or not len(observations.y):
        return kernels
    answered, means = _item_means(observations)
    return [start for kernel in kernels for start in period_starts(kernel, observations.X[answered], means)]


def _item_means(observations):
    """(items with answers, the mean of each one's)."""
    item, n = observations.views.plus, len(observations.X)
    sums, answers = np.bincount(item, observations.y, n), np.bincount(item, minlength=n)
    answered = np.flatnonzero(answers)
    return answered, sums[answered] / answers[answered]


def _few_threads(observations, inducing):
    """A context for the matrices of these items."""
    n = len(observations.X)
    return threads.as_many_as_help(n, n if inducing is None else len(inducing))


def _warn_of_size(evidence, hyper):
    """Say what a fit needs before it runs out of it: answers by parameters and by items seen, and items by items."""
    seen, n_parameters = evidence.observations, len(hyper.likelihood.theta)
    items = len(seen.X) if hyper.inducing is None else len(hyper.inducing)
    rows = 0 if evidence.is_in_place else min(items, len(seen.views.distinct[0]))
    gigabytes = 8e-9 * (len(seen.y) * (n_parameters + rows) + MATRICES * items**2)
    if gigabytes > LARGE:
        validation.warn(
            f"{len(seen.y)} answers to {items} items, with {n_parameters} parameters of the likelihood, need at least "
            f"{gigabytes:.0f} GB of memory at once; take fewer answers or parameters (such as regions in place of "
            "raters), or inducing inputs.",
            LargeFitWarning,
        )


def _warn_of_rounding(prior, found):
    """Say it if answers contradict a sharp model so far that means, which are sums of their pulls, are rounding."""
    off = found.nu - found.tau * found.posterior.view_mean  # each answer's pull, (y − mean)/σ² where noise is Gaussian
    variance = float(prior.explained.mean())
    rounding = np.finfo(float).eps * float(np.abs(off).sum()) * variance
    told = found.tau > 0.0
    misfit = np.sqrt(np.mean(off[told] ** 2 / found.tau[told])) if told.any() else 0.0
    if rounding > ROUNDED * np.sqrt(variance) and misfit > CONTRADICTED:
        validation.warn(
            f"rounding may move means by {rounding:.1e} or more: the answers are taken for so sharp, and lie "
            f"{misfit:.2g} times their noise (root mean square) beside the model. Let the noise be learned, or begin "
            "at a larger one.",
            UserWarning,
        )


def _warn_of_lost_digits(prior, found, jitter):
    """Say it if answers are so sharp that rounding of K, or what was added to its diagonal, is felt beside them."""
    variance, precision = float(prior.explained.mean()), np.abs(found.tau)
    lost = float(precision.sum()) * (jitter + np.finfo(float).eps * variance)
    if lost > LOST_DIGITS:
        validation.warn(
            f"rounding may move the evidence by some {lost:.1g} nats, and predictions with it: the sharpest answer is "
            f"taken to have a noise of {1.0 / np.sqrt(variance * precision.max()):.0e} of what f varies. Give a "
            "larger noise, and hold it by Fixed().",
            UserWarning,
        )


def _warn_of_evidence(y, prior, likelihood, found):
    """Say it where EP's evidence is off by more than matters: where answers have hardly any noise."""
    lacking = evidence_correction(prior, y, likelihood, found)
    if lacking is not None and abs(lacking) > EVIDENCE_OFF:
        validation.warn(
            f"EP's log evidence is too {'low' if lacking > 0 else 'high'} by about {abs(lacking):.1g} nats, because "
            "the posterior is far from Gaussian, as where answers have hardly any noise. Do not choose between models "
            "by differences of that size; means and intervals are less affected.",
            EvidenceWarning,
        )


def _prior_alone(prior, likelihood):
    """The Approximation when nobody answered: the prior itself."""
    return Approximation(
        posterior=ItemPosterior(prior, np.zeros(0), np.zeros(0)),
        log_evidence=0.0,
        likelihood_gradient=np.zeros(len(likelihood.theta)),
        converged=True,
        rounds=0,
    )
