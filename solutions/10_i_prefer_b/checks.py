"""The checks of homework 10: for each task the cases you see, the mistakes we know, and hints. No solutions here."""

import numpy as np

from course_lib.homework import Case, Homework, Mistake, Task


def array(*values):
    """A vector of numbers, or a matrix of rows."""
    return np.array(values, dtype=float)


def whole(*values):
    """A vector of whole numbers, or a matrix of rows."""
    return np.array(values, dtype=int)


NAN = np.nan
HAND = "by hand"


# ------------------------------------------------------------------------------------------------ 1 preference

TOGETHER_UP = "values that err together"
KNOWN = "values that are known"
FOR_A = "a is ahead"

NOISES = (
    "as if there were another number of noises",
    "How many noisy judgements are in one comparison? Each of the two adds σ² to the variance.",
)
SWAP = (
    "the probability of a",
    "Swap the pair: what must change? The two probabilities add up to 1; b is the second.",
)
TOGETHER = (
    "as if f(a) and f(b) had another covariance",
    "Do f(a) and f(b) err together? What both have in common drops out of their difference: −2 S_ab.",
)
CHOICE = (
    "as if she judged without noise",
    "The values, or a choice? f(b) > f(a) is one question, what she says another: noise is in it.",
)
UNIT = (
    "with another unit below the line",
    "What unit has the denominator? That of f: a standard deviation, not a variance.",
)
SQUARE = (
    "as if the noise had another size",
    "What unit has noise_std, and what unit a variance? Squares add up, standard deviations do not.",
)
UNSURE = (
    "as if f were known",
    "How sure are you of f(b) − f(a)? Should uncertainty pull the answer towards ½?",
)
LINK = (
    "with another curve",
    "Which curve has a sum of normal noises? A probability is Φ(z): neither its density nor a logistic curve.",
)
MEAN = (
    "as if something else than the difference were seen",
    "What does a choice see of f? Raise both values by 10: nothing may change.",
)

preference = Task(
    name="preference",
    function="preference_probability",
    arguments=("mean", "covariance", "noise_std"),
    title="Task 1 · Will she take b?",
    stars=1,
    minutes=15,
    points=3,
    cases=(
        Case(HAND, (array(1, 4), array([1, 1], [1, 2]), 2.0), 0.8413447460685),
        Case(TOGETHER_UP, (array(0.4, 0.9), array([0.7, 0.6], [0.6, 0.8]), 0.5), 0.7119249389847),
        Case(KNOWN, (array(0.2, 0.7), array([0, 0], [0, 0]), 0.5), 0.7602499389065),
        Case(FOR_A, (array(1.6, -0.5), array([1.4, -0.3], [-0.3, 0.5]), 0.8), 0.1400436054057),
    ),
    mistakes=(
        Mistake(*NOISES, on={TOGETHER_UP: 0.749908}),
        Mistake(*NOISES, on={HAND: 0.766573}),
        Mistake(*NOISES, on={HAND: 0.958368}),
        Mistake(*SWAP, on={HAND: 0.158655}),
        Mistake(*TOGETHER, on={HAND: 0.817144}),
        Mistake(*TOGETHER, on={HAND: 0.79731}),
        Mistake(*TOGETHER, on={HAND: 0.828609}),
        Mistake(*TOGETHER, on={TOGETHER_UP: 0.675962}),
        Mistake(*CHOICE, on={TOGETHER_UP: 0.819345}),
        Mistake(*UNIT, on={HAND: 0.630559}),
        Mistake(*UNIT, on={TOGETHER_UP: 0.691462}),
        Mistake(*SQUARE, on={FOR_A: 0.149841}),
        Mistake(*SQUARE, on={HAND: 0.699246}),
        Mistake(*SQUARE, on={HAND: 0.937392}),
        Mistake(*SQUARE, on={HAND: 0.783366}),
        Mistake(*SQUARE, on={HAND: 0.983053}),
        Mistake(*UNSURE, on={HAND: 0.855578}),
        Mistake(*LINK, on={HAND: 0.731059}),
        Mistake(*LINK, on={HAND: 0.241971}),
        Mistake(*LINK, on={HAND: 1.0}),
        Mistake(*MEAN, on={HAND: 0.908789}),
        Mistake(*MEAN, on={HAND: 0.95221}),
        Mistake(*MEAN, on={HAND: 0.58515}),
        Mistake(*MEAN, on={HAND: 0.310588}),
    ),
    hints=(
        "What is heard of b is f(b) plus a noise, what is heard of a is f(a) plus another noise. b is preferred "
        "if the difference of the two is above 0. Which mean and which variance has this difference?",
        "Var[f(b) − f(a)] = S_aa + S_bb − 2 S_ab, and each of the two noises adds its variance σ².",
        "P(N(m, v) > 0) = Φ(m/√v). The argument of Φ has no unit: difference over standard deviation.",
    ),
)

# ------------------------------------------------------------------------------------------------------ 2 ties

SIX = "six answers"
FAR = "values far apart"
RARE = "ties are rare"

OVERFLOW = (
    "what is left when a number was too large or too small",
    "What does the computer store for e^700 and for e^−800? Stay with logarithms: np.logaddexp.",
)
NOISES_TIES = (
    "with another unit of f",
    "How many noisy judgements are in one comparison? The difference is divided by √2 σ.",
)
SWAP_TIES = (
    "the answer's mirror image",
    "Swap the pair: what must change? +1 means that b, the second, was chosen.",
)
HALF = (
    "as if a difference told more, or less",
    "What are the odds of b to a among the decided? π_b/π_a = e^z: the two exponents differ by z, so each is half "
    "of it.",
)
TIE = (
    "with another weight of a tie",
    "What is the weight of a tie if both items are equally strong, and if one is far stronger? tie · √(π_a π_b), "
    "beside π_a and π_b.",
)
THREE = (
    "as if the three outcomes were not of one kind",
    "What do the three probabilities add up to? All three have the same denominator, and it holds all three weights.",
)
OUTCOME = (
    "as if there were two outcomes only",
    "Is a tie half an answer for each side, or an outcome with a probability of its own?",
)
LOG = (
    "the probability in another dress",
    "A probability, or its logarithm? The natural one, which is never above 0.",
)

