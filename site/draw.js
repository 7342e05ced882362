// A recorded state as SVG: one element for each mark, in the order in which they were painted.

const NAMESPACE = "http://www.w3.org/2000/svg";
const GIVEN = new Set(["kind", "d", "shape", "clip", "read", "copy"]); // no plain attributes of the element
let clips = 0; // on the page, so that no two have one name

export const make = (tag) => document.createElementNS(NAMESPACE, tag);
export const set = (node, attributes) => Object.entries(attributes).forEach(([name, value]) => node.setAttribute(name, value));

export class Drawing {
  constructor(size, label) {
    this.svg = make("svg");
    set(this.svg, { viewBox: `0 0 ${size[0]} ${size[1]}`, role: "img", style: `max-width:${size[0]}px` });
    this.title = make("title");
    this.clips = make("defs");
    this.svg.append(this.title, this.clips);
    this.nodes = []; // { look, mark, holder, node }
    this.known = new Map(); // name of a clip, by its box
    this.name(label);
  }

  name(label) {
    this.title.textContent = label;
    this.svg.setAttribute("aria-label", label);
  }

  // Only what differs from what is there is touched.
  show(marks) {
    marks.forEach((mark, slot) => {
      let place = this.nodes[slot];
      if (place?.mark === mark) return;
      if (place?.mark.look !== mark.look) {
        const fresh = this.element(mark);
        place ? place.node.replaceWith(fresh.node) : this.svg.append(fresh.node);
        place = this.nodes[slot] = fresh;
      }
      shapes[mark.look.kind](place.inner, mark, place.mark);
      place.mark = mark;
    });
    this.nodes.splice(marks.length).forEach(({ node }) => node.remove());
  }

  element({ look }) {
    const inner = make({ text: "text", image: "image" }[look.kind] ?? "path");
    for (const [name, value] of Object.entries(look)) {
      if (GIVEN.has(name)) continue;
      if (value.startsWith("var")) inner.style[name] = value;
      else inner.setAttribute(name, value);
    }
    if (!look.fill) inner.setAttribute("fill", "none");
    let node = inner;
    if (look.clip) {
      // round what is moved, so that it does not move with it
      node = look.kind === "path" || look.kind === "marks" ? inner : make("g");
      node.setAttribute("clip-path", `url(#${this.clip(look.clip)})`);
      if (node !== inner) node.append(inner);
    }
    return { node, inner, mark: { look } };
  }

  clip(box) {
    if (!this.known.has(box)) {
      const [x, y, width, height] = box.split(" ");
      const [area, rectangle] = [make("clipPath"), make("rect")];
      set(area, { id: `clip-${(clips += 1)}` });
      set(rectangle, { x, y, width, height });
      area.append(rectangle);
      this.clips.append(area);
      this.known.set(box, area.id);
    }
    return this.known.get(box);
  }
}

const shapes = {
  path(node, { look, points }) {
    node.setAttribute("d", outline(letters(look), points, 0, 0, 0.5));
  },

  marks(node, { look, points }) {
    look.copy ??= look.shape.split(" ").map(Number);
    let all = "";
    for (let k = 0; k < points.length; k += 2)
      all += outline(letters(look), look.copy, points[k] / 2, points[k + 1] / 2, 1);
    node.setAttribute("d", all);
  },

  // A text is as long as it was recorded, whatever letters the reader's machine has.
  text(node, { text, points }, before) {
    const [x, y, along, down] = Array.from(points, (value) => value / 2);
    const [dx, dy] = [along - x, down - y];
    if (before.text !== text) node.textContent = text;
    set(node, { x, y, textLength: Math.max(1, Math.hypot(dx, dy)), lengthAdjust: "spacingAndGlyphs" });
    const turned = Math.abs(dy) > 0.6 ? (Math.atan2(dy, dx) * 180) / Math.PI : 0;
    if (turned) node.setAttribute("transform", `rotate(${turned.toFixed(2)} ${x} ${y})`);
    else node.removeAttribute("transform");
  },

  image(node, { text, points }, before) {
    const [x, y, rightX, rightY, downX, downY] = Array.from(points, (value) => value / 2);
    if (before.text !== text) set(node, { href: text, width: 1, height: 1, preserveAspectRatio: "none" });
    node.setAttribute("transform", `matrix(${rightX - x} ${rightY - y} ${downX - x} ${downY - y} ${x} ${y})`);
  },
};

// "ML3Z" as [["M", 1], ["L", 3], ["Z", 1]]; read once for each look.
const letters = (look) =>
  (look.read ??= [...look.d.matchAll(/([A-Z])(\d*)/g)].map(([, letter, count]) => [letter, Number(count) || 1]));

function outline(read, points, x, y, scale) {
  let [made, at] = ["", 0];
  for (const [letter, count] of read) {
    made += letter;
    if (letter === "Z") continue;
    for (let k = 0; k < count; k++, at += 2)
      made += `${Math.round((points[at] * scale + x) * 100) / 100} ${Math.round((points[at + 1] * scale + y) * 100) / 100} `;
  }
  return made;
}
