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
        folds = sum(_width(one) + _gap(table) for one in group) > room
        console.print(_part(table, group, folds, n == 0, n == len(groups) - 1))


def _groups(columns: list[Column], room: int, gap: int) -> list[list[Column]]:
    """Groups of columns: in each as many as fit, at least one. A share stays with its figure."""
    groups: list[list[Column]] = []
    left = 0
    for column, after in zip(columns, [*columns[1:], None]):
        width = _least(column) + gap
        with_share = width + (_least(after) + gap if after and after.header == "%" else 0)
        if not groups or width > left or (with_share > left and column.header != "%"):
            groups.append([])
            left = room
        groups[-1].append(column)
        left -= width
    return groups


def _part(table: Table, columns: list[Column], folds: bool, is_first: bool, is_last: bool) -> Table:
    """Part of the table: the rows' names and these columns. ``folds``: heads, to the figures'
    width."""
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
        name = {"overflow": "fold", "min_width": min(_width(column), LEAST)}
        width = _least(column) if folds else _width(column)
        look = {"width": width} if n else name
        header = column.header if n or is_first else ""
        part.add_column(header, column.footer, justify=column.justify, **look)
    for cells in zip(*(column.cells for column in chosen)):
        part.add_row(*cells)
    return part


def _width(column: Column) -> int:
    return max(column.min_width or 0, _letters([column.header]), _least(column))


def _least(column: Column) -> int:
    """Without a figure that is cut; a head of several words may be folded."""
    return _letters([*column.header.split(), column.footer, *column.cells])


def _letters(texts: list[object]) -> int:
    plain = (Text.from_markup(text).plain if isinstance(text, str) else str(text) for text in texts)
    return max((cell_len(text) for text in plain), default=0)


def _gap(table: Table) -> int:
    return table.padding[1] + table.padding[3]
