# SPDX-License-Identifier: BSD-2-Clause
"""Tables on a narrow terminal: columns that do not fit follow below, with the rows' names again."""

from rich.cells import cell_len
from rich.console import Console
from rich.table import Column, Table
from rich.text import Text

LEAST = 18  # letters of a row's name; longer names are folded


def show(table: Table, console: Console) -> None:
    """Print ``table``; its first column has the names. On a terminal that is too narrow for the
    others they come in groups, and a last column without a head, which only explains, is left
    out."""
    first, *others = table.columns
    name = min(_width(first), LEAST)
    room = console.width - name - _gap(table)
    if sum(_width(one) + _gap(table) for one in others) <= room:
        console.print(table)
        return
    if not others[-1].header:
        others.pop()
    for n, group in enumerate(groups := _groups(others, room, _gap(table))):
        console.print(_part(table, group, n == 0, n == len(groups) - 1), soft_wrap=False)


def _groups(columns: list[Column], room: int, gap: int) -> list[list[Column]]:
    """As many columns in a row as fit, at least one; a share stays with its figure."""
    groups: list[list[Column]] = []
    left = 0
    for column, after in zip(columns, [*columns[1:], None]):
        needs = _width(column) + gap
        with_share = needs + (_width(after) + gap if after and after.header == "%" else 0)
        if not groups or with_share > left and column.header != "%":
            groups.append([])
            left = room
        groups[-1].append(column)
        left -= needs
    return groups


def _part(table: Table, columns: list[Column], is_first: bool, is_last: bool) -> Table:
    part = Table(
        title=table.title if is_first else None,
        title_justify=table.title_justify,
        caption=table.caption if is_last else None,
        caption_justify=table.caption_justify,
        box=table.box,
        padding=table.padding,
        pad_edge=table.pad_edge,
        show_footer=table.show_footer,
    )
    chosen = [table.columns[0], *columns]
    for n, column in enumerate(chosen):
        look = {"overflow": "fold", "min_width": LEAST} if not n else {"no_wrap": True}
        header = column.header if n or is_first else ""
        part.add_column(header, column.footer, justify=column.justify, **look)
    for cells in zip(*(column.cells for column in chosen)):
        part.add_row(*cells)
    return part


def _width(column: Column) -> int:
    texts = [column.header, column.footer, *column.cells]
    shown = (Text.from_markup(text).plain if isinstance(text, str) else str(text) for text in texts)
    return max(column.min_width or 0, *(cell_len(text) for text in shown))


def _gap(table: Table) -> int:
    return table.padding[1] + table.padding[3]
