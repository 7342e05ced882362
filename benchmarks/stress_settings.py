"""Random settings of the engine, from ordinary to extreme: each number is one, whatever others are drawn."""

from dataclasses import dataclass, replace

import numpy as np

from course_lib import gp
from course_lib.gp.kernel_algebra import ANY_LEVEL
from course_lib.gp.sites import symmetric_root
from course_lib.judgments import Comparison, PreferenceGP, ProbitWithTies, RaterGP

MOST_ITEMS, MOST_ANSWERS, NEW = 60, 90, 6
GAUSSIAN, BOUNDED, CHOICES = ("Gaussian", "groups", "warped"), ("warped", "Beta", "truncated"), ("Probit", "Logit")
LIKELIHOODS = (*GAUSSIAN, "StudentT", "Probit", "Logit", "Ordinal", "Beta", "truncated")
LEAST_DEGREE = 0.03  # noise/signal of a degree's judgement: below, nearly all degrees are 0 or 1, as far as doubles go
OF_VALUES = ("values", "repeated values", "one answer", "all equal")
EACH = 10  # settings: one of them is of a wrapper
WRAPPERS = ("GPRegression", "RaterGP", "PreferenceGP")
COMPARED = ("Compared probit", "Compared logit", "Compared Beta", "Compared ties", "Tied")


@dataclass(frozen=True)
class Setting:
    """One model to be fitted without learning, and where to look at it.

    number; likelihood, views, kernel_name : words;  inference, space : as for LatentGP
    kernel : Kernel;  observations : items, views and answers;  places : (M, D) inducing inputs or None
    X_new (q, D), pairs (p, 2) of its rows;  noise : of an answer's g over the standard deviation of the values f
    wrapper : None, or a model that has a latent GP, and its data;  offset : what it takes off the answers before
    """

    number: int
    likelihood: str
    views: str
    inference: str
    space: str
    kernel: gp.Kernel
    observations: gp.Observations
    places: np.ndarray | None
    X_new: np.ndarray
    pairs: np.ndarray
    noise: float
    wrapper: tuple | None = None
    offset: float = 0.0

    def fitted(self):
        """The model of this setting, fitted without learning."""
        if self.wrapper is not None:
            return self.wrapper[0].fit(*self.wrapper[1])
        settings = {"inference": self.inference, "inducing": self.places, "space": self.space, "optimize": False}
        return gp.LatentGP(self.kernel, **settings).fit(self.observations)

    @property
    def gaussian(self):
        """Whether the posterior is Gaussian, so that all ways of inference are exact."""
        return self.likelihood in GAUSSIAN or self.likelihood == "Gaussian + groups"

    def __str__(self):
        sparse = "" if self.places is None else f", {len(self.places)} inducing inputs"
        name = "" if self.wrapper is None else f"{type(self.wrapper[0]).__name__}: "
        return (
            f"{name}{self.likelihood}, {self.inference} in {self.space} space{sparse}, {self.views}, noise/signal "
            f"{self.noise:.1e}, n = {len(self.observations.X)}, m = {len(self.observations.y)}, {self.kernel!r}"
        )


def setting(seed, number):
    """The setting of this number."""
    rng = np.random.default_rng([seed, number])
    if number % EACH == EACH - 1:
        return _wrapped(rng, number)
    likelihood, inference = _likelihood_and_inference(rng)
    views = _views(rng, likelihood, inference)
    X = _inputs(rng, least=1 if views in OF_VALUES else 2)
    kernel = _kernel(rng, X, likelihood)
    if inference == "inducing variational" and views not in OF_VALUES:
        kernel = _without_white(kernel)  # what is an item's own ties all differences: no sum over answers is left
    signal = float(np.sqrt(kernel.diagonal(X).mean()))
    ratio = 10.0 ** -rng.uniform(0.0, 7.0)
    if likelihood == "Compared Beta":
        ratio = max(ratio, LEAST_DEGREE)
    blocks, width = _blocks(rng, X, kernel, likelihood, views, ratio * signal)
    observations = gp.stack(blocks)
    places = _places(rng, observations.X) if inference.startswith("inducing ") else None
    spaces = ("auto", "auto", "item", "response") if observations.likelihood.log_concave else ("auto", "item")
    return Setting(
        number,
        likelihood,
        views,
        inference.removeprefix("inducing "),
        "auto" if places is not None else str(rng.choice(spaces)),
        kernel,
        observations,
        places,
        *_looked_at(rng, X),
        width / signal,
    )


