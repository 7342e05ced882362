"""Compute what lectures show of long comparisons, and store it: a file for each, named as its function here.

Run from the root of the repository: python -m data.claims.make [NAME …]; a run that was stopped goes on where it was.
With --shake nothing is stored: each comparison that a lecture makes of them is computed on sets of other seeds.
"""

import argparse
import itertools
import warnings

import numpy as np
from scipy.stats import t as t_distribution
from sklearn.exceptions import ConvergenceWarning

from course_lessons.approximate_inference import two_voices
from course_lessons.asking import experiments
from course_lessons.bounded_answers import contests
from course_lessons.gp_regression import comparison
from course_lessons.hmm import act_one
from course_lessons.hmm.trials import try_recognizer
from course_lessons.i_prefer_b import strangers as strange
from course_lessons.i_prefer_b import teaching_speed
from course_lessons.many_people import listeners
from course_lessons.many_people import travellers as travelling
from course_lessons.mixed_feedback import confidence, on_a_disc
from course_lessons.mixed_feedback.experiments import LOOK_AHEAD, MAP_CRITERIA, level_set_curve
from course_lessons.mixed_feedback.problems import discrimination, ellipsoid, norm_ball
from course_lessons.unequal_raters import three_sets
from course_lessons.unequal_raters.example import first_experiment
from course_lessons.your_data import against, worlds
from course_lessons.your_data.made import made_degrees
from course_lib import datasets
from course_lib.gp import Coregionalization, GPRegression, LogNormal, Normal, SquaredExponential
from course_lib.judgments import RaterGP, simulate_raters
from course_studies import PairStudy, from_pairs
from data import packages
from data.claims import running
from data.claims.shaking import HEAD, Pair, compares, sets_of_seeds, shake

SHORT = {
    "sobol": "Sobol",
    "straddle": "straddle",
    "bald": "BALD",
    "global_mutual_information": "GlobalMI",
    "expected_absolute_volume_change": "EAVC",
}
OLD_AND_NEW = (*range(100), *itertools.chain(*sets_of_seeds(10)))  # for what did not hold on new ones
PROBLEMS = {"disc": norm_ball(2), "ball": norm_ball(4), "ellipsoid": ellipsoid(), "discrimination": discrimination()}


@compares(
    *(
        Pair(of, {"criterion": "improvement"}, {"criterion": other}, ("hill", "answers"))
        for of in ("distance", "heard")
        for other in ("random", "spared")
    )
)
def asking(seeds=range(160)):
    """Lecture 12, section 4: 160 listeners, two hills, two ways to ask, and one that tests the reason."""
    yield "hill", "criterion", "seed", "answers", "distance", "heard"
    for hill in experiments.HILLS:
        for criterion in ("improvement", "random", "spared"):
            for seed in seeds:
                curve = experiments.sixteen_answers(hill, criterion, seed)
                for answers, *off in zip(curve.answers, curve.distance, curve.heard, strict=True):
                    yield hill, criterion, seed, answers, *np.round(off, 4).tolist()


def recognisers():
    """Lecture 04, section 8: was each test recording recognised (1) or not (0)?"""
    digits = datasets.load_spoken_digits()
    speakers = np.unique(digits.speakers)
    tests = {("known", "all"): act_one.known_voices(digits)}
    tests |= {("new", speaker): act_one.new_voice(digits, speaker) for speaker in speakers}
    yield "voices", "speaker", "word", *act_one.recognizers()
    for voices, parts in tests.items():
        right = [try_recognizer(one, *parts).right.astype(int) for one in act_one.recognizers().values()]
        yield from ((*voices, word, *each) for word, *each in zip(parts[3], *right, strict=True))


@compares(
    *(
        Pair("truth", {"model": first}, {"model": second}, ("by_region", "set"))
        for first, second in (
            ("MA", "AV"),
            ("MANH", "MA"),
            ("MANH, nugget", "MA, nugget"),
            ("MANH, nugget", "AV"),
        )
    )
)
def annotators(seeds=range(100)):
    """Lecture 09, section 9: a hundred repetitions of three sets, with noises that are equal everywhere or not."""
    load = {"Auto": datasets.load_auto_mpg, "Concrete": datasets.load_concrete, "Housing": datasets.load_boston}
    yield "by_region", "set", "seed", "model", "truth", "labels", "perfect", "regions"
    for by_region in (0, 1):
        for name, table in load.items():
            for seed in seeds:
                rows = three_sets.repetition(table(), seed, bool(by_region)).round(2).tolist()
                for model, row in zip(three_sets.recipes(), rows, strict=True):
                    yield by_region, name, seed, model, *row


