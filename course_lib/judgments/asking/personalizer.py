"""The personaliser: ask which of two settings is better, learn, ask again, until the best one is found.

Lecture: 12, section 6.
"""

import csv
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy.stats import binomtest

from course_lib import validation
from course_lib.gp import Beta, Fixed, LogNormal, Probit, SquaredExponential
from course_lib.gp.observations import distinct_rows
from course_lib.judgments.asking import proposals
from course_lib.judgments.asking.acquisition import expected_improvement
from course_lib.judgments.asking.blind import BlindTest
from course_lib.judgments.asking.journals import Journal
from course_lib.judgments.asking.spaces import SettingSpace
from course_lib.judgments.comparisons.likelihoods import Comparison, ProbitWithTies
from course_lib.judgments.comparisons.preference import PreferenceGP

MIDDLES = {"degree": 0.5, "choice": 0.0, "choice_or_tie": 0.0}
VARIANCE = 4.0  # of f, in units of σ², as in Nielsen et al. (2014)
LENGTHSCALE = 0.5  # of the unit cube, within a factor of 1.6 for two thirds of the mass
SPREAD = 0.5
SILENT = 1e-6  # variance of an f that says nothing
KEPT = "settings that were heard, the answers and their times, under this pseudonym; no name, no sound"


class Agreement(NamedTuple):
    """Of two sessions with one listener, test and retest.

    distance : of the two best settings, as a share of the space's diagonal
    correlation : of the two posterior means over the space

    Lecture: 12, section 7.
    """

    distance: float
    correlation: float


