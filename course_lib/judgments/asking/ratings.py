"""The personaliser by marks: settings as balls on a scale, which may be heard again and moved at any time.

Lecture: 12, section 8.
"""

import numpy as np

from course_lib import threads, validation
from course_lib.gp import Beta, LogNormal
from course_lib.judgments.asking.sessions import INSIDE, AskingSession
from course_lib.judgments.marks.bounded import BoundedGP


class RatingPersonalizer(AskingSession):
    """Finds the setting that a listener likes best, by marks between 0 and 1, one setting after another.

    A mark means something only beside the others, which one gets to know on the way: so each setting that was heard
    stays on the scale, to be played again and marked anew, and the model follows.

    bounds, session, choose, kernel, learn, listener, rng, about, secret : as for `Personalizer`
    criterion : as for `Personalizer`; "best" and "random" ask for a random one

    Source: Nielsen, Jensen, Hansen & Larsen (2013), "Personalized audio systems – a Bayesian approach"; Jensen et al.
    (2013) for the beta likelihood.
    """

    RESPONSES = ("rating",)
    EVENTS = AskingSession.EVENTS | {"question": {"setting"}, "answer": {"to"}, "moved": {"mark"}}

    def _forget(self):
        super()._forget()
        self._marks = []

    def _check_question(self, event):
        super()._check_question(event)
        self._check_setting(event["setting"], "setting")

    def _check_answer(self, event):
        mark = validation.share(event["answer"], "mark")
        self._check_open(event["to"], f"mark is {mark:g}")

    def _check_moved(self, event):
        validation.share(event["mark"], "mark")
        if (ball := validation.whole(event["moved"], "ball", least=0)) >= len(self._marks):
            raise ValueError(f"ball is {ball}; one of the {len(self._marks)} that were marked is needed, from 0 on.")

    def _happened(self, event):
        """What an event changes, now or when a file is read."""
        if "question" in event:
            self._questions.append(event)
            self._asked += 1
        elif "answer" in event:
            self._marks.append(event["answer"])
        elif "moved" in event:
            self._marks[event["moved"]] = event["mark"]
            self._known.clear()

    def propose(self):
        """(d,) the setting to be marked next; the same until it is marked."""
        if len(self._questions) == len(self._marks):
            with threads.at_most(1):
                setting, learned = self._next(), self._learned()
            self._do({"question": len(self._questions) + 1, "setting": setting.tolist(), **learned})
        return np.array(self._questions[-1]["setting"])

    def _next(self):
        rng = self._rng()
        if not self._marks or self.criterion in ("random", "best"):
            return self.space.random(1, rng)[0]
        return self._challenger(rng)

    def answer(self, mark):
        """Mark the open setting: 0 … 1. JournalError, an OSError, where it cannot be kept."""
        mark = validation.share(mark, "mark")
        self._do({"answer": mark, "to": len(self._questions)})

    def move(self, ball, mark):
        """Mark a setting anew that was marked before; ball counts them from 0."""
        ball, mark = validation.whole(ball, "ball", least=0), validation.share(mark, "mark")
        self._do({"moved": ball, "mark": mark})

    @property
    def n_answers(self):
        """How many settings were marked."""
        return len(self._marks)

    @property
    def settings_(self):
        """(n_answers, d) the settings that were marked."""
        heard = [question["setting"] for question in self._questions[: self.n_answers]]
        return np.array(heard).reshape(self.n_answers, self.space.d)

    @property
    def marks_(self):
        """(n_answers,) their marks."""
        return np.array(self._marks, dtype=float)

    def _heard(self):
        return self.settings_

    def _fit(self):
        kernel, likelihood = self._begin(self._questions[self.n_answers - 1].get("learned"), self._likelihood())
        model = BoundedGP(kernel, likelihood=likelihood, inside=INSIDE, optimize=self.learn)
        return model.fit(self.space.to_unit(self.settings_), self.marks_)

    def _likelihood(self):
        return Beta(10.0).with_priors(precision=LogNormal(10.0, 1.0))
