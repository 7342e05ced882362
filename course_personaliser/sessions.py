"""Common base of the personalisers: a space, a model of the answers, a criterion, and a journal of all events.

Lecture: 12, sections 2 and 6.
"""

import hashlib
import hmac
import secrets
from datetime import UTC, datetime
from functools import wraps
from types import MappingProxyType

import numpy as np

from course_lib import threads, validation
from course_lib.gp import Fixed, Kernel, LogNormal, SquaredExponential
from course_lib.gp.sites import symmetric_root
from course_lib.judgments.asking.acquisition import expected_positive_part
from course_lib.judgments.asking.improvement import gain
from course_personaliser import proposals
from course_personaliser.journals import Journal
from course_personaliser.spaces import SettingSpace

PRIOR_VARIANCE = 4.0  # of f, in units of σ², as in Nielsen, Nielsen & Larsen (2015); but here σ is held as well
PRIOR_LENGTHSCALE = 0.5  # of the unit cube, within a factor of 1.6 for two thirds of the mass
LENGTHSCALE_LOG_STD = 0.5
SLOW_CRITERIA = (
    "thompson",
    "information",
)  # whose cost grows faster than the number of candidates, or with each of them
N_POSTERIOR_DRAWS = 400  # functions, to see how far the best setting is known
AVERAGING_GRID_SIDE = 21  # of the grid over which the improvement is averaged
ANSWER_MARGIN = 1e-3  # how near to the ends of a scale a model may see an answer
DATA_NOTICE = "settings that were heard, the answers and their times, under this pseudonym; no name and no sound"
SETTING_FIELDS = ("listener", "about", "response", "criterion", "choose", "learn")  # as a file's first line keeps them
TEXT_FIELDS = ("listener", "kept", "begun", "kernel")  # of that line
SPACE_FIELDS = {"bounds", "steps", "names", "units"}
HEADER_FIELDS = {*SETTING_FIELDS, *TEXT_FIELDS, "space", "seed"}


def of_all_answers(compute):
    """A property of the answers so far, computed on first access and cached."""

    @wraps(compute)
    def known(self):
        if not self.n_answers:
            raise ValueError("no question was answered, so nothing is known yet: call propose() and answer() first.")
        found = self._known.setdefault(self.n_answers, {})
        if compute.__name__ not in found:
            with threads.at_most(1):  # small matrices: several threads would wait for each other
                found[compute.__name__] = compute(self)
        return found[compute.__name__]

    return property(known)


