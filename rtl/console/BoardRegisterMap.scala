// SPDX-License-Identifier: BSD-2-Clause
package mcpi.console

/** Host registers that belong to the board around a node (docs/reference/boards.md). */
object BoardRegisterMap {
  val first = 0x1000
  private val gateway = Seq(
    "sent",
    "received",
    "send_dropped",
    "receive_dropped",
    "receive_errors",
    "send_waiting",
    "receive_waiting"
  )
  private val exact = Seq("exact", "exact_state", "exact_waits")
  private val record = Seq("record_even", "record_odd", "record_waits")
  val names: Seq[String] = Seq(
    "name",
    "clock_khz",
    "pages",
    "pages_used",
    "fault",
    "link",
    "phy_control",
    "mdio"
  ) ++ gateway ++ Seq("embedded", "sent_nibbles", "real_time", "late") ++ exact ++ record

  def number(name: String): Int = {
    require(names.contains(name), s"no board register $name")
    first + names.indexOf(name)
  }
}
