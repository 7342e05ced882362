// What each recogniser of lecture 04 hears in the reader's own digit, and when the states of a word hear it, in a worker:
// course_lessons/hmm/own.py with what the recognisers learned there. What is heard stays in the page.

import { distancesTo, halves, inFours, line, range } from "./aligning.js";
import { answering } from "./kernels.js";
import { between, cepstra, forget, heard, normalFrames, player, spread, ticks, written } from "./speech.js";
import { whisper } from "./whisper.js";
import { filled, wide } from "./words.js";

const TYPES = { f4: Float32Array, f8: Float64Array, i2: Int16Array };
const MARGIN = 0.05; // above and below a waveform
const BEST = 3; // how many words of each recogniser are in the picture

answering(prepared, picture);

// recording: { samples, name }, or { ready }, a number; longer: of which share, by its number; word: 0 for the one that is heard, else its number + 1.
function picture(kernels, data, { recording, longer, word }) {
  const { samples, name } = heard(data, recording);
  const played = slower(samples, 100 / (100 + data.longer[longer]));
  const columns = cepstra(kernels, data, played);
  const frames = normalFrames(columns);
  const scores = data.recognizers.map((one) => SCORES[one.kind](kernels, one, frames));
  const orders = scores.map((each) => range(each.length).sort((a, b) => each[b] - each[a]));
  const [best, second] = orders[data.row];
  const shown = word ? word - 1 : best;
  const gamma = posterior(kernels, data.recognizers[data.row], shown, frames);
  const made = { ...left(data, played, gamma, name, data.digits[shown]), ...right(data, orders, shown) };
  const { digits, words } = data;
  const heardAs = orders.map(([first], k) => filled(words.heard, { name: data.recognizers[k].name, word: digits[first] }));
  const stays = range(gamma[0].length).map((n) => filled("{stay:.1f}", { stay: gamma.reduce((sum, row) => sum + row[n], 0) }));
  const lead = scores[data.row][best] - scores[data.row][second];
  const sentence = filled(words.found, { said: name, words: heardAs.join("; "), best: digits[best], second: digits[second], lead,
    shown: digits[shown], stays: stays.join(", "), right: data.right[longer] });
  const players = sounds(data, { name, played, columns, gamma, shown });
  return { frame: 0, made, lacking: [], sentence, players, shown: data.proof[longer] };
}

// Players of the recording, and of whispers: of what is kept, and of what the states of the word expect.
function sounds(data, { name, played, columns, gamma, shown }) {
  forget();
  const { words, digits, recognizers, row } = data;
  const [, states, size] = recognizers[row].expected.shape;
  const means = recognizers[row].expected.data.subarray(shown * states * size);
  const expected = columns.map((column, d) => {
    const [middle, deviation] = spread(column);
    return gamma.map((each) => middle + deviation * each.reduce((sum, share, n) => sum + share * means[n * size + d], 0));
  });
  const whispers = [[words.kept, columns], [filled(words.expected, { word: digits[shown] }), expected]];
  const whispered = whispers.map(([label, cepstra]) => player(data, label, filled(words.whisper, { label }), whisper(data, cepstra)));
  return filled(words.row, { players: [player(data, words.played, filled(words.said, { said: name }), played), ...whispered].join("") });
}

// Tables of numbers as they were packed: of few bytes each, and of whole numbers of a unit.
function prepared(data) {
  for (const one of data.recognizers)
    for (const [name, { type, text, shape, unit }] of Object.entries(one).filter(([, value]) => value.type)) {
      const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
      one[name] = { data: Float64Array.from(new TYPES[type](bytes.buffer), (value) => unit * value), shape };
    }
  return data;
}

const slower = (samples, speed) =>
  Float64Array.from(range(Math.ceil(samples.length / speed)), (n) => between(samples, n * speed));

// --- the score of each word, of which the best is the largest

const SCORES = { templates, chain, full, mixture, symbols, densities };

