package org.lampyris.experiments.pictures;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleFunction;
import java.util.function.IntFunction;
import org.apache.commons.rng.UniformRandomProvider;
import org.lampyris.bounds.config.Text;
import org.lampyris.bounds.family.LogisticLikelihood;
import org.lampyris.bounds.model.LinearModel;
import org.lampyris.bounds.numeric.StableMath;
import org.lampyris.samplers.minibatch.BatchDecision;
import org.lampyris.samplers.minibatch.BatchRows;
import org.lampyris.samplers.minibatch.BernsteinDecision;
import org.lampyris.samplers.minibatch.Remainders;
import org.lampyris.samplers.minibatch.StudentDecision;
import org.lampyris.samplers.minibatch.Trial;
import org.lampyris.samplers.minibatch.TrialKernel;
import org.lampyris.samplers.random.Noise;
import org.lampyris.samplers.random.Streams;

/**
 * Theorems of the papers, each bound beside what it bounds, for a logistic regression with one
 * coefficient on a grid of 9 values: a flat prior, proposals uniform over the grid.
 *
 * <p>Acceptance probabilities are integrals over u by the midpoint rule, of the library's own
 * decisions, averaged over orders of the rows: all 90 ordered partitions of 6 rows into batches of
 * 2 for the sequential test, and random orders of 100,000 rows with Taylor proxies for the
 * confidence sampler, which decides nothing early on a handful.
 *
 * <p>Source: Korattikara, Chen and Welling (2014), Theorem 1; Chen, Mansinghka and Ghahramani
 * (2014), Theorem 1 and Corollary 2; Bardenet, Doucet and Holmes (2017), Propositions 4.1 and 7.1.
 *
 * @param uniforms midpoints of u
 * @param orders random orders for each pair of states
 * @param estimates of each likelihood
 */
record TheoryBounds(int uniforms, int orders, int estimates) implements Illustration {
  private static final int STATES = 9;
  private static final int FEW = 6;
  private static final int MANY = 100_000;

  /** Steps over which the constant of uniform ergodicity is the largest ratio. */
  private static final int STEPS = 60;

  private static final LinearModel MODEL = new LinearModel(new LogisticLikelihood(), 1);

  @Override
  public Map<String, String> files() {
    Table test =
        new Table(
            "The sequential test: 6 rows, all orders",
            "ε, error Δ of an acceptance probability, contraction η, of the approximate chain,"
                + " bound Δ/(1 − η), total variation");
    Rows few = Rows.of(FEW, 2, false);
    List<int[]> all = partitions(new ArrayList<>(), new int[0]);
    // By the same midpoints as the tests, which leaves wrong decisions as the only difference.
    double[][] decided =
        few.acceptance(most -> new TrialKernel.AllRows(), pair -> all, uniforms).acceptance();
    GridChain exact = GridChain.of(decided);
    double eta = exact.contraction();
    for (double epsilon : new double[] {0.2, 0.1, 0.05, 0.02, 0.01, 0.001}) {
      double[][] acceptance =
          few.acceptance(most -> new StudentDecision(2, epsilon), pair -> all, uniforms)
              .acceptance();
      GridChain chain = GridChain.of(acceptance);
      double error = largest(acceptance, decided);
      test.row(
          epsilon,
          error,
          eta,
          chain.contraction(),
          error / (1 - eta),
          GridChain.distance(chain.stationary(), exact.stationary()));
    }
    Table confidence =
        new Table(
            "The confidence sampler: 100,000 rows with proxies, random orders",
            "δ, share of the rows read, largest error of a transition probability, ρ, A, bound Aδ/(1 − ρ), total variation");
    Rows many = Rows.of(MANY, 0.03, true);
    UniformRandomProvider rng = new Streams(2).stream(Streams.Purpose.SELECTION, 0, 0, 0);
    int points = Math.min(uniforms, 200);
    GridChain target =
        GridChain.of(
            many.acceptance(most -> new TrialKernel.AllRows(), pair -> randomOrders(1, rng), points)
                .acceptance());
    double rho = target.minorization();
    double a = target.ergodicity(rho, STEPS);
    for (double delta : new double[] {0.9, 0.5, 0.1}) {
      Accepted tested =
          many.acceptance(
              most -> new BernsteinDecision(delta, 1.5, 500, (remainders, from, to) -> most),
              pair -> randomOrders(orders, rng),
              points);
      GridChain chain = GridChain.of(tested.acceptance);
      confidence.row(
          delta,
          tested.read,
          largest(chain.kernel(), target.kernel()),
          rho,
          a,
          a * delta / (1 - rho),
          GridChain.distance(chain.stationary(), target.stationary()));
    }
    Table series = SeriesVariance.table(estimates);
    Map<String, String> files = new LinkedHashMap<>();
    files.put(TABLE, test.markdown() + "\n" + confidence.markdown() + "\n" + series.markdown());
    files.put("theorem-1.csv", test.csv());
    files.put("proposition-7-1.csv", confidence.csv());
    files.put("proposition-4-1.csv", series.csv());
    return files;
  }

