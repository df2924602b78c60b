package org.lampyris.samplers.testdata;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Assumptions;
import org.lampyris.bounds.prior.ProductPrior;
import org.lampyris.bounds.prior.UnivariatePrior;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.DenseBlock;

/**
 * MNIST 7 against 9 and its gold-standard posterior, read from the folder that the system property
 * {@code lampyris.data} names. Columns pc1 … pc50, then a one.
 *
 * @param blocks the rows in file order
 * @param rows how many
 * @param mean posterior means
 * @param sd posterior standard deviations
 * @param mode the MAP
 * @param covariance posterior covariance, row-major
 */
public record Mnist79(
    List<DataBlock> blocks,
    int rows,
    double[] mean,
    double[] sd,
    double[] mode,
    double[] covariance) {
  public static final int DIMENSION = 51;
  public static final int BLOCK_ROWS = 1024;

  /** Reads the data, or skips the test where they are absent. */
  public static Mnist79 loadOrSkip() {
    Path folder = Path.of(System.getProperty("lampyris.data", "../shared/data"));
    Assumptions.assumeTrue(
        Files.exists(folder.resolve("mnist79_train.csv.gz")),
        () -> "no mnist79_train.csv.gz in " + folder.toAbsolutePath() + " (-Dlampyris.data=…)");
    try {
      return load(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the prior of the reference posterior. */
  public static ProductPrior prior() {
    return ProductPrior.shared(new UnivariatePrior.Normal(0, Math.sqrt(0.1)), DIMENSION);
  }

  private static Mnist79 load(Path folder) throws IOException {
    List<double[]> table = new ArrayList<>();
    try (BufferedReader in =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(folder.resolve("mnist79_train.csv.gz"))),
                StandardCharsets.UTF_8))) {
      in.readLine();
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        table.add(numbers(line, 0));
      }
    }
    List<DataBlock> blocks = new ArrayList<>();
    for (int first = 0; first < table.size(); first += BLOCK_ROWS) {
      blocks.add(block(table.subList(first, Math.min(table.size(), first + BLOCK_ROWS)), first));
    }
    List<double[]> reference = new ArrayList<>();
    for (String line : Files.readAllLines(folder.resolve("mnist79_reference.csv")).subList(1, 52)) {
      reference.add(numbers(line, 1));
    }
    double[] covariance =
        Files.readAllLines(folder.resolve("mnist79_reference_cov.csv")).stream()
            .flatMapToDouble(line -> java.util.Arrays.stream(numbers(line, 0)))
            .toArray();
    return new Mnist79(
        blocks,
        table.size(),
        column(reference, 0),
        column(reference, 1),
        column(reference, 4),
        covariance);
  }

  private static DataBlock block(List<double[]> rows, int first) {
    double[] x = new double[rows.size() * DIMENSION];
    double[] y = new double[rows.size()];
    for (int i = 0; i < y.length; i++) {
      y[i] = rows.get(i)[0] > 0.5 ? 1 : -1;
      System.arraycopy(rows.get(i), 1, x, i * DIMENSION, DIMENSION - 1);
      x[i * DIMENSION + DIMENSION - 1] = 1;
    }
    return new DenseBlock(first / BLOCK_ROWS, DIMENSION, x, y, null);
  }

  private static double[] numbers(String line, int from) {
    return java.util.Arrays.stream(line.split(",", -1))
        .skip(from)
        .mapToDouble(Double::parseDouble)
        .toArray();
  }

  private static double[] column(List<double[]> rows, int column) {
    return rows.stream().mapToDouble(row -> row[column]).toArray();
  }
}
