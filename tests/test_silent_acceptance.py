"""What was once taken for something else without a word, or refused with words about something else.

`test_bad_input.py` tries one bad value for one argument; here are the cases that need two, or a fitted model.
"""

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError

from course_lessons.hmm.trials import try_recognizer
from course_lessons.i_prefer_b import baselines
from course_lessons.unequal_raters.observers import ObserverGP
from course_lib import datasets, gp, judgments
from course_lib import sequences as seq

PI, A = np.array([0.6, 0.4]), np.array([[0.7, 0.3], [0.2, 0.8]])
B = np.array([[0.5, 0.4, 0.1], [0.1, 0.3, 0.6]])
SYMBOLS = np.array([0, 1, 2, 1, 0, 2, 2])
LENGTHS = [4, 3]
FRAMES = np.random.default_rng(1).normal(size=(12, 2)) + 4 * (np.arange(12) % 2)[:, None]
X, Y = np.linspace(0, 3, 5)[:, None], np.array([0.1, 0.8, 0.4, -0.2, 0.5])
PAIRS = np.array([[0, 1], [2, 1], [3, 4], [4, 0]])


def discrete():
    return seq.DiscreteHMM.from_parameters(PI, A, B)


def continuous():
    return seq.GaussianMixtureHMM(2, topology="ergodic", max_iter=3, tol=1.0).fit([FRAMES])


def mixture():
    return seq.GaussianMixture(2, tol=1.0).fit(FRAMES)


@pytest.mark.parametrize(
    ("make", "name", "value", "use"),
    [
        (discrete, "transmat_", np.full((3, 3), 1 / 3), lambda m: m.decode(SYMBOLS)),
        (discrete, "transmat_", np.full((2, 2), 0.4), lambda m: m.sample(3, rng=1)),
        (discrete, "startprob_", np.array([[0.6, 0.4]]), lambda m: m.score([SYMBOLS])),
        (discrete, "startprob_", np.array([np.nan, 0.4]), lambda m: m.predict_proba(SYMBOLS)),
        (discrete, "emissionprob_", np.full((2, 4), 0.25), lambda m: m.predict([SYMBOLS])),
        (discrete, "transmat_", None, lambda m: m.mean_durations_),
        (continuous, "means_", np.zeros((2, 2)), lambda m: m.score([FRAMES])),
        (continuous, "weights_", np.full((2, 1), 0.5), lambda m: m.decode(FRAMES)),
        (continuous, "covariances_", np.ones((2, 1, 3)), lambda m: m.log_emission(FRAMES)),
        (mixture, "weights_", np.array([0.7, 0.7]), lambda m: m.predict(FRAMES)),
        (mixture, "means_", np.zeros((3, 2)), lambda m: m.score(FRAMES)),
        (mixture, "covariances_", np.ones((2, 2)), lambda m: m.sample(2, rng=1)),
    ],
)
def test_a_fitted_attribute_that_was_set_is_checked_where_it_is_used(make, name, value, use):
    model = make()
    setattr(model, name, value)
    with pytest.raises(ValueError, match=name):
        use(model)


def test_a_model_with_some_attributes_set_is_not_fitted():
    model = seq.DiscreteHMM(2, 3)
    model.startprob_ = PI
    with pytest.raises(NotFittedError, match="transmat_"):
        model.score([SYMBOLS])


@pytest.mark.parametrize(
    "use",
    [
        lambda: seq.DiscreteHMM(2, 3).score([SYMBOLS]),
        lambda: seq.GaussianMixture(2).predict(FRAMES),
        lambda: seq.TemplateRecognizer().predict([FRAMES]),
        lambda: seq.ModelPerWord(seq.DiscreteHMM(2, 3)).predict([SYMBOLS]),
        lambda: seq.BagOfFrames(seq.GaussianMixture(2)).score_samples([FRAMES]),
        lambda: seq.VectorQuantizer(2).transform([FRAMES]),
        lambda: gp.GPRegression().predict(X),
        lambda: gp.LatentGP().evidence_at(np.zeros(2)),
        lambda: judgments.BoundedGP().predict(X),
        lambda: judgments.MultiSampleGP().consensus_interval(),
        lambda: judgments.RaterGP().trust_table(),
        lambda: judgments.RepeatedGP().consensus_interval(),
        lambda: judgments.BoundedRaterGP().rater_precision_,
        lambda: judgments.OrdinalRaterGP().cuts_,
        lambda: ObserverGP().predict(X),
        lambda: judgments.PreferenceGP().predict_preference(X, PAIRS),
        lambda: baselines.BradleyTerry().predict_preference(PAIRS),
        lambda: baselines.DifferenceLogit().predict_preference(X, PAIRS),
    ],
)
def test_a_model_that_was_not_fitted_says_so_in_scikit_learns_way(use):
    with pytest.raises(NotFittedError, match="not fitted yet"):
        use()


def test_hmmlearns_array_and_lengths_are_refused_with_what_to_write():
    column = SYMBOLS[:, None]
    with pytest.raises(ValueError, match=r"np\.split"):
        seq.DiscreteHMM(2, 3).fit(column)
    with pytest.raises(ValueError, match=r"^y .* lengths"):
        seq.DiscreteHMM(2, 3).fit([SYMBOLS], LENGTHS)
    with pytest.raises(ValueError, match=r"np\.split"):
        seq.GaussianMixtureHMM(2).fit(FRAMES)
    with pytest.raises(ValueError, match=r"^y .* lengths"):
        seq.GaussianMixtureHMM(2).fit([FRAMES], [6, 6])
    cut = np.split(SYMBOLS, np.cumsum(LENGTHS)[:-1])
    assert discrete().score_samples(cut).shape == (2,)


