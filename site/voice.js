// Compares the reader's own word with all templates, in a worker: the frames, tables and sounds of
// course_lessons/dtw/own.py, by the compiled kernels. What is heard stays in the page.

import { align, distancesTo, everywhere, halves, image, inFours, line, local, range } from "./aligning.js";
import { answering } from "./kernels.js";
import { between, cepstra, forget, heard, mean, normalFrames, part, player, ticks, written } from "./speech.js";
import { filled, wide } from "./words.js";

const [SHOWN, HEARD] = [5, 3]; // how many of the nearest are in the picture, and to be listened to
const LOUDEST = 0.9; // of both sounds together
const MARGIN = 0.05; // beyond bars
const COLORS = ["var(--vermilion)", "var(--blue)"]; // of the chosen bar, and of the others

answering((data) => data, picture);

// recording: { samples, name }, or { ready }, the number of a template; template: 0 for the nearest, else its number + 1.
async function picture(kernels, data, { recording, template }) {
  data.templates ??= data.names.map((name, k) => known(kernels, data, name, k));
  const { samples, name } = heard(data, recording);
  const mine = frames(kernels, data, samples);
  const found = nearest(kernels, data, mine, name);
  const one = template ? data.templates[template - 1] : found[0].one;
  const distances = local(kernels, mine, one);
  const allowed = everywhere(mine.frames, one.frames);
  const cells = image(distances, allowed, data.colors); // meanwhile all else
  const { distance, path } = align(kernels, distances, data.pattern, allowed);
  const aligned = distance / (mine.frames + one.frames);
  const bars = new Map(found.slice(0, SHOWN).map(({ one: near, distance: far }) => [near.name, far])).set(one.name, aligned);
  const made = { ...table(data, path, mine.frames, one, name), ...beside(data, [...bars], one.name) };
  const [{ one: first, distance: least }, { one: second, distance: more }] = found;
  const about = { name, first: first.name, least, second: second.name, more, template: one.name, aligned };
  const sounds = players(data, samples, name, path, one, found);
  made.cells = { text: await cells };
  return { frame: 0, made, lacking: [], sentence: filled(data.words.found, about), players: sounds };
}

// --- recordings as frames, and their distances

function known(kernels, data, name, k) {
  const samples = part(data, k);
  return { name, samples, ...frames(kernels, data, samples) };
}

// All cepstra but the first.
function frames(kernels, data, samples) {
  const normal = normalFrames(cepstra(kernels, data, samples).slice(1));
  return inFours(normal.flat(), normal.length, normal[0].length);
}

// [{ one, distance }] of all templates of other voices, nearest first.
function nearest(kernels, { templates, voices, microphone, moves }, mine, name) {
  const ready = microphone.ready.find((one) => one.name === name);
  const others = templates.filter((_, k) => !ready || voices[k] !== voices[ready.source]);
  const bounds = [0];
  for (const one of others) bounds.push(bounds.at(-1) + one.frames);
  const features = mine.rows.shape[1];
  const rows = range(features).flatMap((k) => others.flatMap((one) => one.columns.data.slice(k * one.frames, (k + 1) * one.frames)));
  const found = distancesTo(kernels, mine, { data: rows, shape: [features, bounds.at(-1)] }, bounds, moves);
  const far = others.map((one, k) => ({ one, distance: found[k] }));
  return far.sort((one, other) => one.distance - other.distance);
}

// --- what is seen

// The table's path and what stands along its axes.
function table({ frames: [{ boxes: [[left, top, across, down]], first, parts, gap }], widths, words }, path, rows, one, name) {
  const x = (j) => left + ((j + 0.5) / one.frames) * across;
  const y = (i) => top + ((i + 0.5) / rows) * down;
  const [beneath, right, drop] = [first["x numbers"][1], first["y numbers"][2], first["y numbers"][1] - first.y[1]];
  const [columns, lines] = [ticks(-0.5, one.frames - 0.5, parts.x), ticks(-0.5, rows - 0.5, parts.y)];
  const [below, aside] = [one.name, name].map((of) => filled(words.frame, { name: of }));
  const [half, high] = [below, aside].map((text) => wide(text, widths) / 2);
  const [middle, centre] = [left + across / 2, top + down / 2];
  const at = right - Math.max(...lines.map(([, text]) => wide(text, widths))) - gap;
  return {
    path: line(path.flatMap(([i, j]) => [x(j), y(i)])),
    x: columns.map(([j]) => ({ points: halves([x(j), first.x[1]]) })),
    "x numbers": columns.map(([j, text]) => written(text, x(j), beneath, widths)),
    "x name": written(below, middle, first["x name"][1], widths),
    y: lines.map(([i]) => ({ points: halves([first.y[0], y(i)]) })),
    "y numbers": lines.map(([i, text]) => written(text, right - wide(text, widths) / 2, y(i) + drop, widths)),
    "y name": { text: aside, points: halves([at, centre + high, at, centre - high]) },
  };
}

