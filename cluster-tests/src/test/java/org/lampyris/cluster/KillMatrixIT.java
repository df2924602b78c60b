package org.lampyris.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.spark.launcher.JavaModuleOptions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * SIGKILL at random moments, over every command, in client and cluster deploy mode: results have
 * the bytes of local mode. A driver's command is repeated, by the test or by {@code --supervise};
 * the command itself survives all other losses. Prints a line for each kill, and a table.
 *
 * <p>{@code -Dlampyris.kills=20} for each victim, dealt to commands and deploy modes in turn;
 * {@code -Dlampyris.kills.from=7} skips the first ones, {@code -Dlampyris.kills.only=<regular
 * expression>} selects by name, and {@code -Dlampyris.kills.seed=51} sets the moments.
 */
class KillMatrixIT {
  private static final int KILLS = Integer.getInteger("lampyris.kills", 20);
  private static final int FROM = Integer.getInteger("lampyris.kills.from", 0);
  private static final String ONLY = System.getProperty("lampyris.kills.only", ".*");
  private static final long SEED = Long.getLong("lampyris.kills.seed", 51);
  private static final int ROWS = 5_000;

  /** Names of results, in their folder: all else may hold times and names of temporary files. */
  private static final Pattern RESULT =
      Pattern.compile(".*/((draws|summary|loo)\\.csv|predictions/.*part-.*)");

  /** The first line that a command logs of its work. */
  private static final Pattern WORKS = Pattern.compile("(?m)^\\d\\d:\\d\\d:\\d\\d ");

  @TempDir static Path folder;
  private static Night night;
  private static String base;
  private static final Map<Work, String> EXPECTED = new EnumMap<>(Work.class);

  /** By victim and deploy mode: seconds from each loss to a driver at work, and to the end. */
  private static final Map<String, List<double[]>> TABLE = new TreeMap<>();

  /** A command, and the longest time after which it is struck. */
  private enum Work {
    RUN("algorithm: firefly, plan: stepwise, kernel: mala, warmup: 30, draws: 60", 20),
    EFFECTS("algorithm: multilevel, warmup: 20, draws: 30", 20),
    SHARDS("algorithm: shards, shards: {count: 4}, warmup: 500, draws: 500", 12),
    AUSTERITY("algorithm: austerity, plan: stepwise, warmup: 20, draws: 40", 20),
    UPDATE("", 20),
    PREDICT("", 12),
    LOO("", 12);

    private final String keys;
    private final int seconds;

    Work(String keys, int seconds) {
      this.keys = keys;
      this.seconds = seconds;
    }

    String yaml(String root, String name) {
      return """
          data: {input: "%1$s/table.csv", label: y, block_rows: 500}
          model: {family: logistic%2$s}
          sampler: {%3$s, chains: 2, checkpoint_minutes: 0.02}
          output: "%1$s/%4$s"
          """
          .formatted(
              root,
              this == EFFECTS ? ", random: [{group: g, effects: [\"(Intercept)\"]}]" : "",
              keys,
              name);
    }

    /** Returns the command on a folder with tables, job files and the run {@code base}. */
    List<String> command(String root, String name) {
      String words =
          switch (this) {
            case UPDATE ->
                "update --from %1$s/base --set data.input=%1$s/later.csv --set output=%1$s/%2$s"
                    + " --not-converged 0";
            case PREDICT ->
                "predict --config %1$s/base.yaml --input %1$s/later.csv --to %1$s/%2$s"
                    + " --responses 20 --overwrite";
            case LOO -> "loo %1$s/base --rows 300 --output %1$s/%2$s --overwrite";
            default -> "run --config %1$s/%2$s.yaml --not-converged 0";
          };
      return List.of(words.formatted(root, name).split(" ", -1));
    }
  }

  private enum Victim {
    DRIVER,
    EXECUTOR,
    WORKER,
    DATANODE
  }

  /** The k-th kill of a victim. */
  private record Strike(Victim victim, boolean onCluster, Work work, int k, long seed) {
    /** Returns the victim and the deploy mode. */
    String row() {
      return "%s | %s".formatted(victim, onCluster ? "cluster" : "client").toLowerCase(Locale.ROOT);
    }

    @Override
    public String toString() {
      return "%s-%s-%s-%d"
          .formatted(victim, onCluster ? "cluster" : "client", work, k)
          .toLowerCase(Locale.ROOT);
    }
  }

