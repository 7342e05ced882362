// Sentences with places for numbers, filled as Python fills them.

const EXACT = 60; // digits after the point, enough to write any double of a sentence as it is

// Python's str.format, as far as sentences use it: {name}, {name!r} of a text, {name:.1f}, {name:.3g}, {name:g}.
export function filled(text, values) {
  return text.replace(/\{(\w+)(!r)?(?::(?:\.(\d))?([fg]))?\}/g, (_, name, quoted, digits, kind) => {
    const value = values[name];
    if (quoted) return `'${value}'`;
    if (kind === "g") return general(Number(value), Number(digits ?? 6));
    return kind === "f" ? fixed(value, Number(digits)) : String(value);
  });
}

// A number exactly half-way between two goes to the even one, as in Python; 0.445 is not: its double is a little more.
function fixed(value, digits) {
  const beyond = Math.abs(value).toFixed(EXACT).slice(digits - EXACT);
  const unit = 10 ** digits;
  return (/^50*$/.test(beyond) ? (2 * Math.round((value * unit) / 2)) / unit : value).toFixed(digits);
}

// So many digits, without zeros at the end; very small and large numbers with a power of ten.
export function general(value, digits) {
  if (!Number.isFinite(value)) return value < 0 ? "-inf" : "inf";
  const [mantissa, power] = value.toExponential(digits - 1).split("e");
  if (power < -4 || power >= digits) return `${Number(mantissa)}e${power[0]}${power.slice(1).padStart(2, "0")}`;
  return String(Number(value.toPrecision(digits)));
}

// How wide a text is, by the widths of its letters; one that has none is as wide as "n".
export const wide = (text, widths) => [...text].reduce((sum, letter) => sum + (widths[letter] ?? widths.n), 0);
