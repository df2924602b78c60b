package org.lampyris.driver.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.lampyris.driver.config.JobConfig;
import org.lampyris.driver.job.Going;
import org.lampyris.driver.job.Halt;
import org.lampyris.driver.job.Steps;
import org.lampyris.driver.output.PiecewiseFileSystem;
import org.lampyris.driver.output.SampledRun;
import org.lampyris.driver.progress.Progress;

/** Runs that are halted and go on, from the command line to the files. */
class ResumeIT {
  private static final String SAMPLE = "sample";

  @TempDir Path folder;

  private final Shell shell = new Shell("local[2]");

  @BeforeEach
  void table() throws IOException {
    Path table = folder.resolve("table.csv");
    List<String> rows = new ArrayList<>(List.of("y,a,b,g"));
    for (int i = 0; i < 3000; i++) {
      double a = Math.sin(0.7 * i);
      double b = Math.cos(1.3 * i * i);
      int y = Math.sin(17.0 * i) < 0.5 * a - 0.3 * b + 0.4 * Math.sin(i % 7) ? 1 : 0;
      rows.add(y + "," + a + "," + b + ",g" + i % 7);
    }
    Files.write(table, rows);
  }

  private Path job(String name, String keys) throws IOException {
    String model =
        keys.contains("multilevel")
            ? "{family: logistic, random: [{group: g, effects: [\"(Intercept)\"]}]}"
            : "{family: logistic}";
    return Files.writeString(
        folder.resolve(name + ".yaml"),
        """
        data: {input: "%s/table.csv", label: y, features: [a, b], block_rows: 256}
        model: %s
        sampler: {%s, chains: 2, pool_mib: 1, checkpoint_minutes: 0.00001}
        prepared: "%s/%s-prepared"
        bounds: "%s/%s-bounds"
        output: "%s/out"
        """
            .formatted(folder, model, keys, folder, name, folder, name, folder));
  }

  /** Samples, but halts at the checkpoint after the k-th. */
  static Steps haltingAfter(int k) {
    return new Steps() {
      @Override
      public SampledRun sample(
          SparkSession spark, JobConfig config, Progress progress, Going going) {
        AtomicInteger kept = new AtomicInteger();
        AtomicReference<Halt> own = new AtomicReference<>();
        Halt halt =
            new Halt(
                sentence -> {
                  if (kept.incrementAndGet() == k) {
                    Objects.requireNonNull(own.get()).request();
                  }
                });
        own.set(halt);
        return super.sample(spark, config, progress, new Going(going.mode(), halt, going.fence()));
      }
    };
  }

  private String out(String of) {
    return folder.resolve(of).toString();
  }

  private static String results(Path output) throws IOException {
    StringBuilder all = new StringBuilder();
    for (String name : List.of("draws.csv", "summary.csv", "effects/g.csv")) {
      Path file = output.resolve(name);
      if (Files.exists(file)) {
        all.append(Files.readString(file)).append('\n');
      }
    }
    return all.toString();
  }

  private static void delete(Path folder) throws IOException {
    if (Files.exists(folder)) {
      try (Stream<Path> all = Files.walk(folder)) {
        all.sorted(Comparator.reverseOrder())
            .forEach(
                path -> {
                  try {
                    Files.delete(path);
                  } catch (IOException e) {
                    throw new UncheckedIOException(e);
                  }
                });
      }
    }
  }

  /** Keys of the sampler, and after how many checkpoints a run is halted at most. */
  static Stream<Arguments> samplers() {
    Stream<Arguments> always =
        Stream.of(
            Arguments.of("algorithm: firefly, plan: stepwise, warmup: 30, draws: 60", 2),
            Arguments.of("algorithm: auto, warmup: 300, draws: 400", 1),
            Arguments.of("algorithm: perfect, draws: 3000", 1),
            Arguments.of(
                "algorithm: multilevel, warmup: 30, draws: 60, multilevel: {keep_draws: 5}", 2),
            Arguments.of(
                "algorithm: firefly, plan: segment, warmup: 200, draws: 250, multilevel: {keep_draws: 5}",
                1));
    Stream<Arguments> more =
        Stream.of(
            Arguments.of("algorithm: firefly, plan: segment, warmup: 300, draws: 400", 1),
            Arguments.of("algorithm: metropolis, plan: stepwise, warmup: 30, draws: 60", 2),
            Arguments.of("algorithm: mhss, plan: segment, warmup: 300, draws: 400", 1),
            Arguments.of(
                "algorithm: metropolis, plan: stepwise, warmup: 20, draws: 40, multilevel: {keep_draws: 5}",
                2),
            Arguments.of(
                "algorithm: multilevel, plan: stepwise, warmup: 10, draws: 20, multilevel: {keep_draws: 5}",
                1));
    boolean all = "all".equals(System.getProperty("lampyris.validation"));
    return all ? Stream.concat(always, more) : always;
  }

