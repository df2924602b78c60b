package org.lampyris.cluster;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;

/** A cluster, a file system, and a job on a table there whose draws are known from local mode. */
final class Night implements AutoCloseable {
  /** What makes every job of a phase one of many, so that faults have something to meet. */
  private static final String[] CLUSTER = {
    "--driver-memory", "1g",
    "--executor-memory", "600m",
    "--conf", "spark.kryo.registrationRequired=true",
    "--conf", "spark.ui.enabled=false",
    "--conf", "spark.driver.host=127.0.0.1",
    "--conf", "spark.sql.shuffle.partitions=4",
    "--conf", "spark.lampyris.executorTimeout=60"
  };

  /** The rows of a job, and what is stored of them. */
  enum Rows {
    /**
     * Text, in the order of the file: what is asked of all jobs that are not said to have other.
     */
    IN_ORDER("input: \"%s/table.csv\", order: input", ""),
    /** Text, in the order of its content: shuffled. */
    BY_CONTENT("input: \"%s/table.csv\", order: content", ""),
    /** Parquet, stored while it is read. */
    STORED_AS_READ("input: \"%s/generated/table\"", ""),
    /** Parquet, of which no rows are stored: lost ones are read from it again. */
    NOT_STORED("input: \"%s/generated/table\"", "prepared: none\n");

    private final String data;
    private final String keys;

    Rows(String data, String keys) {
      this.data = data;
      this.keys = keys;
    }
  }

  private final Path folder;
  private final StandaloneCluster spark;
  private final Hdfs hdfs;
  private final String table;
  private final int rows;

  /** Starts a cluster of Workers of one core each. */
  Night(Path folder, int rows) throws IOException {
    this(folder, rows, 1, "2g");
  }

  /**
   * Starts a cluster.
   *
   * @param rows how many the table has
   * @param cores how many a Worker has to give
   * @param memory what a Worker has to give
   */
  Night(Path folder, int rows, int cores, String memory) throws IOException {
    this.folder = folder;
    this.table = csv(rows, 20_260_101);
    this.hdfs = new Hdfs(folder.resolve("hdfs"));
    Files.writeString(
        Files.createDirectories(hadoopConf()).resolve("core-site.xml"),
        "<configuration><property><name>fs.defaultFS</name><value>%s</value></property></configuration>"
            .formatted(hdfs.uri()));
    this.spark =
        new StandaloneCluster(
            Files.createDirectories(folder.resolve("cluster")), cores, memory, hadoopConf());
    hdfs.write("/night/table.csv", table);
    this.rows = rows;
  }

  /** Makes the table in Parquet, of other rows, where {@link Rows} has it: in HDFS and locally. */
  void generate() throws IOException, InterruptedException {
    String[] command = {
      "--master",
      "local[2]",
      "--conf",
      "spark.ui.enabled=false",
      "generate",
      "--rows",
      "" + rows,
      "--features",
      "5",
      "--output",
      folder.resolve("generated").toString()
    };
    try (Submission submission = new Submission(folder, command)) {
      succeeds(submission);
    }
    hdfs.copy(folder.resolve("generated"), "/night/generated");
  }

  /** Returns what {@code HADOOP_CONF_DIR} names, on the Workers and where commands are given. */
  Path hadoopConf() {
    return folder.resolve("hadoop");
  }

  /** A logistic regression of four columns of numbers and one of seven levels. */
  static String csv(int rows, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    StringBuilder text = new StringBuilder("y,a,b,c,d,g\n");
    for (int i = 0; i < rows; i++) {
      double[] x = new double[4];
      Arrays.setAll(x, j -> random.nextDouble() + random.nextDouble() - 1);
      int level = random.nextInt(7);
      double eta = 0.8 * x[0] - 0.5 * x[1] + 0.3 * x[2] + 0.1 * (level - 3);
      int y = random.nextDouble() < 1 / (1 + Math.exp(-eta)) ? 1 : 0;
      text.append(
          String.format(
              Locale.ROOT, "%d,%.6f,%.6f,%.6f,%.6f,g%d%n", y, x[0], x[1], x[2], x[3], level));
    }
    return text.toString();
  }

  StandaloneCluster spark() {
    return spark;
  }

  Hdfs hdfs() {
    return hdfs;
  }

