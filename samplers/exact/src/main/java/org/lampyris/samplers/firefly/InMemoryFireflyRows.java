package org.lampyris.samplers.firefly;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lampyris.samplers.rows.DrawnEvents;
import org.lampyris.samplers.rows.PoolExhaustedException;
import org.lampyris.samplers.rows.RowEvents;
import org.lampyris.samplers.rows.Rows;

/**
 * The rows of one chain in memory: the reference for every distributed form, and a segment's rows.
 *
 * <p>Not safe for use by several threads.
 */
public final class InMemoryFireflyRows implements FireflyRows<Brightness> {
  private final Rows<BoundBlock> rows;
  private final boolean whole;
  private final FireflyPass pass;
  private final @Nullable RowEvents candidates;
  private DrawnEvents.Windows windows = DrawnEvents.Windows.NONE;

  /** Takes whole blocks in ascending order of their ids, and draws candidates from them. */
  public InMemoryFireflyRows(List<BoundBlock> blocks, FireflyPass pass) {
    this(Rows.whole(List.copyOf(blocks)), true, pass, null);
  }

  /**
   * Takes the rows at hand.
   *
   * @param whole whether they are the whole table
   * @param candidates where their candidates come from; null to draw them from whole blocks
   */
  public InMemoryFireflyRows(
      Rows<BoundBlock> rows, boolean whole, FireflyPass pass, @Nullable RowEvents candidates) {
    this.rows = rows;
    this.whole = whole;
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
    BrightnessUpdate update = question.update();
    boolean all = update != null && update.isOfAllRows();
    if (all && !whole) {
      throw new PoolExhaustedException("a draw of the brightness of all rows");
    }
    if (candidates != null && !all) {
      after = pass.answer(rows, candidates, before, question, share);
    } else {
      DrawnEvents<BoundBlock> drawn = question.candidates(pass.streams(), rows.blocks(), windows);
      after = pass.answer(rows, drawn, before, question, share);
      windows = all ? windows : drawn.windows();
    }
    return new Answered<>(
        after, FireflyAnswer.of(question, List.of(share.end()), pass.dimension()));
  }
}