@compares(
    *(Pair("off", {"model": "MANH"}, {"model": other}, ("by_region",)) for other in ("MA", "AV")),
    *(Pair("off", {"model": one}, {"model": "MANH"}) for one in ("floor 0.01", "floor 0.1", "floor 0.3")),
)
def thirds(seeds=range(100)):
    """Lecture 09, sections 6 and 11: a hundred draws of the paper's first experiment, and floors of the noise."""
    start, floors = (
        SquaredExponential(0.25, 0.1),
        {"MANH": None, "floor 0.01": 0.01, "floor 0.1": 0.1, "floor 0.3": 0.3},
    )
    yield "by_region", "seed", "model", "off"
    for by_region in (1, 0):
        for seed in seeds:
            draw = first_experiment(seed, bool(by_region))
            fits = {"AV": GPRegression(start, noise_std=0.3).fit(draw.X, draw.Y.mean(axis=1)), "MA": RaterGP(start)}
            fits |= {name: RaterGP(start, regions="affinity", noise_floor=f, rng=0) for name, f in floors.items()}
            for name, model in fits.items() if by_region else list(fits.items())[:3]:
                fit = model if name == "AV" else model.fit(draw.X, draw.Y)
                off = np.sqrt(np.mean((fit.predict(draw.X_test) - draw.z_test) ** 2))
                yield by_region, seed, name, off.round(5)


@compares(*(Pair("off", {"case": one}, {"case": "independent"}) for one in ("three friends", "an adversary")))
def friends(seeds=range(100)):
    """Lecture 09, section 8: a hundred draws of five raters, three of whom may err together."""
    x = np.sort(np.random.default_rng(0).uniform(size=60))
    curve, start = np.sin(2 * np.pi * x) * np.sin(6 * np.pi * x), SquaredExponential(0.25, 0.1)
    cases = {
        "independent": (0.0, None, ()),
        "three friends": (0.95, None, ()),
        "three friends, nugget": (0.95, 0.2, ()),
    }
    yield "case", "seed", *(f"rater_{r}" for r in range(1, 6)), "off", "held"
    for case, (correlation, nugget, adversaries) in (cases | {"an adversary": (0.0, None, (0,))}).items():
        for seed in seeds:
            options = {"correlation": correlation, "adversaries": adversaries}
            parts = [simulate_raters(curve, np.full(3, 0.4), [seed, 0], **options)]
            parts.append(simulate_raters(curve, np.full(2, 0.4), [seed, 1]))
            model = RaterGP(start, nugget_std=nugget).fit(x[:, None], np.hstack(parts))
            low, high = model.consensus_interval()
            off, held = np.sqrt(np.mean((model.consensus_ - curve) ** 2)), np.mean((low < curve) & (curve < high))
            yield case, seed, *model.rater_std_[0].round(5), off.round(5), held.round(5)


@compares(Pair(("averaged", "known")), Pair(("off", "off_of_squares")))
def wine(seeds=range(300)):
    """Lecture 09, sections 7 and 11: do 90 % intervals of a bottle against the mean hold? 300 wines."""
    panel = datasets.load_wine().panel()
    truth = RaterGP(bias_std=15.0).fit(panel.X, panel.Y)
    root = np.linalg.cholesky(truth.kernel_(panel.X) + 1e-6 * np.eye(8))
    yield "seed", "known", "averaged", "squares", "off", "off_of_squares"
    for seed in seeds:
        rng = np.random.default_rng(seed)
        z = root @ rng.normal(size=8)
        Y = 50 + z[:, None] + truth.bias_std_ * rng.normal(size=9) + truth.rater_std_[0] * rng.normal(size=(8, 9))
        known = RaterGP(bias_std=15.0).fit(panel.X, Y)
        averaged = RaterGP(bias_std=15.0, pooling=0.5).fit(panel.X, Y).averaged(40, rng=0)
        z, means = z - z.mean(), Y.mean(axis=1) - Y.mean()
        rest = Y - Y.mean(axis=0) - means[:, None]  # two-way least squares: means of rows and columns
        reach = t_distribution.ppf(0.95, 56) * np.sqrt(np.sum(rest**2) / 56 / 9 * (1 - 1 / 8))
        ends = [one.consensus_interval(centred=True) for one in (known, averaged)] + [(means - reach, means + reach)]
        held = [np.mean((low <= z) & (z <= high)) for low, high in ends]
        off = [np.sqrt(np.mean((one - z) ** 2)) for one in (averaged.consensus_ - averaged.consensus_.mean(), means)]
        yield seed, *np.round([*held, *off], 5).tolist()


