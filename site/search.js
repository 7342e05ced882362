// Search in all sections, offline: an entry counts by how often it has each word, and by how few others have it.

import { element } from "./explorer.js";

const [SHORTEST, MOST, IN_TITLE] = [2, 8, 6];

// `packed` brings the entries, when somebody first looks for something.
export function search(form, packed, words) {
  const [input, place] = [form.querySelector("input"), element("div", { class: "found", role: "status" })];
  form.append(place);
  form.hidden = false;
  let entries;
  const show = async () => {
    const asked = input.value;
    if (asked.trim().length < SHORTEST) return place.replaceChildren();
    const found = best(await (entries ??= packed()), asked);
    if (asked !== input.value) return; // somebody writes on
    place.replaceChildren(found.length ? element("ol", {}, ...found.map(link)) : words.nothing);
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

function link({ at, title, page }) {
  return element("li", {}, element("a", { href: at }, title === page ? title : `${title} · ${page}`));
}

// The entries that have all words asked for, or words that begin so; the likeliest first.
function best(entries, asked) {
  const terms = asked.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const scores = entries.map(() => 0);
  for (const term of terms) {
    const counts = entries.map(({ words, title }) => {
      const own = Object.keys(words).filter((word) => word.startsWith(term));
      const often = own.reduce((sum, word) => sum + words[word], 0);
      return often && 1 + Math.log(often) + (title.toLowerCase().includes(term) ? IN_TITLE : 0);
    });
    const rare = Math.log(1 + entries.length / Math.max(1, counts.filter(Boolean).length));
    counts.forEach((count, k) => (scores[k] = count && scores[k] !== null ? scores[k] + count * rare : null));
  }
  const found = entries.map((entry, k) => [scores[k] * entry.weight, entry]).filter(([score]) => score);
  return found.sort(([one], [other]) => other - one).slice(0, MOST).map(([, entry]) => entry);
}
