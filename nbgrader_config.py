"""For nbgrader's own tools, started in this folder: formgrader, to mark written answers, and generate_feedback.

Release and grade with `make release` and `make grade`: they check for leaks and survive broken submissions.
"""

c = get_config()  # noqa: F821
c.CourseDirectory.source_directory = "solutions"
c.CourseDirectory.release_directory = "exercises"
c.CourseDirectory.ignore = [".ipynb_checkpoints", "__pycache__", "*.pyc"]
c.ExecutePreprocessor.timeout = c.Execute.timeout = 60
