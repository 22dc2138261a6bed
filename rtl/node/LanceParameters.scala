// SPDX-License-Identifier: BSD-2-Clause
package mcpi.node

import mcpi.lance.LanceTiming

/** The controller's run-time parameters from their host registers; these hold ticks for times. */
object LanceParameters {
  def apply(timing: LanceTiming, parameters: HostParameters): Unit = {
    for (
      (field, name) <- Seq(
        timing.poll -> "poll_ns",
        timing.word -> "word_ns",
        timing.gap -> "gap_ns",
        timing.arbitration -> "arbitration_ns",
        timing.csr -> "csr_ns",
        timing.demand -> "demand_ns",
        timing.setup -> "setup_ns",
        timing.start -> "start_ns",
        timing.heartbeat -> "heartbeat_ns",
        timing.status -> "status_ns",
        timing.interrupt -> "interrupt_ns",
        timing.transmitThreshold -> "transmit_threshold"
      )
    ) parameters.drive(field, s"lance.$name")
  }
}
