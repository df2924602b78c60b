package org.lampyris.dataprep.formula;

import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.lampyris.bounds.config.NearestName;
import org.lampyris.bounds.config.UserException;

/** Refusal of functions that a formula does not have, with what to write instead. */
final class UnknownFunction {
  /** The functions that make a column, or several, of columns. */
  private static final List<String> OF_COLUMNS =
      List.of(
          "I",
          "ifelse",
          "scale",
          "poly",
          "bs",
          "ns",
          "s",
          "t2",
          "cut",
          "factor",
          "as.factor",
          "relevel",
          "ordered",
          "mo",
          "C",
          "offset");

  /** Replacements for unsupported functions of R, its packages or Python. */
  private static final Map<String, String> INSTEAD =
      Map.ofEntries(
          Map.entry("c", "write I(f %in% c(\"a\", \"b\"))"),
          Map.entry("rcs", "write ns(x, df = k), natural cubic splines"),
          Map.entry("te", "write t2(x, z)"),
          Map.entry("ti", "write t2(x, z)"),
          Map.entry("gp", "write s(x), or t2(x, z) for two columns"),
          Map.entry("lo", "write s(x)"),
          Map.entry("mm", "write (1 | g) for each column of groups"),
          Map.entry("gr", "known correlations of groups are not available; write (1 | g)"),
          Map.entry("car", "correlations of neighbours are not available; write (1 | g)"),
          Map.entry("sar", "correlations of neighbours are not available; write (1 | g)"),
          Map.entry("interaction", "write a:b"),
          Map.entry("paste", "write a:b"),
          Map.entry("paste0", "write a:b"),
          Map.entry("as.character", "write factor(x)"),
          Map.entry("as.ordered", "write ordered(x)"),
          Map.entry("as.double", "write as.numeric(x)"),
          Map.entry("as.logical", "write I(x > 0)"),
          Map.entry("if_else", "write ifelse(x > 0, a, b)"),
          Map.entry("case_when", "write ifelse(x > 0, a, b), one in another"),
          Map.entry("findInterval", "write cut(x, c(0, 1, 5))"),
          Map.entry("center", "write scale(x, scale = FALSE)"),
          Map.entry("standardize", "write scale(x)"),
          Map.entry("zscore", "write scale(x)"),
          Map.entry("rescale", "write scale(x)"),
          Map.entry("mean", "write scale(x, scale = FALSE) for x about its mean"),
          Map.entry("sd", "write scale(x) for x in units of its sd"),
          Map.entry("min", "write pmin(x, z)"),
          Map.entry("max", "write pmax(x, z)"),
          Map.entry("logit", "write qlogis(p)"),
          Map.entry("inv_logit", "write plogis(x)"),
          Map.entry("asinh", "write log(x + sqrt(x^2 + 1))"),
          Map.entry("is.na", "set data.missing, and compute (x IS NULL) AS x_missing"),
          Map.entry("quantile", "compute NTILE(4) OVER (ORDER BY x) AS quarter"),
          Map.entry("ntile", "compute NTILE(4) OVER (ORDER BY x) AS quarter"),
          Map.entry("rank", "compute RANK() OVER (ORDER BY x) AS place"),
          Map.entry("lag", "compute LAG(x) OVER (PARTITION BY id ORDER BY t) AS x_before"),
          Map.entry("year", "compute YEAR(day) AS year"),
          Map.entry("month", "compute MONTH(day) AS month"),
          Map.entry("weekdays", "compute DATE_FORMAT(day, 'E') AS weekday"),
          Map.entry("substr", "compute SUBSTR(x, 1, 3) AS code"),
          Map.entry("Surv", "set model.event, with model.family: weibull or another of times"),
          Map.entry("strata", "write (1 | g)"),
          Map.entry("Error", "write (1 | g)"),
          Map.entry("cbind", "write cbind(successes, failures) before ~"),
          Map.entry("trials", "write k | trials(n) before ~"),
          Map.entry("weights", "write y | weights(w) before ~, or set data.weight"),
          Map.entry("weight", "write y | weights(w) before ~, or set data.weight"),
          Map.entry("rate", "write offset(log(exposure)) behind ~"),
          Map.entry("cens", "set model.event, with model.family: weibull or another of times"),
          Map.entry("trunc", "truncated responses are not available; write the label alone"),
          Map.entry("se", "write y | weights(w) with w = 1/se^2, and set model.sigma: 1"),
          Map.entry("mi", "drop rows without a value by data.missing: drop"),
          Map.entry("me", "measurement errors are not available; write the column alone"),
          Map.entry("cs", "effects that differ by class are not available; write the column alone"),
          Map.entry("ar", "write s(time), or (1 | g)"),
          Map.entry("arma", "write s(time), or (1 | g)"),
          Map.entry("arima", "write s(time), or (1 | g)"),
          Map.entry("ma", "write s(time), or (1 | g)"),
          Map.entry("cosy", "write (1 | g)"),
          Map.entry("unstr", "write (1 | g)"),
          Map.entry("bf", "write the formula alone, and others of sigma or zi in model.formulas"),
          Map.entry("subset", "leave rows out by WHERE"),
          Map.entry("as.Date", "set data.dates: days, and write the column alone"),
          Map.entry("pspline", "write s(x)"),
          Map.entry("mvbind", "fit one response after the other"));

  private UnknownFunction() {}

  /** Returns whether a function with this name exists, for any arguments. */
  static boolean isKnown(String function) {
    return Scalar.FUNCTIONS.containsKey(function)
        || Scalar.SEVERAL.containsKey(function)
        || OF_COLUMNS.contains(function);
  }

  /**
   * Returns the error about an unknown function.
   *
   * @param where its context, or its number of arguments, for the message
   */
  static UserException named(String function, String where, String text) {
    TreeSet<String> numbers = new TreeSet<>(Scalar.FUNCTIONS.keySet());
    numbers.addAll(Scalar.SEVERAL.keySet());
    String instead = INSTEAD.get(function);
    if (instead == null) {
      TreeSet<String> all = new TreeSet<>(numbers);
      all.addAll(OF_COLUMNS);
      instead =
          NearestName.of(function, all)
              .map("did you mean %s? Or compute it"::formatted)
              .orElse("compute it");
    }
    return UserException.usage(
        "model.formula \"%s\": there is no function %s%s; %s%s. There are %s of numbers, and %s."
            .formatted(
                Formula.shown(text),
                function,
                where,
                instead,
                instead.contains("compute") ? " in data.query" : "",
                String.join(", ", numbers),
                String.join(", ", OF_COLUMNS)));
  }

  /** Returns the error about a call that computes no number. */
  static UserException of(Expression.Call call, String text) {
    String function = call.function();
    if (Expression.SPACED.contains(function) || Expression.CLOSE.contains(function)) {
      return UserException.usage(
          "model.formula \"%s\": there is no operator %s for numbers in '%s'; use + - * / ^ and comparisons, or compute it in data.query."
              .formatted(Formula.shown(text), function, call));
    }
    if (OF_COLUMNS.contains(function) && !call.arguments().isEmpty()) {
      return Formula.wrong(
          text,
          "'%s' stands within another function, where a number is due; write it as a term of its own"
              .formatted(call));
    }
    String arguments =
        isKnown(function) ? " of %d arguments".formatted(call.arguments().size()) : "";
    return named(function, arguments + ", as in '" + call + "'", text);
  }
}
