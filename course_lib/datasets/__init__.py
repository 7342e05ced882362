"""The data sets of the course: small, real, verified by checksums, each with its source and licence.

The files are in data/ of a git checkout, and in course_lib/_data of an installed package.
Lecture: 00.
"""

from course_lib.datasets.claims import StoredResults, load_claim
from course_lib.datasets.files import (
    REMEDY,
    DataDamagedError,
    DataMissingError,
    FileCheck,
    Provenance,
    data_folder,
    verify_all,
)
from course_lib.datasets.music import Music, load_music
from course_lib.datasets.pairs import (
    Choices,
    PairCounts,
    SoundQuality,
    load_sound_quality,
    load_springall,
    load_train_choices,
)
from course_lib.datasets.speech import (
    JapaneseVowels,
    LabelledSequences,
    RunningSpeech,
    Segment,
    SpokenDigits,
    SpokenPrompts,
    Word,
    load_japanese_vowels,
    load_running_speech,
    load_spoken_digits,
    load_spoken_prompts,
)
from course_lib.datasets.tables import (
    Panel,
    Table,
    WineMarks,
    load_auto_mpg,
    load_boston,
    load_carrots,
    load_concrete,
    load_mock_jurors,
    load_wine,
)

__all__ = [
    "REMEDY", "Choices", "DataDamagedError", "DataMissingError", "FileCheck", "JapaneseVowels", "LabelledSequences",
    "Music", "PairCounts", "Panel", "Provenance", "RunningSpeech", "Segment", "SoundQuality", "SpokenDigits",
    "SpokenPrompts", "StoredResults", "Table", "WineMarks", "Word", "data_folder", "load_auto_mpg", "load_boston",
    "load_carrots", "load_claim", "load_concrete", "load_japanese_vowels", "load_mock_jurors", "load_music",
    "load_running_speech", "load_sound_quality", "load_spoken_digits", "load_spoken_prompts", "load_springall",
    "load_train_choices", "load_wine", "verify_all",
]  # fmt: skip
