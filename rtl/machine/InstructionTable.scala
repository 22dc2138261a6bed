// SPDX-License-Identifier: BSD-2-Clause
package mcpi.machine

/** The highest and the lowest bit of a function. */
case class FunctionField(high: Int, low: Int)

/** The code of an instruction.
  *
  * @param field None where the opcode alone decides; else where the function is
  */
case class InstructionCode(name: String, opcode: Int, field: Option[FunctionField], function: Int)

/** The codes of `machines/instructions.toml`, and the opcodes of floating point. */
case class InstructionTable(rows: Seq[InstructionCode], floating: Seq[Int])

object InstructionTable {
  private var read: Option[InstructionTable] = None

  def read(json: ujson.Value): InstructionTable = {
    val rows = json("rows").arr.toSeq.map { row =>
      def bit(key: String) = row.obj.get(key).map(_.num.toInt)
      InstructionCode(
        row("name").str,
        row("opcode").num.toInt,
        bit("high").map(FunctionField(_, bit("low").get)),
        bit("function").getOrElse(0)
      )
    }
    val table = InstructionTable(rows, json("floating").arr.toSeq.map(_.num.toInt))
    require(read.forall(_ == table), "two tables of instructions: start another program")
    read = Some(table)
    table
  }

  /** The codes; known when a machine has been loaded. */
  def apply(): InstructionTable = read.getOrElse(sys.error("no machine has been loaded"))
}
