"""Two steps of nbgrader's autograder, in a form that a student's names cannot touch.

`RunAndAsk` runs the notebook in a kernel, and the kernel in a box (`tools/homework/box.py`). After each graded cell it
sends the inputs of all cases to the kernel, where `answering` calls the student's function and sends back what came
out; references and comparisons stay in this process. What a cell does costs its own task, and no other: when the box
ends under it, the notebook runs again in a new one, without that cell. Whether that cell ended it, or one before (by a
timer, a hook, a patch), cannot be seen; so each task that lost points this way has a second look, with its own cells
alone, and so has one that sends nothing to judge. What is printed is cut, and costs nothing.
`SaveMarks` writes the points into the gradebook. What this grader fails to do is told and left ungraded.
"""

import asyncio
import contextlib
import copy
import json
import os
import secrets
import shutil
import stat
import subprocess
import time
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import cloudpickle
from nbclient.exceptions import DeadKernelError
from nbformat.v4 import new_code_cell, new_output
from nbgrader.preprocessors import Execute, SaveAutoGrades
from nbgrader.utils import is_grade
from traitlets import Bool, Dict, Instance, Unicode, default

from course_checks.judging import points
from course_checks.running import Idleness, TimeUp
from tools.homework import box, groups
from tools.homework.kernels import ANSWERING, BoundedSession, BoxedKernelManager, Output
from tools.homework.needs import needed
from tools.homework.restoring import SAID_KEY
from tools.homework.sheets import read_sheets
from tools.homework.temporary import temporary

REQUEST = f"import {ANSWERING} as __grader__; __grader__.answer{{arguments!r}}; del __grader__"
SHARE_OF_TIME, LONGEST_SECONDS = 0.8, 3600
LARGEST_ANSWERS = 100_000_000
MAX_REASON = 200  # characters of an error that the grader's own request ends in
MAX_RUNS = 6
DIED = "its process died"
SECOND_LOOK = "  (from a second look, in which only the cells ran that it needs)"


class NoAnswers(RuntimeError):
    """The student's process runs, but sends nothing that can be judged; the message says what it says."""


@dataclass(frozen=True)
class Judged:
    """What a graded cell came to: its points, or None and a problem.

    `report` tells the teacher how the points came about. `shown`, `looks` and `ask` are what the visible cases say,
    the mistake that they show, and the question that leads on: a student may see these.
    """

    points: float | None
    report: str
    problem: str = ""
    right: int = 0
    cases: int = 0
    shown: str = ""
    looks: str = ""
    ask: str = ""

    @classmethod
    def waiting(cls, problem):
        """What this grader could not judge."""
        return cls(None, f"Ungraded: {problem}", problem)

    @classmethod
    def of(cls, sheet, verdicts):
        """Points for the verdicts on all cases of a Sheet."""
        right, earned = sum(one.right for one in verdicts), points(sheet.task, verdicts)
        wrong = [f"  ✗ {one.case.name}: {one.got}" for one in verdicts if not one.right]
        told = f"right in {right} of {len(verdicts)} cases, {earned:g} of {sheet.task.points:g} points"
        return cls(earned, "\n".join([f"Graded: {told}.", *wrong]), "", right, len(verdicts), *sheet.told(verdicts))

    def after(self, ends):
        """The same, with lines on what was left out before; a student sees them where points are missing."""
        told = ends if self.right < self.cases else ()
        return replace(self, report="\n".join([self.report, *ends]), shown="\n".join([self.shown, *told]))

    def saying(self, lost):
        """The same, if it earned something or nothing was lost; else with these words for the student."""
        if not lost or self.points != 0:
            return self
        return replace(self, report=f"{self.report}\n  ({lost})", shown=lost, looks="", ask="")

    @property
    def outputs(self):
        """The same for the graded notebook."""
        told = [new_output("stream", name="stdout", text=self.report + "\n")]
        value = {"text/plain": repr(self.points)}
        return told if self.points is None else [*told, new_output("execute_result", value)]


@dataclass(frozen=True)
class Answers:
    """What the function of a task answered to inputs with the digest `asked`: with it the task can be judged again.

    lost : words for the student on a lost cell;  ends : lines on what was left out before
    """

    asked: str
    answers: list
    lost: str = ""
    ends: tuple[str, ...] = ()

    def judged(self, sheet):
        """What they come to by a Sheet."""
        return Judged.of(sheet, sheet.judge(self.answers)).saying(self.lost).after(self.ends)


