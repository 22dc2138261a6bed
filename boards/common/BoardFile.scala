// SPDX-License-Identifier: BSD-2-Clause
package mcpi.boards

import mcpi.machine.Machine
import mcpi.memory.{MemoryConfig, PageConfig}
import spinal.core._

import java.nio.file.{Files, Path}

/** The numbers of `boards/<name>/board.toml` that shape the Verilog; tools/mcpi/machine/boards.py
  * reads and checks the whole file.
  */
class BoardFile(val name: String) {
  private val file = Files.readString(Path.of("boards", name, "board.toml"))

  private def given(key: String, pattern: String): Option[String] =
    s"(?m)^$key = $pattern".r.findFirstMatchIn(file).map(_.group(1))
  private def value(key: String, pattern: String): String =
    given(key, pattern).getOrElse(sys.error(s"boards/$name/board.toml: no $key"))
  def int(key: String): Int = value(key, "(\\d+)").toInt
  def text(key: String): String = value(key, "\"(.*?)\"")

  /** True if the key says so, false if it does not or is not there. */
  def flag(key: String): Boolean = s"(?m)^$key = true".r.findFirstIn(file).isDefined

  /** The RAM below a node, in pages. */
  def pages(memory: MemoryConfig, machine: Machine): PageConfig = PageConfig(
    memory.bus,
    frames = given("frames_of_cores", "(\\d+)")
      .filter(_ => machine.coherent)
      .map(_.toInt)
      .getOrElse(int("frames")),
    pageBytes = int("page_bytes"),
    ramWidth = memory.ramAddressWidth,
    cached = 64,
    embed = flag("embed")
  )

  /** The node's clock is that of its PLL's VCO, divided by `divider`. */
  val (vcoMhz, divider) = (int("vco_mhz"), int("clock_divider"))
  val clockHz: Int = vcoMhz * 1000000 / divider
  def domain(of: ClockDomain): ClockDomain =
    of.copy(frequency = FixedFrequency(HertzNumber(clockHz)))

  /** Name by which the board identifies itself: eight characters at most. */
  val identity: String = name.stripPrefix("colorlight-").replace("-", "")
  require(identity.length <= 8)
}

object BoardFile {

  /** The folders of `boards/` that are boards. */
  def names: Seq[String] = new java.io.File("boards").list.toSeq.sorted
    .filter(name => Files.exists(Path.of("boards", name, "board.toml")))
}
