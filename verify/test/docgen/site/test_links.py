# SPDX-License-Identifier: BSD-2-Clause
"""Links of the pages lead somewhere; an error names page and line."""

from pathlib import Path

import pytest
from tools_support.pages import PAGES

from mcpi.base.errors import UserError
from mcpi.base.repo import ROOT
from verify.docgen.site import build, links, staging

PAGE = """\
# First part

[file](b.md) [part](#first-part)

```
[no](link.md)
```

[web](https://example.org/x.md#y) [none](c.md)
[heading](b.md#two-1) [no heading](b.md#three) [here](#two)
[out](../../x.md)
"""


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    (tmp_path / "b.md").write_text("# Two\n\n## Two!\n\n[back](a.md) [data](c.csv)\n")
    (tmp_path / "c.csv").write_text("a,b\n")
    (tmp_path / "a.md").write_text(PAGE)
    return tmp_path


def test_each_broken_link_is_named_with_page_and_line(pages: Path) -> None:
    assert links.errors([pages / "a.md"], pages) == [
        "a.md:9: the link (c.md) leads nowhere: there is no c.md.",
        "a.md:10: the link (b.md#three) leads nowhere: b.md has no heading #three.",
        "a.md:10: the link (#two) leads nowhere: a.md has no heading #two.",
        "a.md:11: the link (../../x.md) leads nowhere: the file is outside of the checkout.",
    ]


def test_pages_and_files_that_a_page_leads_to(pages: Path) -> None:
    found, others = links.closure(pages / "a.md")
    assert found == [pages / "a.md", pages / "b.md"] and others == [pages / "c.csv"]


def test_every_link_of_the_pages_leads_somewhere() -> None:
    led_to, _ = links.closure(staging.README)
    assert not links.errors({*led_to, *PAGES})


def test_a_broken_link_stops_the_site(monkeypatch, tmp_path: Path) -> None:
    """Before anything is built."""
    page = ROOT / "docs" / "how-to" / "exec.md"
    real = Path.read_text
    planted = {page: real(page) + "\n[x](no.md)\n"}
    monkeypatch.setattr(Path, "read_text", lambda p, *a, **k: planted.get(p) or real(p, *a, **k))
    line = len(planted[page].splitlines())
    with pytest.raises(UserError, match=rf"docs/how-to/exec.md:{line}: the link \(no.md\)"):
        build.check()
