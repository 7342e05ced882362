"""Hyper-parameters with names, as one vector of logarithms: what an optimiser moves.

Kernels and likelihoods are built on it. They never change: `with_theta` makes a new one.

Lecture: 05, section 5; 06, section 2.
"""

import copy
from types import MappingProxyType
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from course_lib import validation
from course_lib.gp.priors import Fixed, Flat

LARGEST_LOG = float(np.log(validation.LARGEST_NUMBER))


class Parametrized:
    """Something with named hyper-parameters. To the optimiser they are one vector θ: logarithms of the free ones.

    A subclass lists in `parameter_names` the attributes that are its parameters, each a number or an array, all
    positive except those listed in `signed_names`. `children` are parts with parameters of their own. θ holds its own
    parameters first, then those of its children.
    """

    parameter_names = ()
    signed_names = ()
    children = ()
    priors = MappingProxyType({})
    shared_names = MappingProxyType({})

    def with_priors(self, **priors: object) -> Self:
        """A copy whose parameters carry these priors; `Fixed()` holds a parameter where it is.

        A prior is one of `course_lib.gp.priors`, by name of the parameter; those not named keep what they have.
        """
        for name, prior in priors.items():
            self._check_name(name)
            validation.has_methods(
                prior, ("log_density",), f"the prior of {name}", "one such as Gamma(3, 6) or Fixed()"
            )
        changed = copy.copy(self)
        changed.priors = {**self.priors, **priors}
        return changed

    def sharing(self, **names: str) -> Self:
        """A copy whose parameters have these names (`noise_std="sigma"`); parameters of one name are one."""
        for name, label in names.items():
            self._check_name(name)
            validation.text(label, f"the shared name of {name}")
        changed = copy.copy(self)
        changed.shared_names = {**self.shared_names, **names}
        return changed

    def _check_name(self, name):
        if name not in self.parameter_names:
            raise ValueError(
                f"{name!r} is no parameter of {type(self).__name__}; "
                f"it has {', '.join(map(repr, self.parameter_names)) or 'none of its own'}."
            )

    def _free(self):
        return [name for name in self.parameter_names if not isinstance(self.priors.get(name), Fixed)]

    def _gathered(self, of):
        """P things, one for each element of θ: what of(part, name) lists for a free parameter, part after part."""
        mine = [thing for name in self._free() for thing in of(self, name)]
        return mine + [thing for child in self.children for thing in child._gathered(of)]

    @property
    def theta(self):
        """(P,) free parameters, as logarithms where they are positive."""
        return np.array(self._gathered(Parametrized._inner), dtype=float)

    def _inner(self, name):
        value = np.ravel(getattr(self, name)).astype(float)
        return value if name in self.signed_names else np.log(value)

    @property
    def n_free(self):
        """P, the number of elements of θ."""
        return sum(np.size(getattr(self, name)) for name in self._free()) + sum(c.n_free for c in self.children)

    @property
    def are_logarithms(self):
        """(P,) whether an element of θ is the logarithm of a positive parameter, and not a signed one."""
        return np.array(self._gathered(lambda part, name: part._all(name, name not in part.signed_names)), dtype=bool)

    @property
    def have_priors(self):
        """(P,) whether an element of θ has a prior, and not a flat one."""
        known = self._gathered(lambda part, name: part._all(name, not isinstance(part.priors.get(name, Flat()), Flat)))
        return np.array(known, dtype=bool)

    @property
    def level_shares(self):
        """(P,) 1 for an element of θ of which something is believed by itself; 1/R each for R that share one level."""
        mine = [part for name in self._free() for part in self._all(name, self._level_share(name))]
        return np.concatenate([mine, *(child.level_shares for child in self.children)])

    def _level_share(self, name):
        count = np.size(getattr(self, name))
        return getattr(self.priors.get(name), "n_levels", count) / count

    def _all(self, name, thing):
        """The thing, for each element of this parameter."""
        return [thing] * np.size(getattr(self, name))

    @property
    def names(self):
        """P names, such as "lengthscale[2]"; those of the k-th child begin with "k."."""
        mine = [label for name in self._free() for label in _labels(name, getattr(self, name))]
        return mine + [f"{k}.{label}" for k, child in enumerate(self.children) for label in child.names]

    def with_theta(self, theta: ArrayLike) -> Self:
        """A copy with these free parameters."""
        theta = np.atleast_1d(validation.real_array(theta, "theta", empty=True))
        if theta.shape != (self.n_free,):
            raise ValueError(f"theta has shape {theta.shape}; {(self.n_free,)} is needed: {self.names}.")
        return self._moved(theta)

    def _moved(self, theta):
        """`with_theta` of a θ that has been checked: a tree of kernels asks once, at its root."""
        changed, at = copy.copy(self), 0
        for name in self._free():
            old = np.asarray(getattr(self, name), dtype=float)
            inner = theta[at : at + old.size].reshape(old.shape)
            if name not in self.signed_names and (np.abs(inner) > LARGEST_LOG).any():
                raise ValueError(
                    f"theta has {inner.tolist()} for {name}: logarithms within ±{LARGEST_LOG:.0f} are needed."
                )
            value = inner if name in self.signed_names else np.exp(inner)
            setattr(changed, name, float(value) if old.ndim == 0 else value)
            at += old.size
        children = []
        for child in self.children:
            children.append(child._moved(theta[at : at + child.n_free]))
            at += child.n_free
        changed.children = tuple(children)
        return changed

    def log_prior(self):
        """log p of the free parameters that have a prior, and its gradient in θ.

        The density is that of the parameter, not of its logarithm, as in Nielsen & Nielsen (2013) and Nielsen,
        Jensen, Hansen & Larsen (2013): no Jacobian is added.

        Source: Nielsen (2015), section 2.1 (MAP-II); Nielsen, Jensen, Hansen & Larsen (2013), eq. 14.
        """
        density, gradient = self.prior_terms()
        return float(density.sum()), gradient

    def prior_terms(self):
        """(P,) log p of each free parameter, 0 without a prior, and (P,) its slope in θ."""
        densities, slopes = [np.zeros(0)], [np.zeros(0)]
        for name in self._free():
            value, prior = np.ravel(getattr(self, name)), self.priors.get(name)
            density, slope = (np.zeros(value.shape),) * 2 if prior is None else prior.log_density(value)
            densities.append(density)
            slopes.append(slope if name in self.signed_names else slope * value)
        for child in self.children:
            density, slope = child.prior_terms()
            densities.append(density)
            slopes.append(slope)
        return np.concatenate(densities), np.concatenate(slopes)

    def __eq__(self, other):
        """Same class, same parameters, same priors, same parts."""
        names = vars(self).keys() | vars(other).keys() if type(self) is type(other) else ()
        return type(self) is type(other) and all(_equal(getattr(self, n), getattr(other, n)) for n in names)

    def __hash__(self):
        return hash((type(self), tuple(self.names), self.theta.tobytes()))

    def __repr__(self):
        parts = [f"{name}={_rounded(getattr(self, name))}" for name in self.parameter_names] + [
            repr(c) for c in self.children
        ]
        return f"{type(self).__name__}({', '.join(parts)})"


