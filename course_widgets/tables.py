"""Tables that a notebook shows. Lecture: 04, section 8; 05, sections 5–7."""


def markdown_table(head, rows):
    """A table in Markdown: `head` names the columns, each of the `rows` has a text or a number for each of them."""
    lines = [f"| {' | '.join(map(str, row))} |" for row in (head, *rows)]
    return "\n".join([lines[0], "|" + "---|" * len(head), *lines[1:]])
