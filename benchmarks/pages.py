"""Rows of what readers of the pages feel: a step of an explorer, a word of theirs, in a browser slowed four times.

Needs a Chromium; measured is what was recorded (`make site`), or computes (`make wasm`). Words are those of the
shipped voices, dropped as files: from its end on, a recording goes the same way.
"""

import base64
import functools
import http.server
import io
import json
import tempfile
import threading
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import numpy as np
import soundfile
from playwright.sync_api import sync_playwright

from benchmarks.users import Felt
from course_lessons.dtw import own
from course_widgets.microphone import RATE
from tools import chromium
from tools.site import live, pages, shelf

SLOWED, STEPS = 4, 12
QUIET = ["--no-sandbox", "--headless", "--disable-gpu", "--no-first-run", "--disable-background-networking"]
# Moves the first control that moves; every second time it only waits, which is what the page costs by itself.
STEP = """async ([place, steps]) => {
    const controls = [...place.querySelectorAll("input, select")].filter(one => !one.disabled);
    const input = controls.find(one => one.type === "range" && one.offsetParent) ?? controls[0];
    input.focus();
    for (let k = 0; k < 2 * steps; k++) {
        performance.mark(`step ${k}`);
        if (k % 2) await new Promise(done => setTimeout(done, 250));
        if (k % 2) continue;
        if (input.type === "range") {
            const [low, high] = [Number(input.min), Number(input.max)];
            input.value = low + (Number(input.value) - low + (input.step === "any" ? 0.37 : 1)) % (high - low + 1);
        } else if (input.type === "checkbox") input.checked = !input.checked;
        else input.selectedIndex = (input.selectedIndex + 1) % input.options.length;
        input.dispatchEvent(new Event(input.type === "range" ? "input" : "change", { bubbles: true }));
        while (place.querySelector(".drawing[aria-busy=true]")) await new Promise(done => setTimeout(done, 2));
        await new Promise(done => setTimeout(done, 250));
    }
    performance.mark(`step ${2 * steps}`);
}"""
# Drops one word after the other, each under a name of its own, and waits each second time: its picture is painted.
WORDS = """async ([place, words]) => {
    const [input, name] = ["input[type=file]", "input:not([type=file])"].map(one => place.querySelector(one));
    const said = () => place.querySelector(".sentence").textContent;
    const wait = time => new Promise(done => setTimeout(done, time));
    for (let k = 0; k < words.length; k++) {
        const [file, before] = [new DataTransfer(), said()];
        const bytes = Uint8Array.from(atob(words[k]), letter => letter.charCodeAt(0));
        file.items.add(new File([bytes], "word.wav", { type: "audio/wav" }));
        [name.value, input.files] = [`word ${k}`, file.files];
        performance.mark(`step ${2 * k}`);
        input.dispatchEvent(new Event("change", { bubbles: true }));
        while (said() === before || place.querySelector(".drawing[aria-busy=true]")) await wait(2);
        await new Promise(requestAnimationFrame);
        await wait(0);
        performance.mark(`step ${2 * k + 1}`);
        await wait(500);
    }
    performance.mark(`step ${2 * words.length}`);
}"""
WORD = "[data-live='live/explore_my_word.bin']"


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@contextmanager
def opened():
    """(browser, address) of the site as it would be published now."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        pages.write(Path(folder) / "site", shelf.played())
        handler = functools.partial(Quiet, directory=Path(folder) / "site")
        with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            browser = playwright.chromium.launch(executable_path=chromium.find(), args=QUIET)
            yield browser, f"http://127.0.0.1:{server.server_port}"
            browser.close()
            server.shutdown()


def steps(places, _):
    """Seconds of the main thread for each step of each place: {selector in a page: number of its lecture}."""
    with opened() as (browser, address):
        return [
            cost for place, lecture in places.items() for cost in costs(browser, f"{address}/{lecture}.html", place)
        ]


def costs(browser, address, selector):
    page, place = begun(browser, address, selector)
    place.locator(".drawing:not([aria-busy=true]) svg").wait_for()
    if place.locator(".commit").count():
        place.locator(".answers button").first.click()
        place.locator(".commit").click()
    events = traced(browser, page, STEP, [place.element_handle(), STEPS])
    marks = marked(events)
    times = spent(events, marks, main_thread(marks))
    return (times[::2] - np.median(times[1::2])).tolist()[1:]


def begun(browser, address, selector):
    """(page, place of the explorer), which is open and on the screen."""
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.goto(address)
    page.wait_for_selector("html.ready")
    page.evaluate("document.querySelectorAll('details.home').forEach(fold => { fold.open = true; })")
    place = page.locator(selector)
    place.evaluate("one => { one.open = true; one.scrollIntoView(); }")
    return page, place


def traced(browser, page, script, argument):
    """The events of a script's steps, on a main thread that is slowed; the page is closed."""
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWED})
    browser.start_tracing(page=page, categories=["toplevel", "blink.user_timing", "__metadata"])
    page.evaluate(script, argument)
    events = json.loads(browser.stop_tracing())["traceEvents"]
    page.close()
    return events