@compares(
    Pair("log_loss", {"model": "laplace"}, {"model": "logistic regression"}),
    Pair("log_loss", {"model": "ep"}, {"model": "logistic regression"}),
    Pair("log_loss", {"model": "variational"}, {"model": "logistic regression"}),
    Pair("log_loss", {"model": "ep, prior"}, {"model": "logistic regression"}),
    Pair(("log_loss", "of_the_mean"), within=("model",)),
)
def voices(seeds=range(100)):
    """Lecture 06, section 13: splits of two speakers' recordings."""
    digits = datasets.load_spoken_digits()
    yield "seed", "model", "right", "log_loss", "of_the_mean", "size"
    for seed in seeds:
        for model, row in two_voices.foretold(digits, seed).items():
            yield seed, model, *np.round(row, 5).tolist()


@compares(
    Pair("log_score", {"model": "curve"}, {"model": "line"}, ("whose",)),
    Pair("right", {"model": "curve"}, {"model": "line"}, ("whose",)),
)
def strangers(seeds=range(100)):
    """Lecture 10, section 8: splits of the train journeys."""
    trains = datasets.load_train_choices()
    yield "seed", "model", "whose", "right", "log_score"
    for seed in seeds:
        for model, rows in zip(("line", "curve"), strange.foretold(trains, seed), strict=True):
            for whose, row in zip(("same", "strangers"), rows, strict=True):
                yield seed, model, whose, *np.round(row, 5).tolist()


@compares(
    *(
        Pair(f"after_{count}", {"model": "degrees"}, {"model": "choices"}, ("precision",))
        for count in teaching_speed.CHOICE_COUNTS
    )
)
def degrees(seeds=range(100)):
    """Lecture 10, section 6: a hundred realisations of Paper A's experiment, for three precisions."""
    yield "precision", "seed", "model", *(f"after_{count}" for count in teaching_speed.CHOICE_COUNTS)
    for precision in teaching_speed.PRECISIONS:
        for seed in seeds:
            for model, rates in teaching_speed.error_rates(seed, precision).items():
                yield precision, seed, model, *np.round(rates, 5).tolist()


def sharing():
    """Lecture 11, section 3: learned from k answers of each listener; the mean of a hundred draws, and the first."""
    yield "answers", "model", "listener", "score", "first"
    mean, first = (listeners.learning_curve(listeners.ways(), listeners.ANSWER_COUNTS, draws) for draws in (100, 1))
    for answers in listeners.ANSWER_COUNTS:
        for model, scores in mean[answers].items():
            for person, row in enumerate(zip(scores, first[answers][model], strict=True)):
                yield answers, model, person, *np.round(row, 5).tolist()


@compares(
    *(Pair("score", {"model": one}, {"model": "one ρ for all"}) for one in ("free", "with priors")),
    Pair("score", {"model": "with priors"}, {"model": "free"}),
)
def tastes(seeds=range(100)):
    """Lecture 11, section 4: a hundred draws of 28 answers of each listener; how the kernel of people is learned."""
    free, exam = Coregionalization(listeners.N_LISTENERS, rank=1, rng=0), listeners.sound_choices()[1]
    careful = free.with_priors(loadings=Normal(1.0, 0.5), own_variances=LogNormal(0.1, 1.0))
    yield "seed", "model", "evidence", "score"
    for seed in seeds:
        few = listeners.some(28, seed)
        models = {"free": listeners.learn_people(free, few), "with priors": listeners.learn_people(careful, few)}
        models["one ρ for all"] = listeners.learn(listeners.ways()["shared"], few)
        for name, model in models.items():
            yield seed, name, round(model.log_evidence_, 3), listeners.log_scores(model, exam).mean().round(5)


