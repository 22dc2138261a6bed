// SPDX-License-Identifier: BSD-2-Clause
package mcpi.lance

import spinal.core._
import spinal.lib._

/** Makes a bus's ports at the component that is being made, and joins them to a part. */
trait PartBus {
  def join(part: LancePart): Unit
}

/** Wishbone B4, classic cycles: slave `wbs` for registers, master `wbm` for DMA, 32 bits each,
  * addresses in longwords.
  *
  * The slave answers in the clock after `stb`. The master's cycle is one transfer: `cyc` is `stb`.
  */
object PartWishbone extends PartBus {
  def join(part: LancePart): Unit = {
    def name[T <: Data](port: T, word: String): T = port.setName(word)
    val request = Seq("cyc", "stb", "we").map(w => name(in Bool (), s"wbs_${w}_i"))
    val address = name(in UInt (3 bits), "wbs_adr_i")
    val select = name(in Bits (4 bits), "wbs_sel_i")
    val dataIn = name(in Bits (32 bits), "wbs_dat_i")
    val dataOut = name(out Bits (32 bits), "wbs_dat_o")
    val ack = name(out Bool (), "wbs_ack_o")
    val answers = RegInit(False).setName("answers")
    val begins = request(0) && request(1) && !answers
    answers := begins
    ack := answers
    dataOut := RegNext(part.access.readData).setName("read")
    part.access.valid := begins
    part.access.write := request(2)
    part.access.address := address
    part.access.mask := select
    part.access.writeData := dataIn

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
  }
}
