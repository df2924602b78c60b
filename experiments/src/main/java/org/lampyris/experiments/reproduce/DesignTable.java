package org.lampyris.experiments.reproduce;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.commons.rng.UniformRandomProvider;
import org.lampyris.bounds.config.Text;
import org.lampyris.bounds.family.IcaFamily;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.driver.output.CsvText;
import org.lampyris.driver.report.Chart;
import org.lampyris.samplers.austerity.TestDesign;
import org.lampyris.samplers.kernel.Stiefel;
import org.lampyris.samplers.minibatch.BatchMoments;
import org.lampyris.samplers.minibatch.BatchRows;
import org.lampyris.samplers.minibatch.Remainders;
import org.lampyris.samplers.minibatch.StudentDecision;
import org.lampyris.samplers.minibatch.Trial;
import org.lampyris.samplers.random.Streams;

/**
 * Designs of the sequential test: the average and the worst-case one, chosen on half of the
 * proposals from an exact run, compared with a fixed batch of 600 rows. All are evaluated on the
 * other half, in theory and by decisions that are compared with those of all rows.
 *
 * <p>Source: Korattikara, Chen and Welling (2014), section 6.5 and Figure 6.
 */
public record DesignTable(List<Line> lines) {
  /** Pocock's boundary, one between, and O'Brien and Fleming's. */
  private static final double[] SHAPES = {0.5, 0.25, 0};

  private static final double[] ERRORS = {0.1, 0.05, 0.02, 0.01};
  private static final double[] EPSILONS = {0.2, 0.1, 0.05, 0.02, 0.01};
  private static final long FIXED = 600;

  /** Largest number of looks in the search for designs. */
  private static final long MOST_LOOKS = 100;

  /** Number of decisions on a proposal with each design. */
  private static final int DECISIONS = 20;

  /** Origin of a proposal, with its step size. */
  record Place(double[] theta, double stepSize) {}

  /**
   * A design with its results.
   *
   * @param expected E|Δ| and E π̄ of the proposals that it is tried on, by theory
   * @param wrong the share of decisions that differ from the decision with all rows, with the same
   *     u
   * @param dataUse the share of the rows that decisions looked at
   */
  record Line(String design, TestDesign expected, double wrong, double dataUse) {}

  /**
   * Tries all designs.
   *
   * @param blocks the rows: independent draws, so that any order of them is as good as another
   * @param places designs are chosen by the even ones, and tried on the odd ones
   */
  static DesignTable of(List<DataBlock> blocks, List<Place> places) {
    Changes changes = new Changes(blocks);
    int half = places.size() / 2;
    List<TestDesign.Pair> training =
        IntStream.range(0, half)
            .mapToObj(i -> pair(changes.of(places.get(2 * i), 2L * i)))
            .toList();
    Map<String, StudentDecision> designs = designs(training, changes.rows());
    Map<String, long[]> counts = new LinkedHashMap<>();
    designs.keySet().forEach(name -> counts.put(name, new long[2]));
    List<TestDesign.Pair> tried = new ArrayList<>();
    for (int i = 1; i < places.size(); i += 2) {
      double[] values = changes.of(places.get(i), i);
      tried.add(pair(values));
      long number = i;
      designs.forEach(
          (name, test) -> decide(test, values, number, Objects.requireNonNull(counts.get(name))));
    }
    double decisions = (double) DECISIONS * tried.size();
    return new DesignTable(
        designs.entrySet().stream()
            .map(
                design -> {
                  StudentDecision test = design.getValue();
                  long[] count = Objects.requireNonNull(counts.get(design.getKey()));
                  return new Line(
                      design.getKey(),
                      expected(tried, changes.rows(), test),
                      count[0] / decisions,
                      count[1] / decisions / changes.rows());
                })
            .toList());
  }

  /** Returns the expected figures; NaN for so many looks that the integrals take long. */
  private static TestDesign expected(List<TestDesign.Pair> tried, long rows, StudentDecision test) {
    return rows > MOST_LOOKS * test.batch()
        ? new TestDesign(test.batch(), test.epsilon(), Double.NaN, Double.NaN)
        : TestDesign.average(tried, rows, test);
  }

  private static Map<String, StudentDecision> designs(List<TestDesign.Pair> training, long rows) {
    Map<String, StudentDecision> designs = new LinkedHashMap<>();
    for (double shape : SHAPES) {
      StudentDecision.Boundary boundary = new StudentDecision.Boundary(shape, 0, 1);
      for (double error : ERRORS) {
        TestDesign average = TestDesign.average(training, rows, error, boundary);
        designs.put(
            "average, " + error + (shape == 0.5 ? "" : ", shape " + shape),
            new StudentDecision(average.batch(), average.epsilon(), boundary));
      }
    }
    for (double error : ERRORS) {
      TestDesign worst = TestDesign.worst(rows, error, StudentDecision.Boundary.SAME);
      designs.put("worst, " + error, new StudentDecision(worst.batch(), worst.epsilon()));
    }
    for (double epsilon : EPSILONS) {
      designs.put("fixed, " + epsilon, new StudentDecision(FIXED, epsilon));
    }
    return designs;
  }

