"""Compute what lectures show of long comparisons, and store it: a file for each, named as its function here.

Run from the root of the repository: python -m data.claims.make [NAME …]
"""

import argparse
import time
import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from course_lib import datasets
from course_lib.judgments.asking import experiments
from course_lib.judgments.panels import three_sets
from course_lib.sequences import act_one, try_recognizer
from course_lib.threads import at_most
from data import packages

TARGET = packages.DATA / "claims"


def asking():
    """Lecture 12, section 4: twenty listeners, two hills, two ways to ask."""
    yield "hill", "criterion", "seed", "answers", "distance", "heard"
    for hill in experiments.HILLS:
        for criterion in ("improvement", "random"):
            for seed in range(20):
                curve = experiments.sixteen_answers(hill, criterion, seed)
                for answers, *off in zip(curve.answers, curve.distance, curve.heard, strict=True):
                    yield hill, criterion, seed, answers, *np.round(off, 6).tolist()


def recognisers():
    """Lecture 04, section 8: was each test recording recognised (1) or not (0)?"""
    digits = datasets.load_spoken_digits()
    speakers = np.unique(digits.speakers)
    tests = {("known", "all"): act_one.known_voices(digits)}
    tests |= {("new", speaker): act_one.new_voice(digits, speaker) for speaker in speakers}
    yield "voices", "speaker", "word", *act_one.recognizers()
    for voices, parts in tests.items():
        right = [try_recognizer(one, *parts).right.astype(int) for one in act_one.recognizers().values()]
        yield from ((*voices, word, *each) for word, *each in zip(parts[3], *right, strict=True))


def annotators():
    """Lecture 09, section 9: four repetitions of three sets, with noises that are equal everywhere or not."""
    load = {"Auto": datasets.load_auto_mpg, "Concrete": datasets.load_concrete, "Housing": datasets.load_boston}
    yield "by_region", "set", "seed", "model", "truth", "labels", "perfect", "regions"
    for by_region in (0, 1):
        for name, table in load.items():
            for seed in range(4):
                rows = three_sets.repetition(table(), seed, bool(by_region)).round(4).tolist()
                for model, row in zip(three_sets.recipes(), rows, strict=True):
                    yield by_region, name, seed, model, *row


CLAIMS = {one.__name__: one for one in (annotators, asking, recognisers)}


def main():
    """Write the files beside this script, and print what README.md says of each."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(CLAIMS)}; all if none is given")
    wanted = parser.parse_args().names or list(CLAIMS)
    if unknown := set(wanted) - CLAIMS.keys():
        parser.error(f"there is no {', '.join(sorted(unknown))}; there is {', '.join(CLAIMS)}")
    warnings.simplefilter("ignore", ConvergenceWarning)
    for name in wanted:
        begin = time.process_time()
        with at_most(1):
            header, *rows = CLAIMS[name]()
        packages.write_table(TARGET / f"{name}.csv", header, rows)
        print(f"{name}.csv: {len(rows)} rows, {time.process_time() - begin:.0f} s of processor time", flush=True)
    packages.note_checksums()


if __name__ == "__main__":
    main()
