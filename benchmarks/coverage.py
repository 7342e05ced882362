"""python -m benchmarks.coverage [WORLDS] [--repetitions N] [--jobs N]: how often 90 % intervals hold the truth.

All intervals are asked in worlds drawn from each model itself, one table after the other, the cheapest first; WORLDS
are words of their names ("wine curve"); all if none.

Every world draws a function, items, people and their answers from the model, whose kernel, noises and spreads are
then learned (plug-in), and averaged over (averaged: `model.averaged()`, of raters with pooling=0.5). A world counts
once, by the share of its intervals that hold: the table has the mean over worlds with its 95 % interval. The goal is
87 to 93 %, of the plug-in model, or of the averaged one where there are at most 50 items. Ranks are whole numbers:
their intervals may hold more. Probabilities have no intervals: "says" is the mean probability of the likelier answer,
"happens" how often it was given. "Level" marks intervals that hold the level which all raters share; contrasts,
centred values and answers of known raters are free of it. Errors are RMSE of centred values.

Wine is lecture 09's: eight bottles, two of each kind, nine judges; its worlds are drawn from the model fitted to it.
"""

import argparse
import time
import warnings
from functools import cache

import numpy as np
from joblib import Parallel, delayed, parallel_config
from scipy.stats import rankdata, t

TITLE = "Coverage of 90 % intervals, in each model's own worlds"
REPETITIONS = 1000
CONFIDENCE = 0.9
WIDTH = 1.6448536269514722  # standard deviations to either side
MEMBERS = 256  # as `averaged()` and studies have it
FEW = 64  # of models with three or four parameters, of which so many tell as much
ASKED = 10  # answers with quantiles that are searched for, in each world


def held(low, high, truth):
    """Share of the intervals that hold the truth."""
    return np.mean((low <= truth) & (truth <= high))


def normal(mean, std):
    """(low, high) of Gaussian numbers."""
    return mean - WIDTH * std, mean + WIDTH * std


def drawn(kernel, X, rng):
    """(n,) a function at X, with what White gives to each item alone."""
    return np.linalg.cholesky(kernel(X) + 1e-8 * np.eye(len(X))) @ rng.normal(size=len(X))


def inside(share):
    """Marks between 0 and 1 as they are, but for those that floating point has put on an end."""
    return np.clip(share, 1e-12, 1.0 - 1e-12)


def pairs_of(n):
    """Pairs of neighbours in the order of the rows."""
    return np.column_stack([np.arange(n - 1), np.arange(1, n)])


def of_items(model, z):
    """What a panel says of items of its own: values, centred values, contrasts, ranks; and the error."""
    consensus, pairs = model.consensus_ - model.consensus_.mean(), pairs_of(len(z))
    yield "value (level)", held(*model.consensus_interval(CONFIDENCE), z)
    yield "centred value", held(*model.consensus_interval(CONFIDENCE, centred=True), z - z.mean())
    yield "error", np.sqrt(np.mean((consensus - (z - z.mean())) ** 2))
    items = model.items_
    if len(np.unique(items.X, axis=0)) == len(items):  # bottles with equal inputs have equal values
        yield "contrast", held(*model.difference_interval(items, pairs, CONFIDENCE), np.diff(z[pairs])[:, 0])
        ranking = model.ranking(items, CONFIDENCE, size=1000, rng=0)
        yield "rank", held(ranking.low, ranking.high, rankdata(-z))


def of_raters(model, bias, noise):
    """What a panel says of its raters."""
    yield "bias (level)", held(*model.bias_interval(CONFIDENCE), bias)
    yield "centred bias", held(*model.bias_interval(CONFIDENCE, centred=True), bias - bias.mean())
    yield "rater's noise", held(*model.rater_interval(CONFIDENCE), noise)


