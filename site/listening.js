// A listening test without a server: clips are marked, then compared. Nothing leaves the page; at its end there is a file,
// and the same as a code.

import { coded, Session } from "./listener.js";
import { filled } from "./words.js";

const RAMP = 0.007; // time constant in s from one sound to another
const AHEAD = 0.03; // s from now: when a sound starts
const FADED_OUT = 20 * RAMP;

// --- sound: one clip at a time; loops go on where the one before is

class Sounds {
  constructor(items, changed) {
    Object.assign(this, { items, changed, current: null, wanted: null, buffers: {}, seconds: {}, lengths: {} });
    setInterval(() => this.current && (this.listen(), changed()), 100);
    this.bytes = items.map(({ source }) => bytesOf(source));
    for (const one of this.bytes) one.catch(() => {}); // told to who presses Play
  }

  // Called by a key or a button alone: a browser lets nothing sound before.
  buffer(item) {
    this.context ??= new AudioContext();
    this.context.resume();
    return (this.buffers[item] ??= this.bytes[item].then((bytes) => this.context.decodeAudioData(bytes)));
  }

  async play(item) {
    this.wanted = item;
    const buffer = await this.buffer(item);
    if (this.wanted !== item) return; // another one was asked for meanwhile
    const { context, current } = this;
    const loop = this.items[item].loop;
    const now = context.currentTime + AHEAD;
    const begun = loop && current?.loop ? current.begun : now;
    const [first, end] = loop ?? [0, buffer.duration];
    this.lengths[item] = end - first;
    this.quiet(now);
    const source = new AudioBufferSourceNode(context, { buffer, loop: Boolean(loop), loopStart: first, loopEnd: end });
    const gain = new GainNode(context, { gain: 0 });
    source.connect(gain).connect(context.destination);
    source.start(now, first + ((now - begun) % (end - first)));
    gain.gain.setTargetAtTime(1, now, RAMP);
    source.onended = () => this.current?.source === source && this.stop();
    this.current = { item, source, gain, begun, loop };
    this.changed();
  }

  stop() {
    this.wanted = null;
    if (this.current) this.quiet(this.context.currentTime);
    this.current = null;
    this.changed();
  }

  // What was heard before is forgotten.
  reset() {
    this.listen();
    this.seconds = {};
    this.stop();
  }

  quiet(now) {
    this.listen();
    this.current?.gain.gain.setTargetAtTime(0, now, RAMP);
    this.current?.source.stop(now + FADED_OUT);
  }

  // Counts how long each item has sounded, by the clock of the sound itself.
  listen() {
    const now = this.context?.currentTime ?? 0;
    if (this.current) this.seconds[this.current.item] = (this.seconds[this.current.item] ?? 0) + now - this.clock;
    this.clock = now;
  }

  heard(item, least) {
    return (this.seconds[item] ?? 0) >= Math.min(least, 0.9 * (this.lengths[item] ?? Infinity));
  }
}

async function bytesOf(source) {
  if (!source.startsWith("data:")) return (await fetch(source)).arrayBuffer();
  return Uint8Array.from(atob(source.slice(source.indexOf(",") + 1)), (letter) => letter.charCodeAt(0)).buffer;
}

// --- the page

function make(tag, about, ...inside) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(about)) name in node ? (node[name] = value) : node.setAttribute(name, value);
  node.append(...inside);
  return node;
}

