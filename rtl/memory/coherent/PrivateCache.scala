// SPDX-License-Identifier: BSD-2-Clause
package mcpi.memory

import mcpi.bus._
import mcpi.machine.{CounterTable, TableEnum}
import spinal.core._
import spinal.lib._

/** A core's side of its private cache: a MemoryBus, and what LDx_L and STx_C need.
  *
  * `memory.invalidate` names the first byte of a b-cache block that the cache has given up in this
  * tick: the D-cache drops all its blocks in it at the end of the tick.
  */
case class CoherentPort(c: MemoryBusConfig) extends Bundle with IMasterSlave {
  val memory = MemoryBus(c)
  val locks = LockPort()
  override def asMaster(): Unit = master(memory, locks)
}

case class Line(c: CoherentConfig) extends Bundle {
  val state = LineState()
  val tag = UInt(c.tagWidth bits)
}

/** Cause of the transaction that a tick belongs to; `open`: not known yet. */
object Cause extends TableEnum("cause", CounterTable.causes)

/** Valid in the tick that they belong to. */
case class PrivateCacheEvents(c: CoherentConfig) extends Bundle {
  val decides = Bool() // a command meets `state`
  val state = LineState()
  val drops = Bool() // STx_C's entry is dropped or withdrawn
  val acts = Bool() // reads or writes memory
  // The core's transaction.
  val access, miss = Bool() // it counts, in its decision or an Upgrade's order; it is a miss
  val kind = MemoryKind()
  val block = UInt(c.blockWidth bits)
  val cause = Cause()
  val busy = Bool() // from its taking to the tick before its end
  val waits = Bool() // its request is raised and not granted
  val remote, upgrade, writeBack, victim = Bool() // an order of it
  // Orders of others.
  val snoop, held, taken = Bool() // an order comes; it finds the block; it takes the block
  val order = UInt(c.blockWidth bits) // its block
  val overtaken = Bits(c.groupBlocks bits) // with taken: D-cache's block that a load has just read
}

/** Tags and states of one core's b-cache, and the core's one transaction.
  *
  * {{{
  *   idle ──► deciding ──hit──────────────────► running ──► answered
  *               │ └───miss──► asking ──order──────▲
  *               └ STx_C, flag down: dropped  └ its upgrade lost: withdrawn
  * }}}
  *
  * A command taken in tick t is decided in t + 1, by what the order of that tick has left. `order`
  * is looked up a clock ahead (`lookup`). Memory is read and written after the tick in which the
  * command acts, before the next tick.
  *
  * An answer, whether a command would be taken, and what the D-cache loses, do not contain the
  * tick: whoever takes them asks for it.
  */
class PrivateCache(c: CoherentConfig) extends Component {
  val io = new Bundle {
    val tick = in Bool ()
    val hold = out Bool ()
    val place = in UInt (c.placeWidth bits) // of this core
    val port = slave(CoherentPort(c.bus))
    val timing = in(CoherentTiming(c))
    val request = out(SnoopRequest(c))
    val wantsBus = out Bool () // the request, as it is after this tick's order
    val granted = in Bool ()
    val writeBack = master Stream (UInt(c.blockWidth bits)) // fires when granted
    val lookup = slave Flow (UInt(c.blockWidth bits)) // in the clock before the order's tick
    val order = slave Flow (SnoopOrder(c))
    val held, modified = out Bool () // of another's order
    val answer = in(SnoopAnswer()) // of an order of this place
    val access = master Stream (BackingCmd(c.bus))
    val data = slave Flow (Bits(c.bus.blockBits bits))
    val events = out(PrivateCacheEvents(c))
  }
  object Phase extends SpinalEnum {
    val idle, deciding, asking, running = newElement()
  }
  val phase = RegInit(Phase.idle)
  val cmd = Reg(MemoryCmd(c.bus))
  val conditional = Reg(Bool())
  val wantedKind = Reg(SnoopKind()) // of the request
  val waits = RegInit(False) // for a grant
  val left = Reg(UInt(CoherentTiming.width bits)) // ticks to the end, with the present one
  val done = Reg(Bool()) // the backing memory has done its part
  val lost = Reg(Bool())
  val readData = Reg(Bits(c.bus.blockBits bits))
  val back = RegInit(False) // a write-back waits
  val backBlock = Reg(UInt(c.blockWidth bits))
  private val isWrite = cmd.kind === MemoryKind.write
  private val block = c.block(cmd.address)
  private val present = c.present(block)

