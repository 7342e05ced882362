"""Sentences of lectures 06 to 14 that compare: each names what it rests on, or comparisons.txt says why it need not.

python -m tests.lectures.comparisons      prints the lines that comparisons.txt lacks, and those that it has too many

A sentence names what it rests on if its section reads a stored result, or if it cites a work.
"""

import re
from pathlib import Path

from tests.lectures.reading import LECTURES, lecture, outside_fences

LEDGER = Path(__file__).with_suffix(".txt")
KINDS = (
    "derivation or exact computation in sight",
    "a simulation, or real data, in sight",
    "stored in another section",
    "definition, advice or everyday use",
)
COMPARES = re.compile(
    r"\b(better|worse|beats?|beaten|wins?|won|loses?|ahead|outperforms?|superior|inferior|outvotes?|accelerates?|"
    r"improves?|helps?|helped|hurts?|harms?|(is|are|was|were|predicts?|does|works?) (the )?(best|worst)|"
    r"(?<![“\"])no difference(?![”\"])|as (good|well|bad) as|"
    r"(more|less|most|least) (accurate|precise|exact|reliable|calibrated)|"
    r"(lower|higher|smaller|larger|less|more) (errors?|(log )?loss|scores?|accuracy|precision|recall|F1|Brier))\b",
    re.IGNORECASE,
)
CITES = re.compile(r"\[[A-Z][A-Za-z]+\d{4}[a-z]?\]")


def sentences(markdown):
    """Those of a text, as read: formulas are …, without markup and addresses; no headings, no questions."""
    text = re.sub(r"\$\$.*?\$\$", " ", "\n".join(outside_fences(markdown)), flags=re.DOTALL)
    text = re.sub(r"\$[^$\n]+\$", "…", text)
    text = re.sub(r"^#.*$", "\n", text, flags=re.MULTILINE)
    for paragraph in re.split(r"\n\s*\n|\n(?=\s*(?:[-*|>#]|\d+\.)\s?)|</?(?:details|summary)>", text):
        plain = " ".join(re.sub(r"<[^>]+>|\]\([^)]*\)|[*_`]", lambda m: "]" * (m[0][0] == "]"), paragraph).split())
        found = re.split(r"(?<=[.!?:])[)”]?\s+(?=[A-Z“(])", plain.lstrip("-> "))
        yield from (one for one in found if not one.endswith(("?", "?)")))


def unfounded():
    """{(lecture's number, sentence): the kind that it is likely to be} of comparisons that name nothing to rest on."""
    found = {}
    for one in map(lecture, LECTURES[6:]):
        for section in one.sections:
            if "load_claim(" not in section.code:
                said = [
                    text for text in sentences(section.markdown) if COMPARES.search(text) and not CITES.search(text)
                ]
                found |= {(one.number, text): likely(one, section) for text in said}
    return found


def likely(one, section):
    if section.title == "Summary" and "load_claim(" in one.code:
        return KINDS[2]
    return KINDS[0] if section.number and section.code else KINDS[3]


def ledger():
    """{(lecture's number, sentence): kind} of comparisons.txt: `# kind`, its sentences below it, an empty line."""
    parts = LEDGER.read_text(encoding="utf-8").strip("# \n").split("\n\n# ")
    kinds = {kind: lines for kind, *lines in map(str.splitlines, parts)}
    return {(line[:2], line[3:]): kind for kind, lines in kinds.items() for line in lines}


def main():
    listed, there = ledger(), unfounded()
    for title, lines in {
        "to add, under the kind that is true (or let the sentence name its result)": there.keys() - listed.keys(),
        "to take out: nobody says that any more, or it names its result now": listed.keys() - there.keys(),
    }.items():
        print(f"--- {title}")
        for key in sorted(lines, key=lambda key: ((there | listed)[key], key)):
            print(f"[{(there | listed)[key]}]", *key)


if __name__ == "__main__":
    main()
