package org.lampyris.driver.report;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.Text;
import org.lampyris.bounds.effects.EffectsConfig;
import org.lampyris.bounds.family.Families;
import org.lampyris.bounds.family.ModelOfTable;
import org.lampyris.bounds.family.ModelProvider;
import org.lampyris.samplers.chain.StartingPoint;

/** Report section on the fitted model: formula, family, link and priors. */
final class ModelSection {
  private static final int MOST_NAMES = 12;

  private ModelSection() {}

  /**
   * Adds the section.
   *
   * @param priors texts of the priors by the parameters' names
   * @param modes what is known about modes
   */
  static void write(Html html, JsonNode manifest, Map<String, String> priors, String modes) {
    JsonNode model = manifest.path("configuration").path("model");
    String family = manifest.path("modelled").path("family").asText("?");
    ModelProvider provider = Families.find().registered(family).orElse(null);
    html.section("model", "Model").table("plain", List.of());
    html.pair("formula", formula(manifest, model, provider, priors));
    html.pair(
        "family",
        provider == null || provider.link().isEmpty()
            ? family
            : family + ", link " + provider.link());
    boolean centers = !"zero".equals(model.path("intercept_at").asText());
    Map<String, List<String>> byPrior = new LinkedHashMap<>();
    priors.forEach(
        (name, prior) ->
            byPrior
                .computeIfAbsent(
                    said(name, prior, centers, priors.keySet()), key -> new ArrayList<>())
                .add(name));
    List<String> lines = new ArrayList<>();
    byPrior.forEach((prior, names) -> lines.add(few(names, ", ") + " ~ " + prior));
    int open = Math.min(MOST_NAMES, lines.size());
    lines.subList(0, open).forEach(line -> html.pair("prior", line));
    html.endTable();
    if (open < lines.size()) {
      html.folded(Text.of("%,d more priors", lines.size() - open)).open("ul", "");
      lines.subList(open, lines.size()).forEach(line -> html.words("li", line));
      html.close("ul").close("details");
    }
    if (!modes.isEmpty()) {
      html.faint(modes);
    }
    html.close("section");
  }

  /** Returns a remark on possible further modes; empty if the mode is proven to be the only one. */
  static String modes(ModelOfTable model, StartingPoint.Init init) {
    boolean random = !model.random().isEmpty();
    if (model.model().isConcave() && !random) {
      return "";
    }
    return Text.of(
        "The posterior may have more than one mode: %s. %s",
        random
            ? "effects of groups are sampled together with their standard deviations"
            : "the log-likelihood of %s is not known to be concave".formatted(model.spec().name()),
        init == StartingPoint.Init.PRIOR
            ? "Chains started at draws from the prior. If they agree, a second large mode is"
                + " unlikely, but small ones remain possible."
            : "All chains started near one mode, so their agreement says nothing about others. To"
                + " look for them, set sampler.init: prior.");
  }

  /** Returns a prior, and its quantity if that is not the reported parameter. */
  private static String said(String name, String prior, boolean centers, Set<String> all) {
    String brief =
        DrawnPrior.brief(prior).replaceFirst("^(?:log_scale|logit_share)\\((.*)\\)$", "$1");
    if (DrawnPrior.isCut(name) && prior.startsWith("log_scale(")) {
      return brief + " for the gap to the previous cut point";
    }
    return centers && DrawnPrior.isElsewhere(name, all) ? brief + " at the columns' means" : brief;
  }

  private static String few(List<String> names, String between) {
    return names.size() <= MOST_NAMES
        ? String.join(between, names)
        : String.join(between, names.subList(0, MOST_NAMES))
            + between
            + (names.size() - MOST_NAMES)
            + " more";
  }

  /** Returns the formula from the configuration, or one made from the columns' names. */
  private static String formula(
      JsonNode manifest,
      JsonNode model,
      @Nullable ModelProvider provider,
      Map<String, String> priors) {
    if (model.path("formula").isTextual()) {
      StringBuilder all = new StringBuilder(model.path("formula").asText());
      model
          .path("formulas")
          .properties()
          .forEach(
              of ->
                  all.append("; ").append(of.getKey()).append(" ").append(of.getValue().asText()));
      return all.toString();
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
      boolean apart = EffectsConfig.NONE.equals(random.at("/prior/correlation").asText());
      terms.add(
          "("
              + String.join(" + ", effects)
              + (apart ? " || " : " | ")
              + random.path("group").asText()
              + ")");
    }
    return manifest.path("modelled").path("label").asText("?") + " ~ " + few(terms, " + ");
  }
}
