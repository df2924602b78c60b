package org.lampyris.samplers.mode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.lampyris.bounds.family.GammaFamily;
import org.lampyris.bounds.family.GaussianFamily;
import org.lampyris.bounds.family.GaussianScaleModel;
import org.lampyris.bounds.family.LogisticLikelihood;
import org.lampyris.bounds.family.MixtureFamily;
import org.lampyris.bounds.family.PoissonFamily;
import org.lampyris.bounds.family.RobustFamily;
import org.lampyris.bounds.family.softmax.SoftmaxModel;
import org.lampyris.bounds.model.LinearModel;
import org.lampyris.bounds.model.Model;
import org.lampyris.bounds.prior.Prior;
import org.lampyris.bounds.prior.ProductPrior;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.DenseBlock;
import org.lampyris.bounds.rows.Values;

/** The modes of every family, against modes found by another program to 20 digits. */
class MapReferenceTest {

  private static final List<double[]> DATA =
      lines("map-data.csv")
          .map(l -> Arrays.stream(l.split(",", -1)).mapToDouble(Double::parseDouble).toArray())
          .toList();

  private static Stream<String> lines(String name) {
    try (BufferedReader in =
        new BufferedReader(
            new InputStreamReader(
                Objects.requireNonNull(MapReferenceTest.class.getResourceAsStream(name), name),
                StandardCharsets.UTF_8))) {
      return in.lines().filter(l -> !l.startsWith("#")).toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Model model(String name) {
    return switch (name) {
      case "robust" -> new LinearModel(new RobustFamily.RobustLikelihood(4, 1.5), 3);
      case "softmax" -> new SoftmaxModel(3, 3, SoftmaxModel.NO_REFERENCE);
      case "softmax-1" -> new SoftmaxModel(3, 3, 1);
      case "gaussian" -> new LinearModel(new GaussianFamily.GaussianLikelihood(2.5), 3);
      case "gaussian-sampled" -> new GaussianScaleModel(3);
      case "gamma" -> new LinearModel(new GammaFamily.GammaLikelihood(5), 3);
      case "poisson" -> new LinearModel(new PoissonFamily.PoissonLikelihood(), 3);
      case "mixture" -> new MixtureFamily.MixtureModel(Math.sqrt(2));
      case "logistic" -> new LinearModel(new LogisticLikelihood(), 3);
      default -> throw new IllegalArgumentException(name);
    };
  }

  private static int responseColumn(String name) {
    return 4
        + List.of("robust", "softmax", "gaussian", "gamma", "poisson", "mixture", "logistic")
            .indexOf(name.split("-", -1)[0]);
  }

  /** The rows in three blocks, so that blocks are summed. */
  private static List<DataBlock> blocks(String name) {
    List<DataBlock> blocks = new ArrayList<>();
    for (int from = 0; from < DATA.size(); from += 25) {
      int n = Math.min(25, DATA.size() - from);
      double[] x = new double[3 * n];
      double[] y = new double[n];
      double[] w = new double[n];
      double[] offset = new double[n];
      for (int i = 0; i < n; i++) {
        double[] row = DATA.get(from + i);
        x[3 * i] = 1;
        x[3 * i + 1] = row[0];
        x[3 * i + 2] = row[1];
        w[i] = row[2];
        offset[i] = row[3];
        y[i] = row[responseColumn(name)];
      }
      blocks.add(
          new DenseBlock(
              blocks.size(), 3, Values.of(x), y, w, name.equals("poisson") ? offset : null));
    }
    return blocks;
  }

  private static double[] numbers(String field) {
    return Arrays.stream(field.split("\\|", -1)).mapToDouble(Double::parseDouble).toArray();
  }

  @TestFactory
  Stream<DynamicTest> agreesWithTheReference() {
    return lines("map-reference.csv")
        .map(l -> l.split(";", -1))
        .map(f -> DynamicTest.dynamicTest(f[0] + " " + f[1], () -> check(f)));
  }

  private static void check(String[] f) {
    Prior prior = ProductPrior.parse(List.of(f[1].split("\\|", -1)));
    int d = prior.dimension();
    List<String> names = IntStream.range(0, d).mapToObj(j -> "x" + j).toList();
    Objective objective = Objective.of(blocks(f[0]), model(f[0]), 1);
    assertEquals(model(f[0]).dimension(), d);
    MapFit fit = new MapFinder(prior, names, 1e-9, 100).find(objective, null, pass -> {});
    double[] mode = numbers(f[2]);
    double[] sd = numbers(f[3]);
    for (int j = 0; j < d; j++) {
      assertEquals(mode[j], fit.theta()[j], 1e-10 * (Math.abs(mode[j]) + sd[j]), "mode of " + j);
      assertEquals(sd[j], fit.sd(j), 1e-9 * sd[j], "sd of " + j);
    }
    double logPosterior = Double.parseDouble(f[4]);
    assertEquals(logPosterior, fit.logPosterior(), 1e-13 * Math.abs(logPosterior));
    assertTrue(fit.passes() <= 15, "passes: " + fit.passes());
  }
}
