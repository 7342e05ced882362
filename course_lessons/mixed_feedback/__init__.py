"""Lecture 13: mixed feedback."""
