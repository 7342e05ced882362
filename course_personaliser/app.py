"""The personaliser as an app: a listener compares A with B until an equaliser setting is found.

`Personalizer` does all the computing; this module has the controls, the sound and the drawings.

Lecture: 12, sections 6 and 7.
"""

import base64
import html
import os
import re
import secrets
import tempfile
import warnings
from contextlib import suppress
from functools import cache
from pathlib import Path

import numpy as np

from course_lib import audio, datasets, validation
from course_lib.datasets import music as pieces
from course_lib.gp import Kernel
from course_personaliser import Personalizer, SettingSpace, drawings
from course_personaliser.connection import Connection
from course_personaliser.degree import DegreeSlider
from course_personaliser.journals import DamagedJournalWarning, TakenOverError
from course_personaliser.personalizer import FOUND_ADVICE
from course_personaliser.remembered import Remembered
from course_widgets import style
from course_widgets.extras import widgets
from course_widgets.player import SIDES, ABPlayer

SPACE_DIMENSIONS = (2, 5)
PSEUDONYM = re.compile(r"[\w-]{1,40}")
PARAGRAPH_STYLE = 'style="max-width:44em;line-height:1.4;margin:0.4em 0"'
LINK_STYLE = "color:#0065a0;text-decoration:underline"
MINUTES_PER_QUESTION = 0.5
DRAWN_HZ = np.geomspace(30.0, 16_000.0, 300)
SUMMARY = "A listening test that finds your equaliser setting. It runs in JupyterLab and on a Voila page (make app)."
PURPOSE = (
    "You hear the same music with two different tones, A and B, and say which you like better. You do this {}, which "
    "takes about {}. At the end you hear the tone that suits you best."
)
DATA_NOTICE = (
    "Your answers, their times and the settings that you heard are saved under your pseudonym on the computer that "
    "runs this page: no name, no recording. You can delete them at any time. To continue later, or on another device, "
    "enter the same pseudonym. If you choose a secret word, nobody can continue or delete your session without it."
)
VOLUME_NOTICE = "Turn your device's volume down first. Nothing plays until you press Play; the sound starts quietly."
FIRST_STEPS = "Play A and B. Then move the slider towards the one that you like better."


def tone_space(dimensions=2):
    """SettingSpace of the equaliser: bass and treble (2), or the five bands (5), −12 to 12 dB in steps of 1 dB."""
    validation.one_of(dimensions, SPACE_DIMENSIONS, "dimensions")
    names = ["bass", "treble"] if dimensions == 2 else [f"{centre:g} Hz" for centre in audio.BANDS]
    ends = [(-audio.LARGEST_TONE_DB, audio.LARGEST_TONE_DB)] * dimensions
    return SettingSpace(ends, steps=[1.0] * dimensions, names=names, units=["dB"] * dimensions)