  /** Returns the job's file, in HDFS; all that it writes is below {@code /night/<name>}. */
  String job(String name, String keys) throws IOException {
    return job(name, keys, Rows.IN_ORDER);
  }

  /** Returns the file of a job on some rows. */
  String job(String name, String keys, Rows of) throws IOException {
    hdfs.write("/night/" + name + ".yaml", yaml(hdfs.uri() + "/night", name, keys, of));
    return hdfs.uri() + "/night/" + name + ".yaml";
  }

  private static String yaml(String root, String name, String keys, Rows of) {
    return """
        data: {%1$s, label: y, block_rows: 500}
        model: {family: logistic}
        sampler: {%2$s, chains: 2}
        %3$soutput: "%4$s/%5$s"
        """
        .formatted(of.data.formatted(root), keys, of.keys, root, name);
  }

  /** Starts a command on the cluster. */
  Submission submit(String... arguments) throws IOException {
    List<String> all = new ArrayList<>(Arrays.asList("--master", spark.url()));
    all.addAll(Arrays.asList(CLUSTER));
    all.addAll(Arrays.asList(arguments));
    return new Submission(folder, all.toArray(String[]::new));
  }

  /** Starts a command on the cluster, where it is to be made fail or slow. */
  Submission submit(List<String> options, String... arguments) throws IOException {
    List<String> all = new ArrayList<>(options);
    all.addAll(Arrays.asList(arguments));
    return submit(all.toArray(String[]::new));
  }

  /** Starts a command by a properties file and Hadoop's configuration alone. */
  Submission submitBy(Path properties, String... arguments) throws IOException {
    List<String> all = new ArrayList<>(List.of("--properties-file", properties.toString()));
    all.addAll(Arrays.asList(arguments));
    return new Submission(
        folder,
        Map.of("HADOOP_CONF_DIR", hadoopConf().toString()),
        List.of(),
        all.toArray(String[]::new));
  }

  /** Returns the draws of a job that runs in local mode, on local files, without a fault. */
  String localDraws(String keys) throws IOException, InterruptedException {
    return localDraws(keys, Rows.IN_ORDER);
  }

  /** Returns those of some rows. */
  String localDraws(String keys, Rows of) throws IOException, InterruptedException {
    Path local = localFolder(keys, of);
    try (Submission submission = local(local, List.of())) {
      succeeds(submission);
    }
    return Files.readString(local.resolve("out/draws.csv"));
  }

  /** Returns a folder of local files with a job, {@code job.yaml}, that writes into {@code out}. */
  Path localFolder(String keys) throws IOException {
    return localFolder(keys, Rows.IN_ORDER);
  }

  private Path localFolder(String keys, Rows of) throws IOException {
    Path local = Files.createTempDirectory(folder, "local");
    Files.writeString(local.resolve("table.csv"), table);
    if (Files.exists(folder.resolve("generated"))) {
      Files.createSymbolicLink(local.resolve("generated"), folder.resolve("generated"));
    }
    Files.writeString(local.resolve("job.yaml"), yaml(local.toString(), "out", keys, of));
    return local;
  }

  /**
   * Starts such a job in local mode.
   *
   * @param before a command that runs another one, which follows
   * @param options of spark-submit
   */
  Submission local(Path local, List<String> before, String... options) throws IOException {
    List<String> all =
        new ArrayList<>(
            List.of(
                "--master",
                "local[2]",
                "--driver-memory",
                "1g",
                "--conf",
                "spark.ui.enabled=false",
                "run",
                "--config",
                local.resolve("job.yaml").toString(),
                "--not-converged",
                "0"));
    all.addAll(Arrays.asList(options));
    return new Submission(folder, Map.of(), before, all.toArray(String[]::new));
  }

  /** Returns the draws that a job has written. */
  String draws(String name) throws IOException {
    return hdfs.read("/night/" + name + "/draws.csv");
  }

  /** Holds that a command ends well. */
  static void succeeds(Submission submission) throws IOException, InterruptedException {
    int exitCode = submission.exitCode();
    assertTrue(exitCode == 0, () -> exitCode + ": " + said(submission));
  }

  static String said(Submission submission) {
    try {
      return submission.err();
    } catch (IOException e) {
      return e.toString();
    }
  }

  @Override
  public void close() {
    spark.close();
    hdfs.close();
  }
}
