"""Compares what the cells of a notebook showed with what is committed, by the rules that nbval is given."""

import re

import nbformat
from nbval.plugin import coalesce_streams, get_sanitize_patterns

from tests.lectures.reading import ROOT

RULES = get_sanitize_patterns((ROOT / "tests" / "nbval_sanitize.cfg").read_text(encoding="utf-8"))
PASSING = ("application/vnd.jupyter.widget-view+json", "image/png", "image/jpeg")  # random ids and pixels


def shown(outputs):
    """{kind: [texts]} of a cell's outputs, without what may differ from run to run."""
    found = {}
    for output in coalesce_streams(nbformat.from_dict(outputs)):
        kinds = {output.name: output.text} if output.output_type == "stream" else output.get("data", {})
        for kind, text in kinds.items():
            if kind not in PASSING:
                found.setdefault(kind, []).append(same_everywhere(text))
        if output.output_type == "error":
            found.setdefault("error", []).append(f"{output.ename}: {output.evalue}")
    return found


def same_everywhere(text):
    """A text without what tests/nbval_sanitize.cfg lets differ; other data as they are."""
    text = "".join(text) if isinstance(text, list) else text
    for pattern, replacement in RULES if isinstance(text, str) else ():
        text = re.sub(pattern, replacement, text)
    return text
