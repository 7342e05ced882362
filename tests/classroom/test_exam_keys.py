"""The exams' keys, computed again from nothing but the numbers that a student reads on the sheet.

A key whose hidden digits say something else than the printed ones is wrong for whoever has only these.
"""

import re
from math import comb, log, sqrt

import numpy as np
import pytest
from scipy.stats import norm

from tests.classroom.test_exams import SHEETS, exam
from tests.lectures.reading import table_rows
from tools.exams import making

NUMBER = r"(−?\d+(?:\.\d+)?)"
PHI = norm.cdf


def texts(text, words):
    """What stands for each # in a text, where these words stand."""
    found = re.search(re.escape(words).replace(r"\#", NUMBER).replace("…", ".*?"), text, flags=re.DOTALL)
    assert found, (words, text)
    return found.groups()


def value(text):
    return float(text.replace("−", "-"))


def read(text, words):
    """The numbers that stand for each # in the words; … stands for anything."""
    return [value(one) for one in texts(text, words)]


def table(text, columns):
    """Rows of so many numbers in the tables of a text, which may have a name before them."""
    found = [re.findall(NUMBER, " ; ".join(row[-columns:])) for row in table_rows(text)]
    return np.array([[value(one) for one in row] for row in found if len(row) == columns])


def holds(key, words, *values):
    """The key says these numbers where the words stand, to the digits that it prints."""
    for text, wanted in zip(texts(key, words), values, strict=True):
        places = len(text.partition(".")[2])
        assert abs(value(text) - wanted) <= 0.5 * 10**-places + 1e-9, (words, text, wanted)


# ------------------------------------------------------------------------------------------------------- first exam


def two_curves(sheet, key):
    x, y = read(sheet, "x = (#, #, #, #)"), read(sheet, "y = (#, #, #, #)")
    d = np.abs(np.subtract.outer(x, y))
    assert np.array_equal(table(sheet, 4)[-4:], d)
    D = np.full((5, 5), np.inf)
    D[0, 0] = 0
    for i in range(4):
        for j in range(4):
            D[i + 1, j + 1] = d[i, j] + min(D[i, j], D[i, j + 1], D[i + 1, j])
    assert np.array_equal(table(key, 4)[-4:], D[1:, 1:])
    holds(key, "The distance is #", D[4, 4])
    best, other = (
        [(int(i) - 1, int(j) - 1) for i, j in re.findall(r"\((\d), (\d)\)", text)]
        for text in (key.partition("best path is")[2].partition("\n")[0], sheet.partition("path runs through")[2])
    )
    assert best[0] == other[0] == (0, 0) and best[-1] == other[-1] == (3, 3)
    totals = [sum(d[cell] for cell in path) for path in (best, other)]
    assert totals[0] == D[4, 4]
    holds(key, "mean #/# = #", totals[0], len(best), totals[0] / len(best))
    holds(key, "costs #, but over # cells:\nmean #", totals[1], len(other), totals[1] / len(other))


def near(sheet, key):
    x, rows = read(sheet, "frame x = (#, #)"), [read(sheet, f"| {name} | (#, #) | (#, #) |") for name in "AB"]
    far = [sum(((a - b) / c) ** 2 for a, b, c in zip(x, row[:2], row[2:], strict=True)) for row in rows]
    wide = 2 * log(rows[1][2] * rows[1][3])
    a, b = -far[0] / 2, -(wide + far[1]) / 2
    holds(key, "distances: A #, B #", *far)
    holds(key, "for A and # for B. So −½(0 + #) = #\nfor A and −½(# + #) = # for B", wide, far[0], a, wide, far[1], b)
    holds(key, "ln p(x | B) = #; B must be more than e<sup>#</sup> = # times", a - b, a - b, np.exp(a - b))
    holds(key, "by ¼ · # = #.\nB gets # in place of #", wide, wide / 4, b + wide / 4, b)