  // Tags, read by two: for the decision, and for orders. A line that was written in the clock of
  // its reading is taken from a register.
  val lines = Mem(Line(c), c.sets)
  val walking = RegInit(True)
  val walk = Reg(UInt(c.indexWidth bits)) init 0
  val write = new Area {
    val valid = Bool()
    val index = UInt(c.indexWidth bits)
    val line = Line(c)
    lines.write(index, line, valid)
  }
  private val written = RegNext(write.line)
  private def read(at: UInt): Line = {
    val index = c.index(at)
    val same = RegNext(write.valid && write.index === index)
    val found = lines.readSync(index)
    same ? written | found
  }
  private val taken = io.port.memory.cmd.fire && io.tick
  private val own = read(taken ? c.block(io.port.memory.cmd.address) | block)
  private val lookupBefore = RegNextWhen(io.lookup.payload, io.lookup.valid)
  private val snooped = read(io.lookup.valid ? io.lookup.payload | lookupBefore)

  // The order of this tick.
  private val order = io.order.payload
  private val mine =
    io.order.valid && order.place === io.place && order.kind =/= SnoopKind.writeBack
  private val others = io.order.valid && order.place =/= io.place
  private val ram = c.present(order.block)
  private val match_ = snooped.state =/= LineState.I && snooped.tag === c.tag(order.block) && ram
  io.held := others && match_
  io.modified := io.held && snooped.state === LineState.M
  private val gives = io.held && order.takes // the block is lost
  private val shares = io.held && order.kind === SnoopKind.read
  private val replaces =
    mine && ram && snooped.state =/= LineState.I && snooped.tag =/= c.tag(order.block)
  private val victim = (snooped.tag @@ c.index(order.block)).resize(c.blockWidth)
  private val next = Line(c)
  next.tag := c.tag(order.block)
  when(mine) {
    next.state := (order.kind === SnoopKind.read) ?
      (io.answer.shared ? LineState.S() | LineState.E()) | LineState.M()
  } otherwise {
    next.state := shares ? LineState.S() | LineState.I()
  }
  private val changes = io.tick && (gives || shares || (mine && ram))
  private val evictsModified = replaces && snooped.state === LineState.M
  when(io.tick && evictsModified) {
    back := True
    backBlock := victim
  }
  io.writeBack.valid := back
  io.writeBack.payload := backBlock
  when(io.writeBack.fire)(back := False)
  io.port.memory.invalidate.valid := gives || replaces
  io.port.memory.invalidate.payload := ((gives ? order.block | victim) << c.offsetWidth).resized

  // The decision, after the order.
  private val deciding = phase === Phase.deciding
  private val line = (changes && c.index(order.block) === c.index(block)) ? next | own
  private val state = LineState()
  state := LineState.I
  when(present && line.tag === c.tag(block))(state := line.state)
  private val dropped = deciding && conditional && present && !io.port.locks.flag
  private val upgrades = isWrite && state === LineState.S
  private val hits = state =/= LineState.I && !upgrades
  private val takesOver = deciding && !dropped && hits && isWrite && state === LineState.E

  // While it waits for the bus.
  private val asking = phase === Phase.asking && waits
  private val gone = gives && order.block === block
  private val withdrawn =
    asking && conditional && wantedKind === SnoopKind.upgrade && !io.port.locks.flag
  io.wantsBus := asking && !withdrawn
  io.request.block := block
  io.request.kind := wantedKind
  when(io.tick && asking && gone && wantedKind === SnoopKind.upgrade)(
    wantedKind := SnoopKind.readExclusive
  )
  when(io.granted)(waits := False)

  // Acts: its place in the order of all accesses.
  private val acts = (deciding && !dropped && hits) || (mine && phase === Phase.asking)
  private val pending = RegInit(False)
  when(io.access.fire)(pending := False)
  io.access.valid := pending
  io.access.write := isWrite
  io.access.address := cmd.address.resized
  io.access.data := cmd.data
  io.access.mask := isWrite ? cmd.mask | cmd.mask.getAllTrue
  when(io.access.fire && isWrite)(done := True)
  when(io.data.valid) {
    readData := io.data.payload
    done := True
  }

