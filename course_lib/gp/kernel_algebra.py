"""What all kernels have in common, and how they combine: sums, products, and kernels that see some columns only.

A kernel gives the covariances between two sets of items, and weighted sums of their derivatives: what the evidence and
the search for its maximum need. No derivative is ever stored for each pair and each parameter.
`course_lib.gp.parameters` explains θ.

A new kernel writes `cross`, `diagonal`, and their slopes in the logarithms of its parameters; the rest is inherited.

Lecture: 05, sections 2 and 8; 10, section 3.
"""

import copy
import math
import numbers

import numpy as np
from numpy.typing import ArrayLike, NDArray

from course_lib import validation
from course_lib.gp.parameters import Parametrized, positive_parameter

ANY_LEVEL = 10.0  # standard deviations of the answers: how far from their mean the level of the values may be


class Kernel(Parametrized):
    """Covariance of a function's values at the rows of X; it never changes, as every `Parametrized`.

    `kernel(X)` is the covariance of the items, `kernel(X, X2)` that between two sets of items. Kernels add and
    multiply: `2.0 * SquaredExponential() + White(0.1)`; `kernel.on([0, 2])` looks at some columns only.

    `inputs`, the call and `gradient` check what they are given; the other methods take float64 arrays as they are.
    """

    __array_ufunc__ = None  # so that a NumPy number times a kernel is a kernel, not an array of kernels

    def __call__(self, X: ArrayLike, X2: ArrayLike | None = None) -> NDArray:
        X = self.inputs(X, "X")
        if X2 is not None:
            return self.cross(X, self._beside(X, X2))
        K = self.cross(X, X)
        np.fill_diagonal(K, self.diagonal(X))
        return K

    def inputs(self, X: ArrayLike, name: str = "X") -> NDArray:
        """(n, D) float64 inputs of which this kernel knows the covariance; (n,) numbers become one column."""
        X = validation.real_array(X, name)
        X = X[:, None] if X.ndim == 1 else X
        if X.ndim != 2:
            raise ValueError(f"{name} has shape {X.shape}; (n, D) is needed: a row for each item.")
        self._check(X, name)
        return X

    def cross(self, X, X2):
        """(n, m) covariances between the items of X (n, D) and other items, X2 (m, D)."""
        raise NotImplementedError

    def diagonal(self, X):
        """(n,) variances of the items of X."""
        return np.full(len(X), self.variance)

    def gradient(self, X: ArrayLike, weights: ArrayLike) -> NDArray:
        """(P,) Σ_ij W_ij ∂K_ij/∂θ, where K = kernel(X) and weights (n, n), which need not be symmetric."""
        X = self.inputs(X, "X")
        weights = validation.real_array(weights, "weights")
        if weights.shape != (len(X), len(X)):
            raise ValueError(f"weights has shape {weights.shape}; {(len(X), len(X))} is needed, for the rows of X.")
        between = weights - np.diag(np.diagonal(weights))
        return self.cross_gradient(X, X, between) + self.diagonal_gradient(X, np.diagonal(weights))

    def cross_gradient(self, X, X2, weights):
        """(P,) Σ_ij W_ij ∂cross(x_i, x2_j)/∂θ for weights (n, m)."""
        return self._collected(self._parameter_derivatives(X, X2, weights))

    def diagonal_gradient(self, X, weights):
        """(P,) Σ_i w_i ∂diagonal(x_i)/∂θ for weights (n,)."""
        return self._collected(self._diagonal_parameter_gradients(X, weights))

    def input_gradient(self, X, X2, weights):
        """(n, D) Σ_j W_ij ∂cross(x_i, x2_j)/∂x_i for weights (n, m)."""
        raise NotImplementedError

    def diagonal_input_gradient(self, X, weights):
        """(n, D) w_i ∂diagonal(x_i)/∂x_i for weights (n,); zeros where every item has the same variance."""
        return np.zeros(X.shape)

    def on(self, columns: ArrayLike) -> "OnColumns":
        """This kernel, looking only at these columns of X: an int or a list of ints; see `OnColumns`."""
        return OnColumns(self, columns)

    def observed(self, observations):
        """The Observations to learn from; of fewer latent numbers if f is a sum of these, see `LatentGP._prior`."""
        return observations

    def shared(self):
        """This kernel without what is an item's alone: `diagonal` is that of `cross`, as if White had no variance."""
        changed = copy.copy(self)
        changed.children = tuple(child.shared() for child in self.children)
        return changed

    def _seen_columns(self, columns):
        """Which of X's columns (array) the parts of this kernel look at: all, unless it is a kernel that picks."""
        return columns

    def amplitudes(self):
        """Names of the parameters that say how large the covariances are."""
        return tuple(name for name in self.parameter_names if name == "variance")

    def has_free_scale(self):
        """Whether free parameters, without priors, can multiply all covariances by any number."""
        sizes = self.amplitudes()
        return bool(sizes) and not any(self.priors.get(name) for name in sizes)

    def _parameter_derivatives(self, X, X2, weights):
        """Σ_ij W_ij ∂cross/∂log p for each parameter p of its own, by name; what is not named is 0."""
        raise NotImplementedError

    def _diagonal_parameter_gradients(self, X, weights):
        return {"variance": self.variance * np.sum(weights)}

    def _collected(self, slopes):
        """The slopes as one vector in the order of θ; those of one number shared by D dimensions are summed."""
        parts = [np.zeros(0)]
        for name in self._free():
            shape = np.shape(getattr(self, name))
            slope = slopes.get(name, np.zeros(shape))
            parts.append(np.ravel(slope if shape else np.sum(slope)))
        return np.concatenate(parts)

    def _check(self, X, name):
        """Raise ValueError if the kernel cannot take the columns of X, an (n, D) array."""
        for parameter in self.parameter_names:
            size = np.size(getattr(self, parameter))
            if np.ndim(getattr(self, parameter)) and size != X.shape[1]:
                raise ValueError(
                    f"{parameter} has {size} elements, but {name} has {X.shape[1]} columns; one for each."
                )

    def _beside(self, X, X2):
        X2 = self.inputs(X2, "X2")
        if X2.shape[1] != X.shape[1]:
            raise ValueError(f"X2 has {X2.shape[1]} columns, but X has {X.shape[1]}; they must be the same.")
        return X2

    def __add__(self, other):
        return Sum(self, other) if isinstance(other, Kernel) else NotImplemented

    def __mul__(self, other):
        if isinstance(other, Kernel):
            return Product(self, other)
        return other * self if isinstance(other, numbers.Real) else NotImplemented

    def __rmul__(self, number):
        if not isinstance(number, numbers.Real):
            return NotImplemented
        return Constant(validation.positive(number, "the factor of a kernel")) * self


