"""Several people's answers to each item. Lecture: 08, 09."""
