// SPDX-License-Identifier: BSD-2-Clause
package mcpi.core

import spinal.core._

/** All in its tick. */
class FetchByGates(f: FetchUnit) extends FetchTiming(f) {
  import f._

  def predict(): Unit = {
    settleHold := False
    follow := dValid && fresh && !turning && tick && prediction.taken
    target := prediction.target @@ dFetched.pc(1 downto 0)
  }

  def betweenTicks: Bool = !tick

  def arrive(): Unit = {
    def arrives = stream.has || missAnswered
    def block = stream.has ? stream.data | port.demandRsp.data // both have the same data wires
    arrival.valid := serving && victims.fold(arrives)(_.or(arrives, _.valid))
    arrival.data := victims.fold(block)(_.or(block, _.payload))
    arrival.error := notVictim(!stream.has && port.demandRsp.error)
  }

  def demand(): Unit = {
    demands := notVictim(servable && isIdle)
    port.demandDue := demands
    port.demand.valid := port.demandDue && (ideal || !branching)
  }
}
