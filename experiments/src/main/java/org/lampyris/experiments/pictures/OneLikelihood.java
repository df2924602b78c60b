package org.lampyris.experiments.pictures;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.commons.statistics.distribution.NormalDistribution;
import org.lampyris.bounds.config.Text;
import org.lampyris.bounds.family.JaakkolaJordanBound;
import org.lampyris.bounds.numeric.StableMath;
import org.lampyris.bounds.rows.DenseBlock;
import org.lampyris.driver.report.Chart;
import org.lampyris.driver.report.Curve;

/**
 * Likelihood of one row with its lower bound, and a Markov chain in (θ, z): divided by the prior,
 * the draws with z = 0 have the density B(θ), those with z = 1 have L(θ) − B(θ), and all have L(θ).
 *
 * <p>Source: Maclaurin and Adams (2014), Figure 1 and section 3.1.
 *
 * @param steps of the chain
 */
record OneLikelihood(int steps) implements Illustration {
  private static final int POINTS = 241;
  private static final double EDGE = 6;
  private static final double PRIOR_SD = 4;
  private static final double STEP = 6;
  private static final int CELLS = 48;

  private static double bound(double theta) {
    return StableMath.sigmoid(theta) * Math.exp(-gap(theta));
  }

  private static double gap(double theta) {
    return JaakkolaJordanBound.gap(theta, ToyFirefly.ANCHOR, null);
  }

  @Override
  public Map<String, String> files() {
    double[] theta = new double[POINTS];
    Arrays.setAll(theta, i -> EDGE * (2.0 * i / (POINTS - 1) - 1));
    double[] lower = Arrays.stream(theta).map(OneLikelihood::bound).toArray();
    double[] likelihood = Arrays.stream(theta).map(StableMath::sigmoid).toArray();
    Chart partition =
        Chart.of("A likelihood in two parts")
            .axes("theta", "likelihood")
            .band(new Curve("B: dark", theta, new double[POINTS]), lower)
            .band(new Curve("L - B: bright", theta, lower), likelihood)
            .line("L", theta, likelihood);

    List<ToyFirefly.Step> chain =
        new ToyFirefly(
                new DenseBlock(0, 1, new double[] {1}, new double[] {1}, null), PRIOR_SD, STEP)
            .run(steps, 1);
    // z of the next iteration is drawn given θ of this one.
    double[] all = chain.stream().mapToDouble(step -> step.theta()[0]).toArray();
    double[] bright =
        IntStream.range(0, all.length - 1)
            .filter(i -> !chain.get(i + 1).bright().isEmpty())
            .mapToDouble(i -> all[i])
            .toArray();
    double share = (double) bright.length / (all.length - 1);
    Histogram ofAll = likelihood(all, 1);
    Histogram ofBright = likelihood(bright, share);
    double[] x = ofAll.middles();
    double[] dark = new double[x.length];
    Arrays.setAll(dark, i -> ofAll.density()[i] - ofBright.density()[i]);
    Chart augmented =
        Chart.of("A chain in theta and z")
            .axes("theta", "draws over prior")
            .line(new Histogram(ofAll.low(), ofAll.width(), dark).outline("z = 0"))
            .line(ofBright.outline("z = 1"))
            .line(ofAll.outline("both"))
            .dashed(new Curve("L", theta, likelihood));
    return Map.of(
        TABLE,
        table(share, x, dark, ofBright.density(), ofAll.density()),
        "figure1a.svg",
        partition.file(),
        "figure1b.svg",
        augmented.file());
  }

  /** Returns the density of draws over the prior, times ∫ p(θ) L(θ) dθ = ½ and a share. */
  private static Histogram likelihood(double[] draws, double share) {
    Histogram counts = Histogram.of(draws, -EDGE, EDGE, CELLS);
    NormalDistribution prior = NormalDistribution.of(0, PRIOR_SD);
    double[] density = new double[CELLS];
    Arrays.setAll(
        density,
        i -> {
          double low = counts.low() + i * counts.width();
          double mass = prior.probability(low, low + counts.width());
          return 0.5 * share * counts.density()[i] * counts.width() / mass;
        });
    return new Histogram(counts.low(), counts.width(), density);
  }

  private static String table(
      double share, double[] x, double[] dark, double[] bright, double[] both) {
    double[] off = new double[3];
    for (int i = 0; i < x.length; i++) {
      double likelihood = StableMath.sigmoid(x[i]);
      double bound = bound(x[i]);
      off[0] += Math.abs(dark[i] - bound) / x.length;
      off[1] += Math.abs(bright[i] - (likelihood - bound)) / x.length;
      off[2] += Math.abs(both[i] - likelihood) / x.length;
    }
    // 0.1 < L < 0.9 where |θ| < log 9.
    double most =
        IntStream.rangeClosed(-1000, 1000)
            .mapToDouble(i -> 1 - Math.exp(-gap(Math.log(9) * i / 1000)))
            .max()
            .orElseThrow();
    return Text.of(
        """
        # One likelihood with its bound

        | what | value |
        |---|--:|
        | largest probability of being bright where 0.1 < L < 0.9, ξ = 1.5 | %.4f |
        | share of the draws with z = 1 | %.4f |
        | mean distance of the draws with z = 0 from B | %.4f |
        | mean distance of the draws with z = 1 from L − B | %.4f |
        | mean distance of all draws from L | %.4f |
        """,
        most, share, off[0], off[1], off[2]);
  }
}