class Personalizer:
    """Finds the setting that a listener likes best, by asking which of two is better.

    Each question puts the best setting heard so far beside a challenger, in random order: f ~ GP(0, k) on the unit cube
    is learned from all answers (MAP-II, Laplace, from where the last search ended), and the challenger is where the
    criterion says.

    Parameters
    ----------
    bounds : (d, 2) ends of d numbers, or a SettingSpace with steps, names and units
    session : None, or the path of a file that keeps every answer as it is given; it must not exist yet
    response : "degree" (0 … 1), "choice" (−1, +1) or "choice_or_tie" (−1, 0, +1); above the middle if b is preferred
    criterion : "improvement" (bivariate expected improvement) or another of `proposals.CRITERIA`
    choose : "sampled" (a grid, drawn in proportion to the criterion), "maximum" (of a grid, or of points that fill the
        space), "climbed" (gradient ascent from five starts; "improvement" alone) or "auto": for the improvement sampled
        up to two dimensions and climbed beyond, for all others the maximum
    kernel : None: SquaredExponential of variance 4 (in σ²), which stays, and a lengthscale for each number; or another
        on the unit cube, with priors on what is to be learned
    listener : a pseudonym, for the file
    rng : numpy Generator or seed: the same seed and answers give the same questions

    Raises
    ------
    ValueError
        If a setting is not what it should be, the file exists, or another process has it open; JournalError, an
        OSError, if it cannot be written.

    Source: Nielsen et al. (2014), "Perception based personalization of hearing aids using Gaussian processes and active
    learning". Lecture: 12, section 6.
    """

    def __init__(
        self,
        bounds,
        *,
        session=None,
        response="degree",
        criterion="improvement",
        choose="auto",
        kernel=None,
        listener="listener",
        rng=None,
    ):
        self.space = bounds if isinstance(bounds, SettingSpace) else SettingSpace(bounds)
        self.response = validation.one_of(response, tuple(MIDDLES), "response")
        self.criterion = validation.one_of(criterion, proposals.CRITERIA, "criterion")
        self.choose = self._chosen(choose)
        self.kernel = usual_kernel(self.space.d) if kernel is None else kernel
        self.listener = validation.text(listener, "listener")
        self.seed = int(validation.generator(rng).integers(2**32))
        self._forget()
        self._journal = None if session is None else Journal.create(session, self._header())

    def _chosen(self, choose):
        validation.one_of(choose, proposals.CHOICES, "choose")
        if choose == "auto":
            few = self.space.d <= 2
            return ("sampled" if few else "climbed") if self.criterion == "improvement" else "maximum"
        if choose == "climbed" and self.criterion != "improvement":
            raise ValueError(
                f"choose is 'climbed' and criterion {self.criterion!r}; only 'improvement' can be climbed."
            )
        return choose

    def _forget(self):
        self._questions, self._answers = [], []  # of dicts with a, b, learned …; and of numbers, as many or one less
        self._asked = 0  # questions ever asked, those taken back too: each has random numbers of its own
        self._fits = {}  # by the number of answers
        self._test = None

    def _header(self):
        space = self.space
        return {
            "listener": self.listener,
            "kept": KEPT,
            "begun": _now(),
            "space": {
                "bounds": space.bounds.tolist(),
                "steps": space.steps.tolist(),
                "names": list(space.names),
                "units": list(space.units),
            },
            "response": self.response,
            "criterion": self.criterion,
            "choose": self.choose,
            "kernel": repr(self.kernel),
            "seed": self.seed,
        }

    @classmethod
    def resume(cls, session, kernel=None):
        """The personaliser of a file, as it was: with the same open question.

        Parameters
        ----------
        session : path;  kernel : the one it was begun with, unless that was None

        Raises
        ------
        ValueError
            If there is no such file, it is damaged or open elsewhere, or the kernel is another.

        Lecture: 12, section 6.
        """
        journal = Journal.open(session)
        try:
            head = journal.header
            self = cls(
                SettingSpace(**head["space"]),
                response=head["response"],
                criterion=head["criterion"],
                choose=head["choose"],
                kernel=kernel,
                listener=head["listener"],
            )
            if repr(self.kernel) != head["kernel"]:
                raise ValueError(f"kernel is {self.kernel!r}, but {str(session)!r} was begun with {head['kernel']}.")
            self.seed = head["seed"]
            for event in journal.events:
                self._happened(event)
        except BaseException:
            journal.close()
            raise
        self._journal = journal
        return self

    def _do(self, event):
        """Keep an event, and only then let it happen."""
        if self._journal is not None:
            self._journal.append({**event, "time": _now()})
        self._happened(event)

    def _happened(self, event):
        """What an event changes, now or when a file is read."""
        if "question" in event:
            self._questions.append(event)
            self._asked += 1
        elif "answer" in event:
            self._answers.append(event["answer"])
        elif "taken_back" in event:
            del self._questions[len(self._answers) :]  # the one after it
            self._answers.pop()
            self._fits.clear()
        elif "test" in event:
            self._test = BlindTest(**event["test"])
        elif "test_answer" in event:
            self._test.answer(event["test_answer"])

    # --- asking -------------------------------------------------------------------------------------

    def propose(self):
        """The open question: settings (a, b), (d,) each; the same until it is answered. Lecture: 12, section 6."""
        if len(self._questions) == len(self._answers):
            a, b = self._next_pair()
            self._do({"question": len(self._questions) + 1, "a": a.tolist(), "b": b.tolist(), **self._learned()})
        question = self._questions[-1]
        return np.array(question["a"]), np.array(question["b"])

    def answer(self, value):
        """Answer the open question.

        Parameters
        ----------
        value : degree: 0 … 1; choice: −1 or +1; choice_or_tie: also 0. Above the middle if b is preferred.

        Raises
        ------
        ValueError
            If no question is open, or it is no such answer. JournalError, an OSError, if it cannot be kept: the
            question then stays open.

        Lecture: 12, section 6.
        """
        value = validation.finite(value, "value")
        possible = {"choice": (-1.0, 1.0), "choice_or_tie": (-1.0, 0.0, 1.0)}.get(self.response)
        if (possible and value not in possible) or (not possible and not 0.0 <= value <= 1.0):
            raise ValueError(
                f"value is {value:g}; {possible or '0 … 1'} is needed for the response {self.response!r}."
            )
        if len(self._questions) == len(self._answers):
            raise ValueError(f"value is {value:g}, but no question is open: call propose() first.")
        self._do({"answer": value, "to": len(self._questions)})

    def take_back(self):
        """Take the last answer back; its question is open again.

        Raises
        ------
        ValueError
            If there is no answer.

        Lecture: 12, section 6.
        """
        if not self._answers:
            raise ValueError("no answer was given that could be taken back.")
        self._do({"taken_back": len(self._answers)})

    def _next_pair(self):
        rng = np.random.default_rng([self.seed, self._asked])
        if not self._answers or self.criterion == "random":
            a, b = self._two_random(rng)
        elif self.criterion == "best":
            a, b = self._two_best(rng)
        else:
            a = self.incumbent_
            b = self._challenger(a, rng)
        return (b, a) if rng.integers(2) else (a, b)

    def _two_random(self, rng):
        settings = np.unique(self.space.random(20, rng), axis=0)
        return settings[rng.choice(len(settings), size=2, replace=False)]

    def _two_best(self, rng):
        settings = np.unique(np.vstack([self.space.spread(proposals.FREE, rng), self.incumbent_]), axis=0)
        a, b = proposals.best_pair(*self._latent(settings, return_cov=True))
        return settings[a], settings[b]

    def _challenger(self, incumbent, rng):
        if self.choose == "climbed":
            point = proposals.climb_improvement(self.model_, self.space.to_unit(incumbent[None])[0], rng)
            setting = self.space.from_unit(point[None])[0]
            if (setting != incumbent).any():
                return setting
        few = self.space.d <= 2
        settings = self.space.grid() if few else np.unique(self.space.spread(proposals.CANDIDATES, rng), axis=0)
        settings = np.vstack([settings[(settings != incumbent).any(axis=1)], incumbent])
        mean, cov = self._latent(settings, return_cov=True)
        likelihood = self.model_.likelihood_
        score = proposals.scores(self.criterion, mean, cov, len(settings) - 1, likelihood, rng)[:-1]
        return settings[proposals.pick(score, "sampled" if self.choose == "sampled" else "maximum", rng)]

    # --- what was learned ---------------------------------------------------------------------------

    @property
    def n_answers(self):
        """How many questions were answered. Lecture: 12, section 6."""
        return len(self._answers)

    @property
    def pairs_(self):
        """(n_answers, 2, d) settings (a, b) of the answered questions. Lecture: 12, section 6."""
        asked = [(question["a"], question["b"]) for question in self._questions[: self.n_answers]]
        return np.array(asked).reshape(self.n_answers, 2, self.space.d)

    @property
    def answers_(self):
        """(n_answers,) answers. Lecture: 12, section 6."""
        return np.array(self._answers, dtype=float)

    @property
    def model_(self):
        """PreferenceGP on the unit cube, fitted to all answers.

        Raises
        ------
        ValueError
            If no question was answered.

        Lecture: 12, section 6.
        """
        if not self._answers:
            raise ValueError("no question was answered, and nothing is known yet: propose() and answer() first.")
        return self._once("model", self._fit)

    def _fit(self):
        X, item = distinct_rows(self.space.to_unit(self.pairs_.reshape(-1, self.space.d)))
        learned = self._questions[self.n_answers - 1].get("learned")
        kernel, likelihood = self.kernel, self._likelihood()
        if learned is not None:
            kernel, likelihood = kernel.with_theta(learned["kernel"]), likelihood.with_theta(learned["answer"])
        pairs = item.reshape(-1, 2)
        return PreferenceGP(kernel, response=likelihood).fit(X, pairs, self.answers_)

    def _likelihood(self):
        inner = {
            "degree": Beta(10.0).with_priors(precision=LogNormal(10.0, 1.0)),
            "choice": Probit(),
            "choice_or_tie": ProbitWithTies(0.5).with_priors(threshold=LogNormal(0.5, 1.0)),
        }[self.response]
        return Comparison(inner, 1.0).with_priors(noise_std=Fixed())

    def _learned(self):
        """What a question keeps of the answers before it: where searches go on, and how much is still to be gained."""
        if not self._answers:
            return {}
        theta = {"kernel": self.model_.kernel_.theta.tolist(), "answer": self.model_.likelihood_.theta.tolist()}
        return {"learned": theta, "mean_improvement": self.mean_improvement_}

    def _once(self, name, compute):
        """A result of all answers so far: computed when first asked for."""
        fits = self._fits.setdefault(self.n_answers, {})
        if name not in fits:
            fits[name] = compute()
        return fits[name]

    def _latent(self, settings, return_cov=False):
        return self.model_.predict_latent(self.space.to_unit(settings), return_cov)

    @property
    def incumbent_(self):
        """(d,) the best setting of those that were heard, by its mean. Lecture: 12, section 2."""
        return self._once("incumbent", self._best_heard)

    def _best_heard(self):
        heard = np.unique(self.pairs_.reshape(-1, self.space.d), axis=0)
        return heard[self._latent(heard)[0].argmax()]

    @property
    def best_(self):
        """(d,) the setting with the highest mean of all, heard or not. Lecture: 12, section 6."""
        return self._once("best", self._best_of_all)

    def _best_of_all(self):
        heard = np.unique(self.pairs_.reshape(-1, self.space.d), axis=0)
        rng = np.random.default_rng([self.seed, 2**31])
        return self.space.from_unit(proposals.climb_mean(self.model_, self.space.to_unit(heard), rng)[None])[0]

    @property
    def mean_improvement_(self):
        """The expected improvement on the best setting heard, averaged over the space, in units of σ: how much is
        still to be gained. Source: Nielsen et al. (2014), section 2.2. Lecture: 12, section 6."""
        return self._once("mean improvement", self._mean_improvement)

    def _mean_improvement(self):
        settings = np.vstack([self._evenly(), self.incumbent_])
        mean, cov = self._latent(settings, return_cov=True)
        return float(expected_improvement(mean, cov, len(settings) - 1)[:-1].mean())

    def _evenly(self):
        """(q, d) settings all over the space, always the same."""
        return self.space.grid(21) if self.space.d <= 2 else self.space.spread(proposals.CANDIDATES, rng=0)

    @property
    def history_(self):
        """(n_answers,) the mean improvement after each answer. Lecture: 12, section 6."""
        earlier = [question["mean_improvement"] for question in self._questions[1 : self.n_answers]]
        return np.array([*earlier, self.mean_improvement_][: self.n_answers])

    def predict(self, settings):
        """How much better settings (q, d) are than the best one heard, in units of σ: mean and standard deviation.

        Raises
        ------
        ValueError
            If no question was answered, or the settings do not fit the space.

        Lecture: 12, section 6.
        """
        settings = validation.real_array(settings, "settings")
        self.space.to_unit(settings)
        among = self.space.to_unit(np.vstack([settings, self.incumbent_]))
        pairs = np.column_stack([np.full(len(settings), len(settings)), np.arange(len(settings))])
        return self.model_.predict_difference(among, pairs)

    @property
    def evidence_(self):
        """Nats by which the answers are better explained by an f than by none: below about 0 no difference is heard.

        Lecture: 12, section 7.
        """
        return self._once("evidence", self._evidence)

    def _evidence(self):
        silent = SquaredExponential(SILENT, 1.0).with_priors(variance=Fixed(), lengthscale=Fixed())
        X = self.model_.observations_.X
        views = self.model_.observations_.views
        pairs = np.column_stack([views.minus, views.plus])
        none = PreferenceGP(silent, response=self._likelihood()).fit(X, pairs, self.answers_)
        return float(self.model_.log_posterior_ - none.log_posterior_)

    @property
    def side_p_value_(self):
        """How often fair choices lean as much to one side as these: small if the first or the second always wins.

        Lecture: 12, section 7.
        """
        sides = np.sign(self.answers_ - MIDDLES[self.response])
        return float(binomtest(int((sides > 0).sum()), int((sides != 0).sum())).pvalue) if sides.any() else 1.0

    # --- the blind test, and the file ---------------------------------------------------------------

    @property
    def test_(self):
        """BlindTest, or None before `begin_test`; it is answered by `answer_test`. Lecture: 12, section 7."""
        return self._test

    def begin_test(self, baseline, rounds=20):
        """Begin a blind test of the best setting against a baseline (d,).

        Raises
        ------
        ValueError
            If no question was answered, or baseline is no setting, or the best one itself.

        Lecture: 12, section 7.
        """
        baseline = self.space.from_unit(self.space.to_unit(np.atleast_2d(baseline)))[0]
        test = {"found": self.best_.tolist(), "baseline": baseline.tolist(), "rounds": rounds, "rng": self.seed}
        BlindTest(**test)  # says what is wrong with it before it is kept
        self._do({"test": test})
        return self._test

    def answer_test(self, choice):
        """Answer the open choice of the blind test: −1 for a, +1 for b.

        Raises
        ------
        ValueError
            If no test was begun, it is over, or it is no choice.

        Lecture: 12, section 7.
        """
        if self._test is None:
            raise ValueError(f"choice is {choice!r}, but no test was begun: call begin_test() first.")
        if self._test.is_over or choice not in (-1, 1):
            self._test.answer(choice)  # says what is wrong
        self._do({"test_answer": float(choice)})

    def to_csv(self, path):
        """Write the answered questions as a table: question, a and b by the numbers' names, answer.

        Raises
        ------
        OSError
            If the file cannot be written.

        Lecture: 12, section 6.
        """
        names = [f"{side}_{name}" for side in "ab" for name in self.space.names]
        with Path(validation.path(path, "path")).open("w", newline="", encoding="utf-8") as file:
            table = csv.writer(file)
            table.writerow(["question", *names, "answer"])
            for number, (pair, answer) in enumerate(zip(self.pairs_, self.answers_, strict=True), start=1):
                table.writerow([number, *pair.ravel().tolist(), answer])

    def close(self):
        """Let go of the file, so that another process may have it. Lecture: 12, section 6."""
        if self._journal is not None:
            self._journal.close()

    def delete(self):
        """Delete the file, and forget all answers. Lecture: 12, section 6."""
        if self._journal is not None:
            self._journal.delete()
            self._journal = None
        self._forget()

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        self.close()


