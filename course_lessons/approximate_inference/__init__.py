"""Lecture 06: approximate inference."""
