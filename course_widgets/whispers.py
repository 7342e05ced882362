"""Whispers of recordings that are stored as cepstra, in rows. Lecture: 03, section 3; 04, section 8."""

from course_lib import audio
from course_widgets.extras import display

HEARD = "A whisper: {label}."
ROW = '<div style="display: flex; flex-wrap: wrap; gap: 0 1em">{}</div>'  # on a phone they stand below each other


def whisper_rows(rows, rate, hop_seconds):
    """Players in rows: each row a list of (label, cepstra (T, K)), the label saying what is heard."""
    return display.HTML(
        "".join(ROW.format("".join(whispered(*one, rate, hop_seconds) for one in row)) for row in rows)
    )


def whispered(label, cepstra, rate, hop_seconds):
    """HTML of a player of one of them."""
    sound = audio.whisper(cepstra, rate, hop_seconds)
    return audio.play(sound, rate, label, HEARD.format(label=label))._repr_html_()
