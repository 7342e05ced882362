"""What stays in the picture of an explorer that a page computes, and its controls, read off the one in Python."""

from matplotlib.font_manager import FontProperties

from course_widgets import geometry, style
from tools.site import recording


def coded(frames):
    """{"marks", "frames"}: pictures (marks as keys, what else is known of it), each mark kept once."""
    known, found = recording.Once(), []
    for marks, about in frames:
        found.append({"marks": [known.number(mark) for mark in marks], **about})
    marks = [{"look": dict(look), "text": text, "points": at, "role": role} for look, text, at, role in known.found]
    return {"marks": marks, "frames": found}


def kept(mark, role, made=("text", "points")):
    """A mark as a key, with its role in the page; what the page makes of a mark with a role itself is left out."""
    made = made if role else ()
    points = () if "points" in made else tuple(mark.points.ravel().tolist())
    return mark.look, "" if "text" in made else mark.text, points, role


def scale(figure, ax):
    """[x of 0, y of 0, width of 1, height of 1] of an axes, in half pixels from the upper left."""
    (x0, y0), (x1, y1) = ax.transData.transform([(0, 0), (1, 1)])
    return [2 * x0, 2 * (figure.bbox.height - y0), 2 * (x1 - x0), 2 * (y0 - y1)]


def controls(explorer, of=None):
    """The controls of the page; a slider in `of` moves only while another control has a value: [its name, which]."""
    found = []
    for one in recording.controls(explorer, {}):
        values = {"values": one.values} if one.kind == "slider" else {}
        found.append({**one.described(explorer.start[one.name]), **values, "of": (of or {}).get(one.name)})
    return found


def sets(explorer):
    """Where the controls go with each case, and last, as they began."""
    cases = [{**explorer.start, **case} for case in (*explorer.cases.values(), {})]
    return [[round(control.place(case[name])) for name, control in explorer.controls.items()] for case in cases]


def widths(letters, points):
    """How wide each letter of a text of this font size is, in half pixels."""
    renderer, look = geometry.Reader(style.sheet((1, 1))), FontProperties(size=points)
    wide = lambda text: 2 * renderer.get_text_width_height_descent(text, look, False)[0]  # noqa: E731
    return {letter: wide(2 * letter) - wide(letter) for letter in letters}
