// Places to write numbers: the replies are those of the lecture's check, chosen by its own rules.

import { element } from "./explorer.js";
import { filled } from "./words.js";

const LARGEST = 1e100; // as in Python's checks
const DIGITS = /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i;

// A number as people write it: 0.25, −0,5, 1/4, 1e-3. NaN if it is none.
export function number(text) {
  const parts = text.replace(/[−–]/g, "-").replaceAll(",", ".").split("/").map((part) => part.trim());
  const [above, below = 1, ...more] = parts.map((part) => (DIGITS.test(part) ? Number(part) : NaN));
  return !more.length && Math.abs(above / below) <= LARGEST ? above / below : NaN;
}

// The first sentence whose numbers these are near to.
function replied({ names, rules }, mine) {
  const fits = ([, numbers, near]) => numbers.every((n, k) => n === null || Math.abs(mine[k] - n) <= near[k]);
  return filled(rules.find(fits)[0], Object.fromEntries(names.map((name, k) => [name, mine[k]])));
}

// A phone's keys for decimals may have no minus: where one may be needed, it shows all keys.
function row({ label, of }, { rules }) {
  const keys = rules.some(([, numbers]) => numbers[of] < 0) ? "text" : "decimal";
  const input = element("input", { type: "text", inputmode: keys, autocomplete: "off" });
  return element("label", { class: "control" }, element("span", { html: label }), input);
}

export function write(place, told, words) {
  const rows = told.inputs.map((one) => row(one, told));
  const inputs = rows.map((one) => one.querySelector("input"));
  const reply = element("p", { role: "status" });
  const check = (event) => {
    event.preventDefault();
    const texts = inputs.map((input) => input.value.trim());
    const numbers = texts.map(number);
    const wrong = texts.findIndex((text, k) => text && Number.isNaN(numbers[k]));
    inputs.forEach((input, k) => input.setAttribute("aria-invalid", String(k === wrong)));
    if (wrong >= 0) reply.textContent = filled(words.no_number, { text: texts[wrong] });
    else if (texts.includes("")) reply.innerHTML = told.nothing;
    else {
      const mine = told.names.map((_, k) => numbers[told.inputs.findIndex((input) => input.of === k)]);
      reply.innerHTML = replied(told, mine);
    }
  };
  const about = told.about ? [element("p", { class: "said", html: told.about })] : [];
  place.replaceChildren(element("form", { onsubmit: check }, ...about, ...rows, element("button", {}, words.check)), reply);
  place.hidden = false;
}