class Constant(Kernel):
    """k = σ² > 0: a level that all items share."""

    parameter_names = ("variance",)

    def __init__(self, variance: float = 1.0):
        self.variance = positive_parameter(variance, "variance")

    def cross(self, X, X2):
        return np.full((len(X), len(X2)), self.variance)

    def input_gradient(self, X, X2, weights):
        return np.zeros(X.shape)

    def _parameter_derivatives(self, X, X2, weights):
        return {"variance": self.variance * np.sum(weights)}


class Sum(Kernel):
    """k = k_1 + k_2 + …: a sum of independent functions. A sum among the terms is opened."""

    _combined, _free_scale_if = staticmethod(sum), staticmethod(all)

    def __init__(self, *kernels: Kernel):
        self.children = _opened(kernels, type(self))

    def cross(self, X, X2):
        return self._combined(child.cross(X, X2) for child in self.children)

    def diagonal(self, X):
        return self._combined(child.diagonal(X) for child in self.children)

    def cross_gradient(self, X, X2, weights):
        parts = self._weighed(weights, "cross", X, X2)
        return np.concatenate([child.cross_gradient(X, X2, mine) for child, mine in parts])

    def diagonal_gradient(self, X, weights):
        parts = self._weighed(weights, "diagonal", X)
        return np.concatenate([child.diagonal_gradient(X, mine) for child, mine in parts])

    def input_gradient(self, X, X2, weights):
        parts = self._weighed(weights, "cross", X, X2)
        return sum(child.input_gradient(X, X2, mine) for child, mine in parts)

    def diagonal_input_gradient(self, X, weights):
        parts = self._weighed(weights, "diagonal", X)
        return sum(child.diagonal_input_gradient(X, mine) for child, mine in parts)

    def has_free_scale(self):
        """Whether all terms do; of a product, whether a factor does."""
        return self._free_scale_if(child.has_free_scale() for child in self.children)

    def _weighed(self, weights, what, *inputs):
        """Each term, and the weights of its slopes in a weighted sum of those of the whole."""
        return [(child, weights) for child in self.children]

    def _check(self, X, name):
        for child in self.children:
            child._check(X, name)


