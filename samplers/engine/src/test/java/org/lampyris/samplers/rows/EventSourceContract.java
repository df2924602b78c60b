package org.lampyris.samplers.rows;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.lampyris.samplers.testdata.Serialised;

/**
 * What every source of events keeps: the events of an iteration are the same whether they are drawn
 * in memory by windows, from pools of any length and any places, or for that iteration alone.
 *
 * @param <B> the kind of block
 */
public abstract class EventSourceContract<B extends RowBlock<B>> {
  private static final long ITERATIONS = 40;
  private static final List<Integer> LENGTHS = List.of(1, 3, 7, 16, (int) ITERATIONS);

  /** Where the blocks are cut into places; two cuts at one block make a place without any. */
  private static final List<List<Integer>> CUTS =
      List.of(List.of(), List.of(1), List.of(2, 2, 5), List.of(1, 2, 3, 4, 5));

  /** Returns the blocks of the table: six, with ids from 0. */
  protected abstract List<B> blocks();

  /** Returns what draws the events of a chain. */
  protected abstract EventSource<B> source(int chain);

  /** Returns limits that events are asked for up to, ascending; pools are drawn up to the last. */
  protected abstract List<Double> limits();

  /** Returns whether payloads are random numbers. */
  protected abstract boolean numbered();

  /** Checks what is kept of a row that was taken out of its block, besides its data. */
  protected abstract void assertSameRow(B whole, int row, B selected, int index);

  /** An event of some iteration. */
  record Event(long row, double payload) {}

  private double poolLimit() {
    return limits().get(limits().size() - 1);
  }

  /** Returns the events of an iteration, drawn level by level, for it alone, and sorted here. */
  private List<Event> alone(int chain, long iteration, double limit) {
    EventSource<B> source = source(chain);
    List<Event> events = new ArrayList<>();
    for (int level = 0; level < source.levelsTo(limit); level++) {
      source.draw(
          level,
          iteration,
          1,
          blocks(),
          (offset, row, payload) -> {
            assertEquals(0, offset);
            if (payload < limit) {
              events.add(new Event(row, payload));
            }
          });
    }
    Comparator<Event> byRow = Comparator.comparingLong(Event::row);
    Comparator<Event> byPayload = Comparator.comparingDouble(Event::payload);
    boolean rowFirst = source.order() == EventSource.Order.ROW;
    events.sort(rowFirst ? byRow.thenComparing(byPayload) : byPayload.thenComparing(byRow));
    return events;
  }

  private static List<Event> visited(RowEvents events, long iteration, double limit) {
    List<Event> visited = new ArrayList<>();
    events.visit(iteration, limit, (row, payload) -> visited.add(new Event(row, payload)));
    return visited;
  }

  private List<Pool<B>> pools(long first, int length, List<Integer> cuts) {
    List<Pool<B>> pools = new ArrayList<>();
    int from = 0;
    for (int to : Stream.concat(cuts.stream(), Stream.of(blocks().size())).toList()) {
      // In descending order, which must not matter.
      pools.add(0, Pool.draw(source(1), first, length, poolLimit(), blocks().subList(from, to)));
      from = to;
    }
    return pools;
  }

  @Test
  void thereAreEventsToBeLookedAt() {
    long events =
        LongStream.rangeClosed(1, ITERATIONS).map(i -> alone(1, i, poolLimit()).size()).sum();
    assertTrue(events > ITERATIONS, events + " events");
  }

  @Test
  void inMemoryTheyAreThoseOfTheIterationAlone() {
    RowEvents ascending = new DrawnEvents<>(source(1), blocks());
    RowEvents jumping = new DrawnEvents<>(source(1), blocks());
    for (long i = 1; i <= ITERATIONS; i++) {
      long other = 1 + i * 17 % ITERATIONS;
      for (double limit : limits()) {
        assertEquals(alone(1, i, limit), visited(ascending, i, limit), i + ", " + limit);
        assertEquals(alone(1, other, limit), visited(jumping, other, limit), "jump to " + other);
      }
    }
  }

