// SPDX-License-Identifier: BSD-2-Clause
package mcpi.console

import spinal.core._
import spinal.lib._
import spinal.lib.com.uart._

/** The host link's bytes on two wires: 8 data bits, no parity, one stop bit.
  *
  * `clockHz` of the node's clock; `baud` is met to a fifth of a bit's sixteenth at worst, or
  * refused. Bytes of the host wait in a queue of `depth`: the host awaits each reply, so no more
  * can come.
  */
class SerialLine(clockHz: Int, baud: Int, depth: Int = 64) extends Component {
  val io = new Bundle {
    val rxd = in Bool ()
    val txd = out Bool ()
    val fromHost = master Stream Bits(8 bits)
    val toHost = slave Stream Bits(8 bits)
  }
  private val frame = UartCtrlGenerics(preSamplingSize = 1, samplingSize = 3, postSamplingSize = 1)
  private val samples = frame.rxSamplePerBit
  private val divider = scala.math.round(clockHz.toDouble / baud / samples).toInt
  private val real = clockHz.toDouble / divider / samples
  require(divider >= 2, s"$baud baud is too fast for a clock of $clockHz Hz")
  require(
    scala.math.abs(real / baud - 1) < 0.012,
    f"$baud baud cannot be made of $clockHz Hz: $real%.0f is the nearest"
  )
  val uart = new UartCtrl(frame)
  uart.io.config.clockDivider := divider - 1
  uart.io.config.frame.dataLength := 7
  uart.io.config.frame.parity := UartParityType.NONE
  uart.io.config.frame.stop := UartStopType.ONE
  uart.io.writeBreak := False
  uart.io.uart.rxd := io.rxd
  io.txd := uart.io.uart.txd
  uart.io.write << io.toHost
  io.fromHost << uart.io.read.queue(depth)
}
