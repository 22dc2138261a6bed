# SPDX-License-Identifier: BSD-2-Clause
"""HTML as a tree of elements: escaping and nesting are the library's."""

from xml.etree import ElementTree

Element = ElementTree.Element


def e(tag: str, *children: Element | str | None, **attributes: str) -> Element:
    """An element; ``class_`` stands for class, ``_`` in a name for ``-``; None is left out."""
    names = {k.rstrip("_").replace("_", "-"): v for k, v in attributes.items() if v is not None}
    element = Element(tag, names)
    last = None
    for child in children:
        if child is None:
            continue
        if isinstance(child, str):
            if last is None:
                element.text = (element.text or "") + child
            else:
                last.tail = (last.tail or "") + child
        else:
            element.append(child)
            last = child
    return element


def text(document: Element) -> str:
    """The page's bytes as a string."""
    body = ElementTree.tostring(document, encoding="unicode", method="html")
    return f"<!DOCTYPE html>\n{body}\n"
