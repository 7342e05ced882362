"""Two steps of nbgrader's autograder, in a form that a student's names cannot touch.

`RunAndAsk` runs the notebook in a kernel. After each graded cell it sends the inputs of all cases to the kernel, where
`answering` calls the student's function and sends back what came out; references and comparisons stay in this process.
`SaveMarks` writes the points into the gradebook. What this grader fails to do is told and left ungraded.
"""

import asyncio
import json
import tempfile
from dataclasses import dataclass
from pathlib import Path

import cloudpickle
import psutil
from nbclient.exceptions import DeadKernelError
from nbformat.v4 import new_code_cell, new_output
from nbgrader.preprocessors import Execute, SaveAutoGrades
from nbgrader.utils import is_grade
from traitlets import Unicode, default

from course_lib.homework.judging import points
from course_lib.homework.running import Idleness
from tools.homework.sheets import read_sheets

REQUEST = "import course_lib.homework.answering as __grader__; __grader__.answer{arguments!r}; del __grader__"
SHARE_OF_TIME, LONGEST_SECONDS = 0.8, 3600
LARGEST_ANSWERS = 100_000_000


class NoAnswers(RuntimeError):
    """The student's process runs, but sends nothing that can be judged; the message says what it says."""


@dataclass(frozen=True)
class Judged:
    """Points for a graded cell, or None and a problem; `report` tells the teacher how the points came about."""

    points: float | None
    report: str
    problem: str = ""

    @property
    def outputs(self):
        """The same for the graded notebook."""
        told = [new_output("stream", name="stdout", text=self.report + "\n")]
        value = {"text/plain": repr(self.points)}
        return told if self.points is None else [*told, new_output("execute_result", value)]


class RunAndAsk(Execute):
    """Runs a notebook as nbgrader does, and judges the function of each graded cell as soon as that cell has run.

    Not later: a student may use a name again, further down, that the function of this task needs. The limit for a cell
    is one of processor time, so that a busy machine costs nobody a point; a cell that hardly works is stopped by the
    clock.
    """

    source = Unicode(help="Folder with checks.py and hidden/ of the homework.").tag(config=True)

    @default("source")
    def _source_of_the_course(self):
        course = self.parent.parent.coursedir
        return course.format_path(course.source_directory, ".", course.assignment_id)

    def preprocess(self, nb, resources, km=None):
        """Runs all cells; resources["judged"] gets what each graded cell came to."""
        self.sheets, self.judged = read_sheets(Path(self.source)), {}
        with tempfile.TemporaryDirectory() as self.desk:
            nb, resources = super().preprocess(nb, resources, km)
        resources["judged"] = self.judged
        return nb, resources

    def preprocess_cell(self, cell, resources, index):
        """Runs a cell, and judges the task if it is graded; its outputs show what came out."""
        cell, resources = super().preprocess_cell(cell, resources, index)
        if is_grade(cell) and cell.cell_type == "code":
            judged = self.judged[cell.metadata.nbgrader.grade_id] = self.judge(cell, index)
            shown = [output for output in cell.outputs if output.output_type != "execute_result"]
            cell.outputs = [*shown, *judged.outputs]
            self.nb.cells[index] = cell  # where the request was put
        return cell, resources

    def execute_cell(self, *given, **more):
        """Runs a cell, and notes how much its kernel had worked before."""
        self.before = self.processor_seconds()
        self.waits = Idleness(self.timeout or LONGEST_SECONDS, self.before)
        return super().execute_cell(*given, **more)

    def processor_seconds(self):
        """Processor time that the kernel has used; none once it is dead."""
        try:
            return sum(psutil.Process(self.km.provisioner.pid).cpu_times()[:2])
        except psutil.NoSuchProcess:
            return 0.0

    async def _async_handle_timeout(self, timeout, cell=None):
        """nbclient's answer to a time that is over on the clock: to wait on, here, while the kernel works for it."""
        now = self.processor_seconds()
        if now - self.before < timeout and not self.waits.so_far(now):
            return await asyncio.sleep(0.1)
        return await super()._async_handle_timeout(timeout, cell)

    def judge(self, cell, index):
        """What the function of a graded cell came to."""
        sheet = self.sheets.get(cell.metadata.nbgrader.grade_id)
        problem = "checks.py has no task for it" if sheet is None else sheet.problem
        if problem:
            return Judged(None, f"Ungraded: {problem}", problem)
        try:
            verdicts = sheet.judge(self.ask(sheet, index))
        except DeadKernelError:
            raise
        except Exception as error:
            problem = f"its answers cannot be judged: {type(error).__name__}: {error}"
            return Judged(None, f"Ungraded: {problem}", problem)
        earned = points(sheet.task, verdicts)
        wrong = [f"  ✗ {one.case.name}: {one.got}" for one in verdicts if not one.right]
        right = f"right in {len(verdicts) - len(wrong)} of {len(verdicts)} cases"
        return Judged(earned, "\n".join([f"Graded: {right}, {earned:g} of {sheet.task.points:g} points.", *wrong]))

    def ask(self, sheet, index):
        """What the student's function does with the inputs of all cases, as plain data from the kernel.

        Raises
        ------
        NoAnswers
            If the kernel runs but sends nothing, or far too much.
        """
        inputs, answers = Path(self.desk, f"inputs-{index}"), Path(self.desk, f"answers-{index}")
        inputs.write_bytes(cloudpickle.dumps(sheet.inputs))
        altogether = SHARE_OF_TIME * self.timeout if (self.timeout or 0) > 0 else LONGEST_SECONDS
        arguments = sheet.task.function, str(inputs), str(answers), sheet.seconds, altogether
        request = new_code_cell(REQUEST.format(arguments=arguments))
        self.execute_cell(request, index, store_history=False)
        if answers.exists() and answers.stat().st_size < LARGEST_ANSWERS:
            return json.loads(answers.read_text(encoding="utf-8"))
        error = next((output for output in request.outputs if output.output_type == "error"), None)
        if error is not None and error.ename == "CellTimeoutError":
            return [None] * len(sheet.inputs)
        raise NoAnswers("nothing came back" if error is None else f"{error.ename}: {error.evalue}")


class SaveMarks(SaveAutoGrades):
    """Writes the points that `RunAndAsk` gave into the gradebook; what is ungraded waits for a person there."""

    problems = Unicode(help="File, if any, that gets {grade_id: problem} of what is ungraded.").tag(config=True)

    def preprocess(self, nb, resources):
        """Saves all marks, and tells what is ungraded."""
        nb, resources = super().preprocess(nb, resources)
        if self.problems:
            found = {name: judged.problem for name, judged in resources["judged"].items() if judged.problem}
            Path(self.problems).write_text(json.dumps(found), encoding="utf-8")
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
