// SPDX-License-Identifier: BSD-2-Clause
// Compiles and elaborates many variants of the processor in one Java, which is warm after the first:
//   java -cp COMPILER CompileMutants.java CLASSPATH PLUGIN MACHINE.json {NAME SOURCES OUT}...
// CLASSPATH is that of the generators; sources and classes of the variant come before it. SOURCES
// and OUT are folders; OUT gets AlphaLite.v. A line 'done NAME' or 'failed NAME' follows each; what
// the compiler says goes to standard error.
import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.*;
import java.util.*;
import java.util.stream.*;

public class CompileMutants {
    public static void main(String[] args) throws Exception {
        String[] classpath = args[0].split(File.pathSeparator);
        String plugin = args[1], machine = args[2];
        for (int i = 3; i + 2 < args.length; i += 3) {
            Path sources = Path.of(args[i + 1]), out = Path.of(args[i + 2]);
            Path classes = Files.createDirectories(out.resolve("classes"));
            boolean good = compile(sources, classes, args[0], plugin)
                    && elaborate(classes, classpath, machine, out);
            System.out.println((good ? "done " : "failed ") + args[i]);
            System.out.flush();
        }
    }

    static boolean compile(Path sources, Path classes, String classpath, String plugin) throws Exception {
        List<String> words = new ArrayList<>(List.of("-d", classes.toString(), "-classpath", classpath,
                "-Xplugin:" + plugin, "-language:reflectiveCalls", "-nowarn"));
        try (Stream<Path> files = Files.walk(sources)) {
            files.map(Path::toString).filter(f -> f.endsWith(".scala")).sorted().forEach(words::add);
        }
        Class<?> main = Class.forName("scala.tools.nsc.Main");
        return (Boolean) main.getMethod("process", String[].class)
                .invoke(null, (Object) words.toArray(new String[0]));
    }

    /** With a loader of its own: the variant's classes first, nothing kept from the one before. */
    static boolean elaborate(Path classes, String[] classpath, String machine, Path out) throws Exception {
        List<URL> urls = new ArrayList<>(List.of(classes.toUri().toURL()));
        for (String entry : classpath) urls.add(new File(entry).toURI().toURL());
        ClassLoader parent = ClassLoader.getPlatformClassLoader();
        try (URLClassLoader loader = new URLClassLoader(urls.toArray(new URL[0]), parent)) {
            Thread.currentThread().setContextClassLoader(loader);
            Class<?> main = loader.loadClass("mcpi.node.Elaborate");
            main.getMethod("main", String[].class)
                    .invoke(null, (Object) new String[] {"AlphaLite", machine, out.toString()});
            return true;
        } catch (java.lang.reflect.InvocationTargetException error) {
            error.getCause().printStackTrace();
            return false;
        }
    }
}
