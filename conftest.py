"""Lectures run by nbval are compared with the results that are stored beside them, too.

What a person has recorded is neither read nor written, and what a class has answered is not read.
"""

import os
import tempfile

import pytest
from nbval.plugin import IPyNbFile

from tools import notebooks

os.environ["COURSE_RECORDINGS"] = tempfile.mkdtemp(prefix="course-")
os.environ["COURSE_CLASS"] = "no-class"


class WholeNotebook(IPyNbFile):
    """A notebook whose folded cells have their results."""

    def collect(self):
        cells = [cell for cell in notebooks.whole(self.path).cells if cell.cell_type == "code"]
        left = notebooks.stored_results(self.path).keys() - {cell.id for cell in cells if notebooks.is_folded(cell)}
        if left:
            where = notebooks.results_path(self.path)
            raise self.CollectError(f"{where} has outputs of cells not folded here: {left}")
        for item in super().collect():
            item.cell = cells[item.cell_num]
            yield item


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path, parent):
    found = yield
    return [WholeNotebook.from_parent(parent, path=file_path) if type(one) is IPyNbFile else one for one in found]
