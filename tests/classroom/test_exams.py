"""The exams: points, sections that exist, and every answer computed again, on another way than the papers do it."""

import re
from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from scipy import stats
from scipy.integrate import quad

from course_lib import gp
from course_lib import sequences as seq
from course_lib.judgments.asking.acquisition import expected_improvement
from teaching.exams import first, second
from teaching.exams.common import Awkward
from tests.lectures.reading import LECTURES, ROOT, lecture
from tools.exams import __main__ as command
from tools.exams import making
from tools.homework import bundle

A, SHEETS = 0, range(20)
CODE = re.compile(r"```python\n(.*?)```", flags=re.S)

both = pytest.mark.parametrize("name", making.EXAMS)
some = pytest.mark.parametrize("sheet", [0, 1, 2, 3])


@cache
def numbers(name, sheet):
    return making.numbers(name, sheet)


@cache
def exam(name, sheet=A):
    return making.exam(ROOT, name, sheet)


def program(name, number):
    """The function in a question's program."""
    (source,) = CODE.findall(exam(name).questions[number - 1].sheet)
    made = {"np": np}
    exec(source, made)
    return next(value for key, value in made.items() if key not in ("np", "__builtins__"))


# --- papers


@both
def test_ninety_points_and_fewer_minutes(name):
    questions = exam(name).questions
    assert [q.number for q in questions] == list(range(1, len(questions) + 1))
    assert 6 <= len(questions) <= 8
    assert sum(q.points for q in questions) == 90
    assert 60 <= sum(q.minutes for q in questions) <= 82
    assert all(q.minutes <= q.points + 1 for q in questions)


@both
def test_each_question_examines_sections_that_exist(name):
    there = {path.name[:2]: {section.number for section in lecture(path).sections} for path in LECTURES}
    examined = set()
    for q in exam(name).questions:
        for part in q.examines.split("; "):
            number, sections = part.split(", ", 1)
            found = [int(n) for n in re.findall(r"\d+", sections)]
            assert set(found) <= there[number], (q.title, part)
            examined.add(number)
    half = {f"{n:02}" for n in (range(1, 7) if name == "first" else range(7, 14))}
    assert examined == half


@both
def test_students_get_no_answers(name):
    sheet, teacher = making.for_students(exam(name)), making.for_teachers(exam(name))
    assert "### " not in sheet
    for q in exam(name).questions:
        assert q.sheet in sheet and q.sheet in teacher
        assert q.solution in teacher and q.solution not in sheet
        assert len(q.marking) >= 4 and len(q.mistakes) >= 3
        assert all(len(row) == 3 for row in q.marking + q.mistakes)


@both
@pytest.mark.parametrize("sheet", SHEETS)
def test_every_sheet_has_numbers_that_behave(name, sheet):
    teacher = making.for_teachers(exam(name, sheet))
    assert not re.search(r"np\.float|<built-in|\bNone\b|<<|>>|%%|\d-\d|−0\.0+\b", teacher)
    assert sheet == A or making.for_students(exam(name, sheet)) != making.for_students(exam(name))


def test_numbers_that_teach_nothing_are_refused():
    with pytest.raises(Awkward, match="one best path"):
        first.warping(x=(1, 1, 1, 1), y=(1, 1, 1, 1))
    with pytest.raises(Awkward, match="mistakes that show"):
        second.raters(noises=(1.0, 1.0, 1.0))


def test_marks_that_do_not_add_up_are_refused():
    text = "# Exam\n\nrules\n\n## 1 · One (3 points)\n\n*Lecture 01, section 1.*\n\n### Solution\n\nA word.\n"
    marks = "\n### Marking\n\n| for | points | half for |\n|---|---|---|\n| all | {} | – |\n"
    mistakes = "\n### Mistakes\n\n| mistake | gives | earns |\n|---|---|---|\n| a | b | c |\n"
    assert making.parsed(text + marks.format(3) + mistakes).questions[0].points == 3
    with pytest.raises(ValueError, match="adds up to 2"):
        making.parsed(text + marks.format(2) + mistakes)
    with pytest.raises(ValueError, match="Solution, Marking and Mistakes are needed"):
        making.parsed(text + mistakes)


