// SPDX-License-Identifier: BSD-2-Clause
package mcpi.memory

import mcpi.bus.TickArea
import spinal.core._
import spinal.lib._

/** The snooping bus: who is granted, the order tick after it, and when each transaction ends.
  *
  * In the tick of a grant the granted block goes to all tags (`lookup`); in the next tick they
  * answer the order, and its end is known. Data phases follow each other in the order of grants.
  */
class SnoopBus(c: CoherentConfig) extends Component {
  val io = new Bundle {
    val tick = in Bool ()
    val timing = in(CoherentTiming(c))
    val wantsBus = in Bits (c.places bits) // as they are after this tick's order
    val requests = in Vec (SnoopRequest(c), c.places)
    val granted = out Bits (c.places bits)
    val writeBacks = Vec(slave Stream (UInt(c.blockWidth bits)), c.cores)
    val lookup = master Flow (UInt(c.blockWidth bits))
    val order = master Flow (SnoopOrder(c))
    val held, modified = in Bits (c.cores bits) // of the order
    val answer = out(SnoopAnswer())
    val events = out(SnoopEvents())
  }
  private val width = CoherentTiming.width
  private val area = new TickArea(io.tick) {
    // Under way: from the grant to the tick before the end.
    val underWay = Seq.fill(c.outstanding)(new Area {
      val valid = RegInit(False)
      val block = Reg(UInt(c.blockWidth bits))
      val known = Reg(Bool()) // the end is
      val left = Reg(UInt(width bits)) // ticks to it, with the present one
      val movesData = Reg(Bool()) // has a data phase
      val ends = valid && known && left === 1
      val active = valid && !ends
      val isMoving = active && known && movesData && left <= io.timing.data +^ 1
      left := left - 1
      when(ends)(valid := False)
    })
    val order = Reg(SnoopOrder(c))
    val ordered = RegInit(False)
    val slot = Reg(UInt(log2Up(c.outstanding) max 1 bits)) // the order's transaction

    // The order.
    val remote = io.modified.orR
    val isBack = order.kind === SnoopKind.writeBack
    val isDma = order.kind === SnoopKind.dmaRead || order.kind === SnoopKind.dmaWrite
    val hasData = !isDma && order.kind =/= SnoopKind.upgrade
    val length = UInt(10 bits)
    length := io.timing.miss
    when(order.kind === SnoopKind.upgrade)(length := io.timing.upgrade.resized)
    when(isDma)(length := io.timing.dma.resized)
    when(remote && order.kind =/= SnoopKind.upgrade)(length := io.timing.remote)
    val alone = UInt(width bits) // ticks from here to the wanted tick
    alone := (length - 3).resized
    when(isBack)(alone := (io.timing.request.resize(width) + io.timing.data) - 1)
    val dataLeft = Reg(UInt(width bits)) init 0 // to the end of the last data phase
    val afterData = dataLeft + io.timing.data
    io.answer.ends := (hasData && afterData > alone) ? afterData | alone
    io.answer.shared := io.held.orR
    io.answer.remote := remote
    when(dataLeft =/= 0)(dataLeft := dataLeft - 1)
    when(ordered) {
      ordered := False
      for ((one, n) <- underWay.zipWithIndex) when(slot === n) {
        one.known := True
        one.left := io.answer.ends
        one.movesData := hasData
      }
      when(hasData)(dataLeft := io.answer.ends - 1)
    }
    io.order.valid := ordered
    io.order.payload := order

    // Age: who waited when another came.
    val seen = RegInit(B(0, c.places bits)) // has waited in an earlier tick
    val older = Vec.fill(c.places)(Reg(Bits(c.places bits)))
    val elders = Vec(seen.asBools.zip(older).map { case (was, own) => was ? own | seen })
    // The grant.
    val pause = Reg(UInt(6 bits)) init 0
    val room = underWay.map(!_.active).orR
    def busy(block: UInt) = underWay.map(one => one.active && one.block === block).orR
    val backs = io.writeBacks.map(_.valid).asBits()
    val backReady = Vec(io.writeBacks.map(back => back.valid && !busy(back.payload)))
    val ready = Vec((0 until c.places).map { n =>
      val block = io.requests(n).block
      val afterWriteBack =
        io.writeBacks.map(back => back.valid && back.payload === block).orR ||
          (if (n < c.cores) backs(n) else False)
      val afterOther = (0 until c.places)
        .filter(_ != n)
        .map(m => elders(n)(m) && io.wantsBus(m) && io.requests(m).block === block)
        .orR
      io.wantsBus(n) && !busy(block) && !afterWriteBack && !afterOther
    })
    val candidates = B((0 until c.places).map { n =>
      if (n < c.cores) ready(n) || backReady(n) else ready(n)
    })
    val last = Reg(UInt(c.placeWidth bits))
    val started = RegInit(False)
    val from = (started ? (last +^ 1) | io.timing.first.resize(c.placeWidth + 1)) % c.places
    val turned = (0 until c.places).map { k =>
      ((from +^ U(k, c.placeWidth + 1 bits)) % c.places).resize(c.placeWidth)
    }
    val chosen = UInt(c.placeWidth bits)
    chosen := 0
    for (place <- turned.reverse) when(candidates(place))(chosen := place)
    val grants = candidates.orR && pause === 0 && room
    val chosenBack =
      if (c.cores == 1) backReady(0) && chosen === 0
      else {
        chosen < c.cores && backReady(chosen.resize(log2Up(c.cores)))
      }
    val backBlock =
      if (c.cores == 1) io.writeBacks(0).payload
      else io.writeBacks.map(_.payload).read(chosen.resize(log2Up(c.cores)))
    io.granted := 0
    for (n <- 0 until c.places) {
      io.granted(n) := io.tick && grants && !chosenBack && chosen === n
    }
    for (n <- 0 until c.cores) {
      io.writeBacks(n).ready := io.tick && grants && chosenBack && chosen === n
    }
    val request = io.requests(chosen)
    val block = chosenBack ? backBlock | request.block
    io.lookup.valid := io.tick && grants
    io.lookup.payload := block
    io.events.grant := io.tick && grants
    // From its order tick on.
    val movesAtOnce = ordered && hasData && io.answer.ends === io.timing.data
    io.events.data := io.tick && (movesAtOnce || underWay.map(_.isMoving).orR)
    io.events.busy := io.tick && (grants || underWay.map(_.active).orR)
    when(pause =/= 0)(pause := pause - 1)
    val empty = OHToUInt(OHMasking.first(underWay.map(!_.active)))
    when(grants) {
      pause := io.timing.request - 1
      last := chosen
      started := True
      ordered := True
      order.place := chosen
      order.kind := chosenBack ? SnoopKind.writeBack() | request.kind
      order.block := block
      slot := empty.resized
      for ((one, n) <- underWay.zipWithIndex) when(empty === n) {
        one.valid := True
        one.known := False
        one.block := block
      }
    }
    for (n <- 0 until c.places) {
      val stillWanting = io.wantsBus & ~io.granted
      seen(n) := stillWanting(n)
      older(n) := elders(n) & stillWanting
    }
  }
}
