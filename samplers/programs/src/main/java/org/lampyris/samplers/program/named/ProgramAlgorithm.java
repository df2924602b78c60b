package org.lampyris.samplers.program.named;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.commons.rng.UniformRandomProvider;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.Interval;
import org.lampyris.bounds.config.OwnSection;
import org.lampyris.bounds.config.OwnSettings;
import org.lampyris.bounds.config.Text;
import org.lampyris.bounds.config.UserException;
import org.lampyris.samplers.algorithm.BridgeSampling;
import org.lampyris.samplers.algorithm.Foreseen;
import org.lampyris.samplers.algorithm.LogPosteriors;
import org.lampyris.samplers.algorithm.Need;
import org.lampyris.samplers.algorithm.SamplerSettings;
import org.lampyris.samplers.algorithm.SamplingAlgorithm;
import org.lampyris.samplers.algorithm.Trait;
import org.lampyris.samplers.chain.ChainTrace;
import org.lampyris.samplers.chain.Column;
import org.lampyris.samplers.chain.ExecutionPlan;
import org.lampyris.samplers.chain.PlanSettings;
import org.lampyris.samplers.chain.StartingPoint;
import org.lampyris.samplers.chain.StepInfo;
import org.lampyris.samplers.chain.TransitionKernel;
import org.lampyris.samplers.kernel.Point;
import org.lampyris.samplers.kernel.ThetaKernel;
import org.lampyris.samplers.program.moves.ProgramRows;
import org.lampyris.samplers.program.moves.ProgramState;
import org.lampyris.samplers.program.moves.ProgramTable;
import org.lampyris.samplers.rows.RowStates;
import org.lampyris.samplers.run.Bias;
import org.lampyris.samplers.run.ChainRuns;
import org.lampyris.samplers.run.FullPasses;
import org.lampyris.samplers.run.PlainBlock;
import org.lampyris.samplers.run.ResidentAlgorithm;
import org.lampyris.samplers.run.ResidentRows;
import org.lampyris.samplers.run.RowClient;
import org.lampyris.samplers.run.RunResult;
import org.lampyris.samplers.run.SamplingContext;

/**
 * Chains of a program: an iteration makes its moves, see {@link TraceMoves}. Rows of a small table
 * travel to the chains, unless {@code sampler.plan} is stepwise, to the same bits.
 *
 * <p>Source: Chen, Mansinghka and Ghahramani (2014).
 */
public final class ProgramAlgorithm implements SamplingAlgorithm {
  /** Its name, and its section's. */
  public static final String NAME = "program";

  /**
   * The section {@code sampler.program}.
   *
   * @param epsilon ε of the sequential tests; 0 for exact moves
   * @param warmupEpsilon the same in the warm-up
   * @param batch m, by how many rows a test's sample grows
   * @param drift the sd of a proposal to begin with
   * @param particles how many particles draw the latent nodes of a row
   */
  public record Settings(
      double epsilon, double warmupEpsilon, long batch, double drift, int particles)
      implements Serializable {}

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public List<OwnSection<?>> sections() {
    return List.of(
        new OwnSection<>(
            NAME,
            Settings.class,
            (section, defaults) -> {
              double epsilon = section.number("epsilon", 0, new Interval(0, true, 0.5, false));
              return new Settings(
                  epsilon,
                  section.number("warmup_epsilon", epsilon, new Interval(0, true, 0.5, false)),
                  section.whole("batch", 100, 2, Integer.MAX_VALUE),
                  section.number("drift", 0.1, Interval.POSITIVE),
                  section.whole("particles", 20, 2, 1_000_000));
            }));
  }

  @Override
  public Set<Trait> traits() {
    return Set.of(Trait.EXACT, Trait.WITHOUT_KERNEL, Trait.WITHOUT_COVARIANCE);
  }

  @Override
  public Set<Need> needs() {
    return Set.of(Need.PROGRAM);
  }

  @Override
  public boolean isExact(OwnSettings own) {
    return own.of(Settings.class).epsilon() == 0;
  }

  @Override
  public String knob(OwnSettings own) {
    double epsilon = own.of(Settings.class).epsilon();
    return epsilon == 0 ? "" : Text.of("sampler.program.epsilon: %s", epsilon);
  }

  @Override
  public String defaultKernel() {
    return "random-walk";
  }

  @Override
  public List<Column> columns() {
    return List.of(new Column("sections", "sections", true), new Column("drawn", "drawn", true));
  }

