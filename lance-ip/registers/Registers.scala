// SPDX-License-Identifier: BSD-2-Clause
package mcpi.lance

import spinal.core._
import spinal.lib._

/** Reports of the engines for CSR0; each for one tick. */
case class LanceFlags() extends Bundle {
  val babble, noHeartbeat, miss, memoryError = Bool()
  val received, transmitted = Bool()
  val transmitterOff = Bool() // underflow or buffer error
}

case class RegistersIo() extends Bundle {
  val port = slave(RegisterPort())
  val reset = in Bool () // RESET pin: also clears RAP
  val flags = in(LanceFlags())
  val mode = in(Mode())
  val initDone = in Bool ()
  val demandTaken = in Bool ()
  val stopped = out Bool () // level; the engines lie still
  val initRun = out Bool () // level; the init block is being read
  val started = out Bool () // one tick: receiver and transmitter come on
  val rxOn, txOn = out Bool ()
  val demand = out Bool () // TDMD as it reads
  val csr0Selected = out Bool ()
  val byteSwap = out Bool ()
  val initAddress = out UInt (24 bits)
  val interrupt = out Bool () // INTR and INEA
}

/** RAP and CSR0 to CSR3, with the write rules of sources/lance.md 1.1. */
class Registers(c: LanceConfig) extends Component {
  val io = RegistersIo()

  val rap = Reg(UInt(2 bits)) init 0
  val csr1, csr2 = Reg(Bits(16 bits)) init 0
  val csr3 = Reg(Bits(3 bits)) init 0
  val babl, cerr, miss, merr, rint, tint, idon = Reg(Bool()) init False
  val inea, rxOn, txOn, tdmd, strt, initBit = Reg(Bool()) init False
  val stop = Reg(Bool()) init True
  val initBusy = Reg(Bool()) init False
  val running = Reg(Bool()) init False // STRT has taken effect
  val initialized = Reg(Bool()) init False // the block that was begun is whole; survives STOP
  val wholeSinceStop = Reg(Bool()) init False // it was read since STOP

  val intr = babl || miss || merr || rint || tint || idon // CERR is not in it
  val err = babl || cerr || miss || merr
  val csr0 = B(
    16 bits,
    15 -> err,
    14 -> babl,
    13 -> cerr,
    12 -> miss,
    11 -> merr,
    10 -> rint,
    9 -> tint,
    8 -> idon,
    7 -> intr,
    6 -> inea,
    5 -> rxOn,
    4 -> txOn,
    3 -> tdmd,
    2 -> stop,
    1 -> strt,
    0 -> initBit
  )

  // While running, CSR1 to CSR3 are closed; what a read gives then is undefined: zero.
  val data = rap.mux(
    0 -> csr0,
    1 -> Mux(stop, csr1, B(0, 16 bits)),
    2 -> Mux(stop, csr2, B(0, 16 bits)),
    3 -> Mux(stop, csr3.resize(16), B(0, 16 bits))
  )
  io.port.readData := Mux(io.port.rap, rap.asBits.resize(16), data)

  val d = io.port.writeData
  val writes = io.port.valid && io.port.write
  val writesCsr0 = writes && !io.port.rap && rap === 0
  val stops = writesCsr0 && d(2)

  when(writes && io.port.rap)(rap := d(1 downto 0).asUInt)
  when(writes && !io.port.rap && stop) {
    switch(rap) {
      is(1)(csr1 := d)
      is(2)(csr2 := d)
      is(3)(csr3 := d(2 downto 0))
    }
  }

  when(writesCsr0) {
    // A write is a mask: ones clear flags, zeros change nothing, INEA takes every value.
    when(d(14))(babl := False)
    when(d(13))(cerr := False)
    when(d(12))(miss := False)
    when(d(11))(merr := False)
    when(d(10))(rint := False)
    when(d(9))(tint := False)
    when(d(8))(idon := False)
    when(!stop || d(0) || d(1) || Bool(c.cLance))(inea := d(6))
    when(d(3) && (strt || d(1)))(tdmd := True)
    when(d(1)) {
      strt := True
      stop := False
    }
    when(d(0) && !d(2)) {
      initBit := True
      stop := False
      when(wholeSinceStop) {
        idon := True // again without STOP: only the flag (sources/lance.md 1.1)
      } elsewhen (!initBusy && !rxOn && !txOn) { // never under live rings
        initBusy := True
        initialized := False
        running := False
      }
    }
  }

  // A bit that the chip sets wins over a write that clears it.
  when(!stop) { // the rings hear of STOP a tick later
    when(io.flags.babble)(babl := True)
    when(io.flags.noHeartbeat)(cerr := True)
    when(io.flags.miss)(miss := True)
    when(io.flags.received)(rint := True)
    when(io.flags.transmitted)(tint := True)
  }
  when(io.demandTaken && !(writesCsr0 && d(3)))(tdmd := False)
  when(io.initDone && !stop) { // so does the block
    idon := True
    initBusy := False
    initialized := True
    wholeSinceStop := True
  }
  io.started := strt && !running && !initBusy && initialized && !stop
  when(io.started) {
    running := True
    rxOn := !io.mode.disableReceive
    txOn := !io.mode.disableTransmit
  }
  when(io.flags.transmitterOff)(txOn := False)
  when(io.flags.memoryError && !stop) {
    merr := True
    rxOn := False
    txOn := False
    initBusy := False
  }

  when(stops || io.reset) { // every other bit falls: CSR0 reads exactly 0004
    Seq(babl, cerr, miss, merr, rint, tint, idon, inea, rxOn, txOn, tdmd, strt, initBit)
      .foreach(_ := False)
    initBusy := False
    wholeSinceStop := False
    running := False
    stop := True
    csr3 := 0
  }
  when(io.reset) {
    rap := 0
    initialized := False
  }

  io.stopped := stop
  io.initRun := initBusy
  io.rxOn := rxOn
  io.txOn := txOn
  io.demand := tdmd
  io.csr0Selected := rap === 0
  io.byteSwap := csr3(2)
  io.initAddress := (csr2(7 downto 0) ## csr1(15 downto 1) ## B"0").asUInt
  io.interrupt := intr && inea
}
