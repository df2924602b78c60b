package org.lampyris.bounds.prior;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.lampyris.bounds.config.UserException;

/**
 * Possible names of coefficients, as far as an input's columns show before its rows are read.
 *
 * @param columns the columns whose names are known: the intercept, if there is one, and the numeric
 *     features
 * @param categorical the features that become a column {@code name[level]} for each level but one
 * @param own the coefficients that are no column's
 * @param classes whether a column has a coefficient {@code name[class]} for each class
 */
public record PriorNames(
    List<String> columns, List<String> categorical, List<String> own, boolean classes) {
  private static final Pattern MONOTONIC =
      Pattern.compile("((?:.*:)?mo[^:\\[]*)\\[[^\\]]*\\]((?::.*)?)");

  /**
   * Refuses a name that no coefficient can have for any rows.
   *
   * @throws UserException (usage) if there is one
   */
  public void require(Set<String> names) {
    List<String> known = new ArrayList<>(columns);
    known.addAll(own);
    known.addAll(sdsOfSmooths());
    known.addAll(ofMonotonic());
    for (String name : names) {
      if (!isPossible(name, known)) {
        throw UserException.usage(
            "model.priors names \"%s\", but no column of the input has a coefficient with this name; %s"
                .formatted(
                    name,
                    PriorConfig.meant(
                        name,
                        with(known, bracket(name)),
                        "its columns are ",
                        with(columns, "[…]"))));
      }
    }
  }

  private boolean isPossible(String name, List<String> known) {
    return known.contains(name)
        || categorical.stream().anyMatch(column -> isOf(column, name))
        || (classes && known.stream().anyMatch(column -> isOf(column, name)));
  }

  /** Returns {@code sds_sx_1} where there is a column {@code s_sx_1[1]}. */
  private List<String> sdsOfSmooths() {
    return columns.stream()
        .filter(name -> name.startsWith("s_") && name.endsWith("[1]"))
        .map(name -> "sd" + name.substring(0, name.length() - 3))
        .toList();
  }

  /**
   * Returns {@code bsp_mox} and {@code simo_mox1} where there is a column {@code mox[1]}, and
   * {@code bsp_mox:z} and {@code simo_mox:z1} where there is {@code mox[1]:z}.
   */
  private List<String> ofMonotonic() {
    return columns.stream()
        .map(MONOTONIC::matcher)
        .filter(Matcher::matches)
        .map(of -> new MonotonicColumns(of.group(1) + of.group(2), List.of()))
        .flatMap(one -> Stream.of(one.slope(), one.simplex()))
        .distinct()
        .toList();
  }

  /** Returns whether a name is a column's with a level or a class appended. */
  private static boolean isOf(String column, String name) {
    return name.startsWith(column + "[") && name.endsWith("]");
  }

  /** Returns the level or class that a name gives. */
  private static String bracket(String name) {
    return name.contains("[") ? name.substring(name.indexOf('[')) : "[…]";
  }

  /** Returns names, then those of columns with levels, each with a level appended. */
  private List<String> with(List<String> names, String level) {
    return Stream.concat(names.stream(), categorical.stream().map(column -> column + level))
        .toList();
  }
}
