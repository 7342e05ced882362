"""What each method of every model means: what is predicted, what the spread is of, and of which item.

The table is in course_lib/gp/README.md.
"""

import numpy as np
import pytest
from scipy.special import ndtr

from course_lib import gp
from course_lib.judgments import (
    BoundedGP,
    BoundedRaterGP,
    Comparison,
    MultiSampleGP,
    OrdinalRaterGP,
    PreferenceGP,
    RaterGP,
)

SE = gp.SquaredExponential
KERNEL = SE(1.0, 0.8) + gp.White(0.3)
RNG = np.random.default_rng(5)
X = RNG.normal(size=(12, 2))
F = np.sin(2 * X[:, 0]) + X[:, 1]
SURE = gp.Probit()
PAIRS = np.array([(a, b) for a in range(12) for b in range(a) if (a + b) % 3])
CHOICES = np.where(F[PAIRS[:, 1]] + 0.4 * RNG.normal(size=len(PAIRS)) > F[PAIRS[:, 0]], 1.0, -1.0)
ASKED = np.array([(0, 1), (3, 2), (4, 4)])

# Each model, fitted; and the arguments with which its predictions of answers are asked.
MODELS = {
    "LatentGP, values": lambda: (latent(gp.values(X, F, gp.StudentT(0.3))), (X,)),
    "LatentGP, differences": lambda: (latent(gp.differences(X, PAIRS, CHOICES, gp.Probit())), (X, ASKED)),
    "GPRegression": lambda: (gp.GPRegression(KERNEL, noise_std=0.2, optimize=False).fit(X, F), (X,)),
    "BoundedGP": lambda: (BoundedGP(KERNEL, high=10.0, optimize=False).fit(X, 10 * ndtr(F)), (X,)),
    "BoundedRaterGP": lambda: (
        BoundedRaterGP(KERNEL, high=10.0, optimize=False).fit(X, 10 * ndtr(table(3))),
        (X,),
    ),
    "MultiSampleGP": lambda: (MultiSampleGP(KERNEL, noise_std=0.3, optimize=False).fit(X, table(3)), (X,)),
    "RaterGP": lambda: (RaterGP(KERNEL, noise_std=[0.1, 0.3, 1.5], optimize=False).fit(X, table(3)), (X,)),
    "OrdinalRaterGP": lambda: (
        OrdinalRaterGP(KERNEL, optimize=False).fit(X, np.clip(np.round(table(3)) + 2, 0, 4)),
        (X,),
    ),
    "PreferenceGP": lambda: (PreferenceGP(KERNEL, optimize=False).fit(X, PAIRS, CHOICES), (X, ASKED)),
}
every = pytest.mark.parametrize("name", MODELS)


def latent(block):
    return gp.LatentGP(KERNEL, inference="ep", optimize=False).fit(block)


def table(raters):
    return F[:, None] + 0.3 * np.random.default_rng(1).normal(size=(12, raters))


@every
def test_all_models_answer_the_same_questions(name):
    model, _ = MODELS[name]()
    for method in (
        "predict_latent", "predict_difference", "difference_interval", "probability_better", "ranking", "sample",
        "predict", "predict_answer", "answer_interval", "log_predictive_density", "evidence_at",
    ):  # fmt: skip
        assert callable(getattr(model, method)), method


@pytest.mark.parametrize("name", [name for name in MODELS if "Rater" in name])
def test_an_answer_is_a_new_persons_unless_it_is_said_whose(name):
    model, _ = MODELS[name]()
    for method in (model.predict_answer, model.answer_interval):
        np.testing.assert_array_equal(method(X), method(X, rater="new"))
    assert not np.array_equal(model.predict_answer(X), model.predict_answer(X, rater=2))
    with pytest.raises(TypeError, match="positional"):
        model.predict_answer(X, 2)


@every
def test_spread_of_the_expectation_and_spread_of_the_next_answer(name):
    """Var[answer] = Var[expectation] + E[noise]: the second spread is the larger one, round the same mean."""
    model, asked = MODELS[name]()
    expected, known = model.predict(*asked, return_std=True)
    mean, spread = model.predict_answer(*asked)
    np.testing.assert_allclose(mean, expected, atol=1e-7)
    assert (spread > known).all()
    likelihood = model.likelihood_
    if name in ("GPRegression", "MultiSampleGP"):
        np.testing.assert_allclose(np.sqrt(spread**2 - known**2), likelihood.noise_std, rtol=1e-9)


