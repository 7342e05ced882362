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
from course_studies.class_tables import refuse_names
from tools.listening import designs

HERE = Path(__file__).parent
DEFAULT = HERE / "equalizer.toml"
WORDS = HERE / "words.toml"
TEXT, NUMBER, TABLE = "a text", "a number", "a table"
KINDS = {TEXT: (str,), NUMBER: (int, float), TABLE: (dict,), "a list": (list,), "true or false": (bool,)}
NEEDED = {"title": TEXT, "question": TEXT, "scale": TABLE, "items": "a list"}
MAY = {"choice": TEXT, "choices": NUMBER, "same": "true or false", "seconds": NUMBER, "music": TEXT, "words": TABLE}
DEFAULTS = {"choice": "", "choices": 0, "same": True, "seconds": 2, "music": "garzul", "words": {}}
SCALE = {"least": NUMBER, "most": NUMBER, "step": NUMBER, "left": TEXT, "right": TEXT}
MEANING = ("question", "scale", "choice", "choices", "same")  # what an answer depends on, beside the items
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
        """8 letters that are others as soon as an answer means something else."""
        items = [[clip.name, clip.features, self._sound(clip)] for clip in self.clips]
        said = json.dumps([{name: self.about[name] for name in MEANING}, items], sort_keys=True)
        return hashlib.sha256(said.encode()).hexdigest()[:8]

    def _sound(self, clip):
        """What tells a clip's sound: of a loop its music, as MP3 encoders differ between computers."""
        return self.about["music"] if clip.loop else hashlib.sha256(clip.sound).hexdigest()

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
    _only(about["scale"], SCALE, {}, f"[scale] of {path.name}")
    about, items = DEFAULTS | about, about["items"]
    clips = tuple(_clip(item, k, path, about["music"]) for k, item in enumerate(items, start=1))
    _check(about, clips, path.name)
    words = tomllib.loads(WORDS.read_text(encoding="utf-8"))
    _only(about["words"], {}, dict.fromkeys(words, TEXT), f"[words] of {path.name}")
    return Study(about, clips, words | about["words"])


def _only(table, needed, may, name):
    """A table has all that is needed, nothing that is unknown, and values of the kinds that are wanted."""
    if missing := sorted(set(needed) - set(table)):
        raise ValueError(f"{name} lacks {', '.join(missing)}.")
    if unknown := sorted(set(table) - {*needed, *may}):
        raise ValueError(f"{name} has {', '.join(unknown)}; it may have {', '.join(sorted({*needed, *may}))}.")
    for key, kind in (needed | may).items():
        if key in table and not _is(table[key], kind):
            raise ValueError(f"{name}: {key} is {table[key]!r}; {kind} is needed.")


def _is(value, kind):
    """Whether a value of a TOML file is of a kind: true is no number, and neither are nan and inf."""
    return type(value) in KINDS[kind] and (kind != NUMBER or math.isfinite(value))


def _check(about, clips, name):
    """Items that `load_panel` can tell apart, with the same features; as many choices as there are pairs at most."""
    names, pairs, scale = [clip.name for clip in clips], math.comb(len(clips), 2), about["scale"]
    refuse_names(names, f"{name} has the items")
    if other := [clip for clip in clips if clip.features.keys() != clips[0].features.keys()]:
        raise ValueError(
            f"{name}: item {other[0].name!r} has the features {', '.join(other[0].features) or 'none'}, "
            f"{names[0]!r} has {', '.join(clips[0].features) or 'none'}; all items need the same."
        )
    if not isinstance(about["choices"], int) or not 0 <= about["choices"] <= pairs:
        raise ValueError(f"{name}: choices is {about['choices']}; 0 to {pairs}, the pairs of {len(clips)} items.")
    if about["choices"] and not about["choice"]:
        raise ValueError(f"{name} lacks choice, the question that is asked about a pair.")
    length, step = scale["most"] - scale["least"], scale["step"]
    if not 0 < step <= length or abs(round(length / step) * step - length) > 1e-9 * length:
        raise ValueError(f"{name}: [scale] needs least below most, and a step above 0 that leads from least to most.")
    if about["seconds"] < 0:
        raise ValueError(f"{name}: seconds is {about['seconds']}; 0 or more are needed.")


def _clip(item, k, path, music):
    """The Clip of an item: its file as it is, or the loop of music with its bass and treble."""
    if not _is(item, TABLE) or not _is(item.get("file", ""), TEXT):
        raise ValueError(
            f"{path.name}: item {k} is {item!r}; a table [[items]] is needed, with a text as file, if any."
        )
    features = {name: value for name, value in item.items() if name not in ("name", "file")}
    wrong = [name for name, one in features.items() if not _is(one, NUMBER) or name.lower() in OTHER_COLUMNS]
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
