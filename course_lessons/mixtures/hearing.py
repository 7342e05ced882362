"""What a mixture's components get of a recording, to be heard. Lecture: 03, section 3."""

import numpy as np

from course_lib.audio.whispering import BANDS
from course_widgets.whispers import whisper_rows

LEAST_SHARE = 1e-3


def hear_parts(digits, model, names, coefficient=1, most=3):
    """Whispers of recordings, whole and as each component gets them: a frame is as loud as its responsibility.

    digits : SpokenDigits;  model : GaussianMixture of one coefficient;  names : what each component sounds like
    """
    rows = []
    for cepstra, speaker in list(zip(digits.sequences, digits.speakers, strict=True))[:most]:
        gamma = np.clip(model.predict_proba(cepstra[:, [coefficient]]), LEAST_SHARE, 1)
        level = np.zeros((len(names), *cepstra.shape))
        level[:, :, 0] = 20 * np.log10(gamma.T) * np.sqrt(BANDS)  # coefficient 0: mean dB of the bands, times √bands
        parts = zip((f"{name} of it" for name in names), cepstra + level, strict=True)
        rows.append([(f"the whole word by {speaker}", cepstra), *parts])
    return whisper_rows(rows, digits.rate, digits.hop_seconds)
