// Starts the slides: formulas first, then reveal.js; keys that move within a slide before they leave it.

const STEP = 0.8; // of what is seen, with one key

const current = () => Reveal.getCurrentSlide()?.querySelector(".page");

// Moves within the slide; false if there is nothing more in this direction.
function scroll(direction) {
    const page = current();
    const left = page ? page.scrollHeight - page.clientHeight - page.scrollTop : 0;
    if (!page || (direction > 0 ? left < 2 : page.scrollTop < 2)) return false;
    page.scrollBy({ top: direction * STEP * page.clientHeight, behavior: "instant" });
    return true;
}

// What is too tall can be reached by the keyboard alone, and is announced as what it is.
function markTall() {
    for (const page of document.querySelectorAll(".page")) {
        const tall = page.scrollHeight > page.clientHeight + 1 && page.clientHeight > 0;
        if (!tall) continue;
        page.tabIndex = 0;
        page.setAttribute("role", "region");
        page.setAttribute("aria-label", "a long slide");
    }
}

// A formula wider than the slide becomes smaller.
function fitFormulas() {
    for (const formula of document.querySelectorAll(".page mjx-container")) {
        const room = formula.closest("li, td, .block").clientWidth;
        const wide = formula.querySelector("svg").getBoundingClientRect().width;
        const size = parseFloat(formula.style.fontSize) || 100; // percent, by which MathJax matches the text
        if (room > 0 && wide > room) formula.style.fontSize = `${Math.floor((size * room) / wide)}%`;
    }
}

const forward = () => scroll(1) || Reveal.next();
const back = () => scroll(-1) || Reveal.prev();
const KEYS = {
    32: (event) => (event.shiftKey ? back() : forward()), // space
    33: back, // page up
    34: forward, // page down
    38: () => scroll(-1) || Reveal.up(),
    40: () => scroll(1) || Reveal.down(),
    78: forward, // N
    80: back, // P
};

async function start() {
    const printing = /print-pdf/.test(location.search);
    const laidOut = new Promise((done) => Reveal.on(printing ? "pdf-ready" : "ready", done));
    await MathJax.startup.promise;
    await MathJax.typesetPromise();
    fitFormulas();
    markTall();
    document.documentElement.classList.add("typeset");
    Reveal.initialize({ ...REVEAL, keyboard: KEYS, plugins: [RevealNotes] });
    Reveal.on("slidechanged", () => current()?.scrollTo(0, 0));
    await laidOut;
    document.documentElement.classList.add("ready");
}

start();
