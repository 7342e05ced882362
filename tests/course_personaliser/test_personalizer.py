"""The personaliser: it finds what made-up listeners like, loses no answer, and goes on where it was."""

import csv
import json
import os
import signal
import subprocess
import sys
import textwrap
import warnings

import numpy as np
import pytest
from scipy.stats import binomtest

from course_lessons.asking.experiments import learning_curve
from course_lib.judgments.asking import listeners
from course_personaliser import BlindTest, Personalizer, RatingPersonalizer, SettingSpace, agreement, proposals
from course_personaliser.journals import DamagedJournalWarning, Journal, JournalError
from course_personaliser.sessions import usual_kernel

SQUARE = [(0.0, 1.0), (0.0, 1.0)]
OPTIMUM = np.array([0.3, 0.7])


def answered(personalizer, listener, questions):
    for _ in range(questions):
        a, b = personalizer.space.to_unit(np.array(personalizer.propose()))
        personalizer.answer(listener.judge(a, b, personalizer.response))
    return personalizer


def quick(seed, listener, questions, **settings):
    """A personaliser of the square, without learning the kernel, after so many answers."""
    return answered(Personalizer(SQUARE, learn=False, rng=seed, **settings), listener, questions)


# --- the space --------------------------------------------------------------------------------------


def test_settings_and_points_of_the_cube_are_the_same_places():
    space = SettingSpace([(-12, 12), (100, 10_000)], units=["dB", "Hz"])
    settings = np.array([[-12, 100], [0, 5050], [12, 10_000]])
    np.testing.assert_allclose(space.to_unit(settings), [[0, 0], [0.5, 0.5], [1, 1]])
    np.testing.assert_allclose(space.from_unit(space.to_unit(settings)), settings)
    assert space.distance(settings[0], settings[2]) == pytest.approx(1.0)
    assert "x1 -12 … 12 dB" in repr(space)


def test_settings_lie_on_their_steps_and_never_beyond_the_ends():
    space = SettingSpace([(0, 10), (-1, 1)], steps=[3.0, 0.0])
    settings = space.from_unit([[0.4, 0.123], [1.0, 1.0], [1.5, -1.0]])
    np.testing.assert_allclose(settings, [[3.0, -0.754], [9.0, 1.0], [9.0, -1.0]])
    assert np.unique(space.grid(21)[:, 0]).tolist() == [0.0, 3.0, 6.0, 9.0]
    for drawn in (space.random(50, rng=0), space.spread(50, rng=0)):
        assert drawn.shape == (50, 2)
        assert set(drawn[:, 0]) <= {0.0, 3.0, 6.0, 9.0}


# --- the loop ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("response", ["degree", "choice", "choice_or_tie"])
def test_the_personaliser_nears_the_optimum(response):
    off = []
    for seed in range(5):
        personalizer = Personalizer(SQUARE, response=response, learn=False, rng=seed)
        listener = listeners.Listener(OPTIMUM, noise_std=0.3, precision=50.0, rng=seed)
        curve = learning_curve(personalizer, listener, 12)
        off.append(curve.distance[-1])
        np.testing.assert_array_equal(curve.improvement, personalizer.history_)
    assert np.median(off) < {"degree": 0.08, "choice": 0.16, "choice_or_tie": 0.16}[response]


def test_questions_are_the_same_for_the_same_seed_and_answers():
    one, other = (
        answered(Personalizer(SQUARE, learn=False, rng=4), listeners.Listener(OPTIMUM, rng=1), 5) for _ in "ab"
    )
    np.testing.assert_array_equal(one.pairs_, other.pairs_)
    np.testing.assert_array_equal(one.best_, other.best_)
    another = quick(5, listeners.Listener(OPTIMUM, rng=1), 5)
    assert (one.pairs_ != another.pairs_).any()


def test_the_open_question_stays_until_it_is_answered():
    personalizer = Personalizer(SQUARE, rng=0)
    np.testing.assert_array_equal(personalizer.propose(), personalizer.propose())


def test_each_question_puts_the_best_heard_beside_another_on_either_side():
    personalizer = Personalizer(SQUARE, learn=False, rng=1)
    listener, sides = listeners.Listener(OPTIMUM, rng=1), []
    for question in range(16):
        if question:
            incumbent = personalizer.incumbent_
            same = [(setting == incumbent).all() for setting in personalizer.propose()]
            assert sum(same) == 1
            sides.append(same.index(True))
        answered(personalizer, listener, 1)
    assert 0 < sum(sides) < len(sides)


