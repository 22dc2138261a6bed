// SPDX-License-Identifier: BSD-2-Clause
package mcpi.lance

import spinal.core._
import spinal.lib._

/** AXI4-Lite with 32 bits of data and the address of eight longwords. */
case class Axi4LiteBus() extends Bundle with IMasterSlave {
  val awvalid, awready, wvalid, wready, bvalid, bready = Bool()
  val arvalid, arready, rvalid, rready = Bool()
  val awaddr, araddr = UInt(5 bits)
  val wdata, rdata = Bits(32 bits)
  val wstrb = Bits(4 bits)
  val bresp, rresp = Bits(2 bits)
  override def asMaster(): Unit = {
    out(awvalid, awaddr, wvalid, wdata, wstrb, bready, arvalid, araddr, rready)
    in(awready, wready, bvalid, bresp, arready, rvalid, rdata, rresp)
  }
}

/** AXI4 with 32 bits of data and address, of which the master has one transaction at a time. */
case class Axi4Bus() extends Bundle with IMasterSlave {
  val awvalid, awready, wvalid, wready, wlast, bvalid, bready = Bool()
  val arvalid, arready, rvalid, rready, rlast = Bool()
  val awid, bid, arid, rid = Bits(1 bit)
  val awaddr, araddr = UInt(32 bits)
  val awlen, arlen = UInt(8 bits)
  val awsize, awprot, arsize, arprot = Bits(3 bits)
  val awburst, arburst, bresp, rresp = Bits(2 bits)
  val awcache, arcache, wstrb = Bits(4 bits)
  val wdata, rdata = Bits(32 bits)
  override def asMaster(): Unit = {
    out(awvalid, awid, awaddr, awlen, awsize, awburst, awcache, awprot)
    out(arvalid, arid, araddr, arlen, arsize, arburst, arcache, arprot)
    out(wvalid, wdata, wstrb, wlast, bready, rready)
    in(awready, wready, bvalid, bid, bresp, arready, rvalid, rid, rdata, rresp, rlast)
  }
}

/** The registers as a slave of AXI4-Lite: each is taken a clock after it is offered, a write before
  * a read, and answered in the next clock. No output follows an input in the same clock.
  */
class Axi4LiteAccess extends Component {
  val axi = slave(Axi4LiteBus())
  val access = master(PartAccess())

  val writes, reads, wrote, hasRead = RegInit(False)
  val value = Reg(Bits(32 bits))
  val beginsWrite = axi.awvalid && axi.wvalid && !writes && !wrote
  val beginsRead = axi.arvalid && !reads && !hasRead && !beginsWrite
  writes := beginsWrite
  reads := beginsRead
  when(writes)(wrote := True)
  when(wrote && axi.bready)(wrote := False)
  when(hasRead && axi.rready)(hasRead := False)
  when(reads) {
    hasRead := True
    value := access.readData
  }
  axi.awready := writes
  axi.wready := writes
  axi.bvalid := wrote
  axi.bresp := 0
  axi.arready := reads
  axi.rvalid := hasRead
  axi.rdata := value
  axi.rresp := 0
  access.valid := writes || reads
  access.write := writes
  access.address := (writes ? axi.awaddr | axi.araddr)(4 downto 2)
  access.mask := axi.wstrb
  access.writeData := axi.wdata
}

/** The DMA as a master of AXI4: up to four longwords of 16 bytes are one burst.
  *
  * AXI takes nothing back. When the part gives up, the burst goes on to its end: what comes is
  * dropped, what is left to write has no strobes, and a new request waits.
  */
class Axi4Memory extends Component {
  val memory = slave(PartMemory())
  val axi = master(Axi4Bus())

  val busy, follows, asks, gives, last = RegInit(False)
  val write = Reg(Bool())
  val address = Reg(UInt(30 bits))
  val length = Reg(UInt(2 bits))
  val left = Reg(UInt(3 bits)) init 0 // longwords to put into `data`, or to come
  val data = Reg(Bits(32 bits))
  val strobes = Reg(Bits(4 bits))

  val here = memory.valid && follows
  val begins = !busy && memory.valid
  val moves = busy && write && left =/= 0 && (!gives || axi.wready) && (here || !follows)
  val comes = axi.rready && axi.rvalid
  val answered = axi.bready && axi.bvalid
  axi.rready := busy && !write && !asks
  axi.bready := busy && write && !asks && !gives && left === 0
  memory.busy := busy
  memory.ready := here && (comes || answered || moves && left =/= 1)
  memory.error := comes && axi.rresp(1) || answered && axi.bresp(1)
  memory.readData := axi.rdata

  when(!memory.valid || memory.ready && memory.error)(follows := False)
  when(asks && (write ? axi.awready | axi.arready))(asks := False)
  when(axi.wready)(gives := False)
  when(moves) {
    gives := True
    data := memory.writeData
    strobes := here ? memory.mask | B(0, 4 bits)
    last := left === 1
  }
  when(moves || comes)(left := left - 1)
  when(answered || comes && left === 1)(busy := False)
  when(begins) {
    busy := True
    follows := True
    asks := True
    write := memory.write
    address := memory.address
    length := memory.more
    left := memory.more +^ 1
  }

  axi.awvalid := asks && write
  axi.arvalid := asks && !write
  for (at <- Seq(axi.awaddr, axi.araddr)) at := address @@ U"00"
  for (beats <- Seq(axi.awlen, axi.arlen)) beats := length.resized
  for (id <- Seq(axi.awid, axi.arid)) id := 0
  for (size <- Seq(axi.awsize, axi.arsize)) size := 2 // four bytes
  for (burst <- Seq(axi.awburst, axi.arburst)) burst := 1 // INCR
  for (cache <- Seq(axi.awcache, axi.arcache)) cache := 3 // normal memory, not cached
  for (prot <- Seq(axi.awprot, axi.arprot)) prot := 0
  axi.wvalid := gives
  axi.wdata := data
  axi.wstrb := strobes
  axi.wlast := last
}
