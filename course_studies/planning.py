"""How many answers a study needs: the width of its intervals against their number, before any data are collected.

For ratings the width has a closed form: with known spreads it does not depend on the answers. For choices it is
averaged over simulated values.

Lecture: 14, section 6.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
from scipy.special import log_ndtr
from scipy.stats import norm

from course_lib import validation
from course_lib.gp.sites import cholesky, cholesky_solve
from course_lib.judgments.comparisons.pairs import all_pairs
from course_lib.kinds import Rng
from course_studies.balanced import balanced_pairs, balanced_panel

OVER_UTTERANCES = ("study", "new")
BETWEEN = "between these items"  # what differences are, where there are no utterances
FLAT_SPREADS = 100.0  # of all spreads together: the spread of values of which none is given


@dataclass(frozen=True)
class Plan:
    """Precision and power of designs: `table`, `cheapest` and a `paragraph()`; made by `plan` and `plan_pairs`.

    table : DataFrame, a row a design: who and how many answers, `half_width` (mean of the intervals of all
        differences), `power` (chance that the interval of a true difference of `contrast` leaves out 0), `reaches`
    """

    table: Any
    contrast: float
    confidence: float
    power: float
    asked: str  # with names of columns in braces
    assumed: str

    @property
    def cheapest(self):
        """The row with the fewest answers that reaches the contrast, as a Series; None if no row does."""
        found = self.table[self.table["reaches"]].sort_values(["answers", "half_width"], kind="stable")
        return found.iloc[0] if len(found) else None

    def paragraph(self, row: int | None = None) -> str:
        """Text for a preregistration of the design in this row of `table`; None: the cheapest."""
        numbers = list(self.table.index)
        chosen = self.cheapest if row is None else self.table.loc[validation.one_of(row, numbers, "row")]
        if chosen is None:
            best = self.table.loc[self.table["power"].idxmax()]
            raise ValueError(
                f"no design of the plan tells a difference of {self.contrast:g} from 0 with probability "
                f"{self.power:g}: at most {best['power']:.2f}, of {best['answers']:.0f} answers. Ask for more."
            )
        asked = self.asked.format(**chosen.to_dict())
        return (
            f"{asked} {self.assumed} It follows, before any answer was seen, that the {self.confidence:.0%} "
            f"credible interval of each difference, by itself, will have a half-width of {chosen['half_width']:.2g} "
            f"on average, and the interval of a true difference of {self.contrast:g} will leave out 0 with "
            f"probability {chosen['power']:.2f}."
        )

    def __repr__(self):
        return f"{self.table.round(3)}\n{self._said()}"

    def _repr_html_(self):
        return f"{self.table.round(3).to_html()}<p>{self._said()}</p>"

    def _said(self):
        return "No design reaches the contrast." if self.cheapest is None else self.paragraph()


def plan(
    items: int, contrast: float, *, raters: int | Sequence[int], repeats: int | Sequence[int] = 1,
    per_rater: int | None = None, utterances: int = 1, over: str = "study", noise_std: float, bias_std: float = 0.0,
    opinion_std: float = 0.0, interaction_std: float = 0.0, value_std: float | None = None, confidence: float = 0.9,
    power: float = 0.8, learned: bool = True,
) -> Plan:  # fmt: skip
    """Plan of a study of ratings: how many raters and repeats tell a difference of two items from 0.

    With R raters of everything, K repeats, U utterances and a flat prior of the values, the half-width of a difference
    is z √(2 (σ²/(R K U) + opinion²/R + interaction²/U)), the last part only over new utterances; with gaps or a spread
    of the values it is that of the Gaussian posterior of the design.

    A study that learns the spreads has wider intervals: by the mean of an inverse χ², a variance with ν degrees of
    freedom counts 1 + 2/ν times. Opinions have (n − 1)(R − 1), interactions (n − 1)(U − 1), values n − 1; the noise of
    a rater with m answers has m + 2: half of the information on its logarithm, 2m and 4 by a `RatingStudy`'s pooling.

    Parameters
    ----------
    items : how many are compared, n ≥ 2;  contrast : the difference to detect, in the unit of the scale
    raters, repeats : a number, or several: the grid of designs
    per_rater : None: each rater rates all; or how many of them, with utterances how many of items × utterances
    utterances : each item (a system) is tried on so many
    over : "study": differences on these utterances; "new": on all that there could be
    noise_std : of an answer;  bias_std : spread of the raters' biases
    opinion_std : spread of what a rater thinks of an item (on all utterances) besides the bias
    interaction_std : how differently an item does on other utterances
    value_std : spread of the items' values; None: nothing is known of it
    confidence : of an interval;  power : wanted probability that a difference of `contrast` is told from 0
    learned : False: all spreads are known, as in the formula

    Source: Searle, Casella & McCulloch (1992), chapter 7, for the posterior.

    >>> from course_studies import plan
    >>> study = plan(12, contrast=0.5, raters=[20, 40, 80], noise_std=1.0)
    >>> study.table[["raters", "half_width", "power", "reaches"]].round(2)
       raters  half_width  power  reaches
    0      20        0.56   0.43    False
    1      40        0.39   0.67    False
    2      80        0.28   0.91     True
    """
    n, U = validation.integer(items, "items", least=2), validation.integer(utterances, "utterances")
    noise = validation.positive(noise_std, "noise_std")
    given = {"bias_std": bias_std, "opinion_std": opinion_std, "interaction_std": interaction_std}
    bias, opinion, interaction = (validation.not_negative(value, name) for name, value in given.items())
    goal = _goal(contrast, confidence, power)
    validation.one_of(over, OVER_UTTERANCES, "over")
    if over == "new" and U == 1:
        raise ValueError("utterances is 1 and over 'new'; one utterance tells nothing of others: two are needed.")
    inflation = partial(_inflation, learned=validation.flag(learned, "learned"))
    wide = FLAT_SPREADS * (noise + bias + opinion + interaction)
    value = wide if value_std is None else validation.positive(value_std, "value_std") * np.sqrt(inflation(n - 1))
    item, utterance = np.divmod(np.arange(n * U), U)
    same, one = item[:, None] == item, np.eye(n * U)
    rest = inflation((n - 1) * (U - 1)) * interaction**2 * one + wide**2 * (utterance[:, None] == utterance)
    rows = []
    for R, K in product(_several(raters, "raters"), _several(repeats, "repeats")):
        seen = np.ones((n * U, R), bool) if per_rater is None else balanced_panel(n * U, R, per_rater, rng=0)
        noises, opinions = inflation(seen.sum() * K / R + 2) * noise**2, inflation((n - 1) * (R - 1)) * opinion**2
        information = _of_raters(seen, noises / K * one + opinions * same + bias**2)
        worth = _worth(*(_posterior(information, spread, item, rest, over) for spread in (value, wide)), *goal)
        rows.append({"raters": R, "repeats": K, "answers": int(seen.sum()) * K, **worth})
    each = f"{'all' if per_rater is None else f'{per_rater} of'} {n * U}"
    what = f"items ({n} on {U} utterances)" if U > 1 else "items"
    asked = f"{{raters:.0f}} raters will rate {each} {what}, {{repeats:.0f}} times each ({{answers:.0f}} answers)."
    sizes = {"biases": bias, "opinions of an item": opinion, "an item on other utterances": interaction}
    about = {"study": "over these utterances", "new": "over new utterances"}[over] if U > 1 else BETWEEN
    return Plan(_table(rows, goal), *goal, asked, _assumed("an answer", noise, sizes, value_std, about))


def plan_pairs(
    items: int, contrast: float, *, people: int | Sequence[int], pairs: int | Sequence[int], value_std: float,
    noise_std: float = 1.0, person_std: float = 0.0, confidence: float = 0.9, power: float = 0.8, worlds: int = 200,
    rng: Rng = 0,
) -> Plan:  # fmt: skip
    """Plan of a study of choices: how many people, and pairs of each, tell a difference of two items from 0.

    Averaged over simulated values, with the information of each choice; pairs are balanced (`balanced_pairs`), and the
    spread of the values is learned. With few comparisons of an item real intervals are wider: by half where each of
    eight items has seven.

    Parameters
    ----------
    items : n ≥ 2;  contrast : the difference to detect, in the unit of the values
    people, pairs : a number, or several: who, and how many pairs each is asked; at least n − 1 pairs in all
    value_std : spread of the items' values;  noise_std : of one judgement of one item, in the same unit
    person_std : spread of what one person thinks of an item besides all others
    confidence, power : as for `plan`;  worlds : how many;  rng : numpy Generator or seed

    Source: Nielsen (2015), eq. 2.59, for the choice; Rasmussen & Williams (2006), section 3.4, for what it tells.
    """
    n, rng = validation.integer(items, "items", least=2), validation.generator(rng)
    goal = _goal(contrast, confidence, power)
    value, noise = validation.positive(value_std, "value_std"), validation.positive(noise_std, "noise_std")
    spreads = (value * np.sqrt(_inflation(n - 1)), FLAT_SPREADS * (value + noise))
    own, worlds = validation.not_negative(person_std, "person_std"), validation.integer(worlds, "worlds")
    rows = []
    for P, m in product(_several(people, "people"), _several(pairs, "pairs")):
        asked = balanced_pairs(n, P * m, rng).reshape(P, m, 2)
        found = []
        for _ in range(worlds):
            information = _of_people(asked, value * rng.normal(size=n), own, noise, rng)
            found.append(_worth(*(_posterior(information, spread, np.arange(n)) for spread in spreads), *goal))
        rows.append({"people": P, "pairs": m, "answers": P * m, **pd.DataFrame(found).mean().to_dict()})
    asked = f"{{people:.0f}} people will choose in {{pairs:.0f}} pairs each, of {n} items ({{answers:.0f}} answers)."
    return Plan(_table(rows, goal), *goal, asked, _assumed("a judgement", noise, {"tastes of a person": own}, value))


def _assumed(answer, noise, sizes, value, about=BETWEEN):
    """A sentence with the assumptions of a plan."""
    parts = {**sizes, "the items' values": value}
    spreads = "".join(f", {size:g} for {name}" for name, size in parts.items() if size)
    return f"We assume standard deviations of {noise:g} for {answer}{spreads}; differences are {about}."


def _goal(contrast, confidence, power):
    """(contrast, confidence, power), checked."""
    confidence, power = validation.between(confidence, "confidence", 0, 1), validation.between(power, "power", 0, 1)
    return validation.positive(contrast, "contrast"), confidence, power


def _inflation(df, learned=True):
    """Inflation 1 + 2/df of a variance estimated with df degrees of freedom (1 if known)."""
    return 1.0 + 2.0 / df if learned and df else 1.0


def _several(numbers, name):
    """A list of whole numbers, from one or several."""
    found = np.atleast_1d(validation.array(numbers, name))
    if found.ndim != 1 or not found.size:
        raise ValueError(f"{name} is {numbers!r}; a whole number, or several, are needed.")
    return [validation.integer(one, name) for one in found.tolist()]


def _of_raters(seen, covariance):
    """(c, c) information of raters on c cells: the sum of the inverse covariances of their answers."""
    found = np.zeros_like(covariance)
    for who, count in zip(*np.unique(seen.T, axis=0, return_counts=True), strict=True):
        at = np.ix_(who, who)
        found[at] += count * cholesky_solve(cholesky(covariance[at]), np.eye(who.sum()))
    return found


def _of_people(asked, values, own, noise, rng):
    """(n, n) Fisher information of people's choices on the common values, with individual tastes integrated out."""
    n, spread = len(values), np.sqrt(2.0) * noise
    theirs = values + own * rng.normal(size=(len(asked), n))
    g = np.diff(np.take_along_axis(theirs[:, None], asked, axis=2))[..., 0] / spread
    told = np.exp(2.0 * norm.logpdf(g) - log_ndtr(g) - log_ndtr(-g)) / spread**2
    steps = np.eye(n)[asked[..., 1]] - np.eye(n)[asked[..., 0]]
    each = (steps * told[..., None]).swapaxes(1, 2) @ steps
    return np.linalg.solve(np.eye(n) + own**2 * each, each).sum(axis=0)


