// Explorers that compute: the page has the controls and the drawing, a worker beside it has the kernels.
// A slider never waits: while the worker computes, only the newest settings are kept for it.

import { element, Explorer, Known } from "./explorer.js";
import { Pad } from "./pad.js";
import { whenNear } from "./play.js";

export function begin() {
  for (const place of document.querySelectorAll("details[data-live]"))
    place.addEventListener("toggle", () => start(place), { once: true });
  whenNear(document.querySelectorAll("div[data-live]"), start);
}

async function start(place) {
  const here = place.querySelector(".explorer");
  const failed = (reason) => here.replaceChildren(element("p", { role: "status" }, `${place.dataset.failed} (${reason})`));
  try {
    const answer = await fetch(place.dataset.live);
    if (!answer.ok) throw new Error(`${place.dataset.live}: ${answer.status}`);
    const inflated = answer.body.pipeThrough(new DecompressionStream("deflate-raw"));
    const data = await new Response(inflated).json();
    new Live(here, data, data.microphone && (await speaking(data)), failed);
  } catch (error) {
    failed(error.message);
  }
}

// The script of the microphone, which few pages need; the templates, one sound with all of them, become samples.
async function speaking(data) {
  const script = await import("./microphone.js");
  const bytes = await (await fetch(data.sounds)).arrayBuffer();
  const samples = await script.decoded(bytes, data.rate);
  data.samples = samples.map((value) => Math.round(32767.5 * value) / 32768); // some browsers divide by 32767
  return script;
}

class Live {
  constructor(place, data, script, failed) {
    [this.data, this.failed, this.known] = [data, failed, new Known()];
    this.marks = data.marks.map((mark) => ({ ...mark, look: this.known.look(mark.look) }));
    this.places = data.controls.map(({ start }) => start);
    this.answers = []; // of the reader, where an explorer asks
    this.view = new Explorer(place, data, this);
    this.frame = this.view.drawing.place;
    this.pads = (data.pads ?? []).map((said) => new Pad(said, () => this.ask()));
    if (this.pads.length) this.view.controls.append(element("div", { class: "yours" }, ...this.pads.map((pad) => pad.row)));
    if (script) this.listen(place, script);
    this.worker = new Worker(new URL(data.worker, import.meta.url), { type: "module" });
    this.worker.addEventListener("message", ({ data: answer }) => this.told(answer));
    this.worker.postMessage({ data });
    this.ask();
  }

  // A microphone above the explorer. What it keeps goes to the worker, and nowhere else; ready words are known to it.
  listen(place, { Microphone, wav }) {
    const { microphone, rate, samples, bounds } = this.data;
    const ready = microphone.ready.map(({ name, source: k }) => {
      const bytes = wav([samples.subarray(bounds[k], bounds[k + 1])], rate);
      return { name, source: URL.createObjectURL(new Blob([bytes])), recording: { ready: k } };
    });
    const above = element("div");
    place.before(above);
    new Microphone(above, { ...microphone, ready }, ({ samples: word, name, from }) => {
      const known = from === "ready" && ready.find((one) => one.name === name);
      this.recording = known ? known.recording : { samples: word, name };
      this.ask();
    });
  }

  // --- asked and told

  move(k, at) {
    this.places[k] = at;
    this.ask();
  }

  // An action answers the question that is open, or moves one slider on; without cases there is one, the start.
  press(kind, k) {
    const { controls, questions, sets, steps } = this.data;
    if (kind === "cases") [this.places, this.answers] = [[...(sets?.[k] ?? controls.map(({ start }) => start))], []];
    else {
      const { of, by, answers, value } = steps[k];
      const moved = controls.findIndex(({ name }) => name === of);
      if (!answers) this.places[moved] = Math.min(controls[moved].last, this.places[moved] + by);
      else if (answers === questions[this.answers.length]) this.answers.push(value ?? this.settings()[of]);
    }
    this.ask();
  }

  settings() {
    const { controls, fixed } = this.data;
    const moved = controls.map(({ name, values }, k) => [name, values ? values[this.places[k]] : this.places[k]]);
    return { ...fixed, ...Object.fromEntries(moved), answers: this.answers, recording: this.recording };
  }

  ask() {
    const settings = this.settings();
    for (const { of: [name, place], row, known } of this.pads) {
      row.hidden = settings[name] !== place;
      if (!row.hidden) settings[name] = known;
    }
    this.wanted = settings;
    if (!this.busy) this.send();
  }

  send() {
    this.busy = true;
    this.frame.setAttribute("aria-busy", "true");
    this.worker.postMessage({ settings: this.wanted });
    this.wanted = null;
  }

  told({ error, frame, made, lacking, sentence, players = "", shown }) {
    if (error) return this.failed(error);
    this.busy = false;
    if (this.wanted) this.send();
    const { controls } = this.data;
    const at = [...this.places];
    const values = this.settings();
    const off = controls.flatMap(({ of }, k) => (of && values[of[0]] !== of[1] ? [k] : []));
    const texts = controls.map(({ shown }, k) => shown[at[k]]);
    const safe = element("p", {}, sentence).innerHTML;
    this.view.show({ at, texts, off, sentence: safe, marks: this.shown(frame, made, lacking), players, shown }, !this.busy);
    requestAnimationFrame(() => this.frame.setAttribute("aria-busy", String(this.busy))); // once it is painted
  }

  // The marks of a frame, some of them made by the worker, without those that are lacking in this state.
  shown(frame, made, lacking) {
    const numbers = this.data.frames[frame].marks.filter((number) => !lacking.includes(this.marks[number].role));
    return numbers.flatMap((number) => {
      const { role, look } = this.data.marks[number];
      if (!made[role]) return [this.marks[number]];
      const anew = ({ look: other, ...rest }) => ({ ...this.marks[number], ...rest, look: this.known.look({ ...look, ...other }) });
      return [made[role]].flat().map(anew);
    });
  }
}
