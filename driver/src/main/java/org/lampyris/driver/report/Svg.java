package org.lampyris.driver.report;

import java.util.Locale;

/** Writer of SVG text: escaped, numbers with one decimal. */
final class Svg {
  private final StringBuilder text = new StringBuilder();

  /** Adds an element's markup. */
  Svg raw(String markup) {
    text.append(markup);
    return this;
  }

  /** Adds a coordinate: half a tenth of a pixel cannot be seen. */
  Svg number(double value) {
    long tenths = Math.round(value * 10);
    if (tenths < 0) {
      text.append('-');
      tenths = -tenths;
    }
    text.append(tenths / 10);
    if (tenths % 10 != 0) {
      text.append('.').append(tenths % 10);
    }
    return this;
  }

  /** Adds an attribute that is a coordinate. */
  Svg at(String name, double value) {
    text.append(' ').append(name).append("=\"");
    return number(value).raw("\"");
  }

  /** Adds words at a place. */
  Svg words(double x, double y, String anchor, String kind, String words) {
    text.append("<text");
    at("x", x).at("y", y).raw(" text-anchor=\"" + anchor + "\" class=\"" + kind + "\">");
    text.append(Html.escaped(words)).append("</text>");
    return this;
  }

  /** Adds a line. */
  Svg line(double x1, double y1, double x2, double y2, String kind) {
    text.append("<line");
    at("x1", x1).at("y1", y1).at("x2", x2).at("y2", y2).raw(" class=\"" + kind + "\"/>");
    return this;
  }

  /**
   * Adds a line through points, with a gap at each missing number.
   *
   * @param closed whether what it goes round is filled
   */
  Svg path(double[] x, double[] y, String kind, boolean closed) {
    text.append(String.format(Locale.ROOT, "<path class=\"%s\" d=\"", kind));
    boolean pen = false;
    for (int i = 0; i < x.length; i++) {
      if (Double.isFinite(x[i]) && Double.isFinite(y[i])) {
        text.append(pen ? 'L' : 'M');
        number(x[i]).raw(" ").number(y[i]);
        pen = true;
      } else {
        pen = false;
      }
    }
    text.append(closed ? "Z\"/>" : "\"/>");
    return this;
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