ties = Task(
    name="ties",
    function="davidson_logs",
    arguments=("f", "pairs", "y", "noise_std", "tie"),
    title="Task 2 · I cannot tell",
    stars=2,
    minutes=30,
    points=5,
    cases=(
        Case(
            HAND,
            (array(1, 1 + np.log(9)), whole([0, 1], [0, 1], [0, 1]), whole(1, -1, 0), np.sqrt(0.5), 2 / 3),
            array(-0.2876820724518, -2.484906649788, -1.791759469228),
        ),
        Case(
            SIX,
            (
                array(0.4, -1.1, 2.3, 0.9),
                whole([0, 1], [2, 1], [3, 2], [3, 2], [0, 3], [1, 3]),
                whole(1, -1, 0, 1, 0, -1),
                0.8,
                1.4,
            ),
            array(
                -2.012486960531,
                -0.3082925708482,
                -0.9972600041816,
                -0.7150138072645,
                -0.9016199635847,
                -2.326902114212,
            ),
        ),
        Case(
            FAR,
            (array(0, 900, -650), whole([0, 1], [1, 0], [2, 1], [0, 2], [2, 0]), whole(1, 1, 0, -1, 0), 0.6, 0.3),
            array(0, -1060.66017178, -914.5502318369, 0, -384.220145947),
        ),
        Case(
            RARE,
            (array(-0.5, 0.7, 0.1), whole([1, 0], [0, 2], [1, 2]), whole(0, -1, 1), 1.7, 0.004),
            array(-6.247369379345, -0.8276786391846, -0.8276786391846),
        ),
    ),
    mistakes=(
        Mistake(*OVERFLOW, on={FAR: array(NAN, -np.inf, NAN, 0, -np.inf)}),
        Mistake(*OVERFLOW, on={FAR: array(0, -np.inf, -np.inf, 0, -384.22)}),
        Mistake(*OVERFLOW, on={FAR: array(0, -27.631, -27.631, 0, -27.631)}),
        Mistake(*OVERFLOW, on={FAR: array(1e-10, -23.0259, -23.0259, 1e-10, -23.0259)}),
        Mistake(*NOISES_TIES, on={HAND: array(-0.170333, -3.27768, -2.12947)}),
        Mistake(*NOISES_TIES, on={SIX: array(-2.13363, -0.253968, -1.02715, -0.663624, -0.905613, -2.501)}),
        Mistake(*NOISES_TIES, on={HAND: array(-0.417422, -1.97109, -1.59972)}),
        Mistake(*NOISES_TIES, on={SIX: array(-1.90856, -0.365458, -0.973643, -0.76324, -0.898496, -2.178)}),
        Mistake(*SWAP_TIES, on={HAND: array(-2.48491, -0.287682, -1.79176)}),
        Mistake(*HALF, on={HAND: array(-0.0828877, -4.47734, -2.68558)}),
        Mistake(*HALF, on={HAND: array(-0.541297, -1.63991, -1.49607)}),
        Mistake(*TIE, on={HAND: array(-0.169899, -2.36712, -2.77259)}),
        Mistake(*TIE, on={HAND: array(-0.575364, -2.77259, -0.980829)}),
        Mistake(*TIE, on={HAND: array(-0.393043, -2.59027, -1.38629)}),
        Mistake(*TIE, on={HAND: array(-0.565516, -2.76274, -0.997462)}),
        Mistake(*TIE, on={HAND: array(-0.441833, -2.63906, -1.25276)}),
        Mistake(*TIE, on={HAND: array(-0.169899, -2.77259, -2.36712)}),
        Mistake(*THREE, on={HAND: array(-0.287682, -2.48491, -1.38629)}),
        Mistake(*THREE, on={HAND: array(-0.105361, -2.30259, -1.60944)}),
        Mistake(*THREE, on={HAND: array(-0.105361, -2.30259, -1.79176)}),
        Mistake(*THREE, on={HAND: array(0, -2.19722, -1.50408)}),
        Mistake(*OUTCOME, on={HAND: array(-0.105361, -2.30259, -1.20397)}),
        Mistake(*OUTCOME, on={HAND: array(-0.287682, -2.48491, -2.48491)}),
        Mistake(*LOG, on={HAND: array(0.75, 0.0833333, 0.166667)}),
        Mistake(*LOG, on={HAND: array(0.287682, 2.48491, 1.79176)}),
        Mistake(*LOG, on={HAND: array(-0.415037, -3.58496, -2.58496)}),
    ),
    hints=(
        "Divide all three probabilities by √(π_a π_b). Then the weights are e^{z/2} for b, tie for a tie and "
        "e^{−z/2} for a, with z = g/(√2σ): only the difference is left.",
        "Logarithm of the weight of what was answered, minus the logarithm of the sum of all three. The first is "
        "y·z/2, and log tie where y is 0.",
        "np.logaddexp(u, v) is log(eᵘ + eᵛ) without an overflow; call it twice for three.",
    ),
)

# --------------------------------------------------------------------------------------------------- 3 degrees

FIVE = "four items, one pair twice"
SURE = "answers that contradict f"
ROUND = "a round of four"

