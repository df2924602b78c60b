package org.lampyris.samplers.minibatch;

import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.lampyris.bounds.rows.TreeSum;
import org.lampyris.samplers.rows.PickedRows;
import org.lampyris.samplers.rows.Place;
import org.lampyris.samplers.rows.Pool;
import org.lampyris.samplers.rows.PooledEvents;
import org.lampyris.samplers.rows.Rows;
import org.lampyris.samplers.run.PlainBlock;

/** The rows as one chain sees them that has them with it, by its pool from each place. */
final class CarriedBatches {
  private CarriedBatches() {}

  /** Takes pools that hold all rows. */
  static BatchRows whole(BatchQuestions questions, int chain, List<Pool<PlainBlock>> pools) {
    Place<PlainBlock> place =
        Place.whole(
            pools.stream()
                .flatMap(pool -> pool.rows().stream())
                .map(PickedRows::block)
                .sorted(Comparator.comparingLong(PlainBlock::id))
                .toList());
    return BatchRows.of(
        questions.rows(),
        (iteration, low, high, term) -> {
          BatchQuestions.Question asked =
              new BatchQuestions.Question(chain, iteration, low, high, term);
          return questions.join(asked, questions.share(place, List.of(asked)));
        });
  }

  /** Takes pools of each iteration's first rows. */
  static BatchRows first(BatchQuestions questions, List<Pool<PlainBlock>> pools) {
    PooledEvents<PlainBlock> events = new PooledEvents<>(pools);
    Rows<PlainBlock> rows = Rows.gathered(events.rows());
    return BatchRows.of(
        questions.rows(),
        (iteration, low, high, term) -> {
          LongStream.Builder ids = LongStream.builder();
          events.visit(
              iteration,
              (double) high,
              (row, position) -> {
                if (position >= low) {
                  ids.add(row);
                }
                return true;
              });
          SortedMap<Long, double[]> shares = new TreeMap<>();
          long[] sorted = ids.build().sorted().toArray();
          BatchQuestions.addTo(rows, sorted, term, 0, term.length(), shares);
          TreeSum sum = new TreeSum(0, Long.MAX_VALUE);
          shares.forEach(sum::add);
          return TreeSum.total(sum.nodes(), term.length());
        });
  }
}
