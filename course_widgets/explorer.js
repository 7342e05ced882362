// Explorers and questions, in the lab and on pages: a drawing, a prediction, controls, and a sentence.
//
// An explorer has a source, which knows its states: a kernel in the lab, a recording or a worker on a page. The source is
// told of each move, and shows what came of it: { at, texts, off, sentence, marks, players, shown }.

const NAMESPACE = "http://www.w3.org/2000/svg";
const GIVEN = new Set(["kind", "d", "shape", "clip", "read", "copy"]); // no plain attributes of the element
const JUMP = 10; // parts of a slider that Page Up and Page Down move by
const SETTLED = 150; // ms after which a slider is at rest: to make players costs more than a picture
// No two elements of a page have one name, though in a lab each explorer comes with a script of its own.
const OWN = Math.random().toString(36).slice(2);
let names = 0;
const name = () => `${OWN}-${(names += 1)}`;

// --- elements

export function element(tag, attributes = {}, ...inside) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (name === "html") made.innerHTML = value;
    else if (typeof value === "boolean") made[name] = value;
    else made.setAttribute(name, value);
  }
  made.append(...inside);
  return made;
}

export const make = (tag) => document.createElementNS(NAMESPACE, tag);
export const set = (node, attributes) => Object.entries(attributes).forEach(([name, value]) => node.setAttribute(name, value));
const plain = (html) => new DOMParser().parseFromString(html, "text/html").body.textContent;
const button = (label, onclick, attributes = {}) => element("button", { type: "button", onclick, ...attributes }, label);

// Answers to choose from, of which one is pressed; `chosen` gets its number. Each is a stop of Tab: a notebook takes the
// arrow keys for itself.
function answers(texts, label, chosen) {
  const press = (pressed) => {
    buttons.forEach((one, k) => one.setAttribute("aria-pressed", String(k === pressed)));
    chosen(pressed);
  };
  const buttons = texts.map((html, k) => button("", () => press(k), { "aria-pressed": "false", html }));
  return element("div", { class: "answers", role: "group", "aria-label": label }, ...buttons);
}

// A question with a reply to each answer.
export function ask(place, { question, texts, replies }) {
  const reply = element("p", { role: "status" });
  const choice = answers(texts, plain(question), (k) => (reply.innerHTML = replies[k]));
  place.classList.add("quiz");
  place.replaceChildren(element("p", { class: "asked", html: question }), choice, reply);
}

// --- an explorer

export class Explorer {
  // source: { move(k, at, resting), press(kind, k), commit(k) }; chosen: the prediction that was committed before
  constructor(place, about, source, chosen = null) {
    Object.assign(this, { about, source });
    this.drawing = new Drawing(about);
    this.sentence = element("p", { class: "sentence", role: "status" });
    this.players = element("div", { class: "players" });
    this.rows = about.controls.map((control, k) => makers[control.kind].call(this, control, k));
    this.inputs = this.rows.map((row) => row.querySelector("input, select"));
    const press = (kind) => about[kind].map((label, k) => button(label, () => source.press(kind, k)));
    const named = about.cases.length > 1 ? [element("span", {}, "Show:")] : [];
    this.controls = element("div", { class: "controls" },
      element("div", { class: "settings" }, ...this.rows),
      element("div", { class: "buttons" }, ...press("actions")),
      element("div", { class: "buttons cases" }, ...named, ...press("cases")));
    this.asked = element("div", { class: "prediction" });
    const panel = element("div", { class: "panel" }, this.asked, this.controls);
    const notes = (about.notes ?? []).map((html) => element("p", { class: "said", html }));
    this.frame = element("div", { class: "frame" }, this.drawing.place, panel, this.sentence, this.players, ...notes);
    place.classList.add("explorer");
    place.replaceChildren(this.frame);
    if (about.prediction && chosen === null) this.predict(about.prediction);
    else this.committed(chosen);
  }

  // --- the prediction