@both
def test_the_table_of_questions_is_current(name):
    page = (ROOT / "teaching" / "exams" / "README.md").read_text(encoding="utf-8")
    assert making.summary(exam(name)) in page, f"python -m tools.exams --table {name}"


def test_the_command_writes_pages_that_need_no_network(tmp_path, capsys):
    assert command.main(["second", "--sheet", "2", "--into", str(tmp_path)]) == 0
    names = ["second_2.html", "second_2.md", "second_2_teacher.html", "second_2_teacher.md"]
    assert sorted(path.name for path in tmp_path.iterdir()) == names
    page = (tmp_path / "second_2.html").read_text(encoding="utf-8")
    assert page.count("<table>") >= 4 and "http" not in page and "Solution" not in page
    assert re.findall(r"<h2>(\d)", page) == list("12345678")
    with pytest.raises(SystemExit):
        command.main(["third"])


def test_students_get_nothing_of_it():
    names = bundle.bundle(ROOT)
    assert not [name for name in names if name.startswith(("teaching/", "tools/exams/", "tools/homework/"))]
    assert "tools/update.py" in names


# --- answers of the first exam, computed on another way


@some
def test_warping(sheet):
    got = numbers("first", sheet)["warping"]
    found = seq.dtw(got["x"], got["y"], seq.SYMMETRIC1, keep_accumulated=True)
    assert found.distance == got["distance"]
    assert np.array_equal(found.accumulated, got["D"])
    assert ", ".join(f"({i + 1}, {j + 1})" for i, j in found.path) == got["path"]
    other = [tuple(map(int, cell)) for cell in re.findall(r"\((\d), (\d)\)", got["other_path"])]
    assert {(c - a, d - b) for (a, b), (c, d) in pairwise(other)} <= {(1, 0), (0, 1), (1, 1)}
    assert sum(got["d"][i - 1][j - 1] for i, j in other) == got["other_total"] > got["distance"]
    assert got["other_total"] / len(other) < got["distance"] / len(found.path)


@some
def test_density(sheet):
    got = numbers("first", sheet)["density"]
    models = {"a": np.eye(2), "b": np.diag(np.square(got["spread_b"]))}
    right = {k: stats.multivariate_normal(got[f"mean_{k}"], S).logpdf(got["x"]) for k, S in models.items()}
    for k in "ab":
        assert right[k] == pytest.approx(got[f"score_{k}"] + got["constant"])
    assert np.exp(right["a"] - right["b"]) == pytest.approx(got["factor"])
    wrong = {k: program("first", 2)(np.array(got["x"]), np.array(got[f"mean_{k}"]), S) for k, S in models.items()}
    assert wrong["a"] == pytest.approx(right["a"])
    assert wrong["b"] - right["b"] == pytest.approx(got["excess"])
    assert right["b"] < right["a"] < wrong["b"]


@some
def test_mixture(sheet):
    got = numbers("first", sheet)["mixture"]
    x, gamma = np.array(got["x"]), np.array(got["gamma"])
    assert got["mean"] == pytest.approx(np.average(x, weights=gamma))
    assert got["variance"] == pytest.approx(np.cov(x, aweights=gamma, bias=True))
    shift = (got["mean"] - got["old_mean"]) ** 2
    assert got["with_old_mean"] == pytest.approx(got["variance"] + shift)
    for row in got["rows"]:
        assert row["bic"] == pytest.approx(-2 * row["train"] + (3 * row["K"] - 1) * np.log(40))
    assert got["chosen"] == min(got["rows"], key=lambda row: row["bic"])["K"]


