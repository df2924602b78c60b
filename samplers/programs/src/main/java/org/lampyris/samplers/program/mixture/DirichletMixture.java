package org.lampyris.samplers.program.mixture;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.statistics.distribution.BetaDistribution;
import org.apache.commons.statistics.distribution.GammaDistribution;
import org.lampyris.bounds.config.UserException;
import org.lampyris.samplers.program.Distributions;
import org.lampyris.samplers.program.Given;
import org.lampyris.samplers.program.Globals;
import org.lampyris.samplers.program.Trace;
import org.lampyris.samplers.program.moves.Move;
import org.lampyris.samplers.program.moves.ProgramRows;
import org.lampyris.samplers.program.moves.ProgramState;
import org.lampyris.samplers.random.Streams;

/**
 * Gibbs steps of a Dirichlet-process mixture: the concentration, the weights, the conjugate
 * parameters, and the labels of rows, each given all others, and exact. In turn, for K clusters of
 * n_k rows:
 *
 * <ul>
 *   <li>α, with a gamma prior of shape a and rate b: η ~ Beta(α + 1, n), then a gamma distribution
 *       with the rate b − log η and the shape a + K, or a + K − 1 with odds n(b − log η) to a + K −
 *       1;
 *   <li>the weights, which are not kept: (π_1 … π_K, rest) ~ Dirichlet(n_1 … n_K, α);
 *   <li>means and covariances given the sums of their rows;
 *   <li>labels, by slices, in parallel; see {@link LabelSweep}. A cluster that no row is left in is
 *       gone.
 * </ul>
 *
 * <p>Labels drawn with collapsed counts could not be drawn in parallel: each count would have to
 * know of all rows before. With the weights drawn, rows are independent.
 *
 * <p>Source: Escobar and West (1995), section 6; Ge, Chen, Wan and Ghahramani (2015), section 3;
 * Walker (2007).
 */
public final class DirichletMixture implements Move {
  private final MixtureShape shape;
  private final long count;

  /**
   * Derives the mixture from a trace.
   *
   * @param rows how many rows' labels are drawn in a step, chosen at random; all if there are not
   *     so many
   * @throws UserException (usage) with the node that prevents it
   */
  public DirichletMixture(Trace trace, long rows) {
    this.shape = MixtureShape.of(trace);
    this.count = rows;
    prior(trace, trace.globals());
  }

  private double[] prior(Trace trace, Globals globals) {
    return Distributions.asGamma(trace.entry(shape.alpha()).drawn(), Given.of(globals, 0))
        .orElseThrow(
            () ->
                UserException.usage(
                    "%s has no gamma prior, so it cannot be drawn with the labels. Give it a gamma prior."
                        .formatted(shape.alpha())));
  }

  /**
   * Returns the start of a chain, with the sums of its clusters' rows. Labels of normal rows are
   * drawn by {@link FirstClusters}, in three passes; others at random, in one.
   */
  public ProgramState begin(ProgramRows rows, int chain) {
    ProgramState from = counted(rows, rows.begin(chain));
    Globals globals = from.globals();
    int clusters = globals.clusterCount();
    if (shape.conjugate() == null) {
      return from;
    }
    UniformRandomProvider rng = rows.streams().stream(Streams.Purpose.CLUSTERS, chain, 0, 0);
    Globals first = with(globals, FirstClusters.draw(rows, shape, globals, chain, rng));
    double[] equal = new double[clusters];
    Arrays.fill(equal, 1.0 / clusters);
    LabelSweep sweep =
        new LabelSweep(shape.ofNormals(rows.trace()), first, equal, 0, 0, rows.size().rows());
    ProgramRows.Answer answer = rows.ask(from, sweep);
    return answer.state().with(after(rows, chain, sweep, answer.sums()));
  }

  private ProgramState counted(ProgramRows rows, ProgramState from) {
    Globals globals = from.globals();
    int clusters = globals.clusterCount();
    LabelSweep all = new LabelSweep(shape, globals, new double[clusters], 0, 0, -1);
    ProgramRows.Answer answer = rows.ask(from, all);
    int length = shape.statistics(rows.trace());
    double[] sums = Arrays.copyOf(answer.sums(), clusters * length);
    return answer.state().with(gathered(globals, sums, length, globals.places()));
  }

