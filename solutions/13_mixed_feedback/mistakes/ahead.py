"""Task 5, look_ahead(mean, cov, star, level, floor, ceiling)."""

import math

import numpy as np
from scipy.integrate import quad
from scipy.special import ndtr, owens_t
from scipy.stats import multivariate_normal, norm


def bvn(a, b, rho):
    """P(X ≤ a, Y ≤ b) of two standard normals with correlation ρ, by Owen's T."""

    def half(h, k):
        if h == 0.0:
            return 0.25 * np.sign(k) if k else np.arctan(-rho / np.sqrt(1 - rho**2)) / (2 * np.pi)
        return owens_t(h, (k - rho * h) / (h * np.sqrt(1 - rho**2)))

    if a == b == 0.0:
        return 0.25 + np.arcsin(rho) / (2 * np.pi)
    opposite = a * b < 0 or (a * b == 0 and a + b < 0)
    return 0.5 * (ndtr(a) + ndtr(b)) - half(a, b) - half(b, a) - 0.5 * opposite


def both_of(a, b, rho):
    with np.errstate(all="ignore"):
        return np.array([bvn(a, *one) for one in zip(b, rho, strict=True)])


def change_of(yes, P, P_yes, P_no):
    return yes * abs((P - P_yes).sum()) + (1 - yes) * abs((P - P_no).sum())


def looked(
    of_star=lambda m, v: m / np.sqrt(1 + v),
    of_places=lambda m, v, level: (level - m) / np.sqrt(v),
    rho=lambda c, v, w: -c / np.sqrt(v * (1 + w)),
    inside_and_above=lambda a, b, rho: both_of(a, b, rho),
    probability=lambda p, floor, ceiling: floor + (ceiling - floor) * p,
    joint=lambda P, Z, floor, ceiling: floor * P + (ceiling - floor) * Z,
    after_yes=lambda P, both, yes: both / yes,
    after_no=lambda P, both, yes: (P - both) / (1 - yes),
    change=change_of,
    arrange=lambda *four: four,
):
    """An answer with one step changed."""

    def answer(mean, cov, star, level, floor, ceiling):
        v = np.diag(cov)
        a, b = of_star(mean[star], v[star]), of_places(mean, v, level)
        P, Z = ndtr(b), inside_and_above(a, b, np.clip(rho(cov[star], v, v[star]), -0.999999, 0.999999))
        yes, both = probability(ndtr(a), floor, ceiling), joint(P, Z, floor, ceiling)
        P_yes, P_no = after_yes(P, both, yes), after_no(P, both, yes)
        return arrange(yes, P_yes, P_no, change(yes, P, P_yes, P_no))

    return answer


right_answer = looked()


def matched(mean, cov, star, level, floor, ceiling):
    """A normal with the right mean and variance after each answer, as in EP."""
    v, w = np.diag(cov), cov[star, star]
    z = mean[star] / np.sqrt(1 + w)
    yes, told = floor + (ceiling - floor) * ndtr(z), []
    for low, high in ((floor, ceiling), (1 - floor, 1 - ceiling)):
        slope = (high - low) * norm.pdf(z) / (low + (high - low) * ndtr(z)) / np.sqrt(1 + w)
        bend = -(slope**2) - slope * z / np.sqrt(1 + w)
        told.append(ndtr((level - mean - cov[star] * slope) / np.sqrt(v + cov[star] ** 2 * bend)))
    return yes, *told, change_of(yes, ndtr((level - mean) / np.sqrt(v)), *told)


def one_step(mean, cov, star, level, floor, ceiling):
    """A site at the mean: slope and bend of the log likelihood there."""
    v, m, w = np.diag(cov), mean[star], cov[star, star]
    yes, told = floor + (ceiling - floor) * ndtr(m / np.sqrt(1 + w)), []
    for sign in (1, -1):
        slope = sign * norm.pdf(m) / ndtr(sign * m)
        tau = slope * (slope + m)
        new = v - cov[star] ** 2 * tau / (1 + w * tau)
        told.append(ndtr((level - mean - cov[star] * slope / (1 + w * tau)) / np.sqrt(new)))
    return yes, *told, change_of(yes, ndtr((level - mean) / np.sqrt(v)), *told)