  // The question itself stands in the text above: its answers come first, and then the picture.
  predict({ question, answers: texts }) {
    this.controls.hidden = true;
    this.frame.classList.add("asking");
    let mine;
    const choice = answers(texts, plain(question), (k) => {
      mine = k;
      commit.disabled = false;
    });
    const commit = button("Commit", () => {
      this.source.commit?.(mine);
      this.committed(mine);
      this.controls.querySelector("input, select, button").focus();
    }, { class: "commit", disabled: true });
    choice.prepend(element("b", {}, "Predict:"));
    choice.append(commit);
    this.asked.replaceChildren(choice);
  }

  // The answers shrink to one line under the picture, and the controls appear.
  committed(chosen) {
    this.chosen = chosen;
    this.frame.classList.remove("asking");
    this.controls.hidden = false;
    this.asked.replaceChildren(...(chosen === null ? [] : [element("p", { role: "status" })]));
    this.compare();
  }

  // Feedback on the prediction, as soon as the picture has shown it, and from then on.
  compare() {
    if (this.chosen == null) return;
    const { answers: texts, right, because } = this.about.prediction;
    this.proven ||= right !== null && this.state?.shown;
    const found = this.chosen === right ? ", and so it is" : `. It is <b>${texts[right]}</b>`;
    const told = this.proven ? `${found}: ${because}` : ". Now try it.";
    write(this.asked.firstChild, `You predicted: <b>${texts[this.chosen]}</b>${told}`);
  }

  // --- controls

  switch(control, k) {
    const input = element("input", { type: "checkbox", onchange: () => this.source.move(k, Number(input.checked), true) });
    return element("label", { class: "control switch" }, input, control.label);
  }

  choice(control, k) {
    const options = control.shown.map((text) => element("option", {}, text));
    const input = element("select", { onchange: () => this.source.move(k, input.selectedIndex, true) }, ...options);
    return element("label", { class: "control" }, element("span", {}, control.label), input);
  }

  slider(control, k) {
    const input = element("input", { type: "range", min: 0, max: control.last, step: control.smooth ? "any" : 1 });
    const tell = (resting) => () => this.source.move(k, Number(input.value), resting);
    input.addEventListener("input", tell(false));
    input.addEventListener("change", tell(true));
    input.addEventListener("keydown", (event) => {
      const to = pressed(event.key, stops(control), this.state.at[k]);
      if (to === undefined) return;
      event.preventDefault();
      this.source.move(k, to, true);
    });
    const label = element("span", {}, control.label);
    // the input before the output: a label names the first of what it could name
    return element("label", { class: "control" }, label, input, element("output", { "aria-hidden": "true" }));
  }

  // --- what is seen

  // `resting`: no slider is being dragged, so that all may go where the state says.
  show(state, resting = true) {
    this.state = state;
    this.about.controls.forEach((control, k) => this.write(control.kind, k, state, resting));
    if (write(this.sentence, state.sentence)) {
      this.drawing.name(this.sentence.textContent);
      const high = this.sentence.offsetHeight; // what is below does not jump with a shorter sentence
      if (high > (this.high ?? 0)) this.sentence.style.minHeight = `${(this.high = high)}px`;
    }
    clearTimeout(this.settled);
    const hear = () => write(this.players, state.players);
    if (state.players !== this.players.written) this.settled = setTimeout(hear, SETTLED);
    this.compare();
    this.paint(state.marks);
  }

  write(kind, k, { at, texts, off }, resting) {
    const input = this.inputs[k];
    input.disabled = Boolean(off?.includes(k));
    if (kind === "switch") input.checked = Boolean(at[k]);
    else if (kind === "choice") input.selectedIndex = at[k];
    else {
      if (resting) input.value = at[k];
      input.setAttribute("aria-valuetext", texts[k]);
      this.rows[k].querySelector("output").textContent = texts[k];
    }
  }

  // At most one picture for each that the screen shows.
  paint(marks) {
    if (!this.next) requestAnimationFrame(() => {
      this.drawing.show(this.next);
      this.next = null;
    });
    this.next = marks;
  }
}

const makers = { slider: Explorer.prototype.slider, choice: Explorer.prototype.choice, switch: Explorer.prototype.switch };

// Whether the HTML of a node is another than before.
function write(node, html) {
  if (node.written === html) return false;
  node.innerHTML = node.written = html;
  return true;
}

// Where a slider may stand at rest.
export const stops = ({ at, last }) => at ?? Array.from({ length: last + 1 }, (_, k) => k);

