package org.lampyris.samplers.perfect;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.DoubleBinaryOperator;
import org.apache.commons.rng.UniformRandomProvider;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.family.FamilySpec;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.DenseBlock;
import org.lampyris.samplers.chain.ChainTrace;
import org.lampyris.samplers.chain.Decision;
import org.lampyris.samplers.kernel.Preconditioner;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.run.RunResult;
import org.lampyris.samplers.testdata.MemoryRun;

/**
 * A small table with its posterior by quadrature, which perfect draws must have.
 *
 * <p>Of the draws, {@link #assertDrawn} compares the mean, the second and the third moment of each
 * coefficient, E cos 1.5z, the autocorrelation at lag 1 and the evidence, each within 5 standard
 * errors: false-alarm rate 6·10⁻⁷ a figure.
 */
final class PerfectCase {
  private static final double SIGMAS = 5;

  /** The quadrature's nodes in u = L⁻¹(θ − θ̂): a trapezoid rule, exact to many digits here. */
  private static final double REACH = 7;

  /** Its step: the short one is for priors with kinks. */
  private static final double STEP = 0.35;

  private static final double SHORT_STEP = 0.1;

  private final MemoryRun run;
  private @Nullable Quadrature quadrature;

  private PerfectCase(MemoryRun run) {
    this.run = run;
  }

  /**
   * Makes the table: an intercept and one column.
   *
   * @param respond gives a response by the predictor and a number in (0, 1)
   */
  static PerfectCase of(
      FamilySpec family,
      int rows,
      boolean weighted,
      Map<String, String> priors,
      DoubleBinaryOperator respond) {
    return new PerfectCase(
        new MemoryRun(
            family, blocks(rows, weighted, respond), List.of("(Intercept)", "x"), priors));
  }

  /** Makes a logistic table. */
  static PerfectCase logistic(int rows, Map<String, String> priors) {
    return of(
        FamilySpec.of("logistic"),
        rows,
        false,
        priors,
        (eta, u) -> u < 1 / (1 + Math.exp(-eta)) ? 1 : -1);
  }

  static List<DataBlock> blocks(int rows, boolean weighted, DoubleBinaryOperator respond) {
    UniformRandomProvider rng = new Streams(7).stream(Streams.Purpose.INITIAL, 0, 0, 0);
    List<DataBlock> blocks = new ArrayList<>();
    for (int id = 0; id * 50 < rows; id++) {
      int of = Math.min(50, rows - id * 50);
      double[] x = new double[2 * of];
      double[] y = new double[of];
      double[] weight = weighted ? new double[of] : null;
      for (int i = 0; i < of; i++) {
        x[2 * i] = 1;
        x[2 * i + 1] = rng.nextDouble(-1, 3);
        y[i] = respond.applyAsDouble(0.4 + 0.5 * x[2 * i + 1], rng.nextDouble());
        if (weight != null) {
          weight[i] = 0.5 + rng.nextDouble();
        }
      }
      blocks.add(new DenseBlock(id, 2, x, y, weight));
    }
    return blocks;
  }

  /** Returns the same in a ball of another radius. */
  PerfectCase inBall(double radius) {
    return new PerfectCase(run.inBall(radius));
  }

  MemoryRun run() {
    return run;
  }

  /** Draws by the keys of the section {@code sampler} besides the algorithm. */
  RunResult drawn(Map<String, ?> keys) {
    Map<String, Object> all = new HashMap<>(keys);
    all.put("algorithm", "perfect");
    return run.run(all);
  }

  /** Returns figures of a decision by its topic. */
  static Map<String, Double> figures(RunResult result, String topic) {
    return result.decisions().stream()
        .filter(one -> one.topic().equals(topic))
        .findFirst()
        .orElseThrow()
        .figures();
  }

  /** Returns a figure by its name. */
  static double figure(Map<String, Double> figures, String name) {
    return Objects.requireNonNull(figures.get(name), name);
  }

