"""Find the setting that one listener likes best, in some twenty comparisons. Lecture: 12."""

from course_personaliser.blind import BlindTest
from course_personaliser.personalizer import Personalizer, agreement
from course_personaliser.ratings import RatingPersonalizer
from course_personaliser.spaces import SettingSpace

__all__ = [
    "BlindTest", "Personalizer", "RatingPersonalizer", "SettingSpace", "agreement",
]  # fmt: skip


def __dir__():
    return __all__
