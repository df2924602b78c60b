package org.lampyris.driver.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The launcher, copied into a folder with blanks in its name, beside a Java, a Maven and a
 * spark-submit that only say how they were called.
 */
class LauncherTest {
  private final Path home;
  private final Path bin;
  private final Path target;

  /** What a run of the launcher gave. */
  private record Outcome(int exitCode, List<String> out, String err) {}

  LauncherTest(@TempDir Path temp) {
    this.home = temp.resolve("my home");
    this.bin = temp.resolve("my bin");
    this.target = home.resolve("driver/target");
  }

  @BeforeEach
  void copy() throws IOException {
    Path source = Path.of("..", "submit-scripts", "lampyris");
    assumeTrue(Files.exists(source) && Files.exists(Path.of("/bin/bash")), "needs bash");
    Files.createDirectories(home.resolve("submit-scripts"));
    Files.createDirectories(target);
    Files.createDirectories(bin.resolve("bin"));
    Files.copy(source, home.resolve("submit-scripts/lampyris"));
    Files.writeString(target.resolve("lampyris.jar"), "");
    Files.writeString(target.resolve("spark.classpath"), "/jars/spark.jar:/jars/hadoop.jar\n");
    program(
        "bin/java",
        """
        case "$*" in -version | *ModuleOptions) exit 0 ;; esac
        printf '%s\\n' java "$@"
        exit 3
        """);
    program("bin/spark-submit", "printf '%s\\n' spark-submit \"$@\"\nexit 4\n");
  }