  /** {@code -Dlampyris.validation=all} has more algorithms and plans. */
  @ParameterizedTest
  @MethodSource("samplers")
  void haltedAndResumedIsTheSame(String keys, int last) throws IOException {
    String job = job("job", keys).toString();
    shell.succeeds("prepare", "--config", job);
    shell.succeeds("precompute", "--config", job);
    shell.samples(SAMPLE, "--config", job, "--set", "output=" + out("whole"));
    String expected = results(folder.resolve("whole"));
    for (int k = 1; k <= last; k++) {
      Path output = folder.resolve("halted-" + k);
      String set = "output=" + output;
      assertEquals(1, shell.run(haltingAfter(k), SAMPLE, "--config", job, "--set", set), keys);
      assertFalse(Files.exists(output.resolve("draws.csv")), shell.err());
      assertEquals(2, shell.run(SAMPLE, "--config", job, "--set", set));
      assertTrue(shell.err().contains("Add --resume"), shell.err());
      // Other partitions are wanted now; the states of rows lie as they did.
      shell.samples(
          SAMPLE,
          "--config",
          job,
          "--set",
          set,
          "--set",
          "data.partitions=" + (k == 1 ? 8 : 1),
          "--resume");
      assertEquals(expected, results(output), keys);
    }
    // Once more: nothing is left to do but to write.
    shell.samples(SAMPLE, "--config", job, "--set", "output=" + out("whole"), "--resume");
    assertEquals(expected, results(folder.resolve("whole")));
  }

  @Test
  void aFinishedRunIsExtendedAndOthersAreRefused() throws IOException {
    String job = job("job", "algorithm: firefly, warmup: 100, draws: 200").toString();
    shell.succeeds("prepare", "--config", job);
    shell.succeeds("precompute", "--config", job);
    shell.samples(SAMPLE, "--config", job);
    String more = "sampler.draws=500";
    shell.samples(SAMPLE, "--config", job, "--set", more, "--set", "output=" + out("more"));
    shell.samples(SAMPLE, "--config", job, "--set", more, "--resume");
    assertEquals(results(folder.resolve("more")), results(folder.resolve("out")));

    refused(
        job, "has made 600 iterations of each chain, but sampler.draws: 200", "sampler.draws=200");
    refused(job, "sampler.seed was 1, and is now 2", more, "sampler.seed=2");
    refused(job, "sampler.kernel was \"hmc\", and is now \"mala\"", more, "sampler.kernel=mala");
    refused(job, "keeps no checkpoint", more, "sampler.algorithm=shards");
    String other = job("other", "algorithm: firefly, warmup: 100, draws: 500").toString();
    Files.writeString(
        folder.resolve("table.csv"),
        Files.readString(folder.resolve("table.csv")) + "1,0.25,0.75,g1\n");
    shell.succeeds("prepare", "--config", other);
    shell.succeeds("precompute", "--config", other);
    refused(other, "the prepared table had the fingerprint");
    // The last is damaged: the one before is used.
    cut(documents("out").get(0));
    List<String> told = new ArrayList<>();
    shell.told(told::add).samples(SAMPLE, "--config", job, "--set", more, "--resume");
    assertTrue(told.toString().contains("json is damaged ("), told.toString());
    assertEquals(results(folder.resolve("more")), results(folder.resolve("out")));
    for (Path document : documents("out")) {
      cut(document);
    }
    assertEquals(3, shell.run(SAMPLE, "--config", job, "--set", more, "--resume"));
    assertTrue(shell.err().contains("no checkpoint can be resumed"), shell.err());
    shell.samples(SAMPLE, "--config", job, "--set", more, "--overwrite");
    assertEquals(results(folder.resolve("more")), results(folder.resolve("out")));
  }

