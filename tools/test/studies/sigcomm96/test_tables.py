# SPDX-License-Identifier: BSD-2-Clause
"""Every cell of every table, from a study that measured exactly what the paper printed."""

import copy
import csv
import io
import re
from collections import Counter
from html import unescape
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest
from tools_support import figure_standard, study_example

from mcpi import studies
from mcpi.base.drawing import SVG
from mcpi.base.errors import UserError
from mcpi.papers import sigcomm96 as published
from mcpi.papers.tables import row
from mcpi.studies.sigcomm96 import claims, page, round_trip, tables
from mcpi.studykit import command, markdown
from mcpi.studykit.cell import Cell, Column, Row, Table
from mcpi.studykit.measured import Measured

PAGES = studies.find().pages
STUDY = study_example.study()
TABLES = {table.key: table for table in tables.of(STUDY)}
LAST_DIGIT = 0.55  # of it: the paper rounds what it computes from rounded values
# Printed +40.2 (STD) and +59.0 (BAD) where its own round trips give 39.9 and 58.9.
ODD = {("table5", f"{stack}_delta_pct"): 0.35 for stack in ("tcp", "rpc")}
# How many cells of each table have a value of ours beside one of the paper's.
CELLS = dict(zip(range(1, 10), (8, 8, 2, 24, 48, 108, 48, 50, 8)))
PAPERS = [f"table{n}" for n in CELLS]


def cells(table: Table):
    """Label, column and cell, all of them."""
    for r in table.rows:
        for column in table.columns:
            if column.key in r.cells:
                yield r.labels, column, r.cells[column.key]


@pytest.mark.parametrize("key", PAPERS)
def test_what_the_paper_measured_gives_the_papers_tables(key):
    compared = 0
    for labels, column, cell in cells(TABLES[key]):
        if cell.theirs is None or cell.ours is None:
            continue
        compared += 1
        if column.key.endswith("controller_us"):
            continue  # its own test
        allowed = ODD.get((key, column.key), LAST_DIGIT * 10**-column.digits)
        assert cell.ours == pytest.approx(cell.theirs, abs=allowed), (labels, column.key)
    assert compared == CELLS[int(key.removeprefix("table"))]


def test_all_cells_of_the_paper_are_measured_but_those_of_other_systems():
    empty = {
        (labels[0], column.key)
        for key in PAPERS
        for labels, column, cell in cells(TABLES[key])
        if cell.theirs is not None and cell.ours is None
    }
    assert {key for _, key in empty} == {"i80386", "dec_unix"}


def test_the_papers_own_figures_bear_out_its_claims():
    for row_ in TABLES["claims"].rows:
        cell = row_.cells["figure"]
        assert row_.labels[1] == "holds", row_.labels
        if cell.theirs is not None:  # the paper has words, and no figure
            assert cell.ours == pytest.approx(cell.theirs, rel=0.03, abs=0.06), row_.labels


ORDER = "TCP/IP: pairs out of the order BAD > STD > OUT > CLO > PIN > ALL of T_p"


def slow_clo(*orders: str) -> Measured:
    """CLO's path is slower than OUT's, in these link orders."""
    record = copy.deepcopy(STUDY.record)
    for order in orders:
        record["orders"]["tcp"]["clo"][order]["time_us"] = 90.0
    return Measured(record)


def test_a_claim_is_judged_on_the_link_orders():
    """The usual order has no say: it is one of many that the paper could have had."""
    record = copy.deepcopy(STUDY.record)
    record["results"]["tcp"]["clo"]["path_time"]["client"]["mean_us"] = 90.0
    found = {}
    for name, study in {
        "the usual": Measured(record),
        "one": slow_clo("shuffle-2"),
        "all": slow_clo(*study_example.SHUFFLED),
    }.items():
        row_ = next(r for r in claims.table(study).rows if r.labels[0] == ORDER)
        cells = (row_.cells[key].ours for key in ("figure", "median", "low", "high", "n"))
        found[name] = (row_.labels[1], *cells, round(row_.cells["turned"].ours))
    assert found == {
        "the usual": ("holds", 1, 0, 0, 0, 3, 0),
        "one": ("undecided", 0, 0, 0, 1, 3, 33),
        "all": ("does not hold", 0, 1, 1, 1, 3, 0),
    }


def test_without_link_orders_a_claim_has_one_sample():
    record = copy.deepcopy(STUDY.record)
    record["orders"] = record["in_orders"] = {}
    for row_ in claims.table(Measured(record)).rows:
        assert row_.labels[1] == "holds" and row_.labels[2].startswith("one: ")
        assert row_.cells["n"].ours == 1


