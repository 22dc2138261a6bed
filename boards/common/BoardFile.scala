// SPDX-License-Identifier: BSD-2-Clause
package mcpi.boards

import java.nio.file.{Files, Path}

/** The numbers of `boards/<name>/board.toml` that shape the Verilog; tools/mcpi/machine/boards.py
  * reads and checks the whole file.
  */
class BoardFile(val name: String) {
  private val text = Files.readString(Path.of("boards", name, "board.toml"))

  def int(key: String): Int = s"(?m)^$key = (\\d+)".r
    .findFirstMatchIn(text)
    .getOrElse(sys.error(s"boards/$name/board.toml: no number $key"))
    .group(1)
    .toInt

  /** True if the key says so, false if it does not or is not there. */
  def flag(key: String): Boolean = s"(?m)^$key = true".r.findFirstIn(text).isDefined

  /** What the board says it is: eight characters at most. */
  val identity: String = name.stripPrefix("colorlight-").replace("-", "")
  require(identity.length <= 8)
}
