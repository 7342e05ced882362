// Fills the trellis of a small hidden Markov model, in a worker, by the compiled kernels of course_lib.sequences.

import { halves, range } from "./aligning.js";
import { answering } from "./kernels.js";
import { filled, general, wide } from "./words.js";

answering((data) => data, picture);

const FOURS = 4; // the kernel of Viterbi works on four states together
const BOX = [[-0.46, -0.46], [0.46, -0.46], [0.46, 0.46], [-0.46, 0.46]]; // round the middle of a cell

function picture(kernels, data, { observed, recursion: k, filled: count, ...moods }) {
  const letters = data.controls.find(({ name }) => name === "observed").shown[observed];
  const happy = data.states.map((state) => moods[state.toLowerCase()]);
  const b = [...letters].map((letter) => happy.map((p) => (letter === data.symbols[0] ? p : 1 - p)));
  const trellis = { ...tables(kernels, data, b), b, letters, recursion: data.recursions[k] };
  const made = marks(trellis, data.frames[observed], data.widths, count);
  return { frame: observed, made, lacking: [], sentence: sentence(data, trellis, count) };
}

// --- what is seen

// [t, i] of each cell, in the order of filling.
function order({ recursion, b }) {
  const days = range(b.length);
  return (recursion === "backward" ? days.reverse() : days).flatMap((t) => range(b[0].length).map((i) => [t, i]));
}

// The day that a day's cells are computed from, or null.
function neighbour({ recursion, b }, t) {
  const other = recursion === "backward" ? t + 1 : t - 1;
  return other in b ? other : null;
}

function marks(trellis, { table, baseline }, widths, count) {
  const cells = order(trellis).slice(0, count);
  const whole = count === order(trellis).length;
  const at = ([t, i], right = 0, down = 0) => [table[0] + (t + right) * table[2], table[1] + (i + down) * table[3]];
  const box = (cell) => ({ points: halves(BOX.flatMap((corner) => at(cell, ...corner))) });
  const current = whole ? [] : cells.slice(-1);
  const from = current.map(([t]) => neighbour(trellis, t)).filter((t) => t !== null);
  const path = whole && trellis.recursion === "Viterbi" && trellis.path ? [trellis.path] : [];
  const rows = [...cells].sort(([t, i], [u, j]) => i - j || t - u); // as they are painted
  return {
    sources: from.flatMap((t) => trellis.b[t].map((_, i) => box([t, i]))),
    current: current.map((cell) => box(cell)),
    path: path.map((states) => ({ points: halves(states.flatMap((i, t) => at([t, i]))) })),
    values: rows.map(([t, i]) => number(trellis[trellis.recursion][t][i], at([t, i]), baseline, widths)),
  };
}

// A number in the middle of a cell.
function number(value, [x, y], down, widths) {
  const text = general(value, 4);
  const half = wide(text, widths) / 2;
  return { text, points: halves([x - half, y + down, x + half, y + down]) };
}

// --- the kernels

// α, δ and β as plain probabilities, and the best path, or null where all is impossible.
function tables(kernels, { model, rounding }, b) {
  const [T, N] = [b.length, b[0].length];
  const logs = (rows, ...shape) => ({ data: rows.flat().map(Math.log), shape });
  const [start, steps, emission] = [logs(model.start, N), logs(model.steps, N, N), logs(b, T, N)];
  const [alpha, beta] = [0, 0].map(() => ({ data: new Float64Array(T * N), shape: [T, N] }));
  kernels.call("forward_log", start, steps, emission, alpha);
  kernels.call("backward_log", steps, emission, beta);
  const rows = (log) => range(T).map((t) => range(N).map((i) => rounded(Math.exp(log(t, i)), rounding)));
  const best = (t, i) => viterbi(kernels, model, b.slice(0, t + 1), i);
  const delta = rows((t, i) => best(t, i).log);
  const { log: most, path } = viterbi(kernels, model, b);
  const at = ({ data }) => (t, i) => data[t * N + i];
  return { forward: rows(at(alpha)), Viterbi: delta, backward: rows(at(beta)), path: most > -Infinity ? path : null };
}

const rounded = (value, digits) => Math.round(value * 10 ** digits) / 10 ** digits;

// { log, path } of the best path, which is to end in a certain state if one is given.
function viterbi(kernels, { start, steps }, b, end) {
  const [T, N] = [b.length, start.length];
  const wide = Math.ceil(N / FOURS) * FOURS;
  const padded = (rows, count, rest) => ({
    data: range(count).flatMap((i) => range(wide).map((j) => (i < rows.length && j < N ? Math.log(rows[i][j]) : rest))),
    shape: [count, wide],
  });
  const ending = b.map((row, t) => row.map((p, j) => (t < T - 1 || end === undefined || j === end ? p : 0)));
  const line = (data) => ({ data, shape: [data.length] });
  const [winners, path] = [{ data: new Uint8Array(T * wide), shape: [T, wide] }, line(new Array(T).fill(0))];
  const first = line(padded([start], 1, -Infinity).data);
  const log = kernels.call("viterbi", first, padded(steps, wide, -Infinity), padded(ending, T, 0), line(range(T)), winners, path);
  return { log, path: path.data };
}

// --- what is said

function sentence({ model, states, words, rounding }, trellis, count) {
  const { b, letters, path, recursion } = trellis;
  const [cells, table] = [order(trellis), trellis[recursion]];
  if (!count) return filled(words.empty, { letters });
  if (count === cells.length && !path) return filled(words.impossible, { letters });
  if (count === cells.length) {
    const names = path.map((j) => states[j]).join(", ");
    return filled(words[`all ${recursion}`], { letters, names, total: rounded(total(model, trellis), rounding) });
  }
  const [t, i] = cells[count - 1];
  const [other, back] = [neighbour(trellis, t), recursion === "backward"];
  const name = { forward: "α", Viterbi: "δ", backward: "β" }[recursion];
  const left = filled(words.cell, { name, day: t + 1, state: states[i] });
  const about = { left, b: b[t][i], value: table[t][i], pi: model.start[i] };
  if (other === null) return filled(back ? words.end : words.begin, about);
  const ways = states.map((_, j) => {
    const a = back ? model.steps[i][j] : model.steps[j][i];
    return filled(words[back ? "way back" : "way"], { a, b: b[other][j], value: table[other][j] });
  });
  return filled(words[recursion], { ...about, sum: ways.join(" + "), list: ways.join(", ") });
}

// What the whole table says: P(O), or the probability of the best path.
function total({ start }, { b, recursion, [recursion]: table }) {
  const sum = (values) => values.reduce((all, value) => all + value, 0);
  if (recursion === "backward") return sum(start.map((p, j) => p * b[0][j] * table[0][j]));
  return recursion === "forward" ? sum(table.at(-1)) : Math.max(...table.at(-1));
}
