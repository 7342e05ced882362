"""Many people: rows of questions by brute force, and the index kernel by dense algebra."""

import pickle
import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from course_lib import gp
from course_lib.gp import Coregionalization, Fixed, Normal, SquaredExponential
from course_lib.judgments import PreferenceGP, person_pairs, random_pairs
from tests.course_lib.gp_oracles import slopes

ITEMS = np.random.default_rng(0).normal(size=(6, 2))
PEOPLE = np.array([[20.0], [35.0], [50.0]])


def questions(m=40, n=6, people=3, seed=0):
    rng = np.random.default_rng(seed)
    a = rng.integers(n, size=m)
    return np.column_stack([a, (a + rng.integers(1, n, size=m)) % n]), rng.integers(people, size=m)


def choices(pairs, persons, seed=0):
    """Each person likes another direction; 0 and 1 are alike, 2 is against them."""
    tastes = np.array([[1.0, 0.6], [1.0, 0.4], [-1.0, -0.5]])
    gap = np.einsum("kd,kd->k", ITEMS[pairs[:, 1]] - ITEMS[pairs[:, 0]], tastes[persons])
    return np.where(gap + 0.7 * np.random.default_rng(seed).normal(size=len(gap)) > 0, 1, -1)


# --- asked ----------------------------------------------------------------------------------------------


@settings(max_examples=40)
@given(seed=st.integers(0, 10_000), m=st.integers(1, 30), known=st.booleans())
def test_rows_are_the_combinations_that_occur_in_order(seed, m, known):
    pairs, persons = questions(m, seed=seed)
    rows, row_pairs = person_pairs(ITEMS, pairs, persons, PEOPLE if known else None)
    met = sorted({(int(i), int(p)) for pair, p in zip(pairs, persons, strict=True) for i in pair})
    expected = [np.append(ITEMS[i], PEOPLE[p] if known else p) for i, p in met]
    np.testing.assert_array_equal(rows, expected)
    assert row_pairs.shape == (m, 2) and row_pairs.dtype.kind == "i"
    for (a, b), person, (row_a, row_b) in zip(pairs, persons, row_pairs, strict=True):
        who = PEOPLE[person] if known else [person]
        np.testing.assert_array_equal(rows[row_a], np.append(ITEMS[a], who))
        np.testing.assert_array_equal(rows[row_b], np.append(ITEMS[b], who))


def test_one_column_unused_people_and_lists():
    rows, row_pairs = person_pairs([3.0, 5.0, 7.0], [[2, 0], [0, 2]], [7, 2])
    assert rows.tolist() == [[3.0, 2.0], [3.0, 7.0], [7.0, 2.0], [7.0, 7.0]]
    assert row_pairs.tolist() == [[3, 1], [0, 2]]
    rows, _ = person_pairs([3.0, 5.0], [[0, 1]], [1], [10.0, 20.0])
    assert rows.tolist() == [[3.0, 20.0], [5.0, 20.0]]


@pytest.mark.parametrize("of_items", [np.uint8, np.uint16, np.int64, np.uint64])
@pytest.mark.parametrize("of_people", [np.uint8, np.int16, np.int64, np.uint64])
def test_items_and_people_may_be_numbers_of_any_kind(of_items, of_people):
    """250 items times 100 people are more than a byte holds, and uint64 with int64 would make floats."""
    pairs, persons = np.array([(249, 3), (7, 248), (3, 249)]), np.array([99, 4, 99])
    rows, row_pairs = person_pairs(np.arange(250.0), pairs.astype(of_items), persons.astype(of_people))
    assert rows.tolist() == [[3, 99], [7, 4], [248, 4], [249, 99]]
    assert row_pairs.tolist() == [[3, 0], [1, 2], [0, 3]] and row_pairs.dtype == np.int64


