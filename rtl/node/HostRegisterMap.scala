// SPDX-License-Identifier: BSD-2-Clause
package mcpi.node

import mcpi.console.BoardRegisterMap
import mcpi.counters.{CountersConfig, Owner, SnoopCounters, WindowNames, WindowTable}
import mcpi.machine.Machine

/** Numbers of the host registers (contracts.md 5) and the names `Node.json` gives them. */
class HostRegisterMap(machine: Machine) {
  val run = 0x000
  val status = 0x001
  val identity = 0x002 // magic, rtl digest, machine digest, node number
  val countersControl = 0x010
  val autosnapshot = 0x011
  val coldAddress = 0x012
  val coldNumber = 0x013
  val codeWindow = 0x014
  val measureFrom = 0x015
  val measureTo = 0x016
  val invocations = 0x017
  val runMask = 0x018 // with private b-caches
  val firstParameter = 0x020
  val timerPhase = 0x040
  val lancePollPhase = 0x041
  val stationAddress = 0x042
  val lanceHeartbeat = 0x043
  val furtherParameter = 0x060
  val firstComparator = 0x100
  val snapshotAll = 0x200
  val snapshotPath = 0x300
  val snapshotCells = 0x400 // of the table of windows
  val snapshotMachine = 0x600 // with private b-caches, as what follows
  val firstCore = 0x4000
  val coreStride = 0x800

  private val counters = CountersConfig(machine)
  val comparators = counters.comparators
  val parameters: Seq[String] = machine.runParameters
  private val usual = parameters.filterNot(machine.furtherParameters.contains)
  require(firstParameter + usual.length <= timerPhase)
  require(furtherParameter + machine.furtherParameters.length <= firstComparator)
  require(counters.names.length <= snapshotPath - snapshotAll)
  require(firstComparator + 2 * comparators <= snapshotAll)

  def parameter(key: String): Int = {
    val further = machine.furtherParameters.indexOf(key)
    if (further < 0) firstParameter + usual.indexOf(key) else furtherParameter + further
  }

  private val owners = machine.counters.owners
  private val copies: Seq[(String, Int)] =
    Seq("all" -> snapshotAll, "path" -> snapshotPath).flatMap { case (bank, first) =>
      counters.names.zipWithIndex.map { case (name, k) => s"snapshot.$bank.$name" -> (first + k) }
    } ++ (for (set <- 0 until WindowTable.sets; (owner, k) <- owners.zipWithIndex)
      yield s"snapshot.set.$set.$owner" -> (snapshotCells + WindowTable.cell(set, k))) ++
      WindowNames.further.map(name =>
        s"snapshot.invocations.$name" -> (snapshotCells + WindowTable.invocations(name))
      )

  /** Core k's copies are where core 0's are, and so much further. */
  private def ofCores: Seq[(String, Int)] = ("run_mask" -> runMask) +:
    SnoopCounters.names.zipWithIndex.map { case (name, k) =>
      s"snapshot.machine.$name" -> (snapshotMachine + k)
    } ++:
    (1 until machine.cores).flatMap { core =>
      copies.map { case (name, at) => s"core.$core.$name" -> (firstCore + coreStride * core + at) }
    }

  val names: Seq[(String, Int)] = Seq(
    "run" -> run,
    "status" -> status,
    "magic" -> identity,
    "rtl_digest" -> (identity + 1),
    "machine_digest" -> (identity + 2),
    "node_number" -> (identity + 3),
    "counters_control" -> countersControl,
    "autosnapshot" -> autosnapshot,
    "cold_address" -> coldAddress,
    "cold_number" -> coldNumber,
    "code_window" -> codeWindow,
    "measure_from" -> measureFrom,
    "measure_to" -> measureTo,
    "invocations" -> invocations
  ) ++ parameters.map(key => key -> parameter(key)) ++ Seq(
    "timer_phase" -> timerPhase,
    "lance_poll_phase" -> lancePollPhase,
    "station_address" -> stationAddress,
    "lance_heartbeat" -> lanceHeartbeat
  ) ++ (0 until comparators).flatMap(n =>
    Seq(
      s"comparator.$n.address" -> (firstComparator + 2 * n),
      s"comparator.$n.action" -> (firstComparator + 2 * n + 1)
    )
  ) ++ copies ++ BoardRegisterMap.names.map(name =>
    s"board.$name" -> BoardRegisterMap.number(name)
  ) ++
    (if (machine.coherent) ofCores else Nil)
}
