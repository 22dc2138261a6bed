# SPDX-License-Identifier: BSD-2-Clause
"""Sources of the site: pages by reader, pages that show other files, the first page."""

from pathlib import Path

import pytest

from mcpi.base.errors import UserError
from mcpi.base.repo import ROOT
from verify.docgen.site import links, staging

README = """\
# mCPI

It simulates.
All of it.

![figure](a.svg)

```
./mcpi run
```

Git is enough.

| you want to | read |
|---|---|
| run | [it](run.md) |

The paper is X.

## One run
"""


def test_each_page_is_under_the_reader_of_the_index(tmp_path: Path) -> None:
    index = tmp_path / "README.md"
    index.write_text(
        "[no](x.md)\n\n**Learn**\n\n- [a](a.md)\n\n**Do**\n\n- [b](b.md#c) [a](a.md)\n"
    )
    assert staging.readers(index) == {"Learn": [tmp_path / "a.md"], "Do": [tmp_path / "b.md"]}


def test_the_index_of_the_checkout_has_every_reader() -> None:
    found = staging.readers()
    assert list(found)[:4] == ["Learn", "Do", "Look up", "Understand"]
    assert ROOT / "docs/how-to/exec.md" in found["Do"]


def test_the_first_page_has_readme_s_parts() -> None:
    page = staging.first_page(README, "{sentence}|{figure}|{commands}|{paper}|{pages}")
    assert page.split("|", 4)[:4] == [
        "It simulates.\nAll of it.",
        "![figure](a.svg)",
        "```\n./mcpi run\n```\n\nGit is enough.",
        "The paper is X.",
    ]
    assert page.endswith("| run | [it](run.md) |")
    assert "[a page" in staging.first_page(README, "{playground}")
    assert '<a href="watch.html">' in staging.first_page(README, "{playground}", "watch.html")
    with pytest.raises(UserError, match="finds no figure"):
        staging.first_page(README.replace("![", "["), "{figure}")


def test_a_page_keeps_its_lines_and_links_to_files_lead_to_pages() -> None:
    page = ROOT / "docs" / "reference" / "counters.md"
    before, after = page.read_text().split("\n"), staging.rewritten(page).split("\n")
    assert len(before) == len(after)
    changed = [line for line, old in zip(after, before, strict=True) if line != old]
    assert changed and all(".csv.md)" in line or ".csv.md#" in line for line in changed)


def test_a_file_of_values_becomes_a_table(monkeypatch, tmp_path: Path) -> None:
    monkeypatch.setattr(staging, "ROOT", tmp_path)
    file = tmp_path / "a.csv"
    file.write_text('# SPDX-License-Identifier: X\n# Of *what*.\na,b\n1,"x|y"\n')
    assert staging.as_page(file) == (
        "# a.csv\n\nOf \\*what\\*.\n\n| a | b |\n| --- | --- |\n| 1 | x\\|y |\n"
    )
    source = tmp_path / "a.c"
    source.write_text("/* ``` */\n")
    assert staging.as_page(source) == "# a.c\n\n````c\n/* ``` */\n````\n"


def test_every_page_and_file_is_staged(tmp_path: Path) -> None:
    staging.stage(tmp_path, ["commands"])
    pages, others = links.closure(ROOT / "README.md")
    for page in pages:
        assert (tmp_path / page.relative_to(ROOT)).is_file()
    for other in others:
        name = other.name if other.suffix in staging.IMAGES else f"{other.name}.md"
        assert (tmp_path / other.relative_to(ROOT).with_name(name)).is_file()
    first = (tmp_path / "index.md").read_text()
    for page in pages:
        assert f"\n{str(page.relative_to(ROOT))[:-3]}\n" in first, page
    assert "\ngenerated/commands\n" in first and "{" not in first.partition("```{")[0]
