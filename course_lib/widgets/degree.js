// How much better one of two is: a slider with words, which a keyboard moves and a screen reader reads out.

const PAGE = `
  <label class="degree-label">Which do you like better, and by how much?
    <input type="range" min="0" max="1" step="0.01">
  </label>
  <div class="degree-ends" aria-hidden="true"><span>A much better</span><span>alike</span><span>B much better</span></div>
  <p class="degree-says" aria-hidden="true"></p>`;
const STEPS = [[0.005, "alike"], [0.15, "a little better"], [0.35, "better"], [1, "much better"]];

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
    slider.value = state.value;
    slider.setAttribute("aria-valuetext", words(state.value));
    says.textContent = words(state.value);
  };
  slider.addEventListener("input", () => {
    state.value = slider.valueAsNumber;
    model.send({ value: state.value }); // at once: a change of the model may wait, and be overtaken by a button
    for (const view of state.views) view();
  });
  root.addEventListener("keydown", (event) => event.stopPropagation()); // JupyterLab takes arrow keys for itself
  el.append(root);
  state.views.add(show);
  show();
  return () => state.views.delete(show);
}

export default () => {
  const state = { value: 0.5, views: new Set() };
  return {
    initialize({ model }) {
      const place = () => {
        state.value = model.get("_placed")[1];
        for (const view of state.views) view();
      };
      place();
      model.on("change:_placed", place);
    },
    render: ({ model, el }) => draw(state, model, el),
  };
};