@compares(*(Pair(("shared", other), within=("answers",)) for other in ("one_for_all", "one_for_each")))
def travellers(seeds=range(100)):
    """Lecture 11, section 10: a hundred choices of sixty travellers, and of their answers."""
    trains = datasets.load_train_choices()
    yield "seed", "answers", "one_for_all", "one_for_each", "shared", "correlation"
    for seed in seeds:
        for answers in (2, 4, 8):
            scores, correlation = travelling.travellers(trains, seed, answers)
            yield seed, answers, *np.round([*map(np.mean, scores.values()), correlation], 5).tolist()


ON_THE_DISC = ("straddle", *LOOK_AHEAD)


@compares(
    *(
        Pair(of, {"knowledge": "mixed"}, {"knowledge": other}, ("criterion", "answers"))
        for of in ("f1", "brier")
        for other in ("none", "pseudo")
    ),
    *(
        Pair(of, {"criterion": one}, {"criterion": "sobol"}, ("knowledge", "answers"))
        for of in ("f1", "brier")
        for one in ON_THE_DISC
    ),
    *(
        Pair(of, {"answers": 30}, {"answers": 10}, ("knowledge", "criterion"))
        for of in ("f1", "brier", "precision", "recall")
    ),
)
def level_sets(seeds=range(100)):
    """Lecture 13, section 3: observers of the disc, what is known beforehand, and where it is asked."""
    yield "knowledge", "criterion", "seed", "answers", "precision", "recall", "f1", "brier"
    ways = [(knowledge, "sobol") for knowledge in ("none", "pseudo", "mixed")]
    ways += [("mixed", one) for one in ON_THE_DISC]
    for knowledge, criterion in ways:
        for seed in seeds:
            found = level_set_curve(
                on_a_disc.DISC_PROBLEM, knowledge, criterion, 30, looks=[10, 20, 30], inference="laplace", rng=seed
            )
            columns = found.trials, found.precision, found.recall, found.f1, found.brier
            for answers, *row in zip(*columns, strict=True):
                yield knowledge, criterion, seed, int(answers), *np.round(row, 4).tolist()


@compares(
    *(
        Pair(of, {"feedback": one}, {"feedback": other}, ("pairs",))
        for of in ("corner", "elsewhere")
        for one, other in (("known", "choices"), ("learned", "choices"), ("learned", "known"))
    )
)
def ratings(seeds=range(100)):
    """Lecture 13, section 4: maps from choices, and from ratings beside them with known and learned cut points."""
    yield "pairs", "seed", "feedback", "corner", "elsewhere", "rise", "cut_1", "cut_2"
    for pairs in (20, 80):
        for seed in seeds:
            found = confidence.map_errors(pairs, [seed], learn_kernel=False)
            cuts = {"choices": (0, 0), "known": (0.5, 1), "learned": found.cuts[0].round(5).tolist()}
            for k, (feedback, ends) in enumerate(cuts.items()):
                row = [getattr(found, name)[0, k].round(5) for name in ("corner", "elsewhere", "rise")]
                yield pairs, seed, feedback, *row, *ends


@compares(
    Pair(("off_with_ratings", "off"), within=("subject", "kernel")),
    Pair(("brier_with_ratings", "brier"), within=("subject", "kernel")),
)
def touch(seeds=range(100)):
    """Lecture 13, section 5: choices alone and ratings beside them, of two subjects, kernel held or learned."""
    yield "subject", "kernel", "seed", "off", "off_with_ratings", "brier", "brier_with_ratings"
    for subject in (1, 2):
        for kernel in ("held", "learned"):
            for seed in seeds:
                found = confidence.haptic_scores(subject, [seed], learn_kernel=kernel == "learned")
                yield subject, kernel, seed, *found.off[0].round(5), *found.brier[0].round(5)


@compares(Pair(("one", "alone")), Pair(("two", "alone")), Pair(("two", "one")))
def gait(seeds=range(100)):
    """Lecture 13, section 5: choices alone, ratings by one function and by two."""
    yield "seed", "alone", "one", "two"
    for seed in seeds:
        yield seed, *confidence.gait_scores([seed], n_train=20, n_test=100, max_iter=30).off[0].round(5)


