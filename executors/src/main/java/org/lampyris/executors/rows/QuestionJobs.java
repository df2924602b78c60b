package org.lampyris.executors.rows;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaRDD;
import org.lampyris.executors.jobs.BlockRanges;
import org.lampyris.executors.jobs.PartitionJob;
import org.lampyris.samplers.rows.Place;
import org.lampyris.samplers.rows.RowQuestions;

/** Answers questions that leave nothing behind, those of all chains in one job. */
record QuestionJobs<B, Q extends Serializable, H extends Serializable, A>(
    JavaRDD<B> blocks, BlockRanges ranges, RowQuestions<B, Q, H, A> how)
    implements Function<List<Q>, List<A>> {
  @Override
  @SuppressWarnings("unchecked") // as the questions have made it
  public List<A> apply(List<Q> questions) {
    List<Object[]> shares =
        PartitionJob.run(blocks, new Share<>(how, ranges, List.copyOf(questions)));
    return IntStream.range(0, questions.size())
        .mapToObj(
            q -> how.merge(questions.get(q), shares.stream().map(share -> (H) share[q]).toList()))
        .toList();
  }

  /** Answers for one partition. */
  private record Share<B, Q extends Serializable, H extends Serializable>(
      RowQuestions<B, Q, H, ?> how, BlockRanges ranges, List<Q> questions)
      implements PartitionJob.Task<B, Object[]> {
    @Override
    public Object[] run(int partition, Iterator<B> elements) {
      List<B> all = new ArrayList<>();
      elements.forEachRemaining(all::add);
      Place<B> place = new Place<>(ranges.from(partition), ranges.to(partition), all);
      return how.add(place, questions).toArray();
    }
  }
}
