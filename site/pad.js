// A field for a curve of the reader's own, by mouse, finger or pen, or by the arrow keys: a value for each frame. Between
// what is drawn it goes straight on, and level before and after it.

import { element, make, set } from "./explorer.js";
import { filled } from "./words.js";

const FAR = 10; // so many steps at once with Shift

export class Pad {
  // said: what the field is called and says, how many frames it has, what is drawn at first, its range and color;
  // `changed` is told of each change.
  constructor(said, changed) {
    Object.assign(this, said, { changed, at: 0, points: [...said.start] });
    const [svg, zero, cursor] = ["svg", "path", "path"].map(make);
    this.line = make("path");
    this.cursor = cursor;
    const size = [this.frames - 1, this.most - this.least];
    set(svg, { viewBox: `0 ${-this.most} ${size.join(" ")}`, preserveAspectRatio: "none", "aria-hidden": "true" });
    set(zero, { d: `M0 0H${size[0]}`, stroke: "var(--line)" });
    set(cursor, { stroke: "var(--quiet)", "stroke-dasharray": "2 2" });
    set(this.line, { stroke: this.color, "stroke-width": 2 });
    svg.append(zero, cursor, this.line);
    this.field = element("div", {
      class: "pad", role: "slider", tabindex: 0, "aria-label": `${this.label} ${this.hint}`,
      "aria-valuemin": this.least, "aria-valuemax": this.most,
      onpointerdown: (event) => this.begin(event), onpointermove: (event) => this.drawn(event), onkeydown: (event) => this.pressed(event),
    }, svg);
    const clear = element("button", { type: "button", onclick: () => this.clear() }, this.reset);
    this.row = element("div", {}, element("p", { class: "said" }, `${this.label} ${this.hint}`), this.field, clear);
    this.show();
  }

  // --- what is drawn

  clear() {
    [this.at, this.points] = [0, [...this.start]];
    this.told();
  }

  begin(event) {
    if (event.button || !event.isPrimary) return;
    this.field.setPointerCapture(event.pointerId);
    [this.box, this.last] = [this.field.getBoundingClientRect(), null];
    this.drawn(event);
  }

  drawn(event) {
    if (!this.field.hasPointerCapture(event.pointerId)) return;
    const passed = event.getCoalescedEvents?.() ?? [];
    for (const { clientX, clientY } of passed.length ? passed : [event]) {
      const [right, down] = [(clientX - this.box.left) / this.box.width, (clientY - this.box.top) / this.box.height];
      this.stroke(this.frame(Math.round(right * (this.frames - 1))), this.most - down * (this.most - this.least));
    }
    this.told();
  }

  // Every frame that the stroke passes gets a value.
  stroke(to, value) {
    const [from, before] = this.last ?? [to, value];
    const step = Math.sign(to - from);
    for (let at = from; at !== to; at += step) this.put(at, before + ((at - from) / (to - from)) * (value - before));
    this.put(to, value);
    this.last = [(this.at = to), value];
  }

  pressed(event) {
    const by = event.shiftKey ? FAR : 1;
    const along = { ArrowLeft: -by, ArrowRight: by, Home: -this.frames, End: this.frames }[event.key];
    const up = { ArrowUp: by, ArrowDown: -by }[event.key];
    if (!along && !up) return;
    event.preventDefault();
    if (along) this.at = this.frame(this.at + along);
    else this.put(this.at, this.value + up * this.step);
    along ? this.show() : this.told();
  }

  put(at, value) {
    this.points[at] = Math.round(Math.min(this.most, Math.max(this.least, value)) * 100) / 100;
  }

  frame(at) {
    return Math.min(this.frames - 1, Math.max(0, at));
  }

  // --- what it is

  // How many points there are, and the value that they give every frame; no value without any.
  get known() {
    const at = Object.keys(this.points).map(Number);
    let next = 0;
    const curve = Array.from({ length: at.length && this.frames }, (_, k) => {
      while (at[next] < k && next < at.length - 1) next++;
      const [from, to] = [at[next] > k ? (at[next - 1] ?? at[next]) : at[next], at[next]];
      const [low, high] = [this.points[from], this.points[to]];
      return to > from ? low + ((k - from) / (to - from)) * (high - low) : high;
    });
    return { count: at.length, curve };
  }

  told() {
    this.show();
    this.changed();
  }

  show() {
    const { curve } = this.known;
    this.value = curve[this.at] ?? 0;
    this.line.setAttribute("d", curve.map((y, x) => `${x ? "L" : "M"}${x} ${-y}`).join(""));
    this.cursor.setAttribute("d", `M${this.at} ${-this.most}V${-this.least}`);
    const text = filled(curve.length ? this.place : this.none, { frame: this.at + 1, frames: this.frames, value: this.value });
    set(this.field, { "aria-valuenow": this.value, "aria-valuetext": text });
  }
}
