"""The compiled recursions of Act I as one WebAssembly module: the kernels that the lectures study.

python -m tools.site.wasm       writes dist/wasm/kernels.wasm (`make wasm` installs the extra `site`, which it needs)

Numba writes LLVM's language for each kernel; LLVM compiles that for wasm32, and the package ziglang links it. What a
page must know to call a kernel stands in the module's section "kernels": the kinds of its arguments and of what it
returns. A kind is "f" (float), "i" (whole), "t" (true or false), an array's letter and dimensions ("F2"), or a list.
"""

import gzip
import hashlib
import importlib
import json
import os
import re
import subprocess
import sys
import tempfile
import warnings
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from unittest.mock import patch

from tools.notebooks import ROOT

SEQUENCES = "course_lib.sequences"
MODULE = ROOT / "dist" / "wasm" / "kernels.wasm"
CELLS = ("i", "F2", "F2", "I1", "I1")  # what is compared, and which cells are allowed
SINGLE = (("i", "f"), ("i", "f"), ("i", "f"), "t")  # three moves of one step
CHAIN = ("F1", "F2", "F2")  # π, A, and a table of emissions
ARCS = ("I1", "I1", "F1")
LATTICE = ("I1", ARCS, "F1", "F1")
KERNEL_TYPES = {
    f"{SEQUENCES}._warping_kernels": {
        "local_rows": ("i", "F2", "F2", "i", "i", "i", "i", "F2"),
        "accumulate_single_steps": (*CELLS, SINGLE, "i", "I1", "B1", "F2"),
        "accumulate": (*CELLS, ("F3", "I1"), "i", "I1", "B1", "F2"),
        "trace_back": ("B1", "I1", "I1", "F3", "I1", "i", "i"),
        "single_step_distances": ("i", "F2", "I1", "F2", "I1", "I2", "I1", "I1", "I1", SINGLE),
    },
    "course_lessons.dtw._discovery_kernels": {
        "refresh": ("F2", "F2", "B2", "F1", "i", "i", "i", "i"),
        "next_local_path": ("F2", "F2", "B2", "F1", "i"),
    },
    f"{SEQUENCES}._hmm_kernels": {
        "forward": (*CHAIN, "I1", "f", "F2", "F1"),
        "score": (*CHAIN, "I1", "I1", "f", "F1"),
        "expect": (*CHAIN, "I1", "I1", "f", "F2", "F2", "F1"),
        "add_by_symbol": ("F2", "I1", "F2"),
        "viterbi": (*CHAIN, "I1", "B2", "I1"),
        "viterbi_each": (*CHAIN, "I1", "I1", "B2", "I1", "F1"),
        "forward_log": (*CHAIN, "F2"),
        "backward_log": ("F2", "F2", "F2"),
    },
    "course_lessons.hmm._connected_kernels": {
        "one_pass": (("I1", ARCS, "F1", "F1"), "I1", "I1", "F1", ARCS, "F2", "S2", "S2")
    },
    "tools.site.cepstra_kernel": {"cepstra": ("F1", "i", "F2", "F2", "F2", "F2", "F2")},
}
TRIPLE, TARGET_FEATURES = "wasm32-unknown-unknown", "+simd128,+bulk-memory,+sign-ext,+nontrapping-fptoint"
MEMORY = ["--initial-memory=4194304", "--max-memory=268435456"]  # bytes, what it begins with and what a page may give


class NotPossible(Exception):
    """Says in words what is missing."""


def current():
    """The module, if it was made of these kernels by this code; else None."""
    known = MODULE.with_suffix(".key")
    return MODULE if MODULE.exists() and known.exists() and known.read_text(encoding="utf-8") == key() else None


def key():
    """A fingerprint of all that the module is made of."""
    sources = [ROOT / f"{name.replace('.', '/')}.py" for name in KERNEL_TYPES]
    return hashlib.sha256(b"".join(path.read_bytes() for path in (*sources, Path(__file__)))).hexdigest()


def check():
    """NotPossible unless the versions of the extra `site` are here: private parts of them are used."""
    lock = (ROOT / "constraints.txt").read_text(encoding="utf-8")
    for name in ("numba", "llvmlite", "ziglang"):
        wanted = re.search(rf"^{name}==(\S+)", lock, re.MULTILINE).group(1)
        try:
            found = version(name)
        except PackageNotFoundError:
            raise NotPossible(f"{name} is not installed: make wasm, or pip install {name}=={wanted}") from None
        if found != wanted:
            raise NotPossible(f"{name} {found} is installed. Private parts of {name} {wanted} are used: make wasm")


