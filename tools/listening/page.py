"""The listening test as a page: a part of the course's site, or one file that needs nothing else."""

import base64
import html
import json
import re

from course_widgets import frame
from tools.notebooks import ROOT
from tools.site.head import THEME

SITE_SOURCES = ROOT / "site"
SCRIPTS = ("words.js", "listener.js", "listening.js")  # each after those that it imports
BODY = """<h1>{title}</h1>
<div class="quiz listening" role="group"><noscript>{script}</noscript></div>
<p class="said">{credit}</p>
<script type="application/json" id="study">{study}</script>"""
ALONE = """<!doctype html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<link rel="icon" href="data:,">
<script>{theme}</script>
<style>{style}</style>
</head>
<body>
<div class="columns"><main id="main">
{body}
</main></div>
<script type="module">{script}</script>
</body>
</html>
"""


def body(study, address):
    """HTML of the test; `address` gives each clip the address of its sound."""
    told = json.dumps(study.described(address), ensure_ascii=False, separators=(",", ":")).replace("</", "<\\/")
    texts = {"title": study.about["title"], "script": study.words["script"], "credit": study.credit}
    return BODY.format(study=told, **{name: html.escape(text) for name, text in texts.items()})


def alone(study):
    """HTML of a file that can be mailed, put on a platform, or opened from a disk."""
    script = "".join((SITE_SOURCES / name).read_text(encoding="utf-8") for name in SCRIPTS)
    return ALONE.format(
        language=html.escape(study.words["language"]),
        title=html.escape(study.about["title"]),
        theme=THEME,
        style=frame.STYLE_SHEET + (SITE_SOURCES / "site.css").read_text(encoding="utf-8"),
        body=body(study, inside),
        script=re.sub(r"^import .*\n", "", script, flags=re.MULTILINE),
    )


def inside(clip):
    """The sound of a clip as an address that holds it."""
    return f"data:{clip.kind};base64,{base64.b64encode(clip.sound).decode('ascii')}"
