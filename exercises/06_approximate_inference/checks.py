"""The checks of homework 06: for each task the cases you see, the mistakes we know, and hints. No solutions here."""

import numpy as np
from scipy.special import expit, gammaln, log_ndtr

from course_lib.homework import Case, Homework, Mistake, Task, array, near, not_finite

# Likelihoods of one latent number g. Each is three functions: log p, its slope, its curvature.


def normal(y, noise_std):
    """An answer with Gaussian noise."""

    def log_p(g):
        return -0.5 * ((y - g) / noise_std) ** 2 - np.log(noise_std) - 0.5 * np.log(2 * np.pi)

    return log_p, lambda g: (y - g) / noise_std**2, lambda g: 0 * g - noise_std**-2.0


def choice(y):
    """One answer + (y = 1) or − (y = −1): p = Φ(y g)."""

    def ratio(g):
        return np.exp(-0.5 * g**2 - 0.5 * np.log(2 * np.pi) - log_ndtr(y * g))

    return lambda g: log_ndtr(y * g), lambda g: y * ratio(g), lambda g: -ratio(g) * (ratio(g) + y * g)


def lapsing_choice(y, lapse):
    """One answer + or − of somebody who lapses: p = λ/2 + (1 − λ) Φ(y g). Not log-concave."""
    attends = 1 - lapse

    def p(g):
        return lapse / 2 + attends * np.exp(log_ndtr(y * g))

    def density(g):
        return attends * np.exp(-0.5 * g**2) / np.sqrt(2 * np.pi) / p(g)

    return lambda g: np.log(p(g)), lambda g: y * density(g), lambda g: -y * g * density(g) - density(g) ** 2


def choices(plus, minus):
    """That many answers + and −, one by one: log p = plus · log σ(g) + minus · log σ(−g)."""

    def log_p(g):
        return -plus * np.logaddexp(0, -g) - minus * np.logaddexp(0, g)

    def curvature(g):
        return -(plus + minus) * expit(g) * expit(-g)

    return log_p, lambda g: plus * expit(-g) - minus * expit(g), curvature


def waits(k, seconds):
    """The k-th event came after so many seconds, and events come at the rate exp(g)."""

    def hazard(g):
        with np.errstate(over="ignore"):
            return seconds * np.exp(g)

    def log_p(g):
        return k * g - hazard(g) + (k - 1) * np.log(seconds) - gammaln(k)

    return log_p, lambda g: k - hazard(g), lambda g: -hazard(g)


def mostly_careful(y, noise_std, factor, careless):
    """Gaussian noise, `factor` times as large in a share `careless` of the answers. Not log-concave."""
    careful, other = normal(y, noise_std), normal(y, factor * noise_std)

    def log_p(g):
        return np.logaddexp(np.log1p(-careless) + careful[0](g), np.log(careless) + other[0](g))

    def share(g):
        return expit(np.log1p(-careless) + careful[0](g) - np.log(careless) - other[0](g))

    def slope(g):
        return share(g) * careful[1](g) + (1 - share(g)) * other[1](g)

    def curvature(g):
        r = share(g)
        return r * careful[2](g) + (1 - r) * other[2](g) + r * (1 - r) * (careful[1](g) - other[1](g)) ** 2

    return log_p, slope, curvature


TAU_FIRST = ("the two numbers of the site the other way round", "Which comes first, τ or ν?")
VARIANCE_OR_PRECISION = (
    "a variance where a precision belongs",
    "A precision, or a variance? τ multiplies g²: it is large where an answer says much.",
)
MEAN_OR_NU = (
    "a mean in the place of ν",
    "A mean, or τ times a mean? In exp(ν g − ½ τ g²) the peak lies at ν/τ, so that ν alone is no place.",
)
CURVATURE_SIGN = (
    "the right curvature with the wrong sign",
    "At a maximum, which sign has the curvature? A peak gives a positive precision.",
)
LINK = (
    "another link than Φ",
    "Which link does the task name? Φ is the distribution function of a standard normal; σ(g) = 1/(1 + e^−g) is the "
    "logistic one.",
)
LOG_OR_NOT = ("a probability where its logarithm belongs", "p, or log p? Take logarithms first, then differentiate.")

# ---------------------------------------------------------------------------------------------------- 1 choice