def _wrapped(rng, number):
    """A setting of a wrapper: what it makes of its data should be the observations, without their mean."""
    name = rng.choice(WRAPPERS)
    X = np.unique(_inputs(rng, least=2), axis=0)
    X = np.concatenate([X, X + 1.0]) if len(X) == 1 else X
    kernel = _without_white(_kernel(rng, X, "Probit" if name == "PreferenceGP" else "Gaussian"))
    signal = float(np.sqrt(kernel.diagonal(X).mean()))
    noise = signal * 10.0 ** -rng.uniform(0.0, 7.0)
    kind, views = {
        "GPRegression": ("Gaussian", "repeated values"),
        "RaterGP": ("groups", "values"),
        "PreferenceGP": ("Compared probit", "differences"),
    }[name]
    (block,), width = _blocks(rng, X, kernel, kind, views, noise)
    inference, offset, X, y = "exact", 0.0, block.X, block.y
    if name == "PreferenceGP":
        inference = str(rng.choice(["laplace", "ep", "variational"]))
        model = PreferenceGP(kernel, inference=inference, noise_std=noise, optimize=False)
        wrapper = model, (X, np.column_stack([block.views.minus, block.views.plus]), y)
        return _looked_at_by(rng, wrapper, offset, number, kind, views, inference, kernel, block, width / signal)
    level = signal * 10.0 ** rng.uniform(-1.0, 3.0)
    if name == "GPRegression":
        X, y = X[block.views.plus], y + level
        block = gp.values(X, y - y.mean(), block.likelihood)
        wrapper = gp.GPRegression(kernel, noise_std=noise, optimize=False), (X, y)
    else:
        noises, groups = block.likelihood.noise_std, block.likelihood.groups
        _, groups = np.unique(groups, return_inverse=True)  # those who answered
        noises, Y = noises[np.unique(block.likelihood.groups)], np.full((len(X), groups.max() + 1), np.nan)
        Y[block.views.plus, groups] = y = y + level
        model = RaterGP(kernel, noise_std=noises, noise_floor=1e-9 * noises.min(), optimize=False)
        told = gp.Gaussian(noises, groups)
        block, wrapper = replace(block, y=y - y.mean(), likelihood=told), (model, (X, Y))
    kernel = kernel + gp.Constant((ANY_LEVEL * y.std()) ** 2)
    signal = float(np.sqrt(kernel.diagonal(X).mean()))
    return _looked_at_by(rng, wrapper, y.mean(), number, kind, views, inference, kernel, block, width / signal)


def _looked_at_by(rng, wrapper, offset, number, likelihood, views, inference, kernel, block, noise):
    """The setting of a wrapper whose latent GP gets this block."""
    seen = _looked_at(rng, block.X)
    words = number, likelihood, views, inference, "auto"
    return Setting(*words, kernel, gp.stack(block), None, *seen, noise, wrapper, offset)


def _likelihood_and_inference(rng):
    likelihood = str(rng.choice([*LIKELIHOODS, "Gaussian", *COMPARED, "Gaussian + Probit", "Gaussian + groups"]))
    rules = ["laplace", "ep", "variational", "inducing variational"]
    if likelihood == "Gaussian":
        rules += ["exact", "inducing fitc", "inducing fitc"]
    elif likelihood in ("groups", "warped", "Gaussian + groups"):
        rules += ["exact"]
    return likelihood, str(rng.choice(rules))


def _views(rng, likelihood, inference):
    compared = ["differences", "repeated differences", "one comparison", "all equal differences"]
    if " + " in likelihood:
        return "both"
    if likelihood in COMPARED:
        return str(rng.choice(compared))
    if inference == "inducing fitc":
        return str(rng.choice(OF_VALUES))
    return str(rng.choice([*OF_VALUES, "repeated values", *compared]))


