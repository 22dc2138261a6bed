# SPDX-License-Identifier: BSD-2-Clause
"""One self-contained HTML page: every table beside the paper's, bars, where it all came from."""

import dataclasses
from pathlib import Path

from mcpi import fitted
from mcpi.paper import bars, cachemaps
from mcpi.paper.cell import Cell, Column, Row, Table
from mcpi.paper.html import Element, e, text
from mcpi.paper.plan import BASE, BEST, ORDER
from mcpi.paper.published import STACKS, path, round_trip
from mcpi.paper.study import Study
from mcpi.paper.tables import claims
from mcpi.paper.tables.table7 import tp
from mcpi.progress import counted

CSS = Path(__file__).with_name("page.css")
WIDE = 7  # columns that fit
WAITS = ("i_demand", "i_stream", "refill_restart")  # owners: the processor has no instruction
FAILS = claims.SAYS[False]
TITLE = "Techniques to improve protocol latency, measured again"


def page(study: Study, tables: list[Table]) -> str:
    """The whole page; nothing in it comes from elsewhere."""
    tables = [drawn for table in tables if (drawn := table.drawn()).rows]
    by_key = {table.key: table for table in tables}
    figures = {
        "cpi_owners": lambda t: bars.cpi(t, _marks(study, _cpi_marks)),
        "round_trip_parts": lambda t: bars.round_trip(t, _marks(study, _trip_marks)),
    }
    claimed = [t for t in tables if t.key == "claims"]
    papers = [t for t in tables if t.key.startswith("table")]
    ours = [t for t in tables if t not in claimed + papers]
    drawn = [
        e("section", e("h3", table.title), figures[key](table), id=f"figure_{key}")
        for key, table in by_key.items()
        if key in figures
    ]
    main = e(
        "main",
        e("h1", TITLE),
        *(e("p", sentence, class_="answer") for sentence in answers(study)),
        _lead(study),
        _reproduce(study),
        _missing(study),
        e("nav", *(_link(t) for t in claimed + papers + ours)),
        e("h2", "Where the time goes"),
        *drawn,
        *_maps(study),
        *(_section(table) for table in claimed),
        *_part("The paper's tables", papers),
        *_part("Beside the paper", ours),
        e("h2", "Where this came from"),
        _provenance(study),
    )
    head = e(
        "head",
        e("meta", charset="utf-8"),
        e("meta", name="viewport", content="width=device-width, initial-scale=1"),
        e("title", TITLE),
        e("style", CSS.read_text()),
    )
    return text(e("html", head, e("body", main), lang="en"))


def _link(table: Table) -> Element:
    return e("a", table.title.split(":")[0], href=f"#{table.key}")


def _part(title: str, tables: list[Table]) -> list[Element]:
    return [e("h2", title), *(_section(table) for table in tables)] if tables else []


def answers(study: Study) -> list[str]:
    """For each stack what the best version gains on the base, and what of it was waiting for
    instructions; nothing where either was not measured."""
    said = []
    for stack, title in STACKS.items():
        base, best = (study.result(stack, variant) for variant in (BASE, BEST))
        if not base or not best:
            continue
        before, after = tp(base), tp(best)
        paths = [result["steady"]["client"] for result in (base, best)]
        saved = paths[0]["ticks"] - paths[1]["ticks"]
        waits = [sum(path["owners"].get(name, 0) for name in WAITS) for path in paths]
        share = ""
        if saved > 0:
            share = f", {100 * (waits[0] - waits[1]) / saved:.0f} % of it instruction waits"
        said.append(
            f"{title}: {BEST.upper()} takes {after:.1f} µs on the client's path, {BASE.upper()} "
            f"{before:.1f} µs: {100 * (1 - after / before):.0f} % less"
            f"{share}."
        )
    return said


def _maps(study: Study) -> list[Element]:
    """Figure 2 of the paper, from the real images."""
    found = cachemaps.sections(study)
    if not found:
        return []
    words = (
        "One invocation of the client's path. A row is an i-cache size of memory, a column one "
        "set: of what stands in one column only one block can be in the i-cache. Light grey is "
        "code that is there and was not executed. The red bars below are the misses of each set, "
        "the path's trace replayed over and over (interrupts and other threads, which run in "
        "between, are not in it). In the b-cache's map there is a row for each such part of it "
        "that the path uses. Point at a block for its name."
    )
    return [e("h2", "Where the path lies in the caches"), e("p", words), *found]


def _lead(study: Study) -> Element:
    extent = study.record["extent"]
    there = study.record["results"]
    samples = ", ".join(f"{STACKS[s]} {n}" for s, n in extent["samples"].items() if there.get(s))
    words = (
        "The study of Mosberger, Peterson, Bridges and O'Malley (SIGCOMM '96): every figure here "
        "comes from two simulated machines whose every tick has an owner. Versions: "
        f"{', '.join(v.upper() for v in study.variants)}. Samples: {samples}; "
        f"{counted(extent['round_trips'], 'round trip')} each. Bold: ours. Then the paper's, then "
        f"ours ÷ the paper's. {_calibration(study)}"
    )
    return e("p", words, class_="lead")