class RunAndAsk(Execute):
    """Runs a notebook as nbgrader does, and judges the function of each graded cell as soon as that cell has run.

    Not later: a student may use a name again, further down, that the function of this task needs. The limit for a cell
    is one of processor time, so that a busy machine costs nobody a point; a cell that hardly works is stopped by the
    clock.
    """

    source = Unicode(help="Folder of solutions/ with the homework.").tag(config=True)
    boxed = Bool(True, help="Whether the notebook runs in a box; if not, with your rights.").tag(config=True)
    limits = Instance(box.Limits, args=()).tag(config=True)
    kept = Dict(help="{grade_id: Judged} of tasks that are not asked again.").tag(config=True)

    @default("source")
    def _source_of_the_course(self):
        course = self.parent.parent.coursedir
        return course.format_path(course.source_directory, ".", course.assignment_id)

    def preprocess(self, nb, resources, km=None):
        """Runs all cells; resources["judged"] gets what each graded cell came to, resources["answers"] its Answers.

        Raises
        ------
        NoBox
            If a box is wanted, and there can be none.
        """
        if self.boxed:
            box.require()
        self.sheets, self.judged, self.ended = read_sheets(Path(self.source)), dict(self.kept), {}
        self.answered = {}
        self.seconds, self.shutdown_kernel, self.raise_on_iopub_timeout = 0.0, "immediate", False
        self.deadline = time.monotonic() + self.limits.wall_seconds
        self.only = None
        for _ in range(MAX_RUNS):
            try:
                nb, resources = self.once(nb, resources)
                break
            except DeadKernelError:
                self.ended[self.at] = self.watch.verdict or DIED
                if time.monotonic() > self.deadline:
                    break
        self.look_again(nb, resources)
        self.leave_waiting(nb)
        resources.update(judged=self.judged, seconds=self.seconds, answers=self.answered)
        resources["left_out"] = {str(index + 1): why for index, why in self.ended.items()}
        return nb, resources

    def leave_waiting(self, nb):
        """Says of graded cells that were never reached that they wait."""
        for cell in nb.cells:
            if is_grade(cell) and cell.cell_type == "code" and cell.metadata.nbgrader.grade_id not in self.judged:
                last = list(self.ended.values())[-1]
                judged = Judged.waiting(f"the notebook did not come so far: {last}; grade it again")
                self.judged[cell.metadata.nbgrader.grade_id], cell.outputs = judged, judged.outputs

    def look_again(self, nb, resources):
        """Asks tasks that another cell may have harmed once more, each with the cells alone that it needs."""
        for index in self.suspects(nb):
            name = nb.cells[index].metadata.nbgrader.grade_id
            judged, answers = self.judged.pop(name, None), self.answered.pop(name, None)
            self.only, book = {*needed(nb, index, self.sheets[name].task.function), index}, copy.deepcopy(nb)
            with contextlib.suppress(DeadKernelError):
                self.once(book, resources)
            if earned(self.judged.get(name)) > earned(judged) or (name in self.judged and judged is None):
                nb.cells[index] = book.cells[index]
                continue
            for kept, before in ((self.judged, judged), (self.answered, answers)):
                kept.pop(name, None)
                kept.update({} if before is None else {name: before})
        self.only = None

    def suspects(self, nb):
        """Places of graded cells that sent nothing to judge, or lost points since a box ended; while there is time."""
        for index, cell in enumerate(nb.cells):
            name = cell.metadata.nbgrader.grade_id if is_grade(cell) and cell.cell_type == "code" else ""
            sheet = None if name in self.kept else self.sheets.get(name)
            if sheet is None or sheet.problem or time.monotonic() > self.deadline:
                continue
            judged = self.judged.get(name)
            harmed = self.ended and index >= min(self.ended) and earned(judged) < sheet.task.points
            if harmed or judged is None or judged.points is None:
                yield index

    def once(self, nb, resources):
        """Runs the notebook in a new box, from its first cell, but for cells under which a box has ended."""
        self.at, self.watch, self.desk = 0, None, None
        with temporary("box") as place:
            self.given = Path(place, "given")
            self.given.mkdir()
            with (
                groups.groups(self.limits, box.furnished_bytes())
                if self.boxed
                else contextlib.nullcontext(()) as words
            ):
                try:
                    km = self.manager(Path(resources["metadata"]["path"]), Path(place, "desk"), words)
                    return super().preprocess(nb, resources, km)
                finally:
                    self.leave()

    def manager(self, files, folder, words):
        """A kernel manager whose kernel will run in the box, and there in a copy of the homework's folder."""
        manager = BoxedKernelManager(kernel_name="python3", transport="ipc")
        manager.kernel_spec.interrupt_mode = "message"
        manager.session = BoundedSession(most=self.limits.printed)
        box.furnish(folder)
        self.inside = box.DESK if self.boxed else folder
        manager.connection_file, manager.ip = str(self.given / "kernel.json"), str(self.inside / "k")
        if self.boxed:
            shutil.copytree(files, folder / "work", symlinks=True, dirs_exist_ok=True)
            manager.words = [*words, *box.command([self.given], folder, self.limits)]
        return manager

    def start_new_kernel(self, **given):
        """Starts the kernel, and the watch; what both can reach is the desk."""
        environment = box.environment() if self.boxed else os.environ
        quiet = dict.fromkeys(("stdout", "stderr"), subprocess.DEVNULL)
        super().start_new_kernel(env=dict(environment), **quiet, **given)
        pid = self.km.provisioner.pid
        self.desk = box.opened(pid) if self.boxed else os.open(self.inside, os.O_RDONLY)
        self.km.reach(self.desk)
        self.watch = box.Watch(pid, self.desk, self.limits, self.boxed)

    def leave(self):
        """Ends the box."""
        if self.watch is not None:
            self.watch.stop()
            self.seconds += box.processor_seconds(self.watch.pid)
            self.watch.end("")
        if self.km is not None:
            self._cleanup_kernel()
        if self.desk is not None:
            os.close(self.desk)

    def preprocess_cell(self, cell, resources, index):
        """Runs a cell, and judges the task if it is graded; its outputs show what came out."""
        if self.only is not None and index not in self.only:
            return cell, resources
        self.at, self.kept_output = index, Output(self.limits.printed)
        if index in self.ended and self.only is None:
            cell.outputs = [new_output("stream", name="stderr", text=f"Left out: {self.ended[index]}.\n")]
        else:
            cell, resources = self.run_cell(cell, resources, index)
        if is_grade(cell) and cell.cell_type == "code":
            name = cell.metadata.nbgrader.grade_id
            if name not in self.judged:
                self.judged[name] = self.judge(cell, index)
            shown = [output for output in cell.outputs if output.output_type != "execute_result"]
            cell.outputs = [*shown, *self.judged[name].outputs]
            self.nb.cells[index] = cell  # where the request was put
        return cell, resources

    def run_cell(self, cell, resources, index):
        """Runs a cell; a process that answers what no kernel does ends there."""
        try:
            return super().preprocess_cell(cell, resources, index)
        except DeadKernelError:
            raise
        except Exception as error:
            self.watch.end(f"it sent what cannot be read ({type(error).__name__})")
            raise DeadKernelError(self.watch.verdict) from error

    def execute_cell(self, *given, **more):
        """Runs a cell, and notes how much its kernel had worked before."""
        self.before = box.processor_seconds(self.km.provisioner.pid)
        self.waits, self.interrupted = Idleness(self.timeout or LONGEST_SECONDS, self.before), False
        return super().execute_cell(*given, **more)

    def process_message(self, msg, cell, cell_index):
        """Keeps the first of what a cell puts out; nbclient passes only messages that name this cell's request."""
        msg = self.kept_output.of(msg)
        return None if msg is None else super().process_message(msg, cell, cell_index)

    async def _async_handle_timeout(self, timeout, cell=None):
        """nbclient's answer to a time that is over on the clock.

        It is to wait on while the kernel works for the cell and has time left, and else to interrupt it; a kernel that
        takes no notice of that for as long again ends, with its box.
        """
        now = box.processor_seconds(self.km.provisioner.pid)
        if time.monotonic() > self.deadline:
            self.watch.end(f"it did not end within {self.limits.wall_seconds:g} s on the clock")
        elif now - self.before < timeout and not self.waits.so_far(now):
            await asyncio.sleep(0.1)
        elif not self.interrupted:
            self.interrupted, self.before, self.waits = True, now, Idleness(timeout, now)
            await self.km.interrupt_kernel()
        else:
            self.watch.end(f"it did not end within {timeout:g} s of work, and could not be interrupted")

    def judge(self, cell, index):
        """What the function of a graded cell came to."""
        name = cell.metadata.nbgrader.grade_id
        sheet = self.sheets.get(name)
        problem = "its checks have no task for it" if sheet is None else sheet.problem
        if problem:
            return Judged.waiting(problem).after(self.ends())
        try:
            return self.come_to(name, cell, self.ask(sheet, index))
        except DeadKernelError:
            died = self.watch.verdict or DIED
            self.judged[name] = self.come_to(name, cell, self.until(died, sheet))
            raise
        except Exception as error:
            problem = f"its answers cannot be judged: {type(error).__name__}: {error}"
            return Judged.waiting(problem).after(self.ends())

    def come_to(self, name, cell, answers):
        """What answers come to; they are kept."""
        sheet = self.sheets[name]
        found = Answers(sheet.asked, answers, cell.metadata.get(SAID_KEY, ""), self.ends())
        judged = found.judged(sheet)
        self.answered[name] = found
        return judged

    def ends(self):
        """Lines on what was left out before."""
        if self.only is not None:
            return (SECOND_LOOK,)
        return tuple(f"  (the cell {index + 1} was left out: {why})" for index, why in self.ended.items())

    def ask(self, sheet, index):
        """What the student's function does with the inputs of all cases, as plain data from the kernel.

        Raises
        ------
        NoAnswers
            If the kernel runs but sends nothing, or far too much.
        """
        inputs = self.given / f"inputs-{index}"
        inputs.write_bytes(cloudpickle.dumps(sheet.inputs))
        box.give(self.given)
        altogether = SHARE_OF_TIME * self.timeout if (self.timeout or 0) > 0 else LONGEST_SECONDS
        self.reply = f"answers-{secrets.token_hex(8)}"  # a name that nobody has taken before
        arguments = sheet.task.function, str(inputs), str(self.inside / self.reply), sheet.seconds, altogether
        request = new_code_cell(REQUEST.format(arguments=arguments))
        self.execute_cell(request, index, store_history=False)
        if self.interrupted:
            return self.until("it did not end", sheet)
        error = next((output for output in request.outputs if output.output_type == "error"), None)
        if error is not None:
            raise NoAnswers(f"{error.ename}: {error.evalue}"[:MAX_REASON])
        return read_answers(self.reply, self.desk)

    def until(self, stopped, sheet):
        """The answers that had come when the kernel was stopped, this stop, and nothing for the cases after it."""
        try:
            found = read_answers(self.reply, self.desk)[: len(sheet.inputs) - 1]
        except (NoAnswers, ValueError):
            found = []
        error = {"error": [TimeUp.__name__, stopped], "place": None}
        stop = {"value": ["plain", None], **error, "printed": "", "changed": None}
        return [*found, stop, *[None] * (len(sheet.inputs) - len(found) - 1)]