  /** Returns μ and σ; a step on the manifold needs no more than the rows. */
  private static TestDesign.Pair pair(double[] values) {
    BatchMoments all = moments(values, 0, values.length);
    return new TestDesign.Pair(0, all.mean(), Math.sqrt(all.variance(false)));
  }

  /** Returns the moments of some values from one on; after the last comes the first. */
  private static BatchMoments moments(double[] values, long first, long count) {
    double sum = 0;
    double squares = 0;
    int at = (int) (first % values.length);
    for (long i = 0; i < count; i++) {
      sum += values[at];
      squares += values[at] * values[at];
      at = at + 1 == values.length ? 0 : at + 1;
    }
    return new BatchMoments(count, sum, squares);
  }

  /** Makes decisions, and counts the wrong ones and the rows read. */
  private static void decide(StudentDecision test, double[] values, long number, long[] counts) {
    UniformRandomProvider rng = new Streams(2).stream(Streams.Purpose.THETA, 1, number, 0);
    double mean = moments(values, 0, values.length).mean();
    Remainders unused = Remainders.whole(new IcaFamily.IcaModel(Signals.ORDER));
    for (int k = 0; k < DECISIONS; k++) {
      long from = rng.nextInt(values.length);
      BatchRows rows =
          BatchRows.of(
              values.length,
              (iteration, low, high, term) -> {
                counts[1] += high - low;
                BatchMoments seen = moments(values, from + low, high - low);
                return new double[] {seen.sum(), seen.squares()};
              });
      Trial trial = new Trial(rows, 1, 0, unused, new double[0], new double[0], 0);
      double threshold = trial.threshold(rng.nextDouble());
      counts[0] += test.isAbove(trial, threshold) == mean > threshold ? 0 : 1;
    }
  }

  /** Returns the table as Markdown, to be read. */
  public String markdown() {
    StringBuilder text =
        new StringBuilder(
            "# Designs of the sequential test\n\n"
                + "| design, error or ε | m | ε | E\\|Δ\\|, expected | rows, expected | wrong"
                + " decisions | rows |\n"
                + "|---|--:|--:|--:|--:|--:|--:|\n");
    for (Line line : lines) {
      text.append(
          Text.of(
              "| %s | %,d | %s | %s | %s | %.2f %% | %.3g %% |\n",
              line.design,
              line.expected.batch(),
              line.expected.epsilon(),
              known("%.3g", line.expected.error()),
              known("%.3g %%", 100 * line.expected.dataUse()),
              100 * line.wrong,
              100 * line.dataUse));
    }
    return text.toString();
  }

  private static String known(String pattern, double value) {
    return Double.isNaN(value) ? "–" : Text.of(pattern, value);
  }

  /** Returns the picture: the rows read by the wrong decisions, a line for each kind of design. */
  public String svg() {
    Map<String, List<Line>> kinds = new LinkedHashMap<>();
    for (Line line : lines) {
      String kind = line.design.replaceFirst(", [0-9.]+", "");
      kinds.computeIfAbsent(kind, none -> new ArrayList<>()).add(line);
    }
    Chart chart =
        Chart.of("Designs of the sequential test")
            .axes("share of wrong decisions", "share of the rows read")
            .logX();
    kinds.forEach(
        (kind, of) ->
            chart.line(
                kind,
                of.stream().mapToDouble(Line::wrong).toArray(),
                of.stream().mapToDouble(Line::dataUse).toArray()));
    return chart.file();
  }

  /** Returns the table as CSV, with every digit. */
  public String csv() {
    StringBuilder text =
        new StringBuilder(
            "design,batch,epsilon,expected_error,expected_data_use,wrong_decisions,data_use\n");
    for (Line line : lines) {
      TestDesign expected = line.expected;
      text.append(CsvText.quoted(line.design))
          .append(
              Stream.of(expected.batch(), expected.epsilon(), expected.error(), expected.dataUse())
                  .map(String::valueOf)
                  .collect(Collectors.joining(",", ",", ",")))
          .append(line.wrong)
          .append(',')
          .append(line.dataUse)
          .append('\n');
    }
    return text.toString();
  }

  /** Changes of the rows' log-likelihoods. */
  private record Changes(List<DataBlock> blocks) {
    int rows() {
      return blocks.stream().mapToInt(DataBlock::rows).sum();
    }

    /** Returns v_n of a proposal from a place, whose number keys it. */
    double[] of(Place place, long number) {
      IcaFamily.IcaModel model = new IcaFamily.IcaModel(Signals.ORDER);
      UniformRandomProvider rng = new Streams(1).stream(Streams.Purpose.THETA, 1, number, 0);
      double[] to = new Stiefel(Signals.ORDER, place.stepSize).propose(place.theta, rng);
      double[] values = new double[rows()];
      int each = blocks.get(0).rows();
      IntStream.range(0, blocks.size())
          .parallel()
          .forEach(
              b -> {
                DataBlock block = blocks.get(b);
                for (int row = 0; row < block.rows(); row++) {
                  values[b * each + row] =
                      model.logLikelihood(block, row, to)
                          - model.logLikelihood(block, row, place.theta);
                }
              });
      return values;
    }
  }
}
