package org.lampyris.samplers.multilevel;

import java.util.Arrays;
import java.util.List;
import org.apache.commons.rng.UniformRandomProvider;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.effects.GroupingEffects;
import org.lampyris.bounds.effects.TableEffects;
import org.lampyris.bounds.model.Likelihood;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.rows.Place;
import org.lampyris.samplers.rows.RowEvolution;

/**
 * Answers of rows, and the evolution of the effects of groups that lie together. Answers are sums
 * over blocks along a fixed tree, and a block's random numbers are its own, so that nothing depends
 * on how blocks are spread.
 */
public final class EffectsEvolution
    implements RowEvolution<GroupedBlock, PlaceEffects, EffectsQuestion, EffectsShare, double[]> {
  private final RowPass pass;
  private final Streams streams;
  private final int draws;
  private final int keep;
  private final int local;

  /**
   * Takes the rows' mathematics.
   *
   * @param draws the number of draws that a recorder will receive
   * @param keep how many of them it keeps as they are
   */
  public EffectsEvolution(RowPass pass, Streams streams, int draws, int keep) {
    this.keep = keep;
    this.pass = pass;
    this.streams = streams;
    this.draws = draws;
    this.local = local(pass.groupings());
  }

  /** Returns the grouping factor whose groups lie together; −1 if there is none. */
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
    return new PlaceEffects(effects, recorders, orders(place));
  }

  @Override
  public Evolved<PlaceEffects, EffectsShare> add(
      Place<GroupedBlock> place, PlaceEffects before, EffectsQuestion question) {
    LevelOrder[] orders = before.orders(() -> orders(place));
    int[] steps = new int[orders.length];
    Arrays.setAll(steps, g -> g == local ? 0 : step(question.task(), g));
    EffectsShare.Adding sum = new EffectsShare.Adding(place, orders, steps);
    LevelEffects[] effects = before.effects().clone();
    EffectRecorder[] recorders = before.recorders().clone();
    for (int i = 0; i < place.blocks().size(); i++) {
      GroupedBlock block = place.blocks().get(i);
      EffectsQuestion own = own(block, question);
      EffectsShare.OfBlock out = empty(own);
      if (local >= 0) {
        EffectsQuestion.Local of = local(question);
        LevelEffects now = of.first() == null ? effects[i] : effects[i].displaced(of.first());
        EffectRecorder.Phase phase =
            question.task() instanceof EffectsQuestion.Update update
                ? update.phase()
                : question.task() instanceof EffectsQuestion.Keep
                    ? EffectRecorder.Phase.KEPT
                    : EffectRecorder.Phase.NONE;
        GroupingEffects effectsOf = pass.groupings().get(local).effects();
        recorders[i] = recorders[i].with(effectsOf.toInput(now.values()), phase);
        effects[i] = evolved(block, now, own, out);
      } else {
        evolved(block, null, own, out);
      }
      sum.add(i, block, out);
    }
    return new Evolved<>(new PlaceEffects(effects, recorders, orders), sum.share());
  }

  private LevelOrder[] orders(Place<GroupedBlock> place) {
    LevelOrder[] orders = new LevelOrder[pass.groupings().size()];
    Arrays.setAll(
        orders,
        g ->
            g == local
                ? null
                : new LevelOrder(place, g, Math.toIntExact(pass.groupings().get(g).levels())));
    return orders;
  }

  /** Returns how many groups each grouping has that do not lie together; 0 for the other. */
  private int[] counts(double[][] shared) {
    int[] counts = new int[shared.length];
    Arrays.setAll(counts, g -> g == local ? 0 : shared[g].length / size(g));
    return counts;
  }

  /** Returns a question restricted to groups with rows in a block. */
  private EffectsQuestion own(GroupedBlock block, EffectsQuestion question) {
    double[][] values = question.shared().clone();
    for (int g = 0; g < values.length; g++) {
      if (g != local) {
        values[g] = block.own(g, values[g], size(g));
      }
    }
    EffectsQuestion.Task task = question.task();
    if (task instanceof EffectsQuestion.Shape shape) {
      task = new EffectsQuestion.Shape(shape.grouping(), own(block, shape.ridges()));
    } else if (task instanceof EffectsQuestion.Gram gram) {
      float[][] ridges = own(block, gram.ridges());
      task = new EffectsQuestion.Gram(ridges, gram.derivatives(), gram.carried());
    }
    return new EffectsQuestion(question.chain(), question.theta(), values, question.local(), task);
  }

  private float @Nullable [] @Nullable [] own(
      GroupedBlock block, float @Nullable [] @Nullable [] ridges) {
    if (ridges == null) {
      return null;
    }
    float[][] own = new float[ridges.length][];
    for (int g = 0; g < own.length; g++) {
      float[] of = ridges[g];
      own[g] = of == null ? null : block.own(g, of, size(g) * columns());
    }
    return own;
  }

  private EffectsShare.OfBlock empty(EffectsQuestion question) {
    double[][] levels = new double[question.shared().length][];
    int[] counts = counts(question.shared());
    for (int g = 0; g < levels.length; g++) {
      int step = g == local ? 0 : step(question.task(), g);
      levels[g] = step == 0 ? null : new double[counts[g] * step];
    }
    return new EffectsShare.OfBlock(new double[length(question.task())], levels);
  }

  private static EffectsQuestion.Local local(EffectsQuestion question) {
    if (question.local() == null) {
      throw new IllegalArgumentException("groups lie together");
    }
    return question.local();
  }

  @Override
  public double[] merge(EffectsQuestion question, List<EffectsShare> shares) {
    int[] counts = counts(question.shared());
    int[] at = new int[counts.length];
    int end = length(question.task());
    for (int g = 0; g < at.length; g++) {
      at[g] = end;
      end += g == local ? 0 : counts[g] * step(question.task(), g);
    }
    double[] all = new double[end];
    EffectsShare.join(shares, length(question.task()), at, all);
    return all;
  }

  /** Returns the start of a grouping's sums in an answer to {@code Evaluate}. */
  public int sumsAt(int grouping, double[][] shared) {
    int[] counts = counts(shared);
    int at = length(new EffectsQuestion.Evaluate());
    for (int g = 0; g < grouping; g++) {
      at += counts[g] * LevelStep.sums(size(g));
    }
    return at;
  }

  /** Returns the start of the tally of the groups that lie together. */
  public int tallyAt() {
    return 1 + pass.model().dimension();
  }

  /** Returns the number of requested sums over all rows. */
  private int length(EffectsQuestion.Task task) {
    if (task instanceof EffectsQuestion.Keep || task instanceof EffectsQuestion.Shape) {
      return 0;
    }
    if (task instanceof EffectsQuestion.Spread) {
      return pass.groupings().stream().mapToInt(TableEffects::size).sum();
    }
    if (task instanceof EffectsQuestion.Gram gram) {
      int p = columns() + Arrays.stream(gram.derivatives()).mapToInt(of -> of.length).sum();
      return p * p;
    }
    return tallyAt() + (local < 0 ? 0 : LevelEffects.tally(size(local), columns()));
  }

  /**
   * Returns the number of requested sums for each group of a grouping that does not lie together.
   */
  private int step(EffectsQuestion.Task task, int grouping) {
    if (task instanceof EffectsQuestion.Shape shape) {
      return shape.grouping() == grouping ? LevelEffects.shapeSums(size(grouping), columns()) : 0;
    }
    return task instanceof EffectsQuestion.Evaluate || task instanceof EffectsQuestion.Update
        ? LevelStep.sums(size(grouping))
        : 0;
  }

  /** Answers for a block, and returns the effects of its groups that lie together. */
  private @Nullable LevelEffects evolved(
      GroupedBlock block,
      @Nullable LevelEffects now,
      EffectsQuestion question,
      EffectsShare.OfBlock out) {
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
        addSpread(block, rows, out.sums());
      } else if (task instanceof EffectsQuestion.Gram gram) {
        addGram(block, now, question, gram, rows, out.sums());
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
      GroupedBlock block,
      @Nullable LevelEffects now,
      EffectsQuestion question,
      EffectsShare.OfBlock out) {
    LevelEffects there = now == null ? null : now.displaced(local(question).at());
    double[] value = new double[block.data().rows()];
    RowPass.Rows rows =
        pass.evaluate(block, question.theta(), effects(question, there), value, out.sums(), 1);
    for (double one : value) {
      out.sums()[0] += one;
    }
    for (int g = 0; g < out.levels().length; g++) {
      double[] of = out.levels()[g];
      if (of != null) {
        pass.addSums(block, g, value, rows, of);
      }
    }
    if (now != null) {
      int step = LevelStep.sums(now.size());
      double[] sums = new double[now.groups() * step];
      pass.addSums(block, local, value, rows, sums);
      EffectsQuestion.Local of = local(question);
      now.addTally(of.at(), sums, new LevelEffects.Stride(1, step), out.sums(), tallyAt());
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
    LevelStep step = new LevelStep(q, local(question).at().precisionFrom(), update.settle(), rng);
    double[] others = pass.without(block, local, question.theta(), question.shared());
    Likelihood likelihood = pass.model().given(question.theta());
    double[] eta = new double[block.data().rows()];
    double[] b = now.values().clone();
    double[] proposal = b.clone();
    double[] sums = new double[now.groups() * LevelStep.sums(q)];
    double[] there = sums.clone();
    LevelEffects.Normals normals = now.normals(local(question).at());
    for (int j = 0; j < now.groups(); j++) {
      if (update.share() < 1 && rng.nextDouble() >= update.share()) {
        continue;
      }
      int from = j * LevelStep.sums(q);
      pass.groupSums(block, local, j, others, likelihood, b, sums, eta);
      LevelStep.About about = normals.of(j);
      for (int k = 0; k < update.steps(); k++) {
        step.propose(b, sums, from, about, proposal, j * q);
        pass.groupSums(block, local, j, others, likelihood, proposal, there, eta);
        if (step.accept(b, proposal, there, from, about, j * q)) {
          System.arraycopy(proposal, j * q, b, j * q, q);
          System.arraycopy(there, from, sums, from, LevelStep.sums(q));
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
      EffectsShare.OfBlock out) {
    EffectsQuestion.Shape shape = (EffectsQuestion.Shape) question.task();
    int g = shape.grouping();
    int q = size(g);
    int step = LevelEffects.shapeSums(q, columns());
    double[] own = out.levels()[g];
    double[] sums = own == null && now != null ? new double[now.groups() * step] : own;
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
