package org.lampyris.dataprep.generate;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.ConfigText;
import org.lampyris.bounds.config.Inline;
import org.lampyris.bounds.config.Interval;
import org.lampyris.bounds.config.Section;
import org.lampyris.bounds.config.UserException;
import org.lampyris.dataprep.read.Source;

/**
 * The section {@code generate}: a table of a regression with known coefficients.
 *
 * @param family what the label follows η by: the name of a family. Without the key it is {@code
 *     model.family}; null if no labels are drawn of that
 * @param visits the time between visits, at which events are noticed; null if they are seen
 * @param format one of {@link Source#FORMATS}
 * @param output the folder to write, {@code table/} and {@code true_coefficients.csv} in it; null
 *     where the command needs none
 */
public record GenerateSection(
    @Inline Law law,
    @Inline Grouping grouping,
    @Nullable String family,
    @Nullable Double visits,
    String format,
    @Nullable String output) {
  /**
   * Groups of rows, in a column of their numbers, each with an effect on the linear predictor.
   *
   * @param groups how many there are, a row being of any with the same probability; 0 for none
   * @param groupSd the standard deviation of their effects, which are normal about 0
   */
  public record Grouping(long groups, double groupSd) implements Serializable {
    /** No groups. */
    public static final Grouping NONE = new Grouping(0, 0);
  }

  /**
   * Law from which the table is drawn.
   *
   * @param rows how many rows, at least 1
   * @param features the number of features without the intercept, at least 1
   * @param seed the seed; the table depends on it and not on the number of partitions
   * @param correlation the correlation of any two features, in [0, 1)
   * @param positiveRate the expected share of positive labels, in (0, 1), reached through the
   *     intercept; null for an intercept of 0
   * @param tailDf degrees of freedom of Student-t features, above 2; null for normal features
   * @param effectScale standard deviation of the linear predictor about its mean
   * @param ownScale standard deviation of the linear predictor of the family's own parameter; 0 if
   *     it is the same in all rows
   * @param active how many features, the first ones, have a coefficient other than 0; 0 for all
   */
  public record Law(
      long rows,
      int features,
      long seed,
      double correlation,
      @Nullable Double positiveRate,
      @Nullable Double tailDf,
      double effectScale,
      double ownScale,
      int active) {}

  /**
   * Reads the section.
   *
   * @param modelled {@code model.family}, which labels follow unless the section names another
   * @throws org.lampyris.bounds.config.UserException (usage) if a key is unknown or a value wrong
   */
  public static GenerateSection read(Section root, String modelled) {
    Section section =
        root.section("generate", ConfigText.keys(GenerateSection.class).toArray(String[]::new));
    String format = section.choice("format", Source.FORMATS);
    long groups = section.whole("groups", 0L, 0, Long.MAX_VALUE);
    if (groups > 0 && "libsvm".equals(format)) {
      throw section.wrong("groups", "omitted with format: libsvm, which has no column for groups");
    }
    String named = section.choice("family", DrawnResponse.keys());
    String key = named == null && DrawnResponse.keys().contains(modelled) ? modelled : named;
    DrawnResponse family = key == null ? DrawnResponse.LOGISTIC : DrawnResponse.of(key);
    if ((family == DrawnResponse.BINOMIAL || family.isTime()) && "libsvm".equals(format)) {
      throw section.wrong(
          "family", "another family with format: libsvm, which has no column of trials or events");
    }
    if (family != DrawnResponse.LOGISTIC && section.has("positive_rate")) {
      throw section.wrong("positive_rate", "omitted unless family: logistic");
    }
    if (!family.isTime() && section.has("visits")) {
      throw section.wrong("visits", "omitted unless family has times, for instance weibull");
    }
    Law law =
        new Law(
            section.whole("rows", 1_000_000L, 1, Long.MAX_VALUE),
            section.whole("features", 20, 1, Integer.MAX_VALUE),
            section.whole("seed", 1L, Long.MIN_VALUE, Long.MAX_VALUE),
            section.number("correlation", 0, new Interval(0, true, 1, false)),
            section.number("positive_rate", Interval.OPEN_UNIT),
            section.number("tail_df", Interval.above(2)),
            section.number("effect_scale", 1, new Interval(0, true, Double.MAX_VALUE, true)),
            section.number("own_scale", 0, new Interval(0, true, Double.MAX_VALUE, true)),
            section.whole("active", 0, 0, Integer.MAX_VALUE));
    if (family.modelled().isEmpty() && law.ownScale() > 0) {
      throw section.wrong(
          "own_scale", "0 unless the family has a parameter of its own, for instance gaussian");
    }
    if (law.active() > law.features()) {
      throw section.wrong("active", "at most generate.features, " + law.features());
    }
    return new GenerateSection(
        law,
        new Grouping(groups, section.number("group_sd", 1, Interval.NON_NEGATIVE)),
        key,
        section.number("visits", Interval.POSITIVE),
        format == null ? "parquet" : format,
        section.text("output"));
  }

  /**
   * Returns the response that labels are drawn from.
   *
   * @throws UserException (usage) if no table is generated of {@code model.family}
   */
  public DrawnResponse response() {
    if (family == null) {
      throw UserException.usage(
          "generate draws no labels of model.family. Set generate.family to one of %s."
              .formatted(String.join(", ", DrawnResponse.keys())));
    }
    return DrawnResponse.of(family);
  }
}
