"""The personaliser: ask which of two settings is better, learn from the answer, and repeat until the best is found.

Lecture: 12, sections 6 and 7.
"""

import csv
from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy.stats import binomtest

from course_lib import validation
from course_lib.gp import Beta, Fixed, LogNormal, Probit, SquaredExponential
from course_lib.judgments.comparisons.likelihoods import Comparison, ProbitWithTies
from course_lib.judgments.comparisons.preference import PreferenceGP
from course_personaliser import proposals
from course_personaliser.blind import BlindTest
from course_personaliser.sessions import ANSWER_MARGIN, AskingSession, due, of_all_answers

SCALE_MIDDLES = {"degree": 0.5, "choice": 0.0, "choice_or_tie": 0.0}
SILENT_VARIANCE = 1e-6  # variance of an f that says nothing
STRONG_EVIDENCE = 3.0  # nats of evidence
FOUND_IMPROVEMENT = 0.01  # mean improvement, in units of σ
MIN_ANSWERS_FOR_ADVICE = 6  # answers before anything is said
SIDE_P_VALUE = 0.01
FOUND_ADVICE = "Found: hardly any setting can be expected to please you more."


class Agreement(NamedTuple):
    """Test-retest agreement of two sessions with one listener.

    distance : between the two best settings, as a fraction of the diagonal of the space
    correlation : of the two posterior means over the space
    """

    distance: float
    correlation: float


