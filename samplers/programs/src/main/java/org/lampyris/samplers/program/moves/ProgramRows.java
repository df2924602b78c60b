package org.lampyris.samplers.program.moves;

import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.lampyris.samplers.program.Globals;
import org.lampyris.samplers.program.LocalSection;
import org.lampyris.samplers.program.Node;
import org.lampyris.samplers.program.Trace;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.rows.Place;
import org.lampyris.samplers.rows.RowBlock;
import org.lampyris.samplers.rows.RowStates;
import org.lampyris.samplers.rows.RowStates.Asked;
import org.lampyris.samplers.rows.RowStates.Generation;
import org.lampyris.samplers.run.BlockRule;
import org.lampyris.samplers.run.BlockTerm;
import org.lampyris.samplers.run.PlainBlock;
import org.lampyris.samplers.run.ResidentRows;
import org.lampyris.samplers.run.RowClient;

/** Program with its rows, and their state in every chain. */
public final class ProgramRows implements AutoCloseable {
  private final Trace trace;
  private final Streams streams;
  private final ProgramTable table;
  private final int clusters;
  private final ResidentRows<PlainBlock> resident;
  private final RowStates<PlainBlock, LocalState, PlateEvolution.Question, double[]> states;
  private final Function<List<Asked<PlateEvolution.Question>>, List<double[]>> job;
  private final Map<Integer, Counted> counted;
  private final Map<Proxied, Summed> summed;
  private final Function<Asked<PlateEvolution.Question>, double[]> asking;

  /**
   * Begins.
   *
   * @param clusters in how many clusters the rows of a mixture begin, else 1
   */
  public ProgramRows(Trace trace, ProgramTable table, Streams streams, int chains, int clusters) {
    this.trace = trace;
    this.streams = streams;
    this.table = table;
    this.clusters = clusters;
    this.resident = table.source().resident(PlainBlock::new);
    this.states =
        resident.states(new PlateEvolution(trace, streams, table.size(), clusters), chains);
    this.counted = new ConcurrentHashMap<>();
    this.summed = new ConcurrentHashMap<>();
    this.job = states::answer;
    this.asking = asked -> states.answer(List.of(asked)).get(0);
  }

  private ProgramRows(ProgramRows of, RowClient<PlainBlock> client) {
    this.trace = of.trace;
    this.streams = of.streams;
    this.table = of.table;
    this.clusters = of.clusters;
    this.resident = of.resident;
    this.states = of.states;
    this.counted = of.counted;
    this.summed = of.summed;
    this.job = of.job;
    this.asking = asked -> client.ask(job, asked);
  }

  /** Returns the same rows, which a chain asks together with other chains. Not to be closed. */
  public ProgramRows asking(RowClient<PlainBlock> client) {
    return new ProgramRows(this, client);
  }

  /** Returns the blocks. */
  public ResidentRows<PlainBlock> resident() {
    return resident;
  }

  /** Returns the states of the rows, which a checkpoint keeps. */
  public RowStates<?, ?, ?, ?> states() {
    return states;
  }

  /** Starts with a program without clusters. */
  public ProgramRows(Trace trace, ProgramTable table, Streams streams, int chains) {
    this(trace, table, streams, chains, 1);
  }

  /** Returns the trace of the program's run. */
  public Trace trace() {
    return trace;
  }

  /** Returns the run's streams. */
  public Streams streams() {
    return streams;
  }

  /** Returns how large the table is. */
  public ProgramTable.Size size() {
    return table.size();
  }

  /** Keeps a move's data for each row, until closed. */
  public <B extends RowBlock<B>> ResidentRows<B> keep(BlockRule<B> rule) {
    return table.source().resident(rule);
  }

  /** Returns a sum over all blocks: a pass. */
  public double[] sum(int length, BlockTerm<PlainBlock> term) {
    return resident.sum(length, term);
  }

  /** Returns the start of a chain: globals drawn from the prior. */
  public ProgramState begin(int chain) {
    Globals drawn = trace.draw(streams.stream(Streams.Purpose.INITIAL, chain, 0, 0), clusters);
    return new ProgramState(chain, drawn, Generation.first(chain), 0, ProgramState.Counts.NONE);
  }

  /** Answer of the rows, with the state after it. */
  public record Answer(double[] sums, ProgramState state) {}

  /** Runs a task on the rows, as a job if they are distributed. */
  public Answer ask(ProgramState from, RowTask task) {
    double[] sums =
        asking.apply(new Asked<>(from.rows(), new PlateEvolution.Question(from.chain(), task)));
    return new Answer(sums, from.afterJob());
  }

  /**
   * Returns the rows of a cluster; needs a job, if rows are distributed and labels have changed.
   */
  ClusterRows ofCluster(ProgramState from, Node label, int cluster) {
    Globals globals = from.globals();
    Counted known = counted.get(from.chain());
    if (known == null || known.time != globals.latentsChanged()) {
      ClusterRows.Counts.Counting how =
          new ClusterRows.Counts.Counting(trace.latents(), label.slot());
      known = new Counted(globals.latentsChanged(), states.collect(how).get(from.chain() - 1));
      counted.put(from.chain(), known);
    }
    int stored = 0;
    while (globals.places()[stored] != cluster) {
      stored++;
    }
    return known.counts.of(label, stored);
  }

  /** Returns the sum of all polynomials; asks the rows, if latent values have changed. */
  Answer proxies(ProgramState from, SectionProxies proxies, List<LocalSection> sections) {
    Proxied key = new Proxied(from.chain(), SectionProxies.densities(sections));
    int time = from.globals().latentsChanged();
    Summed known = summed.get(key);
    if (known != null
        && known.time == time
        && known.asked <= from.rows().number()
        && known.proxies.same(proxies)) {
      return new Answer(known.sums, from);
    }
    Answer answer = ask(from, new SectionProxies.Sum(proxies, sections));
    summed.put(key, new Summed(time, from.rows().number(), proxies, answer.sums));
    return answer;
  }

  /**
   * Returns the latent values of all rows in every chain, one array a block: for tables that fit
   * here.
   */
  public List<double[][]> latents() {
    return states.collect(new Latents());
  }

  /** Returns the joined data of the first chain from all places. */
  public <C extends Serializable> C collect(
      RowStates.Collector<PlainBlock, LocalState, C> collector) {
    return states.collect(collector).get(0);
  }

  /** Returns the setting of a chain's tasks. */
  public RowTask.Setting setting(int chain) {
    return new RowTask.Setting(trace, streams, chain, table.size());
  }

  /** Number of rows with each label at the last change of latent values. */
  private record Counted(int time, ClusterRows.Counts counts) {}

  private record Proxied(int chain, List<List<Integer>> absorbing) {}

  /** Sum of proxies at the last change of latent values, asked for in a state of the rows. */
  private record Summed(int time, long asked, SectionProxies proxies, double[] sums) {}

  private record Latents() implements RowStates.Collector<PlainBlock, LocalState, double[][]> {
    @Override
    public double[][] add(Place<PlainBlock> place, LocalState state) {
      return state.latents();
    }

    @Override
    public double[][] merge(List<double[][]> places) {
      return places.stream().flatMap(Arrays::stream).toArray(double[][]::new);
    }
  }

  @Override
  public void close() {
    states.close();
    resident.close();
  }
}
