// SPDX-License-Identifier: BSD-2-Clause
package mcpi.core

import mcpi.bus.Timing
import spinal.core._
import spinal.lib._

/** LDx_L and STx_C: one flag and the address it guards (sources/ev4.md 1.5).
  *
  * STx_C is decided where writes get their order, on the memory bus: earlier stores go out first,
  * then its own entry of the write buffer waits for the bus, and in the tick of the grant the flag
  * is as every DMA write before it left it. If the flag falls while it waits, the entry is dropped.
  * The guarded range is 32 bytes, or the cache block where that is larger: DMA names whole blocks.
  *
  * Of a coherent core the range is the b-cache's block, and the private cache decides: it takes the
  * entry, and says later whether it stores. Until then it looks at `holds`.
  */
class Locks(val c: AlphaLiteConfig) extends Component {
  private val rangeBits = 5
  private[core] val dmaBits =
    if (c.isCoherent) log2Up(c.dropBytes) else log2Up(c.blockBytes) max rangeBits
  private[core] val top = c.bus.addressWidth - 1
  private val low = dmaBits min rangeBits // the lowest bit of `guarded`

  val tick = in Bool ()
  val load, conditional = in Bool () // E1 has LDx_L; STx_C
  val address = in UInt (c.bus.addressWidth bits) // of the access in E1
  val break = in Bool () // trap, interrupt, HW_REI
  val dma = slave(Flow(UInt(c.bus.addressWidth bits))) // DMA has written this block
  val waiting = in Bool () // the pending access is a STx_C
  val job = in UInt (c.bus.addressWidth bits) // address of the pending STx_C
  val bufferEmpty = in Bool ()
  val sent = in Bool () // a write goes out

  val store = out Bool () // give the pending STx_C an entry of the write buffer
  val holdWrite, cancel = out Bool () // the entry must not be sent now; drop it
  val wrote = out Bool () // STx_C is on its way: the D-cache drops its block
  val decided = out Bool () // the pending STx_C is decided
  val toIo = out Bool () // the decided STx_C goes to the I/O bus
  val succeeded = out Bool () // STx_C's result, from the next clock on
  val hold = !c.isCoherent generate (out Bool ()) // the next clock gets no tick
  val verdict =
    c.isCoherent generate slave(Flow(Bool())) // the private cache's verdict: the sent entry stores
  val holds = c.isCoherent generate (out Bool ()) // the flag of STx_C, after this tick's losses
  val isEntered = c.isCoherent generate (out Bool ()) // the write buffer has STx_C's entry

  val flag = RegInit(False) // the flag of LDx_L
  val armed = RegInit(False) // the flag that the pending STx_C took
  val guarded = Reg(UInt(c.bus.addressWidth - low bits))
  val result = RegInit(False)
  val entered = RegInit(False)
  val wrote1 = RegNext(dma.valid) init False // one clock later, when `guarded` is what E1 set
  private[core] def isDma(block: UInt) = dma.payload(top downto dmaBits) === block
  private[core] def isIn(range: UInt) = isDma(range(top - low downto dmaBits - low))
  // A coherent core has the loss by gates.
  private[core] def byKind[T](gates: => T, early: => T): T = if (c.isCoherent) gates else early
  val early = byKind(null: EarlyLoss, new EarlyLoss(this))
  val block1 = byKind(RegNext(dma.payload(top downto dmaBits)), null: UInt)
  val lost =
    wrote1 && byKind(block1 === guarded(top - low downto dmaBits - low), early.found)

  when(lost) { flag := False; armed := False }
  when(load) {
    flag := True
    guarded := address(top downto low)
  }
  when(conditional) {
    armed := flag && !lost
    flag := False
  }
  when(break) { flag := False }

  // DMA that ends in the tick of the grant comes first. Only a write to the guarded range stands in
  // the way: to wait for any would be to wait for good while DMA follows DMA.
  private[core] val isGuarded =
    dma.payload(top downto dmaBits) === guarded(top - low downto dmaBits - low)
  // The block stands before its tick, and is compared in the clock before.
  val named = Timing.late(isGuarded, dma.valid && entered, "DMA's block is late")
  val losing = dma.valid && named
  private val range = if (low == rangeBits) guarded else guarded >> (rangeBits - low)
  val same = RegNext(job(top downto rangeBits) === range)
  val compared = RegInit(False) // in ticks, also where other registers move between two
  when(tick) { compared := waiting }
  val good = armed && same
  val ready = waiting && compared
  val settled = !losing && !lost
  val uncached = job(33 downto 32) =/= 0
  store := ready && good && !uncached && bufferEmpty && !entered && tick
  private def mustWait = waiting && entered && (!good || !settled)
  holdWrite := byKind(mustWait, early.holdsWrite)
  byKind((), early.decide(mustWait))
  val taken = c.isCoherent generate RegInit(False) // the private cache has the entry
  wrote := (if (c.isCoherent) verdict.valid && verdict.payload else waiting && entered && sent)
  cancel := waiting && entered && (if (c.isCoherent) !good && !taken else !good)
  // With ideal memory an entry must go before the next tick; else a tick decides, however long
  // time stood before it.
  toIo := ready && good && uncached && settled && tick
  decided := (if (c.isCoherent) toIo || verdict.valid || (ready && !good && !taken)
              else toIo || wrote || (ready && !good && (tick || entered)))
  succeeded := result
  when(store) { entered := True }
  when(decided) { entered := False; armed := False; result := good }
  if (c.isCoherent) {
    holds := good && settled
    isEntered := waiting && entered && !taken
    when(waiting && entered && sent) { taken := True }
    when(verdict.valid) { result := verdict.payload }
    when(decided) { taken := False }
  }
}
