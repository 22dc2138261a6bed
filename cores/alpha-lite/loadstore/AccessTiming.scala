// SPDX-License-Identifier: BSD-2-Clause
package mcpi.core

import spinal.core._

/** Where the load-store unit has what comes late in the tick of the access in E1: its kind, its
  * block in the D-cache, its entry of the write buffer.
  */
abstract class AccessTiming(u: LoadStore) extends Area {

  /** E1 has an access, in its tick; and which. */
  def now: Bool
  def isLoad: Bool
  def isConditional: Bool
  def isStore: Bool

  /** The D-cache has its block. */
  def hits: Bool

  /** The D-cache has not the block that it wants, in its tick; stage D looks in ticks alone. */
  def misses: Bool
  def missesForD: Bool

  /** A miss asks for the bus; the write buffer has an entry of the block. */
  def asksBus: Bool
  def isBuffered: Bool

  /** The write buffer takes the store. */
  def isTaken: Bool

  /** Writes a store into the D-cache, and its data into the write buffer. */
  def write(): Unit

  /** Sets `hold`, and connects what is of this kind alone. */
  def end(): Unit
}