  private val ends = phase === Phase.running && left === 1
  private val finished = ends || dropped || withdrawn
  private val free = phase === Phase.idle || finished
  io.port.memory.cmd.ready := free
  io.port.memory.rsp.valid := (ends && done) || dropped || withdrawn
  io.port.memory.rsp.data := readData
  io.port.memory.rsp.error := !present
  io.port.locks.lost := lost || gone
  io.port.locks.decided.valid := io.tick && conditional && (dropped || withdrawn || acts)
  io.port.locks.decided.payload := !dropped && !withdrawn

  when(io.tick) {
    left := left - 1
    when(gone)(lost := True)
    when(deciding) {
      wantedKind := isWrite ?
        (upgrades ? SnoopKind.upgrade() | SnoopKind.readExclusive()) | SnoopKind.read()
      waits := !hits
      phase := Phase.asking
    }
    when(acts) {
      pending := present
      done := !present
      lost := False
      left := mine ? io.answer.ends |
        ((isWrite ? io.timing.write | io.timing.bcacheRead) - 1).resize(CoherentTiming.width)
      phase := Phase.running
    }
    when(finished)(phase := Phase.idle)
  }
  when(taken) {
    phase := Phase.deciding
    cmd := io.port.memory.cmd.payload
    conditional := io.port.locks.conditional
  }

  // The tags change one line a clock: where the decision of a tick changes one too, it comes a
  // clock later.
  private val later = RegInit(False)
  private val laterIndex = RegNext(c.index(block))
  later := io.tick && takesOver && changes
  write.valid := walking || changes || later || (io.tick && takesOver)
  write.index := changes ? c.index(order.block) | c.index(block)
  write.line.state := LineState.M
  write.line.tag := c.tag(block)
  when(changes)(write.line := next)
  private val laterTag = RegNext(c.tag(block))
  when(later) {
    write.index := laterIndex
    write.line.tag := laterTag
  }
  when(walking) {
    write.index := walk
    write.line.state := LineState.I
    walk := walk + 1
    when(walk === c.sets - 1)(walking := False)
  }
  io.hold := walking || later || (ends && !done)

  private val upgraded = mine && wantedKind === SnoopKind.upgrade
  private val served = Cause()
  served := io.answer.remote ? Cause.remote | Cause.memory
  when(wantedKind === SnoopKind.upgrade)(served := Cause.upgrade)
  val cause = RegNextWhen(mine ? served | Cause.bcache.craft(), io.tick && acts)
  io.events.cause := Cause.open
  when(phase === Phase.idle || dropped)(io.events.cause := Cause.none)
  when(deciding && !dropped && hits)(io.events.cause := Cause.bcache)
  when(withdrawn)(io.events.cause := Cause.upgrade)
  when(mine)(io.events.cause := served)
  when(phase === Phase.running)(io.events.cause := cause)
  private val misses = deciding && !dropped && state === LineState.I
  private val loses = asking && gone && wantedKind === SnoopKind.upgrade && !withdrawn
  io.events.access := io.tick && ((deciding && !dropped && !upgrades) || upgraded || loses)
  io.events.miss := misses || loses
  io.events.kind := cmd.kind
  io.events.block := block
  io.events.busy := io.tick && (taken || (phase =/= Phase.idle && !finished))
  io.events.waits := io.tick && io.wantsBus && !io.granted
  io.events.remote := io.tick && mine && served === Cause.remote
  io.events.upgrade := io.tick && upgraded
  io.events.writeBack := io.tick && io.order.valid && order.place === io.place &&
    order.kind === SnoopKind.writeBack
  io.events.victim := io.tick && evictsModified
  io.events.snoop := io.tick && others && order.kind =/= SnoopKind.writeBack
  io.events.held := io.tick && io.held
  io.events.taken := io.tick && gives
  io.events.order := order.block
  private val overtakes = gone && phase === Phase.running && cmd.kind === MemoryKind.load
  private val readNow =
    if (c.groupBlocks == 1) B"1"
    else UIntToOh(cmd.address(c.offsetWidth - 1 downto log2Up(c.bus.blockBytes)), c.groupBlocks)
  io.events.overtaken := readNow & overtakes #* c.groupBlocks

  io.events.decides := io.tick && deciding
  io.events.state := state
  io.events.drops := io.tick && (dropped || withdrawn)
  io.events.acts := io.tick && acts
}
