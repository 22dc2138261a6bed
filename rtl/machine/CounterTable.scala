// SPDX-License-Identifier: BSD-2-Clause
package mcpi.machine

/** A row of `machines/counters.toml`, whose comment defines the fields.
  *
  * @param event fields of the bundle of `of`; all are high in a tick that counts
  * @param inPrivate the same in the events of a private b-cache, if they differ
  */
case class CounterRow(
    name: String,
    of: String,
    event: Seq[String],
    inPrivate: Option[Seq[String]],
    skips: Boolean,
    causes: Boolean
) {

  /** The name without `owner.` or `cause.`. */
  def short: String = name.stripPrefix(s"$of.")
}

/** The counters of a machine, in the order of their registers. */
class CounterTable(val rows: Seq[CounterRow]) {
  def of(kind: String): Seq[CounterRow] = rows.filter(_.of == kind)

  val owners: Seq[String] = of("owner").map(_.short)
  val causes: Seq[String] = of("cause").map(_.short)

  /** Owners whose ticks have causes. */
  val caused: Seq[String] = rows.filter(_.causes).map(_.short)
  def cause(owner: String, cause: String): String = s"cause.$owner.$cause"

  /** Counters of causes: one for each of them and each owner that has causes. */
  val ofCauses: Seq[String] =
    for (owner <- caused if causes.nonEmpty; each <- causes) yield cause(owner, each)

  /** Counted when a miss is judged. */
  val late: Set[String] = of("verdict").map(_.name).toSet
  val names: Seq[String] = rows.flatMap { row =>
    if (row.of != "cause") Seq(row.name)
    else if (row.short == causes.head) ofCauses
    else Nil
  }
}

object CounterTable {
  private var ownersOfAll, causesOfAll: Seq[CounterRow] = Nil

  def read(json: ujson.Value): CounterTable = {
    def words(value: ujson.Value) = value.str.split(' ').filter(_.nonEmpty).toSeq
    val table = new CounterTable(json.arr.toSeq.map { row =>
      CounterRow(
        row("name").str,
        row("of").str,
        words(row("event")),
        row.obj.get("private").map(words),
        row("skips").bool,
        row("causes").bool
      )
    })
    ownersOfAll = same(ownersOfAll, table.of("owner").filter(_.event.isEmpty))
    causesOfAll = same(causesOfAll, table.of("cause"))
    table
  }

  /** Rows that are the same in each machine which has any. */
  private def same(before: Seq[CounterRow], now: Seq[CounterRow]) = {
    val differ = before.nonEmpty && now.nonEmpty && before != now
    require(!differ, "two tables of counters in one program: start another for the second")
    if (now.nonEmpty) now else before
  }

  /** Owners that each machine has; known when a machine has been loaded. */
  def owners: Seq[CounterRow] = ownersOfAll

  /** Causes; known when a machine that has them has been loaded. */
  def causes: Seq[CounterRow] = causesOfAll
}
