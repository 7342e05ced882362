"""python -m benchmarks.papers [TABLES] [--repetitions N] [--jobs N] [--backend NAME]: the papers' tables beside ours.

A table is a module with `TITLE`, `REPETITIONS` and `table(repetitions)`, which yields lines of Markdown. Its
repetitions run side by side on the backend that joblib has: "loky" takes the cores of this machine; "dask" the cluster
to which a `dask.distributed.Client` in this process is connected, or with `--backend dask` one on this machine.
"""

import argparse
import os
import time
from contextlib import contextmanager

from joblib import parallel_config

from benchmarks import annotators, asking, bounded, coverage, degrees, level_sets, mixed_confidence, pseudo_inputs

THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
TABLES = {
    "bounded": bounded,
    "annotators": annotators,
    "degrees": degrees,
    "pseudo_inputs": pseudo_inputs,
    "asking": asking,
    "level_sets": level_sets,
    "mixed_confidence": mixed_confidence,
    "coverage": coverage,
}


@contextmanager
def workers(backend, jobs):
    """A place where joblib's work is done by so many processes, each on one thread."""
    os.environ.update(dict.fromkeys(THREADS, "1"))
    if backend != "dask":
        with parallel_config(backend=backend, n_jobs=jobs):
            yield
        return
    from dask.distributed import Client

    with Client(n_workers=os.cpu_count() if jobs < 1 else jobs, threads_per_worker=1), parallel_config(backend="dask"):
        yield


def main(arguments=None):
    """Compute tables and print them as Markdown, with the time that they took."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.papers", description=__doc__.splitlines()[0])
    parser.add_argument(
        "tables", nargs="*", choices=[[], *TABLES], help=f"which ones: {', '.join(TABLES)}; all if none"
    )
    parser.add_argument("--repetitions", type=int, help="in place of each table's own number")
    parser.add_argument("--jobs", type=int, default=-1, help="processes; -1 takes all cores")
    parser.add_argument("--backend", choices=("loky", "dask"), default="loky", help="who does the work")
    options = parser.parse_args(arguments)
    with workers(options.backend, options.jobs):
        for name in options.tables or TABLES:
            begin = time.perf_counter()
            print(f"\n## {TABLES[name].TITLE}")
            for line in TABLES[name].table(options.repetitions or TABLES[name].REPETITIONS):
                print(line, flush=True)
            print(f"\n{time.perf_counter() - begin:.0f} s")


if __name__ == "__main__":
    main()