@pytest.mark.parametrize("criterion", proposals.CRITERIA)
@pytest.mark.parametrize("d", [1, 3])
def test_each_criterion_asks_possible_questions(criterion, d):
    space = SettingSpace([(0, 4)] * d, steps=[1.0] * d)
    personalizer = Personalizer(space, criterion=criterion, rng=0)
    answered(personalizer, listeners.Listener(np.full(d, 0.5), rng=0), 4)
    assert (personalizer.pairs_[:, 0] != personalizer.pairs_[:, 1]).any(axis=1).all()
    assert set(personalizer.pairs_.ravel()) <= {0.0, 1.0, 2.0, 3.0, 4.0}


def test_the_best_setting_is_where_the_mean_is_highest():
    personalizer = quick(2, listeners.Listener(OPTIMUM, rng=2), 8)
    best = personalizer.predict(personalizer.best_[None])[0][0]
    assert best >= personalizer.predict(personalizer.evenly())[0].max() - 1e-9
    assert personalizer.predict(personalizer.incumbent_[None])[0][0] == 0.0


def test_an_answer_can_be_taken_back(tmp_path):
    personalizer = Personalizer(SQUARE, learn=False, session=tmp_path / "s.jsonl", rng=0)
    answered(personalizer, listeners.Listener(OPTIMUM, rng=0), 3)
    before = personalizer.pairs_
    personalizer.propose()
    personalizer.take_back()
    assert personalizer.n_answers == 2
    np.testing.assert_array_equal(personalizer.propose(), before[2])
    personalizer.answer(0.123)
    personalizer.close()
    with Personalizer.resume(tmp_path / "s.jsonl") as again:
        assert again.answers_.tolist() == personalizer.answers_.tolist()
        assert again.answers_[2] == 0.123


def test_a_listener_who_hears_nothing_is_told_from_one_who_does():
    heard, silent = [], []
    for seed in range(4):
        for kind, found in ((listeners.Listener, heard), (listeners.DeafListener, silent)):
            found.append(quick(seed, kind(OPTIMUM, rng=seed), 12).evidence_)
    assert min(heard) > max(silent)
    assert max(silent) < 2.0


def test_one_who_always_takes_the_first_is_found_out():
    personalizer = quick(0, listeners.FirstListener(OPTIMUM, rng=0), 12)
    assert personalizer.side_p_value_ < 0.01
    assert personalizer.evidence_ < 2.0


def test_two_sessions_agree_where_one_listener_answers():
    one, other = (
        answered(Personalizer(SQUARE, learn=False, rng=seed), listeners.Listener(OPTIMUM, rng=seed), 12)
        for seed in (1, 2)
    )
    found = agreement(one, other)
    assert found.distance == one.space.distance(one.best_, other.best_)
    assert found.correlation > 0.8
    assert agreement(one, one).distance == 0.0
    with pytest.raises(ValueError, match="they must be the same"):
        agreement(one, Personalizer([(0, 2), (0, 1)]))


@pytest.mark.parametrize(
    ("response", "value"), [("degree", 1.2), ("degree", np.nan), ("choice", 0), ("choice", 0.5), ("choice_or_tie", 2)]
)
def test_an_answer_that_is_none_is_refused(response, value):
    personalizer = Personalizer(SQUARE, response=response, rng=0)
    personalizer.propose()
    with pytest.raises(ValueError, match="value is"):
        personalizer.answer(value)
    assert personalizer.n_answers == 0


def test_the_ends_of_the_scale_are_answers():
    """They are kept as they were given, and one does not end the session."""
    personalizer = Personalizer(SQUARE, learn=False, rng=0)
    for value in (0.0, 1.0, 1.0):
        personalizer.propose()
        personalizer.answer(value)
    assert personalizer.answers_.tolist() == [0.0, 1.0, 1.0]
    assert np.isfinite([personalizer.evidence_, personalizer.mean_improvement_]).all()
    np.testing.assert_array_equal(personalizer.incumbent_, personalizer.pairs_[2, 1])


