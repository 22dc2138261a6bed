# SPDX-License-Identifier: BSD-2-Clause
"""Entries of two boards' records make the files of a simulator, byte for byte. The entries are made
of what engine exact did, and the files again of the entries."""

import contextlib
import csv
import itertools
import subprocess
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

from mcpi.base.errors import RunError
from mcpi.build import graph, run_folder
from mcpi.engines import simulate
from mcpi.engines.board import record
from mcpi.engines.board.node import BoardNode
from mcpi.firmware import elf
from mcpi.firmware.elf import CLOSE, EVENT, INVOCATION, OPEN, Image, Marker
from mcpi.machine.profile import load
from mcpi.results import pcap
from mcpi.spec import node_image, run_jobs
from mcpi.spec.run_spec import EXACT, RunSpec

MACHINE = load("dec3000-600")
# A text of the module, what a mistake makes of it, and the files that show the mistake.
MISTAKES = {
    "merged by node": ("key=lambda row: row[:2]", "key=lambda row: row[1]"),
    "the stamp of the wrong node": ("peer = number ^ 1", "peer = number"),
    "the strobes of the other way": ("WIRE + number", "WIRE + (number ^ 1)"),
    "a cable without length": ("DELAY = 9", "DELAY = 0"),
    "the last nibble is forgotten": ("for n in range(small)]", "for n in range(small - 1)]"),
    "nibbles from the wrong end": ("data >> 4 * (PER_ENTRY - small)", "data"),
    "one marker of an address": ("at[watched[number]]]", "at[watched[number]][:1]]"),
    "events by action": ("(t, number, m.window)", "(t, number, m.action)"),
    "frames by node": ("frames.sort(key=lambda frame: frame[0])", ""),
}


@pytest.fixture(scope="module", params=["tcp", "rpc"])
def run(request, tmp_path_factory) -> Path:
    """Folder of a run of engine exact."""
    place = tmp_path_factory.mktemp("exact")
    spec = RunSpec(engine=EXACT, stack=request.param, warmup=1, round_trips=2)
    machine = spec.check()
    built = graph.build(spec, machine)
    run_folder.prepare(place, spec, machine, built, [run_jobs.Job(1, run_jobs.REAL)])
    phases = run_jobs.phases_of(spec.seed, 1, machine)
    words = simulate.command(built.simulator, place, ".", spec, phases, [])
    subprocess.run(words, cwd=place, check=True, capture_output=True)
    return place


def images(run: Path) -> list[Image]:
    return [node_image.image(MACHINE, number, run) for number in (0, 1)]


def word(kind: int, small: int, data: int) -> int:
    return kind << record.KIND | small << record.SMALL | data


def entries(run: Path) -> list[list[int]]:
    """Return what each board would record of that run: an entry for each tick with markers."""
    found, frames = [[], []], {0: [], 1: []}
    for _, frame in pcap.stamped(run / "wire.pcap"):
        frames[frame[11] - 1].append(frame)
    with (run / "stamps.csv").open() as stream:
        rows = [(int(r["node"]), int(r["tick"]), r["stamp"]) for r in csv.DictReader(stream)]
    both = images(run)
    for (node, tick), some in itertools.groupby(rows, lambda row: row[:2]):
        names = [stamp for _, _, stamp in some]
        if marks := [name for name in names if not name.startswith(("tx_", "rx_"))]:
            found[node].append(word(record.MARKER, fired(both[node], marks), tick))
        if "tx_first_bit" in names:
            found[node] += sent(tick, frames[node].pop(0))
    return found


def fired(image: Image, names: list[str]) -> int:
    """The first comparator of the address whose markers leave these stamps."""
    watched = [m.address for m in image.watched()]
    return next(
        n
        for n, at in enumerate(watched)
        if [record.name(m) for m in image.markers if m.address == at] == names
    )


def sent(tick: int, frame: bytes) -> list[int]:
    nibbles = [5] * 15 + [13] + [n for byte in frame for n in (byte & 15, byte >> 4)]
    found = [word(record.FIRST, nibbles[0], tick)]
    for at in range(1, len(nibbles), record.PER_ENTRY):
        some = nibbles[at : at + record.PER_ENTRY]
        data = sum(n << 4 * i for i, n in enumerate(some)) << 4 * (record.PER_ENTRY - len(some))
        kind = record.MORE if len(some) == record.PER_ENTRY else record.LAST
        found.append(word(kind, len(some), data))
    if found[-1] >> record.KIND == record.MORE:
        found.append(word(record.LAST, 0, 0))
    return found


class Board:
    """A board whose record has these entries, at the host's end of its line."""

    def __init__(self, entries: list[int], invocations: int) -> None:
        self.entries, self.taken, self.asked = entries, 0, 0
        names = ["board.record_even", "board.record_odd", "status", "invocations"]
        self.invocations = invocations
        self.port = SimpleNamespace(path="fake")
        self.node = BoardNode(self, {name: name for name in names}, [])

    def poll(self) -> None: ...

    def read(self, name: str) -> int:
        if not name.startswith("board."):
            return self.invocations if name == "invocations" else 0
        self.asked += 1
        odd = name.endswith("odd")
        self.taken += (self.taken % 2 != odd) and self.taken < len(self.entries)
        there = self.taken < len(self.entries) and self.taken % 2 == odd
        return self.entries[self.taken] if there else 0


