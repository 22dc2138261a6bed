// SPDX-License-Identifier: BSD-2-Clause
package mcpi.boards

import mcpi.console.{BoardRegisterMap, HostRegisterBus}
import mcpi.lance.{GatewayCounts, LinkState, MdioPins, Mdio}
import spinal.core._
import spinal.lib._

/** Host registers 1000 hex up (boards.md). A value stands two clocks after its read, and is
  * zero after the read of any other register. `rate`: of a machine in real time; `time`: of one
  * whose board has exact time.
  */
class BoardRegisters(
    board: BoardFile,
    pages: Int,
    ramWidth: Int,
    rate: Option[TickRate],
    time: Option[ExactConfig]
) extends Component {
  val io = new Bundle {
    val bus = slave(HostRegisterBus())
    val used = in UInt (log2Up(pages + 1) bits)
    val fault = in Bool ()
    val faultAddress = in UInt (ramWidth bits)
    val embedded = in Bits (64 bits)
    val forget = out Bool ()
    val link = in(LinkState()) // of another clock; stands still for long
    val counts = in(GatewayCounts())
    val late = rate.isDefined generate (in UInt (Pacer.width bits))
    val exact = time.isDefined generate master(ExactControl(time.get))
    val mdio = master(MdioPins())
    val phyReset, fast, linked = out Bool ()
  }
  private def at(name: String) = BoardRegisterMap.number(name)
  private val nameBytes = BigInt(board.identity.getBytes("US-ASCII").reverse)

  val phyRuns, fast = RegInit(False)
  val mdio = new Mdio(half = (board.clockHz + 4999999) / 5000000)
  mdio.pins <> io.mdio
  val mdioBusy, mdioSent, mdioMissing = RegInit(False)
  val mdioData = Reg(Bits(16 bits)) init 0
  val command = Reg(Bits(27 bits)) init 0
  mdio.cmd.valid := mdioBusy && !mdioSent
  mdio.cmd.write := command(26)
  mdio.cmd.phy := command(25 downto 21).asUInt
  mdio.cmd.register := command(20 downto 16).asUInt
  mdio.cmd.data := command(15 downto 0)
  when(mdio.cmd.fire)(mdioSent := True)
  when(mdio.rsp.valid && mdioSent) {
    mdioBusy := False
    mdioMissing := mdio.rsp.missing && !command(26)
    mdioData := mdio.rsp.data
  }

  val session = time.isDefined generate (Reg(Bits(16 bits)) init 0)
  val phase = time.isDefined generate (Reg(cloneOf(io.exact.phase)) init 0)
  val exact, records = RegInit(False)
  for (_ <- time) {
    io.exact.on := exact
    io.exact.records := records
    io.exact.session := session
    io.exact.phase := phase
  }

  for (_ <- time) {
    val wanted = io.bus.number === at("record_even") || io.bus.number === at("record_odd")
    io.exact.read.valid := RegNext(io.bus.read && wanted) init False
    io.exact.read.payload := RegNext(io.bus.number === at("record_odd"))
  }

  io.forget := False
  when(io.bus.write) {
    switch(io.bus.number) {
      is(at("pages_used"))(io.forget := True)
      is(at("phy_control")) {
        phyRuns := io.bus.data(0)
        fast := io.bus.data(1)
      }
      is(at("mdio")) {
        command := io.bus.data(26 downto 0)
        mdioBusy := True
        mdioSent := False
      }
      for (_ <- time) is(at("exact")) {
        exact := io.bus.data(0)
        records := io.bus.data(1)
        phase := io.bus.data(31 downto 16).asUInt.resized
        session := io.bus.data(47 downto 32)
      }
    }
  }

  val link = BufferCC(io.link)
  val value = Reg(Bits(64 bits)) init 0
  private val counts = Seq(
    "sent" -> io.counts.sent,
    "received" -> io.counts.received,
    "send_dropped" -> io.counts.sendDropped,
    "receive_dropped" -> io.counts.receiveDropped,
    "receive_errors" -> io.counts.receiveErrors,
    "send_waiting" -> io.counts.sendWaiting,
    "receive_waiting" -> io.counts.receiveWaiting,
    "sent_nibbles" -> io.counts.sentNibbles
  )
  when(io.bus.read) {
    value := 0
    switch(io.bus.number) {
      is(at("name"))(value := nameBytes)
      is(at("clock_khz"))(value := board.clockHz / 1000)
      is(at("pages"))(value := pages)
      is(at("pages_used"))(value := io.used.asBits.resized)
      is(at("fault")) {
        value := io.faultAddress.asBits.resized
        value(63) := io.fault
      }
      is(at("link"))(value := (link.speed ## link.fullDuplex ## link.up).resized)
      is(at("phy_control"))(value := (fast ## phyRuns).resized)
      is(at("mdio"))(value := (mdioBusy ## mdioMissing ## mdioData).resized)
      is(at("embedded"))(value := io.embedded)
      for (given <- rate) {
        is(at("real_time"))(value := (BigInt(given.ticks) << 16) + given.clocks)
        is(at("late"))(value := io.late.asBits.resized)
      }
      for (c <- time) {
        is(at("exact"))(
          value := B(c.nibble, 16 bits) ## session ## phase.resize(16) ##
            (records ## exact).resize(16)
        )
        is(at("exact_state"))(
          value := (io.exact.overflow ## io.exact.foreign ## io.exact.faults.asBits).resized
        )
        is(at("exact_waits"))(value := io.exact.waits.asBits.resized)
        is(at("record_waits"))(value := io.exact.recordWaits.asBits.resized)
      }
      for ((name, count) <- counts) is(at(name))(value := count.asBits.resized)
    }
  }
  for (_ <- time) when(io.exact.read.valid)(value := io.exact.entry)
  io.bus.value := value
  io.phyReset := !phyRuns
  io.fast := fast
  io.linked := link.up
}
