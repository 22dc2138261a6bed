// SPDX-License-Identifier: BSD-2-Clause
package mcpi.node

import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.{Files, Path}
import java.security.MessageDigest

/** The digest a node carries of its own Verilog: the first 64 bits of the SHA-256 of the text in
  * which `Identity.placeholder` stands where the digest will be. Putting the placeholder back and
  * hashing again must give the same.
  */
object RtlDigest {
  private val literal = f"64'h${Identity.placeholder}%016x"

  /** Replaces the placeholder in `verilog`; returns the digest, 16 hexadecimal digits. */
  def seal(verilog: Path): String = {
    val text = Files.readString(verilog)
    val places = text.sliding(literal.length).count(_ == literal)
    require(places == 1, s"$verilog: the digest's place was found $places times, not once")
    val hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8))
    val digest = hash.take(8).map(b => f"${b & 0xff}%02x").mkString
    Files.writeString(verilog, text.replace(literal, s"64'h$digest"))
    digest
  }
}