  static List<Strike> strikes() {
    List<Strike> all = new ArrayList<>();
    Victim[] victims = Victim.values();
    Work[] works = Work.values();
    for (int k = FROM; k < FROM + KILLS; k++) {
      for (int v = 0; v < victims.length; v++) {
        Work work = works[(k + v) % works.length];
        all.add(new Strike(victims[v], (k + v) % 2 == 1, work, k, SEED + 1_000L * v + k));
      }
    }
    all.removeIf(strike -> !strike.toString().matches(ONLY));
    return all;
  }

  @BeforeAll
  static void begin() throws IOException, InterruptedException {
    night = new Night(folder, ROWS, 2, "3g");
    base = night.hdfs().uri() + "/night";
    String later = Night.csv(ROWS / 2, 2);
    night.hdfs().write("/night/later.csv", later);
    Path local = night.localFolder(Work.RUN.keys);
    Files.writeString(local.resolve("later.csv"), later);
    for (Work work : Work.values()) {
      if (work != Work.RUN && strikes().stream().noneMatch(strike -> strike.work == work)) {
        continue;
      }
      String name = work == Work.RUN ? "base" : "local-" + work;
      Files.writeString(local.resolve(name + ".yaml"), work.yaml(local.toString(), name));
      List<String> command =
          new ArrayList<>(List.of("--master", "local[4]", "--conf", "spark.ui.enabled=false"));
      command.addAll(work.command(local.toString(), name));
      try (Submission submission = new Submission(folder, command.toArray(String[]::new))) {
        Night.succeeds(submission);
      }
      EXPECTED.put(
          work, result(FileSystem.getLocal(new Configuration()), local.resolve(name).toString()));
    }
    // What the others build upon, on the cluster.
    night.hdfs().write("/night/base.yaml", Work.RUN.yaml(base, "base"));
    try (Submission run = night.submit(Work.RUN.command(base, "base").toArray(String[]::new))) {
      Night.succeeds(run);
    }
    assertEquals(EXPECTED.get(Work.RUN), result(night.hdfs().files(), "/night/base"));
  }

  @AfterAll
  static void end() {
    TABLE.forEach(
        (row, seconds) ->
            System.out.printf(
                Locale.ROOT,
                "| %s | %d | %s | %s |%n",
                row,
                seconds.size(),
                medianAndMost(seconds, 0),
                medianAndMost(seconds, 1)));
    night.close();
  }

  private static String medianAndMost(List<double[]> seconds, int which) {
    double[] sorted = seconds.stream().mapToDouble(one -> one[which]).sorted().toArray();
    return String.format(
        Locale.ROOT, "%.1f (%.1f)", sorted[sorted.length / 2], sorted[sorted.length - 1]);
  }

  /** Returns the names and checks of the results in a folder; parts are known by their content. */
  private static String result(FileSystem fs, String at) throws IOException {
    List<String> found = new ArrayList<>();
    add(fs, new org.apache.hadoop.fs.Path(at), found);
    assertFalse(found.isEmpty(), at + " has no result");
    found.sort(null);
    return String.join("\n", found);
  }

  private static void add(FileSystem fs, org.apache.hadoop.fs.Path at, List<String> found)
      throws IOException {
    for (FileStatus status : fs.listStatus(at)) {
      String path = status.getPath().toUri().getPath();
      if (status.isDirectory()) {
        add(fs, status.getPath(), found);
      } else if (RESULT.matcher(path).matches() && !path.endsWith(".crc")) {
        CRC32C crc = new CRC32C();
        try (InputStream in = fs.open(status.getPath())) {
          byte[] all = in.readAllBytes();
          crc.update(path.endsWith(".parquet") ? pages(all) : withoutFolder(all));
        }
        String name = status.getPath().getName().replaceFirst("part-.*", "part");
        found.add(name + " " + crc.getValue());
      }
    }
  }