class AskingSession:
    """Questions about settings of a space, and what the answers say about f: how much the listener likes each setting.

    A subclass defines the events (`EVENTS`, with the fields of each besides its kind: for a question, its settings),
    when each event is allowed (`_check_…`) and what it changes (`_apply`), which settings to ask about next (`_next`),
    how f is learned from the answers (`model_`, `_likelihood`), and the kinds of answer (`RESPONSES`, default first).

    Parameters as for `Personalizer`.
    """

    RESPONSES = ()
    EVENTS = MappingProxyType({"taken_over": set()})
    OPTIONAL = frozenset({"time", "learned", "mean_improvement"})
    _secret = None

    def __init__(
        self,
        bounds,
        *,
        session=None,
        response=None,
        criterion="improvement",
        choose="auto",
        kernel=None,
        learn=True,
        listener="listener",
        rng=None,
        about=None,
        secret=None,
    ):
        self.space = bounds if isinstance(bounds, SettingSpace) else SettingSpace(bounds)
        response = self.RESPONSES[0] if response is None else response
        self.response = validation.one_of(response, self.RESPONSES, "response")
        self.criterion = validation.one_of(criterion, proposals.CRITERIA, "criterion")
        self.choose = self._chosen(choose)
        kernel = usual_kernel(self.space.d) if kernel is None else kernel
        self.kernel = validation.instance(kernel, Kernel, "kernel", "None or a Kernel such as SquaredExponential()")
        self.learn = validation.flag(learn, "learn")
        self.listener = validation.text(listener, "listener")
        self.about = None if about is None else validation.text(about, "about", "a text, or None,")
        self._secret = None if secret is None else _sealed(validation.text(secret, "secret"), secrets.token_hex(8))
        self.seed = int(validation.generator(rng).integers(2**32))
        self._reset()
        self._journal = None if session is None else Journal.create(session, self._header())

    def _chosen(self, choose):
        validation.one_of(choose, proposals.CHOICE_RULES, "choose")
        if choose == "auto":
            few = self.space.d <= 2
            return ("sampled" if few else "climbed") if self.criterion == "improvement" else "maximum"
        if choose == "climbed" and self.criterion != "improvement":
            raise ValueError(
                f"choose is 'climbed' and criterion {self.criterion!r}; only 'improvement' can be climbed."
            )
        return choose

    def _reset(self):
        """Return to the state before the first question."""
        self._questions = []  # events
        self._answers = []  # numbers, as many as there are questions, or one less
        self._asked = 0  # all questions asked, including those taken back: each has its own random numbers
        self._known = {}  # cached results, by the number of answers

    # --- the file -----------------------------------------------------------------------------------

    def _header(self):
        space = self.space
        return {
            **{name: getattr(self, name) for name in SETTING_FIELDS},
            "kept": DATA_NOTICE,
            "begun": now(),
            "space": {
                "bounds": space.bounds.tolist(),
                "steps": space.steps.tolist(),
                "names": list(space.names),
                "units": list(space.units),
            },
            "kernel": repr(self.kernel),
            "seed": self.seed,
            **({} if self._secret is None else {"secret": self._secret}),
        }

    @classmethod
    def resume(cls, session, kernel=None, *, take_over=False, secret=None):
        """Restore the session of a file, at the same open question; each line is checked as if it were new.

        session : path;  kernel : the one with which it was started, unless that was None
        take_over : whether to continue the session here if it is open elsewhere; no answers are accepted there then
        secret : None: no check, as for anyone who can read the file; or the word with which the session was started,
            "" if there was none
        """
        validation.flag(take_over, "take_over")
        journal = Journal.open(session, even_if_open=take_over)
        try:
            self = cls._begun(journal, kernel, secret)
            for number, event in enumerate(journal.events, start=2):
                with journal.line(number):
                    self._check(event)
                self._apply(event)
            journal.take_over({"taken_over": True, "time": now()})
        except BaseException:
            journal.close()
            raise
        self._journal = journal
        return self

    @classmethod
    def _begun(cls, journal, kernel, secret):
        """The session before the first question, from the first line of the file."""
        head, session = journal.header, str(journal.path)
        with journal.line(1):
            _check_head(head)
        if head["response"] not in cls.RESPONSES:
            raise ValueError(
                f"session is {session!r}, whose response {head['response']!r} (line 1) is none of {cls.RESPONSES}."
            )
        if secret is not None and not _opens(head.get("secret"), secret):
            raise ValueError(f"secret is not the word with which the session {session!r} was started.")
        with journal.line(1):
            space = SettingSpace(**head["space"])
            self = cls(space, kernel=kernel, **{name: head[name] for name in SETTING_FIELDS})
        if repr(self.kernel) != head["kernel"]:
            raise ValueError(f"kernel is {self.kernel!r}, but {session!r} was started with {head['kernel']} (line 1).")
        self.seed, self._secret = head["seed"], head.get("secret")
        return self

    def _record(self, event):
        """Check an event, write it to the journal, and only then apply it."""
        self._check(event)
        if self._journal is not None:
            self._journal.append({**event, "time": now()})
        self._apply(event)

    def _check(self, event):
        """Raise ValueError if an event, new or read from a file, is not allowed now."""
        kinds = [kind for kind in self.EVENTS if kind in event]
        if len(kinds) != 1:
            raise ValueError(f"an event of {list(event)}; one of {', '.join(self.EVENTS)} is needed.")
        needed = {kinds[0], *self.EVENTS[kinds[0]]}
        if not needed <= event.keys() <= needed | self.OPTIONAL:
            raise ValueError(f"an event of {list(event)}; {', '.join(sorted(needed))} are needed.")
        validation.text(event.get("time", "now"), "time")
        getattr(self, f"_check_{kinds[0]}")(event)

    def _check_taken_over(self, event):
        if event["taken_over"] is not True:
            raise ValueError(f"taken_over is {event['taken_over']!r}; true is needed.")

    def _check_question(self, event):
        if self.is_asking:
            raise ValueError(f"question is {event['question']!r}, but question {len(self._questions)} is still open.")
        due(event["question"], len(self._questions) + 1, "question")
        if ("learned" in event, "mean_improvement" in event) != (self.n_answers > 0,) * 2:
            raise ValueError("learned and mean_improvement are needed for every question except the first.")
        if self.n_answers:
            validation.not_negative(event["mean_improvement"], "mean_improvement")
            learned = event["learned"]
            if not isinstance(learned, dict) or learned.keys() != {"kernel", "answer"}:
                raise ValueError(f"learned is {learned!r}; kernel and answer are needed.")
            self._begin(learned)
        for name in sorted(self.EVENTS["question"]):
            self._check_setting(event[name], name)

    def _check_open(self, to, said):
        """Raise ValueError if no question is open, or the answer is to another one."""
        if not self.is_asking:
            raise ValueError(f"{said}, but no question is open: call propose() first.")
        due(to, len(self._questions), "to")

    def _check_setting(self, value, name):
        """Raise ValueError if the value is not a setting of the space, or lies between its steps."""
        setting = validation.matrix(value, name, (self.space.d,))
        unit = self.space.to_unit(setting, name)
        if np.abs(self.space.to_unit(self.space.from_unit(unit)) - unit).max() > 1e-6:
            raise ValueError(f"{name} is {setting.tolist()}, between the steps {self.space.steps.tolist()}.")

    def _apply(self, event):
        """Change the state by an event, new or read from a file."""
        if "question" in event:
            self._questions.append(event)
            self._asked += 1
        elif "answer" in event:
            self._answers.append(event["answer"])

    def close(self):
        """Release the file, so that another process can open it."""
        if self._journal is not None:
            self._journal.close()

    def delete(self):
        """Delete the file and all answers; JournalError, an OSError, if another process has taken it over."""
        if self._journal is not None:
            self._journal.delete()
            self._journal = None
        self._reset()

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        self.close()

    # --- the next question --------------------------------------------------------------------------

    def _open_question(self):
        """The event of the open question; if there is none, ask the next one, with its own random numbers."""
        if not self.is_asking:
            rng = np.random.default_rng([self.seed, self._asked])  # the same after a crash
            with threads.at_most(1):
                settings, learned = self._next(rng), self._learned()
            settings = {name: setting.tolist() for name, setting in settings.items()}
            self._record({"question": len(self._questions) + 1, **settings, **learned})
        return self._questions[-1]

    def _challenger(self, rng):
        """(d,) the setting with the highest criterion, compared with the incumbent."""
        incumbent = self.incumbent_
        if self.choose == "climbed":
            point = proposals.climb_improvement(self.model_, self.space.to_unit(incumbent), rng)
            setting = self.space.from_unit(point)
            if (setting != incumbent).any():
                return setting
        settings = self._candidates(rng)
        settings = settings[(settings != incumbent).any(axis=1)]
        points, beside = self.space.to_unit(settings), self.space.to_unit(incumbent)
        score = proposals.scores(self.criterion, self.model_, points, beside, rng)
        return settings[proposals.pick(score, "sampled" if self.choose == "sampled" else "maximum", rng)]

    def _candidates(self, rng):
        """(q, d) candidates for the next setting: a fine grid, or as many as there is time for."""
        if self.space.d <= 2 and self.criterion not in SLOW_CRITERIA:
            return self.space.grid()
        return np.unique(self.space.spread(proposals.N_CANDIDATES, rng), axis=0)

    def _learned(self):
        """What a question stores about earlier answers: learned parameters, and the improvement still expected."""
        if not self.n_answers:
            return {}
        theta = {"kernel": self.model_.kernel_.theta.tolist(), "answer": self.model_.likelihood_.theta.tolist()}
        return {"learned": theta, "mean_improvement": self.mean_improvement_}

    def _begin(self, learned):
        """(kernel, likelihood) at which a search starts: where the previous one ended."""
        if learned is None:
            return self.kernel, self._likelihood()
        return self.kernel.with_theta(learned["kernel"]), self._likelihood().with_theta(learned["answer"])

    # --- what was learned ---------------------------------------------------------------------------

    @property
    def n_answers(self):
        """Number of answered questions."""
        return len(self._answers)

    @property
    def is_asking(self):
        """Whether a question is open."""
        return len(self._questions) > self.n_answers

    @property
    def answers_(self):
        """(n_answers,) answers."""
        return np.array(self._answers, dtype=float)

    def _heard(self):
        """(n_answers, s, d) the settings of the answered questions, s in each."""
        names = sorted(self.EVENTS["question"])
        heard = [[question[name] for name in names] for question in self._questions[: self.n_answers]]
        return np.array(heard).reshape(self.n_answers, len(names), self.space.d)

    def _different(self):
        """(n, d) the distinct settings that were heard, and (n,) where each was first heard."""
        return np.unique(self._heard().reshape(-1, self.space.d), axis=0, return_index=True)

    def _search_begins(self):
        """(kernel, likelihood) at which the search of `model_` starts."""
        return self._begin(self._questions[self.n_answers - 1].get("learned"))

    def _latent(self, settings, return_cov=False):
        return self.model_.predict_latent(self.space.to_unit(settings), return_cov)

    @of_all_answers
    def incumbent_(self):
        """(d,) the setting with the highest posterior mean among those that were heard."""
        heard, first = self._different()
        return heard[self.model_.predict_latent(self.model_.items_[first])[0].argmax()]

    @of_all_answers
    def best_(self):
        """(d,) the setting with the highest posterior mean, heard or not."""
        heard = self.space.to_unit(self._different()[0])
        point = proposals.climb_mean(self.model_, heard, np.random.default_rng([self.seed, 2**31]))
        return self.space.from_unit(point)

    def best_range(self, confidence=0.9):
        """(d, 2) interval of each number of the best setting, with this probability, from posterior samples of f."""
        confidence = validation.between(confidence, "confidence", 0, 1)
        ends = np.quantile(self._drawn_best, [0.5 - confidence / 2, 0.5 + confidence / 2], axis=0)
        return np.column_stack([np.minimum(ends[0], self.best_), np.maximum(ends[1], self.best_)])

    @of_all_answers
    def _drawn_best(self):
        """(N_POSTERIOR_DRAWS, d) the maximum of each sampled function."""
        settings, rng = self.evenly(), np.random.default_rng([self.seed, 2**31 + 1])
        mean, cov = self._latent(settings, return_cov=True)
        return settings[
            (mean + rng.normal(size=(N_POSTERIOR_DRAWS, len(settings))) @ symmetric_root(cov)).argmax(axis=1)
        ]

    @of_all_answers
    def mean_improvement_(self):
        """The expected improvement on the best setting heard, averaged over the space.

        In units of f; if pairs are compared, of σ. Source: Nielsen, Nielsen & Larsen (2015), section 2.2.
        """
        return float(expected_positive_part(*self.predict(self.evenly())).mean())

    def evenly(self):
        """(q, d) a fixed set of settings that cover the space evenly."""
        return (
            self.space.grid(AVERAGING_GRID_SIDE)
            if self.space.d <= 2
            else self.space.spread(proposals.N_CANDIDATES, rng=0)
        )

    def predict(self, settings):
        """How much better settings (q, d) are than the best one heard, in units of f: mean and standard deviation."""
        return gain(self.model_, self.space.to_unit(settings), self.space.to_unit(self.incumbent_))


