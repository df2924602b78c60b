package org.lampyris.samplers.run;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;
import org.lampyris.samplers.rows.ChainQuestion;
import org.lampyris.samplers.rows.Place;
import org.lampyris.samplers.rows.PlaceStore;
import org.lampyris.samplers.rows.RowCollector;
import org.lampyris.samplers.rows.RowEvolution;
import org.lampyris.samplers.rows.RowStates;
import org.lampyris.samplers.rows.RowSummary;

/**
 * The state of rows in memory, all in one place.
 *
 * @param <S> the state of the rows in one chain
 */
final class InMemoryRowStates<B, S extends Serializable, Q extends ChainQuestion, H, A>
    implements RowStates<B, S, Q, A> {
  private final Place<B> place;
  private final RowEvolution<B, S, Q, H, A> evolution;
  private final List<S> states = new ArrayList<>();
  private final List<Generation> generations = new ArrayList<>();

  InMemoryRowStates(Place<B> place, RowEvolution<B, S, Q, H, A> evolution, int chains) {
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
    RowEvolution.Evolved<S, H> evolved = evolution.evolve(place, states.get(c), asked.question());
    states.set(c, evolved.state());
    generations.set(c, generations.get(c).next());
    return evolution.join(asked.question(), List.of(evolved.share()));
  }

  @Override
  public <C extends Serializable> List<C> collect(RowCollector<B, S, C> collector) {
    return states.stream()
        .map(state -> collector.join(List.of(collector.of(place, state))))
        .toList();
  }

  @Override
  public <R extends Serializable> Iterator<R> places(RowSummary<B, S, R> summary) {
    return List.of(summary.of(place, List.copyOf(states))).iterator();
  }

  @Override
  public Kept keep(PlaceStore store) {
    try (ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(new ArrayList<>(states));
      out.flush();
      store.write(0, bytes.toByteArray());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new Kept(1, generations);
  }

  @Override
  @SuppressWarnings("unchecked") // as it was written
  public void resume(Kept kept, PlaceStore store) {
    kept.requirePlaces(1);
    try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(store.read(0)))) {
      List<S> read = (List<S>) in.readObject();
      states.clear();
      states.addAll(read);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
    generations.clear();
    generations.addAll(kept.generations());
  }

  @Override
  public void close() {
    states.clear();
  }
}
