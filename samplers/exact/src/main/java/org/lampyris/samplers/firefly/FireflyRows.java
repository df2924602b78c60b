package org.lampyris.samplers.firefly;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.rows.TreeSum;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.rows.DrawnEvents;
import org.lampyris.samplers.rows.PoolExhaustedException;
import org.lampyris.samplers.rows.RowEvents;
import org.lampyris.samplers.rows.RowEvolution;
import org.lampyris.samplers.rows.RowQuestions;
import org.lampyris.samplers.rows.RowStates;
import org.lampyris.samplers.rows.RowStates.Generation;
import org.lampyris.samplers.rows.Rows;
import org.lampyris.samplers.run.RowClient;

/**
 * The rows as one chain sees them: they resample its brightness and evaluate the bright ones.
 * Whether in memory, carried to the chain, or spread over a cluster, all answer with the same bits.
 *
 * @param <R> the chain's brightness, or what names it
 */
public interface FireflyRows<R> {
  /** Result of a question: the brightness afterwards, and the answer. */
  record Answered<R>(R rows, Answer answer) {}

  /** Returns the initial brightness of a chain: all rows dark. */
  R dark();

  /** Returns the brightness that a checkpoint holds, or its name. */
  @SuppressWarnings("unchecked") // as it was stored
  default R restored(Serializable stored) {
    return (R) stored;
  }

  /** Answers a question of the chain of these rows, about a brightness. Not modified. */
  Answered<R> ask(R before, Question question);

  /**
   * Question of a chain to the rows: optionally to resample their brightness first, then Σ log
   * L̃_n(θ) over the bright rows at some points.
   *
   * <p>One question, so that z-step and evaluation of the next proposal are one pass and one job.
   *
   * @param update the z-step to make first, or null for none
   * @param thetas the points to evaluate at. Not copied, not modified.
   */
  record Question(
      int chain, BrightnessKernel.@Nullable Update update, double[][] thetas, boolean gradient)
      implements RowEvolution.ChainQuestion {
    private static final BrightnessKernel NO_Z_STEP =
        new ExplicitBrightness(new RowSelection.All());

    /**
     * Returns the events of the z-step's candidates, if there is a z-step, from whole blocks in
     * ascending order of their ids, given the last ones drawn for them and this chain.
     */
    DrawnEvents<BoundBlock> candidates(
        Streams streams, List<BoundBlock> blocks, DrawnEvents.Windows windows) {
      BrightnessKernel kernel = update == null ? NO_Z_STEP : update.kernel();
      RowSelection.Size size = RowSelection.Size.fixed(update == null ? 0 : update.selected());
      return new DrawnEvents<>(
          new BrightnessKernel.Candidates(kernel, streams, chain, size), blocks, windows);
    }

    /** Returns how many numbers the sums of an answer are: see {@link Answer}. */
    int answerLength(int dimension) {
      return Answer.COUNTS + thetas.length * (1 + (gradient ? dimension : 0));
    }
  }

  /**
   * The rows' answer to a {@link Question}: the number of bright rows, the number of evaluated
   * (row, θ) pairs, then for each point Σ log L̃_n(θ) over the bright rows, and its gradient if
   * requested.
   *
   * @param sums all of that; not copied
   */
  record Answer(double[] sums, int points, int dimension) {
    /** Positions of the counts among the sums, exact up to 2⁵³, and their number. */
    static final int BRIGHT = 0;

    static final int EVALUATIONS = 1;
    static final int COUNTS = 2;

    /** Merges the shares of all places, in any order; θ has {@code dimension} elements. */
    public static Answer of(Question question, List<TreeSum.Node[]> shares, int dimension) {
      double[] sums = RowQuestions.total(shares, question.answerLength(dimension));
      return new Answer(sums, question.thetas().length, dimension);
    }

    /** Returns how many rows are bright after the z-step. */
    public long bright() {
      return (long) sums[BRIGHT];
    }