@pytest.mark.parametrize(
    ("pair", "person", "words"),
    [
        ((2, 2), 1, r"pairs\[1\] is \(2, 2\): an item cannot be compared with"),
        ((0, 6), 1, r"pairs\[1, 1\] is 6; the items are 0 … 5"),
        ((0, 1), 3, r"persons\[1\] is 3; the people are 0 … 2"),
    ],
)
def test_refusals(pair, person, words):
    with pytest.raises(ValueError, match=words):
        person_pairs(ITEMS, [(0, 1), pair], [0, person], PEOPLE)


# --- one model, or many ---------------------------------------------------------------------------------


ITEM_KERNEL = SquaredExponential(1.5, 1.0).on([0, 1])


def of_people(covariance):
    """An index kernel with exactly this covariance of rank one plus a diagonal."""
    loadings, own = covariance
    kernel = Coregionalization(len(loadings))
    return kernel.with_theta(np.concatenate([loadings, np.log(own)])).on([2])


@pytest.mark.parametrize("inference", ["laplace", "ep", "variational"])
@pytest.mark.filterwarnings("ignore::course_lib.judgments.FloatingItemsWarning")
def test_people_who_share_nothing_are_models_of_their_own(inference):
    pairs, persons = questions()
    y = choices(pairs, persons)
    apart = of_people((np.zeros(3), np.ones(3)))
    model = PreferenceGP(ITEM_KERNEL * apart, inference=inference, optimize=False)
    model.fit(*person_pairs(ITEMS, pairs, persons), y)
    total, kernel = 0.0, SquaredExponential(1.5, 1.0)
    new = np.array([(0, 1), (3, 5)])
    for p in range(3):
        own = PreferenceGP(kernel, inference=inference, optimize=False).fit(
            ITEMS, pairs[persons == p], y[persons == p]
        )
        total += own.log_evidence_
        together = model.predict_preference(*person_pairs(ITEMS, new, np.full(2, p)))
        np.testing.assert_allclose(together, own.predict_preference(ITEMS, new), atol=1e-6)
    assert model.log_evidence_ == pytest.approx(total, abs=1e-6)


def test_people_who_are_all_alike_are_one():
    pairs, persons = questions()
    y = choices(pairs, persons)
    pooled = PreferenceGP(SquaredExponential(1.5, 1.0), optimize=False).fit(ITEMS, pairs, y)
    rows = person_pairs(ITEMS, pairs, persons)
    for kernel in (ITEM_KERNEL, ITEM_KERNEL * of_people((np.ones(3), np.full(3, 1e-12)))):
        model = PreferenceGP(kernel, optimize=False).fit(*rows, y)
        assert model.log_evidence_ == pytest.approx(pooled.log_evidence_, abs=1e-6)
        new = person_pairs(ITEMS, pairs[:5], (persons[:5] + 1) % 3)
        expected = pooled.predict_preference(ITEMS, pairs[:5])
        np.testing.assert_allclose(model.predict_preference(*new), expected, atol=1e-6)


@pytest.mark.filterwarnings("ignore::course_lib.judgments.FloatingItemsWarning")
def test_features_of_people_carry_what_one_says_to_those_who_are_alike():
    pairs, persons = questions(60)
    y = choices(pairs, persons)
    people = np.array([[0.0], [0.1], [5.0]])
    kernel = ITEM_KERNEL * SquaredExponential(1.0, 1.0).on([2])
    seen = persons != 1
    model = PreferenceGP(kernel, optimize=False).fit(*person_pairs(ITEMS, pairs[seen], persons[seen], people), y[seen])
    new, _ = questions(30, seed=4)
    as_first, as_second, as_third = (
        model.predict_preference(*person_pairs(ITEMS, new, np.full(30, p), people)) for p in range(3)
    )
    assert np.abs(as_first - as_second).max() < 0.05
    assert np.corrcoef(as_first, as_third)[0, 1] < -0.5
    stranger = np.vstack([people, [[2.5]]])
    between = model.predict_preference(*person_pairs(ITEMS, new, np.full(30, 3), stranger))
    assert np.abs(between - 0.5).mean() < np.abs(as_first - 0.5).mean()


