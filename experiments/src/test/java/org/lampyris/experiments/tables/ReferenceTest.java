package org.lampyris.experiments.tables;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lampyris.bounds.config.UserException;
import org.lampyris.samplers.diagnostics.Diagnostics;
import org.lampyris.samplers.diagnostics.VariableSummary;

/** Two variables of 4 × 500 independent draws, beside references made from their own figures. */
class ReferenceTest {
  private static final String HEADER =
      "\"variable\",\"mean\",\"sd\",\"q5\",\"q95\",\"mcse_mean\",\"mcse_sd\",\"mcse_q5\",\"mcse_q95\"\n";

  @TempDir Path folder;
  private final double[][][] draws = {draws(1), draws(2)};
  private final List<VariableSummary> found =
      List.of(VariableSummary.of("a", draws[0]), VariableSummary.of("f[1,2]", draws[1]));

  private static double[][] draws(long seed) {
    Random random = new Random(seed);
    double[][] draws = new double[4][500];
    for (double[] chain : draws) {
      for (int i = 0; i < chain.length; i++) {
        chain[i] = 3 + 2 * random.nextGaussian();
      }
    }
    return draws;
  }

  /** A line whose mean, sd, q5 and q95 are off by so many of the draws' own Monte-Carlo errors. */
  private String line(int k, double mean, double sd, double q5, double q95) {
    VariableSummary of = found.get(k);
    return "\"%s\",%s,%s,%s,%s,0,0,0,0%n"
        .formatted(
            of.variable(),
            of.mean() + mean * of.mixing().mcseMean(),
            of.sd() * Math.exp(sd * of.mixing().mcseSd() / of.sd()),
            of.quantiles().q5() + q5 * Diagnostics.mcseQuantile(draws[k], 0.05),
            of.quantiles().q95() + q95 * Diagnostics.mcseQuantile(draws[k], 0.95));
  }

  private Reference.Difference difference(String... lines) throws IOException {
    Path file = folder.resolve("x" + Reference.ENDING);
    Files.writeString(file, HEADER + String.join("", lines));
    return Reference.read(file).difference(found, draws);
  }

  @Test
  void theLargestDifferenceOfAnyFigureIsTold() throws IOException {
    assertEquals(0, difference(line(0, 0, 0, 0, 0), line(1, 0, 0, 0, 0)).inErrors(), 1e-9);
    String right = line(0, 1, 1, 1, 1);
    for (double off : new double[] {-3, 5}) {
      for (String wrong :
          List.of(
              line(1, off, 0, 0, 0),
              line(1, 0, off, 0, 0),
              line(1, 0, 0, off, 0),
              line(1, 0, 0, 0, off))) {
        Reference.Difference of = difference(right, wrong);
        assertEquals(Math.abs(off), of.inErrors(), 1e-6, wrong);
        assertEquals(off < 0, of.isChance(), wrong);
      }
    }
    VariableSummary first = found.get(1);
    Reference.Difference mean = difference(line(1, 6, 0, 0, 0));
    assertEquals(6 * first.mixing().mcseMean() / first.sd(), mean.inSds(), 1e-9);
    assertEquals(first.mixing().mcseMean() / first.sd(), mean.error(), 1e-9);
  }

  @Test
  void aFileThatIsNoReferenceIsRefusedAndNoneIsNoDifference() throws IOException {
    Path none = folder.resolve("none" + Reference.ENDING);
    Reference.Difference nothing = Reference.read(none).difference(found, draws);
    assertTrue(Double.isNaN(nothing.inErrors()));
    assertTrue(nothing.isChance());
    assertThrows(UserException.class, () -> difference(line(0, 0, 0, 0, 0).replace("a", "b")));
    Files.writeString(none, "variable,mean,sd\na,1,1\n");
    assertThrows(UserException.class, () -> Reference.read(none));
    assertFalse(difference(line(0, 9, 0, 0, 0)).isChance());
  }
}
