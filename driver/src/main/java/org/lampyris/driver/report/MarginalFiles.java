package org.lampyris.driver.report;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.Path;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.Text;
import org.lampyris.driver.output.OutputFolder;
import org.lampyris.driver.output.SummaryTable;
import org.lampyris.driver.predict.MarginalEffect;
import org.lampyris.driver.predict.MarginalEffects;
import org.lampyris.driver.predict.MarginalVariable;

/** Effects of columns as lines, as {@code effects.csv}, and as a picture of each column. */
public final class MarginalFiles {
  private static final String CSV = "effects.csv";
  private static final String PICTURES = "effects";

  /** What is written. */
  public static final List<String> ITEMS = List.of(CSV, PICTURES);

  private static final int LONGEST = 40;

  /** Distance between bars of two classes at one level. */
  private static final double BESIDE = 0.12;

  private static final List<String> COLUMNS =
      List.of("kind column value against class mean sd lower upper p_positive".split(" "));

  private MarginalFiles() {}

  /** Writes the files and moves them to their places. */
  public static void write(OutputFolder folder, MarginalEffects.Result result) throws IOException {
    folder.csv(CSV, COLUMNS, csv -> result.all().forEach(one -> csv.writeRow(cells(one))));
    Path pictures = folder.temporary(PICTURES);
    folder.fs().mkdirs(pictures);
    int k = 0;
    for (MarginalVariable column : result.columns()) {
      k++;
      String name = k + "-" + column.name().replaceAll("[^\\p{L}\\p{N}_.-]+", "_") + ".svg";
      try (OutputStream out = folder.fs().create(new Path(pictures, name), false)) {
        out.write(chart(result, column).file().getBytes(StandardCharsets.UTF_8));
      }
    }
    folder.publish();
  }

  private static @Nullable Object[] cells(MarginalEffect of) {
    return new @Nullable Object[] {
      of.kind().name().toLowerCase(java.util.Locale.ROOT),
      of.column(),
      of.value(),
      of.against(),
      of.output(),
      of.mean(),
      of.sd(),
      of.lower(),
      of.upper(),
      Double.isNaN(of.positive()) ? null : of.positive()
    };
  }

  /**
   * Returns the effects as the lines of a table. Of a number the slope is shown, and the expected
   * response at both ends of its range.
   */
  public static List<String> lines(MarginalEffects.Result result, double interval) {
    List<String[]> rows = new ArrayList<>();
    rows.add(
        new String[] {
          result.response(),
          "mean",
          "sd",
          "q" + Text.brief(50 * (1 - interval)),
          "q" + Text.brief(100 - 50 * (1 - interval)),
          "P(> 0)",
          ""
        });
    for (MarginalVariable column : result.columns()) {
      for (MarginalEffect one : of(result, column)) {
        if (!isInside(column, one)) {
          rows.add(
              new String[] {
                SummaryTable.shortened(named(one), LONGEST),
                SummaryTable.number(one.mean(), one.sd()),
                SummaryTable.number(one.sd(), one.sd()),
                SummaryTable.number(one.lower(), one.sd()),
                SummaryTable.number(one.upper(), one.sd()),
                Double.isNaN(one.positive()) ? "" : Text.of("%.3f", one.positive()),
                ""
              });
        }
      }
    }
    return SummaryTable.aligned(rows).lines().toList();
  }

  private static boolean isInside(MarginalVariable column, MarginalEffect one) {
    if (column.isFactor() || one.kind() != MarginalEffect.Kind.EXPECTED) {
      return false;
    }
    double value = Double.parseDouble(one.value());
    return value != column.low() && value != column.high();
  }

  /** Returns an effect in words, such as "dow: Sat - Fri". */
  static String named(MarginalEffect one) {
    String output = one.output().isEmpty() ? "" : " [" + one.output() + "]";
    return switch (one.kind()) {
          case EXPECTED -> one.column() + " = " + shown(one.value());
          case CONTRAST -> one.column() + ": " + one.value() + " - " + one.against();
          case SLOPE -> "slope of " + one.column();
        }
        + output;
  }

  private static String shown(String value) {
    try {
      return Text.brief(Double.parseDouble(value));
    } catch (NumberFormatException e) {
      return value; // a level
    }
  }

  private static List<MarginalEffect> of(MarginalEffects.Result result, MarginalVariable column) {
    return result.all().stream().filter(one -> one.column().equals(column.name())).toList();
  }

  /**
   * Returns the picture of a column: the expected response over its numbers or at its levels, with
   * intervals; for several classes, the means of each.
   */
  static Chart chart(MarginalEffects.Result result, MarginalVariable column) {
    List<MarginalEffect> expected =
        of(result, column).stream()
            .filter(one -> one.kind() == MarginalEffect.Kind.EXPECTED)
            .toList();
    List<String> outputs = expected.stream().map(MarginalEffect::output).distinct().toList();
    Chart chart = Chart.of("Effect of " + column.name()).axes(axis(column), result.response());
    for (String output : outputs) {
      List<MarginalEffect> curve =
          expected.stream().filter(one -> one.output().equals(output)).toList();
      double beside = BESIDE * (outputs.indexOf(output) - 0.5 * (outputs.size() - 1));
      double[] x = new double[curve.size()];
      for (int i = 0; i < x.length; i++) {
        x[i] = column.isFactor() ? i + 1 + beside : Double.parseDouble(curve.get(i).value());
      }
      double[] mean = curve.stream().mapToDouble(MarginalEffect::mean).toArray();
      double[] low = curve.stream().mapToDouble(MarginalEffect::lower).toArray();
      double[] high = curve.stream().mapToDouble(MarginalEffect::upper).toArray();
      boolean alone = outputs.size() == 1;
      if (column.isFactor()) {
        chart
            .bars(new Curve(alone ? "interval" : output, x, low), high)
            .fromTo(0.5, x.length + 0.5);
        if (alone) {
          chart.points(new Curve("mean", x, mean));
        }
      } else if (alone) {
        chart.banded(new Curve("", x, mean), low, high);
      } else {
        chart.line(new Curve(output, x, mean));
      }
    }
    return chart;
  }

  private static String axis(MarginalVariable column) {
    if (!column.isFactor()) {
      return column.name();
    }
    StringBuilder axis = new StringBuilder();
    boolean numbered = true;
    for (int k = 0; k < column.levels().size(); k++) {
      String level = column.levels().get(k);
      numbered &= level.equals(String.valueOf(k + 1));
      axis.append(k == 0 ? "" : ", ").append(k + 1).append(' ').append(level);
    }
    return numbered ? column.name() : SummaryTable.shortened(axis.toString(), 55);
  }
}
