"""The personaliser's app without a browser: its buttons are pressed and its player is told what was heard."""

import base64
import csv
import io
import re
import resource
import signal
from contextlib import contextmanager

import numpy as np
import pytest

from course_lib import audio
from course_lib.gp import Fixed
from course_lib.judgments.asking.listeners import DeafListener, Listener
from course_personaliser import Personalizer
from course_personaliser.app import PersonalizerApp, tone_space
from course_personaliser.sessions import usual_kernel

KERNEL = usual_kernel(2).with_priors(lengthscale=Fixed())  # nothing of it is learned: quick
OPTIMUM = np.array([0.75, 0.25])  # of the unit square: bass +6 dB, treble −6 dB


OPEN = []  # apps of the test that runs


def app(**settings):
    OPEN.append(PersonalizerApp(**{"rng": 0, "kernel": KERNEL, "rounds": 4, **settings}))
    return OPEN[-1]


@pytest.fixture(autouse=True)
def all_are_closed():
    yield
    while OPEN:
        OPEN.pop().close()


def begun(pseudonym="P7", **settings):
    made = app(**settings)
    made.pseudonym.value = pseudonym
    made.begin.click()
    assert not said(made)
    return made


@pytest.fixture
def here(tmp_path, monkeypatch):
    """A folder that is the current one."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def session(tmp_path):
    return tmp_path / "s.jsonl"


def hear(made, *sides):
    made.player.set_state({"_listened": {"pair": made.player.pair, "sides": list(sides or "ab")}})


def move(made, value):
    """What comes from the browser when the listener moves the slider."""
    made.degree._handle_custom_msg({"value": value}, [])


def answer(made, listener, times=1):
    for _ in range(times):
        a, b = made.space.to_unit(np.array(made.personalizer.propose()))
        hear(made)
        move(made, listener.judge(a, b))
        made.next.click()


def text(part):
    return re.sub(r"<[^>]*>", " ", part.value)


def said(made):
    """What the alert says."""
    assert made.alert.value == "" or 'role="alert"' in made.alert.value
    return text(made.alert).strip()


def shown(made):
    """Names of the controls that are on the page."""

    def leaves(part):
        return [leaf for child in getattr(part, "children", ()) for leaf in leaves(child)] or [part]

    return {name for leaf in leaves(made) for name, value in vars(made).items() if value is leaf}


# --- the way through --------------------------------------------------------------------------------


def test_it_begins_with_what_it_does_and_what_it_keeps(here):
    made = app()
    assert made.screen == "start"
    assert shown(made) >= {"pseudonym", "begin", "alert"}
    assert not shown(made) & {"player", "next", "degree"}
    assert made.delete.layout.display == "none"
    words = " ".join(text(part) for part in made.children if hasattr(part, "value"))
    for needed in (
        " 20 times",
        "about 10 minutes",
        "the computer that runs this page",
        "pseudonym",
        "delete",
        "volume",
        "Garzul",
    ):
        assert needed in words
    assert made.begin.description == "Begin"
    assert list(here.iterdir()) == []


@pytest.mark.parametrize("pseudonym", ["", "a b", "../x", "a.b", "x" * 41])
def test_a_pseudonym_must_be_able_to_name_a_file(here, pseudonym):
    made = app()
    made.pseudonym.value = pseudonym
    made.begin.click()
    assert "Choose a pseudonym" in said(made)
    assert (made.screen, made.personalizer) == ("start", None)
    assert list(here.iterdir()) == []


def test_a_whole_session_ends_near_the_optimum(session):
    made, listener = begun(session=session), Listener(OPTIMUM, noise_std=0.3, precision=50.0, rng=1)
    assert made.screen == "question"
    answer(made, listener, 12)
    assert made.personalizer.n_answers == 12
    made.stop.click()
    assert made.screen == "result"
    assert made.space.distance(made.personalizer.best_, made.space.from_unit(OPTIMUM)) < 0.12
    bass, treble = made.personalizer.best_
    assert bass > 0 > treble
    for name, best, (low, high) in zip(
        ("bass", "treble"), (bass, treble), made.personalizer.best_range(), strict=True
    ):
        assert -12 <= low <= best <= high <= 12
        assert f"{name} {best:+.0f} dB (".replace("-", "−") in text(made.verdict)
    for sound, setting in zip(made.compared.sounds, (made.personalizer.best_, [0, 0]), strict=True):
        assert sound == made._loop.wav(audio.tone_gains(*setting))
    assert made.compared.names == ("yours", "original")
    assert made.personalizer.advice_ in text(made.verdict)
    for image in (made.curve, made.map):
        assert image.layout.display is None
        assert re.search(r'<img alt="[^"]+" width="460" src="data:image/svg', image.value)


def test_an_answer_needs_both_sides_heard(session):
    made = begun(session=session)
    assert made.next.disabled
    hear(made, "a")
    assert made.next.disabled
    made.next.click()  # as when the button was pressed twice before the kernel could answer
    assert made.personalizer.n_answers == 0
    hear(made, "a", "b")
    assert made.next.disabled  # the slider stands in the middle, and nobody has put it there
    made.next.click()
    assert made.personalizer.n_answers == 0
    move(made, 0.5)
    assert not made.next.disabled
    made.next.click()
    assert (made.personalizer.n_answers, made.next.disabled, made.player.heard) == (1, True, ())


def test_the_sounds_are_those_of_the_question_and_a_new_one_begins_in_silence(session):
    made, listener = begun(session=session), Listener(OPTIMUM, rng=1)
    made.player.playing = "b"
    answer(made, listener)
    assert made.player.playing == ""
    assert made.degree.value == 0.5
    for setting, sound in zip(made.personalizer.propose(), made.player.sounds, strict=True):
        assert sound == made._loop.wav(audio.tone_gains(*setting))


def test_the_progress_says_where_one_is_and_nothing_of_the_sides(session):
    made, listener = begun(session=session, questions=8), Listener(OPTIMUM, rng=1)
    assert "Question 1 of 8" in text(made.progress)
    assert made.take_back.disabled
    assert made.stop.disabled
    answer(made, listener, 7)
    assert "Question 8 of 8" in text(made.progress)
    assert made.personalizer.advice_ in text(made.progress)
    assert "σ" not in text(made.progress)
    assert "dB" not in text(made.progress)


def test_it_ends_with_the_result_and_says_nothing_that_does_not_fit_together(session):
    """Another question is asked only if the listener wants it; nothing is left of what was announced then."""
    made, listener = begun(session=session, questions=12), Listener(OPTIMUM, noise_std=0.5, precision=100.0, rng=1)
    said_before = [text(made._screens["start"][0]), text(made.progress)]
    for _ in range(12):
        answer(made, listener)
        said_before.append(text(made.progress))
    assert (made.screen, made.personalizer.n_answers) == ("result", 12)
    assert [sentence for sentence in said_before if "Found" in sentence]
    assert not [sentence for sentence in said_before if "Found" in sentence and re.search("left|Go on", sentence)]
    assert "answered all 12 questions" in text(made.verdict)
    made.close()
    made = app(session=session, questions=12)
    made.begin.click()
    assert made.screen == "result"
    made.more.click()
    said_before.append(text(made.progress))
    assert "Question 13 " in said_before[-1] and not re.search("of 12|minute", said_before[-1])
    made.close()
    made = app(session=session, questions=12)
    made.begin.click()
    assert (made.screen, text(made.progress)) == ("question", said_before[-1])
    assert not [one for one in said_before if re.search(r"\b1 \w+s\b|\b(?!1 )\d+ (minute|question|time)\b", one)]


def test_no_button_of_a_question_is_stronger_than_its_answer(session):
    """Deleting stands at the foot, and is red only when it is about to happen."""
    made = begun(session=session)
    made.delete.click()
    assert made.delete.button_style == "danger"
    for go_on in (made.keep.click, lambda: answer(made, Listener(OPTIMUM, rng=1)), made.stop.click):
        go_on()
        assert made.delete.button_style == ""
        assert made.delete in made.children[-1].children[-1].children


def test_what_is_safe_is_on_the_page_before_the_kernel_dies(session):
    """The page says it when nobody can be asked any more; after a lost connection it goes on by itself."""
    made = begun(session=session)
    assert made.connection in made.children
    assert made.connection.kept == "You had not answered any question yet."
    answer(made, Listener(OPTIMUM, rng=1), 3)
    assert made.connection.kept == "Your answers are safe up to question 3."
    made.personalizer.close()  # as the system does
    again = app(session=session)
    again._remember("", "", lost=True)
    assert (again.screen, again.personalizer.n_answers) == ("question", 3)
    assert again.connection.kept == made.connection.kept


def test_the_last_answer_can_be_taken_back(session):
    made = begun(session=session)
    for value in (0.8, 0.3):
        hear(made)
        move(made, value)
        made.next.click()
    pair = made.personalizer.pairs_[1]
    made.take_back.click()
    np.testing.assert_array_equal(made.personalizer.propose(), pair)
    assert made.degree.value == 0.3
    assert made.personalizer.answers_.tolist() == [0.8]
    assert "Question 2" in text(made.progress)
    assert made.next.disabled
    hear(made)
    assert not made.next.disabled  # with the answer that it had


def test_the_slider_goes_where_it_is_put_also_twice_to_the_same_place(session):
    """The listener has moved it meanwhile, and the browser must hear of the second time as well."""
    made, sent = begun(session=session), []
    made.degree.observe(lambda change: sent.append(change["new"][1]), names="_placed")
    for value in (0.9, 0.2):
        move(made, value)
        assert made.degree.value == value
        made.degree.put(0.5)
        assert made.degree.value == 0.5
    assert sent == [0.5, 0.5]
    with pytest.raises(ValueError, match=r"value is 1\.1"):
        made.degree.put(1.1)


def test_five_bands_have_a_curve_and_no_map(session):
    made = app(session=session, dimensions=5, kernel=usual_kernel(5).with_priors(lengthscale=Fixed()))
    made.begin.click()
    answer(made, Listener([0.9, 0.5, 0.5, 0.5, 0.1], rng=1), 3)
    a, _ = made.personalizer.propose()
    assert a.shape == (5,)
    assert made.player.sounds[0] == made._loop.wav(a)
    made.stop.click()
    assert made.map.layout.display == "none"


def test_one_who_hears_nothing_is_told_so_and_shown_no_setting(session):
    made, listener = begun(session=session), DeafListener(OPTIMUM, rng=3)
    while made.personalizer.n_answers < 8 or made.personalizer.evidence_ >= 0:
        answer(made, listener)
        assert made.personalizer.n_answers < 40
    made.stop.click()
    assert "no difference is heard" in text(made.verdict)
    assert "dB" not in text(made.verdict)
    assert (made.curve.layout.display, made.map.layout.display) == ("none", "none")
    assert made.blind.disabled
    made.more.click()
    assert made.screen == "question"


def test_the_answers_can_be_had_as_a_table_and_leave_no_other_file(session):
    made = begun(session=session)
    answer(made, Listener(OPTIMUM, rng=1), 3)
    made.stop.click()
    name, data = re.search(r'download="([^"]+)" href="data:text/csv;base64,([^"]+)"', made.table.value).groups()
    rows = list(csv.DictReader(io.StringIO(base64.b64decode(data).decode())))
    assert name == "s.csv"
    assert [float(row["answer"]) for row in rows] == made.personalizer.answers_.tolist()
    assert {"a_bass", "b_treble"} < rows[0].keys()
    assert {path.name for path in session.parent.iterdir()} == {"s.jsonl", "s.jsonl.lock"}


# --- the blind test ---------------------------------------------------------------------------------


def answered(session, questions=8, **settings):
    """At the result, with a difference that was heard."""
    made = begun(session=session, **settings)
    answer(made, Listener(OPTIMUM, noise_std=0.3, precision=50.0, rng=1), questions)
    made.stop.click()
    assert not made.blind.disabled
    return made


def choose(made, likes_found):
    test = made.personalizer.test_
    found_is_b = bool((test.propose()[1] == test.found).all())
    hear(made)
    (made.b_better if found_is_b == likes_found else made.a_better).click()


def test_the_blind_test_counts_what_was_chosen(session):
    made = answered(session)
    made.blind.click()
    assert made.screen == "test"
    assert "choice 1 of 4" in text(made.test_progress)
    test = made.personalizer.test_
    np.testing.assert_array_equal(test.baseline, [0, 0])
    np.testing.assert_array_equal(test.found, made.personalizer.best_)
    assert made.a_better.disabled
    assert made.b_better.disabled
    made.a_better.click()
    assert test.n_answers == 0
    for likes_found in (True, False, True, True):
        choose(made, likes_found)
    assert (test.n_for_found, test.is_over, made.screen) == (3, True, "result")
    assert "you chose your setting in 3 of 4 choices" in text(made.verdict)
    assert f"{test.p_value:.3f}" in text(made.verdict)
    low, high = 100 * test.interval(0.9)
    assert f"{low:.0f} to {high:.0f} %" in text(made.verdict)
    assert made.blind.disabled


def test_a_stopped_blind_test_goes_on(session):
    made = answered(session)
    made.blind.click()
    choose(made, True)
    made.stop_test.click()
    assert "Blind test (4 choices planned): you chose your setting in 1 of 1 choice." in text(made.verdict)
    made.blind.click()
    assert "choice 2 of 4" in text(made.test_progress)


# --- the file ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("answers", [0, 1, 5])
def test_a_lost_kernel_costs_nothing(session, answers):
    """The object is dropped at any question; what was answered and what is asked are as they were."""
    made = begun(session=session)
    answer(made, Listener(OPTIMUM, rng=1), answers)
    question, sounds, progress = made.personalizer.propose(), made.player.sounds, made.progress.value
    made.close()
    again = app(session=session)
    assert again.begin.description == "Continue here"
    again.begin.click()
    assert again.screen == "question"
    np.testing.assert_array_equal(again.personalizer.propose(), question)
    assert (again.player.sounds, again.progress.value) == (sounds, progress)


def test_a_last_line_that_was_not_written_whole_is_told(session):
    made = begun(session=session)
    answer(made, Listener(OPTIMUM, rng=1), 2)
    made.close()
    session.write_bytes(session.read_bytes()[:-9])
    again = app(session=session)
    again.begin.click()
    assert "at most one answer" in said(again)
    assert (again.screen, again.personalizer.n_answers) == ("question", 2)


@contextmanager
def room(session, size):
    """While no more than so many bytes can be added to the file."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (session.stat().st_size + size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)