def positive_parameter(value, name, vector=False):
    """The value as a positive float, or, if it may be a vector, as a (D,) array of positive floats."""
    if np.isscalar(value):
        found = validation.positive(value, name)
    else:
        array = validation.array(value, name)
        if array.ndim > 1 or (array.ndim and not vector):
            raise ValueError(f"{name} has shape {array.shape}; one number{' or (D,)' if vector else ''} is needed.")
        found = validation.real_array(array, name) if array.ndim else validation.positive(array.item(), name)
    if np.min(found) <= 0:
        raise ValueError(f"{name} is {found.tolist()}; all its elements must be above 0.")
    if np.min(found) < 1 / validation.LARGEST_NUMBER:
        raise ValueError(
            f"{name} is {value!r}; at least {1 / validation.LARGEST_NUMBER:g} is needed: it will be squared."
        )
    return found


def _equal(a, b):
    """Whether two values are the same through and through: arrays, containers, and what priors are made of."""
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        return np.array_equal(a, b)
    if isinstance(a, dict | MappingProxyType):
        return isinstance(b, dict | MappingProxyType) and a.keys() == b.keys() and all(_equal(a[k], b[k]) for k in a)
    if isinstance(a, list | tuple):
        return type(a) is type(b) and len(a) == len(b) and all(map(_equal, a, b))
    if hasattr(a, "log_density") and not isinstance(a, Parametrized):
        return type(a) is type(b) and _equal(vars(a), vars(b))
    return a == b


def _labels(name, value):
    return [name] if np.ndim(value) == 0 else [f"{name}[{k}]" for k in range(np.size(value))]


def _rounded(value):
    return f"{value:.4g}" if np.ndim(value) == 0 else "[" + ", ".join(f"{v:.4g}" for v in np.ravel(value)) + "]"
