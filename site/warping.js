// Aligns two recordings beside the page, in a worker, by the compiled kernels of course_lib.sequences.
// What is computed in Python around them stands here once more: the windows, and the words of the sentence.

import { answering } from "./kernels.js";
import { filled } from "./words.js";

const [GIVEN, EUCLIDEAN] = [0, 2]; // as in course_lib/sequences/_warping_kernels.py
const ROUNDING = 1e-9;

answering(({ recordings, ...data }) => {
  const all = recordings.map(({ data: numbers, shape: [frames, features] }) => inFours(numbers, frames, features));
  return { ...data, recordings: all, known: {} };
}, picture);

const range = (count) => Array.from({ length: count }, (_, k) => k);

// One feature and then fours, filled up with zeros: the kernels work on four together.
function inFours(numbers, frames, features) {
  const wide = features + ((((1 - features) % 4) + 4) % 4);
  const at = (i, k) => (k < features ? numbers[i * features + k] : 0);
  const rows = range(frames * wide).map((n) => at(Math.floor(n / wide), n % wide));
  const columns = range(frames * wide).map((n) => at(n % frames, Math.floor(n / frames)));
  return { frames, rows: { data: rows, shape: [frames, wide] }, columns: { data: columns, shape: [wide, frames] } };
}

// x and y are numbers of recordings, or the reader's curves; beside such a curve, a recording is its first coefficient.
async function picture(kernels, data, { x, y, pattern: k, window, radius, slope }) {
  const [sides, yours] = [[x, y], data.recordings.length];
  const frame = sides.reduce((all, side) => all * (yours + 1) + (side.curve ? yours : side), 0);
  const lacking = ["path", "links", "upper", "lower", "right"];
  const short = sides.findIndex(({ count }) => count < 2);
  if (short >= 0) {
    const told = filled(data.words.short[sides[short].count], { name: "xy"[short] });
    return { frame, made: {}, lacking: ["cells", ...lacking], sentence: told };
  }
  const drawn = sides.some(({ curve }) => curve);
  const alone = (curve) => inFours(curve, curve.length, 1);
  const [one, two] = sides.map((side) => (drawn ? alone(side.curve ?? first(data.recordings[side])) : data.recordings[side]));
  const [pattern, words] = [data.patterns[k], { ...data.words, ...(drawn && data.words.drawn) }];
  const size = [one.frames, two.frames];
  const allowed = [() => everywhere(...size), () => sakoeChiba(radius, ...size), () => itakura(slope, ...size)][window]();
  const distances = drawn ? local(kernels, one, two) : (data.known[frame] ??= local(kernels, one, two));
  const found = align(kernels, distances, pattern, allowed);
  const { table, curves } = data.frames[frame];
  const made = table ? { cells: { text: await image(distances, allowed, data.colors) } } : {};
  if (!found) return { frame, made, lacking, sentence: noPath(words, one, two, pattern, window) };
  if (table) made.path = line(found.path.flatMap(([i, j]) => [table[0] + j * table[2], table[1] + i * table[3]]));
  Object.assign(made, joined(found.path, first(one), first(two), curves, data));
  return { frame, made, lacking: [], distance: found.distance, sentence: sentence(words, one, two, pattern, found) };
}

// The first coefficient of each frame.
const first = ({ columns, frames }) => columns.data.slice(0, frames);

const halves = (points) => Int16Array.from(points, (value) => Math.round(value));
const line = (points) => ({ points: halves(points), d: `ML${points.length / 2 - 1}` });

// --- the kernels

function local(kernels, one, two) {
  const wide = two.frames + 1;
  const d = { data: new Float64Array(one.frames * wide), shape: [one.frames, wide] };
  kernels.call("local_rows", EUCLIDEAN, one.rows, two.columns, 0, one.frames - 1, 0, two.frames, d);
  const data = d.data.filter((_, n) => n % wide); // its first column is empty
  return { data, shape: [one.frames, two.frames] };
}

// { distance, path } of the best path, or null.
function align(kernels, distances, { steps, lengths }, allowed) {
  const [rows, columns] = distances.shape;
  const offsets = [0];
  for (const [low, end] of allowed) offsets.push(offsets.at(-1) + end - low);
  const line = (data) => ({ data, shape: [data.length] });
  const [lowest, end] = [0, 1].map((side) => line(allowed.map((both) => both[side])));
  const choices = line(new Uint8Array(offsets.at(-1)));
  const empty = (...shape) => ({ data: [], shape });
  const last = kernels.call("accumulate", GIVEN, distances, empty(0, columns), lowest, end, [steps, lengths], 0,
    line(offsets), choices, empty(0, 0));
  const distance = last.data[columns - 1];
  if (distance === Infinity) return null;
  const cells = kernels.call("trace_back", choices, line(offsets), lowest, steps, lengths, rows - 1, columns - 1).data;
  return { distance, path: range(cells.length / 2).map((n) => [cells[2 * n], cells[2 * n + 1]]) };
}

