// A microphone that says in words what it does: it asks, counts down, records, shows what it trims, and gives what is kept.
//
// All sounds come in by one way: a recording becomes a WAV file, as one that is dropped, and the browser decodes it at the
// rate that is needed. (An AudioContext of that rate would do in Chromium, but not in Firefox.)

const COUNT = 3;
const COUNT_SECONDS = 0.7; // for each number; during the last one the room is measured
const BEFORE = COUNT_SECONDS - 0.2; // s from then on until what is heard counts as recorded: some speak early
const SPOKEN = 0.1; // s that have to be louder than the room before
const SHORTEST = 0.1; // s
const SILENT_DB = -55; // of the loudest frame, relative to full scale
const NOISY_DB = 23; // between the loudest frame and the room; at 19 some words are taken for others
const CLIPPED = [0.95, 0.001]; // of full scale (resampling blurs the limit), and the share beyond it that is still fine
const LARGEST_FILE = 2e7; // bytes
const [TRIM_DB, MARGIN, LEAST_TRIM_DB, ABOVE_ROOM_DB] = [35, 0.02, 6, 6]; // the first two are those of audio.trim
const RAW = { echoCancellation: false, noiseSuppression: false, autoGainControl: false }; // nobody else's filters
const PROBLEMS = { NotAllowedError: "denied", SecurityError: "denied", NotFoundError: "missing", NotReadableError: "busy" };
const TAP = `registerProcessor("tap", class extends AudioWorkletProcessor {
  process([[channel]]) { if (channel) this.port.postMessage(channel.slice()); return true; }
})`;
const PRESSED = { recording: "stop", waiting: "cancel", counting: "cancel" }; // what the button does that records
const WAVE = [400, 56]; // columns and height of the picture of a recording

// --- samples

const decibels = (power) => 10 * Math.log10(power);
const fill = (text, values) => text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
const quantile = (values, share) => [...values].sort((a, b) => a - b)[Math.floor(share * (values.length - 1))];

// The mean power of each frame of 10 ms; silence follows the last sample.
function powers(samples, rate) {
  const frame = Math.max(1, Math.floor(rate / 100));
  return Array.from({ length: Math.ceil(samples.length / frame) }, (_, k) => {
    let sum = 0;
    for (const sample of samples.subarray(k * frame, (k + 1) * frame)) sum += sample ** 2;
    return sum / frame;
  });
}

// [start, end] of what audio.trim leaves.
export function trim(samples, rate, threshold = TRIM_DB) {
  const [frame, margin, power] = [Math.max(1, Math.floor(rate / 100)), Math.round(MARGIN * rate), powers(samples, rate)];
  const least = 10 ** (-threshold / 10) * power.reduce((a, b) => Math.max(a, b), 0);
  const heard = (one) => one >= least;
  const [first, last] = [power.findIndex(heard), power.findLastIndex(heard)];
  return [Math.max(0, first * frame - margin), Math.min(samples.length, (last + 1) * frame + margin)];
}

// Where the word lies in what follows `begin`, and what is wrong with it: { start, end, problem or null, notes, values }.
export function examine(samples, rate, begin = 0) {
  const [word, notes] = [samples.subarray(begin), []];
  const power = powers(word, rate);
  const loudest = decibels(power.reduce((a, b) => Math.max(a, b), 0));
  // A file has no countdown in which to measure the room: then it is its quietest tenth.
  const quiet = begin ? quantile(powers(samples.subarray(0, begin), rate), 0.25) : quantile(power, 0.1);
  const ratio = loudest - decibels(quiet);
  const threshold = begin ? Math.max(LEAST_TRIM_DB, Math.min(TRIM_DB, ratio - ABOVE_ROOM_DB)) : TRIM_DB;
  const [start, end] = trim(word, rate, threshold).map((at) => at + begin);
  const clipped = word.reduce((count, sample) => count + (Math.abs(sample) >= CLIPPED[0]), 0) / (end - start);
  const seconds = (count) => (count / rate).toFixed(2);
  const values = { all: seconds(word.length), seconds: seconds(end - start), ratio: Math.round(ratio),
    percent: (100 * clipped).toPrecision(2) };
  if (!(loudest >= SILENT_DB)) return { problem: "silent", values };
  if (end - start < SHORTEST * rate) return { problem: "short", values };
  if (clipped > CLIPPED[1]) notes.push("clipped");
  if (ratio < NOISY_DB) notes.push("noisy");
  return { start, end, problem: null, notes, values };
}

