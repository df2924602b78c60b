package org.lampyris.driver.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.Text;
import org.lampyris.driver.output.Convergence;
import org.lampyris.driver.output.OutputFolder;
import org.lampyris.driver.output.SummaryTable;
import org.lampyris.samplers.algorithm.SamplerSettings;
import org.lampyris.samplers.algorithm.SamplingAlgorithm;
import org.lampyris.samplers.algorithm.Trait;
import org.lampyris.samplers.chain.Decision;
import org.lampyris.samplers.diagnostics.VariableSummary;

/** The page: one file that needs no other, and no script. */
final class ReportPage {
  /** Numbers of coefficients with visible pictures, and with folded ones. */
  private static final int OPEN = 6;

  private static final int MOST_PICTURES = 60;
  private static final int FIRST_PICTURES = 20;
  private static final int OPEN_ROWS = 40;
  private static final List<String> UNLIKE_REGRESSION = List.of("mixture", "ica", "model");

  private final RunFolder run;
  private final JsonNode manifest;
  private final Map<String, String> priors;
  private final Map<String, DrawnPrior> drawn;

  /** The finding that the draws are independent; null if chains made them. */
  private final @Nullable Decision independent;

  private ReportPage(RunFolder run, Map<String, DrawnPrior> implied) {
    this.run = run;
    this.manifest = run.manifest();
    this.priors = run.output().priors();
    this.drawn = DrawnPrior.of(priors, DrawnPrior.isInterceptAtZero(run.output()), implied);
    this.independent = run.output().independent().orElse(null);
  }

