"""Interviews: which question next, and what the answers say. Lecture: 10."""
