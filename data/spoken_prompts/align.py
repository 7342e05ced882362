"""Make words.csv: when each word of the running speech is said, by forced alignment with its transcript.

Needs `pip install pocketsphinx==5.1.1 scipy` (its English model comes with it). Run after make.py, from the
root of the repository: python -m data.spoken_prompts.align
"""

import csv
import re

import numpy as np
import soundfile
from pocketsphinx import Decoder
from scipy.signal import resample_poly

from data import packages

FOLDER = packages.DATA / "spoken_prompts"
MODEL_RATE = 16000
PAD_BEFORE, PAD_AFTER = 0.1, 1.0
QUIET_DB = 45


def align(samples, rate, words):
    """(word, start, end) in seconds from the first sample, to the 10 ms of the model's frames."""
    padded = np.pad(samples, (round(PAD_BEFORE * rate), round(PAD_AFTER * rate)))
    wide = resample_poly(padded, MODEL_RATE // rate, 1)
    # The model was never trained on digital zeros: without noise it loses the last word.
    wide = wide + np.random.default_rng(0).normal(0, 1e-4, len(wide))
    decoder = Decoder(samprate=MODEL_RATE, loglevel="FATAL", beam=1e-100, wbeam=1e-80, pbeam=1e-100)
    decoder.set_align_text(" ".join(words))
    decoder.start_utt()
    decoder.process_raw((np.clip(wide, -1, 1) * 0.9 * 32767).astype("<i2").tobytes(), full_utt=True)
    decoder.end_utt()
    found = [s for s in decoder.seg() if not s.word.startswith("<")]
    times = [(s.start_frame / 100 - PAD_BEFORE, (s.end_frame + 1) / 100 - PAD_BEFORE) for s in found]
    names = [re.sub(r"\(\d+\)$", "", s.word) for s in found]
    if names != words:
        raise ValueError(f"alignment gave {names}, but the transcript is {words}")
    return [(name, start, end) for name, (start, end) in zip(names, times, strict=True)]


def without_silence(samples, rate, start, end):
    """The times moved inwards past frames of 10 ms that are QUIET_DB below the loudest of the samples."""
    frame = rate // 100
    power = (samples[: len(samples) // frame * frame].reshape(-1, frame) ** 2).mean(axis=1)
    heard = power > power.max() * 10 ** (-QUIET_DB / 10)
    first, last = round(start * 100), min(round(end * 100), len(heard)) - 1
    while not heard[first] and first < last:
        first += 1
    while not heard[last] and first < last:
        last -= 1
    return first / 100, (last + 1) / 100


def main():
    """Write words.csv beside this script."""
    speech, rate = soundfile.read(FOLDER / "running_speech_en.flac")
    rows = [["word", "start", "end"]]
    with open(FOLDER / "segments.csv", encoding="utf-8", newline="") as file:
        for segment in csv.DictReader(file):
            begin, end = float(segment["start"]), float(segment["end"])
            words = re.findall(r"[a-z']+", segment["transcript"].lower())
            samples = speech[round(begin * rate) : round(end * rate)]
            for word, *times in align(samples, rate, words):
                rows.append([word, *(f"{begin + t:.2f}" for t in without_silence(samples, rate, *times))])
    with open(FOLDER / "words.csv", "w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(rows)
    print(f"{len(rows) - 1} words aligned")
    packages.note_checksums()


if __name__ == "__main__":
    main()
