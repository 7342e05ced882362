"""The personaliser by marks: settings are balls on a scale, which can be heard again and moved at any time.

Lecture: 12, section 8.
"""

import numpy as np

from course_lib import validation
from course_lib.gp import Beta, LogNormal
from course_lib.judgments.marks.bounded import BoundedGP
from course_personaliser.sessions import ANSWER_MARGIN, AskingSession, of_all_answers


class RatingPersonalizer(AskingSession):
    """Finds the setting that a listener likes best, by marks between 0 and 1, one setting after another.

    A mark is meaningful only in comparison with the others. So each setting that was heard stays on the scale, where
    it can be played again and marked again, and the model is updated.

    bounds, session, choose, kernel, learn, listener, rng, about, secret : as for `Personalizer`
    criterion : as for `Personalizer`; "best" and "random" choose a random setting

    Source: Nielsen, Jensen, Hansen & Larsen (2013), "Personalized audio systems – a Bayesian approach"; Jensen et al.
    (2013) for the beta likelihood.
    """

    RESPONSES = ("rating",)
    EVENTS = AskingSession.EVENTS | {"question": {"setting"}, "answer": {"to"}, "moved": {"mark"}}

    def _check_answer(self, event):
        mark = validation.fraction(event["answer"], "mark")
        self._check_open(event["to"], f"mark is {mark:g}")

    def _check_moved(self, event):
        validation.fraction(event["mark"], "mark")
        if (ball := validation.integer(event["moved"], "ball", least=0)) >= self.n_answers:
            raise ValueError(f"ball is {ball}; an index among the {self.n_answers} marked settings is needed, from 0.")

    def _apply(self, event):
        super()._apply(event)
        if "moved" in event:
            self._answers[event["moved"]] = event["mark"]
            self._known.clear()

    def propose(self):
        """(d,) the setting to be marked next; the same until it is marked."""
        return np.array(self._open_question()["setting"])

    def _next(self, rng):
        at_random = not self.n_answers or self.criterion in ("random", "best")
        return {"setting": self.space.random(1, rng)[0] if at_random else self._challenger(rng)}

    def answer(self, mark):
        """Mark the open setting: 0 … 1. Raises JournalError, an OSError, if the mark cannot be saved."""
        mark = validation.fraction(mark, "mark")
        self._record({"answer": mark, "to": len(self._questions)})

    def move(self, ball, mark):
        """Change the mark of an earlier setting; ball is its index, from 0."""
        ball, mark = validation.integer(ball, "ball", least=0), validation.fraction(mark, "mark")
        self._record({"moved": ball, "mark": mark})

    @property
    def settings_(self):
        """(n_answers, d) the settings that were marked."""
        return self._heard()[:, 0]

    marks_ = AskingSession.answers_

    @of_all_answers
    def model_(self):
        """BoundedGP on the unit cube, fitted to all marks."""
        kernel, likelihood = self._search_begins()
        model = BoundedGP(kernel, likelihood=likelihood, inside=ANSWER_MARGIN, optimize=self.learn)
        return model.fit(self.space.to_unit(self.settings_), self.marks_)

    def _likelihood(self):
        return Beta(10.0).with_priors(precision=LogNormal(10.0, 1.0))
