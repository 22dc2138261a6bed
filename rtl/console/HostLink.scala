// SPDX-License-Identifier: BSD-2-Clause
package mcpi.console

import mcpi.bus._
import spinal.core._
import spinal.lib._
import spinal.lib.fsm._

/** Access to the host registers: one pulse asks, and `value` holds the answer two clocks later. */
case class HostRegisterBus() extends Bundle with IMasterSlave {
  val number = UInt(16 bits)
  val write, read = Bool()
  val data = Bits(64 bits)
  val value = Bits(64 bits)
  override def asMaster(): Unit = { out(number, write, read, data); in(value) }
}

/** First byte of a request and of its reply (contracts.md 5, host-link.md). */
object HostOpcode {
  val ping = 0x01
  val writeRam = 0x10
  val readRam = 0x11
  val writeRegister = 0x20
  val readRegister = 0x21
  val toGuest = 0x30
  val fromGuest = 0x40
  val refused = 0xff

  /** Bytes between the opcode and its CRC. */
  val argumentBytes: Map[Int, Int] =
    Map(writeRam -> 6, readRam -> 6, writeRegister -> 10, readRegister -> 2, toGuest -> 1)
  val crcBytes = 4
  val version = 2

  /** The bytes `mCPI`, first byte lowest. */
  val greeting: BigInt = BigInt("mCPI".getBytes.reverse)
}

/** The host's way in: bytes to and from a UART or C++, in clocks, outside virtual time.
  *
  * A request is answered before the next one is looked at, and nothing of it is done before its CRC
  * is right; between two, a byte of the guest's console may go out by itself: when both have bytes
  * they take turns, so neither keeps the other waiting. RAM can be reached only while `held`.
  */
class HostLink(c: MemoryBusConfig) extends Component {
  val io = new Bundle {
    val fromHost = slave Stream Bits(8 bits)
    val toHost = master Stream Bits(8 bits)
    val held = in Bool () // the core does not run: RAM is ours
    val backing = master(BackingBus(c))
    val registers = master(HostRegisterBus())
    val toGuest = master Stream Bits(8 bits)
    val fromGuest = slave Stream Bits(8 bits)
  }
  import HostOpcode._
  private val words = c.blockBytes / 8

  val opcode = Reg(Bits(8 bits)) init 0
  val argument = Reg(Bits(80 bits)) init 0 // the last bytes that came, newest on top
  val count = Reg(UInt(16 bits)) init 0 // bytes still wanted in this state
  val address = Reg(UInt(32 bits)) init 0
  val word = Reg(Bits(64 bits)) init 0
  val reply = Reg(Bits(72 bits)) init 0 // bytes to send, lowest first
  val replyBytes = Reg(UInt(4 bits)) init 0
  val refuse = RegInit(False) // arguments that cannot be served
  val crc = Reg(Bits(32 bits)) init Crc32.start
  val hostsTurn = RegInit(True) // when host and guest both have a byte

  private def isRequest(code: Int): Bool = opcode === code
  private val taken = io.fromHost.fire
  private val byte = io.fromHost.payload
  val sent = io.toHost.fire
  val crcInput = io.toHost.valid ? reply(7 downto 0) | byte
  val crcNext = Crc32(crc, crcInput)

  // Fields of a whole request, looked at a clock before `dispatch`: they drive a long path.
  private val start = argument(63 downto 32).asUInt
  private val length = argument(79 downto 64).asUInt
  val whole = RegNext(crc === B(Crc32.residue, 32 bits)) init False
  val served = RegNext(
    io.held && start(2 downto 0) === 0 && length(2 downto 0) === 0 &&
      start(31 downto 26) === 0 && (start + length) <= (1 << 26)
  ) init False

  io.fromHost.ready := False
  io.toHost.valid := replyBytes =/= 0
  io.toHost.payload := reply(7 downto 0)
  io.toGuest.valid := False
  io.toGuest.payload := argument(79 downto 72)
  io.fromGuest.ready := False

  private val lane = address(log2Up(c.blockBytes) - 1 downto 3)
  io.backing.cmd.valid := False
  io.backing.cmd.write := isRequest(writeRam)
  io.backing.cmd.address := (address >> log2Up(c.blockBytes) << log2Up(c.blockBytes)).resized
  io.backing.cmd.data := Vec(Seq.fill(words)(word)).asBits
  io.backing.cmd.mask := 0
  for (i <- 0 until words) when(lane === i)(io.backing.cmd.mask(8 * i, 8 bits).setAll())

  // A register's number is a long way from whatever it chooses.
  private val command = HostRegisterBus()
  command.number := 0
  command.data := argument(79 downto 16)
  command.write := False
  command.read := False
  io.registers.number := RegNext(command.number)
  io.registers.data := RegNext(command.data)
  io.registers.write := RegNext(command.write) init False
  io.registers.read := RegNext(command.read) init False

