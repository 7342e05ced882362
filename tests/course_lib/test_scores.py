"""score: scikit-learn's conventions for every model of answers, R² for values and accuracy for comparisons."""

import numpy as np
import pytest
from sklearn.metrics import r2_score

from course_lib import gp
from course_lib.judgments import BoundedGP, MultiSampleGP, PreferenceGP, RaterGP

SE = gp.SquaredExponential(1.0, 1.0)
RNG = np.random.default_rng(2)
X = np.linspace(0, 3, 20)[:, None]
CURVE = np.sin(X[:, 0])
PAIRS = np.array([(0, 5), (5, 19), (12, 3), (8, 9), (19, 0), (6, 4)])


@pytest.mark.parametrize("Model", [MultiSampleGP, RaterGP])
def test_r2_over_all_answers(Model):
    Y = CURVE[:, None] + 0.2 * RNG.normal(size=(20, 3))
    Y[2, 1] = np.nan
    model = Model(SE, optimize=False).fit(X, Y)
    item, rater = np.nonzero(~np.isnan(Y))
    assert model.score(X, Y) == pytest.approx(r2_score(Y[item, rater], model.predict(X[item])))
    with pytest.raises(ValueError, match="y has shape"):
        model.score(X, Y[:5])


@pytest.mark.parametrize("model", [gp.GPRegression(SE, optimize=False), BoundedGP(SE, optimize=False, low=-2, high=2)])
def test_r2_of_one_answer_to_each_item(model):
    assert model.fit(X, CURVE).score(X, CURVE) == pytest.approx(r2_score(CURVE, model.predict(X)))


@pytest.mark.parametrize(
    ("settings", "answers"),
    [
        ({"response": "choice"}, [1, -1, -1, -1, -1, 1]),
        ({"response": "choice", "ties": True}, [1, 0, -1, 0, -1, 0]),
        ({"response": "degree"}, [0.9, 0.2, 0.1, 0.5, 0.3, 0.6]),
        ({"response": "difference"}, [1.0, -0.5, -0.4, 0.0, -0.2, 0.3]),
    ],
)
def test_the_share_of_comparisons_told_right(settings, answers):
    model = PreferenceGP(SE, optimize=False, **settings).fit(X, PAIRS, answers)
    side = np.sign(np.array(answers) - (0.5 if model.response == "degree" else 0.0))
    told = np.sign(model.predict_preference(X, PAIRS) - 0.5)
    assert model.score(X, PAIRS, answers) == pytest.approx(
        np.mean([a == b for a, b in zip(side, told, strict=True) if a])
    )


def test_ties_alone_have_no_score():
    model = PreferenceGP(SE, optimize=False, ties=True).fit(X, PAIRS, [1, 0, -1, 0, -1, 0])
    with pytest.raises(ValueError, match="all 6 answers in y are ties"):
        model.score(X, PAIRS, np.zeros(6))
    with pytest.raises(ValueError, match="y has shape"):
        model.score(X, PAIRS, [1.0])