@some
def test_chain(sheet):
    got = numbers("first", sheet)["chain"]
    pi, A, B, O = np.array(got["pi"]), np.array(got["A"]), np.array(got["B"]), [0, 1, 1]
    for t in (1, 2, 3):
        log_p, log_alpha = seq.forward(pi, A, np.log(B[:, O[:t]].T))
        assert np.exp(log_alpha[-1]) == pytest.approx(got["alpha"][t - 1])
        assert np.exp(log_p) == pytest.approx(got["totals"][t - 1])
    longer = seq.forward(pi, A, np.log(B[:, [*O, 1]].T))[0]
    assert np.exp(longer) / got["P"] == pytest.approx(got["late_tomorrow"])
    wrong = program("first", 4)
    assert wrong(pi, A, B, O) == pytest.approx(got["code"])
    assert wrong(pi, A, B, O[:1]) == pytest.approx(np.log(got["totals"][0]))
    (source,) = CODE.findall(exam("first").questions[3].sheet)
    made = {"np": np}
    exec(source.replace("in O[1:]:\n", "in O[1:]:\n        alpha = alpha / alpha.sum()\n"), made)
    assert made["log_probability"](pi, A, B, O) == pytest.approx(got["log_P"])


def conditioned(mean, cov, given):
    """Mean and variance of the last of jointly Gaussian numbers, given all others."""
    share = np.linalg.solve(cov[:-1, :-1], cov[:-1, -1])
    return mean[-1] + share @ (np.array(given) - mean[:-1]), cov[-1, -1] - share @ cov[:-1, -1]


@some
def test_process(sheet):
    got = numbers("first", sheet)["process"]
    v, c, n = got["variance"], got["covariance"], got["noise"] ** 2
    one = conditioned(np.zeros(2), np.array([[v + n, c], [c, v]]), [got["first"]])
    assert (got["mean"], got["var"]) == pytest.approx(one)
    assert got["next_var"] == pytest.approx(one[1] + n)
    cov = np.array([[v + n, v, c], [v, v + n, c], [c, c, v]])
    assert (got["mean_two"], got["var_two"]) == pytest.approx(
        conditioned(np.zeros(3), cov, [got["first"], got["second"]])
    )
    many = conditioned(np.zeros(2), np.array([[v + n / 1e9, c], [c, v]]), [0.0])
    assert got["limit"] == pytest.approx(many[1])
    assert sorted(row["complexity"] for row in got["shown"]) == [
        row["complexity"] for row in sorted(got["shown"], key=lambda row: row["lengthscale"])
    ]
    assert {row["lengthscale"] for row in got["shown"]} == set(got["lengthscales"])
    best, other = sorted((row["sum"] for row in got["shown"]), reverse=True)[:2]
    assert got["factor"] == pytest.approx(np.exp(best - other))


def test_evidence_is_a_gaussian_density():
    t, y = first.measured(4)
    row = first.evidence_row(t, y, 0.7, 0.3)
    K = gp.SquaredExponential(1.0, 0.7)(t[:, None]) + 0.09 * np.eye(len(t))
    assert row["sum"] == pytest.approx(stats.multivariate_normal(np.zeros(len(t)), K).logpdf(y), abs=0.016)


@some
def test_sites(sheet):
    got = numbers("first", sheet)["sites"]
    g = np.linspace(-40, 40, 200001)

    def moments(tau, nu):
        weight = np.exp(-0.5 * g**2 / got["variance"] + nu * g - 0.5 * tau * g**2)
        mean = (weight * g).sum() / weight.sum()
        return mean, (weight * (g - mean) ** 2).sum() / weight.sum(), weight / weight.sum()

    mean, var, weight = moments(sum(got["tau"]), sum(got["nu"]))
    assert (mean, var) == pytest.approx((got["mean"], got["var"]))
    assert got["yes"] == pytest.approx(weight @ stats.norm.cdf(g))
    assert moments(got["tau"][1], got["nu"][1])[:2] == pytest.approx((got["rest_mean"], got["rest_var"]))
    assert moments(sum(got["tau"]) + got["odd"], sum(got["nu"]))[1] == pytest.approx(got["odd_var"], rel=1e-4)


# --- answers of the second exam, computed on another way