choice_task = Task(
    name="choice",
    function="choice_probability",
    arguments=("mean", "variance", "lapse"),
    title="Task 1 · People lapse",
    stars=1,
    minutes=15,
    points=4,
    cases=(
        Case("one item", (array(1.5), array(4), 0.0)),
        Case("by hand", (array(0.6, -1.5), array(0.44, 1.25), 0.1)),
        Case("g is known", (array(0.7, -2), array(0, 0), 0.04)),
        Case("four items", (array(-0.3, 2.2, 0.9, -1.1), array(2.5, 9, 0.3, 6), 0.06)),
        Case("very sure", (array(30, -25), array(4, 9), 0.02)),
    ),
    mistakes=(
        Mistake(
            "Φ of the mean alone",
            "Should uncertainty about g pull p towards ½? An average over g is asked for, not the value at its mean.",
            of=("link of the mean",),
        ),
        Mistake(
            "as if there were no noise in the answer",
            "At variance 0, do you recover Φ(mean)? There are two sources of uncertainty, g and the answer.",
            of=("no 1",),
        ),
        Mistake(
            "the variance in a unit that is not its own",
            "Which unit has the variance? That of g squared. What adds up to it is the variance of the noise, 1.",
            of=("std for variance", "variance squared"),
        ),
        Mistake(
            "as if mean were divided by something else than a standard deviation",
            "What is the standard deviation of g + ε? Φ takes a number of standard deviations.",
            of=("no root", "1 + std"),
        ),
        Mistake(
            "surer than if g were known",
            "Does noise make you surer? The divisor grows with the variance.",
            of=("minus variance",),
        ),
        Mistake(
            *LINK,
            of=(
                "divided by pi/8",
                "logistic with pi/8",
                "logistic of the mean",
                "logistic, averaged",
                "logistic with 1 + v",
            ),
        ),
        Mistake(
            "a density",
            "A density, or a probability? The density at 0 is 0.40 and falls on both sides.",
            of=("density",),
        ),
        Mistake(
            "the probability of −",
            "Which of the two answers is asked for?",
            when=lambda case, got: near(got, 1 - case.expected),
        ),
        Mistake(
            "as if a lapse were never an answer of the other kind",
            "What does somebody do who lapses? One time in two it is a +.",
            of=("no lapses", "a lapse is a minus", "a lapse is a plus"),
        ),
        Mistake(
            "chances that leave something out",
            "Do the probabilities of + and − add up to 1? Write down both: attentive or not, + or −.",
            of=("half the lapses, all the rest", "1 - half"),
        ),
        Mistake(
            "as if λ were the share of answers that are meant",
            "How often does nobody attend? λ is the share of lapses.",
            of=("exchanged",),
        ),
        Mistake(
            "as if a lapse only made g smaller or less certain",
            "Does a lapse depend on g? Somebody who lapses does not look. Where does p end when g is very large?",
            of=("lapses in the mean", "lapses in the variance"),
        ),
        Mistake(
            "what somebody answers who never errs",
            "A decision, or its probability? mean > 0 makes + the likelier answer, not a certain one.",
            of=("decided",),
        ),
        Mistake(
            "logarithms",
            "Probabilities, or their logarithms?",
            when=lambda case, got: near(got, np.log(case.expected)),
        ),
        Mistake(
            "nearly the right numbers",
            "Was it simulated? There is a closed form, which no sample size makes exact.",
            of=("simulated",),
        ),
    ),
    hints=(
        "First without lapses. A + means g + ε > 0 with ε ~ N(0, 1). If g ~ N(m, v) as well, what is the distribution "
        "of g + ε?",
        "g + ε ~ N(m, 1 + v), and the probability that it is above 0 is Φ of its mean in standard deviations.",
        "A lapse happens with probability λ, whatever g is, and is then a + with probability ½. scipy.special.ndtr is "
        "Φ and takes arrays.",
    ),
)

# -------------------------------------------------------------------------------------------------- 2 outliers


