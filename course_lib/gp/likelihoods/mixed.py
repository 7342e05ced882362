"""Several likelihoods in one model: those of blocks of different answers.

Lecture: 05, section 5; 06, sections 2–5 and 8; 09, section 7; 10, section 2; 13, section 4.
"""

import copy

import numpy as np

from course_lib.gp.likelihoods.base import Likelihood
from course_lib.gp.likelihoods.counted import ReplicatedLikelihood


def _shared_label(part, name):
    """(name that it shares, k) for each element of a parameter; None where it is its own."""
    count = np.size(getattr(part, name))
    return [(part.shared_names[name], k) for k in range(count)] if name in part.shared_names else [None] * count


class BlockLikelihood(Likelihood):
    """The likelihoods of several blocks, side by side: each sees the answers of its own block.

    A parameter is one where one object serves several blocks, or where `sharing` gave it one name.

    parts : a Likelihood for each block;  lengths : how many answers each block has

    Source: Wu et al. (2025), eq. 1.
    """

    def __init__(self, parts, lengths):
        self.children = tuple(parts)
        self.ends = tuple(np.cumsum(lengths)[:-1].tolist())
        labels = [label or (id(p), k) for p in parts for k, label in enumerate(p._gathered(_shared_label))]
        place = {}
        self.tied = np.array([place.setdefault(label, len(place)) for label in labels], dtype=int)  # in θ
        self.first = np.unique(self.tied, return_index=True)[1]
        for what, terms in (
            ("begins at two values", [p.theta for p in parts]),
            ("has two priors", [p.prior_terms() for p in parts]),
        ):
            terms = np.atleast_2d(np.concatenate(terms, axis=-1))
            apart = np.flatnonzero((terms != terms[:, self.first[self.tied]]).any(axis=0))
            if len(apart):
                name = labels[apart[0]][0]
                raise ValueError(f"the shared parameter {name!r} {what} in different blocks; one is needed.")

    def _gathered(self, of):
        """As Parametrized._gathered; of what parts share, the first one's."""
        full = super()._gathered(of)
        return [full[k] for k in self.first]

    @property
    def names(self):
        """P names; "1.noise_std" is that of block 1, or the first that shares it."""
        full = super().names
        return [full[k] for k in self.first]

    @property
    def level_shares(self):
        """(P,) as Parametrized has them; of what parts share, the first one's."""
        return super().level_shares[self.first]

    @property
    def n_free(self):
        """P, shared ones counted once."""
        return len(self.first)

    def _moved(self, theta):
        return super()._moved(theta[self.tied])

    def prior_terms(self):
        return tuple(terms[self.first] for terms in super().prior_terms())

    def counted(self, counts):
        """The same, with answers given so often (m,) each."""
        changed = copy.copy(self)
        changed.children = tuple(
            ReplicatedLikelihood(c, n) for c, n in zip(self.children, np.split(counts, self.ends), strict=True)
        )
        return changed

    @property
    def log_concave(self):
        """Whether all parts are."""
        return all(part.log_concave for part in self.children)

    @property
    def is_gaussian(self):
        """Whether all parts are."""
        return all(part.is_gaussian for part in self.children)

    @property
    def kinks(self):
        """Those of all parts."""
        return np.concatenate([part.kinks for part in self.children])

    def _cut(self, argument):
        """An argument for each part: an array is cut, a tuple of arrays too; None stays None."""
        if argument is None:
            return [None] * len(self.children)
        if isinstance(argument, tuple):
            return list(zip(*map(self._cut, argument), strict=True))
        return np.split(argument, self.ends)

    def _each(self, method, *arguments):
        pieces = zip(*map(self._cut, arguments), strict=True)
        return [getattr(p, method)(*piece) for p, piece in zip(self.children, pieces, strict=True)]

    def _joined(self, method, *arrays):
        results = self._each(method, *arrays)
        return tuple(np.concatenate(column) for column in zip(*results, strict=True))

    def _blockwise(self, results):
        """(P, m) from the parts' (P_b, m_b): the parameters of one block do not touch the others' answers."""
        total, answers = sum(len(r) for r in results), sum(r.shape[1] for r in results)
        joined, at, begin = np.zeros((total, answers)), 0, 0
        for r in results:
            joined[at : at + len(r), begin : begin + r.shape[1]] = r
            at, begin = at + len(r), begin + r.shape[1]
        shared = np.zeros((len(self.first), answers))
        np.add.at(shared, self.tied, joined)
        return shared

    def site(self, y):
        """(τ, ν) of the parts, if all are Gaussian."""
        return self._joined("site", y)

    def log_density(self, y, g):
        return np.concatenate(self._each("log_density", y, g))

    def derivatives(self, y, g):
        return self._joined("derivatives", y, g)

    def parameter_derivatives(self, y, g):
        return tuple(map(self._blockwise, zip(*self._each("parameter_derivatives", y, g), strict=True)))

    def expectations(self, y, mean, variance):
        return self._joined("expectations", y, mean, variance)

    def expected_parameter_gradient(self, y, mean, variance):
        return self._blockwise(self._each("expected_parameter_gradient", y, mean, variance))

    def tilted(self, y, mean, variance, start=None):
        return self._joined("tilted", y, mean, variance, start)

    def tilted_parameter_gradient(self, y, mean, variance, start=None):
        return self._blockwise(self._each("tilted_parameter_gradient", y, mean, variance, start))
