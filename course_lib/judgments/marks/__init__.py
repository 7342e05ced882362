"""Marks on a bounded scale. Lecture: 07."""
