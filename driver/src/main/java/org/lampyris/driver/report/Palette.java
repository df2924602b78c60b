package org.lampyris.driver.report;

import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Colours by day and by night, and the style sheets of charts and of the page. */
public final class Palette {
  private static final String[] LIGHT = {
    "#3b6fd4", "#d9820f", "#2f9e5b", "#c9405e", "#8a57d6", "#0f95a3", "#9a6a3f", "#6d7683"
  };
  private static final String[] DARK = {
    "#7ba6f7", "#f0a94a", "#63c98b", "#f0809a", "#b794f4", "#4fc5d1", "#cfa27a", "#a6afbb"
  };

  /** Number of distinguishable colours. */
  public static final int COLOURS = LIGHT.length;

  private static final String PAGE =
      """
      *{box-sizing:border-box}html{-webkit-text-size-adjust:100%}
      body{margin:0;background:var(--paper);color:var(--ink);font:15px/1.5 system-ui,-apple-system,"Segoe UI",sans-serif}
      main{max-width:1280px;margin:0 auto;padding:20px 24px 60px}
      h1{font-size:24px;line-height:1.25;margin:8px 0 2px;overflow-wrap:anywhere}h2{font-size:18px;margin:0 0 8px}h3{font-size:15px;margin:14px 0 4px}
      p{margin:6px 0;max-width:76ch;overflow-wrap:anywhere}.faint,.remark{color:var(--faint)}header .faint{margin:0}
      section{margin:30px 0 0}summary{cursor:pointer;color:var(--c0);padding:8px 0}
      .verdict{border-left:6px solid var(--c2);background:var(--card);padding:14px 18px;border-radius:0 8px 8px 0;margin-top:16px}
      .verdict h2{font-size:21px}.verdict.careful{border-color:var(--c1)}.verdict.bad{border-color:var(--c3)}
      .tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(140px,1fr));gap:10px;margin-top:14px}
      .tile{background:var(--card);border-radius:8px;padding:10px 14px}
      .tile b{display:block;font-size:19px;font-variant-numeric:tabular-nums;white-space:nowrap}.tile span{color:var(--faint);font-size:13px}
      .grid{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,310px),1fr));gap:14px 18px;margin:10px 0 18px}
      @media (min-width:1000px){.three{grid-template-columns:repeat(3,1fr)}}
      .wide{overflow-x:auto;background:linear-gradient(90deg,var(--paper) 40%,transparent) 0/40px 100% no-repeat local,linear-gradient(270deg,var(--paper) 40%,transparent) 100%/40px 100% no-repeat local,linear-gradient(90deg,var(--line),transparent) 0/12px 100% no-repeat,linear-gradient(270deg,var(--line),transparent) 100%/12px 100% no-repeat}
      table{border-collapse:collapse;font-variant-numeric:tabular-nums}
      td,th{padding:3px 9px;text-align:right;white-space:nowrap;border-bottom:1px solid var(--line);font-weight:400}
      thead th{color:var(--faint);font-size:13px}tbody th{text-align:left;max-width:260px;overflow:hidden;text-overflow:ellipsis}
      .summary tbody th{position:sticky;left:0;background:var(--paper)}
      thead th:first-child,.plain td{text-align:left}.plain td{white-space:normal}.plain th{vertical-align:top;color:var(--faint)}
      .stats tbody th{white-space:normal;max-width:44ch;min-width:120px}
      tr.short th,td.short{color:var(--c3);font-weight:600}tr.short th::after{content:" !"}
      .spark{display:block}.spark path{stroke-width:1.2}
      .frow{display:grid;grid-template-columns:minmax(70px,190px) minmax(60px,1fr) 220px;gap:10px;align-items:center;font-size:13px}
      .frow+.frow{border-top:1px solid var(--line)}.fname{overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
      .fnum{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap;color:var(--faint)}
      .fax{position:relative;height:18px}.fax i{position:absolute;transform:translateX(-50%);font-style:normal;font-size:12px;color:var(--faint)}
      .fbar{display:block;overflow:visible}.fbar .bar{stroke-width:2.5}.fbar .zero{stroke:var(--faint);stroke-dasharray:3 3}
      .fbar text{fill:var(--ink)}.none{stroke:var(--faint);fill:var(--faint);opacity:.75}
      pre{overflow:auto;max-height:70vh;background:var(--card);padding:12px;border-radius:8px;font-size:12.5px}
      ul{padding-left:20px}li{overflow-wrap:anywhere;max-width:90ch}
      @media (min-width:1000px){.frow{grid-template-columns:260px minmax(60px,1fr) 220px}}
      @media (max-width:900px){table{font-size:13px}td,th{padding:3px 6px}.summary th:nth-child(2),.summary td:nth-child(2){display:none}}
      @media (max-width:600px){main{padding:12px 14px 40px}.fci{display:none}
      .frow{gap:8px;grid-template-columns:minmax(56px,104px) minmax(50px,1fr) 60px}.tile{padding:8px 10px}
      .tiles{grid-template-columns:repeat(2,1fr)}tbody th{max-width:136px}}
      @media print{details{display:block}body{font-size:12px}}
      """;

  private Palette() {}

  /** Returns the style sheet of charts, which names colours as {@link #variables} sets them. */
  public static String rules() {
    return """
    svg.chart{font:12px system-ui,-apple-system,"Segoe UI",sans-serif;max-width:100%;height:auto}
    .chart text{fill:var(--ink)}.chart .minor{fill:var(--faint)}.chart .head{font-weight:600;font-size:13px}
    .chart .grid{stroke:var(--line);stroke-width:1}.chart .rule{stroke:var(--faint);stroke-dasharray:4 3}
    .chart path,.spark path{fill:none;stroke-width:1.8;stroke-linejoin:round}
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

  /** Returns the style sheet of the report's page: light, dark, and for telephones. */
  static String page() {
    return variables() + PAGE + rules();
  }

  private static String colours(String[] of) {
    return IntStream.range(0, of.length)
        .mapToObj(k -> "--c" + k + ":" + of[k] + ";")
        .collect(Collectors.joining());
  }
}
