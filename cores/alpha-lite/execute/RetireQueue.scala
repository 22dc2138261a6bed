// SPDX-License-Identifier: BSD-2-Clause
package mcpi.core

import mcpi.counters.RetirePort
import spinal.core._
import spinal.lib._

/** Facts known of an instruction (or trap) when it leaves E1. */
case class RetireInfo() extends Bundle {
  val trap = Bool() // not an instruction: a redirection, `vector` says where to
  val vector = UInt(16 bits)
  val pc = UInt(64 bits)
  val instruction = Bits(32 bits)
  val register = UInt(5 bits)
  val writes, late = Bool() // late: the value comes by `lateValue`
  val memory, store, io, iMiss, dMiss = Bool()
  val address = UInt(64 bits)
  val storeData = Bits(64 bits)
}

case class RetireValue() extends Bundle {
  val slot = UInt(10 bits)
  val value = Bits(64 bits)
}

/** Puts instructions that end out of order (load misses, multiplies) back into program order.
  *
  * Every instruction gets a slot when it issues. Nothing in the pipeline waits for this queue; it
  * only reports. It is large enough for everything that can issue in the shadow of a load miss,
  * which the assertion watches.
  */
class RetireQueue(c: AlphaLiteConfig) extends Component {
  require(isPow2(c.retireSlots) && c.retireSlots <= 1024)
  val info = slave(Flow(new Bundle { val slot = UInt(10 bits); val info = RetireInfo() }))
  val value = slave(Flow(RetireValue())) // stage W, in order
  val lateValue = slave(Flow(RetireValue()))
  val port = master(RetirePort())
  val empty = out Bool ()

  private val bits = log2Up(c.retireSlots)
  val infos = Mem(RetireInfo(), c.retireSlots)
  val values, lateValues = Mem(Bits(64 bits), c.retireSlots)
  infos.write(info.slot.resize(bits), info.payload.info, info.valid)
  values.write(value.slot.resize(bits), value.value, value.valid)
  lateValues.write(lateValue.slot.resize(bits), lateValue.value, lateValue.valid)

  val lateDone = Reg(Bits(c.retireSlots bits)) init 0
  val head, written = Reg(UInt(bits bits)) init 0
  when(value.valid) { written := written + 1 }
  empty := head === written
  when(lateValue.valid) { lateDone(lateValue.slot.resize(bits)) := True }

  val current = infos.readAsync(head)
  val ready = head =/= written && (!current.late || lateDone(head))
  when(ready) {
    head := head + 1
    lateDone(head) := False
  }
  assert(
    !(value.valid && written + 1 === head),
    "retire queue overflow: enlarge retireSlots",
    FAILURE
  )

  port.retired.valid := ready && !current.trap
  val r = port.retired.payload
  r.pc := current.pc
  r.instruction := current.instruction
  r.writes := current.writes
  r.register := current.register
  r.value := current.late ? lateValues.readAsync(head) | values.readAsync(head)
  r.memory := current.memory
  r.store := current.store
  r.io := current.io
  r.address := current.address
  r.storeData := current.storeData
  r.iMiss := current.iMiss
  r.dMiss := current.dMiss
  port.trapped.valid := ready && current.trap
  port.trapped.vector := current.vector
  port.trapped.exceptionAddress := current.pc
  port.trapped.iMiss := current.iMiss
}
