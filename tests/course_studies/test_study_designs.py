"""Designs in words: the model that they come to is the mixed model, and what they are asked is said in one scale."""

import warnings

import numpy as np
import pandas as pd
import pytest
from scipy.stats import multivariate_normal

from course_lessons.your_data import worlds
from course_lib.gp import Fixed, Linear, Probit, differences
from course_lib.gp.latent import LatentGP
from course_lib.judgments import MultiSampleGP, RaterGP
from course_studies import Design, PairStudy, RatingStudy, from_long, from_pairs
from course_studies.effects import Effects

S, U, R = 5, 4, 6
RNG = np.random.default_rng(3)
GRID = [(f"S{s}", f"u{u}", f"r{r}") for s in range(S) for u in range(U) for r in range(R)]
FRAME = pd.DataFrame(GRID, columns=["system", "utterance", "rater"])


def drawn(std, *by):
    group = FRAME.groupby(list(by)).ngroup().to_numpy()
    return std * RNG.normal(size=group.max() + 1)[group]


FRAME["score"] = (
    drawn(0.8, "system")
    + drawn(0.4, "utterance")
    + drawn(0.3, "system", "utterance")
    + drawn(0.5, "rater")
    + drawn(0.4, "rater", "system")
    + 0.5 * RNG.normal(size=len(FRAME))
)
FRAME["hearing"] = np.where(FRAME["rater"] < "r3", "norm", "HI")
FRAME["trial"] = RNG.permutation(len(FRAME)) + 1
FRAME["age"] = FRAME["rater"].map({f"r{r}": 30.0 + 7 * r for r in range(R)})
FRAME["day"] = np.where(FRAME["trial"] % 2, "Mon", "Tue")
FRAME["wobbles"] = FRAME["day"]
FRAME["same"] = "all"
ALSO = ["hearing", "trial", "age", "day", "wobbles", "same"]
EQUAL = RaterGP(bias_std=0.3, opinion_std=0.3, pooling=0.01, max_iter=500)


def table(frame=FRAME, **changed):
    return from_long(frame, **{"item": ["system", "utterance"], "rater": "rater", "rating": "score"} | changed)


def study(design=None, frame=FRAME, model=EQUAL, **changed):
    return RatingStudy(model, design=design, plug_in=True).fit(table(frame, also=ALSO, **changed))


def test_an_item_of_several_columns_keeps_its_parts_and_answers_keep_what_is_asked():
    found = table(also=["trial"])
    assert found.items.name == "system · utterance" and found.items[0] == "S0 · u0"
    assert found.parts.loc["S3 · u2"].tolist() == ["S3", "u2"]
    np.testing.assert_array_equal(found[5:9].also["trial"], FRAME["trial"][5:9])
    last = table(frame=pd.concat([FRAME, FRAME[:1].assign(trial=999)]), repeats="last", also=["trial"])
    assert last.also["trial"].max() == 999 and len(last) == len(FRAME)
    with pytest.raises(ValueError, match=r"item=\['system', 'utterance'\].*design=Design"):
        from_long(FRAME, "system", "rater", "score")