def test_a_claim_with_a_sample_less_is_not_judged():
    """The samples that are left would be a choice."""
    record = copy.deepcopy(STUDY.record)
    del record["orders"]["tcp"]["clo"]["shuffle-2"]
    row_ = next(r for r in claims.table(Measured(record)).rows if r.labels[0] == ORDER)
    assert row_.labels[1] == "not judged: 1 of 3 link orders lack CLO: not asked for"


def test_a_claim_without_a_version_says_so():
    row_ = next(r for r in claims.table(without("bad")).rows if r.labels[0] == ORDER)
    assert row_.labels[1] == "" and "bad.toml" in row_.cells["figure"].why


def test_the_ranges_between_functions_stand_in_their_rows():
    rows = {r.labels[0]: r.cells["xkernel"] for r in TABLES["table3"].rows}
    assert rows["instructions between IP input and TCP input"].ours == 437
    assert rows["instructions between TCP input and socket input"].ours == 1004


def test_the_papers_columns_i_are_put_where_they_belong():
    steps = {r.labels[0]: r.cells for r in TABLES["table8"].rows}
    printed = row("sigcomm96/table8_improvement_comparison", transition="STD->OUT")
    assert (printed["tcpip_I_pct"], printed["rpc_I_pct"]) == ("114", "71")
    assert steps["STD → OUT"]["tcp_i_pct"].theirs == 71
    assert steps["STD → OUT"]["tcp_i_pct"].ours == pytest.approx(70.9, abs=0.05)


def test_round_trips_of_both_ends_are_halved_for_tcp_alone():
    step = {r.labels[0]: r.cells for r in TABLES["table8"].rows}["BAD → CLO"]
    assert step["tcp_dte_us"].ours == pytest.approx((498.8 - 325.5) / 2)
    assert step["rpc_dte_us"].ours == pytest.approx(457.1 - 383.1)


def without(*variants: str) -> Measured:
    record = copy.deepcopy(STUDY.record)
    for variant in variants:
        record["absent"][variant] = f"firmware/variants/{variant}.toml is not there yet"
        for part in ("results", "layouts", "evidence", "orders"):
            for stack in record[part].values():
                stack.pop(variant, None)
    if "pin" in variants:
        record["guards"] = {}
    return Measured(record)


def test_a_version_that_is_not_there_leaves_empty_cells_with_the_reason():
    made = {table.key: table for table in tables.of(without("all", "clo"))}
    rows = {r.labels[0]: r.cells for r in made["table4"].rows}
    assert rows["CLO"]["tcp_te_us"].ours is None
    assert "clo.toml is not there yet" in rows["CLO"]["tcp_te_us"].why
    assert rows["STD"]["tcp_te_us"].ours == 351.0
    assert "all.toml" in rows["STD"]["tcp_delta_pct"].why  # Δ is against ALL
    lines = list(csv.DictReader(io.StringIO(made["table8"].csv())))
    step = next(line for line in lines if line["step"] == "OUT → CLO")
    assert step["tcp_dtp_us"] == "" and "clo.toml" in step["not_measured"]
    assert step["tcp_dtp_us_paper"] == "6.9"


def test_nothing_measured_is_never_a_zero():
    everything = ("original", "bad", "std", "out", "clo", "pin", "all")
    for table in tables.of(without(*everything)):
        for labels, column, cell in cells(table):
            assert cell.ours is None, (table.key, labels, column.key)
            assert cell.why


def test_the_columns_of_table_6_are_called_what_readers_of_the_csv_expect():
    head = TABLES["table6"].csv().splitlines()[0].split(",")
    caches = ("icache", "dcache_write_buffer", "bcache")
    wanted = [f"{cache}_{kind}" for cache in caches for kind in ("miss", "acc", "repl")]
    assert [h for h in head if not h.endswith(("_paper", "_ratio"))] == [
        "stack", "version", "ours from", *wanted, "not_measured",
    ]  # fmt: skip
    assert all(f"{key}_paper" in head for key in wanted)


@pytest.mark.parametrize("key", list(TABLES))
def test_every_column_has_cells_and_every_cell_a_column(key):
    keys = {column.key for column in TABLES[key].columns}
    used = [set(r.cells) for r in TABLES[key].rows]
    assert keys == set().union(*used) & keys and len(keys) == len(TABLES[key].columns)
    # Owners that no version has are left out.
    assert set().union(*used) <= keys | {"idle"}, key


