"""The numbers of the exam on judgements: what is given, and everything that follows from it.

For each question a function whose defaults are sheet A and which returns all numbers that `second.md` prints, and one
that draws other numbers. Change a default, run `make exams`, and question, solution and table of mistakes follow.
"""

from math import comb

import numpy as np
from scipy.stats import beta as beta_density
from scipy.stats import norm

from teaching.exams.common import apart, pick, wanted

# ------------------------------------------------------------------------------------------------------- 1 bounded


def bounded(
    f=1.2, noise=0.5, nu_cut=8.0, nu_beta=12.0, shuffle=(2, 0, 1), mean=0.96, nu=10.0, clipped=6, m=1.0, s=0.7
):
    """Three models of a mark for one f, the ends of a beta density, and the mean and median of the next mark."""
    centre = norm.cdf(f)
    warped = {"mean": norm.cdf(f / np.sqrt(1 + noise**2)), "median": centre, "mode": warped_mode(f, noise)}
    a, b = nu_beta * centre, nu_beta * (1 - centre)
    born = {"mean": centre, "median": beta_density.median(a, b), "mode": (a - 1) / (nu_beta - 2)}
    cut = truncated(centre, nu_cut)
    models = [("warped", "median", warped), ("truncated Gaussian", "mode", cut), ("beta", "mean", born)]
    for _, which, row in models:
        others = [abs(round(v, 2) - round(centre, 2)) for name, v in row.items() if name != which]
        wanted(min(others) >= 0.01, "one number in each row that is Φ(f)")
    wanted(b > 1.05, "a beta density with a peak inside")
    alpha, other = nu * mean, nu * (1 - mean)
    wanted(0.1 < other < 0.8, "a beta density that is infinite at one end")
    z_warped, z_latent = m / np.sqrt(1 + s**2 + noise**2), m / np.sqrt(1 + s**2)
    answers = norm.cdf([z_warped, z_latent, m])
    wanted(apart(*answers, by=0.01), "three means that differ")
    rows = [models[k] for k in shuffle]
    return {
        "centre": float(centre),
        "rows": [
            {"letter": letter, **{k: float(v) for k, v in row[2].items()}}
            for letter, row in zip("PQR", rows, strict=True)
        ],
        "names": [row[0] for row in rows],
        "centred": [row[1] for row in rows],
        "f": f,
        "mean": mean,
        "nu": nu,
        "alpha": alpha,
        "beta": other,
        "clipped": clipped,
        "per_mark": (1 - other) * np.log(1000),
        "all_marks": clipped * (1 - other) * np.log(1000),
        "m": m,
        "s": s,
        "noise": noise,
        "median": float(answers[2]),
        "z_median": m,
        "warped_mean": float(answers[0]),
        "z_warped": float(z_warped),
        "beta_mean": float(answers[1]),
        "z_latent": float(z_latent),
    }


def warped_mode(f, noise):
    """The mark with the highest density, by Φ of the z where −(z − f)²/2σ² + z²/2 is largest; needs σ < 1."""
    return norm.cdf(f / (1 - noise**2))


def truncated(centre, nu):
    """Mean, median and mode of a Gaussian round `centre` with standard deviation 1/ν that is cut off at 0 and 1."""
    low, high = norm.cdf(-nu * centre), norm.cdf(nu * (1 - centre))
    mean = centre + (norm.pdf(nu * centre) - norm.pdf(nu * (1 - centre))) / (nu * (high - low))
    return {"mean": mean, "median": centre + norm.ppf((low + high) / 2) / nu, "mode": centre}