def two_way(Y, z):
    """Two-way least squares, of a table without gaps: values from means, and their intervals from the residuals."""
    (n, R), means = Y.shape, Y.mean(axis=1)
    residuals = Y - Y.mean(axis=0) - means[:, None] + Y.mean()
    freedom = (n - 1) * (R - 1)
    variance, reach = (residuals**2).sum() / freedom / R, t.ppf(0.5 + CONFIDENCE / 2, freedom)
    apart = means - means.mean() - (z - z.mean())
    yield "value (level)", np.mean(np.abs(means - z) <= reach * np.sqrt(variance))
    yield "centred value", np.mean(np.abs(apart) <= reach * np.sqrt(variance * (1 - 1 / n)))
    yield "error", np.sqrt(np.mean(apart**2))


def both(plain, pooled=None, members=None):
    """The models of a row: as learned, and averaged over what was learned."""
    averaged = (plain if pooled is None else pooled).averaged(MEMBERS if members is None else members, rng=0)
    return {"plug-in": plain, "averaged": averaged}.items()


def panel(seed, n=25, R=12, gaps=0.15):
    """25 items × 12 raters, 15 % gaps, biases, a nugget; noises from 0.5, a factor of e^½ up and down."""
    from course_lib.gp import SquaredExponential, White
    from course_lib.judgments import RaterGP

    rng = np.random.default_rng([seed, 1])
    X = rng.uniform(0, 3, (n + 10, 2))
    z = drawn(SquaredExponential(1.0, 1.2) + White(0.09), X, rng)
    bias, noise = 0.7 * rng.normal(size=R + 1), 0.5 * np.exp(0.5 * rng.normal(size=R + 1))
    answers = z[:, None] + bias + noise * rng.normal(size=(n + 10, R + 1))
    Y = np.where(rng.uniform(size=(n, R)) < gaps, np.nan, answers[:n, :R])
    settings = {"kernel": SquaredExponential(1.0, 1.0), "bias_std": 1.0, "nugget_std": 0.3}
    fits = [RaterGP(**settings, pooling=pooling).fit(X[:n], Y) for pooling in (None, 0.5)]
    for name, model in both(*fits):
        for what in (of_items(model, z[:n]), of_raters(model, bias[:R], noise[:R])):
            yield from ((name, *each) for each in what)
        new = normal(*model.predict(X[n:], return_std=True))
        yield name, "new item (level)", held(*new, z[n:])
        yield name, "answer, known rater", held(*model.answer_interval(X[n:], CONFIDENCE, rater=0), answers[n:, 0])
        somebody = model.answer_interval(X[n:], CONFIDENCE, rater="new")
        yield name, "answer, new rater (level)", held(*somebody, answers[n:, R])


def repeats(seed, n=15, R=6, K=2):
    """15 items × 6 raters, twice, with opinions that both share; beside their means, and two independent answers."""
    from course_lib.gp import SquaredExponential, White
    from course_lib.judgments import RaterGP

    rng = np.random.default_rng([seed, 10])
    X = rng.uniform(0, 3, (n + 10, 2))
    z = drawn(SquaredExponential(1.0, 1.2) + White(0.09), X, rng)
    bias, noise = 0.7 * rng.normal(size=R), 0.4 * np.exp(0.3 * rng.normal(size=R))
    thought = z[:, None] + bias + 0.5 * rng.normal(size=(n + 10, R))
    Y, again = (thought[..., None] + noise[:, None] * rng.normal(size=(n + 10, R, k)) for k in (K, 1))
    settings = {"kernel": SquaredExponential(1.0, 1.0), "bias_std": 1.0, "nugget_std": 0.3, "pooling": 0.5}
    models = {
        "independent, averaged": RaterGP(**settings).fit(X[:n], Y[:n]).averaged(MEMBERS, rng=0),
        "means, averaged": RaterGP(**settings).fit(X[:n], Y[:n].mean(axis=2)).averaged(MEMBERS, rng=0),
        **dict(both(RaterGP(**settings, opinion_std=0.3).fit(X[:n], Y[:n]))),
    }
    for name, model in models.items():
        yield from ((name, *each) for each in of_items(model, z[:n]))
        yield name, "answer, known rater", held(*model.answer_interval(X[n:], CONFIDENCE, rater=0), again[n:, 0, 0])
        yield name, "one more repeat", held(*model.answer_interval(model.items_, CONFIDENCE, rater=0), again[:n, 0, 0])
        if not name.startswith("means"):
            yield from ((name, *each) for each in of_raters(model, bias, noise))


