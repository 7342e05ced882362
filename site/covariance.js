// A cloud and its ellipses under the covariance that the reader sets; a worker beside the page.

import { filled, general } from "./words.js";

const CORNERS = 120; // of an ellipse
let data;

onmessage = ({ data: asked }) => {
  if (asked.data) data = asked.data;
  else postMessage(picture(asked.settings));
};

function picture({ std_x: x, std_y: y, correlation }) {
  const [xx, xy, yy] = [x * x, correlation * x * y, y * y];
  const root = [[x, 0], [correlation * y, y * Math.sqrt(1 - correlation ** 2)]]; // Cholesky's
  const { scale: [left, top, wide, high] } = data.frames[0];
  const put = (points) => Int16Array.from(points.flatMap(([a, b]) => [left + a * wide, top + b * high]), (value) => Math.round(value));
  const moved = ([a, b]) => root.map(([p, q]) => p * a + q * b);
  const line = (points) => ({ points: put(points), look: { d: `ML${points.length - 1}` } });
  const circle = (radius) => Array.from({ length: CORNERS + 1 }, (_, k) => (2 * Math.PI * k) / CORNERS)
    .map((angle) => [radius * Math.cos(angle), radius * Math.sin(angle)]);
  const [narrow, broad] = axes(xx, xy, yy);
  const across = ({ std, direction: [a, b] }) => line([[-2 * std * a, -2 * std * b], [2 * std * a, 2 * std * b]]);
  const made = {
    cloud: { points: put(data.cloud.map(moved)) },
    one: line(circle(1).map(moved)), two: line(circle(2).map(moved)), narrow: across(narrow), wide: across(broad),
  };
  const [a, b] = ["A", "B"].map((name) => distance(data.marked[name], root));
  const found = { xx, xy, yy, wide: broad.std, narrow: narrow.std, a, b };
  const rounded = Object.entries(found).map(([name, number]) => [name, Math.round(number * 1e9) / 1e9]); // as in Python
  const said = { ...Object.fromEntries(rounded), compared: compared((b * b - a * a) / 2) };
  const shown = x === 1 && y === 1 && correlation === 0.8;
  return { frame: 0, made, lacking: [], sentence: filled(data.words.found, said).replaceAll("-", "−"), shown };
}

// The axes of the ellipse, the shorter first: standard deviation and direction.
function axes(xx, xy, yy) {
  const [middle, half] = [(xx + yy) / 2, Math.hypot((xx - yy) / 2, xy)];
  const angle = Math.atan2(2 * xy, xx - yy) / 2; // of the longer one
  const along = (value, turned) => ({ std: Math.sqrt(Math.max(0, value)), direction: [Math.cos(turned), Math.sin(turned)] });
  return [along(middle - half, angle + Math.PI / 2), along(middle + half, angle)];
}

// How many standard deviations a point is from the mean.
function distance([a, b], [[p], [q, r]]) {
  return Math.hypot(a / p, (b - (q * a) / p) / r);
}

function compared(logRatio) {
  const { words } = data;
  if (Math.abs(logRatio) < 1e-9) return words.same;
  const [higher, lower] = logRatio > 0 ? ["A", "B"] : ["B", "A"];
  const digits = Math.abs(logRatio) / Math.LN10;
  const times = digits < 3 ? general(10 ** digits, 3) : filled(words.many, { digits });
  return filled(words.other, { higher, times, lower });
}
