// A message over the page when the kernel ended or cannot be reached. It goes when the same kernel answers again.

const ENDED = ["restarting", "autorestarting", "terminating", "dead"];
const PATIENCE = 4000; // ms
const LOST = "course-personaliser-lost"; // where the next page looks whether to go on at once

function keep(lost) {
  try {
    lost ? sessionStorage.setItem(LOST, "yes") : sessionStorage.removeItem(LOST);
  } catch {
    return; // a browser may forbid it: "Continue here" is then pressed by hand
  }
}

function message(el) {
  const dialog = document.createElement("dialog");
  dialog.className = "connection-lost";
  dialog.setAttribute("role", "alertdialog");
  dialog.setAttribute("aria-label", "The connection was lost");
  dialog.innerHTML = `<p><b>The connection was lost.</b> <span></span></p><button type="button">Reload the page</button>`;
  dialog.querySelector("button").addEventListener("click", () => location.reload());
  dialog.addEventListener("cancel", (event) => event.preventDefault()); // behind it nothing can be answered
  el.append(dialog);
  return dialog;
}

export default {
  render({ model, el }) {
    const kernel = model.widget_manager.kernel;
    if (!kernel) return;
    const dialog = message(el), ownPage = document.body.dataset.voila !== undefined;
    let ended = false, waiting;
    const say = () => {
      const next = ownPage ? "Reload the page to go on." : "Run this cell again to go on.";
      dialog.querySelector("span").textContent = `${model.get("kept")} ${next}`;
      dialog.querySelector("button").hidden = !ownPage;
      if (!dialog.open) ownPage ? dialog.showModal() : dialog.show();
      keep(true);
    };
    const look = () => {
      clearTimeout(waiting);
      ended ||= ENDED.includes(kernel.status);
      if (ended) say();
      else waiting = setTimeout(say, PATIENCE);
    };
    const changed = () => {
      look();
      if (!ended && kernel.connectionStatus === "connected") model.send({});
    };
    const status = () => ENDED.includes(kernel.status) && look();
    model.on("msg:custom", () => {
      clearTimeout(waiting);
      if (ended) return;
      dialog.close();
      keep(false);
    });
    kernel.statusChanged.connect(status);
    kernel.connectionStatusChanged.connect(changed);
    return () => {
      clearTimeout(waiting);
      kernel.statusChanged.disconnect(status);
      kernel.connectionStatusChanged.disconnect(changed);
    };
  },
};
