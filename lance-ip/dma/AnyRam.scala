// SPDX-License-Identifier: BSD-2-Clause
package mcpi.lance

import spinal.core._

/** Leaves the kind of a small memory to whoever synthesises it. SpinalHDL asks for distributed RAM
  * where a memory is read in the tick of its address, and an iCE40 has none.
  */
object AnyRam extends AttributeString("ram_style", "auto")
