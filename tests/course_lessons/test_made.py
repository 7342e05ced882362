"""Made listening tests: what studies say of them holds the truth that they know."""

import numpy as np
import pytest

from course_lessons.your_data.made import made_choices, made_degrees, made_ratings
from course_lib.gp import SquaredExponential
from course_lib.judgments import PreferenceGP, RaterGP
from course_studies import PairStudy, RatingStudy, from_long, from_pairs


def rated(made):
    table = from_long(made.frame, item="clip", rater="listener", rating="mark", features=made.items)
    return RatingStudy(RaterGP(bias_std=6.0, nugget_std=3.0, pooling=0.5), standardize=True).fit(table)


def chosen(made):
    return PairStudy(standardize=True).fit(from_pairs(made.frame, "left", "right", "answer", features=made.items))


def slid(made):
    how = {"features": made.items, "response": "degree", "scale": (0, 100)}
    return PairStudy(standardize=True).fit(from_pairs(made.frame, "left", "right", "answer", **how))


def held(study, truth):
    contrasts = study.contrasts()
    apart = truth[contrasts["b"]].to_numpy() - truth[contrasts["a"]].to_numpy()
    return np.mean((contrasts["low"] < apart) & (apart < contrasts["high"]))


@pytest.mark.parametrize("seeds", [range(4), range(4, 24)], ids=str)
@pytest.mark.parametrize(("make", "learn"), [(made_ratings, rated), (made_choices, chosen), (made_degrees, slid)])
@pytest.mark.long
def test_averaged_contrasts_hold_what_they_promise(make, learn, seeds):
    found = [(learn(made).averaged(), made.truth) for made in map(make, seeds)]
    assert np.mean([held(study, truth) for study, truth in found]) == pytest.approx(0.9, abs=0.1)


def test_items_need_values_of_their_own():
    """Features never tell all: a smooth function alone would be too sure of differences."""
    made = made_degrees(0, pairs=300)
    study = slid(made)
    smooth = PairStudy(PreferenceGP(SquaredExponential(1.0, [1.0, 1.0]), response="degree"), standardize=True)
    assert held(smooth.fit(study.table_), made.truth) < held(study, made.truth)


def test_made_tables_look_as_tables_do():
    made = made_ratings(3, clips=6, listeners=5, missing=0.2)
    assert list(made.frame.columns) == ["clip", "listener", "mark"]
    assert len(made.frame) == 24
    assert made.truth.index.equals(made.items.index)
    choices = made_choices(3, clips=6, pairs=30).frame
    assert ((choices["answer"] == choices["left"]) | (choices["answer"] == choices["right"])).all()
    assert made_degrees(3).frame["answer"].between(0, 100).all()
    with pytest.raises(ValueError, match="clips"):
        made_ratings(0, clips=1)