export const nearest = (places, at) =>
  places.reduce((best, place, k) => (Math.abs(place - at) < Math.abs(places[best] - at) ? k : best), 0);

// Where a key leads to from somewhere on a slider.
function pressed(key, places, at) {
  const last = places.length - 1;
  const [here, jump] = [nearest(places, at), Math.max(1, Math.round(last / JUMP))];
  const to = {
    ArrowRight: here + 1, ArrowUp: here + 1, ArrowLeft: here - 1, ArrowDown: here - 1,
    PageUp: here + jump, PageDown: here - jump, Home: 0, End: last,
  }[key];
  return to === undefined ? to : places[Math.min(last, Math.max(0, to))];
}

// --- a drawing: one element for each mark, in the order in which they were painted

export class Drawing {
  // Of several panels each is shown once more by itself: where there is little room, they stand below each other.
  constructor({ size: [wide, high], panels = [[0, 1]] }) {
    const shown = (left, right) => {
      const svg = make("svg");
      set(svg, { viewBox: `${left * wide} 0 ${(right - left) * wide} ${high}`, role: "img" });
      svg.style.setProperty("--ratio", ((right - left) * wide) / high);
      svg.style.maxWidth = `${(right - left) * wide}px`;
      return svg;
    };
    this.whole = shown(0, 1);
    [this.title, this.clips, this.marks] = ["title", "defs", "g"].map(make);
    this.marks.id = name();
    this.whole.append(this.title, this.clips, this.marks);
    const parts = panels.map(([left, right]) => {
      const [svg, copy] = [shown(left, right), make("use")];
      copy.setAttribute("href", `#${this.marks.id}`);
      svg.setAttribute("aria-hidden", "true");
      svg.append(copy);
      return svg;
    });
    this.place = element("div", { class: "drawing" }, this.whole);
    if (parts.length > 1) this.place.append(element("div", { class: "panels" }, ...parts));
    this.place.classList.toggle("parted", parts.length > 1);
    this.place.style.setProperty("--count", parts.length);
    this.nodes = []; // { look, mark, holder, node }
    this.known = new Map(); // name of a clip, by its box
  }

  name(label) {
    this.title.textContent = label;
    this.whole.setAttribute("aria-label", label);
  }

  // Only what differs from what is there is touched.
  show(marks) {
    marks.forEach((mark, slot) => {
      let place = this.nodes[slot];
      if (place?.mark === mark) return;
      if (place?.mark.look !== mark.look) {
        const fresh = this.element(mark);
        place ? place.node.replaceWith(fresh.node) : this.marks.append(fresh.node);
        place = this.nodes[slot] = fresh;
      }
      shapes[mark.look.kind](place.inner, mark, place.mark);
      place.mark = mark;
    });
    this.nodes.splice(marks.length).forEach(({ node }) => node.remove());
  }

  element({ look }) {
    const inner = make({ text: "text", image: "image" }[look.kind] ?? "path");
    for (const [name, value] of Object.entries(look)) {
      if (GIVEN.has(name)) continue;
      if (value.startsWith("var")) inner.style[name] = value;
      else inner.setAttribute(name, value);
    }
    if (!look.fill) inner.setAttribute("fill", "none");
    let node = inner;
    if (look.clip) {
      // round what is moved, so that it does not move with it
      node = look.kind === "path" || look.kind === "marks" ? inner : make("g");
      node.setAttribute("clip-path", `url(#${this.clip(look.clip)})`);
      if (node !== inner) node.append(inner);
    }
    return { node, inner, mark: { look } };
  }

  clip(box) {
    if (!this.known.has(box)) {
      const [x, y, width, height] = box.split(" ");
      const [area, rectangle] = [make("clipPath"), make("rect")];
      set(area, { id: name() });
      set(rectangle, { x, y, width, height });
      area.append(rectangle);
      this.clips.append(area);
      this.known.set(box, area.id);
    }
    return this.known.get(box);
  }
}

