package org.lampyris.driver.sample;

import org.lampyris.bounds.error.UserException;
import org.lampyris.bounds.lowerbound.Anchors;
import org.lampyris.bounds.lowerbound.CollapsedQuadratic;
import org.lampyris.bounds.lowerbound.LowerBound;
import org.lampyris.bounds.prior.Prior;
import org.lampyris.dataprep.precompute.BoundsArtefact;
import org.lampyris.dataprep.precompute.Family;
import org.lampyris.driver.config.FireflyConfig;
import org.lampyris.driver.config.SamplerConfig;
import org.lampyris.executors.batch.QuestionBatcher;
import org.lampyris.executors.firefly.BoundTable;
import org.lampyris.executors.firefly.FireflyJobs;
import org.lampyris.executors.table.BlockTable;
import org.lampyris.executors.table.TableSchema;
import org.lampyris.samplers.firefly.BrightnessKernel;
import org.lampyris.samplers.firefly.CandidateRates;
import org.lampyris.samplers.firefly.ExplicitBrightness;
import org.lampyris.samplers.firefly.FireflyAnswer;
import org.lampyris.samplers.firefly.FireflyKernel;
import org.lampyris.samplers.firefly.FireflyPass;
import org.lampyris.samplers.firefly.FireflyQuestion;
import org.lampyris.samplers.firefly.ImplicitBrightness;
import org.lampyris.samplers.firefly.PerRowRates;
import org.lampyris.samplers.firefly.RowSelection;
import org.lampyris.samplers.firefly.SelectionSize;
import org.lampyris.samplers.kernel.TransitionKernel;
import org.lampyris.samplers.random.Streams;

/** Firefly Monte Carlo by the stepwise plan: one job an iteration, for all chains. */
final class FireflyAlgorithm implements Algorithm {
  /** Anchors, hazards, and the full draw of brightness that every chain begins with. */
  private static final long PASSES = 2;

  private final Prior prior;
  private final CollapsedQuadratic collapsed;
  private final FireflyKernel.ZStep zStep;
  private final int thetaSteps;
  private final BoundTable bound;
  private final FireflyJobs jobs;
  private final QuestionBatcher<FireflyQuestion, FireflyAnswer> batcher;

  FireflyAlgorithm(
      BlockTable table,
      BoundsArtefact artefact,
      Family family,
      Prior prior,
      SamplerConfig config,
      Streams streams) {
    FireflyConfig firefly = config.firefly();
    LowerBound lower = family.requireBound(artefact.fit(), "firefly");
    requireEverywhere(firefly, family, lower);
    this.prior = lower.restricted(prior, artefact.theta());
    this.collapsed = collapsed(artefact, firefly);
    this.zStep = zStep(firefly, table.schema(), streams);
    this.thetaSteps = firefly.thetaSteps();
    this.bound = bound(table, artefact, lower, firefly);
    FireflyPass pass = new FireflyPass(lower, streams);
    this.jobs = new FireflyJobs(bound, pass, config.chains(), config.checkpointInterval());
    this.batcher = new QuestionBatcher<>(config.chains(), jobs);
  }

  /** Refuses the same anchors for all rows where the bound holds near the mode only. */
  private static void requireEverywhere(FireflyConfig firefly, Family family, LowerBound bound) {
    if (firefly.bound() == FireflyConfig.Bound.UNTUNED
        && bound.untuned(firefly.anchor()).isEmpty()) {
      throw UserException.usage(
          "sampler.firefly.bound: untuned does not apply to the family "
              + family.spec().name()
              + " with these parameters, whose bound holds near the mode only; choose map-tuned.");
    }
  }

  private static CollapsedQuadratic collapsed(BoundsArtefact artefact, FireflyConfig firefly) {
    return switch (firefly.bound()) {
      case MAP_TUNED -> artefact.tuned();
      case UNTUNED -> {
        if (artefact.untunedAnchor() != firefly.anchor()) {
          throw UserException.data(
              "the precomputed untuned bounds are for the anchor "
                  + artefact.untunedAnchor()
                  + ", and sampler.firefly.anchor is "
                  + firefly.anchor()
                  + ": run precompute again with precompute.anchor: "
                  + firefly.anchor());
        }
        yield artefact.untuned();
      }
    };
  }

  private static BoundTable bound(
      BlockTable table, BoundsArtefact artefact, LowerBound bound, FireflyConfig firefly) {
    double[] mode = artefact.theta();
    double anchor = firefly.anchor();
    BoundTable.AnchorRule rule =
        switch (firefly.bound()) {
          case MAP_TUNED -> block -> bound.anchorsAt(block, mode);
          case UNTUNED -> {
            Anchors same = bound.untuned(anchor).orElseThrow();
            yield block -> same;
          }
        };
    if (firefly.zKernel() != FireflyConfig.ZKernel.PER_ROW) {
      return BoundTable.uniform(table.blocks(), table.ranges(), rule);
    }
    PerRowRates rates =
        new PerRowRates(bound, mode, artefact.fit().covariance(), firefly.kappa(), firefly.floor());
    return BoundTable.perRow(table.blocks(), table.ranges(), table.schema().rows(), rule, rates);
  }

  private static FireflyKernel.ZStep zStep(
      FireflyConfig firefly, TableSchema schema, Streams streams) {
    SelectionSize none = SelectionSize.fixed(0);
    return switch (firefly.zKernel()) {
      case PER_ROW ->
          new FireflyKernel.ZStep(new ImplicitBrightness(new CandidateRates.PerRow()), none);
      case IMPLICIT ->
          new FireflyKernel.ZStep(
              new ImplicitBrightness(new CandidateRates.Uniform(firefly.q())), none);
      case EXPLICIT -> explicit(firefly, schema, streams);
    };
  }

  private static FireflyKernel.ZStep explicit(
      FireflyConfig firefly, TableSchema schema, Streams streams) {
    long rows = schema.rows();
    long draws = (long) Math.ceil(rows * firefly.fraction());
    RowSelection random = new RowSelection.Random(streams.seed(), rows, schema.blockRows());
    int period = (int) Math.ceil(1 / firefly.fraction());
    RowSelection scheduled = new RowSelection.Scheduled(period, schema.blockRows());
    return switch (firefly.scheme()) {
      case WITH_REPLACEMENT -> zStep(random, SelectionSize.distinctOf(draws, rows));
      case WITHOUT_REPLACEMENT -> zStep(random, SelectionSize.fixed(draws));
      case SCHEDULED -> zStep(scheduled, SelectionSize.fixed(0));
    };
  }

  private static FireflyKernel.ZStep zStep(RowSelection selection, SelectionSize size) {
    BrightnessKernel kernel = new ExplicitBrightness(selection);
    return new FireflyKernel.ZStep(kernel, size);
  }

  @Override
  public TransitionKernel kernel(int chain) {
    return new FireflyKernel(
        chain, prior, collapsed, question -> batcher.ask(chain, question), zStep, thetaSteps);
  }

  @Override
  public QuestionBatcher<?, ?> batcher() {
    return batcher;
  }

  @Override
  public long passes() {
    return PASSES;
  }

  @Override
  public void close() {
    jobs.close();
    bound.close();
  }
}
