"""The page of two submissions that are alike: both texts side by side, with the runs that both have marked."""

import html
import re
from itertools import groupby

from tools.homework.feedback import FEEDBACK_PAGE
from tools.homework.fingerprints import runs

LIKENESS_STYLE = """  pre { margin: 0; } .two { display: grid; grid-template-columns: 1fr 1fr; gap: .5em; }
  mark { background: #ffefb0; color: inherit; font-weight: bold;
    text-decoration: underline; text-underline-offset: .25em; }
</style>"""
WIDE_PAGE = FEEDBACK_PAGE.replace("max-width: 50em", "max-width: 110em").replace(
    "</style>", LIKENESS_STYLE.replace("{", "{{").replace("}", "}}")
)
NOTE = (
    "Bold and underlined is what both wrote and the release does not have, in names of their own or not. It says that "
    "two texts are alike, not why: read both, and teaching/grading.md on what likeness does not prove, before you ask."
)


def page(pair, limits, texts, released):
    """The page as HTML, in which nothing that students wrote is more than text.

    Parameters
    ----------
    pair : likeness.Pair;  limits : {kind: the class's noise};  texts : {part: text} of each of the two
    released : fingerprints.Released
    """
    title = html.escape(f"{released.homework} · {' and '.join(pair.students)}")
    known = [(kind, score) for kind, score in pair.scores.items() if score is not None and limits[kind]]
    said = [f"{kind} {score:.3f}, where the class's noise ends at {limits[kind]:.3f}" for kind, score in known]
    said = "; ".join([*said, *(f"the same {kind}, sign by sign" for kind in pair.equal)])
    body = [f"<p>{html.escape(said)}</p>", f"<p>{NOTE}</p>"]
    for part, (name, kind) in released.parts.items():
        if any(one[part].strip() for one in texts):
            share = pair.shares[part]
            told = "nothing to compare" if share is None else f"{share:.0%} alike"
            body.append(f"<section><h2>{html.escape(name)}: {told}</h2>\n<div class='two'>")
            for who, one in zip(pair.students, texts, strict=True):
                spans = [span for run, all_ in runs(one[part], kind) if run in pair.runs[part] for span in all_]
                body.append(f"<div><h3>{html.escape(who)}</h3><pre>{marked(one[part], spans)}</pre></div>")
            body.append("</div></section>")
    return WIDE_PAGE.format(title=title, body="\n".join(body))


def marked(text, spans):
    """A text as HTML, marked from begin to end of each span, and where only blanks are between two of them."""
    inside = [False] * len(text)
    for begin, end in spans:
        inside[begin:end] = [True] * (end - begin)
    for blanks in re.finditer("(?<=[^ ]) +(?=[^ ])", text):
        begin, end = blanks.span()
        inside[begin:end] = [inside[begin - 1] and inside[end]] * (end - begin)
    pieces = groupby(zip(text, inside, strict=True), key=lambda one: one[1])
    shown = ((mark, html.escape("".join(letter for letter, _ in piece))) for mark, piece in pieces)
    return "".join(f"<mark>{piece}</mark>" if mark else piece for mark, piece in shown)