OFF = (
    "as if something were seen of f besides a difference",
    "What happens to the likelihood if f is raised as a whole? Nothing: the gradient adds up to 0, and so does "
    "each row of W.",
)
SIGN = (
    "the Hessian itself",
    "At a maximum, which sign has a curvature? W is minus the Hessian.",
)
SWAP_DEGREES = (
    "the gradient turned round",
    "Swap the pair: what must change? A degree above ½ wants f(b) to grow and f(a) to shrink.",
)
CHAIN = (
    "a derivative by something else than f",
    "How does the share move with f? One factor φ(z)/(√2σ) for each derivative by μ.",
)
BEND = (
    "another second derivative",
    "Two derivatives of a function of a function: L_μμ μ'² + L_μ μ''. Which sign and which unit has μ''?",
)
DIGAMMA = (
    "with another derivative of log Γ",
    "Which derivative has log Γ(νμ), and which has log Γ(ν(1−μ))? ψ, then ψ₁ = polygamma(1, ·); the inner "
    "derivative of 1 − μ is −1.",
)
NU = (
    "with another power of ν",
    "How often does ν come out of the bracket? Once for each derivative by μ.",
)
ODDS = (
    "as if a degree were read in another way",
    "What does a degree of ½ tell? (νμ − 1) log y + (ν(1−μ) − 1) log(1−y): which sign has the second term by μ?",
)
NOISES_DEGREES = (
    "with another unit of f",
    "How many noisy judgements are in one comparison? z = g/(√2σ).",
)
REPEAT = (
    "as if repeated items or pairs counted once",
    "Is the second answer to the same pair still there? W[a, b] += … with arrays of indices keeps the last only: "
    "np.add.at, a loop, or a matrix M.",
)
SUM = (
    "a mean",
    "A sum over the answers, or a mean? More answers tell more.",
)

