"""Learning from comparisons: which of two (choice), how strongly (degree, 0 to 1), or by what difference.

Its three choices: f ~ GP(0, k) as prior, a likelihood of answers to f(x_b) − f(x_a) (`PreferenceGP._likelihood`), and
a rule of inference. `PreferenceGP.fit` makes the last two, and `LatentModel` the prior from `kernel`.

Lecture: 10, sections 2, 4, 5 and 7.
"""

from __future__ import annotations

from typing import NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from course_lib import gp, selection, validation
from course_lib.gp.items import Items
from course_lib.gp.likelihoods.rounded import number_of_steps
from course_lib.gp.priors import a_prior
from course_lib.judgments.comparisons.floating import warn_of_floating
from course_lib.judgments.comparisons.likelihoods import Comparison, ProbitWithTies
from course_lib.judgments.comparisons.pseudo_inputs import pseudo_input_laplace
from course_lib.settings import KW_ONLY, settings

CHOICE_LINKS = {"probit": gp.Probit, "logit": gp.Logit}


@settings
class PreferenceGP(gp.LatentModel):
    """Comparisons of items: f ~ GP(0, k), and an answer to f(x_b) − f(x_a) for a pair (a, b). Positive means: b.

    The level of f is that of its prior, 0, as no difference shows it. `noise_std` is the unit of f, as choices and
    degrees show f/σ alone.

    response : "choice": −1 or +1, and 0 for a tie if `ties`; "degree": between 0 and 1, above ½ if b is preferred;
        "difference": how much better b is, any number; or a Likelihood of f(x_b) − f(x_a), such as Comparison(…)
    inference : "laplace", "ep" (its posterior is a little wider where degrees are few), "variational"; "exact" for
        differences
    link : "probit" or "logit", for choices;  ties : whether a choice may be 0
    noise_std : σ, the noise of one judgement; of differences the noise of the answer, where its search begins
    noise_prior : None: σ stays (choice, degree), or is learned freely (difference); else its prior
    precision, precision_prior : ν of degrees, where its search begins, and its prior
    step : None, or what degrees are whole multiples of, such as 0.01: see `gp.Rounded`
    inducing : None, or inducing inputs (M, D), or their number M; with "laplace" for probit choices, or "variational"
    kernel, learn_inducing, optimize, n_restarts, rng, max_iter, space, progress : as for `LatentGP`

    Source: Nielsen (2015), section 2.3, eqs. 2.40, 2.51 and 2.60; Jensen et al. (2011); Chu & Ghahramani (2005).

    >>> from course_lib.judgments import PreferenceGP
    >>> items, pairs = [[0.0], [1.0], [2.0], [3.0]], [[0, 1], [1, 2], [2, 3], [0, 3]]
    >>> model = PreferenceGP().fit(items, pairs, [1, 1, -1, 1])  # 1: the second of the pair was preferred
    >>> model.predict_preference(items, [[0, 2], [2, 0]]).round(1)
    array([0.9, 0.1])
    """

    _: KW_ONLY
    response: str | gp.Likelihood = "choice"
    inference: str = "laplace"
    link: str = "probit"
    ties: bool = False
    noise_std: float | None = 1.0
    noise_prior: object = None
    precision: float = 10.0
    precision_prior: object = None
    step: float | None = None
    inducing: np.ndarray | int | None = None
    learn_inducing: bool = False
    space: str = "auto"

    def fit(self, X: ArrayLike, pairs: ArrayLike, y: ArrayLike, counts: ArrayLike | None = None) -> Self:
        """Learn from items X (n, D), pairs (m, 2) of their rows (a, b), and an answer y (m,) to each pair.

        counts : None, or (m,) whole numbers: how often this answer to this pair was given, see `ReplicatedLikelihood`
        """
        self._check_settings()
        block = gp.differences(X, pairs, y, self._likelihood(), counts)
        is_sparse = self.inference == "laplace" and self.inducing is not None
        latent = self._latent_gp(inference=pseudo_input_laplace if is_sparse else self.inference).fit(block)
        warn_of_floating(block, latent.kernel_)
        return self._keep(latent_=latent)

    def _likelihood(self):
        """The likelihood of an answer to f(x_b) − f(x_a), with the parameters with which the search begins."""
        if isinstance(self.response, gp.Likelihood):
            return self._with_unit(self.response)
        noise = validation.positive(self.noise_std, "noise_std")
        if self.response == "difference":
            likelihood = gp.Gaussian(noise)
            return likelihood if self.noise_prior is None else likelihood.with_priors(noise_std=self.noise_prior)
        prior = gp.Fixed() if self.noise_prior is None else self.noise_prior
        return self._with_unit(Comparison(self._inner(), noise).with_priors(noise_std=prior))

    def _inner(self):
        """The likelihood of a choice or a degree, in units of the noise of a difference, √2 σ."""
        if self.response == "degree":
            degree = gp.Beta(self.precision)
            degree = degree if self.precision_prior is None else degree.with_priors(precision=self.precision_prior)
            return degree if self.step is None else gp.Rounded(degree, number_of_steps(self.step))
        return ProbitWithTies() if self.ties else CHOICE_LINKS[self.link]()

    def _with_unit(self, likelihood):
        """The likelihood, unless f and σ may grow together: σ must be fixed, or the kernel's scale have a prior."""
        has_unit = not isinstance(likelihood, Comparison) or isinstance(likelihood.inner, (gp.Gaussian, gp.StudentT))
        if has_unit or isinstance(likelihood.priors.get("noise_std"), gp.Fixed):
            return likelihood
        kernel = gp.SquaredExponential() if self.kernel is None else self.kernel
        if validation.instance(kernel, gp.Kernel, "kernel", "a Kernel such as SquaredExponential()").has_free_scale():
            raise ValueError(
                f"noise_prior is {self.noise_prior!r}, and nothing fixes the variance of the kernel: choices "
                "and degrees depend only on f/σ, so f and σ would drift together. Keep σ (noise_prior=None, or "
                "Fixed() in a likelihood of your own), or give the kernel's variance a prior too."
            )
        return likelihood

    def _check_settings(self):
        validation.one_of(self.inference, ("exact", "laplace", "ep", "variational"), "inference")
        if not isinstance(self.response, gp.Likelihood):
            validation.one_of(self.response, ("choice", "degree", "difference"), "response")
        validation.one_of(self.link, tuple(CHOICE_LINKS), "link")
        validation.flag(self.ties, "ties")
        validation.positive(self.precision, "precision")
        a_prior(self.noise_prior, "noise_prior")
        a_prior(self.precision_prior, "precision_prior")
        choice = isinstance(self.response, str) and self.response == "choice"
        plain = self.link == "probit" and not self.ties
        if (self.ties and self.link != "probit") or (not choice and not plain):
            raise ValueError(
                f"ties is {self.ties!r} and link {self.link!r} with response {self.response!r}; both are for choices, "
                'and ties go with response="choice" and link="probit".'
            )
        if self.step is not None and self.response != "degree":
            raise ValueError(f'step is {self.step!r} with response {self.response!r}; it is for response="degree".')
        if self.inducing is not None and self.inference == "laplace" and not (choice and plain):
            raise ValueError(
                f"inducing is {self.inducing!r}: Laplace's inducing inputs are for probit choices without ties; "
                'inference="variational" takes them for every response.'
            )
        if self.inducing is not None and self.inference not in ("laplace", "variational"):
            raise ValueError(
                f"inference is {self.inference!r} and inducing is {self.inducing!r}; inducing inputs go with "
                "'laplace' and 'variational'."
            )

    def _learned(self, name):
        """The learned parameter of this name, of the likelihood or of what it is made of."""
        parts = [self._fitted().likelihood_]
        while parts:
            part = parts.pop()
            if name in part.parameter_names:
                return getattr(part, name)
            parts.extend(part.children)
        raise AttributeError(f"{self._fitted().likelihood_!r} has no {name}: response {self.response!r} learns none.")

    @property
    def noise_std_(self):
        """The learned noise σ of one judgement, or of an answer: a difference."""
        return self._learned("noise_std")

    @property
    def threshold_(self):
        """The learned δ of ties, in units of √2 σ, the noise of a difference."""
        return self._learned("threshold")

    @property
    def precision_(self):
        """The learned precision ν of degrees."""
        return self._learned("precision")

    def predict(
        self, X_new: ArrayLike, pairs: ArrayLike, return_std: bool = False
    ) -> NDArray | tuple[NDArray, NDArray]:
        """(m,) expected answers to pairs (a, b) of rows of X_new (q, D); return_std: and how certain these are.

        Of a choice: p(b) − p(a). f itself is `predict_latent`.

        Source: Nielsen (2015), eq. 2.62.
        """
        return self._fitted().predict(X_new, pairs, return_std)

    def predict_answer(self, X_new: ArrayLike, pairs: ArrayLike) -> tuple[NDArray, NDArray]:
        """Mean and standard deviation, (m,) each, of the next answer to pairs (a, b) of rows of X_new (q, D).

        Source: Nielsen (2015), eq. 2.62.
        """
        return self._fitted().predict_answer(X_new, pairs)

    def answer_interval(self, X_new: ArrayLike, pairs: ArrayLike, confidence: float = 0.9) -> tuple[NDArray, NDArray]:
        """Central prediction interval of the next answer to each pair, (low, high), (m,) each."""
        return self._fitted().answer_interval(X_new, pairs, confidence)

    def predict_preference(self, X_new: ArrayLike, pairs: ArrayLike) -> NDArray:
        """(m,) probability that the next answer, if it is no tie, is for b: of pairs (a, b) of rows of X_new (q, D).

        Of a degree: above rather than below ½; of a difference: above rather than below 0.
        That b *is* better, f(x_b) > f(x_a), whatever the next answer says, is `probability_better`.

        Source: Nielsen (2015), eqs. 2.52 and 2.68 (the printed limit for ν → ∞ lacks 2σ²).
        """
        return self._fitted().predict_preference(X_new, pairs)

    def predict_shares(self, X_new: ArrayLike, pairs: ArrayLike) -> Shares:
        """Shares(a, tie, b) of the next answers to pairs (a, b) of rows of X_new (q, D).

        Of a degree and a difference: below, on and above the middle; without ties their share is 0.

        Source: Glenn & David (1960).
        """
        likelihood = self._fitted().likelihood_
        mean, std = self.predict_difference(X_new, pairs)
        side = likelihood.probability_above(mean, std**2)
        if likelihood.possible is None or likelihood.middle not in likelihood.possible:
            return Shares(1.0 - side, np.zeros_like(side), side)
        middle = np.full(mean.shape, float(likelihood.middle))
        tie = np.exp(likelihood.log_predictive_density(middle, mean, std**2))
        return Shares((1.0 - tie) * (1.0 - side), tie, (1.0 - tie) * side)

    def log_predictive_density(self, X_new: ArrayLike, pairs: ArrayLike, y_new: ArrayLike) -> NDArray:
        """(m,) log p(y_new | all answers) of answers to pairs (a, b) of rows of X_new (q, D).

        Source: Nielsen (2015), eqs. 2.52 and 2.62.
        """
        return self._fitted().log_predictive_density(X_new, y_new, pairs)

    def score(self, X: ArrayLike, pairs: ArrayLike, y: ArrayLike) -> float:
        """Accuracy of `predict_preference`: the fraction of decided answers y (m,) to pairs (a, b) of rows of X."""
        X = X if isinstance(X, Items) else validation.sequence(X, "X")
        pairs = selection.pairs(pairs, len(X))
        probability = self.predict_preference(X, pairs)
        y = self.likelihood_.check(validation.real_array(y, "y"))
        if y.shape != probability.shape:
            raise ValueError(f"y has shape {y.shape}; {probability.shape} is needed, an answer to each of the pairs.")
        side = np.sign(y - self.likelihood_.middle)
        if not side.any():
            raise ValueError(f"all {len(y)} answers in y are ties; the score is of those that name a side.")
        return float((np.sign(probability - 0.5) == side)[side != 0].mean())


class Shares(NamedTuple):
    """Of the next answers to m pairs: shares (m,) for a, for neither (a tie), and for b; their sum is 1."""

    a: np.ndarray
    tie: np.ndarray
    b: np.ndarray
