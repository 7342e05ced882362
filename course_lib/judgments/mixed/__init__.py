"""Mixed feedback: answers of several kinds, and what is known beforehand, about one latent function. Lecture: 13."""