  /** The windows go on to whoever draws next for the same chain. */
  @Test
  void windowsThatAreKeptChangeNothing() {
    DrawnEvents.Windows windows = DrawnEvents.Windows.NONE;
    for (long i = 1; i <= ITERATIONS; i++) {
      var events = new DrawnEvents<>(source(1), blocks(), windows);
      assertEquals(alone(1, i, poolLimit()), visited(events, i, poolLimit()), "iteration " + i);
      windows = events.windows();
    }
  }

  @Test
  void fromPoolsOfAnyLengthAndPlacesTheyAreThose() {
    for (int length : LENGTHS) {
      for (List<Integer> cuts : CUTS) {
        for (long first = 1; first <= ITERATIONS; first += length) {
          RowEvents pooled = new PooledEvents<>(pools(first, length, cuts));
          for (long i = first; i < Math.min(ITERATIONS + 1, first + length); i++) {
            for (double limit : limits()) {
              assertEquals(
                  alone(1, i, limit),
                  visited(pooled, i, limit),
                  i + ", " + limit + ", pools of " + length + " cut at " + cuts);
            }
          }
        }
      }
    }
  }

  @Test
  void aSourceThatSaysSoDrawsAnIterationInOrder() {
    if (source(1).isOrdered()) {
      for (long i = 1; i <= ITERATIONS; i++) {
        List<Event> drawn = new ArrayList<>();
        source(1).draw(0, i, 1, blocks(), (offset, row, p) -> drawn.add(new Event(row, p)));
        assertEquals(alone(1, i, poolLimit()), drawn);
      }
    }
  }

  /** What pools of all iterations hold is what the iterations have, and nothing is there twice. */
  @Test
  void everyEventIsInOneIterationAndNoNumberIsUsedTwice() {
    List<Double> numbers = new ArrayList<>();
    for (int chain : new int[] {1, 2}) {
      Pool<B> all = Pool.draw(source(chain), 1, (int) ITERATIONS, poolLimit(), blocks());
      long events = 0;
      for (long i = 1; i <= ITERATIONS; i++) {
        List<Event> own = alone(chain, i, all.limit());
        assertEquals(own.size(), new HashSet<>(own).size(), "iteration " + i);
        own.forEach(event -> numbers.add(event.payload()));
        events += own.size();
      }
      assertEquals(events, all.size());
    }
    if (numbered()) {
      assertEquals(numbers.size(), numbers.stream().distinct().count());
    }
  }

  @Test
  void visitingStopsWhereNoMoreIsWanted() {
    for (RowEvents events :
        List.of(
            new DrawnEvents<>(source(1), blocks()),
            new PooledEvents<>(pools(1, (int) ITERATIONS, List.of(3))))) {
      for (long i = 1; i <= ITERATIONS; i++) {
        List<Event> all = alone(1, i, poolLimit());
        for (int wanted = 1; wanted < Math.min(4, all.size()); wanted++) {
          List<Event> some = new ArrayList<>();
          int most = wanted;
          events.visit(
              i,
              poolLimit(),
              (row, payload) -> {
                some.add(new Event(row, payload));
                return some.size() < most;
              });
          assertEquals(all.subList(0, most), some, "iteration " + i);
        }
      }
    }
  }