def whose(sheet, key):
    x, gamma = read(sheet, "| x | # | # | # | # |"), np.array(read(sheet, "| γ | # | # | # | # |"))
    n, mean = gamma.sum(), gamma @ x / gamma.sum()
    holds(key, "N₂ = #, weight #/4 = #.", n, n, n / 4)
    holds(key, "/ N₂ = #. Variance…/ N₂ = #.", mean, gamma @ (np.array(x) - mean) ** 2 / n)
    rows, (log_n,) = {int(row[0]): row for row in table(sheet, 4)[-4:]}, read(sheet, "(ln 40 = #)")
    bic = {K: -2 * rows[K][1] + (3 * K - 1) * log_n for K in (2, 4)}
    holds(key, "K = 2: #. K = 4: #. The smaller one is chosen: K = #", bic[2], bic[4], min(bic, key=bic.get))
    best = max(rows, key=lambda K: rows[K][2])
    holds(key, "(smallest σ #)", rows[8][3])
    holds(key, "lose # nats against K = #", rows[best][2] - rows[8][2], best)


def display(sheet, key):
    rows = table(sheet, 5)
    pi, A, B = rows[:, 0], rows[:, 1:3], rows[:, 3:]
    alpha = [pi * B[:, 0]]
    for _ in range(2):
        alpha.append(alpha[-1] @ A * B[:, 1])
    for name, row in zip(("α of 1", "α of 2", "sum"), np.vstack([np.transpose(alpha), np.sum(alpha, 1)]), strict=True):
        holds(key, f"| {name} | # | # | # |", *row)
    totals = np.sum(alpha, axis=1)
    belief = alpha[2] / totals[2]
    holds(key, "P(ok, late, late) = #.", totals[2])
    holds(
        key,
        "its sum: (#, #). One step with A: (#, #). “Late” on day 4: #.",
        *belief,
        *(belief @ A),
        belief @ A @ B[:, 1],
    )
    holds(key, "= #, where # is right", np.log(totals).sum(), log(totals[2]))


def two_places(sheet, key):
    (variance, covariance), (noise,) = read(sheet, "variance is #; f(a)…covariance #."), read(sheet, "deviation #.")
    (first,), (second,) = read(sheet, "we measure #."), read(sheet, "and find #.")
    gain, two = covariance / (variance + noise**2), covariance / (variance + noise**2 / 2)
    var = variance - gain * covariance
    holds(key, "Mean #, variance…= #; of a…more: #.", gain * first, var, var + noise**2)
    holds(key, "Mean #, variance #. In", two * (first + second) / 2, variance - two * covariance)
    holds(key, "²/# = #.", variance, variance - covariance**2 / variance)
    (constant,), scales = read(sheet, "constant is #"), sorted(read(sheet, "three lengthscales: #, #, #."))
    rows, sums = table(sheet, 2)[-3:], {}
    for rank, (fit, complexity) in enumerate(rows[np.argsort(rows[:, 1])]):
        sums[scales[rank]] = fit + complexity + constant
    printed = dict(table(key, 2)[-3:])
    assert sorted(printed) == scales
    for scale, total in sums.items():
        assert printed[scale] == pytest.approx(total, abs=0.005 + 1e-9)
    best, other = sorted(sums.values(), reverse=True)[:2]
    assert sums[scales[1]] == best
    holds(key, "difference = # times", np.exp(best - other))


def taken_back(sheet, key):
    (prior,), rows = read(sheet, "prior N(0, #)"), table(sheet, 2)[-2:]
    (odd,) = read(sheet, "site has τ = #.")
    precision = 1 / prior + rows[:, 0].sum()
    mean, var, rest = rows[:, 1].sum() / precision, 1 / precision, 1 / prior + rows[1, 0]
    holds(key, "add:…= #, variance #. Mean # · (…) = #.", precision, var, var, mean)
    holds(key, "Precision #: N(#, #)", rest, rows[1, 1] / rest, 1 / rest)
    z = mean / sqrt(1 + var)
    holds(key, "Φ(# / √(1 + #)) = Φ(#) = #. Φ(#) = #", mean, var, z, PHI(z), mean, PHI(mean))
    holds(key, "(d) Precision #, variance #:…At τ = # and", precision + odd, 1 / (precision + odd), -precision)


def which(sheet, key):
    frames, D = read(sheet, "singers, # independent frames of # coeff")
    holds(key, "has # entries, and # frames span # directions", D * (D + 1) / 2, frames, frames - 1)
    holds(key, "at least #;", *read(sheet, "one is #;"))


