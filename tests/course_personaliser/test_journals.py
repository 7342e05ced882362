"""Files of sessions: damaged ones are refused with their line or read right, one writer, nobody else's eyes."""

import json
import os
import stat

import numpy as np
import pytest

from course_personaliser import Personalizer, RatingPersonalizer, SettingSpace
from course_personaliser.journals import DamagedJournalWarning, JournalError, TakenOverError

NO_JSON = (
    b"",
    b"nothing",
    b"\0\0\0",
    b'{"answer": 0.',
    b"[1]",
    b"null",
    b"\xff{}",
    b"[" * 100_000,
    b'{"a": 1, "a": 2}',
)
NO_NUMBER = (None, True, "0.2", [], {}, float("nan"), float("inf"), 10**400)
NO_COUNT = (*NO_NUMBER, 0, -1, 99, 1.0)
NO_SETTING = (None, True, "ab", [], {}, 3.0, [3.0], [3.0, 1.0, 1.0], [99.0, 1.0], [0.5, 1.0], [float("nan"), 1.0])
NO_SETTING += ([[3.0, 1.0]], [None, 1.0], ["3", 1.0])
NO_LEARNED = (None, 5, [], {}, {"kernel": [0.0, 0.0]}, {"kernel": [0.0] * 3, "answer": [0.0]})
NO_LEARNED += ({"kernel": [0.0, None], "answer": [0.0]}, {"kernel": [0.0, 1e5], "answer": [0.0]})
WRONG = {  # of each kind of line: what cannot stand there
    "version": {
        "version": (*NO_NUMBER, 0, -1, 2),
        "space": (None, [], {}, "x", {"bounds": [[0, 1]]}),
        "response": (None, 5, [], {}, "stars"),
        "criterion": (None, 5, [], {}, "x"),
        "choose": (None, 5, [], "x"),
        "kernel": (None, 5, "", "SquaredExponential(variance=5, lengthscale=[0.5, 0.5])"),
        "learn": (None, 1, "yes"),
        "listener": (None, 5, ""),
        "about": (5, ""),
        "seed": (*NO_NUMBER, -1, 2**40, 1.5),
        "secret": (5, []),
    },
    "question": {
        "question": NO_COUNT,
        "a": NO_SETTING,
        "b": NO_SETTING,
        "setting": NO_SETTING,
        "learned": NO_LEARNED,
        "mean_improvement": (*NO_NUMBER, -1.0),
        "time": (5, None),
    },
    "answer": {"answer": (*NO_NUMBER, 5, -1), "to": NO_COUNT},
    "taken_back": {"taken_back": NO_COUNT},
    "test": {"test": (None, 5, [], {}, "x")},
    "test_answer": {"test_answer": (*NO_NUMBER, 0, 2), "to": NO_COUNT[1:]},
    "moved": {"moved": (*NO_NUMBER, -1, 99), "mark": (*NO_NUMBER, -1, 2)},
}
IN_A_TEST = {
    "found": NO_SETTING,
    "baseline": NO_SETTING,
    "rounds": (*NO_NUMBER, 0, -1, 10**9),
    "rng": (*NO_NUMBER, -1),
}


@pytest.fixture(scope="module")
def good(tmp_path_factory):
    """The lines of a session with everything in it, as dicts."""
    path = tmp_path_factory.mktemp("good") / "s.jsonl"
    space = SettingSpace([(0, 10), (0, 4)], steps=[1.0, 1.0])
    with Personalizer(space, session=path, learn=False, about="jazz", secret="owl", rng=0) as session:
        for value in (0.9, 0.2, 0.7):
            session.propose()
            session.answer(value)
            if value == 0.2:
                session.take_back()
                session.answer(0.3)
        session.begin_test([1.0, 0.0], rounds=4)
        session.answer_test(1)
        session.answer_test(-1)
        session.propose()
    return [json.loads(line) for line in path.read_text().splitlines()]


@pytest.fixture(scope="module")
def marked(tmp_path_factory):
    path = tmp_path_factory.mktemp("marked") / "s.jsonl"
    with RatingPersonalizer([(0, 1)], session=path, learn=False, rng=0) as session:
        session.propose()
        session.answer(0.4)
        session.move(0, 0.6)
        session.propose()
    return [json.loads(line) for line in path.read_text().splitlines()]


def written(lines):
    return b"".join((line if isinstance(line, bytes) else json.dumps(line).encode()) + b"\n" for line in lines)


def kind(line):
    return next(name for name in ("version", *WRONG) if name in line)


def changes(line):
    """What a line might be in its place, and cannot be."""
    for name, values in WRONG[kind(line)].items():
        yield from ({**line, name: value} for value in values if name in line)
    for name, values in IN_A_TEST.items() if "test" in line else ():
        yield from ({**line, "test": {**line["test"], name: value}} for value in values)
    if "b" in line:
        yield {**line, "b": line["a"]}
    if "version" not in line:
        yield from ({**line, "more": 1}, {**line, "answer": 0.5, "test_answer": 1}, {"what": 1})
    for name in line.keys() - {"time", "secret"} - ({"to"} if "test_answer" in line else set()):
        yield {other: value for other, value in line.items() if other != name}


