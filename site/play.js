// An explorer that plays from its recording: a prediction first, then controls, one drawing, and a sentence.

import { between, load } from "./film.js";
import { Drawing } from "./draw.js";

const JUMP = 10; // parts of a slider that Page Up and Page Down move by
const SETTLED = 150; // ms after which a slider is at rest: to make players costs more than a picture
const NEAR = "600px"; // of the window, from where on a recording is fetched

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

// Answers to choose from, of which one is pressed; `chosen` gets its number. Each is a stop of Tab, as in the notebook.
export function answers(texts, label, chosen) {
  const press = (pressed) => {
    buttons.forEach((button, k) => button.setAttribute("aria-pressed", String(k === pressed)));
    chosen(pressed);
  };
  const buttons = texts.map((html, k) => element("button", { type: "button", "aria-pressed": "false", html, onclick: () => press(k) }));
  return element("div", { class: "answers", role: "group", "aria-label": label }, ...buttons);
}

// Whoever is without script, or offline, keeps the folded picture that the page came with.
export function begin(words) {
  const seen = new IntersectionObserver(
    (entries) =>
      entries.filter((entry) => entry.isIntersecting).forEach(({ target }) => {
        seen.unobserve(target);
        start(target, words);
      }),
    { rootMargin: NEAR }
  );
  document.querySelectorAll(".explorer[data-recording]").forEach((place) => seen.observe(place));
}

async function start(place, words) {
  try {
    const player = new Player(await load(place.dataset.recording), words);
    place.replaceChildren(...player.parts);
    place.classList.add("plays");
  } catch (error) {
    place.prepend(element("p", { role: "status" }, `${words.failed} (${error.message})`));
  }
}

class Player {
  constructor(film, words) {
    this.film = film;
    this.start = film.controls.map((control) => control.start);
    this.places = [...this.start];
    this.drawing = new Drawing(film.size, "");
    this.sentence = element("p", { class: "sentence", role: "status" });
    this.players = element("div", { class: "players" });
    this.rows = film.controls.map((control, k) => this.row(control, k));
    this.buttons = film.buttons.map((button) =>
      element("button", { type: "button", onclick: () => this.press(button) }, button.label)
    );
    this.inputs = this.rows.map((row) => row.querySelector("input, select"));
    const parts = film.prediction ? [this.asked(film.prediction)] : [];
    const frame = element("div", { class: "drawing" }, this.drawing.svg);
    new ResizeObserver(() => this.fit(frame)).observe(frame);
    const buttons = element("div", { class: "buttons" }, ...this.buttons);
    const note = film.note ? [element("p", { class: "said" }, film.note)] : [];
    const credit = film.sounds.length ? [element("p", { class: "said", html: words.credit })] : [];
    this.parts = [...parts, ...this.rows, buttons, frame, this.sentence, this.players, ...credit, ...note];
    this.enable(!film.prediction);
    this.go(this.start);
  }

  // A picture that is wider than the page scrolls, by keyboard too; and what is below does not jump with the sentence.
  fit(frame) {
    frame.tabIndex = frame.scrollWidth > frame.clientWidth + 1 ? 0 : -1;
    const { sentence, told, film } = this;
    sentence.style.minHeight = "";
    sentence.innerHTML = film.sentences.reduce((long, text) => (text.length > long.length ? text : long), "");
    const high = sentence.offsetHeight;
    sentence.innerHTML = told;
    sentence.style.minHeight = `${high}px`;
  }

  enable(on) {
    for (const control of [...this.inputs, ...this.buttons]) control.disabled = !on;
  }

  // --- the prediction

  asked({ question, answers: texts, commit, before, after }) {
    const answer = element("div", { html: before });
    const label = new DOMParser().parseFromString(question, "text/html").body.textContent;
    const choice = answers(texts, label, (k) => {
      this.chosen = k;
      button.disabled = false;
    });
    const committed = () => {
      for (const one of [...choice.children, button]) one.disabled = true;
      this.committed = true;
      answer.innerHTML = after[this.chosen];
      this.answer = answer;
      this.enable(true);
      this.compare();
      (this.inputs[0] ?? this.buttons[0])?.focus();
    };
    const button = element("button", { type: "button", class: "commit", disabled: true, onclick: committed }, commit);
    const asked = element("p", { html: question });
    return element("div", { class: "prediction" }, asked, choice, button, answer);
  }

  // Feedback on the prediction, as soon as the picture has shown it, and from then on.
  compare() {
    const { prediction, shown } = this.film;
    if (this.committed && prediction.feedback.length && shown[this.state]) this.answer.innerHTML = prediction.feedback[this.chosen];
  }

