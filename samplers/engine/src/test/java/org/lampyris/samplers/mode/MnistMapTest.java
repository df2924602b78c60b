package org.lampyris.samplers.mode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.family.LogisticLikelihood;
import org.lampyris.bounds.model.LinearModel;
import org.lampyris.bounds.prior.ProductPrior;
import org.lampyris.bounds.prior.UnivariatePrior.Normal;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.DenseBlock;

/** MNIST 7 against 9, 51 coefficients, held against a fit by another program. */
class MnistMapTest {

  private static final Path DATA = Path.of(System.getProperty("lampyris.data", "../shared/data"));

  @Test
  void theModeAgreesInEveryPrintedDigit() throws IOException {
    Path train = DATA.resolve("mnist79_train.csv.gz");
    Path reference = DATA.resolve("mnist79_reference.csv");
    assumeTrue(Files.exists(train) && Files.exists(reference), "no MNIST data in " + DATA);
    List<DataBlock> blocks = blocks(train);
    List<String> lines = Files.readAllLines(reference, StandardCharsets.UTF_8);
    List<String> names = lines.stream().skip(1).map(l -> l.split(",", -1)[0]).toList();
    // The reference's prior has variance 0.1; 0.316228 is how the task rounds its root.
    ProductPrior prior = ProductPrior.shared(new Normal(0, Math.sqrt(0.1)), 51);
    Objective table = Objective.of(blocks, new LinearModel(new LogisticLikelihood(), 51), 1);
    MapFit fit = new MapFinder(prior, names, 1e-8, 50).find(table, null, pass -> {});
    for (int j = 0; j < 51; j++) {
      BigDecimal printed = new BigDecimal(lines.get(j + 1).split(",", -1)[5]);
      BigDecimal found = new BigDecimal(fit.theta()[j]).round(new MathContext(10));
      assertEquals(0, found.compareTo(printed), names.get(j) + ": " + found + " for " + printed);
    }
    double normaliser = 51 * (-0.5 * Math.log(2 * Math.PI) - Math.log(Math.sqrt(0.1)));
    assertEquals(-1785.7043, fit.logPosterior() - normaliser, 5e-5);
    assertTrue(fit.passes() <= 10);
  }

  private static List<DataBlock> blocks(Path file) throws IOException {
    List<double[]> rows = new ArrayList<>();
    try (BufferedReader reader =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(file)), StandardCharsets.UTF_8))) {
      reader.readLine();
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        String[] cells = line.split(",", -1);
        double[] row = new double[52];
        row[51] = Double.parseDouble(cells[0]) == 1 ? 1 : -1;
        for (int j = 0; j < 50; j++) {
          row[j] = Double.parseDouble(cells[j + 1]);
        }
        row[50] = 1;
        rows.add(row);
      }
    }
    List<DataBlock> blocks = new ArrayList<>();
    for (int from = 0; from < rows.size(); from += 4096) {
      int n = Math.min(4096, rows.size() - from);
      double[] x = new double[n * 51];
      double[] y = new double[n];
      for (int row = 0; row < n; row++) {
        System.arraycopy(rows.get(from + row), 0, x, row * 51, 51);
        y[row] = rows.get(from + row)[51];
      }
      blocks.add(new DenseBlock(blocks.size(), 51, x, y, null));
    }
    return blocks;
  }
}
