package org.lampyris.dataprep.generate;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.Text;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.family.CensoredTime;
import org.lampyris.executors.table.AtomicFolder;
import org.lampyris.executors.table.StorageProblem;
import org.lampyris.executors.table.TableSchema;

/**
 * The generate job: writes a regression table of any size in parallel, with the coefficients that
 * it was drawn from.
 *
 * <p>The label is the column "y", with values 0 and 1 for logistic regression, and with the trials
 * in "n" for binomial regression. Features are x1 … xd, and f1 … fd in LibSVM, where columns have
 * no names. Groups of rows, if there are any, are in the column "g", and their effects in a table
 * of their own. All depends on the specification alone.
 */
public final class GenerateJob {
  private static final String TRUTH = "true_coefficients.csv";
  private static final String EFFECTS = "true_effects";

  /** The column of the groups' numbers. */
  private static final String GROUP = "g";

  /** Chunks per file: 262,144 rows. */
  private static final int FILE_CHUNKS = 64;

  private GenerateJob() {}

  /**
   * Generates a table.
   *
   * @throws UserException (usage) if the output cannot be written; then nothing is left behind
   */
  public static void run(
      SparkSession spark, GenerateSection section, boolean overwrite, Consumer<String> progress) {
    String output = Objects.requireNonNull(section.output());
    GenerateSection.Law law = section.law();
    Configuration conf = spark.sparkContext().hadoopConfiguration();
    try (AtomicFolder folder = AtomicFolder.create(output, overwrite, TRUTH, conf)) {
      LogisticTruth truth = new LogisticTruth(law, section.grouping(), section.response());
      progress.accept(
          Text.of("writing %,d rows of %,d features to %s", law.rows(), law.features(), output));
      writeTable(spark, section, truth, folder.path() + "/table");
      if (section.grouping().groups() > 0) {
        writeEffects(spark, section.grouping().groups(), truth, folder.path() + "/" + EFFECTS);
      }
      writeTruth(section.format(), truth, new Path(folder.path(), TRUTH), conf);
      folder.commit();
    } catch (UserException e) {
      throw e;
    } catch (Exception e) {
      UserException known = StorageProblem.known(output, "write to", e);
      if (known != null || e instanceof IOException) {
        throw known != null ? known : StorageProblem.writing(output, e);
      }
      throw e instanceof RuntimeException runtime ? runtime : new IllegalStateException(e);
    }
  }

  private static void writeTable(
      SparkSession spark, GenerateSection section, LogisticTruth truth, String path)
      throws IOException {
    long rows = section.law().rows();
    long chunks = (rows - 1) / LogisticTruth.CHUNK_ROWS + 1;
    int files = Math.toIntExact((chunks - 1) / FILE_CHUNKS + 1);
    JavaRDD<Long> numbers = spark.range(0, chunks, 1, files).javaRDD();
    if (section.format().equals("libsvm")) {
      JavaRDD<String> lines =
          numbers.flatMap(
              c -> chunk(truth, c, rows, (x, group, label) -> line(x, label, truth.response())));
      spark.createDataset(lines.rdd(), Encoders.STRING()).write().text(path);
      rename(spark.sparkContext().hadoopConfiguration(), path);
      return;
    }
    StructType type = new StructType();
    for (int j = 1; j <= section.law().features(); j++) {
      type = type.add("x" + j, DataTypes.DoubleType, false);
    }
    DrawnResponse response = truth.response();
    type = type.add("y", response.isWhole() ? DataTypes.IntegerType : DataTypes.DoubleType, false);
    if (response == DrawnResponse.BINOMIAL) {
      type = type.add("n", DataTypes.IntegerType, false);
    }
    if (response.isTime()) {
      type = type.add("event", DataTypes.IntegerType, false);
    }
    Double visits = section.visits();
    if (visits != null) {
      type = type.add("time2", DataTypes.DoubleType, false);
    }
    boolean grouped = section.grouping().groups() > 0;
    if (grouped) {
      type = type.add(GROUP, DataTypes.LongType, false);
    }
    spark
        .createDataFrame(
            numbers.flatMap(
                c ->
                    chunk(
                        truth,
                        c,
                        rows,
                        (x, group, label) -> cells(x, group, label, response, grouped, visits))),
            type)
        .write()
        .mode(SaveMode.ErrorIfExists)
        .format(section.format())
        .option("header", section.format().equals("csv"))
        .save(path);
  }

