package org.lampyris.samplers.multilevel;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.lampyris.bounds.effects.GroupingEffects;
import org.lampyris.bounds.effects.TableEffects;
import org.lampyris.bounds.family.ModelOfTable;
import org.lampyris.bounds.model.PredictorModel;
import org.lampyris.samplers.chain.ChainState;
import org.lampyris.samplers.chain.ExecutionPlan;
import org.lampyris.samplers.chain.PlanSettings;
import org.lampyris.samplers.chain.TransitionKernel;
import org.lampyris.samplers.rows.RowStates;
import org.lampyris.samplers.run.BlockRule;
import org.lampyris.samplers.run.EffectSink;
import org.lampyris.samplers.run.FullPasses;
import org.lampyris.samplers.run.InMemoryContext;
import org.lampyris.samplers.run.PlainBlock;
import org.lampyris.samplers.run.ResidentAlgorithm;
import org.lampyris.samplers.run.ResidentRows;
import org.lampyris.samplers.run.RowClient;
import org.lampyris.samplers.run.RunResult;
import org.lampyris.samplers.run.SamplingContext;

/**
 * Chains with random effects on the resident rows. Those of a small table are brought to the
 * driver, where a question takes no job, unless {@code sampler.plan} is stepwise: to the same bits.
 */
final class MultilevelRun implements ResidentAlgorithm<GroupedBlock, EffectsState, EffectsState> {
  private final SamplingContext context;
  private final Structure structure;
  private final MultilevelPlan plan;
  private final ResidentRows<GroupedBlock> rows;
  private final RowStates<GroupedBlock, PlaceEffects, EffectsQuestion, double[]> states;
  private final Function<List<RowStates.Asked<EffectsQuestion>>, List<double[]>> job;
  private final long[][] keys;
  private final boolean inMemory;

  MultilevelRun(
      SamplingContext context,
      PredictorModel model,
      List<TableEffects> groupings,
      MultilevelSettings settings) {
    this.context = context;
    LevelKeys.Found found;
    try (ResidentRows<PlainBlock> plain = context.resident(PlainBlock::new)) {
      found = RowClient.alone(plain).ask(new LevelKeys(groupings), true);
    }
    this.keys = found.keys();
    long[][] known = keys;
    BlockRule<GroupedBlock> rule = block -> GroupedBlock.of(block, groupings, known);
    this.inMemory =
        context.inputs().plan().plan() == PlanSettings.Plan.AUTO && FullPasses.isCarried(context);
    this.rows =
        inMemory
            ? InMemoryContext.rows(
                context.carried(1, (task, blocks) -> new ArrayList<>(blocks)).get(0), rule)
            : context.resident(rule);
    RowPass pass = new RowPass(model, groupings);
    EffectsEvolution evolution =
        new EffectsEvolution(
            pass,
            context.streams(),
            context.inputs().chains().draws(),
            settings.kept(groupings, context.chains()));
    this.structure =
        new Structure(
            context.model().prior(),
            pass,
            context.model().coefficients().indexOf(ModelOfTable.INTERCEPT),
            evolution,
            found.nestings());
    this.plan =
        new MultilevelPlan(
            settings, context.inputs().chains(), context.streams(), context.table().rows());
    this.states = rows.states(evolution, context.chains());
    this.job = states::answer;
  }

  @Override
  public ResidentRows<GroupedBlock> rows() {
    return rows;
  }

  @Override
  public TransitionKernel<EffectsState> kernel(int chain, RowClient<GroupedBlock> client) {
    return new MultilevelKernel(
        chain,
        structure,
        plan,
        (before, question) -> client.ask(job, new RowStates.Asked<>(before, question)));
  }

  @Override
  public Optional<RowStates<?, ?, ?, ?>> rowStates() {
    return Optional.of(states);
  }

  @Override
  public RunResult.Beyond beyond() {
    List<GroupingEffects> all = structure.groupings().stream().map(TableEffects::effects).toList();
    return new RunResult.Beyond(
        all.stream().flatMap(of -> of.names().stream()).toList(),
        all.stream().flatMap(of -> of.priors().stream()).toList());
  }

  /** {@inheritDoc} Here the effects are summed up. */
  @Override
  public void finished(List<ChainState<?>> last) {
    List<TableEffects> groupings = structure.groupings();
    for (int g = 0; g < groupings.size(); g++) {
      if (groupings.get(g).together()) {
        Iterator<PlaceSummary.Effects> places =
            states.places(new PlaceSummary(groupings.get(g).grouping()));
        while (places.hasNext()) {
          tell(g, places.next());
        }
      } else {
        int grouping = g;
        List<EffectRecorder> chains =
            last.stream()
                .map(chain -> ((EffectsState) chain.state()).shared().recorders()[grouping])
                .map(Objects::requireNonNull)
                .toList();
        tell(g, PlaceSummary.summed(keys[g], chains));
      }
    }
  }

  private void tell(int grouping, PlaceSummary.Effects of) {
    EffectSink sink = context.inputs().effects();
    int q = structure.size(grouping);
    for (int i = 0; i < of.statistics().length; i++) {
      sink.add(grouping, of.keys()[i / q], i % q, of.statistics()[i], of.draws()[i]);
    }
  }

  @Override
  public Optional<ExecutionPlan> plan() {
    return inMemory
        ? Optional.of(
            new ExecutionPlan(
                0,
                String.format(
                    Locale.ROOT,
                    "plan: all %,d rows where the chains are, without jobs",
                    context.table().rows())))
        : Optional.empty();
  }

  /** {@inheritDoc} Here nothing but the keys of groups. */
  @Override
  public long passes() {
    return 1;
  }

  @Override
  public void close() {
    states.close();
    rows.close();
  }
}
