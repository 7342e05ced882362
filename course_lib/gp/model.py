"""What models of judgements have in common: each has a latent GP, gives it blocks, and passes on what it knows.

Lecture: 05, sections 4 and 5; 06, section 7; 08, section 1; 09, section 7.
"""

import copy
import html
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator

from course_lib import validation
from course_lib.gp.items import Items
from course_lib.gp.kernel_algebra import Levelled
from course_lib.gp.latent import LatentGP
from course_lib.gp.optimize import SearchSettings
from course_lib.gp.questions import PosteriorQueriesMixin
from course_lib.kinds import Rng

LATENT_SETTINGS = tuple(LatentGP().get_params())


def learned_rows(latent):
    """((what, text), …): what a fitted latent GP has learned, in words."""
    answers, items = len(latent.observations_.y), len(latent.observations_.X)
    limits = [("at a limit of the search", ", ".join(latent.at_limit_))] if latent.at_limit_ else []
    return (
        ("learned from", f"{answers} answers, {items} items, {latent.n_features_in_} columns"),
        ("kernel", repr(latent.kernel_)),
        ("likelihood", repr(latent.likelihood_)),
        ("log evidence", f"{latent.log_evidence_:.2f} nats{'' if latent.converged_ else ' (not at rest)'}"),
        *limits,
    )


def learned_html(model):
    """A fitted model as a table of HTML: its name, and what it has learned."""
    rows = "".join(
        f'<tr style="text-align:left"><th scope="row">{what}</th><td>{html.escape(text)}</td></tr>'
        for what, text in learned_rows(model.latent_)
    )
    return f"<table><caption>{type(model).__name__}</caption><tbody>{rows}</tbody></table>"


def _of_latent(name):
    """A fitted attribute that is the latent GP's."""
    return property(lambda self: getattr(self._fitted(), name), doc=f"`{name}` of the latent GP, see `LatentGP`.")


class LatentModel(PosteriorQueriesMixin, SearchSettings, BaseEstimator):
    """A model that *has* a latent GP: `latent_` after a fit, and `offset_`, which was taken off the answers before.

    A subclass makes blocks of its data, fits `self._latent_gp().fit(blocks)`, and keeps it by `_keep`.
    """

    offset_ = 0.0

    likelihood_, inducing_ = map(_of_latent, ("likelihood_", "inducing_"))
    log_evidence_, log_posterior_ = map(_of_latent, ("log_evidence_", "log_posterior_"))
    converged_, n_iter_, at_limit_ = map(_of_latent, ("converged_", "n_iter_", "at_limit_"))
    approximation_, prior_, observations_ = map(_of_latent, ("approximation_", "prior_", "observations_"))
    n_features_in_, jitter_ = map(_of_latent, ("n_features_in_", "jitter_"))
    averaging_error_, items_ = map(_of_latent, ("averaging_error_", "items_"))

    @property
    def kernel_(self):
        """The kernel of the items' values, with its learned parameters, and without the level that they share."""
        kernel = self._fitted().kernel_
        return kernel.children[0] if isinstance(kernel, Levelled) else kernel

    def _latent_gp(self, **settings):
        """A latent GP with this model's settings, but for those given."""
        mine = {name: value for name, value in vars(self).items() if name in LATENT_SETTINGS}
        return LatentGP(**{**mine, **settings})

    def _keep(self, **fitted):
        """The fitted state becomes this, all at once."""
        self.__dict__.update(fitted)
        return self

    def _fitted(self):
        validation.fitted(self, "latent_")
        return self.latent_

    def __repr__(self, N_CHAR_MAX=700):
        """The settings, as scikit-learn writes them; of a fitted model also what was learned."""
        settings = super().__repr__(N_CHAR_MAX)
        learned = learned_rows(self.latent_) if hasattr(self, "latent_") else ()
        return "\n".join([settings, *(f"  {what}: {text}" for what, text in learned)])

    def _repr_mimebundle_(self, **kwargs):
        """What a notebook shows: the text above, and of a fitted model a small table."""
        bundle = super()._repr_mimebundle_(**kwargs)
        return {**bundle, "text/html": learned_html(self)} if hasattr(self, "latent_") else bundle

    def averaged(self, size: int | None = None, rng: Rng = None) -> Self:
        """This model with hyper-parameters that are averaged over: see LatentGP.averaged. It is asked the same."""
        changed = copy.copy(self)
        changed.latent_ = self._fitted().averaged(size, rng)
        return changed

    def predict_latent(self, X_new: ArrayLike, return_cov: bool = False) -> tuple[NDArray, NDArray]:
        """f at inputs X_new, in the unit of the answers where these are values: as LatentGP.predict_latent."""
        mean, spread = self._fitted().predict_latent(X_new, return_cov)
        return mean + self.offset_, spread

    def evidence_at(self, theta: ArrayLike) -> tuple[float, NDArray]:
        """As LatentGP.evidence_at."""
        return self._fitted().evidence_at(theta)


def r_squared(X, y, predict, repeats=False):
    """R² of `predict(X)`, (n,), as forecasts of all answers y that are given: (n,) to (n, R, K), NaN for none."""
    from sklearn.metrics import r2_score  # half a second to import

    X = X if isinstance(X, Items) else validation.sequence(X, "X")
    y = np.atleast_1d(validation.answers(y, "y"))
    if y.ndim > 2 + repeats or len(y) != len(X):
        raise ValueError(f"y has shape {y.shape} and X has {len(X)} rows; a row of answers for each is needed.")
    table = y.reshape(len(y), -1)
    item, answer = np.nonzero(~np.isnan(table))
    if len(item) < 2:
        raise ValueError(f"y holds {len(item)} answers; R² needs at least two.")
    return float(r2_score(table[item, answer], predict(X)[item]))