  private void program(String name, String script) throws IOException {
    Path file = Files.writeString(bin.resolve(name), "#!/bin/bash\n" + script);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private Outcome run(Map<String, String> environment, Path script, String... args)
      throws IOException {
    List<String> command = new ArrayList<>(List.of("/bin/bash", script.toString()));
    command.addAll(Arrays.asList(args));
    Path err = Files.createTempFile(home, "err", null);
    ProcessBuilder builder =
        new ProcessBuilder(command).directory(Path.of("/").toFile()).redirectError(err.toFile());
    builder.environment().keySet().removeIf(name -> name.startsWith("SPARK_"));
    List.of("JAVA_HOME", "HADOOP_CONF_DIR", "YARN_CONF_DIR").forEach(builder.environment()::remove);
    builder.environment().putAll(environment);
    Process process = builder.start();
    process.getOutputStream().close();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    try {
      assertTrue(process.waitFor(60, TimeUnit.SECONDS), "the launcher hangs");
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    return new Outcome(process.exitValue(), out.lines().toList(), Files.readString(err));
  }

  private Outcome local(String... args) throws IOException {
    return run(Map.of("JAVA_HOME", bin.toString()), home.resolve("submit-scripts/lampyris"), args);
  }

  private Outcome installed(String... args) throws IOException {
    return run(Map.of("SPARK_HOME", bin.toString()), home.resolve("submit-scripts/lampyris"), args);
  }

  /** The arguments from SparkSubmit's class on. */
  private static List<String> submitted(Outcome outcome) {
    int at = outcome.out().indexOf("org.apache.spark.deploy.SparkSubmit");
    assertTrue(at > 0, outcome.toString());
    return outcome.out().subList(at + 1, outcome.out().size());
  }

  @Test
  void withoutAnInstallationSparkSubmitRunsInLocalMode() throws IOException {
    Outcome outcome = local("run", "--config", "my job.yaml");
    assertEquals(3, outcome.exitCode(), outcome.err());
    assertEquals(
        List.of(
            "--class",
            "org.lampyris.driver.Lampyris",
            "--master",
            "local[*]",
            target + "/lampyris.jar",
            "run",
            "--config",
            "my job.yaml"),
        submitted(outcome));
    assertTrue(outcome.out().contains("/jars/spark.jar:/jars/hadoop.jar"), outcome.toString());
    assertTrue(
        outcome.out().stream().anyMatch(arg -> arg.matches("-Xmx[1-9]\\d{3,}m")),
        outcome.toString());
    assertTrue(
        outcome
            .out()
            .contains(
                "-Dlog4j2.configurationFile=file:" + home + "/submit-scripts/log4j2.properties"));
  }

  @Test
  void moduleFlagsComeFromSparkOnce() throws IOException {
    program(
        "bin/java",
        "case \"$*\" in *ModuleOptions) echo x >>'"
            + home
            + "/asked'; printf '%s\\n' --add-opens=a/b=C -Dd=e ;; -version) ;; *) printf '%s\\n'"
            + " \"$@\" ;; esac\n");
    assertEquals(0, local("run").exitCode());
    Outcome second = local("run");
    assertEquals(List.of("--add-opens=a/b=C", "-Dd=e"), second.out().subList(0, 2));
    assertEquals("x\n", Files.readString(home.resolve("asked")));
  }

  @Test
  void sparkOptionsMayStandAnywhere() throws IOException {
    Outcome outcome =
        local(
            "--master",
            "local[2]",
            "run",
            "--conf",
            "spark.a=b c",
            "--config",
            "x",
            "--executor-memory=2g",
            "--verbose",
            "--supervise",
            "--driver-memory",
            "3g",
            "--set",
            "sampler.draws=5");
    assertEquals(
        List.of(
            "--class",
            "org.lampyris.driver.Lampyris",
            "--master",
            "local[2]",
            "--conf",
            "spark.a=b c",
            "--executor-memory",
            "2g",
            "--supervise",
            "--driver-memory",
            "3g",
            target + "/lampyris.jar",
            "run",
            "--config",
            "x",
            "--verbose",
            "--set",
            "sampler.draws=5"),
        submitted(outcome));
    assertTrue(outcome.out().contains("-Xmx3g"), outcome.toString());
  }

  @Test
  void whatSparkSubmitWouldDoForTheDriverIsDone() throws IOException {
    Outcome outcome =
        local(
            "run",
            "--conf",
            "spark.driver.memory=2048",
            "--driver-java-options",
            "-Da=b -Dc=\"d e\"",
            "--driver-class-path",
            "/my/x.jar",
            "--conf",
            "spark.driver.extraLibraryPath=/lib");
    assertTrue(
        outcome
            .out()
            .containsAll(
                List.of(
                    "-Xmx2048m",
                    "-Da=b",
                    "-Dc=d e",
                    "/my/x.jar:/jars/spark.jar:/jars/hadoop.jar",
                    "-Djava.library.path=/lib")),
        outcome.toString());
  }

  @Test
  void afterTwoHyphensAllIsOurs() throws IOException {
    List<String> args = submitted(local("loo", "--", "--name", "x"));
    assertEquals(List.of("loo", "--name", "x"), args.subList(args.size() - 3, args.size()));
  }

  @Test
  void withAnInstallationItsSparkSubmitIsCalled() throws IOException {
    Outcome outcome = installed("run", "--master", "yarn", "--config", "x");
    assertEquals(4, outcome.exitCode(), outcome.err());
    assertEquals(
        List.of(
            "spark-submit",
            "--class",
            "org.lampyris.driver.Lampyris",
            "--master",
            "yarn",
            "--conf",
            "spark.executor.extraJavaOptions=-XX:+UseParallelGC",
            "--driver-java-options",
            "\"-Dlog4j2.configurationFile=file:" + home + "/submit-scripts/log4j2.properties\"",
            target + "/lampyris.jar",
            "run",
            "--config",
            "x"),
        outcome.out());
    assertTrue(installed("run").out().contains("--driver-memory"), "local mode: a sensible heap");
    assertFalse(
        installed("run", "--driver-java-options", "-Da=b").out().toString().contains("log4j2"));
    assertFalse(installed("run", "--deploy-mode", "cluster").out().toString().contains("log4j2"));
  }

  /** Blocks of rows are large arrays, of which Java's default collector makes more. */
  @Test
  void executorsCollectInParallel() throws IOException {
    String key = "spark.executor.extraJavaOptions=";
    List<String> cluster = installed("run", "--master", "yarn", "--conf", key + "-Da=b").out();
    assertTrue(cluster.contains(key + "-Da=b -XX:+UseParallelGC"), cluster.toString());
    String named = key + "-XX:+UseZGC";
    List<String> other = installed("run", "--master", "yarn", "--conf", named).out();
    assertFalse(other.toString().contains("ParallelGC"), other.toString());
    for (String local : List.of("local", "local[4]")) {
      assertFalse(installed("run", "--master", local).out().toString().contains(key));
    }
    assertFalse(installed("run").out().toString().contains(key));
  }

  @Test
  void defaultsOfTheInstallationStay() throws IOException {
    Files.createDirectories(bin.resolve("conf"));
    Files.writeString(
        bin.resolve("conf/spark-defaults.conf"),
        "spark.driver.memory  5g\nspark.driver.extraJavaOptions -Dx=y\n");
    List<String> args = installed("run").out();
    assertFalse(args.contains("--driver-memory"), args.toString());
    assertFalse(args.contains("--driver-java-options"), args.toString());
    Files.writeString(bin.resolve("conf/spark-defaults.conf"), "spark.master spark://h:7077\n");
    args = installed("run").out();
    assertFalse(args.contains("--driver-memory"), args.toString());
  }

  /** As in submit-scripts/presets: what the file says is what spark-submit goes by. */
  @Test
  void aPropertiesFileIsHeeded() throws IOException {
    String file =
        Files.writeString(
                bin.resolve("my preset.conf"),
                """
                spark.master spark://h:7077
                spark.submit.deployMode  cluster
                spark.driver.memory=3g
                spark.driver.memoryOverhead 1g
                """)
            .toString();
    List<String> args = installed("run", "--properties-file", file).out();
    for (String not : List.of("--master", "--driver-memory", "--driver-java-options")) {
      assertFalse(args.contains(not), args.toString());
    }
    assertFalse(submitted(local("run", "--properties-file", file)).contains("--master"));
    assertTrue(
        installed("run", "--properties-file", file, "--deploy-mode", "client")
            .out()
            .contains("--driver-java-options"));
    assertTrue(
        local("run", "--properties-file", file, "--deploy-mode=client").out().contains("-Xmx3g"));

    Files.createDirectories(bin.resolve("conf"));
    Files.writeString(bin.resolve("conf/spark-defaults.conf"), "spark.master yarn\n");
    String other = Files.writeString(bin.resolve("other.conf"), "spark.a b\n").toString();
    assertTrue(
        installed("run", "--properties-file", other).out().contains("--driver-memory"),
        "spark-submit leaves spark-defaults.conf alone: this is local mode");
    assertFalse(
        installed("run", "--properties-file", other, "--load-spark-defaults")
            .out()
            .contains("--driver-memory"));

    Outcome none = local("run", "--properties-file", "/nowhere.conf");
    assertEquals(2, none.exitCode());
    assertEquals(
        "lampyris: the properties file /nowhere.conf cannot be read; check --properties-file.\n",
        none.err());
  }

  @Test
  void hadoopsConfigurationIsOnTheClassPath() throws IOException {
    Outcome outcome =
        run(
            Map.of("JAVA_HOME", bin.toString(), "HADOOP_CONF_DIR", "/etc/hadoop"),
            home.resolve("submit-scripts/lampyris"),
            "run");
    assertTrue(
        outcome.out().contains("/jars/spark.jar:/jars/hadoop.jar:/etc/hadoop"), outcome.toString());
  }

  @Test
  void linksAreFollowed() throws IOException {
    Path link = Files.createSymbolicLink(bin.resolve("first"), home.resolve("submit-scripts"));
    Path second = Files.createSymbolicLink(bin.resolve("lampyris"), Path.of("first/lampyris"));
    Outcome outcome = run(Map.of("SPARK_HOME", bin.toString()), second, "run");
    assertEquals(4, outcome.exitCode(), outcome.err());
    assertTrue(outcome.out().contains(target.toRealPath() + "/lampyris.jar"), link + " " + outcome);
  }

  @Test
  void aMissingJarIsBuilt() throws IOException {
    Files.delete(target.resolve("lampyris.jar"));
    Files.writeString(home.resolve("pom.xml"), "<project/>");
    program("bin/mvn", "echo built in \"$PWD\" \"$@\"; touch driver/target/lampyris.jar\n");
    String path = bin + "/bin:" + System.getenv("PATH");
    Path script = home.resolve("submit-scripts/lampyris");
    Map<String, String> environment = Map.of("SPARK_HOME", bin.toString(), "PATH", path);
    Outcome first = run(environment, script, "run");
    assertEquals(4, first.exitCode(), first.err());
    assertTrue(first.err().contains("lampyris: building "), first.err());
    assertTrue(first.err().contains("built in " + home.toRealPath()), first.err());
    assertFalse(first.out().toString().contains("built"), "results only on standard output");
    assertEquals("", run(environment, script, "run").err());
    program("bin/mvn", "exit 1\n");
    Files.delete(target.resolve("spark.classpath"));
    Outcome failed = run(environment, script, "run");
    assertEquals(2, failed.exitCode());
    assertTrue(failed.err().contains("the build failed"), failed.err());
  }

  @Test
  void classesAreArchivedOnceWhereThereAreSources() throws IOException {
    program("bin/mvn", "touch driver/target/lampyris.jar\n");
    program(
        "bin/java",
        """
        case "$*" in -version | *ModuleOptions) exit 0 ;; esac
        for option in "$@"; do
          case $option in -XX:ArchiveClassesAtExit=*) echo classes >"${option#*=}" ;; esac
        done
        printf '%s\\n' java "$@"
        """);
    Map<String, String> environment =
        Map.of(
            "JAVA_HOME",
            bin.toString(),
            "PATH",
            bin + "/bin:" + System.getenv("PATH"),
            "TMPDIR",
            home.toString());
    Path script = home.resolve("submit-scripts/lampyris");
    Outcome before = run(environment, script, "run");
    assertFalse(before.out().toString().contains("SharedArchiveFile"), before.toString());
    // Where there are no sources, nothing is built, nor archived.
    Files.writeString(home.resolve("pom.xml"), "<project/>");
    Files.delete(target.resolve("lampyris.jar"));
    Outcome built = run(environment, script, "run");
    assertTrue(built.err().contains("archiving Spark's classes"), built.err());
    assertEquals(0, built.exitCode(), built.err());
    Outcome next = run(environment, script, "run");
    assertEquals("", next.err());
    for (Outcome outcome : List.of(built, next)) {
      assertTrue(
          outcome.out().toString().contains("-XX:SharedArchiveFile=" + target.toRealPath()),
          outcome.toString());
      assertFalse(outcome.out().toString().contains("ArchiveClassesAtExit"), "results only");
    }
    try (Stream<Path> left = Files.list(home)) {
      assertTrue(left.noneMatch(file -> file.toString().contains("lampyris-classes")));
    }
    // What Maven has built is archived, too.
    try (Stream<Path> made = Files.list(target)) {
      for (Path archive : made.filter(file -> file.toString().endsWith(".jsa")).toList()) {
        Files.delete(archive);
      }
    }
    Outcome ofMaven = run(environment, script, "run");
    assertTrue(ofMaven.err().contains("archiving Spark's classes"), ofMaven.err());
    assertFalse(ofMaven.err().contains("building"), ofMaven.err());
    Map<String, String> off = new HashMap<>(environment);
    off.put("LAMPYRIS_CLASS_ARCHIVE", "off");
    assertFalse(run(off, script, "run").out().toString().contains("SharedArchiveFile"));
  }

  /** The first success of a command archives its classes, and its later calls read them. */
  @Test
  void eachCommandWithoutSparkHasAnArchiveOfItsOwn() throws IOException {
    Files.writeString(home.resolve("pom.xml"), "<project/>");
    Files.setLastModifiedTime(home.resolve("pom.xml"), FileTime.fromMillis(0));
    program(
        "bin/java",
        """
        for option in "$@"; do
          case $option in -XX:ArchiveClassesAtExit=*) echo classes >"${option#*=}" ;; esac
        done
        printf '%s\\n' "$@"
        exit ${CODE:-0}
        """);
    Map<String, String> environment = Map.of("JAVA_HOME", bin.toString());
    Map<String, String> failing = Map.of("JAVA_HOME", bin.toString(), "CODE", "2");
    Path script = home.resolve("submit-scripts/lampyris");
    String[] report = {"report", "runs/a"};
    String making = "-XX:ArchiveClassesAtExit=";
    assertFalse(run(environment, script, "report", "--help").out().toString().contains(making));
    assertTrue(run(failing, script, report).out().toString().contains(making));
    assertTrue(run(environment, script, report).out().toString().contains(making), "it failed");
    Outcome next = run(environment, script, report);
    assertFalse(next.out().toString().contains(making), next.toString());
    assertTrue(next.out().toString().contains("-XX:SharedArchiveFile="), next.toString());
    assertTrue(run(environment, script, "config").out().toString().contains(making));
    try (Stream<Path> made = Files.list(target)) {
      assertEquals(
          List.of("config", "report"),
          made.map(file -> file.getFileName().toString())
              .filter(name -> name.contains("plain-"))
              .map(name -> name.split("-", 3)[1])
              .sorted()
              .toList());
    }
    // Log4j is there for who asks for its messages.
    assertTrue(next.out().toString().contains("-Dslf4j.provider="), next.toString());
    Outcome verbose = run(environment, script, "report", "runs/a", "--verbose");
    assertFalse(verbose.out().toString().contains("-Dslf4j.provider="), verbose.toString());
  }

  private String experimentsJar() throws IOException {
    Path folder = Files.createDirectories(home.resolve("experiments/target"));
    return Files.writeString(folder.resolve("lampyris-experiments.jar"), "").toString();
  }

  @Test
  void experimentsHaveAJarOfTheirOwn() throws IOException {
    assertFalse(local("bench").out().contains("--jars"), "there is none, and nothing to build");
    String jar = experimentsJar();
    List<String> args = submitted(local("bench", "--quick"));
    assertEquals(
        List.of(
            "--jars", jar, "--master", "local[*]", target + "/lampyris.jar", "bench", "--quick"),
        args.subList(args.size() - 7, args.size()));
    assertTrue(installed("reproduce", "mnist").out().contains(jar));
    assertFalse(local("run", "--config", "bench").out().contains("--jars"));
  }

  /** A command that turns out to need Spark, for effects of groups, is started once more. */
  @Test
  void whatNeedsSparkAfterAllIsSubmitted() throws IOException {
    program(
        "bin/java",
        """
        if [ "${LAMPYRIS_SPARK:-}" = none ]; then exit ${PLAIN:-75}; fi
        case "$*" in -version | *ModuleOptions) exit 0 ;; esac
        printf '%s\\n' java "$@"
        exit 3
        """);
    for (String command : List.of("report", "export", "effects")) {
      Outcome outcome = local(command, "runs/a");
      assertEquals(3, outcome.exitCode(), outcome.err());
      List<String> args = submitted(outcome);
      assertEquals(List.of(command, "runs/a"), args.subList(args.size() - 2, args.size()));
      Outcome ended =
          run(
              Map.of("JAVA_HOME", bin.toString(), "PLAIN", "2"),
              home.resolve("submit-scripts/lampyris"),
              command,
              "runs/a");
      assertEquals(2, ended.exitCode());
      assertEquals(List.of(), ended.out());
    }
  }

  @Test
  void whatOnlyTellsIsAnsweredWithoutSparkSubmit() throws IOException {
    String main = "org.lampyris.driver.Lampyris";
    for (List<String> command :
        List.of(
            List.of("config", "--schema"),
            List.of("run", "--help"),
            List.of("--version"),
            List.of("summarize", "runs/a"),
            List.of("compare", "runs/a", "runs/b"),
            List.of("export", "runs/a", "--as", "arviz"),
            List.of("hypothesis", "--run", "runs/a", "x > 0"),
            List.of("report", "runs/a"),
            List.of("effects", "--run", "runs/a", "--rows", "20"),
            List.of("effects", "--run", "runs/a", "--at", "rows"),
            List.of("predict", "--config", "a.yaml", "--input", "b.csv", "--to", "c"),
            List.of("run", "--config", "a.yaml", "--dry-run"))) {
      List<String> args = local(command.toArray(String[]::new)).out();
      assertFalse(args.contains("org.apache.spark.deploy.SparkSubmit"), args.toString());
      assertEquals(command, args.subList(args.indexOf(main) + 1, args.size()));
    }
    assertTrue(local("tables", "--help").out().contains(main), "no jar of the experiments");
    String jar = experimentsJar();
    assertTrue(local("tables", "--help").out().toString().contains(jar + ":"));
    // What Spark's properties may be about is left to spark-submit.
    submitted(local("config", "--config", "hdfs://host/a.yaml"));
    submitted(local("config", "--conf", "spark.hadoop.a=b"));
    submitted(local("summarize", "hdfs://host/runs/a"));
    submitted(local("compare", "--average", "runs/a", "runs/b")); // reads rows
    submitted(local("predict", "--weights", "a.json", "--input", "b.csv", "--to", "c"));
    assertEquals("spark-submit", installed("summarize", "runs/a").out().get(0));
    Map<String, String> environment =
        Map.of("SPARK_HOME", bin.toString(), "PATH", bin + "/bin:" + System.getenv("PATH"));
    Path script = home.resolve("submit-scripts/lampyris");
    List<String> args = run(environment, script, "config").out();
    assertTrue(args.contains(main) && args.toString().contains(bin + "/jars/*"), args.toString());
    assertEquals("spark-submit", installed("run", "--dry-run").out().get(0));
  }

  @Test
  void jarsOfTheUsersAreKeptBesideThatOfTheExperiments() throws IOException {
    String jar = experimentsJar();
    assertTrue(local("bench", "--jars", "a.jar,b.jar").out().contains("a.jar,b.jar," + jar));
    assertTrue(local("bench", "--conf", "spark.jars=c.jar").out().contains("c.jar," + jar));
    Files.createDirectories(bin.resolve("conf"));
    Files.writeString(
        bin.resolve("conf/spark-defaults.conf"),
        "spark.jars.packages x:y:1\nspark.jars   d.jar  \n");
    assertTrue(installed("bench").out().contains("d.jar," + jar));
    assertTrue(installed("bench", "--jars", "e.jar").out().contains("e.jar," + jar));
  }

  @Test
  void theExperimentsAreBuiltWhereTheyAreMissing() throws IOException {
    Files.writeString(home.resolve("pom.xml"), "<project/>");
    program(
        "bin/mvn",
        "echo \"$@\"; case \"$*\" in *experiments*) mkdir -p experiments/target;"
            + " touch experiments/target/lampyris-experiments.jar ;; esac\n");
    Map<String, String> environment =
        Map.of("SPARK_HOME", bin.toString(), "PATH", bin + "/bin:" + System.getenv("PATH"));
    Path script = home.resolve("submit-scripts/lampyris");
    assertFalse(run(environment, script, "run").err().contains("experiments"));
    Outcome first = run(environment, script, "bench");
    assertTrue(first.err().contains("-pl experiments -am package"), first.err());
    assertTrue(
        first.out().contains(home.toRealPath() + "/experiments/target/lampyris-experiments.jar"),
        first.toString());
    assertEquals("", run(environment, script, "bench").err());
  }

  @Test
  void slipsAreTold() throws IOException {
    Outcome noValue = local("run", "--master");
    assertEquals(2, noValue.exitCode());
    assertEquals("lampyris: the option --master needs a value.\n", noValue.err());
    assertEquals(2, local("--class", "x").exitCode());
    Outcome noSubmit =
        run(Map.of("SPARK_HOME", "/nowhere"), home.resolve("submit-scripts/lampyris"), "run");
    assertEquals(2, noSubmit.exitCode());
    assertEquals(
        "lampyris: SPARK_HOME is /nowhere, but has no bin/spark-submit.\n", noSubmit.err());
  }
}
