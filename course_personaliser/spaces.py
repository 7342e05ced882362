"""The space of settings: a box of d numbers with ends, steps and units, mapped to the unit cube for the models.

Lecture: 12, sections 4 and 6.
"""

import numpy as np
from scipy.stats import qmc

from course_lib import validation

MAX_GRID_SIDE = 41  # settings along each side of a grid


class SettingSpace:
    """Settings of d numbers, each between two ends, and on a grid of steps if it has any.

    bounds : (d, 2) lowest and highest value of each number, in its own unit
    steps : None, or (d,) distances between possible values, starting at the lowest; 0 if every value is possible
    names, units : None, or d texts each, for tables and axes
    """

    def __init__(self, bounds, steps=None, names=None, units=None):
        bounds = validation.real_array(bounds, "bounds")
        if bounds.ndim != 2 or bounds.shape[1] != 2 or not (bounds[:, 0] < bounds[:, 1]).all():
            raise ValueError(
                f"bounds is {bounds.tolist()}; (d, 2) is needed, the lowest and the highest value of each number."
            )
        self.low, self.high = bounds.T
        self.steps = np.zeros(self.d) if steps is None else validation.matrix(steps, "steps", (self.d,))
        if (self.steps < 0).any() or (self.steps > self.high - self.low).any():
            raise ValueError(f"steps is {self.steps.tolist()}; 0 … {(self.high - self.low).tolist()} is needed.")
        self.names = self._texts(names, "names", [f"x{k + 1}" for k in range(self.d)])
        self.units = self._texts(units, "units", [""] * self.d)

    def _texts(self, value, name, usual):
        if value is None:
            return tuple(usual)
        if not isinstance(value, (list, tuple)) or len(value) != self.d or not all(isinstance(t, str) for t in value):
            raise ValueError(f"{name} is {value!r}; a list of {self.d} texts is needed, one for each row of bounds.")
        return tuple(value)

    @property
    def d(self):
        """Number of dimensions."""
        return len(self.low)

    @property
    def bounds(self):
        """(d, 2) lowest and highest values."""
        return np.column_stack([self.low, self.high])

    def to_unit(self, settings, name="settings"):
        """Settings, (q, d) or one (d,), as points of the unit cube; `name` is used in error messages."""
        settings = self._rows(settings, name)
        unit = (settings - self.low) / (self.high - self.low)
        outside = (np.abs(unit - 0.5) > 0.5 + 1e-9).any(axis=-1)
        if outside.any():
            one = settings if settings.ndim == 1 else settings[int(np.argmax(outside))]
            raise ValueError(f"{name} has {one.tolist()}, outside the bounds {self.bounds.tolist()}.")
        return np.clip(unit, 0.0, 1.0)

    def _rows(self, value, name):
        """(q, d) or (d,) numbers."""
        rows = validation.real_array(value, name)
        if rows.ndim not in (1, 2) or rows.shape[-1] != self.d:
            raise ValueError(f"{name} has shape {rows.shape}; (q, {self.d}) is needed, or ({self.d},) for one.")
        return rows

    def from_unit(self, points):
        """The possible settings nearest to points of the unit cube, (q, d) or (d,); other points are clipped to it."""
        points = self._rows(points, "points")
        settings = self.low + np.clip(points, 0.0, 1.0) * (self.high - self.low)
        on_steps, step = self.steps > 0, np.where(self.steps > 0, self.steps, 1.0)
        count = np.minimum(np.round((settings - self.low) / step), np.floor((self.high - self.low) / step + 1e-9))
        return np.round(np.where(on_steps, self.low + count * step, settings), 12)

    def grid(self, side=MAX_GRID_SIDE):
        """(q, d) a regular grid of settings with at most `side` values along each dimension."""
        side = validation.integer(side, "side", least=2)
        diagonal = self.from_unit(np.tile(np.linspace(0.0, 1.0, side)[:, None], self.d))
        values = map(np.unique, diagonal.T)
        return np.stack(np.meshgrid(*values, indexing="ij"), axis=-1).reshape(-1, self.d)

    def spread(self, count, rng=None):
        """(count, d) settings that fill the space evenly: scrambled Sobol points. Source: Sobol' (1967)."""
        count = validation.integer(count, "count")
        points = qmc.Sobol(self.d, rng=validation.generator(rng)).random_base2(int(np.ceil(np.log2(count))))
        return self.from_unit(points[:count])

    def random(self, count, rng=None):
        """(count, d) settings drawn from a uniform distribution."""
        shape = (validation.integer(count, "count"), self.d)
        return self.from_unit(validation.generator(rng).uniform(size=shape))

    def distance(self, one, other):
        """Distance between two settings (d,) as a fraction of the diagonal of the space: 0 … 1."""
        one, other = (
            self.to_unit(validation.matrix(setting, name, (self.d,)), name)
            for setting, name in ((one, "one"), (other, "other"))
        )
        return float(np.linalg.norm(one - other) / np.sqrt(self.d))

    def __repr__(self):
        each = zip(self.names, self.low, self.high, self.units, strict=True)
        return f"SettingSpace({'; '.join(f'{n} {a:g} … {b:g} {u}'.rstrip() for n, a, b, u in each)})"
