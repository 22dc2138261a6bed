// SPDX-License-Identifier: BSD-2-Clause
package mcpi.core

import spinal.core._
import spinal.lib._

/** Ports between a D-cache and the load-store unit. */
abstract class DataCache(c: AlphaLiteConfig) extends Component {
  protected val offsetBits = log2Up(c.blockBytes)
  protected val indexBits = log2Up(c.dSets)
  protected val tagLow = offsetBits + indexBits

  val next = in UInt (c.bus.addressWidth bits) // of the access that comes into E1 with this tick
  val tick = in Bool ()
  val address = in UInt (c.bus.addressWidth bits) // of the access in E1
  val hit = out Bool ()
  // A hit is what was `read`, if it `counts`, or what was filled since (`renewed`). With `hold` the
  // next clock gets no tick.
  val read, counts, renewed, hold = out Bool ()
  val quad = out Bits (64 bits) // of `address`, a tick later
  val write = in Bool () // a store that hit in the tick before, at `writeAddress`
  val writeAddress = in UInt (c.bus.addressWidth bits)
  val writeLong = in Bool ()
  val writeData = in Bits (64 bits)
  val fill = slave(Flow(Bits(c.bus.blockBits bits))) // the block of `fillAddress`
  val fillAddress = in UInt (c.bus.addressWidth bits)
  val invalidate = slave(Flow(UInt(c.bus.addressWidth bits)))
  val flush = in Bool () // in ticks
  // A fill would displace a dirty block of this set; the block that comes is for a store.
  val victim = c.writeBack generate (in UInt (c.bus.addressWidth bits))
  val victimDirty = c.writeBack generate (out Bool ())
  val fillStored = c.writeBack generate (in Bool ())
  // In their tick: a store hits at `address`; the bus takes a fill.
  val storeHits, fillGoes = c.writeBack generate (in Bool ())
  val whole = c.isCoherent generate (in Bool ()) // all of the b-cache's block is invalid
  val dropped = c.isCoherent generate (out Bits (c.dropBlocks bits)) // a tick later, what it was
}
