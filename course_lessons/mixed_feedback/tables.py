"""Tables of lecture 13: level sets, ratings beside choices, and what the paper says beside ours.

Lecture: 13, sections 3–5 and 8.
"""

import numpy as np
from scipy.stats import norm

from course_lessons.mixed_feedback.experiments import LevelSetSearch
from course_lessons.mixed_feedback.observers import haptic_observer
from course_lessons.mixed_feedback.on_a_disc import DISC_PROBLEM
from course_lessons.mixed_feedback.problems import ellipsoid
from course_lib.datasets import load_claim
from course_lib.metrics import paired_t_test
from course_widgets.tables import table

KNOWN = {"answers alone": "none", "pseudo-data": "pseudo", "soft constraints": "mixed"}
CRITERIA = {
    "Sobol": "sobol",
    "BALD": "bald",
    "straddle": "straddle",
    "GlobalMI": "global_mutual_information",
    "EAVC": "expected_absolute_volume_change",
}
PROBLEMS = ("disc", "ball", "ellipsoid", "discrimination")
LOOKS = (10, 20, 30)  # answers


def on_the_disc(of, knowledge, criterion="sobol"):
    """(100, 3) "f1", "brier", "precision" or "recall" of a hundred observers after each of LOOKS."""
    return load_claim("level_sets").of(knowledge=knowledge, criterion=criterion)[of].reshape(-1, len(LOOKS))


def what_is_known():
    """F1 and Brier score of the disc with each kind of knowledge, and of the map that says "nowhere"."""
    rows = []
    for name, knowledge in KNOWN.items():
        f1, brier = (on_the_disc(of, knowledge) for of in ("f1", "brier"))
        low, late, high = np.quantile(f1[:, -1], [0.25, 0.5, 0.75])
        change, said = paired_t_test(f1[:, -1], f1[:, 0]), f"{late:.2f} ({low:.2f} … {high:.2f})"
        rows.append([name, f"{np.median(f1[:, 0]):.2f}", said, change, np.median(brier[:, -1])])
    share = LevelSetSearch(DISC_PROBLEM, "none", "sobol", 30, "laplace", rng=0).inside_.mean()  # on the maps' points
    head = ["100 observers", "F1, 10 answers: median", "F1, 30 answers: median (middle half)"]
    head += ["mean change of F1 from 10 to 30", "Brier score, 30 answers"]
    return table(head, [*rows, ["“nowhere”", "0", "0", "–", share]])


def changes_of_the_map():
    """How precision and recall of the disc change from 10 to 30 answers, and what criteria change beside Sobol."""
    rows = []
    for name in ("pseudo-data", "soft constraints"):
        for of in ("precision", "recall"):
            scores = on_the_disc(of, KNOWN[name])
            rows.append([f"{name}, from 10 to 30 answers", of, paired_t_test(scores[:, -1], scores[:, 0])])
    for criterion in ("straddle", "global_mutual_information"):
        for of, name in {"f1": "F1", "brier": "Brier score"}.items():
            chosen, sobol = (on_the_disc(of, "mixed", one)[:, -1] for one in (criterion, "sobol"))
            way = f"soft constraints, 30 answers, {criterion.replace('_', ' ')} minus Sobol"
            rows.append([way, name, paired_t_test(chosen, sobol)])
    return table(["", "score", "mean change"], rows)


def choices_and_ratings(known):
    """The stored `ratings`: the map of choices alone, with ratings whose cut points are known, and learned."""
    rows = []
    ways = {"choices": "", "known": " and ratings, cut points known", "learned": " and ratings, cut points learned"}
    for pairs in (20, 80):
        alone = known.of(pairs=pairs, feedback="choices")
        for feedback, name in ways.items():
            of, gains, cuts = known.of(pairs=pairs, feedback=feedback), ["–", "–"], "–"
            if feedback != "choices":
                gains = [paired_t_test(of[where], alone[where]) for where in ("corner", "elsewhere")]
                cuts = f"{of['cut_1'].mean():.2g}, {of['cut_2'].mean():.2g}"
            errors = [f"{of[where].mean():.3f}" for where in ("corner", "elsewhere")]
            rise = f"{of['rise'].mean():.2f}"
            rows.append([f"{pairs} pairs{name}", len(of), errors[0], gains[0], errors[1], gains[1], rise, cuts])
    less = "minus choices alone"
    head = ["choices of", "sessions", "error, far pairs", less, "error, others", less]
    return table([*head, "rise of $f$, divided by the true one", "cut points"], rows)


def two_who_rate(touch):
    """The stored `touch`: what ratings of 20 pairs change, the kernel held or learned, of subjects 1 and 2."""
    rows = []
    for subject in (1, 2):
        said = haptic_observer(subject).judge(300, rng=0).thirds().confidence.astype(int)
        held, learned = (touch.of(subject=subject, kernel=kernel) for kernel in ("held", "learned"))
        errors = [held[of].mean() for of in ("off", "off_with_ratings")]
        gains = [f"{paired_t_test(of['off_with_ratings'], of['off'])} ({len(of)} sessions)" for of in (held, learned)]
        counts = ", ".join(map(str, np.bincount(said, minlength=3)))
        rows.append([f"subject {subject}", counts, *errors, *gains])
    head = ["sessions of 20 pairs", "ratings 0, 1, 2", "error of the probability: choices", "with ratings"]
    return table([*head, "change", "change, kernel learned too"], rows)


