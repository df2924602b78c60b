package org.lampyris.driver.source;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.config.ConfigNode;
import org.lampyris.bounds.config.UserException;
import org.lampyris.driver.config.SetOption;
import org.lampyris.driver.predict.NewLevels;
import org.lampyris.driver.predict.Prediction;

/** Options of the data source: names, values, and options that contradict each other. */
class SourceOptionsTest {
  private static SourceOptions options(String... keysAndValues) {
    Map<String, String> all = new LinkedHashMap<>(Map.of("path", "runs/a"));
    for (int k = 0; k < keysAndValues.length; k += 2) {
      all.put(keysAndValues[k], keysAndValues[k + 1]);
    }
    return SourceOptions.of(all);
  }

  private static void refused(String words, String... keysAndValues) {
    String message =
        assertThrows(UserException.class, () -> options(keysAndValues), words).toString();
    assertTrue(message.contains(words), message);
  }

  @Test
  void ownOptionsInAnyCaseAndKeysOfTheJobFile() {
    SourceOptions all =
        options(
            "Formula",
            "y ~ a : b # c",
            "family",
            "poisson",
            "sampler.draws",
            "2000",
            "model.priors.\"Age.2\"",
            "normal(0, 1)",
            "data.features",
            "[a, b]",
            "serialization.format",
            "1");
    assertEquals("runs/a", all.path());
    assertEquals(PosteriorTable.Kind.SUMMARY, all.table());
    assertEquals(Prediction.How.DEFAULT, all.how());
    assertNull(all.from());
    Map<List<String>, ConfigNode> keys = new LinkedHashMap<>();
    for (SetOption one : all.settings()) {
      keys.put(one.path(), one.value());
    }
    assertEquals(5, keys.size());
    assertEquals("y ~ a : b # c", text(keys.get(List.of("model", "formula"))));
    assertEquals("poisson", text(keys.get(List.of("model", "family"))));
    assertEquals("2000", text(keys.get(List.of("sampler", "draws"))));
    assertEquals("normal(0, 1)", text(keys.get(List.of("model", "priors", "Age.2"))));
    assertTrue(keys.get(List.of("data", "features")) instanceof ConfigNode.Sequence);
  }

  private static String text(@Nullable ConfigNode node) {
    return node instanceof ConfigNode.Scalar scalar ? String.valueOf(scalar.text()) : "no text";
  }

  @Test
  void predictionsHaveTheOptionsOfTheCommand() {
    SourceOptions all =
        options(
            "predict",
            "db.visits",
            "draws",
            "50",
            "interval",
            "0.5",
            "responses",
            "3",
            "log_density",
            "true",
            "new_groups",
            "zero");
    assertEquals("db.visits", all.predict());
    assertEquals(new Prediction.How(50, 0.5, 3, true, NewLevels.ZERO), all.how());
    refused("option draws: draws must be a whole number", "predict", "t", "draws", "many");
    refused("must be a whole number of at least 2", "predict", "t", "draws", "1");
    refused("must be a number in (0, 1)", "predict", "t", "interval", "1");
    refused("known: gaussian, zero, refuse", "predict", "t", "new_groups", "none");
    refused("set sampler.draws", "draws", "2000");
    refused("or remove interval", "interval", "0.5");
    refused("ask for two tables", "predict", "t", "table", "draws");
  }

  @Test
  void unknownOptionsAreRefusedWithTheNearest() {
    refused("The option tabel is unknown; did you mean 'table'?", "tabel", "draws");
    refused("The option chains is unknown; did you mean 'sampler.chains'?", "chains", "2");
    refused("did you mean 'formula'?", "formular", "y ~ x");
    refused("known: summary, draws, effects, evidence, complaints", "table", "posterior");
    refused("not_converged \"fail\" is not known", "not_converged", "fail");
    refused("is not the name of a key", "sampler.", "2");
    refused("has no value", "sampler.draws", " ");
  }

  @Test
  void optionsThatContradictEachOther() {
    refused("the same key", "formula", "y ~ x", "model.formula", "y ~ z");
    refused("the rows are those that are written", "data.input", "t.csv");
    refused("the rows are those that are written", "data.csv.separator", ";");
    refused("Remove output", "output", "runs/b");
    refused("Remove partitionBy", "__partition_columns", "[\"a\"]");
    Map<String, String> none = Map.of("formula", "y ~ x");
    assertTrue(
        assertThrows(UserException.class, () -> SourceOptions.of(none))
            .toString()
            .contains("save(path)"));
  }

  @Test
  void aSessionOfAnotherReleaseLineIsRefused() {
    assertDoesNotThrow(() -> SparkLine.requireSame("4.1.3", "4.1.0"));
    assertDoesNotThrow(() -> SparkLine.requireSame("unknown", "3.5.1"));
    String message =
        assertThrows(UserException.class, () -> SparkLine.requireSame("4.1.3", "3.5.1-amzn-0"))
            .getMessage();
    assertEquals(
        "This jar of Lampyris is for Spark 4.1, but the session runs Spark 3.5.1-amzn-0. Use a"
            + " jar that was built for Spark 3.5.",
        message);
    assertThrows(UserException.class, () -> SparkLine.requireSame("4.1.3", "4.0.0"));
    assertThrows(UserException.class, () -> SparkLine.requireSame("4.1.3", "4.10.0"));
  }
}