  @Override
  public ProgramState apply(ProgramState from, ProgramRows rows) {
    Trace trace = rows.trace();
    long step = from.step() + 1;
    UniformRandomProvider rng = rows.streams().iteration(from.chain(), step);
    Globals globals = from.globals();
    int clusters = globals.clusterCount();
    double alpha = concentration(trace, globals, rows.size().rows(), rng);
    globals = trace.with(globals, shape.alpha(), 0, new double[] {alpha});
    double[] weights = new double[clusters + 1];
    double total = 0;
    for (int k = 0; k <= clusters; k++) {
      double n = k < clusters ? globals.sums()[k][0] : alpha;
      weights[k] = GammaDistribution.of(n, 1).createSampler(rng).sample();
      total += weights[k];
    }
    for (int k = 0; k <= clusters; k++) {
      weights[k] /= total;
    }
    NormalInverseWishart base = shape.base(trace);
    if (base != null) {
      globals = with(globals, conjugate(globals, base, rng));
    }
    long drawn = Math.min(count, rows.size().rows());
    LabelSweep sweep =
        new LabelSweep(
            shape, globals, Arrays.copyOf(weights, clusters), weights[clusters], step, drawn);
    ProgramRows.Answer answer = rows.ask(from, sweep);
    return answer.state().afterSweep(after(rows, from.chain(), sweep, answer.sums()), drawn);
  }

  private double concentration(Trace trace, Globals globals, long rows, UniformRandomProvider rng) {
    double[] prior = prior(trace, globals);
    int clusters = globals.clusterCount();
    double alpha = globals.values()[shape.alpha().slot()];
    double eta = BetaDistribution.of(alpha + 1, (double) rows).createSampler(rng).sample();
    double rate = prior[1] - Math.log(eta);
    double odds = (prior[0] + clusters - 1) / (rows * rate);
    boolean more = rng.nextDouble() * (1 + odds) < odds;
    double form = prior[0] + clusters - (more ? 0 : 1);
    return GammaDistribution.of(form, 1 / rate).createSampler(rng).sample();
  }

  private static double[][] conjugate(
      Globals globals, NormalInverseWishart base, UniformRandomProvider rng) {
    double[][] drawn = new double[globals.clusterCount()][base.dimension()];
    Given given = Given.of(globals, 0);
    for (int k = 0; k < drawn.length; k++) {
      base.given(globals.sums()[k]).sample(given, rng, drawn[k], 0);
    }
    return drawn;
  }

  private Globals with(Globals globals, double[][] normals) {
    double[][][] all = globals.clusters().clone();
    all[Objects.requireNonNull(shape.conjugate()).slot()] = normals;
    return globals.withClusters(all, globals.sums(), globals.places());
  }

  /** Returns the clusters as the labels have made them. */
  private Globals after(ProgramRows rows, int chain, LabelSweep sweep, double[] changes) {
    int length = shape.statistics(rows.trace());
    int old = sweep.weights().length;
    int all = Math.max(old, changes.length / length);
    NewClusters clusters = new NewClusters(rows.trace(), rows.streams(), chain, sweep);
    clusters.drawTo(all);
    double[] sums = Arrays.copyOf(changes, all * length);
    List<Integer> places = new ArrayList<>();
    for (int k = 0; k < all; k++) {
      for (int i = 0; k < old && i < length; i++) {
        sums[k * length + i] += sweep.globals().sums()[k][i];
      }
      int stored = clusters.stored(k);
      while (places.size() <= stored) {
        places.add(-1);
      }
      places.set(stored, k);
    }
    return gathered(clusters.globals(), sums, length, places.stream().mapToInt(i -> i).toArray());
  }

  /** Returns the clusters that have rows, renumbered in their order. */
  private static Globals gathered(Globals globals, double[] sums, int length, int[] places) {
    int[] kept = new int[sums.length / length];
    int count = 0;
    for (int k = 0; k < kept.length; k++) {
      kept[k] = sums[k * length] > 0 ? count++ : -1;
    }
    double[][][] clusters = new double[globals.clusters().length][count][];
    double[][] left = new double[count][];
    for (int k = 0; k < kept.length; k++) {
      if (kept[k] >= 0) {
        for (int f = 0; f < clusters.length; f++) {
          clusters[f][kept[k]] = globals.clusters()[f][k];
        }
        left[kept[k]] = Arrays.copyOfRange(sums, k * length, (k + 1) * length);
      }
    }
    int[] to = Arrays.stream(places).map(k -> k < 0 ? -1 : kept[k]).toArray();
    return globals.withClusters(clusters, left, to);
  }
}
