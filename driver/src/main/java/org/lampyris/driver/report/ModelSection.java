package org.lampyris.driver.report;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.lampyris.bounds.family.Families;
import org.lampyris.bounds.family.ModelOfTable;
import org.lampyris.bounds.family.ModelProvider;

/** The section on what was fitted: formula, family, link and priors. */
final class ModelSection {
  private static final int MOST_NAMES = 12;

  private ModelSection() {}

  /**
   * Adds the section.
   *
   * @param priors texts of the priors by the parameters' names
   */
  static void write(Html html, JsonNode manifest, Map<String, String> priors) {
    JsonNode model = manifest.path("configuration").path("model");
    String family = manifest.path("modelled").path("family").asText("?");
    ModelProvider provider = Families.find().registered(family).orElse(null);
    html.section("model", "Model").open("div", "wide").open("table", "plain").markup("<tbody>\n");
    ReportPage.pair(html, "formula", formula(manifest, model, provider, priors));
    ReportPage.pair(
        html,
        "family",
        provider == null || provider.link().isEmpty()
            ? family
            : family + ", link " + provider.link());
    Map<String, List<String>> byPrior = new LinkedHashMap<>();
    priors.forEach(
        (name, prior) -> byPrior.computeIfAbsent(prior, key -> new ArrayList<>()).add(name));
    byPrior.forEach(
        (prior, names) -> {
          String brief = DrawnPrior.brief(prior);
          String of =
              brief.startsWith("log_scale(")
                  ? brief.substring("log_scale(".length(), brief.length() - 1)
                  : brief;
          ReportPage.pair(html, "prior", few(names, ", ") + " ~ " + said(of, prior, names));
        });
    html.markup("</tbody></table></div>");
    html.close("section");
  }

  private static String said(String prior, String text, List<String> names) {
    boolean gaps = text.startsWith("log_scale(") && names.get(0).startsWith("cut[");
    return gaps ? prior + " for the gap to the cut point before" : prior;
  }

  private static String few(List<String> names, String between) {
    return names.size() <= MOST_NAMES
        ? String.join(between, names)
        : String.join(between, names.subList(0, MOST_NAMES))
            + between
            + (names.size() - MOST_NAMES)
            + " more";
  }

  /** Returns the formula that was given, or one made of the columns' names. */
  private static String formula(
      JsonNode manifest,
      JsonNode model,
      @org.jspecify.annotations.Nullable ModelProvider provider,
      Map<String, String> priors) {
    if (model.path("formula").isTextual()) {
      return model.path("formula").asText();
    }
    List<String> own = provider == null ? List.of() : provider.ownCoefficients();
    List<String> terms = new ArrayList<>();
    for (String name : priors.keySet()) {
      String column = name.replaceFirst("\\[.*", "");
      boolean effect = name.startsWith("sd_") || name.startsWith("cor_");
      if (!effect && !own.contains(column) && !terms.contains(column)) {
        terms.add(column.equals(ModelOfTable.INTERCEPT) ? "1" : column);
      }
    }
    for (JsonNode random : model.path("random")) {
      List<String> effects = new ArrayList<>();
      random
          .path("effects")
          .forEach(
              effect ->
                  effects.add(
                      effect.asText().equals(ModelOfTable.INTERCEPT) ? "1" : effect.asText()));
      terms.add("(" + String.join(" + ", effects) + " | " + random.path("group").asText() + ")");
    }
    return manifest.path("modelled").path("label").asText("?") + " ~ " + few(terms, " + ");
  }
}
