"""Lecture 11: many people, many items."""
