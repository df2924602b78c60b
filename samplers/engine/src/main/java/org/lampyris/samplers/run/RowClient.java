package org.lampyris.samplers.run;

import java.io.Serializable;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.lampyris.samplers.chain.ChainTeam;
import org.lampyris.samplers.rows.Place;
import org.lampyris.samplers.rows.PoolExhaustedException;
import org.lampyris.samplers.rows.RowBlock;
import org.lampyris.samplers.rows.RowQuestions;

/**
 * Rows as one chain asks them: by a job for all chains of a team, by a job of its own, or in
 * memory. All give the same bits.
 *
 * @param <B> a resident block
 */
public final class RowClient<B extends RowBlock<B>> {
  private final @Nullable ResidentRows<B> rows;
  private final @Nullable ChainTeam team;
  private final int chain;

  private RowClient(@Nullable ResidentRows<B> rows, @Nullable ChainTeam team, int chain) {
    this.rows = rows;
    this.team = team;
    this.chain = chain;
  }

  /** Returns rows that answer a chain together with the others of its team. */
  public static <B extends RowBlock<B>> RowClient<B> of(
      ResidentRows<B> rows, ChainTeam team, int chain) {
    return new RowClient<>(rows, team, chain);
  }

  /** Returns rows that answer one question at a time. */
  public static <B extends RowBlock<B>> RowClient<B> alone(ResidentRows<B> rows) {
    return new RowClient<>(rows, null, 0);
  }

  /** Returns all rows of a table, in ascending order of their blocks, at the chain. */
  public static <B extends RowBlock<B>> RowClient<B> inMemory(List<B> blocks) {
    return alone(new InMemoryRows<>(Place.whole(blocks)));
  }

  /** Returns rows that are not here: a question ends the segment before its iteration. */
  public static <B extends RowBlock<B>> RowClient<B> elsewhere() {
    return new RowClient<>(null, null, 0);
  }

  /**
   * Asks a question, and waits for the answer.
   *
   * @throws PoolExhaustedException if the rows are not here
   */
  public <Q extends Serializable, H extends Serializable, A> A ask(
      RowQuestions<B, Q, H, A> how, Q question) {
    if (rows == null) {
      throw new PoolExhaustedException("a pass over all rows");
    }
    return ask(rows.questions(how), question);
  }

  /** Asks a question of one kind, with the same or an equal job for all chains. */
  public <Q, A> A ask(Function<List<Q>, List<A>> job, Q question) {
    return team == null ? job.apply(List.of(question)).get(0) : team.ask(chain, job, question);
  }
}
