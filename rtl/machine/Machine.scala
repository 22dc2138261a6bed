// SPDX-License-Identifier: BSD-2-Clause
package mcpi.machine

/** A resolved machine: every parameter of `machines/parameters.toml` with its value.
  *
  * Sizes are in bytes, times in the unit their name ends with. The file is written by
  * `tools/mcpi/machine/profile.py`, which has checked names, types and ranges; what a room needs
  * beyond that, its own `XConfig` requires.
  */
class Machine(json: ujson.Value) {
  val name: String = json("name").str
  private val values = json("parameters").obj

  private def value(key: String): ujson.Value =
    values.getOrElse(key, sys.error(s"machine '$name' has no parameter '$key'"))

  /** An integer or a size in bytes. */
  def int(key: String): Int = value(key).num.toInt
  def bool(key: String): Boolean = value(key).bool
  def choice(key: String): String = value(key).str

  /** Each core has its own b-cache (docs/explanation/multiprocessor.md). */
  val coherent: Boolean = values.get("bcache.private").exists(_.bool)

  /** The Ethernet controller recognises the frames of paths (docs/reference/lance.md). */
  val classifies: Boolean = values.get("lance.classifier").exists(_.bool)

  /** On a board ticks come at the pace of `clock.ticks_per_us` (docs/reference/boards.md). */
  val realTime: Boolean = values.get("clock.real_time").exists(_.bool)

  /** A time given in nanoseconds, as whole ticks (rounded to nearest). */
  def ticks(keyNs: String): Int =
    math.round(int(keyNs).toLong * int("clock.ticks_per_us") / 1000.0).toInt

  /** Parameters that host registers hold, in the order of `machines/parameters.toml`. */
  val runParameters: Seq[String] = json("run_parameters").arr.map(_.str).toSeq

  /** Run-time parameters that only such a machine has: their host registers are apart. */
  val furtherParameters: Seq[String] =
    json.obj.get("further_parameters").fold(Seq.empty[String])(_.arr.map(_.str).toSeq)

  def cores: Int = int("core.count")

  /** The most that the host register of run-time parameter `key` may hold. */
  def registerMost(key: String): BigInt = BigInt(json("register_ranges")(key)(1).num.toLong)

  /** SHA-256 of the parameters that shape the Verilog, first 64 bits. */
  val digest: BigInt = BigInt(json("elaborate_digest").str, 16)

  /** Counters, owners and causes (`machines/counters.toml`). */
  val counters: CounterTable = CounterTable.read(json("counters"))
  InstructionTable.read(json("instructions"))

  /** `machines/memory-map.toml`: section, then entry, then `base`, `offset`, `bit`… */
  private val map = json("memory_map")
  def base(section: String, entry: String): BigInt = BigInt(map(section)(entry)("base").num.toLong)
  def size(section: String, entry: String): BigInt = BigInt(map(section)(entry)("size").num.toLong)
  def offset(section: String, entry: String): BigInt =
    BigInt(map(section)(entry)("offset").num.toLong)
  def interruptBit(source: String): Int = map("interrupt")(source)("bit").num.toInt
}

object Machine {
  def load(path: String): Machine = new Machine(
    ujson.read(java.nio.file.Files.readString(java.nio.file.Path.of(path)))
  )
}

/** A block that can be elaborated on its own; `node`: there is one node in it, whose identity is
  * sealed and whose registers are described next to the Verilog.
  */
case class Block(name: String, make: Machine => spinal.core.Component, node: Boolean = false)
