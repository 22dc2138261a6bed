// SPDX-License-Identifier: BSD-2-Clause
package mcpi.lance

import spinal.core._
import spinal.lib._

case class SiloIo(size: Int) extends Bundle {
  val push = slave(Flow(Bits(8 bits)))
  val commit = in Bool () // pushed bytes, this tick's included, may be popped
  val rollback = in Bool () // forget what was pushed and not committed
  val flush = in Bool ()
  val pop = in Bool ()
  val head = out Bits (8 bits)
  val committed, read = out UInt (7 bits) // pointers: what lies between may be popped
  val grows = out Bool () // a byte is committed in the tick it comes
  val full = out Bool ()
}

/** A silo of bytes whose newest part can be taken back: the address filter decides six bytes into a
  * frame, when they already lie here.
  */
class Silo(size: Int) extends Component {
  val io = SiloIo(size)
  require(size <= 64)
  val bytes = Mem(Bits(8 bits), 64).addAttribute(AnyRam)
  val written, committed, read = Reg(UInt(7 bits)) init 0

  // A byte is pushed only while there is room for it.
  val used = written - read
  val full = Reg(Bool()) init False
  when(io.push.valid)(full := used === size - 1)
  when(io.rollback && committed =/= written)(full := False)
  when(io.pop || io.flush)(full := False)
  io.full := full
  io.grows := io.push.valid && io.commit
  io.committed := committed
  io.read := read
  io.head := bytes.readAsync(read(5 downto 0))
  bytes.write(written(5 downto 0), io.push.payload, io.push.valid)

  // Never both at once: commit, rollback.
  val more = written + 1
  when(io.push.valid)(written := more)
  when(io.rollback)(written := committed)
  when(io.commit)(committed := Mux(io.push.valid, more, written))
  when(io.pop)(read := read + 1)
  when(io.flush) {
    written := 0
    committed := 0
    read := 0
  }
}
