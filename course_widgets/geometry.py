"""A drawing as geometry: what matplotlib would paint, read as points in half pixels instead.

read(figure)        the figure's marks, in the order in which they are painted

Lecture: 00.
"""

import base64
import io
from contextlib import contextmanager
from typing import NamedTuple

import matplotlib
import numpy as np
from matplotlib.backend_bases import RendererBase
from matplotlib.colors import to_hex
from matplotlib.path import Path
from matplotlib.textpath import TextPath
from matplotlib.transforms import Affine2D
from PIL import Image

from course_widgets import style

PATH_LETTERS = {Path.MOVETO: "M", Path.LINETO: "L", Path.CURVE3: "Q", Path.CURVE4: "C"}
LONG_LINE = 1500  # points of a line, from where on it is simplified as matplotlib does it
FAR_HALF_PIXELS = 16_000  # half pixels: what lies farther outside is not seen
COLOURS = {
    name: getattr(style, name.upper()).lower()
    for name in ("blue", "orange", "green", "pink", "sky", "vermilion", "grey")
}  # of the page, which has others for the dark
COLOUR_VARIABLES = {colour: f"var(--{name})" for name, colour in COLOURS.items()}
INK = {"#000000": "var(--ink)", "#ffffff": "var(--paper)"}  # of lines and letters; a grey surface is what it is
NO_INK = {}  # of surfaces
ENLARGED = ("nearest", "antialiased", "auto", "bilinear")  # interpolations that a page has, too


def palette():
    """The light colours of figures as CSS variables."""
    return f":root {{{' '.join(f'--{name}: {colour};' for name, colour in COLOURS.items())}}}\n"


class Mark(NamedTuple):
    """One thing painted.

    look : tuple of (attribute, value): its kind ("path", "marks", "text", "image"), colours, widths, shape
    text : the letters of a text, the PNG of an image as a data address, or ""
    points : (n, 2) half pixels from the upper left, integers: of a text both ends of its baseline, of an image
        where the upper left, the upper right and the lower left corner of its PNG lie
    """

    look: tuple
    text: str
    points: np.ndarray


def read(figure, dpi=style.DPI):
    """The marks of a matplotlib figure, first painted first. Its own background is the page's business.

    dpi : pixels in an inch; with more, places are finer
    """
    with matplotlib.rc_context(style.STYLE), _prepared(figure, dpi):
        renderer = Reader(figure)
        figure.draw(renderer)
    return renderer.marks


@contextmanager
def _prepared(figure, dpi):
    """The figure without its paper and with images as they are; afterwards it is what it was."""
    usual = figure.dpi
    papers = [one for one in (figure.patch, *(ax.patch for ax in figure.axes)) if one.get_visible()]
    papers = [one for one in papers if to_hex(one.get_facecolor()) == "#ffffff"]
    images = {image: image.get_interpolation() for ax in figure.axes for image in ax.images}
    figure.set_dpi(dpi)
    for paper in papers:
        paper.set_visible(False)
    for image, interpolation in images.items():
        image.set_url(interpolation)  # which the graphics context carries to `draw_image`
        # Its own few pixels are kept, and the page enlarges them.
        image.set_interpolation("none" if interpolation in ENLARGED else interpolation)
    yield
    figure.set_dpi(usual)
    for paper in papers:
        paper.set_visible(True)
    for image, interpolation in images.items():
        image.set_url(None)
        image.set_interpolation(interpolation)


