"""What a mixture's components get of a recording, to be heard. Lecture: 03, section 3."""

import numpy as np

from course_lib import audio
from course_lib.audio.whispering import BANDS
from course_widgets.extras import display

LEAST_SHARE = 1e-3


def hear_parts(digits, model, names, coefficient=1, most=3):
    """Whispers of recordings, whole and as each component gets them: a frame is as loud as its responsibility.

    digits : SpokenDigits;  model : GaussianMixture of one coefficient;  names : what each component sounds like
    """
    rows = []
    for cepstra, speaker in list(zip(digits.sequences, digits.speakers, strict=True))[:most]:
        gamma = np.clip(model.predict_proba(cepstra[:, [coefficient]]), LEAST_SHARE, 1)
        level = np.zeros_like(cepstra)
        parts = {"the whole word": _whispered(digits, cepstra, f"the whole word by {speaker}")}
        for name, share in zip(names, gamma.T, strict=True):
            level[:, 0] = 20 * np.log10(share) * np.sqrt(BANDS)  # coefficient 0: mean dB of the bands, times √bands
            parts[name] = _whispered(digits, cepstra + level, f"{name} of it")
        rows.append("".join(f"<td>{player}</td>" for player in parts.values()))
    return display.HTML(f"<table><tr>{'</tr><tr>'.join(rows)}</tr></table>")


def _whispered(digits, cepstra, label):
    sound = audio.whisper(cepstra, digits.rate, digits.hop_seconds)
    return audio.play(sound, digits.rate, label, f"A whisper: {label}.")._repr_html_()