degrees = Task(
    name="degrees",
    function="degree_slopes",
    arguments=("f", "pairs", "degrees", "noise_std", "precision"),
    title="Task 3 · How much better, and which way up",
    stars=3,
    minutes=45,
    points=7,
    cases=(
        Case(
            HAND,
            (array(1, 1), whole([0, 1]), array(0.8), 0.5, 2.0),
            (
                array(-1.56426567655, 1.56426567655),
                array([4.188790204786, -4.188790204786], [-4.188790204786, 4.188790204786]),
            ),
            1e-8,
        ),
        Case(
            FIVE,
            (
                array(0.3, -0.4, 1.2, 0.1),
                whole([0, 1], [2, 1], [0, 2], [1, 0], [0, 1]),
                array(0.35, 0.2, 0.9, 0.55, 0.6),
                0.7,
                6.0,
            ),
            (
                array(-7.715950964115, 9.606487841407, -1.890536877292, 0),
                array(
                    [12.61733302495, -7.923321118353, -4.6940119066, 0],
                    [-7.923321118353, 8.922930620392, -0.999609502039, 0],
                    [-4.6940119066, -0.999609502039, 5.693621408639, 0],
                    [0, 0, 0, 0],
                ),
            ),
            1e-8,
        ),
        Case(
            SURE,
            (array(-0.3, 0.5, 0.2), whole([0, 1], [2, 1], [2, 0]), array(0.15, 0.3, 0.85), 0.4, 12.0),
            (
                array(34.1916344404, -27.99882590333, -6.192808537066),
                array(
                    [-27.33939717926, 18.81193338624, 8.527463793019],
                    [18.81193338624, -6.909531267958, -11.90240211828],
                    [8.527463793019, -11.90240211828, 3.374938325259],
                ),
            ),
            1e-8,
        ),
        Case(
            ROUND,
            (array(0.6, 0.2, -0.5, 0.9), whole([0, 1], [1, 2], [2, 3], [3, 0]), array(0.7, 0.1, 0.95, 0.4), 1.3, 3.5),
            (
                array(-1.017379888395, 1.938878732676, -1.605439455381, 0.6839406110994),
                array(
                    [1.652797940038, -0.7670583850726, 0, -0.8857395549651],
                    [-0.7670583850726, 1.852101126752, -1.085042741679, 0],
                    [0, -1.085042741679, 2.264957302055, -1.179914560376],
                    [-0.8857395549651, 0, -1.179914560376, 2.065654115342],
                ),
            ),
            1e-8,
        ),
    ),
    mistakes=(
        Mistake(*OFF, on={HAND: (array(-1.56427, 1.56427), array([4.18879, 4.18879], [4.18879, 4.18879]))}),
        Mistake(*OFF, on={HAND: (array(-1.56427, 1.56427), array([4.18879, 0], [0, 4.18879]))}),
        Mistake(*OFF, on={HAND: (array(-1.56427, 1.56427), array([4.18879, -4.18879], [0, 4.18879]))}),
        Mistake(*OFF, on={HAND: (array(-1.56427, 1.56427), array([4.18879, -8.37758], [-8.37758, 4.18879]))}),
        Mistake(*OFF, on={HAND: (array(1.56427, 1.56427), array([4.18879, -4.18879], [-4.18879, 4.18879]))}),
        Mistake(*SIGN, on={HAND: (array(-1.56427, 1.56427), array([-4.18879, 4.18879], [4.18879, -4.18879]))}),
        Mistake(*SWAP_DEGREES, on={HAND: (array(1.56427, -1.56427), array([4.18879, -4.18879], [-4.18879, 4.18879]))}),
        Mistake(*CHAIN, on={HAND: (array(-2.77259, 2.77259), array([13.1595, -13.1595], [-13.1595, 13.1595]))}),
        Mistake(
            *CHAIN,
            on={
                FIVE: (
                    array(-7.6384, 9.50994, -1.87154, 0),
                    array(
                        [12.365, -7.76485, -4.60013, 0],
                        [-7.76485, 8.74447, -0.979617, 0],
                        [-4.60013, -0.979617, 5.57975, 0],
                        [0, 0, 0, 0],
                    ),
                )
            },
        ),
        Mistake(*CHAIN, on={HAND: (array(-1.96052, 1.96052), array([4.36753, -4.36753], [-4.36753, 4.36753]))}),
        Mistake(*BEND, on={HAND: (array(-1.56427, 1.56427), array([7.42444, -7.42444], [-7.42444, 7.42444]))}),
        Mistake(
            *BEND,
            on={
                FIVE: (
                    array(-7.71595, 9.60649, -1.89054, 0),
                    array(
                        [17.4164, -13.1231, -4.29335, 0],
                        [-13.1231, 17.9216, -4.79848, 0],
                        [-4.29335, -4.79848, 9.09183, 0],
                        [0, 0, 0, 0],
                    ),
                )
            },
        ),
        Mistake(
            *BEND,
            on={
                FIVE: (
                    array(-7.71595, 9.60649, -1.89054, 0),
                    array(
                        [22.2156, -18.3229, -3.8927, 0],
                        [-18.3229, 26.9202, -8.59735, 0],
                        [-3.8927, -8.59735, 12.49, 0],
                        [0, 0, 0, 0],
                    ),
                )
            },
        ),
        Mistake(
            *BEND,
            on={
                FIVE: (
                    array(-7.71595, 9.60649, -1.89054, 0),
                    array(
                        [12.6656, -7.97558, -4.68999, 0],
                        [-7.97558, 9.01337, -1.03779, 0],
                        [-4.68999, -1.03779, 5.72778, 0],
                        [0, 0, 0, 0],
                    ),
                )
            },
        ),
        Mistake(
            *DIGAMMA,
            on={
                FIVE: (
                    array(2.2474, -12.9825, 10.7351, 0),
                    array(
                        [29.7849, -19.4372, -10.3476, 0],
                        [-19.4372, 30.9993, -11.5621, 0],
                        [-10.3476, -11.5621, 21.9097, 0],
                        [0, 0, 0, 0],
                    ),
                )
            },
        ),
        Mistake(
            *DIGAMMA,
            on={
                FIVE: (
                    array(-13.8351, 29.4795, -15.6444, 0),
                    array(
                        [0.490771, -0.15935, -0.331421, 0],
                        [-0.15935, -13.5405, 13.6999, 0],
                        [-0.331421, 13.6999, -13.3685, 0],
                        [0, 0, 0, 0],
                    ),
                )
            },
        ),
        Mistake(
            *DIGAMMA,
            on={
                FIVE: (
                    array(-6.84625, 6.71953, 0.126725, 0),
                    array(
                        [14.3332, -9.02343, -5.30973, 0],
                        [-9.02343, 12.2219, -3.19848, 0],
                        [-5.30973, -3.19848, 8.50822, 0],
                        [0, 0, 0, 0],
                    ),
                )
            },
        ),
        Mistake(*DIGAMMA, on={HAND: (array(-1.56427, 1.56427), array([-1.46987, 1.46987], [1.46987, -1.46987]))}),
        Mistake(*DIGAMMA, on={HAND: (array(-1.56427, 1.56427), array([-6.12203, 6.12203], [6.12203, -6.12203]))}),
        Mistake(*DIGAMMA, on={HAND: (array(-1.56427, 1.56427), array([0, 0], [0, 0]))}),
        Mistake(*NU, on={HAND: (array(-0.782133, 0.782133), array([4.18879, -4.18879], [-4.18879, 4.18879]))}),
        Mistake(*NU, on={HAND: (array(-1.56427, 1.56427), array([2.0944, -2.0944], [-2.0944, 2.0944]))}),
        Mistake(*ODDS, on={HAND: (array(0.251791, -0.251791), array([4.18879, -4.18879], [-4.18879, 4.18879]))}),
        Mistake(*ODDS, on={HAND: (array(2.06785, -2.06785), array([4.18879, -4.18879], [-4.18879, 4.18879]))}),
        Mistake(
            *NOISES_DEGREES, on={HAND: (array(-2.21221, 2.21221), array([8.37758, -8.37758], [-8.37758, 8.37758]))}
        ),
        Mistake(
            *NOISES_DEGREES,
            on={
                FIVE: (
                    array(-5.06343, 4.88845, 0.174981, 0),
                    array(
                        [8.15092, -5.3632, -2.78772, 0],
                        [-5.3632, 6.60744, -1.24424, 0],
                        [-2.78772, -1.24424, 4.03197, 0],
                        [0, 0, 0, 0],
                    ),
                )
            },
        ),
        Mistake(*NOISES_DEGREES, on={HAND: (array(-0.782133, 0.782133), array([1.0472, -1.0472], [-1.0472, 1.0472]))}),
        Mistake(
            *REPEAT,
            on={
                FIVE: (
                    array(-5.75881, 5.75881, -1.89054, 0),
                    array(
                        [4.63529, -4.63529, -4.69401, 0],
                        [-4.63529, 4.63529, -0.99961, 0],
                        [-4.69401, -0.99961, 5.69362, 0],
                        [0, 0, 0, 0],
                    ),
                )
            },
        ),
        Mistake(
            *REPEAT,
            on={
                FIVE: (
                    array(-7.71595, 9.60649, -1.89054, 0),
                    array(
                        [12.6173, -2.72529, -4.69401, 0],
                        [-1.91, 8.92293, -0.99961, 0],
                        [-4.69401, -0.99961, 5.69362, 0],
                        [0, 0, 0, 0],
                    ),
                )
            },
        ),
        Mistake(
            *SUM,
            on={
                FIVE: (
                    array(-1.54319, 1.9213, -0.378107, 0),
                    array(
                        [2.52347, -1.58466, -0.938802, 0],
                        [-1.58466, 1.78459, -0.199922, 0],
                        [-0.938802, -0.199922, 1.13872, 0],
                        [0, 0, 0, 0],
                    ),
                )
            },
        ),
    ),
    hints=(
        "First for one answer and one number g: log p as a function of μ, μ as a function of g. L' = L_μ μ', and "
        "L'' = L_μμ μ'² + L_μ μ''. With z = g/(√2σ): μ' = φ(z)/(√2σ), μ'' = −z φ(z)/(2σ²).",
        "L_μ = ν [log(y/(1−y)) − ψ(νμ) + ψ(ν(1−μ))], and L_μμ = −ν² [ψ₁(νμ) + ψ₁(ν(1−μ))], with ψ = digamma and "
        "ψ₁ = polygamma(1, ·).",
        "Each answer sees f through g = f(b) − f(a). With M = np.eye(n)[b] − np.eye(n)[a] the gradient is Mᵀ L' "
        "and W = −Mᵀ diag(L'') M. (f[b] += … with an array b forgets items that occur twice.)",
    ),
)

