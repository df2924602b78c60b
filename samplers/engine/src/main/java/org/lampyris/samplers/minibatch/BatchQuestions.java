package org.lampyris.samplers.minibatch;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.rows.TreeSum;
import org.lampyris.samplers.random.RowPermutation;
import org.lampyris.samplers.rows.PermutedRows;
import org.lampyris.samplers.rows.Place;
import org.lampyris.samplers.rows.RowId;
import org.lampyris.samplers.rows.RowNumbers;
import org.lampyris.samplers.rows.RowQuestions;
import org.lampyris.samplers.rows.Rows;
import org.lampyris.samplers.run.PlainBlock;

/**
 * Sums over batches at the rows: only the sums are sent, for any batch size.
 *
 * @param seed the run's, which keys the permutations
 * @param rows how many rows the table has
 * @param blockRows how many rows a full block has
 */
public record BatchQuestions(long seed, long rows, int blockRows)
    implements RowQuestions<PlainBlock, BatchQuestions.Question, TreeSum.Node[], double[]> {
  /**
   * Request of {@link BatchRows#sum}, by a chain numbered from 1.
   *
   * @param bounds where batches that lie side by side begin and end
   */
  public record Question(int chain, long iteration, long[] bounds, BatchRows.Term term)
      implements Serializable {
    /** A question about one batch. */
    public Question(int chain, long iteration, long low, long high, BatchRows.Term term) {
      this(chain, iteration, new long[] {low, high}, term);
    }

    /** Returns which of the batches has these bounds, −1 if none has. */
    int indexOf(long low, long high) {
      int at = Arrays.binarySearch(bounds, low);
      return at >= 0 && at + 1 < bounds.length && bounds[at + 1] == high ? at : -1;
    }

    /** Returns the length of the answer: the sums of each batch in turn. */
    int length() {
      return (bounds.length - 1) * term.length();
    }
  }

  @Override
  public List<TreeSum.Node[]> add(Place<PlainBlock> place, List<Question> questions) {
    return questions.stream().map(question -> share(place, question)).toList();
  }

  private TreeSum.Node[] share(Place<PlainBlock> place, Question question) {
    TreeSum sum = new TreeSum(place.from(), place.to());
    if (!place.blocks().isEmpty()) {
      Rows<PlainBlock> rows = Rows.whole(place.blocks());
      SortedMap<Long, double[]> shares = new TreeMap<>();
      long[][] ids = ids(place.blocks(), question);
      for (int batch = 0; batch < ids.length; batch++) {
        int at = batch * question.term().length();
        addTo(rows, ids[batch], question.term(), at, question.length(), shares);
      }
      shares.forEach(sum::add);
    }
    return RowQuestions.share(sum);
  }

  /** Returns the ids of each batch's rows in some blocks, ascending. */
  private long[][] ids(List<PlainBlock> blocks, Question question) {
    RowNumbers numbers = new RowNumbers(blocks, blockRows);
    long[] bounds = question.bounds();
    if (bounds.length == 2 && bounds[0] == 0 && bounds[1] == rows) {
      // All rows, whatever the permutation, which takes longer than their likelihoods.
      return new long[][] {
        LongStream.range(numbers.first(), numbers.end()).map(numbers::id).toArray()
      };
    }
    List<LongStream.Builder> found = new ArrayList<>();
    for (int batch = 1; batch < bounds.length; batch++) {
      found.add(LongStream.builder());
    }
    PermutedRows.find(
        new RowPermutation(seed, question.chain(), question.iteration(), rows),
        bounds[0],
        bounds[bounds.length - 1],
        numbers,
        (number, position) -> found.get(batchOf(bounds, position)).add(numbers.id(number)));
    return found.stream().map(ids -> ids.build().sorted().toArray()).toArray(long[][]::new);
  }

  /** Returns which batch a position is in: a batch that holds none has the bounds of the next. */
  private static int batchOf(long[] bounds, long position) {
    int at = Arrays.binarySearch(bounds, position);
    return at >= 0 ? at : -at - 2;
  }

  /** Adds the shares of a batch's rows, ids ascending, to vectors by block, at a place in them. */
  static void addTo(
      Rows<PlainBlock> rows,
      long[] ids,
      BatchRows.Term term,
      int at,
      int length,
      SortedMap<Long, double[]> shares) {
    for (int from = 0; from < ids.length; ) {
      int to = RowId.endOfBlock(ids, from, ids.length);
      long block = RowId.block(ids[from]);
      int index = rows.indexOf(block);
      int[] here = new int[to - from];
      for (int i = from; i < to; i++) {
        here[i - from] = rows.rowIn(index, RowId.row(ids[i]));
      }
      double[] out = new double[term.length()];
      term.addTo(rows.blocks().get(index).data(), here, out);
      double[] share = shares.computeIfAbsent(block, id -> new double[length]);
      System.arraycopy(out, 0, share, at, out.length);
      from = to;
    }
  }

  @Override
  public double[] merge(Question question, List<TreeSum.Node[]> shares) {
    return RowQuestions.total(shares, question.term().length());
  }

  /**
   * Rows of a chain that requests sums by jobs. If the sizes of the following batches are known, a
   * job covers as many of them as there were rows before. A test of k looks then takes about log₂ k
   * jobs, and evaluates at most twice the rows that it needs.
   *
   * <p>Not safe for use by several threads.
   */
  static final class Ahead implements BatchRows {
    private final long rows;
    private final int chain;
    private final Function<Question, double[]> answering;
    private @Nullable Question asked;
    private double[] answer = {};

    Ahead(long rows, int chain, Function<Question, double[]> answering) {
      this.rows = rows;
      this.chain = chain;
      this.answering = answering;
    }

    @Override
    public long rows() {
      return rows;
    }

    @Override
    public double[] sum(long iteration, long low, long high, long step, BatchRows.Term term) {
      Question known = asked;
      // The very term: it is one object for all looks of a trial.
      int at =
          known == null || known.iteration() != iteration || known.term() != term
              ? -1
              : known.indexOf(low, high);
      if (at < 0) {
        known = new Question(chain, iteration, bounds(low, high, step), term);
        answer = answering.apply(known);
        asked = known;
        at = 0;
      }
      return Arrays.copyOfRange(answer, at * term.length(), (at + 1) * term.length());
    }

    /** Returns the bounds of the batch, and of those that follow it. */
    private long[] bounds(long low, long high, long step) {
      List<Long> bounds = new ArrayList<>(List.of(low, high));
      if (step > 0 && low > 0) {
        for (long end = high; end < Math.min(rows, 2 * low); ) {
          end = Math.min(rows, end + step);
          bounds.add(end);
        }
      }
      return bounds.stream().flatMapToLong(LongStream::of).toArray();
    }
  }
}