// Blocks of samples as a WAV file of 16 bits; those of several channels take turns.
export function wav(blocks, rate, channels = 1) {
  const count = blocks.reduce((sum, block) => sum + block.length, 0);
  const buffer = new ArrayBuffer(44 + 2 * count);
  const name = (text) => [...text].reduceRight((number, letter) => 256 * number + letter.charCodeAt(0), 0);
  const each = 2 * channels; // bytes of all channels
  const format = [name("fmt "), 16, 0x10000 * channels + 1, rate, each * rate, 0x100000 + each];
  new Uint32Array(buffer, 0, 11).set([name("RIFF"), 36 + 2 * count, name("WAVE"), ...format, name("data"), 2 * count]);
  const samples = new Int16Array(buffer, 44);
  let at = 0;
  for (const block of blocks)
    for (const sample of block) samples[at++] = Math.round(32767 * Math.max(-1, Math.min(1, sample)));
  return buffer;
}

// Any sound that the browser can decode, as one channel at this rate.
export async function decoded(bytes, rate) {
  const sound = await new OfflineAudioContext(1, 1, rate).decodeAudioData(bytes);
  const samples = new Float32Array(sound.length);
  for (let k = 0; k < sound.numberOfChannels; k++)
    sound.getChannelData(k).forEach((value, n) => (samples[n] += value / sound.numberOfChannels));
  return samples;
}

// --- the microphone of the machine: calls `told(block, rate)` until what it gives back is called

async function open(told, ended) {
  const context = new AudioContext(); // in the click itself: later it would not be allowed to run
  let stream;
  const close = () => {
    stream?.getTracks().forEach((track) => track.stop());
    if (context.state !== "closed") context.close();
  };
  try {
    stream = await navigator.mediaDevices.getUserMedia({ audio: RAW });
    const address = URL.createObjectURL(new Blob([TAP], { type: "text/javascript" }));
    await context.audioWorklet.addModule(address);
    URL.revokeObjectURL(address);
    const options = { numberOfOutputs: 0, channelCount: 1, channelCountMode: "explicit" };
    const tap = new AudioWorkletNode(context, "tap", options);
    tap.port.onmessage = ({ data }) => told(data, context.sampleRate);
    context.createMediaStreamSource(stream).connect(tap);
    stream.getTracks().forEach((track) => track.addEventListener("ended", ended)); // unplugged
    await context.resume();
  } catch (error) {
    close();
    throw error;
  }
  return close;
}

// What has come from it: a countdown, and then a word, until it is over. Time is counted in samples.
class Take {
  constructor({ longest, pause }) {
    Object.assign(this, { longest, pause, blocks: [], length: 0, rate: 1, room: [], loud: 0, quiet: 0, level: 0 });
  }

  add(block, rate) {
    this.rate = rate;
    const power = block.reduce((sum, sample) => sum + sample ** 2, 0) / block.length;
    if (this.left > 0) this.room.push(power);
    else {
      this.least ??= Math.max(10 * quantile(this.room, 0.25), 10 ** (SILENT_DB / 10));
      if (power > this.least) [this.loud, this.quiet] = [this.loud + block.length, 0];
      else this.quiet += block.length;
    }
    if (this.left <= 1) this.blocks.push(block);
    this.length += block.length;
    this.level = Math.max(0, 1 + decibels(power) / 60, this.level - block.length / rate); // 60 dB of a meter
  }

  get left() { // numbers of the countdown
    return Math.max(0, Math.ceil(COUNT - this.length / this.rate / COUNT_SECONDS));
  }

  get over() {
    if (this.left) return false;
    const spoken = this.loud >= SPOKEN * this.rate && this.quiet >= this.pause * this.rate;
    return spoken || this.length / this.rate >= COUNT * COUNT_SECONDS + this.longest;
  }
}

// --- what a person sees

const PAGE = `
  <p class="mic-said" role="status"></p>
  <div class="mic-level" aria-hidden="true" hidden><i></i></div>
  <svg class="mic-wave" viewBox="0 0 ${WAVE.join(" ")}" preserveAspectRatio="none" role="img" hidden>
    <path class="mic-trimmed"/><path class="mic-kept"/></svg>
  <div class="mic-rows"><div class="mic-row">
    <label><span data-word="word"></span> <input class="mic-word" maxlength="40" autocomplete="off" spellcheck="false"></label>
    <button type="button" data-do="record"></button>
    <button type="button" data-do="listen" data-word="listen" hidden></button>
    <button type="button" data-do="keep" data-word="keep" hidden></button>
  </div><div class="mic-row">
    <button type="button" data-do="browse" data-word="file"></button>
    <input type="file" accept="audio/*" tabindex="-1" aria-hidden="true" hidden>
    <label><span data-word="or"></span> <select></select></label>
  </div></div>
  <div class="mic-row mic-mine" hidden><span></span> <button type="button" data-do="forget"></button></div>`;