class Personalizer(AskingSession):
    """Finds the setting that a listener likes best, by asking which of two is better.

    Each question compares the best setting heard so far with a challenger, in random order. f ~ GP(0, k) on the unit
    cube is learned from all answers (MAP-II, Laplace, starting where the last search ended), and the criterion chooses
    the challenger.

    Parameters
    ----------
    bounds : (d, 2) ends of d numbers, or a SettingSpace with steps, names and units
    session : None, or the path of a file that keeps every answer as it is given; it must not exist yet
    response : "degree" (0 … 1; if None), "choice" (−1, +1) or "choice_or_tie" (−1, 0, +1); above the middle for b
    criterion : "improvement" (bivariate expected improvement) or another of `proposals.CRITERIA`
    choose : "sampled" (from a grid, or space-filling points, in proportion to the criterion), "maximum" (among the
        same), "climbed" (gradient ascent from five starts; only for "improvement") or "auto": the improvement is
        sampled in up to two dimensions and climbed in more; all other criteria take the maximum
    kernel : None: SquaredExponential with fixed variance 4 (in σ²) and a lengthscale for each number; or another one
        on the unit cube, with priors on the parameters to be learned
    learn : whether to learn the lengthscales, and ν or δ, after each answer; otherwise they keep their initial values
    listener : a pseudonym, stored in the file
    rng : numpy Generator or seed: the same seed and answers give the same questions
    about : None, or a description of the settings, such as the name of the music, stored in the file
    secret : None, or a word that an app may require before it continues the file, which stores a hash of it

    Raises JournalError, an OSError, if the file cannot be written.

    Source: Nielsen, Nielsen & Larsen (2015), "Perception-based personalization of hearing aids using Gaussian
    processes and active learning".
    """

    RESPONSES = tuple(SCALE_MIDDLES)
    EVENTS = AskingSession.EVENTS | {
        "question": {"a", "b"},
        "answer": {"to"},
        "taken_back": set(),
        "test": set(),
        "test_answer": set(),
    }
    OPTIONAL = AskingSession.OPTIONAL | {"to"}  # of the answer to a test: version 0.1.0 did not keep it

    def _reset(self):
        super()._reset()
        self._test = None

    def _check_question(self, event):
        super()._check_question(event)
        if event["a"] == event["b"]:
            raise ValueError(f"a and b are both {event['a']}; two settings are needed.")

    def _check_answer(self, event):
        value = validation.finite(event["answer"], "value")
        possible = {"choice": (-1.0, 1.0), "choice_or_tie": (-1.0, 0.0, 1.0)}.get(self.response)
        if (possible and value not in possible) or (not possible and not 0.0 <= value <= 1.0):
            raise ValueError(
                f"value is {value:g}; {possible or '0 … 1'} is needed for the response {self.response!r}."
            )
        self._check_open(event["to"], f"value is {value:g}")

    def _check_taken_back(self, event):
        if not self._answers:
            raise ValueError("there is no answer that could be taken back.")
        due(event["taken_back"], len(self._answers), "taken_back")

    def _check_test(self, event):
        test = event["test"]
        if not isinstance(test, dict) or test.keys() != {"found", "baseline", "rounds", "rng"}:
            raise ValueError(f"test is {test!r}; found, baseline, rounds and rng are needed.")
        if not self._answers:
            raise ValueError("no question was answered, so there is nothing to test.")
        for name in ("found", "baseline"):
            self._check_setting(test[name], name)
        validation.integer(test["rng"], "rng", least=0)
        BlindTest(**test)

    def _check_test_answer(self, event):
        if self._test is None:
            raise ValueError("no test was begun, so none can be answered.")
        self._test.checked(event["test_answer"])
        if "to" in event:
            due(event["to"], self._test.n_answers + 1, "to")

    def _apply(self, event):
        super()._apply(event)
        if "taken_back" in event:
            del self._questions[len(self._answers) :]  # the one after it
            self._answers.pop()
            self._known.clear()
        elif "test" in event:
            self._test = BlindTest(**event["test"])
        elif "test_answer" in event:
            self._test.answer(event["test_answer"])

    # --- asking -------------------------------------------------------------------------------------

    def propose(self):
        """The open question: settings (a, b), (d,) each; the same until it is answered."""
        question = self._open_question()
        return np.array(question["a"]), np.array(question["b"])

    def answer(self, value):
        """Answer the open question.

        value : degree: 0 … 1; choice: −1 or +1; choice_or_tie: also 0. Above the middle if b is preferred.

        Raises JournalError, an OSError, if it cannot be saved: the question then stays open.
        """
        value = validation.finite(value, "value")
        self._record({"answer": value, "to": len(self._questions)})

    def take_back(self):
        """Take the last answer back; its question is open again."""
        self._record({"taken_back": len(self._answers)})

    def _next(self, rng):
        if not self._answers or self.criterion == "random":
            a, b = self._two_random(rng)
        elif self.criterion == "best":
            a, b = self._two_best(rng)
        else:
            a, b = self.incumbent_, self._challenger(rng)
        return {"a": b, "b": a} if rng.integers(2) else {"a": a, "b": b}

    def _two_random(self, rng):
        settings = np.unique(self.space.random(20, rng), axis=0)
        return settings[rng.choice(len(settings), size=2, replace=False)]

    def _two_best(self, rng):
        settings = np.unique(np.vstack([self.space.spread(proposals.N_PAIR_CANDIDATES, rng), self.incumbent_]), axis=0)
        a, b = proposals.best_pair(*self._latent(settings, return_cov=True))
        return settings[a], settings[b]

    # --- what was learned ---------------------------------------------------------------------------

    @property
    def pairs_(self):
        """(n_answers, 2, d) settings (a, b) of the answered questions."""
        return self._heard()

    def _compared(self):
        """(2m, d) the settings of all questions in order, as points, and (m, 2) pairs of them."""
        return self.space.to_unit(self.pairs_.reshape(-1, self.space.d)), np.arange(2 * self.n_answers).reshape(-1, 2)

    @of_all_answers
    def model_(self):
        """PreferenceGP on the unit cube, fitted to all answers."""
        X, pairs = self._compared()
        kernel, likelihood = self._search_begins()
        return PreferenceGP(kernel, response=likelihood, optimize=self.learn).fit(X, pairs, self._inside())

    def _inside(self):
        """The answers for the model, without the ends of a continuous scale, where the density is 0 or ∞."""
        return (
            np.clip(self.answers_, ANSWER_MARGIN, 1.0 - ANSWER_MARGIN) if self.response == "degree" else self.answers_
        )

    def _likelihood(self):
        inner = {
            "degree": Beta(10.0).with_priors(precision=LogNormal(10.0, 1.0)),
            "choice": Probit(),
            "choice_or_tie": ProbitWithTies(0.5).with_priors(threshold=LogNormal(0.5, 1.0)),
        }[self.response]
        return Comparison(inner, 1.0).with_priors(noise_std=Fixed())

    @property
    def history_(self):
        """(n_answers,) the mean improvement after each answer."""
        earlier = [question["mean_improvement"] for question in self._questions[1 : self.n_answers]]
        return np.array([*earlier, self.mean_improvement_][: self.n_answers])

    @of_all_answers
    def evidence_(self):
        """Log evidence of a model with f minus that of one without, in nats: below about 0 no difference is heard."""
        silent = SquaredExponential(SILENT_VARIANCE, 1.0).with_priors(variance=Fixed(), lengthscale=Fixed())
        X, pairs = self._compared()
        kernels = (self.model_.kernel_, silent)  # the noise is learned for both, even if learn is False
        fits = [PreferenceGP(kernel, response=self._likelihood()).fit(X, pairs, self._inside()) for kernel in kernels]
        return float(fits[0].log_evidence_ - fits[1].log_evidence_)

    @property
    def is_found_(self):
        """Whether to stop: differences are heard, and the mean improvement was below 0.01 σ twice in a row.

        Differences are heard if the evidence is at least 3 nats, which Kass & Raftery (1995) call strong.
        """
        return bool(
            self.n_answers >= 2
            and self.evidence_ >= STRONG_EVIDENCE
            and (self.history_[-2:] < FOUND_IMPROVEMENT).all()
        )

    @property
    def advice_(self):
        """A sentence for the listener: go on, stop, or that no difference is heard."""
        if self.n_answers < MIN_ANSWERS_FOR_ADVICE:
            left = MIN_ANSWERS_FOR_ADVICE - self.n_answers
            return f"Go on: you get a first result after {left} more question{'s' if left > 1 else ''}."
        if self.side_p_value_ < SIDE_P_VALUE:
            return "You nearly always prefer the same side, whatever it plays: listen to both before you answer."
        if self.evidence_ < 0.0:
            return "So far your answers look like guesses: no difference is heard, so there is no best setting yet."
        if self.is_found_:
            return FOUND_ADVICE
        return "Go on: you hear the difference, and a better setting may still be found."

    @property
    def side_p_value_(self):
        """Two-sided p-value of a preference for one side: small if one side nearly always wins."""
        sides = np.sign(self.answers_ - SCALE_MIDDLES[self.response])
        return float(binomtest(int((sides > 0).sum()), int((sides != 0).sum())).pvalue) if sides.any() else 1.0

    # --- the blind test, and the file ---------------------------------------------------------------

    @property
    def test_(self):
        """BlindTest, or None before `begin_test`; use `answer_test` to answer it."""
        return self._test

    def begin_test(self, baseline, rounds=20):
        """Begin a blind test of the best setting against a baseline (d,)."""
        baseline = self.space.from_unit(self.space.to_unit(baseline, "baseline"))
        test = {"found": self.best_.tolist(), "baseline": baseline.tolist(), "rounds": rounds, "rng": self.seed}
        self._record({"test": test})
        return self._test

    def answer_test(self, choice):
        """Answer the open choice of the blind test: −1 for a, +1 for b."""
        if self._test is None:
            raise ValueError(f"choice is {choice!r}, but no test was begun: call begin_test() first.")
        self._record({"test_answer": self._test.checked(choice), "to": self._test.n_answers + 1})

    def to_csv(self, path):
        """Write the answered questions as a table: question, a and b by the numbers' names, answer."""
        names = [f"{side}_{name}" for side in "ab" for name in self.space.names]
        with Path(validation.path(path, "path")).open("w", newline="", encoding="utf-8") as file:
            table = csv.writer(file)
            table.writerow(["question", *names, "answer"])
            for number, (pair, answer) in enumerate(zip(self.pairs_, self.answers_, strict=True), start=1):
                table.writerow([number, *pair.ravel().tolist(), answer])


def agreement(one, other):
    """Test-retest agreement of two personalisers with the same space.

    Source: Nielsen, Nielsen & Larsen (2015), sections 3.3 and 4.3.
    """
    for each, name in ((one, "one"), (other, "other")):
        validation.instance(each, Personalizer, name, "a Personalizer")
    if one.space.d != other.space.d or not np.array_equal(one.space.bounds, other.space.bounds):
        raise ValueError(f"one has the space {one.space!r} and other {other.space!r}; they must be the same.")
    settings = one.evenly()
    correlation = np.corrcoef(one.predict(settings)[0], other.predict(settings)[0])[0, 1]
    return Agreement(one.space.distance(one.best_, other.best_), float(correlation))
