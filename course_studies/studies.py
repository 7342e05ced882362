"""What is common to studies: a model, fitted to a table, that answers in data frames under the table's names.

Lecture: 14, section 2.
"""

import html
import warnings

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, clone

import course_lib
from course_lib import validation
from course_lib.gp import OnColumns, SquaredExponential
from course_lib.gp.scales import ScalesWarning, warn_of_scales
from course_lib.judgments.comparisons.floating import FloatingItemsWarning
from course_lib.judgments.panels.answers import LongTableWarning
from course_studies.columns import column, data_frame, full_numbers, listed
from course_studies.comparing import log_evidence
from course_studies.design import Design, Layout
from course_studies.effects import Effects, GroupedViews

SAME = 1e-6  # of the greatest number in its column: a feature that is as far off is another one
MOST_AVERAGED = 600  # items, and raters with biases, of whom hyper-parameters are averaged over unasked
DIMENSIONS = {"value": "item", "bias": "rater"}  # of what is drawn
EVIDENCE = "log evidence, values as known"
SYMBOLS = {"noise_std": "noise σ", "threshold": "threshold δ", "precision": "precision ν"}


class PlugInWarning(UserWarning):
    """Hyper-parameters were plugged in unasked: to average over them would take too long."""


class Units:
    """Columns in standard deviations from their means, if asked for: the same change for all that comes later."""

    def __init__(self, X, standardize):
        spread = X.std(axis=0)
        self.mean = X.mean(axis=0) if standardize else np.zeros(X.shape[1])
        self.spread = np.where(spread > 0, spread, 1.0) if standardize else np.ones(X.shape[1])

    def __call__(self, X):
        return (X - self.mean) / self.spread


