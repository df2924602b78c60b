package org.lampyris.samplers.effects.rows;

import java.util.Arrays;
import java.util.List;
import org.apache.commons.rng.UniformRandomProvider;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.block.DataBlock;
import org.lampyris.bounds.block.TreeSum;
import org.lampyris.bounds.effects.TableEffects;
import org.lampyris.bounds.model.Likelihood;
import org.lampyris.samplers.pool.Place;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.rowstate.RowEvolution;

/**
 * How rows answer, and how the effects of groups that lie together evolve. Answers are sums over
 * blocks along a fixed tree, and a block's random numbers are its own, so that nothing depends on
 * how blocks are spread.
 */
public final class EffectsEvolution
    implements RowEvolution<GroupedBlock, PlaceEffects, EffectsQuestion, TreeSum.Node[], double[]> {
  private final RowPass pass;
  private final Streams streams;
  private final int draws;
  private final int keep;
  private final int local;

  /**
   * Takes the rows' mathematics.
   *
   * @param draws how many draws a recorder will be told of
   * @param keep how many of them it keeps as they are
   */
  public EffectsEvolution(RowPass pass, Streams streams, int draws, int keep) {
    this.keep = keep;
    this.pass = pass;
    this.streams = streams;
    this.draws = draws;
    this.local = local(pass.groupings());
  }

  /** Returns the grouping whose groups lie together; −1 if there is none. */
  public static int local(List<TableEffects> groupings) {
    for (int g = 0; g < groupings.size(); g++) {
      if (groupings.get(g).together()) {
        return g;
      }
    }
    return -1;
  }

  private int columns() {
    return pass.model().columns();
  }

  private int size(int grouping) {
    return pass.groupings().get(grouping).size();
  }

  /** Begins to record effects. */
  public EffectRecorder recorder(int effects) {
    return EffectRecorder.of(effects, draws, keep);
  }

  @Override
  public PlaceEffects initial(Place<GroupedBlock> place) {
    int blocks = local < 0 ? 0 : place.blocks().size();
    LevelEffects[] effects = new LevelEffects[blocks];
    EffectRecorder[] recorders = new EffectRecorder[blocks];
    for (int i = 0; i < blocks; i++) {
      int groups = place.blocks().get(i).groups();
      effects[i] = LevelEffects.zero(groups, size(local), columns());
      recorders[i] = recorder(groups * size(local));
    }
    return new PlaceEffects(effects, recorders);
  }

  @Override
  public Evolved<PlaceEffects, TreeSum.Node[]> evolve(
      Place<GroupedBlock> place, PlaceEffects before, EffectsQuestion question) {
    TreeSum sum = new TreeSum(place.from(), place.to());
    LevelEffects[] effects = before.effects().clone();
    EffectRecorder[] recorders = before.recorders().clone();
    for (int i = 0; i < place.blocks().size(); i++) {
      GroupedBlock block = place.blocks().get(i);
      double[] out = new double[length(question)];
      if (local >= 0) {
        EffectsQuestion.Local of = local(question);
        LevelEffects now = of.first() == null ? effects[i] : effects[i].displaced(of.first());
        EffectRecorder.Phase phase =
            question.task() instanceof EffectsQuestion.Update update
                ? update.phase()
                : question.task() instanceof EffectsQuestion.Keep
                    ? EffectRecorder.Phase.KEPT
                    : EffectRecorder.Phase.NONE;
        recorders[i] = recorders[i].with(now.values(), phase);
        effects[i] = evolved(block, now, question, out);
      } else {
        evolved(block, null, question, out);
      }
      sum.add(block.id(), out);
    }
    return new Evolved<>(
        new PlaceEffects(effects, recorders), sum.nodes().toArray(new TreeSum.Node[0]));
  }

  private static EffectsQuestion.Local local(EffectsQuestion question) {
    if (question.local() == null) {
      throw new IllegalArgumentException("groups lie together");
    }
    return question.local();
  }

  @Override
  public double[] join(EffectsQuestion question, List<TreeSum.Node[]> shares) {
    return TreeSum.total(shares.stream().flatMap(Arrays::stream).toList(), length(question));
  }

  /** Returns where the sums of a grouping's groups are in an answer to {@code Evaluate}. */
  public int sumsAt(int grouping, double[][] shared) {
    int at = 1 + pass.model().dimension();
    if (local >= 0) {
      at += LevelEffects.tally(size(local), columns());
    }
    for (int g = 0; g < grouping; g++) {
      at += g == local ? 0 : shared[g].length / size(g) * GroupStep.sums(size(g));
    }
    return at;
  }

  /** Returns where the tally of the groups that lie together is. */
  public int tallyAt() {
    return 1 + pass.model().dimension();
  }

  private int length(EffectsQuestion question) {
    EffectsQuestion.Task task = question.task();
    if (task instanceof EffectsQuestion.Keep) {
      return 0;
    }
    if (task instanceof EffectsQuestion.Spread) {
      return pass.groupings().stream().mapToInt(TableEffects::size).sum();
    }
    if (task instanceof EffectsQuestion.Gram gram) {
      int p = columns() + Arrays.stream(gram.derivatives()).mapToInt(of -> of.length).sum();
      return p * p;
    }
    if (task instanceof EffectsQuestion.Shape shape) {
      int g = shape.grouping();
      return g == local
          ? 0
          : question.shared()[g].length / size(g) * LevelEffects.Shape.sums(size(g), columns());
    }
    return sumsAt(pass.groupings().size(), question.shared());
  }

  /** Answers for a block, and returns the effects of its groups that lie together. */
  private @Nullable LevelEffects evolved(
      GroupedBlock block, @Nullable LevelEffects now, EffectsQuestion question, double[] out) {
    EffectsQuestion.Task task = question.task();
    LevelEffects after = now;
    if (task instanceof EffectsQuestion.Update update && now != null) {
      after = stepped(block, now, question, update);
    }
    if (task instanceof EffectsQuestion.Update || task instanceof EffectsQuestion.Evaluate) {
      evaluate(block, after, question, out);
    } else if (!(task instanceof EffectsQuestion.Keep)) {
      LevelEffects at =
          now != null && task instanceof EffectsQuestion.Shape shape && shape.grouping() == local
              ? now.modes(local(question).at())
              : now;
      RowPass.Effects effects = effects(question, at);
      RowPass.Rows rows =
          pass.evaluate(block, question.theta(), effects, new double[block.data().rows()], null, 0);
      if (task instanceof EffectsQuestion.Spread) {
        addSpread(block, rows, out);
      } else if (task instanceof EffectsQuestion.Gram gram) {
        addGram(block, now, question, gram, rows, out);
      } else if (task instanceof EffectsQuestion.Shape) {
        after = shaped(block, now, at, question, rows, out);
      }
    }
    return after;
  }

  private RowPass.Effects effects(EffectsQuestion question, @Nullable LevelEffects now) {
    double[][] all = question.shared().clone();
    if (now != null) {
      all[local] = now.values();
    }
    return new RowPass.Effects(all);
  }

  private void evaluate(
      GroupedBlock block, @Nullable LevelEffects now, EffectsQuestion question, double[] out) {
    LevelEffects there = now == null ? null : now.displaced(local(question).at());
    double[] value = new double[block.data().rows()];
    RowPass.Rows rows =
        pass.evaluate(block, question.theta(), effects(question, there), value, out, 1);
    for (double one : value) {
      out[0] += one;
    }
    for (int g = 0; g < pass.groupings().size(); g++) {
      if (g != local) {
        pass.addSums(block, g, value, rows, out, sumsAt(g, question.shared()));
      }
    }
    if (now != null) {
      int step = GroupStep.sums(now.size());
      double[] sums = new double[now.groups() * step];
      pass.addSums(block, local, value, rows, sums, 0);
      EffectsQuestion.Local of = local(question);
      now.addTally(of.at(), sums, new LevelEffects.Stride(1, step), out, tallyAt());
    }
  }

  private LevelEffects stepped(
      GroupedBlock block,
      LevelEffects now,
      EffectsQuestion question,
      EffectsQuestion.Update update) {
    int q = now.size();
    UniformRandomProvider rng =
        streams.stream(Streams.Purpose.EFFECTS, question.chain(), update.iteration(), block.id());
    GroupStep step = new GroupStep(q, local(question).at().precisionFrom(), update.settle(), rng);
    double[] others = pass.fixed(block, question.theta());
    for (int g = 0; g < pass.groupings().size(); g++) {
      if (g != local) {
        pass.addEffects(block, g, question.shared()[g], others);
      }
    }
    Likelihood likelihood = pass.model().given(question.theta());
    double[] eta = new double[block.data().rows()];
    double[] b = now.values().clone();
    double[] proposal = b.clone();
    double[] sums = new double[now.groups() * GroupStep.sums(q)];
    double[] there = sums.clone();
    LevelEffects.Normals normals = now.normals(local(question).at());
    for (int j = 0; j < now.groups(); j++) {
      if (update.share() < 1 && rng.nextDouble() >= update.share()) {
        continue;
      }
      int from = j * GroupStep.sums(q);
      pass.groupSums(block, local, j, others, likelihood, b, sums, eta);
      GroupStep.About about = normals.of(j);
      for (int k = 0; k < update.steps(); k++) {
        step.propose(b, sums, from, about, proposal, j * q);
        pass.groupSums(block, local, j, others, likelihood, proposal, there, eta);
        if (step.accept(b, proposal, there, from, about, j * q)) {
          System.arraycopy(proposal, j * q, b, j * q, q);
          System.arraycopy(there, from, sums, from, GroupStep.sums(q));
        }
      }
    }
    return now.with(b);
  }

  private void addSpread(GroupedBlock block, RowPass.Rows rows, double[] out) {
    int at = 0;
    for (TableEffects of : pass.groupings()) {
      for (int e = 0; e < of.size(); e++) {
        for (int row = 0; row < rows.curvature().length; row++) {
          double z = of.z(block.data(), row, e);
          out[at] += rows.curvature()[row] * z * z;
        }
        at++;
      }
    }
  }

  /** Returns x_n − Σ T_gᵀz_n over all groupings but one, for a row. */
  private void residual(
      GroupedBlock block, int row, float @Nullable [] @Nullable [] ridges, int except, double[] x) {
    DataBlock data = block.data();
    Arrays.fill(x, 0);
    data.addScaled(row, 1, x, 0);
    if (ridges == null) {
      return;
    }
    for (int g = 0; g < ridges.length; g++) {
      float[] ridge = ridges[g];
      if (g == except || ridge == null) {
        continue;
      }
      TableEffects of = pass.groupings().get(g);
      int q = of.size();
      int level = block.levels(g)[row];
      for (int e = 0; e < q; e++) {
        double z = of.z(data, row, e);
        int at = (level * q + e) * x.length;
        for (int k = 0; k < x.length; k++) {
          x[k] -= ridge[at + k] * z;
        }
      }
    }
  }

  private float @Nullable [] @Nullable [] ridges(
      float @Nullable [] @Nullable [] shared, @Nullable LevelEffects now) {
    if (now == null || now.ridge() == null) {
      return shared;
    }
    float[][] all = shared == null ? new float[pass.groupings().size()][] : shared.clone();
    all[local] = now.ridge();
    return all;
  }

  private @Nullable LevelEffects shaped(
      GroupedBlock block,
      @Nullable LevelEffects now,
      @Nullable LevelEffects at,
      EffectsQuestion question,
      RowPass.Rows rows,
      double[] out) {
    EffectsQuestion.Shape shape = (EffectsQuestion.Shape) question.task();
    int g = shape.grouping();
    int q = size(g);
    int step = LevelEffects.Shape.sums(q, columns());
    double[] sums = g == local && now != null ? new double[now.groups() * step] : out;
    TableEffects of = pass.groupings().get(g);
    float[][] others = ridges(shape.ridges(), now);
    double[] x = new double[columns()];
    double[] z = new double[q];
    for (int row = 0; row < rows.curvature().length; row++) {
      residual(block, row, others, g, x);
      RowPass.z(of, block.data(), row, z);
      double w = rows.curvature()[row];
      int to = block.levels(g)[row] * step;
      for (int e = 0; e < q; e++) {
        for (int f = 0; f <= e; f++) {
          sums[to++] += w * z[e] * z[f];
        }
      }
      for (int e = 0; e < q; e++) {
        sums[to++] += rows.slope()[row] * z[e];
      }
      for (int e = 0; e < q; e++) {
        for (double one : x) {
          sums[to++] += w * z[e] * one;
        }
      }
    }
    return g == local && now != null && at != null
        ? now.shaped(sums, at, local(question).at().precisionFrom())
        : now;
  }

  private void addGram(
      GroupedBlock block,
      @Nullable LevelEffects now,
      EffectsQuestion question,
      EffectsQuestion.Gram gram,
      RowPass.Rows rows,
      double[] out) {
    int p = (int) Math.round(Math.sqrt(out.length));
    float[][] ridges = gram.carried() ? ridges(gram.ridges(), now) : null;
    double[] x = new double[columns()];
    for (int row = 0; row < rows.curvature().length; row++) {
      residual(block, row, ridges, -1, x);
      for (int i = 0; i < x.length; i++) {
        double w = rows.curvature()[row] * x[i];
        for (int j = 0; j <= i; j++) {
          out[i * p + j] += w * x[j];
        }
      }
    }
    if (now != null && gram.carried()) {
      int at = columns();
      for (int g = 0; g < local; g++) {
        at += gram.derivatives()[g].length;
      }
      now.addInformation(
          local(question).at().precisionFrom(), gram.derivatives()[local], out, p, at);
    }
  }
}