# ------------------------------------------------------------------------------------------------------ 4 side

TEN = "ten answers"
FIRST = "towards the first"
SLIP = "one slip of the finger"

SIGN_SIDE = (
    "a bias towards the other side",
    "Whose side gains when c grows? p(b) = Φ((g + c)/(√2σ)): a positive c helps b.",
)
GAP = (
    "as if all items were equally good",
    "If b is truly better, whose merit is it that b was chosen? g belongs into the likelihood of each answer.",
)
NOISES_SIDE = (
    "with another noise",
    "How many noisy judgements are in one comparison? √2 σ is the noise of a difference.",
)
UNIT_SIDE = (
    "in another unit",
    "In which unit is c? It is added to g, so that it has the unit of f; so has its error.",
)
LINK_SIDE = (
    "with a logistic curve",
    "Which curve has a sum of normal noises? Φ.",
)
ERROR = (
    "with another curvature",
    "How does the log likelihood bend at its top? Minus its second derivative, for these answers and at this c: Σ "
    "r (z + r)/(2σ²).",
)
SQUARE_SIDE = (
    "with another power",
    "What unit has a variance, and what unit a standard error? 1/√information.",
)
TAIL = (
    "what is left when Φ was too small",
    "What does the computer store for Φ(−48)? log_ndtr knows its logarithm; φ/Φ is the exponential of a "
    "difference of logarithms.",
)
TOP = (
    "where one step leads",
    "Is the slope zero there? One step of Newton is a good beginning.",
)
FREE = (
    "as if something else were to be learned, or were known",
    "Is anything else unknown, or known beforehand? c alone is fitted, by maximum likelihood.",
)

side = Task(
    name="side",
    function="side_bias",
    arguments=("gap", "y", "noise_std"),
    title="Task 4 · The second one, please",
    stars=2,
    minutes=30,
    points=5,
    cases=(
        Case(HAND, (array(0, 0, 0, 0), whole(1, 1, -1, 1), 0.5), (0.4769362762045, 0.4817633585473), 1e-5),
        Case(
            TEN,
            (array(1.4, -0.6, 0.3, 2.2, -1.7, 0.9, -0.2, 1.1, 0.5, -2.4), whole(1, -1, 1, 1, 1, 1, -1, 1, 1, -1), 1.3),
            (1.079996839503, 0.8648333384518),
            1e-5,
        ),
        Case(
            FIRST,
            (array(3.1, 2.5, 0.4, 1.8, 4.0, 2.9, 0.7), whole(1, -1, -1, 1, 1, -1, -1), 0.8),
            (-2.542594419552, 0.6310547547762),
            1e-5,
        ),
        Case(
            SLIP,
            (array(-48, 0.3, -0.8, 1.2, 0.1, -1.5, 0.6), whole(1, 1, -1, -1, -1, -1, 1), 0.7),
            (9.723242802825, 0.44463186359),
            1e-5,
        ),
    ),
    mistakes=(
        Mistake(*SIGN_SIDE, on={HAND: (-0.476936, 0.481763)}),
        Mistake(*SIGN_SIDE, on={TEN: (1.0645, 0.724609)}),
        Mistake(*GAP, on={TEN: (0.964099, 0.766254)}),
        Mistake(*GAP, on={TEN: (0.814099, 0.766254)}),
        Mistake(*GAP, on={HAND: (0.5, 0.433013)}),
        Mistake(*NOISES_SIDE, on={HAND: (0.337245, 0.340658)}),
        Mistake(*NOISES_SIDE, on={TEN: (1.44136, 1.1721)}),
        Mistake(*NOISES_SIDE, on={HAND: (0.953873, 0.963527)}),
        Mistake(*UNIT_SIDE, on={HAND: (0.67449, 0.481763)}),
        Mistake(*UNIT_SIDE, on={TEN: (0.587441, 0.470407)}),
        Mistake(*UNIT_SIDE, on={HAND: (0.476936, 0.681316)}),
        Mistake(*LINK_SIDE, on={HAND: (0.776836, 0.816497)}),
        Mistake(*ERROR, on={TEN: (1.08, 0.853803)}),
        Mistake(*ERROR, on={HAND: (0.476936, 0.443113)}),
        Mistake(*ERROR, on={TEN: (1.08, 0.937378)}),
        Mistake(*ERROR, on={HAND: (0.476936, 0.5)}),
        Mistake(*ERROR, on={HAND: (0.476936, 0.353553)}),
        Mistake(*SQUARE_SIDE, on={HAND: (0.476936, 0.232096)}),
        Mistake(*SQUARE_SIDE, on={HAND: (0.476936, 4.30856)}),
        Mistake(*SQUARE_SIDE, on={HAND: (0.476936, 2.07571)}),
        Mistake(*TAIL, on={SLIP: (NAN, NAN)}),
        Mistake(*TOP, on={HAND: (0.443113, 0.443113)}),
        Mistake(*FREE, on={HAND: (0.388541, 0.42715)}),
        Mistake(*FREE, on={TEN: (1.1957, 0.918869)}),
    ),
    hints=(
        "z = y (g + c)/(√2σ) for each answer. log Φ(z) is log_ndtr(z); its slope by z is r = φ(z)/Φ(z), its "
        "curvature −r (z + r). By c there comes a factor y/(√2σ) with each derivative.",
        "Far in the tail Φ is stored as 0: r = np.exp(norm.logpdf(z) − log_ndtr(z)).",
        "Newton: add slope/information to c until nothing moves (the log likelihood is concave), with information "
        "= Σ r (z + r)/(2σ²). The standard error is 1/√information at the end.",
    ),
)