const shapes = {
  path(node, { look, points }) {
    node.setAttribute("d", outline(letters(look), points, 0, 0, 0.5));
  },

  marks(node, { look, points }) {
    look.copy ??= look.shape.split(" ").map(Number);
    let all = "";
    for (let k = 0; k < points.length; k += 2)
      all += outline(letters(look), look.copy, points[k] / 2, points[k + 1] / 2, 1);
    node.setAttribute("d", all);
  },

  // A text is as long as it was recorded, whatever letters the reader's machine has.
  text(node, { text, points }, before) {
    const [x, y, along, down] = Array.from(points, (value) => value / 2);
    const [dx, dy] = [along - x, down - y];
    if (before.text !== text) node.textContent = text;
    set(node, { x, y, textLength: Math.max(1, Math.hypot(dx, dy)), lengthAdjust: "spacingAndGlyphs" });
    const turned = Math.abs(dy) > 0.6 ? (Math.atan2(dy, dx) * 180) / Math.PI : 0;
    if (turned) node.setAttribute("transform", `rotate(${turned.toFixed(2)} ${x} ${y})`);
    else node.removeAttribute("transform");
  },

  image(node, { text, points }, before) {
    const [x, y, rightX, rightY, downX, downY] = Array.from(points, (value) => value / 2);
    if (before.text !== text) set(node, { href: text, width: 1, height: 1, preserveAspectRatio: "none" });
    node.setAttribute("transform", `matrix(${rightX - x} ${rightY - y} ${downX - x} ${downY - y} ${x} ${y})`);
  },
};

// "ML3Z" as [["M", 1], ["L", 3], ["Z", 1]]; read once for each look.
const letters = (look) =>
  (look.read ??= [...look.d.matchAll(/([A-Z])(\d*)/g)].map(([, letter, count]) => [letter, Number(count) || 1]));

function outline(read, points, x, y, scale) {
  let [made, at] = ["", 0];
  for (const [letter, count] of read) {
    made += letter;
    if (letter === "Z") continue;
    for (let k = 0; k < count; k++, at += 2)
      made += `${Math.round((points[at] * scale + x) * 100) / 100} ${Math.round((points[at + 1] * scale + y) * 100) / 100} `;
  }
  return made;
}

// Looks and marks that are alike share one object, so that a drawing keeps their elements.
export class Known {
  constructor() {
    this.looks = new Map();
    this.marks = new Map();
  }

  look(attributes) {
    const name = JSON.stringify(attributes);
    if (!this.looks.has(name)) this.looks.set(name, { ...attributes });
    return this.looks.get(name);
  }

  // Marks of a state as the kernel sends it; those of the state before are kept.
  all({ looks, marks }) {
    const mine = looks.map((look) => this.look(look));
    const now = new Map();
    const found = marks.map((mark) => {
      const name = JSON.stringify([JSON.stringify(looks[mark[0]]), mark[1], mark[2]]);
      const kept = now.get(name) ?? this.marks.get(name) ?? { look: mine[mark[0]], text: mark[1], points: mark[2] };
      now.set(name, kept);
      return kept;
    });
    this.marks = now;
    return found;
  }
}

// A letter on a button or a slider stays here: in JupyterLab it would make a cell, or delete one.
export function quiet(event) {
  if (event.key.length === 1 && !event.ctrlKey && !event.metaKey) event.stopPropagation();
}

// --- in the lab: the kernel is asked, and while it computes only the newest places are kept for it

function render({ model, el }) {
  el.onkeydown = quiet;
  const about = model.get("about");
  if (about.replies) return ask(el, about);
  const known = new Known();
  let [number, pending] = [0, {}];
  const next = () => (number = Math.max(number, model.get("state").number) + 1);
  const source = {
    move(k, at) {
      pending[about.controls[k].name] = Math.round(at);
      model.set("asked", { number: next(), places: { ...pending } });
      model.save_changes();
    },
    press(kind, k) {
      model.send({ press: about[kind][k], number: next() });
    },
    commit(k) {
      model.set("chosen", k);
      model.save_changes();
    },
  };
  const view = new Explorer(el, about, source, model.get("chosen"));
  const show = () => {
    const state = model.get("state");
    const resting = state.number >= number;
    if (resting) pending = {};
    view.show({ ...state, marks: known.all(state) }, resting);
  };
  model.on("change:state", show);
  show();
  return () => model.off("change:state", show);
}

export default { render };