outliers = Task(
    name="outliers",
    function="student_t_site",
    arguments=("y", "g", "scale", "degrees"),
    title="Task 2 · An answer that nobody believes",
    stars=2,
    minutes=25,
    points=5,
    cases=(
        Case("by hand", (array(2.5, 4), array(2, 2), 0.5, 3.0)),
        Case("no residual", (array(1.7, -0.4), array(1.7, -0.4), 0.4, 5.0), (array(7.5, 7.5), array(12.75, -3))),
        Case("six answers", (array(0.1, -1.2, 2.9, 0.4, -3, 0.85), array(0.3, -0.9, 0.2, 0.35, 1.1, 0.1), 0.3, 4.0)),
        Case("far away", (array(1000, -40), array(1, -0.5), 0.7, 2.5)),
        Case("nearly Gaussian", (array(0.4, -1), array(0.9, 0.2), 0.6, 1e7)),
    ),
    mistakes=(
        Mistake(*CURVATURE_SIGN, of=("sign of the Hessian", "sign of the Hessian, right ν")),
        Mistake(
            "with negative τ made harmless",
            "What does an outlier say about g? If τ is negative, return it: the posterior is made of all sites and "
            "the prior.",
            of=("clipped", "tiny instead of negative", "absolute"),
        ),
        Mistake(
            "a τ that was made harmless, with the ν of the true one",
            "To which τ does your ν belong? To the negative one, which is right: return that one. All sites and the "
            "prior together are the posterior, and a negative τ says that an outlier makes one less sure.",
            of=("clipped, ν is not", "absolute, ν is not"),
        ),
        Mistake(
            "with the slope of a site that touches at y",
            "At which place does the site touch log p? At g, so that ν = ∂ log p + τ g: y is in the slope already.",
            of=("slope + τ y",),
        ),
        Mistake(
            "the weights of EM",
            "Is this the curvature of log p, or the weight of a Gaussian that touches it? Both find the same mode; "
            "only the curvature says how broad it is.",
            of=("weights of EM",),
        ),
        Mistake(
            "a precision that looks alike for all answers",
            "On average, or for this y? The curvature at this g with this answer is asked for.",
            of=("information", "slope squared"),
        ),
        Mistake(
            "τ with a ν whose slope is wrong",
            "Differentiate exp(ν g − ½ τ g²) at g, after taking its logarithm: what must ν be for the slope to be ∂ "
            "log p?",
            of=("ν is the slope", "ν is τ g", "τ g subtracted"),
        ),
        Mistake(
            "a site that peaks at y",
            "Where is the peak of this site, ν/τ? Only a Gaussian likelihood has its site at y.",
            of=("ν is τ y",),
        ),
        Mistake(
            "as if answers pushed g away",
            "In which direction does an answer above g pull? The residual is y − g, and −1 comes from the inside.",
            of=("residual turned round",),
        ),
        Mistake(*MEAN_OR_NU, of=("a mean instead of ν",)),
        Mistake(*VARIANCE_OR_PRECISION, of=("variances",)),
        Mistake(
            "with something in the wrong unit beside r²",
            "In which unit is r²? In log p it is compared with d s²; scale is s, a standard deviation's cousin.",
            of=("s for s²", "s⁴", "d forgotten beside r²"),
        ),
        Mistake(
            "with another factor",
            "What is the exponent of the density? −(d + 1)/2, and r² has the derivative 2r.",
            of=("d for d + 1", "half"),
        ),
        Mistake(
            "with another curvature",
            "Differentiate once more: the slope (d + 1) r/(d s² + r²) is a quotient. Do finite differences agree with "
            "yours?",
            of=("denominator not squared", "numerator of the product rule lost"),
        ),
        Mistake(*LOG_OR_NOT, of=("derivatives of p",)),
        Mistake(
            "derivatives with respect to another variable",
            "What is the derivative of (y − g)/s? Each derivative brings one more 1/s.",
            of=("in units of s",),
        ),
        Mistake(
            "the sites of a Gaussian likelihood",
            "Does every answer count alike? Here τ depends on the residual.",
            of=("a Gaussian", "a Gaussian of the same variance"),
        ),
        Mistake(*TAU_FIRST, when=lambda case, got: near(got, case.expected[::-1])),
    ),
    hints=(
        "Write r = y − g. Then log p = constant − ½ (d + 1) log(1 + r²/(d s²)). Differentiate in g, remember dr/dg = "
        "−1, and put everything over d s² + r².",
        "∂ log p = (d + 1) r/(d s² + r²). Differentiate this quotient: ∂² log p is (d + 1) times something over (d s² "
        "+ r²)². τ is −∂² log p.",
        "The site's logarithm ν g − ½ τ g² has the slope ν − τ g. Set it equal to ∂ log p and solve for ν.",
    ),
)

# --------------------------------------------------------------------------------------------------- 3 laplace


def evidence_of(change):
    """Whether mode and variance are right and the evidence is what a change of the right one gives."""
    return lambda case, got: near(got[:2], case.expected[:2]) and near(got[2], change(case.expected[2]))


