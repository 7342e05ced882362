// A recording, unpacked: for each state of an explorer its sentence and its marks, as tools/site/recording.py wrote them.

const [SAME, NEW] = [0, 1];

export async function load(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
  const inflated = answer.body.pipeThrough(new DecompressionStream("deflate-raw"));
  return unpack(new Uint8Array(await new Response(inflated).arrayBuffer()));
}

function unpack(bytes) {
  const long = new DataView(bytes.buffer).getUint32(0, true);
  const head = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + long)));
  const next = numbers(bytes, 4 + long);
  const counts = head.controls.map((control) => control.shown.length);
  const size = counts.reduce((all, count) => all * count, 1);
  const states = readStates(size, head, next);
  const [said, heard, shown] = [0, 0, 0].map(() => column(size, next));
  const moves = head.actions.map(() => column(size, next));
  const number = (places) => places.reduce((all, place, k) => all * counts[k] + place, 0);
  const places = (state) => {
    const found = [];
    for (let k = counts.length - 1; k >= 0; k--) {
      found.unshift(state % counts[k]);
      state = Math.floor(state / counts[k]);
    }
    return found;
  };
  return { ...head, states, said, heard, shown, moves, number, places };
}

// A function that reads one whole number after the other.
function numbers(bytes, at) {
  return () => {
    let value = 0, factor = 1, byte;
    do {
      byte = bytes[at++];
      value += (byte & 127) * factor;
      factor *= 128;
    } while (byte > 127);
    return value % 2 ? -(value + 1) / 2 : value / 2;
  };
}

function column(size, next) {
  let value = 0;
  return Int32Array.from({ length: size }, () => (value += next()));
}

// For each state its marks: { look, text, points } with x and y of each point in half pixels.
function readStates(size, { looks, texts }, next) {
  const known = [];
  let before = [];
  const mark = (last) => {
    const [look, text, count] = [looks[next()], texts[next()], next()];
    const base = last?.look === look && last.points.length === 2 * count ? last.points : null;
    const points = new Int16Array(2 * count);
    for (const axis of [0, 1]) {
      let value = 0;
      for (let k = 0; k < count; k++) {
        value += next();
        points[2 * k + axis] = value + (base ? base[2 * k + axis] : 0);
      }
    }
    known.push({ look, text, points });
    return known.at(-1);
  };
  return Array.from({ length: size }, () => {
    const count = next();
    const now = [];
    for (let slot = 0; slot < count; slot++) {
      const code = next();
      now.push(code === SAME ? before[slot] : code === NEW ? mark(before[slot]) : known[code - 2]);
    }
    return (before = now);
  });
}

// The marks between two states; null if they do not fit. Letters and images are those of the nearer one.
export function between(one, two, share) {
  const alike = (a, k) => a === two[k] || (a.look === two[k].look && a.points.length === two[k].points.length);
  if (one.length !== two.length || !one.every(alike)) return null;
  return one.map((a, k) => {
    const b = two[k];
    if (a === b) return a;
    const nearer = share < 0.5 ? a : b;
    if (a.text !== b.text) return nearer;
    const points = Float32Array.from(a.points, (value, i) => value + share * (b.points[i] - value));
    return { look: a.look, text: nearer.text, points };
  });
}
