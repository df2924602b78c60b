package org.lampyris.samplers.firefly;

import java.util.List;
import org.lampyris.bounds.block.TreeSum;

/**
 * The rows of one chain in memory: the reference for every distributed form, and what a chain's own
 * task uses.
 *
 * <p>Not safe for use by several threads.
 */
public final class InMemoryFireflyRows implements FireflyRows {
  private final List<BoundBlock> blocks;
  private final FireflyPass pass;
  private final BlockBrightness[] brightness;
  private double[][] remembered = new double[0][];

  /**
   * Begins with all rows dark.
   *
   * @param blocks the blocks in ascending order of their ids
   * @param pass answers for a block
   */
  public InMemoryFireflyRows(List<BoundBlock> blocks, FireflyPass pass) {
    this.blocks = List.copyOf(blocks);
    this.pass = pass;
    this.brightness = new BlockBrightness[blocks.size()];
    java.util.Arrays.fill(brightness, BlockBrightness.dark());
  }

  @Override
  public FireflyAnswer ask(FireflyQuestion question) {
    int length = question.answerLength(pass.dimension());
    TreeSum sum = new TreeSum(0, Long.MAX_VALUE);
    for (int b = 0; b < brightness.length; b++) {
      double[] packed = new double[length];
      brightness[b] = pass.answer(blocks.get(b), brightness[b], remembered, question, packed);
      sum.add(blocks.get(b).data().id(), packed);
    }
    remembered = FireflyPass.remembered(remembered, question);
    return new FireflyAnswer(question, TreeSum.total(sum.nodes(), length), pass.dimension());
  }

  /** Returns the brightness of each block, in the order of the blocks. */
  public List<BlockBrightness> brightness() {
    return List.of(brightness.clone());
  }
}
