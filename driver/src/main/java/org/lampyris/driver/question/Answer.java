package org.lampyris.driver.question;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.commons.statistics.descriptive.Quantile;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.Text;
import org.lampyris.bounds.config.UserException;
import org.lampyris.driver.output.Draws;
import org.lampyris.samplers.diagnostics.Diagnostics;
import org.lampyris.samplers.diagnostics.VariableSummary;

/**
 * Answer of the draws to a hypothesis. Figures that are not known are NaN.
 *
 * @param hypothesis as it was written
 * @param summary of the quantity; of a comparison, of the left side minus the right side
 * @param lower the lower end of the central interval, of type 7 of Hyndman and Fan (1996)
 * @param upper its upper end
 * @param probability of the hypothesis: the share of the draws in which it holds. For an equality
 *     the posterior probability if both hypotheses were equally probable before; NaN if nothing is
 *     compared
 * @param probabilityError Monte-Carlo standard error of a share of draws, √(p (1 − p)/ESS), ESS the
 *     effective sample size of the indicator; 0 if it holds in all draws or in none
 * @param evidenceRatio p/(1 − p), the odds; for an equality the posterior density over the prior
 *     density at the point (Dickey, 1971)
 * @param remark on a figure, as a sentence; empty for none
 */
public record Answer(
    String hypothesis,
    VariableSummary summary,
    double lower,
    double upper,
    double probability,
    double probabilityError,
    double evidenceRatio,
    String remark) {
  private static final Quantile QUANTILE =
      Quantile.withDefaults().with(Quantile.EstimationMethod.HF7);

  /** An event that no one of n draws has is rarer than this over n, with a probability of 95 %. */
  private static final double RULE_OF_THREE = 3;

  /**
   * Answers.
   *
   * @param draws those of the quantity's parameters
   * @param interval the probability of the central interval
   * @param priors what is known of the priors, for equalities
   * @throws UserException (usage) if the quantity is not defined in a draw
   */
  static Answer of(Hypothesis hypothesis, Draws draws, double interval, PriorDensities priors) {
    double[][] values = values(hypothesis, draws);
    VariableSummary summary = VariableSummary.of(hypothesis.text(), values);
    double[] pooled = Arrays.stream(values).flatMapToDouble(Arrays::stream).toArray();
    double tail = (1 - interval) / 2;
    double[] ends = QUANTILE.evaluate(pooled, tail, 1 - tail);
    Hypothesis.Relation relation = hypothesis.relation();
    double p = Double.NaN;
    double error = Double.NaN;
    double evidence = Double.NaN;
    String remark = "";
    if (relation != null) {
      double[][] holds =
          Arrays.stream(values)
              .map(chain -> Arrays.stream(chain).map(d -> relation.holds(d) ? 1 : 0).toArray())
              .toArray(double[][]::new);
      p = Arrays.stream(holds).flatMapToDouble(Arrays::stream).average().orElse(Double.NaN);
      boolean varies = p > 0 && p < 1;
      error = varies ? Math.sqrt(p * (1 - p) / Diagnostics.essMean(holds)) : 0;
      evidence = p / (1 - p);
      remark = varies ? "" : unanimous(p, pooled.length, summary.mixing().essBulk());
    }
    if (relation == Hypothesis.Relation.EQUAL && p > 0) {
      evidence = Double.NaN;
      remark =
          "Some draws lie exactly at the point, as with variable selection, so the probability is"
              + " their share. The evidence ratio needs the prior's share there, which is not"
              + " known.";
    } else if (relation == Hypothesis.Relation.EQUAL) {
      PriorDensities.Ratio ratio = priors.ratio(hypothesis.quantity(), pooled);
      p = ratio.value() / (1 + ratio.value());
      error = Double.NaN;
      evidence = ratio.value();
      remark = ratio.remark();
    }
    return new Answer(hypothesis.text(), summary, ends[0], ends[1], p, error, evidence, remark);
  }

  private static String unanimous(double p, int draws, double ess) {
    double rare = RULE_OF_THREE / Math.min(draws, Double.isNaN(ess) ? 1 : Math.max(1, ess));
    return Text.of(
        "It holds in %s of the %,d draws, so its probability is %s.",
        p == 0 ? "none" : "all",
        draws,
        rare >= 1
            ? "not known"
            : p == 0 ? "below " + Text.brief(rare) : "above " + Text.of("%.4f", 1 - rare));
  }

  private static double[][] values(Hypothesis hypothesis, Draws draws) {
    Map<String, double[][]> of = new LinkedHashMap<>();
    for (int j = 0; j < draws.variables().size(); j++) {
      of.put(draws.variables().get(j), draws.values()[j]);
    }
    double[][] values = new double[draws.chains()][draws.perChain()];
    int undefined = 0;
    for (int c = 0; c < values.length; c++) {
      int chain = c;
      for (int i = 0; i < values[c].length; i++) {
        int draw = i;
        values[c][i] = hypothesis.quantity().of(name -> theta(of, name)[chain][draw]);
        undefined += Double.isFinite(values[c][i]) ? 0 : 1;
      }
    }
    if (undefined > 0) {
      throw UserException.usage(
          Text.of(
              "Hypothesis \"%s\": the quantity is not a finite number in %,d of %,d draws, as the"
                  + " logarithm of a negative number is not. Write a quantity that is defined in"
                  + " every draw.",
              hypothesis.text(), undefined, draws.chains() * draws.perChain()));
    }
    return values;
  }

  private static double[][] theta(Map<String, double[][]> of, String name) {
    double[][] draws = of.get(name);
    if (draws == null) {
      throw new IllegalArgumentException("no draws of " + name);
    }
    return draws;
  }

  /** Returns the figures by their names in {@code hypothesis.csv}; null for what is not known. */
  Map<String, @Nullable Object> figures() {
    Map<String, @Nullable Object> figures = new LinkedHashMap<>();
    figures.put("hypothesis", hypothesis);
    figures.put("mean", known(summary.mean()));
    figures.put("sd", known(summary.sd()));
    figures.put("lower", known(lower));
    figures.put("upper", known(upper));
    figures.put("mcse_mean", known(summary.mixing().mcseMean()));
    figures.put("ess_bulk", known(summary.mixing().essBulk()));
    figures.put("rhat", known(summary.mixing().rhat()));
    figures.put("probability", known(probability));
    figures.put("mcse_probability", known(probabilityError));
    figures.put("evidence_ratio", known(evidenceRatio));
    figures.put("remark", remark);
    return figures;
  }

  private static @Nullable Double known(double number) {
    return Double.isFinite(number) ? Double.valueOf(number) : null;
  }

  /** Returns the names of the figures. */
  List<String> names() {
    return new ArrayList<>(figures().keySet());
  }
}