def test_what_is_out_of_order_is_said():
    personalizer = Personalizer(SQUARE, rng=0)
    with pytest.raises(ValueError, match=r"call propose\(\) first"):
        personalizer.answer(0.5)
    for name in ("model_", "best_", "incumbent_", "mean_improvement_", "evidence_"):
        with pytest.raises(ValueError, match="nothing is known yet"):
            getattr(personalizer, name)
    with pytest.raises(ValueError, match="could be taken back"):
        personalizer.take_back()
    with pytest.raises(ValueError, match="no test was begun"):
        personalizer.answer_test(1)
    with pytest.raises(ValueError, match="only 'improvement' can be climbed"):
        Personalizer(SQUARE, criterion="variance", choose="climbed")


# --- the file ---------------------------------------------------------------------------------------


def test_a_session_goes_on_as_if_it_had_never_been_closed(tmp_path):
    listener = listeners.Listener(OPTIMUM, rng=0)
    personalizer = answered(
        Personalizer(SQUARE, session=tmp_path / "s.jsonl", listener="P7", about="jazz", rng=3), listener, 6
    )
    open_question, history = personalizer.propose(), personalizer.history_
    personalizer.close()
    with Personalizer.resume(tmp_path / "s.jsonl") as again:
        np.testing.assert_array_equal(again.propose(), open_question)
        np.testing.assert_array_equal(again.history_, history)
        np.testing.assert_array_equal(again.best_, personalizer.best_)
        assert (again.listener, again.about, again.seed, again.n_answers) == ("P7", "jazz", personalizer.seed, 6)


def test_a_question_that_was_never_written_is_asked_again(tmp_path):
    path = tmp_path / "s.jsonl"
    personalizer = answered(Personalizer(SQUARE, session=path, rng=3), listeners.Listener(OPTIMUM, rng=0), 3)
    question = personalizer.propose()
    personalizer.close()
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:-1]))
    with Personalizer.resume(path) as again:
        np.testing.assert_allclose(again.propose(), question, atol=1e-9)


def test_the_file_says_what_it_keeps_and_holds_a_line_for_each_event(tmp_path):
    personalizer = Personalizer(SQUARE, session=tmp_path / "s.jsonl", listener="P7", learn=False, rng=0)
    answered(personalizer, listeners.Listener(OPTIMUM, rng=0), 2)
    head, *events = [json.loads(line) for line in (tmp_path / "s.jsonl").read_text().splitlines()]
    assert head["listener"] == "P7"
    assert "no name" in head["kept"]
    assert [next(iter(event)) for event in events] == ["question", "answer", "question", "answer"]
    assert [event["answer"] for event in events[1::2]] == personalizer.answers_.tolist()
    assert all("time" in event for event in events)
    personalizer.delete()
    assert list(tmp_path.iterdir()) == []


def test_a_file_is_open_in_one_process_only(tmp_path):
    path = tmp_path / "s.jsonl"
    with Personalizer(SQUARE, session=path):
        code = f"from course_personaliser import Personalizer; Personalizer.resume({str(path)!r})"
        other = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
        assert "which is open elsewhere" in other.stderr
        with pytest.raises(ValueError, match="which is open elsewhere"):
            Personalizer.resume(path)
    Personalizer.resume(path).close()


def test_a_session_that_exists_is_not_begun_anew(tmp_path):
    Personalizer(SQUARE, session=tmp_path / "s.jsonl").close()
    with pytest.raises(ValueError, match="this file already exists"):
        Personalizer(SQUARE, session=tmp_path / "s.jsonl")


def test_a_first_line_that_was_never_whole_is_begun_anew(tmp_path):
    path = tmp_path / "s.jsonl"
    path.write_text('{"version": 1, "lis')
    Personalizer(SQUARE, session=path).close()
    Personalizer.resume(path).close()


def test_what_is_no_session_is_refused(tmp_path):
    for content, said in (
        ("", "not a session"),
        ('{"a": 1}\n', "not a session"),
        ('{"version": 9, "space": {}}\n', "version 9"),
    ):
        (tmp_path / "s.jsonl").write_text(content)
        with pytest.raises(ValueError, match=said):
            Personalizer.resume(tmp_path / "s.jsonl")
    with pytest.raises(ValueError, match="no such file"):
        Personalizer.resume(tmp_path / "none.jsonl")
    with pytest.raises(ValueError, match="there is no folder"):
        Personalizer(SQUARE, session=tmp_path / "none" / "s.jsonl")