def _calibration(study: Study) -> str:
    said = fitted.words(study.record["provenance"].get("calibration", {}))
    return "; ".join(said) + "." if said else ""


def _reproduce(study: Study) -> Element:
    return e("pre", e("code", study.record["provenance"]["reproduce"]))


def _missing(study: Study) -> Element | None:
    absent = [v for v in ORDER if v in study.record["absent"]]
    said = []
    if absent:
        names = ", ".join(v.upper() for v in absent)
        said.append(f"Not there yet, so their cells are empty: {names}.")
    said += study.record.get("remarks", [])
    if not said:
        return None
    return e("div", *(e("p", line) for line in said), class_="warn")


def _marks(study: Study, of) -> dict[tuple[str, ...], list[tuple[str, float]]]:
    """The paper's values to draw over each version's bar."""
    return {
        (title, variant.upper()): of(stack, variant)
        for stack, title in STACKS.items()
        for variant in study.record["results"].get(stack, {})
    }


def _cpi_marks(stack: str, variant: str) -> list[tuple[str, float]]:
    theirs = path(stack, variant)
    return [
        (name, theirs[key]) for key, name in (("icpi", "iCPI"), ("cpi", "CPI")) if key in theirs
    ]


def _trip_marks(stack: str, variant: str) -> list[tuple[str, float]]:
    theirs = round_trip(stack, variant)
    return [("T_e, µs", theirs["mean_us"])] if theirs else []


def _section(table: Table) -> Element:
    notes = [e("li", note) for note in table.notes]
    return e(
        "section",
        e("h3", table.title),
        *(e("div", _table(part), class_="scroll") for part in _by_stack(table)),
        e("ul", *notes, class_="notes") if notes else None,
        id=table.key,
    )


def _by_stack(table: Table) -> list[Table]:
    """A table too wide for a page as one for each stack, if its columns are of either."""
    if len(table.columns) <= WIDE:
        return [table]
    found = []
    for title in STACKS.values():
        own = [c for c in table.columns if c.title.startswith(f"{title} ")]
        plain = tuple(dataclasses.replace(c, title=c.title.removeprefix(f"{title} ")) for c in own)
        labels = (f"{title}: {table.labels[0].lower()}", *table.labels[1:])
        found.append(dataclasses.replace(table, columns=plain, labels=labels))
    split = sum(len(part.columns) for part in found) == len(table.columns)
    return found if split else [table]


def _table(table: Table) -> Element:
    wide = {column: _kinds(table, column) for column in table.columns}
    head = [e("th", label, class_="label") for label in table.labels]
    head += [e("th", c.title, colspan=str(len(kinds)), class_="group") for c, kinds in wide.items()]
    rows, before = [], None
    for row in table.rows:
        labels = [e("td", label, class_=_label(label)) for label in row.labels]
        if len(row.labels) > 1 and row.labels[0] == before:
            labels[0].text = ""
        before = row.labels[0]
        cells = [td for c, kinds in wide.items() for td in _cells(c, kinds, row)]
        beside = "beside" if row.labels[-1] == "in situ" else None
        rows.append(e("tr", *labels, *cells, class_=beside))
    return e("table", e("thead", e("tr", *head)), e("tbody", *rows))


def _label(label: str) -> str:
    return "label no" if label == FAILS else "label"


def _kinds(table: Table, column: Column) -> list[str]:
    """What stands beside ours in this column."""
    return ["ours", *(k for k in ("theirs", "ratio") if table.has(k, column))]


def _cells(column: Column, kinds: list[str], row: Row) -> list[Element]:
    found, digits, cell = [], row.digits, row.cells.get(column.key, Cell(None))
    for kind in kinds:
        if kind == "ours" and cell.ours is None:
            why = cell.why or None
            found.append(e("td", "–", class_="ours none", title=why))
        elif kind == "ours":
            sd = e("span", f" ± {cell.sd:.2f}", class_="sd") if cell.sd is not None else None
            found.append(e("td", column.text(cell.ours, digits), sd, class_="ours"))
        elif kind == "theirs":
            sd = f" ± {cell.theirs_sd:g}" if cell.theirs_sd is not None else None
            found.append(e("td", column.text(cell.theirs, digits), sd, class_="theirs"))
        else:
            shown = "" if cell.ratio is None else f"{cell.ratio:.2f}×"
            found.append(e("td", shown, class_="ratio"))
    return found


def _provenance(study: Study) -> Element:
    about = study.record["provenance"]
    rows = {
        "commit": about["commit"] + (" with uncommitted changes" if about["dirty"] else ""),
        "machine": f"{about['machine']} ({about['machine_digest']})",
        "changed parameters": " ".join(f"{k}={v}" for k, v in about["settings"].items()) or "none",
        "fitted": _calibration(study) or "nothing",
        "hardware": f"generated Verilog {about['rtl_digest']}",
        "engine": about["engine"],
        "seed": str(about["seed"]),
        "tools": ", ".join(f"{name} {version}" for name, version in about["tools"].items()),
    }
    pairs = [e(tag, value) for key, v in rows.items() for tag, value in (("dt", key), ("dd", v))]
    return e("dl", *pairs)