def damaged(lines):
    """(lines, number of the first that is wrong, or None if all can be read) for all that may happen to a file."""
    for k, line in enumerate(lines):
        before, after = lines[:k], lines[k + 1 :]
        yield from (([*before, other, *after], k + 1) for other in (*NO_JSON, *changes(line)))
        following = kind(after[0]) if after else None
        # a test may come before or after an answer, whose absence the next question shows, the last line here
        told = {("answer", "test"): len(lines) - 1, ("test_answer", "question"): None, ("moved", "question"): None}
        yield [*before, *after], told.get((kind(line), following), k + 1) if after else None
        yield [*before, line, line, *after], None if kind(line) in ("test", "moved") else k + 2
        if after:
            yield [*before, after[0], line, *after[1:]], None if (kind(line), following) in told else k + 1


def check_damaged(lines, personalizer, tmp_path):
    """Each is refused with its line, and not touched, or goes on without an error."""
    path, cases = tmp_path / "s.jsonl", list(damaged(lines))
    for wrong, number in cases:
        path.write_bytes(before := written(wrong))
        if number is None:
            with personalizer.resume(path) as session:
                session.propose()
                session.answer(0.5)
                assert np.isfinite([*session.best_, session.mean_improvement_]).all()
            continue
        with pytest.raises(ValueError, match=rf"line {number}\b"):
            pytest.fail(f"accepted: {personalizer.resume(path)} of {wrong}")
        assert path.read_bytes() == before
    return len(cases)


def test_a_damaged_session_is_refused_with_its_line_or_read_right(good, marked, tmp_path):
    assert check_damaged(good, Personalizer, tmp_path) > 80
    assert check_damaged(marked, RatingPersonalizer, tmp_path) > 80


def test_what_says_the_same_in_other_bytes_is_read_right(good, tmp_path):
    path = tmp_path / "s.jsonl"
    lines = [json.dumps(dict(sorted(line.items())), indent=None, separators=(" , ", " : ")) for line in good]
    for ending in ("\n", "\r\n"):
        path.write_text("".join(line + ending for line in lines), newline="")
        with Personalizer.resume(path, secret="owl") as session:
            assert session.answers_.tolist() == [0.9, 0.3, 0.7]
            assert session.test_.n_answers == 2


def test_a_file_that_was_cut_anywhere_goes_on_from_its_last_whole_line(good, tmp_path):
    whole, path = written(good[:5]), tmp_path / "s.jsonl"
    for end in range(len(written(good[:3])) + 1, len(whole), 7):
        path.write_bytes(whole[:end])
        with pytest.warns(DamagedJournalWarning, match="at most one answer"):
            session = Personalizer.resume(path)
        assert path.read_bytes() == whole[:end]  # what was cut stays until there is something better
        session.propose()
        session.answer(0.25)
        session.close()
        with Personalizer.resume(path) as again:
            assert again.answers_.tolist() == [0.9, 0.25]


def test_a_session_that_was_taken_over_is_written_by_the_newest_alone(tmp_path):
    path = tmp_path / "s.jsonl"
    old = Personalizer([(0, 1)], session=path, rng=0)
    question = old.propose()
    with pytest.raises(ValueError, match="which is open elsewhere"):
        Personalizer.resume(path)
    new = Personalizer.resume(path, take_over=True)
    np.testing.assert_array_equal(new.propose(), question)
    with pytest.raises(TakenOverError, match="is now open in another window"):
        old.answer(0.7)
    with pytest.raises(ValueError, match="is closed"):
        old.answer(0.7)
    new.answer(0.3)
    with pytest.raises(
        ValueError, match="which is open elsewhere"
    ):  # the old one let go of it, and the new one took it
        Personalizer.resume(path)
    again = Personalizer.resume(path, take_over=True)
    with pytest.raises(TakenOverError):
        new.delete()
    assert again.answers_.tolist() == [0.3]
    again.delete()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("what", ["deleted", "replaced", "cut", "without its lock"])
def test_nothing_is_written_to_another_file(what, tmp_path):
    path = tmp_path / "s.jsonl"
    session = Personalizer([(0, 1)], session=path, rng=0)
    session.propose()
    content = path.read_bytes()
    if what == "without its lock":
        (tmp_path / "s.jsonl.lock").unlink()
        with Personalizer.resume(path) as other:
            other.answer(0.2)
        content = path.read_bytes()
    elif what == "cut":
        os.truncate(path, len(content) - 3)
        content = content[:-3]
    else:
        path.rename(tmp_path / "kept")
        if what == "replaced":
            path.write_bytes(content)
    with pytest.raises(JournalError, match=r"not written any more|can be written here any more|another window"):
        session.answer(0.7)
    assert session.n_answers == 0
    assert (path.read_bytes() if path.exists() else content) == content
    assert path.exists() == (what != "deleted")


def test_one_file_has_one_writer_by_whatever_name(tmp_path):
    (tmp_path / "link.jsonl").symlink_to(tmp_path / "s.jsonl")
    with Personalizer([(0, 1)], session=tmp_path / "s.jsonl"), pytest.raises(ValueError, match="open elsewhere"):
        Personalizer.resume(tmp_path / "link.jsonl")


def test_nobody_else_reads_a_session_nor_goes_on_with_it(good, tmp_path):
    path = tmp_path / "s.jsonl"
    Personalizer([(0, 1)], session=path, secret="owl").close()
    assert {stat.S_IMODE(one.stat().st_mode) for one in tmp_path.iterdir()} == {0o600}
    assert "owl" not in path.read_text()
    for word in ("", "Owl", 5):
        with pytest.raises(ValueError, match="secret is not the word"):
            Personalizer.resume(path, secret=word)
    Personalizer.resume(path, secret="owl").close()
    Personalizer.resume(path).close()
