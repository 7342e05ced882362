"""What a class has in common, and whether two groups in it differ.

Marks Y are (…, n, R) of n items by R people, NaN where there is none; people differ in their level, in how much of the
scale they use, in noise, and in what they marked: none of these makes two groups.
"""

from dataclasses import dataclass

import numpy as np
from scipy.stats import t

from course_lib import validation

CLASSES = 200  # simulated ones of one taste, to compare with
STARTS, ROUNDS = 6, 12  # of dividing people into groups
WIDEST = 3.0  # the most that a person's use of the scale is times the class's
PRIOR_MARKS = 2  # with how many of a typical person's marks a person's own noise is averaged
RIDGE = 1e-6  # of items that nobody of a group marked


def differences(Y):
    """(…, n, R) marks less the mean of all that their person gave; 0 where there is none."""
    given = ~np.isnan(Y)
    y = np.where(given, Y, 0.0)
    mean = y.sum(axis=-2, keepdims=True) / np.maximum(given.sum(axis=-2, keepdims=True), 1)
    return np.where(given, y - mean, 0.0)


def equations(Y):
    """(A, b) of least squares with a level for each person: A values = b."""
    given = (~np.isnan(Y)).astype(float)
    count = np.maximum(given.sum(axis=-2, keepdims=True), 1)
    A = np.eye(Y.shape[-2]) * given.sum(axis=-1)[..., None] - (given / count) @ np.swapaxes(given, -1, -2)
    return A, differences(Y).sum(axis=-1)


def connected(Y):
    """Whether the marks compare all n items with each other: each is linked to each by people who marked several."""
    return np.linalg.matrix_rank(equations(Y)[0]) == len(Y) - 1


def profile(Y):
    """(…, n) value of each item, with mean 0: what people agree on whose levels differ, and who marked other items."""
    A, b = equations(Y)
    return np.linalg.solve(A + 1 / A.shape[-1] + RIDGE * np.eye(A.shape[-1]), b[..., None])[..., 0]


def covariance(Y):
    """(n, n) of the profile of marks (n, R), from how much people differ from it.

    Source: Liang and Zeger (1986), "Longitudinal data analysis using generalized linear models".
    """
    A = equations(Y)[0]
    scores = differences(Y - profile(Y)[:, None])
    inverse = np.linalg.pinv(A, hermitian=True)
    return inverse @ scores @ scores.T @ inverse * Y.shape[1] / (Y.shape[1] - 1)


def misfit(Y, values):
    """(…, R) squared distance of each person's marks from values (…, n), at that person's level."""
    return np.sum(differences(Y - values[..., None]) ** 2, axis=-2)


def divide(Y, rng=0):
    """((…, R) who is in the second of two groups, (…) share of the misfit to one profile that two of them explain)."""
    rng = validation.generator(rng)
    shape = *Y.shape[:-2], Y.shape[-1]
    least, second = np.full(shape[:-1], np.inf), np.zeros(shape, dtype=bool)
    for _ in range(STARTS):
        group = rng.uniform(size=shape) < 0.5
        for _ in range(ROUNDS):
            to_first, to_second = (
                misfit(Y, profile(np.where(one[..., None, :], Y, np.nan))) for one in (~group, group)
            )
            group = to_second < to_first
        total = np.minimum(to_first, to_second).sum(axis=-1)
        second = np.where((total < least)[..., None], group, second)
        least = np.minimum(total, least)
    return second, 1 - least / np.maximum(misfit(Y, profile(Y)).sum(axis=-1), 1e-9)


@dataclass(frozen=True)
class OneTaste:
    """Marks (n, R) as consensus (n,) times each person's use of the scale (R,), plus level (R,), plus noise (R,)."""

    consensus: np.ndarray
    use: np.ndarray
    level: np.ndarray
    noise: np.ndarray
    rest: np.ndarray  # (n, R) marks less what is expected, NaN where there is none
    free: np.ndarray  # (R,) how many of a person's marks are left when level and use of the scale are known

    def squares(self):
        """(n, R) squared rest, made as large as that of people whose level and use were not read off their marks."""
        share = self.free / (~np.isnan(self.rest)).sum(axis=0) * (1 - 1 / len(self.free))
        return self.rest**2 / np.where(self.free >= 1, share, np.nan)

    def classes(self, count, scale, rng=0):
        """(count, n, R) marks of classes that differ from this one in noise alone, and in no taste."""
        rng = validation.generator(rng)
        shape = (self.rest / np.maximum(self.noise, 1e-9))[~np.isnan(self.rest)]
        shape /= max(np.sqrt(np.mean(shape**2)), 1e-9)
        drawn = self.noise * rng.choice(shape, (count, *self.rest.shape))
        marks = np.clip(self.level + self.use * self.consensus[:, None] + drawn, *scale)
        return np.where(np.isnan(self.rest), np.nan, marks)


def one_taste(Y):
    """The OneTaste of marks (n, R); with few marks, use of the scale and noise are drawn to those of all."""
    given, consensus = ~np.isnan(Y), profile(Y)
    marks = given.sum(axis=0)
    asked, said = differences(np.where(given, consensus[:, None], np.nan)), differences(Y)
    weight = np.maximum(np.sum(asked**2, axis=0), 1e-9)
    use = np.sum(asked * said, axis=0) / weight
    known = (marks > 2) & (weight > 1e-6)
    error = np.sum((said - use * asked)[:, known] ** 2) / max(np.sum(marks[known] - 2), 1) / weight
    excess = np.sum((((use - 1) ** 2 - error) * weight)[known]) / max(weight[known].sum(), 1e-9)
    trust = np.where(known, max(excess, 0) / (max(excess, 0) + error + 1e-12), 0.0)
    use = np.clip(1 + trust * (use - 1), 0, WIDEST)
    level = np.nanmean(Y - use * consensus[:, None], axis=0)
    rest = Y - level - use * consensus[:, None]
    squares, free = np.nansum(rest**2, axis=0), marks - 1 - trust
    typical = squares.sum() / max(free.sum() * (1 - 1 / len(marks)), 1)
    noise = np.sqrt((squares + PRIOR_MARKS * typical) / (free + PRIOR_MARKS))
    return OneTaste(consensus, use, level, noise, rest, free)


def chance(Y, scale):
    """(who is in the second group, share of CLASSES of one taste in which two groups explain as much)."""
    second, explained = divide(Y, 0)
    return second, np.mean(divide(one_taste(Y).classes(CLASSES, scale), 1)[1] >= explained)


def gap(Y, second):
    """(profiles (2, n), half the 90 % interval of their difference (n,)) of two groups that marked all items."""
    parts = [Y[:, who & ~np.isnan(Y).all(axis=0)] for who in (~second, second)]
    error = np.sqrt(sum(np.diag(covariance(part)) for part in parts))
    marks = np.min([(~np.isnan(part)).sum(axis=1) for part in parts], axis=0)
    return np.array([profile(part) for part in parts]), t.ppf(0.95, np.maximum(marks - 1, 1)) * error