def other_bounded(rng):
    return {
        "f": pick(rng, [0.9, 1.0, 1.1, 1.2]),
        "noise": pick(rng, [0.4, 0.5, 0.6]),
        "nu_cut": pick(rng, [6.0, 8.0]),
        "nu_beta": pick(rng, [8.0, 10.0, 12.0]),
        "shuffle": tuple(map(int, rng.permutation(3))),
        "mean": pick(rng, [0.94, 0.95, 0.96, 0.97]),
        "nu": pick(rng, [8.0, 10.0]),
        "clipped": int(rng.integers(4, 10)),
        "m": pick(rng, [0.6, 0.8, 1.0, 1.2]),
        "s": pick(rng, [0.7, 0.9, 1.1]),
    }


# --------------------------------------------------------------------------------------------------------- 2 panel


def panel(answers=(6, 8, 7, 9), noise=2.0, level=5.0, spread=1.0, R=4, base=1.6, joint=2.0):
    """One item's answers, the three widths, and a diagnosis from what two models found."""
    mean, variance = float(np.mean(answers)), noise**2 / len(answers)
    value_var = 1 / (1 / spread**2 + 1 / variance)
    value = value_var * (level / spread**2 + mean / variance)
    one, several = value_var + noise**2, value_var + noise**2 / R
    nugget = base**2 - joint**2 / R
    wanted(nugget > 0.3, "a nugget that is plainly there")
    wanted(apart(mean, value, level, by=0.2), "a value between the answers and the prior")
    wanted(apart(np.sqrt(value_var), np.sqrt(one), np.sqrt(several), by=0.15), "three widths that differ")
    return {
        "answers": [int(a) for a in answers],
        "count": len(answers),
        "noise": noise,
        "level": level,
        "spread": spread,
        "mean": mean,
        "of_mean": float(np.sqrt(variance)),
        "value": value,
        "value_std": float(np.sqrt(value_var)),
        "one": float(np.sqrt(one)),
        "R": R,
        "several": float(np.sqrt(several)),
        "missing": noise**2 * (1 - 1 / R),
        "base": base,
        "joint": joint,
        "base_times": base * np.sqrt(R),
        "nugget_var": nugget,
        "nugget": float(np.sqrt(nugget)),
        "expected_base": joint / np.sqrt(R),
    }


def other_panel(rng):
    noise = pick(rng, [1.0, 2.0])
    R = pick(rng, [4, 9])
    return {
        "answers": tuple(map(int, rng.integers(4, 10, 4))),
        "noise": noise,
        "level": pick(rng, [4.0, 5.0]),
        "spread": pick(rng, [1.0, 2.0]),
        "R": R,
        "base": pick(rng, [1.3, 1.6, 1.7]),
        "joint": pick(rng, [1.2, 1.5, 2.0]),
    }


# -------------------------------------------------------------------------------------------------------- 3 raters


def raters(noises=(0.5, 1.0, 2.0), row=(None, 6.0, 9.0)):
    """Three raters, one of whom is silent, and a program with two mistakes."""
    sigma = np.array(noises)
    y = np.array([np.nan if v is None else v for v in row])
    here = ~np.isnan(y)
    precision = np.where(here, 1 / sigma**2, 0)
    combined = float(np.nansum(precision * y) / precision.sum())
    weights = 1 / sigma / (1 / sigma).sum()
    code = float(np.nansum(weights * y))
    one_repaired = float(np.nansum(1 / sigma**2 / (1 / sigma**2).sum() * y))
    other_repaired = float(np.nansum(1 / sigma[here] * y[here]) / (1 / sigma[here]).sum())
    wanted(here.sum() == 2 and not here[0], "the best rater to be silent")
    wanted(apart(combined, code, one_repaired, other_repaired, np.nanmean(y), by=0.15), "mistakes that show")
    names = [f"{n:g}" for n in noises]
    return {
        "noises": names,
        "row": ["nan" if v is None else f"{v:g}" for v in row],
        "precisions": [float(p) for p in 1 / sigma**2],
        "sum": float(precision.sum()),
        "combined": combined,
        "std": float(precision.sum() ** -0.5),
        "plain": float(np.nanmean(y)),
        "code": code,
        "one_repaired": one_repaired,
        "other_repaired": other_repaired,
    }


