// SPDX-License-Identifier: BSD-2-Clause
package mcpi.lance

import mcpi.machine.Machine

/** Parameters that are fixed when the chip is built.
  *
  * @param siloBytes each FIFO between DMA and wire: 48 on the Am7990; the C-LANCE receives into 64
  *   (sources/lance.md 1.6)
  * @param ticksPerUs virtual ticks in a microsecond
  * @param linkMbps Ethernet speed
  * @param cLance Am79C90 instead of Am7990: INEA may be set while stopped, ADD_FCS and EMBA exist,
  *   a receive silo of 64 bytes
  * @param classifier entries recognise the frames of paths (docs/reference/lance.md)
  * @param alone there is nobody on its wire: a nibble that is no whole number of ticks is shorter
  */
case class LanceConfig(
    siloBytes: Int = 48,
    ticksPerUs: Int = 175,
    linkMbps: Int = 10,
    cLance: Boolean = false,
    classifier: Boolean = false,
    alone: Boolean = false
) {
  require(siloBytes >= 48 && siloBytes <= 64 && siloBytes % 16 == 0)
  require(ticksPerUs > 0 && linkMbps > 0 && (alone || 4 * ticksPerUs % linkMbps == 0))

  /** Ticks of an MII nibble: four bit times. */
  def ticksPerNibble: Int = 4 * ticksPerUs / linkMbps

  require(ticksPerNibble >= 2) // the address filter has a tick of its own

  /** Interframe spacing, 96 bit times: 9.6 us at 10 Mb/s. */
  def interframeTicks: Int = 24 * ticksPerNibble

  /** The part of the spacing in which a carrier is overlooked: 3.6 us (sources/lance.md 1.4). */
  def interframeFixedTicks: Int = 9 * ticksPerNibble

  /** Slot time, 512 bit times: 51.2 us at 10 Mb/s. */
  def slotTicks: Int = 128 * ticksPerNibble

  def receiveSiloBytes: Int = if (cLance) 64 else siloBytes

  /** READY absent for so long is a memory error: 25.6 us (sources/lance.md 1.1). Of a burst
    * together, which is ours.
    */
  def memoryErrorTicks: Int = 256 * ticksPerUs / 10
}

object LanceConfig {
  def apply(machine: Machine): LanceConfig = LanceConfig(
    siloBytes = machine.int("lance.silo_bytes"),
    ticksPerUs = machine.int("clock.ticks_per_us"),
    linkMbps = machine.int("link.mbps"),
    cLance = machine.choice("lance.chip") == "c-lance",
    classifier = machine.classifies,
    alone = machine.coherent
  )
}
