# SPDX-License-Identifier: BSD-2-Clause
"""Files of a page in pieces."""

from pathlib import Path

from verify.docgen import snippets

PAGE = """\
```c a.c
int a;
```

```
no file
```

```graph b.graph
lance
```

```c a.c
int b;
```
"""


def test_pieces_are_joined_and_lie_as_a_stack_s(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(PAGE)
    assert snippets.files(PAGE) == {"a.c": "int a;\nint b;\n", "b.graph": "lance\n"}
    snippets.write(page, tmp_path / "mine")
    assert (tmp_path / "mine" / "a" / "a.c").read_text() == "int a;\nint b;\n"
    assert (tmp_path / "mine" / "b.graph").read_text() == "lance\n"