@some
def test_bounded(sheet):
    got = numbers("second", sheet)["bounded"]
    rng = np.random.default_rng(0)
    f = got["m"] + got["s"] * rng.normal(size=400_000)
    marks = stats.norm.cdf(f + got["noise"] * rng.normal(size=f.size))
    assert marks.mean() == pytest.approx(got["warped_mean"], abs=2e-3)
    assert np.median(marks) == pytest.approx(got["median"], abs=2e-3)
    assert stats.norm.cdf(f).mean() == pytest.approx(got["beta_mean"], abs=2e-3)
    log_density = stats.beta(got["alpha"], got["beta"]).logpdf
    assert log_density(1 - 1e-6) - log_density(1 - 1e-3) == pytest.approx(got["per_mark"], abs=0.01)
    for row, name, which in zip(got["rows"], got["names"], got["centred"], strict=True):
        assert which == {"warped": "median", "truncated Gaussian": "mode", "beta": "mean"}[name]
        assert row[which] == pytest.approx(got["centre"])


def test_mean_median_and_mode_of_three_models():
    rows = dict(zip(*[second.bounded()[key] for key in ("names", "rows")], strict=True))
    f, centre = 1.2, stats.norm.cdf(1.2)
    y = np.linspace(1e-4, 1 - 1e-4, 100001)
    z = stats.norm.ppf(y)
    densities = {
        "warped": stats.norm.pdf(z, f, 0.5) / stats.norm.pdf(z),
        "truncated Gaussian": stats.norm.pdf(y, centre, 1 / 8),
        "beta": stats.beta.pdf(y, 12 * centre, 12 * (1 - centre)),
    }
    for name, density in densities.items():
        mass = density / density.sum()
        found = {"mean": mass @ y, "median": y[np.searchsorted(mass.cumsum(), 0.5)], "mode": y[mass.argmax()]}
        assert found == pytest.approx({key: rows[name][key] for key in found}, abs=1e-3)


@some
def test_panel(sheet):
    got = numbers("second", sheet)["panel"]
    n = got["count"]
    cov = got["spread"] ** 2 * np.ones((n + 1, n + 1)) + got["noise"] ** 2 * np.diag([1] * n + [0])
    mean, var = conditioned(np.full(n + 1, got["level"]), cov, got["answers"])
    assert (got["value"], got["value_std"] ** 2) == pytest.approx((mean, var))
    assert got["one"] ** 2 - got["several"] ** 2 == pytest.approx(got["missing"])
    assert got["nugget_var"] + got["expected_base"] ** 2 == pytest.approx(got["base"] ** 2)


@some
def test_raters(sheet):
    got = numbers("second", sheet)["raters"]
    noise, row = np.array(got["noises"], dtype=float), np.array(got["row"], dtype=float)
    assert program("second", 3)(row[None], noise)[0] == pytest.approx(got["code"])
    made = {"np": np, "Y": row[None], "noise": noise}
    (repaired,) = CODE.findall(exam("second").questions[2].solution)
    exec(repaired.replace("return ", "answer = "), made)
    assert made["answer"][0] == pytest.approx(got["combined"])
    here = ~np.isnan(row)

    def likelihood(value):
        return np.prod(stats.norm.pdf(row[here], value, noise[here]))

    total, first_moment = (quad(lambda v, k=k: v**k * likelihood(v), -20, 40, points=[5])[0] for k in (0, 1))
    assert first_moment / total == pytest.approx(got["combined"])
    second_moment = quad(lambda v: (v - got["combined"]) ** 2 * likelihood(v), -20, 40, points=[5])[0]
    assert np.sqrt(second_moment / total) == pytest.approx(got["std"])


