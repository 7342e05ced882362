"""The microphone as the kernel sees it; what the browser does with it is in tests/browser/test_microphone.py."""

import re

import numpy as np
import pytest
import soundfile

from course_lib import audio
from course_widgets import microphone, my_recordings
from course_widgets.controls import slider
from course_widgets.microphone import RATE, Recording, RecordingExplorer

RNG = np.random.default_rng(5)
WORD, OTHER = (np.float32(0.3 * RNG.uniform(-1, 1, n)).astype(float) for n in (2400, 3200))
SILENCE = np.zeros(RATE // 2)
MARGIN = 160  # samples of silence that trimming leaves


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("COURSE_RECORDINGS", str(tmp_path / "recordings"))
    return tmp_path / "recordings"


def draw(figure, recording, gain):
    figure.add_subplot().plot(gain * recording.samples)
    return f"{gain} × {recording.name}: {len(recording.samples)} samples"


@pytest.fixture
def explorer():
    def listen(recording, gain):
        return f"<b>{gain} {recording.name}</b>"

    return RecordingExplorer(draw, {"one": WORD, "two": OTHER}, "seven", listen=listen, gain=slider("gain", 1, 3, 1))


def keep(explorer, samples, name, origin="recorded"):
    """What comes from the browser when a recording is kept."""
    explorer._pressed(None, {"heard": name, "from": origin}, [samples.astype("<f4").tobytes()])


def test_at_half_the_speed_a_tone_is_twice_as_long_and_an_octave_lower():
    seconds = np.arange(RATE) / RATE
    slow = Recording(np.sin(2 * np.pi * 300 * seconds), RATE, "tone").at_speed(0.5)
    assert len(slow.samples) == 2 * RATE
    assert np.abs(np.fft.rfft(slow.samples)).argmax() == 300  # periods in two seconds


def test_a_ready_recording_is_there_before_anybody_speaks(explorer, folder):
    assert explorer.sentence == "1 × one: 2400 samples"
    assert explorer.state["players"] == "<b>1 one</b>"
    assert [one["name"] for one in explorer.microphone["ready"]] == ["one", "two"]
    assert not folder.exists() and my_recordings() == {}


def test_what_is_heard_is_trimmed_and_drawn_and_stays_while_controls_move(explorer, folder):
    explorer.hear(Recording(np.concatenate([SILENCE, OTHER, SILENCE]), RATE, "seven"))
    assert explorer.sentence == f"1 × seven: {3200 + 2 * MARGIN} samples"
    explorer.set(gain=3)
    assert explorer.sentence == f"3 × seven: {3200 + 2 * MARGIN} samples" and "3 seven" in explorer.state["players"]
    assert not folder.exists()  # only the browser keeps


@pytest.mark.parametrize(
    ("recording", "message"),
    [
        (Recording(WORD, 16_000, "seven"), "recording has a rate of 16000; 8000 samples per second are needed"),
        (Recording(WORD, RATE, ""), "name of the recording is ''"),
        (Recording(np.column_stack([WORD, WORD]), RATE, "seven"), "as sound with several channels"),
        (Recording(np.full(2400, np.nan), RATE, "seven"), "signal"),
    ],
)
def test_what_is_no_recording_is_named_and_changes_nothing(explorer, recording, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        explorer.hear(recording)
    assert explorer.recording.name == "one"


def test_kept_recordings_are_read_as_they_were_heard_in_their_order(explorer):
    for scale in range(1, 12):
        keep(explorer, WORD / scale, "seven")
    keep(explorer, OTHER, "fünf", "file")
    keep(explorer, OTHER, "two", "ready")
    found = my_recordings()
    assert list(found) == ["fünf", "seven"]
    assert np.array_equal(found["fünf"][0], explorer.recording.samples)
    assert [len(WORD)] * 11 == [len(one) for one in found["seven"]]
    assert np.allclose(found["seven"], [WORD / scale for scale in range(1, 12)], atol=1e-7)
    assert explorer.stored["said"] == "In your folder recordings: 12 sounds."


@pytest.mark.parametrize("name", ["../../away", "a/b", "good-bye", "seven-1", "..", "con:*?"])
def test_no_name_leads_out_of_the_folder(explorer, folder, name):
    keep(explorer, WORD, name)
    assert [len(takes) for takes in my_recordings().values()] == [1]
    assert [path.parent for path in folder.parent.rglob("*.wav")] == [folder]


def test_the_button_deletes_the_recordings_and_nothing_else(explorer, folder):
    keep(explorer, WORD, "seven")
    (folder / "mine.txt").write_text("a note")
    (folder / "My album - Track-01.wav").write_bytes(b"x")
    write(folder / "song-1.wav", WORD, 44_100)
    write(folder / "whole numbers-1.wav", WORD)
    (folder / "folder-1.wav").mkdir()
    others = {path.name for path in folder.iterdir()} - {"seven-1.wav"}
    explorer._pressed(None, {"forget": True}, [])
    assert {path.name for path in folder.iterdir()} == others and len(others) == 5
    assert explorer.stored == {"said": "", "remove": ""}


def test_a_disk_that_cannot_be_written_is_said_and_the_recording_works(explorer, folder):
    folder.write_text("a file is where the folder would be")
    keep(explorer, WORD, "seven")
    assert explorer.recording.name == "seven" and "1 × seven" in explorer.sentence
    assert re.match(r"The recording works, but cannot be stored in .*recordings", explorer.stored["said"])


def test_words_that_differ_by_case_alone_and_a_blank_one_have_files_of_their_own(explorer, folder):
    for name in ("seven", "Seven", " "):
        microphone.store(Recording(WORD, RATE, name))
    assert sorted(path.name for path in folder.iterdir()) == ["Seven-2.wav", "_-1.wav", "seven-1.wav"]
    assert len(my_recordings()) == 3


def test_what_cannot_be_deleted_is_said(explorer, folder, monkeypatch):
    def failing(path):
        raise PermissionError(f"{path} is in use")

    keep(explorer, WORD, "seven")
    monkeypatch.setattr(type(folder), "unlink", failing)
    explorer._pressed(None, {"forget": True}, [])
    assert "cannot be deleted" in explorer.stored["said"]


def test_what_the_picture_cannot_show_is_said_and_not_stored(explorer, folder):
    explorer.draw = lambda figure, gain: audio.mfcc(explorer.recording.samples, RATE, window_seconds=0.35) and "seen"
    keep(explorer, WORD, "seven")
    assert "This recording cannot be shown: signal has 2400 samples" in explorer.stored["said"]
    assert explorer.recording.name == "one" and not folder.exists()


def write(path, samples, rate=RATE):
    soundfile.write(path, samples, rate)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("holiday.mp3", lambda path: path.write_bytes(b"ID3"), "has holiday.mp3, which is no recording of the course"),
        ("seven.wav", lambda path: write(path, WORD), "has seven.wav, which is no recording"),
        ("seven-1.wav", lambda path: path.mkdir(), "has seven-1.wav, which is no recording"),
        ("seven-1.wav", lambda path: path.write_bytes(audio.wav(WORD, RATE)[:30]), "seven-1.wav cannot be read"),
        ("seven-1.wav", lambda path: path.write_bytes(b""), "seven-1.wav cannot be read"),
        ("seven-1.wav", lambda path: write(path, WORD, 44_100), "seven-1.wav has 44100 samples per second; 8000"),
        ("seven-1.wav", lambda path: write(path, np.column_stack([WORD, WORD])), "seven-1.wav has shape (2400, 2)"),
        ("seven-1.wav", lambda path: write(path, WORD[:0]), "seven-1.wav"),
    ],
)
def test_a_foreign_or_damaged_file_is_refused_by_its_name(explorer, folder, name, content, message):
    keep(explorer, WORD, "one")
    content(folder / name)
    with pytest.raises(ValueError, match=re.escape(message)):
        my_recordings()


