package org.lampyris.driver.job;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.commons.numbers.gamma.Digamma;
import org.apache.commons.numbers.gamma.Trigamma;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lampyris.driver.run.Shell;

/**
 * The query for hazards that are constant between cut points, as docs/survival.md has it. With a
 * flat prior of the log hazards, a hazard with d events in E days is gamma(d, E) a posteriori.
 */
class PiecewiseExponentialIT {
  private static final double[] STARTS = {0, 180, 365};
  private static final List<String> PIECES =
      List.of("piece[from 0]", "piece[from 180]", "piece[from 365]");
  private static final double[] HAZARDS = {0.001, 0.004, 0.002};

  @TempDir private Path folder;

  private static double time(Random random) {
    double left = -Math.log(random.nextDouble());
    for (int k = 0; ; k++) {
      double end = k + 1 < STARTS.length ? STARTS[k + 1] : Double.POSITIVE_INFINITY;
      double all = HAZARDS[k] * (end - STARTS[k]);
      if (left < all) {
        return STARTS[k] + left / HAZARDS[k];
      }
      left -= all;
    }
  }

  private static String example() throws IOException {
    String page = Files.readString(Path.of("../docs/survival.md"));
    int from = page.indexOf("```yaml", page.indexOf("## Proportional hazards")) + 8;
    return page.substring(from, page.indexOf("```", from));
  }

  @Test
  void eachHazardHasItsGammaPosterior() throws IOException {
    Random random = new Random(3);
    double[] events = new double[STARTS.length];
    double[] days = new double[STARTS.length];
    List<String> lines = new ArrayList<>(List.of("time,event,age,sex"));
    for (int i = 0; i < 400; i++) {
      double time = time(random);
      double seen = 100 + 900 * random.nextDouble();
      boolean died = time <= seen;
      double end = Math.min(time, seen);
      lines.add("%s,%d,%d,%d".formatted(end, died ? 1 : 0, 50 + i % 20, i % 2));
      for (int k = 0; k < STARTS.length && end > STARTS[k]; k++) {
        boolean last = k + 1 == STARTS.length || end <= STARTS[k + 1];
        days[k] += (last ? end : STARTS[k + 1]) - STARTS[k];
        events[k] += last && died ? 1 : 0;
      }
    }
    Path table = Files.write(folder.resolve("lung.csv"), lines);
    Path job = Files.writeString(folder.resolve("job.yaml"), example());
    Path output = folder.resolve("out");
    Shell shell = new Shell("local[2]");
    shell.succeeds(
        "run",
        job.toString(),
        "--set",
        "data.input=" + table,
        "--set",
        "model.formula=died ~ 0 + piece + offset(log(days))",
        "--set",
        "model.prior=flat",
        "--set",
        "output=" + output);
    for (String line : Files.readAllLines(output.resolve("summary.csv"))) {
      int k = PIECES.indexOf(line.split(",", -1)[0]);
      if (k >= 0) {
        double mean = Digamma.value(events[k]) - Math.log(days[k]);
        double sd = Math.sqrt(Trigamma.value(events[k]));
        // Five errors of 4,000 independent draws: 0.079 for a mean, 0.056 for an sd.
        assertEquals(0, (Double.parseDouble(line.split(",", -1)[1]) - mean) / sd, 0.08, line);
        assertEquals(1, Double.parseDouble(line.split(",", -1)[3]) / sd, 0.06, line);
        events[k] = 0;
      }
    }
    assertEquals(0, Arrays.stream(events).sum(), "all pieces have coefficients");
  }
}
