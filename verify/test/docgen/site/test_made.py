# SPDX-License-Identifier: BSD-2-Clause
"""Checks of a site that was made."""

from pathlib import Path

import pytest

from verify.docgen.site import made

PAGE = '<html>\n<h1 id="a">x</h1>\n{}\n</html>'


@pytest.mark.parametrize(
    ("planted", "said"),
    [
        ('<a href="b.html#a">b</a>', ""),
        ('<a href="https://example.org/">out</a>', ""),
        ('<img src="data:image/png;base64,AA==">', ""),
        ('<a href="c.html">c</a>', "index.html:3: the link (c.html) leads to no file of the site."),
        ('<a href="#b">b</a>', "index.html:3: the link (#b) leads to no place of its page."),
        (
            '<a href="b.html#b">b</a>',
            "index.html:3: the link (b.html#b) leads to no place of its page.",
        ),
        (
            '<script src="https://x.org/a.js"></script>',
            "index.html:3: loads https://x.org/a.js from the network.",
        ),
        ('<link href="//x.org/a.css">', "index.html:3: loads //x.org/a.css from the network."),
    ],
)
def test_what_leads_nowhere_or_comes_from_the_network(
    tmp_path: Path, planted: str, said: str
) -> None:
    (tmp_path / "index.html").write_text(PAGE.format(planted))
    (tmp_path / "b.html").write_text(PAGE.format(""))
    assert made.errors(tmp_path) == [said] * bool(said)


def test_a_style_from_the_network(tmp_path: Path) -> None:
    (tmp_path / "a.css").write_text("a {}\n@font-face { src: url(https://x.org/f.woff) }\n")
    assert made.errors(tmp_path) == ["a.css:2: a style from the network."]
