package org.lampyris.driver.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Chart of curves, bands and points on two axes, as SVG: a picture of its own, or part of a page
 * with the style sheet of {@link Palette}. It is as wide as what it stands in, at most {@link
 * #WIDTH}.
 *
 * <p>Missing and infinite values are left out, and values not above 0 on a logarithmic axis. Not
 * safe for use by several threads.
 */
public final class Chart {
  /** Pixels, unless the page has less: words stay legible on a telephone. */
  public static final int WIDTH = 400;

  private static final int PLOT = 190;
  private static final int TOP = 30;
  private static final int LEFT = 58;
  private static final int RIGHT = 12;
  private static final int ROW = 17;
  private static final double LETTER = 6.3;
  private static final int MOST_TICKS = 5;

  private final String title;
  private final List<Layer> layers = new ArrayList<>();
  private String across = "";
  private String upward = "";
  private boolean logX;
  private boolean logY;
  private double @Nullable [] rangeX;
  private double @Nullable [] rangeY;
  private int colour;

  private Chart(String title) {
    this.title = title;
  }

  /** Kind of a layer. */
  private enum Kind {
    LINE,
    THIN,
    DASHED,
    POINTS,
    DOTS,
    BAND,
    BARS,
    RULE_X,
    RULE_Y
  }

  /** Layer of a chart: the curve, the other edge of a band, and the colour's number. */
  private record Layer(Kind kind, Curve curve, double[] other, int colour) {}

  /** Begins a chart. */
  public static Chart of(String title) {
    return new Chart(title);
  }

  /** Names the axes. */
  public Chart axes(String x, String y) {
    across = x;
    upward = y;
    return this;
  }

  /** Sets a logarithmic horizontal axis. */
  public Chart logX() {
    logX = true;
    return this;
  }

  /** Sets a logarithmic vertical axis. */
  public Chart logY() {
    logY = true;
    return this;
  }

  /** Extends the horizontal axis to include two numbers. */
  public Chart fromTo(double low, double high) {
    rangeX = new double[] {low, high};
    return this;
  }

  /** Extends the vertical axis to include two numbers. */
  public Chart upTo(double low, double high) {
    rangeY = new double[] {low, high};
    return this;
  }

  /** Adds a line, of the next colour. */
  public Chart line(Curve curve) {
    return add(Kind.LINE, curve, curve.y(), colour++);
  }

  /** Adds a line, of the next colour. */
  public Chart line(String name, double[] x, double[] y) {
    return line(new Curve(name, x, y));
  }

  /** Adds lines. */
  public Chart lines(List<Curve> curves) {
    curves.forEach(this::line);
    return this;
  }

  /** Adds a fine line, of the next colour: for noise. */
  public Chart thin(Curve curve) {
    return add(Kind.THIN, curve, curve.y(), colour++);
  }

  /** Adds fine lines that share the next colour and a name. */
  public Chart thins(String name, List<Curve> curves) {
    for (int k = 0; k < curves.size(); k++) {
      Curve curve = new Curve(k == 0 ? name : "", curves.get(k).x(), curves.get(k).y());
      add(Kind.THIN, curve, curve.y(), colour);
    }
    colour++;
    return this;
  }

  /** Adds a broken line in the next colour: the reference for the others. */
  public Chart dashed(Curve curve) {
    return add(Kind.DASHED, curve, curve.y(), colour++);
  }

  /** Adds points, of the next colour. */
  public Chart points(Curve curve) {
    return add(Kind.POINTS, curve, curve.y(), colour++);
  }

  /** Adds small translucent points, of the next colour: for many draws. */
  public Chart dots(Curve curve) {
    return add(Kind.DOTS, curve, curve.y(), colour++);
  }

  /** Adds the band between two curves, in the next colour. */
  public Chart band(Curve curve, double[] upper) {
    return add(Kind.BAND, curve, upper, colour++);
  }

  /** Adds the band between two curves, in the colour of the lines that come next. */
  public Chart wash(Curve curve, double[] upper) {
    return add(Kind.BAND, curve, upper, colour);
  }

  /** Adds a line in a band around it, both in the next colour. */
  public Chart banded(Curve curve, double[] lower, double[] upper) {
    return wash(new Curve("", curve.x(), lower), upper).line(curve);
  }

  /** Adds upright intervals, of the next colour. */
  public Chart bars(Curve curve, double[] upper) {
    return add(Kind.BARS, curve, upper, colour++);
  }

  /** Adds an upright mark at a number. */
  public Chart markX(String name, double x) {
    double[] at = {x};
    return add(Kind.RULE_X, new Curve(name, at, new double[0]), new double[0], 0);
  }

  /** Adds a level mark at a number. */
  public Chart markY(String name, double y) {
    double[] at = {y};
    return add(Kind.RULE_Y, new Curve(name, new double[0], at), at, 0);
  }

  private Chart add(Kind kind, Curve curve, double[] other, int of) {
    layers.add(new Layer(kind, curve, other, of % Palette.COLOURS));
    return this;
  }

  /** Returns the picture as part of a page. */
  public String svg() {
    return svg("");
  }

  /** Returns the picture as a complete file. */
  public String file() {
    return svg(
            "<style>"
                + Palette.variables()
                + Palette.rules()
                + "</style><rect width=\"100%\" height=\"100%\" style=\"fill:var(--paper)\"/>")
        + "\n";
  }

  private String svg(String before) {
    List<double[]> horizontal = new ArrayList<>();
    List<double[]> vertical = new ArrayList<>();
    for (Layer layer : layers) {
      horizontal.add(layer.curve.x());
      vertical.add(layer.curve.y());
      vertical.add(layer.other);
    }
    if (rangeX != null) {
      horizontal.add(rangeX);
    }
    if (rangeY != null) {
      vertical.add(rangeY);
    }
    int bottom = TOP + PLOT;
    Axis x = Axis.of(logX, horizontal, LEFT, WIDTH - RIGHT);
    Axis y = Axis.of(logY, vertical, bottom, TOP);
    Svg body = new Svg();
    grid(body, x, y, bottom);
    layers.forEach(layer -> draw(body, layer, x, y, bottom));
    int height = legend(body, bottom + 2 * ROW + (across.isEmpty() ? 4 : 18));
    return new Svg()
        .raw("<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chart\" role=\"img\"")
        .raw(" width=\"" + WIDTH + "\" viewBox=\"0 0 " + WIDTH + " " + height + "\">")
        .raw("<title>" + Html.escaped(title) + "</title>" + before)
        .words(4, 16, "start", "head", shortened(title, (int) ((WIDTH - 8) / 7.2)))
        .raw(body.toString())
        .raw("</svg>")
        .toString();
  }

  private void grid(Svg svg, Axis x, Axis y, int bottom) {
    double[] marks = x.ticks(MOST_TICKS);
    for (double tick : marks) {
      double at = x.place(tick);
      svg.line(at, TOP, at, bottom, "grid");
      svg.words(at, bottom + ROW - 2, "middle", "minor", x.label(tick, marks));
    }
    marks = y.ticks(MOST_TICKS);
    for (double tick : marks) {
      double at = y.place(tick);
      svg.line(LEFT, at, WIDTH - RIGHT, at, "grid");
      svg.words(LEFT - 5, at + 4, "end", "minor", y.label(tick, marks));
    }
    svg.words(0.5 * (LEFT + WIDTH - RIGHT), bottom + 2 * ROW - 2, "middle", "minor", across);
    if (!upward.isEmpty()) {
      svg.raw("<g transform=\"translate(11 " + (TOP + PLOT / 2) + ") rotate(-90)\">")
          .words(0, 0, "middle", "minor", upward)
          .raw("</g>");
    }
  }

  private static void draw(Svg svg, Layer layer, Axis x, Axis y, int bottom) {
    double[] across = Arrays.stream(layer.curve.x()).map(x::place).toArray();
    double[] up = Arrays.stream(layer.curve.y()).map(y::place).toArray();
    double[] other = Arrays.stream(layer.other).map(y::place).toArray();
    String colour = "s" + layer.colour;
    switch (layer.kind) {
      case LINE -> svg.path(across, up, colour, false);
      case THIN -> svg.path(across, up, "thin " + colour, false);
      case DASHED -> svg.path(across, up, "dash " + colour, false);
      case BAND -> svg.path(there(across, across), there(up, other), "wash " + colour, true);
      case POINTS -> circles(svg, across, up, "3.2\" class=\"" + colour);
      case DOTS ->
          circles(
              svg, across, up, "1.8\" fill-opacity=\".5\" stroke-width=\"0\" class=\"" + colour);
      case BARS -> {
        for (int i = 0; i < across.length; i++) {
          if (Double.isFinite(across[i]) && Double.isFinite(up[i] + other[i])) {
            svg.line(across[i], up[i], across[i], other[i], "wide " + colour);
          }
        }
      }
      case RULE_X -> svg.line(across[0], TOP, across[0], bottom, "rule");
      case RULE_Y -> {
        svg.line(LEFT, up[0], WIDTH - RIGHT, up[0], "rule");
        svg.words(WIDTH - RIGHT - 3, up[0] - 4, "end", "minor", layer.curve.name());
      }
    }
  }

  private static void circles(Svg svg, double[] x, double[] y, String radiusAndClass) {
    for (int i = 0; i < x.length; i++) {
      if (Double.isFinite(x[i]) && Double.isFinite(y[i])) {
        svg.raw("<circle").at("cx", x[i]).at("cy", y[i]).raw(" r=\"" + radiusAndClass + "\"/>");
      }
    }
  }

  /** Returns one way and the other way back. */
  private static double[] there(double[] one, double[] back) {
    double[] all = Arrays.copyOf(one, 2 * one.length);
    for (int i = 0; i < back.length; i++) {
      all[all.length - 1 - i] = back[i];
    }
    return all;
  }

  /** Writes the legend below the plot, in as many lines as needed. */
  private int legend(Svg svg, int top) {
    double at = LEFT - 44;
    int line = top;
    boolean any = false;
    for (Layer layer : layers) {
      boolean named = !layer.curve.name().isEmpty();
      if (named && layer.kind != Kind.RULE_X && layer.kind != Kind.RULE_Y) {
        String name = shortened(layer.curve.name(), (int) ((WIDTH - 40) / LETTER));
        double width = 24 + LETTER * name.length() + 10;
        if (any && at + width > WIDTH) {
          at = LEFT - 44;
          line += ROW;
        }
        String kind = layer.kind == Kind.DASHED ? "dash " : layer.kind == Kind.BAND ? "wash " : "";
        double[] ends = {at, at + 16};
        if (layer.kind == Kind.BAND) {
          double[] around = {at, at + 16, at + 16, at};
          double[] about = {line - 9.0, line - 9.0, line + 1.0, line + 1.0};
          svg.path(around, about, kind + "s" + layer.colour, true);
        } else if (layer.kind == Kind.POINTS || layer.kind == Kind.DOTS) {
          svg.raw("<circle").at("cx", at + 8).at("cy", line - 4.0);
          svg.raw(" r=\"3.2\" class=\"s" + layer.colour + "\"/>");
        } else {
          kind += layer.kind == Kind.BARS ? "wide " : "";
          svg.path(ends, new double[] {line - 4.0, line - 4.0}, kind + "s" + layer.colour, false);
        }
        svg.words(at + 21, line, "start", "name", name);
        at += width;
        any = true;
      }
    }
    return any ? line + 8 : top - ROW + 4;
  }

  private static String shortened(String words, int most) {
    return words.length() <= most ? words : words.substring(0, most - 1) + "…";
  }
}
