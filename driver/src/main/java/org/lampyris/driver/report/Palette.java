package org.lampyris.driver.report;

import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The colours of charts, by day and by night, as a style sheet. */
public final class Palette {
  private static final String[] LIGHT = {
    "#3b6fd4", "#d9820f", "#2f9e5b", "#c9405e", "#8a57d6", "#0f95a3", "#9a6a3f", "#6d7683"
  };
  private static final String[] DARK = {
    "#7ba6f7", "#f0a94a", "#63c98b", "#f0809a", "#b794f4", "#4fc5d1", "#cfa27a", "#a6afbb"
  };

  /** Number of distinguishable colours. */
  public static final int COLOURS = LIGHT.length;

  private Palette() {}

  /** Returns the style sheet of charts, which names colours as {@link #variables} sets them. */
  public static String rules() {
    return """
    svg.chart{font:12px system-ui,-apple-system,"Segoe UI",sans-serif;max-width:100%;height:auto}
    .chart text{fill:var(--ink)}.chart .minor{fill:var(--faint)}.chart .head{font-weight:600;font-size:13px}
    .chart .grid{stroke:var(--line);stroke-width:1}.chart .rule{stroke:var(--faint);stroke-dasharray:4 3}
    .chart path,.spark path{fill:none;stroke-width:1.5;stroke-linejoin:round}
    .chart .wash,.spark .wash{stroke:none;fill-opacity:.18}
    .chart .wide{stroke-width:5;stroke-opacity:.45}.chart .dash{stroke-dasharray:5 3}.chart .thin{stroke-width:.8;stroke-opacity:.75}
    """
        + IntStream.range(0, COLOURS)
            .mapToObj(
                k ->
                    ".s%1$d{stroke:var(--c%1$d);fill:var(--c%1$d)}path.s%1$d{fill:none}path.wash.s%1$d{fill:var(--c%1$d)}\n"
                        .formatted(k))
            .collect(Collectors.joining());
  }

  /** Returns the CSS variables of the colours, with those of a dark page. */
  public static String variables() {
    return ":root{--paper:#fff;--card:#f7f8fa;--ink:#1d2530;--faint:#68727f;--line:#dfe3e8;"
        + colours(LIGHT)
        + "}\n"
        + "@media (prefers-color-scheme:dark){:root{--paper:#14181d;--card:#1c2229;--ink:#e4e8ee;"
        + "--faint:#98a2af;--line:#333b45;"
        + colours(DARK)
        + "}}\n";
  }

  private static String colours(String[] of) {
    return IntStream.range(0, of.length)
        .mapToObj(k -> "--c" + k + ":" + of[k] + ";")
        .collect(Collectors.joining());
  }
}
