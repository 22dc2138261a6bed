// SPDX-License-Identifier: BSD-2-Clause
package mcpi.counters

import spinal.core._
import spinal.lib._

/** Two banks of counters of 64 bits, and their copy, for an FPGA: `lowBits` of each are a register,
  * the rest is in block RAM, to which a round over all of them brings one after the other.
  *
  * The low bits run on and wrap. RAM holds what each counter was when the round was last there; it
  * knows what has come since by comparing the low bits with its own, as long as that is less than
  * 2 to the power of `lowBits`: a counter gets at most one a clock, and a round has a clock for
  * each. A copy takes all low bits in its clock, a clear zeroes them; the next round does the rest,
  * and whatever counts meanwhile is counted. `late` counters are cleared and copied by pulses of
  * their own.
  *
  * The owners' counters are summed as they are copied; `failed` if they differ from `ticks`.
  *
  * @param names of one bank's counters; "ticks" and those that begin with "owner." are summed
  * @param addBits what a clock may bring to one of them: with more than one bit, so much now and
  *   then, but in a round no more than that and one a clock
  * @param levels are no counters, but what they are when they are copied
  */
class PackedCounters(
    names: Seq[String],
    late: Set[String],
    bits: Int = 64,
    addBits: Int = 1,
    levels: Set[String] = Set()
) extends Component {
  private val count = 2 * names.length // of both banks
  private val lowBits = if (addBits == 1) log2Up(count + 1) else addBits + 1
  require(count < (1 << (lowBits - 1)) || addBits == 1)
  private val indexBits = log2Up(names.length)
  val io = new Bundle {
    // Counters that move in this clock; window 1 above everything.
    val adds = in Bits (count * addBits bits)
    val clear, clearLate, copy, copyLate = in Bool ()
    val busy = out Bool () // a copy is not complete
    val read = slave(SnapshotRead())
    val failed = out Bool () // one clock
  }

  private def isLate(n: Int) = late.contains(names(n % names.length))
  private def isLevel(n: Int) = levels.contains(names(n % names.length))
  private def add(n: Int) = io.adds(n * addBits, addBits bits).asUInt
  private def counter(prefix: String, n: Int) = {
    val bank = if (n < names.length) "all" else "path"
    (Reg(UInt(lowBits bits)) init 0)
      .setName(s"${prefix}_${bank}_${names(n % names.length).replace('.', '_')}")
  }

  /** Add one without a carry chain: for so few bits its ends cost more than the sum. */
  private def next(low: UInt) = {
    val carries = low.asBools.scanLeft(True)(_ && _)
    Vec(low.asBools.zip(carries).map { case (bit, carry) => bit ^ carry }).asBits.asUInt
  }
  val low = Vec.tabulate(count)(n => if (isLevel(n)) add(n).resize(lowBits) else counter("low", n))
  val copied = Vec.tabulate(count)(counter("copied", _))
  for (n <- 0 until count) {
    if (!isLevel(n)) {
      if (addBits == 1) when(io.adds(n))(low(n) := next(low(n))) else low(n) := low(n) + add(n)
      when(if (isLate(n)) io.clearLate else io.clear)(low(n) := 0)
    }
    when(if (isLate(n)) io.copyLate else io.copy)(copied(n) := low(n))
  }

  /** Counter whose turn it is: bank and number. */
  val at = new Area {
    val window = RegInit(False)
    val index = Reg(UInt(indexBits bits)) init 0
    index := index + 1
    when(index === names.length - 1) {
      index := 0
      window := !window
    }
    private def choice(n: Int => Boolean) =
      names.indices.filter(n).map(index === _).fold(False)(_ || _)
    val late = choice(isLate)
    val ticks = choice(n => names(n) == "ticks")
    val owner = choice(n => names(n).startsWith("owner."))
    val level = levels.nonEmpty generate choice(isLevel)
    val address = window ## index
    private def chosen(values: Vec[UInt]) = {
      val (all, path) = values.splitAt(names.length)
      window ? Vec(path)(index) | Vec(all)(index)
    }
    val lowNow = chosen(low)
    val lowThen = chosen(copied)
  }

  /** How far a clear and a copy have come: turns left, this clock's included. After reset both are
    * under way, which fills the RAM.
    */
  class Round(name: String, clear: Bool, copy: Bool) extends Area {
    setName(name)
    private def turns() = Reg(UInt(log2Up(count + 1) bits)) init count
    val clearing = turns()
    val copying = turns()
    val copiesZero = turns() // turns until which what is copied was cleared before
    for (left <- Seq(clearing, copying, copiesZero)) when(left =/= 0)(left := left - 1)
    when(copy) {
      copying := count
      copiesZero := (clearing === 0) ? clearing | (clearing - 1)
    }
    when(clear)(clearing := count)
  }
  val early = new Round("early", io.clear, io.copy)
  val lateRound = new Round("lateRound", io.clearLate, io.copyLate)

  // Nothing that counts is read in the clock that writes it: no comparator.
  private def memory() = Mem(UInt(bits bits), 2 << indexBits).addAttribute("no_rw_check")
  val ram = memory()
  val copies = memory()
  private def delayed[T <: Data](value: T): T = RegNext(value)

  /** A turn's first clock reads the RAM, the second keeps what came, the third writes. */
  val first = new Area {
    private def ofRound(left: Round => UInt) = {
      val under = (at.late ? left(lateRound) | left(early)) =/= 0
      if (levels.isEmpty) under else under || at.level
    }
    val zero = ofRound(_.clearing)
    val copying = (at.late ? lateRound.copying | early.copying) =/= 0
    val copiesZero = ofRound(_.copiesZero)
    val begins = early.copying === count
  }
  val second = new Area {
    val total = ram.readSync(at.address.asUInt)
    val lowNow = delayed(at.lowNow)
    val lowThen = delayed(at.lowThen)
    val address = delayed(at.address)
    val zero = delayed(first.zero)
    val copying = delayed(first.copying) init False
    val copiesZero = delayed(first.copiesZero)
    val begins = delayed(first.begins) init False
    val ticks = delayed(at.ticks)
    val owner = delayed(at.owner)
  }
  val third = new Area {
    private def base(zero: Bool) = RegNext(zero ? U(0, bits bits) | second.total)
    private def on(base: UInt, low: UInt) =
      (base(bits - 1 downto lowBits) + (low < base(lowBits - 1 downto 0)).asUInt) @@ low
    val address = delayed(second.address)
    val total = base(second.zero)
    val lowNow = delayed(second.lowNow)
    val valueThen = base(second.copiesZero)
    val lowThen = delayed(second.lowThen)
    val copying = delayed(second.copying) init False
    val begins = delayed(second.begins) init False
    val ticks = delayed(second.ticks)
    val owner = delayed(second.owner)
    val copy = on(valueThen, lowThen)
    val started = RegNext(True) init False
    val filled = RegNext(started) init False // the counter that comes has passed all three clocks
    ram.write(address.asUInt, on(total, lowNow), filled)
    copies.write(address.asUInt, copy, filled && copying)
  }

  val check = new Area {
    val running = RegNext(third.copying) init False
    val begun = RegNext(third.begins) init False
    val value = RegNext(third.copy)
    val ticks = RegNext(third.ticks)
    val owner = RegNext(third.owner)
    val window = RegNext(third.address.msb)
    val ended = RegNext(early.copying === 1 && !io.copy) init False // its last turn begins to count
    val ends = Delay(ended, 3, init = False)
    val sums = for ((name, mine) <- Seq("all" -> !window, "path" -> window)) yield {
      val sum = (Reg(UInt(bits bits)) init 0).setName(s"check_sum_$name")
      val before = begun ? U(0, bits bits) | sum
      when(begun)(sum := 0)
      when(running && mine) {
        when(owner)(sum := before + value)
        when(ticks)(sum := before - value)
      }
      sum
    }
    val failed = ends && sums.map(_ =/= 0).reduce(_ || _)
  }
  io.failed := check.failed
  val draining = RegNext(early.copying =/= 0 || lateRound.copying =/= 0) init True
  io.busy := draining || second.copying || third.copying || check.running || early.copying =/= 0 ||
    lateRound.copying =/= 0

  val known = RegNextWhen(io.read.index < names.length, io.read.enable) init False
  val value = copies.readSync(
    (io.read.window ## io.read.index(indexBits - 1 downto 0)).asUInt,
    io.read.enable
  )
  io.read.value := known ? value.resize(64) | 0
}
