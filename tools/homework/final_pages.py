"""The page of a student, on which the final number can be done again by hand, and the summary of a class."""

import html
import statistics
from collections import Counter
from datetime import timedelta
from fractions import Fraction

import numpy as np

from course_widgets import style
from tools.homework.feedback import FEEDBACK_PAGE
from tools.homework.totals import DAY, exactly, failed, said, shown

EXACT = "A number that ends in … is cut here, and goes on; nothing is rounded before the line that says so."
DOTS, DOT_SPREAD = 0.618034, 0.6  # of the dots of one row: steps of the golden ratio fall nowhere on each other


def student_page(one, term):
    """The page of a Final as HTML."""
    lines = [f"<p><strong>{_result(one)}</strong></p>", "<h2>Homework</h2>"]
    heads = ("homework", "points", "of 100", "handed in", "days late", "counts with")
    lines.append(rows_of([heads, *(_entry_row(entry, one.student, term) for entry in one.entries)]))
    lines += [f"<p>{html.escape(text)}</p>" for text in [*_rules(term), EXACT]]
    lines.append("<h2>The number</h2>")
    lines.append(rows_of([("what", "calculation", "result"), *_steps(one, term)]))
    title = html.escape(f"Course result · {one.student}")
    return FEEDBACK_PAGE.format(title=title, body="\n".join(lines))


def _result(one):
    return f"{one.number:f} of 100{html.escape(f', grade {one.grade}') if one.grade else ''}"


def _entry_row(entry, student, term):
    """Cells about one homework."""
    work = entry.work
    if work is None:
        points, percent, handed = "nothing handed in", "0", ""
    else:
        tasks = " + ".join(f"{task} {shown(got)}" for task, got in work.points.items())
        points = f"{tasks} = {shown(work.total)} of {shown(work.most)}"
        percent = f"100 × {shown(work.total)} / {shown(work.most)} = {shown(entry.before)}"
        handed = said(work.at, term.zone) if work.at else "no time is known: in time"
        handed += "" if work.student == student else f", by {work.student} for the group"
    if entry.days > term.late.most_days:
        percent += "; too late: 0"
    elif entry.days and term.late.percent_per_day:
        lost = f"{entry.days} × {shown(term.late.percent_per_day)}"
        percent += f"; − {lost} = {shown(entry.percent)}{' (not below 0)' if not entry.percent else ''}"
    due = f"{entry.days or 'in time'}, until {said(entry.until, term.zone)}{' (extended)' if entry.extension else ''}"
    counts = "dropped" if entry.dropped else "excused" if entry.excused else "does not count"
    counts = f"weight {shown(entry.weight)}" if entry.counts else counts
    return entry.homework, points, percent, handed, due if work else "", counts


