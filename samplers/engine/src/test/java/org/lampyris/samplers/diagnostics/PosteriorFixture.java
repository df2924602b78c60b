package org.lampyris.samplers.diagnostics;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Draws, and what R's posterior says of them: written by {@code src/test/r/diagnostics-fixtures.R}.
 *
 * @param name what is special about the draws
 * @param expected the value of each measure
 */
record PosteriorFixture(String name, Map<String, Double> expected) {

  /** Returns all fixtures. */
  static List<PosteriorFixture> all() {
    Map<String, Map<String, Double>> byName = new LinkedHashMap<>();
    for (String line : lines("posterior.csv").subList(1, lines("posterior.csv").size())) {
      String[] cells = line.split(",", -1);
      byName
          .computeIfAbsent(cells[0], name -> new LinkedHashMap<>())
          .put(cells[1], Double.valueOf(cells[2]));
    }
    List<PosteriorFixture> fixtures = new ArrayList<>();
    byName.forEach((name, expected) -> fixtures.add(new PosteriorFixture(name, expected)));
    return fixtures;
  }

  /** Returns the fixture of that name. */
  static PosteriorFixture named(String name) {
    return all().stream().filter(fixture -> fixture.name.equals(name)).findFirst().orElseThrow();
  }

  /** Returns the draws, chains × iterations. */
  double[][] draws() {
    List<String> rows = lines("draws/" + name + ".csv");
    int chains = rows.get(0).split(",", -1).length;
    double[][] draws = new double[chains][rows.size()];
    for (int i = 0; i < rows.size(); i++) {
      String[] cells = rows.get(i).split(",", -1);
      for (int chain = 0; chain < chains; chain++) {
        draws[chain][i] = Double.parseDouble(cells[chain]);
      }
    }
    return draws;
  }

  @Override
  public String toString() {
    return name;
  }

  private static List<String> lines(String resource) {
    try (InputStream in = PosteriorFixture.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalStateException("no resource " + resource);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
