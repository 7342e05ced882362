"""Explorers that a page computes itself, most by the kernels that the lecture derives.

place(name)         HTML of where one stands, after the explorer that is recorded; "" where there is none
alone(name, picture)   HTML of one that is computed and not recorded
front(picture)      HTML of the one on the first page, which begins at once; the picture where there are no kernels
write(site)         the data of each with all words that its page says, and the kernels
credit()            HTML that says with what the kernels were compiled
"""

import inspect
import shutil
from importlib.metadata import distribution
from typing import NamedTuple

from tools.site import live_covariance, live_digit, live_dtw, live_hmm, live_marks, live_voice, wasm
from tools.site.packing import packed

LIVE_NOTE = (
    "The kernels you study are the kernels in the page: here nothing is recorded. What you see is computed where you "
    "read this, by the compiled functions of <code>course_lib.sequences</code>."
)
FAILED_MESSAGE = "Nothing can be computed here. A newer browser may help, or open the notebook."
NOT_COMPUTED = "This copy of the page has no kernels, and does not listen. The notebook does."
FRONT_QUESTION = (
    "Two curves of one shape: y comes later and takes longer. Lines join what belongs together. What makes the "
    "distance large: more delay, another pace or another height? Draw and see."
)


class Live(NamedTuple):
    """An explorer of the page: the title of its fold, its data, the kernel that it needs and shows, and as what."""

    title: str
    data: object
    kernel: tuple | None = None
    source: str = ""


LIVE = {
    "explore_dtw": Live(
        "Any two recordings or curves of your own, any step pattern, any window", live_dtw.data,
        (f"{wasm.SEQUENCES}._warping_kernels", "accumulate"), "The kernel that fills the table",
    ),
    "explore_trellis": Live(
        "Other weathers: how happy does each of them make your friend?", live_hmm.data,
        (f"{wasm.SEQUENCES}._hmm_kernels", "forward_log"), "The kernel of the forward recursion",
    ),
    "explore_marks": Live("Answer yourself: ten marks, then ten comparisons", live_marks.data),
}  # fmt: skip


# Not recorded: a recording would be larger than what computes it, or knows nothing of the reader's voice.
ALONE = {
    "explore_covariance": live_covariance.data,
    "explore_my_word": live_voice.data,
    "explore_my_digit": live_digit.data,
}
SPEAKING = ("explore_my_word", "explore_my_digit")  # of these, by the kernels


def alone(name, picture):
    """HTML of an explorer that is computed and not recorded; `picture` is what it replaces once it has begun."""
    if name in SPEAKING and wasm.current() is None:
        return f'<p class="said">{NOT_COMPUTED}</p>{picture}'
    place = f'data-live="live/{name}.bin" data-failed="{FAILED_MESSAGE}"'
    return f'<div {place}><div class="explorer">{picture}</div></div>'


def here():
    """What the pages can compute: without kernels, what needs none."""
    return {name: one for name, one in LIVE.items() if one.kernel is None or wasm.current()}


def place(name, listing):
    """HTML of what stands after an explorer; `listing` makes HTML of code."""
    if name not in here():
        return ""
    one, data, note, source = LIVE[name], f'data-live="live/{name}.bin" data-failed="{FAILED_MESSAGE}"', "", ""
    if one.kernel:
        code = listing(inspect.getsource(wasm.kernel(*one.kernel).py_func))
        source = f'<details class="code"><summary>{one.source}</summary>{code}</details>'
        note = f'<p class="said">{LIVE_NOTE}</p>'
    says = f"<summary>{one.title}</summary>{note}"
    return f'<details class="live" {data}>{says}<div class="explorer"></div>{source}</details>'


def front(picture):
    """HTML of two curves that the reader draws, with its question; `picture` is what it replaces once it has begun."""
    if wasm.current() is None:
        return picture
    place = f'data-live="live/front.bin" data-failed="{FAILED_MESSAGE}"'
    return f'<p>{FRONT_QUESTION}</p><div class="front" {place}><div class="explorer">{picture}</div></div>'


def write(site):
    """Writes the data of each explorer into the folder of a site, and the kernels if there are some."""
    computed = {name: data for name, data in ALONE.items() if name not in SPEAKING or wasm.current()}
    computed |= {name: one.data for name, one in here().items()}
    if wasm.current():
        shutil.copyfile(wasm.MODULE, site / "assets" / wasm.MODULE.name)
        (licence,) = (path for path in distribution("numba").files if path.name == "LICENSE")
        shutil.copyfile(licence.locate(), site / "assets" / "numba-licence.txt")
        computed["front"] = live_dtw.front_data
    (site / "live").mkdir()
    for name, data in computed.items():
        (site / "live" / f"{name}.bin").write_bytes(packed(data()))


def credit():
    """HTML that says with what the kernels were compiled, if there are some."""
    said = '<p>Kernels are compiled with Numba, <a href="assets/numba-licence.txt">BSD 2-Clause License</a>.</p>'
    return said if wasm.current() else ""
