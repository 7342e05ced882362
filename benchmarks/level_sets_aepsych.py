"""AEPsych's model of a level-set problem, in a Python of its own: AEPsych needs NumPy 1, and course_lib NumPy 2.

python level_sets_aepsych.py reads one JSON object from its input, and writes one line of JSON.

in : X, y (0 or 1), points, asks (whether to time a query), places and known (constraints, or empty), total
    total: whether the whole bound is divided by the number of all data. AEPsych 0.8 divides what answers and
    constraints say by that number, but the divergence and the priors by the number of answers alone: constraints then
    weaken all data
out : mean of f at the points, seconds of the fit and of a query by GlobalMI (or null)
"""

import json
import logging
import sys
import time
import warnings

import torch
from aepsych.acquisition.lookahead import GlobalMI
from aepsych.config import Config
from aepsych.factory.default import default_mean_covar_factory
from aepsych.generators import OptimizeAcqfGenerator
from aepsych.models import GPClassificationModel, gp_classification
from aepsych.models.inducing_points import SobolAllocator


def model_of(given):
    """A model with the priors of Wu et al. (2025), 100 Sobol points and the constraints as inducing points."""
    d = len(given["X"][0])
    lb, ub = -torch.ones(d), torch.ones(d)
    priors = {"lengthscale_prior": "gamma", "fixed_kernel_amplitude": "False", "lb": str([-1] * d), "ub": str([1] * d)}
    mean, kernel = default_mean_covar_factory(Config(config_dict={"default_mean_covar_factory": priors}))
    constraints = {}
    if given["places"]:
        known = torch.tensor(given["known"])
        constraints = {
            "constraint_locations": torch.tensor(given["places"]),
            "constraint_values": torch.special.ndtr(known),
            "constraint_strengths": (0.2 * known.abs() + 0.1) ** 2,
        }
    bounds = torch.stack([lb, ub])
    allocator = SobolAllocator(dim=d, bounds=bounds)
    return GPClassificationModel(d, mean, kernel, inducing_point_method=allocator, inducing_size=100, **constraints)


def divided_by_all(elbo):
    """The same bound, with every part of it divided by the number of all data."""

    def bound(*, num_data, task_indices, **others):
        return elbo(num_data=sum(map(len, task_indices)), task_indices=task_indices, **others)

    return bound


def answered(given):
    """What is written."""
    if given["total"]:
        gp_classification.MixedVariationalELBO = divided_by_all(gp_classification.MixedVariationalELBO)
    model = model_of(given)
    begin = time.process_time()
    model.fit(torch.tensor(given["X"]), torch.tensor(given["y"]))
    fit = time.process_time() - begin
    with torch.no_grad():
        mean, _ = model.predict(torch.tensor(given["points"]))
    query = None
    if given["asks"]:
        d = len(given["X"][0])
        bounds = {"lb": -torch.ones(d), "ub": torch.ones(d)}
        settings = {"target": 0.75, "query_set_size": 256, "lookahead_type": "levelset", **bounds}
        begin = time.process_time()
        OptimizeAcqfGenerator(acqf=GlobalMI, acqf_kwargs=settings, **bounds).gen(1, model)
        query = time.process_time() - begin
    return {"mean": mean.ravel().tolist(), "fit": fit, "query": query}


if __name__ == "__main__":
    torch.set_default_dtype(torch.float64)
    torch.set_num_threads(1)
    torch.manual_seed(0)
    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")
    print(json.dumps(answered(json.load(sys.stdin))))
