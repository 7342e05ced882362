// How much better one of two is: a slider with words, which a keyboard moves and a screen reader reads out.

const PAGE = `
  <label class="degree-label">Which do you like better, and by how much?
    <input type="range" min="0" max="1" step="0.01">
  </label>
  <div class="degree-ends"><span aria-hidden="true">A much better</span><button type="button">alike</button>
    <span aria-hidden="true">B much better</span></div>
  <p class="degree-says" aria-hidden="true"></p>`;
const STEPS = [[0.005, "alike"], [0.15, "slightly better"], [0.35, "better"], [1, "much better"]];

function words(value) {
  const far = STEPS.find(([end]) => Math.abs(value - 0.5) < end)[1];
  return far === "alike" ? far : `${value < 0.5 ? "A" : "B"} ${far}`;
}

function draw(state, model, el) {
  const root = document.createElement("div");
  root.className = "degree";
  root.setAttribute("data-lm-suppress-shortcuts", "true");
  root.innerHTML = PAGE;
  const [slider, says] = [root.querySelector("input"), root.querySelector(".degree-says")];
  const show = () => {
    const said = state.touched ? words(state.value) : "no answer yet: move the slider";
    slider.value = state.value;
    slider.setAttribute("aria-valuetext", said);
    says.textContent = said;
  };
  const answer = (value) => {
    Object.assign(state, { value, touched: true });
    model.send({ value }); // at once: a change of the model may wait, and be overtaken by a button
    for (const view of state.views) view();
  };
  // Where the slider stands already nothing is an "input", and a finger makes no "click" on a slider.
  for (const event of ["input", "click", "touchend"]) slider.addEventListener(event, () => answer(slider.valueAsNumber));
  root.querySelector("button").addEventListener("click", () => answer(0.5));
  root.addEventListener("keydown", (event) => event.stopPropagation()); // JupyterLab takes arrow keys for itself
  el.append(root);
  state.views.add(show);
  show();
  return () => state.views.delete(show);
}

export default () => {
  const state = { value: 0.5, touched: false, views: new Set() };
  return {
    initialize({ model }) {
      const place = () => {
        [, state.value, state.touched] = model.get("_placed");
        for (const view of state.views) view();
      };
      place();
      model.on("change:_placed", place);
    },
    render: ({ model, el }) => draw(state, model, el),
  };
};