@pytest.mark.parametrize(("size", "kept"), [(10, 0), (100, 1)], ids=["the answer", "the next question"])
def test_a_full_disk_is_said_and_loses_nothing(session, size, kept):
    """The second case has room for the answer, which has about 70 bytes, and none for the question after it."""
    made = begun(session=session)
    hear(made)
    move(made, 0.8)
    with room(session, size):
        made.next.click()
        assert "could not be saved. Free some disk space, and answer again" in said(made)
        assert made.screen == "question"
        assert made.personalizer.answers_.tolist() == [0.8][:kept]
        assert made.degree.value == 0.8
    made.next.click()
    assert not said(made)
    assert made.personalizer.answers_.tolist() == [0.8]
    assert "Question 2" in text(made.progress)
    made.close()
    with Personalizer.resume(session, KERNEL) as again:
        assert again.answers_.tolist() == [0.8]


def test_the_newest_window_takes_over_and_the_old_one_says_so(session):
    made = begun(session=session)
    question = made.personalizer.propose()
    other = app(session=session)
    other.begin.click()
    assert (other.screen, said(other)) == ("question", "")
    np.testing.assert_array_equal(other.personalizer.propose(), question)
    hear(made)
    move(made, 0.8)
    made.next.click()
    assert "is now open in another window" in said(made)
    assert (made.screen, made.personalizer, made.begin.description) == ("start", None, "Continue here")
    answer(other, Listener(OPTIMUM, rng=1))
    made.begin.click()
    assert (made.screen, made.personalizer.n_answers) == ("question", 1)


