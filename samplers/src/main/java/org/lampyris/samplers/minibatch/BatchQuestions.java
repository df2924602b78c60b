package org.lampyris.samplers.minibatch;

import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import org.lampyris.bounds.block.TreeSum;
import org.lampyris.samplers.pass.PlainBlock;
import org.lampyris.samplers.pool.PermutedRows;
import org.lampyris.samplers.pool.Place;
import org.lampyris.samplers.pool.RowId;
import org.lampyris.samplers.pool.RowNumbers;
import org.lampyris.samplers.pool.Rows;
import org.lampyris.samplers.random.RowPermutation;
import org.lampyris.samplers.run.RowQuestions;

/**
 * Sums over batches where the rows are: only the sums travel, however large a batch is.
 *
 * @param seed the run's, which keys the permutations
 * @param rows how many rows the table has
 * @param blockRows how many rows a full block has
 */
public record BatchQuestions(long seed, long rows, int blockRows)
    implements RowQuestions<PlainBlock, BatchQuestions.Question, TreeSum.Node[], double[]> {
  /** What {@link BatchRows#sum} asks for, by a chain numbered from 1. */
  public record Question(int chain, long iteration, long low, long high, RowTerm term)
      implements Serializable {}

  @Override
  public List<TreeSum.Node[]> share(Place<PlainBlock> place, List<Question> questions) {
    return questions.stream().map(question -> share(place, question)).toList();
  }

  private TreeSum.Node[] share(Place<PlainBlock> place, Question question) {
    TreeSum sum = new TreeSum(place.from(), place.to());
    if (!place.blocks().isEmpty()) {
      add(Rows.whole(place.blocks()), ids(place.blocks(), question), question.term(), sum);
    }
    return sum.nodes().toArray(new TreeSum.Node[0]);
  }

  /** Returns the ids of the rows that are asked about among those of some blocks, ascending. */
  long[] ids(List<PlainBlock> blocks, Question question) {
    RowNumbers numbers = new RowNumbers(blocks, blockRows);
    int most = (int) Math.min(numbers.end() - numbers.first(), question.high() - question.low());
    long[] ids = new long[most];
    int[] count = new int[1];
    PermutedRows.find(
        new RowPermutation(seed, question.chain(), question.iteration(), rows),
        question.low(),
        question.high(),
        numbers,
        (number, position) -> ids[count[0]++] = numbers.id(number));
    Arrays.sort(ids, 0, count[0]);
    return Arrays.copyOf(ids, count[0]);
  }

  /** Adds the shares of rows, ids ascending, to a sum over blocks. */
  static void add(Rows<PlainBlock> rows, long[] ids, RowTerm term, TreeSum sum) {
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
      sum.add(block, out);
      from = to;
    }
  }

  @Override
  public double[] join(Question question, List<TreeSum.Node[]> shares) {
    return TreeSum.total(
        shares.stream().flatMap(Arrays::stream).toList(), question.term().length());
  }
}
