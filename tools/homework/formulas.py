"""TeX formulas as MathML, which browsers show without a script; no attribute is written, so none can be forged.

Of TeX it knows what letters about this course need. What it does not know is left to the caller, as it was typed.
"""

import contextlib
import html
import re
import unicodedata

MAX_CHARACTERS, MAX_DEPTH = 2000, 40
TOKEN = re.compile(r"\\[A-Za-z]+\*?|\\.|[0-9]+(?:\.[0-9]+)?|\s+|.", re.DOTALL)
GREEK = "alpha beta gamma delta zeta eta theta iota kappa mu nu xi pi rho sigma tau upsilon chi psi omega"
GREEK_LETTERS = {name: unicodedata.lookup(f"GREEK SMALL LETTER {name}") for name in GREEK.split()}
GREEK_LETTERS |= {name.title(): letter.upper() for name, letter in GREEK_LETTERS.items()}
GREEK_LETTERS |= {
    "Lambda": "Λ", "Phi": "Φ", "lambda": "λ", "epsilon": "ϵ", "varepsilon": "ε", "phi": "ϕ", "varphi": "φ",
    "vartheta": "ϑ", "varsigma": "ς", "ell": "ℓ", "partial": "∂", "nabla": "∇", "infty": "∞", "emptyset": "∅",
    "varnothing": "∅", "hbar": "ℏ", "imath": "ı", "jmath": "ȷ", "Re": "ℜ", "Im": "ℑ", "top": "⊤", "bot": "⊥", "_": "_",
    "%": "%", "#": "#", "$": "$", "&": "&",
}  # fmt: skip
SIGNS = {
    "cdot": "⋅", "times": "×", "div": "÷", "pm": "±", "mp": "∓", "ast": "∗", "star": "⋆", "circ": "∘", "le": "≤",
    "leq": "≤", "ge": "≥", "geq": "≥", "ne": "≠", "neq": "≠", "approx": "≈", "equiv": "≡", "sim": "∼", "simeq": "≃",
    "cong": "≅", "propto": "∝", "ll": "≪", "gg": "≫", "in": "∈", "notin": "∉", "ni": "∋", "subset": "⊂",
    "subseteq": "⊆", "supset": "⊃", "cup": "∪", "cap": "∩", "setminus": "∖", "to": "→", "rightarrow": "→",
    "leftarrow": "←", "gets": "←", "Rightarrow": "⇒", "Leftarrow": "⇐", "leftrightarrow": "↔", "Leftrightarrow": "⇔",
    "iff": "⟺", "implies": "⟹", "mapsto": "↦", "mid": "∣", "vert": "|", "lvert": "|", "rvert": "|", "Vert": "‖",
    "lVert": "‖", "rVert": "‖", "|": "‖", "parallel": "∥", "perp": "⊥", "dots": "…", "ldots": "…", "cdots": "⋯",
    "vdots": "⋮", "ddots": "⋱", "otimes": "⊗", "oplus": "⊕", "odot": "⊙", "land": "∧", "wedge": "∧", "lor": "∨",
    "vee": "∨", "neg": "¬", "lnot": "¬", "forall": "∀", "exists": "∃", "{": "{", "}": "}", "lbrace": "{",
    "rbrace": "}", "langle": "⟨", "rangle": "⟩", "lfloor": "⌊", "rfloor": "⌋", "lceil": "⌈", "rceil": "⌉",
    "succ": "≻", "prec": "≺", "succeq": "⪰", "preceq": "⪯", "colon": ":", "prime": "′", "int": "∫", "backslash": "\\",
    "longrightarrow": "⟶", "longleftarrow": "⟵", "Longrightarrow": "⟹", "oslash": "⊘",
}  # fmt: skip
LARGE_OPERATORS = {"sum": "∑", "prod": "∏", "bigcup": "⋃", "bigcap": "⋂", "coprod": "∐"}
FUNCTION_NAMES = "log ln exp sin cos tan sinh cosh tanh arcsin arccos arctan det dim ker deg Pr lg cot sec"
UNDER = "max min arg sup inf lim argmax argmin limsup liminf"  # names under which a condition stands
SPACES = {",": "\u2009", ":": "\u2005", ";": "\u2005", " ": "\u00a0", "quad": "\u2003", "qquad": "\u2003\u2003"}
IGNORED_COMMANDS = {"!", "limits", "nolimits", "displaystyle", "textstyle", "scriptstyle", "nonumber", "notag"}
BIG = {f"{size}{side}" for size in ("big", "Big", "bigg", "Bigg") for side in ("", "l", "r", "m")} | {"middle"}
ACCENTS = {"hat": "^", "widehat": "^", "bar": "¯", "overline": "¯", "tilde": "~", "widetilde": "~", "vec": "→"}
ACCENTS |= {"dot": "˙", "ddot": "¨", "check": "ˇ"}
TEXT_COMMANDS = {
    "text",
    "textrm",
    "textbf",
    "textit",
    "texttt",
    "mathrm",
    "mathsf",
    "mathtt",
    "mathit",
    "mbox",
    "operatorname",
}
STYLES = {"mathbf": "BOLD", "boldsymbol": "BOLD", "bm": "BOLD", "mathcal": "SCRIPT", "mathscr": "SCRIPT"}
STYLES |= {"mathbb": "DOUBLE-STRUCK", "mathfrak": "FRAKTUR"}
FENCES = {"matrix": "", "pmatrix": "()", "bmatrix": "[]", "vmatrix": "||", "cases": "{", "aligned": "", "align": ""}
FENCES |= {"gathered": "", "gather": "", "equation": "", "split": "", "smallmatrix": "", "eqnarray": ""}
BRACKETS = set("()[]{}|/⟨⟩⌊⌋⌈⌉‖")
MATHML_TAGS = {"math", "semantics", "annotation", "mrow", "mstyle", "mi", "mn", "mo", "mtext", "mfrac"}
MATHML_TAGS |= {"msqrt", "mroot"}
MATHML_TAGS |= {"msub", "msup", "msubsup", "munder", "mover", "munderover", "mtable", "mtr", "mtd"}


