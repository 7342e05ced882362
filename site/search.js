// Search in all sections, offline: an entry counts by how often it has each word, and by how few others have it.

import { element } from "./explorer.js";

const [SHORTEST, MOST, IN_TITLE] = [2, 8, 6];
const [BEFORE, AFTER] = [60, 110]; // letters of a section's text that a hit shows
const FORMULA = /\$\$?[^$]+\$\$?/g;
const WORDS = /\p{L}[\p{L}\p{N}]+/gu;

// `packed` brings the entries, when somebody first looks for something.
export function search(form, packed, words) {
  const [input, place] = [form.querySelector("input"), element("div", { class: "found", role: "status" })];
  form.append(place);
  form.hidden = false;
  let entries;
  const show = async () => {
    const asked = input.value;
    if (asked.trim().length < SHORTEST) return place.replaceChildren();
    const terms = asked.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
    const found = best(await (entries ??= packed().then((all) => all.map(counted))), terms);
    if (asked !== input.value) return; // somebody writes on
    place.replaceChildren(found.length ? element("ol", {}, ...found.map((entry) => hit(entry, terms))) : words.nothing);
  };
  const close = () => {
    input.value = "";
    place.replaceChildren();
  };
  input.addEventListener("input", show);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    place.querySelector("a")?.click();
  });
  form.addEventListener("keydown", ({ key }) => key === "Escape" && close());
  place.addEventListener("click", ({ target }) => target.closest("a") && close());
}

// An entry with how often it has each word, its text as it is shown, without formulas.
function counted(entry) {
  const words = new Map();
  for (const [word] of `${entry.title} ${entry.text} ${entry.folded}`.toLowerCase().matchAll(WORDS))
    words.set(word, (words.get(word) ?? 0) + 1);
  return { ...entry, words, text: entry.text.replace(FORMULA, "…") };
}

// --- what is shown

function hit({ at, title, page, text }, terms) {
  const link = element("a", { href: at }, title === page ? title : `${title} · ${page}`);
  return element("li", {}, link, element("p", { class: "said" }, ...around(text, terms)));
}

// The text around the first place that has a word asked for, with such words marked; else how the text begins.
function around(text, terms) {
  const asked = new RegExp(`(?<![\\p{L}\\p{N}])(?:${terms.join("|")})[\\p{L}\\p{N}]*`, "giu");
  const at = Math.max(0, text.search(asked));
  const from = at > BEFORE ? text.indexOf(" ", at - BEFORE) + 1 : 0;
  const to = at + AFTER < text.length ? text.lastIndexOf(" ", at + AFTER) : text.length;
  const shown = text.slice(from, to);
  const marked = [...shown.matchAll(asked)].map(([word]) => element("mark", {}, word));
  const parts = shown.split(asked).flatMap((part, k) => [part, marked[k] ?? ""]);
  return [from ? "… " : "", ...parts, to < text.length ? " …" : ""];
}

// --- what is found

// The entries that have all words asked for, or words that begin so; the likeliest first.
function best(entries, terms) {
  const scores = entries.map(() => 0);
  for (const term of terms) {
    const counts = entries.map(({ words, title }) => {
      let often = 0;
      for (const [word, count] of words) if (word.startsWith(term)) often += count;
      return often && 1 + Math.log(often) + (title.toLowerCase().includes(term) ? IN_TITLE : 0);
    });
    const rare = Math.log(1 + entries.length / Math.max(1, counts.filter(Boolean).length));
    counts.forEach((count, k) => (scores[k] = count && scores[k] !== null ? scores[k] + count * rare : null));
  }
  const found = entries.map((entry, k) => [scores[k] * entry.weight, entry]).filter(([score]) => score);
  return found.sort(([one], [other]) => other - one).slice(0, MOST).map(([, entry]) => entry);
}