def test_without_a_setting_the_folder_is_that_of_the_course(monkeypatch):
    monkeypatch.delenv("COURSE_RECORDINGS")
    assert microphone.folder() == microphone.frame.HERE.parent / "recordings"


def test_a_lesson_chooses_words_and_times():
    explorer = RecordingExplorer(
        lambda figure, recording: recording.name, {"one": WORD}, "0171", 8, pause=1.5, words={"word": "Number"}
    )
    told = explorer.microphone
    assert (told["label"], told["longest"], told["pause"], told["words"]["word"]) == ("0171", 8, 1.5, "Number")
    assert told["words"].keys() == microphone.WORDS.keys() and "kernel" in told["words"]["ask"]


@pytest.mark.parametrize(
    ("ready", "label", "message"), [({}, "seven", "ready has no"), ({"one": WORD}, "", "label is")]
)
def test_a_microphone_needs_a_ready_recording_and_a_word(ready, label, message):
    with pytest.raises(ValueError, match=message):
        RecordingExplorer(lambda figure, recording: recording.name, ready, label)


def test_script_and_words_fit_together():
    """The joined script has one render; every word that the script says stands in the list, and all are used."""
    assert microphone.EXPORT in microphone.frame.SCRIPT
    said = set(re.findall(r'"(\w+)"', microphone.SCRIPT)) | {"ask"}
    said |= set(re.findall(r"words\.(\w+)", microphone.SCRIPT)) | set(
        re.findall(r'data-word="(\w+)"', microphone.SCRIPT)
    )
    assert set(microphone.WORDS) <= said
