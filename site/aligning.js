// Two sequences of frames in a worker: their local distances, the best path, and the table as a picture.

const [GIVEN, EUCLIDEAN] = [0, 2]; // as in course_lib/sequences/_warping_kernels.py

export const range = (count) => Array.from({ length: count }, (_, k) => k);
export const halves = (points) => Int16Array.from(points, (value) => Math.round(value));
export const line = (points) => ({ points: halves(points), look: { d: `ML${points.length / 2 - 1}` } });

// All columns, for each row.
export const everywhere = (rows, columns) => range(rows).map(() => [0, columns]);

// One feature and then fours, filled up with zeros: the kernels work on four together.
export function inFours(numbers, frames, features) {
  const wide = features + ((((1 - features) % 4) + 4) % 4);
  const at = (i, k) => (k < features ? numbers[i * features + k] : 0);
  const rows = range(frames * wide).map((n) => at(Math.floor(n / wide), n % wide));
  const columns = range(frames * wide).map((n) => at(n % frames, Math.floor(n / frames)));
  return { frames, rows: { data: rows, shape: [frames, wide] }, columns: { data: columns, shape: [wide, frames] } };
}

export function local(kernels, one, two) {
  const wide = two.frames + 1;
  const d = { data: new Float64Array(one.frames * wide), shape: [one.frames, wide] };
  kernels.call("local_rows", EUCLIDEAN, one.rows, two.columns, 0, one.frames - 1, 0, two.frames, d);
  const data = d.data.filter((_, n) => n % wide); // its first column is empty
  return { data, shape: [one.frames, two.frames] };
}

// How far it is to each of other sequences, for each frame of a path; they lie end to end between bounds, a row a feature.
export function distancesTo(kernels, mine, columns, bounds, moves) {
  const list = (values) => ({ data: values, shape: [values.length] });
  const long = bounds.slice(1).map((end, k) => end - bounds[k]);
  const ends = long.flatMap((count) => new Array(mine.frames).fill(count)); // all cells are allowed
  const pairs = { data: long.flatMap((_, k) => [0, k]), shape: [long.length, 2] };
  const found = kernels.call("single_step_distances", EUCLIDEAN, mine.rows, list([0, mine.frames]), columns, list(bounds), pairs,
    list(ends.map(() => 0)), list(ends), list(long.map((_, k) => k * mine.frames)), moves).data;
  return long.map((count, k) => found[k] / (mine.frames + count));
}

// { distance, path } of the best path, or null.
export function align(kernels, distances, { steps, lengths }, allowed) {
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

// The distances of the allowed cells in colours, from the least to the largest, as a PNG in a data address.
export async function image({ data, shape: [rows, columns] }, allowed, colors) {
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
