"""Tables that compare what models say of several answers: of scores, of a known curve, of new items.

Lecture: 08, sections 1, 4, 7, 8 and 11.
"""

import numpy as np
from scipy.stats import norm

from course_lessons.several_answers import agreement
from course_lessons.several_answers.panels import share_inside, sine
from course_lib import metrics
from course_widgets.tables import table

GRID = np.linspace(0, 10, 200)  # where curves are compared
SHORT = 0.1  # a lengthscale below it has no digits that tell anything


def of_scores(carrots):
    """Inputs, mean, spread and the number of answers of each score, of each product."""
    scores = range(1, 8)
    rows = [
        [name, *x, np.nanmean(row), np.nanstd(row), *(np.sum(row == c) for c in scores)]
        for name, x, row in zip(carrots.products, carrots.X, carrots.Y, strict=True)
    ]
    return table(["product", "input 1", "input 2", "mean", "spread", *(f"said {c}" for c in scores)], rows, 2)


def of_estimates(sigmas, models):
    """How well a σ of 1, and the curve, are found in many data sets.

    sigmas : {name of the estimate: (S,)};  models : (S,) fitted models for each of them
    """
    rows = []
    for (name, found), fitted in zip(sigmas.items(), models, strict=True):
        means, stds = np.transpose([model.predict(GRID, return_std=True) for model in fitted], (1, 0, 2))
        off = means - sine(GRID)
        near, rmse = np.sum((found > 0.7) & (found < 1.3)), np.sqrt((off**2).mean(axis=1)).mean()
        inside = np.mean(np.abs(off) < norm.ppf(0.95) * stds)
        rows.append([name, f"{found.mean():.2f} ± {found.std():.2f}", near, rmse, f"{inside:.0%}"])
    head = [
        "estimate",
        "mean ± sd",
        f"between 0.7 and 1.3, of {len(found)}",
        "RMSE of the curve",
        "truth in the 90 % band",
    ]
    return table(head, rows, digits=2)


def of_new_items(answers, predicted, learned):
    """How well predictions of one answer fit the answers (N, R) to new items.

    predicted : {name: (mean, std), (N,) each};  learned : {name: its ℓ, σ and nugget}
    """
    rows = []
    for name, (mean, std) in predicted.items():
        rmse = np.sqrt(np.mean((answers.mean(axis=1) - mean) ** 2))
        inside = share_inside(answers, (mean[:, None], std[:, None]))
        density = norm.logpdf(answers, mean[:, None], std[:, None]).mean()
        lengthscale, *others = learned[name]
        shown = lengthscale if lengthscale > SHORT else f"below {SHORT}"
        rows.append([name, shown, *others, rmse, f"{inside:.0%}", density])
    head = ["model", "ℓ", "σ or σ_n", "nugget", "RMSE of new means", "answers inside 90 %", "mean log density"]
    return table(head, rows, digits=2)


def like_the_papers(Y, predicted, scores):
    """The paper's table beside ours: Y (N, R) answers, predicted {"base", "joint", "base + spread": (mean, std)}."""
    found = {name: agreement.agreement(*both, Y, scores) for name, both in predicted.items()}
    base, joint, by_hand = found.values()
    p_pcc, p_mse, p_kl = p_values(Y, predicted, scores)
    inside = [share_inside(Y, (mean[:, None], std[:, None])) for mean, std in predicted.values()]
    p_kl = "< 0.001" if p_kl < 0.001 else f"= {p_kl:.3f}"
    rows = [
        [
            "PCC, base → joint",
            "0.710 → 0.713, p = 0.065",
            f"{base.correlation:.3f} → {joint.correlation:.3f}, p = {p_pcc:.2f}",
        ],
        [
            "MSE, base → joint",
            "1.149 → 1.136, p = 0.036",
            f"{base.squared_error:.3f} → {joint.squared_error:.3f}, p = {p_mse:.2f}",
        ],
        ["KL, base → joint", "3.10 → 0.85, p < 0.001", f"{base.divergence:.2f} → {joint.divergence:.2f}, p {p_kl}"],
        ["KL, base with the raters' spread added by hand", "–", f"{by_hand.divergence:.2f}"],
        ["test answers inside 90 %: base, joint, base + spread", "–", ", ".join(f"{share:.0%}" for share in inside)],
    ]
    return table(["what", "the paper says", "we get"], rows)


def p_values(Y, predicted, scores):
    """Of the differences between joint and base: in PCC, in MSE (both of rounded scores), and in KL."""
    given, shares = agreement.round_to_scale(Y.mean(axis=1), scores), agreement.answer_shares(Y, scores)
    pair = [predicted[name] for name in ("joint", "base")]
    rounded = [agreement.round_to_scale(mean, scores) for mean, _ in pair]
    kl = [agreement.discrete_kl(shares, metrics.score_log_probabilities(*both, scores)) for both in pair]
    return (
        agreement.compare_correlations(given, *rounded).p,
        metrics.paired_t_test(*((one - given) ** 2 for one in rounded)).p,
        metrics.paired_t_test(*kl).p,
    )