# ---------------------------------------------------------------------------------------------------- 5 triads

FIVE_TRIADS = "five items"
SIX_TRIADS = "six items"
NONE = "no circle"

WINS = (
    "with other wins",
    "Who won this answer? y > 0: the second of the pair; y < 0: the first. Every answer has one winner, in "
    "whichever order the pairs come.",
)
CHOOSE = (
    "with another number of triads in order",
    "With how many pairs of opponents does an item with w wins make a triad in which it beats both? Two of w: "
    "w(w−1)/2.",
)
ALL = (
    "as if there were another number of triads",
    "How many triads are there in all? And which of them are circles? Three of n, without order: n(n−1)(n−2)/6; "
    "items are counted from 0.",
)
ODD = (
    "ζ with the other maximum",
    "Is n even or odd? With an even number nobody can win half of the answers.",
)
MOST = (
    "ζ in another unit",
    "How inconsistent can one be at most? ζ is 0 there, and the worst is not that all triads are circles.",
)
DIRECTION = (
    "half of the story",
    "In how many directions can a circle run? 0 beats 1 beats 2 beats 0, or the other way.",
)
SAME = (
    "as if the same circle counted several times",
    "Is it the same circle if you begin at another item? Three items, one triad.",
)
NEIGHBOURS = (
    "as if only neighbours met",
    "Which three items can make a circle? Any three.",
)
UP = (
    "another number for ζ",
    "What is ζ of a listener without circles? 1, and 0 for the most confused one.",
)
CONTRADICT = (
    "a count of answers",
    "Three items, or two? A circle is made of three answers, and none of them alone is wrong.",
)

triads = Task(
    name="triads",
    function="circular_triads",
    arguments=("pairs", "y"),
    title="Task 5 · Round in circles",
    stars=2,
    minutes=25,
    points=5,
    cases=(
        Case(HAND, (whole([0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]), whole(-1, 1, -1, -1, 1, -1)), (2.0, 0.0)),
        Case(
            FIVE_TRIADS,
            (
                whole([3, 1], [0, 1], [4, 0], [2, 0], [1, 2], [3, 0], [4, 1], [2, 3], [4, 2], [3, 4]),
                whole(1, 1, 1, -1, 1, -1, 1, 1, -1, 1),
            ),
            (4.0, 0.2),
        ),
        Case(
            SIX_TRIADS,
            (
                whole(
                    [0, 1],
                    [0, 2],
                    [2, 1],
                    [0, 3],
                    [3, 1],
                    [2, 3],
                    [0, 4],
                    [1, 4],
                    [2, 4],
                    [4, 3],
                    [0, 5],
                    [1, 5],
                    [5, 2],
                    [3, 5],
                    [5, 4],
                ),
                whole(-1, -1, 1, -1, -1, -1, 1, -1, 1, -1, -1, 1, -1, -1, -1),
            ),
            (6.0, 0.25),
        ),
        Case(
            NONE,
            (
                whole([2, 0], [1, 2], [0, 1], [3, 1], [0, 3], [3, 2], [4, 0], [1, 4], [4, 2], [3, 4]),
                whole(-1, 1, -1, -1, 1, 1, -1, 1, 1, -1),
            ),
            (0.0, 1.0),
        ),
    ),
    mistakes=(
        Mistake(*WINS, on={FIVE_TRIADS: (7.0, -0.4)}),
        Mistake(*WINS, on={SIX_TRIADS: (9.0, -0.125)}),
        Mistake(*WINS, on={NONE: (3.0, 0.4)}),
        Mistake(*CHOOSE, on={HAND: (-1.0, 1.5)}),
        Mistake(*CHOOSE, on={HAND: (-4.0, 3.0)}),
        Mistake(*CHOOSE, on={HAND: (0.0, 1.0)}),
        Mistake(*CHOOSE, on={HAND: (-2.0, 2.0)}),
        Mistake(*ALL, on={SIX_TRIADS: (14.0, -0.75)}),
        Mistake(*ALL, on={HAND: (22.0, -10.0)}),
        Mistake(*ALL, on={HAND: (8.66667, -3.33333)}),
        Mistake(*ALL, on={SIX_TRIADS: (1.0, 0.875)}),
        Mistake(*ALL, on={HAND: (-1.0, 2.0)}),
        Mistake(*ODD, on={FIVE_TRIADS: (4.0, 0.0857143)}),
        Mistake(*ODD, on={HAND: (2.0, 0.2)}),
        Mistake(*MOST, on={FIVE_TRIADS: (4.0, 0.6)}),
        Mistake(*MOST, on={FIVE_TRIADS: (4.0, -0.6)}),
        Mistake(*DIRECTION, on={SIX_TRIADS: (3.0, 0.625)}),
        Mistake(*SAME, on={HAND: (6.0, -2.0)}),
        Mistake(*SAME, on={HAND: (12.0, -5.0)}),
        Mistake(*NEIGHBOURS, on={SIX_TRIADS: (2.0, 0.75)}),
        Mistake(*UP, on={HAND: (2.0, 1.0)}),
        Mistake(*UP, on={FIVE_TRIADS: (4.0, 0.4)}),
        Mistake(*UP, on={FIVE_TRIADS: (4.0, -0.8)}),
        Mistake(*UP, on={FIVE_TRIADS: (4.0, 20.0)}),
        Mistake(*CONTRADICT, on={HAND: (1.0, 0.5)}),
    ),
    hints=(
        "Three items are either in order, then one of them beats the two others; or they go round in a circle, "
        "then none does.",
        "An item with w wins beats both others in w(w−1)/2 triads. So the triads in order are the sum of that, "
        "and all others are circles.",
        "The winner of each answer is np.where(y > 0, pairs[:, 1], pairs[:, 0]), and np.bincount counts the wins. "
        "At most (n³ − n)/24 circles if n is odd, (n³ − 4n)/24 if it is even.",
    ),
)