@some
def test_choice(sheet):
    got = numbers("second", sheet)["choice"]
    cov = [[got["variances"][0], got["covariance"]], [got["covariance"], got["variances"][1]]]
    rng = np.random.default_rng(1)
    f = rng.multivariate_normal(got["means"], cov, 400_000)
    heard = f + got["noise"] * rng.normal(size=f.shape)
    assert np.mean(heard[:, 1] > heard[:, 0]) == pytest.approx(got["right"], abs=3e-3)
    assert np.mean(f[:, 1] > f[:, 0]) == pytest.approx(got["no_noise"], abs=3e-3)
    assert got["coin"] == pytest.approx(np.log(0.5 ** got["answers"]))


@some
def test_people(sheet):
    got = numbers("second", sheet)["people"]
    among = got["worth"] * np.array([[1, got["rho"]], [got["rho"], 1]])  # two people, one item
    all_four = np.kron(among, np.eye(2))  # two items of each
    view = np.array([[-1, 1, 0, 0], [0, 0, -1, 1]])
    cov = view @ all_four @ view.T + np.diag([got["noise_var"], 0])
    assert cov[0, 1] == pytest.approx(got["cov"])
    assert (got["mean"], got["var"]) == pytest.approx(conditioned(np.zeros(2), cov, [got["heard"]]))
    row = got["rows"][1]
    rng = np.random.default_rng(2)
    crowd, share = got["crowd"], got["V"] * got["rho"]
    own = np.sqrt(share) * rng.normal(size=(20000, 1)) + np.sqrt(got["V"] - share) * rng.normal(size=(20000, crowd))
    answers = own + np.sqrt(got["noise_var"] / row["k"]) * rng.normal(size=own.shape)
    gain = got["V"] / (got["V"] + got["noise_var"] / row["k"])
    assert np.sqrt(np.mean((gain * answers - own) ** 2)) == pytest.approx(row["each"], rel=0.01)
    everybody = answers.mean(axis=1, keepdims=True)
    pooled = got["V"] / (got["V"] + got["noise_var"] / row["k"] / crowd)
    assert np.sqrt(np.mean((pooled * everybody - own) ** 2)) == pytest.approx(row["all"], rel=0.01)
    columns = dict(zip("PQR", np.array(got["shown"])[:, 1:].T, strict=True))
    assert np.all(columns[got["shared_letter"]] < columns[got["each_letter"]])
    assert np.all(columns[got["shared_letter"]] < columns[got["all_letter"]])
    assert columns[got["each_letter"]][-1] < columns[got["all_letter"]][-1]


@some
def test_asking(sheet):
    got = numbers("second", sheet)["asking"]
    for name in ("near", "far"):
        one = got[name]
        cov = np.array([[got["best"][1], one["cov"]], [one["cov"], one["var"]]])
        mean = np.array([got["best"][0], one["mean"]])
        assert expected_improvement(mean, cov, 0)[1] == pytest.approx(one["both"])
    p = stats.binomtest(got["won"], got["choices"]).pvalue
    assert got["p"] == pytest.approx(p)


@some
def test_mixed(sheet):
    got = numbers("second", sheet)["mixed"]
    truth, said = np.zeros(got["places"]), np.zeros(got["places"])
    truth[: got["inside"]] = 1
    said[got["inside"] - got["hit"] : got["inside"] - got["hit"] + got["said"]] = 1
    assert (said * truth).sum() == got["hit"]
    assert np.mean((said - truth) ** 2) == np.mean(truth) == pytest.approx(got["brier"])
    assert got["f1"] == pytest.approx(2 * got["hit"] / (got["said"] + got["inside"]))
    slope = 1e-4
    p, ahead = stats.norm.cdf([got["value"], got["value"] + slope])
    information = ((ahead - p) / slope) ** 2 / (p * (1 - p))
    assert got["told"] == pytest.approx(information, abs=0.006)
    assert got["needed"] == pytest.approx(got["weight"] / got["told"], abs=0.5)


@some
def test_report(sheet):
    got = numbers("second", sheet)["report"]
    noise = got["half_width"] / 1.645 / np.sqrt(2 / got["raters_now"])
    assert got["needed"] == pytest.approx(2 * (1.645 * noise / got["goal"]) ** 2)
    assert got["with_gaps"] == 2 * got["needed"]
