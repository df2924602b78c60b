package org.lampyris.driver.predict;

import java.util.Arrays;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.IntStream;
import org.lampyris.bounds.family.CensoredTime;
import org.lampyris.bounds.family.Response;
import org.lampyris.samplers.random.Streams;

/**
 * Shares of rows without an event up to a time: Kaplan and Meier's estimate, and what a model of
 * times expects, the mean over rows and draws of P(T &gt; t | x, θ_s).
 *
 * <p>With d_i of n_i rows whose event is at t_i, the estimate is S = Π (1 − d_i/n_i) up to t. Its
 * 95 % interval is that of log(−log S), whose variance is Greenwood's Σ d_i/(n_i(n_i − d_i)) over
 * log² S. Source: Kalbfleisch and Prentice (2002), section 1.4.
 *
 * @param at times, ascending, about equally many events apart. Not copied
 * @param observed the estimate at these
 * @param low the lower end of its interval
 * @param high the upper end
 * @param expected by the model
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record SurvivalCurves(
    double[] at, double[] observed, double[] low, double[] high, double[] expected) {
  private static final int PLACES = 20;
  private static final int DRAWS = 40;
  private static final long SEED = 0x9e1f;

  /** Normal quantile of 97.5 %. */
  private static final double WIDE = 1.96;

  /** A row's time, whether its event was then, and how many rows it stands for. */
  record Time(double at, boolean isEvent, double weight) {}

  /**
   * Returns the curves; none if an event is only known to be before a time or between two, if there
   * is no event, or if the model's mean times are infinite.
   */
  public static Optional<SurvivalCurves> of(PredictiveCheck.Fitted fitted, RowSample sample) {
    CheckedRows rows = new CheckedRows(fitted, sample, new Streams(SEED));
    Time[] times = new Time[rows.size()];
    for (int i = 0; i < times.length; i++) {
      double y = rows.response(i);
      int code = CensoredTime.code(y);
      if (code != CensoredTime.AFTER && code != CensoredTime.AT) {
        return Optional.empty();
      }
      double weight = rows.weight(i) * rows.copies(i);
      times[i] = new Time(CensoredTime.time(y, 0), code == CensoredTime.AT, weight);
    }
    double[] events =
        Arrays.stream(times).filter(Time::isEvent).mapToDouble(Time::at).sorted().toArray();
    if (events.length == 0) {
      return Optional.empty();
    }
    double[] at =
        IntStream.range(0, PLACES)
            .mapToDouble(k -> events[(int) ((events.length - 1L) * k / (PLACES - 1))])
            .distinct()
            .toArray();
    double[][] found = kaplanMeier(times, at);
    double[] expected = expected(rows, fitted, times, at);
    return Arrays.stream(expected).allMatch(Double::isFinite)
        ? Optional.of(new SurvivalCurves(at, found[0], found[1], found[2], expected))
        : Optional.empty();
  }

  /** Returns Kaplan and Meier's estimate at some ascending times, and the ends of its intervals. */
  static double[][] kaplanMeier(Time[] times, double[] at) {
    Time[] sorted = times.clone();
    Arrays.sort(sorted, Comparator.comparingDouble(Time::at));
    double atRisk = Arrays.stream(sorted).mapToDouble(Time::weight).sum();
    double[][] curves = new double[3][at.length];
    double survival = 1;
    double greenwood = 0;
    int i = 0;
    for (int k = 0; k < at.length; k++) {
      while (i < sorted.length && sorted[i].at <= at[k]) {
        double now = sorted[i].at;
        double events = 0;
        double all = 0;
        for (; i < sorted.length && sorted[i].at == now; i++) {
          all += sorted[i].weight;
          events += sorted[i].isEvent ? sorted[i].weight : 0;
        }
        survival *= Math.max(0, 1 - events / atRisk);
        greenwood += events == 0 ? 0 : events / (atRisk * (atRisk - events));
        atRisk -= all;
      }
      double spread = WIDE * Math.sqrt(greenwood) / -Math.log(survival);
      boolean inside = survival > 0 && survival < 1;
      curves[0][k] = survival;
      curves[1][k] = inside ? Math.pow(survival, Math.exp(spread)) : survival;
      curves[2][k] = inside ? Math.pow(survival, Math.exp(-spread)) : survival;
    }
    return curves;
  }

  /** Returns the mean over rows and some draws of P(T &gt; t). */
  private static double[] expected(
      CheckedRows rows, PredictiveCheck.Fitted fitted, Time[] times, double[] at) {
    PosteriorPredictor.Row room =
        new PosteriorPredictor(
                fitted.expectation(), fitted.draws(), fitted.predictors(), fitted.outputs(), 0.9)
            .row();
    int draws = fitted.draws().length;
    int every = Math.max(1, draws / DRAWS);
    double[] sums = new double[at.length];
    double all = 0;
    for (int i = 0; i < times.length; i++) {
      double[] mean = rows.expected(room, i)[0];
      for (int s = 0; s < draws; s += every) {
        Response response =
            Replicates.response(fitted.expectation(), mean[s], room.ofRow()[s]).orElseThrow();
        for (int k = 0; k < at.length; k++) {
          sums[k] += times[i].weight * (1 - ResponseDistribution.at(at[k], response, 1).atMost());
        }
        all += times[i].weight;
      }
    }
    for (int k = 0; k < at.length; k++) {
      sums[k] /= all;
    }
    return sums;
  }
}