def words(_):
    """Seconds from the end of each recording to its nearest template: of the main thread, then of the worker."""
    with opened() as (browser, address):
        page, place = begun(browser, f"{address}/01.html", WORD)
        place.locator(".sentence:not(:empty)").wait_for()
        events = traced(browser, page, WORDS, [place.element_handle(), list(spoken())])
    marks = marked(events)
    main = main_thread(marks)
    workers = [spent(events, marks, thread) for thread in named(events, main["pid"], "DedicatedWorker thread")]
    # Chromium slows no worker: what it takes counts four times.
    times = spent(events, marks, main) + SLOWED * np.sum(workers, axis=0)
    return times[::2].tolist()[1:]


def spoken():
    """Some of the templates, as files in base64."""
    for one in list(own.templates().values())[::3]:
        soundfile.write(file := io.BytesIO(), one.samples, RATE, format="WAV")
        yield base64.b64encode(file.getvalue()).decode()


def marked(events):
    """{name: event} of the marks that the scripts make."""
    return {event["name"]: event for event in events if event["name"].startswith("step ")}


def main_thread(marks):
    return {key: marks["step 0"][key] for key in ("pid", "tid")}


def named(events, process, name):
    """The threads of a process that have this name."""
    told = [event for event in events if event["name"] == "thread_name" and event["pid"] == process]
    return [{"pid": process, "tid": event["tid"]} for event in told if event["args"]["name"] == name]


def spent(events, marks, thread):
    """Seconds that a thread's tasks take between one mark and the next."""
    tasks = [event for event in events if event["name"].endswith("RunTask") and thread.items() <= event.items()]
    at = [marks[f"step {k}"]["ts"] for k in range(len(marks))]
    times = np.zeros(len(at) - 1)
    for task in tasks:
        k = int(np.searchsorted(at, task["ts"], side="right")) - 1
        if 0 <= k < len(times):
            times[k] += task.get("tdur", task.get("dur", 0)) / 1e6
    return times


def rows(small=False):
    """The rows, of what is there; `small` leaves them out."""
    if small or chromium.find() is None:
        return []
    lectures = shelf.lectures()
    recorded = {f'.explorer[data-recording="recordings/{name}.bin"]': lectures[name] for name in shelf.played()}
    computed = {f"[data-live='live/{name}.bin']": lectures[name] for name in live.here()}
    made = [
        (f"a recorded step on a page, {len(recorded)} explorers", recorded, 0.016),
        (f"a computed step on a page, {len(computed)} explorers", computed, 0.1),
    ]
    felt = [Felt(name, partial(steps, places), None, most, 0.95) for name, places, most in made if places]
    heard = [Felt("a word, from its end to the nearest template", words, None, 0.2, 0.95)] if WORD in computed else []
    return felt + heard