  /** Beyond the pool, nobody has been told of any event; those with all rows have them all. */
  @Test
  void poolsAreExhaustedExactlyBeyondTheirIterationsAndTheirLimit() {
    List<Pool<B>> pools = pools(5, 6, List.of(2, 4));
    double end = pools.get(0).limit();
    assertTrue(end >= poolLimit(), "drawn up to " + end);
    RowEvents pooled = new PooledEvents<>(pools);
    RowEvents complete = new DrawnEvents<>(source(1), blocks());
    List<Double> asked = new ArrayList<>(limits());
    asked.addAll(List.of(end, Math.nextUp(end), 1.5 * end));
    for (long i = 1; i <= 14; i++) {
      for (double limit : asked) {
        if (i >= 5 && i < 11 && limit <= end) {
          assertEquals(alone(1, i, limit), visited(pooled, i, limit));
        } else {
          long iteration = i;
          List<Event> told = new ArrayList<>();
          assertThrows(
              PoolExhaustedException.class,
              () -> pooled.visit(iteration, limit, (row, p) -> told.add(new Event(row, p))));
          assertEquals(List.of(), told);
          assertEquals(alone(1, i, limit), visited(complete, i, limit));
        }
      }
    }
  }

  @Test
  void poolsOfDifferentIterationsAreRefused() {
    List<Pool<B>> pools = new ArrayList<>(pools(1, 4, List.of()));
    pools.addAll(pools(2, 4, List.of()));
    assertThrows(IllegalArgumentException.class, () -> new PooledEvents<>(pools));
    List<Pool<B>> longer = new ArrayList<>(pools(1, 4, List.of()));
    longer.addAll(pools(1, 5, List.of()));
    assertThrows(IllegalArgumentException.class, () -> new PooledEvents<>(longer));
  }

  /** A row with several events is there once, with the data that it has in its block. */
  @Test
  void theRowsOfAPoolAreThoseOfItsEventsWithTheirData() {
    for (List<Integer> cuts : CUTS) {
      PooledEvents<B> pooled = new PooledEvents<>(pools(3, 9, cuts));
      Set<Long> ids = new HashSet<>();
      double end = pools(3, 9, cuts).get(0).limit();
      LongStream.range(3, 12).forEach(i -> alone(1, i, end).forEach(e -> ids.add(e.row())));
      Rows<B> rows = Rows.gathered(pooled.rows());
      assertEquals(ids.size(), pooled.rows().stream().mapToInt(s -> s.block().data().rows()).sum());
      for (long id : ids) {
        int index = rows.indexOf(RowId.block(id));
        int here = rows.rowIn(index, RowId.row(id));
        B whole = blocks().get((int) RowId.block(id));
        assertSameData(whole, RowId.row(id), rows.blocks().get(index), here);
        assertSameRow(whole, RowId.row(id), rows.blockOf(id), here);
      }
      assertRowsThatAreNotHereAreMissed(rows, ids);
    }
  }

  private void assertRowsThatAreNotHereAreMissed(Rows<B> rows, Set<Long> here) {
    for (B block : blocks()) {
      for (int row = 0; row < block.data().rows(); row++) {
        long id = RowId.of(block.id(), row);
        int number = row;
        if (!here.contains(id)) {
          assertThrows(
              IllegalStateException.class, () -> rows.rowIn(rows.indexOf(block.id()), number));
        }
      }
    }
  }

  private static void assertSameData(RowBlock<?> whole, int row, RowBlock<?> selected, int index) {
    assertEquals(whole.id(), selected.id());
    assertEquals(whole.data().response(row), selected.data().response(index));
    assertEquals(whole.data().weight(row), selected.data().weight(index));
    IntStream.range(0, whole.data().columns())
        .forEach(
            j -> assertEquals(whole.data().feature(row, j), selected.data().feature(index, j)));
  }

  @Test
  void sourcesAndPoolsTravel() {
    EventSource<B> arrived = Serialised.copy(source(1));
    List<Pool<B>> pools = pools(2, 9, List.of(3)).stream().map(Serialised::copy).toList();
    RowEvents pooled = new PooledEvents<>(pools);
    RowEvents drawn = new DrawnEvents<>(arrived, blocks());
    for (long i = 2; i < 11; i++) {
      assertEquals(alone(1, i, poolLimit()), visited(pooled, i, poolLimit()));
      assertEquals(alone(1, i, poolLimit()), visited(drawn, i, poolLimit()));
    }
  }
}