def earned(judged):
    """Points of a Judged; 0 for none, and for what waits."""
    return 0 if judged is None else judged.points or 0


def read_answers(path, desk=None):
    """The answers that a kernel wrote, whole lines of JSON; believed in nothing, not even in being a file.

    path : of the file;  desk : descriptor of the folder that it is seen from

    Raises
    ------
    NoAnswers
        If there is no such file, or far too much in it.
    """
    try:
        opened = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=desk)
    except OSError as error:
        raise NoAnswers(f"nothing came back ({error.strerror})") from None
    with open(opened, encoding="utf-8") as file:
        about = os.fstat(opened)
        if not stat.S_ISREG(about.st_mode) or about.st_size > LARGEST_ANSWERS:
            raise NoAnswers(f"what came back is no file, or has more than {LARGEST_ANSWERS} bytes")
        return [json.loads(line) for line in file if line.endswith("\n")]


class SaveMarks(SaveAutoGrades):
    """Writes the points that `RunAndAsk` gave into the gradebook; what is ungraded waits for a person there."""

    judged = Unicode(help="File, if any, that gets all that functions came to and answered.").tag(config=True)

    def preprocess(self, nb, resources):
        """Saves all marks, and what they came from."""
        nb, resources = super().preprocess(nb, resources)
        if self.judged:
            found = {name: asdict(judged) for name, judged in resources["judged"].items()}
            answers = {name: asdict(one) for name, one in resources["answers"].items()}
            about = {name: resources[name] for name in ("seconds", "left_out")}
            Path(self.judged).write_text(
                json.dumps(about | {"functions": found, "answers": answers}), encoding="utf-8"
            )
        return nb, resources

    def _add_score(self, cell, resources):
        judged = resources["judged"].get(cell.metadata["nbgrader"]["grade_id"])
        if judged is None:
            super()._add_score(cell, resources)
            return
        place = self.notebook_id, self.assignment_id, self.student_id
        grade = self.gradebook.find_grade(cell.metadata["nbgrader"]["grade_id"], *place)
        grade.auto_score = judged.points
        grade.needs_manual_grade = judged.points is None or grade.manual_score is not None
        self.gradebook.db.commit()
