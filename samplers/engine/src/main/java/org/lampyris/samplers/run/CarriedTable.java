package org.lampyris.samplers.run;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lampyris.samplers.rows.Place;
import org.lampyris.samplers.rows.RowBlock;
import org.lampyris.samplers.rows.RowQuestions;

/**
 * All rows of a small table, sent along to wherever a chain runs: a pass there needs no job.
 *
 * @param <B> a resident block
 * @param blocks the rows, in ascending order of their blocks
 */
public record CarriedTable<B extends RowBlock<B>>(ArrayList<B> blocks) implements Serializable {
  /** Largest size in bytes of rows that are sent with every task. */
  private static final double SMALL = 4 << 20;

  /** Returns whether rows of this size are sent along. */
  static boolean isSmall(double bytes) {
    return bytes <= SMALL;
  }

  /** Fetches the rows if their approximate size is small. Null if they are many. */
  public static <B extends RowBlock<B>> @Nullable CarriedTable<B> of(
      ResidentRows<B> table, double bytes) {
    return isSmall(bytes)
        ? new CarriedTable<>(RowClient.alone(table).ask(new All<B>(), true))
        : null;
  }

  /** Returns the rows, which answer from memory with the same bits as jobs. */
  public RowClient<B> client() {
    return RowClient.inMemory(blocks);
  }

  /** Fetches all rows. */
  private record All<B extends RowBlock<B>>()
      implements RowQuestions<B, Boolean, ArrayList<B>, ArrayList<B>> {
    @Override
    public List<ArrayList<B>> add(Place<B> place, List<Boolean> questions) {
      return List.of(new ArrayList<>(place.blocks()));
    }

    @Override
    public ArrayList<B> merge(Boolean question, List<ArrayList<B>> shares) {
      ArrayList<B> all = new ArrayList<>();
      shares.forEach(all::addAll);
      all.sort((one, other) -> Long.compare(one.id(), other.id()));
      return all;
    }
  }
}
