"""What is asked of a panel in which each rater's answers have a likelihood of their own: marks, and labels.

Lecture: 07, sections 5 and 6; 09, section 7.
"""

import numpy as np

from course_lib import validation
from course_lib.judgments.panels.biases import Panel
from course_lib.judgments.panels.likelihoods import NEW, OneOf


class OwnAnswers(Panel):
    """Questions about answers, for a model whose `likelihood_` is a `PooledLikelihood`: a part for each rater.

    A model says what an answer is on its scale (`_on_scale`), and which new answers there are (`_check_answers`).
    """

    unit_ = 1.0  # of the answers, in that of the likelihood's

    def predict_answer(self, X_new, *, rater=NEW, new_items=False):
        """(mean, std), (q,) each, of the next answer of a rater.

        Parameters
        ----------
        X_new : (q, D)
        rater : "new": somebody who was never seen, with a bias like the raters' where these have one, and the
            precision, or the thresholds, of one of them; or int, 0 … R−1
        new_items : as for predict_latent
        """
        likelihood, mean, variance = self._view(X_new, rater, new_items)
        expected, spread = likelihood.predict(mean, variance)
        return self._on_scale(expected, np.sqrt(spread))

    def answer_interval(self, X_new, confidence=0.9, *, rater=NEW, new_items=False):
        """(low, high), (q,) each: the next answer lies below, between and above with (1 − confidence)/2 and the rest.

        It never leaves the scale; of labels the ends are included. Arguments and errors as predict_answer, and if
        confidence is not between 0 and 1.
        """
        tail = 0.5 - 0.5 * validation.between(confidence, "confidence", 0, 1)
        likelihood, mean, variance = self._view(X_new, rater, new_items)
        return tuple(self._on_scale(likelihood.quantile(p, mean, variance)) for p in (tail, 1.0 - tail))

    def log_predictive_density(self, X_new, y_new, *, rater=NEW, new_items=False):
        """(q,) log density of new answers y_new (q,) of a rater, per unit of their scale; of labels log probability.

        Source: Jensen et al. (2013), Table 1.
        """
        likelihood, mean, variance = self._view(X_new, rater, new_items)
        y_new = validation.real_array(y_new, "y_new")
        if y_new.shape != mean.shape:
            raise ValueError(
                f"y_new has shape {y_new.shape} and X_new {len(mean)} rows; one {self._one} for each is needed."
            )
        return likelihood.log_predictive_density(self._check_answers(y_new), mean, variance) - np.log(self.unit_)

    def _view(self, X_new, rater, new_items):
        """(likelihood, mean, variance) of what this rater's answers are to: f, and the bias, at X_new."""
        latent, parts = self._fitted(), self.likelihood_.children
        unseen = isinstance(rater, str) and rater == NEW
        rater = self.n_raters_ if unseen else validation.whole(rater, "rater", least=0)
        if rater >= self.n_raters_ and not unseen:
            raise ValueError(f'rater is {rater!r}; the raters are 0 … {self.n_raters_ - 1}, and "new".')
        seen = self._seen(latent, X_new, [rater], np.ones(1), new_items)
        return OneOf(parts) if unseen else parts[min(rater, len(parts) - 1)], *seen  # one part: they share it
