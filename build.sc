// SPDX-License-Identifier: BSD-2-Clause
/** The Scala of the house for Mill 0.12, which an editor opens (docs/contributing.md). `./mcpi`
  * compiles the same files in one start of the compiler (tools/mcpi/hdl/scala.py). Both have their
  * versions from setup/pins.txt; a test compares the modules' arrows, the jars and the Verilog.
  */
import mill._
import mill.scalalib._

val house = mill.api.BuildCtx.workspaceRoot

/** Group, artifact and version of each row of setup/pins.txt that begins with `scala`. */
val pins: Seq[Array[String]] = interp.watchValue {
  val rows = os.read.lines(house / "setup" / "pins.txt").map(_.split(" "))
  rows.collect { case Array("scala", artifact) => artifact.split(":") }
}

trait House extends ScalaModule {
  private def pinned(wanted: String => Boolean) =
    Agg.from(pins.collect { case Array(g, a, v) if wanted(a) => mvn"$g:$a:$v" })
  private def isPlugin(artifact: String) = artifact.startsWith("spinalhdl-idsl-plugin")

  /** The folders below the module's own that have its sources. */
  def folders: Seq[String] = Seq("")
  def sources = Task.Sources(folders.map(f => PathRef(moduleDir / os.SubPath(f))))
  def scalaVersion = pins.find(_(1) == "scala-compiler").get(2)
  def scalacOptions = Seq("-deprecation", "-feature", "-language:reflectiveCalls")
  def ivyDeps = pinned(artifact => !isPlugin(artifact))
  def scalacPluginIvyDeps = pinned(isPlugin)
}

object rtl extends House {
  override def folders = Seq("bus", "console", "counters", "machine", "memory")

  object node extends House {
    def moduleDeps = Seq(rtl, cores, `lance-ip`)
  }
}

object cores extends House {
  def moduleDeps = Seq(rtl)
}

object `lance-ip` extends House {
  def moduleDeps = Seq(rtl)
}

object boards extends House {
  def moduleDeps = Seq(rtl.node)
  def mainClass = Some("mcpi.boards.Main")
  def forkArgs = Seq("-Xss8m")

  /** `boards.verilog BLOCK [--machine NAME]` writes BLOCK.v, below out/boards/verilog.dest. */
  def verilog(@mainargs.arg(positional = true) block: String, machine: String = "dec3000-600") =
    Task.Command {
      val description = Task.dest / "machine.json"
      val program = "import sys; from mcpi.machine import profile; " +
        "sys.stdout.write(profile.load(sys.argv[1]).to_json())"
      os.proc(house / "mcpi", "python", "-c", program, machine).call(stdout = description)
      mill.util.Jvm.callProcess(
        mainClass = finalMainClass(),
        classPath = runClasspath().map(_.path).toVector,
        jvmArgs = forkArgs(),
        mainArgs = Seq(block, description.toString, Task.dest.toString),
        cwd = house,
        stdout = os.Inherit
      )
      println(s"${Task.dest / s"$block.v"}")
      PathRef(Task.dest / s"$block.v")
    }

  /** `boards.bench WORDS` runs the benches whose names match, as `./mcpi test -k WORDS`. */
  def bench(@mainargs.arg(positional = true) words: String) = Task.Command {
    os.proc(house / "mcpi", "test", "-k", words).call(stdout = os.Inherit, stdin = os.Inherit)
    ()
  }
}
