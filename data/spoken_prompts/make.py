"""Make the spoken prompts: digits in five languages, a minute of running speech, and words to search in it.

Run from the root of the repository (on Debian or a relative, for apt-get): python -m data.spoken_prompts.make
After it, python -m data.spoken_prompts.align makes words.csv again.
"""

import csv
import shutil
import tempfile
from pathlib import Path

import numpy as np
import soundfile

from data import packages

TARGET = packages.DATA / "spoken_prompts"
VERSION = "1.6.1-1"
RATE = 8000
GAP_SECONDS = 0.25
VOICES = {
    "en": "en_US_f_Allison",
    "es": "es_MX_f_Allison",
    "fr": "fr_CA_f_June",
    "it": "it_IT_m_Carlo",
    "ru": "ru_RU_f_IvrvoiceRU",
}
DIGITS = {
    "en": "zero one two three four five six seven eight nine",
    "es": "cero uno dos tres cuatro cinco seis siete ocho nueve",
    "fr": "zéro un deux trois quatre cinq six sept huit neuf",
    "it": "zero uno due tre quattro cinque sei sette otto nove",
    "ru": "ноль один два три четыре пять шесть семь восемь девять",
}
SENTENCES = {
    "vm-instructions": "To look into your messages press one now. "
    "You may quit voicemail at any time by pressing the pound key.",
    "auth-incorrect": "Password incorrect. Please enter your password followed by the pound key.",
    "vm-nomore": "No more messages.",
    "pbx-invalid": "I am sorry, but that's not a valid extension. Please try again.",
    "vm-whichbox": "To leave a message, please enter a mailbox number.",
    "vm-invalid-password": "That password does not meet the minimum requirements for this mailbox. Please try again.",
    "ss-noservice": "The number you have dialed is not in service. Please check the number and try again.",
    "vm-mailboxfull": "Sorry, but the user's mailbox can't accept more messages.",
    "agent-newlocation": "Please enter a new extension followed by pound.",
    "vm-msgsaved": "Your message has been saved.",
    "conf-invalid": "That is not a valid conference number. Please try again.",
    "vm-nobox": "You cannot reply to this message because the sender does not have a mailbox.",
    "vm-passchanged": "Your passwords have been changed.",
    "tt-weasels": "Weasels have eaten our phone system.",
    "vm-tooshort": "Your message is too short.",
    "vm-newpassword": "Please enter your new password followed by the pound key.",
    "vm-goodbye": "Goodbye.",
}
# word: (prompt, first second of it that is kept). In vm-login the voice says "Comedian Mail. Mailbox?".
QUERIES = {
    "password": ("vm-password", 0.0),
    "message": ("vm-message", 0.0),
    "messages": ("vm-messages", 0.0),
    "mailbox": ("vm-login", 1.35),
    "extension": ("vm-extension", 0.0),
    "number": ("number", 0.0),
    "please try again": ("please-try-again", 0.0),
    "pound": ("digits/pound", 0.0),
    "one": ("digits/1", 0.0),
    "tomorrow": ("digits/tomorrow", 0.0),
}
TAKES = {
    "extension": ("vm-extension", "extension", "dir-multi3"),
    "please try again": ("please-try-again", "vm-pls-try-again"),
    "goodbye": ("goodbye", "vm-goodbye"),
}


def read_prompt(root, language, prompt, start=0.0):
    """int16 samples of a prompt, from a second on."""
    path = root / "usr/share/asterisk/sounds" / VOICES[language] / f"{prompt}.wav"
    samples, rate = soundfile.read(path, dtype="int16")
    if rate != RATE or samples.ndim != 1 or not samples.any():
        raise ValueError(f"{path.name}: one channel of sound at {RATE} Hz was expected")
    return samples[round(start * rate) :]


def write_flac(name, samples):
    """One sound file below this folder."""
    path = TARGET / name
    path.parent.mkdir(exist_ok=True)
    soundfile.write(path, samples, RATE, format="FLAC", subtype="PCM_16")


def write_table(name, header, rows):
    """One CSV file in this folder."""
    with open(TARGET / name, "w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([header, *rows])


def make_recordings(root):
    """Isolated words: the sound files and recordings.csv, a row for each use of a file."""
    files, rows = {}, []

    def add(role, language, word, prompt, folder, start=0.0):
        if (language, prompt) not in files:
            files[language, prompt] = f"{folder}/{language}_{prompt.rsplit('/', 1)[-1]}.flac"
            write_flac(files[language, prompt], read_prompt(root, language, prompt, start))
        source = f"{VOICES[language]}/{prompt}.wav"
        rows.append([files[language, prompt], role, language, word, source, start])

    for language, words in DIGITS.items():
        for digit, word in enumerate(words.split()):
            add("digit", language, word, f"digits/{digit}", "digits")
    for word, (prompt, start) in QUERIES.items():
        add("query", "en", word, prompt, "words", start)
    for word, prompts in TAKES.items():
        for prompt in prompts:
            add("take", "en", word, prompt, "words")
    write_table("recordings.csv", ["file", "role", "language", "word", "source", "start"], rows)
    print(f"{len(rows)} rows of isolated words in {len(files)} files")


def make_running_speech(root):
    """The sentences one after another with silence between them, and where each begins and ends."""
    pieces, rows, at = [], [], 0
    for prompt, transcript in SENTENCES.items():
        samples = read_prompt(root, "en", prompt)
        rows.append([prompt, f"{at / RATE:.6f}", f"{(at + len(samples)) / RATE:.6f}", transcript])
        pieces += [samples, np.zeros(round(GAP_SECONDS * RATE), dtype=np.int16)]
        at += len(samples) + len(pieces[-1])
    speech = np.concatenate(pieces[:-1])
    write_flac("running_speech_en.flac", speech)
    write_table("segments.csv", ["prompt", "start", "end", "transcript"], rows)
    print(f"{len(speech) / RATE:.2f} s of running speech in {len(rows)} segments")


def main():
    """Write everything but words.csv beside this script."""
    with tempfile.TemporaryDirectory() as folder:
        for language in VOICES:
            packages.unpack_deb(f"asterisk-core-sounds-{language}-wav", VERSION, folder)
        root = Path(folder)
        make_recordings(root)
        make_running_speech(root)
        notices = root / "usr/share/doc/asterisk-core-sounds-en-wav/copyright"
        shutil.copyfile(notices, TARGET / "COPYRIGHT.txt")
    packages.note_checksums()


if __name__ == "__main__":
    main()