@cache
def wine_panel():
    """(the panel of the wine, lecture 09's model fitted to it)."""
    from course_lib import datasets
    from course_lib.judgments import RaterGP

    data = datasets.load_wine().panel()
    return data, RaterGP(bias_std=10.0).fit(data.X, data.Y)


def wine(seed):
    """Worlds from lecture 09's model of the wine; two-way least squares beside it."""
    from course_lib.judgments import RaterGP

    (data, truth), rng = wine_panel(), np.random.default_rng([seed, 2])
    n, R = data.Y.shape
    z, bias, noise = drawn(truth.kernel_, data.X, rng), truth.bias_std_ * rng.normal(size=R), truth.rater_std_[0]
    Y = 50.0 + z[:, None] + bias + noise * rng.normal(size=(n, R))
    yield from (("least squares", *each) for each in two_way(Y, 50.0 + z))
    for name, model in both(*(RaterGP(bias_std=10.0, pooling=pooling).fit(data.X, Y) for pooling in (None, 0.5))):
        for what in (of_items(model, 50.0 + z), of_raters(model, bias, noise)):
            yield from ((name, *each) for each in what)


def one_noise(seed, n=30, R=4):
    """30 items × 4 raters of one noise, with a nugget."""
    from course_lib.gp import SquaredExponential, White
    from course_lib.judgments import MultiSampleGP

    rng = np.random.default_rng([seed, 3])
    X = rng.uniform(0, 3, (n + 10, 2))
    z = drawn(SquaredExponential(1.0, 1.2) + White(0.09), X, rng)
    answers = z[:, None] + 0.5 * rng.normal(size=(n + 10, R))
    model = MultiSampleGP(SquaredExponential(1.0, 1.0), nugget_std=0.3).fit(X[:n], answers[:n])
    for name, fitted in both(model):
        yield from ((name, *each) for each in of_items(fitted, z[:n]))
        yield name, "new item", held(*normal(*fitted.predict(X[n:], return_std=True)), z[n:])
        yield name, "answer", held(*fitted.answer_interval(X[n:], CONFIDENCE), answers[n:, 0])


def curve(seed, n=40):
    """A curve of one input at 40 places, with noise."""
    from course_lib.gp import GPRegression, SquaredExponential

    rng = np.random.default_rng([seed, 4])
    X = rng.uniform(0, 10, (2 * n, 1))
    f = drawn(SquaredExponential(1.0, 1.2), X, rng)
    y = f + 0.3 * rng.normal(size=2 * n)
    for name, model in both(GPRegression(SquaredExponential(1.0, 1.0)).fit(X[:n], y[:n])):
        yield name, "curve", held(*normal(*model.predict(X[n:], return_std=True)), f[n:])
        yield name, "answer", held(*model.answer_interval(X[n:], CONFIDENCE), y[n:])
        yield name, "contrast", held(*model.difference_interval(X[n:], pairs_of(n), CONFIDENCE), np.diff(f[n:]))


def marks(seed, n=40):
    """40 beta marks between 0 and 1 of a smooth function."""
    from course_lib.gp import Beta, SquaredExponential
    from course_lib.judgments import BoundedGP

    rng = np.random.default_rng([seed, 5])
    X = rng.uniform(0, 10, (2 * n, 1))
    f = drawn(SquaredExponential(1.0, 1.5), X, rng)
    y = inside(Beta(20.0).sample(f, rng))
    for name, model in both(BoundedGP(SquaredExponential(1.0, 1.0)).fit(X[:n], y[:n]), members=FEW):
        yield name, "f before the scale", held(*normal(*model.predict_latent(X[n:])), f[n:])
        asked = slice(n, n + ASKED)
        yield name, "mark", held(*model.answer_interval(X[asked], CONFIDENCE), y[asked])