laplace = Task(
    name="laplace",
    function="laplace_one",
    arguments=("log_p", "d1", "d2", "prior_mean", "prior_variance"),
    title="Task 3 · Up the hill, from anywhere",
    stars=3,
    minutes=45,
    points=7,
    cases=(
        Case("by hand", (*normal(2.0, 0.5), 0.5, 2.25), tolerance=1e-6),
        Case("one answer +", (*choice(1), 0.0, 9.0), tolerance=1e-6),
        Case("two kinds of noise", (*mostly_careful(2.0, 0.3, 10, 0.1), 0.5, 2.0), tolerance=1e-6),
        Case("an answer that may be a lapse", (*lapsing_choice(-1, 0.04), 3.0, 9.0), tolerance=1e-6),
        Case("far above", (*waits(3, 2.0), 30.0, 25.0), tolerance=1e-6),
        Case("far below", (*waits(400, 1.5), -6.0, 4.0), tolerance=1e-6),
        Case("hardly believed", (*mostly_careful(1.5, 0.5, 10, 0.1), 0.0, 0.05), tolerance=1e-6),
        Case("many answers, far to the right", (*choices(4, 17), 6.0, 2.5), tolerance=1e-6),
    ),
    mistakes=(
        Mistake(
            "as if it had stopped on the way",
            "What is the slope where you stopped? At the mode it is 0: go on until the steps are tiny.",
            of=("one step", "three steps", "ten steps", "stops early", "the prior mean"),
        ),
        Mistake(
            "nearly right",
            "How exactly do you know the mode? A grid's step and an optimiser's tolerance end at three or four "
            "digits, and six are wanted: go on from there with Newton's steps, until they are tiny.",
            of=("a grid of 201",),
            when=lambda case, got: near(got[0], case.expected[0], 0.01) and not near(got[0], case.expected[0], 1e-7),
        ),
        Mistake(
            "as if a step had gone downhill",
            "Does every one of your steps go up? Print log p(g) + log N(g) after each of them. Where the curvature is "
            "positive, Newton walks towards a valley; where it is small, it walks too far.",
            spares=("by hand", "one answer +"),
            when=lambda case, got: not near(got[0], case.expected[0], 0.01),
        ),
        Mistake(
            "with a variance from another place than the mode",
            "At which place is the curvature taken? At the mode, where the climb ends, not at the prior mean, where "
            "it began.",
            of=("curvature at the prior mean",),
        ),
        Mistake(
            "what comes out without the prior",
            "Where does the prior enter the slope and the curvature? log N(g | m, v) has the slope −(g − m)/v and the "
            "curvature −1/v.",
            of=("likelihood alone", "variance of the likelihood"),
        ),
        Mistake(
            "as if the prior were wider or narrower",
            "What is given, the prior's variance or its standard deviation?",
            of=("variance squared",),
        ),
        Mistake(
            "as if the prior were centred at 0",
            "Where does the prior pull to? To its mean, m.",
            of=("prior centred at 0",),
        ),
        Mistake(
            "the right answer to another question, by integration",
            "Which place on the curve counts here? Laplace looks at one place only, the mode, and at the curvature "
            "there.",
            of=("exact moments", "exact evidence"),
        ),
        Mistake(
            "a sum of two variances",
            "What adds up, precisions or variances? Two sources of knowledge about one number make it more certain.",
            of=("variances added",),
        ),
        Mistake(
            "with a variance that has the wrong sign somewhere",
            "At a maximum, which sign has the curvature? The posterior's precision is −∂² log p + 1/v.",
            of=("sign of the Hessian", "negative"),
        ),
        Mistake(
            "a precision", "A variance, or its inverse?", when=lambda case, got: near(got[1], 1 / case.expected[1])
        ),
        Mistake(
            "a standard deviation",
            "A variance, or its root?",
            when=lambda case, got: near(got[1], np.sqrt(case.expected[1])),
        ),
        Mistake(
            "with an evidence in which something is missing or doubled",
            "Which parts has the integral? log p(mode) + log N(mode | m, v), the height, and ½ log(2π variance), the "
            "width. The Gaussian case is exact: try yours there.",
            of=(
                "height alone",
                "likelihood at the mode",
                "prior left out",
                "prior without its constant",
                "2π once",
                "volume subtracted",
                "volume without half",
            ),
        ),
        Mistake("minus the log evidence", "Which sign has the log evidence here?", when=evidence_of(lambda z: -z)),
        Mistake("the evidence itself", "The evidence, or its logarithm?", when=evidence_of(np.exp)),
    ),
    hints=(
        "Call h(g) = log p(g) − (g − m)²/(2v). Newton's step is −h′/h″. It goes uphill only if h″ < 0; if not, step "
        "along the slope instead, for instance by v · h′, which always has the unit of g.",
        "After choosing a step, look before you go: while h(g + step) is below h(g), halve the step. This alone tames "
        "every start. Begin at the prior mean; repeat until |step| is below 1e-10 or so.",
        "At the mode: variance = 1/(1/v − d2(mode)), and log evidence = log p(mode) + log N(mode | m, v) + ½ log(2π · "
        "variance).",
    ),
)

