package org.lampyris.experiments.programs;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.lampyris.samplers.program.Node;
import org.lampyris.samplers.program.Trace;
import org.lampyris.samplers.program.mixture.NormalInverseWishart;
import org.lampyris.samplers.program.mixture.PaperPrograms;

/**
 * Traces with their scaffolds, and graphical models, as pictures.
 *
 * <p>Source: Chen, Mansinghka and Ghahramani (2014), Figures 2a, 6a, 8 and 9a.
 */
record Scaffolds() implements Figure {
  private static final String RED = "#e58a9b";
  private static final String GREEN = "#7fc69a";
  private static final String BLUE = "#7ba6f7";
  private static final String YELLOW = "#f0c04a";
  private static final String KINDS =
      "Dashed: deterministic. Shaded: observed. Thick: the node that moves.";

  static Trace mixture() {
    return PaperPrograms.jointDpm(
        new NormalInverseWishart(new double[2], 1, 4, new double[] {1, 0, 0, 1}), 1);
  }

  static Trace volatility() {
    return PaperPrograms.volatility(3);
  }

  @Override
  public Map<String, String> files() {
    Trace regression = PaperPrograms.bayesLr(3, 1);
    Trace mixture = mixture();
    Trace volatility = volatility();
    Map<String, String> files = new LinkedHashMap<>();
    files.put(
        "figure2a.svg",
        new TracePicture(regression, 4, 1, "row")
            .scaffold(regression.scaffold(regression.node("w")), 0, RED, GREEN)
            .file("The scaffold of w: red, its global section; green, local ones.", KINDS));
    files.put(
        "figure6a.svg",
        new TracePicture(mixture, 4, 2, "row")
            .scaffold(mixture.scaffold(mixture.node("w")), 0, RED, GREEN)
            .scaffold(mixture.scaffold(mixture.node("w")), 1, YELLOW, BLUE)
            .file(
                "The scaffolds of two clusters' weights. A: global red, local green; B: yellow, blue.",
                KINDS));
    files.put("figure8a.svg", model(mixture, "each of N rows"));
    files.put("figure8b.svg", model(volatility, "each of N series"));
    files.put(
        "figure9a.svg",
        new TracePicture(volatility, 2, 1, "series")
            .scaffold(volatility.scaffold(volatility.node("phi")), 0, RED, GREEN)
            .file("The scaffold of phi: red, its global section; green, local ones.", KINDS));
    StringBuilder table = new StringBuilder("```\n");
    table.append(regression.scaffold(regression.node("w")).drawing(regression));
    table.append(mixture.scaffold(mixture.node("w")).drawing(mixture));
    table.append(volatility.scaffold(volatility.node("phi")).drawing(volatility));
    files.put("table.md", table.append("```\n").toString());
    return files;
  }

  /** Draws one row, and marks what subsampled Metropolis–Hastings can move. */
  private static String model(Trace trace, String rows) {
    List<Node> moved =
        trace.entries().stream()
            .map(Trace.Entry::node)
            .filter(
                node ->
                    (node.kind() == Node.Kind.GLOBAL || node.kind() == Node.Kind.PER_CLUSTER)
                        && trace.scaffold(node).refusal() == null)
            .toList();
    return new TracePicture(trace, 1, 1, "row")
        .marking(moved)
        .plate(rows)
        .file(
            "Thick: moved by subsampled Metropolis–Hastings. Dashed: deterministic. Shaded: observed.");
  }
}
