"""Rules that choose a Gaussian site for each answer: exactly, or by an approximation. Lecture: 06."""
