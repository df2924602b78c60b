package org.lampyris.driver.sample;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.commons.rng.UniformRandomProvider;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.family.ModelOfTable;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.prior.Prior;
import org.lampyris.bounds.proxy.TaylorProxy;
import org.lampyris.dataprep.precompute.BoundsArtefact;
import org.lampyris.driver.config.SamplerConfig;
import org.lampyris.executors.batch.QuestionBatcher;
import org.lampyris.executors.segment.SegmentRequest;
import org.lampyris.executors.subsampled.PointJobs;
import org.lampyris.executors.subsampled.PointQuestion;
import org.lampyris.executors.subsampled.ProxyTable;
import org.lampyris.executors.subsampled.SubsampledSegments;
import org.lampyris.executors.table.BlockTable;
import org.lampyris.samplers.chain.ChainRunner;
import org.lampyris.samplers.chain.ChainState;
import org.lampyris.samplers.chain.ChainTrace;
import org.lampyris.samplers.firefly.CandidateWindow;
import org.lampyris.samplers.kernel.Preconditioner;
import org.lampyris.samplers.kernel.ProposalKernel;
import org.lampyris.samplers.kernel.ThetaKernel;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.subsampled.CandidateStream;
import org.lampyris.samplers.subsampled.FactorisedTest;
import org.lampyris.samplers.subsampled.PointHeights;
import org.lampyris.samplers.subsampled.RowTest;
import org.lampyris.samplers.subsampled.ScalableSubsampling;
import org.lampyris.samplers.subsampled.SubsampledSampler;

/** Metropolis–Hastings by Taylor proxies and a few rows, one question at a time or in segments. */
final class SubsampledAlgorithm implements Algorithm {
  /** The constants of the rows and their collapsed proxies. */
  private static final long PASSES = 1;

  /** Crank–Nicolson steps may come to their largest size, a random walk's hardly grow. */
  private static final double MOST_LONGER = 1.25;

  private static final String LARGER_BALL = "set sampler.subsampling.radius larger";

  private final int chains;
  private final Streams streams;
  private final ProxyTable table;
  private final SubsampledSampler sampler;
  private final PointJobs jobs;
  private final double thickness;
  private final Optional<Confinement> confinement;

  SubsampledAlgorithm(
      BlockTable rows,
      BoundsArtefact artefact,
      ModelOfTable family,
      Prior prior,
      SamplerConfig config,
      ThetaKernel kernel,
      Preconditioner laplace,
      Streams streams) {
    if (!(kernel instanceof ProposalKernel proposal)) {
      throw UserException.usage(
          "sampler.algorithm: mhss and smh decide on proposals that know no gradient; choose"
              + " sampler.kernel: random-walk or pcn.");
    }
    this.chains = config.chains();
    this.streams = streams;
    double[] mode = artefact.theta();
    Double radius = config.subsampling().radius();
    LaplaceApproximation approximation = artefact.fit().laplace();
    this.confinement =
        Optional.ofNullable(radius).map(r -> new Confinement(approximation.ball(r), LARGER_BALL));
    TaylorProxy proxy =
        new TaylorProxy(
            family.model(),
            config.subsampling().order(),
            approximation,
            radius == null ? Double.POSITIVE_INFINITY : radius);
    this.table = new ProxyTable(rows.blocks(), rows.ranges(), proxy);
    this.sampler =
        new SubsampledSampler(
            proxy,
            prior,
            table.collapsed(),
            test(config),
            table.size().rows(),
            table.size().total());
    this.jobs = new PointJobs(table, proxy);
    UniformRandomProvider rng = streams.stream(Streams.Purpose.INITIAL, 0, 0, 0);
    this.thickness = new PointHeights(proxy, longest(proposal), mode, laplace, rng).largest();
  }

  /** Returns a kernel whose steps are at least as long as those that warm-up will arrive at. */
  private static ProposalKernel longest(ProposalKernel kernel) {
    double largest = kernel.largestStepSize();
    double size = Double.isInfinite(largest) ? MOST_LONGER * kernel.stepSize() : largest;
    return (ProposalKernel) kernel.withStepSize(size);
  }

