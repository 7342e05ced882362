"""The kernels in WebAssembly, in Chromium, beside the same kernels in Python: equal results for equal arguments."""

import base64
import copy
import functools
import http.server
import importlib.metadata
import io
import re
import threading
from contextlib import contextmanager

import numpy as np
import pytest
from PIL import Image

from course_lessons.dtw import _discovery_kernels as discovery
from course_lessons.dtw import search
from course_lessons.hmm import _connected_kernels as connected
from course_lessons.hmm.connected import ConnectedWords
from course_lib import audio, datasets
from course_lib import sequences as seq
from course_lib.sequences import _hmm_kernels as hmm
from course_lib.sequences import _warping_kernels as dtw
from course_lib.sequences import recursions, warping_tables
from course_widgets import geometry
from tests.browser.conftest import LONG
from tests.browser.test_site import Quiet
from tests.course_lessons import test_connected
from tools.site import cepstra_kernel, live, live_dtw, live_hmm, pages, recording, wasm

TABLES, MODELS, RATE = 200, 200, 8000
COMPUTED = {"explore_dtw": live_dtw, "explore_trellis": live_hmm}
ONE_STEP = 5  # of 255: between neighbours of the scale of colours, which a distance on their border may become
CLOSE = {"rtol": 1e-12, "atol": 1e-12}
DTYPES = {"F": float, "I": np.int64, "S": np.int32, "B": np.uint8}
# For each [name, arguments]: [what the kernel returns, the arrays that it was given as it leaves them], all packed.
RUN = """async calls => {
    const types = { F: Float64Array, I: BigInt64Array, S: Int32Array, B: Uint8Array };
    globalThis.kernels ??= await (await import("/assets/kernels.js")).load("/assets/kernels.wasm");
    const arrays = [];
    const read = value => {
        if (Array.isArray(value)) return value.map(read);
        if (typeof value !== "object") return value;
        const bytes = Uint8Array.from(atob(value.data), letter => letter.charCodeAt(0));
        const data = Array.from(new types[value.letter](bytes.buffer), Number);
        arrays.push({ letter: value.letter, data, shape: value.shape });
        return arrays.at(-1);
    };
    const written = (letter, { data, shape }) => {
        const bytes = new Uint8Array(types[letter].from(letter === "I" ? data.map(BigInt) : data).buffer);
        let text = "";
        for (const byte of bytes) text += String.fromCharCode(byte);
        return { letter, shape, data: btoa(text) };
    };
    const given = (kind, value) => Array.isArray(kind) ? kind.map((part, k) => given(part, value[k]))
        : value?.shape ? written(kind[0], value) : value;
    return calls.map(([name, values]) => {
        arrays.length = 0;
        const result = kernels.call(name, ...values.map(read));
        return [given(kernels.kinds[name].gives, result), arrays.map(one => written(one.letter, one))];
    });
}"""

PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>kernels</title>
<link rel="stylesheet" href="assets/site.css"><main>{}</main>
<script type="module">import {{ begin }} from "./assets/live.js"; begin();</script></html>"""
# Moves the controls, and waits until the picture is the one that was asked for: its sentence, paths, texts and cells.
SHOWN = """async ([name, values]) => {
    const fold = document.querySelector(`[data-live="live/${name}.bin"]`);
    const place = fold.querySelector(".explorer"), frame = () => place.querySelector(".drawing");
    const seldom = () => new Promise(done => setTimeout(done, 5));
    fold.open = true;
    while (!frame()) await seldom();
    place.querySelectorAll("select, input").forEach((input, k) => {
        if (input.tagName === "SELECT") input.selectedIndex = values[k];
        else input.value = values[k];
        input.dispatchEvent(new Event(input.tagName === "SELECT" ? "change" : "input"));
    });
    while (frame().getAttribute("aria-busy") === "true") await seldom();
    const all = (name, read) => [...frame().querySelectorAll(`svg ${name}`)].map(read);
    return {
        sentence: place.querySelector(".sentence").innerText,
        paths: all("path", path => path.getAttribute("d").match(/-?[\\d.]+/g).map(Number)),
        texts: all("text", text => text.textContent),
        starts: all("text", text => ["x", "y"].map(name => Number(text.getAttribute(name)))),
        cells: all("image", image => image.getAttribute("href"))[0],
    };
}"""


@pytest.fixture(scope="module")
def page(browser, tmp_path_factory):
    """A page that has the kernels beside it; without them the tests are skipped."""
    if wasm.current() is None:
        pytest.skip("There are no kernels in WebAssembly of this code: make wasm")
    folder = tmp_path_factory.mktemp("wasm")
    pages.write_assets(folder / "assets")
    live.write(folder)
    places = "".join(live.place(name, str) for name in live.LIVE)
    (folder / "index.html").write_text(PAGE.format(places), encoding="utf-8")
    with serving(folder) as address:
        found = browser.new_page()
        found.set_default_timeout(LONG)
        found.goto(f"{address}/index.html")
        yield found
        found.close()


@contextmanager
def serving(folder):
    """Address of a plain file server."""
    handler = functools.partial(Quiet, directory=folder)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def packed(kind, value):
    """An argument of a kernel as the page reads it."""
    if isinstance(kind, tuple):
        return [packed(part, one) for part, one in zip(kind, value, strict=True)]
    if len(kind) == 1:
        return value
    array = np.ascontiguousarray(value, DTYPES[kind[0]])
    return {"letter": kind[0], "shape": array.shape, "data": base64.b64encode(array.tobytes()).decode()}


def unpacked(value):
    """What a page sends, as numbers and arrays, the parts of a pair one after the other."""
    if isinstance(value, list):
        return [one for part in value for one in unpacked(part)]
    if not isinstance(value, dict):
        return [] if value is None else [value]
    data = base64.b64decode(value["data"])
    return [np.frombuffer(data, DTYPES[value["letter"]]).reshape(value["shape"])]


def flat(value):
    """The same of what a kernel takes or returns in Python."""
    return [one for part in value for one in flat(part)] if isinstance(value, tuple) else [value]


def sent(kernel, values):
    """A call as the page reads it."""
    module = {name: kinds for kernels in wasm.KERNEL_TYPES.values() for name, kinds in kernels.items()}
    kinds = module[kernel.__name__]
    return [kernel.__name__, [packed(kind, value) for kind, value in zip(kinds, values, strict=True)]]


def compare(page, calls):
    """Runs the calls (kernel, arguments) in both, and wants equal results, and equal arrays after it; their count."""
    for (kernel, values), (result, arrays) in zip(
        calls, page.evaluate(RUN, [sent(*call) for call in calls]), strict=True
    ):
        true = [one for one in flat(kernel(*values)) if one is not None]
        left = [one for one in flat(tuple(values)) if isinstance(one, np.ndarray)]
        for here, there in zip([*true, *left], [*unpacked(result), *map(unpacked_one, arrays)], strict=True):
            np.testing.assert_allclose(there, here, **CLOSE, err_msg=kernel.__name__)
    return len(calls)


def unpacked_one(value):
    return unpacked(value)[0]


def random_table(rng):
    """(kind, x, y, window) of two short sequences, or of a table of distances."""
    rows, columns, features = (int(n) for n in rng.integers(1, (21, 21, 7)))
    kind = ("given", "squared", "euclidean")[rng.integers(3)]
    window = (None, seq.SakoeChiba(int(rng.integers(1, 9))), seq.ItakuraParallelogram())[rng.integers(3)]
    if kind == "given":
        return kind, rng.normal(size=(rows, columns)), None, window
    return kind, rng.normal(size=(rows, features)), rng.normal(size=(columns, features)), window


def fillings(pattern, kind, x, y, window):
    """The calls that fill a table and, if a path leads through it, read the path."""
    table = warping_tables.WarpingTable(kind, x, y, pattern, window)
    cells = dtw.DISTANCE_KINDS[kind], table.x, table.y_columns, table.lowest, table.end
    moves, room = (table.steps, table.lengths), np.zeros(table.offsets[-1], np.uint8)
    into = table.offsets, room, np.full(table.shape, np.inf)
    yield dtw.accumulate, (*cells, moves, 0, *into)
    if table.single_steps:
        yield dtw.accumulate_single_steps, (*cells, table.single_steps, 0, table.offsets, room.copy(), into[2].copy())
    last, choices, _ = table.accumulate(path=True)
    if np.isfinite(last[-1]):
        yield dtw.trace_back, (choices, table.offsets, table.lowest, *moves, *(size - 1 for size in table.shape))


@pytest.mark.parametrize("name", seq.STEP_PATTERNS)
def test_tables_and_paths_are_those_of_python(name, page):
    rng = np.random.default_rng()
    tables = [list(fillings(seq.STEP_PATTERNS[name], *random_table(rng))) for _ in range(TABLES)]
    assert compare(page, [call for calls in tables for call in calls]) > TABLES
    assert sum(calls[-1][0] is dtw.trace_back for calls in tables) > (0 if name == "rigid" else TABLES / 20)


def random_model(rng):
    """(π, A, b) of a small model, of whose steps some are impossible, and of a short sequence."""
    N, T = (int(n) for n in rng.integers(1, (8, 31)))
    transmat = rng.dirichlet(np.ones(N), N) * (rng.uniform(size=(N, N)) < 0.8) + 0.1 * np.eye(N)
    return rng.dirichlet(np.ones(N)), transmat / transmat.sum(axis=1, keepdims=True), rng.uniform(size=(T, N))


def test_forward_backward_and_viterbi_are_those_of_python(page):
    rng, calls = np.random.default_rng(), []
    for pi, A, b in (random_model(rng) for _ in range(MODELS)):
        T, N = b.shape
        rows, bounds, lost = np.arange(T), np.array([0, T // 2, T]), 0.0
        chain, table = recursions.padded_chain(pi, A), recursions.padded(b)
        with np.errstate(divide="ignore"):
            logs = np.log(pi), np.log(A), np.log(b)
            log_chain = tuple(map(np.log, chain))
        log_table = recursions.padded(logs[2])
        predecessors, room = np.zeros(table.shape, np.uint8), lambda: np.zeros(table.shape)  # noqa: B023
        calls += [
            (hmm.forward_log, (*logs, np.zeros((T, N)))),
            (hmm.backward_log, (*logs[1:], np.zeros((T, N)))),
            (hmm.viterbi, (*log_chain, log_table, rows, predecessors, np.zeros(T, np.int64))),
            (hmm.forward, (*chain, table, rows, lost, room(), np.zeros(T))),
            (hmm.add_by_symbol, (b, rows % 3, np.zeros((3, N)))),
        ]
        if T > 1:
            N4 = table.shape[1]
            calls += [
                (hmm.score, (*chain, table, rows, bounds, lost, np.zeros(2))),
                (hmm.expect, (*chain, table, rows, bounds, lost, room(), np.zeros((N4, N4)), np.zeros(2))),
                (
                    hmm.viterbi_each,
                    (*log_chain, log_table, rows, bounds, predecessors.copy(), np.zeros(T, np.int64), np.zeros(2)),
                ),
            ]
    assert compare(page, calls) > 5 * MODELS


def noted(kernel, calls):
    """A kernel that the library calls, and whose calls are kept as they came."""

    def call(*values):
        calls.append((kernel, copy.deepcopy(values)))
        return kernel(*values)

    return call


def test_what_search_and_connected_words_call_is_that_of_python(page, monkeypatch):
    rng, calls = np.random.default_rng(), []
    for module, name in ((dtw, "single_step_distances"), (discovery, "next_local_path"), (connected, "one_pass")):
        monkeypatch.setattr(module, name, noted(getattr(module, name), calls))
    for _ in range(20):
        sequences = [rng.normal(size=(int(T), 3)) for T in rng.integers(5, 40, 4)]
        seq.dtw_distances(sequences, window=seq.SakoeChiba(5))
        search.discover_terms(*sequences[:2], threshold=2.0, min_frames=2)
        words = test_connected.recognizer([test_connected.word_model(rng, 3, 3) for _ in range(3)])
        ConnectedWords(words).decode(rng.integers(3, size=20))
        x, y_columns = rng.normal(size=(6, 5)), rng.normal(size=(5, 8))
        calls.append((dtw.local_rows, (dtw.DISTANCE_KINDS["euclidean"], x, y_columns, 0, 5, 0, 8, np.zeros((6, 9)))))
        tables = np.zeros((7, 9)), np.zeros((6, 8), np.uint8), np.zeros(16)
        calls.append((discovery.refresh, (rng.normal(size=(6, 8)), *tables, 0, 6, 0, 8)))
    assert compare(page, calls) >= 100


def test_cepstra_of_the_page_are_those_of_the_library(page):
    prompts, calls = datasets.load_spoken_prompts(), []
    tables = cepstra_kernel.tables(RATE, window=200, n_fft=256, n_bands=26, n_mfcc=13)
    for signal in (prompts["en", 7], prompts["ru", 0], np.zeros(500), np.random.default_rng().normal(size=777)):
        found = np.zeros((1 + len(signal) // 80, 13))
        calls.append((cepstra_kernel.cepstra, (np.pad(signal, 200 // 2), 80, *tables, found)))
    assert compare(page, calls) == 4
    for (_, values), (_, arrays) in zip(calls, page.evaluate(RUN, [sent(*call) for call in calls]), strict=True):
        signal = values[0][100:-100]
        np.testing.assert_allclose(unpacked_one(arrays[-1]), audio.mfcc(signal, RATE), atol=1e-9)


def pixels(address):
    """(rows, columns, 4) of a PNG in a data address."""
    return np.asarray(Image.open(io.BytesIO(base64.b64decode(address.partition(",")[2]))).convert("RGBA")).astype(int)


@pytest.mark.parametrize("name", COMPUTED)
def test_what_a_page_computes_it_says_and_shows_as_python_does(name, page):
    python, rng = COMPUTED[name].explorer(), np.random.default_rng()
    controls = recording.controls(python, {})
    for number in range(30):
        places = [int(rng.integers(len(one.values))) for one in controls]
        few = next(k for k, one in enumerate(controls) if len(one.values) == 3)
        places[few] = number % 3  # each window, each recursion
        values = {one.name: one.values[k] for one, k in zip(controls, places, strict=True)}
        assert_alike(page.evaluate(SHOWN, [name, places]), *python.drawn(values, geometry.read))


def assert_alike(shown, sentence, marks):
    """What a page shows is what Python says and draws: texts, lines within a pixel, colours nearly."""
    assert shown["sentence"] == sentence
    looked_at = {kind: [mark for mark in marks if kind_of(mark) in kind] for kind in (("text",), ("path", "marks"))}
    assert shown["texts"] == [mark.text for mark in looked_at["text",]]
    for mark, path in zip(looked_at["path", "marks"], shown["paths"], strict=True):
        if kind_of(mark) == "path":
            assert np.abs(np.reshape(path, (-1, 2)) - mark.points / 2).max() <= 1
    for mark, start in zip(looked_at["text",], shown["starts"], strict=True):
        assert np.abs(np.array(start) - mark.points[0] / 2).max() <= 1, (mark, start)
    for mark in marks:
        if kind_of(mark) == "image":
            assert np.abs(pixels(shown["cells"]) - pixels(mark.text)).max() <= ONE_STEP


def test_buttons_fill_the_trellis_as_their_names_say(page):
    python = live_hmm.explorer()
    place = page.locator('[data-live="live/explore_trellis.bin"]')
    page.evaluate(
        SHOWN,
        ["explore_trellis", [one.values.index(python.start[one.name]) for one in recording.controls(python, {})]],
    )
    for filled, name in ((1, "Next cell"), (4, "Next day"), (7, "Next day"), (10, "Next day"), (12, "Next day")):
        place.get_by_role("button", name=name).click()
        sentence, _ = python.drawn({**python.start, "filled": filled}, geometry.read)
        place.locator(f".sentence:text-is('{sentence}')").wait_for()


def kind_of(mark):
    return dict(mark.look)["kind"]


def test_a_page_that_cannot_compute_says_so(page, browser):
    alone = browser.new_page()
    alone.route("**/kernels.wasm", lambda route: route.fulfill(status=404))
    alone.goto(page.url)
    alone.locator("details.live > summary").first.press("Enter")
    alone.wait_for_selector(".explorer [role=status]:text('404')")
    assert live.FAILED_MESSAGE in alone.locator(".explorer").first.inner_text()
    alone.close()


def test_every_kernel_that_the_course_calls_is_in_the_module():
    called, rooms = set(), ("course_lib/sequences", "course_lessons/dtw", "course_lessons/hmm")
    for path in (path for room in rooms for path in (wasm.ROOT / room).glob("[!_]*.py")):
        source = path.read_text(encoding="utf-8")
        called |= set(re.findall(r"kernels\.([a-z]\w+)\(", source))
        called |= set(re.findall(r"_kernels import ([a-z]\w+)$", source, re.MULTILINE))
    made = {name for kernels in wasm.KERNEL_TYPES.values() for name in kernels}
    assert called - made == {"local_tables"}  # which is Python, and calls `refresh`


def test_another_numba_is_refused_in_words(monkeypatch):
    monkeypatch.setattr(wasm, "version", lambda name: "0.1")
    with pytest.raises(wasm.NotPossible, match=r"numba 0\.1 is installed.* numba 0\.\d+\.\d+ are used: make wasm"):
        wasm.check()


def test_a_missing_linker_is_named(monkeypatch):
    def missing(name):
        if name == "ziglang":
            raise wasm.PackageNotFoundError(name)
        return importlib.metadata.version(name)

    monkeypatch.setattr(wasm, "version", missing)
    with pytest.raises(wasm.NotPossible, match="ziglang is not installed: make wasm"):
        wasm.check()
