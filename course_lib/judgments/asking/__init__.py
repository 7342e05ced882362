"""Asking: which question to ask next, simulated listeners, and a personaliser. Lecture: 10, 12, 13."""