class Reader(RendererBase):
    """Takes down what is painted."""

    def __init__(self, figure):
        super().__init__()
        self.width, self.height = (float(size) for size in figure.get_size_inches() * figure.dpi)
        self.dpi, self.marks, self.covered = figure.dpi, [], []

    def get_canvas_width_height(self):
        return self.width, self.height

    def points_to_pixels(self, points):
        return points * self.dpi / 72

    def option_scale_image(self):
        return True

    def option_image_nocomposite(self):
        return True

    # --- what is painted

    def draw_path(self, gc, path, transform, rgbFace=None, ink=NO_INK):
        simplify = None if len(path.vertices) > LONG_LINE else False
        vertices, letters = outline(path.cleaned(transform, remove_nans=True, curves=True, simplify=simplify))
        if len(vertices):
            points = self._points(vertices)
            look = self._look(gc, rgbFace, points[0], ink)
            self._put({"kind": "path", "d": letters, **look}, points)
            if "fill" in look and "stroke" not in look and len(points) <= 5 and look["fill"][0] == "#":
                self.covered.append((points.min(axis=0), points.max(axis=0)))

    def draw_markers(self, gc, marker_path, marker_trans, path, trans, rgbFace=None):
        places = trans.transform(path.vertices)
        if places.any():
            self._put_markers(gc, marker_path, marker_trans, places[np.isfinite(places).all(axis=1)], rgbFace)
        else:
            self.draw_path(gc, marker_path, marker_trans, rgbFace)  # a collection of one path, which is where it is

    def draw_path_collection(
        self, gc, master_transform, paths, all_transforms, offsets, offset_trans, *looks, hatchcolors=None
    ):
        shapes = list(self._iter_collection_raw_paths(master_transform, paths, all_transforms))
        found = self._iter_collection(
            gc, shapes, offsets, offset_trans, *looks, hatchcolors=[] if hatchcolors is None else hatchcolors
        )
        for x, y, (path, transform), gc0, face in found:
            if x or y:
                self._put_markers(gc0, path, transform, np.array([[x, y]]), face)
            else:
                self.draw_path(gc0, path, transform, face)

    def draw_image(self, gc, x, y, im, transform=None):
        placed = Affine2D().scale(im.shape[1], im.shape[0]) if transform is None else transform
        is_smooth = transform is None or gc.get_url() == "bilinear"
        self._put_image(gc, im, placed.transform([(0, 0), (1, 0), (0, 1)]) + np.array([x, y]), is_smooth)

    def draw_quad_mesh(self, gc, transform, wide, high, coordinates, offsets, offset_trans, colors, *looks):
        """Cells as pixels of an image, if all have one size and are upright."""
        corners = transform.transform(coordinates.reshape(-1, 2)).reshape(high + 1, wide + 1, 2)
        ends = corners[[0, 0, -1], [0, -1, 0]]
        x, y = np.linspace(ends[0], ends[1], wide + 1), np.linspace(ends[0], ends[2], high + 1)
        if np.abs(corners - (x + y[:, None] - ends[0])).max() > 0.5:
            return super().draw_quad_mesh(
                gc, transform, wide, high, coordinates, offsets, offset_trans, colors, *looks
            )
        self._put_image(gc, np.round(255 * colors).astype(np.uint8).reshape(high, wide, 4), ends)

    def draw_text(self, gc, x, y, s, prop, angle, ismath=False, mtext=None):
        if ismath:
            letters = TextPath((0, 0), s, size=prop.get_size_in_points(), prop=prop)
            placed = Affine2D().scale(self.dpi / 72).rotate_deg(angle).translate(x, self.height - y)
            gc.set_linewidth(0)
            return self.draw_path(gc, letters, placed, gc.get_rgb(), INK)
        width = self.get_text_width_height_descent(s, prop, ismath)[0]
        along = width * np.array([np.cos(np.deg2rad(angle)), -np.sin(np.deg2rad(angle))])
        points = halves(np.add([x, y], [np.zeros(2), along]))
        look = {"kind": "text", "font-size": f"{self.points_to_pixels(prop.get_size_in_points()):.4g}"}
        if str(prop.get_weight()) in ("bold", "semibold", "600", "700"):
            look["font-weight"] = "bold"
        if prop.get_style() == "italic":
            look["font-style"] = "italic"
        color = self._color("fill", gc.get_rgb(), gc, points[0], INK)
        return self._put({**look, **color, **self._clip(gc)}, points, s)

    # --- how it is taken down

    def _put(self, look, points, text=""):
        self.marks.append(Mark(tuple(look.items()), text, points))

    def _put_image(self, gc, pixels, corners, is_smooth=False):
        """An image, whose first row begins at the first of the corners and ends at the second."""
        points, rendering = self._points(corners), "auto" if is_smooth else "pixelated"
        self._put({"kind": "image", "image-rendering": rendering, **self._clip(gc)}, points, address(pixels))
        self.covered.append((points.min(axis=0), points.max(axis=0)))

    def _put_markers(self, gc, path, transform, places, face):
        """Copies of one shape; those that look alike and follow each other are one mark."""
        vertices, letters = outline(path.cleaned(transform, remove_nans=True, curves=True, simplify=False))
        if not len(places) or not len(vertices):
            return
        shape = " ".join(f"{value:.4g}" for value in (vertices * (1, -1)).ravel())
        points = self._points(places)
        look = {"kind": "marks", "d": letters, "shape": shape, **self._look(gc, face, points[0])}
        last = self.marks[-1] if self.marks else None
        if last and last.look == tuple(look.items()):
            self.marks[-1] = last._replace(points=np.concatenate([last.points, points]))
        else:
            self._put(look, points)

    def _points(self, places):
        """(n, 2) half pixels of places counted in pixels from the lower left."""
        return halves(np.asarray(places) * (1, -1) + (0, self.height))

    def _look(self, gc, face, first, ink=NO_INK):
        look = self._clip(gc)
        if face is not None and (len(face) < 4 or face[3] > 0):
            look |= self._color("fill", face, gc, first, ink)
        width = self.points_to_pixels(gc.get_linewidth())
        if width > 0 and gc.get_rgb()[3] > 0:
            look |= self._color("stroke", gc.get_rgb(), gc, first, INK)
            look["stroke-width"] = f"{width:.3g}"
            if gc.get_dashes()[1] is not None:
                look["stroke-dasharray"] = " ".join(f"{self.points_to_pixels(d):.3g}" for d in gc.get_dashes()[1])
            for name, value, usual in (
                ("stroke-linecap", {"projecting": "square"}.get(gc.get_capstyle(), gc.get_capstyle()), "butt"),
                ("stroke-linejoin", gc.get_joinstyle(), "miter"),
            ):
                look |= {name: str(value)} if value != usual else {}
        return look

    def _color(self, name, color, gc, first, ink):
        """A colour: by its name where the page has one for the dark, too, and as it is on what has its own colour."""
        opacity = gc.get_alpha() if gc.get_forced_alpha() else (color[3] if len(color) > 3 else 1)
        code = to_hex(color[:3])
        on_a_surface = any((low <= first).all() and (first <= high).all() for low, high in self.covered)
        code = code if on_a_surface else {**COLOUR_VARIABLES, **ink}.get(code, code)
        return {name: code} | ({f"{name}-opacity": f"{opacity:.3g}"} if opacity < 1 else {})

    def _clip(self, gc):
        box = gc.get_clip_rectangle()
        if box is None:
            return {}
        (left, low), (right, high) = self._points([(box.x0, box.y1), (box.x1, box.y0)])
        return {"clip": f"{left / 2:g} {low / 2:g} {(right - left) / 2:g} {(high - low) / 2:g}"}