def scale_use(seed, n=25, R=8, gaps=0.15):
    """25 items × 8 raters with biases and gains, a factor of e^0.3 up and down; beside the model without gains."""
    from course_lib.gp import SquaredExponential, White
    from course_lib.judgments import RaterGP

    rng = np.random.default_rng([seed, 7])
    X = rng.uniform(0, 3, (n + 10, 2))
    z = drawn(SquaredExponential(1.0, 1.2) + White(0.09), X, rng)
    bias, gain = 0.7 * rng.normal(size=R + 1), np.exp(0.3 * rng.normal(size=R + 1))
    noise = 0.5 * np.exp(0.5 * rng.normal(size=R + 1))
    answers = gain * (z[:, None] + bias) + noise * rng.normal(size=(n + 10, R + 1))
    Y = np.where(rng.uniform(size=(n, R)) < gaps, np.nan, answers[:n, :R])
    settings = {"kernel": SquaredExponential(1.0, 1.0), "bias_std": 1.0, "nugget_std": 0.3, "pooling": 0.5}
    fits = dict(both(RaterGP(**settings, gain_std=0.3).fit(X[:n], Y)))
    for name, model in {
        "no gains, averaged": RaterGP(**settings).fit(X[:n], Y).averaged(MEMBERS, rng=0),
        **fits,
    }.items():
        yield from ((name, *each) for each in of_items(model, z[:n]))
        yield name, "rater's noise", held(*model.rater_interval(CONFIDENCE), noise[:R])
        yield name, "answer, known rater", held(*model.answer_interval(X[n:], CONFIDENCE, rater=0), answers[n:, 0])
        somebody = model.answer_interval(X[n:], CONFIDENCE, rater="new")
        yield name, "answer, new rater (level)", held(*somebody, answers[n:, R])
    for name, model in fits.items():
        yield name, "gain", held(*model.gain_interval(CONFIDENCE), gain[:R])
        ratio = gain[:R] / np.exp(np.log(gain[:R]).mean())
        yield name, "gain over the mean of all", held(*model.gain_interval(CONFIDENCE, centred=True), ratio)
    at_offset = bias[:R] + model.offset_ * (1 - 1 / gain[:R])  # where the model's gains turn, and not at 0
    yield name, "bias (level)", held(*model.bias_interval(CONFIDENCE), at_offset)
    centred = at_offset - at_offset.mean()
    yield name, "centred bias", held(*model.bias_interval(CONFIDENCE, centred=True), centred)


def bounded_panel(seed, n=25, R=6, gaps=0.1):
    """25 items × 6 raters, beta marks from 0 to 10, with biases before the scale, and a precision for each rater."""
    from course_lib.gp import Beta, SquaredExponential, White
    from course_lib.judgments import BoundedRaterGP

    rng, kernel = np.random.default_rng([seed, 8]), SquaredExponential(0.5, 1.2) + White(0.05)
    X = rng.uniform(0, 3, (n + 10, 2))
    f = 0.4 + drawn(kernel, X, rng)
    bias, precision = 0.4 * rng.normal(size=R + 1), 15.0 * np.exp(0.6 * rng.normal(size=R + 1))
    marks = np.column_stack([Beta(nu).sample(f + b, rng) for nu, b in zip(precision, bias, strict=True)])
    marks = 10 * inside(marks)
    Y = np.where(rng.uniform(size=(n, R)) < gaps, np.nan, marks[:n, :R])
    model = BoundedRaterGP(SquaredExponential(1.0, 1.0) + White(0.1), high=10.0, bias_std=0.5).fit(X[:n], Y)
    pairs = pairs_of(n)
    for name, fitted in both(model):
        before = fitted.consensus_interval(CONFIDENCE, centred=True)
        yield name, "centred f", held(*before, f[:n] - f[:n].mean())
        contrast = fitted.difference_interval(fitted.items_, pairs, CONFIDENCE)
        yield name, "contrast", held(*contrast, np.diff(f[pairs])[:, 0])
        ranking = fitted.ranking(fitted.items_, CONFIDENCE, size=1000, rng=0)
        yield name, "rank", held(ranking.low, ranking.high, rankdata(-f[:n]))
        yield name, "rater's precision", held(*fitted.precision_interval(CONFIDENCE), precision[:R])
        yield name, "mark, known rater", held(*fitted.answer_interval(X[n:], CONFIDENCE, rater=0), marks[n:, 0])
        yield (
            name,
            "mark, new rater (level)",
            held(*fitted.answer_interval(X[n:], CONFIDENCE, rater="new"), marks[n:, R]),
        )
    yield name, "bias (level)", held(*fitted.bias_interval(CONFIDENCE), bias[:R])
    yield name, "centred bias", held(*fitted.bias_interval(CONFIDENCE, centred=True), bias[:R] - bias[:R].mean())


