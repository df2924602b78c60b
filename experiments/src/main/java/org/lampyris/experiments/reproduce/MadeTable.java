package org.lampyris.experiments.reproduce;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;
import org.lampyris.samplers.random.Streams;

/**
 * A table of one column {@code y} that an experiment draws for itself.
 *
 * @param kind what its values are
 * @param rows how many
 * @param seed of the numbers
 */
public record MadeTable(Kind kind, int rows, long seed) {
  /** What the values of a table are. */
  public enum Kind {
    /** N(0, 1). */
    NORMAL,
    /** log N(0, 1). */
    LOGNORMAL,
    /** ½N(0, 2) + ½N(1, 2): the example of Welling and Teh (2011), section 5.1. */
    MIXTURE
  }

  /** Checks that nothing is missing. */
  @SuppressWarnings("ConstantConditions") // Jackson passes null for what is missing.
  public MadeTable {
    if (kind == null || rows < 1) {
      throw new IllegalArgumentException("a table needs a kind and rows");
    }
  }

  private double value(UniformRandomProvider rng) {
    double normal = ZigguratSampler.NormalizedGaussian.of(rng).sample();
    return switch (kind) {
      case NORMAL -> normal;
      case LOGNORMAL -> Math.exp(normal);
      case MIXTURE -> (rng.nextDouble() < 0.5 ? 0 : 1) + Math.sqrt(2) * normal;
    };
  }

  /** Writes the table as CSV; what is there is replaced. */
  void write(Path file) throws IOException {
    Files.createDirectories(file.toAbsolutePath().getParent());
    Streams streams = new Streams(seed);
    List<String> lines =
        LongStream.range(0, rows)
            .mapToObj(row -> streams.stream(Streams.Purpose.INITIAL, 0, row, 0))
            .map(rng -> Double.toString(value(rng)))
            .collect(Collectors.toList());
    lines.add(0, "y");
    Files.write(file, lines);
  }
}
