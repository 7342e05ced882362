"""Lecture 04: hidden Markov models."""