function templates(kernels, { columns, bounds, labels, count, moves }, frames) {
  const mine = inFours(frames.flat(), frames.length, frames[0].length);
  const best = new Array(count).fill(-Infinity);
  distancesTo(kernels, mine, columns, bounds, moves).forEach((far, k) => (best[labels[k]] = Math.max(best[labels[k]], -far)));
  return best;
}

function chain(_, one, frames) {
  const x = stretched(frames, one.frames);
  return range(one.constants.shape[0]).map((word) => joint(one, word, x)[0]);
}

// Each word has one Gaussian with the Cholesky factor L of its covariance; of L⁻¹ the rows are known up to the diagonal.
function full(_, { constants, means, inverses, ...one }, frames) {
  const x = stretched(frames, one.frames);
  const each = inverses.shape[1];
  return range(constants.shape[0]).map((word) => {
    const apart = x.map((value, d) => value - means.data[word * x.length + d]);
    let [at, squares] = [word * each, 0];
    for (let d = 0; d < apart.length; d++) {
      let z = 0;
      for (let c = 0; c <= d; c++) z += inverses.data[at++] * apart[c];
      squares += z ** 2;
    }
    return constants.data[word] - squares / 2;
  });
}

function mixture(_, one, frames) {
  const words = range(one.constants.shape[0]);
  return words.map((word) => frames.reduce((sum, x) => sum + logSum(joint(one, word, x)), 0));
}

function symbols(kernels, { codebook, emission, ...chains }, frames) {
  const codes = frames.map((x) => nearest(codebook, x));
  const [words, states, count] = emission.shape;
  return range(words).map((word) => {
    const table = codes.flatMap((code) => range(states).map((n) => emission.data[(word * states + n) * count + code]));
    return forward(kernels, chains, word, table).total;
  });
}

function densities(kernels, one, frames) {
  return range(one.start.shape[0]).map((word) => forward(kernels, one, word, emissions(one, word, frames)).total);
}

// As many frames, from the first to the last, laid out flat.
function stretched(frames, count) {
  const columns = frames[0].map((_, k) => frames.map((frame) => frame[k]));
  return range(count).flatMap((n) => columns.map((column) => between(column, (n * (frames.length - 1)) / (count - 1))));
}

// log w + log N(x | μ, σ²) of each Gaussian of a group, all features by themselves.
function joint({ constants, means, scales }, group, x) {
  const count = constants.shape[1];
  return range(count).map((k) => {
    const at = group * count + k;
    const squares = x.reduce((sum, value, d) => {
      const n = at * x.length + d;
      return sum + ((value - means.data[n]) * scales.data[n]) ** 2;
    }, 0);
    return constants.data[at] - squares / 2;
  });
}

function logSum(values) {
  const most = Math.max(...values);
  return most + Math.log(values.reduce((sum, value) => sum + Math.exp(value - most), 0));
}

function nearest({ data, shape: [count, size] }, x) {
  const far = range(count).map((k) => x.reduce((sum, value, d) => sum + (value - data[k * size + d]) ** 2, 0));
  return far.indexOf(Math.min(...far));
}

// --- hidden Markov models, in logarithms

// log b of each frame in each state, a row a frame.
function emissions(one, word, frames) {
  const states = one.start.shape[1];
  return frames.flatMap((x) => range(states).map((n) => logSum(joint(one, word * states + n, x))));
}

function forward(kernels, { start, steps }, word, emission) {
  const states = start.shape[1];
  const [T, part] = [emission.length / states, (table, size) => table.data.slice(word * size, (word + 1) * size)];
  const matrix = { data: part(steps, states ** 2), shape: [states, states] };
  const [b, alpha] = [emission, new Float64Array(T * states)].map((data) => ({ data, shape: [T, states] }));
  const total = kernels.call("forward_log", { data: part(start, states), shape: [states] }, matrix, b, alpha);
  return { total, alpha, b, matrix };
}

