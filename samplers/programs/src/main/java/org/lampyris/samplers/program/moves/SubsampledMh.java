package org.lampyris.samplers.program.moves;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.commons.rng.UniformRandomProvider;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.UserException;
import org.lampyris.samplers.minibatch.BatchMoments;
import org.lampyris.samplers.minibatch.StudentDecision;
import org.lampyris.samplers.program.Globals;
import org.lampyris.samplers.program.LocalSection;
import org.lampyris.samplers.program.Node;
import org.lampyris.samplers.program.Scaffold;
import org.lampyris.samplers.program.Trace;
import org.lampyris.samplers.random.Noise;

/**
 * Metropolis–Hastings by a normal drift of one node, decided by as many local sections of its
 * scaffold as needed. With u uniform and N local sections, x′ is accepted if μ &gt; μ_0,
 *
 * <pre>μ_0 = (log u − Σ_{n ∈ global} log w_n)/N, μ = (1/N) Σ_i l_i.</pre>
 *
 * <p>The sequential test decides that by a growing sample of the l_i without replacement. <b>It is
 * biased</b>: ε bounds the error of each of its looks, and the chain's stationary distribution is
 * not the posterior but approaches it as ε → 0. With ε = 0 all sections are evaluated, and the step
 * is Metropolis–Hastings itself.
 *
 * <p>The local sections of one row share their deterministic nodes and are evaluated together, with
 * their l_i added, unless a row has more of them than there are rows. i then numbers rows.
 *
 * <p>With {@linkplain #about proxies} q_i the test is about the mean of l_i less the change of q_i,
 * and μ_0 is less by the mean change of all q_i. That is the same decision from values that vary
 * less, so fewer of them decide.
 *
 * <p>A node with a value for each cluster is moved for a cluster drawn at random; its sections are
 * those of the cluster's rows. A node of a branch stays as it is while it does not exist. A node
 * whose value decides which nodes exist is refused: {@link ScaffoldMh} moves it.
 *
 * <p>Source: Chen, Mansinghka and Ghahramani (2014), Algorithms 1 to 3 and equation 6.
 *
 * @param drift the sd of each element's proposal
 * @param refresh when deterministic nodes are brought up to date after an acceptance
 * @param proxies q_i; null without proxies
 */
