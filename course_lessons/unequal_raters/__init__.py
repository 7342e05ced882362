"""Lecture 09: unequal raters."""
