package org.lampyris.driver.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.jar.JarFile;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The worked example of a model of the user's own: compiled against the jar that users have,
 * packed, and run through the launcher, by its class and by its name. Firefly must agree with
 * Metropolis on all rows, within 5 combined Monte-Carlo standard errors for two means (false-alarm
 * rate about 10⁻⁶).
 */
class OwnModelIT {
  private static final String[] BY_NAME = {
    "--set", "model={family: sech, sigma: 0.5, prior: \"normal(0, 10)\"}"
  };

  @TempDir Path folder;

  @BeforeEach
  void needs() {
    assumeTrue(Example.canLaunch(), "needs bash and the packed jar (mvn package)");
  }

  private Example example() {
    return new Example("own-model", folder);
  }

  private Path table() throws IOException {
    Random random = new Random(5);
    List<String> lines = new ArrayList<>(List.of("y,x"));
    for (int n = 0; n < 400; n++) {
      double x = random.nextGaussian();
      double u = random.nextDouble();
      // The quantile function of the standard hyperbolic secant.
      double noise = 2 / Math.PI * Math.log(Math.tan(Math.PI / 2 * u));
      lines.add(String.format(Locale.ROOT, "%.6f,%.6f", 1 - 2 * x + 0.5 * noise, x));
    }
    return Files.write(folder.resolve("table.csv"), lines);
  }

  private Map<String, double[]> run(String algorithm, Path table, Path jar, String... more)
      throws IOException {
    List<String> args =
        new ArrayList<>(
            List.of(
                "run",
                "--config",
                example().file("sech.yaml").toString(),
                "--set",
                "data.input=" + table,
                "--set",
                "output=" + folder.resolve(algorithm),
                "--set",
                "sampler.algorithm=" + algorithm,
                "--set",
                "sampler.draws=800",
                "--set",
                "sampler.warmup=300",
                "--jars",
                jar.toString()));
    args.addAll(Arrays.asList(more));
    Map.Entry<Integer, String> outcome = example().lampyris(args.toArray(String[]::new));
    assertTrue(outcome.getKey() == 0 || outcome.getKey() == 4, outcome::toString);
    return Example.summary(folder.resolve(algorithm));
  }

  @Test
  void theExampleRunsFromItsOwnJar() throws IOException {
    try (JarFile shaded = new JarFile(Example.LAMPYRIS.toFile())) {
      assertNull(shaded.getEntry("com/acme/SechFamily.class"), "the example is in Lampyris' jar");
    }
    Path table = table();
    Path jar = example().jar(Example.LAMPYRIS.toString());
    Map<String, double[]> firefly = run("firefly", table, jar);
    Map<String, double[]> metropolis = run("metropolis", table, jar, BY_NAME);
    assertEquals(List.of("(Intercept)", "x"), List.copyOf(firefly.keySet()));
    double[] truth = {1, -2};
    int j = 0;
    for (Map.Entry<String, double[]> row : firefly.entrySet()) {
      double[] one = row.getValue();
      double[] two = metropolis.getOrDefault(row.getKey(), new double[0]);
      assertEquals(two[0], one[0], 5 * Math.hypot(one[9], two[9]), row.getKey());
      assertEquals(truth[j++], one[0], 5 * one[2], row.getKey());
    }
  }

  @Test
  void aMissingJarIsTold() throws IOException {
    Map.Entry<Integer, String> outcome =
        example()
            .lampyris(
                "run",
                "--config",
                example().file("sech.yaml").toString(),
                "--set",
                "data.input=" + table(),
                "--set",
                "output=" + folder.resolve("none"));
    assertEquals(2, outcome.getKey(), outcome::toString);
    assertTrue(outcome.getValue().contains("com.acme.SechFamily"), outcome::toString);
    assertTrue(outcome.getValue().contains("--jars"), outcome::toString);
  }
}
