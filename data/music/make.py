"""Make the music: two loops of four bars each, cut from longer recordings, one channel, Ogg Vorbis.

Run from the root of the repository (on Debian or a relative, for apt-get): python -m data.music.make
"""

import io
import shutil
import struct
import tempfile
from pathlib import Path

import numpy as np
import soundfile

from data import packages

TARGET = packages.DATA / "music"
RATE = 44100
AFTER_SECONDS = 0.05  # what comes after the last bar, for the crossfade of the end into the beginning
LIBROSA = "librosa==0.7.2"
VIBE_ACE = "librosa/util/example_data/Kevin_MacLeod_-_Vibe_Ace.ogg"
VIBE_ACE_SHA256 = "73d6443ef90a7c022f164e5aa90e56c2291585930b39b1656d0765abbc1f1779"
VIBE_ACE_START = 20.14  # second at which four bars begin that are like the four after them
VIBE_ACE_BARS = (
    325663  # samples: sixteen beats, 130 a minute, and 1.5 samples more, since 13² · 41 · 47 transforms fast
)
SAMPLES, VERSION = "sonic-pi-samples", "3.2.2~repack-8"
GARZUL = "usr/share/sonic-pi/samples/loop_garzul.flac"
NOTICES = "usr/share/doc/sonic-pi-samples/copyright"


def vibe_ace():
    """(n,) samples: four bars from the middle, and what comes right after them."""
    content = packages.check(packages.read_from_sdist(LIBROSA, VIBE_ACE), VIBE_ACE_SHA256, VIBE_ACE)
    samples = mono(io.BytesIO(content))
    start = round(VIBE_ACE_START * RATE)
    return samples[start : start + VIBE_ACE_BARS + round(AFTER_SECONDS * RATE)]


def garzul(root):
    """(n,) samples: the whole loop, which is four bars, and its beginning once more."""
    samples = mono(root / GARZUL)
    return np.concatenate([samples, samples[: round(AFTER_SECONDS * RATE)]])


def mono(file):
    """(n,) samples: the mean of the channels."""
    samples, rate = soundfile.read(file)
    if rate != RATE or samples.ndim != 2:
        raise ValueError(f"two channels of sound at {RATE} Hz were expected")
    return samples.mean(axis=1)


def write_ogg(name, samples):
    """One Ogg Vorbis file in this folder, without the random number that says which stream is which."""
    buffer = io.BytesIO()
    soundfile.write(buffer, samples, RATE, format="OGG", subtype="VORBIS", compression_level=0.3)
    content = with_serial_number(buffer.getvalue(), 1)
    (TARGET / name).write_bytes(content)
    print(f"{name}: {len(samples) / RATE:.3f} s, {len(content)} bytes")


def with_serial_number(content, number):
    """An Ogg file with this stream number in each page, and each page's checksum renewed (RFC 3533, section 6)."""
    pages = bytearray(content)
    at = 0
    while at < len(pages):
        n_segments = pages[at + 26]
        size = 27 + n_segments + sum(pages[at + 27 : at + 27 + n_segments])
        pages[at + 14 : at + 18] = struct.pack("<I", number)
        pages[at + 22 : at + 26] = bytes(4)
        pages[at + 22 : at + 26] = struct.pack("<I", ogg_checksum(pages[at : at + size]))
        at += size
    return bytes(pages)


def ogg_checksum(page):
    """CRC-32 of the polynomial 0x04c11db7, the highest bit first, beginning with 0."""
    register = 0
    for byte in page:
        register ^= byte << 24
        for _ in range(8):
            register = (register << 1) ^ (0x04C11DB7 if register & 0x80000000 else 0)
            register &= 0xFFFFFFFF
    return register


def main():
    """Write everything beside this script."""
    write_ogg("vibe_ace.ogg", vibe_ace())
    with tempfile.TemporaryDirectory() as folder:
        packages.unpack_deb(SAMPLES, VERSION, folder)
        write_ogg("garzul.ogg", garzul(Path(folder)))
        shutil.copyfile(Path(folder) / NOTICES, TARGET / "COPYRIGHT.txt")
    packages.note_checksums()


if __name__ == "__main__":
    main()