def test_csv_prints_ours_the_papers_and_the_ratio():
    columns = (Column("a", "A", 1, signed=True), Column("b", "B", 2))
    rows = (
        Row(("x",), {"a": Cell(-0.04, 2.0), "b": Cell(1.0, 0.0, sd=0.25)}),
        Row(("y",), {"a": Cell(3.0, 2.0), "b": Cell(None, 4.0, "not today; not here")}),
        Row(("z",), {"b": Cell(None, why="not here")}),
    )
    text = Table("t", "T", ("Row",), columns, rows).csv()
    assert text.splitlines() == [
        "row,a,a_paper,a_ratio,b,b_sd,b_paper,not_measured",
        "x,+0.0,2,-0.020,1.00,0.2500,0,",
        "y,+3.0,2,1.500,,,4,not today; not here",
        "z,,,,,,,not here",
    ]


class Reader(HTMLParser):
    """Text, the tags that are open, and whatever a page would fetch."""

    def __init__(self) -> None:
        super().__init__()
        self.text, self.open, self.fetched = "", [], []

    def handle_starttag(self, tag, attrs):
        if tag not in ("meta", "br"):
            self.open.append(tag)
        self.fetched += [v for k, v in attrs if k in ("src", "href") and not v.startswith("#")]
        if tag in ("link", "img", "iframe"):
            self.fetched.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += "" if "script" in self.open else data


def read(study: Measured) -> Reader:
    reader = Reader()
    reader.feed(page.page(study, tables.of(study)))
    return reader


def test_the_page_is_whole_and_fetches_nothing():
    reader = read(STUDY)
    assert reader.open == [] and reader.fetched == []
    assert "url(" not in reader.text and "@import" not in reader.text
    for table in TABLES.values():
        assert table.title in reader.text
    about = STUDY.record["provenance"]
    for words in (about["commit"], about["machine_digest"], about["rtl_digest"], "./mcpi paper"):
        assert words in reader.text
    assert "351.0" in reader.text and "1.00×" in reader.text
    assert "core.taken_penalty = 4" in reader.text


def test_ours_and_the_papers_are_not_confused_on_the_page():
    record = copy.deepcopy(STUDY.record)
    record["results"]["tcp"]["std"]["round_trip"] |= {"mean_us": 421.2, "sd_us": 0.5}
    reader = read(Measured(record))
    assert "421.2 ± 0.50351.0 ± 0.281.20×" in reader.text
    record["results"]["tcp"]["std"]["round_trip"]["controller_us"] = 84.0
    assert "84.0105.00.80×" in read(Measured(record)).text


def test_the_page_says_what_is_missing_and_escapes_what_it_prints():
    study = without("bad")
    study.record["remarks"] = ["a <b> & c"]
    reader = read(study)
    assert "Not there yet, so their cells are empty: BAD." in reader.text
    assert "a <b> & c" in reader.text


def test_the_same_study_gives_the_same_bytes():
    again = study_example.study()
    assert [t.csv() for t in tables.of(again)] == [t.csv() for t in tables.of(STUDY)]
    assert page.page(again, tables.of(again)) == page.page(STUDY, tables.of(STUDY))


def test_blocks_of_a_page_are_filled_and_nothing_else_is_touched():
    page_ = (
        "before\n<!-- table4 -->\nold\n<!-- end -->\nbetween\n<!-- provenance -->\n<!-- end -->\n"
    )
    made = markdown.fill(page_, without("clo"), tables.of(without("clo")))
    assert made.startswith("before\n<!-- table4 -->\n| Version | TCP/IP T_e, µs |")
    assert "old" not in made and "\nbetween\n" in made
    assert "| STD | 351.0 (351.0) | +12.9 (+12.9) | 399.2 (399.2) |" in made
    assert "Not measured: CLO: firmware/variants/clo.toml is not there yet." in made
    assert "`./mcpi paper` at 000000000000" in made and "10 samples of TCP" in made
    assert markdown.fill(made, without("clo"), tables.of(without("clo"))) == made
    with pytest.raises(UserError, match="no table 'table10'. There are: table1"):
        markdown.fill("<!-- table10 -->\n<!-- end -->", STUDY, tables.of(STUDY))


def test_the_page_of_results_has_every_table_of_the_paper():
    text = PAGES[0].read_text()
    for key in [*PAPERS, "claims", "layout_noise", "placements", "guard", "provenance"]:
        assert f"<!-- {key} -->\n" in text
    for page_ in PAGES:
        markdown.fill(page_.read_text(), STUDY, tables.of(STUDY))


