package org.lampyris.experiments.programs;

import java.util.List;
import org.lampyris.bounds.config.Text;

/**
 * Curves on two axes with even steps, as SVG.
 *
 * @param title what it is called
 * @param curves eight at most that can be told apart
 */
record Picture(String title, String x, String y, List<Curve> curves) {
  private static final int LEFT = 80;
  private static final int TOP = 46;
  private static final int RIGHT = 560;
  private static final int BOTTOM = 460;
  private static final int TICKS = 5;
  private static final List<String> COLOURS =
      List.of(
          "#4269d0", "#efb118", "#ff725c", "#6cc5b0", "#3ca951", "#ff8ab7", "#a463f2", "#9498a0");

  /** A curve. */
  record Curve(String name, double[] x, double[] y) {}

  private record Axis(double low, double high, int from, int to) {
    static Axis of(List<double[]> values, int from, int to) {
      double low = Double.POSITIVE_INFINITY;
      double high = Double.NEGATIVE_INFINITY;
      for (double[] some : values) {
        for (double value : some) {
          low = Math.min(low, value);
          high = Math.max(high, value);
        }
      }
      return new Axis(low, Math.max(high, low + 1e-9), from, to);
    }

    double place(double value) {
      return from + (to - from) * (value - low) / (high - low);
    }

    double tick(int k) {
      return low + (high - low) * k / TICKS;
    }
  }

  String svg() {
    Axis across = Axis.of(curves.stream().map(Curve::x).toList(), LEFT, RIGHT);
    Axis up = Axis.of(curves.stream().map(Curve::y).toList(), BOTTOM, TOP);
    StringBuilder svg =
        new StringBuilder(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 820 520\""
                + " font-family=\"sans-serif\" font-size=\"13\">\n"
                + "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n");
    text(svg, LEFT, 24, "start", title);
    for (int k = 0; k <= TICKS; k++) {
      line(svg, across.place(across.tick(k)), TOP, across.place(across.tick(k)), BOTTOM);
      text(svg, across.place(across.tick(k)), BOTTOM + 20, "middle", number(across.tick(k)));
      line(svg, LEFT, up.place(up.tick(k)), RIGHT, up.place(up.tick(k)));
      text(svg, LEFT - 8, up.place(up.tick(k)) + 4, "end", number(up.tick(k)));
    }
    text(svg, 0.5 * (LEFT + RIGHT), BOTTOM + 40, "middle", x);
    svg.append("<g transform=\"translate(18 253) rotate(-90)\">");
    text(svg, 0, 0, "middle", y);
    svg.append("</g>\n");
    for (int k = 0; k < curves.size(); k++) {
      Curve curve = curves.get(k);
      StringBuilder points = new StringBuilder();
      for (int i = 0; i < curve.x.length; i++) {
        points.append(Text.of("%.1f,%.1f ", across.place(curve.x[i]), up.place(curve.y[i])));
      }
      String colour = COLOURS.get(k % COLOURS.size());
      svg.append(
          Text.of(
              "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"/>\n",
              points.toString().trim(), colour));
      double height = TOP + 20 * (k + 0.5);
      svg.append(
          Text.of(
              "<rect x=\"%d\" y=\"%.1f\" width=\"14\" height=\"4\" fill=\"%s\"/>\n",
              RIGHT + 16, height - 6, colour));
      text(svg, RIGHT + 36, height, "start", curve.name);
    }
    return svg.append("</svg>\n").toString();
  }

  private static String number(double value) {
    return Text.of("%.3g", value);
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
}
