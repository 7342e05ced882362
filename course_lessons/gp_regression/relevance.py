"""Three meanings of the relevance of an input: how fast the curve bends, what shuffling costs, what leaving out costs.

Lecture: 05, section 6.
"""

import numpy as np

from course_lib.gp.kernels import SquaredExponential
from course_lib.gp.regression import GPRegression
from course_widgets.tables import table

SHUFFLES = 20


def learned_by_ard(X, y):
    """Gaussian process with a lengthscale for each input, all hyper-parameters learned."""
    return GPRegression(SquaredExponential(1.0, np.full(X.shape[1], 2.0)), noise_std=0.3).fit(X, y)


def rmse(model, X, y):
    """Root mean square error of the predictions."""
    return float(np.sqrt(np.mean((model.predict(X) - y) ** 2)))


def shuffled_rmse(model, test, d):
    """RMSE on the test part when its input d is shuffled: the mean of 20 times."""
    rng, errors = np.random.default_rng(d), []
    for _ in range(SHUFFLES):
        X = test.X.copy()
        X[:, d] = rng.permutation(X[:, d])
        errors.append(rmse(model, X, test.y))
    return np.mean(errors)


def relevance_table(model, train, test, unit):
    """The inputs in the order of their lengthscales, with all three meanings.

    model : learned from the standardised table `train`;  unit : standard deviation of the answers before that, so
        that the error is in their unit
    """
    rows = []
    for d in np.argsort(model.kernel_.lengthscale):
        ell, others = model.kernel_.lengthscale[d], np.delete(np.arange(train.X.shape[1]), d)
        grows = unit * (shuffled_rmse(model, test, d) - rmse(model, test.X, test.y))
        falls = model.log_evidence_ - learned_by_ard(train.X[:, others], train.y).log_evidence_
        changes = (f"{round(change, 1) + 0.0:+.1f}" for change in (grows, falls))  # + 0.0: no −0.0
        rows.append((short_name(train.inputs[d]), f"{ell:.1f}" if ell < 100 else "> 100", *changes))
    head = ("input", "ℓ_d", "shuffled: error grows by (mpg)", "left out: log evidence falls by (nats)")
    return table(head, rows)


def short_name(name):
    """The name of an input without its unit."""
    return name.split(" (")[0]