// γ, a row for each frame.
function posterior(kernels, one, word, frames) {
  const { total, alpha, b, matrix } = forward(kernels, one, word, emissions(one, word, frames));
  const beta = { data: new Float64Array(alpha.data.length), shape: alpha.shape };
  kernels.call("backward_log", matrix, b, beta);
  const states = alpha.shape[1];
  return frames.map((_, t) => range(states).map((n) => Math.exp(alpha.data[t * states + n] + beta.data[t * states + n] - total)));
}

// --- what is seen

// The waveform, and below it the probability of each state at each time.
function left({ frames: [{ boxes: [above, below], scale, first, parts, title }], widths, rate, hop, words }, samples, gamma, said, word) {
  const seconds = (samples.length - 1) / rate;
  const x = (time) => below[0] + (time / seconds) * below[2];
  const numbers = ticks(0, seconds, parts).map(([time, text]) => [x(time), text]);
  const lines = (name) => ({ points: halves(numbers.flatMap(([at]) => [at, first[name][1]])) });
  const states = range(gamma[0].length).map((n) => gamma.map((row) => row[n]));
  const middles = states.map((share) => share.reduce((sum, p, t) => sum + (p * t * hop) / rate, 0) / share.reduce((a, b) => a + b));
  const [name, centre] = [filled(words.states, { word }), below[1] + below[3] / 2];
  const curve = (share) => line(share.flatMap((p, t) => [x((t * hop) / rate), scale[1] + p * scale[3]]));
  return {
    sound: line(outline(samples, above)),
    said: written(said, above[0] + above[2] / 2, first.said[1], widths, title),
    "above x": lines("above x"),
    x: numbers.map(([at]) => ({ points: halves([at, first.x[1]]) })),
    "x numbers": numbers.map(([at, text]) => written(text, at, first["x numbers"][1], widths)),
    ...Object.fromEntries(states.map((share, n) => [`state ${n}`, curve(share)])),
    states: middles.flatMap((at, n) => {
      const half = (first.states[2] - first.states[0]) / 2; // one digit is as wide as another
      const [place, y] = [x(at), first.states[1]];
      return Number.isFinite(at) ? [{ text: String(n), points: halves([place - half, y, place + half, y]) }] : [];
    }),
    word: { text: name, points: halves([1, -1].flatMap((end) => [first.word[0], centre + (end * wide(name, widths)) / 2])) },
  };
}

// Points of a waveform in a box; of those that would be painted above each other, the least and the largest.
function outline(samples, [from, top, across, down]) {
  const [least, most] = [Math.min, Math.max].map((of) => samples.reduce((a, b) => of(a, b)));
  const x = (n) => Math.round(from + (n / (samples.length - 1)) * across);
  const y = (value) => top + ((most - value) / (most - least) + MARGIN) * (down / (1 + 2 * MARGIN));
  const points = [];
  for (let begin = 0, end; begin < samples.length; begin = end) {
    for (end = begin + 1; end < samples.length && x(end) === x(begin); ) end++;
    const here = samples.subarray(begin, end);
    for (const value of new Set([Math.min(...here), Math.max(...here)])) points.push(x(begin), y(value));
  }
  return points;
}

// The best words of each recogniser, in a row, and a frame round the word whose states are shown.
function right({ frames: [{ boxes: [, , [from, top, across, down]], ranks, bold }], row, digits }, orders, shown) {
  const x = (column) => from + ((column + 0.5) / digits.length) * across;
  const y = (line) => top + ((line + 0.5) / orders.length) * down;
  return {
    chosen: { points: halves([x(shown), y(row)]) },
    ranks: orders.flatMap((order, line) => order.slice(0, BEST).sort((a, b) => a - b).map((word) => {
      const rank = order.indexOf(word);
      const { half, drop } = ranks[Number(rank === 0)];
      const points = halves([x(word) - half, y(line) + drop, x(word) + half, y(line) + drop]);
      return { text: String(rank + 1), points, look: rank ? {} : bold };
    })),
  };
}