def labels(seed, n=25, R=6, levels=5, gaps=0.1):
    """25 items × 6 raters, five labels, with cut points of each rater round those of all."""
    from course_lib.gp import Ordinal, SquaredExponential, White
    from course_lib.judgments import OrdinalRaterGP

    rng, kernel = np.random.default_rng([seed, 9]), SquaredExponential(2.0, 1.2) + White(0.2)
    X = rng.uniform(0, 3, (n + 10, 2))
    f = drawn(kernel, X, rng)
    people = zip(-1.5 + 0.5 * rng.normal(size=R + 1), np.exp(0.5 * rng.normal(size=(R + 1, levels - 2))), strict=True)
    given = np.column_stack([Ordinal(levels, first_cut=cut, gaps=steps).sample(f, rng) for cut, steps in people])
    Y = np.where(rng.uniform(size=(n, R)) < gaps, np.nan, given[:n, :R])
    pairs = pairs_of(n)
    for name, model in both(OrdinalRaterGP(SquaredExponential(1.0, 1.0) + White(0.1), levels=levels).fit(X[:n], Y)):
        yield name, "centred f", held(*model.consensus_interval(CONFIDENCE), f[:n] - f[:n].mean())
        contrast = model.difference_interval(model.items_, pairs, CONFIDENCE)
        yield name, "contrast", held(*contrast, np.diff(f[pairs])[:, 0])
        ranking = model.ranking(model.items_, CONFIDENCE, size=1000, rng=0)
        yield name, "rank", held(ranking.low, ranking.high, rankdata(-f[:n]))
        yield name, "label, known rater", held(*model.answer_interval(X[n:], CONFIDENCE, rater=0), given[n:, 0])
        yield name, "label, new rater (level)", held(*model.answer_interval(X[n:], CONFIDENCE), given[n:, R])


def comparisons(seed, response, n=15, m=80):
    """80 comparisons of 15 items, as choices or degrees."""
    from course_lib.gp import Beta, Probit, SquaredExponential, White
    from course_lib.judgments import Comparison, PreferenceGP, random_pairs

    rng = np.random.default_rng([seed, 6])
    X = rng.uniform(0, 3, (n, 2))
    f = drawn(SquaredExponential(4.0 if response == "choice" else 1.0, 1.0), X, rng)
    asked, later = random_pairs(n, m, rng), random_pairs(n, 40, rng)
    person = Comparison(Probit() if response == "choice" else Beta(10.0), 1.0)
    y, said = (person.sample(np.diff(f[pairs])[:, 0], rng) for pairs in (asked, later))
    y, said = (v if response == "choice" else inside(v) for v in (y, said))
    truth = np.diff(f[later])[:, 0]
    settings = {"kernel": SquaredExponential(1.0, 1.0), "response": response}
    models = dict(both(PreferenceGP(**settings).fit(X, asked, y), members=FEW))
    if response == "degree":
        settings["kernel"] += White(0.1)
        models["as PairStudy has it"] = PreferenceGP(**settings).fit(X, asked, y).averaged(FEW, rng=0)
    for name, fitted in models.items():
        items = fitted.items_
        yield name, "contrast", held(*fitted.difference_interval(items, later, CONFIDENCE), truth)
        ranking = fitted.ranking(items, CONFIDENCE, size=1000, rng=0)
        yield name, "rank", held(ranking.low, ranking.high, rankdata(-f))
        if response == "degree":
            yield name, "answer", held(*fitted.answer_interval(items, later[:ASKED], CONFIDENCE), said[:ASKED])
        next_one, better = fitted.predict_preference(items, later), fitted.probability_better(items, later)
        for what, p, happened in (
            ("preference", next_one, said > (0.0 if response == "choice" else 0.5)),
            ("which is better", better, truth > 0),
        ):
            yield name, f"{what}: says", np.mean(np.maximum(p, 1 - p))
            yield name, f"{what}: happens", np.mean(np.where(p > 0.5, happened, ~happened))


