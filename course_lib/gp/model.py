"""What models of judgements have in common: each has a latent GP, gives it blocks, and passes on what it knows.

Lecture: 06, section 7.
"""

import copy

from sklearn.base import BaseEstimator

from course_lib import validation
from course_lib.gp.latent import LatentGP
from course_lib.gp.questions import LatentQuestions

SETTINGS = tuple(LatentGP().get_params())


def _of_latent(name):
    """A fitted attribute that is the latent GP's."""
    return property(lambda self: getattr(self._fitted(), name), doc=f"`{name}` of the latent GP, see `LatentGP`.")


class LatentModel(LatentQuestions, BaseEstimator):
    """A model that *has* a latent GP: `latent_` after a fit, and `offset_`, which was taken off the answers before.

    A subclass makes blocks of its data, fits `self._latent_gp().fit(blocks)`, and keeps it by `_keep`.

    Lecture: 06, section 7.
    """

    offset_ = 0.0

    kernel_, likelihood_, inducing_ = map(_of_latent, ("kernel_", "likelihood_", "inducing_"))
    log_evidence_, log_posterior_ = map(_of_latent, ("log_evidence_", "log_posterior_"))
    converged_, n_iter_, at_limit_ = map(_of_latent, ("converged_", "n_iter_", "at_limit_"))
    approximation_, prior_, observations_ = map(_of_latent, ("approximation_", "prior_", "observations_"))
    n_features_in_, jitter_ = map(_of_latent, ("n_features_in_", "jitter_"))

    def _latent_gp(self, **settings):
        """A latent GP with this model's settings, but for those given."""
        mine = {name: value for name, value in vars(self).items() if name in SETTINGS}
        return LatentGP(**{**mine, **settings})

    def _keep(self, **fitted):
        """The fitted state becomes this, all at once."""
        self.__dict__.update(fitted)
        return self

    def _fitted(self):
        validation.fitted(self, "latent_")
        return self.latent_

    def averaged(self, size=40, rng=None):
        """This model with hyper-parameters that are averaged over: see LatentGP.averaged. It is asked the same.

        Raises
        ------
        ValueError
            If the model is not fitted, or size is no whole number of at least 2.

        Lecture: 09, section 7.
        """
        changed = copy.copy(self)
        changed.latent_ = self._fitted().averaged(size, rng)
        return changed

    def predict_latent(self, X_new, return_cov=False, new_items=False):
        """f at inputs X_new, in the unit of the answers where these are values: as LatentGP.predict_latent.

        Raises
        ------
        ValueError
            If the model is not fitted, or X_new has another number of columns.

        Lecture: 05, section 4.
        """
        mean, spread = self._fitted().predict_latent(X_new, return_cov, new_items)
        return mean + self.offset_, spread

    def evidence_at(self, theta):
        """As LatentGP.evidence_at.

        Raises
        ------
        ValueError
            If θ has another length or is not finite, or the model is not fitted.

        Lecture: 05, section 5.
        """
        return self._fitted().evidence_at(theta)
