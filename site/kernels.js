// The compiled kernels of course_lib.sequences, called from a page: arrays in, arrays out.
// An array is { data, shape }, its numbers row by row. What a kernel writes into an array, it writes into `data`.

const NUMBERS = { F: Float64Array, I: BigInt64Array, S: Int32Array, B: Uint8Array };
const [UNIT, OUT, DATA] = [64, 512, 16]; // bytes: where arrays begin, room for a result, where a MemInfo says "data"

export async function load(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
  return new Kernels(await WebAssembly.compile(await answer.arrayBuffer()));
}

// What a worker does: it gets its data once, made ready by `prepared`, and then answers settings by what `picture` says.
export function answering(prepared, picture) {
  let ready; // [kernels, data]
  const begin = async (data) => [await load(new URL("kernels.wasm", import.meta.url)), prepared(data)];
  onmessage = async ({ data: asked }) => {
    ready ??= begin(asked.data);
    try {
      if (asked.settings) postMessage(await picture(...(await ready), asked.settings));
    } catch (error) {
      postMessage({ error: error.message });
    }
  };
}

class Kernels {
  constructor(module) {
    const [text] = WebAssembly.Module.customSections(module, "kernels");
    this.kinds = JSON.parse(new TextDecoder().decode(text));
    const needed = WebAssembly.Module.imports(module).map(({ name }) => [name, this.given[name] ?? missing(name)]);
    this.exports = new WebAssembly.Instance(module, { env: Object.fromEntries(needed) }).exports;
  }

  // What the kernel returns; each call begins with empty memory, and nothing is kept between two.
  call(name, ...values) {
    this.top = this.exports.__heap_base.value;
    const { takes, gives } = this.kinds[name];
    const [result, failure, placed] = [this.room(OUT), this.room(OUT), []];
    new Uint8Array(this.memory, result, OUT).fill(0);
    const given = takes.flatMap((kind, k) => this.laid(kind, values[k], placed));
    if (this.exports[name](result, failure, ...given)) throw new Error(`${name} has failed`);
    placed.forEach(({ kind, at, data }) => this.copy(kind, at, data));
    return gives && this.read(gives, result)[0];
  }

  get memory() {
    return this.exports.memory.buffer;
  }

  room(size) {
    const at = Math.ceil(this.top / UNIT) * UNIT;
    this.top = at + size;
    const lacking = this.top - this.memory.byteLength;
    if (lacking > 0) this.exports.memory.grow(Math.ceil(lacking / 65536) + 16);
    return at;
  }

  // --- from values to what the kernel takes, as Numba passes it, and back

  laid(kind, value, placed) {
    if (Array.isArray(kind)) return kind.flatMap((part, k) => this.laid(part, value[k], placed));
    if (kind.length === 1) return [kind === "i" ? BigInt(value) : Number(value)];
    const [type, { data, shape }] = [NUMBERS[kind[0]], value];
    const [each, at] = [type.BYTES_PER_ELEMENT, this.room(data.length * type.BYTES_PER_ELEMENT)];
    new type(this.memory, at, data.length).set(kind[0] === "I" ? Array.from(data, BigInt) : data);
    placed.push({ kind, at, data });
    const strides = shape.map((_, k) => shape.slice(k + 1).reduce((all, size) => all * size, each));
    return [0, 0, BigInt(data.length), BigInt(each), at, ...[...shape, ...strides].map(BigInt)];
  }

  copy(kind, at, data) {
    const written = new NUMBERS[kind[0]](this.memory, at, data.length);
    if (data.constructor === written.constructor) return data.set(written);
    for (let k = 0; k < data.length; k++) data[k] = Number(written[k]);
  }

  // [value, where the next one begins]
  read(kind, at) {
    const view = new DataView(this.memory);
    if (Array.isArray(kind)) {
      const values = kind.map((part) => {
        const [value, next] = this.read(part, at);
        at = next;
        return value;
      });
      return [values, at];
    }
    if (kind === "f") return [view.getFloat64(at, true), at + 8];
    if (kind === "i") return [Number(view.getBigInt64(at, true)), at + 8];
    const shape = Array.from({ length: Number(kind[1]) }, (_, k) => Number(view.getBigInt64(at + 32 + 8 * k, true)));
    const data = new Array(shape.reduce((all, size) => all * size, 1));
    this.copy(kind, view.getUint32(at + 24, true), data);
    return [{ data, shape }, at + 32 + 16 * shape.length];
  }

  // --- what the kernels ask of the page

  given = {
    exp: Math.exp,
    log: Math.log,
    log10: Math.log10,
    NRT_Allocate: (size) => this.room(Number(size)),
    NRT_Free: () => {},
    NRT_MemInfo_alloc: (size) => this.array(size),
    NRT_MemInfo_alloc_aligned: (size) => this.array(size),
    NRT_MemInfo_call_dtor: () => {},
    // Numba reshapes only what lies without gaps, row by row.
    numba_attempt_nocopy_reshape: (_, __, ___, dimensions, shape, strides, each) => {
      const view = new DataView(this.memory);
      for (let k = Number(dimensions) - 1; k >= 0; k--) {
        view.setBigInt64(strides + 8 * k, each, true);
        each *= view.getBigInt64(shape + 8 * k, true);
      }
      return 1;
    },
    __multi3: (at, ...halves) => {
      const [a, b] = [0, 2].map((k) => (BigInt.asUintN(64, halves[k + 1]) << 64n) | BigInt.asUintN(64, halves[k]));
      const [view, product] = [new DataView(this.memory), a * b];
      [0n, 64n].forEach((shift, k) => view.setBigUint64(at + 8 * k, BigInt.asUintN(64, product >> shift), true));
    },
  };

  // Room for an array that a kernel makes, with Numba's count of who uses it before it.
  array(size) {
    const [head, data] = [this.room(UNIT), this.room(Number(size))];
    const view = new DataView(this.memory);
    view.setBigInt64(head, 1n, true);
    view.setUint32(head + DATA, data, true);
    return head;
  }
}

const missing = (name) => () => {
  throw new Error(`The kernels ask for ${name}, which no page has.`);
};