class PersonalizerApp(widgets.VBox):
    """Finds a listener's equaliser setting: a start screen, 20 questions, the result, and a blind test.

    Every event is saved in the session's file before it is shown. A new app with the same file, or the same pseudonym,
    offers to continue at the same question, also within the blind test. Errors with the file are shown in the app, and
    the question stays open.

    Parameters
    ----------
    session : None: a file in `folder`, named by the pseudonym; or the path of a file, to be started or continued
    dimensions : 2: bass and treble (`audio.tone_gains`); 5: the gains of the five bands
    music : "garzul" or "vibe_ace";  rng : numpy Generator or seed
    kernel : as for `Personalizer`
    folder : where sessions without a path are saved; created if it does not exist
    questions : number of answers after which the result is shown;  rounds : number of choices in the blind test

    Attributes
    ----------
    personalizer : Personalizer, or None before the listener has started;  player : ABPlayer
    screen : "start", "question", "result" or "test";  pseudonym, secret, begin : on the start screen
    progress, degree, next, take_back, stop : on the question screen
    verdict, compared, curve, map, table, more, blind : on the result screen; compared is an ABPlayer
    test_progress, a_better, b_better, stop_test : on the screen of the blind test
    delete, keep : at the foot of every screen; on the start screen only if there is a session
    alert : HTML of an error message, or empty;  connection : says that the kernel is gone, and which answers are safe
    """

    personalizer = player = compared = None

    def __init__(
        self,
        session=None,
        dimensions=2,
        music="garzul",
        rng=None,
        *,
        kernel=None,
        folder="sessions",
        questions=20,
        rounds=20,
    ):
        self._session = None if session is None else validation.path(session, "session")
        self.space = tone_space(dimensions)
        self._music = validation.one_of(music, pieces.PIECE_NAMES, "music")
        self._rng = validation.generator(rng)
        needed = "None or a Kernel such as SquaredExponential()"
        self._kernel = None if kernel is None else validation.instance(kernel, Kernel, "kernel", needed)
        self._folder = validation.path(folder, "folder")
        self._questions = validation.integer(questions, "questions")
        self._rounds = validation.integer(rounds, "rounds")
        self._loop, self._title, heard = _looped(self._music)
        self.player = ABPlayer(*[self._sound(np.zeros(dimensions))] * 2, what=f"{heard} A and B differ in their tone.")
        self.compared = ABPlayer(*self.player.sounds, what="Your setting and the original music.")
        self.compared.names = ("yours", "original")
        self.alert, self.connection = widgets.HTML(), Connection()
        self._deletion = self._deletion_row()
        self._screens = {
            "start": self._start_screen(),
            "question": self._question_screen(),
            "result": self._result_screen(),
            "test": self._test_screen(),
        }
        self.player.observe(self._heard, names="heard")
        self.degree.observe(self._heard, names="touched")
        super().__init__(layout=widgets.Layout(max_width="100%"))
        self._show("start")
        self._named()

    # --- the screens --------------------------------------------------------------------------------

    def _start_screen(self):
        usual = f"for example owl{secrets.randbelow(900) + 100}"  # random, so that people do not choose the same
        self.pseudonym = widgets.Text(description="Pseudonym", placeholder=usual, continuous_update=True)
        self.pseudonym.observe(self._named, names="value")
        self.secret = widgets.Password(description="Secret word", placeholder="optional", continuous_update=True)
        self.remembered = Remembered(self._remember)
        self.begin = self._button("Begin", self._begin, "primary")
        words = "".join(map(_paragraph, (self._purpose(), VOLUME_NOTICE, DATA_NOTICE, f"Music: {self._title}.")))
        self._known = widgets.HTML()
        asked = [self.pseudonym, self.secret, self._known, self.begin, self.remembered]
        return [widgets.HTML(f"<h2>Find your sound</h2>{words}"), *asked]

    def _purpose(self):
        return PURPOSE.format(_counted(self._questions, "time"), _counted(self._minutes(0), "minute"))

    def _question_screen(self):
        self.progress = widgets.HTML()
        self.degree = DegreeSlider()
        self.next = self._button("Next", self._answer, "primary")
        self.take_back = self._button("Undo last answer", self._take_back)
        self.stop = self._button("See my result", self._result)
        return [self.progress, self.player, self.degree, _row(self.next, self.take_back, self.stop)]

    def _result_screen(self):
        self.verdict, self.table = widgets.HTML(), widgets.HTML()
        fits = widgets.Layout(align_self="flex-start", max_width="100%")
        self.curve, self.map = widgets.HTML(layout=fits), widgets.HTML(layout=fits)
        self.more = self._button("Continue with more questions", self._ask)
        self.blind = self._button("Blind test", self._begin_test, "primary")
        return [self.verdict, self.compared, _row(self.blind, self.more), _row(self.curve, self.map), self.table]

    def _test_screen(self):
        self.test_progress = widgets.HTML()
        self.a_better = self._button("A is better", lambda: self._choose(-1), "primary")
        self.b_better = self._button("B is better", lambda: self._choose(1), "primary")
        self.stop_test = self._button("Stop the test", self._result)
        return [self.test_progress, self.player, _row(self.a_better, self.b_better, self.stop_test)]

    def _deletion_row(self):
        self._surely = widgets.HTML()
        self.delete = self._button("Delete my data", self._delete)
        self.keep = self._button("Keep my data", lambda: self._ask_before_deleting(False))
        foot = widgets.Layout(margin="1em 0 0", max_width="100%")
        return [widgets.VBox([self._surely, _row(self.delete, self.keep)], layout=foot)]

    def _button(self, label, action, kind=""):
        button = widgets.Button(
            description=label, button_style=kind, layout=widgets.Layout(width="max-content", height="40px")
        )
        button.on_click(lambda _: self._try(action))
        return button

    def _show(self, screen):
        self.screen = screen
        self.player.playing = self.compared.playing = ""
        self._ask_before_deleting(False)
        if screen != "start":
            self.delete.layout.display = None
        self.connection.kept = self._kept()
        self.children = [self.connection, self.alert, *self._screens[screen], *self._deletion]

    def _kept(self):
        """Which answers are safe, whatever happens now."""
        answers = 0 if self.personalizer is None else self.personalizer.n_answers
        if not answers:
            return "You had not answered any question yet."
        if self.screen == "test" and self._test().n_answers:
            return f"Your answers are safe, and so are your choices up to choice {self._test().n_answers}."
        return f"Your answers are safe up to question {answers}."

    def _try(self, action):
        """Run the action of a button; an error is shown as a sentence, and the screen stays."""
        self.alert.value = ""
        try:
            action()
        except TakenOverError as error:
            self.personalizer = None  # closed: the newest window continues the session
            self._named()
            self._show("start")
            self._say(f"{error.strerror}.")
        except OSError as error:
            self._say(f"{error.strerror} ({error.filename})." if error.filename else str(error))
        except ValueError as error:
            self._say(str(error))

    def _say(self, sentence):
        self.alert.value = f'<p role="alert" {PARAGRAPH_STYLE}><b>{html.escape(sentence)}</b></p>' if sentence else ""

    # --- the start ----------------------------------------------------------------------------------

    def _path(self):
        """Where the session is, or will be."""
        if self._session is not None:
            return self._session
        if not PSEUDONYM.fullmatch(self.pseudonym.value):
            raise ValueError(
                "Choose a pseudonym of 1 to 40 letters, digits, - or _. The file with your answers gets this name."
            )
        return self._folder / f"{self.pseudonym.value}.jsonl"

    def _is_named(self):
        return self._session is not None or PSEUDONYM.fullmatch(self.pseudonym.value) is not None

    def _is_known(self):
        """Whether there is a session to continue."""
        return self._is_named() and _exists(self._path())

    def _named(self, change=None):
        """Say whether a new session will be started, or an existing one continued."""
        named, exists = self._is_named(), self._is_known()
        known = f"The file will be {self._path()}." if named else "Make up a pseudonym of letters, digits, - or _."
        if exists:
            known = f"There is a session in {self._path()}. If it is yours, continue here; other windows then stop."
        self._known.value = _paragraph(known, 'role="status"')
        self.begin.description = "Continue here" if exists else "Begin"
        self.delete.layout.display = None if exists else "none"
        self.pseudonym.disabled = self._session is not None and exists

    def _remember(self, pseudonym, secret, lost=False):
        """Fill in what the browser remembers unless something was typed; continue at once after a lost connection."""
        if not self.pseudonym.value and self._session is None and PSEUDONYM.fullmatch(pseudonym):
            self.pseudonym.value, self.secret.value = pseudonym, secret
        if lost and self._is_known():
            self._try(self._begin)

    def _begin(self):
        if self.personalizer is None:
            self.personalizer = self._opened()
            self.remembered.pseudonym, self.remembered.secret = self.pseudonym.value, self.secret.value
        test = self._test()
        if test is not None and not test.is_over:
            self._play_test()
        else:
            self._ask_or_end()

    def _opened(self):
        path = self._path()
        if _exists(path):
            return self._resumed(path)
        if self._session is None:
            self._folder.mkdir(parents=True, exist_ok=True)
            with suppress(PermissionError):  # the folder may belong to somebody else
                os.chmod(self._folder, 0o700)
        listener = self.pseudonym.value.strip() or "listener"
        settings = {"kernel": self._kernel, "listener": listener, "about": self._about(), "rng": self._rng}
        return Personalizer(self.space, session=path, secret=self.secret.value.strip() or None, **settings)

    def _resumed(self, path):
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always", DamagedJournalWarning)
            personalizer = Personalizer.resume(path, self._kernel, take_over=True, secret=self.secret.value.strip())
        self._say(" ".join(str(warning.message) for warning in said))
        if (repr(personalizer.space), personalizer.about) != (repr(self.space), self._about()):
            personalizer.close()
            raise ValueError(
                f"session is {str(path)!r}, which was started with other settings or other music: "
                f"{personalizer.space!r}, {personalizer.about}. This app has {self.space!r}, {self._about()}."
            )
        return personalizer

    def _about(self):
        return f"music {self._music}"

    # --- the sound ----------------------------------------------------------------------------------

    def _gains(self, setting):
        return audio.tone_gains(*map(float, setting)) if self.space.d == 2 else setting

    def _sound(self, setting):
        return self._loop.wav(self._gains(setting))

    def _play(self, a, b):
        """Load two settings into the player, neither of them heard yet."""
        self.player.playing = ""
        self.player.change(self._sound(a), self._sound(b))
        self._heard()

    def _heard(self, change=None):
        """Enable the answer once both sides were heard and, for a question, the slider was touched."""
        self.a_better.disabled = self.b_better.disabled = not self._both_heard
        self.next.disabled = not (self._both_heard and self.degree.touched)

    @property
    def _both_heard(self):
        return self.player.heard == SIDES

    # --- a question ---------------------------------------------------------------------------------

    def _ask(self, degree=None):
        """Show the open question; if its answer was taken back, with that answer."""
        self._play(*self.personalizer.propose())
        self._shown = self.personalizer.n_answers
        self.degree.put(0.5 if degree is None else degree, touched=degree is not None)
        self.take_back.disabled = self.stop.disabled = not self._shown
        self.stop.button_style = "primary" if self._is_found else ""
        self.progress.value = self._progress()
        self._show("question")

    def _ask_or_end(self):
        """Show the open or the next question; after the last announced one, the result."""
        ends = self.personalizer.n_answers == self._questions and not self.personalizer.is_asking
        self._result() if ends else self._ask()

    def _progress(self):
        number = self.personalizer.n_answers + 1
        heading = f"Question {number}" + (f" of {self._questions}" if number <= self._questions else "")
        words = " ".join([self.personalizer.advice_, *self._outlook()]) if number > 1 else FIRST_STEPS
        return f"<h2>{heading}</h2>" + _paragraph(words, 'role="status"')

    def _outlook(self):
        """Sentences on whether one can stop, and how long it will take otherwise."""
        answers = self.personalizer.n_answers
        if self._is_found:
            yield "You can stop now and see the result."
        elif answers < self._questions:
            minutes = self._minutes(answers)
            yield f"About {_counted(minutes, 'minute')} {'is' if minutes == 1 else 'are'} left."

    @property
    def _is_found(self):
        """Whether the listener is told that the setting is found."""
        return self.personalizer.advice_ == FOUND_ADVICE

    def _minutes(self, answers):
        return max(1, round(MINUTES_PER_QUESTION * (self._questions - answers)))

    def _answer(self):
        """Save the answer and continue. After an error, the answer may be saved already."""
        if self.personalizer.n_answers == self._shown:
            if self.next.disabled:
                return
            self.personalizer.answer(self.degree.value)
        self._ask_or_end()

    def _take_back(self):
        last = float(self.personalizer.answers_[-1])
        self.personalizer.take_back()
        self._ask(last)

    # --- the result ---------------------------------------------------------------------------------

    def _result(self):
        """Show the result, or that no difference was heard."""
        told = self.personalizer.evidence_ >= 0.0
        test = self._test()
        self.verdict.value = "<h2>Your result</h2>" + "".join(map(_paragraph, self._sentences(told, test)))
        self._draw(told)
        self.compared.layout.display = None if told else "none"
        if told:
            self.compared.change(self._sound(self.personalizer.best_), self._sound(np.zeros(self.space.d)))
        flat = not self.personalizer.best_.any()
        self.blind.disabled = not told or flat or (test is not None and test.is_over)
        self.blind.description = "Blind test" if test is None else "Continue the blind test"
        self.table.value = self._link()
        self._show("result")

    def _sentences(self, told, test):
        """The result in sentences, or that there is none."""
        personalizer = self.personalizer
        if personalizer.n_answers == self._questions:
            yield f"You have answered all {_counted(self._questions, 'question')}. You can continue if you like."
        yield personalizer.advice_
        if not told:
            yield "No setting is shown, because answers like these do not favour any."
            return
        known = zip(self.space.names, personalizer.best_, personalizer.best_range(), strict=True)
        found = ", ".join(f"{name} {_db(best)} ({_db(low)} … {_db(high)})" for name, best, (low, high) in known)
        yield f"Your best setting, estimated from {_counted(personalizer.n_answers, 'answer')}: {found}."
        yield "Each range in brackets contains your best value with a probability of 90 %."
        if not personalizer.best_.any():
            yield "This is the original music, so there is nothing to compare in a blind test."
        elif test is None:
            yield "In the blind test you do not know which is which: do you still choose your setting?"
        if test is not None and test.n_answers:
            yield blind_sentence(test)

    def _draw(self, told):
        self.curve.layout.display = self.map.layout.display = "none"
        if told:
            _put(self.curve, *self._curve())
        if told and self.space.d == 2:
            _put(self.map, *self._map())

    def _curve(self):
        drawing, ax = style.figure(size=(4.6, 3.2))
        curves = {"yours": self.personalizer.best_, "original": np.zeros(self.space.d)}
        lines = {k: audio.response_db(self._gains(x), DRAWN_HZ, self._loop.rate) for k, x in curves.items()}
        drawings.draw_responses(DRAWN_HZ, lines, ax).legend()
        ax.set(title="your equaliser", ylim=(-16, 16), xlabel="low tones … high tones (Hz)")
        ax.set_xticks(audio.BANDS, [f"{hz:g}" for hz in audio.BANDS])
        at_bands = audio.response_db(self._gains(curves["yours"]), audio.BANDS, self._loop.rate)
        at = ", ".join(f"{_db(gain)} at {hz:g} Hz" for gain, hz in zip(at_bands, audio.BANDS, strict=True))
        return drawing, f"Gain of your setting over frequency, compared with the original: {at}."

    def _map(self):
        drawing, ax = style.figure(size=(4.6, 3.2))
        settings, best = self.space.grid(), self.personalizer.best_
        mean, _ = self.personalizer.predict(settings)
        drawings.draw_map(settings, mean, ax, "brighter: you like it better")
        drawings.draw_pairs(self.personalizer.pairs_, ax)
        ax.plot(*best, "o", markerfacecolor="none", color="white", markersize=13, markeredgewidth=2)
        ax.set(title="how much you like each setting", xlabel="bass (dB)", ylabel="treble (dB)")
        low = settings[mean.argmin()]
        return drawing, (
            f"Map of bass and treble: you like {_db(best[0])} and {_db(best[1])} best (circled), and "
            f"{_db(low[0])} and {_db(low[1])} least; thin lines connect the settings that were compared."
        )

    def _link(self):
        """A link to the answers as a table, which is embedded in the page."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "answers.csv"
            self.personalizer.to_csv(path)
            data = base64.b64encode(path.read_bytes()).decode()
        name = html.escape(f"{self._path().stem}.csv")
        words = f"Your answers as a table ({name})"
        link = f'<a download="{name}" href="data:text/csv;base64,{data}" style="{LINK_STYLE}">{words}</a>'
        return f"<p {PARAGRAPH_STYLE}>{link}</p>"

    def _ask_before_deleting(self, asking):
        self._sure = asking
        self.keep.layout.display = None if asking else "none"
        self.delete.description = "Delete permanently" if asking else "Delete my data"
        self.delete.button_style = "danger" if asking else ""
        self.delete.style.button_color = None if asking else "transparent"
        self.delete.style.text_decoration = "none" if asking else "underline"
        sentence = "The file with your answers will be deleted. This cannot be undone."
        self._surely.value = _paragraph(sentence, 'role="status"') if asking else ""

    def _delete(self):
        """Delete the file when the button is pressed for the second time."""
        if not self._sure:
            return self._ask_before_deleting(True)
        (self.personalizer or self._opened()).delete()
        self.personalizer = None
        self.remembered.pseudonym = self.remembered.secret = self.pseudonym.value = self.secret.value = ""
        self._named()
        self._known.value = _paragraph("Your data have been deleted.", 'role="status"')
        self._show("start")

    # --- the blind test -----------------------------------------------------------------------------

    def _test(self):
        """The blind test of the current best setting, or None."""
        test = self.personalizer.test_
        return test if test is not None and (test.found == self.personalizer.best_).all() else None

    def _begin_test(self):
        if self._test() is None:
            self.personalizer.begin_test(np.zeros(self.space.d), self._rounds)
        self._play_test()

    def _play_test(self):
        test = self._test()
        self._play(*test.propose())
        words = "Which do you like better? One is your setting and one the original; their order is random each time."
        heading = f"<h2>Blind test, choice {test.n_answers + 1} of {test.rounds}</h2>"
        self.test_progress.value = heading + _paragraph(words, 'role="status"')
        self._show("test")

    def _choose(self, choice):
        if not self._both_heard:
            return
        self.personalizer.answer_test(choice)
        self._result() if self._test().is_over else self._play_test()

    # --- the end ------------------------------------------------------------------------------------

    def close(self):
        """Stop the sound, and release the session's file, so that another app can open it."""
        if self.personalizer is not None:
            self.personalizer.close()
        for player in filter(None, (self.player, self.compared)):
            player.close()
        super().close()

    def __repr__(self):
        done = "not begun" if self.personalizer is None else _counted(self.personalizer.n_answers, "answer")
        return f"PersonalizerApp: {self.space!r}; {done}"

    def _repr_mimebundle_(self, **options):
        data = super()._repr_mimebundle_(**options)
        return {**data, "text/html": f"<p><i>{html.escape(SUMMARY)}</i></p>", "text/plain": repr(self)}


