"""A microphone above an explorer: the person's own recording becomes what the picture shows.

The browser records, trims and decodes (microphone.js, in the lab and on a page alike); the kernel draws. What is kept
goes as WAV files into the folder `recordings` of the course, which git, the students' bundle and hand-ins leave out.

Lecture: 01, section 6.
"""

import base64
import json
import os
import re
from pathlib import Path
from typing import NamedTuple

import numpy as np
import soundfile

from course_lib import audio, validation
from course_widgets import frame
from course_widgets.extras import traitlets

RATE = 8000
LONGEST, PAUSE = 4.0, 0.7  # s
SCRIPT = (frame.HERE / "microphone.js").read_text(encoding="utf-8")
STYLE_SHEET = frame.STYLE_SHEET + (frame.HERE / "microphone.css").read_text(encoding="utf-8")
EXPORT = "export default { render };"  # the last line of explorer.js
NAMED = re.compile(r"(.+)-(\d+)\.wav")  # word and number of a recording
WORDS = json.loads((frame.HERE / "microphone.json").read_text(encoding="utf-8"))
KEPT = "the recording goes to this notebook's kernel, and “Keep” stores it there in the folder recordings"
TO_KERNEL = WORDS["ask"].replace("nothing leaves this tab", KEPT)


class Recording(NamedTuple):
    """samples (n,) float64 in −1 … 1, rate in samples per second, and the name of what is said."""

    samples: np.ndarray
    rate: int
    name: str

    def at_speed(self, speed):
        """It played so many times as fast, which makes all its frequencies as many times as high."""
        at = np.arange(0, len(self.samples), speed)
        return self._replace(samples=np.interp(at, np.arange(len(self.samples)), self.samples))

    def without_lows(self):
        """It through a microphone that takes low frequencies away: y_t = x_t − 0.9 x_{t−1}."""
        return self._replace(samples=np.append(self.samples[:1], self.samples[1:] - 0.9 * self.samples[:-1]))


class RecordingExplorer(frame.Explorer):
    """An Explorer with a microphone above it; `draw` and `listen` get one more argument, `recording`.

    Parameters
    ----------
    draw : function of (figure, recording, **settings) → str
    ready : dict of name → samples at `RATE`, for those who do not speak; the picture begins with the first
    label : what is said first;  longest : seconds of a recording, at most
    pause : seconds of silence after which it is over;  words : other texts than `WORDS`, by their names
    options : as for Explorer

    Attributes
    ----------
    recording : the Recording that the picture shows, without silence at its ends
    """

    _esm = frame.SCRIPT.replace(EXPORT, SCRIPT + "\nexport default { render: withMicrophone(render) };")
    _css = STYLE_SHEET

    microphone = traitlets.Dict().tag(sync=True)  # what does not change
    stored = traitlets.Dict({"said": ""}).tag(sync=True)  # what is in the person's folder, in words

    def __init__(self, draw, ready, label, longest=LONGEST, pause=PAUSE, words=None, listen=None, **options):
        if not ready:
            raise ValueError("ready has no recording; at least one is needed, for the first picture.")
        self.ready = {name: Recording(audio.trim(samples, RATE), RATE, name) for name, samples in ready.items()}
        self.recording = next(iter(self.ready.values()))
        with_recording = listen and (lambda **settings: listen(recording=self.recording, **settings))
        super().__init__(
            lambda figure, **settings: draw(figure, recording=self.recording, **settings),
            listen=with_recording,
            **options,
        )
        sources = {name: base64.b64encode(audio.wav(one.samples, RATE)).decode() for name, one in self.ready.items()}
        sources = {name: f"data:audio/wav;base64,{source}" for name, source in sources.items()}
        self.microphone = about(sources, label, longest, pause, {"ask": TO_KERNEL, **(words or {})})
        self._tell()

    def hear(self, recording):
        """Show this Recording, as if it had been kept; silence at its ends is trimmed."""
        samples, rate, name = recording
        if rate != RATE:
            raise ValueError(f"recording has a rate of {rate}; {RATE} samples per second are needed.")
        validation.text(name, "name of the recording", "what is said")
        before, self.recording = self.recording, Recording(audio.trim(samples, RATE), RATE, name)
        try:
            self.redraw()
        except ValueError:
            self.recording = before
            raise

    def _pressed(self, widget, message, buffers):
        if "heard" in message:
            ready = self.ready.get(message["heard"]) if message["from"] == "ready" else None
            samples = np.frombuffer(buffers[0], dtype="<f4").astype(float)
            try:
                self.hear(ready or Recording(samples, RATE, message["heard"]))
            except ValueError as error:  # nobody would see it
                return self._tell(f"This recording cannot be shown: {error}")
            self._tell("" if message["from"] == "ready" else store(self.recording))
        elif "forget" in message:
            self._tell(delete_recordings())
        else:
            super()._pressed(widget, message, buffers)

    def _tell(self, problem=""):
        """Say in the browser how many recordings are stored, or what is wrong with storing them."""
        count = len(_own())
        said = f"In your folder {folder().name}: {count} sound{'s' * (count > 1)}." if count else ""
        removal = {"remove": "Delete them", "sure": "Really delete"} if count else {"remove": ""}
        self.stored = {"said": problem or said, **removal}


