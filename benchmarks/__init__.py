"""course_lib beside its peers; see README.md. Lecture: 01, section 11."""