@every
def test_questions_of_f_agree_with_the_joint_gaussian(name):
    model, _ = MODELS[name]()
    mean, cov = model.predict_latent(X, return_cov=True)
    contrast = np.eye(12)[ASKED[:, 1]] - np.eye(12)[ASKED[:, 0]]
    difference, std = model.predict_difference(X, ASKED)
    np.testing.assert_allclose(difference, contrast @ mean, atol=1e-12)
    np.testing.assert_allclose(std**2, np.diagonal(contrast @ cov @ contrast.T), atol=1e-12)
    np.testing.assert_allclose(model.probability_better(X, ASKED[:2]), ndtr(difference[:2] / std[:2]), atol=1e-12)
    assert model.probability_better(X, ASKED)[2] == 0.5
    low, high = model.difference_interval(X, ASKED, confidence=0.9)
    np.testing.assert_allclose([low, high], [difference - 1.6449 * std, difference + 1.6449 * std], atol=1e-4)
    drawn = model.sample(X, 20_000, rng=0)
    np.testing.assert_allclose(drawn.mean(axis=0), mean, atol=0.05)
    best = model.ranking(X, size=20_000, rng=0).best
    np.testing.assert_allclose(best, np.bincount(drawn.argmax(axis=1), minlength=12) / 20_000, atol=0.01)


@every
def test_a_row_is_a_new_item_whatever_rounding_makes_of_it(name):
    """White gives each item something of its own, which no row of inputs asks for, the same bits or not."""
    model, (_, *pairs) = MODELS[name]()
    centre, spread = X.mean(axis=0), X.std(axis=0)
    for rows in (X * (1 + 2e-16), (X - centre) / spread * spread + centre, X + 1e-12):
        for question in ("predict_latent", "predict_answer", "answer_interval"):
            more = () if question == "predict_latent" else pairs
            asked = (getattr(model, question)(inputs, *more) for inputs in (X, rows))
            np.testing.assert_allclose(*asked, rtol=1e-8, atol=1e-9)
    own = model.predict_latent(X, return_cov=True)[1] - model.predict_latent(X + 1e-12, return_cov=True)[1]
    np.testing.assert_allclose(own, 0.0, atol=1e-9)
    assert model.predict_difference(X[[0, 0]], [(0, 1)])[1] == pytest.approx(np.sqrt(2 * 0.3))


@every
def test_items_of_the_fit_are_asked_for_by_their_place_in_it(name):
    """They keep what is their own: what is known of them is the joint posterior of the fit; new ones stand beside."""
    model, (_, *pairs) = MODELS[name]()
    joint, cov = getattr(model, "latent_", model).item_moments()
    joint = joint + getattr(model, "offset_", 0.0)
    assert len(model.items_) == 12
    for chosen in (slice(None), [3, 0, 3], np.arange(12) % 5 == 0, -1):
        item = np.atleast_1d(np.arange(12)[chosen])
        mean, found = model.predict_latent(model.items_[chosen], return_cov=True)
        np.testing.assert_allclose(mean, joint[item], atol=1e-9)
        np.testing.assert_allclose(found, cov[np.ix_(item, item)], atol=1e-9)
        np.testing.assert_allclose(model.predict_latent(model.items_[chosen])[1], np.sqrt(found.diagonal()), atol=1e-9)
    seen, new = model.predict_latent(model.items_)[1], model.predict_latent(X)[1]
    assert (seen < new).all()
    mean, both = model.predict_latent(model.items_[[3, 0]].with_new(X[:2]), return_cov=True)
    np.testing.assert_allclose(mean, [*joint[[3, 0]], *model.predict_latent(X[:2])[0]], atol=1e-9)
    np.testing.assert_allclose(both[:2, :2], cov[np.ix_([3, 0], [3, 0])], atol=1e-9)
    np.testing.assert_allclose(both[2:, 2:], model.predict_latent(X[:2], return_cov=True)[1], atol=1e-9)
    for question in (model.predict, model.predict_answer):
        assert not np.allclose(question(model.items_, *pairs), question(X, *pairs), atol=0.02)


@every
def test_items_that_a_fit_does_not_have_are_refused(name):
    model, _ = MODELS[name]()
    with pytest.raises(ValueError, match="indices do not fit 12 items: index 12 is out of bounds"):
        model.items_[[0, 12]]
    with pytest.raises(ValueError, match=r"indices do not fit 12 items: .*dtype float64"):
        model.items_[[0.0]]
    with pytest.raises(ValueError, match=r"X has 1 columns \(shape \(1, 1\)\), but X of the fit had 2"):
        model.items_.with_new([[1.0]])
    others = gp.GPRegression(KERNEL, optimize=False).fit(X + 1.0, F).items_
    with pytest.raises(ValueError, match=r"X_new holds items of another fit; .* model\.items_"):
        model.predict_latent(others[:3])
    assert model.predict_latent(gp.GPRegression(KERNEL, optimize=False).fit(X, F).items_)[0].shape == (12,)