def without_the_place(mean, cov, star, level, floor, ceiling):
    yes, P_yes, P_no, _ = right_answer(mean, cov, star, level, floor, ceiling)
    rest = np.arange(len(mean)) != star
    P = ndtr((level - mean) / np.sqrt(np.diag(cov)))
    return yes, P_yes, P_no, change_of(yes, P[rest], P_yes[rest], P_no[rest])


def unknown_correlation(mean, cov, star, level, floor, ceiling):
    with np.errstate(all="ignore"):
        four = right_answer(mean, cov, star, level, floor, ceiling)
        return four[0], *(one * np.sqrt(np.diag(cov) - cov[star, star] - 1) for one in four[1:3]), np.nan


def drawn(mean, cov, star, level, floor, ceiling):
    f = np.random.default_rng(0).multivariate_normal(mean, cov, 100_000)
    weight, inside = floor + (ceiling - floor) * ndtr(f[:, star]), f <= level
    yes, P, both = weight.mean(), inside.mean(axis=0), (weight[:, None] * inside).mean(axis=0)
    told = both / yes, (P - both) / (1 - yes)
    return yes, *told, change_of(yes, P, *told)


def against_level(mean, cov, star, level, floor, ceiling):
    """A yes as f* plus noise above the level."""
    return right_answer(mean - level, cov, star, 0.0, floor, ceiling)


def expected_fall(of):
    def fall(yes, P, P_yes, P_no):
        return of(P) - yes * of(P_yes) - (1 - yes) * of(P_no)

    return fall


def entropy(P):
    P = np.clip(P, 1e-300, 1 - 1e-16)
    return -(P * np.log(P) + (1 - P) * np.log(1 - P)).sum()


ODD = "Is each |ρ| below 1"

MISTAKES = {
    "ρ with a plus": looked(rho=lambda c, v, w: c / np.sqrt(v * (1 + w))),
    "yes and no exchanged": looked(arrange=lambda yes, one, other, change: (yes, other, one, change)),
    "no noise in a": looked(of_star=lambda m, v: m / np.sqrt(v)),
    "no noise in ρ": looked(rho=lambda c, v, w: -c / np.sqrt(v * w)),
    "no noise at all": looked(of_star=lambda m, v: m / np.sqrt(v), rho=lambda c, v, w: -c / np.sqrt(v * w)),
    "1 + std": looked(of_star=lambda m, v: m / (1 + np.sqrt(v))),
    "noise in b": looked(of_places=lambda m, v, level: (level - m) / np.sqrt(1 + v)),
    "ρ divided once": looked(rho=lambda c, v, w: -c / np.sqrt(1 + w)),
    "ρ divided three times": looked(rho=lambda c, v, w: -c / np.sqrt(v * w * (1 + w))),
    "a against the level": against_level,
    "drawn": drawn,
    "superlevel": looked(
        of_places=lambda m, v, level: (m - level) / np.sqrt(v), rho=lambda c, v, w: c / np.sqrt(v * (1 + w))
    ),
    "independent": looked(inside_and_above=lambda a, b, rho: ndtr(a) * ndtr(b)),
    "floor and ceiling ignored": looked(probability=lambda p, floor, ceiling: p, joint=lambda P, Z, floor, ceiling: Z),
    "only in yes": looked(joint=lambda P, Z, floor, ceiling: Z),
    "only in the joint probability": looked(probability=lambda p, floor, ceiling: p),
    "floor forgotten": looked(
        probability=lambda p, floor, ceiling: ceiling * p,
        joint=lambda P, Z, floor, ceiling: ceiling * Z,
    ),
    "floor + ceiling · Φ": looked(
        probability=lambda p, floor, ceiling: floor + ceiling * p,
        joint=lambda P, Z, floor, ceiling: floor * P + ceiling * Z,
        after_no=lambda P, both, yes: (P - both) / np.where(yes == 1, 1.0, 1 - yes),
    ),
    "lapse as a mixture": looked(
        probability=lambda p, floor, ceiling: floor + (1 - floor) * p,
        joint=lambda P, Z, floor, ceiling: floor * P + (1 - floor) * Z,
    ),
    "lapses shared": lambda mean, cov, star, level, floor, ceiling: right_answer(
        mean, cov, star, level, (1 - ceiling) / 2, (1 + ceiling) / 2
    ),
    "floor with all of P": looked(joint=lambda P, Z, floor, ceiling: floor + (ceiling - floor) * Z),
    "no: the rest to 1": looked(after_no=lambda P, both, yes: 1 - both / yes),
    "no: not divided": looked(after_no=lambda P, both, yes: P - both),
    "no: divided by yes": looked(after_no=lambda P, both, yes: (P - both) / yes),
    "no: as before": looked(after_no=lambda P, both, yes: P),
    "yes: not divided": looked(after_yes=lambda P, both, yes: both),
    "yes: divided by P": looked(after_yes=lambda P, both, yes: both / P),
    "moments matched": matched,
    "Laplace": one_step,
    "absolute value inside": looked(
        change=lambda yes, P, one, no: yes * np.abs(P - one).sum() + (1 - yes) * np.abs(P - no).sum()
    ),
    "change squared": looked(
        change=lambda yes, P, one, no: yes * (P - one).sum() ** 2 + (1 - yes) * (P - no).sum() ** 2
    ),
    "mean over places": looked(change=lambda yes, P, one, no: change_of(yes, P, one, no) / len(P)),
    "not weighted": looked(change=lambda yes, P, one, no: abs((P - one).sum()) + abs((P - no).sum())),
    "weights exchanged": looked(change=lambda yes, P, one, no: change_of(1 - yes, P, one, no)),
    "change after yes only": looked(change=lambda yes, P, one, no: abs((P - one).sum())),
    "without absolute value": looked(
        change=lambda yes, P, one, no: yes * (P - one).sum() + (1 - yes) * (P - no).sum()
    ),
    "largest change": looked(change=lambda yes, P, one, no: max(abs((P - one).sum()), abs((P - no).sum()))),
    "volumes after yes and no": looked(change=lambda yes, P, one, no: abs((one - no).sum())),
    "entropy": looked(change=expected_fall(entropy)),
    "variance": looked(change=expected_fall(lambda P: (P * (1 - P)).sum())),
    "without the place itself": without_the_place,
}