def other_raters(rng):
    noises = pick(rng, [(0.5, 1.0, 2.0), (0.4, 0.5, 1.0), (0.5, 2.0, 1.0), (0.4, 1.0, 0.5)])
    return {"noises": noises, "row": (None, float(rng.integers(3, 9)), float(rng.integers(3, 10)))}


# --------------------------------------------------------------------------------------------------------- 4 choice


def choice(means=(0.2, 0.9), variances=(0.9, 1.1), covariance=0.75, noise=0.5, times=10):
    """A choice between two items that are unknown together, a consistent person's degrees, and a circle."""
    gap = means[1] - means[0]
    var = sum(variances) - 2 * covariance
    z = {
        "right": gap / np.sqrt(var + 2 * noise**2),
        "no_cov": gap / np.sqrt(sum(variances) + 2 * noise**2),
        "one_noise": gap / np.sqrt(var + noise**2),
        "no_noise": gap / np.sqrt(var),
        "plus": gap / np.sqrt(sum(variances) + 2 * covariance + 2 * noise**2),
    }
    p = {name: float(norm.cdf(v)) for name, v in z.items()}
    wanted(var > 0.05 and gap > 0, "a covariance matrix, and b ahead")
    wanted(apart(p["right"], p["no_cov"], p["one_noise"], p["no_noise"], by=0.02), "mistakes that show")
    wanted(z["no_noise"] < 2.2, "probabilities that the table tells apart")
    answers = 3 * times
    return {
        "means": list(means),
        "variances": list(variances),
        "covariance": covariance,
        "noise": noise,
        "gap": gap,
        "var": var,
        "total": var + 2 * noise**2,
        **{f"z_{name}": float(v) for name, v in z.items()},
        **p,
        "times": times,
        "answers": answers,
        "coin": answers * np.log(0.5),
        "coin_bits": answers,
    }


def other_choice(rng):
    low, gap = round(float(rng.uniform(-0.5, 0.5)), 1), pick(rng, [0.5, 0.6, 0.7, 0.8])
    variances = (pick(rng, [0.8, 0.9, 1.0]), pick(rng, [0.9, 1.0, 1.1]))
    return {
        "means": (low, round(low + gap, 1)),
        "variances": variances,
        "covariance": pick(rng, [0.65, 0.7, 0.75]),
        "noise": pick(rng, [0.4, 0.5, 0.6]),
        "times": pick(rng, [10, 12, 15, 20]),
    }


# --------------------------------------------------------------------------------------------------------- 5 people


def people(
    worth=0.5,
    rho=0.6,
    noise_var=1.0,
    heard=1.6,
    crowd=30,
    sizes=(1, 4, 16, 64),
    items=40,
    pairs=90,
    total=600,
    order=("shared", "each", "all"),
):
    """What one person's answer says of another's difference; and errors of three models as answers grow."""
    V = 2 * worth
    mean, var = rho * V / (V + noise_var) * heard, V - (rho * V) ** 2 / (V + noise_var)
    own_mean = V / (V + noise_var) * heard
    rows = [{"k": k, **{n: round(e, 3) for n, e in errors(k, crowd, V, rho, noise_var).items()}} for k in sizes]
    letters = dict(zip(order, "PQR", strict=True))
    ahead = [row["each"] < row["all"] for row in rows]
    wanted(not ahead[0] and ahead[-1], "one for each to overtake one for all within the table")
    wanted(all(apart(row["each"], row["all"], by=0.02) for row in rows), "columns that differ")
    wanted(apart(mean, own_mean, heard, by=0.1), "means that differ")
    crossing = ahead.index(True)
    return {
        "worth": worth,
        "rho": rho,
        "V": V,
        "cov": rho * V,
        "noise_var": noise_var,
        "heard": heard,
        "mean": mean,
        "var": var,
        "own_mean": own_mean,
        "crowd": crowd,
        "rows": rows,
        "shown": [[row["k"], *(row[name] for name in order)] for row in rows],
        **{f"{name}_letter": letter for name, letter in letters.items()},
        "before": rows[crossing]["k"],
        "last_gain": rows[-1]["each"] - rows[-1]["shared"],
        "first_gain": rows[0]["each"] - rows[0]["shared"],
        "things": items,
        "pairs": pairs,
        "total": total,
    }


