// SPDX-License-Identifier: BSD-2-Clause
package mcpi.lance

import spinal.core._
import spinal.lib._

/** Makes a bus's ports at the component that is being made, and joins them to a part. */
trait PartBus {
  def join(part: LancePart): Unit
}

/** Wishbone B4, classic cycles: slave `wbs` for registers, master `wbm` for DMA, 32 bits each,
  * addresses in longwords. The master's cycle is one transfer: `cyc` is `stb`.
  */
object PartWishbone extends PartBus {
  def join(part: LancePart): Unit = {
    def name[T <: Data](port: T, word: String): T = port.setName(word)
    val registers = new WishboneAccess().setName("registers")
    registers.access <> part.access
    registers.cyc := name(in Bool (), "wbs_cyc_i")
    registers.stb := name(in Bool (), "wbs_stb_i")
    registers.we := name(in Bool (), "wbs_we_i")
    registers.adr := name(in UInt (3 bits), "wbs_adr_i")
    registers.sel := name(in Bits (4 bits), "wbs_sel_i")
    registers.written := name(in Bits (32 bits), "wbs_dat_i")
    name(out Bits (32 bits), "wbs_dat_o") := registers.read
    name(out Bool (), "wbs_ack_o") := registers.ack

    val memory = part.memory
    Seq("cyc", "stb").foreach(w => name(out Bool (), s"wbm_${w}_o") := memory.valid)
    name(out Bool (), "wbm_we_o") := memory.write
    name(out UInt (30 bits), "wbm_adr_o") := memory.address
    name(out Bits (4 bits), "wbm_sel_o") := memory.mask
    name(out Bits (32 bits), "wbm_dat_o") := memory.writeData
    memory.readData := name(in Bits (32 bits), "wbm_dat_i")
    val (done, failed) = (name(in Bool (), "wbm_ack_i"), name(in Bool (), "wbm_err_i"))
    memory.ready := done || failed
    memory.error := failed
    memory.busy := False
  }
}

/** AXI4: slave `s_axi` for registers (AXI4-Lite), master `m_axi` for DMA, 32 bits each. */
object PartAxi4 extends PartBus {
  def join(part: LancePart): Unit = {
    val registers = new Axi4LiteAccess().setName("registers")
    registers.access <> part.access
    slave(Axi4LiteBus()).setName("s_axi") <> registers.axi
    val memory = new Axi4Memory().setName("memory")
    memory.memory <> part.memory
    memory.axi <> master(Axi4Bus()).setName("m_axi")
  }
}