def choices(seed):
    """80 probit choices between 15 items."""
    return comparisons(seed, "choice")


def degrees(seed):
    """80 degrees of preference between 15 items."""
    return comparisons(seed, "degree")


WORLDS = {
    "curve, 40": curve,
    "one noise, 30 × 4": one_noise,
    "choices, 15": choices,
    "wine, 8 × 9": wine,
    "marks, 40": marks,
    "panel, 25 × 12": panel,
    "degrees, 15": degrees,
    "scale use, 25 × 8": scale_use,
    "bounded panel, 25 × 6": bounded_panel,
    "labels, 25 × 6": labels,
    "repeats, 15 × 6 × 2": repeats,
}


def outcome(world, seed):
    """{(model, what): number} of one world, and the seconds that it took."""
    begin = time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a search that ends at a limit is a part of what is measured
        found = {(model, what): value for model, what, value in WORLDS[world](seed)}
    return found, time.process_time() - begin


def table(repetitions, worlds=tuple(WORLDS)):
    """Lines of Markdown: a row for each world and interval, a column for each model."""
    for world in worlds:
        found, seconds = zip(*Parallel()(delayed(outcome)(world, seed) for seed in range(repetitions)), strict=True)
        models = list(dict.fromkeys(model for model, _ in found[0]))
        yield f"\n**{world}**: {repetitions} worlds, {np.mean(seconds):.2f} s each\n"
        yield f"| holds | {' | '.join(models)} |"
        yield "|---" * (1 + len(models)) + "|"
        for what in dict.fromkeys(what for _, what in found[0]):
            cells = [_cell(what, [one[model, what] for one in found if (model, what) in one]) for model in models]
            yield f"| {what} | {' | '.join(cells)} |"


def _cell(what, values):
    """A mean over worlds, with its 95 % interval."""
    if not values:
        return "–"
    mean, reach = np.mean(values), 1.96 * np.std(values) / np.sqrt(len(values))
    if what == "error":
        return f"{mean:.3f} ± {reach:.3f}"
    return f"{mean:.1%} ± {reach:.1%}".replace("%", " %")


def main(arguments=None):
    """Print the tables of the worlds that are asked for, each as it ends."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.coverage", description=__doc__.splitlines()[0])
    parser.add_argument("worlds", nargs="*", help=f"words of their names: {'; '.join(WORLDS)}; all if none")
    parser.add_argument("--repetitions", type=int, default=REPETITIONS, help="worlds of each kind")
    parser.add_argument("--jobs", type=int, default=-1, help="processes; -1 takes all cores")
    options = parser.parse_args(arguments)
    chosen = [world for world in WORLDS if not options.worlds or any(word in world for word in options.worlds)]
    with parallel_config(backend="loky", n_jobs=options.jobs):
        for line in table(options.repetitions, chosen):
            print(line, flush=True)


if __name__ == "__main__":
    from benchmarks import coverage  # by its own name, by which other processes find its worlds

    coverage.main()
