package org.lampyris.driver.config;

import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.Interval;
import org.lampyris.bounds.config.Section;

/**
 * The section {@code generate}: a synthetic table with known coefficients. The keys have the
 * meaning of the components of {@link org.lampyris.dataprep.generate.GenerateSpec}.
 *
 * @param rows how many rows
 * @param features how many features besides the intercept
 * @param seed the seed of the table
 * @param correlation the correlation of any two features
 * @param positiveRate the expected share of positive labels; null for an intercept of 0
 * @param tailDf degrees of freedom of Student-t features; null for normal features
 * @param effectScale standard deviation of the linear predictor
 * @param format "parquet", "csv" or "libsvm"
 * @param output the folder to write; null where the command needs none
 */
public record GenerateConfig(
    long rows,
    int features,
    long seed,
    double correlation,
    @Nullable Double positiveRate,
    @Nullable Double tailDf,
    double effectScale,
    String format,
    @Nullable String output) {

  static GenerateConfig read(Section root) {
    Section section =
        root.section(
            "generate",
            "rows",
            "features",
            "seed",
            "correlation",
            "positive_rate",
            "tail_df",
            "effect_scale",
            "format",
            "output");
    String format = section.choice("format", DataConfig.FORMATS);
    return new GenerateConfig(
        section.whole("rows", 1_000_000L, 1, Long.MAX_VALUE),
        section.whole("features", 20, 1, Integer.MAX_VALUE),
        section.whole("seed", 1L, Long.MIN_VALUE, Long.MAX_VALUE),
        section.number("correlation", 0, new Interval(0, true, 1, false)),
        section.number("positive_rate", Interval.OPEN_UNIT),
        section.number("tail_df", Interval.above(2)),
        section.number("effect_scale", 1, new Interval(0, true, Double.MAX_VALUE, true)),
        format == null ? "parquet" : format,
        section.text("output"));
  }
}
