// Two sounds run side by side in one audio context, and the listener hears A, B or neither.
//
//   source → level (of this pair) → analyser → gate (A or B?) ┐
//                                                             ├→ fade (sound or silence?) → volume → analyser → ears
//   source → level (of this pair) → analyser → gate (A or B?) ┘
//
// Every change is an exponential approach from wherever the gain is (setTargetAtTime). The two gates move with one time
// constant towards 0 and 1, so that they always sum to one: no click, no gap.

const SIDES = ["a", "b"];
const RAMP = 0.007; // time constant in s: after 20 ms 94 % of a change is done
const QUIET_START = 0.33; // the same for what follows silence: after 1 s 95 %
const AHEAD = 0.03; // s from now: when both sounds of a pair start
const FADED_OUT = 20 * RAMP;

class Engine {
  constructor(model) {
    Object.assign(this, { model, context: null, current: null, side: "", last: "a", loads: 0, problem: "" });
    this.seconds = { a: 0, b: 0 };
    this.views = new Set();
    model.on("change:playing", () => this.follow());
    model.on("change:volume", () => this.turn());
    model.on("change:pair", () => this.load());
    model.on("change:heard", () => this.show());
  }

  // Called by a key or a button alone: a browser lets nothing sound before.
  choose(side) {
    if (side) {
      this.start();
      this.context.resume();
    }
    this.model.set("playing", side);
    this.model.save_changes();
  }

  start() {
    if (this.context) return;
    // The rate of the files: nothing is resampled, which would open the joint of the loop.
    const sampleRate = this.model.get("sounds")[0].getUint32(24, true);
    const context = (this.context = new AudioContext({ sampleRate }));
    const gain = (value) => new GainNode(context, { gain: value });
    const analyser = () => new AnalyserNode(context, { fftSize: 32768, smoothingTimeConstant: 0 });
    this.analysers = { a: analyser(), b: analyser(), output: analyser() };
    this.gates = { a: gain(0), b: gain(0) };
    this.fade = gain(0);
    this.volume = gain(this.amplitude());
    for (const side of SIDES) this.analysers[side].connect(this.gates[side]).connect(this.fade);
    this.fade.connect(this.volume).connect(this.analysers.output).connect(context.destination);
    this.timer = setInterval(() => this.listen(), 100);
    this.load();
  }

  // Decodes the pair that the model has, and starts both at one time; a pair before it goes on until then.
  async load() {
    this.listenAnew();
    if (!this.context) return this.show();
    const number = ++this.loads;
    const { context, current } = this;
    const copies = this.model.get("sounds").map((view) => view.buffer.slice(view.byteOffset, view.byteOffset + view.byteLength));
    let buffers;
    try {
      buffers = await Promise.all(copies.map((bytes) => context.decodeAudioData(bytes)));
    } catch (error) {
      this.problem = `This browser cannot play the sounds (${error.message}).`;
      return this.show();
    }
    if (number !== this.loads || context.state === "closed") return;
    this.listenAnew(); // until now the pair before was heard
    const begin = context.currentTime + AHEAD;
    const offset = current ? (begin - current.begin + current.offset) % buffers[0].duration : 0;
    this.current = { number, begin, offset, parts: SIDES.map((side, k) => this.part(side, buffers[k], begin, offset)) };
    for (const { source, level } of current ? current.parts : []) {
      level.gain.setTargetAtTime(0, begin, RAMP);
      source.stop(begin + FADED_OUT);
      source.onended = () => level.disconnect();
    }
    this.problem = "";
    this.show();
  }

  part(side, buffer, begin, offset) {
    const source = new AudioBufferSourceNode(this.context, { buffer, loop: true });
    const level = new GainNode(this.context, { gain: 0 });
    source.connect(level).connect(this.analysers[side]);
    source.start(begin, offset);
    level.gain.setTargetAtTime(1, begin, RAMP);
    return { source, level };
  }

  // Does what the model says: from here, from another view, or from the kernel.
  follow() {
    const side = this.model.get("playing");
    if (!this.context) {
      if (side) this.choose(""); // the kernel asks for sound before the listener has pressed anything
      return this.show();
    }
    this.listen();
    const now = this.context.currentTime;
    if (side) for (const other of SIDES) this.gates[other].gain.setTargetAtTime(other === side ? 1 : 0, now, RAMP);
    if (Boolean(side) !== Boolean(this.side)) this.fade.gain.setTargetAtTime(side ? 1 : 0, now, side ? QUIET_START : RAMP);
    this.last = side || this.last;
    this.side = side;
    this.show();
  }