// Text that is the same is left alone: a reader of the screen would say it again.
function put(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

function button(text, act, about = {}) {
  const node = make("button", { type: "button", ...about }, text);
  node.addEventListener("click", act);
  return node;
}

const heading = (text) => make("h2", { id: "step", tabIndex: -1 }, text);
const row = (name, ...inside) => make("div", { className: name }, ...inside);

class Page {
  constructor(place, study) {
    Object.assign(this, { place, study, words: study.words, trouble: "", clock: performance.now() });
    this.counts = { clips: study.items.length, pairs: study.choices[0].length };
    this.sides = study.same ? ["a", "same", "b"] : ["a", "b"];
    this.key = `listening ${study.id} ${this.counts.pairs}`;
    this.session = new Session(study, this.kept());
    this.sounds = new Sounds(study.items, () => this.update());
    addEventListener("keydown", (event) => this.press(event));
    place.setAttribute("aria-labelledby", "step");
    this.show();
  }

  // --- what stays in the browser until it is deleted

  // What an act on the browser's store gives; null where the browser keeps nothing.
  stored(act) {
    try {
      return act(localStorage);
    } catch {
      this.trouble = this.words.not_kept;
      return null;
    }
  }

  // A busy Chromium sometimes shows an empty store after a reload; the tab's own history still has the last step.
  kept() {
    const { key, state } = history.state ?? {};
    return JSON.parse(this.stored((store) => store.getItem(this.key))) ?? (key === this.key ? state : null);
  }

  keep() {
    const { state, ended } = this.session;
    const now = performance.now();
    if (state.at >= 0 && !ended) state.seconds += (now - this.clock) / 1000;
    this.clock = now;
    this.stored((store) => store.setItem(this.key, JSON.stringify(state)));
  }

  delete() {
    if (!confirm(this.words.sure)) return;
    this.session = new Session(this.study);
    this.go(-1);
    this.stored((store) => store.removeItem(this.key));
    history.replaceState(null, "");
  }

  // --- what a key or a button does

  press(event) {
    const { target } = event;
    const elsewhere = target !== document.body && !this.place.contains(target);
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || elsewhere || !this.session.step.length) return;
    const act = this.act(event.key.toLowerCase(), target.tagName === "BUTTON");
    if (!act) return;
    event.preventDefault();
    act();
  }

  // What a key does; space and Enter press the button they are on.
  act(key, onButton) {
    const { step } = this.session;
    const side = step.length === 2 ? ["a", "b"].indexOf(key) : -1;
    const choice = step.length === 2 ? this.sides[Number(key) - 1] : undefined;
    if (side >= 0) return () => this.play(step[side]);
    if (choice) return () => this.choose(choice);
    if (key === "backspace") return () => this.go(this.session.before());
    if (key === " " && !onButton) return () => this.play(step.includes(this.last) ? this.last : step[0]);
    if (key === "enter" && !onButton) return () => this.next();
  }

  async play(item) {
    if (this.sounds.wanted === item) return this.sounds.stop();
    this.last = item;
    try {
      await this.sounds.play(item);
    } catch (error) {
      this.sounds.wanted = null;
      this.trouble = filled(this.words.lost, { error: error.message });
      this.update();
    }
  }

  begin(number) {
    this.session.begin(number);
    this.clock = performance.now();
    this.go(0);
  }

  go(at) {
    this.keep(); // the seconds of the step before
    this.session.state.at = at;
    this.keep();
    history.replaceState({ key: this.key, state: this.session.state }, "");
    this.show();
    (this.place.querySelector(".players button") ?? this.place.querySelector("h2")).focus();
  }

  next() {
    if (this.session.answer !== null) this.go(this.session.state.at + 1);
  }

  answered(given) {
    if (!this.open()) return;
    this.session.answer = given;
    this.keep();
    this.update();
  }

  choose(side) {
    this.answered(side);
    if (this.session.answer !== null) this.onward.focus(); // so that Enter goes on
  }

  // Whether this step can be answered: all its clips were heard, now or before.
  open() {
    const { answer, step } = this.session;
    return answer !== null || step.every((item) => this.sounds.heard(item, this.study.seconds));
  }

  // --- what is seen

  show() {
    const { state, ended } = this.session;
    this.status = make("p", { role: "status" });
    this.onward = button(this.words.next, () => this.next());
    this.place.replaceChildren(...(state.at < 0 ? this.start() : ended ? this.end() : this.asked(state.at)), this.status);
    this.sounds.reset();
  }

  player(item, words) {
    return button(words, () => this.play(item), { "data-item": item, "data-words": words });
  }

  start() {
    const { words, counts } = this;
    const minutes = Math.ceil((counts.clips * 15 + counts.pairs * 20) / 60);
    const number = make("input", { type: "number", min: 1, step: 1, inputMode: "numeric" });
    const asked = filled(counts.pairs ? words.asked : words.asked_marks, { ...counts, minutes });
    return [
      heading(words.before),
      ...[asked, ...words.consent.trim().split("\n"), words.headphones].map((line) => make("p", {}, line)),
      row("players", this.player(0, words.try_it)),
      make("p", {}, make("label", {}, `${words.number} `, number)),
      row("steps", button(words.begin, () => this.begin(Math.max(0, Math.floor(number.valueAsNumber || 0))))),
    ];
  }

  asked(at) {
    const { words, study, counts } = this;
    const { step, steps } = this.session;
    const two = step.length === 2;
    const where = two
      ? filled(words.choice_step, { n: at - counts.clips + 1, all: counts.pairs })
      : filled(words.mark_step, { n: at + 1, all: counts.clips });
    const labels = two ? ["A", "B"].map((side) => filled(words.play_side, { side })) : [words.play];
    return [
      make("progress", { max: steps.length, value: at, "aria-label": where }),
      heading(`${where}: ${two ? study.choice : study.question}`),
      row("players", ...step.map((item, k) => this.player(item, labels[k]))),
      two ? this.choices() : this.scale(),
      row("steps",
        button(words.back, () => this.go(this.session.before()), { disabled: at === 0 }), this.onward,
        button(words.stop_here, () => this.go(steps.length))),
      make("p", { className: "said keys" }, two ? words.keys_choice : words.keys_mark),
    ];
  }

  scale() {
    const { question, scale: { least, most, step, left, right } } = this.study;
    const slider = make("input", { type: "range", min: least, max: most, step, "aria-label": question });
    slider.value = this.session.answer ?? (least + most) / 2;
    for (const name of ["input", "pointerup"]) slider.addEventListener(name, () => this.answered(slider.valueAsNumber));
    const ends = [`${least} ${left}`, `${most} ${right}`].map((text) => make("span", {}, text));
    return row("scale", make("output", {}), slider, row("ends", ...ends));
  }

  choices() {
    const { better, same } = this.words;
    const said = (side) => (side === "same" ? same : filled(better, { side: side.toUpperCase() }));
    return row("choices", ...this.sides.map((side) => button(said(side), () => this.choose(side), { "data-side": side })));
  }

  end() {
    const { words, session, study } = this;
    const text = session.file();
    const { marks, choices } = session.given();
    const counts = { given: marks.length + choices.length, all: session.steps.length };
    const name = `listening_${study.id}_${session.state.listener}.json`;
    const href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
    const code = make("textarea", { readOnly: true, rows: 5, id: "code", spellcheck: false });
    coded(text).then((line) => (code.value = line));
    const copy = () => {
      code.select();
      put(this.status, document.execCommand("copy") ? words.copied : words.not_copied);
    };
    return [
      heading(words.done),
      make("p", {}, filled(words.given, counts)),
      make("p", {}, make("a", { href, download: name, className: "file" }, words.file)),
      make("label", { htmlFor: "code" }, words.code),
      code,
      row("steps",
        button(words.copy, copy), button(words.back, () => this.go(session.before())),
        button(words.delete, () => this.delete())),
    ];
  }

  // What changes while a step is on the screen: what plays, what was heard, what is answered, what is missing.
  update() {
    const { words, sounds, study } = this;
    const { step, answer } = this.session;
    const open = this.open();
    for (const one of this.place.querySelectorAll("[data-item]")) {
      const plays = sounds.current?.item === Number(one.dataset.item);
      const heard = step.length && sounds.heard(one.dataset.item, study.seconds) ? ` ✓ ${words.heard}` : "";
      put(one, `${plays ? `■ ${words.stop}` : `▶ ${one.dataset.words}`}${heard}`);
      one.className = plays ? "plays" : "";
    }
    for (const one of this.place.querySelectorAll("[data-side]")) {
      one.disabled = !open;
      one.setAttribute("aria-pressed", String(one.dataset.side === answer));
    }
    for (const slider of this.place.querySelectorAll(".scale input")) {
      slider.disabled = !open;
      slider.setAttribute("aria-valuetext", String(answer ?? words.no_mark));
      put(slider.previousSibling, `${words.mark}: ${answer ?? words.no_mark}`);
    }
    this.onward.disabled = answer === null;
    const [listen, act] = step.length === 2 ? [words.listen_both, words.now_choose] : [words.listen, words.now_mark];
    const said = answer !== null ? words.ready : open ? act : filled(listen, study);
    put(this.status, `${this.trouble} ${step.length ? said : ""}`.trim());
  }
}

const place = document.querySelector(".listening");
if (place) new Page(place, JSON.parse(document.getElementById("study").textContent));
