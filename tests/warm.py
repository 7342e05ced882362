"""Runs notebooks without a kernel for each: in forks of one process that has imported what they import.

What a cell shows is what IPython makes of it, as in a kernel. A fork costs nothing; to start a kernel and to import
the library takes three seconds of processor time, more than most homeworks take to run.
"""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import nbformat
from IPython.core.displayhook import DisplayHook
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output

from tests.lectures.reading import ROOT
from tools.packages import PACKAGES

LIMIT = 1800  # seconds on the clock: a notebook that takes so long hangs
ROOMS = ("audio", "datasets", "gp", "judgments", "sequences")
OTHERS = ("course_widgets.style", "ipywidgets", "numba", "sklearn.cluster")
IMPORTED = (*(f"course_lib.{room}" for room in ROOMS), *PACKAGES, *OTHERS)


class Warm:
    """The process: `outputs` runs a notebook in a fork of it."""

    def __init__(self):
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
        self.process = subprocess.Popen([sys.executable, "-m", "tests.warm"], cwd=ROOT, **pipes)

    def outputs(self, path):
        """The outputs of each code cell of the notebook at `path`, run from top to bottom in its own folder.

        Raises
        ------
        RuntimeError
            If its process died, or did not end within half an hour.
        """
        print(path, file=self.process.stdin, flush=True)
        answer = json.loads(self.process.stdout.readline())
        if answer is None:
            raise RuntimeError(f"the process that ran {path} died, or did not end within {LIMIT} s")
        return [[nbformat.from_dict(output) for output in cell] for cell in answer]

    def close(self):
        self.process.stdin.close()
        self.process.wait()


class Hook(DisplayHook):
    """Shows the value of a cell's last line as what is displayed is shown."""

    def write_output_prompt(self):
        """Not: "Out[1]" is the page's business."""

    def write_format_data(self, format_dict, md_dict=None):
        self.shell.display_pub.publish(format_dict, md_dict)

    def finish_displayhook(self):
        self._is_active = False


class Shell(InteractiveShell):
    displayhook_class = Hook


def shown_by(shell, source):
    """Outputs of one cell, as a notebook has them."""
    with capture_output() as captured:
        ran = shell.run_cell(source, store_history=True)
    streams = {"stdout": captured.stdout, "stderr": captured.stderr}
    found = [{"output_type": "stream", "name": name, "text": text} for name, text in streams.items() if text]
    found += [{"output_type": "display_data", "data": one.data, "metadata": {}} for one in captured.outputs]
    error = ran.error_before_exec or ran.error_in_exec
    if error is not None:
        found.append({"output_type": "error", "ename": type(error).__name__, "evalue": str(error), "traceback": []})
    return found


def run(path):
    """Outputs of each code cell, in this process, which is good for nothing else afterwards."""
    notebook = nbformat.read(path, as_version=4)
    os.chdir(path.parent)
    sys.path.insert(0, "")
    shell = Shell.instance()
    shell.showtraceback = shell.showsyntaxerror = lambda *given, **more: None
    return [shown_by(shell, cell.source) for cell in notebook.cells if cell.cell_type == "code"]


def in_a_fork(path, answer):
    """The outputs as JSON, written to the file `answer` by a child of this process; "null" if it died."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        signal.alarm(LIMIT)
        os.close(reading)
        with open(writing, "w") as pipe:
            json.dump(run(path), pipe, default=repr)
        os._exit(0)
    os.close(writing)
    with open(reading) as pipe:
        text = pipe.read()
    status = os.waitpid(child, 0)[1]
    print(text if text and status == 0 else "null", file=answer, flush=True)


def main():
    """Reads paths, line by line, and writes outputs; what the notebooks themselves print goes nowhere near them."""
    answer = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    for name in IMPORTED:
        __import__(name)
    for line in sys.stdin:
        in_a_fork(Path(line.rstrip("\n")), answer)


if __name__ == "__main__":
    main()