  private static double largest(double[][] one, double[][] other) {
    double most = 0;
    for (int i = 0; i < one.length; i++) {
      for (int j = 0; j < one.length; j++) {
        most = Math.max(most, i == j ? 0 : Math.abs(one[i][j] - other[i][j]));
      }
    }
    return most;
  }

  /** Returns one order for each ordered partition of the few rows into batches of 2. */
  private static List<int[]> partitions(List<int[]> found, int[] order) {
    if (order.length == FEW) {
      found.add(order);
      return found;
    }
    for (int i = 0; i < FEW; i++) {
      for (int j = i + 1; j < FEW; j++) {
        int[] pair = {i, j};
        if (Arrays.stream(order).noneMatch(row -> row == pair[0] || row == pair[1])) {
          int[] longer = Arrays.copyOf(order, order.length + 2);
          longer[order.length] = i;
          longer[order.length + 1] = j;
          partitions(found, longer);
        }
      }
    }
    return found;
  }

  private static List<int[]> randomOrders(int count, UniformRandomProvider rng) {
    List<int[]> orders = new ArrayList<>();
    for (int k = 0; k < count; k++) {
      int[] order = new int[MANY];
      for (int i = 0; i < MANY; i++) {
        int at = rng.nextInt(i + 1);
        order[i] = order[at];
        order[at] = i;
      }
      orders.add(order);
    }
    return orders;
  }

  /** Acceptance probabilities, and the mean share of the rows that a decision read. */
  private record Accepted(double[][] acceptance, double read) {}

  /**
   * Values of all rows at every state.
   *
   * @param logs log-likelihoods, or what proxies leave over, by state and row
   * @param proxies the sum of the proxies by state; 0 without
   */
  private record Rows(double[][] logs, double[] proxies) {
    /**
     * Generates rows at θ = 1, and a grid of a given half width about it.
     *
     * @param taylor whether Taylor polynomials of order 2 about θ = 1 are proxies
     */
    static Rows of(int rows, double reach, boolean taylor) {
      Noise noise = Noise.of(new Streams(6).stream(Streams.Purpose.INITIAL, 0, 0, 0));
      double[] signed = new double[rows];
      Arrays.setAll(
          signed,
          n -> {
            double x = noise.normal();
            return noise.flip(StableMath.sigmoid(x)) ? x : -x;
          });
      double[][] logs = new double[STATES][rows];
      double[] proxies = new double[STATES];
      for (int i = 0; i < STATES; i++) {
        double move = reach * (2.0 * i / (STATES - 1) - 1);
        for (int n = 0; n < rows; n++) {
          double s = signed[n];
          double miss = StableMath.sigmoid(-s);
          double curved = -0.5 * s * s * miss * (1 - miss) * move * move;
          double proxy = taylor ? StableMath.logSigmoid(s) + s * miss * move + curved : 0;
          logs[i][n] = StableMath.logSigmoid(s * (1 + move)) - proxy;
          proxies[i] += proxy;
        }
      }
      return new Rows(logs, proxies);
    }

