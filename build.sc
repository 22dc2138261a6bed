// SPDX-License-Identifier: BSD-2-Clause
// Scala to Verilog. One module per room; arrows go one way: rtl <- core, lance <- node <- boards.
import mill._, scalalib._

object Versions {
  val scala = "2.13.15"
  val spinal = "1.14.2"
}

trait Room extends ScalaModule {
  /** Folders of the house this module compiles, below the checkout. */
  def folders: Seq[String]
  def scalaVersion = Versions.scala
  def sources = Task.Input {
    folders.map(f => PathRef(mill.api.BuildCtx.workspaceRoot / os.SubPath(f)))
  }
  def ivyDeps = Agg(
    mvn"com.github.spinalhdl::spinalhdl-core:${Versions.spinal}",
    mvn"com.github.spinalhdl::spinalhdl-lib:${Versions.spinal}",
    mvn"com.lihaoyi::ujson:4.0.2"
  )
  def scalacPluginIvyDeps = Agg(mvn"com.github.spinalhdl::spinalhdl-idsl-plugin:${Versions.spinal}")
  def scalacOptions = Seq("-deprecation", "-feature", "-language:reflectiveCalls")
}

object rtl extends Room {
  def folders = Seq("rtl/machine", "rtl/bus", "rtl/memory", "rtl/counters", "rtl/console")
}

object alphaLite extends Room {
  def folders = Seq("cores/alpha-lite")
  def moduleDeps = Seq(rtl)
}

object lanceIp extends Room {
  def folders = Seq("lance-ip")
  def moduleDeps = Seq(rtl)
}

object node extends Room {
  def folders = Seq("rtl/node")
  def moduleDeps = Seq(rtl, alphaLite, lanceIp)
}

object boards extends Room {
  def folders = Seq("boards")
  def moduleDeps = Seq(node)
  def mainClass = Some("mcpi.boards.Main")
}