@every
def test_the_order_of_fitted_items_is_surer_than_that_of_new_ones(name):
    model, _ = MODELS[name]()
    seen, new = (model.ranking(asked, rng=0) for asked in (model.items_, X))
    assert (seen.high - seen.low).mean() < (new.high - new.low).mean()


def test_rows_of_equal_inputs_are_one_item_of_a_function_and_two_of_a_panel():
    twice, answers = np.vstack([X, X[:1]]), np.append(F, F[0] + 1.0)
    one = gp.GPRegression(KERNEL, noise_std=0.2, optimize=False).fit(twice, answers)
    two = MultiSampleGP(KERNEL, noise_std=0.2, optimize=False).fit(twice, answers)
    assert len(one.items_) == len(two.items_) == 13
    assert one.predict_difference(one.items_, [(0, 12)]) == (pytest.approx(0.0), pytest.approx(0.0, abs=1e-6))
    apart, std = two.predict_difference(two.items_, [(0, 12)])
    assert apart[0] > 0.5 and std[0] > 0.1
    np.testing.assert_allclose(two.predict(two.items_), two.consensus_, atol=1e-9)


def test_an_item_that_nobody_answered_to_is_asked_for_by_its_place_too():
    """Nothing is known of its own part, which is one and the same wherever it is asked for; a second block goes on."""
    model = latent(
        [gp.values(X[6:], F[6:], gp.Gaussian(0.2)), gp.differences(X[:6], [(0, 2), (2, 4)], [1.0, 1.0], SURE)]
    )
    assert len(model.items_) == 12 and model.observations_.X.shape == (9, 2)
    asked = model.items_[[7, 7, 9, 6]]
    np.testing.assert_array_equal(asked.X, X[[1, 1, 3, 0]])
    mean, cov = model.predict_latent(asked, return_cov=True)
    np.testing.assert_allclose([mean[0], cov[0, 1], cov[3, 3]], [mean[1], cov[0, 0], cov[3, 3]])
    new = model.predict_latent(X[[1, 3]])
    np.testing.assert_allclose([mean[[0, 2]], np.sqrt(cov.diagonal()[[0, 2]])], new, rtol=1e-9)


def test_a_circle_of_answers_is_told_from_what_white_alone_cannot_say():
    """With White alone all that is known of an item is its own: answered items are ordered, new ones are not."""
    order = np.arange(6.0)[:, None]
    pairs = np.array([(a, b) for b in range(6) for a in range(b)] * 4)
    model = PreferenceGP(gp.White(1.0), optimize=False).fit(order, pairs, np.ones(len(pairs)))
    np.testing.assert_array_equal(model.ranking(model.items_, rng=0).order, [5, 4, 3, 2, 1, 0])
    assert (model.predict_preference(model.items_, [(0, 5), (2, 3)]) > [0.95, 0.65]).all()
    np.testing.assert_allclose(model.predict_preference(order, [(0, 5), (2, 3)]), 0.5, atol=1e-12)


@pytest.mark.parametrize("inference", ["variational", "exact"])
def test_inducing_inputs_keep_what_is_an_items_own(inference):
    """M = n inducing inputs at the items are no approximation: White's part is known of seen items as without them."""
    kernel, noise = SE(1.0, 0.8) + gp.White(0.3), gp.Gaussian(0.2)
    full = gp.LatentGP(kernel, inference="exact", optimize=False).fit(gp.values(X, F, noise))
    model = full
    if inference == "variational":
        model = gp.LatentGP(kernel, inference=inference, inducing=X, optimize=False).fit(gp.values(X, F, noise))
    rows = np.concatenate([X[:4], X[:2], X[:3] + 0.1])
    for asked in (rows, full.items_[[0, 1, 2, 3, 0, 1]].with_new(X[:3] + 0.1)):
        np.testing.assert_allclose(model.predict_latent(asked), full.predict_latent(asked), atol=1e-5)
        one, other = (m.predict_latent(asked, return_cov=True)[1] for m in (model, full))
        np.testing.assert_allclose(one, other, atol=1e-5)


