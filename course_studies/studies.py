"""Base class of studies: a model fitted to a table, which answers in data frames with the table's names.

Lecture: 14, section 2.
"""

import html
import warnings
from collections.abc import Sequence

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator

import course_lib
from course_lib import validation
from course_lib.gp import SquaredExponential
from course_lib.gp.scales import ScalesWarning, warn_of_scales
from course_lib.judgments.comparisons.floating import FloatingItemsWarning
from course_lib.judgments.panels.answers import LongTableWarning
from course_lib.kinds import Rng
from course_lib.settings import KW_ONLY, settings
from course_studies.columns import column, data_frame, full_numbers, listed
from course_studies.comparing import log_evidence
from course_studies.design import Design, Layout
from course_studies.results import items_at
from course_studies.units import Units, noise_rows

SAME_FEATURE = 1e-6  # of the greatest number in its column: a feature that is further off is another one
MOST_AVERAGED = 600  # items, and raters with biases, of whom hyper-parameters are averaged over unasked
DRAW_DIMENSIONS = {"value": "item", "bias": "rater"}  # of what is drawn
EVIDENCE_ROW = "log evidence, values as known"


class PlugInWarning(UserWarning):
    """Hyper-parameters were plugged in by default, as averaging over them would take too long."""


@settings
class Study(BaseEstimator):
    """A model fitted to a table: `RatingStudy` and `PairStudy`.

    A fit finds the best hyper-parameters. Taking these as known makes intervals too narrow: with few raters and items,
    90 % intervals cover half of what they should. So a study averages over the hyper-parameters
    (`LatentModel.averaged`), unless `plug_in` is set, the model has optimize=False, or there are more than 600 items
    and raters, which it warns of.
    """

    model: object = None
    _: KW_ONLY
    design: Design | None = None
    standardize: bool = False
    plug_in: bool = False

    _whose = ()  # what questions take besides those of a design

    # --- learning

    def _units_for(self, model, X, table, first_variance=1.0):
        """Units of the columns of X; where these are features, a model without a kernel gets one of them."""
        units = Units(X, validation.flag(self.standardize, "standardize") and table.features is not None)
        if table.features is not None:
            if model.kernel is None:
                model.set_params(kernel=self._first_kernel(units(X), table, first_variance))
            kernel = SquaredExponential() if model.kernel is None else model.kernel
            warn_of_scales(kernel, units(X), table.features.columns, "Here standardize=True does both.")
        return units

    def _first_kernel(self, X, table, variance):
        """Kernel of features X, in the model's units: with a lengthscale for each if they are standardised."""
        return SquaredExponential(variance, np.ones(X.shape[1])) if self.standardize else None

    def _averaged(self, model):
        """The fitted model, averaged over its hyper-parameters unless plugged in; the same at each fit."""
        if validation.flag(self.plug_in, "plug_in") or not model.optimize:
            return model
        count = getattr(model.observations_.views, "size", len(model.observations_.X))  # of a design
        if count > MOST_AVERAGED:
            validation.warn(
                f"there are {count} items and raters, more than {MOST_AVERAGED}: the best hyper-parameters are taken "
                "as known, so intervals are too narrow where answers are few. plug_in=True silences this; "
                "study.model_.averaged() averages, in minutes.",
                PlugInWarning,
            )
        return model if count > MOST_AVERAGED else model.averaged(rng=0)

    @staticmethod
    def _best(fits, *data):
        """The fitted model with the greatest evidence; only its warnings are shown, less what studies say by name."""
        said_by_name = (ScalesWarning, LongTableWarning, FloatingItemsWarning)
        if len(fits) == 1:  # its warnings come at once: how much memory it takes has to be known before
            with warnings.catch_warnings():
                for category in said_by_name:
                    warnings.simplefilter("ignore", category)
                return fits[0](*data)
        found = []
        for fit in fits:
            with warnings.catch_warnings(record=True) as said:
                warnings.simplefilter("always")
                found.append((fit(*data), said))
        model, said = max(found, key=lambda one: log_evidence(one[0]))
        for one in said:
            if not issubclass(one.category, said_by_name):
                warnings.warn_explicit(one.message, one.category, one.filename, one.lineno)
        return model

    def _keep(self, answers, layout, units, X, **more):
        """Set the fitted attributes; returns the study."""
        table = answers.table
        answers.model = self._averaged(answers.model)
        features = None if table.features is None else list(table.features.columns)
        fitted = {"model_": answers.model, "answers_": answers, "table_": table, "items_": table.items}
        fitted |= {
            "layout_": layout,
            "units_": units,
            "X_": X,
            "features_": features,
            "version_": course_lib.__version__,
        }
        self.__dict__.update(fitted | more)
        return self

    def __setstate__(self, state):
        kept_by = state.get("version_", course_lib.__version__)
        if kept_by != course_lib.__version__:
            now = course_lib.__version__
            validation.warn(f"version {kept_by} kept this study, and {now} reads it: fit it again.", UserWarning)
        super().__setstate__(state)

    def _fitted(self):
        return validation.fitted(self, "model_", "table_").model_

    # --- asking

    def contrasts(
        self, pairs: Sequence[tuple] | None = None, confidence: float = 0.9, together: bool = False, **whose: object
    ) -> pd.DataFrame:
        """DataFrame of differences between items of the fit: a, b, difference (b − a), low, high, p_better (b is).

        pairs : names [(a, b), …]; None: all pairs
        together : whether the intervals hold all at once with this probability, see `joint_confidence`, or each alone
        whose : as for `ranking`; with a design also `by`: of="group" and what is compared give rows for each of that
        """
        tables, asked = [], self._asked_for(**whose)
        confidence = validation.between(confidence, "confidence", 0, 1)
        if validation.flag(together, "together") and len(asked) > 1:
            raise ValueError(
                f"together is True, and by gives {len(asked)} tables: intervals hold at once in one. Leave out by, "
                f"or divide the risk: confidence={1 - (1 - confidence) / len(asked):.3f} for one pair in each."
            )
        for said, names, known in asked:
            found = known.contrasts(names, pairs, confidence, together)
            tables.append(pd.concat([pd.DataFrame(said, index=found.index), found], axis="columns"))
        return pd.concat(tables, ignore_index=True)

    def ranking(self, confidence: float = 0.9, **whose: object) -> pd.DataFrame:
        """DataFrame of items, the best first: value, rank with low and high, p_best, and letters in `group`.

        Items that share a letter cannot be told apart, see `KnownItems.ranked`.

        whose : `person`, of studies of pairs with people="own"; with a design `of`: what is compared (None), "item",
            "group" or "order"; `over`: "study", its mean over what it was tried on, or "new", over infinitely many
            others; and `group`: None, all of them, or the name of one
        """
        ((_, names, known),) = self._asked_for(**{"by": None, **whose})
        return known.ranked(names, confidence)

    def _asked_for(self, of=None, over="study", by=None, group=None, **person):
        """[(what is said, names, KnownItems)] for a question of a design or the items; of pairs also a `person`."""
        for name in set(person) - set(self._whose):
            raise TypeError(f"{type(self).__name__} takes no {name!r} here; an interval's level is its confidence.")
        self._fitted()
        if group is not None and person.get("person") is not None:
            raise ValueError(f"group is {group!r} and person {person['person']!r}, who is of one group: give one.")
        if self.layout_ is not None:
            asked = self.layout_.asked(of, over, by, group)
            return [(said, names, self._known_items(rows, **person)) for said, names, rows in asked]
        for name, value in (("of", of), ("by", by), ("group", group), ("over", None if over == "study" else over)):
            if value is not None:
                raise ValueError(f"{name} is {value!r}, but the study has no design: {type(self).__name__}(design=…).")
        return [({}, self.items_, self._known_items(**person))]

    def _layout(self, table):
        """Layout of the design for a table; None without a design or parts of items."""
        if self.design is None and table.parts is None:
            return None
        if table.features is not None:
            raise ValueError(
                f"table has features {listed(table.features.columns)}, and a design knows what is compared by name: "
                "leave them out, or design=None."
            )
        return Layout(Design() if self.design is None else self.design, table)

    def _inputs(self, frame):
        """(names, (q, D) inputs in the model's units) of a DataFrame, each row of which is a new item."""
        if self.features_ is None:
            raise ValueError("frame is given, but the study knows items by name alone (features=None): leave it out.")
        frame = data_frame(frame, "frame")
        return frame.index, self.units_(self._columns_of(frame, "frame"))

    def _columns_of(self, frame, name):
        """(q, D) the features of the fit, in their own units and order, from a DataFrame with a row for each item."""
        return np.column_stack([full_numbers(column(frame, one, "a feature", name)) for one in self.features_])

    def _known(self, table):
        """((n,) place among the items of the fit, by name, or −1; (n, D) inputs in the model's units) of a table."""
        item = self.items_.get_indexer(table.items)
        if self.features_ is None:
            return item, self.units_(self.X_)[item]
        if table.features is None:
            raise ValueError(f"table has no features; those of the fit are needed: {self.features_}.")
        X = self._columns_of(table.features, "table")
        apart = (np.abs(X - self.X_[item]) > SAME_FEATURE * np.abs(self.X_).max(axis=0)) & (item >= 0)[:, None]
        if apart.any():
            k, column = np.argwhere(apart)[0]
            raise ValueError(
                f"table has {self.features_[column]} = {X[k, column]:g} for {table.items[k]!r}, which had "
                f"{self.X_[item[k], column]:g} in the fit: an item is known by its name, so another one needs another."
            )
        return item, self.units_(X)

    def _asked_by_name(self, table):
        """The items of a table as Items of the model: those of the fit by their names, others by their features."""
        return items_at(self.model_.items_, *self._known(table))

    def draws(self, size: int = 1000, rng: Rng = 0, **whose: object) -> object:
        """ArviZ InferenceData with `size` joint draws of the items' values and, where the model has them, biases.

        Of bounded marks, values are on their scale. ArviZ is not a dependency of the course: pip install arviz.

        size : of the one chain;  rng : numpy Generator or seed;  whose : as for `ranking`
        """
        self._fitted()
        drawn = self._drawn(validation.integer(size, "size"), validation.generator(rng), **whose)
        try:
            import arviz
        except ModuleNotFoundError as error:
            needed = "arviz is not installed, which holds what draws() gives: pip install arviz"
            raise ModuleNotFoundError(needed, name="arviz") from error
        posterior = {name: values[None] for name, (_, values) in drawn.items()}
        dims = {name: [DRAW_DIMENSIONS[name]] for name in drawn}
        coords = {DRAW_DIMENSIONS[name]: list(names) for name, (names, _) in drawn.items()}
        if not hasattr(arviz, "InferenceData"):  # ArviZ 1
            posterior = {"posterior": posterior}
        return arviz.from_dict(posterior, coords=coords, dims=dims)

    def _drawn(self, size, rng, **whose):
        """{name: (names, (size, …) draws)}."""
        ((_, names, known),) = self._asked_for(**whose)
        return {"value": (names, known.drawn(size, rng))}

    # --- what was learned

    def learned(self):
        """DataFrame of the learned parameters: value and unit, under the names of columns where they belong to one.

        Lengthscales are in the unit of their column, also after standardising. For ratings it includes the spreads of
        biases, opinions, items beside their features, noises and gains. The log evidence is that of these values;
        `RatingStudy.compare` integrates them out.
        """
        model = self._fitted()
        rows = [
            *self._kernel_rows(model.kernel_),
            *self.answers_.spreads(),
            *noise_rows(model.likelihood_, self.answers_.unit),
        ]
        rows.append((EVIDENCE_ROW, model.log_evidence_, "nats"))
        return pd.DataFrame(rows, columns=["parameter", "value", "unit"]).set_index("parameter")

    def _kernel_rows(self, kernel, columns=None, prefix=""):
        """(name, value, unit) of each parameter of the kernel and its parts."""
        if self.layout_ is not None:  # effects
            own = {"bias_std": "rater's bias", "opinion_std": f"rater × {self.layout_.compared}"}
            for one in kernel.learned_names:
                yield own.get(one, one), getattr(kernel, one), self.answers_.unit
            return
        names = self._column_names() if columns is None else columns
        for one in kernel.parameter_names:
            value = np.ravel(getattr(kernel, one))
            many = np.ndim(getattr(kernel, one)) > 0
            for k, number in enumerate(value):
                of = f" of {names[k]}" if many and len(value) == len(names) else f"[{k}]" if many else ""
                yield f"{prefix}{type(kernel).__name__} {one}{of}", *self._with_unit(one, number, k, names, many)
        for child in kernel.children:
            inner = [names[c] for c in getattr(kernel, "columns", range(len(names)))]
            yield from self._kernel_rows(child, inner, prefix)

    def _column_names(self):
        return list(self.items_ if self.features_ is None else self.features_)

    def _with_unit(self, parameter, number, k, names, many):
        """(value, unit): a lengthscale of one column in that column's unit."""
        if parameter != "lengthscale":
            return float(number), f"{self.answers_.unit}²" if parameter == "variance" else ""
        if many and self.features_ is not None and names[k] in self.features_:
            return float(number * self.units_.spread[list(self.features_).index(names[k])]), str(names[k])
        return float(number), "standard deviations" if (self.units_.spread != 1).any() else "of the columns"

    def __repr__(self, N_CHAR_MAX=700):
        """The settings, as scikit-learn writes them, and of a fitted study the table and what was learned."""
        settings = super().__repr__(N_CHAR_MAX)
        if not hasattr(self, "model_"):
            return settings
        design = [] if self.layout_ is None else [f"  {self.layout_}"]
        lines = [f"  {name}: {value:.4g} {unit}".rstrip() for name, value, unit in self.learned().itertuples()]
        return "\n".join([settings, f"  {self.table_!r}", *design, *lines])

    def _repr_mimebundle_(self, **kwargs):
        """What a notebook shows: the text above, and of a fitted study a table of what was learned."""
        if not hasattr(self, "model_"):
            return super()._repr_mimebundle_(**kwargs)
        learned = self.learned().to_html(float_format="{:.4g}".format)
        title = f"<b>{type(self).__name__}</b> of {type(self.model_).__name__}: {html.escape(repr(self.table_))}"
        return {"text/plain": repr(self), "text/html": f"<p>{title}</p>{learned}"}

    def _table(self, table):
        kind, maker = self._tables
        if not isinstance(table, kind):
            came = type(table).__name__
            raise ValueError(f"table is of type {came}; a {kind.__name__} is needed, which {maker} makes.")
        return table