  /**
   * Returns the page.
   *
   * @param checks the section on predictive checks
   * @param effects the sections on smooths and on effects of groups
   */
  static String of(RunFolder run, CheckSection checks, String effects) {
    ReportPage page = new ReportPage(run, checks.implied());
    Html html = new Html();
    html.markup("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"/>");
    html.markup("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>");
    html.markup("<meta name=\"color-scheme\" content=\"light dark\"/>");
    html.words("title", "Lampyris: " + page.title());
    html.markup("<style>\n" + Palette.page() + "</style></head>\n<body><main>\n");
    page.head(html);
    page.verdict(html, RunVerdict.of(run, checks.doubts()));
    page.tiles(html);
    ModelSection.write(html, page.manifest, page.priors, run.isPriorOnly() ? "" : checks.modes());
    page.summary(html);
    page.intervals(html);
    html.markup(checks.markup());
    html.markup(effects);
    if (!run.isPriorOnly()) {
      page.coefficients(html);
      if (page.independent == null) {
        page.growth(html);
      }
      page.effort(html);
    }
    page.choices(html);
    page.configuration(html);
    html.markup("</main></body></html>\n");
    return html.toString();
  }

  private String title() {
    JsonNode modelled = manifest.path("modelled");
    String family = modelled.path("family").asText("model").replace('_', ' ');
    return Text.of(
        "%s%s%s of %s",
        family.substring(0, 1).toUpperCase(java.util.Locale.ROOT),
        family.substring(1),
        UNLIKE_REGRESSION.contains(family) ? "" : " regression",
        modelled.path("label").asText("?"));
  }

  private void head(Html html) {
    JsonNode modelled = manifest.path("modelled");
    JsonNode sampler = manifest.path("configuration").path("sampler");
    html.open("header", "").words("h1", title());
    StringBuilder line = new StringBuilder();
    line.append(Text.of("%,d rows, ", modelled.path("rows").asLong()));
    line.append(Text.of("%,d coefficients; ", run.summary().size()));
    if (!modelled.path("positive").asText("").isEmpty() && modelled.path("positive").isTextual()) {
      line.append("class 1 is “").append(modelled.path("positive").asText()).append("”; ");
    }
    line.append(run.isPriorOnly() ? "from the prior" : sampledBy(sampler)).append("; ");
    line.append(manifest.path("started").asText("").replaceFirst("T(\\d\\d:\\d\\d).*", " $1 UTC"));
    html.faint(line.toString()).close("header");
  }

  /** Returns the algorithm, chosen or configured, and the kernel. */
  private String sampledBy(JsonNode sampler) {
    String algorithm = run.output().algorithm();
    String kernel = sampler.path("kernel").asText(SamplerSettings.AUTO);
    boolean without =
        SamplingAlgorithm.registry()
            .names(one -> one.has(Trait.WITHOUT_KERNEL))
            .contains(algorithm);
    return without || kernel.equals(SamplerSettings.AUTO)
        ? algorithm
        : algorithm + " with " + kernel;
  }

  private void verdict(Html html, RunVerdict verdict) {
    String tone = verdict.tone().name().toLowerCase(java.util.Locale.ROOT);
    html.open("section", "verdict " + tone).words("h2", verdict.headline());
    verdict.reasons().forEach(reason -> html.words("p", reason));
    verdict.remarks().forEach(remark -> html.classed("p", "remark", remark));
    html.close("section");
  }

  private Convergence convergence() {
    return new Convergence(run.summary().size(), run.draws().chains(), independent != null);
  }

  private void tiles(Html html) {
    double rhat = 0;
    double ess = Double.POSITIVE_INFINITY;
    int out = 0;
    for (VariableSummary row : run.summary()) {
      rhat = Math.max(rhat, row.mixing().rhat());
      ess = Math.min(ess, Math.min(row.mixing().essBulk(), row.essTail()));
      out += convergence().fallsShort(row) ? 1 : 0;
    }
    double seconds = 0;
    for (JsonNode phase : manifest.path("seconds")) {
      seconds += phase.asDouble();
    }
    html.open("div", "tiles");
    if (independent == null) {
      tile(html, Text.of("%,d", run.allDraws()), "draws of " + run.draws().chains() + " chains");
      tile(html, Convergence.rhat(rhat), "worst R-hat");
      tile(html, Double.isFinite(ess) ? Text.of("%,.0f", ess) : "none", "least ESS");
      tile(html, out + " of " + run.summary().size(), "coefficients fall short");
    } else {
      tile(html, Text.of("%,d", run.allDraws()), "independent draws");
      Double acceptance = independent.figures().get("acceptance");
      if (acceptance != null) {
        tile(html, Text.of("%.3f", acceptance), "of the proposals accepted");
      }
    }
    JsonNode evidence = manifest.path(Decision.EVIDENCE);
    if (evidence.has(Decision.LOG_EVIDENCE)) {
      double error = evidence.path(Decision.STANDARD_ERROR).asDouble();
      double log = evidence.path(Decision.LOG_EVIDENCE).asDouble();
      tile(html, SummaryTable.number(log, 10 * error), "log evidence, ± " + Text.of("%.2g", error));
    }
    tile(
        html,
        brief(manifest.path("counts").path("likelihood_evaluations").asDouble()),
        "row evaluations");
    tile(html, time(seconds), "in all");
    html.close("div");
  }

  private static void tile(Html html, String number, String what) {
    html.open("div", "tile").words("b", number).words("span", what).close("div");
  }

  /** Returns a count in few characters. */
  private static String brief(double count) {
    return count >= 1e9
        ? Text.of("%.1f billion", count / 1e9)
        : count >= 1e6 ? Text.of("%.1f million", count / 1e6) : Text.of("%,.0f", count);
  }

  private static String time(double seconds) {
    return seconds < 100
        ? Text.of("%.1f s", seconds)
        : seconds < 6000 ? Text.of("%.0f min", seconds / 60) : Text.of("%.1f h", seconds / 3600);
  }

  private void summary(Html html) {
    html.section("summary", "Summary");
    boolean chosen = run.summary().stream().anyMatch(row -> row.inclusion().isChosen());
    List<VariableSummary> rows = new ArrayList<>(SummaryTable.cutsTogether(run.summary()));
    if (rows.size() > OPEN_ROWS) { // What falls short is not to be among what is folded.
      rows.sort(Comparator.comparing(row -> !convergence().fallsShort(row)));
    }
    table(html, rows.subList(0, Math.min(OPEN_ROWS, rows.size())), chosen);
    if (rows.size() > OPEN_ROWS) {
      html.folded(Text.of("The other %,d", rows.size() - OPEN_ROWS));
      table(html, rows.subList(OPEN_ROWS, rows.size()), chosen);
      html.close("details");
    }
    html.faint(
        (run.isPriorOnly() ? "90 % of the prior" : "90 % of the posterior")
            + " lies between q5 and q95. mcse is the Monte-Carlo standard error of"
            + " the mean."
            + (independent == null
                ? " Marked are R-hats above 1.01, or above what chance alone explains among so"
                    + " many, and ESS below 400."
                : ""));
    html.close("section");
  }

  private void table(Html html, List<VariableSummary> rows, boolean chosen) {
    String heads =
        "variable||"
            + (chosen ? "included|" : "")
            + "mean|sd|q5|median|q95|mcse"
            + (independent == null ? "|R-hat|ESS\u00a0bulk|ESS\u00a0tail" : "");
    html.table("summary", List.of(heads.split("\\|", -1)));
    for (VariableSummary row : rows) {
      html.markup(convergence().fallsShort(row) ? "<tr class=\"short\">" : "<tr>");
      html.words("th", row.variable());
      html.markup("<td>" + CoefficientCharts.spark(row, run.drawsOf(row.variable())) + "</td>");
      if (chosen) {
        html.words("td", Text.of("%.3f", row.inclusion().probability()));
      }
      double sd = row.sd();
      double error = row.mixing().mcseMean();
      VariableSummary.Quantiles of = row.quantiles();
      for (double figure : new double[] {row.mean(), sd, of.q5(), of.median(), of.q95()}) {
        html.words("td", SummaryTable.number(figure, sd));
      }
      html.words("td", Double.isNaN(error) ? "none" : SummaryTable.number(error, 10 * error));
      if (independent == null) {
        mixing(html, row);
      }
      html.markup("</tr>\n");
    }
    html.endTable();
  }

  private void mixing(Html html, VariableSummary row) {
    double rhat = row.mixing().rhat();
    double bulk = row.mixing().essBulk();
    judged(html, row, rhat <= convergence().limit(row), Convergence.rhat(rhat));
    judged(html, row, bulk >= Convergence.ESS, SummaryTable.whole(bulk));
    judged(html, row, row.essTail() >= Convergence.ESS, SummaryTable.whole(row.essTail()));
  }

  private void judged(Html html, VariableSummary row, boolean enough, String figure) {
    html.classed("td", enough || !convergence().fallsShort(row) ? "" : "short", figure);
  }

  private void intervals(Html html) {
    html.section("intervals", "Intervals by size");
    html.faint(
        "Means and 90 % intervals, on the scale of the input's columns. Pale intervals contain 0."
            + " The axis omits values far beyond the others (▸).");
    Forest.write(
        html,
        run.summary().stream()
            .map(
                row ->
                    new Forest.Interval(
                        row.variable(),
                        row.mean(),
                        row.sd(),
                        row.quantiles().q5(),
                        row.quantiles().q95()))
            .toList());
    html.close("section");
  }

  private void coefficients(Html html) {
    List<VariableSummary> shown = shown();
    int all = run.summary().size();
    html.section("coefficients", "Coefficient by coefficient");
    String which =
        shown.size() == all
            ? "The most doubtful first. "
            : Text.of(
                "The %d most doubtful of %,d, and the first %d. ",
                shown.size() - FIRST_PICTURES, all, FIRST_PICTURES);
    html.faint(
        which
            + "First: the density with the prior (broken) and marks at 5 % and 95 %. Second: the"
            + " trace of each chain. Third: the ranks of its draws, which are level if chains"
            + " agree."
            + (run.thin() > 1 ? Text.of(" The pictures use one draw in %d.", run.thin()) : ""));
    for (int k = 0; k < shown.size(); k++) {
      if (k == OPEN) {
        html.folded(Text.of("%d more", shown.size() - OPEN));
      }
      VariableSummary row = shown.get(k);
      double[][] draws = run.drawsOf(row.variable());
      html.open("div", "grid three");
      html.markup(CoefficientCharts.density(row, draws, drawn.get(row.variable())));
      html.markup(CoefficientCharts.trace(row.variable(), draws, run.thin()));
      html.markup(CoefficientCharts.ranks(row.variable(), draws));
      html.close("div");
    }
    if (shown.size() > OPEN) {
      html.close("details");
    }
    html.close("section");
  }

  private List<VariableSummary> shown() {
    List<VariableSummary> worst = new ArrayList<>(run.summary());
    worst.sort(convergence().worstFirst());
    if (worst.size() <= MOST_PICTURES) {
      return worst;
    }
    List<VariableSummary> shown = new ArrayList<>(worst.subList(0, MOST_PICTURES - FIRST_PICTURES));
    run.summary().stream()
        .filter(row -> !shown.contains(row))
        .limit(FIRST_PICTURES)
        .toList()
        .forEach(shown::add);
    return shown;
  }

  private void growth(Html html) {
    html.section("growth", "Growth of the effective sample size").open("div", "grid");
    html.markup(CoefficientCharts.growth("Bulk: means and middles", run, false));
    html.markup(CoefficientCharts.growth("Tail: 5 % and 95 % quantiles", run, true));
    html.close("div");
    html.faint(
        "For the coefficients with the smallest ESS. It grows in proportion to the draws if chains"
            + " mix. If it levels off, they have not explored all of the posterior."
            + (run.thin() > 1
                ? Text.of(" Computed from one draw in %d, which lowers it.", run.thin())
                : ""));
    html.close("section");
  }

  private void effort(Html html) {
    Effort effort = run.effort();
    if (effort.evaluations().isEmpty()) {
      return;
    }
    html.section("effort", "Cost of iterations").open("div", "grid");
    course(html, "Row evaluations of an iteration", effort.evaluations(), true);
    if (!effort.bright().isEmpty()) {
      course(html, "Bright rows", effort.bright(), false);
    }
    course(html, "Acceptance probability", effort.acceptance(), false);
    html.close("div");
    html.faint("Means over stretches of iterations. The mark is the end of the warm-up.");
    html.close("section");
  }

  private void course(Html html, String title, List<Curve> curves, boolean log) {
    Chart chart = Chart.of(title).axes("iteration", "");
    curves.forEach(chart::thin);
    if (log) {
      chart.logY();
    } else {
      chart.upTo(0, 0);
    }
    html.markup(chart.markX("", (double) run.effort().warmup()).svg());
  }

  private void choices(Html html) {
    html.section("choices", "Choices and costs");
    List<Decision> decisions = run.output().decisions();
    if (!decisions.isEmpty()) {
      html.open("ul", "");
      decisions.forEach(
          one ->
              html.words("li", (one.topic().equals(Decision.FOUND) ? "found: " : "") + one.text()));
      html.close("ul");
    }
    html.table("plain", List.of());
    manifest
        .path("seconds")
        .properties()
        .forEach(
            phase -> html.pair(phase.getKey(), Text.of("%.2f s", phase.getValue().asDouble())));
    manifest
        .path("counts")
        .properties()
        .forEach(
            count ->
                html.pair(
                    count.getKey().replace('_', ' '), Text.of("%,d", count.getValue().asLong())));
    int chain = 1;
    for (JsonNode of : manifest.path("chains")) {
      List<String> figures = new ArrayList<>();
      of.properties()
          .forEach(
              figure -> {
                if (!figure.getKey().equals("chain") && figure.getValue().isNumber()) {
                  figures.add(
                      Text.of(
                          "%s %s",
                          figure.getKey().replace('_', ' '),
                          figure.getValue().isIntegralNumber()
                              ? Text.of("%,d", figure.getValue().asLong())
                              : Text.of("%.4g", figure.getValue().asDouble())));
                }
              });
      html.pair("chain " + chain++, String.join(", ", figures));
    }
    html.endTable().close("section");
  }

  private void configuration(Html html) {
    html.section("configuration", "Configuration and manifest");
    try {
      html.folded("Configuration, with every default");
      html.words("pre", new YAMLMapper().writeValueAsString(manifest.path("configuration")));
      html.close("details");
      html.folded("Manifest");
      html.words("pre", OutputFolder.asJson(manifest)).close("details");
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("what was read as JSON can be written", e);
    }
    JsonNode versions = manifest.path("versions");
    html.faint(
        Text.of(
            "Lampyris %s, Spark %s, Java %s; seed %s; data %s; %s.",
            versions.path("lampyris").asText("?"),
            versions.path("spark").asText("?"),
            versions.path("java").asText("?"),
            manifest.path("seed").asText("?"),
            manifest.path("data").path("fingerprint").asText("?"),
            run.folder()));
    html.close("section");
  }
}
