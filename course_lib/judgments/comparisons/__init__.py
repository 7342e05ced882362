"""Which of two is better, or by how much. Lecture: 10, 11."""
