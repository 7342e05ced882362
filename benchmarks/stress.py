"""python -m benchmarks.stress [--settings N] [--seed S] [--only K] [--jobs J]: random settings of the engine, judged.

Likelihood × inference × kernel × views × extremes; every tenth setting is of a model that people use (GPRegression,
RaterGP, PreferenceGP). Each is fitted without learning, and what the model says is compared with oracles
(`stress_criteria`): the evidence, means and standard deviations of views, items, new inputs and their differences, and
the slope that learning would climb. A setting is

- ok: nothing is off;
- diverged: an error was raised;
- warned: the model said that something is not as it should be;
- silently off: something is off by more than is allowed, and nobody said so;
- crashed: an exception that is no answer to a caller, or an oracle that cannot read what the model says.

What is allowed: 0.01 nats and a millionth of the evidence; a hundredth of the true standard deviation and 2e-7 of the
values' prior one, which is where the variances of doubles end. The goal is that nothing crashes, and nothing is
silently off where the noise is at least 1e-5 of the signal (standard deviations); if it is missed, the exit code is 1.

Without --seed the settings are fresh, and the seed is printed, so that --seed runs them again.
"""

import argparse
import math
import os
import secrets
import sys
import warnings
from collections import Counter
from dataclasses import dataclass

from joblib import Parallel, delayed

THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
LEAST_NOISE = 1e-5  # of the signal, for the goal
VERDICTS = ("ok", "diverged", "warned", "silently off", "crashed")


@dataclass(frozen=True)
class Judged:
    """What came of a setting: its verdict, all checks, the worst first, and words on why.

    number; setting : its description; likelihood, inference, noise : for the tables
    """

    number: int
    setting: str
    likelihood: str
    inference: str
    noise: float
    verdict: str
    checks: list
    why: str

    @property
    def decade(self):
        """The power of ten just below noise/signal, as text."""
        return f"1e{math.floor(math.log10(self.noise))}"

    @property
    def missed(self):
        """Whether the goal is missed here."""
        return self.verdict == "crashed" or (self.verdict == "silently off" and self.noise >= LEAST_NOISE)

    def __str__(self):
        return f"{self.number}: {self.verdict}{self.why and f' ({self.why})'}: {self.setting}"


def judged(seed, number):
    """Fit the setting of this number and judge what comes."""
    from benchmarks.stress_settings import setting

    chosen = setting(seed, number)
    sparse = "" if chosen.places is None else "inducing "
    return Judged(number, str(chosen), chosen.likelihood, sparse + chosen.inference, chosen.noise, *_verdict(chosen))


def _verdict(chosen):
    """(verdict, checks, why)."""
    from benchmarks.stress_criteria import checks, said

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            says = said(chosen, chosen.fitted())
        except (ValueError, ArithmeticError) as error:  # LinAlgError is a ValueError
            return "diverged", [], f"{type(error).__name__}: {error}"
        except Exception as error:  # whatever it is, it is counted
            return "crashed", [], f"{type(error).__name__}: {error}"
    spoken = [str(warning.message) for warning in caught if not issubclass(warning.category, RuntimeWarning)]
    try:
        found = sorted(checks(chosen, says), key=lambda check: -check.off)
        right = found[0].off <= 1.0
        cured = right or all(check.off <= 1.0 for check in checks(chosen, says, rounded=True))
    except Exception as error:
        return "crashed", [], f"oracle: {type(error).__name__}: {error}"
    if spoken:
        return "warned", found, spoken[0]
    if right:
        return "ok", found, ""
    return "silently off", found, "by rounding and jitter of the kernel matrix" if cured else "by inference"


def report(found):
    """Lines: both tables, the settings that are silently off, and the counts."""
    rules = sorted({j.inference for j in found})
    yield f"\nIn each cell: {' / '.join(VERDICTS)}.\n"
    yield from _table(rules, {name: lambda j, name=name: j.likelihood == name for name in _kinds(found)}, found)
    yield ""
    decades = sorted({j.decade for j in found}, key=float, reverse=True)
    rows = {f"noise/signal from {power}": lambda j, power=power: j.decade == power for power in decades}
    yield from _table(rules, rows, found)
    yield ""
    for j in found:
        if j.verdict in ("diverged", "silently off", "crashed"):
            off = [f"{check.what} {check.off:.2g} ×" for check in j.checks if check.off > 1.0]
            yield f"{j}\n    off, in units of what is allowed: {', '.join(off)}" if off else str(j)
    count = Counter(j.verdict for j in found)
    off = sum(j.missed for j in found) - count["crashed"]
    yield (
        f"\n{len(found)} settings: {count['diverged']} diverged / {count['warned']} warned / {count['silently off']} "
        f"silently off / {count['crashed']} crashed; {off} silently off with noise/signal ≥ {LEAST_NOISE:g} (goal: 0)"
    )


def _kinds(found):
    return sorted({j.likelihood for j in found})


def _table(columns, rows, found):
    """Lines of Markdown: how many settings of each row (a condition) and way of inference got which verdict."""
    yield f"| {' | '.join(['', *columns])} |"
    yield "|" + "---|" * (len(columns) + 1)
    for name, belongs in rows.items():
        cells = [Counter(j.verdict for j in found if belongs(j) and j.inference == rule) for rule in columns]
        counts = [" / ".join(str(cell[verdict]) for verdict in VERDICTS) if cell else "–" for cell in cells]
        yield f"| {' | '.join([name, *counts])} |"


def main(arguments=None):
    """Judge the settings, print what came, and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.stress", description=__doc__.splitlines()[0])
    parser.add_argument("--settings", type=int, default=300, help="how many")
    parser.add_argument("--seed", type=int, help="of all settings; a fresh one if it is left out")
    parser.add_argument("--only", type=int, help="the number of one setting, to see all of its checks")
    parser.add_argument("--jobs", type=int, default=-1, help="processes; -1 takes all cores")
    options = parser.parse_args(arguments)
    seed = secrets.randbits(31) if options.seed is None else options.seed
    print(f"--seed {seed}")
    os.environ.update(dict.fromkeys(THREADS, "1"))
    if options.only is not None:
        found = [judged(seed, options.only)]
        print(found[0], *(f"{check.off:10.2g} × what is allowed: {check.what}" for check in found[0].checks), sep="\n")
    else:
        work = (delayed(judged)(seed, number) for number in range(options.settings))
        found = Parallel(n_jobs=options.jobs)(work)
        print(*report(found), sep="\n")
    return int(any(j.missed for j in found))


if __name__ == "__main__":
    sys.exit(main())