  amplitude() {
    return this.model.get("volume") ** 2; // the middle of the slider is 12 dB below its end
  }

  turn() {
    if (this.context) this.volume.gain.setTargetAtTime(this.amplitude(), this.context.currentTime, RAMP);
    this.show();
  }

  // Counts how long each side has sounded, by the clock of the sound itself.
  listen() {
    if (!this.context) return;
    const now = this.context.currentTime;
    if (this.side && this.current?.number === this.loads) this.seconds[this.side] += now - this.clock;
    this.clock = now;
    const sides = SIDES.filter((side) => this.seconds[side] >= this.model.get("least_seconds") && this.seconds[side] > 0);
    const [pair, said] = [this.model.get("pair"), this.model.get("_listened")];
    if (said.pair === pair ? said.sides.length < sides.length : sides.length) {
      this.model.set("_listened", { pair, sides });
      this.model.save_changes();
    }
  }

  listenAnew() {
    this.seconds = { a: 0, b: 0 };
    this.clock = this.context ? this.context.currentTime : 0;
  }

  show() {
    for (const view of this.views) view();
  }

  close() {
    clearInterval(this.timer);
    if (this.context) this.context.close();
  }
}

const PAGE = `
  <p class="ab-what"></p>
  <div class="ab-buttons">
    <button type="button" data-side="a"><b></b><span aria-hidden="true"></span></button>
    <button type="button" data-side="b"><b></b><span aria-hidden="true"></span></button>
    <button type="button" data-side=""><b>Stop</b><span aria-hidden="true"></span></button>
  </div>
  <label class="ab-volume">Volume <input type="range" min="0" max="100" step="1"><span aria-hidden="true"></span></label>
  <p class="ab-status" role="status"></p>
  <p class="ab-keys">Keyboard, once this box is selected: <kbd>a</kbd> and <kbd>b</kbd> play, <kbd>space</kbd> stops
    and continues, or presses the selected button.</p>`;

function draw(engine, model, el) {
  const root = document.createElement("div");
  root.className = "ab-player";
  root.tabIndex = 0;
  root.setAttribute("role", "group");
  root.setAttribute("aria-label", "Compare sound A with sound B");
  root.setAttribute("data-lm-suppress-shortcuts", "true"); // a and b would make cells in JupyterLab
  root.innerHTML = PAGE;
  root.querySelector(".ab-what").textContent = model.get("what");
  root.player = engine; // for tests: its context and its analysers
  const buttons = [...root.querySelectorAll("button")];
  const name = (side) => model.get("names")[SIDES.indexOf(side)];
  for (const side of SIDES) root.querySelector(`[data-side=${side}] b`).textContent = `Play ${name(side)}`;
  const [slider, percent, status] = ["input", ".ab-volume span", ".ab-status"].map((name) => root.querySelector(name));

  const show = () => {
    const [playing, heard] = [model.get("playing"), model.get("heard")];
    root.dataset.playing = playing;
    root.dataset.heard = heard.join(" ");
    root.dataset.pair = model.get("pair");
    for (const button of buttons) {
      const { side } = button.dataset;
      const words = side ? [heard.includes(side) ? "✓ heard" : "not heard yet"] : [];
      button.setAttribute("aria-pressed", String(side === playing));
      button.querySelector("span").textContent = (side && side === playing ? ["♪ playing", ...words] : words).join("\n");
    }
    slider.value = Math.round(100 * model.get("volume"));
    percent.textContent = `${slider.value} %`;
    const sounds = playing ? `Playing ${name(playing)}.` : `Silent. Press ${name("a")} or ${name("b")} to listen.`;
    status.textContent = engine.problem || sounds;
  };

  root.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button) engine.choose(button.dataset.side);
  });
  slider.addEventListener("input", () => {
    model.set("volume", slider.valueAsNumber / 100);
    model.save_changes();
  });
  root.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.key === "Escape") return;
    event.stopPropagation();
    const key = event.key.toLowerCase();
    const pause = key === " " && !event.target.closest("button");
    if (event.repeat || !(SIDES.includes(key) || pause)) return;
    event.preventDefault();
    engine.choose(pause ? (model.get("playing") ? "" : engine.last) : key);
  });

  el.append(root);
  engine.views.add(show);
  show();
  return () => {
    engine.views.delete(show);
    if (!engine.views.size && model.get("playing")) engine.choose(""); // nothing sounds that nobody can stop
  };
}

// One engine for each widget, however often it is shown: two views must not sound twice.
export default () => {
  let engine;
  return {
    initialize({ model }) {
      engine = new Engine(model);
      return () => engine.close();
    },
    render: ({ model, el }) => draw(engine, model, el),
  };
};