def one_function_or_two(gait):
    """The stored `gait`: what ratings by one function and by two change, and two functions beside one."""
    compared = {
        "ratings by one function minus choices alone": ("one", "alone"),
        "ratings by two functions minus choices alone": ("two", "alone"),
        "two functions minus one": ("two", "one"),
    }
    rows = [[name, paired_t_test(gait[first], gait[second])] for name, (first, second) in compared.items()]
    return table([f"judge of gaits, {len(gait)} sessions", "change of the error"], rows)


def f1(problem, criterion, knowledge="mixed"):
    """(sessions, 3) F1 after each of LOOKS, of one of PROBLEMS, asked by one of CRITERIA."""
    if problem == "disc" and knowledge == "mixed" and criterion != "BALD":
        return on_the_disc("f1", "mixed", CRITERIA[criterion])
    name, known = ("criteria", {}) if knowledge == "mixed" else ("knowledge", {"knowledge": knowledge})
    rows = load_claim(name).of(problem=problem, criterion=criterion, **known)
    return np.column_stack([rows[f"f1_{look}"] for look in LOOKS])


def criteria_beside_sobol():
    """F1 after thirty answers with soft constraints, each criterion less places that fill the space evenly."""
    rows = []
    for problem in PROBLEMS:
        sobol, *others = (f1(problem, criterion)[:, -1] for criterion in CRITERIA)
        n = min(map(len, (sobol, *others)))
        gains = [paired_t_test(one[:n], sobol[:n]) for one in others]
        rows.append([problem, n, f"{sobol.mean():.2f}", *gains])
    less = [f"{name} minus Sobol" for name in CRITERIA if name != "Sobol"]
    return table(["F1 after 30 answers, soft constraints", "sessions", "Sobol (mean)", *less], rows)


def constraints_beside_others():
    """F1 after thirty answers, soft constraints less pseudo-data and less nothing known."""
    rows = []
    for problem in PROBLEMS:
        gains = []
        for knowledge, criterion in (("pseudo", "GlobalMI"), ("pseudo", "EAVC"), ("none", "GlobalMI")):
            other = f1(problem, criterion, knowledge)[:, -1]
            gains.append(paired_t_test(f1(problem, criterion)[: len(other), -1], other))
        rows.append([problem, len(other), *gains])
    head = ["soft constraints minus …", "sessions", "pseudo-data, GlobalMI", "pseudo-data, EAVC"]
    return table([*head, "nothing known, GlobalMI"], rows)


def five_who_touch(five):
    """The stored `subjects`: what ratings change for each of five simulated people, beside the paper's five."""
    rows = []
    for subject in range(1, 6):
        of = five.of(subject=subject)
        brier, f1, off = (paired_t_test(of[f"{score}_with_ratings"], of[score]) for score in ("brier", "f1", "off"))
        says = "worse" if subject == 2 else "lower Brier score, higher F1"
        name = f"subject {subject}, {len(of)} sessions"
        rows.append([name, says, of["brier"].mean(), brier, of["f1"].mean(), f1, off])
    less = "with ratings minus without"
    head = ["", "the paper says: with ratings", "we get: Brier score, choices alone", less, "F1, choices alone", less]
    return table([*head, f"error of the probability: {less}"], rows)


def beside_the_paper(known, gait):
    """The other numbers of Wu et al. (2025), beside the stored `ratings` and `gait` and those of the disc."""
    low, high = norm.cdf(2.0 + 1.96 * 0.5 * np.array([-1, 1]))
    share = ellipsoid().inside(ellipsoid().space.spread(2**16, 0)).mean()
    medians = [f"{np.median(on_the_disc('f1', one)[:, -1]):.2f}" for one in reversed(KNOWN.values())]

    def error(feedback, where):
        return f"{known.of(pairs=20, feedback=feedback)[where].mean():.3f}"

    corners = (
        f"error of the probability {error('learned', 'corner')} instead of {error('choices', 'corner')}; "
        f"elsewhere {error('learned', 'elsewhere')} instead of {error('choices', 'elsewhere')}, "
        f"with known cut points {error('known', 'elsewhere')}"
    )
    change = paired_t_test(gait["two"], gait["one"])
    two = f"error of the probability, two functions minus one: {change} in {len(gait)} sessions"
    rows = [
        ["$f = 2$ with the $\\sigma_i$ of the rule: 95 % of P(yes)", "0.846 … 0.999", f"{low:.3f} … {high:.3f}"],
        ["sublevel set of the ellipsoid", "“about 2 %” of the domain", f"{share:.2%}"],
        [
            "norm ball, Sobol, F1 at 30 answers: mixed, pseudo-data, neither",
            "in this order (Figures 3, 9)",
            ", ".join(medians),
        ],
        ["corners of the preference map", "better with ratings (Figure 4)", corners],
        ["one function against two", "two overfit (Figure 13)", two],
    ]
    return table(["what", "the paper says", "we get"], rows)
