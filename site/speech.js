// What a worker makes of a recording: cepstra by the compiled kernel, numbers and names in a picture, and players.

import { halves, range } from "./aligning.js";
import { trim, wav } from "./microphone.js";
import { filled, wide } from "./words.js";

const STEPS = [1, 2, 2.5, 5, 10]; // of numbers along an axis

export const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

// --- recordings as frames

// The samples of a ready recording; each is a part of one sound.
export const part = ({ samples, bounds }, k) => samples.subarray(bounds[k], bounds[k + 1]);

// recording: { samples, name }, or { ready }, a number. What was trimmed before is trimmed once more, as in the lab.
export function heard(data, recording) {
  const { ready, ...own } = recording ?? { ready: data.microphone.ready[0].source };
  const { samples, name } = ready === undefined ? own : { samples: part(data, ready), name: data.names[ready] };
  return { samples: samples.subarray(...trim(samples, data.rate)), name };
}

// Each coefficient over time.
export function cepstra(kernels, data, samples) {
  const { hop, window, bands, cosines } = data;
  const [cosine, sine] = (data.waves ??= waves(data));
  const [half, count, all] = [Math.floor((window + 1) / 2), 1 + Math.floor(samples.length / hop), cosines.shape[0]];
  const padded = new Float64Array(samples.length + 2 * half);
  padded.set(samples, half);
  const found = { data: new Float64Array(count * all), shape: [count, all] };
  kernels.call("cepstra", { data: padded, shape: [padded.length] }, hop, cosine, sine, bands, cosines, found);
  return range(all).map((k) => range(count).map((t) => found.data[t * all + k]));
}

// What a window is multiplied by for each frequency: cosines and sines that fade out at its ends.
function waves({ window, n_fft }) {
  const shape = [n_fft / 2 + 1, window];
  const hann = range(window).map((n) => 0.5 - 0.5 * Math.cos((2 * Math.PI * n) / window));
  const turned = (turn) => Float64Array.from(range(shape[0] * window), (_, at) => {
    const [f, n] = [Math.floor(at / window), at % window];
    return hann[n] * turn(((2 * Math.PI) / n_fft) * f * n);
  });
  return [Math.cos, Math.sin].map((turn) => ({ data: turned(turn), shape }));
}

// Coefficients over time, each with mean 0 and variance 1, as frames.
export function normalFrames(columns) {
  const normal = columns.map(normalized);
  return range(columns[0].length).map((t) => normal.map((column) => column[t]));
}

// [mean, standard deviation]
export function spread(values) {
  const middle = mean(values);
  return [middle, Math.sqrt(mean(values.map((value) => (value - middle) ** 2)))];
}

function normalized(values) {
  const [middle, deviation] = spread(values);
  return values.map((value) => (values.every((one) => one === values[0]) ? 0 : (value - middle) / deviation));
}

export function between(values, at) {
  const last = values.length - 1;
  if (at >= last) return values[last];
  const low = Math.floor(at);
  return values[low] + (at - low) * (values[low + 1] - values[low]);
}

// --- what is seen

// Numbers along an axis and how they are written: the smallest step that leaves at most so many parts.
export function ticks(low, high, parts) {
  const least = (high - low) / parts;
  const power = Math.floor(Math.log10(least));
  const step = STEPS.find((one) => one * 10 ** power >= least);
  const [unit, decimals] = [step * 10 ** power, Math.max(0, -power + (step === 2.5) - (step === 10))];
  const first = Math.ceil(low / unit);
  return range(Math.floor(high / unit) - first + 1).map((k) => [(k + first) * unit, ((k + first) * unit).toFixed(decimals)]);
}

// A text with its middle at x, in letters of so many times the usual size.
export function written(text, x, y, widths, size = 1) {
  const half = (size * wide(text, widths)) / 2;
  return { text, points: halves([x - half, y, x + half, y]) };
}

// --- what is heard

const addresses = []; // of the sounds of the picture that is shown

export function forget() {
  addresses.splice(0).forEach((address) => URL.revokeObjectURL(address));
}

export function player({ rate, words }, label, said, samples, channels = 1) {
  const address = URL.createObjectURL(new Blob([wav([samples], rate, channels)], { type: "audio/wav" }));
  addresses.push(address);
  const seconds = samples.length / channels / rate;
  return filled(words.player, { label: plain(label), heard: plain(said), seconds, source: address });
}

const plain = (text) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
