"""Stored results of comparisons that take too long for a lecture.

Lecture: 04, section 8.
"""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from course_lib import selection, validation
from course_lib.datasets.files import Provenance, checksums, read_table
from course_lib.kinds import Folder


@dataclass(frozen=True, repr=False, eq=False)
class StoredResults:
    """Results of a comparison, one row per run.

    name : of the file, without its extension
    columns : {name: (n,) ints, floats or texts}; data/claims/README.md describes each
    provenance : Provenance, whose source is the command
    """

    name: str
    columns: dict
    provenance: Provenance

    def __len__(self):
        return len(next(iter(self.columns.values())))

    def __repr__(self):
        return f"StoredResults: {len(self)} rows of {self.name}: {', '.join(self.columns)}"

    def __getitem__(self, column: str) -> NDArray:
        """(n,) one column."""
        return self.columns[validation.one_of(column, tuple(self.columns), "column")]

    def select(self, indices: ArrayLike) -> Self:
        """The rows with these indices, in their order: ints, a slice, or a mask of n booleans."""
        chosen = selection.positions(indices, len(self), "rows")
        return replace(self, columns={name: values[chosen] for name, values in self.columns.items()})

    def of(self, **wanted: object) -> Self:
        """The rows in which these columns have these values: `stored.of(hill="steep", seed=0)`."""
        rows = self
        for name, value in wanted.items():
            values = rows[name]
            rows = rows.select(values == validation.one_of(value, np.unique(values).tolist(), name))
        return rows

    def check(self, found: dict[str, ArrayLike], tolerance: float = 0.0) -> str:
        """A sentence that says whether newly computed numbers agree with the stored ones.

        found : {column: (n,) numbers or booleans};  tolerance : largest allowed difference, in the unit of the column
        """
        tolerance, apart = validation.not_negative(tolerance, "tolerance"), {}
        for name, values in validation.instance(found, dict, "found", "a dict of columns").items():
            stored = validation.real_array(self[validation.one_of(name, tuple(self.columns), "a key of found")], name)
            values = validation.matrix(values, f"found[{name!r}]", stored.shape)
            apart[name] = np.abs(values - stored).max(initial=0.0)
        worst = max(apart, key=apart.get, default=None)
        if worst is None or apart[worst] <= tolerance:
            return f"✓ all {len(apart) * len(self)} numbers computed here are those that are stored"
        return f"✗ {worst} is up to {apart[worst]:.3g} away from what is stored"


def load_claim(name: str = "asking", folder: Folder = None) -> StoredResults:
    """StoredResults of a comparison of which a lecture runs only a part.

    name : of a file in data/claims, described in its README.md;  folder : the data, if not the default
    """
    names = [Path(file).stem for file in checksums(folder) if file.startswith("claims/")]
    name = validation.one_of(name, tuple(names), "name")
    rows = read_table(f"claims/{name}.csv", folder)
    columns = {column: _typed([row[column] for row in rows]) for column in rows[0]}
    source = f"the course's own code: python -m data.claims.make {name}"
    return StoredResults(name, columns, Provenance(source, "BSD 3-Clause, as the course", "this course"))


def _typed(texts):
    """(n,) ints if all of the texts are whole numbers, else floats if all are numbers, else the texts."""
    try:
        values = np.array(texts, dtype=float)
    except ValueError:
        return np.array(texts)
    return values.astype(int) if (values % 1 == 0).all() else values