def usual_kernel(d):
    """SquaredExponential on the unit cube: fixed variance 4, and d lengthscales with a prior around ½.

    Source: Nielsen, Nielsen & Larsen (2015), eqs. 23–26, with a log-normal prior in units of the cube instead of their
    half Student-t.
    """
    kernel = SquaredExponential(PRIOR_VARIANCE, np.full(validation.integer(d, "d"), PRIOR_LENGTHSCALE))
    return kernel.with_priors(variance=Fixed(), lengthscale=LogNormal(PRIOR_LENGTHSCALE, LENGTHSCALE_LOG_STD))


def due(found, number, name):
    """Raise ValueError unless this is the number that comes next."""
    if validation.integer(found, name) != number:
        raise ValueError(f"{name} is {found!r}; {number} is needed, the next one.")


def _check_head(head):
    """Raise ValueError unless a first line has all settings of a session."""
    if missing := HEADER_FIELDS - head.keys():
        raise ValueError(f"{', '.join(sorted(missing))} is missing.")
    for name in TEXT_FIELDS:
        validation.text(head[name], name)
    if not isinstance(head["space"], dict) or head["space"].keys() != SPACE_FIELDS:
        raise ValueError(f"space is {head['space']!r}; {', '.join(sorted(SPACE_FIELDS))} are needed.")
    if validation.integer(head["seed"], "seed", least=0) >= 2**32:
        raise ValueError(f"seed is {head['seed']}; a whole number below 2³² is needed.")
    if not isinstance(head.get("secret", ""), str):
        raise ValueError(f"secret is {head['secret']!r}; a text is needed.")


def _sealed(word, salt):
    """Salted hash of the word (PBKDF2, RFC 8018)."""
    return f"{salt}${hashlib.pbkdf2_hmac('sha256', word.strip().encode(), salt.encode(), 100_000).hex()}"


def _opens(sealed, word):
    """Whether this is the word that was hashed; if there was none, "" is accepted."""
    if not isinstance(word, str) or sealed is None:
        return isinstance(word, str) and word == ""
    return hmac.compare_digest(_sealed(word, sealed.split("$")[0]), sealed)


def now():
    """The time, in UTC, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")