def test_another_kernel_or_kind_is_refused(tmp_path):
    Personalizer(SQUARE, session=tmp_path / "s.jsonl", learn=False).close()
    with pytest.raises(ValueError, match="was started with"):
        Personalizer.resume(tmp_path / "s.jsonl", kernel=usual_kernel(2) * 2.0)
    with pytest.raises(ValueError, match="is none of"):
        RatingPersonalizer.resume(tmp_path / "s.jsonl")


def test_a_full_disk_is_said_at_once_and_the_question_stays_open(tmp_path):
    code = textwrap.dedent(
        f"""
        import resource, signal
        from course_personaliser import Personalizer
        from course_personaliser.journals import JournalError
        path = {str(tmp_path / "s.jsonl")!r}
        p = Personalizer([(0, 1)], session=path, rng=0)
        p.propose()
        size = len(open(path, "rb").read())
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size + 10, resource.RLIM_INFINITY))
        try:
            p.answer(0.7)
        except JournalError as error:
            print("said:", error)
        print(p.n_answers, len(open(path, "rb").read()) == size)
        resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        p.answer(0.7)
        print(p.n_answers)
        """
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    first, second, third = done.stdout.splitlines()
    assert first.startswith("said:")
    assert "could not be saved" in first
    assert (second, third) == ("0 True", "1")
    with Personalizer.resume(tmp_path / "s.jsonl") as again:
        assert again.answers_.tolist() == [0.7]


def test_what_is_kept_is_forced_onto_the_disk(tmp_path, monkeypatch):
    forced = []
    monkeypatch.setattr("course_personaliser.journals.os.fsync", forced.append)
    Journal.create(tmp_path / "j", {"space": {}}).append({"answer": 1})
    assert len(forced) == 2


def test_the_journal_is_closed_when_it_is_closed(tmp_path):
    journal = Journal.create(tmp_path / "j", {"space": {}})
    journal.close()
    with pytest.raises(ValueError, match="is closed"):
        journal.append({"answer": 1})
    assert issubclass(JournalError, OSError)


def test_a_table_of_the_answers(tmp_path):
    space = SettingSpace([(0, 10)], names=["bass"], units=["dB"])
    personalizer = answered(Personalizer(space, rng=0), listeners.Listener([0.5], rng=0), 2)
    personalizer.to_csv(tmp_path / "answers.csv")
    with (tmp_path / "answers.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0]) == ["question", "a_bass", "b_bass", "answer"]
    assert [float(row["answer"]) for row in rows] == personalizer.answers_.tolist()


ANSWERING = """
import sys
from course_personaliser import Personalizer
path = sys.argv[1]
try:
    p = Personalizer.resume(path)
except ValueError:
    p = Personalizer([(0, 1)], session=path, learn=False, rng=0)
print("begun", flush=True)
while True:
    a, b = p.propose()
    value = round(0.001 * (p.n_answers + 1) % 1.0, 3)
    p.answer(value)
    print(value, flush=True)
"""


def killed(path, answers):
    """What a process said that it had answered before it was killed with SIGKILL, after so many answers."""
    process = subprocess.Popen([sys.executable, "-c", ANSWERING, str(path)], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "begun\n"
    said = [process.stdout.readline() for _ in range(answers)]
    os.kill(process.pid, signal.SIGKILL)
    said += process.stdout.readlines()
    process.wait()
    process.stdout.close()
    return [float(line) for line in said if line.endswith("\n")]


def check_kills(path, times, rng):
    """Nothing that was answered is lost, however often the process is killed."""
    said = []
    for _ in range(times):
        said += killed(path, rng.integers(0, 4))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DamagedJournalWarning)
            again = Personalizer.resume(path)
        again.close()
        kept = again.answers_.tolist()
        assert kept[: len(said)] == said  # one more may have been kept that there was no time to say
        assert len(kept) <= len(said) + 1
        said = kept


@pytest.mark.long
def test_killed_a_hundred_times_and_no_answer_lost(tmp_path):
    check_kills(tmp_path / "s.jsonl", 100, np.random.default_rng(1))


# --- the blind test ---------------------------------------------------------------------------------


def test_the_blind_test_counts_choices_for_the_found_setting():
    test = BlindTest([1.0, 2.0], [0.0, 0.0], rounds=12, rng=0)
    sides = []
    while not test.is_over:
        b = test.propose()[1]
        sides.append(bool(b[0] == 1.0))
        test.answer(1 if b[0] == 1.0 else -1)
    assert 0 < sum(sides) < 12
    assert test.n_for_found == 12
    assert test.p_value == binomtest(12, 12).pvalue
    assert test.interval(0.9)[1] == 1.0
    assert test.propose() is None
    with pytest.raises(ValueError, match="all 12 choices were made"):
        test.answer(1)


def test_chance_seldom_passes_the_blind_test():
    rng, passed = np.random.default_rng(0), 0
    for seed in range(400):
        test = BlindTest([1.0], [0.0], rng=seed)
        while not test.is_over:
            test.answer(rng.choice([-1, 1]))
        passed += test.p_value <= 0.05
    assert passed / 400 < 0.05 + 3 * np.sqrt(0.05 * 0.95 / 400)


def test_the_blind_test_is_kept_and_goes_on(tmp_path):
    path = tmp_path / "s.jsonl"
    personalizer = answered(
        Personalizer(SQUARE, session=path, learn=False, rng=0), listeners.Listener(OPTIMUM, rng=0), 5
    )
    personalizer.begin_test([0.5, 0.5], rounds=6)
    for _ in range(4):
        personalizer.answer_test(1)
    pair, count = personalizer.test_.propose(), personalizer.test_.n_for_found
    personalizer.close()
    with Personalizer.resume(path) as again:
        assert (again.test_.n_answers, again.test_.n_for_found) == (4, count)
        np.testing.assert_array_equal(again.test_.propose(), pair)


# --- marks ------------------------------------------------------------------------------------------


def test_marks_find_the_optimum_too_and_may_be_moved(tmp_path):
    path = tmp_path / "s.jsonl"
    personalizer = RatingPersonalizer(SQUARE, session=path, learn=False, rng=0)
    listener = listeners.Listener(OPTIMUM, precision=50.0, rng=0)
    for _ in range(12):
        personalizer.answer(listener.rate(personalizer.propose()))
    assert personalizer.space.distance(personalizer.best_, OPTIMUM) < 0.1
    before = personalizer.best_
    personalizer.move(0, 1.0)
    personalizer.move(0, 1.0)
    assert personalizer.marks_[0] == 1.0
    assert (personalizer.best_ != before).any()
    question = personalizer.propose()
    personalizer.close()
    with RatingPersonalizer.resume(path) as again:
        np.testing.assert_array_equal(again.marks_, personalizer.marks_)
        np.testing.assert_array_equal(again.propose(), question)
    with pytest.raises(ValueError, match="ball is 12"):
        again.move(12, 0.5)


# --- listeners --------------------------------------------------------------------------------------


def test_listeners_like_their_optimum_best():
    x = np.random.default_rng(0).uniform(size=(50, 2))
    listener = listeners.Listener(OPTIMUM)
    assert listener.worth(OPTIMUM) == 0.0
    assert (listener.worth(x) < 0).all()
    assert listener.worth(OPTIMUM + np.array([0.25, 0.0])) == pytest.approx(-0.5)


def test_listeners_have_the_faults_of_their_names():
    a, b = np.array([0.3, 0.7]), np.array([0.9, 0.1])
    assert listeners.DeafListener(a).worth(np.stack([a, b])).tolist() == [0.0, 0.0]
    first = listeners.FirstListener(a, lead=3.0, rng=0)
    assert np.mean([first.judge(a, b) for _ in range(20)] + [first.judge(b, a) for _ in range(20)]) < 0.1


def test_degrees_and_ties_of_listeners():
    listener = listeners.Listener(OPTIMUM, rng=0)
    same = [listener.judge(OPTIMUM, OPTIMUM, "choice_or_tie") for _ in range(200)]
    assert set(same) == {-1.0, 0.0, 1.0}
    degrees = np.array([listener.judge(OPTIMUM, [0.9, 0.1]) for _ in range(50)])
    assert ((degrees > 0) & (degrees < 1)).all()
    assert degrees.mean() < 0.1