def errors(k, crowd, V, rho, noise_var):
    """Root mean square errors of one person's difference after k answers of everybody: each, all, shared."""
    among = V * (rho + (1 - rho) * np.eye(crowd))
    seen = among + noise_var / k * np.eye(crowd)
    estimators = {
        "each": V / (V + noise_var / k) * np.eye(crowd),
        "all": np.full((crowd, crowd), V / (crowd * V + noise_var / k)),
        "shared": np.linalg.solve(seen, among).T,
    }
    found = {}
    for name, W in estimators.items():
        spread = among - W @ among - among @ W.T + W @ seen @ W.T
        found[name] = float(np.sqrt(spread[0, 0]))
    return found


def other_people(rng):
    return {
        "worth": pick(rng, [0.3, 0.4, 0.5]),
        "rho": pick(rng, [0.6, 0.7, 0.75, 0.8]),
        "noise_var": pick(rng, [0.8, 1.0]),
        "heard": pick(rng, [1.2, 1.4, 1.6]),
        "crowd": pick(rng, [20, 30, 40]),
        "items": pick(rng, [30, 40, 50]),
        "pairs": pick(rng, [80, 90, 120]),
        "total": pick(rng, [500, 600, 700]),
        "order": tuple(map(str, rng.permutation(["shared", "each", "all"]))),
    }


# --------------------------------------------------------------------------------------------------------- 6 asking


def asking(best=(1.0, 1.0), near=(1.0, 1.0, 0.98), far=(0.4, 1.5, 0.125), choices=12, won=9):
    """Two challengers of the best setting (mean, variance, covariance with it), and a blind test."""
    near_found, far_found = challenge(best, *near), challenge(best, *far)
    wanted(far_found["both"] > near_found["both"] + 0.05, "the far setting to be asked")
    wanted(near_found["single"] > far_found["single"] + 0.03, "the near setting, if the incumbent counts as known")
    tail = sum(comb(choices, k) for k in range(won, choices + 1))
    p = 2 * tail / 2**choices
    wanted(0.03 < p < 0.3 and not 0.045 < p < 0.055, "a test that is open")
    return {
        "best": list(best),
        "near": {"mean": near[0], "var": near[1], "cov": near[2], **near_found},
        "far": {"mean": far[0], "var": far[1], "cov": far[2], **far_found},
        "choices": choices,
        "won": won,
        "ways": ", ".join(f"{comb(choices, k)} for k = {k}" for k in range(won, choices + 1)),
        "tail": tail,
        "all_ways": 2**choices,
        "p": p,
        "one_sided": p / 2,
    }


def challenge(best, mean, variance, covariance):
    """Expected improvement over the best setting, with the best setting uncertain (both) and as known (single)."""
    gap, var = mean - best[0], best[1] + variance - 2 * covariance
    wanted(abs(covariance) < np.sqrt(best[1] * variance) and var > 0, "a covariance matrix")
    both, single = improvement(gap, np.sqrt(var)), improvement(gap, np.sqrt(variance))
    forgotten = improvement(gap, np.sqrt(best[1] + variance))
    std = float(np.sqrt(var))
    return {"gap": gap, "std": std, "z": gap / std, "both": both, "single": single, "forgotten": forgotten}


def improvement(gap, std):
    """E[max(Δ, 0)] for Δ ~ N(gap, std²)."""
    return float(std * norm.pdf(gap / std) + gap * norm.cdf(gap / std))