  /** Returns how rows decide in the algorithm that is configured. */
  static RowTest test(SamplerConfig config) {
    // Proxies of order 1 know nothing of the curvature: both factors are needed in one ratio.
    return config.algorithm() == SamplerConfig.Algorithm.SMH
        ? new FactorisedTest()
        : new ScalableSubsampling(config.subsampling().order() == 2);
  }

  private double pointsAnIteration() {
    return thickness * table.size().total();
  }

  private CandidateStream points(int chain) {
    int window = CandidateWindow.length(pointsAnIteration());
    return new CandidateStream(streams, chain, window, thickness);
  }

  @Override
  public Questions questions() {
    QuestionBatcher<PointQuestion, PointJobs.PointAnswer> batcher =
        new QuestionBatcher<>(chains, jobs);
    return new Questions(
        chain -> sampler.kernel(jobs.rows(points(chain), question -> batcher.ask(chain, question))),
        batcher);
  }

  @Override
  public Optional<SegmentSize> segmentSize() {
    return Optional.of(
        new SegmentSize(
            table.size().rows(),
            (double) table.size().bytes() / table.size().rows(),
            pointsAnIteration(),
            0,
            points(1).window()));
  }

  @Override
  public Segments segments(ChainRunner runner, List<ChainState> states) {
    return new SubsampledChains(runner, states);
  }

  @Override
  public Optional<Confinement> confinement() {
    return confinement;
  }

  @Override
  public long passes() {
    return PASSES;
  }

  @Override
  public void close() {
    table.close();
  }

  /** The chains between two segments. */
  private final class SubsampledChains implements Segments {
    private final ChainRunner runner;
    private final SubsampledSegments segments;
    private final List<ChainState> states;
    private long iterationsByJobs;

    SubsampledChains(ChainRunner runner, List<ChainState> states) {
      this.runner = runner;
      this.states = new ArrayList<>(states);
      this.segments =
          new SubsampledSegments(
              table, sampler, runner, SubsampledAlgorithm.this::points, states.size());
    }

    @Override
    public List<ChainTrace> run(int iterations, int following) {
      long begun = states.get(0).iteration();
      long end = begun + iterations;
      List<ChainTrace> traces = new ArrayList<>();
      for (int c = 1; c <= chains; c++) {
        traces.add(new ChainTrace(c));
      }
      @Nullable SegmentRequest next =
          following == 0 ? null : SegmentRequest.together(chains, end + 1, following);
      SegmentRequest request = SegmentRequest.together(chains, begun + 1, iterations);
      while (request != null) {
        List<SubsampledSampler.Segment> after = segments.run(states, request, next);
        for (int c = 0; c < chains; c++) {
          states.set(c, after.get(c).state());
          traces.get(c).append(after.get(c).trace());
          if (states.get(c).iteration() < end) {
            oneIterationByJobs(c, traces.get(c));
          }
        }
        request = rest(end);
      }
      return traces;
    }

    /** Makes the iteration that a chain's pools did not suffice for. */
    private void oneIterationByJobs(int c, ChainTrace trace) {
      ChainState state = states.get(c);
      var kernel =
          sampler.kernel(
              jobs.rows(points(state.chain()), question -> jobs.apply(List.of(question)).get(0)));
      ChainRunner silent =
          new ChainRunner(runner.length(), runner.streams(), (chain, iteration, info) -> {});
      states.set(c, silent.advance(state, state.iteration() + 1, kernel, trace));
      iterationsByJobs++;
    }

    /** Returns what is left to do up to an iteration, or null if nothing is. */
    private @Nullable SegmentRequest rest(long end) {
      long[] first = new long[chains];
      int[] length = new int[chains];
      boolean any = false;
      for (int c = 0; c < chains; c++) {
        first[c] = states.get(c).iteration() + 1;
        length[c] = (int) (end - states.get(c).iteration());
        any |= length[c] > 0;
      }
      return any ? new SegmentRequest(first, length) : null;
    }

    @Override
    public long jobs() {
      return segments.jobs() + iterationsByJobs;
    }

    @Override
    public void close() {
      segments.close();
    }
  }
}