def test_a_block_of_values_has_no_pairs_and_one_of_differences_needs_them():
    blocks = [gp.values(X, F, gp.Gaussian(0.3)), gp.differences(X, PAIRS, CHOICES, gp.Probit())]
    model = latent(blocks)
    for method in (model.predict, model.predict_answer, model.answer_interval):
        assert np.shape(method(X, block=0))[-1] == 12
        assert np.shape(method(X, ASKED, block=1))[-1] == 3
        with pytest.raises(ValueError, match=r"block 0 holds answers to items, and pairs came"):
            method(X, ASKED, block=0)
        with pytest.raises(ValueError, match=r"block 1 holds answers to pairs: give pairs"):
            method(X, block=1)
    with pytest.raises(ValueError, match=r"block 1 holds answers to pairs"):
        model.log_predictive_density(X, np.ones(12), block=1)
    with pytest.raises(ValueError, match=r"block 0 holds answers to items"):
        model.predict_preference(X, ASKED)
    assert model.predict_preference(X, ASKED, block=1).shape == (3,)
    assert model.probability_better(X, ASKED).shape == (3,)


# --- one parameter in two blocks, answers counted, no answers


def shared(sigma=0.5, **names):
    choice, degree = Comparison(gp.Probit(), sigma), Comparison(gp.Beta(8.0), sigma)
    degrees = ndtr(np.clip(F[PAIRS[:, 1]] - F[PAIRS[:, 0]], -2, 2))
    if names:
        choice, degree = choice.sharing(**names), degree.sharing(**names)
    return [gp.differences(X, PAIRS, CHOICES, choice), gp.differences(X, PAIRS, degrees, degree)]


def test_a_shared_parameter_is_one_parameter():
    tied, free = latent(shared(noise_std="sigma")), latent(shared())
    assert tied.log_evidence_ == pytest.approx(free.log_evidence_)
    assert tied.likelihood_.names == ["0.noise_std", "1.0.precision"]
    theta = np.append(tied.kernel_.theta, [-0.3, 2.2])
    both = np.concatenate([tied.kernel_.theta, [-0.3, -0.3, 2.2]])
    (one, slope), (other, slopes) = tied.evidence_at(theta), free.evidence_at(both)
    assert one == pytest.approx(other)
    np.testing.assert_allclose(slope[-2:], [slopes[-3] + slopes[-2], slopes[-1]])
    np.testing.assert_allclose(slope[:-2], slopes[:-3])
    moved = tied.likelihood_.with_theta([-0.3, 2.2])
    assert [part.noise_std for part in moved.children] == pytest.approx([np.exp(-0.3)] * 2)


def test_one_likelihood_in_two_blocks_is_one_set_of_parameters():
    noise = gp.Gaussian(0.4).with_priors(noise_std=gp.Gamma(3, 6))
    halves = [gp.values(X[:6], F[:6], noise), gp.values(X[6:], F[6:], noise)]
    together = gp.values(X, F, noise)
    two, one = (gp.LatentGP(SE(1.0, 0.8), inference="exact").fit(blocks) for blocks in (halves, together))
    assert two.likelihood_.theta.shape == (1,)
    assert two.log_posterior_ == pytest.approx(one.log_posterior_, abs=1e-5)
    assert two.likelihood_.children[1].noise_std == pytest.approx(one.likelihood_.noise_std, rel=1e-3)


def test_shared_parameters_must_begin_alike():
    choice, other = Comparison(gp.Probit(), 0.5), Comparison(gp.Logit(), 0.6)
    blocks = [gp.differences(X, PAIRS, CHOICES, c.sharing(noise_std="sigma")) for c in (choice, other)]
    with pytest.raises(ValueError, match=r"shared parameter 'sigma' begins at two values"):
        gp.stack(blocks)
    other = Comparison(gp.Logit(), 0.5).with_priors(noise_std=gp.Gamma(2, 1)).sharing(noise_std="sigma")
    with pytest.raises(ValueError, match=r"shared parameter 'sigma' has two priors"):
        gp.stack([blocks[0], gp.differences(X, PAIRS, CHOICES, other)])
    with pytest.raises(ValueError, match=r"'precision' is no parameter of Comparison"):
        choice.sharing(precision="nu")
    with pytest.raises(ValueError, match=r"the shared name of noise_std"):
        choice.sharing(noise_std=3)


