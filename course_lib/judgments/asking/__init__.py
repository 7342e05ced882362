"""Asking: which question next, listeners made up to answer, and a personaliser that loses no answer. Lecture: 10, 12."""