def grouped_model(frame=FRAME):
    """A fitted RaterGP of effects, with gaps, and X, Y that it was fitted to."""
    at = np.arange(S * U)
    X = np.hstack([np.ones((S * U, 1)), np.eye(S)[at // U], np.eye(U)[at % U], np.eye(S * U)])
    Y = frame["score"].to_numpy().reshape(S * U, R).copy()
    Y[RNG.random(Y.shape) < 0.3] = np.nan
    block = np.repeat([0, 1, 2, 3], [1, S, U, S * U])
    spreads = {"level": 5.0, "system": 0.5, "utterance": 0.3, "both": 0.2}
    kernel = Effects(spreads, block, own=["system"]).with_priors(level=Fixed())
    model = RaterGP(kernel, bias_std=0.4, opinion_std=0.3, pooling=0.5, max_iter=3)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return model.fit(X, Y), X, Y


def test_effects_eliminated_rater_by_rater_are_the_joint_gaussian_and_its_gradient():
    model, X, Y = grouped_model()
    item, rater = np.nonzero(~np.isnan(Y))
    y, of, kernel = Y[item, rater] - model.offset_, item // U, model.kernel_
    shared = X * kernel.variances[: X.shape[1]]
    own = kernel.bias_std**2 + kernel.opinion_std**2 * (of[:, None] == of)
    C = shared[item] @ X[item].T + (rater[:, None] == rater) * own + np.diag(model.rater_std_[0, rater] ** 2)
    assert model.log_evidence_ == pytest.approx(multivariate_normal(np.zeros(len(y)), C).logpdf(y), abs=1e-8)
    mean, cov = model.predict_latent(X, return_cov=True)
    across = shared @ X[item].T
    np.testing.assert_allclose(mean - model.offset_, across @ np.linalg.solve(C, y), atol=1e-9)
    np.testing.assert_allclose(cov, shared @ X.T - across @ np.linalg.solve(C, across.T), atol=1e-9)
    np.testing.assert_allclose(model.consensus_, mean, atol=1e-12)
    known = across + (rater == 2) * (
        kernel.bias_std**2 + kernel.opinion_std**2 * ((np.arange(S * U) // U)[:, None] == of)
    )
    expected, std = model.predict_answer(X, rater=2)
    np.testing.assert_allclose(expected - model.offset_, known @ np.linalg.solve(C, y), atol=1e-9)
    prior = shared @ X.T + kernel.bias_std**2 + kernel.opinion_std**2
    told = np.einsum("ij,ij->i", known, np.linalg.solve(C, known.T).T)
    np.testing.assert_allclose(std**2, prior.diagonal() - told + model.rater_std_[0, 2] ** 2, atol=1e-9)
    theta = np.concatenate([kernel.theta, model.likelihood_.theta])
    steps = 1e-5 * np.eye(len(theta))
    slopes = [(model.evidence_at(theta + e)[0] - model.evidence_at(theta - e)[0]) / 2e-5 for e in steps]
    np.testing.assert_allclose(model.evidence_at(theta)[1], slopes, atol=1e-6)


def test_differences_of_effects_are_those_of_a_linear_kernel():
    X = RNG.normal(size=(7, 4))
    pairs, y = np.stack(np.triu_indices(7, 1), axis=1), np.sign(RNG.normal(size=21))
    block = differences(X, pairs, y, Probit())
    effects = LatentGP(Effects({"a": 0.7, "b": 1.2}, [0, 0, 1, 1]), optimize=False).fit(block)
    linear = LatentGP(Linear([0.49, 0.49, 1.44, 1.44]), optimize=False).fit(block)
    assert effects.log_evidence_ == pytest.approx(linear.log_evidence_, abs=1e-9)
    np.testing.assert_allclose(effects.predict_difference(X, pairs), linear.predict_difference(X, pairs), atol=1e-9)


def test_contrasts_of_systems_are_those_of_the_mixed_model_with_crossed_variances():
    mixedlm = pytest.importorskip("statsmodels.formula.api").mixedlm
    parts = {"s": "C(system)", "u": "C(utterance)", "su": "C(system):C(utterance)", "r": "C(rater)"}
    parts = {name: f"0 + {part}" for name, part in {**parts, "rs": "C(rater):C(system)"}.items()}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        fit = mixedlm("score ~ 1", FRAME, groups=np.ones(len(FRAME)), vc_formula=parts).fit(method="lbfgs")
    value, cov = fit.random_effects[1.0], np.asarray(fit.random_effects_cov[1.0])
    new = np.array([[name == f"s[C(system)[S{s}]]" for name in value.index] for s in range(S)], dtype=float)
    within = np.array([[name.startswith(f"su[C(system)[S{s}]:") for name in value.index] for s in range(S)]) / U
    ours = study()
    for over, weights in (("new", new), ("study", new + within)):
        found, (a, b) = ours.contrasts(over=over), np.triu_indices(S, 1)
        apart = weights[b] - weights[a]
        assert set(found["over"]) == {over}
        np.testing.assert_allclose(found["difference"], apart @ value, atol=0.01)
        theirs = 2 * 1.6449 * np.sqrt(np.einsum("ij,jk,ik->i", apart, cov, apart))
        np.testing.assert_allclose(found["high"] - found["low"], theirs, rtol=0.02)


def test_crossed_and_nested_are_seen_from_the_table_and_said():
    crossed = study()
    nested = study(frame=FRAME.assign(utterance=FRAME["system"] + FRAME["utterance"]))
    assert "crossed, 20 of 20 cells" in repr(crossed) and "nested, each in one 'system'" in repr(nested)
    for each in (crossed, nested):
        study_, new = (each.contrasts(over=over) for over in ("study", "new"))
        assert ((new["high"] - new["low"]) > 1.2 * (study_["high"] - study_["low"])).all()
    assert "utterance within system" in nested.learned().index
    assert len(crossed.consensus(of="item")) == S * U and crossed.consensus(centred=True)["consensus"].sum() < 1e-9
    assert (crossed.consensus()["answers"] == U * R).all()


def test_without_what_raters_think_of_a_system_intervals_are_too_narrow():
    plain = study(model=RaterGP(bias_std=0.3, pooling=0.01, max_iter=500))
    wide, narrow = ((s.contrasts()["high"] - s.contrasts()["low"]).mean() for s in (study(), plain))
    assert wide > 1.3 * narrow


def test_groups_order_and_covariates_are_found_where_they_were_put():
    more = FRAME["score"] + 1.0 * (FRAME["hearing"] == "HI") + 0.02 * FRAME["trial"]
    more = more + 1.5 * ((FRAME["hearing"] == "HI") & (FRAME["system"] == "S1"))
    design = Design(compare="system", group="hearing", order="trial", session="day")
    before, after = (study(design, FRAME.assign(score=score)) for score in (FRAME["score"], more))
    gain = [each.contrasts([("norm", "HI")], of="group", by="system") for each in (before, after)]
    gained = pd.Series((gain[1]["difference"] - gain[0]["difference"]).to_numpy(), gain[1]["system"])
    assert gained.idxmax() == "S1" and gained["S1"] > gained.drop("S1").max() + 0.3
    whole = after.contrasts([("norm", "HI")], of="group").loc[0]
    assert whole["difference"] == pytest.approx(gain[1]["difference"].mean())
    norm, impaired = (after.consensus(group=name) for name in ("norm", "HI"))
    np.testing.assert_allclose(impaired["consensus"] - norm["consensus"], gain[1].set_index("system")["difference"])
    given = FRAME.assign(score=more).query("hearing == 'HI'").groupby("system")["score"]
    np.testing.assert_allclose(impaired[["answers", "plain_mean"]], np.column_stack([given.size(), given.mean()]))
    assert after.ranking(group="HI").loc["S1", "rank"] <= after.ranking(group="norm").loc["S1", "rank"]
    drift = [each.contrasts(of="order").loc[0] for each in (before, after)]
    assert drift[1]["difference"] - drift[0]["difference"] == pytest.approx(0.02 * (len(FRAME) - 1), rel=0.1)
    assert drift[1]["a"] == 1 and drift[1]["b"] == len(FRAME)
    assert "day" in after.learned().index and "by 2 groups 'hearing', drift along 'trial'" in repr(after)
    forecast = after.forecasts(after.table_)
    assert np.corrcoef(forecast["mean"], forecast["rating"])[0, 1] > 0.8
    assert after.coverage(after.table_, [0.9])["share"][0] > 0.85
    aged = FRAME.assign(score=FRAME["score"] + 0.1 * FRAME["age"])
    rise = [study(Design(covariates=["age"]), f).forecasts(table(FRAME, also=ALSO))["mean"] for f in (FRAME, aged)]
    assert (rise[1] - rise[0]).groupby(FRAME["rater"]).mean().diff().dropna().to_numpy() == pytest.approx(0.7, abs=0.1)


def test_by_default_hyperparameters_of_a_design_are_averaged_over():
    few = FRAME[FRAME["system"] < "S3"]
    found = RatingStudy().fit(table(few))
    assert len(found.model_.latent_.members_) > 100 and isinstance(found.model_, RaterGP)
    assert np.isfinite(found.trust()[["low", "high"]]).all(axis=None)
    alone = few.drop_duplicates(["system", "utterance"])
    alone = RatingStudy(plug_in=True).fit(table(alone.assign(rater=np.arange(len(alone)))))
    assert type(alone.model_) is MultiSampleGP and len(alone.contrasts()) == 3


@pytest.mark.parametrize(
    ("design", "said"),
    [
        (Design(compare="sistem"), "compare is 'sistem'.*did you mean 'system'"),
        (Design(compare="system", over="system"), "over is 'system'; a part"),
        (Design(group="ears"), r"group names 'ears'.*also=\['ears'\]"),
        (Design(group="wobbles"), r"'wobbles' \(group\) differs between answers of 'r.'"),
        (Design(group="same"), "one level, 'all'"),
        (Design(session="same"), "one level"),
        (Design(order="day"), "holds text"),
        (Design(order=True), "order is True; of pairs True"),
        (Design(covariates=["trial"]), r"'trial' \(covariates\) differs between answers"),
        ("system", "design is 'system'; a Design"),
    ],
)
def test_what_is_wrong_with_a_design_is_said(design, said):
    with pytest.raises(ValueError, match=said):
        study(design)


def test_what_a_design_cannot_be_asked_is_said():
    with pytest.raises(ValueError, match="each system was tried on one utterance"):
        study(frame=FRAME[FRAME["utterance"] == "u0"])
    with pytest.raises(ValueError, match="a design needs RaterGP or MultiSampleGP"):
        study(model=RaterGP(Linear()))
    with pytest.raises(ValueError, match="items 'system' have no parts"):
        RatingStudy(design=Design(compare="system")).fit(
            from_long(FRAME[FRAME["utterance"] == "u0"], "system", "rater", "score")
        )
    found = study()
    for asked, said in (
        ({"of": "group"}, "of is 'group'"),
        ({"over": "newer"}, "over is 'newer'"),
        ({"of": "item", "over": "new"}, "over is 'new'"),
        ({"by": "system"}, "by is 'system'"),
        ({"group": "HI"}, r"group is 'HI'.* a design with groups"),
    ):
        with pytest.raises(ValueError, match=said):
            found.contrasts(**asked)
    with pytest.raises(ValueError, match="response is 'ordinal', and items have parts"):
        RatingStudy(response="ordinal").fit(table())
    groups = study(Design(group="hearing"))
    with pytest.raises(ValueError, match=f"by gives {S} tables"):
        groups.contrasts(of="group", by="system", together=True)
    plain = RatingStudy(plug_in=True).fit(from_long(FRAME[FRAME["utterance"] == "u0"], "system", "rater", "score"))
    with pytest.raises(ValueError, match="the study has no design"):
        plain.contrasts(of="system")


DRAWN = 0.03  # of a mean of draws: its error


def choices(seed=1, **changed):
    frame = worlds.ab_test(seed, items=4, people=4, answers=20).frame
    names = {"person": "person", "sides": ("left", "right"), "tie": "same", "also": ["hearing"]}
    return frame, from_pairs(frame, "left", "right", "answer", **names | changed)


def test_groups_of_people_and_the_side_that_is_favoured():
    frame, pairs = choices()
    found = PairStudy(design=Design(group="hearing", order=True), people="own", plug_in=True).fit(pairs)
    turned = frame.rename(columns={"left": "right", "right": "left"})
    turned = turned.assign(answer=frame["answer"].map({"left": "right", "right": "left", "same": "same"}))
    names = {"person": "person", "sides": ("left", "right"), "tie": "same", "also": ["hearing"]}
    other = PairStudy(design=Design(group="hearing", order=True), people="own", plug_in=True)
    other = other.fit(from_pairs(turned, "left", "right", "answer", **names))
    side, back = found.contrasts(of="order").loc[0], other.contrasts(of="order").loc[0]
    assert side["difference"] == pytest.approx(-back["difference"], abs=DRAWN) and side["b"] == "second"
    order, turned_order = (
        one.model_.predict_latent(one.rows_.of(one.layout_.order_rows()))[0] for one in (found, other)
    )
    assert np.diff(order) == pytest.approx(-np.diff(turned_order), abs=1e-3)
    mean, same = (
        pd.Series(one.model_.predict_latent(one.rows_.items(one.model_))[0], one.items_) for one in (found, other)
    )
    np.testing.assert_allclose(mean - mean.mean(), (same - same.mean())[mean.index], atol=1e-3)
    worth, same = found.worth()["worth"], other.worth()["worth"]
    np.testing.assert_allclose(worth, same[worth.index], atol=DRAWN)
    groups = found.contrasts([("norm", "HI")], of="group")
    assert groups["item"].tolist() == found.items_.tolist() and abs(groups["difference"].sum()) < 1e-9
    apart = found.worth(group="HI")["worth"] - found.worth(group="norm")["worth"]
    np.testing.assert_allclose(apart, groups.set_index("item")["difference"], atol=1e-9)
    with pytest.raises(ValueError, match=r"group is 'H1'.*one of 'HI', 'norm'"):
        found.ranking(group="H1")
    with pytest.raises(ValueError, match="who is of one group"):
        found.worth(group="HI", person=found.people_[0])
    own = np.mean([found.worth(person=who)["worth"] for who in found.people_], axis=0)
    assert np.corrcoef(own, worth)[0, 1] > 0.95
    forecast = found.forecasts(pairs)
    np.testing.assert_allclose(forecast[["p_a", "p_tie", "p_b"]].sum(axis=1), 1.0)
    strangers = found.forecasts(
        from_pairs(frame.assign(person="new"), "left", "right", "answer", **names | {"also": ["hearing"]})
    )
    assert np.isfinite(strangers["p_b"]).all()
    with pytest.raises(ValueError, match="answers to pairs are free of"):
        PairStudy(design=Design(session="hearing")).fit(pairs)
    with pytest.raises(ValueError, match="order is 'trial'; of pairs True"):
        PairStudy(design=Design(order="trial")).fit(pairs)
    with pytest.raises(ValueError, match="model has the kernel"):
        PairStudy(found.model_.__class__(Linear(), ties=True), design=Design(order=True)).fit(pairs)
