package org.lampyris.driver.report;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.lampyris.bounds.config.Text;
import org.lampyris.driver.output.CsvText;

/** The sections on effects of groups: the largest and the least of each grouping. */
final class EffectSection {
  private static final int SHOWN = 15;

  private EffectSection() {}

  /** Returns the sections; nothing if the model has no such effects. */
  static String of(Configuration conf, RunFolder run) throws IOException {
    Html html = new Html();
    int k = 0;
    for (JsonNode grouping : run.manifest().path("effects")) {
      html.section("effects" + k++, "Effects by " + grouping.path("group").asText());
      String folder = grouping.path("folder").asText();
      Path csv = new Path(run.folder(), folder + ".csv");
      String about =
          Text.of(
              "%,d effects of %,d levels, in %s.",
              grouping.path("rows").asLong(), grouping.path("levels").asLong(), folder);
      if (csv.getFileSystem(conf).exists(csv)) {
        Map<String, List<Forest.Interval>> intervals = intervals(CsvText.read(conf, csv), csv);
        html.faint(
            about
                + (intervals.values().stream().anyMatch(of -> of.size() > 2 * SHOWN)
                    ? Text.of(" The %d largest and the %d smallest are shown.", SHOWN, SHOWN)
                    : ""));
        intervals.forEach(
            (effect, of) -> {
              if (intervals.size() > 1) {
                html.words("h3", effect);
              }
              Forest.write(html, ends(of));
            });
      } else {
        html.faint(about + " They are too many to show.");
      }
      html.close("section");
    }
    return html.toString();
  }

  private static List<Forest.Interval> ends(List<Forest.Interval> intervals) {
    if (intervals.size() <= 2 * SHOWN) {
      return intervals;
    }
    List<Forest.Interval> sorted = new ArrayList<>(intervals);
    sorted.sort(java.util.Comparator.comparingDouble(Forest.Interval::mean));
    List<Forest.Interval> ends = new ArrayList<>(sorted.subList(0, SHOWN));
    ends.addAll(sorted.subList(sorted.size() - SHOWN, sorted.size()));
    return ends;
  }

  /** Returns the intervals of each effect: their scales differ. */
  private static Map<String, List<Forest.Interval>> intervals(List<String[]> lines, Path file) {
    Map<String, List<Forest.Interval>> intervals = new LinkedHashMap<>();
    List<String> columns = List.of(lines.get(0));
    int[] at = {columns.indexOf("mean"), columns.indexOf("sd"), columns.indexOf("q5")};
    int high = columns.indexOf("q95");
    int level = columns.indexOf("level");
    int effect = columns.indexOf("effect");
    for (int line = 1; line < lines.size(); line++) {
      String[] cells = lines.get(line);
      double[] of = new double[3];
      for (int k = 0; k < 3; k++) {
        of[k] = CsvText.number(file, line + 1, columns.get(at[k]), cells[at[k]]);
      }
      double q95 = CsvText.number(file, line + 1, "q95", cells[high]);
      intervals
          .computeIfAbsent(cells[effect], name -> new ArrayList<>())
          .add(new Forest.Interval(cells[level], of[0], of[1], of[2], q95));
    }
    return intervals;
  }
}