export class Microphone {
  // about: { words, rate, label, longest, pause, ready: [{ name, source }] }, as course_widgets.microphone.about gives it;
  // kept({ samples, name, from }) gets what is kept.
  constructor(place, about, kept) {
    Object.assign(this, { place, about, kept, words: about.words, turn: 0, sound: null });
    place.classList.add("microphone");
    place.setAttribute("role", "group");
    place.setAttribute("aria-label", about.words.group);
    place.innerHTML = PAGE;
    const find = (name) => place.querySelector(name);
    [this.said, this.meter, this.wave, this.mine] = [".mic-said", ".mic-level", ".mic-wave", ".mic-mine"].map(find);
    [this.word, this.file, this.list] = [".mic-word", "input[type=file]", "select"].map(find);
    this.buttons = Object.fromEntries([...place.querySelectorAll("button")].map((one) => [one.dataset.do, one]));
    for (const one of place.querySelectorAll("[data-word]")) one.textContent = this.words[one.dataset.word];
    const names = [this.words.ready, ...about.ready.map(({ name }) => name)];
    this.list.append(...names.map((name, k) => new Option(name, k)));
    this.list.parentNode.hidden = !about.ready.length;
    this.word.value = about.label;
    for (const [name, one] of Object.entries(this.buttons)) one.onclick = () => this[name]();
    this.list.onchange = () => this.choose(about.ready[this.list.value - 1]);
    this.file.onchange = () => this.use(this.file.files[0]);
    place.ondragover = (event) => event.preventDefault();
    place.ondrop = (event) => {
      event.preventDefault();
      event.stopPropagation();
      this.use(event.dataTransfer.files[0]);
    };
    this.show("ask");
  }

  // What is said in a state, and what can be pressed in it.
  show(state, said = this.words[state], values = {}) {
    this.place.dataset.state = state;
    // A voice that reads out "speak now" would be recorded.
    this.said.setAttribute("aria-live", state === "recording" ? "off" : "polite");
    this.said.textContent = fill(said, { word: this.name, ...values });
    const { record, listen, keep, browse } = this.buttons;
    record.textContent = this.words[PRESSED[state] ?? (this.sound ? "again" : "record")];
    record.disabled = state === "working";
    browse.disabled = this.list.disabled = state === "working" || state in PRESSED;
    this.meter.hidden = !["counting", "recording"].includes(state);
    this.wave.toggleAttribute("hidden", !this.sound);
    listen.hidden = !this.sound;
    keep.hidden = state !== "recorded";
  }

  fail(problem, values) {
    this.show("problem", this.words[problem], values);
  }

  get name() {
    return this.word.value.trim() || this.about.label;
  }

  // Lets go of the microphone and of what was recorded; what is still on its way counts for nothing.
  reset() {
    this.turn += 1;
    this.close?.();
    this.player?.pause();
    this.close = this.player = this.sound = null;
    return this.turn;
  }

  // --- recording

  // The one button that records, stops, and records again.
  async record() {
    const { state } = this.place.dataset;
    if (state === "recording") return this.finish();
    const turn = this.reset();
    if (state in PRESSED) return this.show("ask");
    if (!navigator.mediaDevices?.getUserMedia) return this.fail(isSecureContext ? "unsupported" : "insecure");
    const take = (this.take = new Take(this.about));
    const current = () => turn === this.turn;
    this.show("waiting");
    try {
      const close = await open((...block) => current() && this.hear(...block), () => current() && this.finish());
      if (!current()) return close();
      this.close = close;
    } catch (error) {
      if (current()) this.fail(PROBLEMS[error.name] ?? "broken", { error: error.message });
    }
  }

  hear(block, rate) {
    const { take } = this;
    take.add(block, rate);
    this.meter.firstElementChild.style.width = `${Math.round(100 * take.level)}%`;
    if (take.over) return this.finish();
    const said = fill(this.words[take.left ? "counting" : "recording"], { count: take.left, word: this.name });
    if (said !== this.said.textContent) this.show(take.left ? "counting" : "recording", said);
  }

