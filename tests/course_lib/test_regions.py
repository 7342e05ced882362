"""Regions of the inputs: each kind against what it should find; new inputs; what does not settle; what is refused."""

import re
import warnings

import numpy as np
import pytest
from sklearn import cluster
from sklearn.exceptions import ConvergenceWarning

from course_lib.judgments import RaterGP, find_regions
from course_lib.judgments.panels.regions import Regions

CENTRES = np.array([[5.0, 0.0], [0.0, 0.0], [2.0, 6.0]])
TRUE = np.tile([0, 1, 2], 12)
X = CENTRES[TRUE] + 0.3 * np.random.default_rng(0).normal(size=(36, 2))
ORDER = np.array([2, 0, 1])  # clusters are numbered from left to right


def test_no_regions_are_one():
    found = find_regions(None, X)
    assert found.n_regions == 1 and not found.labels.any() and isinstance(found, Regions)
    np.testing.assert_array_equal(found.of([[1e9, -1e9], [0, 0]]), [0, 0])


@pytest.mark.parametrize("kind", [3, np.int64(3), "affinity"])
@pytest.mark.parametrize("rng", [None, 0, 1, 2])
def test_clusters_are_found_and_numbered_from_left_to_right(kind, rng):
    found = find_regions(kind, X, rng)
    assert found.n_regions == 3
    np.testing.assert_array_equal(found.labels, ORDER[TRUE])
    np.testing.assert_array_equal(found.of(X), found.labels)


@pytest.mark.parametrize("kind", [3, "affinity", ORDER[TRUE]])
def test_new_inputs_belong_to_the_nearest(kind):
    found = find_regions(kind, X, 0)
    np.testing.assert_array_equal(found.of(CENTRES + 0.5), ORDER)
    np.testing.assert_array_equal(found.of([[1e6, 0.0], [-1e6, 0.0], [0.0, 1e6]]), [2, 0, 1])


def test_labels_are_kept_and_a_new_input_follows_its_nearest_item():
    labels = np.array([1, 0, 1, 0, 2])
    found = find_regions(labels, np.arange(5.0))
    np.testing.assert_array_equal(found.labels, labels)
    assert found.n_regions == 3
    np.testing.assert_array_equal(found.of([-7.0, 0.4, 0.6, 2.9, 3.6, 100.0]), [1, 1, 0, 0, 2, 2])
    np.testing.assert_array_equal(find_regions(labels.tolist(), np.arange(5.0)).labels, labels)


def test_the_nearest_centre_is_the_rule_of_k_means():
    data = np.random.default_rng(3).normal(size=(40, 2))
    found = find_regions(5, data, 0)
    centres = np.array([data[found.labels == k].mean(axis=0) for k in range(5)])
    new = np.random.default_rng(4).normal(size=(50, 2))
    distance = np.linalg.norm(new[:, None] - centres, axis=2)
    np.testing.assert_array_equal(found.of(new), distance.argmin(axis=1))
    assert (np.diff(centres[:, 0]) > 0).all()


@pytest.mark.parametrize("kind", [4, "affinity"])
def test_the_same_seed_gives_the_same_regions(kind):
    data = np.random.default_rng(3).uniform(size=(30, 2))
    one, other = (find_regions(kind, data, 7) for _ in range(2))
    np.testing.assert_array_equal(one.labels, other.labels)
    generator = find_regions(kind, data, np.random.default_rng(7))
    np.testing.assert_array_equal(one.labels, generator.labels)


def test_the_seed_settles_ties():
    line = np.linspace(0, 1, 3)[:, None]
    for seed in range(3):
        found = {tuple(find_regions("affinity", line, seed).labels) for _ in range(20)}
        assert len(found) == 1


def test_affinity_propagation_that_does_not_settle_says_so_and_gives_one_region(monkeypatch):
    class Restless(cluster.AffinityPropagation):
        def __init__(self, damping=0.5, max_iter=None, random_state=None):
            super().__init__(damping=damping, max_iter=2, random_state=random_state)

    monkeypatch.setattr(cluster, "AffinityPropagation", Restless)
    with pytest.warns(ConvergenceWarning, match="all items make one region; choose a number of regions"):
        found = find_regions("affinity", np.random.default_rng(0).normal(size=(40, 2)), 0)
    assert found.n_regions == 1 and not found.labels.any()
    assert not found.of(X).any()


def test_messages_that_swing_are_damped(monkeypatch):
    class Swinging(cluster.AffinityPropagation):
        def __init__(self, damping=0.5, max_iter=None, random_state=None):
            super().__init__(damping=damping, max_iter=2 if damping == 0.5 else 500, random_state=random_state)

    settled = find_regions("affinity", X, 0)
    monkeypatch.setattr(cluster, "AffinityPropagation", Swinging)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        np.testing.assert_array_equal(find_regions("affinity", X, 0).labels, settled.labels)


@pytest.mark.filterwarnings("ignore:All samples have mutually equal similarities")
@pytest.mark.parametrize("data", [[[0.0]], [[0.0], [0.0], [0.0]], [[0.0], [1.0]]])
def test_affinity_of_hardly_any_items(data):
    found = find_regions("affinity", data, 0)
    assert len(found.labels) == len(data)
    np.testing.assert_array_equal(found.of(data), found.labels)


def test_one_region_for_each_different_item():
    found = find_regions(3, [[2.0], [0.0], [2.0], [1.0]], 0)
    np.testing.assert_array_equal(found.labels, [2, 0, 2, 1])


def test_the_model_uses_them_for_items_that_are_new():
    rng = np.random.default_rng(0)
    z = np.sin(X[:, 0])
    noise = np.array([[0.1, 0.8], [0.8, 0.1], [0.4, 0.4]])[ORDER[TRUE]]
    model = RaterGP(regions=3, nugget_std=0.1, rng=0).fit(X, z[:, None] + noise * rng.normal(size=(36, 2)))
    std = [model.predict_answer([[-3.0, 0.0], [9.0, 0.0]], rater=rater)[1] for rater in (0, 1)]
    latent = model.predict([[-3.0, 0.0], [9.0, 0.0]], return_std=True)[1]
    for r in (0, 1):
        np.testing.assert_allclose(std[r] ** 2 - latent**2, model.rater_std_[[0, 2], r] ** 2, rtol=1e-8)


def test_nothing_warns_where_all_is_well():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for kind in (None, 3, "affinity", TRUE):
            find_regions(kind, X, 0)


BAD = {
    "none": (0, "regions is 0; a whole number of at least 1"),
    "negative": (-2, "regions is -2; a whole number of at least 1"),
    "too many": (37, "regions is 37, but X has only 36 different rows"),
    "a boolean": (True, "regions is True; a whole number"),
}


@pytest.mark.parametrize(("regions", "message"), BAD.values(), ids=BAD)
def test_errors_name_the_argument(regions, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        find_regions(regions, X)


def test_inputs_that_cannot_be_are_refused():
    with pytest.raises(ValueError, match=re.escape("X_new[0, 1] is inf")):
        find_regions(3, X, 0).of([[0.0, np.inf]])
    with pytest.raises(ValueError, match="regions is 3, but X has only 2 different rows"):
        find_regions(3, [[0.0], [0.0], [1.0]])