def about(sources, label, longest=LONGEST, pause=PAUSE, words=None):
    """What microphone.js has to know: ready recordings as {name: address}, and the rest as for RecordingExplorer."""
    validation.text(label, "label", "what is said first")
    ready = [{"name": name, "source": source} for name, source in sources.items()]
    texts = {**WORDS, **(words or {})}
    return {"words": texts, "rate": RATE, "label": label, "longest": longest, "pause": pause, "ready": ready}


# --- the person's own folder


def folder():
    """Where recordings are stored: $COURSE_RECORDINGS, or `recordings` in the course's folder, or in this one."""
    root = frame.HERE.parent
    root = root if (root / "lectures").is_dir() else Path.cwd()
    return Path(os.environ.get("COURSE_RECORDINGS") or root / "recordings")


def store(recording):
    """Write a recording into the folder; "" or, if that is not possible, a sentence that says why."""
    word = re.sub(r"[^\w '-]+", "_", recording.name).strip() or "_"
    numbers = [number for one, number, _ in _stored() if one.casefold() == word.casefold()]  # some disks know no case
    path = folder() / f"{word}-{max(numbers, default=0) + 1}.wav"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        soundfile.write(path, recording.samples.astype(np.float32), recording.rate, subtype="FLOAT")
    except (OSError, soundfile.LibsndfileError) as error:
        return f"The recording works, but cannot be stored in {folder()} ({error}); it is lost when the kernel ends."
    return ""


def my_recordings() -> dict[str, list[np.ndarray]]:
    """The kept recordings, as {word: [samples (n,) at 8000 Hz, …]}, each word's in the order in which it was recorded.

    Files that no microphone of the course wrote are a ValueError that names them.
    """
    found = {}
    for word, _, path in _stored(strict=True):
        samples, rate = audio.load(path)
        if rate != RATE:
            raise ValueError(
                f"{path} has {rate} samples per second; {RATE} are needed. Record it again, or delete it."
            )
        found.setdefault(word, []).append(samples)
    return found


def delete_recordings():
    """Delete the kept recordings and nothing else; "" or a sentence that says why that is not possible."""
    try:
        for path in _own():
            path.unlink()
    except OSError as error:
        return f"The recordings cannot be deleted ({error}); delete the folder {folder()} yourself."
    return ""


def _stored(strict=False):
    """Sorted [(word, number, path)] of the files in the folder; a foreign one is passed over, or a ValueError."""
    files = [path for path in folder().glob("*") if not path.name.startswith(".")]
    named = [(path.is_file() and NAMED.fullmatch(path.name), path) for path in files]
    foreign = sorted(path.name for match, path in named if not match)
    if strict and foreign:
        raise ValueError(
            f"{folder()} has {', '.join(foreign)}, which is no recording of the course; names such as seven-1.wav are "
            "needed. Move other files elsewhere."
        )
    return sorted((match[1], int(match[2]), path) for match, path in named if match)


def _own():
    """Paths of the files that the course wrote: named as it names them, and of its kind of sound."""
    return [path for *_, path in _stored() if _kind(path) == ("WAV", "FLOAT", RATE, 1)]


def _kind(path):
    """(format, coding, rate, number of channels) of a sound file; of what is none, None."""
    try:
        about = soundfile.info(path)
    except (OSError, soundfile.LibsndfileError):
        return None
    return about.format, about.subtype, about.samplerate, about.channels