  // Writes to RAM are separate from the bytes that are sent.
  private val arrived = RegNext(io.backing.rsp.valid) init False
  private val arrivedWord = RegNext(io.backing.rsp.payload.subdivideIn(64 bits)(lane))

  when(sent) {
    reply := reply |>> 8
    replyBytes := replyBytes - 1
    crc := crcNext
  }
  private def answer(bytes: Bits, howMany: Int): Unit = {
    reply := bytes.resized
    replyBytes := howMany
  }

  val machine = new StateMachine {
    val waiting: State = new State with EntryPoint // for an opcode
    val arguments, dispatch, replying = new State
    val dataIn, store, crcIn, crcCheck = new State
    val registerAsk, registerWait, registerAnswer = new State
    val fetch, fetched, dataOut = new State

    waiting.whenIsActive {
      val takesHost = io.fromHost.valid && (hostsTurn || !io.fromGuest.valid)
      io.fromHost.ready := takesHost
      io.fromGuest.ready := !takesHost
      when(takesHost) {
        hostsTurn := False
        opcode := byte
        crc := crcNext
        count := 0
        goto(arguments)
        switch(byte) {
          for ((code, bytes) <- argumentBytes) is(code)(count := bytes + crcBytes)
        }
      } elsewhen (io.fromGuest.valid) {
        hostsTurn := True
        answer(io.fromGuest.payload ## B(fromGuest, 8 bits), 2)
        goto(replying)
      }
    }
    arguments.whenIsActive {
      io.fromHost.ready := count =/= 0
      when(taken) {
        when(count > crcBytes)(argument := byte ## argument(79 downto 8))
        crc := crcNext
        count := count - 1
      }
      when(count === 0)(goto(dispatch))
    }
    dispatch.whenIsActive {
      goto(replying)
      answer(B(refused, 8 bits), 1)
      crc := B(Crc32.start, 32 bits) // of the data, or of the reply
      when(isRequest(ping)) {
        answer(B(version, 8 bits) ## B(greeting, 32 bits) ## B(ping, 8 bits), 6)
      } elsewhen (whole) {
        switch(opcode) {
          is(writeRam) {
            address := start
            count := length
            refuse := !served
            replyBytes := 0
            goto(dataIn)
          }
          is(readRam) {
            when(served) {
              address := start
              count := length
              answer(B(readRam, 8 bits), 1)
              goto(dataOut)
            }
          }
          is(writeRegister) {
            command.number := argument(15 downto 0).asUInt
            command.write := True
            answer(B(writeRegister, 8 bits), 1)
          }
          is(readRegister) {
            command.number := argument(79 downto 64).asUInt
            command.read := True
            replyBytes := 0
            goto(registerAsk)
          }
          is(toGuest) {
            io.toGuest.valid := True
            when(io.toGuest.ready)(answer(B(toGuest, 8 bits), 1))
          }
        }
      }
    }
    replying.whenIsActive {
      crc := B(Crc32.start, 32 bits)
      when(replyBytes === 0)(goto(waiting))
    }

    registerAsk.whenIsActive(goto(registerWait))
    registerWait.whenIsActive(goto(registerAnswer))
    registerAnswer.whenIsActive {
      answer(io.registers.value ## B(readRegister, 8 bits), 9)
      count := 0
      goto(dataOut)
    }

    // Eight bytes at a time go to RAM as they come; a wrong CRC at the end asks for them again.
    dataIn.whenIsActive {
      io.fromHost.ready := count =/= 0
      when(taken) {
        word := byte ## word(63 downto 8)
        crc := crcNext
        count := count - 1
        when(count(2 downto 0) === 1)(goto(store))
      }
      when(count === 0) {
        count := 4
        goto(crcIn)
      }
    }
    store.whenIsActive {
      io.backing.cmd.valid := !refuse
      when(io.backing.cmd.ready || refuse) {
        address := address + 8
        goto(dataIn)
      }
    }
    crcIn.whenIsActive {
      io.fromHost.ready := True
      when(taken) {
        crc := crcNext
        count := count - 1
        when(count === 1)(goto(crcCheck))
      }
    }
    crcCheck.whenIsActive {
      val status = UInt(8 bits)
      status := 0
      when(refuse)(status := 2)
      when(crc =/= B(Crc32.residue, 32 bits))(status := 1)
      answer(status ## B(writeRam, 8 bits), 2)
      goto(replying)
    }

    dataOut.whenIsActive {
      when(replyBytes === 0) {
        when(count === 0) {
          answer(~crc, 4)
          goto(replying)
        } otherwise {
          goto(fetch)
        }
      }
    }
    fetch.whenIsActive {
      io.backing.cmd.valid := True
      when(io.backing.cmd.ready)(goto(fetched))
    }
    fetched.whenIsActive {
      when(arrived) {
        answer(arrivedWord, 8)
        address := address + 8
        count := count - 8
        goto(dataOut)
      }
    }
  }
}
