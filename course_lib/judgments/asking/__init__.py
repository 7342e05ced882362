"""Asking: which question next, made-up listeners, and a personaliser that loses no answer. Lecture: 10, 12, 13."""
