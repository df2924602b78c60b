package org.lampyris.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.spark.launcher.JavaModuleOptions;

/** A Spark Master and its Workers on the loopback interface, each in a JVM of its own. */
final class StandaloneCluster implements AutoCloseable {
  private static final String EXECUTOR = "CoarseGrainedExecutorBackend";
  private static final String HOST = "127.0.0.1";
  private static final int WORKERS = 2;

  /** A shell's script: runs its arguments, and kills them once its standard input ends. */
  private static final String UNTIL_THE_PIPE_ENDS =
      "exec 3<&0; \"$@\" </dev/null 3<&- & child=$!;"
          + " (cat <&3 >/dev/null; kill -KILL $child) & watch=$!; wait $child; kill $watch";

  private final Path folder;
  private final int cores;
  private final String memory;
  private final Path hadoopConf;
  private final int port;
  private final int webPort;
  private final Process master;
  private final List<Process> workers = new ArrayList<>();
  private int begun;

  /**
   * Starts a Master and two Workers.
   *
   * @param folder an empty folder for their logs and temporary files
   * @param cores how many a Worker has to give
   * @param memory what a Worker has to give
   * @param hadoopConf where Hadoop's configuration is
   */
  StandaloneCluster(Path folder, int cores, String memory, Path hadoopConf) throws IOException {
    this.hadoopConf = hadoopConf;
    this.folder = folder;
    this.cores = cores;
    this.memory = memory;
    this.port = freePort();
    Path jars = Files.createDirectories(folder.resolve("spark/jars"));
    for (String jar : classPath().split(":", -1)) {
      Files.createSymbolicLink(jars.resolve(Path.of(jar).getFileName()), Path.of(jar));
    }
    webPort = freePort();
    master =
        start(
            "master",
            "master.Master",
            "--host",
            HOST,
            "--port",
            "" + port,
            "--webui-port",
            "" + webPort);
    awaitWorkers(0);
    for (int i = 0; i < WORKERS; i++) {
      addWorker();
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  /** Returns Spark's class path, as the build has written it for the launcher. */
  private static String classPath() throws IOException {
    return Files.readString(Path.of("../driver/target/spark.classpath")).strip();
  }

  /** Starts a JVM that ends with this one, whatever ends that: then the pipe to its shell ends. */
  private Process start(String name, String main, String... args) throws IOException {
    List<String> command = new ArrayList<>(List.of("/bin/bash", "-c", UNTIL_THE_PIPE_ENDS, name));
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(JavaModuleOptions.defaultModuleOptionArray()));
    command.addAll(List.of("-Xmx256m", "-cp", classPath(), "org.apache.spark.deploy." + main));
    command.addAll(Arrays.asList(args));
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve(name + ".log").toFile());
    builder.environment().put("SPARK_HOME", folder.resolve("spark").toString());
    builder.environment().put("SPARK_SCALA_VERSION", "2.13");
    builder.environment().put("SPARK_LOCAL_DIRS", folder.resolveSibling("local").toString());
    builder.environment().put("SPARK_LOCAL_IP", HOST);
    builder.environment().put("HADOOP_CONF_DIR", hadoopConf.toString());
    return builder.start();
  }

  /** Returns what the Master answers of itself, as JSON; nothing if it does not answer. */
  private String state() {
    URI uri = URI.create("http://%s:%d/json/".formatted(HOST, webPort));
    try {
      return HttpClient.newHttpClient()
          .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
          .body();
    } catch (IOException e) {
      return "";
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Waits until the Master counts so many Workers, as long as all JVMs live. */
  private void awaitWorkers(int number) {
    Waiting.until(
        () -> {
          if (!all().stream().allMatch(Process::isAlive)) {
            throw new IllegalStateException("a JVM has ended: " + lastLog(".*\\.log"));
          }
          return state().matches("(?s).*\"aliveworkers\"\\s*:\\s*%d\\b.*".formatted(number));
        },
        () -> "the Master does not have " + number + " Workers: " + state());
  }

  /** Returns the text of the file that changed last among those with a path; empty if none. */
  private String lastLog(String path) {
    try (Stream<Path> files = Files.walk(folder, 3)) {
      Optional<Path> last =
          files
              .filter(file -> folder.relativize(file).toString().matches(path))
              .max(Comparator.comparingLong(file -> file.toFile().lastModified()));
      return last.isEmpty() ? "" : Files.readString(last.get());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private List<Process> all() {
    List<Process> all = new ArrayList<>(workers);
    all.add(master);
    return all;
  }

  /** Starts one more Worker. */
  void addWorker() throws IOException {
    String name = "worker-" + ++begun;
    workers.add(
        start(
            name,
            "worker.Worker",
            "--host",
            HOST,
            "--cores",
            Integer.toString(cores),
            "--memory",
            memory,
            "--webui-port",
            "0",
            "--work-dir",
            folder.resolve(name).toString(),
            url()));
    awaitWorkers(workers.size());
  }

  /** Returns what {@code --master} takes. */
  String url() {
    return "spark://" + HOST + ":" + port;
  }

  /** Returns the executors that live. */
  List<ProcessHandle> executors() {
    return workers.stream().flatMap(worker -> Signals.below(worker, EXECUTOR).stream()).toList();
  }

  /** Returns drivers that live on Workers, in cluster deploy mode. */
  List<ProcessHandle> drivers() {
    return workers.stream()
        .flatMap(worker -> Signals.below(worker, "DriverWrapper").stream())
        .toList();
  }

  /** Returns whether the Master has a driver in cluster deploy mode that has not ended. */
  boolean hasDriver() {
    return !state().matches("(?s).*\"activedrivers\"\\s*:\\s*\\[\\s*\\].*");
  }

  /** Returns the standard error of the last driver in cluster deploy mode. */
  String driverLog() {
    return lastLog("worker-.*/driver-.*/stderr");
  }

  /** Kills the Worker that was started last, and its executors, as when a machine is lost. */
  void loseWorker() throws IOException, InterruptedException {
    Process worker = workers.remove(workers.size() - 1);
    List<ProcessHandle> executors = worker.descendants().toList();
    Signals.send("KILL", worker.toHandle());
    for (ProcessHandle executor : executors) {
      Signals.send("KILL", executor);
    }
  }

  @Override
  public void close() {
    List<Process> all = all();
    for (Process process : all) {
      List<ProcessHandle> below = process.descendants().toList();
      process.destroyForcibly();
      below.forEach(ProcessHandle::destroyForcibly);
    }
    try {
      for (Process process : all) {
        process.waitFor();
      }
      // The folder is temporary, and what links lead to is not.
      try (Stream<Path> links = Files.list(folder.resolve("spark/jars"))) {
        for (Path link : links.toList()) {
          Files.delete(link);
        }
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
