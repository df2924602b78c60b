package org.lampyris.samplers.firefly.rows;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lampyris.samplers.firefly.brightness.BoundBlock;
import org.lampyris.samplers.firefly.brightness.Brightness;
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
  private final @Nullable RowEvents candidates;
  private DrawnEvents.Windows windows = DrawnEvents.Windows.NONE;

  /** Takes whole blocks in ascending order of their ids, and draws candidates from them. */
  public InMemoryFireflyRows(List<BoundBlock> blocks, FireflyPass pass) {
    this(Rows.whole(List.copyOf(blocks)), pass, null);
  }

  /**
   * Takes the rows at hand and what their candidates come from; null to draw them from whole
   * blocks.
   */
  public InMemoryFireflyRows(
      Rows<BoundBlock> rows, FireflyPass pass, @Nullable RowEvents candidates) {
    this.rows = rows;
    this.pass = pass;
    this.candidates = candidates;
  }

  @Override
  public Brightness dark() {
    return Brightness.dark();
  }

  @Override
  public Answered<Brightness> ask(Brightness before, FireflyQuestion question) {
    FireflyShare.Sum share = new FireflyShare.Sum(0, Long.MAX_VALUE);
    Brightness after;
    if (candidates != null) {
      after = pass.answer(rows, candidates, before, question, share);
    } else {
      DrawnEvents<BoundBlock> drawn = question.candidates(pass.streams(), rows.blocks(), windows);
      after = pass.answer(rows, drawn, before, question, share);
      windows = drawn.windows();
    }
    return new Answered<>(
        after, FireflyAnswer.of(question, List.of(share.end()), pass.dimension()));
  }
}
