"""Whose voice is it? Three rules and a straight line, on many random splits of the spoken digits.

Lecture: 06, section 13.
"""

import warnings

import numpy as np
from scipy.special import ndtr
from sklearn.linear_model import LogisticRegression

from course_lib.gp.inference.ep import EvidenceWarning
from course_lib.gp.kernels import SquaredExponential
from course_lib.gp.latent import LatentGP
from course_lib.gp.likelihoods import Probit
from course_lib.gp.observations import values
from course_lib.gp.priors import HalfStudentT
from course_lib.metrics import paired_t_test
from course_widgets.tables import table

LEARN = 40  # recordings to learn from; the others are predicted
INFERENCE_NAMES = ("laplace", "ep", "variational")


def split(digits, seed):
    """(X, y) to learn from and (X, y) to test: two cepstra, scaled by the former, and ±1 for two of the speakers."""
    two = digits.select(np.isin(digits.speakers, ("george", "theo")))
    cepstra = np.array([frames[:, 1:3].mean(axis=0) for frames in two.sequences])
    who = np.where(two.speakers == "george", 1.0, -1.0)
    order = np.random.default_rng(seed).permutation(len(who))
    train, test = order[:LEARN], order[LEARN:]
    inputs = (cepstra - cepstra[train].mean(0)) / cepstra[train].std(0)
    return (inputs[train], who[train]), (inputs[test], who[test])


def log_loss(chance, y):
    """Mean −log probability of what was the case; `chance` is that of +1."""
    return -np.log(np.where(y > 0, chance, 1 - chance)).mean()


def foretold(digits, seed):
    """{model: (share that is right, log loss, log loss of Φ(m), learned σ_f)} for one split; NaN for none."""
    (X, y), (X_test, y_test) = split(digits, seed)
    line = LogisticRegression().fit(X, y).predict_proba(X_test)[:, 1]
    found = {"logistic regression": (np.mean((line > 0.5) == (y_test > 0)), log_loss(line, y_test), np.nan, np.nan)}
    kernels = {name: SquaredExponential() for name in INFERENCE_NAMES}
    kernels["ep, prior"] = SquaredExponential().with_priors(variance=HalfStudentT(4.0))  # large variances are unlikely
    for name, kernel in kernels.items():
        with warnings.catch_warnings(action="ignore", category=EvidenceWarning):  # what is compared are predictions
            model = LatentGP(kernel, inference=name.split(",")[0]).fit(values(X, y, Probit()))
        m, std = model.predict_latent(X_test)
        chance = ndtr(m / np.sqrt(1 + std**2))
        right, size = np.mean((chance > 0.5) == (y_test > 0)), np.sqrt(model.kernel_.variance)
        found[name] = right, log_loss(chance, y_test), log_loss(np.clip(ndtr(m), 1e-6, 1 - 1e-6), y_test), size
    return found


def splits_table(stored):
    """Accuracy and log loss of each model over the stored splits, and its gain over logistic regression."""
    line, *others = dict.fromkeys(stored["model"])
    base = stored.of(model=line)
    rows = [(line, f"{base['right'].mean():.3f}", "–", f"{base['log_loss'].mean():.3f}", "–", "–", "–")]
    for name in others:
        of = stored.of(model=name)
        low, high = np.quantile(of["size"], [0.25, 0.75])
        right = f"{of['right'].mean():.3f}", paired_t_test(of["right"], base["right"])
        loss = f"{of['log_loss'].mean():.3f}", paired_t_test(base["log_loss"], of["log_loss"])
        of_the_mean = paired_t_test(of["of_the_mean"], of["log_loss"])
        rows.append((name, *right, *loss, of_the_mean, f"{low:.1f} … {high:.1f}"))
    gains = ("accuracy", "gain over the first row", "log loss", "gain over the first row", "gain over Φ(m)")
    return table((f"{len(base['right'])} splits", *gains, "learned σ_f, middle half"), rows)


def insurance_table(stored):
    """How often averaging costs log loss beside Φ(m), how much at most, and how much it saves."""
    rows = []
    for name in INFERENCE_NAMES:
        lost = stored.of(model=name)["log_loss"] - stored.of(model=name)["of_the_mean"]
        rows.append((name, f"{np.sum(lost > 0)} of {len(lost)}", f"{lost.max():.2f}", f"{-lost.min():.2f}"))
    return table(("averaging instead of Φ(m)", "raises the log loss in", "by at most", "lowers it by at most"), rows)