RULE_MISTAKES = {
    "root of what is negative": (unknown_correlation, ODD),
    "change only": (lambda *given: right_answer(*given)[3], "4 values are needed"),
}


def with_scipy(mean, cov, star, level, floor, ceiling):
    v, w = np.diag(cov), 1 + cov[star, star]
    a, b, told = mean[star] / np.sqrt(w), (level - mean) / np.sqrt(v), []
    for j, r in enumerate(-cov[star] / np.sqrt(v * w)):
        told.append(multivariate_normal([0, 0], [[1, r], [r, 1]]).cdf([a, b[j]]))
    span = ceiling - floor
    yes, P, joint = floor + span * norm.cdf(a), norm.cdf(b), floor * norm.cdf(b) + span * np.array(told)
    moved = 2 * abs((yes * P - joint).sum())  # as much probability moves one way as the other
    return yes, joint / yes, (P - joint) / (1 - yes), moved


def by_integral(mean, cov, star, level, floor, ceiling):
    """Another algorithm: f* is integrated over; given f*, place q is normal, and * itself is known."""
    m, w = mean[star], cov[star, star]

    def density(f):
        return math.exp(-((f - m) ** 2) / (2 * w)) / math.sqrt(2 * math.pi * w)

    def yes_at(f):
        return floor + (ceiling - floor) * ndtr(f)

    def average(function, high=np.inf):
        low, high = m - 11 * np.sqrt(w), min(m + 11 * np.sqrt(w), high)
        points = [x for x in (m, 0.0, level) if low < x < high]
        return quad(lambda f: function(f) * density(f), low, high, points=points, epsabs=1e-11)[0]

    yes, P, joint = average(yes_at), [], []
    for q in range(len(mean)):
        slope = cov[q, star] / w
        rest = cov[q, q] - slope * cov[q, star]
        P.append(ndtr((level - mean[q]) / math.sqrt(cov[q, q])))
        if q == star or rest < 1e-12:
            joint.append(average(yes_at, level))
            continue
        joint.append(
            average(lambda f, q=q, k=slope, r=rest: yes_at(f) * ndtr((level - mean[q] - k * (f - m)) / math.sqrt(r)))
        )
    P, joint = np.array(P), np.array(joint)
    P_yes, P_no = joint / yes, (P - joint) / (1 - yes)
    return [yes, P_yes, P_no, yes * abs(sum(P) - sum(P_yes)) + (1 - yes) * abs(sum(P) - sum(P_no))]


RIGHT = {"Owen's T": right_answer, "scipy": with_scipy, "integrals": by_integral}
