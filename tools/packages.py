"""The packages of the course. Each imports only from those before it, as pyproject.toml says too (tested)."""

PACKAGES = ("course_lib", "course_widgets", "course_checks", "course_studies", "course_personaliser", "course_lessons")