def other_asking(rng):
    level = pick(rng, [0.8, 1.0, 1.2])
    drop, std, var = pick(rng, [(0.4, 1.5, 1.5), (0.6, 1.5, 1.5), (0.4, 1.4, 1.4), (0.6, 1.6, 1.6), (0.3, 1.5, 1.4)])
    choices, won = pick(rng, [(10, 8), (12, 9), (12, 10), (14, 10), (14, 11), (16, 11), (16, 12)])
    near_std = pick(rng, [0.1, 0.2])
    return {
        "best": (level, 1.0),
        "near": (level, 1.0, round(1 - near_std**2 / 2, 4)),
        "far": (round(level - drop, 2), var, round((1 + var - std**2) / 2, 4)),
        "choices": choices,
        "won": won,
    }


# ---------------------------------------------------------------------------------------------------------- 7 mixed


def mixed(places=200, inside=10, said=12, hit=6, value=1.0):
    """A map of a small set beside the map "nowhere", and what an expert's word weighs beside answers."""
    precision, recall = hit / said, hit / inside
    wrong = (said - hit) + (inside - hit)
    softness = 0.2 * abs(value) + 0.1
    told = norm.pdf(value) ** 2 / (norm.cdf(value) * norm.cdf(-value))
    wanted(wrong == inside, "a map that is as often wrong as 'nowhere'")
    wanted(0 < hit < min(said, inside) and said != inside, "a map with a precision that is not its recall")
    told = round(float(told), 2)
    return {
        "places": places,
        "inside": inside,
        "said": said,
        "hit": hit,
        "precision": precision,
        "recall": recall,
        "f1": 2 * precision * recall / (precision + recall),
        "false_alarms": said - hit,
        "missed": inside - hit,
        "wrong": wrong,
        "accuracy": 1 - wrong / places,
        "brier": wrong / places,
        "value": value,
        "softness": softness,
        "weight": softness**-2,
        "told": told,
        "needed": round(softness**-2 / told),
        "hard": softness / 10,
        "hard_needed": round(100 * softness**-2 / told),
    }


def other_mixed(rng):
    hit = int(rng.integers(4, 9))
    return {
        "places": pick(rng, [200, 250, 400, 500]),
        "inside": hit + int(rng.integers(2, 7)),
        "said": 2 * hit,
        "hit": hit,
        "value": pick(rng, [1.0, 1.5, -1.0]),
    }


# --------------------------------------------------------------------------------------------------------- 8 report


def report(raters_now=8, half_width=0.9, goal=0.3, listeners=20, choices=3000, one=0.08, own=0.21):
    """How many raters a report needs, and two intervals for the same contrast."""
    factor = half_width / goal
    wanted(abs(factor - round(factor)) < 1e-9 and factor >= 2, "a whole factor")
    return {
        "raters_now": raters_now,
        "half_width": half_width,
        "goal": goal,
        "factor": round(factor),
        "needed": raters_now * round(factor) ** 2,
        "with_gaps": 2 * raters_now * round(factor) ** 2,
        "naive": raters_now * round(factor),
        "listeners": listeners,
        "choices": choices,
        "one": one,
        "own": own,
        "contrast": 0.15,
    }


def other_report(rng):
    goal = pick(rng, [0.2, 0.3, 0.4])
    return {
        "raters_now": int(rng.integers(5, 13)),
        "half_width": round(goal * pick(rng, [2, 3]), 1),
        "goal": goal,
        "listeners": pick(rng, [15, 20, 25]),
    }


QUESTIONS = {
    "bounded": (bounded, other_bounded),
    "panel": (panel, other_panel),
    "raters": (raters, other_raters),
    "choice": (choice, other_choice),
    "people": (people, other_people),
    "asking": (asking, other_asking),
    "mixed": (mixed, other_mixed),
    "report": (report, other_report),
}