// --- windows, as in course_lib/sequences/windows.py: for each row the columns [lowest, end)

function clipped(low, high, frames) {
  const within = (value, least) => Math.min(frames, Math.max(least, value));
  return [within(low, 0), within(high, within(low, 0))];
}

const everywhere = (rows, columns) => range(rows).map(() => [0, columns]);

function sakoeChiba(radius, rows, columns) {
  const slope = (columns - 1) / (rows - 1);
  const width = radius * Math.max(1, slope);
  return range(rows).map((i) => clipped(Math.ceil(slope * i - width - ROUNDING), Math.floor(slope * i + width + ROUNDING) + 1, columns));
}

function itakura(slope, rows, columns) {
  const [across, down] = [edges(slope, rows, columns), edges(slope, columns, rows)];
  const inside = ([low, end], k) => low <= k && k < end;
  return across.map((row, i) => {
    const cells = range(columns).filter((j) => inside(row, j) || inside(down[j], i));
    return cells.length ? [cells[0], cells.at(-1) + 1] : [columns, columns];
  });
}

function edges(slope, rows, columns) {
  const outwards = Math.max(1, (columns - 1) / (rows - 1)) - ROUNDING;
  return range(rows).map((i) => {
    const u = i / (rows - 1);
    const low = Math.max(u / slope, 1 - slope * (1 - u)) * (columns - 1);
    const high = Math.min(slope * u, 1 - (1 - u) / slope) * (columns - 1);
    return clipped(Math.ceil(low - outwards), Math.floor(high + outwards) + 1, columns);
  });
}

// --- what is seen

// The distances of the allowed cells in colours, from the least to the largest, as a PNG in a data address.
async function image({ data, shape: [rows, columns] }, allowed, colors) {
  const [pixels, all] = [new ImageData(columns, rows), []];
  allowed.forEach(([low, end], i) => {
    for (let n = i * columns + low; n < i * columns + end; n++) all.push(n);
  });
  let [least, most] = [Infinity, -Infinity];
  for (const n of all) {
    least = Math.min(least, data[n]);
    most = Math.max(most, data[n]);
  }
  for (const n of all) {
    const [red, green, blue] = colors[Math.min(255, Math.floor((256 * (data[n] - least)) / (most - least || 1)))];
    pixels.data[4 * n] = red;
    pixels.data[4 * n + 1] = green;
    pixels.data[4 * n + 2] = blue;
    pixels.data[4 * n + 3] = 255;
  }
  const canvas = new OffscreenCanvas(columns, rows);
  canvas.getContext("2d").putImageData(pixels, 0, 0);
  return new FileReaderSync().readAsDataURL(await canvas.convertToBlob());
}

// Both curves, x above y, and lines between them, as high as their box in the picture.
function joined(path, x, y, [left, second, top, high], { linked, hop, margin }) {
  const [low, lower] = [Math.min(...x), Math.min(...y)];
  const gap = 1.2 * Math.max(Math.max(...x) - low, Math.max(...y) - lower, 1e-9);
  const reach = Math.max(...x) - low + gap;
  const at = (i, value) => [left + i * hop * second, top + high * (1 - (margin + value / reach) / (1 + 2 * margin))];
  const above = (i) => at(i, x[i] - low + gap);
  const below = (j) => at(j, y[j] - lower);
  const some = path.filter((_, n) => n % linked === 0);
  const links = { points: halves(some.flatMap(([i, j]) => [...above(i), ...below(j)])), d: "ML".repeat(some.length) };
  return { links, upper: line(x.flatMap((_, i) => above(i))), lower: line(y.flatMap((_, j) => below(j))) };
}

// --- what is said

function sentence(words, one, two, { normalizer }, { distance, path }) {
  const waits = path.slice(1).filter(([i, j], n) => i === path[n][0] || j === path[n][1]).length;
  const [rows, columns] = [one.frames, two.frames];
  const normalized = normalizer && distance / (normalizer[0] * rows + normalizer[1] * columns);
  const mean = normalizer ? filled(words.mean, { normalized }) : words.no_mean;
  const bent = (100 * waits) / (path.length - 1);
  const other = first(two);
  const apart = first(one).reduce((sum, value, i) => sum + Math.abs(value - other[i]), 0); // of curves with as many frames
  return filled(words.found, { distance, mean, cells: path.length, rows, columns, bent, apart });
}

function noPath(words, one, two, { name, slopes }, window) {
  const [rows, columns, cut] = [one.frames, two.frames, window ? words.cut : ""];
  const slope = (columns - 1) / (rows - 1);
  return filled(words.no_path, { rows, columns, pattern: name, least: slopes[0], most: slopes[1], slope, cut });
}
