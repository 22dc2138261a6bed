// SPDX-License-Identifier: BSD-2-Clause
package mcpi.counters

import spinal.core._
import spinal.lib._

/** A retired instruction, in program order, in the tick it retires.
  *
  * Lock-step, trace and the counters' oracle all read this. The owners of the ticks are a stream
  * of their own (`CoreEvents.owner`, one per tick); whoever wants them per instruction collects the
  * owners between two `issue` ticks, since issue order is retirement order.
  */
case class Retirement() extends Bundle {
  val pc = UInt(64 bits) // bit 0: PAL mode
  val instruction = Bits(32 bits)
  val writes = Bool() // an integer register other than r31
  val register = UInt(5 bits)
  val value = Bits(64 bits)
  val memory = Bool() // a load or a store, cached or not
  val store = Bool()
  val io = Bool()
  val address = UInt(64 bits) // virtual, as computed (LDQ_U: before the low bits are dropped)
  val storeData = Bits(64 bits) // as in the register
  val iMiss = Bool() // its fetch missed the I-cache (stream hits included)
  val dMiss = Bool() // its load missed the D-cache, or the store of a write-back one
}

/** Something other than program order changed the program counter; the model follows. */
case class Redirection() extends Bundle {
  val vector = UInt(16 bits) // offset from PAL_BASE
  val exceptionAddress = UInt(64 bits)
  val iMiss = Bool() // the fetch of the instruction it stands for missed the I-cache
}

case class RetirePort() extends Bundle with IMasterSlave {
  val retired = Flow(Retirement())
  val trapped = Flow(Redirection()) // interrupt, trap; not CALL_PAL, which retires
  override def asMaster(): Unit = { master(retired, trapped) }
}

/** Events of translation in a machine that translates (docs/explanation/translation.md). */
case class TranslationEvents() extends Bundle {
  val fetchMiss, dataMiss = Bool() // traps: ITB_MISS, DTB_MISS
  val fetchRefill, dataRefill = Bool() // the tick is one of a refill
  val fault = Bool() // traps: D_FAULT, ITB_ACV
  val contextSwitch = Bool() // SWPCTX issues
}

/** Events of a coherent core (docs/explanation/multiprocessor.md).
  *
  * @param blocks of the D-cache in a block of the b-cache
  */
case class CoherentEvents(blocks: Int) extends Bundle {
  val busWait = Bool() // the tick belongs to bus_wait, in the place of `owner`
  val linked = Bool() // LDx_L
  val buffered = Bool() // a store, not STx_C, gets its entry of the write buffer
  val conditional = Bool() // STx_C is decided
  val failed = Bool() // with conditional: it does not store
  val dropped = Bits(blocks bits) // the D-cache had them of what was invalidated in the last tick
}

/** Events of the core for the counters, each valid in a tick. `machines/counters.toml` says which
  * of them move counters.
  *
  * A core tells them of the last tick, from the clock after it until the next: all but `issuePc`
  * and `coldStart`, which others act on at once.
  */
case class CoreEvents(
    translates: Boolean = false,
    writeBack: Boolean = false,
    coherentBlocks: Option[Int] = None,
    iVictims: Boolean = false,
    dVictims: Boolean = false
) extends Bundle
    with IMasterSlave {
  val owner = Owner()
  val issuePc = UInt(34 bits) // with owner = issue: the program counter, for windows
  val palMode = Bool()
  val iAccess, iMiss, iStreamHit = Bool()
  val dAccess, dMiss = Bool() // loads, and stores of a write-back D-cache
  val writeAccess, writeMerge = Bool() // stores; merged into an entry in use
  val takenBranch = Bool()
  val mispredict = Bool() // of a branch or jump, in ev4 mode
  val iMissAddress, dMissAddress = UInt(34 bits) // with iMiss, dMiss: physical
  val trapped = Bool() // trap or interrupt, in the place of an issue
  val coldStart = Bool() // caches dropped; the opening instruction comes anew (counters.md)
  val translation = translates generate TranslationEvents()
  val iMissPc = translates generate UInt(34 bits) // with iMiss: virtual, as `issuePc` is
  val storeMiss = writeBack generate Bool() // with dMiss: it is a store
  val coherent = coherentBlocks.isDefined generate CoherentEvents(coherentBlocks.get)
  val iVictimHit = iVictims generate Bool() // with iMissAddress: it comes back from the victims
  val dVictimHit = dVictims generate Bool()
  override def asMaster(): Unit = elements.foreach { case (_, event) => out(event) }
}
