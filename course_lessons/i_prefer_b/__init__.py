"""Lecture 10: choices and degrees."""