def shapes(chart: str, class_: str, name: str) -> list[tuple[str, float, float]]:
    """Texts of a bar's parts or of marks on it, with left and right edges."""
    found = []
    for group in ElementTree.fromstring(chart).iter(f"{{{SVG}}}g"):
        if (group.get("class"), group.get("data-f")) == (class_, name):
            x = [float(x) for x in re.findall(r"[ML] ([\d.]+)", group[0].get("d"))]
            found.append((group[0][0].text, min(x), max(x)))
    return found


def test_the_readmes_figure_has_a_bar_and_the_papers_mark_for_each_version():
    drawing = round_trip.drawing(STUDY)
    assert drawing == round_trip.drawing(study_example.study()), "the same bytes"
    assert "metadata" not in drawing and "date" not in drawing
    assert not re.search(r'(src|href)="(?!#)', drawing)
    line = STUDY.result("tcp", "std")["time_line"]
    trip = line["round_trips"] * STUDY.result("tcp", "std")["round_trip"]["ticks_per_us"]
    owned = sum((Counter(owners) for owners in line["legs"].values()), Counter())
    for stack, name in (("tcp", "TCP/IP"), ("rpc", "RPC")):
        for version in ("BAD", "STD", "OUT", "CLO", "PIN", "ALL"):
            bar = shapes(drawing, "part", f"{name} {version}")
            parts = {said.partition(":")[0]: said for said, *_ in bar}
            assert list(parts) == [
                "instructions issued",
                "D-cache",
                "interrupts, hand-over",
                "controllers",
                "bus",
                "wire",
            ]
            assert f": {owned['wire'] / trip:,.1f} (" in parts["wire"]
            between = owned["hand_over"] + owned["off_path"] + owned["interrupt"]
            assert f": {between / trip:,.1f} (" in parts["interrupts, hand-over"]
            (mark,) = shapes(drawing, "mark", f"{name} {version}")
            paper = published.round_trip(stack, version.lower())["mean_us"]
            assert mark[0] == f"the paper's T_e: {paper:.1f}"
            edge = bar[0][1] + (bar[-1][2] - bar[0][1]) * paper / (line["ticks"] / trip)
            assert mark[1] == pytest.approx(edge, abs=0.2), "on the bars' own scale"
    assert drawing.count(f">{line['ticks'] / trip:,.1f} (") == 12
    without_pin = round_trip.drawing(without("pin"))
    assert ">PIN<" not in without_pin and ">ALL<" in without_pin


def test_the_readmes_figure_has_an_axis_and_words_for_those_who_cannot_see_it():
    root = ElementTree.fromstring(round_trip.drawing(STUDY))
    texts = [text.text for text in root.iter(f"{{{SVG}}}text")]
    assert texts.count("µs") == 2 and texts.count("0") == texts.count("450") == 2
    title, about = root.find(f"{{{SVG}}}title"), root.find(f"{{{SVG}}}desc")
    assert root.get("aria-labelledby").split() == [title.get("id"), about.get("id")]
    assert title.text == round_trip.TITLE
    assert "TCP/IP: BAD 351.2 (498.8)" in about.text and "ALL 351.2 (365.5)" in about.text


def test_figures_keep_the_standard(tmp_path):
    """The whisker of a bar goes from the lowest link order to the highest; each figure is a PDF."""
    (drawn,) = round_trip.figures(STUDY).values()
    assert len(drawn) == 4
    figure_standard.check(drawn)
    figure_standard.check_axes(drawn, "µs", "lowest to highest of 3 link orders")
    assert "the paper's T_p" in drawn[0].svg() and "the paper's T_e" in drawn[-1].svg()
    axes = drawn[0].figure.axes[-1]
    whiskers = [line.get_xdata() for line in axes.lines if line.get_zorder() == 5]
    orders = study_example.orders("tcp", "original").values()
    sums = [sum(one["owners"].values()) / 175 for one in orders]
    assert [min(whiskers[0]), max(whiskers[0])] == pytest.approx([min(sums), max(sums)], abs=0.01)
    assert not round_trip.figures(Measured(STUDY.record | {"results": {}}))[""]
    command.write_figures(studies.find(), STUDY, tmp_path)
    written = sorted(path.name for path in (tmp_path / command.FIGURES).iterdir())
    assert len(written) == 4 and written[-1] == "t-p-by-what-the-processor-waits-for-tcp-ip.pdf"


def test_other_layouts_stand_beside_the_first_sample():
    rows = {r.labels: r.cells for r in TABLES["placements"].rows}
    own, micro = (rows["TCP/IP", "CLO", name] for name in ("bipartite", "micro"))
    assert micro["te_us"].ours - own["te_us"].ours == pytest.approx(1.0)
    assert micro["tp_us"].ours - own["tp_us"].ours == pytest.approx(1.0)
    assert micro["i_misses"].ours == 100
    costs = next(r for r in TABLES["guard"].rows if r.labels == ("RPC", "costs"))
    assert costs.cells["tp_us"].ours == pytest.approx(2.0)


