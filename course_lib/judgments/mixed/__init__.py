"""Mixed feedback: answers of several kinds to one latent function. Lecture: 13."""
