package org.lampyris.experiments.chart;

import java.util.List;
import java.util.stream.IntStream;
import org.lampyris.bounds.config.Text;

/**
 * Curves of positive numbers on two logarithmic axes, as SVG.
 *
 * @param title what it is called
 * @param x what the horizontal axis is
 * @param y what the vertical axis is
 * @param curves the curves, ten at most that can be told apart
 */
public record LogLogChart(String title, String x, String y, List<Curve> curves) {
  private static final int WIDTH = 820;
  private static final int HEIGHT = 520;
  private static final int LEFT = 80;
  private static final int TOP = 46;
  private static final int RIGHT = 560;
  private static final int BOTTOM = 460;
  private static final int LINE = 20;
  private static final List<String> COLOURS =
      List.of(
          "#4269d0", "#efb118", "#ff725c", "#6cc5b0", "#3ca951", "#ff8ab7", "#a463f2", "#97bbf5",
          "#9c6b4e", "#9498a0");

  /**
   * A curve.
   *
   * @param name for the legend
   * @param x above 0
   * @param y above 0, as many
   */
  public record Curve(String name, double[] x, double[] y) {}

  /** Where a number is on an axis. */
  private record Axis(double low, double high, int from, int to) {
    static Axis of(List<double[]> values, int from, int to) {
      double low = Double.POSITIVE_INFINITY;
      double high = 0;
      for (double[] some : values) {
        for (double value : some) {
          low = Math.min(low, value);
          high = Math.max(high, value);
        }
      }
      return new Axis(Math.floor(Math.log10(low)), Math.ceil(Math.log10(high)), from, to);
    }

    double place(double value) {
      return from + (to - from) * (Math.log10(value) - low) / Math.max(1, high - low);
    }

    /** Returns the powers of ten from end to end. */
    double[] ticks() {
      return IntStream.rangeClosed((int) low, (int) high)
          .mapToDouble(k -> Math.pow(10, k))
          .toArray();
    }
  }

  /** Returns the picture. */
  public String svg() {
    Axis across = Axis.of(curves.stream().map(Curve::x).toList(), LEFT, RIGHT);
    Axis up = Axis.of(curves.stream().map(Curve::y).toList(), BOTTOM, TOP);
    StringBuilder svg = new StringBuilder();
    svg.append(
        Text.of(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\""
                + " font-size=\"13\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
            WIDTH, HEIGHT));
    text(svg, LEFT, 24, "start", title);
    for (double tick : across.ticks()) {
      line(svg, across.place(tick), TOP, across.place(tick), BOTTOM);
      text(svg, across.place(tick), BOTTOM + LINE, "middle", power(tick));
    }
    for (double tick : up.ticks()) {
      line(svg, LEFT, up.place(tick), RIGHT, up.place(tick));
      text(svg, LEFT - 8, up.place(tick) + 4, "end", power(tick));
    }
    text(svg, 0.5 * (LEFT + RIGHT), BOTTOM + 2 * LINE, "middle", x);
    svg.append(Text.of("<g transform=\"translate(18 %d) rotate(-90)\">", (TOP + BOTTOM) / 2));
    text(svg, 0, 0, "middle", y);
    svg.append("</g>\n");
    for (int k = 0; k < curves.size(); k++) {
      draw(svg, curves.get(k), COLOURS.get(k % COLOURS.size()), across, up);
      double height = TOP + LINE * (k + 0.5);
      svg.append(
          Text.of(
              "<rect x=\"%d\" y=\"%.1f\" width=\"14\" height=\"4\" fill=\"%s\"/>\n",
              RIGHT + 16, height - 6, COLOURS.get(k % COLOURS.size())));
      text(svg, RIGHT + 36, height, "start", curves.get(k).name());
    }
    return svg.append("</svg>\n").toString();
  }

  private static void draw(StringBuilder svg, Curve curve, String colour, Axis across, Axis up) {
    StringBuilder points = new StringBuilder();
    for (int i = 0; i < curve.x().length; i++) {
      points.append(Text.of("%.1f,%.1f ", across.place(curve.x()[i]), up.place(curve.y()[i])));
    }
    svg.append(
        Text.of(
            "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"/>\n",
            points.toString().trim(), colour));
  }

  private static void line(StringBuilder svg, double x1, double y1, double x2, double y2) {
    svg.append(
        Text.of(
            "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#ddd\"/>\n",
            x1, y1, x2, y2));
  }

  private static void text(StringBuilder svg, double x, double y, String anchor, String words) {
    String escaped = words.replace("&", "&amp;").replace("<", "&lt;");
    svg.append(
        Text.of(
            "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>\n", x, y, anchor, escaped));
  }

  private static String power(double tick) {
    return Text.of("10^%.0f", Math.log10(tick));
  }
}