  async finish() {
    const { take, about: { rate } } = this;
    this.reset();
    if (take.left) return this.show("ask");
    await this.receive(wav(take.blocks, take.rate), "recorded", this.name, Math.round(BEFORE * rate));
  }

  // --- what comes in: recorded, from a file, or ready; before `begin` only the room was heard

  async receive(bytes, from, name, begin = 0) {
    const { turn, about: { rate, longest } } = this;
    this.show("working");
    const samples = await decoded(bytes, rate).catch(() => []);
    if (turn !== this.turn) return;
    if (!samples.length) return this.fail("unreadable");
    const { start, end, problem, notes, values } = examine(samples, rate, begin);
    if (problem) return this.fail(problem, values);
    if (from === "file" && end - start > longest * rate) return this.fail("long", { ...values, longest });
    this.sound = { samples: samples.slice(start, end), name, from };
    this.draw(samples.subarray(begin), start - begin, end - begin);
    const said = [values.all === values.seconds ? "whole" : "trimmed", ...notes].map((one) => this.words[one]);
    this.wave.setAttribute("aria-label", fill(said[0], values));
    this.show("recorded", said.join(" "), values);
    if (from !== "recorded") this.keep();
  }

  keep() {
    const { from, name } = this.sound;
    this.sound.name = from === "recorded" ? this.name : name; // the word may have been corrected meanwhile
    this.show("kept", `${this.words.kept} ${this.said.textContent}`, { word: this.sound.name });
    this.kept(this.sound);
  }

  browse() {
    this.file.value = ""; // the same file once more is a choice, too
    this.file.click();
  }

  async use(file) {
    if (!file) return;
    const turn = this.reset();
    if (file.size > LARGEST_FILE) return this.fail("unreadable");
    const bytes = await file.arrayBuffer();
    if (turn === this.turn) await this.receive(bytes, "file", this.name);
  }

  async choose(one) {
    if (!one) return;
    const turn = this.reset();
    const bytes = await fetch(one.source).then((answer) => answer.arrayBuffer()).catch(() => new ArrayBuffer(0));
    if (turn === this.turn) await this.receive(bytes, "ready", one.name);
  }

  // --- what is there

  listen() {
    const bytes = wav([this.sound.samples], this.about.rate);
    this.player?.pause();
    this.player = new Audio(URL.createObjectURL(new Blob([bytes], { type: "audio/wav" })));
    this.player.play();
  }

  // The largest and the smallest sample of each column: one path for what is kept, and one for what is not.
  draw(samples, start, end) {
    const [[columns, height], paths] = [WAVE, ["", ""]];
    const peak = samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
    const y = (sample) => (height / 2) * (1 - (0.95 * sample) / peak);
    for (let k = 0; k < columns; k++) {
      const [from, to] = [k, k + 1].map((column) => Math.floor((column * samples.length) / columns));
      const part = samples.subarray(from, Math.max(from + 1, to));
      const kept = from >= start && from < end;
      paths[Number(kept)] += `M${k + 0.5} ${y(Math.max(...part)).toFixed(1)}V${(y(Math.min(...part)) + 0.5).toFixed(1)}`;
    }
    this.wave.querySelectorAll("path").forEach((path, k) => path.setAttribute("d", paths[k]));
  }

  // The recordings that are stored, and how to delete them: { said, remove, sure }, texts; without any, nothing.
  tell({ said, remove, sure }, removed) {
    this.mine.hidden = !said;
    this.mine.firstElementChild.textContent = said;
    this.buttons.forget.hidden = !remove;
    this.buttons.forget.textContent = remove;
    this.forget = () => {
      if (this.buttons.forget.textContent === sure) removed();
      else this.buttons.forget.textContent = sure;
    };
  }
}

// In the lab: a microphone above an explorer, whose kernel hears what is kept.
export const withMicrophone = (render) => ({ model, el }) => {
  const [above, below] = [document.createElement("div"), document.createElement("div")];
  el.append(above, below);
  el.onkeydown = quiet;
  const kept = ({ samples, name, from }) => model.send({ heard: name, from }, undefined, [samples.buffer]);
  const microphone = new Microphone(above, model.get("microphone"), kept);
  const tell = () => microphone.tell(model.get("stored"), () => model.send({ forget: true }));
  const done = render({ model, el: below });
  model.on("change:stored", tell);
  tell();
  return () => {
    microphone.reset();
    model.off("change:stored", tell);
    done();
  };
};
