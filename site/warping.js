// Aligns two recordings beside the page, in a worker, by the compiled kernels of course_lib.sequences.
// What is computed in Python around them stands here once more: the windows, and the words of the sentence.

import { align, everywhere, halves, image, inFours, line, local, range } from "./aligning.js";
import { answering } from "./kernels.js";
import { filled } from "./words.js";

const ROUNDING = 1e-9;

answering(({ recordings, ...data }) => {
  const all = recordings.map(({ data: numbers, shape: [frames, features] }) => inFours(numbers, frames, features));
  return { ...data, recordings: all, known: {} };
}, picture);

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

// --- windows, as in course_lib/sequences/windows.py: for each row the columns [lowest, end)

function clipped(low, high, frames) {
  const within = (value, least) => Math.min(frames, Math.max(least, value));
  return [within(low, 0), within(high, within(low, 0))];
}

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

// Both curves, x above y, and lines between them, as high as their box in the picture.
function joined(path, x, y, [left, second, top, high], { linked, hop, margin }) {
  const [low, lower] = [Math.min(...x), Math.min(...y)];
  const gap = 1.2 * Math.max(Math.max(...x) - low, Math.max(...y) - lower, 1e-9);
  const reach = Math.max(...x) - low + gap;
  const at = (i, value) => [left + i * hop * second, top + high * (1 - (margin + value / reach) / (1 + 2 * margin))];
  const above = (i) => at(i, x[i] - low + gap);
  const below = (j) => at(j, y[j] - lower);
  const some = path.filter((_, n) => n % linked === 0);
  const links = { points: halves(some.flatMap(([i, j]) => [...above(i), ...below(j)])), look: { d: "ML".repeat(some.length) } };
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