    /** Returns how many (row, θ) pairs were evaluated. */
    public long evaluations() {
      return (long) sums[EVALUATIONS];
    }

    /** Returns Σ log L̃_n at point {@code k}, natural log. */
    public double sum(int k) {
      return sums[COUNTS + k];
    }

    /** Adds ∇ Σ log L̃_n at point {@code k} to {@code gradient}, if gradients were requested. */
    public void addGradient(int k, double[] gradient) {
      int base = COUNTS + points + k * dimension;
      for (int i = 0; i < dimension; i++) {
        gradient[i] += sums[base + i];
      }
    }
  }

  /**
   * Rows of a chain whose brightness stays with the rows.
   *
   * @param ask answers a question about a state of theirs
   */
  record Asked(int chain, Function<RowStates.Asked<Question>, Answer> ask)
      implements FireflyRows<Generation> {
    @Override
    public Generation dark() {
      return Generation.first(chain);
    }

    @Override
    public Answered<Generation> ask(Generation before, Question question) {
      return new Answered<>(before.next(), ask.apply(new RowStates.Asked<>(before, question)));
    }
  }

  /** Rows of a chain that carries its brightness along, and asks all of them. */
  record Carrying(FireflyPass pass, RowClient<BoundBlock> client)
      implements FireflyRows<Brightness.Carried> {
    @Override
    public Brightness.Carried dark() {
      return Brightness.Carried.dark();
    }

    /** {@inheritDoc} The bright rows are read once. */
    @Override
    public Brightness.Carried restored(Serializable stored) {
      return client.ask(new FireflyPass.Picked(), (Brightness) stored);
    }

    @Override
    public Answered<Brightness.Carried> ask(Brightness.Carried before, Question question) {
      return client.ask(
          new FireflyPass.OfCarried(pass),
          new FireflyPass.OfCarried.Asked(before.brightness(), question));
    }
  }

  /**
   * The rows of one chain in memory: the reference for every distributed form, and a segment's
   * rows. Not safe for use by several threads.
   */
  final class InMemory implements FireflyRows<Brightness> {
    private final Rows<BoundBlock> rows;
    private final boolean whole;
    private final FireflyPass pass;
    private final @Nullable RowEvents candidates;
    private DrawnEvents.Windows windows = DrawnEvents.Windows.NONE;

    /** Takes whole blocks in ascending order of their ids, and draws candidates from them. */
    public InMemory(List<BoundBlock> blocks, FireflyPass pass) {
      this(Rows.whole(List.copyOf(blocks)), true, pass, null);
    }

    /**
     * Takes the rows at hand.
     *
     * @param whole whether they are the whole table
     * @param candidates where their candidates come from; null to draw them from whole blocks
     */
    public InMemory(
        Rows<BoundBlock> rows, boolean whole, FireflyPass pass, @Nullable RowEvents candidates) {
      this.rows = rows;
      this.whole = whole;
      this.pass = pass;
      this.candidates = candidates;
    }

    @Override
    public Brightness dark() {
      return Brightness.dark();
    }

    @Override
    public Answered<Brightness> ask(Brightness before, Question question) {
      BrightnessKernel.Update update = question.update();
      boolean all = update != null && update.isOfAllRows();
      if (all && !whole) {
        throw new PoolExhaustedException("a brightness draw for all rows");
      }
      TreeSum sum = new TreeSum(0, Long.MAX_VALUE);
      Brightness after;
      if (candidates != null && !all) {
        after = pass.answer(rows, candidates, before, question, sum);
      } else {
        DrawnEvents<BoundBlock> drawn = question.candidates(pass.streams(), rows.blocks(), windows);
        after = pass.answer(rows, drawn, before, question, sum);
        windows = all ? windows : drawn.windows();
      }
      List<TreeSum.Node[]> shares = new ArrayList<>();
      shares.add(RowQuestions.share(sum));
      return new Answered<>(after, pass.merge(question, shares));
    }
  }
}