def _posterior(information, spread, item, rest=0.0, over="study"):
    """(n, n) covariance of the items' values, of whose cells there is this information (c, c).

    spread : of the values;  item : (c,) whose each cell is
    rest : (c, c) covariance of what else is in the cells: it counts over = "study", in the mean over an item's cells
    """
    whose = np.eye(item[-1] + 1)[item].T
    prior = spread**2 * whose.T @ whose + rest
    towards, whole = spread**2 * whose, spread**2 * np.eye(len(whose))
    if over == "study":
        mean = whose / whose.sum(axis=1, keepdims=True)
        towards, whole = mean @ prior, mean @ prior @ mean.T
    gained = np.linalg.solve(np.eye(len(prior)) + information @ prior, information)
    return whole - towards @ gained @ towards.T


def _worth(posterior, flat, contrast, confidence, power):
    """{half_width, power}, means over all differences, from the posterior and from that with a flat prior.

    A posterior mean is the estimate from the answers alone times the ratio of the variances, posterior by flat.
    """
    a, b = all_pairs(len(posterior)).T
    known, plain = (np.sqrt(cov[a, a] + cov[b, b] - 2.0 * cov[a, b]) for cov in (posterior, flat))
    z = norm.ppf(0.5 + confidence / 2)
    told = norm.cdf(contrast / plain - z * plain / known)
    return {"half_width": float(z * known.mean()), "power": float(told.mean())}


def _table(rows, goal):
    """DataFrame of the designs, with a column `reaches`: whether the power is reached."""
    table = pd.DataFrame(rows)
    return table.assign(reaches=table["power"] >= goal[2])
