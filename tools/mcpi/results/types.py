# SPDX-License-Identifier: BSD-2-Clause
"""The types of ``result.json``, schema 2: one run.

Units are in the names. ``None`` is absent in the file and means not measured, never zero.
"""

from typing import Annotated, Generic, Literal, TypeVar

from msgspec import Meta, Struct

SCHEMA = 2
SUM_TOLERANCE = 1e-6  # ticks; means are fractions, the totals are exact
Count = Annotated[int, Meta(ge=0)]
Some = Annotated[int, Meta(ge=1)]
Amount = Annotated[float, Meta(ge=0)]
Stack = Annotated[str, Meta(pattern=r"^(tcp|rpc|bsd|.+\.graph)$")]  # or a graph of the user's own
Number = Count | Amount  # as it was counted
Texts = dict[str, str]
T = TypeVar("T")


class Part(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A part of a result; equal parts are equal objects."""


class Client(Part, Generic[T]):
    """A part that is measured on the client alone."""

    client: T


class Sides(Client[T], Generic[T]):
    """The same of both machines; only a program that runs alone has no server."""

    server: T | None = None


class Calibrated(Part):
    """A constant of the machine that is fitted once, on STD TCP."""

    value: int | float
    status: Literal["fitted", "inherited", "not yet fitted", "not the fitted value"]
    how: str | None = None  # what it was fitted to, and how near it came


class Provenance(Part, kw_only=True):
    """Enough to run it again, and to see whether it was the same."""

    commit: str
    dirty: bool
    command: str
    machine: str
    machine_digest: str | None = None
    settings: Texts | None = None  # machine parameters changed with --set
    stack: Stack | None = None  # these four: absent of a program of the user's
    variant: str | None = None  # the client's
    peer_variant: str | None = None  # the server's
    layout: str | None = None
    engine: Literal["rtl", "exact", "board"]
    seed: Count
    warmup: Count | None = None
    rtl_digest: str | None = None
    images: Texts | None = None  # SHA-256 of each ELF file that ran
    tools: Texts  # versions
    calibration: dict[str, Calibrated] | None = None
    defines: list[str] | None = None  # firmware switches changed with --define
    wire: list[str] | None = None  # faults asked for: KEY=VALUE, SIDE:KEY=VALUE
    path: str | None = None  # folder of the path that was inlined, if it was found (--path)
    image: str | None = None  # name of the ELF file that ran instead (--image)
    program: str | None = None  # a program (./mcpi exec) or the image of a node, not the stack
    cores: Some | None = None  # of each machine; absent: one
    translation: str | None = None  # of virtual addresses; absent: none


class RoundTrip(Part, kw_only=True):
    """Round-trip times of the measured ping-pongs."""

    mean_us: Amount | None = None  # absent on boards that record nothing
    # Over samples: the phase spread, not the paper's measurement noise.
    sd_over: Literal["round trips", "samples"] | None = None
    samples: Count  # runs that differ in initial phases
    round_trips: Count  # measured, in each sample
    ticks_per_us: Count
    min_us: Amount | None = None
    max_us: Amount | None = None
    sample_means_us: list[Amount] | None = None
    sd_us: Amount | None = None
    # Table 5: our measured controller and wire time of one frame; the mean without two of them,
    # and without the paper's 210.
    controller_us: Amount | None = None
    adjusted_us: Amount | None = None
    adjusted_paper_us: Amount | None = None
    # Boards with a live cable: real time of a round trip; of it in gateways; what frames take on a
    # wire alone, there and back; the most that virtual time was behind, of a machine in real time.
    wall_us: Amount | None = None
    gateways_us: Amount | None = None
    wire_alone_us: Amount | None = None
    late_us: Amount | None = None


class Totals(Part):
    """Over all invocations, whole numbers; the owners sum to the ticks."""

    ticks: Count
    instructions: Count
    owners: dict[str, Count]

    def __post_init__(self) -> None:
        if sum(self.owners.values()) != self.ticks:
            raise ValueError("the owners do not sum to the ticks")


class Window(Totals):
    """Counters of a window other than the path's while it was open (docs/reference/counters.md)."""

    invocations: Count


class Cache(Part):
    """Per invocation."""

    accesses: Amount
    misses: Amount
    # On blocks that had been there since the counters were cleared.
    replacement_misses: Amount | None = None
    victim_hits: Amount | None = None  # of its victim cache, if it has one


class ICache(Cache):
    """The instruction cache and its stream buffer."""

    stream_hits: Amount | None = None


class BCache(Cache):
    """The b-cache. ``victims``: dirty blocks displaced."""

    victims: Amount | None = None
    fetches: Amount | None = None
    prefetches: Amount | None = None
    loads: Amount | None = None
    writes: Amount | None = None
    dma: Amount | None = None


class Tlb(Part):
    """Misses, and the ticks that PALcode's refills take for them."""

    misses: Amount
    refill_ticks: Amount


class WriteBuffer(Part):
    """Stores, those merged into an entry, and entries sent to the b-cache."""

    accesses: Amount
    merges: Amount
    writes: Amount


class Fetch(Part, kw_only=True):
    """Distinct I-cache blocks of the code window that instructions were issued from, and distinct
    words of them; ``outside``: instructions issued elsewhere (PALcode), per invocation."""

    blocks: Number
    words: Number | None = None
    outside: Amount | None = None
    unused_percent: Amount  # Table 9: instruction slots of those blocks never executed
    unused_per_fill_percent: Amount | None = None  # each fill counted


class Bus(Part):
    """Ticks that the memory bus worked for the core and for DMA."""

    core_ticks: Amount
    dma_ticks: Amount


class Paused(Part):
    """Ticks and instructions that pauses kept out of the path."""

    ticks: Amount
    instructions: Amount


class Path(Part, kw_only=True):
    """Means per path invocation."""

    invocations: Some  # the means are taken over
    instructions: Amount
    ticks: Amount
    time_us: Amount  # T_p: ticks / ticks_per_us
    cpi: Amount
    owners: dict[str, Amount]  # ticks by owner (machines/counters.toml); sum to ticks
    totals: Totals
    icache: ICache
    dcache_write_buffer: Cache
    write_buffer: WriteBuffer | None = None
    bcache: BCache | None = None
    itlb: Cache | None = None
    dtlb: Cache | None = None
    itb: Tlb | None = None  # these two: of a program whose pages are mapped
    dtb: Tlb | None = None
    bus: Bus | None = None
    paused: Paused | None = None
    fetch: Fetch | None = None
    taken_branches: Amount | None = None
    mispredicts: Amount | None = None  # 0 with the paper's prediction
    pal_ticks: Amount | None = None
    icpi: Amount | None = None  # CPI of the same image under ideal memory
    mcpi: float | None = None  # cpi - icpi

    @property
    def load_misses(self) -> float | None:
        """Loads that missed the D-cache."""
        sent = self.write_buffer and self.write_buffer.writes
        return None if sent is None else round(self.dcache_write_buffer.misses - sent, 6)

    @property
    def entries_sent(self) -> float | None:
        """Entries that the write buffer sent to the b-cache."""
        return self.write_buffer and self.write_buffer.writes

    def __post_init__(self) -> None:
        if abs(sum(self.owners.values()) - self.ticks) > SUM_TOLERANCE:
            raise ValueError("the owners' means do not sum to the mean ticks")


class Region(Path, kw_only=True):
    """A place of a program that is measured, or a function. The first, the cheapest and the dearest
    passage in ticks (of the first 4,096 of each place); ``cold``: one passage from empty caches;
    ``run_ticks``: the mean of each of several runs, that of the plain one first."""

    first_ticks: Count
    least_ticks: Count
    most_ticks: Count
    cold: Path | None = None
    run_ticks: list[Amount] | None = None


class Stretch(Part, kw_only=True):
    """Means per passage from one function's entry to another's. ``icpi``: of the ideal-memory
    twin, in the steady state."""

    invocations: Some
    instructions: Amount
    ticks: Amount
    cpi: Amount
    icpi: Amount
    mcpi: float
    owners: dict[str, Amount]

    def __post_init__(self) -> None:
        if abs(sum(self.owners.values()) - self.ticks) > SUM_TOLERANCE * len(self.owners):
            raise ValueError("the owners' means do not sum to the mean ticks")


class Stretches(Part):
    """The client's, by name as in ``ranges``; PALcode is in them."""

    steady: dict[str, Stretch]
    cold: dict[str, Stretch]


class Core(Part):
    """The windows of one core. ``sets``: ticks by owner, apart for each set of open windows
    (``path+spin``; the empty text: none is open). Of a program on several cores: ``whole``, all
    ticks of the run, and of the owners that have one the cause of each tick; ``regions``, its
    measured places, and ``path``, all these places together, with the causes of their ticks."""

    whole: Totals | None = None
    causes: dict[str, dict[str, Count]] | None = None
    regions: dict[str, Region] | None = None
    path: Path | None = None
    path_causes: dict[str, dict[str, Count]] | None = None
    spin: Window | None = None
    hold: Window | None = None
    probe: Window | None = None
    sets: dict[str, dict[str, Count]] | None = None


class SampledTime(Part):
    """T_p over samples."""

    mean_us: Amount
    sd_us: Amount
    sample_means_us: list[Amount] | None = None


class ReplayedCache(Part):
    """Whole numbers."""

    accesses: Count
    misses: Count
    replacement_misses: Count


class ReplayedICache(ReplayedCache):
    """With the hits of its stream buffer."""

    stream_hits: Count | None = None


class ReplayedBCache(ReplayedCache):
    """With what the stream buffer fetched."""

    prefetches: Count | None = None


class ReplayedFetch(Part):
    """Fetch of the replay, with the fields of ``Fetch``."""

    blocks: Number
    words: Number
    unused_percent: Amount


class Replayed(Part):
    """The counts of a replayed invocation."""

    instructions: Some
    icache: ReplayedICache
    dcache_write_buffer: ReplayedCache
    bcache: ReplayedBCache
    fetch: ReplayedFetch


class Pace(Part, kw_only=True):
    """Speed of a board: clocks of a tick while the path's window was open and in all of the
    measured time, both counted. Of a real board the clock, and ``ticks_per_second`` of the
    machine: the clock divided by the clocks of a tick of the path."""

    clocks_per_tick: Amount
    whole_clocks_per_tick: Amount
    clock_khz: Some | None = None
    ticks_per_second: Some | None = None
    # In exact time: clocks in which the board waited for the other one, which may have waited for
    # the host; and for the host to read its own record.
    waits_percent: Amount | None = None
    host_waits_percent: Amount | None = None


class Node(Part):
    """A machine, between the first and the last measured round trip."""

    ticks: Count
    idle: Count | None = None
    clocks: Count | None = None
    withheld: Count | None = None  # clocks in which the governor withheld the tick
    pace: Pace | None = None  # on boards


class Breakdown(Part):
    """Means that sum to ``mean_us``. A controller part runs from hand-over to the other machine's
    interrupt."""

    client_send: Amount
    request_controller_and_wire: Amount
    server: Amount
    reply_controller_and_wire: Amount
    client_receive: Amount


class Meanwhile(Part):
    """Ticks of a processor while its frame and the answer are under way, ``times`` together: what
    it does then does not delay the answer. ``idle`` is its slack."""

    times: Some
    busy: Count
    idle: Count


class TimeLine(Part):
    """Every tick of all measured round trips, of all samples, by its one owner on the time line
    over both machines (docs/reference/round-trip.md). The legs are those of ``Breakdown``."""

    round_trips: Some
    ticks: Count
    legs: dict[str, dict[str, Count]]
    meanwhile: Sides[Meanwhile]

    def __post_init__(self) -> None:
        if sum(sum(owners.values()) for owners in self.legs.values()) != self.ticks:
            raise ValueError("the owners of the time line do not sum to its ticks")


class WireTime(Part):
    """Mean from the first preamble bit at the sender to the last bit at the receiver."""

    request: Amount
    reply: Amount


class Wire(Part, kw_only=True):
    """Frames that were sent. ``frame_bytes``: frames by length without preamble and FCS;
    ``digest``: SHA-256 of all frames in order, without time stamps. ``happened``: how often what,
    to frames of client and server, or on the half-duplex segment; of a plain wire it is absent."""

    frames: Count
    frame_bytes: dict[str, Count] | None = None
    happened: dict[str, dict[str, Count]] | None = None
    digest: str


class Static(Part):
    """Table 9: size of the path's code."""

    critical_path_instructions: Count | None = None
    code_bytes: Count | None = None


class Spread(Part):
    """Over link orders."""

    median: Amount
    min: Amount
    max: Amount


class LayoutNoise(Part):
    """The same variant under shuffled link orders."""

    layouts: Count
    mean_us: Spread | None = None
    time_us: Spread | None = None
    mcpi: Spread | None = None


class Time(Part):
    """The only part in which two equal runs differ. ``started``: ISO 8601, UTC;
    ``ticks_per_second``: simulated ticks of both nodes' common time per wall second."""

    started: str | None = None
    wall_seconds: Amount | None = None
    ticks_per_second: Number | None = None


class Result(Part, kw_only=True):
    """Result of a run."""

    schema: Literal[2]
    provenance: Provenance
    round_trip: RoundTrip | None = None  # absent of a program of the user's
    # The path, over the measured round trips: Tables 2, 4, 5, 7. Of a program: all its regions. Of
    # a node: all that it did, all cores together, a passage of the window "probe".
    steady: Sides[Path]
    regions: Sides[dict[str, Region]] | None = None  # of a program, by name
    # Core by core, where there are several, or windows besides the path's.
    cores: Sides[list[Core]] | None = None
    nodes: Sides[Node] | None = None
    wire: Wire | None = None
    path_time: Sides[SampledTime] | None = None  # Table 7
    wire_us: WireTime | None = None
    cold: Client[Path] | None = None  # one invocation from invalid caches: Tables 6, 8, 9
    # The trace of the cold invocation alone, through the empty memory model: Tables 6, 8, 9.
    replay: Client[Replayed] | None = None
    static: Static | None = None
    ranges: dict[str, Count] | None = None  # Table 3: instructions between two points of the path
    stretches: Stretches | None = None  # Table 3: the ticks of these instructions
    breakdown_us: Breakdown | None = None
    time_line: TimeLine | None = None
    layout_noise: LayoutNoise | None = None
    savings: dict[str, int] | None = None  # Table 1: instructions saved, against ORIGINAL
    time: Time | None = None

    def __post_init__(self) -> None:
        if self.provenance.program is not None:
            return
        there = (self.provenance.stack, self.provenance.variant, self.provenance.peer_variant)
        if None in (*there, self.provenance.layout, self.round_trip, self.steady.server):
            raise ValueError("a run of a stack has stack, variants, layout, round trips, a server")
