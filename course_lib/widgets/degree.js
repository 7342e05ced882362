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

export default {
  render({ model, el }) {
    const root = document.createElement("div");
    root.className = "degree";
    root.setAttribute("data-lm-suppress-shortcuts", "true");
    root.innerHTML = PAGE;
    const [slider, says] = [root.querySelector("input"), root.querySelector(".degree-says")];
    const show = () => {
      slider.value = model.get("value");
      slider.setAttribute("aria-valuetext", words(slider.valueAsNumber));
      says.textContent = words(slider.valueAsNumber);
    };
    slider.addEventListener("input", () => {
      model.set("value", slider.valueAsNumber);
      model.save_changes();
      show();
    });
    root.addEventListener("keydown", (event) => event.stopPropagation()); // JupyterLab takes arrow keys for itself
    model.on("change:value", show);
    el.append(root);
    show();
    return () => model.off("change:value", show);
  },
};