def usual_kernel(d):
    """SquaredExponential on the unit cube: variance 4, which stays, and d lengthscales round ½, which are learned.

    Source: Nielsen et al. (2014), eqs. 23–26, with their half Student-t exchanged for a log-normal prior in units of
    the cube. Lecture: 12, section 6.
    """
    kernel = SquaredExponential(VARIANCE, np.full(validation.whole(d, "d"), LENGTHSCALE))
    return kernel.with_priors(variance=Fixed(), lengthscale=LogNormal(LENGTHSCALE, SPREAD))


def agreement(one, other):
    """Agreement of two personalisers of one space: test and retest.

    Raises
    ------
    ValueError
        If their spaces differ, or one has no answers.

    Source: Nielsen et al. (2014), sections 3.3 and 4.3. Lecture: 12, section 7.
    """
    for each, name in ((one, "one"), (other, "other")):
        validation.instance(each, Personalizer, name, "a Personalizer")
    if one.space.d != other.space.d or not np.array_equal(one.space.bounds, other.space.bounds):
        raise ValueError(f"one has the space {one.space!r} and other {other.space!r}; they must be the same.")
    settings = one._evenly()
    correlation = np.corrcoef(one.predict(settings)[0], other.predict(settings)[0])[0, 1]
    return Agreement(one.space.distance(one.best_, other.best_), float(correlation))


def _now():
    return datetime.now(UTC).isoformat(timespec="seconds")
