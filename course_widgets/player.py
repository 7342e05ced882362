"""A player for two sounds that are compared: both run, one is heard. Lecture: 12, section 5."""

import html
import io
from pathlib import Path

import soundfile

from course_lib import validation
from course_widgets.extras import anywidget, traitlets

SIDES = ("a", "b")


class ABPlayer(anywidget.AnyWidget):
    """Two loops run side by side; the listener hears A, B or neither, and the music continues at the same place.

    Nothing sounds before the listener presses a button or a key. Sound begins quietly (95 % after one second); from
    A to B takes 20 ms, in which the two gains sum to one. With the keyboard: Tab and Space or Enter, and where the
    player has the focus the keys a, b, and space, which stops and continues.

    Parameters
    ----------
    a, b : WAV files as bytes (`audio.wav`, `EqualizedLoop.wav`), of one rate and one length
    what : what is heard on both sides, in words, for those who do not hear it; the player shows it
    volume : 0 … 1; the amplitude is its square
    least_seconds : how long a side must have sounded to count as heard

    Attributes
    ----------
    playing : "a", "b" or "". Follows the listener; set it to "" for silence. It cannot start what no key has started.
    heard : tuple of the sides that have been listened to since the sounds changed, () to ("a", "b"); observe it
    volume : as above; follows the slider
    names : what the two sides are called, ("A", "B"); before the player is shown
    sounds : (a, b), to be changed by `change`;  pair : how many pairs there have been before this one
    """

    _esm = Path(__file__).with_name("player.js")
    _css = Path(__file__).with_name("player.css")

    sounds = traitlets.Tuple(traitlets.Bytes(), traitlets.Bytes(), read_only=True).tag(sync=True)
    pair = traitlets.Int(0, read_only=True).tag(sync=True)
    playing = traitlets.Enum(("", *SIDES), "").tag(sync=True)
    heard = traitlets.Tuple(read_only=True).tag(sync=True)
    what = traitlets.Unicode(read_only=True).tag(sync=True)
    names = traitlets.Tuple(traitlets.Unicode(), traitlets.Unicode(), default_value=("A", "B")).tag(sync=True)
    volume = traitlets.Float(0.7, min=0, max=1).tag(sync=True)
    least_seconds = traitlets.Float(1.0, min=0).tag(sync=True)
    _listened = traitlets.Dict({"pair": 0, "sides": []}).tag(sync=True)  # what the browser says, and of which pair

    def __init__(self, a, b, what, volume=0.7, least_seconds=1.0):
        volume = validation.fraction(volume, "volume")
        least_seconds = validation.not_negative(least_seconds, "least_seconds")
        self.set_trait("sounds", _pair(a, b))  # first, so that the player opens with them
        self.set_trait("what", validation.text(what, "what", "what is heard on both sides, in words"))
        super().__init__(volume=volume, least_seconds=least_seconds)

    def change(self, a, b):
        """Two other sounds, of which neither has been heard; what plays continues with the new one, without a click.

        For silence until the listener presses again, set `playing` to "" as well.
        """
        sounds = _pair(a, b)
        with self.hold_sync():  # one message: the browser never reads the pair's number without its sounds
            self.set_trait("sounds", sounds)
            self.set_trait("heard", ())
            self.set_trait("pair", self.pair + 1)

    @traitlets.observe("_listened")
    def _hear(self, change):
        said = change["new"]
        if said["pair"] == self.pair:
            self.set_trait("heard", tuple(side for side in SIDES if side in said["sides"]))

    def __repr__(self):
        heard = ", ".join(self.heard) or "none yet"
        return f"ABPlayer: two sounds of {_length(self.sounds[0])[0]:.2f} s; heard: {heard}"

    def _repr_mimebundle_(self, **options):
        data, metadata = super()._repr_mimebundle_(**options)
        said = "A player for two sounds, A and B, to be compared by ear. It plays in JupyterLab and on a Voila page."
        data["text/html"] = f"<p><i>{html.escape(said)}</i> {html.escape(self.what)}</p>"
        return data, metadata


def _pair(a, b):
    """(a, b), if both are WAV files of the same length."""
    found = [_length(sound, name) for sound, name in ((a, "a"), (b, "b"))]
    if found[0] != found[1]:
        (_, n, rate), (_, m, other) = found
        raise ValueError(
            f"a has {n} samples at {rate} Hz and b {m} at {other} Hz; one length is needed, to go round together."
        )
    return a, b


def _length(sound, name="sound"):
    """(seconds, samples, rate) of a WAV file."""
    needed = "what audio.wav gives, the bytes of a WAV file,"
    if not isinstance(sound, bytes) or sound[:4] + sound[8:12] != b"RIFFWAVE":
        raise ValueError(f"{name} is a value of type {type(sound).__name__}; {needed} is needed.")
    try:
        info = soundfile.info(io.BytesIO(sound))
    except soundfile.LibsndfileError as error:
        raise ValueError(f"{name} cannot be read as sound ({error.error_string}); {needed} is needed.") from None
    return info.duration, info.frames, info.samplerate
