// Sentences with places for numbers, filled as Python fills them.

// Python's str.format, as far as sentences use it: {name}, {name!r} of a text, {name:.1f}, {name:.3g}, {name:g}.
export function filled(text, values) {
  return text.replace(/\{(\w+)(!r)?(?::(?:\.(\d))?([fg]))?\}/g, (_, name, quoted, digits, kind) => {
    const value = values[name];
    if (quoted) return `'${value}'`;
    if (kind === "g") return general(Number(value), Number(digits ?? 6));
    return kind === "f" ? fixed(value, Number(digits)) : String(value);
  });
}

// A number half-way between two goes to the even one, as in Python.
function fixed(value, digits) {
  const [parts, unit] = [value * 10 ** digits, 10 ** digits];
  const tie = Math.abs(parts) % 1 === 0.5 && parts / unit === value;
  return (tie ? (2 * Math.round(parts / 2)) / unit : value).toFixed(digits);
}

// So many digits, without zeros at the end; very small and large numbers with a power of ten.
export function general(value, digits) {
  if (!Number.isFinite(value)) return value < 0 ? "-inf" : "inf";
  const [mantissa, power] = value.toExponential(digits - 1).split("e");
  if (power < -4 || power >= digits) return `${Number(mantissa)}e${power[0]}${power.slice(1).padStart(2, "0")}`;
  return String(Number(value.toPrecision(digits)));
}
