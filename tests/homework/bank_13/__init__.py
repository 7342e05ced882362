"""Mistakes and right answers for homework 13, one module for each graded task.

MISTAKES = {name: (function, fragment of the hint that must be told)}; RIGHT = {name: function in another style}.
"""