# ------------------------------------------------------------------------------------------------------ 6 step

FOUR = "four items"
TWICE = "a pair in two rows"
FAR_STEP = "far from the answers"

DAMPING = (
    "as if λ did something else",
    "What should a large λ do? It makes the step short and keeps the system positive: + λI on both sides. (What "
    "happens to the printed −λ when it meets a smallest eigenvalue?)",
)
BOTH = (
    "a step that does not stop at the mode",
    "If f is the mode already, does your step stay there? At the mode ∇log p = f/s². Put that in: the right side "
    "must be the left matrix times f.",
)
ALONE = (
    "as if something were seen of f besides a difference",
    "What happens to the likelihood if f is raised as a whole? Nothing: the gradient adds up to 0, and so does "
    "each row of W.",
)
UPHILL = (
    "another direction",
    "Does the log posterior rise along your step? ∇ points uphill, and W, minus the Hessian, has no negative "
    "eigenvalue.",
)
PRIOR = (
    "as if the prior were stronger or weaker",
    "What is the precision of a prior with the standard deviation s? 1/s², for each item.",
)
NOISES_STEP = (
    "with another unit of f",
    "How many noisy judgements are in one comparison? z = (f(b) − f(a))/(√2σ).",
)
UNITS = (
    "derivatives by z, not by f",
    "How often does 1/(√2σ) come out? Once for each derivative by f.",
)
COUNTS = (
    "as if other answers had been given",
    "How many answers does a row of wins hold? wins[k, 0] for a and wins[k, 1] for b; each counts as often as it "
    "was given.",
)
SWAP_STEP = (
    "as if the winners had lost",
    "Swap the pair: what must change? The first column of wins is that of a.",
)
LOSING = (
    "as if an answer for a were minus an answer for b",
    "What does an answer for a say? log Φ(−z), whose slope is −φ(z)/Φ(−z): a surprise pulls harder than an answer "
    "that was expected.",
)
BEND_STEP = (
    "with another curvature",
    "What is the slope of φ/Φ? −r (z + r), and for an answer for a with −z in the place of z.",
)
STEP = (
    "the way",
    "The new f, or the way to it? The new one is asked for.",
)
ONE = (
    "the end of the climb",
    "One step, or all of them? One; the notebook walks on.",
)
REPEAT_STEP = (
    "as if repeated items counted once",
    "Is the second row of the same item still there? W[a, b] += … with arrays of indices keeps the last only.",
)
TAIL_STEP = (
    "what is left when Φ was too small",
    "What does the computer store for Φ(−46)? 0, and 0/0 is no number. Stay with logarithms.",
)

