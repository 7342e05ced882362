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

// A formula wider than the slide becomes smaller, in steps: browsers round the height of an x, its unit.
function fitFormulas() {
    for (const formula of document.querySelectorAll(".page mjx-container")) {
        const room = formula.closest("li, td, .block").clientWidth;
        const tooWide = () => formula.querySelector("svg").getBoundingClientRect().width > room;
        let size = parseFloat(formula.style.fontSize) || 100; // percent, by which MathJax matches the text
        while (room > 0 && size > 40 && tooWide()) formula.style.fontSize = `${(size -= 2)}%`;
    }
}

// To the next slide that is not a proof or another folded text.
function jump() {
    const slides = Reveal.getSlides();
    const next = slides.slice(slides.indexOf(Reveal.getCurrentSlide()) + 1).find((slide) => !("folded" in slide.dataset));
    const { h, v } = next ? Reveal.getIndices(next) : Reveal.getIndices();
    Reveal.slide(h, v ?? 0);
}

const forward = () => scroll(1) || Reveal.next();
const back = () => scroll(-1) || Reveal.prev();
const KEYS = {
    32: (event) => (event.shiftKey ? back() : forward()), // space
    33: back, // page up
    34: forward, // page down
    38: () => scroll(-1) || Reveal.up(),
    40: () => scroll(1) || Reveal.down(),
    74: jump, // J
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