  /** Returns the rows of a chunk, in the format built from features and label. */
  private static <T> Iterator<T> chunk(LogisticTruth truth, long chunk, long rows, Form<T> form) {
    long before = chunk * LogisticTruth.CHUNK_ROWS;
    int size = (int) Math.min(LogisticTruth.CHUNK_ROWS, rows - before);
    List<T> out = new ArrayList<>(size);
    truth.draw(chunk, size, (x, group, label) -> out.add(form.of(x, group, label)));
    return out.iterator();
  }

  /** The form of a row. */
  @FunctionalInterface
  private interface Form<T> {
    T of(double[] x, long group, double label);
  }

  private static void writeEffects(
      SparkSession spark, long groups, LogisticTruth truth, String path) {
    StructType type =
        new StructType()
            .add(GROUP, DataTypes.LongType, false)
            .add("effect", DataTypes.DoubleType, false);
    JavaRDD<Row> rows =
        spark.range(groups).javaRDD().map(g -> RowFactory.create(g, truth.effect(g)));
    spark.createDataFrame(rows, type).write().parquet(path);
  }

  private static Row cells(
      double[] x,
      long group,
      double label,
      DrawnResponse response,
      boolean grouped,
      @Nullable Double visits) {
    List<Object> cells = new ArrayList<>(x.length + 4);
    for (double of : x) {
      cells.add(of);
    }
    if (visits != null && label > 0) {
      noticed(label, visits, cells);
    } else {
      cells.add(label(label, response));
      if (response == DrawnResponse.BINOMIAL) {
        cells.add(DrawnResponse.TRIALS);
      }
      if (response.isTime()) {
        cells.add(label > 0 ? CensoredTime.AT : CensoredTime.AFTER);
        if (visits != null) {
          cells.add(Math.abs(label));
        }
      }
    }
    if (grouped) {
      cells.add(group);
    }
    return RowFactory.create(cells.toArray());
  }

  /**
   * Adds the last visit before an event and the first after it, or that alone if none was before.
   */
  private static void noticed(double time, double visits, List<Object> cells) {
    double before = Math.floor(time / visits);
    double after = visits * (before + 1);
    cells.add(before == 0 ? after : visits * before);
    cells.add(before == 0 ? CensoredTime.BEFORE : CensoredTime.BETWEEN);
    cells.add(after);
  }

  private static Object label(double label, DrawnResponse response) {
    if (response.isWhole()) {
      return (int) label;
    }
    return response.isTime() ? Math.abs(label) : label;
  }

  private static String line(double[] x, double label, DrawnResponse response) {
    StringBuilder line = new StringBuilder().append(label(label, response));
    for (int j = 0; j < x.length; j++) {
      line.append(' ').append(j + 1).append(':').append(x[j]);
    }
    return line.toString();
  }

  /** Gives text files the file extension of their format. */
  private static void rename(Configuration conf, String path) throws IOException {
    Path folder = new Path(path);
    FileSystem fs = folder.getFileSystem(conf);
    for (FileStatus status : fs.listStatus(folder, found -> found.getName().endsWith(".txt"))) {
      Path file = status.getPath();
      Path to = new Path(folder, file.getName().replaceFirst("\\.txt$", ".libsvm"));
      if (!fs.rename(file, to)) {
        throw new IOException(file + " cannot be renamed");
      }
    }
  }

  private static void writeTruth(String format, LogisticTruth truth, Path path, Configuration conf)
      throws IOException {
    String prefix = format.equals("libsvm") ? "f" : "x";
    StringBuilder text = new StringBuilder("variable,value\n");
    DrawnResponse response = truth.response();
    if (response != DrawnResponse.ORDINAL) {
      text.append(TableSchema.INTERCEPT).append(',').append(truth.intercept()).append('\n');
    }
    double[] theta = truth.theta();
    for (int j = 0; j < theta.length; j++) {
      text.append(prefix).append(j + 1).append(',').append(theta[j]).append('\n');
    }
    Map<String, Double> own = response.own(truth.intercept());
    double[] gamma = truth.gamma();
    if (gamma.length > 0) {
      String name = response.modelled().orElseThrow();
      own.remove(name);
      text.append(name).append("_Intercept,").append(response.linked()).append('\n');
      for (int j = 0; j < gamma.length; j++) {
        text.append(name + "_" + prefix).append(j + 1).append(',').append(gamma[j]).append('\n');
      }
    }
    own.forEach((name, value) -> text.append(name).append(',').append(value).append('\n'));
    try (OutputStream out = path.getFileSystem(conf).create(path, false)) {
      out.write(text.toString().getBytes(StandardCharsets.UTF_8));
    }
  }
}
