package org.lampyris.samplers.run;

import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.rows.TreeSum;
import org.lampyris.samplers.chain.ChainRunner;
import org.lampyris.samplers.chain.ChainState;
import org.lampyris.samplers.chain.ChainTrace;
import org.lampyris.samplers.chain.SegmentWork;
import org.lampyris.samplers.chain.Segments;
import org.lampyris.samplers.kernel.SamplerState;
import org.lampyris.samplers.rows.Place;
import org.lampyris.samplers.rows.Pool;
import org.lampyris.samplers.rows.RowBlock;
import org.lampyris.samplers.rows.RowEvolution;
import org.lampyris.samplers.rows.RowQuestions;
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
    return new Answering<>(place, how);
  }

  /** Answers questions; equal for the same rows and the same kind of question. */
  private record Answering<
          B extends RowBlock<B>, Q extends Serializable, H extends Serializable, A>(
      Place<B> place, RowQuestions<B, Q, H, A> how) implements Function<List<Q>, List<A>> {
    @Override
    public List<A> apply(List<Q> questions) {
      List<H> shares = how.add(place, questions);
      return IntStream.range(0, questions.size())
          .mapToObj(q -> how.merge(questions.get(q), List.of(shares.get(q))))
          .toList();
    }
  }

  @Override
  public <S extends Serializable, Q extends RowEvolution.ChainQuestion, H extends Serializable, A>
      RowStates<B, S, Q, A> states(RowEvolution<B, S, Q, H, A> how, int chains) {
    return new States<>(place, how, chains);
  }

  @Override
  public <S extends SamplerState> Segments<S> segments(
      SegmentWork<B, S> work, ChainRunner runner, int chains) {
    ChainRunner silent = runner.silent();
    return new Segments<>() {
      private long jobs;

      @Override
      public List<Segment<S>> run(
          List<ChainState<S>> from,
          Segments.Request request,
          Segments.@Nullable Request following) {
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

  /**
   * The state of rows in memory, all in one place.
   *
   * @param <S> the state of the rows in one chain
   */
  private static final class States<
          B, S extends Serializable, Q extends RowEvolution.ChainQuestion, H, A>
      implements RowStates<B, S, Q, A> {
    private final Place<B> place;
    private final RowEvolution<B, S, Q, H, A> evolution;
    private final List<S> states = new ArrayList<>();
    private final List<Generation> generations = new ArrayList<>();

    States(Place<B> place, RowEvolution<B, S, Q, H, A> evolution, int chains) {
      this.place = place;
      this.evolution = evolution;
      IntStream.rangeClosed(1, chains).mapToObj(Generation::first).forEach(generations::add);
      IntStream.range(0, chains).forEach(c -> states.add(evolution.initial(place)));
    }

    /** {@inheritDoc} Chains know nothing of each other: each is answered by a thread. */
    @Override
    public List<A> answer(List<Asked<Q>> questions) {
      return questions.size() == 1
          ? List.of(answer(questions.get(0)))
          : questions.parallelStream().map(this::answer).toList();
    }

    private A answer(Asked<Q> asked) {
      int c = asked.question().chain() - 1;
      asked.before().requireLast(generations.get(c));
      RowEvolution.Evolved<S, H> evolved = evolution.add(place, states.get(c), asked.question());
      states.set(c, evolved.state());
      generations.set(c, generations.get(c).next());
      return evolution.merge(asked.question(), List.of(evolved.share()));
    }

    @Override
    public <C extends Serializable> List<C> collect(Collector<B, S, C> collector) {
      return states.stream()
          .map(state -> collector.merge(List.of(collector.add(place, state))))
          .toList();
    }

    @Override
    public <R extends Serializable> Iterator<R> places(Summary<B, S, R> summary) {
      return List.of(summary.of(place, List.copyOf(states))).iterator();
    }

    @Override
    public Kept keep(RowStates.Store store) {
      try {
        store.write(0, OfPlace.bytes(place.from(), place.to(), states));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return new Kept(1, generations);
    }

    @Override
    @SuppressWarnings("unchecked") // as it was written
    public void resume(Kept kept, RowStates.Store store) {
      kept.requirePlaces(1);
      try {
        List<S> read = (List<S>) OfPlace.read(store, 0).chains();
        states.clear();
        states.addAll(read);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      generations.clear();
      generations.addAll(kept.generations());
    }

    @Override
    public void close() {
      states.clear();
    }
  }
}