# -------------------------------------------------------------------------------------------------------- 4 ep

DIVIDE = (
    "moments that are right and a site that is not",
    "What is tilted ÷ cavity? Dividing two Gaussians subtracts precisions, and subtracts mean/variance.",
)


def right_moments(case, got):
    """Whether mean, variance and site are right."""
    return near(got[1:], case.expected[1:], 1e-3)


def largest(case):
    """The largest log weight, log p + log N."""
    log_likelihood, m, v = case.inputs
    g = m + np.sqrt(v) * np.linspace(-10, 10, 100_001)
    return (log_likelihood(g) - 0.5 * (g - m) ** 2 / v - 0.5 * np.log(2 * np.pi * v)).max()


def last_two(change):
    """Whether the moments are right and (τ, ν) is what a change of the right ones gives."""
    return lambda case, got: near(got[:3], case.expected[:3]) and near(got[3:], change(*case.expected[3:]))


ep = Task(
    name="ep",
    function="ep_site",
    arguments=("log_likelihood", "cavity_mean", "cavity_variance"),
    title="Task 4 · The site that moments make",
    stars=2,
    minutes=35,
    points=6,
    cases=(
        Case("by hand", (normal(2.0, 0.5)[0], 0.5, 2.25), (-1.8270838991441, 1.85, 0.225, 4, 8), 1e-6),
        Case("one answer +", (choice(1)[0], 0.0, 9.0), tolerance=1e-6),
        Case("a surprise", (choice(-1)[0], 4.0, 2.25), tolerance=1e-6),
        Case("two kinds of noise", (mostly_careful(4.0, 0.3, 10, 0.1)[0], 1.0, 1.5), tolerance=1e-6),
        Case("3000 answers", (choices(1100, 1900)[0], 1.0, 100.0), tolerance=1e-6),
        Case("a needle", (normal(21.0, 0.002)[0], 1.0, 25.0), tolerance=1e-6),
        Case("hardly anything is known", (choice(1)[0], 40.0, 400.0), tolerance=1e-6),
        Case("nearly all is known", (choice(-1)[0], 0.3, 1e-4), tolerance=1e-6),
        Case("a finer needle", (normal(-5.0, 0.001)[0], 1.0, 9.0), tolerance=1e-6),
    ),
    mistakes=(
        Mistake(
            "a sum that ends too early",
            "How far does the tilted distribution reach? Two standard deviations of the cavity are not enough.",
            of=("a short grid",),
        ),
        Mistake(
            "an average with the wrong scale",
            "What do your weights sum to if the likelihood is 1? And the average of (g − m)² should then be v.",
            of=("no √2", "no √π"),
        ),
        Mistake(
            "as if the cavity had another size",
            "What is given, the cavity's variance or its standard deviation?",
            of=("variance as std", "scale = v", "scale = v, 8 stds", "nodes in units of v"),
        ),
        Mistake(
            "0 where a very small number should be",
            "How small is the product of 3000 probabilities? Keep logarithms, and subtract the largest before exp.",
            spares=("by hand", "a needle"),
            when=lambda case, got: case.name == "3000 answers" and not np.isfinite(got[0]),
        ),
        Mistake(
            "moments of something that does not integrate to 1",
            "What is divided by Z? Every moment: the tilted distribution is p(y | g) N(g)/Z.",
            of=("not divided by Z",),
        ),
        Mistake(
            "Z or −log Z",
            "Z, or log Z? And with which sign?",
            when=lambda case, got: near(got[0], np.exp(case.expected[0])),
        ),
        Mistake(
            "Z or −log Z", "Z, or log Z? And with which sign?", when=lambda case, got: near(got[0], -case.expected[0])
        ),
        Mistake(
            "what the likelihood alone gives",
            "Where does the cavity enter? Every point is weighted with p(y | g) N(g | m, v).",
            of=("likelihood alone",),
        ),
        Mistake(
            "with a log Z that misses a constant",
            "What does the cavity integrate to? A likelihood that is 1 everywhere must give log Z = 0.",
            of=("cavity without its constant",),
        ),
        Mistake(
            "the average of log p",
            "Which of the two is Z? The logarithm of an average is no average of logarithms.",
            of=("average of log p",),
        ),
        Mistake(
            "right moments, and a log Z that lacks the largest weight",
            "What did you subtract before exp, and where is it added again? log Z = largest + log Σ exp(… − largest).",
            when=lambda case, got: right_moments(case, got) and near(got[0], case.expected[0] - largest(case)),
        ),
        Mistake(
            "right moments, and a log Z that depends on the grid",
            "Does your Z change if you take twice as many points? An integral is the sum of the weights times the "
            "step between the points.",
            when=lambda case, got: right_moments(case, got) and not near(got[0], case.expected[0]),
        ),
        Mistake(
            "Laplace's Gaussian",
            "A mean, or a mode? EP keeps mean and variance of the whole tilted distribution.",
            of=("Laplace",),
        ),
        Mistake(
            "a variance about another point",
            "About which point is a variance taken? About the mean of the same distribution.",
            of=("second moment", "about the cavity"),
        ),
        Mistake(
            "a standard deviation",
            "A variance, or its root?",
            when=lambda case, got: near(got[2], np.sqrt(case.expected[2])),
        ),
        Mistake(
            "moments that are right and a difference of variances",
            "What subtracts when one Gaussian is divided by another? Precisions: 1/variance − 1/v, and never "
            "variances.",
            of=("variances subtracted", "variances subtracted, the other way", "difference of variances"),
        ),
        Mistake(*DIVIDE, of=("site is the tilted", "τ alone divided", "multiplied")),
        Mistake(*DIVIDE, when=last_two(lambda tau, nu: (-tau, -nu))),
        Mistake(*MEAN_OR_NU, of=("means subtracted", "τ (tilted mean)")),
        Mistake(*MEAN_OR_NU, when=last_two(lambda tau, nu: (tau, nu / tau))),
        Mistake(*VARIANCE_OR_PRECISION, when=last_two(lambda tau, nu: (1 / tau, nu))),
        Mistake(
            "as if an answer could only make one surer",
            "Can an answer make you less sure? If it contradicts what you thought, yes: let τ be negative.",
            of=("clipped", "variance clipped"),
        ),
        Mistake(*TAU_FIRST, when=last_two(lambda tau, nu: (nu, tau))),
        Mistake(
            "a sum whose points miss the mass",
            "Where is the mass of p(y | g) N(g)? Print the points of your sum that matter, those within exp(−40) of "
            "the largest. How many are there?",
            when=lambda case, got: case.name in ("3000 answers", "a needle") or near(got[:3], case.expected[:3], 0.2),
        ),
    ),
    hints=(
        "Take a grid of g over ± 10 standard deviations of the cavity. Write down log weight = log_likelihood(g) + "
        "log N(g | m, v) for all its points; never exp before the largest of them has been subtracted.",
        "If the likelihood is sharp, few points of the grid carry all the weight. Find those within exp(−50) of the "
        "largest and make a new grid from the first to the last of them, with one step more on each side. Repeat "
        "until many points matter.",
        "log Z is the log of the sum of weights times the step. The mean and the variance are weighted sums divided "
        "by the sum of weights. Then τ = 1/variance − 1/v and ν = mean/variance − m/v.",
    ),
)