# ------------------------------------------------------------------------------------------------------ second exam


def two_ends(sheet, key):
    (centre,) = read(sheet, "Φ(f) = #.")
    for letter, row in zip("PQR", table(sheet, 3)[-3:], strict=True):
        (which,) = np.flatnonzero(np.isclose(row, centre))
        assert re.search(rf"{letter}: [^.]*, its {('mean', 'median', 'mode')[which]} is", key)
    (nu, mean), (clipped,) = read(sheet, "ν = # expects the mean mark #."), read(sheet, "β? # marks")
    beta = nu * (1 - mean)
    holds(key, "α = #, β = #.", nu * mean, beta)
    holds(key, "ln 1000 = # for each mark, # for all", (1 - beta) * log(1000), clipped * (1 - beta) * log(1000))
    (m, s), (noise,) = read(sheet, "f ~ N(#, #²)"), read(sheet, "σ<sub>n</sub> = #. Which")
    noisy, latent = m / sqrt(1 + s**2 + noise**2), m / sqrt(1 + s**2)
    holds(key, "Median Φ(#) = #.…= Φ(#) = #. Beta:…= Φ(#) = #,", m, PHI(m), noisy, PHI(noisy), latent, PHI(latent))


def one_item(sheet, key):
    answers, (noise,) = np.array(read(sheet, "answered: #, #, #, #.")), read(sheet, "noise with σ = #.")
    (level, spread), n = read(sheet, "believed N(#, #²)"), 4
    var = 1 / (1 / spread**2 + n / noise**2)
    value = var * (level / spread**2 + answers.sum() / noise**2)
    holds(key, "Mean # with noise #/√# = #;", answers.mean(), noise, n, noise / sqrt(n))
    holds(key, "value is N(#, #²)", value, sqrt(var))
    (R,) = read(sheet, "mean of # more")
    holds(key, "(b) #; √(…) = #; √(…) = #.", sqrt(var), sqrt(var + noise**2), sqrt(var + noise**2 / R))
    (base,), (joint,) = read(sheet, "finds σ<sub>n</sub> = #;"), read(sheet, "has σ = # from")
    left = base**2 - joint**2 / R
    holds(key, "(c) #/√# = #. Left over: …= #, a **nugget** with ω = #:", joint, R, joint / sqrt(R), left, sqrt(left))


def whose_answer(sheet, key):
    noises, said = np.array(read(sheet, "noises #, #, #.")), np.array(read(sheet, "said nan, #, #;"))
    precision = noises[1:] ** -2.0
    total, weights = precision.sum(), 1 / noises / (1 / noises).sum()
    holds(key, "answered: # and #, together #.", *precision, total)
    holds(key, "Answer #, noise 1/√# = #.", precision @ said / total, total, total**-0.5)
    holds(key, "It returns #:", weights[1:] @ said)


def two_teas(sheet, key):
    (a, b), (noise,) = read(sheet, "means # and #,"), read(sheet, "is σ = #.")
    v, w, c = read(sheet, "variances # and #, covariance #.")
    gap, var, both = b - a, v + w - 2 * c, v + w - 2 * c + 2 * noise**2
    z, timid, sure = gap / sqrt(both), gap / sqrt(v + w + 2 * noise**2), gap / sqrt(var)
    holds(key, "mean # and the variance…= #;", gap, var)
    holds(key, "Φ(#/√#) = Φ(#) = #. Without the covariance Φ(#) = #:", gap, both, z, PHI(z), timid, PHI(timid))
    holds(key, "belief: Φ(#/√#) = Φ(#) = #.", gap, var, sure, PHI(sure))
    (times,) = read(sheet, "each pair # times")
    holds(key, "# · ln ½ = #:", 3 * times, -3 * times * log(2))