@compares(
    *(
        Pair("regret", {"kernel": "mahalanobis"}, {"kernel": "isotropic"}, ("bands", "asks", "answers")),
        Pair("log_density", {"kernel": "mahalanobis"}, {"kernel": "isotropic"}, ("bands", "asks", "answers")),
        Pair("regret", {"asks": "active"}, {"asks": "random"}, ("bands", "kernel", "answers")),
    )
)
def bands(seeds=range(100)):
    """Lecture 12, section 9: marks of five bands, two kinds of listeners, two kernels, two ways to ask."""
    yield "bands", "kernel", "asks", "seed", "answers", "regret", "log_density"
    for listener in ("alone", "together"):
        for kernel in experiments.KERNEL_CHOICES:
            for asks in ("active", "random"):
                for seed in seeds:
                    found = experiments.thirty_marks(listener == "together", kernel, asks == "active", seed)
                    for answers, *row in zip((10, 20, 30), *found, strict=True):
                        yield listener, kernel, asks, seed, answers, *np.round(row, 4).tolist()


@compares(
    *(
        Pair(f1, {"criterion": one}, {"criterion": "Sobol"}, ("problem",))
        for f1 in ("f1_20", "f1_30")  # the first ten are the same places for all
        for one in ("straddle", "BALD", "GlobalMI", "EAVC")
    )
)
def criteria(seeds=OLD_AND_NEW):
    """Lecture 13, section 8: where to ask, with soft constraints; level_sets has most of the disc."""
    yield "problem", "criterion", "seed", "f1_10", "f1_20", "f1_30"
    for name, problem in PROBLEMS.items():
        for criterion in MAP_CRITERIA if name != "disc" else ("bald",):
            for seed in seeds:
                yield name, SHORT[criterion], seed, *_level_set(problem, "mixed", criterion, seed)


@compares(Pair("f1_30", {"knowledge": "pseudo"}, {"knowledge": "none"}, ("problem", "criterion")))
def knowledge(seeds=range(100)):
    """Lecture 13, section 8: what is found without soft constraints, asked by criteria that look ahead."""
    yield "problem", "knowledge", "criterion", "seed", "f1_10", "f1_20", "f1_30"
    ways = [("pseudo", criterion) for criterion in LOOK_AHEAD] + [("none", "global_mutual_information")]
    for name, problem in PROBLEMS.items():
        for known, criterion in ways:
            for seed in seeds:
                yield name, known, SHORT[criterion], seed, *_level_set(problem, known, criterion, seed)


def _level_set(problem, known, criterion, seed):
    """F1 of one observer after 10, 20 and 30 answers."""
    found = level_set_curve(problem, known, criterion, 30, looks=[10, 20, 30], inference="laplace", rng=seed)
    return np.round(found.f1, 4).tolist()


@compares(*(Pair((f"{of}_with_ratings", of), within=("subject",)) for of in ("brier", "f1", "off")))
def subjects(seeds=OLD_AND_NEW):
    """Lecture 13, section 8: choices alone and ratings beside them, of five made-up subjects, the kernel learned."""
    yield "subject", "seed", *(f"{of}{more}" for of in ("brier", "f1", "off") for more in ("", "_with_ratings"))
    for subject in range(1, 6):
        for seed in seeds:
            found = np.concatenate(confidence.haptic_scores(subject, [seed]), axis=1)[0]
            yield subject, seed, *np.round(found, 5).tolist()


@compares(
    *(
        Pair("error", {"tool": "ours"}, {"tool": other}, ("answers",))
        for other in (
            "fixed items",
            "random items",
            "random items, features",
            "choix",
            "logistic regression, features",
        )
    )
)
def tools(seeds=range(100)):
    """Lecture 14, section 7: made studies of marks and of choices, with each tool."""
    yield "answers", "seed", "tool", "error", "held"
    for seed in seeds:
        for tool, row in against.ratings(seed).items():
            yield "marks", seed, tool, *np.round(row, 5).tolist()
    for seed in seeds:
        for tool, error in against.choices(seed).items():
            yield "choices", seed, tool, round(error, 5), np.nan


def designs(seeds=range(10)):
    """Lecture 14: three kinds of made studies, twenty worlds of each for a seed: what their 90 % intervals hold."""
    yield "kind", "seed", "asked", "held", "of", "width"
    for kind in ("slider", "ACR", "A/B"):
        for seed in seeds:
            found = [worlds.held(kind, 20 * seed + k) for k in range(20)]
            for asked in found[0]:
                inside, widths = (np.concatenate([one[asked][j] for one in found]) for j in (0, 1))
                yield kind, seed, asked, int(inside.sum()), len(inside), np.mean(widths).round(3)


