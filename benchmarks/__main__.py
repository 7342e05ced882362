"""python -m benchmarks [WORDS …] [--repeats N] [--small] [--markdown FILE]: beside its peers, and what users feel."""

import argparse
import json
import os
import subprocess
import sys

THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


def main(arguments=None):
    """Measure the rows whose names hold all the words, print the tables as they grow, and write them as Markdown."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("words", nargs="*", help="only rows whose names hold all these words")
    parser.add_argument("--repeats", type=int, default=9, help="timed pairs for each row")
    parser.add_argument("--small", action="store_true", help="tiny inputs: do the results agree?")
    parser.add_argument("--markdown", help="file to write the table to")
    options = parser.parse_args(arguments)
    os.environ.update(dict.fromkeys(THREADS, "1"))  # before NumPy is loaded: all timings are of one thread
    tables = {}
    for k, row in enumerate(all_rows(options.small)):
        if all(word in row.name for word in options.words):
            try:
                cells = measured_cells(k, options.repeats, options.small)
            except ImportError as error:
                missing = f"{row.name}: {row.peer} is missing ({error}); pip install -e '.[bench]' brings it."
                print(missing, file=sys.stderr)
                continue
            table = tables.setdefault(tuple(row.header), [])
            for one in [cells] if table else [row.header, cells]:
                print(line(one), flush=True)
            table.append(cells)
    if options.markdown:
        with open(options.markdown, "w", encoding="utf-8") as file:
            file.write("\n".join(markdown(header, table) for header, table in tables.items()))


def all_rows(small):
    """The rows of all acts, in the order of the lectures, and what users feel."""
    from benchmarks import pages, processes, sequences, states, users

    return [row for part in (sequences, states, processes, users, pages) for row in part.rows(small)]


def measured_cells(k, repeats, small):
    """The cells of row k, from a process of its own: what memory earlier rows left behind must not count.

    Tiny inputs are tried, not timed, and stay in this process.
    """
    if small:
        return cells_of(k, repeats, small)
    code = f"import json; from benchmarks.__main__ import cells_of; print(json.dumps(cells_of({k}, {repeats}, False)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    if done.returncode:
        reason = done.stderr.strip().splitlines()[-1]
        raise ImportError(reason) if "ModuleNotFoundError" in reason else RuntimeError(done.stderr)
    return json.loads(done.stdout.splitlines()[-1])


def cells_of(k, repeats, small):
    """Measure row k here."""
    return all_rows(small)[k].cells(repeats)


def line(cells):
    """One line of a table on a terminal: beside a peer, or of what users feel."""
    widths = (36, 20, 10, 10, 26, 7, 16, 1) if len(cells) == 8 else (36, 6, 11, 15, 28, 1)
    return "  ".join(f"{cell:<{width}}" for cell, width in zip(cells, widths, strict=True)).rstrip()


def markdown(header, rows):
    """A table with its header and its rule."""
    return "".join(f"| {' | '.join(cells)} |\n" for cells in [header, ["---"] * len(header), *rows])


if __name__ == "__main__":
    main()