# ----------------------------------------------------------------------------------------------- 5 variational


variational = Task(
    name="variational",
    function="variational_step",
    arguments=("y", "mean", "variance", "tau", "nu", "step"),
    title="Task 5 · The site that averages make",
    stars=2,
    minutes=30,
    points=5,
    cases=(
        Case(
            "by hand",
            (array(1, -1), array(0.5, 0.5), array(0, 0), array(0, 0), array(0, 0), 1.0),
            tolerance=1e-6,
        ),
        Case("one answer", (array(-1), array(1.5), array(3), array(0.3), array(-0.2), 1.0), tolerance=1e-6),
        Case(
            "three tenths of a step",
            (
                array(1, -1, -1),
                array(0.8, 0.4, -1.3),
                array(2.25, 0.5, 1.2),
                array(0.5, 0.1, 0.2),
                array(1, -0.6, 0.3),
                0.3,
            ),
            tolerance=1e-6,
        ),
        Case(
            "wide",
            (array(-1, 1), array(3, -2), array(6.25, 2.5), array(0.02, 0.2), array(-0.1, 0.7), 0.6),
            tolerance=1e-6,
        ),
        Case(
            "far out, as in the play below",
            (
                array(1, -1, 1, -1),
                array(1100, 950, -1200, -900),
                array(90, 40, 65, 120),
                array(0.01, 0.2, 0.1, 0.3),
                array(0.4, -0.3, 1, -0.6),
                0.7,
            ),
            tolerance=1e-6,
        ),
    ),
    mistakes=(
        Mistake(
            "as if both answers pulled in the same way",
            "Does an answer of − pull g down? y is −1 or +1 and stands in front of the slope.",
            of=("labels 0 and 1", "label ignored"),
        ),
        Mistake(
            "as if answers pushed g away",
            "Does an answer of − pull g down? At g = 0 its slope is −½.",
            of=("turned round", "slope subtracted"),
        ),
        Mistake(
            "as if expected answers pulled most",
            "How hard does an answer pull that was expected anyway? The slope of −log(1 + e^−yg) vanishes where y g "
            "is large.",
            of=("σ(y g) for σ(−y g)",),
        ),
        Mistake(*CURVATURE_SIGN, of=("label in the curvature", "curvature's sign")),
        Mistake(
            "another link than the logistic one",
            "Which link does the task name? σ(g) = 1/(1 + e^−g), and log p = −log(1 + e^−yg); Φ belongs to Task 1.",
            of=("probit",),
        ),
        Mistake(
            "what is left when e^g was too large",
            "How large is e to the 1000th, for a computer? Infinity, and ∞/∞ is no number: scipy.special.expit never "
            "gets there, and σ(g) σ(−g) is the curvature.",
            when=not_finite,
        ),
        Mistake(*LOG_OR_NOT, of=("derivatives of p",)),
        Mistake(
            "the squares of the slopes",
            "Is the curvature the square of the slope? Only on average over answers, not for this one.",
            of=("squared slopes",),
        ),
        Mistake(
            "the slopes at the mean",
            "Where does the uncertainty about g enter? Averages over N(mean, variance) are asked for. (At the mean "
            "alone stands Laplace.)",
            of=("at the mean",),
        ),
        Mistake(
            "an average with the wrong scale",
            "What does your rule give for the average of 1, and of g²? It should be 1 and mean² + variance.",
            of=("no √2", "no √π"),
        ),
        Mistake(
            "as if g had another spread",
            "What is given, the variance of g or its standard deviation?",
            of=("std for variance", "variance squared"),
        ),
        Mistake(
            "τ with a ν that does not go with it",
            "What is ν of the tangent of a parabola? The site's slope ν − τ g at the mean should be E[∂ log p].",
            of=("τ right, ν with the curvature", "ν is the slope", "ν is τ mean", "ν is τ y"),
        ),
        Mistake(*MEAN_OR_NU, of=("a mean instead of ν",)),
        Mistake(
            "the precision of q in the place of a site",
            "Is this a site, or posterior? The prior has its own precision, which is no answer's.",
            of=("variance added to τ",),
        ),
        Mistake(
            "the right target, mixed otherwise",
            "At step 0, do your sites stay as they are? And at step 1, are the old ones gone, both of them?",
            of=("no damping", "damping turned round", "added", "ν not damped", "τ not damped"),
        ),
        Mistake(
            "a ν in which new and old τ are mixed up",
            "Which τ belongs into the target of ν? The same as in the target of τ, −E[∂²]; mix afterwards.",
            of=("mixed τ in ν", "old τ in ν"),
        ),
        Mistake(*TAU_FIRST, when=lambda case, got: near(got, case.expected[::-1])),
        Mistake(
            "nearly the right averages",
            "How many nodes does your rule have? Double them and see what moves.",
            of=("three nodes", "simulated"),
        ),
    ),
    hints=(
        "For one g: ∂ log p = y σ(−y g) and ∂² log p = −σ(g) σ(−g). scipy.special.expit is σ. Make a table of them "
        "with a row for each answer and a column for each node.",
        "np.polynomial.hermite.hermgauss(64) gives nodes x and weights w for ∫ f(x) e^(−x²) dx. For N(m, v) use g = m "
        "+ √(2v) x and the weights w/√π.",
        "With a = E[∂ log p] and b = −E[∂² log p] the targets are τ = b and ν = a + b · mean. Then mix: (1 − step) · "
        "old + step · target, for both.",
    ),
)

