// What a page does by itself: explorers, questions with their replies, formulas, light and dark.

import { ask } from "./explorer.js";
import { begin as compute } from "./live.js";
import { begin } from "./play.js";
import { search } from "./search.js";
import { write } from "./writing.js";

const words = JSON.parse(document.getElementById("words").textContent);

async function inflated(body) {
  return new Response(body.pipeThrough(new DecompressionStream("deflate-raw"))).text();
}

async function packed(address) {
  return JSON.parse(await inflated((await fetch(address)).body));
}

// --- questions and places to write; answers are packed, so that nobody reads them by the way

async function told(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  return JSON.parse(await inflated(new Blob([bytes]).stream()));
}

async function asked(place) {
  ask(place, await told(place.dataset.quiz));
  await typeset([place]);
}

// --- formulas: MathJax comes packed, after the text

let formulas; // a promise, once there is one to set

function typeset(places) {
  const written = places.filter((place) => /\$[^$]+\$/.test(place.textContent));
  if (!written.length) return;
  formulas ??= mathjax();
  return formulas.then(() => MathJax.typesetPromise(written)).then(fit);
}

async function mathjax() {
  const sources = await packed("assets/mathjax.bin");
  const run = (name) => (0, eval)(sources[name]);
  const loader = { ...words.mathjax.loader, paths: { mathjax: "mathjax" } };
  loader.require = (address) => run(address.replace(/^.*?mathjax\//, ""));
  window.MathJax = { ...words.mathjax, loader };
  run("startup.js");
  await MathJax.startup.promise;
}

// A formula that is wider than the page becomes a part that scrolls, for the keyboard too.
function fit() {
  for (const formula of document.querySelectorAll("mjx-container[display]"))
    if (formula.scrollWidth > formula.clientWidth + 1) formula.tabIndex = 0;
}

// --- light and dark: the reader's choice, else the system's

function theme() {
  const root = document.documentElement;
  const button = document.getElementById("theme");
  const name = () => (button.textContent = words[root.dataset.theme === "dark" ? "light" : "dark"]);
  button.hidden = false;
  button.addEventListener("click", () => {
    root.dataset.theme = root.dataset.theme === "dark" ? "light" : "dark";
    localStorage.setItem("theme", root.dataset.theme);
    name();
  });
  name();
}

// What is linked to may lie in a fold: it opens.
function unfold() {
  const goal = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  for (let fold = goal?.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
  if (goal) goal.scrollIntoView();
}

// Says to the style that an explorer is in use.
function playing({ target }) {
  document.getElementById("main").classList.toggle("plays", target.closest(".explorer") !== null);
}

// On paper nothing is folded that was not folded by the reader's own hand.
async function main() {
  theme();
  unfold();
  addEventListener("hashchange", unfold);
  addEventListener("focusin", playing);
  search(document.querySelector("form[role=search]"), () => packed("search.bin"), words);
  begin(words);
  compute();
  await Promise.all([...document.querySelectorAll("[data-quiz]")].map(asked));
  for (const place of document.querySelectorAll("[data-writing]")) write(place, await told(place.dataset.writing), words);
  for (const part of document.querySelectorAll("main > section, .contents")) await typeset([part]);
  document.documentElement.classList.add("ready");
}

main();
