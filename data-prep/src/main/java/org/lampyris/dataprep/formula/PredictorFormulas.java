package org.lampyris.dataprep.formula;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.lampyris.bounds.config.UserException;

/**
 * Formulas of several linear predictors of one table: the label's, and those of a family's own
 * parameters. The table has the columns of all of them, each column once.
 */
public final class PredictorFormulas {
  private PredictorFormulas() {}

  /**
   * Returns the labels of each predictor's terms, the label's first, as the table names them.
   *
   * @param formula the label's formula
   * @param table the formula of the table's columns, with the terms of all predictors
   * @param others by parameter the right-hand sides, with a ~ before them
   * @throws UserException (usage) if a predictor has what a table of several cannot have, or other
   *     columns than it has alone
   */
  public static List<List<String>> terms(String formula, String table, Map<String, String> others) {
    Formula first = Formula.parse(formula);
    Map<String, Formula> parts = new LinkedHashMap<>();
    parts.put("model.formula", first);
    for (Map.Entry<String, String> other : others.entrySet()) {
      String key = "model.formulas." + other.getKey();
      Formula of = parsed(key, first.left() + " " + other.getValue());
      if (of.offset() != null || !of.random().isEmpty()) {
        throw wrong(key, of, "it takes neither an offset nor effects of groups. Remove them");
      }
      parts.put(key, of);
    }
    Terms all = Formula.parse(table).terms();
    return parts.entrySet().stream()
        .map(part -> labels(part.getKey(), part.getValue(), all))
        .toList();
  }

  private static Formula parsed(String key, String text) {
    try {
      return Formula.parse(text);
    } catch (UserException e) {
      String message = String.valueOf(e.getMessage());
      throw UserException.usage(message.replaceFirst("^model\\.formula ", key + " "), e);
    }
  }

  private static List<String> labels(String key, Formula of, Terms all) {
    Terms own = of.terms();
    if (!own.intercept()) {
      throw wrong(key, of, "every predictor needs an intercept. Remove 0 or -1");
    }
    if (own.variables().stream().anyMatch(Smooth::is)) {
      throw wrong(key, of, "smooths are for a model of one predictor. Write bs(x, df = k)");
    }
    if (of.isMonotonic()) {
      throw wrong(key, of, "mo() is for a model of one predictor. Write ordered(x)");
    }
    if (of.termColumns().isEmpty()) {
      throw wrong(key, of, "several predictors need their terms one by one. Write them for '.'");
    }
    List<String> labels = new ArrayList<>();
    for (int t = 0; t < own.terms().size(); t++) {
      BitSet term = new BitSet();
      own.terms().get(t).stream()
          .map(v -> all.variables().indexOf(own.variables().get(v)))
          .forEach(term::set);
      int place = all.terms().indexOf(term);
      for (int v : own.terms().get(t).stream().toArray()) {
        int other = all.variables().indexOf(own.variables().get(v));
        if (own.contrasts(t, v) != all.contrasts(place, other)) {
          throw wrong(
              key,
              of,
              "'%s' would have other columns than in a model of its own, because another predictor has a part of it. Write %s"
                  .formatted(own.label(t), String.join(" * ", own.label(t).split(":"))));
        }
      }
      labels.add(all.label(place));
    }
    return labels;
  }

  private static UserException wrong(String key, Formula of, String problem) {
    return UserException.usage("%s \"%s\": %s.".formatted(key, Formula.shown(of.text()), problem));
  }
}
