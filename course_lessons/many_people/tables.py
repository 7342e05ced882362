"""Tables of lecture 11: learned tastes, travellers, and what the papers say beside ours.

Lecture: 11, sections 4, 10 and 12.
"""

from collections import Counter

import numpy as np

from course_lessons.many_people import listeners
from course_lessons.many_people.explore import PAPER, STARTS
from course_lessons.many_people.moving_inputs import toy_model
from course_lib.judgments import all_pairs
from course_lib.metrics import paired_t_test
from course_widgets.tables import table


def one_draw(models, exam):
    """Evidence, log score of the exam (Chosen) and σ_f of people, of each {name: PreferenceGP} of the same answers."""
    rows = []
    for name, model in models.items():
        stds = np.sqrt(np.diag(model.kernel_(listeners.EVERYBODY)))
        score = f"{listeners.log_scores(model, exam).mean():.3f}"
        rows.append([name, model.log_evidence_, score, f"{stds.min():.1f} to {stds.max():.1f}"])
    head = ["one draw of answers", "log evidence", "log score of new answers", "σ_f of the people"]
    return table(head, rows, digits=0)


def favourites(models, items, X, people):
    """Evidence of each {name: PreferenceGP} of so many people, and how many of these like which item X (n, D) best."""
    rows = []
    for name, model in models.items():
        best = Counter(items[k] for k in listeners.worths(model, X, people).argmax(axis=1))
        told = ", ".join(f"{item}: {count}" for item, count in best.most_common())
        rows.append([name, model.log_evidence_, told])
    return table(["tastes", "log evidence", "how many like what best"], rows, digits=1)


def hundred_draws(tastes):
    """Differences of the log score between the models of the stored `tastes`, and how many of them are above 0."""
    rows = []
    for pair in (("with priors", "free"), ("with priors", "one ρ for all"), ("free", "one ρ for all")):
        first, second = (tastes.of(model=name)["score"] for name in pair)
        rows.append([" − ".join(pair), paired_t_test(first, second), np.sum(first > second)])
    return table(["a hundred draws", "difference of the log score", "draws in which it is above 0"], rows)


def sharing_of_travellers(stored):
    """Log scores from 2, 4 and 8 answers of each traveller, how far sharing is ahead, and the ρ that is learned."""
    rows = []
    for k in (2, 4, 8):
        of = stored.of(answers=k)
        ways = [of[name] for name in ("one_for_all", "one_for_each", "shared")]
        ahead = [paired_t_test(ways[2], other) for other in ways[:2]]
        low, middle, high = np.quantile(of["correlation"], [0.1, 0.5, 0.9])
        rows.append([k, *map(np.mean, ways), *ahead, f"{middle:.2f} ({low:.2f} to {high:.2f})"])
    head = ["answers", "one for all", "one for each", "shared", "shared − one for all", "shared − one for each"]
    return table([*head, "ρ: median (80 % of the draws)"], rows)


def paper_beside_ours(printed, minus, wrong, wrong_with_all, gain):
    """What thesis, Paper B and Paper C say, beside what the lecture gets.

    printed, minus : residual variance of a difference, with the printed sign and with the right one
    wrong : {"learned", "k-means": (6,) error rates with 1, 2, 5, 10, 20, 40 places};  wrong_with_all : with all items
    gain : {28, 224 answers: how far sharing is ahead of one for each, in nats}
    """
    start, learned, full = (
        toy_model(*places, **search).log_evidence_
        for places, search in (
            ((STARTS[PAPER],), {"optimize": False}),
            ((STARTS[PAPER],), {"learn_inducing": True}),
            ((), {"optimize": False}),
        )
    )
    moved, fixed = wrong["learned"], wrong["k-means"]
    few = f"1 place {moved[0]:.0%}, 5 places {moved[2]:.0%}, all items {wrong_with_all:.0%}"
    rows = [
        ["Paper B, pairs of 30 pieces", "420", len(all_pairs(30))],
        ["Paper B, answers in four of five folds", "837", 9 * 155 * 4 // 5],
        ["thesis 2.3.4, each item in one pair", "$m = 2n$", "$m = n/2$"],
        [
            "thesis 2.58, residual variance of a difference",
            f"$+\\,2\\Sigma_{{ab}}$: {printed:.2f}",
            f"$-\\,2\\Sigma_{{ab}}$: {minus:.3f}, as drawn",
        ],
        ["thesis 2.23, product kernel", "$K^{(u)} \\otimes K$", "right for the other order of rows"],
        ["Paper C, covariance of predictions", "no $W$", "with $W$"],
        [
            "Paper B, toy: learned places",
            "“almost close to the standard”",
            f"log evidence {start:.1f} → {learned:.1f}; all inputs {full:.1f}",
        ],
        [
            "Paper C, toy with nine places",
            "means agree, variances do not",
            "bands up to more than twice as wide, for $\\ell = 0.25$",
        ],
        [
            "Paper C, 1 to 5 learned places",
            "“slightly worse than or equal to” all items",
            f"errors in two small splits: {few}",
        ],
        ["Paper C, more places", "better than all items", f"40 places {moved[-1]:.0%}: two splits are too few"],
        [
            "Paper C, places not learned",
            "need more",
            f"errors with k-means: 1 place {fixed[0]:.0%}, 5 places {fixed[2]:.0%}, 40 places {fixed[-1]:.0%}",
        ],
        [
            "Paper B, sharing against each alone",
            "“a minor benefit”, less with more data",
            f"{gain[28]:+.3f} nats at 28 answers, {gain[224]:+.3f} at 224 (other people, other music)",
        ],
    ]
    return table(["what", "the paper says", "we get"], rows)