def make(path):
    """Compiles all kernels into one module; returns its size in bytes, plain and compressed."""
    check()
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, unoptimised(folder):
        described, objects = {}, []
        for module, kernels in KERNEL_TYPES.items():
            for name, kinds in kernels.items():
                result = compiled(kernel(module, name), kinds)
                described[name] = {"takes": kinds, "gives": kind_of(result.signature.return_type)}
                objects.append(Path(folder) / f"{name}.o")
                objects[-1].write_bytes(object_code(result, name))
        link(objects, described, path)
    path.write_bytes(path.read_bytes() + section("kernels", json.dumps(described).encode()))
    path.with_suffix(".key").write_text(key(), encoding="utf-8")
    return path.stat().st_size, len(gzip.compress(path.read_bytes(), 9))


def kernel(module, name):
    return getattr(importlib.import_module(module), name)


@contextmanager
def unoptimised(folder):
    """Numba leaves its code as it wrote it, for no processor in particular, and keeps nothing where others look."""
    os.environ |= {"NUMBA_CACHE_DIR": folder, "NUMBA_CPU_NAME": "generic", "NUMBA_LOOP_VECTORIZE": "0"}
    from numba import NumbaWarning
    from numba.core.codegen import CPUCodeLibrary

    nothing = {"_optimize_functions": lambda *_: None, "_optimize_final_module": lambda *_: None}
    with patch.multiple(CPUCodeLibrary, **nothing), warnings.catch_warnings():
        warnings.simplefilter("ignore", NumbaWarning)  # such code cannot be kept for later, and need not be
        yield


def types():
    """Numba's types by the letter of a kind."""
    from numba import types as of

    arrays = {"F": of.float64, "I": of.int64, "S": of.int32, "B": of.uint8}
    return {"f": of.float64, "i": of.int64, "t": of.boolean} | arrays


def type_of(kind):
    """Numba's type of a kind."""
    from numba.core.types import Array, Tuple

    if isinstance(kind, tuple):
        return Tuple([type_of(part) for part in kind])
    return Array(types()[kind[0]], int(kind[1]), "C") if kind[1:] else types()[kind]


def kind_of(type_):
    """The kind of what Numba returns; None where that is nothing."""
    if hasattr(type_, "types"):
        return [kind_of(part) for part in type_.types]
    if hasattr(type_, "ndim"):
        return f"{kind_of(type_.dtype).upper()}{type_.ndim}"
    return next((letter for letter, one in types().items() if one == type_), None)


def compiled(one, kinds):
    """What Numba makes of a kernel, with the options that it has in the library."""
    from numba import njit

    anew = njit(**{name: one for name, one in one.targetoptions.items() if name != "nopython"})(one.py_func)
    anew.compile(tuple(type_of(kind) for kind in kinds))
    (result,) = anew.overloads.values()
    return result


def object_code(result, name):
    """A kernel's code for WebAssembly, in which it has its own name, and nothing else is seen from outside."""
    from llvmlite import binding

    binding.initialize_all_targets()
    binding.initialize_all_asmprinters()
    machine = binding.Target.from_triple(TRIPLE).create_target_machine(opt=3, features=TARGET_FEATURES, reloc="static")
    code, kernel = result.library.get_llvm_str(), result.fndesc.llvm_func_name
    for target, here in (("datalayout", machine.target_data), ("triple", TRIPLE)):
        code = re.sub(f"^target {target} = .*$", f'target {target} = "{here}"', code, flags=re.MULTILINE)
    module = binding.parse_assembly(code)
    for thing in (*module.functions, *module.global_variables):
        if not thing.is_declaration:
            thing.linkage = "external" if thing.name == kernel else "internal"
    module.get_function(kernel).name = name
    options = binding.create_pipeline_tuning_options(speed_level=3)
    passes = binding.create_pass_builder(machine, options)
    passes.getModulePassManager().run(module, passes)
    return machine.emit_object(module)


def link(objects, names, path):
    """Writes one module of all objects. The page gives what they lack: room for arrays, exp and log."""
    exports = [f"--export={name}" for name in ("__heap_base", *names)]
    options = ["--no-entry", "--gc-sections", "--strip-all", "--allow-undefined", *MEMORY, *exports, "-o", str(path)]
    subprocess.run([sys.executable, "-m", "ziglang", "wasm-ld", *options, *map(str, objects)], check=True)


def section(name, content):
    """A section of one's own, as a WebAssembly module may have it at its end."""
    inside = bytes([len(name)]) + name.encode() + content
    size = [len(inside) >> shift & 127 | 128 for shift in (0, 7, 14)]  # seven bits a byte; the eighth: more follow
    return bytes([0, *size, len(inside) >> 21]) + inside


if __name__ == "__main__":
    try:
        plain, packed = make(MODULE)
    except NotPossible as reason:
        sys.exit(str(reason))
    print(f"{sum(map(len, KERNEL_TYPES.values()))} kernels: {plain / 1000:.1f} kB, {packed / 1000:.1f} kB compressed")
