package org.lampyris.samplers.multilevel;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.lampyris.bounds.effects.GroupingEffects;
import org.lampyris.bounds.effects.TableEffects;
import org.lampyris.bounds.family.ModelOfTable;
import org.lampyris.bounds.model.PredictorModel;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.samplers.chain.ChainState;
import org.lampyris.samplers.chain.ExecutionPlan;
import org.lampyris.samplers.chain.PlanSettings;
import org.lampyris.samplers.chain.TransitionKernel;
import org.lampyris.samplers.multilevel.NestedMoves.Nesting;
import org.lampyris.samplers.rows.Place;
import org.lampyris.samplers.rows.RowQuestions;
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
  private final MultilevelKernel.Plan plan;
  private final ResidentRows<GroupedBlock> rows;
  private final RowStates<GroupedBlock, PlaceEffects, EffectsQuestion, double[]> states;
  private final Function<List<RowStates.Asked<EffectsQuestion>>, List<double[]>> job;
  private final long[][] keys;
  private final boolean inMemory;

  MultilevelRun(
      SamplingContext context,
      PredictorModel model,
      List<TableEffects> groupings,
      MultilevelAlgorithm.Settings settings) {
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
        new MultilevelKernel.Plan(
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
        Iterator<PlaceEffects.Summary.Effects> places =
            states.places(new PlaceEffects.Summary(groupings.get(g).grouping()));
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
        tell(g, PlaceEffects.Summary.summed(keys[g], chains));
      }
    }
  }

  private void tell(int grouping, PlaceEffects.Summary.Effects of) {
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
            ExecutionPlan.stepwise(
                Map.of(),
                String.format(
                    Locale.ROOT,
                    "plan: all %,d rows stay with the chains, without jobs",
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

  /**
   * Sorted keys of the groups of every grouping whose groups do not lie together, empty for the
   * other, and which of these groupings are nested.
   */
  record LevelKeys(List<TableEffects> groupings)
      implements RowQuestions<PlainBlock, Boolean, long[][], LevelKeys.Found> {
    /**
     * Keys and nestings found.
     *
     * @param keys the sorted keys, by grouping
     * @param nestings the nested groupings that have an effect of the same column
     */
    record Found(long[][] keys, List<Nesting> nestings) {}

    /** Returns the pairs of groupings, inner and outer, that may be nested. */
    private List<int[]> pairs() {
      List<int[]> pairs = new ArrayList<>();
      for (int g = 0; g < groupings.size(); g++) {
        for (int h = 0; h < groupings.size(); h++) {
          TableEffects inner = groupings.get(g);
          TableEffects outer = groupings.get(h);
          if (!inner.together()
              && !outer.together()
              && (inner.levels() > outer.levels() || (inner.levels() == outer.levels() && g < h))
              && NestedMoves.common(inner, outer).length > 0) {
            pairs.add(new int[] {g, h});
          }
        }
      }
      return pairs;
    }

    /**
     * {@inheritDoc} After the keys it has, for each pair, the outer key of each inner key; nothing
     * if an inner key has several.
     */
    @Override
    public List<long[][]> add(Place<PlainBlock> place, List<Boolean> questions) {
      List<long[]> keys = new ArrayList<>();
      for (TableEffects of : groupings) {
        keys.add(
            of.together()
                ? new long[0]
                : place.blocks().stream()
                    .flatMapToLong(
                        block ->
                            IntStream.range(0, block.data().rows())
                                .mapToLong(row -> block.data().group(of.grouping(), row))
                                .distinct())
                    .distinct()
                    .sorted()
                    .toArray());
      }
      List<long[]> share = new ArrayList<>(keys);
      pairs().forEach(pair -> share.add(outer(place, pair, keys.get(pair[0]))));
      long[][] all = share.toArray(long[][]::new);
      return questions.stream().map(question -> all).toList();
    }

    private long[] outer(Place<PlainBlock> place, int[] pair, long[] inner) {
      long[] outer = new long[inner.length];
      boolean[] known = new boolean[inner.length];
      for (PlainBlock block : place.blocks()) {
        DataBlock data = block.data();
        for (int row = 0; row < data.rows(); row++) {
          int j = Arrays.binarySearch(inner, data.group(groupings.get(pair[0]).grouping(), row));
          long key = data.group(groupings.get(pair[1]).grouping(), row);
          if (known[j] && outer[j] != key) {
            return new long[0];
          }
          known[j] = true;
          outer[j] = key;
        }
      }
      return outer;
    }

    @Override
    public Found merge(Boolean question, List<long[][]> shares) {
      long[][] all = new long[groupings.size()][];
      Arrays.setAll(
          all,
          g ->
              shares.stream()
                  .map(share -> share[g])
                  .flatMapToLong(LongStream::of)
                  .distinct()
                  .sorted()
                  .toArray());
      List<Nesting> nestings = new ArrayList<>();
      List<int[]> pairs = pairs();
      for (int k = 0; k < pairs.size(); k++) {
        int[] levels = levels(all, pairs.get(k), k, shares);
        if (levels.length > 0) {
          nestings.add(new Nesting(pairs.get(k)[0], pairs.get(k)[1], levels));
        }
      }
      return new Found(all, nestings);
    }

    /** Returns the outer level of each inner level of a pair; none if they are not nested. */
    private int[] levels(long[][] keys, int[] pair, int number, List<long[][]> shares) {
      int[] levels = new int[keys[pair[0]].length];
      Arrays.fill(levels, -1);
      for (long[][] share : shares) {
        long[] inner = share[pair[0]];
        long[] outer = share[groupings.size() + number];
        if (outer.length < inner.length) {
          return new int[0];
        }
        for (int i = 0; i < inner.length; i++) {
          int j = Arrays.binarySearch(keys[pair[0]], inner[i]);
          int l = Arrays.binarySearch(keys[pair[1]], outer[i]);
          if (levels[j] >= 0 && levels[j] != l) {
            return new int[0];
          }
          levels[j] = l;
        }
      }
      return levels;
    }
  }
}