    private double[] changes(int from, int to) {
      double[] values = new double[logs[from].length];
      Arrays.setAll(values, n -> logs[to][n] - logs[from][n]);
      return values;
    }

    private double rest(int from, int to) {
      return proxies[to] - proxies[from];
    }

    /**
     * Returns the acceptance probabilities of a decision.
     *
     * @param decision by the largest |v_n| of a pair of states
     * @param orders of the rows, by the number of a pair
     */
    Accepted acceptance(
        DoubleFunction<BatchDecision> decision, IntFunction<List<int[]>> orders, int uniforms) {
      double[][] acceptance = new double[STATES][STATES];
      double read = 0;
      for (int i = 0; i < STATES; i++) {
        for (int j = 0; j < STATES; j++) {
          if (i == j) {
            continue;
          }
          double[] values = changes(i, j);
          double most = Arrays.stream(values).map(Math::abs).max().orElseThrow();
          List<int[]> of = orders.apply(i * STATES + j);
          for (int[] order : of) {
            double[] shares = accepted(decision.apply(most), values, rest(i, j), order, uniforms);
            acceptance[i][j] += shares[0] / of.size();
            read += shares[1] / of.size() / (STATES * (STATES - 1));
          }
        }
      }
      return new Accepted(acceptance, read);
    }

    /** Returns how often a decision accepts, and the share of the rows that it reads. */
    private static double[] accepted(
        BatchDecision decision, double[] values, double rest, int[] order, int uniforms) {
      double[] sums = new double[values.length + 1];
      double[] squares = new double[values.length + 1];
      for (int k = 0; k < values.length; k++) {
        double value = values[order[k]];
        sums[k + 1] = sums[k] + value;
        squares[k + 1] = squares[k] + value * value;
      }
      double[] shares = new double[2];
      double each = 1.0 / uniforms;
      BatchRows rows =
          BatchRows.of(
              values.length,
              (iteration, low, high, term) -> {
                shares[1] += each * (high - low) / values.length;
                return new double[] {
                  sums[(int) high] - sums[(int) low], squares[(int) high] - squares[(int) low]
                };
              });
      double[] none = new double[1];
      for (int k = 0; k < uniforms; k++) {
        Trial trial = new Trial(rows, 1, 0, Remainders.whole(MODEL), none, none, rest);
        shares[0] += decision.accepts(trial, new Given((k + 0.5) * each)) ? each : 0;
      }
      return shares;
    }
  }

  /** A source whose uniform number is given. */
  private record Given(double uniform) implements UniformRandomProvider {
    @Override
    public long nextLong() {
      throw new IllegalStateException("a decision takes one uniform number");
    }

    @Override
    public double nextDouble() {
      return uniform;
    }
  }

  /** A table of numbers as Markdown and CSV. */
  static final class Table {
    private final StringBuilder markdown;
    private final StringBuilder csv;

    /** Begins, with the names of columns between commas. */
    Table(String title, String columns) {
      String[] names = columns.split(", ", -1);
      markdown =
          new StringBuilder(
              "# "
                  + title
                  + "\n\n| "
                  + String.join(" | ", names)
                  + " |\n"
                  + "|--:".repeat(names.length)
                  + "|\n");
      csv = new StringBuilder(String.join(",", names) + "\n");
    }

    void row(double... numbers) {
      markdown.append('|');
      for (int k = 0; k < numbers.length; k++) {
        markdown.append(Text.of(" %.4g |", numbers[k]));
        csv.append(k == 0 ? "" : ",").append(numbers[k]);
      }
      markdown.append('\n');
      csv.append('\n');
    }

    String markdown() {
      return markdown.toString();
    }

    String csv() {
      return csv.toString();
    }
  }
}
