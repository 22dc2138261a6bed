# SPDX-License-Identifier: BSD-2-Clause
"""Self-contained HTML pages from the templates that lie beside the modules."""

import json
from pathlib import Path

from mcpi.base import environment

environment.want_group("drawing")

import jinja2  # noqa: E402

PACKAGE = Path(__file__).parents[1]
_PAGES = jinja2.Environment(
    loader=jinja2.FileSystemLoader(PACKAGE),
    autoescape=True,
    trim_blocks=True,
    lstrip_blocks=True,
    undefined=jinja2.StrictUndefined,
)


def render(name: str, **values: object) -> str:
    """The page of a template, by its path below ``tools/mcpi``; nothing it needs lies elsewhere."""
    css = (PACKAGE / "base" / "html" / "page.css").read_text()
    return _PAGES.get_template(name).render(css=css, **values)


def embedded(value: object) -> str:
    """JSON that can stand inside a script element."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).replace("</", "<\\/")