def halves(places):
    """Places in pixels as whole half pixels."""
    return np.round(2 * np.asarray(places)).clip(-FAR_HALF_PIXELS, FAR_HALF_PIXELS).astype(np.int16)


def outline(path):
    """((n, 2) vertices, letters such as "ML199Z") of a cleaned path; what repeats is counted."""
    vertices, letters, count = [], "", 0
    for vertex, code in zip(path.vertices, path.codes, strict=True):
        letter = "Z" if code == Path.CLOSEPOLY else PATH_LETTERS.get(code)
        if letter is None:
            continue
        if letter != "Z":
            vertices.append(vertex)
        if letters and letters[-1] == letter and letter != "Z":
            count += 1
        else:
            letters += (str(count) if count > 1 else "") + letter
            count = 1
    return np.array(vertices).reshape(-1, 2), letters + (str(count) if count > 1 else "")


def address(pixels):
    """An image as a PNG in a data address; pixels (rows, columns, 4)."""
    data = io.BytesIO()
    picture = Image.fromarray(np.ascontiguousarray(pixels))
    picture = picture if pixels[..., 3].min() < 255 else picture.convert("RGB")
    few = picture.convert("RGB").getcolors(256) if picture.mode == "RGB" else None
    (picture.quantize(256, dither=Image.Dither.NONE) if few else picture).save(data, "PNG", optimize=True)
    return "data:image/png;base64," + base64.b64encode(data.getvalue()).decode()
