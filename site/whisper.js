// Cepstra as a whisper, as course_lib/audio/whispering.py: noise whose spectrum follows them.

import { range } from "./aligning.js";
import { between } from "./speech.js";

const PEAK = 0.5;

// columns: each coefficient over time, in dB, not normalised.
export function whisper(data, columns) {
  const { hop, cosines: { data: rows, shape: [kept, bands] } } = data;
  const frames = range(columns[0].length);
  const level = (t, k) => range(kept).reduce((sum, c) => sum + columns[c][t] * rows[c * bands + k], 0);
  const levels = frames.map((t) => range(bands).map((k) => level(t, k)));
  const [loudest, places] = [Math.max(...levels.map((one) => Math.max(...one))), (data.places ??= bandsOf(data))];
  const sound = new Float64Array((frames.length + 1) * hop);
  const [cosine, fade] = [range(2 * hop).map((n) => Math.cos((Math.PI * n) / hop)), fading(hop)];
  frames.forEach((t) => {
    const gains = places.map((at) => 10 ** ((between(levels[t], at) - loudest) / 20));
    const pieces = noise(data, t, cosine);
    for (let n = 0; n < 2 * hop; n++) {
      let sum = 0;
      for (let f = 0; f <= hop; f++) {
        const both = f % hop ? 2 : 1; // of a frequency and its negative
        const turn = (f * n) % (2 * hop);
        sum += both * gains[f] * (pieces[2 * f] * cosine[turn] - pieces[2 * f + 1] * sine(cosine, turn));
      }
      sound[t * hop + n] += (fade[n] * sum) / (2 * hop);
    }
  });
  const most = sound.subarray(hop).reduce((peak, value) => Math.max(peak, Math.abs(value)), 0);
  return sound.subarray(hop).map((value) => (PEAK * value) / most);
}

// A window of two hops whose squares add up to 1 where it overlaps with the next.
const fading = (hop) => range(2 * hop).map((n) => Math.sin((Math.PI * (n + 0.5)) / (2 * hop)));

const sine = (cosine, turn) => cosine[(turn + (3 * cosine.length) / 4) % cosine.length];

// The spectrum of a piece of noise, real and imaginary by turns, the same for each whisper.
function noise(data, t, cosine) {
  const { hop } = data;
  data.noise ??= [];
  data.spectra ??= [];
  while (data.noise.length < (t + 2) * hop) data.noise.push(normal());
  if (!data.spectra[t]) {
    const fade = fading(hop);
    const piece = fade.map((value, n) => value * data.noise[t * hop + n]);
    data.spectra[t] = Float64Array.from(range(2 * hop + 2), (at) => {
      const [f, turned] = [Math.floor(at / 2), at % 2 ? (turn) => -sine(cosine, turn) : (turn) => cosine[turn]];
      return piece.reduce((sum, value, n) => sum + value * turned((f * n) % (2 * hop)), 0);
    });
  }
  return data.spectra[t];
}

const normal = () => Math.sqrt(-2 * Math.log(1 - Math.random())) * Math.cos(2 * Math.PI * Math.random());

// Where each frequency lies among the centres of the bands.
function bandsOf({ rate, hop, centres }) {
  return range(hop + 1).map((f) => {
    const at = (f * rate) / (2 * hop);
    const above = centres.findIndex((centre) => centre > at);
    if (above < 1) return above < 0 ? centres.length - 1 : 0;
    return above - 1 + (at - centres[above - 1]) / (centres[above] - centres[above - 1]);
  });
}
