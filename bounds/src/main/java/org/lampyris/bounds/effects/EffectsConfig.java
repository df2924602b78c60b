package org.lampyris.bounds.effects;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.lampyris.bounds.config.ConfigText;
import org.lampyris.bounds.config.NearestName;
import org.lampyris.bounds.config.Section;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.prior.ConfiguredPrior;
import org.lampyris.bounds.prior.PriorConfig;
import org.lampyris.bounds.prior.UnivariatePrior;

/**
 * Entry of {@code model.random}: a grouping factor, its effects, and their priors.
 *
 * @param group the input's column whose equal values make a group
 * @param effects the coefficients that vary by group, named as coefficients are
 */
public record EffectsConfig(String group, List<String> effects, Priors prior) {
  private static final String INTERCEPT = "(Intercept)";
  private static final String DEFAULT_CORRELATION = "lkj(1)";

  /** Value of {@code prior.correlation} for effects that have no correlations. */
  public static final String NONE = "none";

  private static final Pattern LKJ = Pattern.compile("\\s*lkj\\s*\\(([0-9.eE+-]+)\\s*\\)\\s*");

  /**
   * The priors, as written.
   *
   * @param sd of each standard deviation; {@link PriorConfig#AUTO} scales it by the table
   * @param correlation {@code lkj(η)}, of the correlations, or {@link #NONE}
   */
  public record Priors(ConfiguredPrior sd, String correlation) {}

  /** Copies the list. */
  public EffectsConfig {
    effects = List.copyOf(effects);
  }

  /**
   * Reads the list of entries.
   *
   * @throws UserException (usage) if one is wrong; the message names place, key and remedy
   */
  public static List<EffectsConfig> read(Section model, String key) {
    List<EffectsConfig> all =
        model.sections(key, ConfigText.keys(EffectsConfig.class).toArray(String[]::new)).stream()
            .map(EffectsConfig::read)
            .toList();
    Set<List<String>> seen = new HashSet<>();
    for (EffectsConfig one : all) {
      for (String effect : one.effects) {
        if (!seen.add(List.of(one.group, effect))) {
          throw UserException.usage(
              "%s: %s lets '%s' vary by '%s' twice. Remove it from one entry of that group."
                  .formatted(model.originOf(key), model.name(key), effect, one.group));
        }
      }
    }
    return all;
  }

  private static EffectsConfig read(Section entry) {
    String group = entry.text("group", "");
    if (group.isEmpty()) {
      throw entry.wrong("group", "a column of the input, for instance group: hospital");
    }
    List<String> effects = entry.has("effects") ? entry.texts("effects") : List.of(INTERCEPT);
    if (effects.isEmpty() || new HashSet<>(effects).size() < effects.size()) {
      throw entry.wrong(
          "effects", "coefficients that vary by group, each once, for instance [\"(Intercept)\"]");
    }
    Section prior = entry.section("prior", ConfigText.keys(Priors.class).toArray(String[]::new));
    ConfiguredPrior sd =
        prior.checked("sd", EffectsConfig::ofScale, prior.text("sd", PriorConfig.AUTO));
    Priors priors = new Priors(sd, prior.text("correlation", DEFAULT_CORRELATION));
    prior.checked("correlation", EffectsConfig::shape, priors.correlation);
    return new EffectsConfig(group, effects, priors);
  }

  private static ConfiguredPrior ofScale(String text) {
    ConfiguredPrior prior = ConfiguredPrior.of(text);
    if (!prior.isAuto() && !(prior.density().lower() >= 0)) {
      throw new IllegalArgumentException(
          "the prior of a standard deviation must exclude negative values, unlike %s. Write for instance half_normal(0, 1) or exponential(1)."
              .formatted(text));
    }
    return prior;
  }

  private static double shape(String text) {
    if (text.equals(NONE)) {
      return 1;
    }
    Matcher found = LKJ.matcher(text);
    if (found.matches()) {
      try {
        double shape = Double.parseDouble(found.group(1));
        if (shape > 0 && shape < Double.POSITIVE_INFINITY) {
          return shape;
        }
      } catch (NumberFormatException e) {
        // Said below.
      }
    }
    throw new IllegalArgumentException(
        "the prior of correlations must be lkj(shape), with a shape above 0, for instance lkj(2),"
            + " or none for effects without correlations, and not "
            + text);
  }

  /** Returns whether the priors of the standard deviations follow from the table. */
  public boolean isAuto() {
    return prior.sd.isAuto();
  }

  /**
   * Returns the effects, with their priors as densities.
   *
   * @param auto the default prior of the standard deviation of an effect, by its number
   */
  public GroupingEffects parsed(IntFunction<UnivariatePrior> auto) {
    List<UnivariatePrior> sds = new ArrayList<>();
    for (int e = 0; e < effects.size(); e++) {
      sds.add(prior.sd.isAuto() ? auto.apply(e) : prior.sd.density());
    }
    double shape = shape(prior.correlation);
    return prior.correlation.equals(NONE)
        ? new GroupingEffects(
            group, effects, sds, Collections.nCopies(sds.size(), new GroupingEffects.Block(1, 1)))
        : new GroupingEffects(group, effects, sds, shape);
  }

  /**
   * Returns the entry with the coefficients of a table's columns in place of terms that have
   * several, such as a factor or {@code poly(x, 2)}.
   *
   * @param columns returns a term's columns; itself for a column
   */
  public EffectsConfig expanded(Function<String, List<String>> columns) {
    return new EffectsConfig(
        group, effects.stream().flatMap(effect -> columns.apply(effect).stream()).toList(), prior);
  }

  /**
   * Returns the column of each effect; −1 for the intercept, which needs no column.
   *
   * @param columns the names of the table's columns
   * @throws UserException (usage) if there is no such column
   */
  public int[] columnsIn(List<String> columns) {
    return effects.stream().mapToInt(effect -> columnOf(effect, columns)).toArray();
  }

  private int columnOf(String effect, List<String> columns) {
    int column = columns.indexOf(effect);
    if (effect.equals(INTERCEPT)) {
      return -1;
    }
    if (column < 0) {
      Set<String> known = new LinkedHashSet<>(List.of(INTERCEPT));
      known.addAll(columns);
      throw UserException.usage(
          "model.random lets '%s' vary by %s, which is no coefficient of the table; %s"
              .formatted(effect, group, NearestName.hint(effect, known)));
    }
    return column;
  }

  /**
   * Refuses, before a table is prepared, an effect that none of its columns can be.
   *
   * @param columns the columns whose names are known
   * @param several the features that become several columns, such as {@code name[level]}
   * @throws UserException (usage) if there is one
   */
  public void require(List<String> columns, List<String> several) {
    for (String effect : effects) {
      if (several.stream()
          .noneMatch(name -> effect.equals(name) || effect.startsWith(name + "["))) {
        columnOf(effect, columns);
      }
    }
  }
}