@pytest.mark.parametrize("inference", ["exact", "laplace", "variational"])
def test_answers_counted_are_answers_repeated(inference):
    times = np.arange(12) % 3
    noise = gp.Gaussian(0.3)
    counted = gp.values(X, F, noise, counts=times)
    repeated = gp.values(np.repeat(X, times, axis=0), np.repeat(F, times), noise)
    blocks = [counted, gp.values(X, F, gp.Gaussian(1.0))], [repeated, gp.values(X, F, gp.Gaussian(1.0))]
    for one, other in ((counted, repeated), blocks):
        fits = [gp.LatentGP(KERNEL, inference=inference, optimize=False).fit(block) for block in (one, other)]
        np.testing.assert_allclose(fits[0].predict_latent(X), fits[1].predict_latent(X), atol=1e-8)
        assert fits[0].log_evidence_ == pytest.approx(fits[1].log_evidence_, abs=1e-6)


def no_pairs(**settings):
    return PreferenceGP(SE(2.0, 1.0), **settings).fit(X, [], [])


@pytest.mark.parametrize("inference", ["laplace", "ep", "variational"])
def test_without_answers_there_is_the_prior(inference):
    model = no_pairs(inference=inference)
    mean, cov = model.predict_latent(X + 0.1, return_cov=True)
    np.testing.assert_allclose(mean, 0.0)
    np.testing.assert_allclose(cov, SE(2.0, 1.0)(X + 0.1), atol=1e-12)
    assert model.log_evidence_ == 0.0
    assert model.kernel_ == SE(2.0, 1.0)
    np.testing.assert_allclose(model.predict_preference(X, ASKED), 0.5)
    assert gp.LatentGP(SE(2.0, 1.0)).fit(gp.values(X, np.full(12, np.nan))).kernel_ == SE(2.0, 1.0)


def test_one_answer_teaches_f_and_no_hyper_parameter():
    model = PreferenceGP(SE(2.0, 1.0)).fit(X, [(0, 1)], [1])
    assert model.kernel_ == SE(2.0, 1.0)
    assert model.converged_
    assert model.predict_preference(X, [(0, 1)]) > 0.6
    thrice = PreferenceGP(SE(2.0, 1.0).with_priors(variance=gp.Gamma(2, 1))).fit(X, [(0, 1)], [1], counts=[3])
    assert thrice.kernel_ != thrice.kernel


EMPTY = (gp.Beta(), gp.TruncatedGaussian(), gp.StudentT(0.3), gp.Ordinal(4), gp.Gaussian(0.3), gp.Logit())


@pytest.mark.parametrize("inference", ["laplace", "ep", "variational"])
@pytest.mark.parametrize("likelihood", EMPTY, ids=repr)
def test_a_block_without_answers_changes_nothing(likelihood, inference):
    """Neither do two likelihoods without any parameter, Probit and Logit, stand in each other's way."""
    given = gp.differences(X, PAIRS, CHOICES, gp.Probit())
    empty = gp.values(X, np.full(12, np.nan), likelihood)
    fits = [gp.LatentGP(KERNEL, inference=inference, optimize=False).fit(b) for b in ([given, empty], given)]
    assert fits[0].log_evidence_ == pytest.approx(fits[1].log_evidence_, abs=1e-9)
    theta = np.concatenate([fits[0].kernel_.theta, likelihood.theta])
    slopes = [fits[0].evidence_at(theta)[1], fits[1].evidence_at(fits[1].kernel_.theta)[1]]
    np.testing.assert_allclose(slopes[0], np.append(slopes[1], np.zeros(len(likelihood.theta))), atol=1e-6)


def test_an_interview_begins_without_warnings(recwarn):
    far = 10.0 * np.arange(8.0)[:, None]
    questions = [(0, 1), (2, 3), (4, 5), (6, 7)]
    for count in range(5):
        PreferenceGP(SE(1.0, 1.0), optimize=False).fit(far, questions[:count], np.ones(count))
    assert not recwarn.list


def test_a_preference_model_takes_a_likelihood_of_its_own():
    degrees = np.clip(np.round(2 + 1.5 * (F[PAIRS[:, 1]] - F[PAIRS[:, 0]])), 0, 4)
    model = PreferenceGP(SE(1.0, 1.0), response=gp.Ordinal(5), optimize=False).fit(X, PAIRS, degrees)
    low, high = model.answer_interval(X, ASKED, confidence=0.8)
    assert set(np.concatenate([low, high])) <= {0.0, 1.0, 2.0, 3.0, 4.0}
    assert model.score(X, PAIRS, degrees) > 0.9
    with pytest.raises(ValueError, match="f and σ would drift together"):
        PreferenceGP(SE(1.0, 1.0), response=Comparison(gp.Ordinal(5), 0.3)).fit(X, PAIRS, degrees)
