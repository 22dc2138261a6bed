# SPDX-License-Identifier: BSD-2-Clause
"""Drawings by matplotlib as SVG: the same bytes on every machine, text that can be selected.

Import this only where something is drawn: matplotlib takes a second or two to load.
"""

import io
import re
import zlib
from xml.etree import ElementTree

from mcpi.base import environment

environment.want_group("drawing")

import matplotlib  # noqa: E402
from matplotlib.axes import Axes  # noqa: E402
from matplotlib.figure import Figure  # noqa: E402

SVG = "http://www.w3.org/2000/svg"
# Ids by a fixed salt, no date, and the font that comes with matplotlib.
SAME = {"svg.hashsalt": "mcpi", "svg.fonttype": "none", "font.family": "DejaVu Sans"}
SAME |= {"font.size": 9, "pdf.fonttype": 42}
NO_METADATA = dict.fromkeys(("Date", "Creator", "Format", "Type"))
NO_PDF_METADATA = dict.fromkeys(("CreationDate", "Creator", "Producer"))
matplotlib.rcdefaults()  # whatever settings a user keeps
matplotlib.rcParams.update(SAME)
ElementTree.register_namespace("", SVG)
ElementTree.register_namespace("xlink", "http://www.w3.org/1999/xlink")


class Drawing:
    """A figure of ``width`` × ``height`` CSS pixels, and what its parts say when pointed at.
    ``title`` and ``about``, if given: read out to those who cannot see it."""

    def __init__(self, width: float, height: float, title: str = "", about: str = "") -> None:
        self.figure = Figure(figsize=(width / 72, height / 72))  # SVG's unit is the point
        self.width, self.height, self.title, self.about = width, height, title, about
        self.said: dict[str, tuple[str, str, list[str]]] = {}

    def axes(self, left: float, top: float, width: float, height: float) -> Axes:
        """Empty axes at a place in pixels, with the origin at the top left."""
        low = self.height - top - height
        place = (left / self.width, low / self.height, width / self.width, height / self.height)
        axes = self.figure.add_axes(place)
        axes.set_axis_off()
        return axes

    def says(self, titles: list[str], class_: str, name: str = "") -> str:
        """The ``gid`` of an artist. ``titles``: of its shapes, in turn; ``name``: ``data-f``."""
        gid = f"said-{len(self.said)}"
        self.said[gid] = class_, name, titles
        return gid

    def svg(self) -> str:
        """An ``<svg>`` element that can stand in a page with others."""
        text = io.StringIO()
        self.figure.savefig(text, format="svg", metadata=NO_METADATA)
        root = ElementTree.fromstring(text.getvalue())
        for path in root.iter(f"{{{SVG}}}path"):
            path.set("d", re.sub(r"\s*\n\s*", "", path.get("d") or "").strip())  # none if too small
        for group in root.iter(f"{{{SVG}}}g"):
            _tell(group, *self.said.get(group.attrib.pop("id", ""), ("", "", [])))
        if self.title:
            _name(root, self.title, self.about)
        return ElementTree.tostring(root, encoding="unicode") + "\n"

    def pdf(self) -> bytes:
        """A page of the drawing's size: a pixel is a point, text stays text."""
        page = io.BytesIO()
        self.figure.savefig(page, format="pdf", metadata=NO_PDF_METADATA | {"Title": self.title})
        return page.getvalue()


def _name(root: ElementTree.Element, title: str, about: str) -> None:
    """Put the words in front; their ids differ from those of another drawing in the page."""
    own = f"{zlib.crc32((title + about).encode()):08x}"
    ids = f"title-{own}", f"about-{own}"
    root.set("role", "img")
    root.set("aria-labelledby", " ".join(ids))
    for at, (tag, text) in enumerate((("title", title), ("desc", about))):
        element = ElementTree.Element(f"{{{SVG}}}{tag}", {"id": ids[at]})
        element.text = text
        root.insert(at, element)


def _tell(group: ElementTree.Element, class_: str, name: str, titles: list[str]) -> None:
    if class_:
        group.set("class", class_)
    if name:
        group.set("data-f", name)
    for path, title in zip(group.findall(f"{{{SVG}}}path"), titles):
        ElementTree.SubElement(path, f"{{{SVG}}}title").text = title