def blind_sentence(test):
    """The result of a blind test as a sentence: counts, exact p-value, 90 % interval of the fraction.

    Source: Nielsen, Nielsen & Larsen (2015), section 3.2.
    """
    low, high = test.interval(0.9)
    choices = _counted(test.n_answers, "choice")
    over = "" if test.is_over else f" ({test.rounds} choices planned)"
    return (
        f"Blind test{over}: you chose your setting in {test.n_for_found} of {choices}. Guessing would give "
        f"a result at least as far from one half with probability {test.p_value:.3f}; with 90 % confidence you would "
        f"choose it in {100 * low:.0f} to {100 * high:.0f} % of all cases."
    )


@cache
def _looped(music):
    """(EqualizedLoop, title, what is heard), once for all apps."""
    loaded = datasets.load_music(music)
    return audio.EqualizedLoop(*loaded.signal, loaded.after_seconds), loaded.title, loaded.heard


def _paragraph(sentence, attributes=""):
    return f"<p {attributes} {PARAGRAPH_STYLE}>{html.escape(sentence)}</p>"


def _row(*parts):
    return widgets.HBox(parts, layout=widgets.Layout(flex_flow="row wrap", max_width="100%"))


def _db(value):
    return f"{value:+.0f} dB".replace("-", "−") if round(value) else "0 dB"


def _counted(n, thing):
    return f"{n} {thing}{'' if n == 1 else 's'}"


def _exists(path):
    """Whether there is a session: a file with an incomplete first line has none."""
    return path.is_file() and b"\n" in path.read_bytes()


def _put(image, drawing, sentence):
    image.value, image.layout.display = style.show(drawing, sentence)._repr_html_(), None
