// SPDX-License-Identifier: BSD-2-Clause
package mcpi.node

import java.io.{ByteArrayOutputStream, PrintStream}
import java.net.{StandardProtocolFamily, UnixDomainSocketAddress}
import java.nio.ByteBuffer
import java.nio.channels.{Channels, ServerSocketChannel, SocketChannel}
import java.nio.file.{Files, Path, Paths}

/** A server that carries out many elaborations in one Java. A client sends the words of a command
  * line, one in each line, and closes its half; it gets what was printed, and at last "done" if all
  * went well. It ends a few seconds after its socket's file has gone, whoever has started it.
  */
private object Server {
  def serve(path: String, run: Array[String] => Unit): Unit = {
    val server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)
    server.bind(UnixDomainSocketAddress.of(path))
    endsWithout(Paths.get(path))
    println("ready")
    System.setOut(System.err) // nobody reads the pipe from here on
    while (true) {
      val client = server.accept()
      try answer(client, run)
      catch { case gone: java.io.IOException => System.err.println(gone) }
      finally client.close()
    }
  }

  private def endsWithout(file: Path): Unit = {
    val watch = new Thread(() => {
      while (Files.exists(file)) Thread.sleep(2000)
      System.exit(0)
    })
    watch.setDaemon(true)
    watch.start()
  }

  private def answer(client: SocketChannel, run: Array[String] => Unit): Unit = {
    val request = new String(Channels.newInputStream(client).readAllBytes(), "UTF-8")
    val said = new ByteArrayOutputStream
    val print = new PrintStream(said, true, "UTF-8")
    val good =
      try {
        Console.withOut(print)(Console.withErr(print)(run(request.split('\n'))))
        true
      } catch {
        case wrong: Throwable =>
          wrong.printStackTrace(print)
          false
      }
    if (good) said.write("\ndone\n".getBytes("UTF-8"))
    val bytes = ByteBuffer.wrap(said.toByteArray)
    while (bytes.hasRemaining) client.write(bytes)
  }
}
