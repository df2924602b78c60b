package org.lampyris.samplers.mhss;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.lampyris.bounds.bound.CollapsedQuadratic;
import org.lampyris.bounds.bound.TaylorProxy;
import org.lampyris.bounds.prior.Prior;
import org.lampyris.samplers.chain.TransitionKernel;
import org.lampyris.samplers.kernel.Point;
import org.lampyris.samplers.minibatch.Remainders;

/**
 * The probability with which the very code that samples accepts a proposal: added up over the
 * numbers of points that its rows can have.
 *
 * <p>How a row's points act is found out from the code: at which heights they do the same, by
 * bisection. So the sum is that of the code, right or wrong, to rounding; the tails of the Poisson
 * distributions that are left out have probabilities below 10⁻¹⁶.
 */
final class ExactAcceptance {
  private static final double TAIL = 1e-17;

  private final TaylorProxy proxy;
  private final Prior prior;
  private final CollapsedQuadratic collapsed;
  private final List<Remainders> others;
  private final ProxyBlock block;
  private final RowDecision test;

  ExactAcceptance(
      TaylorProxy proxy,
      Prior prior,
      CollapsedQuadratic collapsed,
      List<Remainders> others,
      ProxyBlock block,
      RowDecision test) {
    this.proxy = proxy;
    this.prior = prior;
    this.collapsed = collapsed;
    this.others = others;
    this.block = block;
    this.test = test;
  }

  /** A kind of points of a row that act on the test, and how often there are 0, 1, … of them. */
  private record Kind(int row, double u, double[] probabilities) {}

  /** Returns the probability that a proposal is accepted. */
  double of(double[] from, double[] to, double correction) {
    Script script = new Script(List.of());
    Recorder recorder = new Recorder(test);
    // A correction that lets every proposal pass shows which heights the code asks for.
    decide(kernel(script, test), from, to, 200);
    double height = script.height;
    List<Candidate> oneEach = new ArrayList<>();
    for (int row = 0; row < block.data().rows(); row++) {
      oneEach.add(new Candidate(row, 0));
    }
    script.candidates = oneEach;
    decide(kernel(script, recorder), from, to, 200);
    List<Kind> kinds = new ArrayList<>();
    for (int row = 0; row < block.data().rows(); row++) {
      addKinds(row, recorder.relatives.get(row), block.constant(row) * height, kinds);
    }
    SubsampledKernel kernel = kernel(script, test);
    return sum(kinds, 0, new ArrayList<>(), 1, height, script, kernel, from, to, correction);
  }

  private SubsampledKernel kernel(PointRows rows, RowDecision by) {
    return new SubsampledKernel(proxy, prior, collapsed, others, rows, many(), by);
  }

  /** Says that there are many rows, so that not all of them are looked at. */
  private PointStream.Size many() {
    return new PointStream.Size(Long.MAX_VALUE, block.total());
  }

  /** Adds the kinds of points that do something, of which a row has at most two. */
  private void addKinds(int row, double relative, double rate, List<Kind> kinds) {
    double low = 0;
    double high = Math.nextDown(1.0);
    boolean same = act(relative, low) == act(relative, high);
    double border = 1;
    if (!same) {
      while (Math.nextUp(low) < high) {
        double middle = 0.5 * (low + high);
        if (act(relative, middle) == act(relative, 0)) {
          low = middle;
        } else {
          high = middle;
        }
      }
      border = high;
    }
    if (act(relative, 0) != 0) {
      kinds.add(new Kind(row, 0.5 * border, poisson(rate * border)));
    }
    if (!same && act(relative, Math.nextDown(1.0)) != 0) {
      kinds.add(new Kind(row, 0.5 * (border + 1), poisson(rate * (1 - border))));
    }
  }

  private double act(double relative, double u) {
    RowDecision.Factor factor = test.begin();
    boolean goesOn = factor.point(relative, u);
    return goesOn ? factor.log() : Double.NEGATIVE_INFINITY;
  }

  private static double[] poisson(double mean) {
    double[] probabilities = new double[60];
    double p = Math.exp(-mean);
    int k = 0;
    while (k <= mean || p > TAIL) {
      probabilities[k++] = p;
      p *= mean / k;
    }
    return Arrays.copyOf(probabilities, k);
  }

  private double sum(
      List<Kind> kinds,
      int index,
      List<Candidate> candidates,
      double probability,
      double height,
      Script script,
      SubsampledKernel kernel,
      double[] from,
      double[] to,
      double correction) {
    if (index == kinds.size()) {
      script.candidates = candidates;
      return probability * decide(kernel, from, to, correction);
    }
    Kind kind = kinds.get(index);
    double sum = 0;
    List<Candidate> more = new ArrayList<>(candidates);
    for (double p : kind.probabilities()) {
      sum +=
          sum(
              kinds,
              index + 1,
              more,
              probability * p,
              height,
              script,
              kernel,
              from,
              to,
              correction);
      more.add(new Candidate(kind.row(), kind.u() * height));
    }
    return sum;
  }

  /** Returns the product of the probabilities along the way to acceptance. */
  private static double decide(
      SubsampledKernel kernel, double[] from, double[] to, double correction) {
    double[] product = {1};
    Point point = kernel.init(from).state();
    TransitionKernel.Transition<Point> transition =
        kernel.decide(
            point,
            to,
            correction,
            1,
            p -> {
              if (!(p >= 0 && p <= 1)) {
                throw new AssertionError("probability " + p);
              }
              product[0] *= p;
              return true;
            });
    return Arrays.equals(transition.state().theta(), to) ? product[0] : 0;
  }

  /** A point. */
  private record Candidate(int row, double height) {}

  /** Rows whose points are what the test says. */
  private final class Script implements PointRows {
    private List<Candidate> candidates;
    private double height;

    Script(List<Candidate> candidates) {
      this.candidates = candidates;
    }

    @Override
    public void visit(long iteration, double limit, Visitor visitor) {
      height = limit;
      for (Candidate candidate : candidates) {
        if (!visitor.point(block, candidate.row(), candidate.height())) {
          return;
        }
      }
    }

    @Override
    public double differences(double[] from, double[] to) {
      throw new AssertionError("no need to look at all rows");
    }
  }

  /** Notes what the kernel says of each row. */
  private record Recorder(RowDecision test, List<Double> relatives) implements RowDecision {

    Recorder(RowDecision test) {
      this(test, new ArrayList<>());
    }

    @Override
    public boolean proxiesFirst() {
      return test.proxiesFirst();
    }

    @Override
    public Factor begin() {
      return new Factor() {
        @Override
        public boolean point(double relative, double u) {
          relatives.add(relative);
          return true;
        }

        @Override
        public double log() {
          return 0;
        }
      };
    }
  }
}
