package org.lampyris.bounds.prior;

import java.io.Serializable;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.Section;
import org.lampyris.bounds.config.UserException;

/**
 * Configured prior: its text, and the density that the text names. {@link #AUTO} names none, and
 * stands for the prior that follows from the table.
 */
public final class ConfiguredPrior implements Serializable {
  /** See {@link PriorConfig#AUTO}. */
  public static final ConfiguredPrior AUTO = new ConfiguredPrior(PriorConfig.AUTO, null);

  private static final long serialVersionUID = 1L;

  private final String text;
  private final @Nullable UnivariatePrior density;

  private ConfiguredPrior(String text, @Nullable UnivariatePrior density) {
    this.text = text;
    this.density = density;
  }

  /**
   * Returns the prior that a text names.
   *
   * @throws IllegalArgumentException if it names none: see {@link PriorParser}
   */
  public static ConfiguredPrior of(String text) {
    return text.equals(PriorConfig.AUTO)
        ? AUTO
        : PriorParser.isDirichlet(text)
            ? new ConfiguredPrior(
                dirichlet(PriorParser.dirichlet(text)), new UnivariatePrior.Flat())
            : given(text);
  }

  /** Returns the text of the prior of a simplex: one number if all α are the same. */
  static String dirichlet(double[] alpha) {
    boolean same = Arrays.stream(alpha).allMatch(a -> a == alpha[0]);
    return Arrays.stream(same ? new double[] {alpha[0]} : alpha)
        .mapToObj(Double::toString)
        .collect(Collectors.joining(", ", "dirichlet(", ")"));
  }

  /** Returns whether it is the prior of a simplex: dirichlet(α), or an α for each element. */
  public boolean isDirichlet() {
    return PriorParser.isDirichlet(text);
  }

  /** Returns α, one number or one for each element, of a prior of a simplex. */
  double[] alpha() {
    return PriorParser.dirichlet(text);
  }

  /**
   * Returns the prior that a text names, if it does not depend on the table.
   *
   * @throws IllegalArgumentException if it names none: see {@link PriorParser}
   */
  public static ConfiguredPrior given(String text) {
    return new ConfiguredPrior(text, PriorParser.parse(text));
  }

  /**
   * Returns the prior of a scale that a text names, {@link #AUTO} among them.
   *
   * @throws IllegalArgumentException if it names none, or one with negative values: see {@link
   *     LogScalePrior}
   */
  public static ConfiguredPrior ofScale(String text) {
    ConfiguredPrior prior = of(text);
    if (!prior.isAuto()) {
      prior.ofLogarithm();
    }
    return prior;
  }

  /** Returns a density as a prior that was configured with all its digits. */
  public static ConfiguredPrior of(UnivariatePrior density) {
    return new ConfiguredPrior(density.toString(), density);
  }

  /**
   * Reads a key.
   *
   * @throws UserException (usage) with the place of the key, if its text is no prior
   */
  public static ConfiguredPrior read(Section section, String key, String byDefault) {
    return section.checked(key, ConfiguredPrior::of, section.text(key, byDefault));
  }

  /** Returns the prior of a number that a program draws, which only the program knows. */
  public static ConfiguredPrior ofProgram() {
    return new ConfiguredPrior("as in the program", new UnivariatePrior.Flat());
  }

  /** Returns whether this is a {@link SharedHorseshoe}. */
  public boolean isShared() {
    return density instanceof SharedHorseshoe;
  }

  /** Returns whether this is {@link #AUTO}. */
  public boolean isAuto() {
    return density == null;
  }

  /**
   * Returns the density.
   *
   * @throws IllegalStateException if it follows from the table
   */
  public UnivariatePrior density() {
    if (density == null) {
      throw new IllegalStateException("this prior depends on the table");
    }
    return density;
  }

  /**
   * Returns the prior of log x if this is the prior of the scale x.
   *
   * @throws IllegalArgumentException if this has negative values
   * @throws IllegalStateException if it follows from the table
   */
  public UnivariatePrior ofLogarithm() {
    return new LogScalePrior(density());
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ConfiguredPrior prior && text.equals(prior.text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  /** Returns the configured text. */
  @Override
  public String toString() {
    return text;
  }
}
