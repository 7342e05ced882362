"""Small models run on one thread, and what was set before comes back."""

import numpy as np
import pytest
from threadpoolctl import threadpool_info

from course_lib import gp, threads


def numbers():
    return [library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"]


@pytest.fixture(autouse=True)
def two_threads():
    with threads.at_most(2):
        yield


def test_a_limit_holds_inside_and_only_there():
    before = numbers()
    assert before and set(before) <= {1, 2}
    with threads.at_most(1):
        assert set(numbers()) == {1}
        with threads.at_most(None):
            assert set(numbers()) == {1}
    assert numbers() == before


def test_a_small_model_runs_on_one_thread_and_gives_the_others_back():
    seen, before = [], numbers()

    class Watched(gp.SquaredExponential):
        def cross(self, X, Z):
            seen.extend(numbers())
            return super().cross(X, Z)

    X, model = np.arange(6.0)[:, None], gp.GPRegression(Watched())
    model.fit(X, np.sin(X[:, 0]))
    averaged = model.averaged(4, rng=0)
    model.evidence_at(model.latent_._hyperparameters().theta)
    averaged.predict_latent(X + 0.5)
    assert seen and set(seen) == {1}
    assert numbers() == before
