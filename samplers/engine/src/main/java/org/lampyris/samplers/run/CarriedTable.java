package org.lampyris.samplers.run;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.lampyris.samplers.rows.Place;
import org.lampyris.samplers.rows.RowBlock;

/**
 * All rows of a small table, sent along to wherever a chain runs: a pass there needs no job.
 *
 * @param <B> a resident block
 * @param likelihood log L_n
 * @param rows how many rows they are
 * @param blocks the rows, in ascending order of their blocks
 */
public record CarriedTable<B extends RowBlock<B>>(
    LikelihoodPass likelihood, long rows, ArrayList<B> blocks) implements Serializable {
  /** How many bytes of rows are sent along with every task. */
  private static final double SMALL = 4 << 20;

  /** Returns whether rows of so many bytes are sent along. */
  static boolean isSmall(double bytes) {
    return bytes <= SMALL;
  }

  /** Fetches the rows, if they are few: they take about so many bytes. */
  public static <B extends RowBlock<B>> Optional<CarriedTable<B>> of(
      LikelihoodPass likelihood, ResidentRows<B> table, long rows, double bytes) {
    return isSmall(bytes)
        ? Optional.of(
            new CarriedTable<>(
                likelihood, rows, table.questions(new All<B>()).apply(List.of(true)).get(0)))
        : Optional.empty();
  }

  /** Returns the rows, as they answer from memory; to the bit what jobs answer. */
  public LikelihoodRows answering() {
    LikelihoodQuestions<B> questions = new LikelihoodQuestions<>(likelihood);
    Place<B> place = Place.whole(blocks);
    return LikelihoodQuestions.rows(
        rows,
        (chain, question) -> questions.join(question, questions.share(place, List.of(question))));
  }

  /** Fetches all rows. */
  private record All<B extends RowBlock<B>>()
      implements RowQuestions<B, Boolean, ArrayList<B>, ArrayList<B>> {
    @Override
    public List<ArrayList<B>> share(Place<B> place, List<Boolean> questions) {
      return List.of(new ArrayList<>(place.blocks()));
    }

    @Override
    public ArrayList<B> join(Boolean question, List<ArrayList<B>> shares) {
      ArrayList<B> all = new ArrayList<>();
      shares.forEach(all::addAll);
      all.sort((one, other) -> Long.compare(one.id(), other.id()));
      return all;
    }
  }
}
