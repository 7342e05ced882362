// One listener of a listening test: what is asked in which order, what was answered, and the file and code of it. Nothing
// here needs a page or a sound.

export class Session {
  constructor(study, kept = null) {
    this.study = study;
    const order = 1 + Math.floor(Math.random() * study.rows);
    this.state = kept ?? { listener: randomHex(), order, seconds: 0, at: -1, answers: [] };
  }

  // Who has a number gets that row: any so many numbers after one another are balanced exactly.
  begin(number = 0) {
    if (number) this.state.order = 1 + ((number - 1) % this.study.rows);
    this.state.at = 0;
  }

  row(table) {
    return table[(this.state.order - 1) % table.length];
  }

  // The items of each step: one to be marked, or two to be compared.
  get steps() {
    return [...this.row(this.study.orders).map((item) => [item]), ...this.row(this.study.choices)];
  }

  get ended() {
    return this.state.at >= this.steps.length;
  }

  // The items of the step that is on: none before the first and after the last.
  get step() {
    return this.state.at < 0 ? [] : (this.steps[this.state.at] ?? []);
  }

  // Where *back* leads: from the end to what was left out, if anything was.
  before() {
    if (!this.ended) return Math.max(0, this.state.at - 1);
    const open = this.steps.findIndex((_, k) => (this.state.answers[k] ?? null) === null);
    return open < 0 ? this.steps.length - 1 : open;
  }

  get answer() {
    return this.state.answers[this.state.at] ?? null;
  }

  set answer(given) {
    this.state.answers[this.state.at] = given;
  }

  // Marks and choices so far, as the file has them.
  given() {
    const rows = this.steps.map((step, k) => [...step.map((item) => this.study.items[item].name), this.state.answers[k]]);
    const answered = rows.filter((row) => (row.at(-1) ?? null) !== null);
    return { marks: answered.filter((row) => row.length === 2), choices: answered.filter((row) => row.length === 3) };
  }

  // The text of the listener's file.
  file() {
    const { listener, order, seconds } = this.state;
    const head = { format: "course listening test", version: 1, study: this.study.id, listener, order };
    const told = { ...head, seconds: Math.round(seconds), ...this.given() };
    return JSON.stringify({ ...told, check: crc32(JSON.stringify(told)) });
  }
}

function randomHex() {
  return [...crypto.getRandomValues(new Uint8Array(4))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

export function crc32(text) {
  let rest = ~0;
  for (const byte of new TextEncoder().encode(text)) {
    rest ^= byte;
    for (let bit = 0; bit < 8; bit++) rest = (rest >>> 1) ^ (rest & 1 ? 0xedb88320 : 0);
  }
  return (~rest >>> 0).toString(16).padStart(8, "0");
}

// A file's text as a line of letters: deflated, in base64url.
export async function coded(text) {
  const packed = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(packed).arrayBuffer());
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_");
}
