"""Which symbols a formula uses: a small reader of LaTeX, enough for the course's own notation.

A symbol is a letter or a Greek command, with its subscript if it has one: `D(i_x, i_y)` uses D, i_x and i_y.
Accents and fonts are dropped (`\\hat{f}` is f, `\\mathbf{x}` is x), text and operators are passed over.
"""

import re

GREEK = re.compile(
    r"\\(?:(?:var)?(?:epsilon|theta|kappa|pi|rho|sigma|phi)|alpha|beta|gamma|delta|zeta|eta|iota|lambda|mu|nu|xi|tau"
    r"|upsilon|chi|psi|omega|Gamma|Delta|Theta|Lambda|Xi|Pi|Sigma|Upsilon|Phi|Psi|Omega|ell)"
)
WORDS = {"text", "mathrm", "operatorname", "textbf", "textit", "mbox", "tag", "label", "begin", "end", "color"}
TOKEN = re.compile(r"\\[A-Za-z]+|\\.|[A-Za-z]|[0-9.]+|\S", flags=re.DOTALL)
MATH = re.compile(r"\$\$(.+?)\$\$|(?<![\\$\w])\$(?!\s)([^$\n]+?)(?<!\s)\$(?!\w)", flags=re.DOTALL)
CODE = re.compile(r"```.*?```|`[^`\n]*`", flags=re.DOTALL)


def formulas(markdown):
    """The TeX of every $…$ and $$…$$ in a markdown text; code is passed over."""
    return [a or b for a, b in MATH.findall(CODE.sub(" ", markdown))]


def symbols(tex):
    """Set of the symbols in a formula, each written as `x` or `x_i` without braces or spaces."""
    return _Reader(tex).read()


def uncovered(tex, known, indices):
    """Symbols of a formula that a notation table does not explain.

    A symbol with a subscript is explained if the table has it as it stands, or if the table has its base and the
    subscript is made of indices and symbols that stand in the table with a subscript of their own: x_t is explained
    by x and the index t, x_{T_x} by x and T_x, but M_w needs a row of its own.
    """
    return {one for one in symbols(tex) if not _explained(one, known | indices, indices)}


def _explained(symbol, known, indices):
    if symbol in known:
        return True
    base, _, subscript = symbol.partition("_")
    allowed = indices | {one for one in known if "_" in one}
    return bool(subscript) and base in known and all(_explained(one, allowed, indices) for one in symbols(subscript))


class _Reader:
    """Goes through the tokens of one formula from left to right."""

    def __init__(self, tex):
        self.tokens = TOKEN.findall(tex)
        self.place = 0
        self.found = set()

    def read(self):
        while self.place < len(self.tokens):
            self._step()
        return self.found

    def _step(self):
        token = self._next()
        if token.startswith("\\") and token[1:] in WORDS:
            self._group()
        elif token in ("_", "^"):
            self.found |= symbols(self._group())
        elif _is_letter(token):
            self._symbol(token)

    def _symbol(self, base):
        """Base and, after closing braces of an accent, primes and superscripts, its subscript."""
        self._skip("}", "'")
        if self._peek() == "^":
            self._next()
            self.found |= symbols(self._group())
        if self._peek() == "_":
            self._next()
            subscript = self._group()
            self.found.add(f"{base}_{subscript}" if symbols(subscript) else base)
        else:
            self.found.add(base)

    def _group(self):
        """Text of the next {…} group, or of the next single token, without spaces."""
        if self._peek() != "{":
            return self._next()
        depth, inside = 0, []
        while self.place < len(self.tokens):
            token = self._next()
            depth += {"{": 1, "}": -1}.get(token, 0)
            if depth == 0:
                break
            inside.append(token)
        return _tight(inside[1:])

    def _skip(self, *tokens):
        while self._peek() in tokens:
            self._next()

    def _peek(self):
        return self.tokens[self.place] if self.place < len(self.tokens) else ""

    def _next(self):
        self.place += 1
        return self.tokens[self.place - 1] if self.place <= len(self.tokens) else ""


def _tight(tokens):
    """Tokens written without spaces, but for the one that parts a command from a letter after it."""
    text = ""
    for token in tokens:
        text += " " * bool(re.search(r"\\[A-Za-z]+$", text) and token[0].isalpha()) + token
    return text


def _is_letter(token):
    return (len(token) == 1 and token.isalpha()) or GREEK.fullmatch(token) is not None