def _rules(term):
    late, grace = term.late, term.late.grace
    hours = shown(Fraction(grace // timedelta(seconds=1), 3600))
    told = f"; the times above have the {hours} hours of grace in them" if grace else ""
    cost = f"Each day late that has begun costs {shown(late.percent_per_day)} of 100"
    yield f"{cost}, and more than {late.most_days} days cost all{told}."
    if term.drop:
        yield f"Of all that count, the lowest {term.drop} are dropped; of equal ones the heavier goes first."


def _steps(one, term):
    """(what, calculation, result) of each step to the number."""
    counted = [entry for entry in one.entries if entry.counts]
    weights = sum(entry.weight for entry in counted)
    terms = " + ".join(f"{shown(entry.weight)} × {shown(entry.percent)}" for entry in counted)
    yield "homework", f"({terms}) / {shown(weights)}", exactly(one.homework)
    for part, points, percent in one.parts:
        told = "no points" if points is None else f"100 × {shown(points)} / {shown(part.maximum)}"
        yield part.name, told, exactly(percent)
    shares = [(term.share, one.homework), *((part.share, percent) for part, _, percent in one.parts)]
    yield (
        "together",
        " + ".join(f"{shown(share)} % × {shown(percent)}" for share, percent in shares),
        exactly(one.exact),
    )
    yield "rounded", f"half up, {term.decimals} digits after the point", f"{one.number:f}"
    if missed := failed(one.parts):
        yield "grade", f"{', '.join(missed)}: less than the points that are needed", one.grade
    elif one.grade:
        yield "grade", f"from {shown(dict(term.scale)[one.grade])} on", one.grade


def rows_of(rows):
    """Rows of texts as an HTML table; the first one has the names of the columns."""
    head, *others = [[html.escape(str(cell)) for cell in row] for row in rows]
    lines = ["<table>", "<tr>" + "".join(f'<th scope="col">{cell}</th>' for cell in head) + "</tr>"]
    lines += ["<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in others]
    return "\n".join([*lines, "</table>"])


# ------------------------------------------------------------------------------------------------------- the class


def summary_page(finals, term):
    """The page about all Finals as HTML, without names."""
    numbers = [float(one.number) for one in finals]
    body = [f"<p>{len(finals)} students; mean {np.mean(numbers):.1f}, median {np.median(numbers):.1f}.</p>"]
    if term.scale:
        counts = Counter(one.grade for one in finals)
        body.append(rows_of([("grade", "from", "students"), *((g, shown(n), counts[g]) for g, n in term.scale)]))
    heads = ("homework", "handed in", "late", "no time known", "mean of 100, where handed in")
    body += ["<h2>Homework</h2>", rows_of([heads, *(_homework_row(name, finals) for name in term.homeworks)])]
    for title, drawing in {"Points per task": draw_points, "Time of hand-in": draw_times}.items():
        figure, sentence = drawing(finals, term)
        body += [f"<h2>{title}</h2>", style.show(figure, sentence)._repr_html_(), f"<p>{html.escape(sentence)}</p>"]
    return FEEDBACK_PAGE.format(title="Course results", body="\n".join(body))


def _entries(finals, name):
    return [entry for one in finals for entry in one.entries if entry.homework == name and entry.work]


def _works(finals, name):
    """What was handed in, once for a group."""
    return {entry.work.student: entry.work for entry in _entries(finals, name)}.values()


def _homework_row(name, finals):
    found = _entries(finals, name)
    late, timeless = sum(one.days > 0 for one in found), sum(one.work.at is None for one in found)
    mean = f"{statistics.mean(float(one.percent) for one in found):.1f}" if found else ""
    return name, f"{len(found)} of {len(finals)}", late, timeless, mean


def task_points(finals, term):
    """{"homework task": points in each hand-in}"""
    found = {}
    for name in term.homeworks:
        for work in _works(finals, name):
            for task, points in work.points.items():
                found.setdefault(f"{name} {task}", []).append(float(points))
    return found


def draw_points(finals, term):
    """(figure, sentence): mean points of each task, with a line over the middle half."""
    found = task_points(finals, term)
    figure, ax = style.figure(size=(8, 1.2 + 0.2 * len(found)))
    rows = range(len(found))
    quarters = np.array([np.quantile(points, (0.25, 0.75)) for points in found.values()]).reshape(-1, 2)
    means = [np.mean(points) for points in found.values()]
    ax.hlines(rows, *quarters.T, color=style.GREY)
    ax.plot(means, rows, "o", color=style.BLUE)
    ax.set(xlabel="points", xlim=(0, None))
    ax.set_yticks(rows, list(found))
    ax.invert_yaxis()
    told = [f"{name} {mean:.1f}" for name, mean in zip(found, means, strict=True)]
    sentence = "A dot at the mean points of each task, a line over the middle half of the hand-ins. Means: "
    return figure, f"{sentence}{'; '.join(told) or 'nothing was handed in'}."


def draw_times(finals, term):
    """(figure, sentence): when homework came, in days after it was due."""
    names = list(term.homeworks)
    figure, ax = style.figure(size=(8, 1.2 + 0.35 * len(names)))
    told = []
    for row, name in enumerate(names):
        due = term.homeworks[name].due
        days = np.sort([(one.at - due) / DAY for one in _works(finals, name) if one.at])
        heights = row + DOT_SPREAD * (np.arange(len(days)) * DOTS % 1 - 0.5)
        ax.plot(days, heights, ".", color=style.BLUE)
        told.append(f"{name} {np.median(days):.1f} ({len(days)})" if len(days) else f"{name} not known")
    ax.axvline(0, color=style.VERMILION)
    ax.set(xlabel="days after it was due", ylim=(len(names) - 0.4, -0.6))
    ax.set_yticks(range(len(names)), names)
    sentence = "A dot for each hand-in whose time is known; right of the line, after the date. Medians in days: "
    return figure, f"{sentence}{'; '.join(told)}."
