package org.lampyris.driver.config;

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
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.config.ConfigText;
import org.lampyris.bounds.config.Registry;
import org.lampyris.samplers.algorithm.Need;
import org.lampyris.samplers.algorithm.SamplingAlgorithm;
import org.lampyris.samplers.algorithm.Trait;
import org.lampyris.samplers.kernel.ThetaKernelType;

/** docs/reference.md is what the program prints, and says something of every key. */
class KeyPageTest {
  private static final Path PAGE = Path.of("..", "docs", "reference.md");
  private static final Pattern CODE = Pattern.compile("`([^`]+)`");
  private static final Pattern NUMBER = Pattern.compile("[0-9][0-9.e-]*");
  private static final Registry<SamplingAlgorithm> ALGORITHMS = SamplingAlgorithm.registry();
  private static final Registry<ThetaKernelType> KERNELS = Registry.of(ThetaKernelType.class);

  /** The cells of a row by its key: values, default, meaning. */
  private final Map<String, List<String>> rows = new LinkedHashMap<>();

  KeyPageTest() throws IOException {
    for (String line : Files.readAllLines(PAGE)) {
      if (line.startsWith("| `")) {
        String[] cells = line.split("(?<!\\\\)\\|", -1);
        rows.put(
            code(cells[1]).get(0), List.of(cells[2].strip(), cells[3].strip(), cells[4].strip()));
      }
    }
  }

  private static List<String> code(String text) {
    return CODE.matcher(text).results().map((MatchResult found) -> found.group(1)).toList();
  }

  /** Adds the keys of a configuration with their values; {@code to} is modified. */
  private static void addKeys(Map<?, ?> section, String path, Map<String, @Nullable Object> to) {
    section.forEach(
        (key, value) -> {
          if (value instanceof Map<?, ?> inner && !inner.isEmpty()) {
            addKeys(inner, path + key + ".", to);
          } else {
            to.put(path + key, value);
          }
        });
  }

  @Test
  void thePageIsWhatTheProgramPrints() throws IOException {
    String page = Files.readString(PAGE);
    assertEquals(
        new KeyPage(page).written(KnownKeys.find()),
        page,
        "make it anew: lampyris config --reference > docs/reference.md");
    assertEquals(page, KeyPage.asMarkdown(), "the page in the jar");
  }

  @Test
  void everyKeyHasARowWithWords() {
    Map<String, @Nullable Object> keys = new LinkedHashMap<>();
    ConfigReader reader = new ConfigReader();
    addKeys(EffectiveConfig.asMap(reader.read(null, List.of(), "config", List.of())), "", keys);
    Set<String> told = new TreeSet<>();
    rows.forEach(
        (key, cells) -> {
          told.add(key.replaceFirst("(\\.<name>|\\[\\]).*$", ""));
          cells.forEach(cell -> assertTrue(!cell.isEmpty(), key));
        });
    assertEquals(String.join("\n", new TreeSet<>(keys.keySet())), String.join("\n", told));
  }

  @Test
  void theDefaultsAreThoseOfTheProgram() {
    Map<String, @Nullable Object> defaults = new LinkedHashMap<>();
    addKeys(KnownKeys.find().defaults(), "", defaults);
    List<String> wrong = new ArrayList<>();
    int checked = 0;
    for (Map.Entry<String, @Nullable Object> entry : defaults.entrySet()) {
      Object value = entry.getValue();
      List<String> cells = rows.get(entry.getKey());
      if (cells == null
          || !(value instanceof String || value instanceof Number || value instanceof Boolean)) {
        continue;
      }
      checked++;
      String told = cells.get(1);
      boolean is =
          value instanceof Number number
              ? NUMBER
                  .matcher(told)
                  .results()
                  .anyMatch(found -> Double.parseDouble(found.group()) == number.doubleValue())
              : told.contains(String.valueOf(value));
      if (!is) {
        wrong.add(entry.getKey() + ": " + value + " is told as " + told);
      }
    }
    assertTrue(checked > 60, checked + " defaults");
    assertEquals(List.of(), wrong);
  }

  @Test
  void theRowsSayWhichGoTogether() {
    names("sampler.kernel", KERNELS.names(ThetaKernelType::isProposal));
    names("sampler.kernel", ALGORITHMS.names(one -> one.needs().contains(Need.PROPOSAL)));
    names("sampler.plan", ALGORITHMS.names(one -> one.has(Trait.FEW_ROWS)));
  }

  private void names(String key, List<String> values) {
    String meaning = rows.getOrDefault(key, List.of("", "", "")).get(2);
    assertTrue(code(meaning).containsAll(values), values + " in: " + meaning);
  }

  @Test
  void keysOfFamiliesSayWhose() {
    assertEquals(
        "gaussian and asymmetric_laplace: a text; mixture: a number above 0",
        rows.getOrDefault("model.sigma", List.of("")).get(0));
    assertEquals(
        ConfigText.listed(
                List.of(
                    "gamma",
                    "negative_binomial",
                    "zero_inflated_negative_binomial",
                    "hurdle_negative_binomial"),
                "and")
            + ": a text",
        rows.getOrDefault("model.shape", List.of("")).get(0));
  }
}
