"""Data frames of answers in, data frames of what was learned out, under the same names.

    ratings = from_long(frame, item="clip", rater="listener", rating="mark", features=["reverb", "kbps"])
    study = RatingStudy(RaterGP(nugget_std=5.0), standardize=True).fit(ratings)
    study.consensus(), study.trust(), study.contrasts([("clip 1", "clip 7")]), study.ranking()
    choices = from_pairs(frame, "left", "right", "answer", person="who", features=clips, tie="same")
    taste = PairStudy(people="own").fit(choices)
    taste.shares(), taste.worth(), taste.ranking(person="Ann")
    panel = load_panel()  # what a class answered

Lecture: 14.
"""

from course_studies.agreement import intraclass_correlations, krippendorff_alpha
from course_studies.balanced import balanced_pairs, balanced_panel
from course_studies.class_panel import ClassPanel, load_panel
from course_studies.design import Design
from course_studies.pair_study import PairStudy
from course_studies.pairs import PairTable, from_pairs
from course_studies.planning import Plan, plan, plan_pairs
from course_studies.rating_study import RatingStudy
from course_studies.ratings import RatingTable, from_long, from_wide

__all__ = [
    "ClassPanel", "Design", "PairStudy", "PairTable", "Plan", "RatingStudy", "RatingTable", "balanced_pairs",
    "balanced_panel", "from_long", "from_pairs", "from_wide", "intraclass_correlations", "krippendorff_alpha",
    "load_panel", "plan", "plan_pairs",
]  # fmt: skip


def __dir__():
    return __all__