def _inputs(rng, least):
    """(n, D) inputs: some doubled, some nearly so, some far from 0, some large."""
    n = max(least, int(MOST_ITEMS ** rng.uniform() if rng.random() < 0.3 else rng.integers(3, MOST_ITEMS + 1)))
    X = rng.uniform(-1.0, 1.0, size=(n, rng.integers(1, 4)))
    kind = rng.choice(["plain", "plain", "plain", "equal", "near", "shifted"])
    copies = rng.integers(n, size=max(1, n // 4))
    if kind == "equal":
        X[: len(copies)] = X[copies]
    if kind == "near":
        X[: len(copies)] = X[copies] + 1e-5 * rng.normal(size=(len(copies), X.shape[1]))
    if kind == "shifted":
        X += 10.0 ** rng.uniform(1.0, 6.0)
    return X


def _kernel(rng, X, likelihood):
    most = 2.0 if likelihood in BOUNDED else 4.0  # Φ(g) is 0 or 1, as far as doubles go, from |g| = 38 on
    D, variance, lengthscale = X.shape[1], 10.0 ** rng.uniform(-2.0, most), _lengthscale(rng)
    smooth = gp.SquaredExponential(variance, lengthscale)
    linear = gp.Linear(variance / float((X**2).sum(axis=1).mean()))
    makers = [
        lambda: smooth,
        lambda: gp.SquaredExponential(variance, [_lengthscale(rng) for _ in range(D)]),
        lambda: gp.Matern32(variance, lengthscale),
        lambda: gp.Matern32(variance, [_lengthscale(rng) for _ in range(D)]),
        lambda: smooth + gp.SquaredExponential(variance, lengthscale * 10.0 ** rng.uniform(-1.0, 1.0)),
        lambda: gp.Periodic(variance, 10.0 ** rng.uniform(-0.7, 0.7), 10.0 ** rng.uniform(-0.5, 0.5)),
        lambda: linear,
        lambda: smooth + gp.White(variance * 10.0 ** -rng.uniform(0.0, 6.0)),
        lambda: gp.Matern32(variance, lengthscale) + linear + gp.White(variance * 10.0 ** -rng.uniform(0.0, 6.0)),
        lambda: gp.Constant(variance) + gp.Matern32(variance * 10.0 ** -rng.uniform(0.0, 3.0), lengthscale),
        lambda: smooth * gp.Periodic(1.0, 1.0, 10.0 ** rng.uniform(-0.5, 0.5)),
        lambda: gp.Sum(*(gp.SquaredExponential(variance / D, lengthscale).on(d) for d in range(D))),
    ]
    return makers[rng.integers(len(makers))]()


def _without_white(kernel):
    if type(kernel) is not gp.Sum:
        return kernel
    return gp.Sum(*(part for part in kernel.children if not isinstance(part, gp.White)))


def _lengthscale(rng):
    return float(np.exp(rng.uniform(np.log(0.05), np.log(20.0))))


def _blocks(rng, X, kernel, likelihood, views, noise):
    """(blocks, noise of an answer's g): answers drawn from the model itself."""
    rows, of = gp.items.distinct_rows(X)  # equal inputs are one item
    f = (symmetric_root(kernel(rows)) @ rng.normal(size=len(rows)))[of]
    parts = likelihood.split(" + ")
    kinds = [views] if len(parts) == 1 else ["values", "differences"]
    made = [_block(rng, X, f, name, kind, noise) for name, kind in zip(parts, kinds, strict=True)]
    return [block for block, _ in made], min(width for _, width in made)


def _block(rng, X, f, name, views, noise):
    pairs = _pairs(rng, X, views) if "differences" in views or views == "one comparison" else None
    item = _items(rng, len(X), views) if pairs is None else None
    g = f[item] if pairs is None else f[pairs[:, 1]] - f[pairs[:, 0]]
    likelihood, width = made_likelihood(rng, name, noise, len(g))
    y = likelihood.sample(g, rng)
    if views.startswith("all equal"):
        y = np.full(len(y), EQUAL[name](rng) if name in EQUAL else y[0])
    block = gp.values(X[item], y, likelihood) if pairs is None else gp.differences(X, pairs, y, likelihood)
    return block, width


EQUAL = {
    "Beta": lambda rng: 0.5,
    "truncated": lambda rng: 0.5,
    "warped": lambda rng: 0.5,
    "Compared Beta": lambda rng: 0.5,
    "Compared ties": lambda rng: 0.0,
    "Tied": lambda rng: 0.0,
    "Ordinal": lambda rng: 1.0,
}


def _items(rng, n, views):
    if views == "one answer":
        return rng.integers(n, size=1)
    if views == "repeated values":
        return np.sort(rng.integers(n, size=min(MOST_ANSWERS, int(n * rng.integers(2, 6)))))
    return np.arange(n)


def _pairs(rng, X, views):
    """Pairs of items that differ; in "repeated differences" each comes several times, either way round."""
    n, m = len(X), 1 if views == "one comparison" else int(min(MOST_ANSWERS, rng.integers(1, 2 * len(X) + 1)))
    a = rng.integers(n, size=m)
    pairs = np.column_stack([a, (a + rng.integers(1, n, size=m)) % n])
    if views == "repeated differences":
        pairs = pairs[rng.integers(max(1, m // 3), size=m)]
        turned = rng.random(m) < 0.5
        pairs[turned] = pairs[turned, ::-1]
    return pairs


def made_likelihood(rng, name, noise, m):
    """(likelihood of m answers, the noise that it puts on g); some have a unit of their own, whatever is given."""
    precision = 10.0 ** rng.uniform(0.0, 4.0)
    levels = int(rng.integers(2, 8))
    compared = np.sqrt(2.0) * noise
    makers = {
        "Gaussian": lambda: (gp.Gaussian(noise), noise),
        "groups": lambda: _groups(rng, noise, m),
        "warped": lambda: (gp.WarpedGaussian(noise), noise),
        "StudentT": lambda: (gp.StudentT(noise, 10.0 ** rng.uniform(0.2, 1.5)), noise),
        "Probit": lambda: (gp.Probit(), 1.0),
        "Logit": lambda: (gp.Logit(), 1.0),
        "Ordinal": lambda: (gp.Ordinal(max(3, levels), gaps=10.0 ** rng.uniform(-2.0, 1.0)), 1.0),
        "Beta": lambda: (gp.Beta(precision), 1.25 / np.sqrt(1 + precision)),
        "truncated": lambda: (gp.TruncatedGaussian(precision**0.75), 2.5 / precision**0.75),
        "Tied": lambda: (ProbitWithTies(10.0 ** rng.uniform(-2.0, 1.0)), 1.0),
        "Compared probit": lambda: (Comparison(gp.Probit(), noise), compared),
        "Compared logit": lambda: (Comparison(gp.Logit(), noise), compared),
        "Compared ties": lambda: (Comparison(ProbitWithTies(10.0 ** rng.uniform(-2.0, 1.0)), noise), compared),
        "Compared Beta": lambda: (Comparison(gp.Beta(precision), noise), compared * 1.25 / np.sqrt(1 + precision)),
    }
    return makers[name]()


def _groups(rng, noise, m):
    noises = noise * 10.0 ** rng.uniform(0.0, 2.0, size=3)
    return gp.Gaussian(noises, rng.integers(3, size=m)), float(noises.min())


def _places(rng, X):
    """Inducing inputs: some of the items, all of them, or anywhere."""
    kind = rng.choice(["some", "some", "all", "anywhere"])
    if kind == "all":
        return X.copy()
    chosen = rng.permutation(len(X))[: rng.integers(1, len(X) + 1)]
    if kind == "some":
        return X[chosen]
    return X[chosen] + 0.1 * rng.normal(size=(len(chosen), X.shape[1]))


def _looked_at(rng, X):
    """New inputs, at an item, beside one, among them and outside, and pairs of them."""
    n, D = X.shape
    near = X[rng.integers(n)] + 1e-3 * rng.normal(size=(1, D))
    among = X[rng.integers(n, size=NEW - 3)] + 0.3 * rng.normal(size=(NEW - 3, D))
    X_new = np.concatenate([X[rng.integers(n, size=1)], near, among, X[:1] + 5.0])
    pairs = np.array([(0, 1), (2, 1), (0, NEW - 1), (3, 2)])
    return X_new, pairs