def test_learned_likeness_of_people_without_features():
    pairs, persons = questions(240, seed=1)
    y = choices(pairs, persons, seed=1)
    held = SquaredExponential(1.0, 2.0).with_priors(variance=Fixed(), lengthscale=Fixed()).on([0, 1])
    kernel = held * Coregionalization(3, rank=1, rng=0).with_priors(loadings=Normal(0, 1)).on([2])
    model = PreferenceGP(kernel).fit(*person_pairs(ITEMS, pairs, persons), y)
    found = model.kernel_.children[1].children[0].covariance
    likeness = found / np.sqrt(np.outer(found.diagonal(), found.diagonal()))
    assert likeness[0, 1] > 0.3 and likeness[0, 2] < -0.3 and likeness[1, 2] < -0.3
    theta = np.concatenate([model.kernel_.theta, model.likelihood_.theta])
    numeric = slopes(lambda t: model.evidence_at(t)[0], theta + 0.1, 1e-4)
    np.testing.assert_allclose(model.evidence_at(theta + 0.1)[1], numeric, atol=1e-5 * (1 + np.abs(numeric).max()))


@pytest.fixture(scope="module")
def of_three():
    """A model of three people whose covariance is an index kernel."""
    pairs, persons = questions()
    kernel = ITEM_KERNEL * Coregionalization(3, rng=0).on([2])
    return PreferenceGP(kernel, optimize=False).fit(*person_pairs(ITEMS, pairs, persons), choices(pairs, persons))


@pytest.mark.parametrize("level", [3.0, -1.0, 0.5])
@pytest.mark.parametrize(
    "act",
    [
        lambda model, rows: model.predict(rows, [(0, 1)]),
        lambda model, rows: model.predict_latent(rows, return_cov=True),
        lambda model, rows: model.predict_preference(rows, [(0, 1)]),
        lambda model, rows: model.ranking(rows),
        lambda model, rows: model.sample(rows),
    ],
)
def test_nothing_is_predicted_for_people_who_do_not_exist(of_three, act, level):
    with pytest.raises(ValueError, match=r"X_new\[:, \[2\]\] .* one column of whole numbers 0 … 2 is needed"):
        act(of_three, [[0.0, 0.0, 0.0], [0.0, 1.0, level]])


def test_centres_of_clusters_are_no_people_but_rows_are():
    pairs, persons = questions()
    rows, row_pairs = person_pairs(ITEMS, pairs, persons)
    y = choices(pairs, persons)
    kernel = ITEM_KERNEL * Coregionalization(3, rng=0).on([2])
    for inference in ("laplace", "variational"):
        sparse = PreferenceGP(kernel, inference=inference, inducing=4, optimize=False, rng=0)
        with pytest.raises(ValueError, match=r"inducing\[:, \[2\]\] .* whole numbers 0 … 2 is needed"):
            sparse.fit(rows, row_pairs, y)
        full = PreferenceGP(kernel, inference=inference, optimize=False).fit(rows, row_pairs, y)
        sparse.set_params(inducing=rows).fit(rows, row_pairs, y)
        assert sparse.log_evidence_ == pytest.approx(full.log_evidence_, abs=1e-6)


# --- the index kernel -----------------------------------------------------------------------------------


LEVELS, OTHERS = np.array([[0.0], [2.0], [1.0], [2.0], [0.0]]), np.array([[1.0], [2.0], [0.0]])
every_rank = pytest.mark.parametrize("rank", [0, 1, 2, 5])


