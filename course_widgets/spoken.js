// What ipywidgets leaves unsaid: a slider has no name in the browser, and one on a logarithmic scale tells its exponent;
// a chosen answer is a colour only. This says all three, inside the box that it stands in and nowhere else.

const SEEN = { subtree: true, childList: true, characterData: true, attributes: true };
const WATCHED = ["class", "aria-valuetext"]; // the other attributes are nobody's business here

function put(element, attributes) {
  for (const [name, value] of Object.entries(attributes))
    if (element.getAttribute(name) !== value) element.setAttribute(name, value); // or it would hear itself for ever
}

function nameSlider(slider) {
  const [handle, label, readout] = [".noUi-handle", ".widget-label", ".widget-readout"].map((part) =>
    slider.querySelector(part)
  );
  if (!handle || !label || !readout) return; // not drawn yet; it is heard of when it is
  const name = label.textContent;
  put(handle, { "aria-label": name, "aria-valuetext": readout.textContent });
  put(readout, { role: "textbox", "aria-label": `${name}, typed` });
}

function nameAnswers(answers) {
  put(answers, { role: "group", "aria-label": answers.previousElementSibling?.textContent.trim() || "Answers" });
  for (const answer of answers.querySelectorAll(".widget-toggle-button"))
    put(answer, { "aria-pressed": String(answer.classList.contains("mod-active")) });
}

function name(box) {
  box.querySelectorAll(".widget-slider").forEach(nameSlider);
  box.querySelectorAll(".widget-toggle-buttons").forEach(nameAnswers);
}

function render({ el }) {
  let frame;
  const begin = () => {
    const box = el.closest(".widget-vbox");
    if (!box) return (frame = requestAnimationFrame(begin)); // a view is drawn first, and put into its box then
    observer.observe(box, { ...SEEN, attributeFilter: WATCHED });
    name(box);
  };
  const observer = new MutationObserver(() => name(el.closest(".widget-vbox") ?? el));
  begin();
  return () => {
    cancelAnimationFrame(frame);
    observer.disconnect();
  };
}

export default { render };
