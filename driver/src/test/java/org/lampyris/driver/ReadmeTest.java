package org.lampyris.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.config.Registry;
import org.lampyris.driver.config.ConfigReader;
import org.lampyris.driver.config.EffectiveConfig;
import org.lampyris.samplers.algorithm.Need;
import org.lampyris.samplers.algorithm.SamplingAlgorithm;
import org.lampyris.samplers.chain.Column;
import org.lampyris.samplers.kernel.ThetaKernelType;

/** The README's table of keys has every key that is read, and what its values can be. */
class ReadmeTest {
  private static final Path README = Path.of("..", "README.md");
  private static final Pattern CODE = Pattern.compile("`([^`]+)`");
  private static final Registry<SamplingAlgorithm> ALGORITHMS = SamplingAlgorithm.registry();
  private static final Registry<ThetaKernelType> KERNELS = Registry.of(ThetaKernelType.class);

  /** The table: the rest of a row by each of its keys. */
  private final Map<String, String> rows = new LinkedHashMap<>();

  ReadmeTest() throws IOException {
    boolean inside = false;
    for (String line : Files.readAllLines(README)) {
      inside = line.startsWith("## ") ? line.equals("## Configuration") : inside;
      if (inside && line.startsWith("| `")) {
        int end = line.indexOf('|', 1);
        for (String key : code(line.substring(0, end))) {
          rows.put(key.replaceFirst("\\.<.*>$", ""), line.substring(end));
        }
      }
    }
  }

  private static List<String> code(String text) {
    return CODE.matcher(text).results().map((MatchResult found) -> found.group(1)).toList();
  }

  /** Adds the keys of a configuration, with those of the sections that they are in. */
  private static void addKeys(Map<String, @Nullable Object> section, String path, Set<String> to) {
    section.forEach(
        (key, value) -> {
          if (value instanceof Map<?, ?> inner && !inner.isEmpty()) {
            Map<String, @Nullable Object> keys = new LinkedHashMap<>();
            inner.forEach((name, item) -> keys.put(String.valueOf(name), item));
            addKeys(keys, path + key + ".", to);
          } else {
            to.add(path + key);
          }
        });
  }

  @Test
  void everyKeyHasARow() {
    Set<String> keys = new TreeSet<>();
    ConfigReader reader = new ConfigReader();
    addKeys(EffectiveConfig.asMap(reader.read(null, List.of(), "config", List.of())), "", keys);
    assertEquals(lines(keys), lines(new TreeSet<>(rows.keySet())));
  }

  private static String lines(Set<String> keys) {
    return String.join("\n", keys);
  }

  @Test
  void theRowsNameTheAlgorithmsAndKernels() {
    List<String> algorithms = new ArrayList<>(ALGORITHMS.names());
    algorithms.add("auto");
    names("sampler.algorithm", algorithms);
    names("sampler.kernel", KERNELS.names());
    names("sampler.kernel", KERNELS.names(ThetaKernelType::isProposal));
    names("sampler.kernel", ALGORITHMS.names(one -> one.needs().contains(Need.PROPOSAL)));
    names("sampler.plan", ALGORITHMS.names(SamplingAlgorithm::looksAtFewRows));
  }

  private void names(String key, List<String> values) {
    String row = rows.getOrDefault(key, "");
    assertTrue(code(row).containsAll(values), values + " in: " + row);
  }

  @Test
  void columnsOfAlgorithmsAreNamed() throws IOException {
    String stats =
        Files.readAllLines(README).stream()
            .filter(line -> line.startsWith("| `sampler_stats/`"))
            .collect(Collectors.joining());
    for (SamplingAlgorithm algorithm : ALGORITHMS.all()) {
      assertTrue(
          code(stats).containsAll(algorithm.columns().stream().map(Column::name).toList()),
          algorithm.name());
    }
  }
}