def invocations(run: Path, node: int) -> int:
    return (run / "stamps.csv").read_text().count(f",{node},invocation\n")


def merged(run: Path, place: Path, module: ModuleType | SimpleNamespace = record) -> list[str]:
    """The files that are not engine exact's, made of the entries by ``module``."""
    boards = [Board(one, invocations(run, node)) for node, one in enumerate(entries(run))]
    pair = module.Pair([board.node for board in boards], images(run))
    pair.end()
    pair.write(place, MACHINE)
    return [f for f in record.FILES if (place / f).read_bytes() != (run / f).read_bytes()]


def test_the_files_are_engine_exacts(run, tmp_path):
    assert not merged(run, tmp_path)
    assert sum(map(len, entries(run))) > 200


@pytest.mark.parametrize("title", MISTAKES)
def test_a_mistake_shows(run, tmp_path, title):
    old, new = MISTAKES[title]
    source = Path(record.__file__).read_text()
    assert source.count(old) == 1
    found = ModuleType("mistaken")
    exec(source.replace(old, new), found.__dict__)  # noqa: S102
    with contextlib.suppress(found.RunError):
        assert merged(run, tmp_path, found)


def test_an_entry_that_is_lost_ends_the_run(run, tmp_path):
    """The entry is of a frame, or of an invocation."""
    all_ = entries(run)[0]
    first = next(n for n, one in enumerate(all_) if one >> record.KIND == record.FIRST)
    count = invocations(run, 0)
    with pytest.raises(RunError, match="an entry of the record is missing"):
        record.Pair([Board(all_[:first] + all_[first + 1 :], count).node], images(run)[:1]).end()
    said = f"has {count} invocations of the path, the board counted {count + 1}"
    with pytest.raises(RunError, match=said):
        record.Pair([Board(all_, count + 1).node], images(run)[:1]).end()


def test_a_look_takes_so_many_entries():
    """So a board that records without end is looked at all the same."""
    board = Board([word(record.MARKER, 0, n) for n in range(1, 200)], 0)
    pair = record.Pair([board.node], [image((0x1000, OPEN, 1))])
    assert (pair.take(), pair.take(), board.asked) == (record.AT_ONCE, record.AT_ONCE, 128)
    assert [tick for tick, _ in pair.readers[0].record.markers] == list(range(1, 129))


def image(*markers: tuple[int, int, int]) -> Image:
    return Image(0, (), tuple(Marker(*one) for one in markers), {})


def test_an_event_takes_no_second_comparator_of_its_address():
    one = image((8, EVENT, 1), (8, OPEN, 1), (8, CLOSE, 1), (16, EVENT, 2), (16, EVENT, 3))
    assert [(m.address, m.action) for m in one.watched()] == [(8, OPEN), (8, CLOSE), (16, EVENT)]
    taken = record.Record([(5, 0), (7, 2)])
    found = [(tick, m.action, m.window) for tick, m in record.passed(taken, one)]
    assert found == [(5, EVENT, 1), (5, OPEN, 1), (5, CLOSE, 1), (7, EVENT, 2), (7, EVENT, 3)]


def test_more_places_than_comparators_are_not_recorded():
    few = image(*((8 * n, EVENT, 1) for n in range(elf.COMPARATORS)))
    many = image(*((8 * n, EVENT, 1) for n in range(elf.COMPARATORS + 1)))
    assert not record.hindrance([few, few])
    assert record.hindrance([few, many]) == "node 1: markers at 25 places, and 24 comparators"


def test_comparators_of_events():
    """Their window is no window of the counters."""
    markers = image((8, OPEN, 2), (16, EVENT, 5)).watched()
    found = node_image._comparators(markers)
    assert [found[f"comparator.{n}.action"] for n in range(3)] == [0x201, EVENT, 0]


def test_a_path_that_is_open_is_not_opened_again():
    did = [(OPEN, 1), (OPEN, 1), (OPEN, 2), (CLOSE, 1), (OPEN, 1)]
    marks = [(n, Marker(0, *what)) for n, what in enumerate(did)]
    assert [tick for tick, _ in record.stamped(marks)] == [0, 2, 3, 4]


@pytest.mark.parametrize(
    ("marker", "name"),
    [
        ((OPEN, 1), "window_open"),
        ((OPEN, 2), "spin_open"),
        ((INVOCATION, 1), "invocation"),
        ((INVOCATION, 4), "probe_invocation"),
        ((EVENT, 3), "hand_over"),
        ((EVENT, 19), "event_19"),
    ],
)
def test_names_of_stamps(marker, name):
    assert record.name(Marker(0, *marker)) == name


@pytest.mark.parametrize("nibbles", [[5] * 16, [5] * 15 + [13, 1], [1, 2], []])
def test_no_frame(nibbles):
    assert record.content(nibbles) == b""