def test_a_damaged_file_is_said_with_its_line(session):
    begun(session=session).close()
    session.write_text(session.read_text() + '{"answer": 5, "to": 1}\n')
    other = app(session=session)
    other.begin.click()
    assert "line 3 is damaged: value is 5" in said(other)
    assert (other.screen, other.personalizer) == ("start", None)


def test_only_the_secret_word_goes_on_or_deletes(here):
    made = app()
    made.pseudonym.value, made.secret.value = "P7", "owl"
    made.begin.click()
    made.close()
    other = app()
    other._remember("P7", "")
    for press in (other.begin, other.delete, other.delete):
        press.click()
        assert (other.screen, other.personalizer) == ("start", None)
    assert "secret is not the word" in said(other)
    other.secret.value = "owl"
    other.begin.click()
    assert (other.screen, said(other), other.remembered.secret) == ("question", "", "owl")
    assert (here / "sessions").stat().st_mode & 0o777 == 0o700


def test_a_session_of_other_settings_is_refused_and_let_go(session):
    begun(session=session).close()
    for settings in ({"dimensions": 5, "kernel": None}, {"music": "vibe_ace"}):
        other = app(session=session, **settings)
        other.begin.click()
        assert "was started with" in said(other)
        assert other.screen == "start"
    Personalizer.resume(session, KERNEL).close()


