"""The reader of formulas, on formulas read by hand."""

import pytest

from tests.lectures.symbols import formulas, symbols, uncovered

BY_HAND = {
    r"D(i_x, i_y) = \min_{k} D(i_x', k)": {"D", "i_x", "i_y", "k"},
    r"\mathbf{x} = (x_1, \dots, x_T)^\top": {"x", "x_T"},
    r"\hat{f}_i = \sum_{t=1}^{T} \log b_j(o_t)": {"f_i", "t", "T", "b_j", "o_t"},
    r"M_\phi = \sum_k m(k)": {r"M_\phi", "k", "m"},
    r"M_{\phi} \le \text{total weight}": {r"M_\phi"},
    r"\frac{1}{2}\lVert x - y \rVert^2": {"x", "y"},
    r"x^{(n)}_t": {"n", "x_t"},
    r"\phi_x(T) \in \mathbb{R}^d": {r"\phi_x", "T", "R", "d"},
    r"\operatorname{cost}(a) \approx 10^{3}": {"a"},
    r"x_{\phi_x(k)}": {r"x_\phi_x(k)"},
}


@pytest.mark.parametrize("tex", BY_HAND)
def test_symbols_of_a_formula(tex):
    assert symbols(tex) == BY_HAND[tex]


def test_formulas_are_found_and_code_and_prices_are_not():
    text = "Costs $5 and $6. With $x_t$, `$y$` and\n$$\nz = 1\n$$\n```\n$w$\n```\n"
    assert [one.strip() for one in formulas(text)] == ["x_t", "z = 1"]


def test_uncovered_wants_a_row_for_a_subscript_that_is_a_name():
    known, indices = {"x", "T_x", "M"}, {"t"}
    assert uncovered("x_t + x_{t+1} + x_{T_x}", known, indices) == set()
    assert uncovered("M_w", known, indices) == {"M_w"}
    assert uncovered("q_t", known, indices) == {"q_t"}
