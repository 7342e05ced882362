"""Packs the feedback of a homework as Moodle and Canvas take it back: one zip, uploaded once, for all students.

Whose a file is says the name that the platform gave in its download, which `make collect` keeps in its table.

Moodle (mod/assign/feedback/file/importziplib.php, commit 0203d8f26027) reads "full name_number_type_plugin" of a
folder, and keeps the name of the file in it. Canvas (infer_comment_context_from_filename of its assignments, and issue
2406 of instructure/canvas-lms) reads the numbers of the person and of the file that was handed in, and shows students
what comes back under the name of that file. So there feedback on a notebook has to be a notebook.
"""

import io
import posixpath
import re
import zipfile

from nbformat import writes
from nbformat.v4 import new_code_cell, new_notebook, new_output

from tools.homework.attempts import TAKEN, read_table
from tools.homework.collect import COLLECTED_FOLDER, COLLECTED_TABLE
from tools.homework.layouts import CANVAS, LAYOUTS, MOODLE
from tools.homework.tables import write_whole

FEEDBACK_FOLDER = "feedback"
PACKED_AT = (2000, 1, 1, 0, 0, 0)  # in every zip, so that it has the same bytes again
FORMULA_TAG = re.compile(
    r"<math>(?:(?!</math>).)*<annotation>((?:(?!</annotation>).)*)</annotation></semantics></math>", re.S
)
PIECES = ": "  # between a zip and what is in it, in the table


def pack(into, homework):
    """Writes a zip for each platform that somebody handed in on.

    Parameters
    ----------
    into : Path where grading keeps everything, with feedback/ and collected/
    homework : its name

    Returns
    -------
    ({Path of a zip: how many pages are in it}, names of students whose page Canvas would show as something else)
    """
    members, others = {MOODLE: {}, CANVAS: {}}, []
    for row in read_table(into / COLLECTED_FOLDER / COLLECTED_TABLE):
        page = into / FEEDBACK_FOLDER / homework / f"{row.student}.html"
        match = named(row) if (row.homework, row.state) == (homework, TAKEN) and page.is_file() else None
        if match is None:
            continue
        make = moodle if row.layout == MOODLE else canvas
        name, data = make(match, page.read_text(encoding="utf-8"), homework)
        if data is None:
            others.append(row.student)
        else:
            members[row.layout][name] = data
    paths = {layout: into / FEEDBACK_FOLDER / f"{homework}-{layout.casefold()}.zip" for layout in members}
    for layout, path in paths.items():
        if members[layout]:
            write_whole(path, zipped(members[layout]))
        else:
            path.unlink(missing_ok=True)
    return {paths[layout]: len(found) for layout, found in members.items() if found}, others


def named(row):
    """What the pattern of its platform finds in the path of a Row; None if it came from none of the two."""
    pattern = next((one.pattern for one in LAYOUTS if one.name == row.layout and one.name in (MOODLE, CANVAS)), None)
    return pattern and next(filter(None, map(pattern.fullmatch, row.file.split(PIECES))), None)


def moodle(match, page, homework):
    """(path, data) of a page in Moodle's zip."""
    return f"{match['name']}_{match['student']}_assignsubmission_file/{homework}_feedback.html", page


def canvas(match, page, homework):
    """(path, data) of a page in Canvas's zip; the data are None if it would be shown as a file of another kind."""
    name = posixpath.basename(match.string)
    kind = posixpath.splitext(name)[1].casefold()
    as_kind = {".ipynb": notebook, ".zip": lambda page: zipped({f"{homework}_feedback.html": page}), ".html": str}
    return name, as_kind[kind](page) if kind in as_kind else None


def notebook(page):
    """A page as the output of a notebook's only cell, where JupyterLab shows it without running anything."""
    body = FORMULA_TAG.sub(
        r"$\1$", page.partition("<body>")[2].rpartition("</body>")[0]
    )  # which JupyterLab sets itself
    shown = new_output("display_data", data={"text/html": body, "text/plain": "Open this notebook in JupyterLab."})
    book = new_notebook(cells=[new_code_cell("# Feedback", outputs=[shown], id="feedback")])
    return writes(book)


def zipped(members):
    """The bytes of a zip with {path: text or bytes}."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for name in sorted(members):
            archive.writestr(zipfile.ZipInfo(name, PACKED_AT), members[name], zipfile.ZIP_DEFLATED)
    return data.getvalue()
