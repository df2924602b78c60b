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
    implements RowEvolution<
        GroupedBlock, PlaceEffects, EffectsQuestion, TreeSum.Node[], double[]> {
  private final RowPass pass;
  private final Streams streams;
  private final int draws;
  private final int local;

  /**
   * Takes the rows' mathematics.
   *
   * @param draws how many draws a recorder will be told of
   */
  public EffectsEvolution(RowPass pass, Streams streams, int draws) {
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

  @Override
  public PlaceEffects initial(Place<GroupedBlock> place) {
    int blocks = local < 0 ? 0 : place.blocks().size();
    LevelEffects[] effects = new LevelEffects[blocks];
    EffectRecorder[] recorders = new EffectRecorder[blocks];
    for (int i = 0; i < blocks; i++) {
      int groups = place.blocks().get(i).groups();
      effects[i] = LevelEffects.zero(groups, size(local), columns());
      recorders[i] = EffectRecorder.of(groups * size(local), draws);
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
    return TreeSum.total(
        shares.stream().flatMap(Arrays::stream).toList(), length(question));
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
    if (task instanceof EffectsQuestion.Ridge ridge) {
      int g = ridge.grouping();
      return g == local ? 0 : question.shared()[g].length / size(g) * ridgeSums(g);
    }
    return sumsAt(pass.groupings().size(), question.shared());
  }

  private int ridgeSums(int grouping) {
    int q = size(grouping);
    return q * (q + 1) / 2 + q * columns();
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
      RowPass.Effects effects = effects(question, now);
      RowPass.Rows rows =
          pass.evaluate(
              block, question.theta(), effects, new double[block.data().rows()], null, 0);
      if (task instanceof EffectsQuestion.Spread) {
        addSpread(block, rows, out);
      } else if (task instanceof EffectsQuestion.Gram gram) {
        addGram(block, now, question, gram, rows, out);
      } else if (task instanceof EffectsQuestion.Ridge ridge) {
        after = ridge(block, now, question, ridge, rows, out);
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
      now.addTally(
          of.at(), of.factor(), sums, new LevelEffects.Stride(1, step), out, tallyAt());
    }
  }

  private LevelEffects stepped(
      GroupedBlock block,
      LevelEffects now,
      EffectsQuestion question,
      EffectsQuestion.Update update) {
    int q = now.size();
    UniformRandomProvider rng =
        streams.stream(
            Streams.Purpose.EFFECTS, question.chain(), update.iteration(), block.id());
    GroupStep step =
        new GroupStep(
            q, SmallFactor.precision(local(question).factor(), q), update.settle(), rng);
    double[] others = pass.fixed(block, question.theta());
    for (int g = 0; g < pass.groupings().size(); g++) {
      if (g != local) {
        pass.addEffects(block, g, question.shared()[g], others);
      }
    }
    Likelihood likelihood = pass.model().given(question.theta());
    RowPass.Scratch scratch = new RowPass.Scratch(block.data().rows());
    double[] b = now.values().clone();
    double[] proposal = b.clone();
    double[] sums = new double[now.groups() * GroupStep.sums(q)];
    double[] there = sums.clone();
    for (int j = 0; j < now.groups(); j++) {
      if (update.share() < 1 && rng.nextDouble() >= update.share()) {
        continue;
      }
      int from = j * GroupStep.sums(q);
      pass.groupSums(block, local, j, others, likelihood, b, sums, scratch);
      for (int k = 0; k < update.steps(); k++) {
        step.propose(b, sums, from, proposal, j * q);
        pass.groupSums(block, local, j, others, likelihood, proposal, there, scratch);
        if (step.accept(b, sums, from, proposal, there, j * q)) {
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
      GroupedBlock block,
      int row,
      float[] @Nullable [] ridges,
      int except,
      double[] x,
      double[] z) {
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
        z[e] = of.z(data, row, e);
        int at = (level * q + e) * x.length;
        for (int k = 0; k < x.length; k++) {
          x[k] -= ridge[at + k] * z[e];
        }
      }
    }
  }

  private float[] @Nullable [] ridges(float[] @Nullable [] shared, @Nullable LevelEffects now) {
    if (now == null || now.ridge() == null) {
      return shared;
    }
    float[][] all = shared == null ? new float[pass.groupings().size()][] : shared.clone();
    all[local] = now.ridge();
    return all;
  }

  private @Nullable LevelEffects ridge(
      GroupedBlock block,
      @Nullable LevelEffects now,
      EffectsQuestion question,
      EffectsQuestion.Ridge ridge,
      RowPass.Rows rows,
      double[] out) {
    int g = ridge.grouping();
    int q = size(g);
    int step = ridgeSums(g);
    double[] sums = g == local && now != null ? new double[now.groups() * step] : out;
    TableEffects of = pass.groupings().get(g);
    float[][] others = ridges(ridge.ridges(), now);
    double[] x = new double[columns()];
    double[] z = new double[pass.groupings().stream().mapToInt(TableEffects::size).sum()];
    for (int row = 0; row < rows.curvature().length; row++) {
      residual(block, row, others, g, x, z);
      double w = rows.curvature()[row];
      int at = block.levels(g)[row] * step;
      for (int e = 0; e < q; e++) {
        double wz = w * of.z(block.data(), row, e);
        for (int f = 0; f <= e; f++) {
          sums[at++] += wz * of.z(block.data(), row, f);
        }
      }
      for (int e = 0; e < q; e++) {
        double wz = w * of.z(block.data(), row, e);
        for (double one : x) {
          sums[at++] += wz * one;
        }
      }
    }
    return g == local && now != null
        ? now.withRidge(
            solvedRidge(sums, q, columns(), SmallFactor.precision(local(question).factor(), q)))
        : now;
  }

  /** Returns T_j = (A_j + P)⁻¹R_j of all groups, from the answer to {@code Ridge}. */
  public static float[] solvedRidge(double[] sums, int q, int columns, double[] precision) {
    int step = q * (q + 1) / 2 + q * columns;
    int groups = sums.length / step;
    float[] ridge = new float[groups * q * columns];
    double[] a = new double[q * q];
    double[] v = new double[q];
    for (int j = 0; j < groups; j++) {
      int at = j * step;
      for (int e = 0; e < q; e++) {
        for (int f = 0; f <= e; f++) {
          a[e * q + f] = sums[at++] + precision[e * q + f];
        }
      }
      if (!SmallFactor.factorise(a, q)) {
        continue;
      }
      for (int k = 0; k < columns; k++) {
        for (int e = 0; e < q; e++) {
          v[e] = sums[at + e * columns + k];
        }
        SmallFactor.solve(a, q, v);
        SmallFactor.solveTransposed(a, q, v);
        for (int e = 0; e < q; e++) {
          ridge[(j * q + e) * columns + k] = (float) v[e];
        }
      }
    }
    return ridge;
  }

  private void addGram(
      GroupedBlock block,
      @Nullable LevelEffects now,
      EffectsQuestion question,
      EffectsQuestion.Gram gram,
      RowPass.Rows rows,
      double[] out) {
    int d = columns();
    int p = (int) Math.sqrt(out.length);
    float[][] ridges = ridges(gram.ridges(), now);
    double[][] effects = effects(question, now).byGrouping();
    double[] x = new double[d];
    double[] z = new double[pass.groupings().stream().mapToInt(TableEffects::size).sum()];
    double[] all = new double[p];
    for (int row = 0; row < rows.curvature().length; row++) {
      residual(block, row, ridges, -1, x, z);
      System.arraycopy(x, 0, all, 0, d);
      int at = d;
      for (int g = 0; g < effects.length; g++) {
        at = derivatives(block, row, g, gram.derivatives()[g], effects[g], all, at);
      }
      for (int i = 0; i < p; i++) {
        double w = rows.curvature()[row] * all[i];
        for (int j = 0; j <= i; j++) {
          out[i * p + j] += w * all[j];
        }
      }
    }
    if (now != null) {
      addRidges(now, SmallFactor.precision(local(question).factor(), now.size()), d, out, p);
    }
  }

  /** Writes z_nᵀ(∂L/∂φ_k·L⁻¹)b of one grouping for every k, and returns where the next is. */
  private int derivatives(
      GroupedBlock block, int row, int g, double[][] of, double[] b, double[] out, int at) {
    TableEffects effects = pass.groupings().get(g);
    int q = effects.size();
    int level = block.levels(g)[row] * q;
    int to = at;
    for (double[] matrix : of) {
      double sum = 0;
      for (int e = 0; e < q; e++) {
        double z = effects.z(block.data(), row, e);
        for (int f = 0; f <= e; f++) {
          sum += z * matrix[e * q + f] * b[level + f];
        }
      }
      out[to++] = sum;
    }
    return to;
  }

  /** Adds Σ_j T_jᵀPT_j to the lower triangle of a p × p matrix. */
  public static void addRidges(
      LevelEffects effects, double[] precision, int d, double[] out, int p) {
    float[] ridge = effects.ridge();
    if (ridge == null) {
      return;
    }
    int q = effects.size();
    for (int j = 0; j < effects.groups(); j++) {
      for (int e = 0; e < q; e++) {
        for (int f = 0; f < q; f++) {
          double c = precision[e * q + f];
          int left = (j * q + e) * d;
          int right = (j * q + f) * d;
          for (int k = 0; k < d; k++) {
            for (int l = 0; l <= k; l++) {
              out[k * p + l] += c * ridge[left + k] * ridge[right + l];
            }
          }
        }
      }
    }
  }
}