def test_my_data_are_deleted_at_the_second_press(session):
    made = begun(session=session)
    answer(made, Listener(OPTIMUM, rng=1), 2)
    made.delete.click()
    assert session.exists()
    assert made.delete.description == "Delete permanently"
    made.keep.click()
    assert made.delete.description == "Delete my data"
    made.delete.click()
    made.delete.click()
    assert list(session.parent.iterdir()) == []
    assert (made.screen, made.personalizer, made.begin.description) == ("start", None, "Begin")
    assert "Your data have been deleted" in text(made._known)
    made.begin.click()
    assert (made.screen, made.personalizer.n_answers) == ("question", 0)


# --- the rest ---------------------------------------------------------------------------------------


def test_the_space_is_two_knobs_or_five_bands():
    two, five = tone_space(2), tone_space(5)
    assert two.names == ("bass", "treble")
    assert five.names == ("100 Hz", "300 Hz", "1000 Hz", "3000 Hz", "9000 Hz")
    for space in (two, five):
        np.testing.assert_array_equal(space.bounds, [[-12, 12]] * space.d)
        np.testing.assert_array_equal(space.steps, np.ones(space.d))


def test_without_a_kernel_it_says_what_it_is(here):
    data = app()._repr_mimebundle_()
    assert "A listening test" in data["text/html"]
    assert data["text/plain"].startswith("PersonalizerApp: SettingSpace(bass -12 … 12 dB")
    assert data["text/plain"].endswith("not begun")
