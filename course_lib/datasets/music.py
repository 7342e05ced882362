"""Music for listening tests. Lecture: 12, section 5."""

from dataclasses import dataclass

from course_lib import audio, validation
from course_lib.datasets.files import Provenance, checked_file
from course_lib.kinds import Folder

AFTER_SECONDS = 0.05


@dataclass(frozen=True, repr=False, eq=False)
class Music:
    """Four bars of music and the beginning of the next; `audio.join` makes them a loop.

    signal : audio.Signal, one channel
    title : name of the piece and who made it, as a page that plays it should say
    heard : what it sounds like, for those who do not hear it
    after_seconds : how much of the signal comes after the last bar, to be faded into the beginning
    """

    signal: audio.Signal
    title: str
    heard: str
    after_seconds: float
    provenance: Provenance

    def __repr__(self):
        return f"Music: {self.title}. {self.signal!r}"


def load_music(name: str = "vibe_ace", folder: Folder = None) -> Music:
    """Four bars of Music at 44.1 kHz that can go round.

    name : "vibe_ace", a small jazz band, most of it below 1 kHz; or "garzul", electronic, with something in every band
    folder : where the data lie, if not at the usual place
    """
    title, heard, provenance = _PIECES[validation.one_of(name, PIECE_NAMES, "name")]
    return Music(audio.load(checked_file(f"music/{name}.ogg", folder)), title, heard, AFTER_SECONDS, provenance)


_PIECES = {
    "vibe_ace": (
        "“Vibe Ace” by Kevin MacLeod (CC BY 3.0; shortened, one channel)",
        "A small jazz band: vibraphone, bass and drums, swinging, 130 beats a minute; most of it is low.",
        Provenance(
            "librosa 0.7.2 (PyPI), librosa/util/example_data/Kevin_MacLeod_-_Vibe_Ace.ogg, from 20.14 s to 27.57 s",
            "CC BY 3.0",
            "Kevin MacLeod, Vibe Ace, Jazz Sampler, Free Music Archive",
        ),
    ),
    "garzul": (
        "Sound 213524 of freesound.org by Garzul (CC0)",
        "Electronic dance music, 120 beats a minute: a deep bass drum, hissing cymbals, and all between.",
        Provenance(
            "sonic-pi-samples 3.2.2~repack-8 (Debian), /usr/share/sonic-pi/samples/loop_garzul.flac",
            "CC0 1.0",
            "Garzul (2014), sound 213524, freesound.org",
        ),
    ),
}

PIECE_NAMES = tuple(_PIECES)
