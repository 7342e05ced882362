"""Units: of columns that are standardised, and of the learned parameters of the noise. Lecture: 14, section 2."""

import numpy as np

PARAMETER_SYMBOLS = {"noise_std": "noise σ", "threshold": "threshold δ", "precision": "precision ν"}


class Units:
    """Standardises columns, if asked for, with the means and spreads of the fit."""

    def __init__(self, X, standardize):
        spread = X.std(axis=0)
        self.mean = X.mean(axis=0) if standardize else np.zeros(X.shape[1])
        self.spread = np.where(spread > 0, spread, 1.0) if standardize else np.ones(X.shape[1])

    def __call__(self, X):
        return (X - self.mean) / self.spread


def noise_rows(likelihood, answer_unit):
    """(name, value, unit) of each learned number of the likelihood and its parts."""
    for one in likelihood.parameter_names:
        if np.ndim(getattr(likelihood, one)) == 0:
            unit = answer_unit if one == "noise_std" else ""
            value = getattr(likelihood, "total_std", getattr(likelihood, one))
            yield PARAMETER_SYMBOLS.get(one, one), float(value), unit
    for child in likelihood.children:
        yield from noise_rows(child, answer_unit)