  /** The states of rows are read by tasks; in the older checkpoint they are older. */
  @Test
  void statesOfRowsThatAreDamagedAreThoseOfTheOlder() throws IOException {
    String job = job("job", "algorithm: firefly, plan: stepwise, warmup: 30, draws: 60").toString();
    shell.succeeds("prepare", "--config", job);
    shell.succeeds("precompute", "--config", job);
    shell.samples(SAMPLE, "--config", job, "--set", "output=" + out("whole"));
    assertEquals(1, shell.run(haltingAfter(2), SAMPLE, "--config", job));
    List<Path> documents = documents("out");
    String last = documents.get(0).getFileName().toString().replaceAll("\\D", "");
    try (Stream<Path> all = Files.list(documents.get(0).getParent())) {
      Path state =
          all.filter(path -> path.getFileName().toString().startsWith("state-" + last))
              .findFirst()
              .orElseThrow();
      cut(state.resolve("rows-00000.bin"));
    }
    List<String> told = new ArrayList<>();
    shell.told(told::add).samples(SAMPLE, "--config", job, "--resume");
    assertTrue(
        told.toString().contains("rows-00000.bin has changed since it was written"),
        told.toString());
    assertEquals(results(folder.resolve("whole")), results(folder.resolve("out")));
  }

  /** Between writing, publishing and removing, a run looks whether another has taken over. */
  @Test
  void everyStepOfACheckpointComesAfterALookAtTheLease() throws IOException {
    String job =
        job("job", "algorithm: metropolis, plan: stepwise, warmup: 30, draws: 60").toString();
    shell.set("spark.hadoop.fs.piece.impl", PiecewiseFileSystem.class.getName());
    shell.succeeds("prepare", "--config", job);
    shell.succeeds("precompute", "--config", job);
    String[] sample = {SAMPLE, "--config", job, "--set", "output=piece:" + out("out"), ""};
    int failures = 0;
    for (String mode : List.of("--overwrite", "--resume", "--overwrite")) {
      if (failures > 0) {
        Files.writeString(
            folder.resolve("out/checkpoint/draws/part-000099.snappy.parquet"), "left over");
      }
      sample[sample.length - 1] = mode;
      AtomicInteger failed = new AtomicInteger();
      PiecewiseFileSystem.failAt(
          event ->
              event.path().endsWith("sampler_stats/part-000002.snappy.parquet")
                  && event.kind() == PiecewiseFileSystem.Kind.MADE
                  && failed.getAndIncrement() == 0);
      Steps steps =
          new Steps() {
            @Override
            public SampledRun sample(
                SparkSession spark, JobConfig config, Progress progress, Going going) {
              PiecewiseFileSystem.events(); // earlier looks do not count
              return super.sample(spark, config, progress, going);
            }
          };
      int exit = shell.run(steps, sample);
      PiecewiseFileSystem.failAt(event -> false);
      assertTrue(exit == 0 || exit == 4, shell.err());
      holdsLooks(PiecewiseFileSystem.events(), mode);
      failures += failed.get();
    }
    assertTrue(failures > 0, "no checkpoint has failed");
  }

  private static void holdsLooks(List<PiecewiseFileSystem.Event> events, String mode) {
    String now = "";
    Set<String> all = new TreeSet<>();
    for (PiecewiseFileSystem.Event event : events) {
      String name = event.path().substring(event.path().lastIndexOf('/') + 1);
      boolean hidden = name.startsWith("_") || name.startsWith("rows-");
      if (event.kind() == PiecewiseFileSystem.Kind.LOOK) {
        now = "look";
      } else if (event.path().contains("/checkpoint/")
          && name.contains(".") == !hidden
          && !(hidden && event.kind() == PiecewiseFileSystem.Kind.REMOVED)) {
        String kind = hidden ? "hidden" : event.kind().toString();
        assertTrue(
            now.equals(kind) || now.equals("look"),
            () -> mode + ": no look before " + event + " in " + events);
        now = kind;
        all.add(kind);
      }
    }
    assertEquals(mode.equals("--resume") ? 1 : 3, all.size(), mode + all);
  }

  /** Returns the documents of the checkpoints, the last first. */
  private List<Path> documents(String of) throws IOException {
    try (Stream<Path> files = Files.list(folder.resolve(of).resolve("checkpoint"))) {
      return files
          .filter(file -> file.toString().endsWith(".json"))
          .sorted(Comparator.reverseOrder())
          .toList();
    }
  }

  private static void cut(Path file) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    delete(file.resolveSibling("." + file.getFileName() + ".crc"));
    Files.write(file, Arrays.copyOf(bytes, bytes.length / 2));
  }

  private void refused(String job, String why, String... settings) {
    List<String> command = new ArrayList<>(List.of(SAMPLE, "--config", job, "--resume"));
    for (String setting : settings) {
      command.addAll(List.of("--set", setting));
    }
    assertEquals(2, shell.run(command.toArray(String[]::new)), shell.err());
    assertTrue(shell.err().contains(why), shell.err());
    assertEquals(1, shell.err().lines().count(), shell.err());
  }
}
