"""A study: what its TOML file says, checked, and its clips as bytes that a browser plays."""

import csv
import hashlib
import json
import math
import mimetypes
import tomllib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from course_lib import audio, datasets
from course_lib.audio import equalizer
from tools.listening import designs

HERE = Path(__file__).parent
DEFAULT = HERE / "equalizer.toml"
WORDS = HERE / "words.toml"
NEEDED = {"title", "question", "scale", "items"}
MAY = {"choice": "", "choices": 0, "same": True, "seconds": 2, "music": "garzul", "words": {}}
SCALE = {"least", "most", "step", "left", "right"}
OTHER_COLUMNS = ("item", "low", "high")  # of items.csv
LEAD_SECONDS = 0.1  # more than what an MP3 file has before its sound and after it


@dataclass(frozen=True)
class Clip:
    """One item: its name, its features, and its sound; `loop` is where in it a loop begins and ends, in seconds."""

    name: str
    features: dict
    sound: bytes
    kind: str
    loop: list | None = None


@dataclass(frozen=True)
class Study:
    """What is asked about which clips. `about` has the rest of the file; `words` all that the page says beside it."""

    about: dict
    clips: tuple
    words: dict

    @property
    def credit(self):
        """Whose music is played; "" if all clips are files."""
        return datasets.load_music(self.about["music"]).title if any(clip.loop for clip in self.clips) else ""

    @cached_property
    def id(self):
        """8 letters that are others as soon as an item or the question is another one."""
        said = json.dumps([self.about["question"], [[clip.name, clip.features] for clip in self.clips]])
        return hashlib.sha256(said.encode()).hexdigest()[:8]

    def described(self, address):
        """What the page needs; `address` gives each clip the address of its sound."""
        n = len(self.clips)
        orders, choices = designs.orders(n), designs.choices(n, self.about["choices"])
        return {
            **{name: self.about[name] for name in ("title", "question", "choice", "scale", "same", "seconds")},
            "id": self.id,
            "items": [{"name": clip.name, "source": address(clip), "loop": clip.loop} for clip in self.clips],
            "orders": orders.tolist(), "choices": choices.tolist(), "rows": math.lcm(len(orders), len(choices)),
            "words": self.words,
        }  # fmt: skip

    def write_items(self, path):
        """Writes a row for each item, its name, its features and the scale, for `course_studies.load_panel`."""
        ends = [self.about["scale"][end] for end in ("least", "most")]
        with open(path, "w", encoding="utf-8", newline="") as file:
            rows = csv.writer(file)
            rows.writerow([OTHER_COLUMNS[0], *self.clips[0].features, *OTHER_COLUMNS[1:]])
            rows.writerows([clip.name, *clip.features.values(), *ends] for clip in self.clips)


def read(path=DEFAULT):
    """The Study of a TOML file; a ValueError says what is wrong with it, in its words."""
    path = Path(path)
    try:
        about = tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"{path.name} is no TOML: {error}.") from None
    _only(about, NEEDED, MAY, path.name)
    _only(about["scale"], SCALE, (), f"[scale] of {path.name}")
    about, items = MAY | about, about["items"]
    clips = tuple(_clip(item, k, path, about["music"]) for k, item in enumerate(items, start=1))
    _check(about, clips, path.name)
    words = tomllib.loads(WORDS.read_text(encoding="utf-8"))
    _only(about["words"], (), words, f"[words] of {path.name}")
    return Study(about, clips, words | about["words"])


def _only(table, needed, may, name):
    """A table has all that is needed, and nothing that is unknown."""
    if missing := sorted(set(needed) - set(table)):
        raise ValueError(f"{name} lacks {', '.join(missing)}.")
    if unknown := sorted(set(table) - {*needed, *may}):
        raise ValueError(f"{name} has {', '.join(unknown)}; it may have {', '.join(sorted({*needed, *may}))}.")


def _check(about, clips, name):
    """Items that can be told apart and have the same features; as many choices as there are pairs at most."""
    names, pairs, scale = [clip.name for clip in clips], math.comb(len(clips), 2), about["scale"]
    if len(clips) < 2 or len(set(names)) < len(names):
        raise ValueError(f"{name} has the items {', '.join(names)}; at least two with different names are needed.")
    if other := [clip for clip in clips if clip.features.keys() != clips[0].features.keys()]:
        raise ValueError(
            f"{name}: item {other[0].name!r} has the features {', '.join(other[0].features) or 'none'}, "
            f"{names[0]!r} has {', '.join(clips[0].features) or 'none'}; all items need the same."
        )
    if not isinstance(about["choices"], int) or not 0 <= about["choices"] <= pairs:
        raise ValueError(f"{name}: choices is {about['choices']}; 0 to {pairs}, the pairs of {len(clips)} items.")
    if about["choices"] and not about["choice"]:
        raise ValueError(f"{name} lacks choice, the question that is asked about a pair.")
    if not scale["least"] < scale["most"] or not scale["step"] > 0:
        raise ValueError(f"{name}: [scale] needs least below most, and step above 0.")


def _clip(item, k, path, music):
    """The Clip of an item: its file as it is, or the loop of music with its bass and treble."""
    features = {name: value for name, value in item.items() if name not in ("name", "file")}
    wrong = [name for name, value in features.items() if type(value) not in (int, float) or name in OTHER_COLUMNS]
    if not isinstance(item.get("name"), str) or wrong:
        what = f"the feature {wrong[0]} = {features[wrong[0]]!r}" if wrong else "no name"
        raise ValueError(
            f"{path.name}: item {k} has {what}; each needs a name, and features that are numbers and are not called "
            f"{', '.join(OTHER_COLUMNS)}."
        )
    if "file" not in item:
        if features.keys() != {"bass", "treble"}:
            raise ValueError(f"{path.name}: item {item['name']!r} needs a file, or bass and treble alone.")
        return _loop(item["name"], features, music)
    file = path.parent / item["file"]
    kind = mimetypes.guess_type(file.name)[0] or ""
    if not file.is_file() or not kind.startswith("audio/"):
        what = "is no sound (.mp3, .wav, .flac, .m4a)" if file.is_file() else "does not exist"
        raise ValueError(f"{path.name}: {file} of item {item['name']!r} {what}.")
    return Clip(item["name"], features, file.read_bytes(), kind)


def _loop(name, features, music):
    """Two bars of the shipped music, equalised, as loud as all others; what a loop needs around it is added."""
    signal, rate = datasets.load_music(music).signal
    lead = round(LEAD_SECONDS * rate)
    once = audio.EqualizedLoop(signal[: 4 * rate], rate)
    samples = once.signal(equalizer.tone_gains(features["bass"], features["treble"])).samples
    around = np.concatenate([samples[-lead:], samples, samples[:lead]])
    return Clip(
        name, features, audio.play(around, rate, name, name).mp3, "audio/mpeg",
        [LEAD_SECONDS, LEAD_SECONDS + len(samples) / rate],
    )  # fmt: skip
