# SPDX-License-Identifier: BSD-2-Clause
"""The standard that each figure of a study keeps, as a check of drawings."""

import re
from xml.etree import ElementTree

from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.text import Text

from mcpi.base.drawing import SVG, Drawing
from mcpi.studykit.panels import COLUMN


def check(drawings: list[Drawing]) -> None:
    """Each is a column wide, has a title of its own and words for those who cannot see it, labels
    with unit and n, and no text that is cut; its PDF has the same width."""
    titles = [one.title for one in drawings]
    assert drawings and len(set(titles)) == len(titles), titles
    for one in drawings:
        root = ElementTree.fromstring(one.svg())
        title, about = root.find(f"{{{SVG}}}title"), root.find(f"{{{SVG}}}desc")
        assert title.text == one.title and len(about.text or "") > 20, one.title
        assert root.get("aria-labelledby").split() == [title.get("id"), about.get("id")]
        assert one.width == COLUMN, one.title
        assert not (texts := cut(one)), (one.title, texts)
        box = re.search(rb"/MediaBox \[ 0 0 ([\d.]+) ", one.pdf())
        assert float(box[1]) == COLUMN, one.title


def check_axes(drawings: list[Drawing], units: str, sample: str = r"n = \d") -> None:
    """The axes' labels have units and n (regular expressions)."""
    for one in drawings:
        words = " ".join(text.get_text() for text in _texts(one))
        assert re.search(units, words) and re.search(sample, words), (one.title, words)


def cut(drawing: Drawing) -> list[str]:
    """Texts that do not fit in the drawing."""
    drawing.figure.set_dpi(72)  # a pixel is a point
    renderer = FigureCanvasAgg(drawing.figure).get_renderer()
    found = []
    for text in _texts(drawing):
        box = text.get_window_extent(renderer)
        inside = box.x0 >= -1 and box.x1 <= drawing.width + 1 and box.y0 >= -1
        if text.get_text().strip() and not (inside and box.y1 <= drawing.height + 1):
            found.append(text.get_text())
    return found


def _texts(drawing: Drawing) -> list[Text]:
    """The texts that are drawn: no labels of an axis that is off, or beyond its ends."""
    found: list[Text] = []
    for axes in drawing.figure.axes:
        off = _beyond(axes) if axes.axison else _of_axis(axes)
        found += [text for text in axes.findobj(Text) if text.get_visible() and text not in off]
    return found


def _beyond(axes: Axes) -> list[Text]:
    found = []
    for n, axis in enumerate((axes.xaxis, axes.yaxis)):
        low, high = axis.get_view_interval()
        found += [t for t in axis.get_ticklabels() if not low <= t.get_position()[n] <= high]
    return found


def _of_axis(axes: Axes) -> list[Text]:
    return [*axes.xaxis.findobj(Text), *axes.yaxis.findobj(Text)]
