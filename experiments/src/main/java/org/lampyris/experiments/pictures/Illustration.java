package org.lampyris.experiments.pictures;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Picture of a paper that is drawn in memory, without Spark. */
public interface Illustration {
  /** Name of the file that is shown: what the picture measures. */
  String TABLE = "table.md";

  /** Names by which they are chosen. */
  List<String> NAMES =
      List.of("bound", "fireflies", "sequential-test", "student", "theory", "half-bright", "paths");

  /** Returns files by their names; {@link #TABLE} is among them. */
  Map<String, String> files();

  /**
   * Returns the picture of a name.
   *
   * @param data the folder of the experiments' tables; null for generated rows
   * @param quick whether fewer random numbers are enough
   */
  static Illustration of(String name, @Nullable String data, boolean quick) throws IOException {
    return switch (name) {
      case "bound" -> new OneLikelihood(quick ? 20_000 : 1_000_000);
      case "fireflies" -> new Fireflies(quick ? 100 : 20_000);
      case "sequential-test" -> TestErrors.of(data, quick ? 100 : 1000);
      case "student" -> new StudentStatistic(quick ? 2_000 : 100_000);
      case "theory" ->
          quick ? new TheoryBounds(200, 1, 20_000) : new TheoryBounds(2000, 20, 1_000_000);
      case "half-bright" -> new HalfBright(quick ? 2_000 : 50_000);
      case "paths" -> new PosteriorPaths(quick ? 2_000 : 100_000);
      default -> throw new IllegalArgumentException(name);
    };
  }
}