def lending(sheet, key):
    (worth,), (rho,) = read(sheet, "variance #. Two"), read(sheet, "ρ = #.")
    heard, noise = read(sheet, "than a: #, with Gaussian noise of variance #.")
    V = 2 * worth
    C = rho * V
    holds(key, "= #; covariance ρ times as much, #.", V, C)
    holds(key, "· # = #; variance…= #.", heard, C / (V + noise) * heard, V - C**2 / (V + noise))
    rows = table(sheet, 4)[-4:]
    columns = dict(zip("PQR", rows[:, 1:].T, strict=True))
    shared = min(columns, key=lambda one: columns[one].sum())
    each, everybody = sorted(set(columns) - {shared}, key=lambda one: columns[one][-1])
    assert f"{shared}: shared" in key and f"{each}: one for each" in key and f"{everybody}: one for all" in key
    holds(key, "better from k = # on", rows[np.argmax(columns[each] < columns[everybody]), 0])
    ahead = columns[each] - columns[shared]
    holds(key, "but by # in place of #:", ahead[-1], ahead[0])
    holds(key, "(c) # and #:", *read(sheet, "(c) # items"), *read(sheet, "to # different"))


def next_question(sheet, key):
    best = read(sheet, "has the mean # and the variance #.")
    found = {}
    for name in ("near", "far"):
        mean, var, cov = read(sheet, f"| {name} | # | # | # |")
        gap, std = mean - best[0], sqrt(best[1] + var - 2 * cov)
        found[name] = gap, std, gap / std, std * norm.pdf(gap / std) + gap * PHI(gap / std)
    gap, std, _, gain = found["near"]
    holds(key, "Near: μ<sub>Δ</sub> = #, σ<sub>Δ</sub> = √(…) = #; #.", gap, std, gain)
    holds(key, "Far: μ<sub>Δ</sub> = #, σ<sub>Δ</sub> = #, z = #; σφ(z) + μΦ(z) = #. **Far**", *found["far"])
    assert found["far"][3] > gain
    single = read(sheet, "gives # for “near” and # for “far”")
    assert single[0] > single[1] and "(b) Near." in key
    won, choices = map(int, read(sheet, "in # of # choices"))
    ways = sum(comb(choices, k) for k in range(won, choices + 1))
    p = 2 * ways / 2**choices
    holds(key, "2 · #/# = #.", ways, 2**choices, p)
    holds(key, "no difference # in a hundred", 100 * p)


def small_set(sheet, key):
    (inside, places), (said, hit) = read(sheet, "In # of # places"), read(sheet, "“here” of # places, # of")
    precision, recall, wrong = hit / said, hit / inside, said + inside - 2 * hit
    holds(
        key,
        "Precision #/# = #, recall #/# = #, F1 = #.",
        hit,
        said,
        precision,
        hit,
        inside,
        recall,
        2 * hit / (said + inside),
    )
    holds(key, "= # places: Brier #/# = #.", wrong, wrong, places, wrong / places)
    assert wrong == inside, "as often wrong as 'nowhere'"
    (f,), (told,) = read(sheet, "says f = #"), read(sheet, "precision of about #.")
    weight = (0.2 * abs(f) + 0.1) ** -2
    holds(key, "= #; divided by # about # answers", weight, told, weight / told)
    holds(key, "some #.", 100 * weight / told)


def report(sheet, key):
    (raters, wide), (goal,) = (
        read(sheet, "(b) With # raters…half-width of #."),
        read(sheet, "raters for a half-width of #?"),
    )
    times = wide / goal
    holds(
        key, "(b) # times as narrow takes #²…: #; with…out #.", times, times, raters * times**2, 2 * raters * times**2
    )
    holds(key, "(c) The half-width #, if", *read(sheet, "common one the half-width is #."))


KEYS = {
    "first": [two_curves, near, whose, display, two_places, taken_back, which],
    "second": [two_ends, one_item, whose_answer, two_teas, lending, next_question, small_set, report],
}


@pytest.mark.parametrize("sheet", SHEETS)
@pytest.mark.parametrize("name", making.EXAMS)
def test_the_key_follows_from_what_is_printed(name, sheet):
    for question, again in zip(exam(name, sheet).questions, KEYS[name], strict=True):
        again(question.sheet, question.solution)


def test_a_digit_that_does_not_follow_is_found():
    with pytest.raises(AssertionError, match=r"0\.58"):
        holds("F1 = 0.58.", "F1 = #.", 0.5851)
    holds("F1 = 0.58.", "F1 = #.", 0.5849)
