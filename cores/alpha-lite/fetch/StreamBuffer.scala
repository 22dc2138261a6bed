// SPDX-License-Identifier: BSD-2-Clause
package mcpi.core

import mcpi.bus.{EveryClock, MemoryRsp}
import spinal.core._
import spinal.lib._

/** The block fetched after the last miss (sources/ev4.md 2.2); moves with the fetch unit.
  *
  * The block that a miss waits for passes through here too, so that the I-cache
  * is written from one place. An answer is there before its tick, and that tick is withheld for a
  * clock, in which the answer is taken. A prefetch and a demand are never on the bus at once, and
  * who demands a block has no more use for the block that is here.
  */
class StreamBuffer(c: AlphaLiteConfig) extends Component {
  private val offsetBits = log2Up(c.blockBytes)
  private val block = HardType(UInt(c.bus.addressWidth - offsetBits bits))

  // The block that misses, as it will be after this clock; with translation, as it is.
  val lookupNext = in(block())
  val has = out Bool () // the block is here
  val awaited = out Bool () // the block is on its way
  val idle = out Bool () // no prefetch is wanted or under way
  val arriving = out Bool () // the block comes in this clock
  val demanded = in Bool () // a demand is answered in this clock
  val data = out Bits (c.bus.blockBits bits)
  val error = out Bool () // the block was answered with an error
  val served = in Bool () // a miss has ended: what is here is used up
  val follow = slave(Flow(block)) // with `served`: what to fetch next
  val delay = in UInt (3 bits) // ticks until it may
  val overtaken = in Bool () // a demand: a prefetch that has not begun is given up
  val flush, ideal = in Bool ()
  val quiet = out Bool () // nothing on the bus, nothing wanted from it
  val cmd = master(Stream(UInt(c.bus.addressWidth bits)))
  val rsp = slave(Flow(MemoryRsp(c.bus)))

  val number = Reg(block())
  val held = EveryClock(Reg(Bits(c.bus.blockBits bits)))
  val valid = RegInit(False)
  val wanted = RegInit(False) // its prefetch waits for `left` and the bus
  val left = Reg(UInt(3 bits)) init 0
  val busy = RegInit(False) // its prefetch is on the bus
  val stale = RegInit(False) // flushed while on the bus

  quiet := !wanted && !busy
  // Compared a clock before, as what follows from it goes all the way to the bus. The next block to
  // be fetched is not the one that misses now.
  // Of a translated fetch it is known too late for that.
  val matches =
    if (c.translates) number === lookupNext
    else RegNext(number === lookupNext && !follow.valid) init False
  has := valid && matches
  idle := !wanted && !busy
  awaited := busy && !stale && matches
  arriving := rsp.valid && awaited
  data := held

  val over = RegInit(True) // `left` is 0
  cmd.valid := wanted && over && !ideal
  cmd.payload := number @@ U(0, offsetBits bits)
  when(left =/= 0) { left := left - 1 }
  when(cmd.fire) { wanted := False; busy := True }
  when(rsp.valid) {
    busy := False
    stale := False
    valid := !stale && !rsp.error
  }
  private val takes = rsp.valid || demanded
  when(takes) { held := rsp.data } // both answers have the same data wires
  error := EveryClock(RegNextWhen(rsp.error, takes))
  when(overtaken) { wanted := False }
  when(served) { valid := False }
  when(follow.valid) {
    wanted := True
    number := follow.payload
    left := delay
  }
  when(left =/= 0) { over := left === 1 }
  when(follow.valid) { over := delay === 0 }
  assert(over === (left === 0), "a prefetch waits for something else", FAILURE)
  when(flush) {
    valid := False
    wanted := False
    when(busy) { stale := !rsp.valid }
  }
}
