// Says how well the reader has marked and compared greys; a worker beside the page, as for explorers that compute more.

import { filled } from "./words.js";

let data;

onmessage = ({ data: asked }) => {
  if (asked.data) data = asked.data;
  else postMessage(picture(asked.settings));
};

function picture({ mark, answers }) {
  const { words, marked, pairs, frames } = data;
  const [frame, count] = [answers.length, marked.length];
  const { name } = words;
  if (frame < count) {
    const last = frame ? filled(words.last, { name, mark: answers[frame - 1] }) : "";
    const asked = { number: frame + 1, marks: count, now: filled(words.now, { mark }), last };
    return { frame, made: {}, lacking: [], sentence: filled(words.mark, asked) };
  }
  const [first, second] = [0, count / 2].map((round) => byGrey(answers, marked, round));
  const { scale: [left, top, wide, high] } = frames[frame];
  const points = first.flatMap((value, grey) => [left + value * wide, top + second[grey] * high]);
  const made = { dots: { points: Int16Array.from(points, (value) => Math.round(value)) } };
  const choices = answers.slice(count);
  const said = filled(words.marked, { name, ...orders(first, second) });
  const compared = choices.filter((choice, n) => choice * (pairs[n][1] - pairs[n][0]) > 0).length;
  const on = choices.length < pairs.length ? words.pair : words.compared;
  const sentence = said + filled(on, { number: choices.length + 1, pairs: pairs.length, compared });
  return { frame, made, lacking: [], sentence };
}

// The marks of one round, by rising grey.
function byGrey(answers, marked, round) {
  const found = [];
  for (let n = round; n < round + marked.length / 2; n++) found[marked[n]] = answers[n];
  return found;
}

// How far apart both marks of a grey are, and how many greys of the first round are in order with others of the second.
function orders(first, second) {
  const apart = second.map((value, grey) => value - first[grey]);
  const each = apart.map((value) => (value < 0 ? String(value) : `+${value}`)).join(", ");
  const right = first.flatMap((one, i) => second.filter((other, j) => (other - one) * (j - i) > 0));
  const mean = apart.reduce((sum, value) => sum + value ** 2, 0) / apart.length;
  return { apart: Math.sqrt(mean), each, from_marks: right.length };
}