step = Task(
    name="step",
    function="strength_step",
    arguments=("f", "pairs", "wins", "noise_std", "prior_std", "damping"),
    title="Task 6 · A step uphill",
    stars=3,
    minutes=40,
    points=7,
    cases=(
        Case(
            HAND,
            (array(0, 0), whole([0, 1]), whole([1, 3]), np.sqrt(0.5), 0.5, 1.0),
            array(-0.1581071766388, 0.1581071766388),
            1e-6,
        ),
        Case(
            FOUR,
            (
                array(0.4, -0.7, 1.1, 0.2),
                whole([0, 1], [1, 2], [3, 2], [0, 3]),
                whole([3, 1], [2, 5], [0, 4], [6, 2]),
                0.8,
                1.5,
                0.6,
            ),
            array(0.3653954203489, -0.05600180970754, 0.7190518868918, -0.4539774124267),
            1e-6,
        ),
        Case(
            TWICE,
            (array(-0.3, 0.9, 0.5), whole([0, 1], [2, 1], [1, 0]), whole([2, 2], [4, 1], [0, 3]), 1.4, 0.7, 2.5),
            array(0.08597009450496, 0.05533390371638, 0.4643139793068),
            1e-6,
        ),
        Case(
            FAR_STEP,
            (array(18, -21, 2), whole([0, 1], [1, 2], [2, 0]), whole([1, 4], [2, 0], [3, 5]), 0.6, 2.0, 0.3),
            array(0.1183190934849, -0.6099561035189, -0.05381753542072),
            1e-6,
        ),
    ),
    mistakes=(
        Mistake(*DAMPING, on={FOUR: array(1.1453, 0.992604, 1.51954, 0.199704)}),
        Mistake(*DAMPING, on={FOUR: array(0.207639, -0.101537, 0.562514, -0.668615)}),
        Mistake(*DAMPING, on={HAND: array(-0.1371, 0.1371)}),
        Mistake(*DAMPING, on={HAND: array(-0.0877475, 0.0877475)}),
        Mistake(*BOTH, on={FOUR: array(-0.785188, -1.15174, -0.226676, -1.69354)}),
        Mistake(*BOTH, on={FOUR: array(0.0771433, -0.168864, 0.281823, -0.764571)}),
        Mistake(*BOTH, on={FOUR: array(0.221269, -0.112433, 0.500438, -0.609274)}),
        Mistake(*BOTH, on={FOUR: array(0.544989, 0.139571, 0.982334, -0.316894)}),
        Mistake(*BOTH, on={FOUR: array(0.0721555, 0.685799, -0.219012, -0.538943)}),
        Mistake(*BOTH, on={FOUR: array(0.258635, -0.0978027, 0.557115, -0.569012)}),
        Mistake(*ALONE, on={FOUR: array(0.606478, 0.128629, 0.609434, -0.350468)}),
        Mistake(*ALONE, on={FOUR: array(0.6385, 0.454961, 0.214847, -0.306676)}),
        Mistake(*ALONE, on={HAND: array(0.319154, 0.319154)}),
        Mistake(*UPHILL, on={FOUR: array(0.221084, -1.4276, 1.15708, 0.623908)}),
        Mistake(*UPHILL, on={HAND: array(17.1665, -17.1665)}),
        Mistake(*UPHILL, on={FOUR: array(1.66562, 3.02183, -1.02586, -3.08713)}),
        Mistake(*PRIOR, on={HAND: array(-0.261904, 0.261904)}),
        Mistake(*PRIOR, on={HAND: array(-0.242041, 0.242041)}),
        Mistake(*PRIOR, on={HAND: array(-0.251581, 0.251581)}),
        Mistake(*PRIOR, on={FOUR: array(0.343294, -0.0806068, 0.672264, -0.461267)}),
        Mistake(*PRIOR, on={HAND: array(-0.224979, 0.224979)}),
        Mistake(*NOISES_STEP, on={HAND: array(-0.148609, 0.148609)}),
        Mistake(*NOISES_STEP, on={HAND: array(-0.149524, 0.149524)}),
        Mistake(*NOISES_STEP, on={FOUR: array(0.403072, -0.12707, 0.791173, -0.492708)}),
        Mistake(*UNITS, on={FOUR: array(0.374875, 0.0340922, 0.69028, -0.524779)}),
        Mistake(*UNITS, on={FOUR: array(0.355122, -0.127337, 0.748442, -0.401759)}),
        Mistake(*UNITS, on={FOUR: array(0.353213, -0.119585, 0.752198, -0.411358)}),
        Mistake(*COUNTS, on={HAND: array(0, 0)}),
        Mistake(*COUNTS, on={HAND: array(-0.0635943, 0.0635943)}),
        Mistake(*COUNTS, on={HAND: array(-0.127189, 0.127189)}),
        Mistake(*COUNTS, on={HAND: array(-0.271398, 0.271398)}),
        Mistake(*COUNTS, on={FOUR: array(0.790636, -0.834091, 1.13606, -0.518141)}),
        Mistake(*SWAP_STEP, on={FOUR: array(-0.108588, 0.289238, -0.215754, 0.609572)}),
        Mistake(*LOSING, on={FOUR: array(0.928286, -1.13567, 1.01581, -0.233957)}),
        Mistake(*LOSING, on={FOUR: array(0.769699, -1.0668, 1.13059, -0.259023)}),
        Mistake(*LOSING, on={FOUR: array(0.479113, 0.0265347, 0.467614, -0.398794)}),
        Mistake(*BEND_STEP, on={FOUR: array(0.321036, -0.304145, 1.09996, -0.542386)}),
        Mistake(*BEND_STEP, on={FOUR: array(0.257883, -0.21758, 1.40805, -0.873886)}),
        Mistake(*BEND_STEP, on={FOUR: array(0.374203, 0.130077, 0.543347, -0.473159)}),
        Mistake(*STEP, on={FOUR: array(-0.0346046, 0.643998, -0.380948, -0.653977)}),
        Mistake(*ONE, on={HAND: array(-0.178948, 0.178948)}),
        Mistake(*REPEAT_STEP, on={FOUR: array(-286.155, -267.185, -383.293, -260.021)}),
        Mistake(*TAIL_STEP, on={FAR_STEP: array(NAN, NAN, NAN)}),
    ),
    hints=(
        "With z = (f(b) − f(a))/(√2σ) a row of wins has the log likelihood wins_a log Φ(−z) + wins_b log Φ(z). "
        "Its slope by z is wins_b r(z) − wins_a r(−z) with r = φ/Φ; minus its curvature wins_b r(z)(z + r(z)) + "
        "wins_a r(−z)(−z + r(−z)).",
        "Divide the slope by √2σ and the curvature by 2σ². With M = np.eye(n)[b] − np.eye(n)[a]: ∇ = Mᵀ slope, W "
        "= Mᵀ diag(curvature) M. r(z) = np.exp(norm.logpdf(z) − log_ndtr(z)) does not break in the tail.",
        "The prior's precision is I/s². One np.linalg.solve: (I/s² + W + λI) new = (W + λI) f + ∇.",
    ),
)

homework = Homework(preference, ties, degrees, side, triads, step)
check, hint, overview, waits_for = homework.check, homework.hint, homework.overview, homework.waits_for