@every_rank
def test_covariance_is_written_out_pair_by_pair(rank):
    kernel = Coregionalization(4, rank, rng=1, variance=0.3)
    W, own = kernel.loadings, kernel.own_variances
    assert W.shape == (4, rank) and own.tolist() == [0.3] * 4

    def k(i, j):
        return sum(W[i, q] * W[j, q] for q in range(rank)) + (own[i] if i == j else 0.0)

    i, j = LEVELS[:, 0].astype(int), OTHERS[:, 0].astype(int)
    np.testing.assert_allclose(kernel(LEVELS, OTHERS), [[k(a, b) for b in j] for a in i])
    np.testing.assert_allclose(kernel(LEVELS), [[k(a, b) for b in i] for a in i])
    np.testing.assert_allclose(kernel.diagonal(LEVELS), [k(a, a) for a in i])
    np.testing.assert_allclose(kernel.covariance, [[k(a, b) for b in range(4)] for a in range(4)])
    assert np.linalg.eigvalsh(kernel.covariance).min() > 0.3 - 1e-9
    np.testing.assert_array_equal(kernel.input_gradient(LEVELS, OTHERS, np.ones((5, 3))), np.zeros((5, 1)))
    assert kernel(np.array([2.0, 1.0])).shape == (2, 2)


@every_rank
@pytest.mark.parametrize("priors", [{}, {"loadings": Fixed()}, {"own_variances": Fixed()}])
def test_slopes(rank, priors):
    kernel = Coregionalization(4, rank, rng=1).with_priors(**priors)
    rng = np.random.default_rng(2)
    theta = kernel.theta + 0.3 * rng.normal(size=len(kernel.theta))
    kernel = kernel.with_theta(theta)
    assert (
        len(theta) == len(kernel.names) == 4 * rank * ("loadings" not in priors) + 4 * ("own_variances" not in priors)
    )
    W, V, w = rng.normal(size=(5, 3)), rng.normal(size=(5, 5)), rng.normal(size=5)
    for found, function in (
        (kernel.cross_gradient(LEVELS, OTHERS, W), lambda k: np.sum(W * k.cross(LEVELS, OTHERS))),
        (kernel.gradient(LEVELS, V), lambda k: np.sum(V * k(LEVELS))),
        (kernel.diagonal_gradient(LEVELS, w), lambda k: np.sum(w * k.diagonal(LEVELS))),
    ):
        numeric = slopes(lambda t, function=function: function(kernel.with_theta(t)), theta)
        np.testing.assert_allclose(found, numeric.reshape(found.shape), rtol=1e-6, atol=1e-7)


def test_copies_priors_and_seeds():
    kernel = Coregionalization(5, rank=2, rng=3).with_priors(loadings=Normal(0, 1))
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(kernel)).covariance, kernel.covariance)
    np.testing.assert_array_equal(Coregionalization(5, 2, rng=3).loadings, kernel.loadings)
    assert (Coregionalization(5, 2, rng=4).loadings != kernel.loadings).all()
    np.testing.assert_allclose(kernel.with_theta(kernel.theta).covariance, kernel.covariance)
    negative = kernel.with_theta(np.concatenate([-np.ones(10), np.zeros(5)]))
    assert (negative.loadings == -1).all() and (negative.own_variances == 1).all()
    numeric = slopes(lambda t: kernel.with_theta(t).log_prior()[0], kernel.theta)
    np.testing.assert_allclose(kernel.log_prior()[1], numeric, atol=1e-8)


@pytest.mark.parametrize("correlation", [0.01, 0.4, 0.99])
def test_it_may_begin_with_a_correlation(correlation):
    covariance = Coregionalization(4, 1, rng=1, variance=7.0, correlation=correlation).covariance
    np.testing.assert_allclose(covariance, correlation + (1 - correlation) * np.eye(4), atol=1e-12)


@pytest.mark.filterwarnings("ignore::course_lib.judgments.FloatingItemsWarning")
def test_a_correlation_lies_between_one_model_for_each_and_one_for_all():
    pairs, persons = questions()
    y = choices(pairs, persons)

    def evidence(correlation):
        kernel = ITEM_KERNEL * Coregionalization(3, correlation=correlation).on([2])
        return PreferenceGP(kernel, optimize=False).fit(*person_pairs(ITEMS, pairs, persons), y).log_evidence_

    own = sum(
        PreferenceGP(SquaredExponential(1.5, 1.0), optimize=False)
        .fit(ITEMS, pairs[persons == p], y[persons == p])
        .log_evidence_
        for p in range(3)
    )
    one = PreferenceGP(SquaredExponential(1.5, 1.0), optimize=False).fit(ITEMS, pairs, y).log_evidence_
    assert evidence(1e-9) == pytest.approx(own, abs=1e-6) and evidence(1 - 1e-9) == pytest.approx(one, abs=1e-6)