// The distances as bars below their names, [[name, distance], …], the chosen one in its own colour.
function beside({ frames: [{ boxes: [, [left, top, across, down]], first, parts, drop }], widths, words, bar }, all, chosen) {
  const most = (1 + MARGIN) * Math.max(...all.map(([, distance]) => distance));
  const reach = all.length - 1 + bar.high;
  const x = (value) => left + (value / most) * across;
  const y = (row) => top + ((row + bar.high / 2 + MARGIN * reach) / (reach * (1 + 2 * MARGIN))) * down;
  const [numbers, begin] = [ticks(0, most, parts.scale), first["bar names"][0]];
  const look = (name) => ({ fill: COLORS[Number(name !== chosen)] });
  return {
    bars: all.map(([name, value], row) => {
      const corners = [0, value, value, 0].flatMap((end, k) => [x(end), y(row + (k < 2 ? -bar.high : bar.high) / 2)]);
      return { points: halves(corners), look: look(name) };
    }),
    "bar names": all.map(([name, distance], row) => {
      const text = filled(words.bar, { name, distance });
      return { ...written(text, begin + wide(text, widths) / 2, y(row - bar.above) + drop, widths), look: look(name) };
    }),
    scale: numbers.map(([value]) => ({ points: halves([x(value), first.scale[1]]) })),
    "scale numbers": numbers.map(([value, text]) => written(text, x(value), first["scale numbers"][1], widths)),
  };
}

// --- what is heard

function players(data, samples, name, path, one, found) {
  forget();
  const { words } = data;
  const sound = together(samples, stretched(path, one.samples, samples.length, data));
  const both = player(data, words.both, filled(words.both_heard, { name, template: one.name }), sound, 2);
  const near = new Set([one, ...found.slice(0, HEARD).map((near) => near.one)]);
  const each = [...near].map(({ name: label, samples: word }) =>
    player(data, label, filled(words.said, { word: label.split(",")[0] }), word));
  return filled(words.row, { players: [both, ...each].join("") });
}

// Equally powerful, one in each ear.
function together(left, right) {
  const even = [left, right].map((one) => {
    const power = Math.max(1e-9, Math.sqrt(one.reduce((sum, value) => sum + value ** 2, 0) / one.length));
    return one.map((value) => value / power);
  });
  const sound = Float64Array.from(range(2 * left.length), (n) => even[n % 2][Math.floor(n / 2)]);
  const most = sound.reduce((peak, value) => Math.max(peak, Math.abs(value)), 0);
  return sound.map((value) => (LOUDEST * value) / most);
}

// The sound of y in the time of x along a path of frames, as `stretch_along` in course_lessons/dtw/own.py.
function stretched(path, samples, length, { rate, hop, grain, reach }) {
  const [half, near] = [Math.round((grain * rate) / 2), Math.round(reach * rate)];
  const fade = range(2 * half).map((n) => 0.5 - 0.5 * Math.cos((Math.PI * (n + 0.5)) / half));
  const padded = new Float64Array(samples.length + 3 * half + 3 * near);
  padded.set(samples, half + near);
  const [sound, middle] = [new Float64Array(length + 3 * half), matched(path)];
  let continued = near; // where the piece begins that would go on: at first y's own beginning
  for (let begin = 0; begin < length + half; begin += half) {
    const at = Math.min(Math.round(hop * between(middle, begin / hop)), samples.length);
    const moved = closest(padded, continued, at, 2 * near + 1, 2 * half);
    for (let n = 0; n < 2 * half; n++) sound[begin + n] += fade[n] * padded[moved + n];
    continued = moved + half;
  }
  return sound.subarray(half, half + length);
}

// Frame of y in the middle of those that a path joins with each frame of x.
function matched(path) {
  const all = [];
  for (const [i, j] of path) (all[i] ??= []).push(j);
  return all.map(mean);
}

// Where the piece begins, of so many from `at` on, that is most like the one that begins at `wanted`.
function closest(samples, wanted, at, count, length) {
  let [best, least] = [at, Infinity];
  for (let begin = at; begin < at + count; begin++) {
    let apart = 0;
    for (let n = 0; n < length; n++) apart += (samples[begin + n] - samples[wanted + n]) ** 2;
    if (apart < least) [best, least] = [begin, apart];
  }
  return best;
}