  @Override
  public void require(Foreseen model, SamplerSettings settings) {
    List<String> foreign = new ArrayList<>();
    if (!settings.theta().kernel().equals(defaultKernel())) {
      foreign.add("sampler.kernel");
    }
    if (settings.theta().stepSize() != null || settings.theta().targetAcceptance() != null) {
      foreign.add("sampler.step_size and target_acceptance");
    }
    if (settings.run().init() != StartingPoint.Init.LAPLACE) {
      foreign.add("sampler.init");
    }
    if (settings.lp() == LogPosteriors.When.ALWAYS) {
      foreign.add("sampler.lp");
    }
    if (settings.evidence() != BridgeSampling.When.OWN) {
      foreign.add("sampler.evidence");
    }
    if (model.isWeighted()) {
      foreign.add("data.weight");
    }
    if (model.isGrouped()) {
      foreign.add("data.group_by");
    }
    if (!foreign.isEmpty()) {
      throw UserException.usage(
          "model.family: %s is a program, which does not heed %s. Remove it."
              .formatted(model.family(), String.join(", ", foreign)));
    }
  }

  @Override
  public RunResult run(SamplingContext context, OwnSettings own) {
    Settings settings = own.of(Settings.class);
    return ChainRuns.run(context, 0.5, () -> new Run(context, settings, knob(own)));
  }

  /** The chains on the resident rows. */
  private static final class Run
      implements ResidentAlgorithm<PlainBlock, ProgramChain, ProgramChain> {
    private final SamplingContext context;
    private final Settings settings;
    private final String knob;
    private final ProgramNumbers numbers;
    private final boolean inMemory;
    private final ProgramRows rows;
    private final TraceMoves moves;

    Run(SamplingContext context, Settings settings, String knob) {
      this.context = context;
      this.settings = settings;
      this.knob = knob;
      this.numbers = (ProgramNumbers) context.model().model();
      this.inMemory =
          context.inputs().plan().plan() == PlanSettings.Plan.AUTO && FullPasses.isCarried(context);
      ProgramTable table = ProgramTable.of(context);
      this.rows =
          new ProgramRows(
              numbers.trace(),
              inMemory
                  ? ProgramTable.inMemory(
                      context.carried(1, (task, blocks) -> new ArrayList<>(blocks)).get(0))
                  : table,
              context.streams(),
              context.chains(),
              numbers.program().clusters());
      try {
        this.moves = TraceMoves.of(numbers.program(), rows, settings);
      } catch (RuntimeException e) {
        rows.close();
        throw e;
      }
    }

    @Override
    public ResidentRows<PlainBlock> rows() {
      return rows.resident();
    }

    @Override
    public TransitionKernel<ProgramChain> kernel(int chain, RowClient<PlainBlock> client) {
      int warmup = context.inputs().chains().warmup();
      return new Kernel(numbers, moves, settings, warmup, rows.asking(client), chain);
    }

    @Override
    public Optional<RowStates<?, ?, ?, ?>> rowStates() {
      return Optional.of(rows.states());
    }

    @Override
    public Optional<ExecutionPlan> plan() {
      return inMemory
          ? Optional.of(
              ExecutionPlan.stepwise(
                  Map.of(),
                  Text.of(
                      "plan: all %,d rows stay with the chains, without jobs",
                      context.table().rows())))
          : Optional.empty();
    }

    /** {@inheritDoc} Not measured: there is no other algorithm to compare with. */
    @Override
    public @Nullable Bias bias(List<ChainTrace> traces) {
      return settings.epsilon() == 0
          ? null
          : new Bias(
              knob,
              Map.of(),
              "not measured for a program; run it with sampler.program.epsilon: 0, and use compare");
    }

    @Override
    public long passes() {
      return 0;
    }

    @Override
    public void close() {
      rows.close();
    }
  }

  /** Kernel of one chain. The θ-kernel has no part in it. */
  private record Kernel(
      ProgramNumbers numbers,
      TraceMoves moves,
      Settings settings,
      int warmup,
      ProgramRows rows,
      int chain)
      implements TransitionKernel<ProgramChain> {
    @Override
    public Transition<ProgramChain> init(double[] theta) {
      ProgramState begun = numbers.program().begin(rows, chain);
      return new Transition<>(of(begun, moves.drifts(settings.drift())), new StepInfo(1, 0, false));
    }

    private ProgramChain of(ProgramState state, double[] drifts) {
      return new ProgramChain(Point.at(numbers.at(state.globals())), state, drifts);
    }

    @Override
    public Transition<ProgramChain> step(
        ProgramChain from, long iteration, ThetaKernel kernel, UniformRandomProvider rng) {
      double[] drifts = from.drifts().clone();
      boolean warm = iteration <= warmup;
      ProgramState after =
          moves.apply(
              from.program(),
              rows,
              drifts,
              warm ? settings.warmupEpsilon() : settings.epsilon(),
              warm ? iteration : 0);
      ProgramState.Counts was = from.program().counts();
      ProgramState.Counts is = after.counts();
      long tests = is.tests() - was.tests();
      long sections = is.sections() - was.sections();
      long drawn = is.updates() - was.updates();
      // A section is evaluated at both values.
      return new Transition<>(
          of(after, drifts),
          new StepInfo(
              tests == 0 ? 1 : (double) (is.accepted() - was.accepted()) / tests,
              2 * sections + drawn,
              false,
              Double.NaN,
              List.of((double) sections, (double) drawn)));
    }
  }
}