# ---------------------------------------------------------------------------------------------------- 6 counts

FACTORIAL = (
    "with something too large for the computer",
    "How large is 300 factorial? Take the logarithm of each factor: scipy.special.gammaln(y + 1) is log y!.",
)


def shapes(case, got):
    """Whether one of the four has another shape than it should."""
    return any(part.shape != one.shape for part, one in zip(got, case.expected, strict=True))


counts = Task(
    name="counts",
    function="poisson_derivatives",
    arguments=("y", "g"),
    title="Task 6 · How to add a likelihood",
    stars=2,
    minutes=25,
    points=5,
    cases=(
        Case("by hand", (array(0, 3), array(np.log(2), 0))),
        Case("five counts", (array(2, 0, 7, 1, 4), array(0.3, -1.2, 1.6, 2.1, -0.7))),
        Case("300 of them", (array(300, 250), array(5.5, 5.8))),
        Case("next to nothing", (array(0, 1), array(-40, -40))),
        Case("a row for each count, a column for each g", (array([0], [2], [5]), array([-0.5, 0.4, 1.3, 2.0]))),
    ),
    mistakes=(
        Mistake(
            "with another constant in log p",
            "Do the probabilities of all counts add up to 1? Try g = 0: p(0), p(1), p(2) are e⁻¹ times 1, 1, ½.",
            of=("no factorial", "gammaln(y)", "factorial added", "log y for log y!", "Stirling"),
        ),
        Mistake(
            "with the rate on the wrong side",
            "Which sign has the rate in log p? A higher rate makes no event at all less likely.",
            of=("rate added",),
        ),
        Mistake(
            "as if g were not the logarithm of the rate",
            "What is the logarithm of the rate? The rate is exp(g), so that any real g is allowed.",
            of=("log g", "g is the rate", "y times the rate"),
        ),
        Mistake(
            "derivatives in the rate",
            "With respect to which variable? In g: write log p with exp(g) first, then differentiate.",
            of=("in the rate", "y / rate − 1"),
        ),
        Mistake(
            "with another slope",
            "At which rate is a count of 3 most likely? At 3: there the slope is 0, and below it the slope is "
            "positive.",
            of=("slope turned", "y − g"),
        ),
        Mistake(
            "with a curvature turned round",
            "Which sign has the curvature of log p at a peak? All four are derivatives of log p itself.",
            of=("curvature turned", "minus second derivative"),
        ),
        Mistake(
            "the third derivative with the wrong sign",
            "Which sign has the third derivative? It is the derivative of the second, −exp(g), and not of its size.",
            of=("third turned",),
        ),
        Mistake(
            "with a higher derivative that is not one",
            "What is left when y g has been differentiated twice? Take what remains and differentiate exp(g) once "
            "more.",
            of=("no third", "curvature is −1", "curvature with y", "third squared"),
        ),
        Mistake(*FACTORIAL, when=not_finite),
        Mistake(*FACTORIAL, raises=OverflowError),
        Mistake(*LOG_OR_NOT, when=lambda case, got: near(got[0], np.exp(case.expected[0]))),
        Mistake(
            "another rate",
            "Which rate does the task name? exp(g); log(1 + exp(g)) is one that grows more slowly.",
            of=("softplus",),
        ),
        Mistake(
            "a normal density",
            "A count, or a number with decimals? A normal with the same variance is close for large rates only.",
            of=("a normal",),
        ),
        Mistake(
            "four parts whose shapes do not agree",
            "Which shape has each of the four? That of y and g broadcast together, for the engine asks about many g "
            "at once.",
            spares=("by hand",),
            when=shapes,
        ),
    ),
    hints=(
        "A Poisson count with rate r has p(y) = r^y e^(−r)/y!. Put r = exp(g) and take the logarithm: three terms.",
        "y g is linear in g, and exp(g) is its own derivative. log y! is a constant in g; scipy.special.gammaln(y + "
        "1) gives it for any count.",
        "The curvature and the third derivative do not depend on y, so that they come out with the shape of g alone. "
        "np.broadcast_arrays gives y and g one shape, if you let it do so first.",
    ),
)

homework = Homework(choice_task, outliers, laplace, ep, variational, counts, beside=__file__)
check, hint, overview, waits_for = homework.check, homework.hint, homework.overview, homework.waits_for
