"""Data frames of answers in, data frames of what was learned out, under the same names. Lecture: 14."""