def test_outlining_saves_icpi_by_taken_branches():
    record = copy.deepcopy(STUDY.record)
    ideal = record["evidence"]["tcp"]["out"]["ideal"]
    ideal["load_use"] -= 200  # half of it is not theirs
    rows = {r.labels[0]: r for r in claims.table(Measured(record)).rows}
    claim = rows["TCP/IP: of the iCPI that outlining takes off, by taken branches, %"]
    assert claim.labels[1] == "does not hold" and 0 < claim.cells["figure"].ours < 80


def test_three_ways_have_one_set_of_numbers_or_none():
    for row_ in TABLES["three_ways"].rows:
        assert row_.cells["icache_misses"].ours == 5
        assert row_.cells["ticks"].ours == (None if row_.labels[2] == "cache model" else 9)


def test_without_link_orders_the_command_for_them_is_named():
    record = copy.deepcopy(STUDY.record)
    record["extent"]["shuffles"] = 0
    notes = " ".join(tables.layouts.noise(Measured(record)).notes)
    assert "./mcpi paper --shuffles 30" in notes
    assert "--shuffles 30" not in " ".join(TABLES["layout_noise"].notes)


def plain(text: str) -> str:
    """A page without the meanings of its terms."""
    return re.sub("</?abbr[^>]*>", "", text)


def test_claims_that_fail_stand_out_on_the_page():
    slow = slow_clo(*study_example.SHUFFLED)
    assert 'class="label no">does not hold' in page.page(slow, tables.of(slow))
    once = slow_clo("shuffle-1")
    assert 'class="label open">undecided' in page.page(once, tables.of(once))
    text = page.page(STUDY, tables.of(STUDY))
    assert 'class="label no"' not in text and 'class="label open"' not in text
    assert "Claims: 48 hold, 0 do not hold, 0 undecided." in plain(text)


def partial() -> Measured:
    """TCP's STD and OUT alone."""
    record = copy.deepcopy(STUDY.record)
    for part in ("results", "layouts", "guards", "evidence", "orders"):
        record[part] = {"tcp": record[part]["tcp"]}
    for part in ("results", "layouts", "evidence", "orders"):
        own = record[part]["tcp"]
        record[part]["tcp"] = {v: one for v, one in own.items() if v in ("std", "out")}
    record["guards"] = {}
    return Measured(record)


def test_what_was_not_asked_for_is_not_drawn():
    made = {table.key: table.drawn() for table in tables.of(partial())}
    versions = {key: [row.labels for row in made[key].rows] for key in made}
    assert versions["table7"] == [("STD",), ("OUT",)]
    assert versions["round_trip_parts"] == [("TCP/IP", "STD"), ("TCP/IP", "OUT")]
    assert {labels[:2] for labels in versions["three_ways"]} == {
        ("TCP/IP", "STD"),
        ("TCP/IP", "OUT"),
    }
    assert versions["guard"] == versions["placements"] == []
    assert not [c.key for c in made["table7"].columns if c.key.startswith("rpc")]
    # Rows that no study can have stay, with their reason.
    assert any("not a system of ours" in row.reasons for row in made["table3"].rows)
    whole = {table.key: table for table in tables.of(STUDY)}
    assert all(table.drawn() == table for table in whole.values())
    text = page.page(partial(), tables.of(partial()))
    assert "Samples: TCP/IP 10; 100 round trips each" in plain(text)
    for gone in ("RPC", "guard", "BAD", "not asked for"):
        assert f">{gone}<" not in text
    assert 'id="guard"' not in text and 'href="#guard"' not in text


def test_the_page_begins_with_the_answer_and_the_claims():
    """The page begins with a sentence for each stack with both ends of the study; its figures are
    the tables'."""
    said = page.answers(STUDY)
    assert [one.partition(":")[0] for one in said] == ["TCP/IP", "RPC"]
    for stack, one in zip(("tcp", "rpc"), said):
        for variant in ("std", "all"):
            time_us = STUDY.result(stack, variant)["path_time"]["client"]["mean_us"]
            assert f"{variant.upper()}" in one and f"{time_us:.1f} µs" in one
    assert page.answers(partial()) == []
    text = unescape(plain(page.page(STUDY, list(TABLES.values()))))
    assert said[0] in text
    assert text.index('href="#claims"') < text.index('href="#table1"')
    assert text.index('id="claims"') < text.index('id="table1"')