class Study(BaseEstimator):
    """A model fitted to a table: `RatingStudy` and `PairStudy`. Its settings are `model`, `standardize` and others.

    A fit finds the best hyper-parameters. To take these as known makes intervals too narrow: of few raters and items,
    90 % intervals hold half of what they should. So a study averages over what the answers leave open of them
    (`LatentModel.averaged`), unless `plug_in` is set, the model has optimize=False, or there are more than 600 items
    and raters, of which a warning tells.
    """

    _whose = ()  # what questions take besides those of a design

    # --- learning

    def _model_for(self, X, table, default):
        """(a fresh model, Units), with a warning if one lengthscale stands for columns that differ widely."""
        units = Units(X, validation.flag(self.standardize, "standardize") and table.features is not None)
        model = (
            default if self.model is None else clone(validation.has_methods(self.model, ("fit",), "model", "a model"))
        )
        if table.features is not None and getattr(model, "kernel", 0) is None:
            model.set_params(kernel=self._first_kernel(units(X), table))
        if table.features is not None:
            kernel = SquaredExponential() if model.kernel is None else model.kernel
            warn_of_scales(kernel, units(X), table.features.columns, "Here standardize=True does both.")
        return model, units

    def _first_kernel(self, X, table):
        """For items with features X, in the model's units: a lengthscale for each if these are standard deviations."""
        return SquaredExponential(self._first_variance(table), np.ones(X.shape[1])) if self.standardize else None

    def _first_variance(self, table):
        """Where the search for the size of the kernel begins."""
        return 1.0

    def _averaged(self, model):
        """The fitted model as the study asks it: with hyper-parameters averaged over, the same at each fit."""
        if validation.flag(self.plug_in, "plug_in") or not model.optimize:
            return model
        views = model.observations_.views
        count = views.size if isinstance(views, GroupedViews) else len(model.observations_.X)
        if count > MOST_AVERAGED:
            validation.warn(
                f"there are {count} items and raters, more than {MOST_AVERAGED}: the best hyper-parameters are taken "
                "as known, and where answers are few intervals hold less than they say. plug_in=True says that you "
                "know; study.model_.averaged() averages, in minutes.",
                PlugInWarning,
            )
            return model
        return model.averaged(rng=0)

    @staticmethod
    def _best(fits, *data):
        """The fitted model with the greatest evidence, and of all warnings its own alone.

        Left out is a second word on scales, as the first named the columns, and on long tables: this was read. Items
        that hang on nothing are told by name, see `warn_of_floating`.
        """
        read = (ScalesWarning, LongTableWarning, FloatingItemsWarning)
        if len(fits) == 1:  # what it says before it learns, such as how much memory it takes, is said then
            with warnings.catch_warnings():
                for category in read:
                    warnings.simplefilter("ignore", category)
                return fits[0](*data)
        found = []
        for fit in fits:
            with warnings.catch_warnings(record=True) as said:
                warnings.simplefilter("always")
                found.append((fit(*data), said))
        model, said = max(found, key=lambda one: log_evidence(one[0]))
        for one in said:
            if not issubclass(one.category, read):
                warnings.warn_explicit(one.message, one.category, one.filename, one.lineno)
        return model

    def _keep(self, **fitted):
        self.__dict__.update(fitted, version_=course_lib.__version__)
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

    def contrasts(self, pairs=None, confidence=0.9, together=False, **whose):
        """DataFrame of differences between items of the fit: a, b, difference (b − a), low, high, p_better (b is).

        pairs : names [(a, b), …]; None: all pairs
        together : False: each interval by itself holds its difference with this probability, and of many some miss;
            True: all of them at once do, and are wider, see `joint_confidence`
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

    def ranking(self, confidence=0.9, **whose):
        """DataFrame of items, the best first: value, rank with low and high, p_best, and letters in `group`.

        Items that share a letter cannot be told apart, see `KnownItems.ranked`.

        whose : `person`, of studies of pairs with people="own"; with a design `of`: what is compared (None), "item",
            "group" or "order"; `over`: "study", its mean over what it was tried on, or "new", over endlessly many
            others, which is less sure; and `group`: None, all alike, or the name of one, whose values are asked for
        """
        ((_, names, known),) = self._asked_for(**{"by": None, **whose})
        return known.ranked(names, confidence)

    def _asked_for(self, of=None, over="study", by=None, group=None, **person):
        """[(what is said, names, KnownItems)] for a question of a design or the items; of pairs also a `person`."""
        for name in set(person) - set(self._whose):
            raise TypeError(f"{type(self).__name__} takes no {name!r} here; an interval's level is its confidence.")
        self._fitted()
        if group is not None and person.get("person") is not None:
            raise ValueError(
                f"group is {group!r} and person {person['person']!r}, who is of one group: name one of both."
            )
        if self.layout_ is not None:
            asked = self.layout_.asked(of, over, by, group)
            return [(said, names, self._joint_of(rows, **person)) for said, names, rows in asked]
        for name, value in (("of", of), ("by", by), ("group", group), ("over", None if over == "study" else over)):
            if value is not None:
                raise ValueError(f"{name} is {value!r}, but the study has no design: {type(self).__name__}(design=…).")
        return [({}, self.items_, self._joint(**person))]

    def _layout(self, table):
        """The design, laid out for a table; None without one, and where items have no parts."""
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
            raise ValueError("frame came, but the study knows items by name alone (features=None): leave it out.")
        frame = data_frame(frame, "frame")
        return frame.index, self.units_(self._columns_of(frame, "frame"))

    def _columns_of(self, frame, name):
        """(q, D) the features of the fit, in their own units and order, from a DataFrame with a row for each item."""
        return np.column_stack([full_numbers(column(frame, one, "a feature", name)) for one in self.features_])

    def _known(self, table):
        """Of a table's items (n,) the place among those of the fit, by name, or −1; and (n, D) in the model's units.

        Of items known by name alone the inputs are a column for each of the fit.
        """
        item = self.items_.get_indexer(table.items)
        if self.features_ is None:
            return item, self.units_(self.X_)[item]
        if table.features is None:
            raise ValueError(f"table has no features; those of the fit are needed: {self.features_}.")
        X = self._columns_of(table.features, "table")
        apart = (np.abs(X - self.X_[item]) > SAME * np.abs(self.X_).max(axis=0)) & (item >= 0)[:, None]
        if apart.any():
            k, column = np.argwhere(apart)[0]
            raise ValueError(
                f"table has {self.features_[column]} = {X[k, column]:g} for {table.items[k]!r}, which had "
                f"{self.X_[item[k], column]:g} in the fit: an item is known by its name, so another one needs another."
            )
        return item, self.units_(X)

    def _asked_by_name(self, table):
        """The items of a table as Items of the model: those of the fit by their names, others by their features."""
        (item, X), fit = self._known(table), self.model_.items_
        return fit.with_new(X)[np.where(item < 0, len(fit) + np.arange(len(item)), item)]

    def draws(self, size=1000, rng=0, **whose):
        """ArviZ InferenceData with `size` draws of the items' values and, where the model has them, raters' biases.

        They are drawn together, from the Gaussian that all intervals here are of; where marks are bounded, values are
        on their scale. ArviZ is no dependency of the course: pip install arviz.

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
        dims = {name: [DIMENSIONS[name]] for name in drawn}
        coords = {DIMENSIONS[name]: list(names) for name, (names, _) in drawn.items()}
        if not hasattr(arviz, "InferenceData"):  # ArviZ 1
            posterior = {"posterior": posterior}
        return arviz.from_dict(posterior, coords=coords, dims=dims)

    def _drawn(self, size, rng, **whose):
        """{what: (names, (size, …) draws)}."""
        ((_, names, known),) = self._asked_for(**whose)
        return {"value": (names, known.drawn(size, rng))}

    # --- what was learned

    def learned(self):
        """DataFrame of the learned parameters: value and unit, under the names of columns where they belong to one.

        Lengthscales are in the unit of their column, also after standardising. Of ratings, the spreads of all that
        differs between raters and items are there too: biases, opinions, what is an item's own, noises and gains.

        The log evidence is that of these values, as if they were known; `RatingStudy.compare` integrates them out.
        """
        model = self._fitted()
        rows = [*self._kernel_rows(model.kernel_), *self._spread_rows(), *self._noise_rows(model.likelihood_)]
        rows.append((EVIDENCE, model.log_evidence_, "nats"))
        return pd.DataFrame(rows, columns=["parameter", "value", "unit"]).set_index("parameter")

    def _spread_rows(self):
        """(name, value, unit) of the sizes of random effects."""
        return ()

    def _kernel_rows(self, kernel, columns=None, prefix=""):
        """(name, value, unit) of each parameter of the kernel and its parts."""
        if isinstance(kernel, Effects):
            own = {"bias_std": "rater's bias", "opinion_std": f"rater × {self.layout_.compared}"}
            for one in kernel.learned_names:
                yield own.get(one, one), getattr(kernel, one), self._unit()
            return
        names = self._column_names() if columns is None else columns
        for one in kernel.parameter_names:
            value = np.ravel(getattr(kernel, one))
            many = np.ndim(getattr(kernel, one)) > 0
            for k, number in enumerate(value):
                of = f" of {names[k]}" if many and len(value) == len(names) else f"[{k}]" if many else ""
                yield f"{prefix}{type(kernel).__name__} {one}{of}", *self._with_unit(one, number, k, names, many)
        for child in kernel.children:
            inner = [names[c] for c in kernel.columns] if isinstance(kernel, OnColumns) else names
            yield from self._kernel_rows(child, inner, prefix)

    def _column_names(self):
        return list(self.items_ if self.features_ is None else self.features_)

    def _with_unit(self, parameter, number, k, names, many):
        """(value, unit): a lengthscale of one column in that column's unit."""
        if parameter != "lengthscale":
            return float(number), f"{self._unit()}²" if parameter == "variance" else ""
        if many and self.features_ is not None and names[k] in self.features_:
            return float(number * self.units_.spread[list(self.features_).index(names[k])]), str(names[k])
        return float(number), "standard deviations" if (self.units_.spread != 1).any() else "of the columns"

    def _noise_rows(self, likelihood):
        for one in likelihood.parameter_names:
            if np.ndim(getattr(likelihood, one)) == 0:
                unit = self._unit() if one == "noise_std" else ""
                value = getattr(likelihood, "total_std" if hasattr(likelihood, "total_std") else one)
                yield SYMBOLS.get(one, one), float(value), unit
        for child in likelihood.children:
            yield from self._noise_rows(child)

    def __repr__(self, N_CHAR_MAX=700):
        """The settings, as scikit-learn writes them; of a fitted study also the table and what was learned."""
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
        title = (
            f"<p><b>{type(self).__name__}</b> of {type(self.model_).__name__}: {html.escape(repr(self.table_))}</p>"
        )
        return {"text/plain": repr(self), "text/html": title + learned}

    def _table(self, table, kind, maker):
        if not isinstance(table, kind):
            raise ValueError(
                f"table is of type {type(table).__name__}; a {kind.__name__} is needed, which {maker} makes."
            )
        return table
