// Explorers that compute: the page has the controls and the drawing, a worker beside it has the kernels.
// A slider never waits: while the worker computes, only the newest settings are kept for it.

import { Drawing } from "./draw.js";
import { Pad } from "./pad.js";
import { element } from "./play.js";

export function begin() {
  for (const place of document.querySelectorAll("details[data-live]"))
    place.addEventListener("toggle", () => start(place), { once: true });
}

async function start(place) {
  const here = place.querySelector(".explorer");
  const failed = (reason) => here.replaceChildren(element("p", { role: "status" }, `${place.dataset.failed} (${reason})`));
  try {
    const answer = await fetch(place.dataset.live);
    if (!answer.ok) throw new Error(`${place.dataset.live}: ${answer.status}`);
    const inflated = answer.body.pipeThrough(new DecompressionStream("deflate-raw"));
    here.replaceChildren(...new Live(await new Response(inflated).json(), failed).parts);
  } catch (error) {
    failed(error.message);
  }
}

class Live {
  constructor(data, failed) {
    [this.data, this.failed] = [data, failed];
    this.looks = new Map(); // so that marks that look alike share one object, and the drawing keeps their elements
    this.marks = data.marks.map((mark) => ({ ...mark, look: this.look(mark.look) }));
    this.places = data.controls.map(({ start }) => start);
    this.drawing = new Drawing(data.size, "");
    this.sentence = element("p", { class: "sentence", role: "status" });
    this.rows = data.controls.map((control, k) => (control.kind === "choice" ? this.choice(control, k) : this.slider(control, k)));
    this.frame = element("div", { class: "drawing", tabindex: 0 }, this.drawing.svg);
    const buttons = data.buttons.map((button) => element("button", { type: "button", onclick: () => this.press(button) }, button.label));
    this.pads = (data.pads ?? []).map((said) => new Pad(said, () => this.ask()));
    const drawn = element("div", { class: "yours" }, ...this.pads.map((pad) => pad.row));
    this.parts = [...this.rows, element("div", { class: "buttons" }, ...buttons), drawn, this.frame, this.sentence];
    this.worker = new Worker(new URL(data.worker, import.meta.url), { type: "module" });
    this.worker.addEventListener("message", ({ data: answer }) => this.told(answer));
    this.worker.postMessage({ data });
    this.ask();
  }

  look(attributes) {
    const name = JSON.stringify(attributes);
    if (!this.looks.has(name)) this.looks.set(name, { ...attributes });
    return this.looks.get(name);
  }

  // --- controls

  choice({ label, shown, start }, k) {
    const input = element("select", { onchange: () => this.move(k, input.selectedIndex) }, ...shown.map((text) => element("option", {}, text)));
    input.selectedIndex = start;
    return element("label", { class: "control" }, element("span", {}, label), input);
  }

  slider({ label, shown, start }, k) {
    const number = element("output", { "aria-hidden": "true" });
    const input = element("input", { type: "range", min: 0, max: shown.length - 1, oninput: () => this.move(k, Number(input.value)) });
    input.value = start;
    return element("label", { class: "control" }, element("span", {}, label), input, number);
  }

  move(k, place) {
    this.places[k] = place;
    this.ask();
  }

  // A button moves one slider on.
  press({ of, by }) {
    const k = this.data.controls.findIndex(({ name }) => name === of);
    this.move(k, Math.min(this.data.controls[k].shown.length - 1, this.places[k] + by));
    this.rows[k].querySelector("input").value = this.places[k];
  }

  // --- asked and told

  settings() {
    const { controls } = this.data;
    return Object.fromEntries(controls.map(({ name, values }, k) => [name, values ? values[this.places[k]] : this.places[k]]));
  }

  ask() {
    const settings = this.settings();
    this.data.controls.forEach(({ of, shown, kind }, k) => {
      if (kind === "choice") return;
      const [input, number] = this.rows[k].querySelectorAll("input, output");
      if (of) input.disabled = settings[of[0]] !== of[1];
      number.textContent = shown[this.places[k]];
      input.setAttribute("aria-valuetext", shown[this.places[k]]);
    });
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

  told({ error, frame, made, lacking, sentence }) {
    if (error) return this.failed(error);
    this.busy = false;
    if (this.wanted) this.send();
    requestAnimationFrame(() => {
      this.drawing.show(this.shown(frame, made, lacking));
      this.drawing.name((this.sentence.textContent = sentence));
      this.frame.setAttribute("aria-busy", String(this.busy));
    });
  }

  // The marks of a frame, some of them made by the worker, without those that are lacking in this state.
  shown(frame, made, lacking) {
    const numbers = this.data.frames[frame].marks.filter((number) => !lacking.includes(this.marks[number].role));
    return numbers.flatMap((number) => {
      const { role, look } = this.data.marks[number];
      if (!made[role]) return [this.marks[number]];
      const anew = ({ d, ...rest }) => ({ ...this.marks[number], ...rest, look: this.look(d ? { ...look, d } : look) });
      return [made[role]].flat().map(anew);
    });
  }
}