@pytest.mark.parametrize(
    ("act", "words"),
    [
        (lambda: Coregionalization(3, correlation=1.0), r"correlation is 1\.0 and rank 1; above 0, below 1"),
        (lambda: Coregionalization(3, rank=2, correlation=0.5), "rank 2; .*one taste"),
        (lambda: Coregionalization(3)([[3.0]]), "from 3 to 3; one column of whole numbers 0 … 2 is needed"),
        (lambda: Coregionalization(3)([[0.0], [-1.0]]), "from -1 to 0; one column of whole numbers"),
        (lambda: Coregionalization(3)([[0.5]]), r"one column of whole numbers 0 … 2 .*by \.on\(\[column\]\)"),
        (lambda: Coregionalization(3)([[0.0, 1.0]]), "X has 2 columns"),
        (
            lambda: PreferenceGP(ITEM_KERNEL * Coregionalization(2).on([2])).fit(
                *person_pairs(ITEMS, [[0, 1], [1, 2]], [0, 2]), [1, 1]
            ),
            "whole numbers 0 … 1 is needed",
        ),
    ],
)
def test_levels_that_do_not_exist_are_refused(act, words):
    with pytest.raises(ValueError, match=words):
        act()


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("seed", [0, *(pytest.param(k, marks=pytest.mark.long) for k in (1, 2, 3))])
def test_restarts_do_not_invent_people(seed):
    rows = np.array([[i, p] for p in range(3) for i in range(2)], dtype=float)
    places = np.add(rows[:4], [0.1, 0.0])
    kernel = gp.SquaredExponential(1.0, 1.0).on(0) * Coregionalization(3, rng=0).on(1)
    model = PreferenceGP(kernel, inducing=places, learn_inducing=True, n_restarts=3, rng=seed)
    model.fit(rows, [(0, 1), (2, 3), (4, 5)], [1, -1, 1])
    assert set(model.inducing_[:, 1]) <= {0.0, 1.0, 2.0}


@pytest.mark.parametrize("last", [-1.0, 0.5, 3.0])
@pytest.mark.parametrize("inference", ["laplace", "variational"])
def test_every_row_is_checked_with_pseudo_inputs_too(last, inference):
    kernel = Coregionalization(3, rng=0)
    model = PreferenceGP(kernel, inference=inference, inducing=[0.0, 1.0, 2.0], optimize=False)
    with pytest.raises(ValueError, match="whole numbers"):
        model.fit([0.0, 1.0, 2.0, last], [(0, 1), (1, 2), (2, 3)], [1, 1, 1])


def test_great_numbers_of_people():
    rows, _ = person_pairs(np.arange(500.0), [(498, 499)], [2 * 10**16])
    assert rows[:, 0].tolist() == [498, 499]


def test_many_people_and_pseudo_inputs_stay_cheap():
    """No search among thousands of rows for items that float: it would take longer than learning, and gigabytes."""
    rng = np.random.default_rng(0)
    X, people = rng.normal(size=(40, 2)), rng.normal(size=(300, 1))
    pairs, persons = random_pairs(40, 3600, rng), np.repeat(np.arange(300), 12)
    y = np.where(X[pairs[:, 1], 0] > X[pairs[:, 0], 0], 1, -1)
    kernel = gp.SquaredExponential(1.0, 1.0).on([0, 1]) * gp.SquaredExponential(1.0, 1.0).on(2)
    tracemalloc.start()
    PreferenceGP(kernel, inducing=rng.normal(size=(20, 3)), optimize=False).fit(
        *person_pairs(X, pairs, persons, people), y
    )
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 200e6
