package org.lampyris.samplers.run;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.rows.TreeSum;
import org.lampyris.samplers.chain.ChainRunner;
import org.lampyris.samplers.chain.ChainState;
import org.lampyris.samplers.chain.ChainTrace;
import org.lampyris.samplers.chain.SegmentRequest;
import org.lampyris.samplers.chain.SegmentWork;
import org.lampyris.samplers.chain.Segments;
import org.lampyris.samplers.kernel.SamplerState;
import org.lampyris.samplers.rows.ChainQuestion;
import org.lampyris.samplers.rows.Place;
import org.lampyris.samplers.rows.Pool;
import org.lampyris.samplers.rows.RowBlock;
import org.lampyris.samplers.rows.RowEvolution;
import org.lampyris.samplers.rows.RowStates;

/** Resident rows in memory, all in one place. */
record InMemoryRows<B extends RowBlock<B>>(Place<B> place) implements ResidentRows<B> {
  @Override
  public double[] sum(int length, BlockTerm<B> term) {
    TreeSum sum = new TreeSum(place.from(), place.to());
    for (B block : place.blocks()) {
      double[] out = new double[length];
      term.addTo(block, out);
      sum.add(block.id(), out);
    }
    return TreeSum.total(sum.nodes(), length);
  }

  @Override
  public <Q extends Serializable, H extends Serializable, A> Function<List<Q>, List<A>> questions(
      RowQuestions<B, Q, H, A> how) {
    return questions -> {
      List<H> shares = how.share(place, questions);
      return IntStream.range(0, questions.size())
          .mapToObj(q -> how.join(questions.get(q), List.of(shares.get(q))))
          .toList();
    };
  }

  @Override
  public <S extends Serializable, Q extends ChainQuestion, H extends Serializable, A>
      RowStates<B, S, Q, A> states(RowEvolution<B, S, Q, H, A> how, int chains) {
    return new InMemoryRowStates<>(place, how, chains);
  }

  @Override
  public <S extends SamplerState> Segments<S> segments(
      SegmentWork<B, S> work, ChainRunner runner, int chains) {
    ChainRunner silent = runner.silent();
    return new Segments<>() {
      private long jobs;

      @Override
      public List<Segment<S>> run(
          List<ChainState<S>> from, SegmentRequest request, @Nullable SegmentRequest following) {
        jobs++;
        List<Segment<S>> segments = new ArrayList<>();
        for (int c = 0; c < from.size(); c++) {
          ChainState<S> state = from.get(c);
          long first = request.first()[c];
          int length = request.length()[c];
          Pool<B> pool = work.draw(state.chain(), first, length, place.blocks());
          ChainTrace trace = new ChainTrace(state.chain());
          segments.add(
              new Segment<>(
                  work.advance(silent, state, first + length - 1, List.of(pool), trace), trace));
        }
        return segments;
      }

      @Override
      public long jobs() {
        return jobs;
      }

      @Override
      public void close() {
        // Nothing is open.
      }
    };
  }

  @Override
  public void close() {
    // Nothing is open.
  }
}