class Unknown(ValueError):
    """Something in a formula is not known here."""


def mathml(tex, block=False):
    """A formula as MathML, with its TeX in an annotation; on a line of its own if it is a `block`.

    Raises
    ------
    Unknown
        If it has something that is not known, or is very long or deep.
    """
    if len(tex) > MAX_CHARACTERS:
        raise Unknown(f"it has more than {MAX_CHARACTERS} characters")
    formula = Formula(TOKEN.findall(tex.strip()))
    try:
        shown = formula.row(())
    except RecursionError:
        raise Unknown("it is too deep") from None
    if formula.tokens:
        raise Unknown(formula.tokens[0])
    shown = f"<mstyle>{shown}</mstyle>" if block else shown
    return f"<math><semantics>{shown}{tag('annotation', tex.strip())}</semantics></math>"


def tag(name, text):
    """An element with a text."""
    return f"<{name}>{html.escape(text)}</{name}>"


def sign(text):
    """A sign; a bracket as a text, since as an operator it becomes as large as what is beside it."""
    return tag("mtext" if text in BRACKETS else "mo", text) if text else ""


class Formula:
    """The tokens of a formula that are still to be read."""

    def __init__(self, tokens):
        self.tokens, self.depth = tokens, 0

    def next(self):
        """The next token, which is taken; Unknown at the end."""
        if not self.tokens:
            raise Unknown("it ends too early")
        return self.tokens.pop(0)

    def skip(self):
        """Takes white space."""
        while self.tokens and self.tokens[0].isspace():
            self.tokens.pop(0)

    def row(self, ends):
        """What stands before one of the tokens `ends`, which is left, or before the end."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise Unknown("it is too deep")
        found = []
        self.skip()
        while self.tokens and self.tokens[0] not in ends:
            found.append(self.scripted(ends))
            self.skip()
        if ends and not self.tokens:
            raise Unknown("it ends too early")
        self.depth -= 1
        return f"<mrow>{''.join(found)}</mrow>"

    def scripted(self, ends=()):
        """An atom with what stands below and above it."""
        under, base = (
            self.tokens[0].lstrip("\\") in {*LARGE_OPERATORS, *UNDER.split(), "operatorname*", "underbrace"},
            self.atom(),
        )
        scripts = {}
        self.skip()
        while self.tokens and self.tokens[0] in ("_", "^", "'", "\\limits", "\\nolimits"):
            kind = self.next()
            if kind == "'":
                scripts["^"] = scripts.get("^", "") + "<mo>′</mo>"
            elif kind in "_^":
                scripts[kind] = scripts.get(kind, "") + self.argument()
            self.skip()
        below, above = (scripts.get(kind) and f"<mrow>{scripts[kind]}</mrow>" for kind in "_^")
        if below and above:
            name = "munderover" if under else "msubsup"
            return f"<{name}>{base}{below}{above}</{name}>"
        if below or above:
            name = ("munder" if under else "msub") if below else ("mover" if under else "msup")
            return f"<{name}>{base}{below or above}</{name}>"
        return base

    def argument(self):
        """A group, or one atom; of a number its first digit."""
        self.skip()
        if self.tokens and len(self.tokens[0]) > 1 and self.tokens[0][0].isdigit():
            self.tokens[:1] = [self.tokens[0][0], self.tokens[0][1:]]
        return self.atom()

    def words(self):
        """The text of a group, as it is."""
        self.skip()
        if self.next() != "{":
            raise Unknown("a text without braces")
        found, depth = [], 1
        while depth:
            found.append(self.next())
            depth += {"{": 1, "}": -1}.get(found[-1], 0)
        return re.sub(r"\\(.)", r"\1", "".join(found[:-1]))

    def atom(self):
        """One letter, number, sign, group or command."""
        token = self.next()
        if token == "{":
            found = self.row("}")
            self.next()
            return found
        if token.startswith("\\"):
            return self.command(token[1:])
        if token[0].isdigit():
            return tag("mn", token)
        if token in "&}#%$":
            raise Unknown(token)
        return tag("mi", token) if token.isalpha() else sign({"-": "−", "*": "∗", "~": "\u00a0"}.get(token, token))

    def command(self, name):
        """What a command makes of what follows."""
        if name in SIGNS:
            return sign(SIGNS[name])
        for known, kind in ((GREEK_LETTERS, "mi"), (LARGE_OPERATORS, "mo"), (SPACES, "mtext")):
            if name in known:
                return tag(kind, known[name])
        if name in FUNCTION_NAMES.split() or name in UNDER.split():
            return f"{tag('mi', name)}<mo>\u2061</mo>" if name in FUNCTION_NAMES.split() else tag("mi", name)
        if name in IGNORED_COMMANDS:
            return ""
        if name in ("frac", "tfrac", "dfrac"):
            return f"<mfrac>{self.argument()}{self.argument()}</mfrac>"
        if name == "sqrt":
            return self.root()
        if name.rstrip("*") in TEXT_COMMANDS:
            return tag("mi" if name.startswith("operatorname") else "mtext", self.words().replace("\\,", "\u2009"))
        if name in STYLES:
            return self.styled(STYLES[name])
        if name in ACCENTS:
            return f"<mover>{self.argument()}{tag('mo', ACCENTS[name])}</mover>"
        if name in ("underbrace", "overbrace", "underline"):
            place, brace = ("mover", "⏞") if name == "overbrace" else ("munder", "⏟" if name == "underbrace" else "_")
            return f"<{place}>{self.argument()}{tag('mo', brace)}</{place}>"
        if name in BIG:
            return sign(self.fence())
        if name == "left":
            left, inside = self.fence(), self.row(("\\right",))
            self.next()
            fences = [tag("mo", one) if one else "" for one in (left, self.fence())]
            return f"<mrow>{fences[0]}{inside}{fences[1]}</mrow>"
        if name == "begin":
            return self.table(self.words())
        raise Unknown(f"\\{name}")

    def root(self):
        """A root, with its degree in brackets if there is one."""
        self.skip()
        if self.tokens[:1] != ["["]:
            return f"<msqrt>{self.argument()}</msqrt>"
        self.next()
        degree = self.row("]")
        self.next()
        return f"<mroot>{self.argument()}{degree}</mroot>"

    def styled(self, style):
        """Letters of another alphabet."""
        self.skip()
        words = self.words() if self.tokens[:1] == ["{"] else self.next()
        if words.startswith("\\"):
            return tag("mi", GREEK_LETTERS.get(words[1:]) or words)
        return "".join(tag("mi", _in_style(style, letter)) for letter in words)

    def fence(self):
        """A bracket; empty for a point."""
        self.skip()
        token = self.next()
        found = SIGNS.get(token[1:]) if token.startswith("\\") else token
        if found is None:
            raise Unknown(token)
        return found.replace(".", "")

    def table(self, name):
        """An environment, row by row."""
        name = name.rstrip("*")
        if name == "array":
            self.words()
        elif name not in FENCES:
            raise Unknown(name)
        rows, end = [[]], ("&", "\\\\", "\\end")
        while True:
            rows[-1].append(f"<mtd>{self.row(end)}</mtd>")
            token = self.next()
            if token == "\\\\":
                rows.append([])
            elif token == "\\end":
                break
        if self.words().rstrip("*") != name:
            raise Unknown(name)
        left, right = f"{FENCES.get(name, '')}  "[:2]
        inside = "".join(f"<mtr>{''.join(one)}</mtr>" for one in rows)
        fences = [tag("mo", one) if one.strip() else "" for one in (left, right)]
        return f"<mrow>{fences[0]}<mtable>{inside}</mtable>{fences[1]}</mrow>"


def _in_style(style, letter):
    """A letter of another alphabet; some stand in Unicode without "mathematical", and some not at all."""
    kind = "DIGIT" if letter.isdigit() else "CAPITAL" if letter.isupper() else "SMALL"
    name = f"{style} {kind} {unicodedata.name(letter, letter).split()[-1]}"
    for whole in (f"MATHEMATICAL {name}", name):
        with contextlib.suppress(KeyError):
            return unicodedata.lookup(whole)
    return letter
