// SPDX-License-Identifier: BSD-2-Clause
package mcpi.lance

import spinal.core._
import spinal.lib._

/** MODE, word 0 of the initialization block (sources/lance.md 1.2). */
case class Mode() extends Bundle {
  val promiscuous, internal, disableRetry, forceCollision = Bool()
  val noFcs, loopback, disableTransmit, disableReceive = Bool()
  val modifiedBackoff = Bool() // EMBA, on the C-LANCE

  def internalLoopback: Bool = loopback && internal // INTL counts only with LOOP

  def fromWord(word: Bits, cLance: Boolean): Unit = {
    modifiedBackoff := word(Mode.emba) && Bool(cLance)
    promiscuous := word(15)
    internal := word(6)
    disableRetry := word(5)
    forceCollision := word(4)
    noFcs := word(3)
    loopback := word(2)
    disableTransmit := word(1)
    disableReceive := word(0)
  }
}

object Mode {
  val emba = 7
}

/** A descriptor ring: `base` is 8-byte aligned, it has 2^`lengthLog2` entries. */
case class Ring() extends Bundle {
  val base = UInt(24 bits)
  val lengthLog2 = UInt(3 bits)

  /** The address of descriptor `index`. */
  def descriptor(index: UInt): UInt = (base(23 downto 3) + index) @@ U"000"
  def single: Bool = lengthLog2 === 0 // no other entry to chain to
  def next(index: UInt): UInt = {
    val mask = Cat((0 until 7).map(i => lengthLog2 > i)).asUInt
    (index + 1) & mask
  }
}

case class InitBlockIo() extends Bundle {
  val address = in UInt (24 bits) // IADR
  val stopped = in Bool () // clears EMBA
  val run = in Bool () // level, until done
  val done = out Bool ()
  val bus = master(BusClient())
  val mode = out(Mode())
  val physical = out Bits (48 bits) // first wire byte lowest
  val logical = out Bits (64 bits)
  val receive, transmit = out(Ring())
}

/** Reads the twelve words of the initialization block, one per bus ownership. */
class InitBlock(c: LanceConfig) extends Component {
  val io = InitBlockIo()

  val index = Reg(UInt(4 bits)) init 0
  val waiting = Reg(Bool()) init False
  val words = Vec(Reg(Bits(16 bits)) init 0, 12)

  io.bus.cmd.valid := io.run && !waiting
  io.bus.cmd.kind := BusKind.readWord
  io.bus.cmd.address := io.address + (index @@ U"0")
  io.bus.cmd.bytes := 2
  io.bus.cmd.word := 0
  io.done := False

  when(io.bus.cmd.fire)(waiting := True)
  when(io.bus.done) {
    waiting := False
    words(index) := io.bus.word
    index := index + 1
    io.done := index === 11
  }
  when(!io.run) {
    waiting := False
    index := 0
  }

  def ring(low: Int, out: Ring): Unit = {
    out.base := (words(low + 1)(7 downto 0) ## words(low)(15 downto 3) ## B"000").asUInt
    out.lengthLog2 := words(low + 1)(15 downto 13).asUInt
  }
  if (c.cLance) when(io.stopped)(words(0)(Mode.emba) := False)
  io.mode.fromWord(words(0), c.cLance)
  io.physical := words(3) ## words(2) ## words(1)
  io.logical := words(7) ## words(6) ## words(5) ## words(4)
  ring(8, io.receive)
  ring(10, io.transmit)
}