  /** Asserts that draws and evidence are those of the posterior. */
  void assertDrawn(RunResult result) {
    Quadrature exact = quadrature();
    List<double[]> draws = new ArrayList<>();
    for (int i = 0; i < result.chains().get(0).size(); i++) {
      for (ChainTrace chain : result.chains()) {
        draws.add(chain.draws().get(i)); // in the order in which they were drawn
      }
    }
    int n = draws.size();
    for (int j = 0; j < exact.mean.length; j++) {
      double[] z = new double[n];
      for (int i = 0; i < n; i++) {
        z[i] = (draws.get(i)[j] - exact.mean[j]) / exact.sd[j];
      }
      for (int k = 1; k <= 4; k++) {
        double sum = 0;
        double squares = 0;
        for (double value : z) {
          double figure = figure(value, k);
          sum += figure;
          squares += figure * figure;
        }
        double mean = sum / n;
        double error = Math.sqrt((squares / n - mean * mean) / n);
        double expected = exact.figures[j][k - 1];
        assertTrue(
            Math.abs(mean - expected) < SIGMAS * error,
            "figure %d of element %d: %s ± %s, not %s".formatted(k, j, mean, error, expected));
      }
      double lag = 0;
      for (int i = 1; i < n; i++) {
        lag += z[i] * z[i - 1];
      }
      assertTrue(Math.abs(lag / n) < SIGMAS / Math.sqrt(n), "autocorrelation " + lag / n);
    }
    Map<String, Double> evidence = figures(result, Decision.EVIDENCE);
    double found = figure(evidence, Decision.LOG_EVIDENCE);
    double error = figure(evidence, Decision.STANDARD_ERROR);
    assertTrue(
        Math.abs(found - exact.logEvidence) < SIGMAS * error + 1e-6,
        "log evidence %s ± %s, not %s".formatted(found, error, exact.logEvidence));
  }

  /** Returns log ∫ p Π L_n by quadrature. */
  double logEvidence() {
    return quadrature().logEvidence;
  }

  private Quadrature quadrature() {
    Quadrature known = quadrature == null ? new Quadrature() : quadrature;
    quadrature = known;
    return known;
  }

  private static double figure(double z, int k) {
    return k <= 3 ? Math.pow(z, k) : Math.cos(1.5 * z);
  }

  /** The posterior by quadrature. */
  private final class Quadrature {
    private final double[] mean;
    private final double[] sd;
    private final double[][] figures;
    private final double logEvidence;

    Quadrature() {
      int d = run.fit().theta().length;
      boolean smooth =
          run.model().prior().factors().stream().allMatch(prior -> Double.isNaN(prior.kink()));
      double step = smooth ? STEP : SHORT_STEP;
      int side = (int) Math.round(2 * REACH / step) + 1;
      int nodes = (int) Math.pow(side, d);
      double[][] thetas = new double[nodes][];
      double[] logs = new double[nodes];
      double peak = run.logPosterior(run.fit().theta());
      Preconditioner factor = Preconditioner.of(run.fit().laplace());
      double sum = 0;
      mean = new double[d];
      sd = new double[d];
      figures = new double[d][4];
      for (int node = 0; node < nodes; node++) {
        double[] u = new double[d];
        for (int j = 0, rest = node; j < d; j++, rest /= side) {
          u[j] = (rest % side) * step - REACH;
        }
        thetas[node] = run.fit().theta().clone();
        factor.addTo(u, 1, thetas[node]);
        logs[node] = Math.exp(run.logPosterior(thetas[node]) - peak);
        sum += logs[node];
        for (int j = 0; j < d; j++) {
          mean[j] += logs[node] * thetas[node][j];
          sd[j] += logs[node] * thetas[node][j] * thetas[node][j];
        }
      }
      double logVolume = 0;
      for (int j = 0; j < d; j++) {
        mean[j] /= sum;
        sd[j] = Math.sqrt(sd[j] / sum - mean[j] * mean[j]);
        logVolume += Math.log(step * run.fit().laplace().lower()[j * d + j]);
      }
      logEvidence = peak + Math.log(sum) + logVolume;
      for (int node = 0; node < nodes; node++) {
        for (int j = 0; j < d; j++) {
          double z = (thetas[node][j] - mean[j]) / sd[j];
          for (int k = 1; k <= 4; k++) {
            figures[j][k - 1] += logs[node] / sum * figure(z, k);
          }
        }
      }
    }
  }
}
