package org.lampyris.samplers.firefly.brightness;

import java.util.List;
import org.lampyris.samplers.pool.DrawnEvents;
import org.lampyris.samplers.pool.RowEvents;
import org.lampyris.samplers.pool.Rows;

/**
 * The rows of one chain in memory: the reference for every distributed form, and what the task of a
 * segment uses.
 *
 * <p>Not safe for use by several threads.
 */
public final class InMemoryFireflyRows implements FireflyRows<Brightness> {
  private final Rows<BoundBlock> rows;
  private final FireflyPass pass;
  private final Source candidates;

  /** Tells where the candidates of a z-step come from. */
  @FunctionalInterface
  public interface Source {
    /** Returns the candidates that a question asks for. */
    RowEvents of(FireflyQuestion question);
  }

  /**
   * Takes whole blocks, and draws candidates from them.
   *
   * @param blocks the blocks in ascending order of their ids
   * @param pass answers for blocks
   */
  public InMemoryFireflyRows(List<BoundBlock> blocks, FireflyPass pass) {
    this(Rows.whole(List.copyOf(blocks)), pass, drawn(blocks, pass));
  }

  /**
   * Takes the rows at hand.
   *
   * @param rows the rows
   * @param pass answers for blocks
   * @param candidates where their candidates come from
   */
  public InMemoryFireflyRows(Rows<BoundBlock> rows, FireflyPass pass, Source candidates) {
    this.rows = rows;
    this.pass = pass;
    this.candidates = candidates;
  }

  private static Source drawn(List<BoundBlock> blocks, FireflyPass pass) {
    DrawnEvents.Windows windows = new DrawnEvents.Windows();
    // Most questions have no z-step, and so no candidates: nothing is made before it is visited.
    return question ->
        (iteration, limit, visitor) ->
            new DrawnEvents<>(question.candidates(pass.streams()), blocks, windows)
                .visit(iteration, limit, visitor);
  }

  @Override
  public Brightness dark() {
    return Brightness.dark();
  }

  @Override
  public Answered<Brightness> ask(Brightness before, FireflyQuestion question) {
    FireflyShare.Sum share = new FireflyShare.Sum(0, Long.MAX_VALUE);
    Brightness after = pass.answer(rows, candidates.of(question), before, question, share);
    return new Answered<>(
        after, FireflyAnswer.of(question, List.of(share.end()), pass.dimension()));
  }
}
