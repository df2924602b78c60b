package org.lampyris.experiments.reproduce;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.SharedStateContinuousSampler;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;
import org.lampyris.bounds.numeric.StableMath;
import org.lampyris.samplers.random.Streams;

/**
 * A table with a column {@code y} that an experiment draws for itself.
 *
 * @param kind what its values are
 * @param rows how many
 * @param seed of the numbers
 * @param settings keys over the configuration for all rows of the experiment on this table
 */
public record MadeTable(
    Kind kind, int rows, long seed, @JsonProperty("set") List<String> settings) {
  /** Kind of a table's values. */
  public enum Kind {
    /** N(0, 1). */
    NORMAL,
    /** log N(0, 1). */
    LOGNORMAL,
    /** ½N(0, 2) + ½N(1, 2): the example of Welling and Teh (2011), section 5.1. */
    MIXTURE,
    /** N(0.3 + x1 − x2/2, 1), x1 and x2 ~ N(0, 1). */
    LINEAR,
    /** 1 with the log-odds −6 + x1 + x2, 1.2 % of the rows, x1 ~ N(0, 1), x2 ~ log N(0, 1)/2. */
    RARE,
    /** 0 or 1 as often, x1 ~ N(y − ½, 1), x2 ~ N(½y − ¼, 1): the log-odds are x1 + x2/2. */
    CLASSES,
    /** N(g, 1), with the group g, 0 to 9, in another column. */
    GROUPS,
    /** N(x1/2, ⅓), x1 uniform on (0, 1): Korattikara, Chen and Welling (2014), section 6.4. */
    SLOPE
  }

  /** Checks that nothing is missing. */
  @SuppressWarnings("ConstantConditions") // Jackson passes null for what is missing.
  public MadeTable {
    if (kind == null || rows < 1) {
      throw new IllegalArgumentException("a table needs a kind and rows");
    }
    settings = settings == null ? List.of() : List.copyOf(settings);
  }

  private String header() {
    return switch (kind) {
      case NORMAL, LOGNORMAL, MIXTURE -> "y";
      case LINEAR, RARE, CLASSES -> "y,x1,x2";
      case GROUPS -> "y,g";
      case SLOPE -> "y,x1";
    };
  }

  private String line(UniformRandomProvider rng) {
    SharedStateContinuousSampler normals = ZigguratSampler.NormalizedGaussian.of(rng);
    double normal = normals.sample();
    return switch (kind) {
      case NORMAL -> Double.toString(normal);
      case LOGNORMAL -> Double.toString(Math.exp(normal));
      case MIXTURE -> Double.toString((rng.nextDouble() < 0.5 ? 0 : 1) + Math.sqrt(2) * normal);
      case LINEAR -> {
        double x1 = normals.sample();
        double x2 = normals.sample();
        yield (0.3 + x1 - 0.5 * x2 + normal) + "," + x1 + "," + x2;
      }
      case RARE -> {
        double x2 = 0.5 * Math.exp(normals.sample());
        int y = rng.nextDouble() < StableMath.sigmoid(-6 + normal + x2) ? 1 : 0;
        yield y + "," + normal + "," + x2;
      }
      case CLASSES -> {
        int y = rng.nextInt(2);
        yield y + "," + (y - 0.5 + normal) + "," + (0.5 * y - 0.25 + normals.sample());
      }
      case SLOPE -> {
        double x1 = rng.nextDouble();
        yield (0.5 * x1 + normal / Math.sqrt(3)) + "," + x1;
      }
      case GROUPS -> {
        int group = rng.nextInt(10);
        yield (group + normal) + ",g" + group;
      }
    };
  }

  /** Writes the table as CSV, replacing any existing file. */
  void write(Path file) throws IOException {
    Files.createDirectories(file.toAbsolutePath().getParent());
    Streams streams = new Streams(seed);
    List<String> lines =
        LongStream.range(0, rows)
            .mapToObj(row -> streams.stream(Streams.Purpose.INITIAL, 0, row, 0))
            .map(this::line)
            .collect(Collectors.toList());
    lines.add(0, header());
    Files.write(file, lines);
  }
}