class Product(Sum):
    """k = k_1 k_2 …: items are similar if they are similar in every respect. A product among the factors is opened.

    Its gradients are the product rule: those of a factor, with weights times the other factors.
    """

    _combined, _free_scale_if = staticmethod(math.prod), staticmethod(any)

    def _weighed(self, weights, what, *inputs):
        """It does not divide by a factor's own values: these may be 0."""
        values = [getattr(child, what)(*inputs) for child in self.children]
        for k, child in enumerate(self.children):
            yield child, weights * (math.prod(values[:k]) * math.prod(values[k + 1 :]))


class OnColumns(Kernel):
    """A kernel that looks at some columns of X only: an int, or different ints, counted from 0."""

    def __init__(self, kernel: Kernel, columns: ArrayLike):
        self.children = _opened([kernel], OnColumns)
        columns = np.atleast_1d(validation.array(columns, "columns")).tolist()
        self.columns = [validation.integer(column, f"columns[{k}]", least=0) for k, column in enumerate(columns)]
        if not columns or len(set(columns)) < len(columns):
            raise ValueError(f"columns is {columns}; at least one is needed, and none twice.")

    def _seen_columns(self, columns):
        return columns[[c for c in self.columns if c < len(columns)]]

    def cross(self, X, X2):
        return self.children[0].cross(X[:, self.columns], X2[:, self.columns])

    def diagonal(self, X):
        return self.children[0].diagonal(X[:, self.columns])

    def cross_gradient(self, X, X2, weights):
        return self.children[0].cross_gradient(X[:, self.columns], X2[:, self.columns], weights)

    def diagonal_gradient(self, X, weights):
        return self.children[0].diagonal_gradient(X[:, self.columns], weights)

    def input_gradient(self, X, X2, weights):
        gradient = np.zeros(X.shape)
        gradient[:, self.columns] = self.children[0].input_gradient(X[:, self.columns], X2[:, self.columns], weights)
        return gradient

    def diagonal_input_gradient(self, X, weights):
        gradient = np.zeros(X.shape)
        gradient[:, self.columns] = self.children[0].diagonal_input_gradient(X[:, self.columns], weights)
        return gradient

    def has_free_scale(self):
        return self.children[0].has_free_scale()

    def _check(self, X, name):
        if max(self.columns) >= X.shape[1]:
            raise ValueError(f"columns is {self.columns}, but {name} has only {X.shape[1]} columns, counted from 0.")
        self.children[0]._check(X[:, self.columns], f"{name}[:, {self.columns}]")

    def __repr__(self):
        return f"{self.children[0]!r}.on({self.columns})"


class Levelled(Sum):
    """k + level_std²: a function and, on top of it, a level of which next to nothing is known.

    Data that are taken less their mean have the level 0, give or take how well the mean is known: this prior says so.
    It is not learned, and names and texts are the kernel's own.

    kernel : Kernel;  level_std : > 0, how far from 0 the level may be

    Source: Rasmussen & Williams (2006), section 2.7.
    """

    def __init__(self, kernel, level_std):
        self.children = (validation.instance(kernel, Kernel, "kernel", "a Kernel such as SquaredExponential()"),)
        self.level_std = validation.positive(level_std, "level_std")

    def cross(self, X, X2):
        return super().cross(X, X2) + self.level_std**2

    def diagonal(self, X):
        return super().diagonal(X) + self.level_std**2

    @property
    def names(self):
        return [name.removeprefix("0.") for name in super().names]

    def __repr__(self):
        return super().__repr__() if self.parameter_names else repr(self.children[0])


def _opened(kernels, kind):
    """The kernels as a tuple, with the parts of those of this kind in their place."""
    parts = []
    for k, kernel in enumerate(kernels):
        if not isinstance(kernel, Kernel):
            raise ValueError(f"kernels[{k}] is {kernel!r}; a kernel is needed.")
        parts += kernel.children if type(kernel) is kind else [kernel]
    if not parts:
        raise ValueError("kernels is empty; at least one is needed.")
    return tuple(parts)