def test_an_array_of_equally_long_sequences_is_as_many_sequences():
    many = np.array([[0, 1, 2], [2, 2, 1]])
    np.testing.assert_array_equal(discrete().score_samples(many), discrete().score_samples(list(many)))
    stack = np.stack([FRAMES, FRAMES + 1])
    np.testing.assert_array_equal(seq.dtw_distances(stack), seq.dtw_distances(list(stack)))


@pytest.mark.parametrize("labels", [np.array([[0], [1]]), np.array([[0, 1]]), [0.0, np.nan]])
def test_labels_of_another_shape_are_not_compared_with_each_of_all(labels):
    recordings = [FRAMES[:4], FRAMES[4:]]
    recognizer = seq.TemplateRecognizer().fit(recordings, [0, 1])
    with pytest.raises(ValueError, match="labels"):
        recognizer.score(recordings, labels)
    with pytest.raises(ValueError, match="test_labels"):
        try_recognizer(recognizer, recordings, [0, 1], recordings, labels)


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda: seq.dtw(X, X, open_begin="False"), "open_begin"),
        (lambda: seq.fit_gaussian(FRAMES, unbiased="no"), "unbiased"),
        (lambda: gp.GPRegression(optimize="no").fit(X, Y), "optimize"),
        (lambda: gp.GPRegression(center=1).fit(X, Y), "center"),
        (lambda: seq.DiscreteHMM(2, 3, progress="no").fit([SYMBOLS]), "progress"),
    ],
)
def test_a_text_is_no_flag(call, name):
    with pytest.raises(ValueError, match=f"{name} is .* True or False"):
        call()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: datasets.load_wine().select(None), "indices is None"),
        (lambda: datasets.load_wine().select([0.5]), "indices do not fit"),
        (lambda: seq.medoid({"a": FRAMES}), "sequences .* dict"),
        (lambda: seq.fit_gaussians(FRAMES), "groups must be a list"),
        (lambda: seq.barycenter_average([1.0, 2.0]), r"sequences\[0\] is 1.0"),
        (lambda: seq.DiscreteHMM.from_parameters(PI, A, B[None]), "emissionprob has shape"),
        (lambda: seq.forward(PI, A, np.zeros((2, 5))), "log_emission exchanged"),
        (lambda: seq.DiscreteHMM(2, 3, rng="a").fit([SYMBOLS]), "rng is 'a'"),
        (lambda: gp.GPRegression(noise_std=1e-300).fit(X, Y), "noise_std is 1e-300"),
        (lambda: gp.Gaussian([1.0, 1e-300], [0, 1]), "noise_std"),
    ],
)
def test_an_error_is_about_what_is_wrong(call, message):
    with pytest.raises(ValueError, match=message):
        call()


@pytest.mark.parametrize("theta", [[np.nan, 0.0], [800.0, 0.0]])
def test_theta_is_made_of_logarithms_of_numbers(theta):
    model = gp.GPRegression(gp.SquaredExponential(), optimize=False, noise_prior=gp.Fixed()).fit(X, Y)
    for use in (gp.SquaredExponential().with_theta, model.evidence_at):
        with pytest.raises(ValueError, match="theta"):
            use(theta)


def test_values_behind_a_mask_do_not_come_back():
    hidden = np.ma.array(Y, mask=[0, 1, 0, 0, 0])
    for use in (lambda y: gp.values(X, y), lambda y: gp.GPRegression().fit(X, y), lambda y: seq.fit_gaussian(y)):
        with pytest.raises(ValueError, match="masked array with 1 values masked"):
            use(hidden)
    np.testing.assert_array_equal(gp.values(X, np.ma.array(Y)).y, Y)
    np.testing.assert_array_equal(gp.values(X, hidden.filled(np.nan)).y, Y[[0, 2, 3, 4]])


def test_the_sequences_of_a_codebook_may_be_named():
    codes = seq.VectorQuantizer(2).fit([FRAMES])
    np.testing.assert_array_equal(codes.transform(sequences=[FRAMES])[0], codes.transform([FRAMES])[0])


class Unfinished(gp.Likelihood):
    parameter_names = ("scale",)

    def __init__(self, scale=1.0):
        self.scale = scale

    def derivatives(self, y, g):
        e = (y - g) / self.scale
        return -0.5 * e**2, e / self.scale, np.full_like(e, -(self.scale**-2.0)), np.zeros_like(e)


class Silent(Unfinished):
    parameter_names = ()

    def check(self, y):
        super().check(y)


def test_a_new_likelihood_is_told_what_it_lacks():
    with pytest.raises(NotImplementedError, match=r"Unfinished .*'scale'.*_parameter_derivatives\(name, y, g\)"):
        gp.LatentGP(gp.SquaredExponential(), inference="laplace").fit(gp.values(X, Y, Unfinished()))
    with pytest.raises(NotImplementedError, match=r"Unfinished has no sample\(g, rng\)"):
        Unfinished().sample(Y, 1)
    with pytest.raises(ValueError, match=r"likelihood Silent returns None from check\(y\)"):
        gp.values(X, Y, Silent())


def test_a_recogniser_may_be_given_a_list_only():
    """A DataFrame gives its columns' names to whoever goes through it."""
    with pytest.raises(ValueError, match="recordings"):
        seq.TemplateRecognizer().fit([FRAMES], ["one"]).predict({"one": FRAMES})
