package org.lampyris.driver.report;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.lampyris.bounds.config.Text;
import org.lampyris.driver.output.SummaryTable;

/**
 * Intervals on one axis, a line each, the largest mean first. Lines of a page, not of a picture:
 * names and numbers keep their size on a telephone.
 */
final class Forest {
  private static final int OPEN = 40;
  private static final int ENDS = 20;

  /** Intervals are cut off beyond this multiple of the reach of three quarters of them. */
  private static final double FAR = 4;

  private final double low;
  private final double high;

  /** A line: 90 % of the posterior lies between the ends. */
  record Interval(String name, double mean, double sd, double low, double high) {}

  private Forest(List<Interval> intervals) {
    double[] reach =
        intervals.stream()
            .mapToDouble(i -> Math.max(Math.abs(i.low), Math.abs(i.high)))
            .filter(Double::isFinite)
            .sorted()
            .toArray();
    double usual = reach.length == 0 ? 1 : reach[(int) (0.75 * (reach.length - 1))];
    double most = Arrays.stream(reach).filter(x -> x <= FAR * usual).max().orElse(1);
    double least = 0;
    double greatest = 0;
    for (Interval i : intervals) {
      least = Math.min(least, Math.max(-most, i.low));
      greatest = Math.max(greatest, Math.min(most, i.high));
    }
    double margin = greatest > least ? 0.02 * (greatest - least) : 1;
    low = least - margin;
    high = greatest + margin;
  }

  /** Adds the lines; if there are more than forty, the middle ones are folded. */
  static void write(Html page, List<Interval> intervals) {
    List<Interval> sorted =
        intervals.stream().sorted(Comparator.comparingDouble(Interval::mean).reversed()).toList();
    Forest forest = new Forest(sorted);
    page.open("div", "forest");
    page.markup(forest.axis());
    boolean folded = sorted.size() > OPEN;
    for (int k = 0; k < sorted.size(); k++) {
      if (folded && k == ENDS) {
        page.close("div").folded(Text.of("%,d between", sorted.size() - 2 * ENDS));
        page.open("div", "forest").markup(forest.axis());
      }
      page.markup(forest.line(sorted.get(k)));
      if (folded && k == sorted.size() - ENDS - 1) {
        page.close("div").close("details").open("div", "forest");
      }
    }
    page.close("div");
  }

  private double percent(double value) {
    return 100 * (value - low) / (high - low);
  }

  private String axis() {
    double step = Math.pow(10, Math.floor(Math.log10((high - low) / 3)));
    step *= (high - low) / step > 12 ? 5 : (high - low) / step > 6 ? 2 : 1;
    StringBuilder marks =
        new StringBuilder("<div class=\"frow\"><span></span><span class=\"fax\">");
    for (long k = (long) Math.ceil(low / step); k * step <= high; k++) {
      marks.append(
          Text.of(
              "<i style=\"left:%.2f%%\">%s</i>",
              percent(k * step), SummaryTable.number(k * step, 100 * step)));
    }
    return marks.append("</span><span class=\"fnum\"></span></div>\n").toString();
  }

  private String line(Interval i) {
    String kind = i.low > 0 || i.high < 0 ? "s0" : "none";
    StringBuilder line = new StringBuilder("<div class=\"frow\"><span class=\"fname\" title=\"");
    line.append(Html.escaped(i.name)).append("\">").append(Html.escaped(i.name));
    line.append("</span><svg class=\"fbar\" width=\"100%\" height=\"16\" aria-hidden=\"true\">");
    line.append(Text.of("<line class=\"zero\" x1=\"%1$.2f%%\" x2=\"%1$.2f%%\" ", percent(0)));
    line.append("y1=\"0\" y2=\"16\"/>");
    double from = Math.max(0, Math.min(100, percent(i.low)));
    double to = Math.max(0, Math.min(100, percent(i.high)));
    line.append(
        Text.of(
            "<line class=\"%s bar\" x1=\"%.2f%%\" x2=\"%.2f%%\" y1=\"8\" y2=\"8\"/>",
            kind, from, to));
    double mean = percent(i.mean);
    if (mean >= 0 && mean <= 100) {
      line.append(Text.of("<circle class=\"%s\" cx=\"%.2f%%\" cy=\"8\" r=\"3.5\"/>", kind, mean));
    } else {
      line.append(
          Text.of(
              "<text x=\"%s\" y=\"12\" text-anchor=\"%s\">%s</text>",
              mean > 100 ? "100%" : "0%", mean > 100 ? "end" : "start", mean > 100 ? "▸" : "◂"));
    }
    line.append("</svg><span class=\"fnum\">");
    line.append(Html.escaped(SummaryTable.number(i.mean, 10 * i.sd)));
    line.append("<span class=\"fci\"> ");
    line.append(
        Html.escaped(
            Text.of(
                "[%s, %s]",
                SummaryTable.number(i.low, 10 * i.sd), SummaryTable.number(i.high, 10 * i.sd))));
    return line.append("</span></span></div>\n").toString();
  }
}