public record SubsampledMh(
    Scaffold scaffold,
    double drift,
    StudentDecision test,
    Refresh refresh,
    @Nullable SectionProxies proxies)
    implements Move {
  /** When stale deterministic nodes are computed again; both give the same bits. */
  public enum Refresh {
    /** When they are touched. */
    LAZY,
    /** All of them, after each acceptance: a pass over the rows. */
    EAGER
  }

  /**
   * Refuses a scaffold that does not fall into local sections about one border.
   *
   * @throws UserException (usage) with the node that prevents it
   */
  public SubsampledMh {
    scaffold.border();
    if (!(drift > 0)) {
      throw UserException.usage(
          "the drift of %s is %s. Set it above 0.".formatted(scaffold.target(), drift));
    }
  }

  /** Returns the step that evaluates all local sections. */
  public static SubsampledMh exact(Trace trace, Node target, double drift) {
    return sequential(trace, target, drift, 1, 0);
  }

  /**
   * Returns the step that is decided by the sequential test.
   *
   * @param batch m, by how many rows a sample grows; by how many sections where a row has more of
   *     them than there are rows
   * @param epsilon ε
   */
  public static SubsampledMh sequential(
      Trace trace, Node target, double drift, long batch, double epsilon) {
    return new SubsampledMh(
        trace.scaffold(target), drift, new StudentDecision(batch, epsilon), Refresh.LAZY, null);
  }

  /** Returns the same step with eager refreshment. */
  public SubsampledMh eager() {
    return new SubsampledMh(scaffold, drift, test, Refresh.EAGER, proxies);
  }

  /** Returns the same step with another test. */
  public SubsampledMh by(StudentDecision other) {
    return new SubsampledMh(scaffold, drift, other, refresh, proxies);
  }

  /**
   * Returns the same step with proxies of the local sections about these values: best about the
   * middle of the posterior, such as a state after burn-in.
   *
   * @throws UserException (usage) if sections depend on a value of their cluster
   */
  public SubsampledMh about(Trace trace, Globals center) {
    return new SubsampledMh(
        scaffold, drift, test, refresh, SectionProxies.of(trace, scaffold, center));
  }

  /**
   * What a step decides on.
   *
   * @param then values outside of the rows, as proposed
   * @param rest Σ_{n ∈ global} log w_n
   * @param u a uniform number
   */
  record Proposed(int cluster, Globals then, double rest, double u) {}

  /** Returns the proposal of a chain's next step; null if it is rejected without rows. */
  @Nullable Proposed propose(ProgramState from, ProgramRows rows) {
    UniformRandomProvider rng = rows.streams().iteration(from.chain(), from.step() + 1);
    Noise noise = Noise.of(rng);
    Globals now = from.globals();
    if (!rows.trace().exists(rows.trace().entry(scaffold.target()), now)) {
      return null;
    }
    boolean perCluster = scaffold.label() != null;
    if (perCluster && now.sums()[0].length == 0) {
      throw UserException.usage(
          "%s is moved before the rows have clusters. Start with the move of the labels."
              .formatted(scaffold.target()));
    }
    int cluster = perCluster ? rng.nextInt(now.clusterCount()) : 0;
    double[] value = now.value(scaffold.target(), cluster).clone();
    for (int j = 0; j < value.length; j++) {
      value[j] += drift * noise.normal();
    }
    Globals then = rows.trace().with(now, scaffold.target(), cluster, value);
    double rest = scaffold.logGlobal(rows.trace(), now, then, cluster);
    double u = rng.nextDouble();
    return rest > Double.NEGATIVE_INFINITY ? new Proposed(cluster, then, rest, u) : null;
  }

  @Override
  public ProgramState apply(ProgramState from, ProgramRows rows) {
    Globals now = from.globals();
    Proposed proposed = propose(from, rows);
    if (proposed == null) {
      return from.afterTest(now, false, 0);
    }
    Looks looks = new Looks(from, rows, proposed);
    boolean accepted = looks.decide(test);
    ProgramState after =
        looks.state.afterTest(accepted ? proposed.then : now, accepted, looks.sections());
    return accepted && refresh == Refresh.EAGER
        ? rows.ask(after, new RefreshAll(proposed.then)).state()
        : after;
  }

  /** A sample that grows. */
  final class Looks {
    private final ProgramRows rows;
    private final @Nullable ClusterRows cluster;
    private final Proposed proposed;
    private final List<LocalSection> sections;
    private final long count;
    private final long step;
    private final int[] stale;
    private final SectionProxies.@Nullable Change change;
    private final double changeOfAll;
    private ProgramState state;
    private long position;
    private BatchMoments seen = new BatchMoments(0, 0, 0);

    Looks(ProgramState from, ProgramRows rows, Proposed proposed) {
      this.state = from;
      this.rows = rows;
      this.cluster =
          scaffold.label() == null
              ? null
              : rows.ofCluster(from, scaffold.label(), proposed.cluster);
      this.proposed = proposed;
      boolean tall = rows.size().rows() >= scaffold.sections().size();
      this.sections = tall ? List.of(scaffold.local().whole()) : scaffold.sections();
      this.count =
          (this.cluster == null ? rows.size().rows() : this.cluster.rows()) * sections.size();
      this.step = from.step() + 1;
      this.stale = rows.trace().stale(from.globals());
      if (proxies == null) {
        this.change = null;
        this.changeOfAll = 0;
      } else {
        double[] monomials = proxies.change(from.globals(), proposed.then);
        ProgramRows.Answer sum = rows.proxies(from, proxies, sections);
        this.state = sum.state();
        this.change = new SectionProxies.Change(proxies, monomials);
        this.changeOfAll = SectionProxies.dot(sum.sums(), 0, monomials);
      }
    }

    /** Returns the number of local sections read. */
    long sections() {
      return seen.count() * (scaffold.sections().size() / sections.size());
    }

    /** Returns N: of sections, or of rows whose sections are evaluated together. */
    long count() {
      return count;
    }

    /** Returns the moments of all that was looked at. */
    BatchMoments seen() {
      return seen;
    }

    /** Returns the state after the looks. */
    ProgramState state() {
      return state;
    }

    /** Returns μ_0, less the mean change of the proxies. */
    double threshold() {
      return (Math.log(proposed.u) - proposed.rest - changeOfAll) / count;
    }

    boolean decide(StudentDecision how) {
      return how.isAbove(count, this::at, threshold());
    }

    BatchMoments at(long wanted) {
      Selected selected = new Selected(step, position, wanted, sections.size());
      position = wanted;
      BatchMoments more = ask(List.of(selected)).get(0);
      seen =
          new BatchMoments(
              seen.count() + more.count(),
              seen.sum() + more.sum(),
              seen.squares() + more.squares());
      return seen;
    }

    /** Returns batches of m values, each drawn from all of them without replacement. */
    List<BatchMoments> batches(int batches, long m) {
      // No step of a chain has a number below 0.
      return ask(
          LongStream.rangeClosed(1, batches)
              .mapToObj(k -> new Selected(-(step * batches + k), 0, m, sections.size()))
              .toList());
    }

    private List<BatchMoments> ask(List<Selected> selected) {
      ProgramRows.Answer answer =
          rows.ask(
              state,
              new SectionSums(
                  selected, sections, cluster, change, state.globals(), proposed.then, stale));
      state = answer.state();
      double[] sums = Arrays.copyOf(answer.sums(), SectionSums.LENGTH * selected.size());
      return IntStream.range(0, selected.size())
          .map(k -> SectionSums.LENGTH * k)
          .mapToObj(k -> new BatchMoments((long) sums[k], sums[k + 1], sums[k + 2]))
          .toList();
    }
  }
}
