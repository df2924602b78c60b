package org.lampyris.driver.output;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.lampyris.bounds.config.Text;

/**
 * Test by manifests of whether two runs have the same posterior: the same data and the same model.
 * The sampler and its settings may differ.
 */
record SamePosterior(ComparedRun reference, ComparedRun run) {
  /** Keys of the section data that change how rows are stored, and so the fingerprint. */
  private static final Set<String> STORED =
      Set.of("standardize", "layout", "storage", "block_rows", "order", "like", "partitions");

  /** Keys of the section model that the priors of the coefficients, which are compared, have in. */
  private static final Set<String> PRIORS = Set.of("prior", "priors", "prior_scale");

  private static final int LONGEST_VALUE = 30;

  private static final MathContext SIX_DIGITS = new MathContext(6);

  /** A number in a prior: sums in another order, or of floats, give it other last digits. */
  private static final Pattern NUMBER = Pattern.compile("\\b\\d+(\\.\\d*)?([eE][-+]?\\d+)?");

  /** Returns the reasons for doubt, as sentences. */
  static List<String> doubts(ComparedRun reference, ComparedRun run) {
    List<String> doubts = new ArrayList<>();
    for (ComparedRun one : List.of(reference, run)) {
      if (!one.output().hasManifest()) {
        doubts.add(
            one.folder()
                + " has no manifest.json, so the data, the model and the cost of its draws are not"
                + " known.");
      }
    }
    return doubts.isEmpty() ? new SamePosterior(reference, run).doubts() : doubts;
  }

  private List<String> doubts() {
    List<String> doubts = new ArrayList<>();
    String both = run.folder() + " and " + reference.folder();
    if (!reference.output().fingerprint().equals(run.output().fingerprint())) {
      doubts.add(both + ofData());
    }
    List<String> model = differing("/configuration", "model", key -> !PRIORS.contains(key));
    Map<String, String> expected = priors(reference);
    priors(run)
        .forEach(
            (name, text) ->
                add(model, "the prior of " + name, text, expected.getOrDefault(name, text)));
    if (!model.isEmpty()) {
      doubts.add(
          both
              + " have different models: they differ in "
              + Text.few(model, Comparison.MOST_NAMED)
              + ".");
    }
    return doubts;
  }

  private String ofData() {
    List<String> content = differing("/configuration", "data", key -> !STORED.contains(key));
    content.addAll(differing("", "modelled", key -> !Set.of("family", "doubts").contains(key)));
    if (!content.isEmpty()) {
      return " have different data: they differ in "
          + Text.few(content, Comparison.MOST_NAMED)
          + ".";
    }
    List<String> stored = differing("/configuration", "data", STORED::contains);
    stored.addAll(differing("/configuration", "sampler", "seed"::equals));
    return stored.isEmpty()
        ? " have different data: their configurations are the same, but the rows differ."
        : " were prepared separately and differ in "
            + Text.few(stored, Comparison.MOST_NAMED)
            + ", so their fingerprints cannot show whether the rows are the same. To be sure,"
            + " sample both from one prepared table (key prepared).";
  }

  /**
   * Returns the fields of a section whose values differ, with both; null or an empty list is as
   * good as none.
   */
  private List<String> differing(String path, String section, Predicate<String> which) {
    JsonNode a = at(reference, path + "/" + section);
    JsonNode b = at(run, path + "/" + section);
    Set<String> names = new LinkedHashSet<>();
    b.fieldNames().forEachRemaining(names::add);
    a.fieldNames().forEachRemaining(names::add);
    names.removeIf(which.negate());
    List<String> found = new ArrayList<>();
    names.forEach(name -> add(found, section + "." + name, text(b.path(name)), text(a.path(name))));
    return found;
  }

  private static void add(List<String> found, String name, String value, String other) {
    if (!value.equals(other)) {
      found.add(
          "%s (%s, %s)"
              .formatted(
                  name,
                  SummaryTable.shortened(value, LONGEST_VALUE),
                  SummaryTable.shortened(other, LONGEST_VALUE)));
    }
  }

  /** Returns the priors by coefficient, with numbers of six digits. */
  static Map<String, String> priors(ComparedRun run) {
    Map<String, String> priors = new LinkedHashMap<>();
    run.output()
        .priors()
        .forEach(
            (name, text) ->
                priors.put(
                    name,
                    NUMBER
                        .matcher(text)
                        .replaceAll(
                            found -> new BigDecimal(found.group(), SIX_DIGITS).toString())));
    return priors;
  }

  private static JsonNode at(ComparedRun run, String path) {
    return run.output().manifest().at(path);
  }

  private static String text(JsonNode value) {
    return value.isNull() || value.isMissingNode() || (value.isArray() && value.isEmpty())
        ? "none"
        : value.isValueNode() ? value.asText() : value.toString();
  }
}