  /** Returns a Parquet file's pages: its footer lists encodings in any order. */
  private static byte[] pages(byte[] file) {
    int end = file.length - 2 * Integer.BYTES; // the footer's length, and a magic number
    int footer = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN).getInt(end);
    return Arrays.copyOf(file, end - footer);
  }

  /** Returns a CSV file without the path to the run {@code base}, which {@code loo} writes. */
  private static byte[] withoutFolder(byte[] file) {
    String text = new String(file, StandardCharsets.UTF_8);
    return text.replaceAll("[^,\n]*/base,", "base,").getBytes(StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @MethodSource("strikes")
  void resultsHaveTheSameBytes(Strike strike) throws Exception {
    SplittableRandom random = new SplittableRandom(strike.seed);
    String output = "/night/" + strike;
    night.hdfs().write(output + ".yaml", strike.work.yaml(base, strike.toString()));
    // A command that has ended before is struck earlier the next time.
    for (long millis = random.nextLong(1_000L * strike.work.seconds);
        !hits(strike, millis, random);
        millis /= 2) {
      night.hdfs().remove(output);
    }
    assertEquals(EXPECTED.get(strike.work), result(night.hdfs().files(), output));
    List<String> left =
        night.hdfs().tree(output).stream()
            .filter(path -> path.matches(".*(/_writing-|\\.tmp-|\\.old-).*"))
            .toList();
    assertEquals(List.of(), left);
    night.hdfs().remove(output);
  }

  private static Submission submit(Strike strike) throws IOException, InterruptedException {
    List<String> arguments = new ArrayList<>();
    if (strike.onCluster) {
      arguments.addAll(List.of("--deploy-mode", "cluster", "--supervise"));
      arguments.addAll(List.of("--driver-java-options", JavaModuleOptions.defaultModuleOptions()));
    }
    arguments.addAll(strike.work.command(base, strike.toString()));
    Submission submission = night.submit(arguments.toArray(String[]::new));
    if (strike.onCluster) {
      Night.succeeds(submission); // it was submitted
    }
    return submission;
  }

  private static boolean runs(Strike strike, Submission run) {
    return strike.onCluster ? night.spark().hasDriver() : run.isAlive();
  }

  /** Waits for the end, and holds that it is a good one where the exit code says so. */
  private static void ends(Strike strike, Submission run) throws IOException, InterruptedException {
    if (strike.onCluster) {
      Waiting.until(() -> !night.spark().hasDriver(), () -> night.spark().driverLog());
    } else {
      Night.succeeds(run);
    }
  }

  /** Runs a command, strikes after some time, and waits for its end; returns whether it hit. */
  private static boolean hits(Strike strike, long millis, SplittableRandom random)
      throws Exception {
    boolean hit = false;
    Submission run = submit(strike);
    try {
      for (long begun = System.nanoTime();
          runs(strike, run) && (System.nanoTime() - begun) / 1e6 < millis; ) {
        Waiting.briefly();
      }
      List<ProcessHandle> victims = victims(strike, run);
      while (victims.isEmpty() && runs(strike, run)) { // before it begins there is nothing to lose
        Waiting.briefly();
        victims = victims(strike, run);
      }
      String last = log(strike, run).lines().reduce("", (before, line) -> line);
      double[] seconds = {Double.NaN, Double.NaN};
      long lost = System.nanoTime();
      if (runs(strike, run) && !victims.isEmpty()) {
        hit = true;
        switch (strike.victim) {
          case WORKER -> night.spark().loseWorker();
          case DATANODE -> night.hdfs().loseDatanode();
          default -> Signals.send("KILL", victims.get(random.nextInt(victims.size())));
        }
        if (strike.victim == Victim.DRIVER) {
          ProcessHandle driver = victims.get(0);
          Waiting.until(() -> !driver.isAlive(), () -> "the driver does not end");
          String earlier = log(strike, run); // a Worker appends to it
          if (!strike.onCluster) {
            run = submit(strike);
          }
          while (runs(strike, run)
              && (victims(strike, run).isEmpty()
                  || !WORKS.matcher(after(earlier, log(strike, run))).find())) {
            Waiting.briefly();
          }
          seconds[0] = (System.nanoTime() - lost) / 1e9;
        }
      }
      ends(strike, run);
      seconds[1] = (System.nanoTime() - lost) / 1e9;
      if (hit) {
        TABLE.computeIfAbsent(strike.row(), unused -> new ArrayList<>()).add(seconds);
        System.out.printf(
            Locale.ROOT,
            "| %s | %s | %.1f s | %.1f s | %.1f s | %s%n",
            strike.row(),
            strike.work,
            millis / 1e3,
            seconds[0],
            seconds[1],
            last);
      }
    } finally {
      run.close();
      if (hit && strike.victim == Victim.WORKER) {
        night.spark().addWorker();
      } else if (hit && strike.victim == Victim.DATANODE) {
        night.hdfs().findDatanode();
      }
    }
    return hit;
  }

  /** Returns the processes of which one is struck, or which tell that the others are in use. */
  private static List<ProcessHandle> victims(Strike strike, Submission run) {
    if (strike.victim != Victim.DRIVER) {
      return night.spark().executors();
    }
    return strike.onCluster ? night.spark().drivers() : List.of(run.process());
  }

  private static String after(String earlier, String log) {
    return log.startsWith(earlier) ? log.substring(earlier.length()) : log;
  }

  private static String log(Strike strike, Submission run) throws IOException {
    return strike.onCluster ? night.spark().driverLog() : run.err();
  }
}