def regressors():
    """Lecture 05, section 7: Gaussian processes and baselines on five random splits of cars and of concrete."""
    yield "task", "model", "seed", *comparison.COLUMNS
    for title, task in comparison.tasks().items():
        for name, scores in comparison.compare(*task).items():
            yield from ((title, name, seed, *score) for seed, score in enumerate(scores.round(4).tolist()))


def table_one():
    """Lecture 07, section 6: −log p of the test marks in ten repetitions of Paper E's Table 1, one function."""
    yield "noise", "repetition", *contests.MODEL_LABELS
    function, kernel = contests.of_table_one()
    for j, noise in enumerate(contests.MODEL_LABELS):
        for k in range(10):
            yield noise, k, *contests.contest(function, kernel, noise, [0, k, j]).round(2).tolist()


def steps():
    """Lecture 07, section 14: whole marks left out, a hundred splits; against ordinary regression's in whole marks."""
    yield "marks", "model", "how", "first", "score", "lead", "low", "high"
    for name in ("wine", "jurors", "made"):
        splits = [contests.of_whole_marks(*contests.whole_marks_of(name, seed)) for seed in range(100)]
        for model, how in splits[0]:
            yardstick = ("gaussian", how if how == "density" else "density, then steps")
            lead = [split[model, how] - split[yardstick] for split in splits]
            score = np.mean([split[model, how] for split in splits])
            yield name, model, how, *np.round([splits[0][model, how], score, *_mean_with_interval(lead)], 3).tolist()


def clipped():
    """Lecture 07, section 14: a hundred worlds of clipping sliders: share of 90 % intervals of contrasts that hold."""
    yield "apart", "step", "held", "low", "high"
    for apart in (1, 3):
        worlds = [made_degrees(seed, apart=apart) for seed in range(100)]
        for step in (0.0, 0.1):
            held = [_contrasts_held(made, step) for made in worlds]
            yield apart, step, *np.round(_mean_with_interval(held), 3).tolist()


def _contrasts_held(made, step):
    pairs = from_pairs(
        made.frame, "left", "right", "answer", None, made.items, response="degree", scale=(0, 100), step=step or None
    )
    found = PairStudy(standardize=True, plug_in=True).fit(pairs).contrasts()
    truth = made.truth[found["b"]].to_numpy() - made.truth[found["a"]].to_numpy()
    return ((found["low"] <= truth) & (truth <= found["high"])).mean()


def _mean_with_interval(values):
    """(mean, low, high), 95 %, as of independent ones."""
    mean, error = np.mean(values), np.std(values, ddof=1) / np.sqrt(len(values))
    reach = t_distribution.ppf(0.975, len(values) - 1) * error
    return mean, mean - reach, mean + reach


CLAIMS = (annotators, asking, bands, clipped, criteria, degrees, designs, friends, gait, knowledge, level_sets)
CLAIMS += (
    ratings,
    recognisers,
    regressors,
    sharing,
    steps,
    strangers,
    subjects,
    table_one,
    tastes,
    thirds,
    tools,
    touch,
    travellers,
    voices,
    wine,
)
CLAIMS = {one.__name__: one for one in CLAIMS}


def main():
    """Write the files beside this script and their lines in README.md, or print how comparisons come out elsewhere."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(CLAIMS)}; all if none is given")
    parser.add_argument("--shake", action="store_true", help="print how each comparison comes out on other seeds")
    parser.add_argument("--sets", type=int, default=5, help="of 20 other seeds, for --shake")
    given = parser.parse_args()
    if unknown := set(given.names) - CLAIMS.keys():
        parser.error(f"there is no {', '.join(sorted(unknown))}; there is {', '.join(CLAIMS)}")
    warnings.simplefilter("ignore", ConvergenceWarning)
    wanted = [CLAIMS[name] for name in given.names or CLAIMS]
    if given.shake:
        print(HEAD)
        for one in filter(lambda one: hasattr(one, "pairs"), wanted):
            print(*shake(one, given.sets), sep="\n", flush=True)
        return
    for one in wanted:
        running.store(one)
    packages.note_checksums()
    for one in wanted:  # only now: a run of all that is stopped does not begin at the first again
        running.journal(one).unlink()


if __name__ == "__main__":
    main()