  // --- controls

  row(control, k) {
    const makers = { slider: this.slider, choice: this.choice, switch: this.switch };
    return makers[control.kind].call(this, control, k);
  }

  switch(control, k) {
    const input = element("input", { type: "checkbox", onchange: () => this.move(k, Number(input.checked)) });
    return element("label", { class: "control switch" }, input, control.label);
  }

  choice(control, k) {
    const options = control.shown.map((text) => element("option", {}, text));
    const input = element("select", { onchange: () => this.move(k, input.selectedIndex) }, ...options);
    return element("label", { class: "control" }, element("span", {}, control.label), input);
  }

  slider(control, k) {
    const input = element("input", { type: "range", min: 0, max: control.last, step: control.smooth ? "any" : 1 });
    input.addEventListener("input", () => this.drag(k, Number(input.value)));
    input.addEventListener("change", () => this.move(k, nearest(control.at, Number(input.value))));
    input.addEventListener("keydown", (event) => {
      const to = this.pressed(event.key, k);
      if (to === undefined) return;
      event.preventDefault();
      this.move(k, to);
    });
    const label = element("span", {}, control.label);
    return element("label", { class: "control" }, label, input, element("output", { "aria-hidden": "true" }));
  }

  // The place that a key leads to.
  pressed(key, k) {
    const last = this.film.controls[k].at.length - 1;
    const jump = Math.max(1, Math.round(last / JUMP));
    const here = this.places[k];
    const to = {
      ArrowRight: here + 1, ArrowUp: here + 1, ArrowLeft: here - 1, ArrowDown: here - 1,
      PageUp: here + jump, PageDown: here - jump, Home: 0, End: last,
    }[key];
    return to === undefined ? to : Math.min(last, Math.max(0, to));
  }

  press(button) {
    const { film } = this;
    if ("moves" in button) return this.go(film.places(film.moves[button.moves][this.state]));
    this.go(film.controls.map(({ name }, k) => button.sets[name] ?? this.places[k]));
  }

  // --- what is seen

  move(k, place) {
    this.go(this.places.map((old, j) => (j === k ? place : old)));
  }

  go(places) {
    this.places = places;
    this.film.controls.forEach((control, k) => this.write(control, k));
    this.tell();
    this.paint(this.film.states[this.state]);
  }

  // Between two recorded places the picture follows the slider; sentence and number are those of the nearer one.
  drag(k, at) {
    const control = this.film.controls[k];
    this.places[k] = nearest(control.at, at);
    this.number(control, k);
    this.tell();
    const above = control.at.findIndex((place) => place >= at);
    const [low, high] = [Math.max(0, above - 1), Math.max(0, above)].map((place) => this.marksAt(k, place));
    const [from, to] = [control.at[Math.max(0, above - 1)], control.at[Math.max(0, above)]];
    const share = to > from ? (at - from) / (to - from) : 0;
    this.paint(between(low, high, share) ?? this.film.states[this.state]);
  }

  marksAt(k, place) {
    return this.film.states[this.film.number(this.places.map((old, j) => (j === k ? place : old)))];
  }

  // At most one picture for each that the screen shows.
  paint(marks) {
    if (!this.next) requestAnimationFrame(() => {
      this.drawing.show(this.next);
      this.next = null;
    });
    this.next = marks;
  }

  write(control, k) {
    const input = this.inputs[k];
    if (control.kind === "switch") input.checked = Boolean(this.places[k]);
    else if (control.kind === "choice") input.selectedIndex = this.places[k];
    else {
      input.value = control.at[this.places[k]];
      this.number(control, k);
    }
  }

  number(control, k) {
    const text = control.shown[this.places[k]];
    this.inputs[k].setAttribute("aria-valuetext", text);
    this.rows[k].querySelector("output").textContent = text;
  }

  tell() {
    const { film } = this;
    this.state = film.number(this.places);
    const sentence = film.sentences[film.said[this.state]];
    if (this.told !== sentence) this.sentence.innerHTML = this.told = sentence;
    this.drawing.name(this.sentence.textContent);
    const players = film.players[film.heard[this.state]];
    clearTimeout(this.settled);
    if (players !== this.heard) this.settled = setTimeout(() => this.hear(players), SETTLED);
    this.compare();
  }

  hear(players) {
    this.players.innerHTML = this.heard = players;
    for (const sound of this.players.querySelectorAll("[data-sound]")) sound.src = this.film.sounds[sound.dataset.sound];
  }
}

function nearest(places, at) {
  return places.reduce((best, place, k) => (Math.abs(place - at) < Math.abs(places[best] - at) ? k : best), 0);
}
