package org.lampyris.driver.report;

import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.lampyris.bounds.config.Text;
import org.lampyris.driver.predict.Histogram;
import org.lampyris.driver.predict.LooPit;
import org.lampyris.driver.predict.Panel;
import org.lampyris.driver.predict.PredictiveCheck;
import org.lampyris.driver.predict.SurvivalCurves;
import org.lampyris.driver.predict.TestStatistic.Kind;

/**
 * Readings of the pictures of predictive checks, in a sentence or two. A reading doubts the model
 * only if the table deviates more than all 4,000 simulated ones.
 */
final class CheckReading {
  /** How a reading that does not doubt ends. */
  static final String CHANCE = "Nothing stands out.";

  private static final String DOUBT = "That is more than chance explains.";

  /** Share of right tables outside of an interval of 95 %. */
  private static final double OUTSIDE = 0.05;

  private CheckReading() {}

  /** Reads numbers of rows by cells. */
  static String cells(String what, Histogram counts, PredictiveCheck check) {
    int cells = counts.observed().length;
    long outside =
        IntStream.range(0, cells)
            .filter(
                k ->
                    counts.observed()[k] < counts.low()[k]
                        || counts.observed()[k] > counts.high()[k])
            .count();
    return ofIntervals(what, outside, cells, check.doubted().contains(Kind.DISTRIBUTION));
  }

  /** Reads the observed line among the replicated ones. */
  static String lines(Histogram counts, boolean cumulated, PredictiveCheck check) {
    int cells = counts.observed().length;
    int lines = counts.some().length;
    double[] seen = line(counts.observed(), cumulated);
    double[][] others =
        Stream.of(counts.some()).map(one -> line(one, cumulated)).toArray(double[][]::new);
    long outside =
        IntStream.range(0, cells)
            .filter(
                k ->
                    Stream.of(others).allMatch(one -> seen[k] < one[k])
                        || Stream.of(others).allMatch(one -> seen[k] > one[k]))
            .count();
    return Text.of(
        "At %d of %d places the observed line is outside of all %d replicated ones; chance alone"
            + " explains about %.1f. %s",
        outside,
        cells,
        lines,
        2.0 * cells / (lines + 1),
        check.doubted().contains(Kind.DISTRIBUTION) ? DOUBT : CHANCE);
  }

  /** Reads survival; neighbouring intervals share most of their rows, so it is no test. */
  static String survival(SurvivalCurves curves) {
    int places = curves.at().length;
    long outside =
        IntStream.range(0, places)
            .filter(
                k ->
                    curves.expected()[k] < curves.low()[k]
                        || curves.expected()[k] > curves.high()[k])
            .count();
    return Text.of(
        "At %d of %d times the expected share is outside of Kaplan and Meier's interval. Each holds"
            + " the share with 95 %%, but neighbouring ones share most of their rows, so this is no"
            + " test.",
        outside, places);
  }

  /** Reads shares at or below a fitted quantile; the rows were fitted to, so it is no test. */
  static String coverage(Panel panel) {
    List<Panel.Group> groups = panel.groups();
    return Text.of(
        "%d of %d shares are outside of the intervals about the quantile, %s. Chance alone explains"
            + " at most %.1f. Many mean that a term is missing here. The shares do not depend on the"
            + " distribution of the response.",
        groups.stream().filter(Panel.Group::isOutside).count(),
        groups.size(),
        groups.get(0).mean(),
        OUTSIDE * groups.size());
  }

  private static double[] line(double[] counts, boolean cumulated) {
    double[] line = counts.clone();
    for (int k = 1; cumulated && k < line.length; k++) {
      line[k] += line[k - 1];
    }
    return line;
  }

  /** Reads the means over the groups of a panel. */
  static String means(Panel panel) {
    List<Panel.Group> groups = panel.groups();
    return ofIntervals(
        "means",
        groups.stream().filter(Panel.Group::isOutside).count(),
        groups.size(),
        groups.stream().anyMatch(Panel.Group::beyond));
  }

  /** Reads the shares of zeros over the groups of a panel. */
  static String zeros(Panel panel, PredictiveCheck check) {
    return figures(
        "shares of zeros",
        panel.groups().stream().map(Panel.Group::zeros).filter(Objects::nonNull).toList(),
        check.doubted().contains(Kind.DISTRIBUTION));
  }

  /** Reads the largest numbers over the groups of a panel. */
  static String largest(Panel panel, PredictiveCheck check) {
    return figures(
        "largest values",
        panel.groups().stream().map(Panel.Group::largest).filter(Objects::nonNull).toList(),
        check.doubted().contains(Kind.EXTREMES));
  }

  private static String figures(String what, List<Panel.Figure> figures, boolean doubted) {
    return ofIntervals(
        what, figures.stream().filter(Panel.Figure::isOutside).count(), figures.size(), doubted);
  }

  private static String ofIntervals(String what, long outside, int all, boolean doubted) {
    return Text.of(
        "%d of %d %s are outside of their 95 %% intervals; chance alone explains about %.1f. %s",
        outside, all, what, OUTSIDE * all, doubted ? DOUBT : CHANCE);
  }

  /** Reads the leave-one-out transform. */
  static String leftOut(LooPit found) {
    if (!found.isExtreme()) {
      return Text.of(
          "The curve deviates from 0 as uniform numbers would (p = %.3f). %s", found.p(), CHANCE);
    }
    String how =
        Math.abs(found.location()) > Math.abs(found.spread())
            ? found.location() > 0
                ? "The responses are larger than the other rows predict."
                : "The responses are smaller than the other rows predict."
            : found.spread() > 0
                ? "The predictive distributions are too narrow."
                : "The predictive distributions are too wide.";
    return how + " " + DOUBT;
  }
}
